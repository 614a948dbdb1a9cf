//! Learning the balancing policy: not that its moves are good, but that the mean of its playouts is right.
//!
//! For every position, the mean reward of some playouts is compared with what a teacher says, and the policy is moved
//! along the gradient of the mean reward, which other playouts estimate.

pub mod assess;
pub mod course;
pub mod estimator;
pub mod plan;
pub mod positions;
pub mod teacher;
pub mod train;
