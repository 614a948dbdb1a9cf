//! The features of a move, from what all moves of its position share.

use super::features::{
    AGAIN, ATTACK, CHASE, CHECK, CONTENTS, DISCOVER, DROPPING, ENEMY_KING, ENEMY_KING_FROM, ENEMY_KING_TO,
    ESCAPE, EVASION, FLIGHT, FORK, FROM_TO, HANDS, HOLD, KIND, KIND_LANES, KINDS, LANES, LEAVE, LEFT,
    LINES_FROM, LINES_TO, MATE, MOBILITY, NEGLECT, NEIGHBOUR, OFFSET, OFFSETS, OWN_KING, OWN_KING_FROM,
    OWN_KING_TO, PARRY, PATTERN, PATTERN_LEFT, PATTERN_REACHED, PROMOTING, PROTECT, RESCUE, RING, ROWS,
    SEQUENCE, SHELTER, SQUARES, STANDS, STOCK, TO, URGENCY, half, hash, mirror, pair, view,
};
use super::neighbourhood::{NEIGHBOURS, OPPOSITE, STANDING};
use super::places::PLACE_ROWS;
use super::scene::{
    CHASED, DISCOVERS, Details, ENDANGERED, LEAST_BITS, LINE_BITS, Last, MOVED, OWN, OWN_TWICE, RESCUED,
    Scene, VICTIM,
};
use super::squares::{holds, packed};
use super::tactics::Tactics;
use crate::shogi::exchange::BOARD_VALUE;
use crate::shogi::reach::reach;
use crate::shogi::{Bitboard, HandPiece, Kind, Move, Square};

/// How many rows a destination has at a glance, beside those that weights fold.
const GLANCE_ROWS: usize = PLACE_ROWS + OPPOSITE.len();

/// How many it has at a full look.
const FULL_ROWS: usize = PLACE_ROWS + 4 + NEIGHBOURS.len();

/// See [`Scene::far_features`].
pub(super) const FAR: usize = 5;

