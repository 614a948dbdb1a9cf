//! The arena is all there is, and a full one is no end.

use tenbin::search::Preferences;
use tenbin::shogi::Walker;
use tenbin::tree::{Arena, NodeId};

use super::{middlegames, preferences, search, think};

/// Checks that every node's playouts are its own and its children's. Returns the nodes there are.
pub fn check(arena: &Arena, root: NodeId) -> usize {
    let mut stack = vec![root];
    let mut count = 0;
    while let Some(id) = stack.pop() {
        count += 1;
        let node = arena.node(id);
        assert_eq!(node.in_flight(), 0);
        let children: Vec<NodeId> = arena.all_edges(id).filter_map(tenbin::tree::Edge::child).collect();
        let below: u32 = children.iter().map(|&child| arena.node(child).visits()).sum();
        assert_eq!(node.visits(), node.own() + below, "{node:?}");
        assert!(node.stored() <= node.moves());
        stack.extend(children);
    }
    count
}

#[test]
fn the_arena_has_the_size_asked_for() {
    for mb in [1, 16, 64] {
        let bytes = Arena::with_size(mb).bytes();
        assert!(bytes <= mb * 1024 * 1024 && bytes > mb * 1024 * 1024 - 256, "{mb} MB: {bytes}");
    }
}

#[test]
fn a_full_arena_is_thinned_out_and_the_search_goes_on() {
    for threads in [1, 3] {
        let preferences = Preferences { hash_mb: 1, threads, ..preferences(&[("Playout_Depth", "0")]) };
        let mut search = search(&preferences);
        let walker = Walker::startpos();
        let lines = think(&mut search, &walker, 60_000);
        assert_eq!(lines[0].nodes, 60_000);
        let root = search.root(&walker).expect("a root");
        let count = check(search.arena(), root);
        assert_eq!(count, search.arena().used_nodes());
        assert_eq!(search.arena().node(root).visits(), 60_000);
        assert!(lines[0].hashfull <= 1000);
    }
}

/// Positions one after the other, none of which has to do with the last: the old tree makes room.
#[test]
fn other_games_take_the_place_of_the_last() {
    let mut search = search(&Preferences { hash_mb: 1, ..preferences(&[("Playout_Depth", "0")]) });
    for walker in middlegames(8) {
        assert_eq!(think(&mut search, &walker, 5_000)[0].nodes, 5_000);
    }
}
