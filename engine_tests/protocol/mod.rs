//! Contracts of the USI front end, most of them checked from outside: the program is driven over pipes as
//! clients drive it.

pub mod client;
mod format;
mod front_end;
mod hostile;
mod limits;
mod oracle;
mod pondering;
mod positions;
mod referee;
mod settings;
mod timing;
mod transcripts;
