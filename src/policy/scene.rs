//! What all moves of a position share, and from it the features of each.

use super::features::{
    AGAIN, ATTACK, BISHOPS_TO, CHASE, CHECK, CONTENTS, DISCOVER, DROPPING, ENEMY_KING, ENEMY_KING_FROM,
    ENEMY_KING_TO, ENEMY_ROOK_TO, ESCAPE, EVASION, EXCHANGE, FEW, FILES, FLIGHT, FOLLOW, FORK, FROM_TO,
    GUARD, HANDS, HOLD, KIND, KIND_LANES, KINDS, LANES, LEAVE, LEFT, LINES_FROM, LINES_TO, MOBILITY, NEGLECT,
    NEIGHBOUR, OFFSET, OWN_KING, OWN_KING_FROM, OWN_KING_TO, OWN_ROOK_TO, PROMOTING, PROTECT, REPLY, RESCUE,
    RING, SHELTER, SQUARES, STANDS, STOCK, STORM, TO, URGENCY, WAKE, half, mirror, pair, view,
};
use super::squares::{by_square, holds, packed};
use crate::shogi::attacks::{SideAttacks, checking_squares, king_area, king_ring};
use crate::shogi::exchange::BOARD_VALUE;
use crate::shogi::reach::reach;
use crate::shogi::{Attacks, Bitboard, Color, HandPiece, Kind, Move, Piece, Position, Square, Walker};

/// A board with an edge around it: a file either side, two ranks ahead and behind.
const EDGED: usize = 11 * RANKS;
const RANKS: usize = 13;

/// Where a square lies on the edged board.
#[inline]
fn edged(square: usize) -> usize {
    usize::from(PLACES[square])
}

static PLACES: [u8; SQUARES] = {
    let mut table = [0; SQUARES];
    let mut square = 0;
    while square < SQUARES {
        table[square] = ((square / 9 + 1) * RANKS + square % 9 + 2) as u8;
        square += 1;
    }
    table
};

/// Steps to the neighbours on the edged board with the direction they count as.
const NEIGHBOURS: [(isize, usize); 11] = {
    const FILE: isize = RANKS as isize;
    [
        (-1, 0),
        (FILE - 1, 1),
        (-FILE - 1, 1),
        (FILE, 2),
        (-FILE, 2),
        (FILE + 1, 3),
        (-FILE + 1, 3),
        (1, 4),
        (-2, 5),
        (FILE - 2, 6),
        (-FILE - 2, 6),
    ]
};

/// Contents of the edge.
const EDGE: u8 = 4;

/// The last move of a side: where it went as an [`OFFSET`] row, and the kind that arrived.
#[derive(Clone, Copy)]
struct Last {
    row: &'static [u8; SQUARES],
    kind: usize,
}

/// What all moves of a position share.
pub struct Scene<'a> {
    position: &'a Position,
    pub(super) us: Color,
    /// By square: the least enemy that attacks it (3 bits), whether another does, whether an own piece attacks it and
    /// another, whether what has just moved attacks it, whether a move there helps the worthiest piece in danger.
    marks: [u8; SQUARES],
    /// By square: which own sliders look at it (3 bits) and which of the enemy's, and whether an own piece stands there
    /// whose move may discover a check.
    lines: [u8; SQUARES],
    /// By square: what stands there, as a kind's number and one.
    kinds: [u8; SQUARES],
    /// What stands where, as the side to move sees it, and who attacks it.
    contents: [u8; EDGED],
    /// Whence a piece of each kind would check.
    checking: [Bitboard; Kind::COUNT],
    last: Option<Last>,
    last_captured: usize,
    /// The same for where the last move came from, if it did not come from a hand.
    wake: Option<Last>,
    own_last: Option<Last>,
    /// Where the kings stand, as the side to move sees them.
    pub(super) own_king: Option<usize>,
    pub(super) enemy_king: Option<usize>,
    /// By square as the side to move sees it: whether it is near the own king (1) and the enemy's (2).
    near: [u8; SQUARES],
    /// The files of the rooks, as families number them.
    own_rook: usize,
    enemy_rook: usize,
    /// Whether there is a bishop in the own hand (2) and the enemy's (1).
    bishops: usize,
    /// Squares next to the kings, the own one first.
    rings: [Bitboard; 2],
    /// How many of them the other side attacks, in four steps.
    pressed: [usize; 2],
    /// By square: whether an enemy piece worth attacking stands there, what has just moved, an own piece in danger; and
    /// all of these squares.
    roles: [u8; SQUARES],
    targets: Bitboard,
    /// Where the worthiest own piece in danger stands; beyond the board where there is none.
    worthiest_place: usize,
    /// The numbers of the two worthiest kinds in danger, the first for nearly all moves and the second for the worthiest's
    /// own; one more than the last kind where there is none.
    neglect: [usize; 2],
    checkers: Bitboard,
    /// Squares the enemy king could go to, three at most.
    freedom: usize,
}

