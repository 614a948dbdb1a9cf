//! The features of a move, from what all moves of its position share.

use super::features::{
    AGAIN, ATTACK, CHASE, CHECK, CONTENTS, DISCOVER, DROPPING, ENEMY_KING, ENEMY_KING_FROM, ENEMY_KING_TO,
    ESCAPE, EVASION, EXCHANGE, FEW, FLIGHT, FORK, FROM_TO, HANDS, HOLD, KIND, KIND_LANES, KINDS, LANES,
    LEAVE, LEFT, LINES_FROM, LINES_TO, MOBILITY, NEGLECT, NEIGHBOUR, OFFSET, OFFSETS, OWN_KING,
    OWN_KING_FROM, OWN_KING_TO, PATTERN, PATTERN_LEFT, PATTERN_REACHED, PROMOTING, PROTECT, RESCUE, RING,
    ROWS, SEQUENCE, SHELTER, SQUARES, STANDS, STOCK, TO, URGENCY, half, hash, mirror, pair, view,
};
use super::neighbourhood::{NEIGHBOURS, STANDING};
use super::scene::{
    CHASED, DISCOVERS, ENDANGERED, LEAST_BITS, LINE_BITS, Last, MOVED, OWN, OWN_TWICE, RESCUED, Scene, TWICE,
    VICTIM,
};
use super::squares::{holds, packed};
use crate::shogi::exchange::BOARD_VALUE;
use crate::shogi::reach::reach;
use crate::shogi::{Bitboard, HandPiece, Kind, Move, Square};

/// How many rows a destination has beside those that weights fold.
pub(super) const PLACE_ROWS: usize = 8 + NEIGHBOURS.len();

/// See [`Scene::far_features`].
pub(super) const FAR: usize = 5;

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

impl Scene<'_> {
    /// Shows every feature of a legal move.
    pub fn visit(&self, mv: Move, mut visit: impl FnMut(usize)) {
        let who = self.mover(mv);
        let to = view(self.us, mv.to_sq());
        self.folded_rows(to, |row| visit(row + who.actor));
        visit(self.urgency_row(self.nearness(to)) + who.actor);
        self.position_rows(|row| visit(row + who.actor));
        self.stock_features(|feature| {
            if feature % LANES == who.actor {
                visit(feature);
            }
        });
        self.place_rows(mv.to_sq(), |_, row| {
            if usize::from(row) < ROWS {
                visit(usize::from(row) * LANES + who.actor);
            }
        });
        if !mv.is_drop() {
            self.origin_features(mv.from_sq(), &mut visit);
        }
        self.move_features(mv, who, &mut visit);
        self.reach_features(mv.to_sq(), who, &mut visit);
        self.far_features(mv, who.actor, &mut visit);
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

    /// The rows of a destination, as the side to move sees it, that weights fold: by where kings, rooks and bishops are.
    #[inline]
    fn folded_rows(&self, to: usize, mut visit: impl FnMut(usize)) {
        visit(TO + half(to) * LANES);
        if let Some(king) = self.own_king {
            own_king_rows(king, to).into_iter().for_each(&mut visit);
        }
        if let Some(king) = self.enemy_king {
            enemy_king_rows(king, to).into_iter().for_each(&mut visit);
        }
        self.heavy.rows(to).into_iter().for_each(visit);
    }

    /// Numbers of the other rows of a destination, [`PLACE_ROWS`] of them; beyond all rows where there is nothing to say.
    #[inline(always)]
    pub(super) fn place_rows(&self, square: Square, mut visit: impl FnMut(usize, u16)) {
        let to = view(self.us, square);
        let place = square.to_board_index();
        let marks = self.marks[place];
        let attackers = usize::from(FEW_OF_BOTH[usize::from(marks & 63)]);
        let captured = usize::from(self.kinds[place]);
        let rescue = if marks & RESCUED != 0 { RESCUE / LANES + self.neglect[0] } else { ROWS };
        let others = [
            self.guard.at(to) + attackers,
            self.storm.at(to) + attackers,
            EXCHANGE / LANES + captured * 64 + usize::from(marks & 63),
            self.reply.at(to),
            self.follow.at(to),
            self.wake.at(to),
            LINES_TO / LANES + usize::from(self.lines[place] & LINE_BITS),
            rescue,
        ];
        let around = self.contents.around(to);
        for (i, row) in others.into_iter().enumerate() {
            visit(i, row as u16);
        }
        for (i, (place, direction)) in NEIGHBOURS.into_iter().enumerate() {
            let first = (NEIGHBOUR / LANES + direction * CONTENTS * 4) as u16;
            visit(others.len() + i, first + u16::from(around[place]));
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
        if let Some(Last { row, kind, .. }) = self.last {
            visit(LEAVE + (kind * OFFSETS + usize::from(row[seen])) * KIND_LANES + before);
        }
        let place = from.to_board_index();
        let marks = self.marks[place];
        let least = usize::from(marks & LEAST_BITS);
        let [held, chased] = [OWN, CHASED].map(|bit| usize::from(marks & bit != 0));
        visit(ESCAPE + ((least * 2 + held) * 2 + chased) * KIND_LANES + before);
        if let Some(Last { row, kind, .. }) = self.own_last {
            visit(AGAIN + (kind * OFFSETS + usize::from(row[seen])) * KIND_LANES + before);
        }
        let around = self.contents.around(seen);
        for (place, direction) in NEIGHBOURS.into_iter().take(8) {
            let content = usize::from(around[place]);
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

    /// Features out of many that hardly two moves share: they have to be fetched from afar. At most [`FAR`].
    #[inline(always)]
    pub(super) fn far_features(&self, mv: Move, actor: usize, mut visit: impl FnMut(usize)) {
        let actor = actor as u64;
        let to = view(self.us, mv.to_sq());
        let pattern = |square, what| {
            let [sides, middle] = self.contents.files_around(square, what);
            hash(sides, middle, actor)
        };
        visit(PATTERN + pattern(to, STANDING));
        visit(PATTERN_REACHED + pattern(to, u32::MAX));
        let mut from = to;
        if !mv.is_drop() {
            from = view(self.us, mv.from_sq());
            visit(FROM_TO + self.kind_on(mv.from_sq()) * SQUARES * SQUARES + pair(from, to));
            visit(PATTERN_LEFT + pattern(from, STANDING));
        }
        if let Some(Last { place, kind, .. }) = self.last {
            let number =
                |of: fn(usize) -> usize| ((of(to) * SQUARES + of(from)) * SQUARES + of(place)) as u64;
            visit(SEQUENCE + hash(number(|square| square).min(number(mirror)), kind as u64, actor));
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
