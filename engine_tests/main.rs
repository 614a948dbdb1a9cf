//! Contracts of the engine, one module a room.

mod analysis;
mod book;
mod eval;
mod experiment;
mod learn;
mod mate;
mod policy;
mod protocol;
mod records;
mod rules;
mod search;
mod shared;
