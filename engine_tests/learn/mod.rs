//! Learning.

mod records;
mod value;
