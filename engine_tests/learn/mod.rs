//! Learning.

mod balancing;
mod records;
mod selfplay;
mod transition;
mod transition_runs;
mod value;
