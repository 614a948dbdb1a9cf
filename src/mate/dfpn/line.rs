//! The line of a mate that has been proved: the attacker mates fast, the defender holds out long, but does not throw
//! pieces in the way where that changes nothing.

use super::{DEEPEST, Hunt, Place, hand_after};
use crate::mate::mate_in_one;
use crate::shogi::keys::board_key_after;
use crate::shogi::reach::can_promote;
use crate::shogi::{Bitboard, Move, MoveList, checks, is_legal, legal_moves};

impl Hunt<'_> {
    /// The line from the position the walker stands on, which must be a proved one for the attacker. Nothing where
    /// the proof cannot be found again within the limits.
    pub(super) fn line(&mut self) -> Option<Vec<Move>> {
        let mut line = Vec::new();
        let complete = self.follow(&mut line);
        for _ in &line {
            self.walker.undo();
            self.path.pop();
        }
        complete.then_some(line)
    }

    /// Plays the line on the board until mate; false when it is lost on the way.
    fn follow(&mut self, line: &mut Vec<Move>) -> bool {
        while line.len() < usize::from(DEEPEST) {
            let Some(mv) = self.mating_move() else { return false };
            self.play(mv, line);
            if self.walker.is_mated() {
                return true;
            }
            let Some(mv) = self.longest_defence() else { return false };
            self.play(mv, line);
        }
        false
    }

    fn play(&mut self, mv: Move, line: &mut Vec<Move>) {
        self.path.push(self.place_after(mv));
        self.walker.apply(mv);
        line.push(mv);
    }

    /// Where a move leads, as the table knows it.
    pub(super) fn place_after(&self, mv: Move) -> Place {
        let position = self.walker.position();
        let hand = position.hand(self.attacker);
        let hand = if self.attacks() { hand_after(position, hand, mv) } else { hand };
        Place { key: board_key_after(position, mv) ^ self.question, hand }
    }

    /// The attacker's move with the shortest mate known; proved again where it has been forgotten.
    fn mating_move(&mut self) -> Option<Move> {
        if let Some(mv) = mate_in_one(self.walker) {
            return Some(mv);
        }
        let mut moves = MoveList::new();
        checks(self.walker.position(), &mut moves);
        for _ in 0..2 {
            let known = moves.iter().filter_map(|&mv| {
                let place = self.place_after(mv);
                let fresh = self.repeated(place).is_none();
                self.table.shortest_mate(place).filter(|_| fresh).map(|plies| (plies, mv))
            });
            if let Some((_, mv)) = known.min_by_key(|&(plies, _)| plies) {
                return Some(mv);
            }
            if !self.prove(DEEPEST).is_mate() {
                return None;
            }
        }
        None
    }

    /// The defender's move that holds out longest, of those that change something where there are any.
    fn longest_defence(&mut self) -> Option<Move> {
        let mut best = None;
        for (mv, plies) in self.useful_defences()? {
            if best.is_none_or(|(_, longest)| plies > longest) {
                best = Some((mv, plies));
            }
        }
        if best.is_some() {
            return best.map(|(mv, _)| mv);
        }
        // All that is left is to throw pieces in the way.
        let mut moves = MoveList::new();
        legal_moves(self.walker.position(), &mut moves);
        let mut longest = None;
        for &mv in moves.iter() {
            let plies = self.plies_after(mv)?;
            if longest.is_none_or(|(_, most)| plies > most) {
                longest = Some((mv, plies));
            }
        }
        longest.map(|(mv, _)| mv)
    }

    /// The defender's moves but for useless drops in between, each with the plies to mate after it.
    fn useful_defences(&mut self) -> Option<Vec<(Move, u16)>> {
        let mut moves = MoveList::new();
        legal_moves(self.walker.position(), &mut moves);
        let mut useful = Vec::new();
        for &mv in moves.iter().filter(|mv| !mv.is_drop()) {
            useful.push((mv, self.plies_after(mv)?));
        }
        let base = useful.iter().map(|&(_, plies)| plies + 1).max().unwrap_or(0);
        for &mv in moves.iter().filter(|mv| mv.is_drop()) {
            if !self.is_useless(mv, base) {
                useful.push((mv, self.plies_after(mv)?));
            }
        }
        Some(useful)
    }

    /// Plies to mate after a defender's move.
    fn plies_after(&mut self, mv: Move) -> Option<u16> {
        let place = self.place_after(mv);
        if let Some(plies) = self.table.shortest_mate(place) {
            return Some(plies);
        }
        self.walker.apply(mv);
        self.path.push(place);
        let value = self.prove(DEEPEST);
        self.path.pop();
        self.walker.undo();
        value.is_mate().then_some(value.plies)
    }

    /// Whether a piece dropped in between is simply taken by the checking piece, after which the defender is mated as
    /// soon as if it had not been dropped: in at most `base` plies.
    fn is_useless(&mut self, drop: Move, base: u16) -> bool {
        let position = self.walker.position();
        let Some(from) = position.checkers().lsb() else { return false };
        let checker = position.piece_on(from);
        let to = drop.to_sq();
        let mut captures = vec![Move::normal(from, to, checker)];
        if can_promote(checker.piece_type(), self.attacker, from, to) {
            captures.push(Move::promotion(from, to, checker));
        }
        self.walker.apply(drop);
        let useless = captures.into_iter().any(|capture| self.mates_anyway(capture, base));
        self.walker.undo();
        useless
    }

    fn mates_anyway(&mut self, capture: Move, base: u16) -> bool {
        if !is_legal(self.walker.position(), capture) {
            return false;
        }
        self.walker.apply(capture);
        let plies = if self.walker.position().is_in_check() { self.effective_plies() } else { None };
        self.walker.undo();
        plies.is_some_and(|plies| plies <= base)
    }

    /// Plies to mate when the defender to move does without useless drops; nothing where that is not known.
    fn effective_plies(&mut self) -> Option<u16> {
        // Each drop that is taken brings the checking piece nearer: this ends.
        if !self.walker.is_mated() && Bitboard::is_empty(&self.walker.position().checkers()) {
            return None;
        }
        let mut moves = MoveList::new();
        legal_moves(self.walker.position(), &mut moves);
        let mut plies = 0;
        for &mv in moves.iter().filter(|mv| !mv.is_drop()) {
            plies = plies.max(self.table.shortest_mate(self.place_after(mv))? + 1);
        }
        for &mv in moves.iter().filter(|mv| mv.is_drop()) {
            if !self.is_useless(mv, plies) {
                plies = plies.max(self.table.shortest_mate(self.place_after(mv))? + 1);
            }
        }
        Some(plies)
    }
}
