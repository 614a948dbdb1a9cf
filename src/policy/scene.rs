//! What all moves of a position share.

use serde::Deserialize;

use super::features::{
    FEW, FOLLOW, GUARD, KIND, KINDS, LANES, OFFSET, OFFSETS, REPLY, ROWS, SQUARES, STORM, WAKE, view,
};
use super::heavy::Heavy;
use super::neighbourhood::Neighbourhood;
use super::places::Places;
use super::squares::by_square;
use super::tactics::Tactics;
use crate::shogi::attacks::{SideAttacks, checking_squares, king_area, king_ring};
use crate::shogi::exchange::BOARD_VALUE;
use crate::shogi::reach::reach;
use crate::shogi::{Attacks, Bitboard, Color, Kind, Move, Piece, Position, Square, Walker};

/// The last move of a side: where it went as an [`OFFSET`] row, and the kind that arrived.
#[derive(Clone, Copy)]
pub(super) struct Last {
    pub place: usize,
    pub row: &'static [u8; SQUARES],
    pub kind: usize,
}

/// Rows by how a square lies to another.
#[derive(Clone, Copy)]
pub(super) struct Trace {
    row: &'static [u8; SQUARES],
    first: u16,
    step: u16,
}

impl Trace {
    /// Where there is no other square: a row beyond all rows.
    const NONE: Self = Self { row: &[0; SQUARES], first: ROWS as u16, step: 0 };

    #[inline(always)]
    pub fn at(&self, square: usize) -> u16 {
        self.first + u16::from(self.row[square]) * self.step
    }
}

/// How closely moves are looked at: one model for the tree, and a smaller one for playouts.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, PartialOrd, Ord)]
#[serde(rename_all = "lowercase")]
pub enum Look {
    /// What is quickly seen.
    Glance,
    /// Every feature.
    Full,
}

/// What all moves of a position share.
pub struct Scene<'a> {
    pub(super) position: &'a Position,
    pub(super) us: Color,
    /// By square: the least enemy that attacks it (3 bits), whether another does, whether an own piece attacks it and
    /// another, whether what has just moved attacks it, whether a move there helps the worthiest piece in danger.
    pub(super) marks: [u8; SQUARES],
    /// By square: what stands there, as a kind's number and one.
    pub(super) kinds: [u8; SQUARES],
    /// What stands where, as the side to move sees it, and for a full look who attacks it.
    pub(super) contents: Neighbourhood,
    /// Whence a piece of each kind would check.
    pub(super) checking: [Bitboard; Kind::COUNT],
    pub(super) last: Option<Last>,
    /// Rows of destinations.
    pub(super) places: Places,
    /// Where the kings stand, as the side to move sees them.
    pub(super) own_king: Option<usize>,
    pub(super) enemy_king: Option<usize>,
    /// By square as the side to move sees it: whether it is near the own king (1) and the enemy's (2).
    pub(super) near: [u8; SQUARES],
    /// Squares next to the kings, the own one first.
    pub(super) rings: [Bitboard; 2],
    /// How many of them the other side attacks, in four steps.
    pub(super) pressed: [usize; 2],
    pub(super) checkers: Bitboard,
    /// Squares the enemy king could go to, three at most.
    pub(super) freedom: usize,
    /// What only a full look sees.
    pub(super) details: Option<Details>,
}

/// What only a full look sees.
pub(super) struct Details {
    /// By square: which own sliders look at it (3 bits) and which of the enemy's, and whether an own piece stands there
    /// whose move may discover a check.
    pub lines: [u8; SQUARES],
    pub own_last: Option<Last>,
    /// Rows by how a destination lies to where the last move came from, and to where the own last move went.
    pub wake: Trace,
    pub follow: Trace,
    /// Where the rooks and bishops are.
    pub heavy: Heavy,
    /// By square: whether an enemy piece worth attacking stands there, what has just moved, an own piece in danger; and
    /// all of these squares.
    pub roles: [u8; SQUARES],
    pub targets: Bitboard,
    /// Where the worthiest own piece in danger stands; beyond the board where there is none.
    pub worthiest_place: usize,
    /// The numbers of the two worthiest kinds in danger, the first for nearly all moves and the second for the worthiest's
    /// own; one more than the last kind where there is none.
    pub neglect: [usize; 2],
    pub tactics: Tactics,
}

