//! Learning who wins between players of a rating and what they play.

pub mod assess;
pub mod grades;
pub mod lessons;
pub mod likeness;
pub mod moves;
pub mod plan;
pub mod played_on;
pub mod report;
pub mod sight;
pub mod train;
pub mod win;