/// Bits of [`Scene::marks`].
const LEAST_BITS: u8 = 7;
const TWICE: u8 = 1 << 3;
const OWN: u8 = 1 << 4;
const OWN_TWICE: u8 = 1 << 5;
const CHASED: u8 = 1 << 6;
const RESCUED: u8 = 1 << 7;
/// Bits of [`Scene::lines`].
const LINE_BITS: u8 = 63;
const DISCOVERS: u8 = 1 << 6;

/// By the bits for attackers: how many of either side, as families number it.
static FEW_OF_BOTH: [u8; 64] = {
    let mut table = [0; 64];
    let mut marks = 0;
    while marks < 64 {
        let enemies = (marks as u8 & LEAST_BITS != 0) as u8 + (marks as u8 & TWICE != 0) as u8;
        let own = (marks as u8 & OWN != 0) as u8 + (marks as u8 & OWN_TWICE != 0) as u8;
        table[marks] = enemies * FEW as u8 + own;
        marks += 1;
    }
    table
};

impl<'a> Scene<'a> {
    /// Looks at where a walker stands.
    pub fn new(walker: &'a Walker) -> Self {
        let position = walker.position();
        let us = position.turn();
        let them = us.flip();
        let attacks = Attacks::of(position);
        let (own, enemy) = (attacks.by(us), attacks.by(them));
        let seen = |square: Square| (!square.is_none()).then(|| view(us, square));
        let last_on = |mv: Move, square: Square| Last {
            row: &OFFSET[view(us, square)],
            kind: usize::from(KIND[mv.piece_after_move().piece_type().to_index()]),
        };
        let last_move = walker.move_ago(1);
        let last_reach = last_move.map_or(Bitboard::EMPTY, |mv| {
            reach(mv.piece_after_move().piece_type(), them, mv.to_sq(), position.pieces())
        });
        let (ours, theirs) = (position.pieces_by_color(us), position.pieces_by_color(them));
        let victims =
            theirs.and_not(position.pieces_by_type(Kind::PAWN)).and_not(position.pieces_by_type(Kind::KING));
        let [least0, least1, least2] = enemy.least();
        let ([lances, bishops, rooks], [their_lances, their_bishops, their_rooks]) = (own.lines, enemy.lines);
        let (endangered, worthiest) = in_danger(position, ours, own, enemy);
        let rescue = worthiest[0].map_or(Bitboard::EMPTY, |(square, _)| {
            // There may be several of the kind, and none must be preferred.
            let same = endangered & position.pieces_by_type(position.piece_on(square).piece_type());
            (&same).into_iter().fold(Bitboard::EMPTY, |set, square| set | rescue(position, square, them))
        });
        let discoverers = position.blockers_for_king(them) & ours;
        let (kinds, contents) = contents(position, us, own, enemy);
        let moved = last_move.map_or(Bitboard::EMPTY, |mv| Bitboard::from_square(mv.to_sq()));
        let mut near = [0; SQUARES];
        for (side, mark) in [(us, 1), (them, 2)] {
            for square in &king_area(position, side) {
                near[view(us, square)] |= mark;
            }
        }
        let mut roles = [0; SQUARES];
        for (set, role) in [(victims, VICTIM), (moved, MOVED), (endangered, ENDANGERED)] {
            for square in &set {
                roles[square.to_board_index()] |= role;
            }
        }
        Self {
            position,
            us,
            marks: by_square([least0, least1, least2, enemy.twice, own.once, own.twice, last_reach, rescue]),
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
            kinds,
            contents,
            checking: std::array::from_fn(|kind| checking_squares(position, Kind::new(kind as i8))),
            last: last_move.map(|mv| last_on(mv, mv.to_sq())),
            wake: last_move.filter(|mv| !mv.is_drop()).map(|mv| last_on(mv, mv.from_sq())),
            last_captured: usize::from(position.captured_piece() != Piece::NONE),
            own_last: walker.move_ago(2).map(|mv| last_on(mv, mv.to_sq())),
            bishops: [us, them]
                .map(|side| usize::from(position.hand(side).has(Kind::BISHOP)))
                .into_iter()
                .fold(0, |sum, has| sum * 2 + has),
            own_king: seen(position.king_square(us)),
            enemy_king: seen(position.king_square(them)),
            near,
            own_rook: rook_file(position, us, us),
            enemy_rook: rook_file(position, them, us),
            rings: [king_ring(position, us), king_ring(position, them)],
            pressed: [(us, enemy), (them, own)].map(|(side, attackers)| {
                ((king_ring(position, side) & attackers.once).count() as usize).div_ceil(2).min(3)
            }),
            roles,
            targets: victims | moved | endangered,
            neglect: worthiest.map(|piece| piece.map_or(KINDS, |(_, kind)| usize::from(kind))),
            worthiest_place: worthiest[0].map_or(SQUARES, |(square, _)| square.to_board_index()),
            checkers: position.checkers(),
            freedom: (attacks.king_freedom(position, them).count() as usize).min(3),
        }
    }

