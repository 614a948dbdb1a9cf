//! Mate in one, fast enough for every ply of every playout.
//!
//! A check is thrown away only when a legal reply to it has been constructed: a square for the king, a capture
//! of the checking piece, or something put in between. What is left is played and confirmed by the generator,
//! so no mate is ever reported that is not one.
//!
//! Left out: mates by refusing to promote a pawn, bishop or rook, and mates where the only defence would be a
//! pawn dropped in between that mates in turn, which the rules forbid.

use arrayvec::ArrayVec;

use crate::shogi::attacks::{checking_squares, king_area, king_ring, pawn_reach};
use crate::shogi::reach::{can_promote, check_origins, reach, sources};
use crate::shogi::{Bitboard, Color, HandPiece, Kind, Move, Position, Square, Walker, is_legal};

/// Hardly ever are more than a few checks not refuted at sight; the rest would not be looked at.
const MAX_SURVIVORS: usize = 64;

/// Squares from which a slider could reach the neighbourhood of a king, were nothing in between.
struct Lines {
    files: Bitboard,
    ranks_and_files: Bitboard,
    diagonals: Bitboard,
}

static LINES: [Lines; Square::COUNT] = lines();

const fn lines() -> [Lines; Square::COUNT] {
    let mut table = [const {
        Lines { files: Bitboard::EMPTY, ranks_and_files: Bitboard::EMPTY, diagonals: Bitboard::EMPTY }
    }; Square::COUNT];
    let mut king = 0;
    while king < Square::COUNT {
        let (mut files, mut ranks, mut diagonals) = (0u128, 0u128, 0u128);
        let mut square = 0;
        while square < Square::COUNT {
            let (files_off, ranks_off) = ((square / 9).abs_diff(king / 9), (square % 9).abs_diff(king % 9));
            let bit = 1u128 << square;
            if files_off <= 1 {
                files |= bit;
            }
            if ranks_off <= 1 {
                ranks |= bit;
            }
            // On a diagonal with one of nine squares.
            if files_off.abs_diff(ranks_off) <= 2 {
                diagonals |= bit;
            }
            // Horse and dragon step too.
            if files_off <= 2 && ranks_off <= 2 {
                ranks |= bit;
                diagonals |= bit;
            }
            square += 1;
        }
        table[king] = Lines {
            files: Bitboard::from_packed_bits(files),
            ranks_and_files: Bitboard::from_packed_bits(files | ranks),
            diagonals: Bitboard::from_packed_bits(diagonals),
        };
        king += 1;
    }
    table
}

type Survivors = ArrayVec<Move, MAX_SURVIVORS>;

/// A move that mates at once, if one is found. The side to move may be in check.
pub fn mate_in_one(walker: &mut Walker) -> Option<Move> {
    survivors(walker).into_iter().find(|&mv| mates(walker, mv))
}

/// All moves that mate at once, as far as [`mate_in_one`] finds them and there is room.
pub fn mates_in_one<const ROOM: usize>(walker: &mut Walker, found: &mut ArrayVec<Move, ROOM>) {
    found.extend(survivors(walker).into_iter().filter(|&mv| mates(walker, mv)).take(ROOM - found.len()));
}

/// Checks that are not refuted at sight.
#[inline(always)]
fn survivors(walker: &Walker) -> Survivors {
    let position = walker.position();
    let king = position.king_square(position.turn().flip());
    let mut survivors = Survivors::new();
    if !king.is_none() {
        let scene = Scene::new(position, king);
        scene.drops(&mut survivors);
        scene.moves(&mut survivors);
    }
    survivors
}

/// Whether `mv` is legal and leaves the opponent without a move.
fn mates(walker: &mut Walker, mv: Move) -> bool {
    if !is_legal(walker.position(), mv) {
        return false;
    }
    walker.apply(mv);
    let mated = walker.is_mated();
    walker.undo();
    mated
}

