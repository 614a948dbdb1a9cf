//! Contracts of the mate room: what `src/mate` promises, held against brute force.

mod cases;
mod checker;
mod dfpn;
mod edges;
mod oracle;
pub mod positions;
mod short;
mod tables;