/// Bits of [`Scene::marks`].
pub(super) const LEAST_BITS: u8 = 7;
pub(super) const TWICE: u8 = 1 << 3;
pub(super) const OWN: u8 = 1 << 4;
pub(super) const OWN_TWICE: u8 = 1 << 5;
pub(super) const CHASED: u8 = 1 << 6;
pub(super) const RESCUED: u8 = 1 << 7;
/// Those that say who attacks a square.
pub(super) const ATTACKERS: u8 = LEAST_BITS | TWICE | OWN | OWN_TWICE;
/// Bits of [`Details::lines`].
pub(super) const LINE_BITS: u8 = 63;
pub(super) const DISCOVERS: u8 = 1 << 6;

impl<'a> Scene<'a> {
    /// Looks at where a walker stands.
    #[inline(always)]
    pub fn new(walker: &'a mut Walker, look: Look) -> Self {
        let tactics = (look == Look::Full).then(|| Tactics::of(walker));
        let walker = &*walker;
        let position = walker.position();
        let us = position.turn();
        let them = us.flip();
        let attacks = Attacks::of(position);
        let (own, enemy) = (attacks.by(us), attacks.by(them));
        let seen = |square: Square| (!square.is_none()).then(|| view(us, square));
        let last_move = walker.move_ago(1);
        let last_reach = last_move.map_or(Bitboard::EMPTY, |mv| {
            reach(mv.piece_after_move().piece_type(), them, mv.to_sq(), position.pieces())
        });
        let [least0, least1, least2] = enemy.least();
        let last = last_move.map(|mv| Last::on(us, mv, mv.to_sq()));
        let pressed = [(us, enemy), (them, own)].map(|(side, attackers)| {
            ((king_ring(position, side) & attackers.once).count() as usize).div_ceil(2).min(3)
        });
        let by_king = |side, family, pressed| {
            seen(position.king_square(side)).map_or(Trace::NONE, |king| Trace {
                row: &OFFSET[king],
                first: (family / LANES + pressed * OFFSETS * FEW * FEW) as u16,
                step: (FEW * FEW) as u16,
            })
        };
        // Who attacks a destination comes on top of the first two.
        let traces = [
            by_king(us, GUARD, pressed[0]),
            by_king(them, STORM, pressed[1]),
            last.map_or(Trace::NONE, |Last { row, kind, .. }| {
                let captured = usize::from(position.captured_piece() != Piece::NONE);
                Trace { row, first: (REPLY / LANES + (kind * 2 + captured) * OFFSETS) as u16, step: 1 }
            }),
        ];
        let mut contents = Neighbourhood::new(position, us);
        let (details, rescue) = match tactics {
            None => (None, Bitboard::EMPTY),
            Some(tactics) => {
                contents.mark_attacks(us, own, enemy);
                let (details, rescue) = Details::new(walker, tactics, own, enemy);
                (Some(details), rescue)
            }
        };
        let marks = by_square([least0, least1, least2, enemy.twice, own.once, own.twice, last_reach, rescue]);
        let kinds = kinds(position);
        let mut places = Places::new(us, &marks, &kinds, traces);
        if details.is_none() {
            places.pair(&contents);
        }
        Self {
            position,
            us,
            marks,
            kinds,
            contents,
            places,
            checking: std::array::from_fn(|kind| checking_squares(position, Kind::new(kind as i8))),
            last,
            own_king: seen(position.king_square(us)),
            enemy_king: seen(position.king_square(them)),
            near: near_kings(position, us),
            rings: [king_ring(position, us), king_ring(position, them)],
            pressed,
            checkers: position.checkers(),
            freedom: (attacks.king_freedom(position, them).count() as usize).min(3),
            details,
        }
    }
}

impl Last {
    /// A move as the side to move sees it, by one of its squares.
    fn on(us: Color, mv: Move, square: Square) -> Self {
        let place = view(us, square);
        let kind = usize::from(KIND[mv.piece_after_move().piece_type().to_index()]);
        Self { place, row: &OFFSET[place], kind }
    }
}

