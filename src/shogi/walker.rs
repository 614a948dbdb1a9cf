//! A position that walks: one per worker, moved by apply and undo, that remembers its path.
//!
//! What a position is worth by the rules of repetition depends on how it was reached. The walker keeps a
//! footprint of every position since the start of the game, so the answers hold for this path exactly.

use rsshogi::board::zobrist::ZobristKey;
use rsshogi::types::RepetitionState;

use super::{Color, EnteringKingRule, Hand, Move, MoveList, Position, legal_moves};

/// What the side to move gets from a recurring position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repetition {
    /// Nobody gave check on every move.
    Draw,
    /// The opponent gave check on every move since: the side to move wins.
    Win,
    /// The side to move gave check on every move since: it loses.
    Loss,
    /// Same board, but the side to move holds more than before.
    Superior,
    /// Same board, but the side to move holds less than before.
    Inferior,
}

/// How the current position relates to earlier ones on the path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Recurrence {
    /// What it means. Over all plies between the occurrences counted, four at most; at the fourth this is
    /// the verdict of the rules, before it what the verdict would become if play went on like this.
    pub kind: Repetition,
    /// How often exactly this position occurred before on the path; 3 means the game is over, 0 that only
    /// the hands differ (superior or inferior).
    pub times: u32,
    /// Plies back to the nearest of them.
    pub distance: u32,
}

/// How a game stands for the side to move when it has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// No legal move: lost.
    Mated,
    /// Fourth occurrence: draw.
    Repetition,
    /// Fourth occurrence, and the opponent gave perpetual check: won.
    CheckedPerpetually,
    /// Fourth occurrence, and the side to move gave perpetual check: lost.
    GavePerpetualCheck,
    /// The last permitted move was played and did not mate: draw.
    MaxMoves,
}

/// A win that may be claimed instead of moving.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Declaration {
    /// Enough points with the king in the enemy camp: `bestmove win`.
    Claim,
    /// Under the try rule: this king move wins.
    Try(Move),
}

/// What can differ between games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    /// Number of the last move that may be played, counted as SFEN counts; 0 for no limit.
    pub max_moves: u32,
    /// When a king in the enemy camp wins.
    pub entering_king: EnteringKingRule,
}

impl Default for Rules {
    fn default() -> Self {
        Self { max_moves: 0, entering_king: EnteringKingRule::Point27 }
    }
}

/// A position that was left, as far as it must be remembered to recognise it: the board (with the side to move) and
/// that side's hand, which together fix the other hand too. And the move that was played there.
#[derive(Clone, Copy, Debug)]
struct Step {
    board: ZobristKey,
    hand: Hand,
    mv: Move,
}

// One small entry a move: walking costs hardly more than the crate's apply and undo.
const _: () = assert!(size_of::<Step>() == 16);

/// A position and the path that led to it.
#[derive(Clone)]
pub struct Walker {
    position: Position,
    /// Every position of the path before the current one, the oldest first.
    trail: Vec<Step>,
    max_moves: u32,
    entering_king: EnteringKingRule,
}

impl std::fmt::Debug for Walker {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Walker({} after {} moves)", self.position.to_sfen(None), self.trail.len())
    }
}

impl Walker {
    /// Moves a walker can make beyond the game before its stacks grow.
    const ROOM: usize = 512;

    /// A walker at the beginning of a game from `position`, which must have been read by
    /// [`super::notation`] or be known to be sound.
    pub fn new(mut position: Position, rules: Rules) -> Self {
        position.init_stack();
        position.set_entering_king_rule(rules.entering_king);
        let mut walker = Self {
            position,
            trail: Vec::new(),
            max_moves: rules.max_moves,
            entering_king: rules.entering_king,
        };
        walker.make_room();
        walker
    }

    /// A walker at the usual starting position under the usual rules.
    pub fn startpos() -> Self {
        Self::new(rsshogi::board::hirate_position(), Rules::default())
    }

    /// A walker of its own for a worker, at the same place with the same past.
    #[must_use]
    pub fn fork(&self) -> Self {
        let mut walker = Self {
            // The crate's form for searches: it indexes the past so that walking on need not scan it.
            position: self.position.clone_for_search(),
            trail: self.trail.clone(),
            max_moves: self.max_moves,
            entering_king: self.entering_king,
        };
        walker.make_room();
        walker
    }

    fn make_room(&mut self) {
        self.trail.reserve(Self::ROOM);
        // Fails only where the sum overflows an index.
        let _ = self.position.prepare_search_state_capacity(Self::ROOM);
    }

    /// Changes the rules from here on.
    pub fn set_rules(&mut self, rules: Rules) {
        self.position.set_entering_king_rule(rules.entering_king);
        self.max_moves = rules.max_moves;
        self.entering_king = rules.entering_king;
    }

    /// The current position.
    #[inline]
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// The side to move.
    #[inline]
    pub fn turn(&self) -> Color {
        self.position.turn()
    }

    /// The moves played since the start of the path.
    pub fn moves(&self) -> Vec<Move> {
        self.trail.iter().map(|step| step.mv).collect()
    }

