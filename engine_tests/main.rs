//! Contracts of the engine, one module a room.

mod rules;
