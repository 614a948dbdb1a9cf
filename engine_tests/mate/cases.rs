//! Mates made by hand, each kind once: all mating moves are written down.

use tenbin::mate::{mate_in_one, mate_in_three};
use tenbin::shogi::{Move, Walker};

use super::oracle;
use super::positions::walker;

/// What it shows, the position, and every move that mates in one.
type Case = (&'static str, &'static str, &'static str);

const DROPS: [Case; 10] = [
    ("gold", "4k4/9/4P4/9/9/9/9/9/4K4 b G 1", "G*5b"),
    ("gold, by White", "4k4/9/9/9/9/9/4p4/9/4K4 w g 1", "G*5h"),
    ("silver", "8k/9/6G1P/9/9/9/9/9/4K4 b S 1", "S*1b S*2b"),
    ("knight", "7gk/7nl/9/9/9/9/9/9/4K4 b N 1", "N*2c"),
    ("lance", "3nkn3/3l1l3/4P4/9/9/9/9/9/4K4 b L 1", "L*5b"),
    ("bishop", "8k/9/6NG1/9/9/9/9/9/4K4 b B 1", "B*2b"),
    (
        "rook from afar, nothing to put in between",
        "8k/9/7G1/9/9/9/9/9/4K4 b R 1",
        "R*3a R*4a R*5a R*6a R*7a R*8a R*9a",
    ),
    ("rook from afar, a pawn to put in between", "8k/9/7G1/9/9/9/9/9/4K4 b Rp 1", ""),
    ("rook from afar, a pawn in hand and one on the file", "8k/9/7Gp/7p1/9/9/9/9/4K4 b Rp 1", "R*3a"),
    ("a pawn may not mate by a drop", "3nkn3/9/4G4/9/9/9/9/9/4K4 b P 1", ""),
];

const MOVES: [Case; 12] = [
    ("promotion of a pawn", "4k4/9/4PG3/9/9/9/9/9/4K4 b - 1", "4c5b 5c5b+"),
    ("promotion of a rook, or none", "8k/9/7G1/9/9/9/9/9/R3K4 b - 1", "9i9a 9i9a+"),
    ("promotion of a bishop", "6B1k/9/7G1/9/9/9/9/9/4K4 b - 1", "2c2b 3a2b+"),
    ("a silver that must not promote", "9/7pn/5S1kp/9/7G1/9/9/9/4K1L2 b - 1", "4c3b"),
    ("a knight that must not promote", "7gk/7nl/9/9/6N2/9/9/9/4K4 b - 1", "3e2c"),
    ("a lance that must not promote", "3lkl3/3p1p3/4p4/9/9/9/9/9/4L3K b - 1", "5i5c"),
    ("a line opened", "3lkl3/3p1p3/9/9/4S4/9/9/9/4R3K b - 1", "5e4d 5e4f 5e6d 5e6f"),
    ("a line opened, a gold to close it", "3lkl3/3p1p3/9/9/4S4/9/9/9/4R3K b g 1", ""),
    ("two checks at once", "3lkl3/3p1p3/9/9/4N4/9/9/9/4R3K b g 1", "5e4c 5e6c"),
    ("a line opened by the king", "3lkl3/3p1p3/9/9/9/9/9/4K4/4R4 b - 1", "5h4g 5h4h 5h4i 5h6g 5h6h 5h6i"),
    ("a pinned defender", "4ks2R/9/4P4/9/9/9/9/9/4K4 b G 1", "G*5b"),
    ("a defender pinned by the move itself", "lnkgS3+R/9/2G6/9/9/9/9/9/4K4 b - 1", "5a6b 5a6b+"),
];

const EVASIONS: [Case; 4] = [
    ("the checking piece taken", "4k4/4l4/3S1G3/9/9/9/9/9/4K4 b - 1", "4c5b 6c5b+"),
    ("the checking piece taken by the king", "3lkl3/3p1p3/9/9/9/9/5s3/4K4/4R4 b - 1", "5h4g"),
    ("a mate that does not meet the check", "4k4/9/4P4/9/9/9/9/9/4K3r b G 1", ""),
    ("a mate that meets one check of two", "4k4/4l4/3S1G3/9/9/9/9/9/4K3r b - 1", ""),
];

const KINGS: [Case; 4] = [
    ("the attacker without a king", "4k4/9/4P4/9/9/9/9/9/9 b G 1", "G*5b"),
    ("White the attacker without a king", "9/9/9/9/9/9/4p4/9/4K4 w g 1", "G*5h"),
    ("the defender without a king", "9/9/4P4/9/9/9/9/9/4K4 b G 1", ""),
    ("no king", "9/9/4P4/9/9/9/9/9/9 b G 1", ""),
];

/// The mating moves as they are written, in order.
fn mating(walker: &mut Walker, plies: u32) -> String {
    let mut moves: Vec<String> = oracle::mating_moves(walker, plies).iter().map(|mv| mv.to_usi()).collect();
    moves.sort();
    moves.join(" ")
}

/// Holds the answers to the cases against what is written down, and that against brute force.
fn check(cases: &[Case], plies: u32, question: impl Fn(&mut Walker) -> Option<Move>) {
    let mut complaints = Vec::new();
    for (what, sfen, written) in cases {
        let walker = &mut walker(sfen);
        let mating = mating(walker, plies);
        if mating != *written {
            complaints.push(format!("{what}: the case is wrong: {mating}"));
        }
        let found = question(walker).map(Move::to_usi);
        let right = match &found {
            Some(mv) => mating.split(' ').any(|mating| mating == mv),
            None => mating.is_empty(),
        };
        if !right {
            complaints.push(format!("{what}: found {found:?} of {mating}"));
        }
    }
    assert!(complaints.is_empty(), "{complaints:#?}");
}

#[test]
fn mates_in_one_made_by_hand() {
    for cases in [&DROPS[..], &MOVES, &EVASIONS, &KINGS] {
        check(cases, 1, mate_in_one);
    }
}

/// What it shows, the position, and every first move that mates in three.
const IN_THREE: [Case; 4] = [
    ("a reply that checks back", "8k/r8/6G1P/6N2/9/9/9/9/7K1 b S 1", "S*2b"),
    ("the attacker without a king", "k8/9/K8/9/9/9/9/9/9 b Rp 1", "R*9b"),
    ("two silvers are not enough", "4k4/9/4P4/9/9/9/9/9/4K4 b 2S 1", ""),
    ("a pawn may not mate by a drop", "3nkn3/9/4G4/9/9/9/9/9/4K4 b P 1", ""),
];

#[test]
fn mates_in_three_made_by_hand() {
    check(&IN_THREE, 3, mate_in_three);
}
