//! Contracts of the floor: what `src/shogi` promises about the rules of shogi.

mod attacks;
mod exchange;
mod perft;
mod records;
mod stepping;
