//! What bounds a search and what it is asked to show.

use std::collections::HashSet;
use std::time::{Duration, Instant};
use tenbin::search::clock::Budget;
use tenbin::search::{Control, Search, Task};
use tenbin::shogi::Walker;

use super::{mv, playouts, position, preferences, search, sfen, think, think_about};

#[test]
fn playouts_are_counted_exactly() {
    for (threads, nodes) in [(1, 1), (1, 777), (2, 1000), (4, 2001)] {
        let mut preferences = preferences(&[]);
        preferences.threads = threads;
        let lines = think(&mut search(&preferences), &Walker::startpos(), nodes);
        assert_eq!(lines[0].nodes, nodes, "{threads} threads");
    }
}

#[test]
fn only_the_moves_asked_for_are_considered() {
    let walker = Walker::startpos();
    let wanted = [mv(&walker, "9g9f"), mv(&walker, "1g1f")];
    let task = Task { root_moves: wanted.to_vec(), ..playouts(&walker, 500) };
    let mut preferences = preferences(&[]);
    preferences.multi_pv = 5;
    let mut search = search(&preferences);
    let lines = think_about(&mut search, &task);
    assert_eq!(lines.len(), 2);
    assert!(lines.iter().all(|line| wanted.contains(&line.pv[0])), "{lines:?}");
    // A refusal to promote is no useful move, but it may be asked for.
    let walker = sfen("4k4/9/9/9/9/4B4/9/9/4K4 b - 1");
    let refusal = mv(&walker, "5f2c");
    let task = Task { root_moves: vec![refusal], ..playouts(&walker, 100) };
    assert_eq!(think_about(&mut search, &task)[0].pv[0], refusal);
    // And afterwards everything counts again.
    let lines = think(&mut search, &walker, 1000);
    assert_eq!(lines.len(), 5);
}

#[test]
fn lines_are_ordered_by_visits_and_have_their_own_moves() {
    let mut preferences = preferences(&[]);
    (preferences.multi_pv, preferences.root_statistics) = (6, true);
    let mut search = search(&preferences);
    let lines = think(&mut search, &Walker::startpos(), 3000);
    let firsts: HashSet<_> = lines.iter().map(|line| line.pv[0]).collect();
    assert_eq!(firsts.len(), 6);
    for line in &lines {
        let mut walker = Walker::startpos();
        for &mv in &line.pv {
            assert!(tenbin::shogi::is_legal(walker.position(), mv), "{line:?}");
            walker.apply(mv);
        }
    }
    let notes = search.notes();
    assert_eq!(notes.len(), 30);
    let visits = |note: &String| -> u32 {
        note.split(' ').nth(2).and_then(|word| word.parse().ok()).expect("a number of visits")
    };
    let counts: Vec<u32> = notes.iter().map(visits).collect();
    // The first may stand there for its lower bound; the rest by visits.
    assert!(counts[1..].is_sorted_by(|a, b| a >= b), "{counts:?}");
    assert!(counts.iter().sum::<u32>() <= 3000);
}

#[test]
fn more_lines_than_moves_are_no_trouble() {
    let mut preferences = preferences(&[]);
    preferences.multi_pv = 600;
    let lines = think(&mut search(&preferences), &sfen("4k4/9/9/9/9/9/9/9/4K4 b - 1"), 50);
    assert_eq!(lines.len(), 5);
}

#[test]
fn stop_is_obeyed_at_once_and_time_is_kept() {
    let walker = position("startpos moves 7g7f 3c3d");
    let task = Task { nodes: None, ..playouts(&walker, 0) };
    let mut search = search(&preferences(&[]));
    let control = Control::new(Instant::now());
    control.stop();
    assert!(
        matches!(search.think(&task, &control, &mut |_| {}), tenbin::search::Answer::Best(lines) if lines.len() == 1)
    );
    let begun = Instant::now();
    let control = Control::new(begun);
    control.set_budget(Budget::exactly(100), begun);
    search.think(&task, &control, &mut |_| {});
    assert!(begun.elapsed() < Duration::from_millis(400), "{:?}", begun.elapsed());
}

/// With one move that does not lose there is nothing to think about, when time counts.
#[test]
fn an_only_move_is_played_at_once() {
    // The king can take the rook and nothing else.
    let walker = sfen("4k4/9/9/9/9/9/9/7r1/8K b - 1");
    let mut moves = tenbin::shogi::MoveList::new();
    tenbin::shogi::useful_moves(walker.position(), &mut moves);
    assert_eq!(moves.len(), 1);
    let begun = Instant::now();
    let control = Control::new(begun);
    control.set_budget(Budget::exactly(5000), begun);
    let task = Task { nodes: None, ..playouts(&walker, 0) };
    search(&preferences(&[])).think(&task, &control, &mut |_| {});
    assert!(begun.elapsed() < Duration::from_millis(2500), "{:?}", begun.elapsed());
}

#[test]
fn simple_monte_carlo_has_no_tree() {
    let preferences = preferences(&[("Simple_Monte_Carlo", "true"), ("Mate_Search", "0")]);
    let mut search = search(&preferences);
    let lines = think(&mut search, &Walker::startpos(), 1000);
    assert_eq!(lines[0].pv.len(), 1);
    assert!(lines[0].seldepth <= 1);
    // The root and its moves.
    assert!(search.arena().used_nodes() <= 31);
}
