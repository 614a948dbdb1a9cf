//! Learning.

mod balancing;
mod rating;
mod records;
mod selfplay;
mod transition;
mod transition_runs;
mod value;