/// Where something must be put when the side to move is in check: on the checking piece or in between. Two checks
/// only the king can answer.
fn answers_to_check(position: &Position) -> Bitboard {
    let checkers = position.checkers();
    match checkers.lsb() {
        None => Bitboard::ALL,
        Some(_) if checkers.more_than_one() => Bitboard::EMPTY,
        Some(checker) => checkers | Bitboard::between(checker, position.king_square(position.turn())),
    }
}

/// The enemy king and what stands around it.
struct Scene<'a> {
    position: &'a Position,
    us: Color,
    them: Color,
    king: Square,
    /// All pieces but that king: what it steps away from no longer stops a slider.
    occupied: Bitboard,
    /// The eight squares around it, fewer at the edge.
    ring: Bitboard,
    /// Squares of the ring that we attack, and that we attack twice.
    once: Bitboard,
    twice: Bitboard,
    /// Squares of the ring it could step to if nothing changed.
    free: Bitboard,
    /// All that our sliders on lines with the ring attack: a piece that leaves such a square may open a line.
    slid: Bitboard,
    /// Their pieces that may not leave a line to their king.
    pinned: Bitboard,
    /// Where a move other than the king's leaves us out of check: everywhere, unless we are in check.
    allowed: Bitboard,
    /// Where a check can be worth a look: next to the king only on squares that we attack, or it would be taken;
    /// further off nowhere if they hold something that can be dropped anywhere, or it would be blocked.
    worth: Bitboard,
}

impl<'a> Scene<'a> {
    fn new(position: &'a Position, king: Square) -> Self {
        let us = position.turn();
        let them = us.flip();
        let mut occupied = position.pieces();
        occupied.clear(king);
        let ring = king_ring(position, them);
        let hand = position.hand(them);
        let holds = |piece| hand.count(piece) > 0;
        let mut scene = Self {
            position,
            us,
            them,
            king,
            occupied,
            ring,
            once: Bitboard::EMPTY,
            twice: Bitboard::EMPTY,
            free: Bitboard::EMPTY,
            slid: Bitboard::EMPTY,
            pinned: position.blockers_for_king(them),
            allowed: answers_to_check(position),
            worth: Bitboard::EMPTY,
        };
        scene.cover_ring();
        let holds_shield = holds(HandPiece::GOLD)
            || holds(HandPiece::SILVER)
            || holds(HandPiece::BISHOP)
            || holds(HandPiece::ROOK);
        scene.worth = if holds_shield { scene.once } else { ring.and_not(scene.once).not() };
        scene.free = ring.and_not(position.pieces_by_color(them)).and_not(scene.once);
        scene
    }

    /// Counts how often each square of the ring is attacked by us.
    fn cover_ring(&mut self) {
        let position = self.position;
        let own = position.pieces_by_color(self.us);
        self.cover(pawn_reach(own & position.pieces_by_type(Kind::PAWN), self.us));
        // Of the others only those close by, but for knights, can reach the ring without sliding.
        let near = own & king_area(position, self.them);
        for from in &(near & position.pieces_by_type(Kind::SILVER)) {
            self.cover(reach(Kind::SILVER, self.us, from, self.occupied));
        }
        for from in &(near & position.golds()) {
            self.cover(reach(Kind::GOLD, self.us, from, self.occupied));
        }
        for from in &(own & position.pieces_by_type(Kind::KNIGHT)) {
            self.cover(reach(Kind::KNIGHT, self.us, from, self.occupied));
        }
        for from in &(near & position.pieces_by_type(Kind::KING)) {
            self.cover(reach(Kind::KING, self.us, from, self.occupied));
        }
        let lines = &LINES[self.king.to_board_index()];
        let sliders = (position.pieces_by_type(Kind::LANCE) & lines.files)
            | (position.bishop_horse() & lines.diagonals)
            | (position.rook_dragon() & lines.ranks_and_files);
        for from in &(own & sliders) {
            let kind = position.piece_on(from).piece_type();
            let attacked = reach(kind, self.us, from, self.occupied);
            self.cover(attacked);
            self.slid |= attacked;
        }
    }

    #[inline]
    fn cover(&mut self, attacked: Bitboard) {
        let here = attacked & self.ring;
        self.twice |= self.once & here;
        self.once |= here;
    }

