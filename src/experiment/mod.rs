//! Experiments: players to compare with, matches between them.

pub mod alphabeta;
pub mod matches;
mod order;
pub mod player;
mod table;
