//! The arena: all nodes and edges, made once, handed out and taken back.

use parking_lot::{Mutex, MutexGuard};
use std::sync::atomic::{AtomicBool, Ordering};

use super::edge::{Block, Edge};
use super::node::Node;
use crate::shogi::PackedMove;

/// Names a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(std::num::NonZeroU32);

impl NodeId {
    /// By number; 0 is none.
    #[inline]
    pub fn from_raw(number: u32) -> Option<Self> {
        std::num::NonZeroU32::new(number).map(Self)
    }

    /// The number.
    #[inline]
    pub fn raw(self) -> u32 {
        self.0.get()
    }
}

/// Of a hundred parts of the memory, so many are nodes and the rest blocks of edges. Every move tried is a node and a
/// node tried twice has a block, sometimes more. A guess that no measurement stands behind yet.
const NODE_PART: usize = 62;

/// Never fewer of either, however little memory is asked for.
const LEAST: usize = 4096;

/// Stripes of locks: so many that two workers hardly ever want the same one for different nodes.
const LOCKS: usize = 1024;

/// What is free. It changes with every new node, so nothing that is only read shares its cache lines.
#[derive(Debug, Default)]
#[repr(align(128))]
struct Free {
    /// The first free node and block of those given back.
    node: u32,
    block: u32,
    /// The first of each that was never used.
    fresh_node: u32,
    fresh_block: u32,
    used_nodes: u32,
    used_blocks: u32,
}

/// All the tree's memory. Number 0 of both kinds is never used: it means none.
#[derive(Debug)]
pub struct Arena {
    nodes: Box<[Node]>,
    blocks: Box<[Block]>,
    /// Each for the nodes whose numbers leave this remainder.
    locks: Box<[Mutex<()>]>,
    free: Mutex<Free>,
    /// Whether something could not be had.
    full: AtomicBool,
}

impl Arena {
    /// An arena of exactly so many MB.
    pub fn with_size(mb: usize) -> Self {
        let bytes = mb.max(1) * 1024 * 1024;
        let nodes = (bytes / 100 * NODE_PART / size_of::<Node>()).clamp(LEAST, u32::MAX as usize);
        let blocks =
            ((bytes - nodes * size_of::<Node>()) / size_of::<Block>()).clamp(LEAST, u32::MAX as usize);
        Self::with_counts(nodes, blocks)
    }

    /// An arena of so many nodes and blocks. Memory that is never used is never touched, so that even the largest is
    /// there at once: writing 16 GB of nodes takes seconds.
    pub fn with_counts(nodes: usize, blocks: usize) -> Self {
        let arena = Self {
            // SAFETY: a node is made of atomic integers, for which zeros are a value.
            nodes: unsafe { Box::new_zeroed_slice(nodes).assume_init() },
            // SAFETY: so is a block.
            blocks: unsafe { Box::new_zeroed_slice(blocks).assume_init() },
            locks: std::iter::repeat_with(Mutex::default).take(LOCKS).collect(),
            free: Mutex::new(Free::default()),
            full: AtomicBool::new(false),
        };
        arena.clear();
        arena
    }

    /// Bytes of all nodes and edges.
    pub fn bytes(&self) -> usize {
        self.nodes.len() * size_of::<Node>() + self.blocks.len() * size_of::<Block>()
    }

    /// Forgets everything. Only while nobody works on the tree.
    pub fn clear(&self) {
        *self.free.lock() = Free { fresh_node: 1, fresh_block: 1, ..Free::default() };
        self.full.store(false, Ordering::Relaxed);
    }

    /// Nodes in use.
    pub fn used_nodes(&self) -> usize {
        self.free.lock().used_nodes as usize
    }

    /// How much is in use, of a thousand parts: of nodes or blocks, whichever runs out first.
    pub fn fullness(&self) -> u32 {
        let free = self.free.lock();
        let part = |used: u32, all: usize| (u64::from(used) * 1000 / all as u64) as u32;
        part(free.used_nodes + 1, self.nodes.len()).max(part(free.used_blocks + 1, self.blocks.len()))
    }

    /// How many nodes and blocks must become free for `percent` of each to be.
    pub(super) fn missing(&self, percent: usize) -> [usize; 2] {
        let free = self.free.lock();
        let missing = |used: u32, all: usize| (used as usize + 1).saturating_sub(all - all / 100 * percent);
        [missing(free.used_nodes, self.nodes.len()), missing(free.used_blocks, self.blocks.len())]
    }

    /// Whether something could not be had since the last clearing out.
    #[inline]
    pub fn is_full(&self) -> bool {
        self.full.load(Ordering::Relaxed)
    }

    pub(super) fn set_full(&self, full: bool) {
        self.full.store(full, Ordering::Relaxed);
    }

