//! What the policies can see of a move, in numbers: binary features of (position, move).
//!
//! Everything is seen by the side to move, playing upwards, and left-right mirror images share their features. An
//! *actor* is who moves and how: a kind on the board, a kind that promotes, or a kind that is dropped.
//!
//! Features come in *rows* of [`LANES`]: a row is something that is so, for example what stands ahead of the
//! destination, and its lanes are the actors it may be so for. A row fills a cache line, and the rows of a destination
//! are summed up once for all who go there.

use crate::shogi::{Color, Kind, Square};

/// Features a row.
pub const LANES: usize = 32;
/// Kinds on the board, six that promote, seven that are dropped.
pub const ACTORS: usize = 14 + 6 + 7;
/// Kinds of pieces.
pub const KINDS: usize = 14;
/// Squares of the board.
pub const SQUARES: usize = Square::COUNT;
/// Offsets between squares: 0 to 8 files either way, 8 ranks back to 8 ranks forward.
pub const OFFSETS: usize = 9 * 17;
/// Nobody, one, or more.
pub const FEW: usize = 3;
/// The least of those who attack: nobody, king, rook or bishop, gold, silver, knight or lance, pawn.
pub const LEAST: usize = 7;
/// What stands on a neighbouring square: nothing, the edge, a kind of either side.
pub const CONTENTS: usize = 2 + 2 * KINDS;
/// Neighbours by mirror image: ahead, ahead and aside, aside, behind and aside, behind, two ahead, a knight's jump.
pub const DIRECTIONS: usize = 7;
/// Sets of sliders: lances, bishops, rooks, or any of them together.
pub const LINES: usize = 8;
/// Files a rook may be on; the last for no rook on the board, or two.
pub const FILES: usize = 10;
/// How a piece stands: not attacked; attacked and supported; attacked by a lesser piece but supported; attacked alone.
pub const STANDS: usize = 4;

