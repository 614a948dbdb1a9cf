//! Learning the static evaluation.

pub mod model;
pub mod quantise;
pub mod samples;
