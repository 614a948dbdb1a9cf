//! Tenbin (天秤, the scales): a USI shogi engine that thinks by Monte-Carlo.
//!
//! Rooms point downwards only: a room may use those below it, never one above.

pub mod shogi;