    /// Drops that check and are not refuted at sight. A pawn may not be dropped to mate.
    fn drops(&self, survivors: &mut Survivors) {
        if !self.worth.is_empty() {
            self.drops_of(HandPiece::GOLD, survivors);
            self.drops_of(HandPiece::SILVER, survivors);
            self.drops_of(HandPiece::ROOK, survivors);
            self.drops_of(HandPiece::BISHOP, survivors);
            self.drops_of(HandPiece::LANCE, survivors);
        }
        self.drops_of(HandPiece::KNIGHT, survivors);
    }

    #[inline(always)]
    fn drops_of(&self, piece: HandPiece, survivors: &mut Survivors) {
        if self.position.hand(self.us).count(piece) == 0 {
            return;
        }
        let kind = piece.to_piece_type();
        for to in &(self.promising(kind) & self.position.empties() & self.allowed) {
            let mut occupied = self.occupied;
            occupied.set(to);
            let attacked = reach(kind, self.us, to, occupied);
            if self.free.and_not(attacked).is_empty() && !self.is_parried(to, occupied) {
                let _ = survivors.try_push(Move::drop(kind, to, self.us));
            }
        }
    }

    /// Squares from which a piece of `kind` checks and might attack every square the king could step to.
    #[inline(always)]
    fn promising(&self, kind: Kind) -> Bitboard {
        let mut squares = checking_squares(self.position, kind);
        if kind != Kind::KNIGHT {
            squares &= self.worth;
        }
        for step in &self.free {
            if squares.is_empty() {
                break;
            }
            squares &= sources(kind, self.us, step) | Bitboard::from_square(step);
        }
        squares
    }

    /// Moves on the board that check and are not refuted at sight.
    fn moves(&self, survivors: &mut Survivors) {
        // One by one: with the kind known, all that depends on it is folded away.
        self.moves_of(Kind::KNIGHT, survivors);
        if !self.worth.is_empty() {
            self.moves_of(Kind::GOLD, survivors);
            self.moves_of(Kind::SILVER, survivors);
            self.moves_of(Kind::DRAGON, survivors);
            self.moves_of(Kind::HORSE, survivors);
            self.moves_of(Kind::ROOK, survivors);
            self.moves_of(Kind::BISHOP, survivors);
            self.moves_of(Kind::PAWN, survivors);
            self.moves_of(Kind::LANCE, survivors);
        }
        let own = self.position.pieces_by_color(self.us);
        for from in &(own & self.pinned) {
            self.moves_that_unveil(from, survivors);
        }
    }

    #[inline(always)]
    fn moves_of(&self, kind: Kind, survivors: &mut Survivors) {
        let position = self.position;
        let own = position.pieces_by_color(self.us);
        let of_kind = if kind == Kind::GOLD { position.golds() } else { position.pieces_by_type(kind) };
        let origins = own & of_kind & check_origins(kind, self.us, self.king);
        if origins.is_empty() {
            return;
        }
        let plain = checking_squares(position, kind);
        let promoted =
            if kind.is_promotable() { checking_squares(position, kind.promote()) } else { Bitboard::EMPTY };
        let mut targets = (self.allowed & (plain | promoted)).and_not(own);
        if kind != Kind::KNIGHT {
            targets &= self.worth;
        }
        if targets.is_empty() {
            return;
        }
        for from in &origins {
            let reached = reach(kind, self.us, from, position.pieces());
            for to in &(reached & targets) {
                self.try_move(from, to, reached, plain.test(to), promoted.test(to), survivors);
            }
        }
    }

    /// Moves of a piece that stands between one of our sliders and the king: whatever it does, the line opens.
    #[cold]
    fn moves_that_unveil(&self, from: Square, survivors: &mut Survivors) {
        let position = self.position;
        let kind = position.piece_on(from).piece_type();
        let reached = reach(kind, self.us, from, position.pieces());
        let allowed = if kind == Kind::KING { Bitboard::ALL } else { self.allowed };
        for to in &(reached & allowed).and_not(position.pieces_by_color(self.us)) {
            self.try_move(from, to, reached, true, true, survivors);
        }
    }

