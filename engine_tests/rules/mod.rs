//! Contracts of the floor: what `src/shogi` promises about the rules of shogi.

mod attacks;
mod declaration;
mod exchange;
mod notation;
mod perft;
mod random_games;
mod repetition;
mod round_trips;
mod stepping;
mod walker;