impl Details {
    /// Looks closely; says with it where a move helps the worthiest piece in danger.
    fn new(walker: &Walker, tactics: Tactics, own: &SideAttacks, enemy: &SideAttacks) -> (Self, Bitboard) {
        let position = walker.position();
        let us = position.turn();
        let them = us.flip();
        let (ours, theirs) = (position.pieces_by_color(us), position.pieces_by_color(them));
        let victims =
            theirs.and_not(position.pieces_by_type(Kind::PAWN)).and_not(position.pieces_by_type(Kind::KING));
        let ([lances, bishops, rooks], [their_lances, their_bishops, their_rooks]) = (own.lines, enemy.lines);
        let (endangered, worthiest) = in_danger(position, ours, own, enemy);
        let rescue = worthiest[0].map_or(Bitboard::EMPTY, |(square, _)| {
            // There may be several of the kind, and none must be preferred.
            let same = endangered & position.pieces_by_type(position.piece_on(square).piece_type());
            (&same).into_iter().fold(Bitboard::EMPTY, |set, square| set | rescue(position, square, them))
        });
        let discoverers = position.blockers_for_king(them) & ours;
        let last_move = walker.move_ago(1);
        let moved = last_move.map_or(Bitboard::EMPTY, |mv| Bitboard::from_square(mv.to_sq()));
        let own_last = walker.move_ago(2).map(|mv| Last::on(us, mv, mv.to_sq()));
        let mut roles = [0; SQUARES];
        for (set, role) in [(victims, VICTIM), (moved, MOVED), (endangered, ENDANGERED)] {
            for square in &set {
                roles[square.to_board_index()] |= role;
            }
        }
        let trace = |last: Option<Last>, family: usize| {
            last.map_or(Trace::NONE, |Last { row, kind, .. }| Trace {
                row,
                first: (family / LANES + kind * OFFSETS) as u16,
                step: 1,
            })
        };
        let from = last_move.filter(|mv| !mv.is_drop()).map(|mv| Last::on(us, mv, mv.from_sq()));
        let details = Self {
            lines: by_square([
                lances,
                bishops,
                rooks,
                their_lances,
                their_bishops,
                their_rooks,
                discoverers,
                Bitboard::EMPTY,
            ]),
            own_last,
            wake: trace(from, WAKE),
            follow: trace(own_last, FOLLOW),
            heavy: Heavy::new(position, us),
            roles,
            targets: victims | moved | endangered,
            neglect: worthiest.map(|piece| piece.map_or(KINDS, |(_, kind)| usize::from(kind))),
            worthiest_place: worthiest[0].map_or(SQUARES, |(square, _)| square.to_board_index()),
            tactics,
        };
        (details, rescue)
    }
}

/// What a piece may be to others: see [`Details::roles`].
pub(super) const VICTIM: u8 = 1;
pub(super) const MOVED: u8 = 2;
pub(super) const ENDANGERED: u8 = 4;

/// What attacks a square, and if that is a single slider what lies between.
fn rescue(position: &Position, square: Square, them: Color) -> Bitboard {
    let attackers = position.attackers_to_color_current(them, square);
    match (attackers.count(), (&attackers).into_iter().next()) {
        (1, Some(attacker)) => attackers | Bitboard::between(attacker, square),
        _ => attackers,
    }
}

/// Own pieces that are attacked by lesser pieces or not supported, with the two worthiest.
fn in_danger(
    position: &Position,
    ours: Bitboard,
    own: &SideAttacks,
    enemy: &SideAttacks,
) -> (Bitboard, [Option<(Square, u8)>; 2]) {
    let mut endangered = Bitboard::EMPTY;
    let mut worthiest = [None::<((i32, u8), Square, u8)>; 2];
    for square in &(ours & enemy.once) {
        let kind = position.piece_on(square).piece_type();
        if kind == Kind::KING || (own.once.test(square) && !enemy.by_lesser(kind).test(square)) {
            continue;
        }
        endangered.set(square);
        let number = KIND[kind.to_index()];
        // Of the same worth but not the same kind, the kind decides: squares must not, they look different from the
        // other side.
        let found = ((BOARD_VALUE[kind.to_index()], number), square, number);
        if worthiest[0].is_none_or(|best| found.0 > best.0) {
            worthiest = [Some(found), worthiest[0]];
        } else if worthiest[1].is_none_or(|best| found.0 > best.0) {
            worthiest[1] = Some(found);
        }
    }
    (endangered, worthiest.map(|piece| piece.map(|(_, square, kind)| (square, kind))))
}

/// What stands where, as a kind's number and one.
fn kinds(position: &Position) -> [u8; SQUARES] {
    let mut kinds = [0; SQUARES];
    for square in &position.pieces() {
        kinds[square.to_board_index()] = KIND[position.piece_on(square).piece_type().to_index()] + 1;
    }
    kinds
}

/// Which squares are near the own king (1) and the enemy's (2), as the side to move sees them.
fn near_kings(position: &Position, us: Color) -> [u8; SQUARES] {
    let mut near = [0; SQUARES];
    for (side, mark) in [(us, 1), (us.flip(), 2)] {
        for square in &king_area(position, side) {
            near[view(us, square)] |= mark;
        }
    }
    near
}
