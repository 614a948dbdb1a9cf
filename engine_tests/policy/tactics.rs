//! What the policy is told about mates is so, whoever looks.

use std::collections::HashSet;
use tenbin::mate::{mate_in_one, mate_in_three};
use tenbin::policy::features::{LANES, MATE, PARRY};
use tenbin::policy::{Look, Scene};
use tenbin::shogi::Walker;

use crate::eval::moves;
use crate::records;

/// The rows of two families that a move has: whether it mates at once (0) or in three plies (1), and whether it parries.
fn tactics(here: &mut Walker) -> Vec<(Option<usize>, Option<bool>)> {
    let list = moves(here);
    let scene = Scene::new(here, Look::Full);
    list.iter()
        .map(|&mv| {
            let (mut mate, mut parry) = (None, None);
            scene.visit(mv, |feature| {
                if (MATE..MATE + 2 * LANES).contains(&feature) {
                    mate = Some((feature - MATE) / LANES);
                }
                if (PARRY..PARRY + 16 * LANES).contains(&feature) {
                    parry = Some((feature - PARRY) / LANES / 4 % 2 == 1);
                }
            });
            (mate, parry)
        })
        .collect()
}

/// Compares with what playing the moves shows; says what kinds of positions it was.
fn compare(here: &mut Walker, seen: &mut HashSet<&'static str>) {
    let list = moves(here);
    let in_check = here.position().is_in_check();
    let (one, three) = (mate_in_one(here).is_some(), mate_in_three(here).is_some());
    let threatened = here.passed(|walker| mate_in_one(walker).is_some()) == Some(true);
    let told = tactics(here);
    let sfen = here.position().to_sfen(None);
    let parrying = told.iter().filter(|(_, parry)| *parry == Some(true)).count();
    for (&mv, (mate, parry)) in list.iter().zip(&told) {
        here.apply(mv);
        let (mated, left) = (here.is_mated(), mate_in_one(here).is_some());
        let evasions = moves(here);
        let lost = here.position().is_in_check()
            && evasions.iter().all(|&evasion| {
                here.apply(evasion);
                let mate = mate_in_one(here).is_some();
                here.undo();
                mate
            });
        here.undo();
        let expected = if one { mated.then_some(0) } else { (three && lost).then_some(1) };
        // Refusals to promote that mate are left out by the check of one ply.
        assert!(*mate == expected || mated, "{}: {mate:?} in {sfen}", mv.to_usi());
        if let Some(parry) = parry {
            assert!(in_check || threatened, "{}: nothing to parry in {sfen}", mv.to_usi());
            assert_eq!(*parry, !left, "{} in {sfen}", mv.to_usi());
            seen.insert(if in_check { "check" } else { "threat" });
        } else if threatened && !one && !three {
            assert_eq!(parrying, 0, "{}: forgotten in {sfen}", mv.to_usi());
        }
        if mate.is_some() {
            seen.insert(if one { "mate in one" } else { "mate in three" });
        }
    }
}

#[test]
fn moves_that_mate_and_moves_that_parry_are_told_apart() {
    let mut seen = HashSet::new();
    for game in records::sample().iter().take(40) {
        let from = game.0.moves.len().saturating_sub(24);
        let mut ply = 0;
        game.replay(|here, _| {
            if ply >= from {
                compare(here, &mut seen);
            }
            ply += 1;
        });
    }
    let kinds = HashSet::from(["check", "threat", "mate in one", "mate in three"]);
    assert_eq!(seen, kinds);
}