    /// Keeps a move, promoting or not where that checks, unless a reply is seen.
    fn try_move(
        &self,
        from: Square,
        to: Square,
        reached: Bitboard,
        plain_checks: bool,
        promoted_checks: bool,
        survivors: &mut Survivors,
    ) {
        let piece = self.position.piece_on(from);
        let kind = piece.piece_type();
        let promotes = can_promote(kind, self.us, from, to);
        if promotes && promoted_checks && self.survives(kind.promote(), from, to, reached) {
            let _ = survivors.try_push(Move::promotion(from, to, piece));
        }
        let may_stay = !promotes || matches!(kind, Kind::SILVER | Kind::KNIGHT | Kind::LANCE);
        if may_stay && plain_checks && self.survives(kind, from, to, reached) {
            let _ = survivors.try_push(Move::normal(from, to, piece));
        }
    }

    /// Whether no reply is seen when a piece that attacks `reached` now goes to `to` and is of kind `after` there.
    fn survives(&self, after: Kind, from: Square, to: Square, reached: Bitboard) -> bool {
        let mut occupied = self.occupied;
        occupied.clear(from);
        occupied.set(to);
        // Where the piece leaves no line of ours behind, what nobody else attacks now will not be attacked then.
        if !self.slid.test(from) {
            let left_alone = (self.once & reached).and_not(self.twice);
            let left_alone = left_alone.and_not(self.position.pieces_by_color(self.them)) | self.free;
            let mut steps = left_alone.and_not(reach(after, self.us, to, occupied));
            steps.clear(to);
            if !steps.is_empty() {
                return false;
            }
        }
        if self.ring.test(to) && !self.twice.test(to) {
            // Only the piece itself is known to reach the square: from there another must protect it.
            let mut guards = self.position.attackers_to_color(self.us, to, occupied);
            guards.clear(from);
            if guards.is_empty() {
                return false;
            }
        }
        // Two checks at once are not parried by one move, and a line that opens towards the king may pin defenders.
        self.pinned.test(from)
            || (self.slid.test(from) && self.is_on_line_with_king(from))
            || !self.is_parried(to, occupied)
    }

    fn is_on_line_with_king(&self, square: Square) -> bool {
        let lines = sources(Kind::ROOK, self.us, self.king) | sources(Kind::BISHOP, self.us, self.king);
        lines.test(square)
    }

    /// Whether a single check from `to` can be parried without the king: by a capture or by something put in
    /// between. `occupied` is the board after the check, without the king.
    fn is_parried(&self, to: Square, occupied: Bitboard) -> bool {
        let occupied = occupied | Bitboard::from_square(self.king);
        let mut defenders = self.position.attackers_to_color(self.them, to, occupied).and_not(self.pinned);
        defenders.clear(self.king);
        if !defenders.is_empty() {
            return true;
        }
        let between = Bitboard::between(to, self.king);
        (&between).into_iter().any(|square| self.can_block(square, to, occupied))
    }

    /// Whether something can be put on an empty square between king and the checking piece on `to`. What could be
    /// dropped anywhere is not asked for: such checks were not worth a look.
    fn can_block(&self, square: Square, to: Square, occupied: Bitboard) -> bool {
        let hand = self.position.hand(self.them);
        let steps_left = match self.them {
            Color::Black => square.rank().raw(),
            Color::White => 8 - square.rank().raw(),
        };
        if hand.count(HandPiece::LANCE) > 0 && steps_left >= 1
            || hand.count(HandPiece::KNIGHT) > 0 && steps_left >= 2
            || hand.count(HandPiece::PAWN) > 0
                && steps_left >= 1
                && !self.position.has_pawn_on_file(self.them, square.file())
        {
            return true;
        }
        let mut blockers = self.position.attackers_to_color(self.them, square, occupied).and_not(self.pinned);
        blockers.clear(self.king);
        // What was captured there cannot help.
        blockers.clear(to);
        !blockers.is_empty()
    }
}
