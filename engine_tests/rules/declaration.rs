//! Winning by the king in the enemy camp: thresholds by hand, and all rules beside a slow re-implementation.

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use tenbin::shogi::{
    Color, Declaration, EnteringKingRule as Rule, HandPiece, Kind, Move, Position, Rules, Square, Walker,
    parse_sfen,
};

use super::stepping::{is_attacked, is_in_check, king_of, pieces_of, place_of};

const ALL: [Rule; 6] =
    [Rule::None, Rule::Point24, Rule::Point24Handicap, Rule::Point27, Rule::Point27Handicap, Rule::TryRule];

fn declaration(position: &Position, rule: Rule) -> Option<Declaration> {
    Walker::new(position.clone(), Rules { entering_king: rule, ..Rules::default() }).declaration()
}

/// The same position with the board turned round and the sides exchanged.
fn exchanged(sfen: &str) -> String {
    let words: Vec<&str> = sfen.split(' ').collect();
    let [board, turn, hand, number] = words[..] else { panic!("{sfen} has not four fields") };
    let swap = |c: char| if c.is_ascii_uppercase() { c.to_ascii_lowercase() } else { c.to_ascii_uppercase() };
    let mut turned = String::new();
    // Backwards a promoted piece would have its sign behind it.
    let mut waiting = None;
    for c in board.chars().rev().map(swap) {
        if c == '+' {
            turned.push('+');
        }
        turned.extend(waiting.take());
        if c != '+' {
            waiting = Some(c);
        }
    }
    turned.extend(waiting);
    let turn = if turn == "b" { "w" } else { "b" };
    let hand: String = hand.chars().map(swap).collect();
    format!("{turned} {turn} {hand} {number}")
}

/// Whether Black may claim in `sfen`, and White in the same position with the sides exchanged.
fn claims(sfen: &str, rule: Rule) -> (bool, bool) {
    let claim = |sfen: &str| {
        let position = parse_sfen(sfen).unwrap_or_else(|error| panic!("{sfen}: {error}"));
        match declaration(&position, rule) {
            None => false,
            Some(Declaration::Claim) => true,
            Some(Declaration::Try(mv)) => panic!("{} under {rule:?}", mv.to_usi()),
        }
    };
    (claim(sfen), claim(&exchanged(sfen)))
}

/// Black's king on 5a and eleven others in the camp: dragon, horse and nine small pieces, 19 points, with what
/// Black has in `hand`. The lower-case part of the hands makes the set complete.
fn in_camp(hand: &str) -> String {
    format!("+R+B+P+PK+P+P+P+P/+P+P7/+P8/9/9/9/9/9/4k4 b {hand} 1")
}

#[test]
fn turning_the_board_round_twice_changes_nothing() {
    let sfen = in_camp("RB4G4S4N4L9p").replace("4k4 b", "3+p+rk3 w");
    assert_eq!(exchanged(&exchanged(&sfen)), sfen);
    assert_eq!(exchanged("k8/9/9/9/9/9/9/+P8/K8 b P 3"), "8k/8+p/9/9/9/9/9/9/8K w p 3");
}

#[test]
fn points_are_counted_exactly() {
    // Hand of 8, 9, 11 and 12 points: 27, 28, 30 and 31 in all.
    let cases = [("4G4Srb4n4l9p", 27), ("4G4SNrb3n4l9p", 28), ("4G4S3Nrbn4l9p", 30), ("4G4S4Nrb4l9p", 31)];
    for (hand, points) in cases {
        let sfen = in_camp(hand);
        assert_eq!(claims(&sfen, Rule::Point27), (points >= 28, points >= 27), "{points} points");
        assert_eq!(claims(&sfen, Rule::Point27Handicap), (points >= 28, points >= 27), "{points} points");
        assert_eq!(claims(&sfen, Rule::Point24), (points >= 31, points >= 31), "{points} points");
        assert_eq!(claims(&sfen, Rule::Point24Handicap), (points >= 31, points >= 31), "{points} points");
        assert_eq!(claims(&sfen, Rule::None), (false, false));
    }
}

#[test]
fn rooks_and_bishops_count_five_in_hand_too() {
    // 19 on the board; a rook and four small pieces: 28. A rook and three: 27.
    assert_eq!(claims(&in_camp("R4Gb4s4n4l9p"), Rule::Point27), (true, true));
    assert_eq!(claims(&in_camp("R3Gbg4s4n4l9p"), Rule::Point27), (false, true));
    assert_eq!(claims(&in_camp("B3Grg4s4n4l9p"), Rule::Point27), (false, true));
    assert_eq!(claims(&in_camp("B2Gr2g4s4n4l9p"), Rule::Point27), (false, false));
    // Two of them and two: 31.
    assert_eq!(claims(&in_camp("RB2G2g4s4n4l9p"), Rule::Point24), (true, true));
    assert_eq!(claims(&in_camp("RBG3g4s4n4l9p"), Rule::Point24), (false, false));
}

