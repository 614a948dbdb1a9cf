//! What the floor costs, beside the bare crate it stands on. Run with `cargo bench --bench rules`.

mod compare;
#[path = "../records.rs"]
mod records;

use std::hint::black_box;
use std::sync::atomic::AtomicBool;

use rsshogi::board::{Move32List, perft as crate_perft};
use rsshogi::movegen::{self, LegalAll};
use tenbin::shogi::exchange::{exchange_at_least, exchange_value};
use tenbin::shogi::perft::perft;
use tenbin::shogi::{
    Attacks, Color, Kind, Move, MoveList, Piece, Position, Rules, STARTPOS, Walker, legal_moves,
    parse_position, parse_sfen,
};

fn main() {
    let positions = middlegames();
    println!("{} positions of games", positions.len());
    compare::head("tenbin", "crate");
    perfts();
    moves(&positions);
    exchanges(&positions);
    attacks(&positions);
    recurrences();
}

/// Every ninth position of the sample from the thirtieth ply on.
fn middlegames() -> Vec<Position> {
    let mut positions = Vec::new();
    for game in records::sample() {
        let mut ply = 0;
        game.replay(|walker, _| {
            ply += 1;
            if ply >= 30 && ply % 9 == 0 {
                let sfen = walker.position().to_sfen(None);
                positions.push(parse_sfen(&sfen).expect("a sound position"));
            }
        });
    }
    positions
}

fn perfts() {
    for (name, depth, sfen) in [
        ("perft 5, starting position", 5, STARTPOS),
        ("perft 3, drops", 3, "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1"),
        ("perft 3, middlegame", 3, "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1"),
    ] {
        let position = parse_sfen(sfen).expect("a sound position");
        let mut walker = Walker::new(position.clone(), Rules::default());
        compare::row(
            name,
            "its perft, a node",
            || perft(&mut walker, depth, &AtomicBool::new(false)).expect("not stopped"),
            || crate_perft::perft(&position, depth).expect("a sound position").nodes,
        );
    }
}

fn list_of(position: &Position) -> MoveList {
    let mut list = MoveList::new();
    legal_moves(position, &mut list);
    list
}

fn moves(positions: &[Position]) {
    let lists: Vec<MoveList> = positions.iter().map(list_of).collect();
    let mut walkers: Vec<Walker> =
        positions.iter().map(|position| Walker::new(position.clone(), Rules::default())).collect();
    let mut bare: Vec<Position> = positions.to_vec();
    for position in &mut bare {
        position.init_stack();
    }
    compare::row(
        "apply and undo",
        "apply_move32, undo_move32",
        || {
            let mut count = 0;
            for (walker, list) in walkers.iter_mut().zip(&lists) {
                for &mv in list.iter() {
                    walker.apply(mv);
                    black_box(walker.position());
                    walker.undo();
                    count += 1;
                }
            }
            count
        },
        || {
            let mut count = 0;
            for (position, list) in bare.iter_mut().zip(&lists) {
                for &mv in list.iter() {
                    position.apply_move32(mv);
                    black_box(&*position);
                    position.undo_move32(mv).expect("just applied");
                    count += 1;
                }
            }
            count
        },
    );
    let (mut ours, mut other) = (MoveList::new(), Move32List::new());
    compare::row(
        "legal moves of a position",
        "its own list",
        || {
            for position in positions {
                legal_moves(position, &mut ours);
                black_box(&ours);
            }
            positions.len() as u64
        },
        || {
            for position in positions {
                other.clear();
                movegen::generate_moves_move32_into::<LegalAll, _>(position, &mut other);
                black_box(&other);
            }
            positions.len() as u64
        },
    );
}

/// Every legal move of the positions that `wanted` holds for.
fn collect(positions: &[Position], wanted: impl Fn(&Position, Move) -> bool) -> Vec<(&Position, Vec<Move>)> {
    let choose = |position| list_of(position).iter().copied().filter(|&mv| wanted(position, mv)).collect();
    positions.iter().map(|position| (position, choose(position))).collect()
}

/// Asks `question` about all the moves.
fn ask<T>(moves: &[(&Position, Vec<Move>)], question: impl Fn(&Position, Move) -> T) -> u64 {
    let mut count = 0;
    for (position, moves) in moves {
        for &mv in moves {
            black_box(question(position, mv));
        }
        count += moves.len() as u64;
    }
    count
}

fn exchanges(positions: &[Position]) {
    // The crate evaluates no exchanges; who attacks the square is the least that any evaluation must ask.
    let attackers = |position: &Position, mv: Move| {
        let ask = |side| position.attackers_to_color(side, mv.to_sq(), position.pieces());
        (ask(Color::Black), ask(Color::White))
    };
    let beside = "none there: attackers of both sides";
    let captures =
        collect(positions, |position, mv| !mv.is_drop() && position.piece_on(mv.to_sq()) != Piece::NONE);
    let all = collect(positions, |_, _| true);
    compare::row(
        "exchange value, captures",
        beside,
        || ask(&captures, exchange_value),
        || ask(&captures, attackers),
    );
    compare::row(
        "exchange at least 0, captures",
        beside,
        || ask(&captures, |position, mv| exchange_at_least(position, mv, 0)),
        || ask(&captures, attackers),
    );
    compare::row("exchange value, all moves", beside, || ask(&all, exchange_value), || ask(&all, attackers));
    compare::row(
        "exchange at least 0, all moves",
        beside,
        || ask(&all, |position, mv| exchange_at_least(position, mv, 0)),
        || ask(&all, attackers),
    );
}

fn attacks(positions: &[Position]) {
    let kinds = [
        Kind::PAWN,
        Kind::LANCE,
        Kind::KNIGHT,
        Kind::SILVER,
        Kind::GOLD,
        Kind::BISHOP,
        Kind::ROOK,
        Kind::KING,
        Kind::PRO_PAWN,
        Kind::PRO_LANCE,
        Kind::PRO_KNIGHT,
        Kind::PRO_SILVER,
        Kind::HORSE,
        Kind::DRAGON,
    ];
    compare::row(
        "attack maps of a position",
        "attacks_by, 14 kinds of both sides",
        || {
            for position in positions {
                black_box(Attacks::of(position));
            }
            positions.len() as u64
        },
        || {
            for position in positions {
                for side in [Color::Black, Color::White] {
                    for kind in kinds {
                        black_box(position.attacks_by(side, kind));
                    }
                }
            }
            positions.len() as u64
        },
    );
}

fn recurrences() {
    const REPEATS: u64 = 200_000;
    let shuffle = "startpos moves 2h3h 8b7b 3h2h 7b8b 2h3h 8b7b 3h2h 7b8b";
    let (shuffled, _) = parse_position(shuffle, Rules::default()).expect("a sound position");
    for (name, walker) in
        [("recurrence, none", records::sample()[0].after(60)), ("recurrence, third time", shuffled)]
    {
        compare::row(
            name,
            "its cached state, inexact",
            || {
                for _ in 0..REPEATS {
                    black_box(black_box(&walker).recurrence());
                }
                REPEATS
            },
            || {
                for _ in 0..REPEATS {
                    black_box(black_box(walker.position()).repetition_type());
                }
                REPEATS
            },
        );
    }
}
