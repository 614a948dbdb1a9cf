//! Who attacks what: maps made once a position, for the features of policies.

use rsshogi::board::attack_tables::{
    GOLD_ATTACKS, KING_ATTACKS, KNIGHT_ATTACKS, SILVER_ATTACKS, bishop_attacks, lance_attacks, rook_attacks,
};

use super::{Bitboard, Color, Kind, Position, Square};

/// Classes of pieces by rising worth: pawn; lance; knight; silver; gold and what moves like it; bishop;
/// rook; horse; dragon; king.
pub const CLASSES: usize = 10;

/// The class of each kind, by [`Kind::to_index`].
const CLASS: [u8; Kind::COUNT] = [0, 0, 1, 2, 3, 5, 6, 4, 9, 4, 4, 4, 4, 7, 8, 4];

/// The class of worth of a kind of piece, 0 to 9.
#[inline]
pub const fn class(kind: Kind) -> usize {
    CLASS[kind.to_index()] as usize
}

/// What one side attacks. Squares of own pieces count: they are protected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SideAttacks {
    /// Squares attacked at least once.
    pub once: Bitboard,
    /// Squares attacked at least twice.
    pub twice: Bitboard,
    /// Squares attacked by a piece of a lower class, for each class.
    by_lower: [Bitboard; CLASSES],
    /// What lances, bishops and rooks attack along their lines, promoted bishops and rooks too.
    pub lines: [Bitboard; 3],
}

impl SideAttacks {
    /// Squares attacked by a pawn.
    #[inline]
    pub fn by_pawn(&self) -> Bitboard {
        self.by_lower[class(Kind::LANCE)]
    }

    /// Squares attacked by a piece worth less than `kind`: where a piece of that kind would rather not stand.
    #[inline]
    pub fn by_lesser(&self, kind: Kind) -> Bitboard {
        self.by_lower[class(kind)]
    }

    /// The least piece that attacks each square, as the bits of a number, the lowest first: 0 nobody, 1 a king, 2 a
    /// rook or bishop, 3 a gold, 4 a silver, 5 a knight or lance, 6 a pawn; promoted pieces count as what they move
    /// like.
    #[inline]
    pub fn least(&self) -> [Bitboard; 3] {
        // Each of these sets holds the next: how many hold a square is the number.
        let sets = [9, 5, 4, 3, 1].map(|class| self.by_lower[class]);
        let [majors, _, silvers, _, pawns] = sets;
        let odd = sets.into_iter().fold(self.once, |odd, set| odd ^ set);
        [odd, majors.and_not(silvers) | pawns, silvers]
    }

    fn add(&mut self, attacked: Bitboard) {
        self.twice |= self.once & attacked;
        self.once |= attacked;
    }

    /// Adds what a slider attacks: a line, and steps beside it.
    fn add_line(&mut self, kind: usize, line: Bitboard, steps: Bitboard) {
        self.lines[kind] |= line;
        self.add(line | steps);
    }

