//! The tree's memory: nodes for moves that were tried, edges for moves that may be, both in one arena of fixed size.
//!
//! Nothing here knows what makes a move good. Statistics are atomic counters that any thread may add to; what hangs
//! together changes under the node's lock; memory is given back only while nobody else works on the tree.

pub mod arena;
pub mod edge;
pub mod node;
pub mod proof;
pub mod reclaim;

pub use arena::{Arena, NodeId};
pub use edge::Edge;
pub use node::Node;
pub use proof::Proof;
