//! Making room: what is least useful is given back when the arena is full.
//!
//! First goes all that does not lie behind the root; then, of what was visited least, everything below the node itself.
//! A node that loses its children keeps its statistics and becomes a leaf again, so nothing that was counted is lost.

use super::{Arena, NodeId};

/// Visits fall into so many classes for each doubling.
const FINENESS: u32 = 4;

/// More classes than visits can have.
const CLASSES: usize = 32 * FINENESS as usize + 1;

/// Stops are asked for every so many nodes.
const PATIENCE: usize = 4096;

/// The class of a number of visits; larger numbers never have smaller classes.
fn class(visits: u32) -> usize {
    if visits == 0 {
        return 0;
    }
    let doublings = visits.ilog2();
    let fine = if doublings >= 2 { (visits >> (doublings - 2)) & 3 } else { 0 };
    (doublings * FINENESS + fine) as usize + 1
}

impl Arena {
    /// Makes room until `percent` of the arena is free, or nearly so. `chain` leads from the oldest node that is
    /// kept to the root, the last of it; `stop` is asked now and then and ends it early. Only while nobody else works
    /// on the tree. Whether anything became free.
    pub fn reclaim(&self, chain: &[NodeId], percent: usize, stop: &dyn Fn() -> bool) -> bool {
        let before = self.fullness();
        let mut stack = Vec::new();
        for pair in chain.windows(2) {
            for edge in self.all_edges(pair[0]) {
                if let Some(child) = edge.child()
                    && child != pair[1]
                {
                    edge.set_child(None);
                    self.free_tree(child, &mut stack);
                }
            }
        }
        if self.missing(percent) != [0, 0]
            && let Some(&root) = chain.last()
            && let Some(limit) = self.find_limit(root, percent, stop)
        {
            self.thin_out(root, limit, &mut stack, stop);
        }
        self.set_full(false);
        self.fullness() < before
    }

    /// Gives a whole subtree back.
    fn free_tree(&self, top: NodeId, stack: &mut Vec<NodeId>) {
        stack.push(top);
        while let Some(id) = stack.pop() {
            stack.extend(self.all_edges(id).filter_map(super::Edge::child));
            self.free_node(id);
        }
    }

    /// The class of visits up to which nodes must lose their children for enough to become free; nothing when stopped.
    fn find_limit(&self, root: NodeId, percent: usize, stop: &dyn Fn() -> bool) -> Option<usize> {
        // What would become free by class of visits of the node that loses it.
        let (mut nodes, mut blocks) = (vec![0_usize; CLASSES], vec![0_usize; CLASSES]);
        let mut stack = vec![root];
        let mut seen = 0_usize;
        while let Some(id) = stack.pop() {
            seen += 1;
            if seen.is_multiple_of(PATIENCE) && stop() {
                return None;
            }
            let node = self.node(id);
            let class = class(node.visits());
            let before = stack.len();
            stack.extend(self.all_edges(id).filter_map(super::Edge::child));
            nodes[class] += stack.len() - before;
            blocks[class] += node.stored().div_ceil(super::edge::Block::EDGES);
        }
        let [missing_nodes, missing_blocks] = self.missing(percent);
        let (mut freed_nodes, mut freed_blocks) = (0, 0);
        for class in 0..CLASSES {
            freed_nodes += nodes[class];
            freed_blocks += blocks[class];
            if freed_nodes >= missing_nodes && freed_blocks >= missing_blocks {
                return Some(class);
            }
        }
        // Not even everything is enough for both: all but the root's own children.
        Some(CLASSES)
    }

    /// Takes the children of all nodes but the root whose visits are of this class or below.
    fn thin_out(&self, root: NodeId, limit: usize, stack: &mut Vec<NodeId>, stop: &dyn Fn() -> bool) {
        let mut kept = vec![root];
        let mut seen = 0_usize;
        while let Some(id) = kept.pop() {
            seen += 1;
            if seen.is_multiple_of(PATIENCE) && stop() {
                return;
            }
            if id != root && class(self.node(id).visits()) <= limit {
                for edge in self.all_edges(id) {
                    if let Some(child) = edge.child() {
                        self.free_tree(child, stack);
                    }
                }
                self.free_blocks(id);
            } else {
                kept.extend(self.all_edges(id).filter_map(super::Edge::child));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shogi::PackedMove;

    #[test]
    fn classes_rise_with_visits() {
        for visits in 0..100_000_u32 {
            assert!(class(visits) <= class(visits + 1));
        }
        assert!(class(u32::MAX) < CLASSES);
    }

    fn grow(arena: &Arena, parent: NodeId, visits: &[u32]) -> Vec<NodeId> {
        let moves = (1..=visits.len()).map(|number| (PackedMove::from_raw(number as u16), 0.1));
        arena.add_edges(parent, visits.len(), moves);
        let edges = arena.all_edges(parent).zip(visits);
        edges
            .map(|(edge, &visits)| {
                let child = arena.new_node().expect("room");
                edge.set_child(Some(child));
                for _ in 0..visits {
                    arena.node(child).enter();
                    arena.node(child).leave(0.5, true);
                }
                child
            })
            .collect()
    }

    #[test]
    fn least_visited_subtrees_go_first_and_nothing_is_lost() {
        let arena = Arena::with_counts(101, 101);
        let base = arena.new_node().expect("room");
        let tops = grow(&arena, base, &[5, 50]);
        let (aside, root) = (tops[0], tops[1]);
        grow(&arena, aside, &[1; 20]);
        let children = grow(&arena, root, &[40, 3, 3]);
        for &child in &children {
            grow(&arena, child, &[2; 20]);
        }
        assert_eq!(arena.used_nodes(), 3 + 20 + 3 + 60);
        // What is beside the root is enough at first.
        arena.reclaim(&[base, root], 20, &|| false);
        assert_eq!(arena.used_nodes(), 2 + 3 + 60);
        assert!(arena.all_edges(base).filter_map(crate::tree::Edge::child).eq([root]));
        // Then the two children of few visits become leaves.
        arena.reclaim(&[base, root], 60, &|| false);
        assert_eq!(arena.used_nodes(), 2 + 3 + 20);
        assert!(arena.node(children[0]).is_expanded() && !arena.node(children[1]).is_expanded());
        assert_eq!(arena.node(children[1]).visits(), 3);
        assert_eq!(arena.node(children[1]).own(), 3);
        // What came back is handed out again.
        let mut more = 0;
        while arena.new_node().is_some() {
            more += 1;
        }
        assert_eq!(more, 100 - 25);
        assert!(arena.is_full());
    }
}
