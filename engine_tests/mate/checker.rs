//! An independent judge of a mate: the line is replayed, and so is every defence that the line does not show.

use tenbin::mate::dfpn::{Limits, Solver, Verdict};
use tenbin::shogi::{Move, Walker};

use super::oracle;

/// Nodes to prove that a defence loses.
const PATIENCE: u64 = 2_000_000;

/// Why the line is no mate, if it is none: it must consist of legal moves, the attacker's must all check, no position
/// may come twice, the last must be mate, and every other defence on the way must lose as well.
pub fn complaint(walker: &mut Walker, line: &[Move]) -> Option<String> {
    let complaint = bare_complaint(walker, line).or_else(|| defence_overlooked(walker, line));
    complaint.map(|complaint| format!("{}: {}: {complaint}", walker.position().to_sfen(None), text(line)))
}

/// A line as it is written.
pub fn text(line: &[Move]) -> String {
    line.iter().map(|mv| mv.to_usi()).collect::<Vec<_>>().join(" ")
}

/// As [`complaint`], but asks nothing about other defences.
fn bare_complaint(walker: &mut Walker, line: &[Move]) -> Option<String> {
    let mut complaint = None;
    let mut played = 0;
    for (ply, mv) in line.iter().enumerate() {
        if !oracle::moves(walker).contains(mv) {
            complaint = Some(format!("{} is not legal", mv.to_usi()));
            break;
        }
        walker.apply(*mv);
        played += 1;
        if ply % 2 == 0 && !walker.position().is_in_check() {
            complaint = Some(format!("{} does not check", mv.to_usi()));
            break;
        }
        if walker.recurrence().is_some_and(|recurrence| recurrence.times > 0) {
            complaint = Some(format!("{} repeats a position", mv.to_usi()));
            break;
        }
    }
    if complaint.is_none() && (line.len().is_multiple_of(2) || !oracle::is_mate(walker)) {
        complaint = Some("does not end in mate".to_owned());
    }
    for _ in 0..played {
        walker.undo();
    }
    complaint
}

/// A defence at some place of a sound line that is not seen to lose.
fn defence_overlooked(walker: &mut Walker, line: &[Move]) -> Option<String> {
    let mut overlooked = None;
    for (ply, &mv) in line.iter().enumerate() {
        if ply % 2 == 1 {
            let others = oracle::moves(walker);
            let escape = others.iter().find(|&&other| other != mv && !loses_by(walker, other));
            if let Some(escape) = escape {
                overlooked = Some(format!("{} instead of {}", escape.to_usi(), mv.to_usi()));
            }
        }
        walker.apply(mv);
    }
    for _ in line {
        walker.undo();
    }
    overlooked
}

/// Whether a defender's move is seen to lose: at once by brute force, later by a solver that knows nothing yet and
/// whose line is sound.
fn loses_by(walker: &mut Walker, defence: Move) -> bool {
    walker.apply(defence);
    let lost = oracle::mates(walker, 1) || {
        let verdict = Solver::new(2).solve(walker, &Limits { nodes: PATIENCE, stop: &|| false });
        matches!(verdict, Verdict::Mate(line) if bare_complaint(walker, &line).is_none())
    };
    walker.undo();
    lost
}
