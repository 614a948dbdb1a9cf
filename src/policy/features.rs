//! What the policies see of a move: binary features of (position, move), at most one of each family.
//!
//! Everything is seen by the side to move, playing upwards, and left-right mirror images share their features. An
//! *actor* is who moves and how: a kind on the board, a kind that promotes, or a kind that is dropped.

use crate::shogi::attacks::{SideAttacks, checking_squares, king_ring};
use crate::shogi::exchange::BOARD_VALUE;
use crate::shogi::reach::reach;
use crate::shogi::{Attacks, Bitboard, Color, HandPiece, Kind, Move, Piece, Position, Square, Walker};

/// Number of a feature, below [`COUNT`].
pub type Feature = u32;

/// Kinds on the board, six that promote, seven that are dropped.
const ACTORS: usize = 14 + 6 + 7;
const KINDS: usize = 14;
const SQUARES: usize = Square::COUNT;
/// Offsets between squares: 0 to 8 files either way, 8 ranks back to 8 ranks forward.
const OFFSETS: usize = 9 * 17;
/// Nobody, one, or more.
const FEW: usize = 3;
/// What stands on a neighbouring square: nothing, the edge, a kind of either side.
const CONTENTS: usize = 2 + 2 * KINDS;
/// Directions to neighbours by mirror image: ahead, ahead and aside, aside, behind and aside, behind.
const DIRECTIONS: usize = 5;

/// Sets of sliders: lances, bishops, rooks, or any of them together.
const LINES: usize = 8;

