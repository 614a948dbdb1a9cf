//! Learning from its own good games: players with the policy so far play each other, the good parts of their games are kept,
//! the policy learns to play those moves, and so on.

pub mod episodes;
pub mod fit;
pub mod measure;
pub mod plan;
pub mod train;
