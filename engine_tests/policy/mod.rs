//! Contracts of the policies: what `src/policy` promises.

mod explain;
mod features;
mod narrowing;
mod scorer;
mod tactics;
mod weights;
