//! The alpha-beta player: mates, and the same answer to the same question.

use std::time::Instant;
use tenbin::eval::{Evaluator, Material, Network, NetworkEvaluator};
use tenbin::experiment::alphabeta::{AlphaBeta, AlphaBetaSearch};
use tenbin::search::{Answer, Control, Line, Preferences, Score, Search, Task};
use tenbin::shogi::Walker;

use super::{moves, start, walker};

fn task(walker: Walker, depth: u32) -> Task {
    Task { walker, root_moves: Vec::new(), nodes: None, depth: Some(depth), mate: false }
}

fn best<E: Evaluator + Clone>(player: &mut AlphaBeta<E>, walker: Walker, depth: u32) -> Line {
    let control = Control::new(Instant::now());
    player.lines(&task(walker, depth), &control, &mut |_| {}).swap_remove(0)
}

fn player() -> AlphaBeta<NetworkEvaluator> {
    AlphaBeta::new(NetworkEvaluator::new(Network::embedded()), 16)
}

/// Checks that the moves of a line can be played and end in mate.
fn assert_mates(sfen: &str, line: &Line, most: u32) {
    let Score::Mates(plies) = line.score else { panic!("{sfen}: {line:?}") };
    assert!(plies <= most && plies % 2 == 1, "{sfen}: mate in {plies}");
    let mut walker = walker(sfen);
    for &mv in &line.pv {
        assert!(moves(&walker).contains(&mv), "{sfen}: {}", mv.to_usi());
        walker.apply(mv);
    }
    assert!(line.pv.len() as u32 <= plies, "{sfen}: {line:?}");
}

#[test]
fn mates_in_three_are_found_at_depth_four() {
    let mut player = player();
    for sfen in include_str!("../data/tsume-mate-3.sfen").lines() {
        player.forget();
        assert_mates(sfen, &best(&mut player, walker(sfen), 4), 3);
    }
    // On material, which knows nothing else.
    let mut player = AlphaBeta::new(Material::default(), 16);
    for sfen in include_str!("../data/tsume-mate-3.sfen").lines().step_by(10) {
        player.forget();
        assert_mates(sfen, &best(&mut player, walker(sfen), 4), 3);
    }
}

#[test]
fn the_same_question_has_the_same_answer() {
    let mut again = player();
    for number in 0..8 {
        let walker = start(4 * number + 2);
        if moves(&walker).is_empty() {
            continue;
        }
        let first = best(&mut player(), walker.fork(), 5);
        assert_eq!(best(&mut player(), walker.fork(), 5), first, "{walker:?}");
        // Where a game is forgotten nothing of it is left.
        again.forget();
        assert_eq!(best(&mut again, walker.fork(), 5), first, "{walker:?}");
    }
}

#[test]
fn the_seed_decides_and_nothing_else() {
    let answer = |seed: u64| {
        let mut search = AlphaBetaSearch::default();
        search.prepare(&Preferences { seed, multi_pv: 3, ..Preferences::default() });
        let mut reports = Vec::new();
        let control = Control::new(Instant::now());
        let answer = search.think(&task(Walker::startpos(), 5), &control, &mut |lines| reports.push(lines));
        (answer, reports)
    };
    for seed in [1, 2] {
        let (first, second) = (answer(seed), answer(seed));
        assert_eq!(first, second, "seed {seed}");
        let Answer::Best(lines) = first.0 else { panic!("a move") };
        assert_eq!(lines.len(), 3);
        assert!(first.1.len() >= 2, "depths are reported");
    }
}

/// With a rook to take for nothing nobody plays anything else, however little is looked at.
#[test]
fn what_hangs_is_taken_at_any_depth() {
    let sfen = "4k4/9/4p4/9/4r4/9/4P4/4R4/4K4 b 2P 1";
    let sfen = &sfen.replace("4P4/", "9/");
    for depth in 1..=5 {
        let line = best(&mut AlphaBeta::new(Material::default(), 1), walker(sfen), depth);
        assert_eq!(line.pv[0].to_usi(), "5h5e", "depth {depth}: {line:?}");
    }
}

#[test]
fn limits_are_kept() {
    let mut player = player();
    let control = Control::new(Instant::now());
    let limited = Task { nodes: Some(1_000), ..task(Walker::startpos(), 30) };
    let lines = player.lines(&limited, &control, &mut |_| {});
    assert!(lines[0].nodes <= 1_001, "{}", lines[0].nodes);
    assert!(moves(&limited.walker).contains(&lines[0].pv[0]));
    let only = parse(&limited.walker, "9g9f");
    let restricted = Task { root_moves: vec![only], ..task(Walker::startpos(), 3) };
    assert_eq!(player.lines(&restricted, &control, &mut |_| {})[0].pv[0], only);
    // Stopped before it began it still has a move.
    control.stop();
    let lines = player.lines(&task(Walker::startpos(), 30), &control, &mut |_| {});
    assert!(moves(&limited.walker).contains(&lines[0].pv[0]));
}

fn parse(walker: &Walker, text: &str) -> tenbin::shogi::Move {
    tenbin::shogi::parse_move(walker.position(), text).expect("a legal move")
}
