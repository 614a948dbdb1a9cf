//! Contracts of the engine, one module a room.

mod mate;
mod protocol;
mod rules;