/// Points by the handful do not help where fewer than ten pieces beside the king are in the camp.
#[test]
fn ten_pieces_must_be_in_the_camp() {
    let ten = "+R+B+P+PK+P+P+P+P/+P+P7/9/9/9/9/9/9/4k4 b RB4G4S4N4L10p 1";
    let nine = "+R+B+P+PK+P+P+P+P/+P8/9/9/9/9/9/9/4k4 b RB4G4S4N4L11p 1";
    for rule in [Rule::Point24, Rule::Point24Handicap, Rule::Point27, Rule::Point27Handicap] {
        assert_eq!(claims(ten, rule), (true, true), "{rule:?}");
        assert_eq!(claims(nine, rule), (false, false), "{rule:?}");
        // Outside the camp a piece counts neither as one of ten nor its point.
        let outside = nine.replacen("/9/9/9/9/9/9/", "/9/+P8/9/9/9/9/", 1).replace("11p", "10p");
        assert_eq!(claims(&outside, rule), (false, false), "{rule:?}");
    }
}

#[test]
fn pieces_outside_the_camp_give_no_points() {
    // 19 on the board and 7 in hand; a gold on 5c makes it 27, on 5d it makes no difference.
    let hand = "3G4Srb4n4l9p";
    let with_gold = |rank_c: &str, rank_d: &str| {
        format!("+R+B+P+PK+P+P+P+P/+P+P7/{rank_c}/{rank_d}/9/9/9/9/4k4 b {hand} 1")
    };
    assert_eq!(claims(&with_gold("+P3G4", "9"), Rule::Point27), (false, true));
    assert_eq!(claims(&with_gold("+P8", "4G4"), Rule::Point27), (false, false));
}

#[test]
fn the_king_must_be_in_the_camp_and_not_in_check() {
    let hand = "RB4G4S4N4L9p";
    let good = in_camp(hand);
    assert_eq!(claims(&good, Rule::Point27), (true, true));
    // The king on 5d instead: eleven pieces in the camp, all points, no claim.
    let outside = format!("+R+B+P+P1+P+P+P+P/+P8/+P8/4K4/9/9/9/9/4k4 b {hand} 1");
    assert_eq!(claims(&outside, Rule::Point27), (false, false));
    // On 5c it is inside.
    let border = format!("+R+B+P+P1+P+P+P+P/+P8/+P3K4/9/9/9/9/9/4k4 b {hand} 1");
    assert_eq!(claims(&border, Rule::Point27), (true, true));
    // A gold in front of the king gives check.
    let check = format!("+R+B+P+PK+P+P+P+P/+P3g4/+P8/9/9/9/9/9/4k4 b {} 1", hand.replace("4G", "3G"));
    assert_eq!(claims(&check, Rule::Point27), (false, false));
    // Two ranks away it does not.
    let calm = format!("+R+B+P+PK+P+P+P+P/+P8/+P3g4/9/9/9/9/9/4k4 b {} 1", hand.replace("4G", "3G"));
    assert_eq!(claims(&calm, Rule::Point27), (true, true));
}

/// In a handicap game White gives away points and needs as many fewer.
#[test]
fn handicaps_lower_what_white_needs() {
    // Without a rook and a bishop in the set, 10 of 54 points are missing: White needs 17 (or 21), Black 28 (31).
    // Eleven small pieces stand in the camp: 11 points.
    let board = "+P+P+P+PK+P+P+P+P/+P8/+P+P7/9/9/9/9/9/4k4";
    let sfen = |hand: &str| format!("{board} b {hand} 1");
    // 17 and 16 points; the rest of the set without one rook and one bishop.
    let (enough, short) = (sfen("4G2Srb2s4n4l7p"), sfen("4GSrb3s4n4l7p"));
    assert_eq!(claims(&enough, Rule::Point27Handicap), (false, true));
    assert_eq!(claims(&short, Rule::Point27Handicap), (false, false));
    assert_eq!(claims(&enough, Rule::Point27), (false, false), "without handicap nothing is lowered");
    // 21 and 20 points.
    let (enough, short) = (sfen("4G4S2Nrb2n4l7p"), sfen("4G4SNrb3n4l7p"));
    assert_eq!(claims(&enough, Rule::Point24Handicap), (false, true));
    assert_eq!(claims(&short, Rule::Point24Handicap), (false, false));
    assert_eq!(claims(&enough, Rule::Point24), (false, false));
}

