//! One thread, one seed, fixed playouts: the same answer, report by report.

use std::time::Instant;
use tenbin::search::{Answer, Control, Line, Preferences, Search, TreeSearch, bench};

use super::{middlegames, playouts, preferences, search};

fn everything(preferences: &Preferences, again: bool) -> Vec<(Answer, Vec<Vec<Line>>, Vec<String>)> {
    let mut search = search(preferences);
    let mut all = Vec::new();
    for walker in middlegames(6) {
        if again {
            search.new_game();
        }
        let mut reports = Vec::new();
        let task = playouts(&walker, 3000);
        let answer = search.think(&task, &Control::new(Instant::now()), &mut |lines| reports.push(lines));
        all.push((answer, reports, search.notes()));
    }
    all
}

#[test]
fn the_same_search_says_the_same() {
    for form in ["puct", "ucb", "ucb-tuned"] {
        let mut preferences = preferences(&[("Selection", form)]);
        preferences.multi_pv = 3;
        preferences.root_statistics = true;
        let first = everything(&preferences, false);
        assert_eq!(everything(&preferences, false), first, "{form}");
        assert!(first.iter().any(|(_, reports, _)| !reports.is_empty()), "{form}: no reports");
        assert!(first.iter().any(|(.., notes)| notes.len() > 3), "{form}: no statistics");
    }
}

#[test]
fn after_a_new_game_nothing_is_left() {
    let preferences = preferences(&[]);
    let first = everything(&preferences, true);
    let mut search = search(&preferences);
    for walker in middlegames(2) {
        super::think(&mut search, &walker, 500);
    }
    for (walker, (answer, ..)) in middlegames(6).iter().zip(first) {
        search.new_game();
        let task = playouts(walker, 3000);
        assert_eq!(search.think(&task, &Control::new(Instant::now()), &mut |_| {}), answer);
    }
}

#[test]
fn the_seed_matters() {
    let mut preferences = preferences(&[]);
    let first = everything(&preferences, false);
    preferences.seed = 2;
    assert_ne!(everything(&preferences, false), first);
}

#[test]
fn the_bench_has_one_signature() {
    let run = || bench::run(&mut TreeSearch::default(), &|| false, &mut |_| {}).expect("not stopped");
    let (first, second) = (run(), run());
    assert_eq!((first.signature, first.nodes), (second.signature, second.nodes));
}