    /// Shows every feature of a legal move.
    pub fn visit(&self, mv: Move, mut visit: impl FnMut(usize)) {
        let who = self.mover(mv);
        let to = view(self.us, mv.to_sq());
        self.king_rows(to, |row| visit(row + who.actor));
        visit(self.urgency_row(self.nearness(to)) + who.actor);
        self.position_rows(|row| visit(row + who.actor));
        self.stock_features(|feature| {
            if feature % LANES == who.actor {
                visit(feature);
            }
        });
        self.place_rows(mv.to_sq(), |row| visit(row + who.actor));
        if !mv.is_drop() {
            self.origin_features(mv.from_sq(), &mut visit);
        }
        self.move_features(mv, who, &mut visit);
        self.reach_features(mv.to_sq(), who, &mut visit);
    }

    /// Who moves.
    #[inline(always)]
    pub(super) fn actor(&self, mv: Move) -> usize {
        if mv.is_drop() {
            return DROPPING + usize::from(KIND[mv.piece_after_move().piece_type().to_index()]);
        }
        let before = self.kind_on(mv.from_sq());
        if mv.is_promotion() { PROMOTING + before } else { before }
    }

    /// Who moves, and how it will stand.
    #[inline(always)]
    pub(super) fn mover(&self, mv: Move) -> Mover {
        let arriving = mv.piece_after_move().piece_type();
        let marks = self.marks[mv.to_sq().to_board_index()];
        // A piece on the board attacks its destination too, but will not support itself there.
        let support = if mv.is_drop() { OWN } else { OWN_TWICE };
        let stands = stands(LESSER[usize::from(KIND[arriving.to_index()])], marks, support);
        Mover { actor: self.actor(mv), arriving, stands }
    }

    /// The number of the kind on a square that is not empty.
    #[inline]
    fn kind_on(&self, square: Square) -> usize {
        usize::from(self.kinds[square.to_board_index()].wrapping_sub(1)) % KIND_LANES
    }

    /// Rows of a destination, as the side to move sees it, by where the kings are: those that weights fold.
    #[inline]
    fn king_rows(&self, to: usize, mut visit: impl FnMut(usize)) {
        visit(TO + half(to) * LANES);
        if let Some(king) = self.own_king {
            own_king_rows(king, to).into_iter().for_each(&mut visit);
        }
        if let Some(king) = self.enemy_king {
            enemy_king_rows(king, to).into_iter().for_each(visit);
        }
    }

