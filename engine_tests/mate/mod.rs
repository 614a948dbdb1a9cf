//! Contracts of the mate room: what `src/mate` promises, held against brute force.

mod cases;
mod checker;
mod dfpn;
mod edges;
mod oracle;
mod positions;
mod short;
mod tables;

// The floor keeps its own copy private; a second reading of the same files costs nothing.
#[allow(clippy::duplicate_mod)]
#[path = "../rules/records.rs"]
mod records;
#[allow(clippy::duplicate_mod)]
#[path = "../rules/shared.rs"]
mod shared;
