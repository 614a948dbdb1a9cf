//! What a look for a short mate costs, beside the crate's own and beside trying every move. Run with
//! `cargo bench --bench mate`; with `TENBIN_DATA` set it asks about the shared data instead of the sample.
//!
//! Each position is asked about several times in a row, for a playout comes with its position in the cache; and only
//! one walker is alive at a time, for the stacks of thousands would measure nothing but memory. What is timed is thus
//! too short for whole rounds as in the other benchmark: the contestants take turns at each position, and the best of
//! some turns counts, so that whatever else the machine does falls out.

// Each user of these files needs a part of them.
#[allow(dead_code)]
#[path = "../mate/positions.rs"]
mod positions;
#[allow(dead_code)]
#[path = "../records.rs"]
mod records;
#[allow(dead_code)]
#[path = "../shared.rs"]
mod shared;

use std::hint::black_box;
use std::time::Instant;

use rsshogi::mate::solve_mate_in_one_in_place;
use tenbin::mate::{mate_in_one, mate_in_three};
use tenbin::shogi::{MoveList, Walker, legal_moves, parse_sfen};

/// Calls in a row.
const CALLS: u32 = 20;

/// Turns of each contestant at a position.
const TURNS: usize = 5;

/// Positions of games to ask about.
const POSITIONS: usize = 10_000;

/// One position in so many is put to the brute search for three plies, which takes milliseconds.
const SELDOM: usize = 20;

fn main() {
    let shared = std::env::var_os("TENBIN_DATA").is_some();
    println!(
        "{:<10} {:>9} {:>8} {:>10} {:>10} {:>10} {:>12} {:>9} {:>9}",
        "one ply",
        "positions",
        "mates",
        "tenbin ns",
        "crate ns",
        "plain ns",
        "tenbin/s",
        "crate ÷",
        "plain ÷"
    );
    let games = games(shared);
    let problems: Vec<(&str, Vec<String>)> =
        [positions::MATE_1, positions::NO_MATE_1, positions::MATE_3, positions::MATE_5]
            .iter()
            .map(|set| (set.name, if shared { set.whole() } else { set.sample() }))
            .collect();
    one_ply("games", &games);
    for (name, problems) in &problems {
        one_ply(name, problems);
    }
    println!(
        "{:<10} {:>9} {:>8} {:>10} {:>10} {:>10} {:>12} {:>9} {:>9}",
        "three", "positions", "mates", "tenbin ns", "", "plain ns", "tenbin/s", "", "plain ÷"
    );
    three_plies("games", &games);
    for (name, problems) in &problems {
        three_plies(name, problems);
    }
}

/// Positions of games from the thirtieth ply on, evenly spread.
fn games(shared: bool) -> Vec<String> {
    let games = if shared { shared::games(300) } else { records::sample() };
    let mut positions = Vec::new();
    for game in games {
        let mut ply = 0;
        game.replay(|walker, _| {
            ply += 1;
            if ply >= 30 {
                positions.push(walker.position().to_sfen(None));
            }
        });
    }
    let step = (positions.len() / POSITIONS).max(1);
    positions.into_iter().step_by(step).take(POSITIONS).collect()
}

/// Nanoseconds of so many calls, and the last answer.
fn time(calls: u32, mut question: impl FnMut() -> bool) -> (f64, bool) {
    let start = Instant::now();
    let mut answer = false;
    for _ in 0..calls {
        answer = black_box(question());
    }
    (start.elapsed().as_nanos() as f64 / f64::from(calls), answer)
}

fn one_ply(name: &str, positions: &[String]) {
    let (mut ours, mut theirs, mut plain, mut mates_found) = (0.0, 0.0, 0.0, 0);
    for sfen in positions {
        let mut walker = positions::walker(sfen);
        let mut position = parse_sfen(sfen).expect("a sound position");
        position.init_stack();
        let mut best = [f64::INFINITY; 3];
        let mut found = false;
        for _ in 0..TURNS {
            let turn = [
                time(CALLS, || mate_in_one(black_box(&mut walker)).is_some()),
                time(CALLS, || solve_mate_in_one_in_place(black_box(&mut position)).is_some()),
                time(1, || mates(black_box(&mut walker), 1)),
            ];
            for (best, (took, _)) in best.iter_mut().zip(turn) {
                *best = best.min(took);
            }
            found = turn[0].1;
        }
        mates_found += u32::from(found);
        ours += best[0];
        theirs += best[1];
        plain += best[2];
    }
    let count = positions.len() as f64;
    println!(
        "{name:<10} {count:>9} {mates_found:>8} {:>10.1} {:>10.1} {:>10.1} {:>12.0} {:>9.2} {:>9.2}",
        ours / count,
        theirs / count,
        plain / count,
        1e9 * count / ours,
        theirs / ours,
        plain / ours
    );
}

fn three_plies(name: &str, positions: &[String]) {
    let (mut ours, mut ours_seldom, mut plain, mut mates_found, mut seldom) = (0.0, 0.0, 0.0, 0, 0);
    for (index, sfen) in positions.iter().enumerate() {
        let mut walker = positions::walker(sfen);
        let mut best = f64::INFINITY;
        for _ in 0..TURNS {
            let (took, found) = time(CALLS / 10, || mate_in_three(black_box(&mut walker)).is_some());
            best = best.min(took);
            mates_found += u32::from(found);
        }
        ours += best;
        if index % SELDOM == 0 {
            seldom += 1;
            ours_seldom += best;
            plain += time(1, || mates(black_box(&mut walker), 3)).0;
        }
    }
    let count = positions.len() as f64;
    println!(
        "{name:<10} {count:>9} {:>8} {:>10.1} {:>10} {:>10.1} {:>12.0} {:>9} {:>9.2}",
        mates_found / TURNS as u32,
        ours / count,
        "",
        plain / f64::from(seldom),
        1e9 * count / ours,
        "",
        plain / ours_seldom
    );
}

/// Mate by trying every move: what there would be without this room.
fn mates(walker: &mut Walker, plies: u32) -> bool {
    let mut moves = MoveList::new();
    legal_moves(walker.position(), &mut moves);
    moves.iter().any(|&mv| {
        walker.apply(mv);
        let mates = walker.position().is_in_check() && loses(walker, plies - 1);
        walker.undo();
        mates
    })
}

fn loses(walker: &mut Walker, plies: u32) -> bool {
    if plies == 0 {
        return walker.is_mated();
    }
    let mut replies = MoveList::new();
    legal_moves(walker.position(), &mut replies);
    replies.iter().all(|&reply| {
        walker.apply(reply);
        let lost = mates(walker, plies - 1);
        walker.undo();
        lost
    })
}
