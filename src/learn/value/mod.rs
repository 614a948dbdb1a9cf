//! Learning the static evaluation.

pub mod assess;
pub mod linear;
pub mod model;
pub mod plan;
pub mod quantise;
pub mod samples;
pub mod train;
