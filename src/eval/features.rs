//! What the network sees: kings and pieces by square, pieces in hand by count, each from both sides' points of view.
//!
//! From a perspective, a feature is (whose, what, where) with the board turned so that the viewer plays upwards. With
//! a full set of pieces exactly [`ACTIVE`] of them hold. Gold and what moves like it are one kind.

use crate::shogi::{Color, HandPiece, Kind, Move, Piece, Position, Square};
use arrayvec::ArrayVec;

/// Number of features: 162 for kings, 1,548 for the other pieces.
pub const INPUTS: usize = HANDS + BOARD;

/// Features that hold in a position with all forty pieces.
pub const ACTIVE: usize = 40;

/// Hand features: one for the first, one for the second … piece of a kind in a hand; number 0 is never used.
const HANDS: usize = 90;
const HAND_SLOTS: [usize; 7] = [19, 5, 5, 5, 3, 3, 5];
const SLOTS_A_HAND: usize = HANDS / 2;

const CLASSES: usize = 10;
const BOARD: usize = CLASSES * 2 * Square::COUNT;

/// Where the features of a kind of piece on the board begin, in classes; by [`Kind::to_index`].
const CLASS: [usize; Kind::COUNT] = {
    let mut table = [0; Kind::COUNT];
    let classes: [(Kind, usize); 14] = [
        (Kind::PAWN, 0),
        (Kind::LANCE, 1),
        (Kind::KNIGHT, 2),
        (Kind::SILVER, 3),
        (Kind::GOLD, 4),
        (Kind::PRO_PAWN, 4),
        (Kind::PRO_LANCE, 4),
        (Kind::PRO_KNIGHT, 4),
        (Kind::PRO_SILVER, 4),
        (Kind::BISHOP, 5),
        (Kind::HORSE, 6),
        (Kind::ROOK, 7),
        (Kind::DRAGON, 8),
        (Kind::KING, 9),
    ];
    let mut i = 0;
    while i < classes.len() {
        table[classes[i].0.to_index()] = classes[i].1;
        i += 1;
    }
    table
};

/// Number of a feature, below [`INPUTS`].
pub type Feature = u16;

/// A piece on the board, seen by Black.
#[inline]
fn on_board(piece: Piece, square: Square) -> Feature {
    let side = piece.color().to_index();
    let class = CLASS[piece.piece_type().to_index()];
    (HANDS + (class * 2 + side) * Square::COUNT + square.to_board_index()) as Feature
}

/// The `number`th piece of a kind in the hand of `side`, counted from 1, seen by Black.
#[inline]
fn in_hand(side: Color, kind: HandPiece, number: u32) -> Feature {
    const OFFSETS: [usize; 7] = {
        let mut offsets = [0; 7];
        let mut i = 1;
        while i < 7 {
            offsets[i] = offsets[i - 1] + HAND_SLOTS[i - 1];
            i += 1;
        }
        assert!(offsets[6] + HAND_SLOTS[6] == SLOTS_A_HAND);
        offsets
    };
    (side.to_index() * SLOTS_A_HAND + OFFSETS[kind.to_index()] + number as usize) as Feature
}

/// The same fact seen by White, and the fact seen by Black in a left-right mirror.
struct Views {
    opposite: [Feature; INPUTS],
    mirror: [Feature; INPUTS],
}

static VIEWS: Views = {
    let mut views = Views { opposite: [0; INPUTS], mirror: [0; INPUTS] };
    let mut i = 0;
    while i < INPUTS {
        if i < HANDS {
            views.opposite[i] = ((i + SLOTS_A_HAND) % HANDS) as Feature;
            views.mirror[i] = i as Feature;
        } else {
            let (plane, square) = ((i - HANDS) / Square::COUNT, (i - HANDS) % Square::COUNT);
            // Squares count down the files: nine to a file.
            let (file, rank) = (square / 9, square % 9);
            views.opposite[i] = (HANDS + (plane ^ 1) * Square::COUNT + Square::COUNT - 1 - square) as Feature;
            views.mirror[i] = (HANDS + plane * Square::COUNT + (8 - file) * 9 + rank) as Feature;
        }
        i += 1;
    }
    views
};

/// The same fact from the other side of the board.
#[inline]
pub fn opposite(feature: Feature) -> Feature {
    VIEWS.opposite[usize::from(feature)]
}

/// The fact in the left-right mirror of the position.
#[inline]
pub fn mirror(feature: Feature) -> Feature {
    VIEWS.mirror[usize::from(feature)]
}

/// The features that hold, seen by Black.
pub type Features = ArrayVec<Feature, ACTIVE>;

/// All features of a position, seen by Black.
pub fn features(position: &Position) -> Features {
    let mut list = Features::new();
    for square in &position.pieces() {
        list.push(on_board(position.piece_on(square), square));
    }
    for side in [Color::Black, Color::White] {
        let hand = position.hand(side);
        for kind in HandPiece::iter() {
            for number in 1..=hand.count(kind) {
                list.push(in_hand(side, kind, number));
            }
        }
    }
    list
}

/// What a move changes, seen by Black.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Change {
    removed: [Feature; 2],
    added: [Feature; 2],
    /// How many of each: one, or two for a capture.
    count: u8,
}

impl Change {
    /// The change by a legal move that is about to be played.
    #[inline]
    pub fn by(position: &Position, mv: Move) -> Self {
        let us = position.turn();
        let (to, arriving) = (mv.to_sq(), mv.piece_after_move());
        if mv.is_drop() {
            let kind =
                HandPiece::from_piece_type(arriving.piece_type()).expect("what is dropped was in hand");
            let held = position.hand(us).count(kind);
            return Self {
                removed: [in_hand(us, kind, held), 0],
                added: [on_board(arriving, to), 0],
                count: 1,
            };
        }
        let from = mv.from_sq();
        let mut change = Self {
            removed: [on_board(position.piece_on(from), from), 0],
            added: [on_board(arriving, to), 0],
            count: 1,
        };
        let captured = position.piece_on(to);
        if captured != Piece::NONE {
            // The king is never captured.
            if let Some(kind) = HandPiece::from_piece_type(captured.piece_type().demote()) {
                change.removed[1] = on_board(captured, to);
                change.added[1] = in_hand(us, kind, position.hand(us).count(kind) + 1);
                change.count = 2;
            }
        }
        change
    }

    /// What holds no longer.
    #[inline]
    pub fn removed(&self) -> &[Feature] {
        &self.removed[..usize::from(self.count)]
    }

    /// What holds now; as many as were removed.
    #[inline]
    pub fn added(&self) -> &[Feature] {
        &self.added[..usize::from(self.count)]
    }
}
