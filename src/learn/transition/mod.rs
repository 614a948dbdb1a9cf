//! Learning the transition policy: what players of the records would play.

pub mod choices;
pub mod conjugate;
pub mod curves;
pub mod examples;
pub mod frequency;
pub mod likelihood;
pub mod minorisation;
pub mod plan;
pub mod stochastic;
pub mod train;
