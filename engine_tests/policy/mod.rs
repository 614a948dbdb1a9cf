//! Contracts of the policies: what `src/policy` promises.

mod features;
mod narrowing;
mod weights;