/// A family of features: where its numbers begin. Sizes are in rows.
macro_rules! families {
    ($($(#[$doc:meta])* $name:ident: $size:expr;)*) => {
        /// Names of the families and where they begin.
        pub const FAMILIES: &[(&str, usize)] = &families!(@list [] 0usize; $($name: $size;)*);
        families!(@consts 0usize; $($(#[$doc])* $name: $size;)*);
    };
    (@list [$($done:tt)*] $start:expr; $name:ident: $size:expr; $($rest:tt)*) => {
        families!(@list [$($done)* (stringify!($name), $start),] $start + ($size) * LANES; $($rest)*)
    };
    (@list [$($done:tt)*] $start:expr;) => { [$($done)*] };
    (@consts $start:expr; $(#[$doc:meta])* $name:ident: $size:expr; $($rest:tt)*) => {
        $(#[$doc])*
        pub const $name: usize = $start;
        families!(@consts $start + ($size) * LANES; $($rest)*);
    };
    (@consts $start:expr;) => {
        /// Number of features.
        pub const COUNT: usize = $start;
    };
}

families! {
    // Of where a move goes.
    /// Destination.
    TO: SQUARES;
    /// Destination as seen from the own king.
    OWN_KING: OFFSETS;
    /// Destination as seen from the enemy king.
    ENEMY_KING: OFFSETS;
    /// Destination for each place of the own king.
    OWN_KING_TO: SQUARES * SQUARES;
    /// Destination for each place of the enemy king.
    ENEMY_KING_TO: SQUARES * SQUARES;
    /// Destination for each file of the own rook.
    OWN_ROOK_TO: FILES * SQUARES;
    /// Destination for each file of the enemy rook.
    ENEMY_ROOK_TO: FILES * SQUARES;
    /// Destination as seen from the own king, who attacks and who supports it, and how hard pressed the king is.
    GUARD: OFFSETS * FEW * FEW * 4;
    /// Destination as seen from the enemy king, who attacks and who supports it, and how hard pressed the king is.
    STORM: OFFSETS * FEW * FEW * 4;
    /// What is captured, the least that attacks the destination, whether another does, and whether one or more support
    /// it: how the exchange goes.
    EXCHANGE: (KINDS + 1) * 64;
    /// Destination as seen from where the last move went, what moved there, and whether it captured.
    REPLY: OFFSETS * KINDS * 2;
    /// Destination as seen from where the last move came from, and what moved.
    WAKE: OFFSETS * KINDS;
    /// Destination by which sides have a bishop in hand.
    BISHOPS_TO: 4 * SQUARES;
    /// Destination as seen from where the own last move went, and what moved there.
    FOLLOW: OFFSETS * KINDS;
    /// Which sliders of either side look at the destination.
    LINES_TO: LINES * LINES;
    /// What stands near the destination, and who attacks that.
    NEIGHBOUR: DIRECTIONS * CONTENTS * 4;
    /// The move takes what attacks an own kind in danger, or goes between.
    RESCUE: KINDS;
    // Of the position.
    /// What both sides have in hand, pawns aside.
    HANDS: 4 * 4;
    /// A kind in a hand, the own or the enemy's.
    HOLD: 2 * 7;
    /// How many of the kind there are in hand, for drops.
    STOCK: 4;
    /// How hard pressed both kings are, and whether the move is near them.
    URGENCY: 4 * 4 * 2 * 2;
    /// The worthiest own kind in danger that the move leaves there, if any.
    NEGLECT: KINDS + 1;
    // Of what the piece does there.
    /// How many squares next to the enemy king it attacks, by how many are left to it.
    RING: 6 * 4;
    /// How many squares next to the own king it protects, by how hard pressed that is.
    SHELTER: 6 * 4;
    /// How many squares a slider looks at.
    MOBILITY: 16;
    /// An enemy kind that it attacks, protected or not, and how it stands itself.
    ATTACK: KINDS * 2 * STANDS;
    /// It attacks what has just moved: its kind, protected or not, and how it stands itself.
    CHASE: KINDS * 2 * STANDS;
    /// How many enemy pieces it attacks that are loose or worthier, and how it stands itself.
    FORK: 4 * STANDS;
    /// An own kind it protects that was in danger.
    PROTECT: KINDS;
    /// It checks: from next to the king or not, how it stands, and squares left to the king.
    CHECK: 2 * STANDS * 4;
    /// It discovers a check.
    DISCOVER: 1;
    /// Reply to a check: taking, interposing or stepping, and how it stands.
    EVASION: 3 * STANDS;
    /// How it stood, how it will stand, and whether it captures.
    FLIGHT: STANDS * STANDS * 2;
    // Of where a piece on the board comes from; lanes are kinds, and half of them is enough.
    /// Origin for each place of the own king.
    OWN_KING_FROM: SQUARES * SQUARES / 2 + 1;
    /// Origin for each place of the enemy king.
    ENEMY_KING_FROM: SQUARES * SQUARES / 2 + 1;
    /// Origin as seen from where the last move went, and what moved there.
    LEAVE: (OFFSETS * KINDS).div_ceil(2);
    /// Origin as seen from where the own last move went, and what moved there.
    AGAIN: (OFFSETS * KINDS).div_ceil(2);
    /// What stands next to the origin.
    LEFT: DIRECTIONS * CONTENTS * 2;
    /// Which sliders of either side look at the origin.
    LINES_FROM: LINES * LINES / 2;
    /// The least that attacks it, whether it is protected, and whether what just moved attacks it.
    ESCAPE: LEAST * 2;
    /// Kind, origin and destination.
    FROM_TO: (KINDS * SQUARES * SQUARES).div_ceil(LANES);
    // Of where a move goes, at a glance.
    /// What stands on opposite sides of the destination: ahead and behind, and the three pairs aside.
    OPPOSITES: 4 * CONTENTS * CONTENTS;
    // Of what a look a few plies ahead tells.
    /// It mates, at once or in three plies.
    MATE: 2;
    /// Whether the opponent mates at once after it, where he gives check or would mate if nothing were done; by which of
    /// the two, and how many moves parry.
    PARRY: 2 * 2 * 4;
}

/// Hashes a family of patterns has.
pub const HASHES: usize = 1 << 19;

/// What stands around the destination.
pub const PATTERN: usize = COUNT;
/// What stands around the destination, and who attacks it.
pub const PATTERN_REACHED: usize = PATTERN + HASHES;
/// What stands around the origin.
pub const PATTERN_LEFT: usize = PATTERN_REACHED + HASHES;
/// Origin and destination after the last move.
pub const SEQUENCE: usize = PATTERN_LEFT + HASHES;
/// Number of features with those that are hashes, which come after all others and mean the same in all phases.
pub const TOTAL: usize = SEQUENCE + HASHES;

/// Names of the families of hashes and where they begin.
pub const HASHED_FAMILIES: [(&str, usize); 4] = [
    ("PATTERN", PATTERN),
    ("PATTERN_REACHED", PATTERN_REACHED),
    ("PATTERN_LEFT", PATTERN_LEFT),
    ("SEQUENCE", SEQUENCE),
];

/// Names of the families that a glance sees.
pub const GLANCE: [&str; 20] = [
    "TO",
    "OWN_KING",
    "ENEMY_KING",
    "OWN_KING_TO",
    "ENEMY_KING_TO",
    "GUARD",
    "STORM",
    "EXCHANGE",
    "REPLY",
    "OPPOSITES",
    "HANDS",
    "HOLD",
    "STOCK",
    "URGENCY",
    "CHECK",
    "EVASION",
    "OWN_KING_FROM",
    "ENEMY_KING_FROM",
    "LEAVE",
    "ESCAPE",
];

/// A number below [`HASHES`] for three numbers.
#[inline]
pub fn hash(a: u64, b: u64, c: u64) -> usize {
    let sum = a.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ b.wrapping_mul(0xd6e8_feb8_6659_fd93) ^ c;
    let mixed = (sum ^ sum >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    (mixed >> (u64::BITS - HASHES.ilog2())) as usize
}

/// Number of rows.
pub const ROWS: usize = COUNT / LANES;
const _: () = assert!(ROWS * LANES == COUNT);

/// Lanes of families whose lanes are kinds.
pub const KIND_LANES: usize = 16;

/// Numbers of kinds as features count them, by [`Kind::to_index`]: those that promote come first, then gold.
pub const KIND: [u8; Kind::COUNT] = [0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 0];

/// What the number of an actor begins at for promotions (by the kind before) and for drops.
pub const PROMOTING: usize = 14;
/// See [`PROMOTING`].
pub const DROPPING: usize = 20;

/// Offsets between any two squares of which the second is seen from the first.
pub static OFFSET: [[u8; SQUARES]; SQUARES] = {
    let mut table = [[0; SQUARES]; SQUARES];
    let mut from = 0;
    while from < SQUARES {
        let mut to = 0;
        while to < SQUARES {
            let files = (from / 9).abs_diff(to / 9);
            let ranks = to % 9 + 8 - from % 9;
            table[from][to] = (files * 17 + ranks) as u8;
            to += 1;
        }
        from += 1;
    }
    table
};

/// The left-right mirror image of a square.
pub const fn mirror(square: usize) -> usize {
    (8 - square / 9) * 9 + square % 9
}

/// A square or its mirror image, whichever is on the near side.
#[inline]
pub const fn half(square: usize) -> usize {
    if square >= 5 * 9 { mirror(square) } else { square }
}

/// A number for two squares and for their mirror images: those of the two that have the first, or where that is in the
/// middle the second, on the near side.
#[inline]
pub fn pair(a: usize, b: usize) -> usize {
    usize::from(PAIRS[a][b])
}

static PAIRS: [[u16; SQUARES]; SQUARES] = {
    let mut table = [[0; SQUARES]; SQUARES];
    let mut a = 0;
    while a < SQUARES {
        let mut b = 0;
        while b < SQUARES {
            let turn = a / 9 > 4 || (a / 9 == 4 && b / 9 > 4);
            let (x, y) = if turn { (mirror(a), mirror(b)) } else { (a, b) };
            table[a][b] = (x * SQUARES + y) as u16;
            b += 1;
        }
        a += 1;
    }
    table
};

/// A square as the side to move sees it.
#[inline]
pub fn view(us: Color, square: Square) -> usize {
    turned(us, square.to_board_index())
}

/// The same by a square's number.
#[inline]
pub fn turned(us: Color, place: usize) -> usize {
    match us {
        Color::Black => place,
        Color::White => SQUARES - 1 - place,
    }
}