    fn of(position: &Position, side: Color) -> Self {
        let mut map = Self {
            once: Bitboard::EMPTY,
            twice: Bitboard::EMPTY,
            by_lower: [Bitboard::EMPTY; CLASSES],
            lines: [Bitboard::EMPTY; 3],
        };
        let color = side.to_index();
        let own = position.pieces_by_color(side);
        let occupied = position.pieces();
        let of_kind = |kind| own & position.pieces_by_type(kind);

        // In the order of classes, so that what is there before a class begins is what lesser pieces attack.
        map.add(pawn_reach(of_kind(Kind::PAWN), side));
        map.by_lower[1] = map.once;
        for square in &of_kind(Kind::LANCE) {
            map.add_line(0, lance_attacks(square, occupied, side), Bitboard::EMPTY);
        }
        map.by_lower[2] = map.once;
        for square in &of_kind(Kind::KNIGHT) {
            map.add(KNIGHT_ATTACKS[square][color]);
        }
        map.by_lower[3] = map.once;
        for square in &of_kind(Kind::SILVER) {
            map.add(SILVER_ATTACKS[square][color]);
        }
        map.by_lower[4] = map.once;
        for square in &(own & position.golds()) {
            map.add(GOLD_ATTACKS[square][color]);
        }
        map.by_lower[5] = map.once;
        for square in &of_kind(Kind::BISHOP) {
            map.add_line(1, bishop_attacks(square, occupied), Bitboard::EMPTY);
        }
        map.by_lower[6] = map.once;
        for square in &of_kind(Kind::ROOK) {
            map.add_line(2, rook_attacks(square, occupied), Bitboard::EMPTY);
        }
        map.by_lower[7] = map.once;
        for square in &of_kind(Kind::HORSE) {
            map.add_line(1, bishop_attacks(square, occupied), KING_ATTACKS[square]);
        }
        map.by_lower[8] = map.once;
        for square in &of_kind(Kind::DRAGON) {
            map.add_line(2, rook_attacks(square, occupied), KING_ATTACKS[square]);
        }
        map.by_lower[9] = map.once;
        map.add(king_ring(position, side));
        map
    }
}

/// Attack maps of both sides in one position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attacks {
    sides: [SideAttacks; 2],
}

impl Attacks {
    /// Computes the maps.
    pub fn of(position: &Position) -> Self {
        Self { sides: [SideAttacks::of(position, Color::Black), SideAttacks::of(position, Color::White)] }
    }

    /// What `side` attacks.
    #[inline]
    pub fn by(&self, side: Color) -> &SideAttacks {
        &self.sides[side.to_index()]
    }

    /// Squares next to the king of `side` where it could step: not its own pieces', not attacked. (A slider
    /// that sees through the king is not taken into account.)
    pub fn king_freedom(&self, position: &Position, side: Color) -> Bitboard {
        king_ring(position, side).and_not(position.pieces_by_color(side)).and_not(self.by(side.flip()).once)
    }
}

/// The squares next to the king of `side`; none where it has no king.
#[inline]
pub fn king_ring(position: &Position, side: Color) -> Bitboard {
    let king = position.king_square(side);
    if king.is_none() { Bitboard::EMPTY } else { KING_ATTACKS[king] }
}

/// The squares at most two away from the king of `side`, its own included; none where it has no king.
#[inline]
pub fn king_area(position: &Position, side: Color) -> Bitboard {
    let king = position.king_square(side);
    if king.is_none() { Bitboard::EMPTY } else { AREAS[king.to_board_index()] }
}

/// The squares from which a piece of `kind` of the side to move would check the other king.
#[inline]
pub fn checking_squares(position: &Position, kind: Kind) -> Bitboard {
    position.check_square(kind)
}

/// Where pawns of `side` attack: a step forward. Files are runs of nine bits that do not straddle the two
/// halves of a set, and no pawn stands on its last rank, so a shift does it.
#[inline]
pub fn pawn_reach(pawns: Bitboard, side: Color) -> Bitboard {
    let [low, high] = pawns.parts();
    match side {
        Color::Black => Bitboard::from_parts([low >> 1, high >> 1]),
        Color::White => Bitboard::from_parts([low << 1, high << 1]),
    }
}

static AREAS: [Bitboard; Square::COUNT] = areas();

const fn areas() -> [Bitboard; Square::COUNT] {
    let mut table = [Bitboard::EMPTY; Square::COUNT];
    let mut centre = 0;
    while centre < Square::COUNT {
        let mut bits = 0u128;
        let mut other = 0;
        while other < Square::COUNT {
            if (centre / 9).abs_diff(other / 9) <= 2 && (centre % 9).abs_diff(other % 9) <= 2 {
                bits |= 1 << other;
            }
            other += 1;
        }
        table[centre] = Bitboard::from_packed_bits(bits);
        centre += 1;
    }
    table
}
