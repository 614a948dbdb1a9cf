//! Learning: what the engine knows it learns here, from records of games.

pub mod records;
pub mod value;
