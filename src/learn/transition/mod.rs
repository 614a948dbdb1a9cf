//! Learning the transition policy: what players of the records would play.

pub mod examples;
