//! Quiescence beside its definition, written down without regard to time: positions evaluated anew, moves chosen from
//! all legal ones, exchanges by their value.

use tenbin::eval::material::material;
use tenbin::eval::quiescence::{DEEPEST, MARGIN, WIDE, quiescence, quiet_line};
use tenbin::eval::simd::Path;
use tenbin::eval::{Evaluator, MATE, MATE_BOUND, Material, Network, NetworkEvaluator, Scales};
use tenbin::mate::{mate_in_one, mate_in_three};
use tenbin::shogi::exchange::{BOARD_VALUE, exchange_value, gain};
use tenbin::shogi::{Kind, Move, MoveList, Piece, Position, Square, Walker, useful_moves};

use super::{moves, walker, wander};
use crate::records;

/// Which captures are left out because they cannot lift the value far enough.
#[derive(Clone, Copy, PartialEq)]
enum Hopeless {
    /// None.
    Tried,
    /// Those without check.
    TriedWithCheck,
    /// All.
    LeftOut,
}

/// The definition.
struct Definition<'a> {
    value: &'a dyn Fn(&Position) -> i32,
    hopeless: Hopeless,
}

impl Definition<'_> {
    fn value(&self, walker: &mut Walker) -> i32 {
        self.search(walker, -MATE, MATE, 0, None)
    }

    fn search(&self, walker: &mut Walker, alpha: i32, beta: i32, ply: usize, last: Option<Square>) -> i32 {
        let checked = walker.position().is_in_check();
        if checked && moves(walker).is_empty() {
            return ply as i32 - MATE;
        }
        if !checked && mate_in_one(walker).is_some() {
            return MATE - 1 - ply as i32;
        }
        let standing = (self.value)(walker.position());
        if ply == DEEPEST {
            return standing;
        }
        let candidates = if checked { escapes(walker) } else { captures(walker, ply, last) };
        let mut best = if checked { ply as i32 - MATE } else { standing };
        for mv in candidates {
            if best.max(alpha) >= beta {
                break;
            }
            let hopeless = standing + gain(walker.position(), mv) + MARGIN <= alpha.max(best);
            walker.apply(mv);
            let left_out = match self.hopeless {
                Hopeless::Tried => false,
                Hopeless::TriedWithCheck => !walker.position().is_in_check(),
                Hopeless::LeftOut => true,
            };
            if left_out && hopeless && !checked {
                walker.undo();
                continue;
            }
            let value = -self.search(walker, -beta, -alpha.max(best), ply + 1, Some(mv.to_sq()));
            walker.undo();
            best = best.max(value);
        }
        best
    }
}

/// All sensible replies to a check, those that win most first.
fn escapes(walker: &Walker) -> Vec<Move> {
    let mut list = MoveList::new();
    useful_moves(walker.position(), &mut list);
    let mut list = list.to_vec();
    list.sort_by_key(|&mv| (-gain(walker.position(), mv), mv.raw()));
    list
}

/// Captures and promotions that lose nothing, those that win most first.
fn captures(walker: &Walker, ply: usize, last: Option<Square>) -> Vec<Move> {
    let position = walker.position();
    let all = moves(walker);
    let promoting = |mv: Move| {
        all.iter().any(|other| {
            other.is_promotion() && (other.from_sq(), other.to_sq()) == (mv.from_sq(), mv.to_sq())
        })
    };
    let mut list: Vec<Move> = all.iter().copied().filter(|mv| !mv.is_drop()).collect();
    list.retain(|&mv| {
        let captures = position.piece_on(mv.to_sq()) != Piece::NONE;
        let silver = position.piece_on(mv.from_sq()).piece_type() == Kind::SILVER;
        let wanted = if mv.is_promotion() { captures || !silver } else { captures && !promoting(mv) };
        wanted && (ply < WIDE || Some(mv.to_sq()) == last) && exchange_value(position, mv) >= 0
    });
    list.sort_by_key(|&mv| {
        let taker = BOARD_VALUE[mv.piece_after_move().piece_type().to_index()];
        (gain(position, mv), -taker, mv.raw())
    });
    list.reverse();
    list
}

/// Positions of games and of random play, some in check.
fn positions(every: usize) -> Vec<String> {
    let mut positions = Vec::new();
    let mut count = 0;
    let mut add = |walker: &Walker| {
        count += 1;
        if count % every == 0 && !moves(walker).is_empty() {
            positions.push(walker.position().to_sfen(None));
        }
    };
    for game in records::sample() {
        game.replay(|walker, _| add(walker));
    }
    wander(100, 60, 1, |_, walker, _| add(walker));
    positions
}

