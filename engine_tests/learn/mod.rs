//! Learning.

mod records;
