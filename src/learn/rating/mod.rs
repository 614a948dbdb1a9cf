//! Learning who wins between players of a rating and what they play.

pub mod assess;
pub mod lessons;
pub mod moves;
pub mod plan;
pub mod train;
pub mod win;