fn on_network(sfen: &str) -> Scales<NetworkEvaluator> {
    Scales::new(walker(sfen), NetworkEvaluator::new(Network::embedded()))
}

fn on_material(sfen: &str) -> Scales<Material> {
    Scales::new(walker(sfen), Material::default())
}

#[test]
fn values_equal_the_definition() {
    let network = Network::embedded();
    let static_value = |position: &Position| network.value(Path::PLAIN, position);
    let (mut captures, mut in_check, mut mates) = (0, 0, 0);
    for sfen in positions(31) {
        let by_network =
            Definition { value: &static_value, hopeless: Hopeless::LeftOut }.value(&mut walker(&sfen));
        assert_eq!(quiescence(&mut on_network(&sfen), -MATE, MATE), by_network, "network, {sfen}");
        let by_material =
            Definition { value: &material, hopeless: Hopeless::LeftOut }.value(&mut walker(&sfen));
        assert_eq!(quiescence(&mut on_material(&sfen), -MATE, MATE), by_material, "material, {sfen}");
        captures += usize::from(by_material != material(walker(&sfen).position()));
        in_check += usize::from(walker(&sfen).position().is_in_check());
        mates += usize::from(by_material.abs() > MATE_BOUND);
    }
    println!("{captures} with something to take, {in_check} in check, {mates} mates");
    assert!(captures >= 100 && in_check >= 50 && mates >= 5, "{captures}, {in_check}, {mates}");
}

/// With material a capture brings its gain and no more, unless it gives check: leaving out what cannot come near changes
/// little, and nothing where there are no checks.
#[test]
fn what_is_left_out_hardly_ever_matters() {
    let (mut same, mut all) = (0, 0);
    for sfen in positions(31) {
        let by = |hopeless| Definition { value: &material, hopeless }.value(&mut walker(&sfen));
        let whole = by(Hopeless::Tried);
        assert_eq!(by(Hopeless::TriedWithCheck), whole, "{sfen}");
        same += usize::from(quiescence(&mut on_material(&sfen), -MATE, MATE) == whole);
        all += 1;
    }
    println!("{same} of {all} the same");
    assert!(same * 100 >= all * 97, "{same} of {all}");
}

/// With any bounds the answer is on the right side of them, and exact in between; again but for checks.
#[test]
fn values_are_consistent_with_the_open_window() {
    let (mut consistent, mut all) = (0, 0);
    for sfen in positions(43) {
        let mut scales = on_material(&sfen);
        let open = quiescence(&mut scales, -MATE, MATE);
        for alpha in [open - 500, open - 91, open - 1, open, open + 90, open + 700] {
            for beta in [alpha + 1, alpha + 150] {
                let value = quiescence(&mut scales, alpha, beta);
                all += 1;
                consistent += usize::from(if value <= alpha {
                    open <= alpha
                } else if value >= beta {
                    open >= beta
                } else {
                    value == open
                });
            }
        }
    }
    println!("{consistent} of {all} consistent");
    assert!(consistent * 100 >= all * 98, "{consistent} of {all}");
}

#[test]
fn who_is_not_in_check_may_stand_pat() {
    for sfen in positions(17) {
        let mut scales = on_network(&sfen);
        if !scales.position().is_in_check() {
            let standing = scales.value();
            assert!(quiescence(&mut scales, -MATE, MATE) >= standing, "{sfen}");
        }
    }
}

#[test]
fn nothing_is_left_changed() {
    let network = Network::embedded();
    for sfen in positions(43) {
        let mut scales = on_network(&sfen);
        let before = (scales.walker().moves(), scales.position().key(), scales.value());
        let first = quiet_line(&mut scales);
        let after = (scales.walker().moves(), scales.position().key(), scales.value());
        assert_eq!(before, after, "{sfen}");
        assert_eq!(scales.position().to_sfen(None), sfen);
        assert_eq!(scales.value(), network.value(Path::PLAIN, scales.position()));
        assert_eq!(quiet_line(&mut scales), first, "asked again it says the same");
        assert_eq!(quiescence(&mut scales, -MATE, MATE), first.value, "the line costs nothing of the value");
    }
}

#[test]
fn the_line_leads_to_a_position_with_the_value() {
    let (mut lines, mut longest) = (0, 0);
    for sfen in positions(17) {
        let mut scales = on_network(&sfen);
        let quiet = quiet_line(&mut scales);
        for &mv in &quiet.line {
            assert!(moves(scales.walker()).contains(&mv), "{} in {sfen}", mv.to_usi());
            scales.apply(mv);
        }
        longest = longest.max(quiet.line.len());
        if quiet.value.abs() < MATE_BOUND {
            lines += usize::from(!quiet.line.is_empty());
            let sign = if quiet.line.len() % 2 == 0 { 1 } else { -1 };
            assert_eq!(sign * scales.value(), quiet.value, "{sfen}");
        } else {
            // The mate is there: at the end somebody is mated or can mate at once.
            let walker = scales.probe();
            assert!(walker.is_mated() || mate_in_one(walker).is_some(), "{sfen}");
        }
    }
    assert!(lines >= 300 && longest >= 4, "{lines}, {longest}");
}

