//! Exchange evaluation equals a plain search over all legal captures on one square.

use tenbin::shogi::exchange::{BOARD_VALUE, HAND_VALUE, exchange_at_least, exchange_value};
use tenbin::shogi::{
    Color, HandPiece, Move, MoveList, Piece, Position, Rules, Square, Walker, legal_moves, parse_move,
    parse_sfen,
};

use crate::records;
use crate::shared;

/// What Black has more than White, counted afresh.
fn material(position: &Position) -> i32 {
    let sign = |side| if side == Color::Black { 1 } else { -1 };
    let mut sum = 0;
    for square in Square::iter() {
        let piece = position.piece_on(square);
        if piece != Piece::NONE {
            sum += sign(piece.color()) * BOARD_VALUE[piece.piece_type().to_index()];
        }
    }
    for side in [Color::Black, Color::White] {
        for piece in HandPiece::iter() {
            let count = position.hand(side).count(piece) as i32;
            sum += sign(side) * count * HAND_VALUE[piece.to_piece_type().to_index()];
        }
    }
    sum
}

/// What the side to move has more than the other.
fn balance(walker: &Walker) -> i32 {
    let sum = material(walker.position());
    if walker.turn() == Color::Black { sum } else { -sum }
}

/// The most the side to move can win by captures on `square`; it may also stop, for 0.
fn search_captures(walker: &mut Walker, square: Square) -> i32 {
    let mut moves = MoveList::new();
    legal_moves(walker.position(), &mut moves);
    let captures = moves.iter().filter(|mv| !mv.is_drop() && mv.to_sq() == square);
    captures.map(|&mv| search(walker, mv)).fold(0, i32::max)
}

/// What `mv` and the captures after it on its destination bring its mover.
fn search(walker: &mut Walker, mv: Move) -> i32 {
    let before = balance(walker);
    walker.apply(mv);
    // The other side is to move now, so its balance counts against us.
    let gain = -balance(walker) - before;
    let value = gain - search_captures(walker, mv.to_sq());
    walker.undo();
    value
}

fn check(walker: &mut Walker, mv: Move) -> i32 {
    let expected = search(walker, mv);
    let position = walker.position();
    let what = || format!("{} in {}", mv.to_usi(), position.to_sfen(None));
    assert_eq!(exchange_value(position, mv), expected, "{}", what());
    let around = [-2_000, -500, -91, -2, -1, 0, 1, 2, 91, 500, 2_000].map(|step| expected + step);
    for threshold in around.into_iter().chain([i32::MIN / 2, 0, 1, i32::MAX / 2]) {
        let answer = exchange_at_least(position, mv, threshold);
        assert_eq!(answer, expected >= threshold, "at least {threshold}: {}", what());
    }
    expected
}

fn is_capture(position: &Position, mv: Move) -> bool {
    !mv.is_drop() && position.piece_on(mv.to_sq()) != Piece::NONE
}

#[test]
fn values_equal_a_search_on_a_sample() {
    let (mut captures, mut others, mut losing) = (0, 0, 0);
    for (number, game) in records::sample().iter().enumerate() {
        let mut ply = number;
        game.replay(|walker, _| {
            ply += 1;
            if !ply.is_multiple_of(9) {
                return;
            }
            let mut moves = MoveList::new();
            legal_moves(walker.position(), &mut moves);
            for (i, &mv) in moves.iter().enumerate() {
                let capture = is_capture(walker.position(), mv);
                // Captures are few; of the others some are enough.
                if !capture && i % 11 != ply / 9 % 11 {
                    continue;
                }
                let value = check(walker, mv);
                captures += i32::from(capture);
                others += i32::from(!capture);
                losing += i32::from(value < 0);
            }
        });
    }
    assert!(captures >= 3_000 && others >= 3_000, "{captures} captures, {others} others");
    assert!(losing >= 1_000, "only {losing} moves lost something");
}

#[test]
#[ignore = "needs the shared records: set TENBIN_DATA"]
fn values_equal_a_search_on_a_hundred_thousand_captures() {
    let mut captures = 0;
    for (number, game) in shared::games(300).iter().enumerate() {
        let mut ply = number;
        game.replay(|walker, _| {
            ply += 1;
            if !ply.is_multiple_of(5) {
                return;
            }
            let mut moves = MoveList::new();
            legal_moves(walker.position(), &mut moves);
            for &mv in moves.iter() {
                if is_capture(walker.position(), mv) {
                    check(walker, mv);
                    captures += 1;
                }
            }
        });
    }
    println!("{captures} captures");
    assert!(captures >= 100_000, "only {captures} captures");
}

/// One move with its value, worked out by hand. Pawn 90, silver 495, gold 540, rook 990; a capture moves a
/// piece from one side's board to the other's hand, so it counts twice.
fn case(sfen: &str, usi: &str, expected: i32) {
    let position = parse_sfen(sfen).unwrap_or_else(|error| panic!("{sfen}: {error}"));
    let mv = parse_move(&position, usi).unwrap_or_else(|error| panic!("{sfen}: {error}"));
    let mut walker = Walker::new(position, Rules::default());
    assert_eq!(check(&mut walker, mv), expected, "{usi} in {sfen}");
}

#[test]
fn plain_captures() {
    // A pawn for nothing: 90 + 90.
    case("k8/9/9/9/4p4/9/9/9/K3R4 b - 1", "5i5e", 180);
    // A gold takes the rook back: 180 - (990 + 990).
    case("k8/9/9/4g4/4p4/9/9/9/K3R4 b - 1", "5i5e", -1_800);
    // The same for White.
    case("k3r4/9/9/9/4P4/4G4/9/9/K8 w - 1", "5a5e", -1_800);
    // Gold takes gold, a pawn takes back: 1080 - 1080.
    case("k8/9/4p4/4g4/4G4/9/9/9/K8 b - 1", "5e5d", 0);
    // Moving where a pawn takes, without anything gained: the gold is lost.
    case("k8/9/9/4p4/9/4G4/9/9/K8 b - 1", "5f5e", -1_080);
}

