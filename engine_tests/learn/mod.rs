//! Learning.

mod balancing;
mod records;
mod transition;
mod transition_runs;
mod value;
