//! Mate: three depths of the same question.
//!
//! [`one_ply`] and [`three_plies`] are made for playouts; [`dfpn`] proves and disproves mates of any length.

pub mod dfpn;
pub mod one_ply;
pub mod three_plies;
pub mod tsume;

pub use one_ply::{mate_in_one, mates_in_one};
pub use three_plies::{mate_in_three, mates_in_three};
