//! Learning.

mod records;
mod transition;
mod value;
