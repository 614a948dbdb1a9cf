//! The rules of shogi as others wrote them: `shogi_core` and `shogi_legality_lite`, which share nothing with the
//! engine.

use shogi_core::{Color, Move, PartialPosition, Piece, PieceKind, Square};
use shogi_legality_lite::{all_legal_moves_partial, is_legal_partial_lite};
use shogi_usi_parser::FromUsi;

/// A position that can judge moves.
#[derive(Clone)]
pub struct Oracle(PartialPosition);

impl Oracle {
    /// Reads an SFEN.
    pub fn at(sfen: &str) -> Self {
        let position = PartialPosition::from_usi(&format!("sfen {sfen}"));
        Self(position.unwrap_or_else(|error| panic!("{sfen}: {error:?}")))
    }

    /// Plays a move if it is legal.
    pub fn play(&mut self, text: &str) -> Result<(), String> {
        let mv = match Move::from_usi(text) {
            // The text does not say whose piece is dropped.
            Ok(Move::Drop { piece, to }) => {
                Move::Drop { piece: Piece::new(piece.piece_kind(), self.0.side_to_move()), to }
            }
            Ok(mv) => mv,
            Err(error) => return Err(format!("{text} is no move: {error:?}")),
        };
        if !is_legal_partial_lite(&self.0, mv) {
            return Err(format!("{text} is not legal in {}", self.0.to_sfen_owned()));
        }
        self.0.make_move(mv).ok_or_else(|| format!("{text} cannot be played"))
    }

    /// Plays moves one after the other.
    pub fn play_all<'a>(&mut self, moves: impl IntoIterator<Item = &'a String>) -> Result<(), String> {
        moves.into_iter().try_for_each(|mv| self.play(mv))
    }

    /// Number of legal moves.
    pub fn count(&self) -> usize {
        all_legal_moves_partial(&self.0).len()
    }

    /// Whether the side to move has lost.
    pub fn is_mated(&self) -> bool {
        self.count() == 0
    }

    /// Whether the side to move may declare a win under the rule of 27 points, counted square by square.
    pub fn may_declare(&self) -> bool {
        let side = self.0.side_to_move();
        let camp = |square: Square| match side {
            Color::Black => square.rank() <= 3,
            Color::White => square.rank() >= 7,
        };
        if !self.0.king_position(side).is_some_and(camp) || self.is_in_check() {
            return false;
        }
        let worth = |kind: PieceKind| match kind.unpromote().unwrap_or(kind) {
            PieceKind::Rook | PieceKind::Bishop => 5,
            _ => 1,
        };
        let entered = Square::all()
            .filter(|&square| camp(square))
            .filter_map(|square| self.0.piece_at(square))
            .filter(|piece| piece.color() == side && piece.piece_kind() != PieceKind::King);
        let kinds: Vec<PieceKind> = entered.map(|piece| piece.to_parts().0).collect();
        let mut points: u32 = kinds.iter().map(|&kind| worth(kind)).sum();
        for kind in shogi_core::Hand::all_hand_pieces() {
            points += worth(kind) * u32::from(self.0.hand(Piece::new(kind, side)).unwrap_or(0));
        }
        kinds.len() >= 10 && points >= if side == Color::Black { 28 } else { 27 }
    }

    fn is_in_check(&self) -> bool {
        let mut other = self.0.clone();
        other.side_to_move_set(self.0.side_to_move().flip());
        shogi_legality_lite::prelegality::will_king_be_captured(&other) == Some(true)
    }
}

#[test]
fn the_oracle_knows_the_starting_position() {
    let mut oracle = Oracle::at("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1");
    assert_eq!(oracle.count(), 30);
    assert!(oracle.play("7g7e").is_err() && oracle.play("3c3d").is_err() && oracle.play("P*5e").is_err());
    assert_eq!(oracle.play("7g7f"), Ok(()));
    assert_eq!(oracle.play("3c3d"), Ok(()));
    assert_eq!(oracle.play("8h2b+"), Ok(()));
    assert_eq!(oracle.play("3a2b"), Ok(()));
    assert_eq!(oracle.play("B*5e"), Ok(()));
    assert!(!oracle.is_mated() && !oracle.may_declare());
}