impl Scene<'_> {
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
        let mut visit_row = |row: u16| {
            if usize::from(row) < ROWS {
                visit(usize::from(row) * LANES + who.actor);
            }
        };
        match &self.details {
            None => self.glance_rows(mv.to_sq()).into_iter().for_each(&mut visit_row),
            Some(details) => {
                self.full_rows(details, mv.to_sq()).into_iter().for_each(&mut visit_row);
                details.heavy.rows(to).into_iter().for_each(|row| visit(row + who.actor));
            }
        }
        if !mv.is_drop() {
            self.origin_features(mv.from_sq(), &mut visit);
        }
        self.check_features(mv, who.actor, &mut visit);
        if let Some(details) = &self.details {
            if !mv.is_drop() {
                self.origin_details(details, mv.from_sq(), &mut visit);
            }
            self.tactical_features(details, mv, who.actor, &mut visit);
            self.move_features(details, mv, who, &mut visit);
            self.reach_features(details, mv.to_sq(), who, &mut visit);
            self.far_features(mv, who.actor, &mut visit);
        }
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
        Mover { actor: self.actor(mv), arriving, stands: self.will_stand(mv, arriving) }
    }

    /// How what arrives will stand.
    #[inline(always)]
    fn will_stand(&self, mv: Move, arriving: Kind) -> usize {
        // A piece on the board attacks its destination too, but will not support itself there.
        let support = if mv.is_drop() { OWN } else { OWN_TWICE };
        let marks = self.marks[mv.to_sq().to_board_index()];
        stands(LESSER[usize::from(KIND[arriving.to_index()])], marks, support)
    }

    /// The number of the kind on a square that is not empty.
    #[inline]
    fn kind_on(&self, square: Square) -> usize {
        usize::from(self.kinds[square.to_board_index()].wrapping_sub(1)) % KIND_LANES
    }

    /// The rows of a destination, as the side to move sees it, by where the kings are: weights fold them.
    #[inline]
    fn king_rows(&self, to: usize, mut visit: impl FnMut(usize)) {
        visit(TO + half(to) * LANES);
        if let Some(king) = self.own_king {
            own_king_rows(king, to).into_iter().for_each(&mut visit);
        }
        if let Some(king) = self.enemy_king {
            enemy_king_rows(king, to).into_iter().for_each(&mut visit);
        }
    }

    /// Numbers of the other rows of a destination at a glance: with what stands around in pairs.
    #[inline(always)]
    pub(super) fn glance_rows(&self, square: Square) -> [u16; GLANCE_ROWS] {
        let to = view(self.us, square);
        let mut rows = [0; GLANCE_ROWS];
        rows[..PLACE_ROWS].copy_from_slice(&self.places.rows(to));
        rows[PLACE_ROWS..].copy_from_slice(&self.places.pairs(to));
        rows
    }

    /// The same at a full look: with what stands around one by one, and who attacks it.
    #[inline(always)]
    pub(super) fn full_rows(&self, details: &Details, square: Square) -> [u16; FULL_ROWS] {
        let to = view(self.us, square);
        let place = square.to_board_index();
        let rescued = self.marks[place] & RESCUED != 0;
        let rescue = if rescued { RESCUE / LANES + details.neglect[0] } else { ROWS } as u16;
        let lines = (LINES_TO / LANES) as u16 + u16::from(details.lines[place] & LINE_BITS);
        let others = [details.follow.at(to), details.wake.at(to), lines, rescue];
        let places = self.places.rows(to);
        let around = self.contents.around(to);
        std::array::from_fn(|i| match i {
            0..PLACE_ROWS => places[i],
            PLACE_ROWS..8 => others[i - PLACE_ROWS],
            _ => {
                let (place, direction) = NEIGHBOURS[i - 8];
                (NEIGHBOUR / LANES + direction * CONTENTS * 4) as u16 + u16::from(around[place])
            }
        })
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
    }

    /// The same in detail.
    #[inline(always)]
    pub(super) fn origin_details(&self, details: &Details, from: Square, mut visit: impl FnMut(usize)) {
        let seen = view(self.us, from);
        let before = self.kind_on(from);
        if let Some(Last { row, kind, .. }) = details.own_last {
            visit(AGAIN + (kind * OFFSETS + usize::from(row[seen])) * KIND_LANES + before);
        }
        let around = self.contents.around(seen);
        for (place, direction) in NEIGHBOURS.into_iter().take(8) {
            let content = usize::from(around[place]);
            visit(LEFT + (direction * CONTENTS * 4 + content) * KIND_LANES + before);
        }
        visit(
            LINES_FROM + usize::from(details.lines[from.to_board_index()] & LINE_BITS) * KIND_LANES + before,
        );
    }

    /// Features of moves that check and of replies to checks.
    #[inline(always)]
    pub(super) fn check_features(&self, mv: Move, actor: usize, mut visit: impl FnMut(usize)) {
        let arriving = mv.piece_after_move().piece_type();
        let to = mv.to_sq();
        if self.checks(arriving, to) {
            let stands = self.will_stand(mv, arriving);
            let near = usize::from(holds(&self.rings[1], to));
            visit(CHECK + ((near * STANDS + stands) * 4 + self.freedom) * LANES + actor);
        }
        if !self.checkers.is_empty() {
            let stands = self.will_stand(mv, arriving);
            let how = if arriving == Kind::KING { 2 } else { usize::from(!holds(&self.checkers, to)) };
            visit(EVASION + (how * STANDS + stands) * LANES + actor);
        }
    }

    /// Whether a kind checks from a square.
    #[inline(always)]
    pub(super) fn checks(&self, kind: Kind, from: Square) -> bool {
        holds(&self.checking[kind.to_index()], from)
    }

    /// Features of moves that mate, or that leave the opponent a mate or not. Apart from the other sums: most positions have
    /// none of them.
    #[cold]
    pub(super) fn tactical_features(
        &self,
        details: &Details,
        mv: Move,
        actor: usize,
        mut visit: impl FnMut(usize),
    ) {
        let Tactics { mating, at_once, parries } = &details.tactics;
        if mating.contains(&mv) {
            visit(MATE + usize::from(!at_once) * LANES + actor);
        }
        if let Some(parries) = parries {
            let (check, parrying) =
                (usize::from(!self.checkers.is_empty()), usize::from(parries.contains(&mv)));
            // One, two or three, up to seven, more.
            let many = parries.len().checked_ilog2().unwrap_or(0).min(3) as usize;
            visit(PARRY + ((check * 2 + parrying) * 4 + many) * LANES + actor);
        }
    }

    /// Features that no other move shares.
    #[inline(always)]
    pub(super) fn move_features(
        &self,
        details: &Details,
        mv: Move,
        who: Mover,
        mut visit: impl FnMut(usize),
    ) {
        let Mover { actor, arriving, stands: will_stand } = who;
        let to = mv.to_sq();
        let mut neglect = details.neglect[0];
        if !mv.is_drop() {
            let from = mv.from_sq();
            let kind = self.kind_on(from);
            let place = from.to_board_index();
            let stood = stands(LESSER[kind], self.marks[place], OWN);
            let takes = usize::from(self.kinds[to.to_board_index()] != 0);
            visit(FLIGHT + ((stood * STANDS + will_stand) * 2 + takes) * LANES + actor);
            let discovers = details.lines[place] & DISCOVERS != 0 && !self.checks(arriving, to);
            if discovers && self.position.gives_check_move32(mv) {
                visit(DISCOVER + actor);
            }
            if place == details.worthiest_place {
                neglect = details.neglect[1];
            }
        }
        visit(NEGLECT + neglect * LANES + actor);
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
    pub(super) fn reach_features(
        &self,
        details: &Details,
        to: Square,
        who: Mover,
        mut visit: impl FnMut(usize),
    ) {
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
        let mut targets = packed(reached & details.targets);
        while targets != 0 {
            let place = targets.trailing_zeros() as usize;
            targets &= targets - 1;
            let kind = usize::from(self.kinds[place].wrapping_sub(1)) % KIND_LANES;
            let protected = usize::from(self.marks[place] & LEAST_BITS != 0);
            let what = (kind * 2 + protected) * STANDS + stands;
            let roles = details.roles[place];
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
