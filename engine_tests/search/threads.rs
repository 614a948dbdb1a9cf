//! Many threads on one tree: nothing is lost, nothing hangs.

use tenbin::search::Preferences;
use tenbin::shogi::Walker;

use super::memory::check;
use super::{preferences, search, think};

#[test]
fn visits_add_up_with_eight_threads() {
    for (form, depth) in [("puct", "0"), ("ucb", "0"), ("puct", "5")] {
        let changes = [("Selection", form), ("Playout_Depth", depth)];
        let mut search = search(&Preferences { threads: 8, ..preferences(&changes) });
        let walker = Walker::startpos();
        let lines = think(&mut search, &walker, 20_000);
        assert_eq!(lines[0].nodes, 20_000, "{form}");
        let root = search.root(&walker).expect("a root");
        assert_eq!(search.arena().node(root).visits(), 20_000, "{form}");
        assert_eq!(check(search.arena(), root), search.arena().used_nodes(), "{form}");
    }
}

/// Hardly any memory and many threads: rounds of making room between rounds of playouts.
#[test]
fn making_room_and_threads_get_along() {
    let changes = [("Playout_Depth", "0")];
    let mut search = search(&Preferences { threads: 8, hash_mb: 1, ..preferences(&changes) });
    let walker = Walker::startpos();
    let lines = think(&mut search, &walker, 100_000);
    assert_eq!(lines[0].nodes, 100_000);
    let root = search.root(&walker).expect("a root");
    assert_eq!(search.arena().node(root).visits(), 100_000);
    check(search.arena(), root);
}