    /// A node.
    #[inline]
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.raw() as usize]
    }

    /// Keeps others from adding edges or children to a node.
    #[inline]
    pub fn lock(&self, id: NodeId) -> MutexGuard<'_, ()> {
        self.locks[id.raw() as usize % LOCKS].lock()
    }

    /// The same where nobody else does: for what takes so long that waiting for it is worse than doing something else.
    #[inline]
    pub fn try_lock(&self, id: NodeId) -> Option<MutexGuard<'_, ()>> {
        self.locks[id.raw() as usize % LOCKS].try_lock()
    }

    /// A new node, unless there is none left.
    pub fn new_node(&self) -> Option<NodeId> {
        let mut free = self.free.lock();
        let number = if free.node > 0 {
            let number = free.node;
            free.node = self.nodes[number as usize].block.load(Ordering::Relaxed);
            number
        } else if (free.fresh_node as usize) < self.nodes.len() {
            free.fresh_node += 1;
            free.fresh_node - 1
        } else {
            drop(free);
            self.full.store(true, Ordering::Relaxed);
            return None;
        };
        free.used_nodes += 1;
        drop(free);
        self.nodes[number as usize].reset();
        NodeId::from_raw(number)
    }

    fn new_block(&self) -> Option<u32> {
        let mut free = self.free.lock();
        let number = if free.block > 0 {
            let number = free.block;
            free.block = self.blocks[number as usize].next.load(Ordering::Relaxed);
            number
        } else if (free.fresh_block as usize) < self.blocks.len() {
            free.fresh_block += 1;
            free.fresh_block - 1
        } else {
            drop(free);
            self.full.store(true, Ordering::Relaxed);
            return None;
        };
        free.used_blocks += 1;
        drop(free);
        self.blocks[number as usize].next.store(0, Ordering::Relaxed);
        Some(number)
    }

    /// Gives a node back, with its blocks but not its children. Only while nobody else works on the tree.
    pub(super) fn free_node(&self, id: NodeId) {
        self.free_blocks(id);
        let mut free = self.free.lock();
        self.node(id).block.store(free.node, Ordering::Relaxed);
        free.node = id.raw();
        free.used_nodes -= 1;
    }

    /// Gives the blocks of a node back, and makes it a leaf. Only while nobody else works on the tree.
    pub(super) fn free_blocks(&self, id: NodeId) {
        let node = self.node(id);
        let mut block = node.block.load(Ordering::Relaxed);
        let mut free = self.free.lock();
        while block != 0 {
            let next = self.blocks[block as usize].next.load(Ordering::Relaxed);
            self.blocks[block as usize].next.store(free.block, Ordering::Relaxed);
            free.block = block;
            free.used_blocks -= 1;
            block = next;
        }
        drop(free);
        node.collapse();
    }

    /// The edges of a node, the likeliest first, up to a place.
    #[inline]
    pub fn edges(&self, id: NodeId, end: usize) -> Edges<'_> {
        let node = self.node(id);
        let left = node.stored().min(end);
        Edges { arena: self, block: node.block.load(Ordering::Acquire), place: 0, left }
    }

    /// All edges of a node that stand ready.
    #[inline]
    pub fn all_edges(&self, id: NodeId) -> Edges<'_> {
        self.edges(id, usize::MAX)
    }

    /// Adds edges to a node, which has `moves` moves in all, as far as memory goes. Under the node's lock.
    pub fn add_edges(&self, id: NodeId, moves: usize, edges: impl Iterator<Item = (PackedMove, f32)>) {
        let node = self.node(id);
        let mut stored = node.stored();
        let mut last = node.block.load(Ordering::Relaxed);
        while last != 0 {
            match self.blocks[last as usize].next.load(Ordering::Relaxed) {
                0 => break,
                block => last = block,
            }
        }
        for (mv, prior) in edges {
            let place = stored % Block::EDGES;
            if place == 0 {
                let Some(block) = self.new_block() else { break };
                match last {
                    0 => node.block.store(block, Ordering::Release),
                    last => self.blocks[last as usize].next.store(block, Ordering::Release),
                }
                last = block;
            }
            self.blocks[last as usize].edges[place].set(mv, prior);
            stored += 1;
        }
        node.set_stored(stored, moves);
    }
}

/// The edges of a node in turn.
pub struct Edges<'a> {
    arena: &'a Arena,
    block: u32,
    place: usize,
    left: usize,
}

impl<'a> Iterator for Edges<'a> {
    type Item = &'a Edge;

    #[inline]
    fn next(&mut self) -> Option<&'a Edge> {
        if self.left == 0 {
            return None;
        }
        if self.place == Block::EDGES {
            self.block = self.arena.blocks[self.block as usize].next.load(Ordering::Acquire);
            self.place = 0;
        }
        self.left -= 1;
        self.place += 1;
        Some(&self.arena.blocks[self.block as usize].edges[self.place - 1])
    }
}