    /// The other rows of a destination.
    #[inline(always)]
    pub(super) fn place_rows(&self, square: Square, mut visit: impl FnMut(usize)) {
        let to = view(self.us, square);
        let marks = self.marks[square.to_board_index()];
        let attackers = usize::from(FEW_OF_BOTH[usize::from(marks & 63)]);
        if let Some(king) = self.own_king {
            let offset = usize::from(OFFSET[king][to]);
            visit(GUARD + ((offset * 4 + self.pressed[0]) * FEW * FEW + attackers) * LANES);
        }
        if let Some(king) = self.enemy_king {
            let offset = usize::from(OFFSET[king][to]);
            visit(STORM + ((offset * 4 + self.pressed[1]) * FEW * FEW + attackers) * LANES);
        }
        let captured = usize::from(self.kinds[square.to_board_index()]);
        visit(EXCHANGE + (captured * 64 + usize::from(marks & 63)) * LANES);
        if let Some(Last { row, kind }) = self.last {
            visit(REPLY + ((usize::from(row[to]) * KINDS + kind) * 2 + self.last_captured) * LANES);
        }
        for (file, family) in [(self.own_rook, OWN_ROOK_TO), (self.enemy_rook, ENEMY_ROOK_TO)] {
            visit(family + usize::from(ROOK_ROWS[file][to]) * LANES);
        }
        if let Some(Last { row, kind }) = self.own_last {
            visit(FOLLOW + (usize::from(row[to]) * KINDS + kind) * LANES);
        }
        if let Some(Last { row, kind }) = self.wake {
            visit(WAKE + (usize::from(row[to]) * KINDS + kind) * LANES);
        }
        visit(BISHOPS_TO + (self.bishops * SQUARES + half(to)) * LANES);
        visit(LINES_TO + usize::from(self.lines[square.to_board_index()] & LINE_BITS) * LANES);
        let around = edged(to) as isize;
        for (step, direction) in NEIGHBOURS {
            let content = usize::from(self.contents[(around + step) as usize]);
            visit(NEIGHBOUR + (direction * CONTENTS * 4 + content) * LANES);
        }
        if marks & RESCUED != 0 {
            visit(RESCUE + self.neglect[0] * LANES);
        }
    }

    /// Whether a destination is near the own king (1) and the enemy's (2).
    #[inline]
    pub(super) fn nearness(&self, to: usize) -> usize {
        usize::from(self.near[to])
    }

    /// The row that only depends on the position and on [`Self::nearness`].
    #[inline]
    pub(super) fn urgency_row(&self, near: usize) -> usize {
        URGENCY + ((self.pressed[0] * 4 + self.pressed[1]) * 4 + near) * LANES
    }

    /// Rows that only depend on the position.
    #[inline]
    pub(super) fn position_rows(&self, mut visit: impl FnMut(usize)) {
        let mut pieces = [0; 2];
        for (side, color) in [self.us, self.us.flip()].into_iter().enumerate() {
            let hand = self.position.hand(color);
            for (number, kind) in HandPiece::iter().enumerate() {
                let count = hand.count(kind) as usize;
                if count > 0 {
                    visit(HOLD + (side * 7 + number) * LANES);
                    pieces[side] += if number == 0 { 0 } else { count };
                }
            }
        }
        visit(HANDS + (pieces[0].min(3) * 4 + pieces[1].min(3)) * LANES);
    }

    /// How many there are in hand of each kind, for the actors that drop it.
    #[inline]
    pub(super) fn stock_features(&self, mut visit: impl FnMut(usize)) {
        let hand = self.position.hand(self.us);
        for kind in HandPiece::iter() {
            if let Some(more) = hand.count(kind).checked_sub(1) {
                let actor = DROPPING + usize::from(KIND[kind.to_piece_type().to_index()]);
                visit(STOCK + more.min(3) as usize * LANES + actor);
            }
        }
    }

    /// Features of where a piece on the board comes from, whatever its move.
    #[inline(always)]
    pub(super) fn origin_features(&self, from: Square, mut visit: impl FnMut(usize)) {
        let seen = view(self.us, from);
        let before = self.kind_on(from);
        if let Some(king) = self.own_king {
            visit(king_from(OWN_KING_FROM, king, seen) + before);
        }
        if let Some(king) = self.enemy_king {
            visit(king_from(ENEMY_KING_FROM, king, seen) + before);
        }
        if let Some(Last { row, kind }) = self.last {
            visit(LEAVE + (usize::from(row[seen]) * KINDS + kind) * KIND_LANES + before);
        }
        let place = from.to_board_index();
        let marks = self.marks[place];
        let least = usize::from(marks & LEAST_BITS);
        let [held, chased] = [OWN, CHASED].map(|bit| usize::from(marks & bit != 0));
        visit(ESCAPE + ((least * 2 + held) * 2 + chased) * KIND_LANES + before);
        if let Some(Last { row, kind }) = self.own_last {
            visit(AGAIN + (usize::from(row[seen]) * KINDS + kind) * KIND_LANES + before);
        }
        let around = edged(seen) as isize;
        for (step, direction) in NEIGHBOURS.into_iter().take(8) {
            let content = usize::from(self.contents[(around + step) as usize]);
            visit(LEFT + (direction * CONTENTS * 4 + content) * KIND_LANES + before);
        }
        visit(LINES_FROM + usize::from(self.lines[from.to_board_index()] & LINE_BITS) * KIND_LANES + before);
    }

