//! What was found is kept from move to move, forwards and backwards.

use tenbin::shogi::Walker;

use super::memory::check;
use super::{position, preferences, search, think};

const GAME: [&str; 6] = ["7g7f", "8c8d", "2g2f", "3c3d", "6i7h", "8d8e"];

fn after(plies: usize) -> Walker {
    position(&format!("startpos moves {}", GAME[..plies].join(" ")))
}

#[test]
fn the_subtree_of_the_moves_played_is_kept() {
    let mut search = search(&preferences(&[]));
    let line = think(&mut search, &Walker::startpos(), 3000).swap_remove(0);
    let mut walker = Walker::startpos();
    walker.apply(line.pv[0]);
    walker.apply(line.pv[1]);
    let root = search.root(&walker).expect("a root");
    let kept = search.arena().node(root).visits();
    assert!(kept > 100, "{kept}");
    think(&mut search, &walker, 1000);
    assert_eq!(search.arena().node(root).visits(), kept + 1000);
    check(search.arena(), root);
}

#[test]
fn analysis_goes_both_ways() {
    let mut search = search(&preferences(&[]));
    let mut visits = Vec::new();
    for plies in [4, 5, 6, 5, 4, 3, 2, 6] {
        let walker = after(plies);
        let root = search.root(&walker).expect("a root");
        let before = search.arena().node(root).visits();
        visits.push((plies, before));
        think(&mut search, &walker, 500);
        let root = search.root(&walker).expect("a root");
        assert_eq!(search.arena().node(root).visits(), before + 500, "{plies}");
    }
    // Back at a position everything found there is still known, and at one before it what was found below.
    assert!(visits[3].1 >= 500 && visits[4].1 >= 500 && visits[5].1 >= 500, "{visits:?}");
    assert!(visits[7].1 >= 500, "{visits:?}");
}

#[test]
fn another_game_begins_anew() {
    let mut search = search(&preferences(&[]));
    think(&mut search, &after(2), 500);
    let other = position("startpos moves 9g9f 9c9d");
    // The same start: the tree goes back to where the games part.
    let root = search.root(&other).expect("a root");
    assert_eq!(search.arena().node(root).visits(), 0);
    think(&mut search, &other, 300);
    let handicap = position("sfen lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1");
    think(&mut search, &handicap, 300);
    let root = search.root(&handicap).expect("a root");
    assert_eq!(check(search.arena(), root), search.arena().used_nodes());
}

#[test]
fn without_reuse_every_search_is_the_first() {
    let mut search = search(&preferences(&[("Reuse_Tree", "false")]));
    think(&mut search, &after(2), 400);
    think(&mut search, &after(2), 400);
    let root = search.root(&after(2)).expect("a root");
    assert_eq!(search.arena().node(root).visits(), 400);
}