#[test]
fn sliders_behind_sliders() {
    // The second rook takes the gold: 180 - 1980 + 1080.
    case("k8/9/9/4g4/4p4/9/9/4R4/K3R4 b - 1", "5h5e", -720);
    // A lance in front of the rook: 180 - 630 + 1080, so the gold had better not take: 180.
    case("k8/9/9/4g4/4p4/9/9/4L4/K3R4 b - 1", "5h5e", 180);
    // A bishop behind a silver, on the diagonal: 180 - 990 + 1080, so again the pawn is won.
    case("k8/9/9/4g4/4p4/3S5/2B6/9/K8 b - 1", "6f5e", 180);
}

/// Lines that open while the exchange goes on: silver takes pawn, gold takes silver, lance takes gold, and only
/// then White's lance and Black's rook see the square.
#[test]
fn sliders_uncovered_on_the_way() {
    // The gold would cost 1080 for 990: it stays away.
    case("8k/9/9/4g4/4p4/3S5/9/4L4/K8 b - 1", "6f5e", 180);
    // White's lance takes back from behind the gold: 180 - 990 + 1080 - 630.
    case("4l3k/9/9/4g4/4p4/3S5/9/4L4/K8 b - 1", "6f5e", -360);
    // The rook behind Black's lance takes that one too: 630 for 630, so the gold stays away again.
    case("4l3k/9/9/4g4/4p4/3S5/9/4L4/K3R4 b - 1", "6f5e", 180);
}

#[test]
fn promotions_count() {
    // 180 and the pawn becomes worth 540: + 450.
    case("k8/9/4p4/4P4/9/9/9/9/K8 b - 1", "5d5c+", 630);
    case("k8/9/4p4/4P4/9/9/9/9/K8 b - 1", "5d5c", 180);
    // Taken back the tokin costs 540 + 90.
    case("k8/4g4/4p4/4P4/9/9/9/9/K8 b - 1", "5d5c+", 0);
    // The lance that takes the dropped gold promotes: 1080 + 225; the other gold takes it: 540 + 315.
    case("k8/9/9/4l4/9/9/9/4G4/K8 b G 1", "G*5g", -450);
    // A dropped pawn promotes the taker: 180 + 450 - (540 + 90) is 0, and without the gold 630 is lost.
    case("k8/9/9/9/9/4p4/9/4G4/K8 b P 1", "P*5g", 0);
    case("k8/9/9/9/9/4p4/9/9/K8 b P 1", "P*5g", -630);
}

#[test]
fn pinned_pieces_do_not_take_back() {
    // The gold on 5b may not leave the file of the rook.
    case("4k4/4g4/5p3/6S2/9/9/9/9/K3R4 b - 1", "3d4c", 180);
    // Without the rook it takes the silver: 180 - 990.
    case("4k4/4g4/5p3/6S2/9/9/9/9/K8 b - 1", "3d4c", -810);
    // A pinned piece may take along the line: the rook itself, 180 - 1980.
    case("4k4/4g4/4p4/9/9/9/9/9/K3R4 b - 1", "5i5c", -1_800);
    // Promoting on the way: + 405, and what is taken is a dragon.
    case("4k4/4g4/4p4/9/9/9/9/9/K3R4 b - 1", "5i5c+", 180 + 405 - (1_395 + 990));
}

#[test]
fn discovered_checks_forbid_taking_back() {
    // The silver uncovers the rook's check; the gold on 4c must not answer by taking it.
    case("4k4/9/5g3/5p3/4S4/9/9/9/K3R4 b - 1", "5e4d", 180);
    case("4k4/9/5g3/5p3/4S4/9/9/9/K8 b - 1", "5e4d", -810);
    // The gold takes back and uncovers White's rook, so the pawn on 4e must not take the gold.
    case("4r3k/9/4g4/5p3/5PS2/9/9/9/4K4 b - 1", "3e4d", -810);
    // Without that rook it may, and the gold stays away.
    case("8k/9/4g4/5p3/5PS2/9/9/9/4K4 b - 1", "3e4d", 180);
}

#[test]
fn kings_take_only_what_is_not_protected() {
    case("4k4/9/9/9/9/9/9/9/4K4 b G 1", "G*5b", -1_080);
    case("4k4/9/4P4/9/9/9/9/9/4K4 b G 1", "G*5b", 0);
    // The pawn that protects the gold is pinned to its own king; against a king that is protection still.
    case("4k4/5b3/4P4/9/2K6/9/9/9/9 b G 1", "G*5b", 0);
}

#[test]
fn positions_without_kings() {
    case("9/9/9/9/4p4/9/9/9/4R4 b - 1", "5i5e", 180);
    case("9/9/9/4g4/4p4/9/9/9/4R4 b - 1", "5i5e", -1_800);
    case("8k/9/9/4g4/4p4/9/9/4R4/4R4 b - 1", "5h5e", -720);
}

/// White can take the silver on 5b with the gold from 5c or the rook from 5a. If the gold leaves, the lance on
/// 5i reaches 5b: it takes the gold and promotes (1080 + 225) before the rook takes it (540 + 315), so White
/// wins 990 - 1305 + 855. Taking with the rook, the dearer piece, wins all of the silver.
#[test]
fn the_cheapest_capture_need_not_be_the_best() {
    case("4r3k/9/4g4/9/9/9/9/9/K3L4 b S 1", "S*5b", -990);
    case("8k/9/4g4/9/9/9/9/9/K3L4 b S 1", "S*5b", 0);
}