    /// Features that no other move shares.
    #[inline(always)]
    pub(super) fn move_features(&self, mv: Move, who: Mover, mut visit: impl FnMut(usize)) {
        let Mover { actor, arriving, stands: will_stand } = who;
        let to = mv.to_sq();
        let checks = holds(&self.checking[arriving.to_index()], to);
        if checks {
            let near = usize::from(holds(&self.rings[1], to));
            visit(CHECK + ((near * STANDS + will_stand) * 4 + self.freedom) * LANES + actor);
        }
        let mut neglect = self.neglect[0];
        if !mv.is_drop() {
            let from = mv.from_sq();
            let kind = self.kind_on(from);
            visit(FROM_TO + kind * SQUARES * SQUARES + pair(view(self.us, from), view(self.us, to)));
            let place = from.to_board_index();
            let stood = stands(LESSER[kind], self.marks[place], OWN);
            let takes = usize::from(self.kinds[to.to_board_index()] != 0);
            visit(FLIGHT + ((stood * STANDS + will_stand) * 2 + takes) * LANES + actor);
            if self.lines[place] & DISCOVERS != 0 && !checks && self.position.gives_check_move32(mv) {
                visit(DISCOVER + actor);
            }
            if place == self.worthiest_place {
                neglect = self.neglect[1];
            }
        }
        visit(NEGLECT + neglect * LANES + actor);
        if !self.checkers.is_empty() {
            let how = if arriving == Kind::KING { 2 } else { usize::from(!holds(&self.checkers, to)) };
            visit(EVASION + (how * STANDS + will_stand) * LANES + actor);
        }
    }

    /// Features of what a piece does from where it goes.
    #[inline(always)]
    pub(super) fn reach_features(&self, to: Square, who: Mover, mut visit: impl FnMut(usize)) {
        let Mover { actor, arriving, stands } = who;
        let reached = reach(arriving, self.us, to, self.position.pieces());
        let count = |set: Bitboard| (set.count() as usize).min(5);
        visit(RING + (count(reached & self.rings[1]) * 4 + self.freedom) * LANES + actor);
        visit(SHELTER + (count(reached & self.rings[0]) * 4 + self.pressed[0]) * LANES + actor);
        if SLIDES[arriving.to_index()] {
            visit(MOBILITY + (reached.count() as usize).min(15) * LANES + actor);
        }
        let mut fork = 0;
        // Most moves reach nothing of the kind: one look is enough for them.
        let mut targets = packed(reached & self.targets);
        while targets != 0 {
            let place = targets.trailing_zeros() as usize;
            targets &= targets - 1;
            let kind = usize::from(self.kinds[place].wrapping_sub(1)) % KIND_LANES;
            let protected = usize::from(self.marks[place] & LEAST_BITS != 0);
            let what = (kind * 2 + protected) * STANDS + stands;
            let roles = self.roles[place];
            if roles & VICTIM != 0 {
                fork += usize::from(protected == 0 || WORTH[kind] > BOARD_VALUE[arriving.to_index()]);
                visit(ATTACK + what * LANES + actor);
            }
            if roles & MOVED != 0 {
                visit(CHASE + what * LANES + actor);
            }
            if roles & ENDANGERED != 0 {
                visit(PROTECT + kind * LANES + actor);
            }
        }
        visit(FORK + (fork.min(3) * STANDS + stands) * LANES + actor);
    }
}

/// What a piece may be to others: see [`Scene::roles`].
const VICTIM: u8 = 1;
const MOVED: u8 = 2;
const ENDANGERED: u8 = 4;

