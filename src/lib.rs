//! Tenbin (天秤, the scales): a USI shogi engine that thinks by Monte-Carlo.
//!
//! Rooms point downwards only: a room may use those below it, never one above. From the top: [`usi`],
//! [`analysis`], [`book`], [`experiment`], [`learn`], [`search`], [`tree`], [`playout`], [`human`], [`policy`], [`eval`], [`mate`], [`shogi`].

pub mod analysis;
pub mod book;
pub mod eval;
pub mod experiment;
pub mod human;
pub mod learn;
pub mod mate;
pub mod playout;
pub mod policy;
pub mod search;
pub mod shogi;
pub mod tree;
pub mod usi;