/// A family of features: where its numbers begin.
macro_rules! families {
    ($($(#[$doc:meta])* $name:ident: $size:expr;)*) => {
        /// Names of the families and where they begin.
        pub const FAMILIES: &[(&str, usize)] = &families!(@list [] 0usize; $($name: $size;)*);
        families!(@consts 0usize; $($(#[$doc])* $name: $size;)*);
    };
    (@list [$($done:tt)*] $start:expr; $name:ident: $size:expr; $($rest:tt)*) => {
        families!(@list [$($done)* (stringify!($name), $start),] $start + $size; $($rest)*)
    };
    (@list [$($done:tt)*] $start:expr;) => { [$($done)*] };
    (@consts $start:expr; $(#[$doc:meta])* $name:ident: $size:expr; $($rest:tt)*) => {
        $(#[$doc])*
        const $name: usize = $start;
        families!(@consts $start + $size; $($rest)*);
    };
    (@consts $start:expr;) => {
        /// Number of features.
        pub const COUNT: usize = $start;
    };
}

families! {
    /// Actor and destination.
    TO: ACTORS * SQUARES;
    /// Actor and destination as seen from the own king.
    OWN_KING: ACTORS * OFFSETS;
    /// Actor and destination as seen from the enemy king.
    ENEMY_KING: ACTORS * OFFSETS;
    /// Actor and destination as seen from the enemy king, and who attacks and who supports it.
    STORM: ACTORS * OFFSETS * FEW * FEW;
    /// Actor and destination as seen from the own king, and who attacks and who supports it.
    GUARD: ACTORS * OFFSETS * FEW * FEW;
    /// Actor and how many squares next to the enemy king it attacks from its destination, by how many are left to it.
    RING: ACTORS * 6 * 4;
    /// Actor and how many squares next to the own king it protects from its destination, by how hard pressed that is.
    SHELTER: ACTORS * 6 * 4;
    /// Actor and what both sides have in hand, pawns aside.
    HANDS: ACTORS * 4 * 4;
    /// Actor, how hard pressed both kings are, and whether the move is near them.
    URGENCY: ACTORS * 4 * 4 * 2 * 2;
    /// Actor and destination for each place of the own king.
    OWN_KING_TO: SQUARES * ACTORS * SQUARES;
    /// Actor and destination for each place of the enemy king.
    ENEMY_KING_TO: SQUARES * ACTORS * SQUARES;
    /// Kind and origin for each place of the own king.
    OWN_KING_FROM: SQUARES * KINDS * SQUARES;
    /// Kind and origin for each place of the enemy king.
    ENEMY_KING_FROM: SQUARES * KINDS * SQUARES;
    /// Kind, origin and destination of a move on the board.
    FROM_TO: KINDS * SQUARES * SQUARES;
    /// Actor, what is captured, who attacks and who supports the destination, and whether a lesser piece attacks it:
    /// how the exchange goes.
    EXCHANGE: ACTORS * (KINDS + 1) * FEW * FEW * 2;
    /// Actor, destination as seen from where the last move went, and what moved there.
    REPLY: ACTORS * OFFSETS * KINDS;
    /// Kind, origin as seen from where the last move went, and what moved there.
    LEAVE: KINDS * OFFSETS * KINDS;
    /// Actor, destination as seen from where the own last move went, and what moved there.
    FOLLOW: ACTORS * OFFSETS * KINDS;
    /// Kind on the board and which sliders of either side look at its origin.
    LINES_FROM: KINDS * LINES * LINES;
    /// Actor and which sliders of either side look at its destination.
    LINES_TO: ACTORS * LINES * LINES;
    /// Kind on the board: how it is attacked and supported where it stands, and whether it will be attacked.
    ESCAPE: KINDS * FEW * 2 * 2 * 2;
    /// Actor that checks: from next to the king or not, attacked, supported, and squares left to the king.
    CHECK: ACTORS * 2 * FEW * FEW * 4;
    /// Actor that discovers a check.
    DISCOVER: ACTORS;
    /// Actor and an enemy kind that it attacks from its destination, protected or not.
    ATTACK: ACTORS * KINDS * 2;
    /// Actor and an own kind it protects that was attacked.
    PROTECT: ACTORS * KINDS;
    /// Reply to a check: by whom, taking, interposing or stepping, attacked, supported.
    EVASION: ACTORS * 3 * 2 * 2;
    /// Actor and the worthiest own kind in danger that it leaves there.
    NEGLECT: ACTORS * KINDS;
    /// Actor and what stands next to the destination.
    NEIGHBOUR: ACTORS * DIRECTIONS * CONTENTS;
    /// Actor, by how many of its kind there are in hand, for drops.
    STOCK: 7 * 4;
}

/// Numbers of kinds as features count them, by [`Kind::to_index`]: those that promote come first, then gold.
const KIND: [u8; Kind::COUNT] = [0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 0];

/// What the number of an actor begins at: for moves, for promotions (by the promoted kind), for drops.
const PROMOTING: usize = 14;
const DROPPING: usize = 20;

/// Offsets between any two squares of which the second is seen from the first.
static OFFSET: [[u8; SQUARES]; SQUARES] = {
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

/// The left-right mirror image of each square.
static MIRROR: [u8; SQUARES] = {
    let mut table = [0; SQUARES];
    let mut square = 0;
    while square < SQUARES {
        table[square] = ((8 - square / 9) * 9 + square % 9) as u8;
        square += 1;
    }
    table
};

/// A square or its mirror image, whichever is on the near side.
static HALF: [u8; SQUARES] = {
    let mut table = MIRROR;
    let mut square = 0;
    while square < SQUARES / 2 + 5 {
        table[square] = square as u8;
        square += 1;
    }
    table
};

/// A board with an edge around it: eleven squares a file.
const EDGED: usize = 11 * 11;

/// Where a square lies on the edged board.
const fn edged(square: usize) -> usize {
    (square / 9 + 1) * 11 + square % 9 + 1
}

/// Steps to the neighbours on the edged board with the direction they count as.
const NEIGHBOURS: [(isize, usize); 8] =
    [(-1, 0), (10, 1), (-12, 1), (11, 2), (-11, 2), (12, 3), (-10, 3), (1, 4)];

/// What all moves of a position share.
pub struct Scene<'a> {
    position: &'a Position,
    us: Color,
    own: SideAttacks,
    enemy: SideAttacks,
    /// Rows of [`OFFSET`]; nothing without such a king or move.
    from_own_king: Option<&'static [u8; SQUARES]>,
    from_enemy_king: Option<&'static [u8; SQUARES]>,
    from_last: Option<(&'static [u8; SQUARES], usize)>,
    from_own_last: Option<(&'static [u8; SQUARES], usize)>,
    /// Where the kings stand, as the side to move sees them.
    own_king: Option<usize>,
    enemy_king: Option<usize>,
    /// Squares next to the kings, the own one first.
    rings: [Bitboard; 2],
    /// How many of them the other side attacks, in four steps.
    pressed: [usize; 2],
    /// Pieces other than pawns in hand, three at most, the own side first.
    in_hand: [usize; 2],
    /// What lances, bishops and rooks of either side attack, the own side first.
    lines: [[Bitboard; 3]; 2],
    /// Enemy pieces worth attacking.
    victims: Bitboard,
    /// Own pieces that stand to be lost, and the two worthiest with their kinds.
    endangered: Bitboard,
    worthiest: [Option<(Square, u8)>; 2],
    /// Own pieces whose move may discover a check.
    discoverers: Bitboard,
    checkers: Bitboard,
    /// Squares the enemy king could go to, three at most.
    freedom: usize,
    /// What stands where, as the side to move sees it.
    contents: [u8; EDGED],
}

/// Contents of the edge, and of nothing.
const EDGE: u8 = 1;

impl<'a> Scene<'a> {
    /// Looks at where a walker stands.
    pub fn new(walker: &'a Walker) -> Self {
        let position = walker.position();
        let us = position.turn();
        let them = us.flip();
        let attacks = Attacks::of(position);
        let (own, enemy) = (*attacks.by(us), *attacks.by(them));
        let seen = |square: Square| (!square.is_none()).then(|| view(us, square));
        let (own_king, enemy_king) = (seen(position.king_square(us)), seen(position.king_square(them)));
        let from_move = |ago: usize| {
            walker.move_ago(ago).map(|mv| {
                let kind = KIND[mv.piece_after_move().piece_type().to_index()];
                (&OFFSET[view(us, mv.to_sq())], usize::from(kind))
            })
        };
        let theirs = position.pieces_by_color(them);
        let ours = position.pieces_by_color(us);
        let victims =
            theirs.and_not(position.pieces_by_type(Kind::PAWN)).and_not(position.pieces_by_type(Kind::KING));
        let (endangered, worthiest) = in_danger(position, ours, &own, &enemy);
        Self {
            position,
            us,
            own,
            enemy,
            from_own_king: own_king.map(|king| &OFFSET[king]),
            from_enemy_king: enemy_king.map(|king| &OFFSET[king]),
            from_last: from_move(1),
            from_own_last: from_move(2),
            own_king,
            enemy_king,
            rings: [king_ring(position, us), king_ring(position, them)],
            pressed: [(us, &enemy), (them, &own)].map(|(side, attackers)| {
                ((king_ring(position, side) & attackers.once).count() as usize).div_ceil(2).min(3)
            }),
            in_hand: [us, them].map(|side| {
                let hand = position.hand(side);
                let pieces: u32 = HandPiece::iter().skip(1).map(|kind| hand.count(kind)).sum();
                (pieces as usize).min(3)
            }),
            lines: [lines(position, us), lines(position, them)],
            victims,
            endangered,
            worthiest,
            discoverers: position.blockers_for_king(them) & ours,
            checkers: position.checkers(),
            freedom: (attacks.king_freedom(position, them).count() as usize).min(3),
            contents: contents(position, us),
        }
    }

    /// Which sliders look at a square: the own ones for 0, the enemy's for 1.
    #[inline]
    fn lines_at(&self, side: usize, square: Square) -> usize {
        let [lances, bishops, rooks] = &self.lines[side];
        usize::from(lances.test(square))
            | usize::from(bishops.test(square)) << 1
            | usize::from(rooks.test(square)) << 2
    }

    /// Shows every feature of a legal move.
    #[inline(always)]
    pub fn visit(&self, mv: Move, mut visit: impl FnMut(usize)) {
        let (to, arriving) = (mv.to_sq(), mv.piece_after_move().piece_type());
        let kind_after = usize::from(KIND[arriving.to_index()]);
        let attacked = few(self.enemy.once.test(to), self.enemy.twice.test(to));
        let (actor, supported, captured);
        if mv.is_drop() {
            actor = DROPPING + kind_after;
            supported = few(self.own.once.test(to), self.own.twice.test(to));
            captured = 0;
            let kind = HandPiece::from_piece_type(arriving).expect("what is dropped was in hand");
            let held = self.position.hand(self.us).count(kind) as usize;
            visit(STOCK + kind_after * 4 + (held - 1).min(3));
        } else {
            let before = usize::from(KIND[self.position.piece_on(mv.from_sq()).piece_type().to_index()]);
            actor = if mv.is_promotion() { PROMOTING + before } else { before };
            // The mover attacks its destination too, but will not support itself there.
            supported = usize::from(self.own.twice.test(to));
            let target = self.position.piece_on(to);
            captured =
                if target == Piece::NONE { 0 } else { usize::from(KIND[target.piece_type().to_index()]) + 1 };
            self.visit_origin(mv, actor, attacked, &mut visit);
        }
        let lesser = usize::from(self.enemy.by_lesser(arriving).test(to));
        visit(
            EXCHANGE + (((actor * (KINDS + 1) + captured) * FEW + attacked) * FEW + supported) * 2 + lesser,
        );
        self.visit_place(view(self.us, to), actor, attacked, supported, &mut visit);
        visit(LINES_TO + (actor * LINES + self.lines_at(0, to)) * LINES + self.lines_at(1, to));
        if checking_squares(self.position, arriving).test(to) {
            let near = self.from_enemy_king.is_some_and(|row| is_near(row[view(self.us, to)]));
            let how = (actor * 2 + usize::from(near)) * FEW + attacked;
            visit(CHECK + (how * FEW + supported) * 4 + self.freedom);
        }
        for worthiest in self.worthiest {
            let Some((square, kind)) = worthiest else { break };
            if mv.is_drop() || mv.from_sq() != square {
                visit(NEGLECT + actor * KINDS + usize::from(kind));
                break;
            }
        }
        if !self.checkers.is_empty() {
            let how = if arriving == Kind::KING { 2 } else { usize::from(!self.checkers.test(to)) };
            visit(EVASION + ((actor * 3 + how) * 2 + attacked.min(1)) * 2 + supported.min(1));
        }
        self.visit_attacks(reach(arriving, self.us, to, self.position.pieces()), actor, &mut visit);
    }

    /// Features of where a piece on the board comes from.
    #[inline(always)]
    fn visit_origin(&self, mv: Move, actor: usize, attacked: usize, visit: &mut impl FnMut(usize)) {
        let (from, to) = (mv.from_sq(), mv.to_sq());
        let kind = self.position.piece_on(from).piece_type();
        let before = usize::from(KIND[kind.to_index()]);
        let seen = view(self.us, from);
        let (a, b) = near_side(seen, view(self.us, to));
        visit(FROM_TO + (before * SQUARES + a) * SQUARES + b);
        for (king, family) in [(self.own_king, OWN_KING_FROM), (self.enemy_king, ENEMY_KING_FROM)] {
            if let Some(king) = king {
                let (king, from) = near_side(king, seen);
                visit(family + (king * KINDS + before) * SQUARES + from);
            }
        }
        if let Some((row, kind)) = self.from_last {
            visit(LEAVE + (before * OFFSETS + usize::from(row[seen])) * KINDS + kind);
        }
        visit(LINES_FROM + (before * LINES + self.lines_at(0, from)) * LINES + self.lines_at(1, from));
        let threatened = few(self.enemy.once.test(from), self.enemy.twice.test(from));
        let held = usize::from(self.own.once.test(from));
        let by_lesser = usize::from(self.enemy.by_lesser(kind).test(from));
        visit(ESCAPE + (((before * FEW + threatened) * 2 + held) * 2 + by_lesser) * 2 + attacked.min(1));
        let arriving = mv.piece_after_move().piece_type();
        if self.discoverers.test(from)
            && !checking_squares(self.position, arriving).test(to)
            && self.position.gives_check_move32(mv)
        {
            visit(DISCOVER + actor);
        }
    }

    /// Features of where a move goes, as the side to move sees it: on the board, from the kings, from the last moves,
    /// and among its neighbours.
    #[inline(always)]
    fn visit_place(
        &self,
        to: usize,
        actor: usize,
        attacked: usize,
        supported: usize,
        visit: &mut impl FnMut(usize),
    ) {
        visit(TO + actor * SQUARES + usize::from(HALF[to]));
        let (mut near_own, mut near_enemy) = (0, 0);
        if let Some(row) = self.from_own_king {
            let offset = actor * OFFSETS + usize::from(row[to]);
            visit(OWN_KING + offset);
            visit(GUARD + (offset * FEW + attacked) * FEW + supported);
            near_own = usize::from(is_close(row[to]));
        }
        if let Some(row) = self.from_enemy_king {
            let offset = actor * OFFSETS + usize::from(row[to]);
            visit(ENEMY_KING + offset);
            visit(STORM + (offset * FEW + attacked) * FEW + supported);
            near_enemy = usize::from(is_close(row[to]));
        }
        let pressed = (actor * 4 + self.pressed[0]) * 4 + self.pressed[1];
        visit(URGENCY + (pressed * 2 + near_own) * 2 + near_enemy);
        visit(HANDS + (actor * 4 + self.in_hand[0]) * 4 + self.in_hand[1]);
        for (king, family) in [(self.own_king, OWN_KING_TO), (self.enemy_king, ENEMY_KING_TO)] {
            if let Some(king) = king {
                let (king, to) = near_side(king, to);
                visit(family + (king * ACTORS + actor) * SQUARES + to);
            }
        }
        for (last, family) in [(self.from_last, REPLY), (self.from_own_last, FOLLOW)] {
            if let Some((row, kind)) = last {
                visit(family + (actor * OFFSETS + usize::from(row[to])) * KINDS + kind);
            }
        }
        let around = edged(to) as isize;
        for (step, direction) in NEIGHBOURS {
            let content = usize::from(self.contents[(around + step) as usize]);
            visit(NEIGHBOUR + (actor * DIRECTIONS + direction) * CONTENTS + content);
        }
    }

    /// Features of what a piece attacks and protects from where it goes.
    #[inline(always)]
    fn visit_attacks(&self, reached: Bitboard, actor: usize, visit: &mut impl FnMut(usize)) {
        let count = |set: Bitboard| (set.count() as usize).min(5);
        visit(RING + (actor * 6 + count(reached & self.rings[1])) * 4 + self.freedom);
        visit(SHELTER + (actor * 6 + count(reached & self.rings[0])) * 4 + self.pressed[0]);
        for square in &(reached & self.victims) {
            let kind = usize::from(KIND[self.position.piece_on(square).piece_type().to_index()]);
            let protected = usize::from(self.enemy.once.test(square));
            visit(ATTACK + (actor * KINDS + kind) * 2 + protected);
        }
        for square in &(reached & self.endangered) {
            let kind = usize::from(KIND[self.position.piece_on(square).piece_type().to_index()]);
            visit(PROTECT + actor * KINDS + kind);
        }
    }
}

/// Two squares, or their mirror images if the first, or where it is in the middle the second, is on the far side.
#[inline]
fn near_side(a: usize, b: usize) -> (usize, usize) {
    if a / 9 > 4 || (a / 9 == 4 && b / 9 > 4) {
        (usize::from(MIRROR[a]), usize::from(MIRROR[b]))
    } else {
        (a, b)
    }
}

/// What lances, bishops and rooks of a side attack, promoted ones too but only along their lines.
fn lines(position: &Position, side: Color) -> [Bitboard; 3] {
    let (own, occupied) = (position.pieces_by_color(side), position.pieces());
    let all = |pieces: Bitboard, kind: Kind| {
        (&(pieces & own))
            .into_iter()
            .fold(Bitboard::EMPTY, |set, from| set | reach(kind, side, from, occupied))
    };
    [
        all(position.pieces_by_type(Kind::LANCE), Kind::LANCE),
        all(position.bishop_horse(), Kind::BISHOP),
        all(position.rook_dragon(), Kind::ROOK),
    ]
}

/// A square as the side to move sees it.
#[inline]
fn view(us: Color, square: Square) -> usize {
    match us {
        Color::Black => square.to_board_index(),
        Color::White => SQUARES - 1 - square.to_board_index(),
    }
}

/// Nobody, one, or more.
#[inline]
fn few(once: bool, twice: bool) -> usize {
    usize::from(once) + usize::from(twice)
}

/// Whether an offset is at most one square either way.
fn is_near(offset: u8) -> bool {
    let (files, ranks) = (offset / 17, offset % 17);
    files <= 1 && (7..=9).contains(&ranks)
}

/// Whether an offset is at most two squares either way.
fn is_close(offset: u8) -> bool {
    let (files, ranks) = (offset / 17, offset % 17);
    files <= 2 && (6..=10).contains(&ranks)
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

/// What stands where on the edged board.
fn contents(position: &Position, us: Color) -> [u8; EDGED] {
    let mut board = [EDGE; EDGED];
    for file in 1..10 {
        board[file * 11 + 1..file * 11 + 10].fill(0);
    }
    for square in &position.pieces() {
        let piece = position.piece_on(square);
        let kind = KIND[piece.piece_type().to_index()];
        let side = u8::from(piece.color() != us);
        board[edged(view(us, square))] = 2 + kind * 2 + side;
    }
    board
}