/// How a piece stands on a square with these marks, where `support` is the mark of a supporter and attackers from
/// `lesser` on are worth less than the piece.
#[inline]
fn stands(lesser: u8, marks: u8, support: u8) -> usize {
    let least = marks & LEAST_BITS;
    let alone = usize::from(marks & support == 0);
    let threatened = usize::from(least >= lesser);
    // Attacked: 1, by a lesser piece 2, alone 3.
    usize::from(least != 0) * (1 + (threatened + 2 * alone).min(2))
}

/// From where on the least attacker is worth less than a kind, as features number kinds.
const LESSER: [u8; KINDS] = [7, 6, 6, 5, 3, 3, 4, 4, 4, 4, 4, 4, 3, 3];

/// What kinds are worth, as features number them.
const WORTH: [i32; KINDS] = {
    let mut table = [0; KINDS];
    let mut index = 1;
    while index < Kind::COUNT - 1 {
        table[KIND[index] as usize] = BOARD_VALUE[index];
        index += 1;
    }
    table
};

/// Who moves, what arrives, and how it will stand.
#[derive(Clone, Copy)]
pub(super) struct Mover {
    pub actor: usize,
    pub arriving: Kind,
    pub stands: usize,
}

/// Rows of a destination seen from the own king.
pub(super) fn own_king_rows(king: usize, to: usize) -> [usize; 2] {
    [OWN_KING + usize::from(OFFSET[king][to]) * LANES, OWN_KING_TO + pair(king, to) * LANES]
}

/// Rows of a destination seen from the enemy king.
pub(super) fn enemy_king_rows(king: usize, to: usize) -> [usize; 2] {
    [ENEMY_KING + usize::from(OFFSET[king][to]) * LANES, ENEMY_KING_TO + pair(king, to) * LANES]
}

/// The feature of an origin by a king's place, of the first kind.
fn king_from(family: usize, king: usize, from: usize) -> usize {
    family + pair(king, from) * KIND_LANES
}

/// Kinds that slide.
const SLIDES: [bool; Kind::COUNT] = {
    let mut table = [false; Kind::COUNT];
    let mut i = 0;
    let kinds = [Kind::LANCE, Kind::BISHOP, Kind::ROOK, Kind::HORSE, Kind::DRAGON];
    while i < kinds.len() {
        table[kinds[i].to_index()] = true;
        i += 1;
    }
    table
};

/// The row of a destination by the file of a rook.
static ROOK_ROWS: [[u16; SQUARES]; FILES] = {
    let mut table = [[0; SQUARES]; FILES];
    let mut file = 0;
    while file < FILES {
        let mut to = 0;
        while to < SQUARES {
            // The files are numbered from the near side; without a rook only the destination is turned.
            let turn = if file < FILES - 1 { file > 4 || (file == 4 && to / 9 > 4) } else { to / 9 > 4 };
            let from = if turn && file < FILES - 1 { 8 - file } else { file };
            let square = if turn { mirror(to) } else { to };
            table[file][to] = (from * SQUARES + square) as u16;
            to += 1;
        }
        file += 1;
    }
    table
};

/// The file of a side's rook as `us` sees it.
fn rook_file(position: &Position, side: Color, us: Color) -> usize {
    let rooks = position.rook_dragon() & position.pieces_by_color(side);
    match (rooks.count(), (&rooks).into_iter().next()) {
        (1, Some(square)) => view(us, square) / 9,
        _ => FILES - 1,
    }
}

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

/// What stands where, by square; and on the edged board, with who attacks it.
fn contents(
    position: &Position,
    us: Color,
    own: &SideAttacks,
    enemy: &SideAttacks,
) -> ([u8; SQUARES], [u8; EDGED]) {
    let mut kinds = [0; SQUARES];
    let mut board = [EDGE; EDGED];
    for file in 1..10 {
        board[file * RANKS + 2..file * RANKS + 11].fill(0);
    }
    for square in &position.pieces() {
        let piece = position.piece_on(square);
        let kind = KIND[piece.piece_type().to_index()];
        let side = u8::from(piece.color() != us);
        kinds[square.to_board_index()] = kind + 1;
        board[edged(view(us, square))] = (2 + kind * 2 + side) * 4;
    }
    for (attacks, mark) in [(own, 1), (enemy, 2)] {
        for square in &attacks.once {
            board[edged(view(us, square))] += mark;
        }
    }
    (kinds, board)
}