    /// The move that was played so many moves ago: 1 is the last one.
    #[inline]
    pub fn move_ago(&self, number: usize) -> Option<Move> {
        let place = self.trail.len().checked_sub(number)?;
        self.trail.get(place).map(|step| step.mv)
    }

    /// Number of the move to be played next, as SFEN counts.
    #[inline]
    pub fn move_number(&self) -> u32 {
        u32::from(self.position.game_ply())
    }

    /// Plays a legal move.
    ///
    /// # Panics
    /// Where the move does not fit the position.
    #[inline]
    pub fn apply(&mut self, mv: Move) {
        let hand = self.position.hand(self.position.turn());
        self.trail.push(Step { board: self.position.board_key(), hand, mv });
        self.position.apply_move32(mv);
    }

    /// What `look` sees if the side to move passes; nothing where it is in check, which nobody can pass over. The walker must be
    /// back where it was when `look` ends.
    pub fn passed<T>(&mut self, look: impl FnOnce(&mut Self) -> T) -> Option<T> {
        if self.position.is_in_check() {
            return None;
        }
        self.position.apply_null_move().ok()?;
        let seen = look(self);
        self.position.undo_null_move().expect("passing can be taken back");
        Some(seen)
    }

    /// Takes the last move back; at the start of the path nothing happens.
    #[inline]
    pub fn undo(&mut self) {
        if let Some(step) = self.trail.pop() {
            self.position.undo_move32(step.mv).expect("the last move of the path can be taken back");
        }
    }

    /// Whether and how the current position occurred before on the path.
    #[inline]
    pub fn recurrence(&self) -> Option<Recurrence> {
        // The crate's cached answer stops at the nearest position with comparable hands and so may be wrong
        // about the kind and the count, but it is never empty where there is something to find.
        if self.position.repetition_type() == RepetitionState::None {
            return None;
        }
        self.search_trail()
    }

    fn search_trail(&self) -> Option<Recurrence> {
        let (board, hand) = (self.position.board_key(), self.position.hand(self.turn()));
        let checks = self.position.continuous_checks();
        let us = self.turn();
        let (mut nearest, mut furthest, mut times) = (0, 0, 0);
        let mut comparable = None;
        // A position cannot come back in fewer than four plies.
        for (i, past) in self.trail.iter().rev().enumerate().skip(3).step_by(2) {
            if past.board != board {
                continue;
            }
            let distance = i as u32 + 1;
            if past.hand == hand {
                times += 1;
                if times == 1 {
                    nearest = distance;
                }
                if times <= 3 {
                    furthest = distance;
                }
            } else if comparable.is_none() {
                let kind = if Hand::is_equal_or_superior(hand, past.hand) {
                    Repetition::Superior
                } else if Hand::is_equal_or_superior(past.hand, hand) {
                    Repetition::Inferior
                } else {
                    continue;
                };
                comparable = Some(Recurrence { kind, times: 0, distance });
            }
        }
        if times == 0 {
            return comparable;
        }
        // The counters hold two plies for each check in an unbroken row.
        let unbroken = |side: Color| u32::from(checks[side.to_index()]) >= furthest;
        let kind = if unbroken(us) {
            Repetition::Loss
        } else if unbroken(us.flip()) {
            Repetition::Win
        } else {
            Repetition::Draw
        };
        Some(Recurrence { kind, times, distance: nearest })
    }

    /// Whether the last permitted move has been played. Mate on that move still wins.
    #[inline]
    pub fn is_past_max_moves(&self) -> bool {
        self.max_moves > 0 && self.move_number() > self.max_moves
    }

    /// Moves that may still be played before the last permitted one has been.
    #[inline]
    pub fn plies_left(&self) -> u32 {
        if self.max_moves == 0 { u32::MAX } else { (self.max_moves + 1).saturating_sub(self.move_number()) }
    }

    /// The rules of the game.
    pub fn rules(&self) -> Rules {
        Rules { max_moves: self.max_moves, entering_king: self.entering_king }
    }

    /// Whether the side to move has no legal move, which in shogi loses.
    #[inline]
    pub fn is_mated(&self) -> bool {
        self.position.is_mated()
    }

    /// Whether the game has ended here, by the rules alone and without any claim.
    pub fn outcome(&self) -> Option<Outcome> {
        if self.is_mated() {
            return Some(Outcome::Mated);
        }
        match self.recurrence() {
            Some(Recurrence { times: 3.., kind, .. }) => Some(match kind {
                Repetition::Win => Outcome::CheckedPerpetually,
                Repetition::Loss => Outcome::GavePerpetualCheck,
                _ => Outcome::Repetition,
            }),
            _ => self.is_past_max_moves().then_some(Outcome::MaxMoves),
        }
    }

    /// Whether the side to move may claim a win by its king in the enemy camp, exactly by the rule.
    pub fn declaration(&self) -> Option<Declaration> {
        let claim = self.position.declaration_win_move();
        if claim.is_normal() {
            Some(Declaration::Try(claim))
        } else {
            (claim == Move::MOVE_WIN).then_some(Declaration::Claim)
        }
    }

    /// Any legal move, for when there is no time to choose.
    pub fn any_move(&self) -> Option<Move> {
        let mut list = MoveList::new();
        legal_moves(&self.position, &mut list);
        list.first().copied()
    }
}
