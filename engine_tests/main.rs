//! Contracts of the engine, one module a room.

mod protocol;
mod rules;