#[test]
fn the_cost_is_bounded() {
    let (mut most, mut sum, mut count) = (0, 0, 0);
    for sfen in positions(5) {
        let nodes = quiet_line(&mut on_network(&sfen)).nodes;
        most = most.max(nodes);
        sum += nodes;
        count += 1;
    }
    println!("{count} positions, {:.1} nodes on average, {most} at most", f64::from(sum) / f64::from(count));
    assert!(sum / count < 50 && most < 10_000, "{sum} in {count} positions, {most} at most");
}

#[test]
fn mates_are_seen() {
    let problems = include_str!("../data/tsume-mate-1.sfen");
    for sfen in problems.lines() {
        assert_eq!(quiescence(&mut on_network(sfen), -MATE, MATE), MATE - 1, "{sfen}");
        assert_eq!(quiescence(&mut on_material(sfen), 0, 1), MATE - 1, "{sfen}");
    }
    // Mated already.
    assert_eq!(quiescence(&mut on_material("4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1"), -MATE, MATE), -MATE);
}

/// After the first move of a mate in three every reply is answered by mate.
#[test]
fn being_mated_is_seen_in_check() {
    let mut lost = 0;
    for sfen in include_str!("../data/tsume-mate-3.sfen").lines() {
        let mut scales = on_network(sfen);
        let mv = mate_in_three(scales.probe()).expect("a mate in three");
        scales.apply(mv);
        let value = quiescence(&mut scales, -MATE, MATE);
        assert!(value == 2 - MATE || scales.walker().is_mated(), "{} in {sfen}: {value}", mv.to_usi());
        lost += 1;
    }
    assert_eq!(lost, 100);
}

/// Material beyond what stands on the board, by hand. Pawn 90, silver 495, gold 540, rook 990; a capture counts twice.
#[test]
fn what_hangs_is_taken() {
    for (sfen, expected) in [
        // Nothing to take.
        ("k8/9/9/9/9/4p4/9/9/K8 b - 1", 0),
        // A pawn for nothing.
        ("k8/9/9/9/4p4/9/9/9/K3R4 b - 1", 180),
        // Protected by a gold: the rook stays.
        ("k8/9/9/4g4/4p4/9/9/9/K3R4 b - 1", 0),
        // A gold by a silver, which a pawn takes back: 1080 − 990.
        ("k8/9/4p4/4g4/3S5/9/9/9/K8 b - 1", 90),
        // A promotion alone: a pawn becomes a tokin.
        ("k8/9/9/4P4/9/9/9/9/K8 b - 1", 450),
        // The better of two captures; the other gold then gets away.
        ("k8/9/9/9/4g3p/9/9/9/K3R3L b - 1", 1_080),
        // The same for White.
        ("k3r4/9/9/9/4P4/9/9/9/K8 w - 1", 180),
    ] {
        let mut scales = on_material(sfen);
        let standing = scales.value();
        assert_eq!(quiescence(&mut scales, -MATE, MATE) - standing, expected, "{sfen}");
    }
}

/// An evaluation that follows every step counts how deep they go.
#[derive(Clone, Default)]
struct Depth {
    now: usize,
    deepest: usize,
}

impl Evaluator for Depth {
    fn reset(&mut self, _: &Position) {
        *self = Self::default();
    }

    fn push(&mut self, _: &Position, _: Move) {
        self.now += 1;
        self.deepest = self.deepest.max(self.now);
    }

    fn pop(&mut self) {
        self.now -= 1;
    }

    fn value(&mut self, position: &Position) -> i32 {
        material(position)
    }
}

#[test]
fn lines_end_where_they_must() {
    let mut deepest = 0;
    for sfen in positions(17) {
        let mut scales = Scales::new(walker(&sfen), Depth::default());
        quiescence(&mut scales, -MATE, MATE);
        let depth = scales.into_evaluator();
        assert_eq!(depth.now, 0, "{sfen}");
        assert!(depth.deepest <= DEEPEST, "{} plies in {sfen}", depth.deepest);
        deepest = deepest.max(depth.deepest);
    }
    assert_eq!(deepest, DEEPEST, "some lines go all the way");
}