fn try_move(sfen: &str) -> Option<String> {
    let position = parse_sfen(sfen).unwrap_or_else(|error| panic!("{sfen}: {error}"));
    match declaration(&position, Rule::TryRule) {
        None => None,
        Some(Declaration::Try(mv)) => Some(mv.to_usi()),
        Some(Declaration::Claim) => panic!("a claim under the try rule in {sfen}"),
    }
}

#[test]
fn under_the_try_rule_the_king_goes_to_the_other_kings_place() {
    let yes = |sfen: &str, mv: &str| assert_eq!(try_move(sfen).as_deref(), Some(mv), "{sfen}");
    let no = |sfen: &str| assert_eq!(try_move(sfen), None, "{sfen}");
    yes("9/4K4/9/9/9/9/9/9/4k4 b - 1", "5b5a");
    yes("9/3K5/9/9/9/9/9/9/4k4 b - 1", "6b5a");
    yes("4K4/9/9/9/9/9/9/5k3/9 w - 1", "4h5i");
    // Too far; already there and gone again would need another try.
    no("9/9/4K4/9/9/9/9/9/4k4 b - 1");
    no("4K4/9/9/9/9/9/9/9/k8 b - 1");
    // An own piece is in the way; an enemy's may be taken.
    no("4G4/4K4/9/9/9/9/9/9/4k4 b - 1");
    yes("4g4/4K4/9/9/9/9/9/9/4k4 b - 1", "5b5a");
    // Attacked: by a gold beside, by a rook along the rank, by a protected piece there.
    no("3g5/4K4/9/9/9/9/9/9/4k4 b - 1");
    no("r8/4K4/9/9/9/9/9/9/4k4 b - 1");
    no("4gg3/4K4/9/9/9/9/9/9/4k4 b - 1");
    // The rook checks along the file; the king does not get out of its line by stepping on.
    no("9/4K4/9/9/9/9/9/4r4/k8 b - 1");
    // A check elsewhere is escaped by the try.
    yes("9/4K3r/9/9/9/9/9/9/4k4 b - 1", "5b5a");
    // Without a king there is nothing to try.
    no("9/9/9/9/9/9/9/9/4k4 b - 1");
}

#[test]
fn the_rule_goes_along_with_forks_and_moves() {
    let start = parse_sfen(&in_camp("4G4SNrb3n4l9p")).expect("a sound position");
    let mut walker = Walker::new(start, Rules::default());
    assert_eq!(walker.declaration(), Some(Declaration::Claim), "27 points are the usual rule");
    assert_eq!(walker.fork().declaration(), Some(Declaration::Claim));
    walker.set_rules(Rules { entering_king: Rule::Point24, ..Rules::default() });
    assert_eq!((walker.declaration(), walker.fork().declaration()), (None, None));
    walker.set_rules(Rules::default());
    let mv = walker.any_move().expect("there are moves");
    walker.apply(mv);
    assert_eq!(walker.declaration(), None, "White has nothing to claim");
    walker.undo();
    assert_eq!(walker.declaration(), Some(Declaration::Claim));
}

fn points_of(kind: Kind) -> i32 {
    match kind {
        Kind::KING => 0,
        Kind::ROOK | Kind::BISHOP | Kind::DRAGON | Kind::HORSE => 5,
        _ => 1,
    }
}

fn hand_points(position: &Position, side: Color) -> i32 {
    let hand = position.hand(side);
    HandPiece::iter().map(|piece| hand.count(piece) as i32 * points_of(piece.to_piece_type())).sum()
}

/// The rules as they are written.
fn expected(position: &Position, rule: Rule) -> Option<Declaration> {
    let us = position.turn();
    let king = king_of(position, us)?;
    let (mut needed, handicap) = match (rule, us) {
        (Rule::Point24, _) => (31, false),
        (Rule::Point24Handicap, _) => (31, true),
        (Rule::Point27, Color::Black) => (28, false),
        (Rule::Point27, Color::White) => (27, false),
        (Rule::Point27Handicap, Color::Black) => (28, true),
        (Rule::Point27Handicap, Color::White) => (27, true),
        (Rule::TryRule, _) => return expected_try(position, king).map(Declaration::Try),
        _ => return None,
    };
    let on_board = |side| pieces_of(position, side).iter().map(|&(_, kind)| points_of(kind)).sum::<i32>();
    let all: i32 =
        [Color::Black, Color::White].map(|side| on_board(side) + hand_points(position, side)).iter().sum();
    if handicap && us == Color::White {
        needed -= 54 - all;
    }
    let in_camp = |square| if us == Color::Black { place_of(square).1 <= 2 } else { place_of(square).1 >= 6 };
    let entered: Vec<Kind> = pieces_of(position, us)
        .iter()
        .filter(|&&(square, kind)| in_camp(square) && kind != Kind::KING)
        .map(|&(_, kind)| kind)
        .collect();
    let points = entered.iter().map(|&kind| points_of(kind)).sum::<i32>() + hand_points(position, us);
    let holds = in_camp(king) && !is_in_check(position) && entered.len() >= 10 && points >= needed;
    holds.then_some(Declaration::Claim)
}

