//! Simulation balancing: estimates on a game small enough to work out, then whole runs on shogi.

mod estimates;
mod memory;
mod runs;
mod tree_game;
