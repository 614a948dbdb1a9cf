//! Playouts: from a leaf of the tree, moves by a policy until somebody mates, a rule ends the game or a few plies are
//! over; then what the quiet position is worth.
//!
//! Rewards are in [−1, 1] for the side to move where the playout began.

pub mod mate_check;
pub mod reward;
pub mod simulation;

pub use mate_check::MateCheck;
pub use reward::Reward;
pub use simulation::{Cutoff, Draws, End, Simulation};