fn expected_try(position: &Position, king: Square) -> Option<Move> {
    let us = position.turn();
    let goal = Square::from_usi(if us == Color::Black { "5a" } else { "5i" })?;
    let ((file, rank), (goal_file, goal_rank)) = (place_of(king), place_of(goal));
    let near = (file - goal_file).abs().max((rank - goal_rank).abs()) == 1;
    let free = !pieces_of(position, us).iter().any(|&(square, _)| square == goal);
    let safe = !is_attacked(position, us.flip(), goal, Some(king));
    (near && free && safe).then(|| Move::normal(king, goal, position.piece_on(king)))
}

/// Letters of a set without kings, by how many there are.
const SET: [(char, u32); 7] = [('p', 18), ('l', 4), ('n', 4), ('s', 4), ('g', 4), ('b', 2), ('r', 2)];

/// A random SFEN in which the side to move has gone far into the enemy camp.
fn entered_position(rng: &mut Pcg64Mcg) -> String {
    let mut board = vec![String::new(); 81];
    let mut hands = String::new();
    let mut put = |rng: &mut Pcg64Mcg, ranks: std::ops::Range<usize>, text: String| {
        let square = rng.random_range(ranks.start * 9..ranks.end * 9);
        if board[square].is_empty() {
            board[square] = text;
        }
    };
    let camp = |rng: &mut Pcg64Mcg| if rng.random_ratio(9, 10) { 0..3 } else { 3..5 };
    let place = camp(rng);
    put(rng, place, "K".to_owned());
    put(rng, 4..9, "k".to_owned());
    let missing = rng.random_ratio(1, 3);
    for (letter, count) in SET {
        for _ in 0..count {
            if missing && rng.random_ratio(1, 12) {
                continue;
            }
            let promoted = if letter == 'g' || "sbr".contains(letter) && rng.random() { "" } else { "+" };
            match rng.random_range(0..100) {
                0..42 => put(rng, 0..3, format!("{promoted}{}", letter.to_ascii_uppercase())),
                42..70 => hands.push(letter.to_ascii_uppercase()),
                70..75 => put(rng, 3..9, format!("{promoted}{}", letter.to_ascii_uppercase())),
                75..78 => put(rng, 0..9, format!("{promoted}{letter}")),
                _ => hands.push(letter),
            }
        }
    }
    let ranks: Vec<String> = board
        .chunks(9)
        .map(|rank| rank.iter().map(|text| if text.is_empty() { "1" } else { text }).collect())
        .collect();
    format!("{} b {} 1", ranks.join("/"), if hands.is_empty() { "-" } else { &hands })
}

#[test]
fn all_rules_agree_with_a_slow_implementation() {
    let mut rng = Pcg64Mcg::seed_from_u64(11);
    let mut positions = 0;
    let mut yes = [[0; 2]; ALL.len()];
    while positions < 30_000 {
        let black = entered_position(&mut rng);
        let sfen = if rng.random() { exchanged(&black) } else { black };
        // Some are refused: kings side by side, or the other king in check.
        let Ok(position) = parse_sfen(&sfen) else { continue };
        // The handicap counts points of a set, and both kings belong to a set.
        if king_of(&position, Color::Black).is_none() || king_of(&position, Color::White).is_none() {
            continue;
        }
        positions += 1;
        for (i, rule) in ALL.into_iter().enumerate() {
            let answer = declaration(&position, rule);
            assert_eq!(answer, expected(&position, rule), "{rule:?} in {sfen}");
            yes[i][position.turn().to_index()] += u32::from(answer.is_some());
        }
    }
    println!("{positions} positions, won by rule and side: {yes:?}");
    assert_eq!(yes[0], [0, 0]);
    for (rule, counts) in ALL.iter().zip(yes).skip(1) {
        assert!(counts.iter().all(|count| (300..=12_000).contains(count)), "{rule:?}: {counts:?}");
    }
}
