//! HCPE, the format of training data: positions with the move a search chose, its score and how the game ended.

use rsshogi::board::HuffmanCodedPos;
use rsshogi::types::AperyMove;

use super::{Ending, Kifu, KifuError};
use crate::shogi::notation::{MoveError, PositionError, parse_move, parse_sfen, quote};
use crate::shogi::{Color, Position};

/// Bytes of a record: position, score, move, result and one to fill up.
pub const RECORD: usize = 38;

/// Reads a record: a game of one move.
pub fn parse(bytes: &[u8; RECORD]) -> Result<Kifu, KifuError> {
    let [position @ .., score_low, score_high, move_low, move_high, result, _] = *bytes;
    let mut start = Position::empty();
    start
        .set_huffman_coded_pos(&HuffmanCodedPos { data: position }, 1)
        .map_err(|error| PositionError::Board(quote(&error.to_string())))?;
    let start = parse_sfen(&start.to_sfen(None))?;
    let ending = match result {
        0 => Ending::Draw,
        1 => Ending::Win(Color::Black),
        2 => Ending::Win(Color::White),
        other => return Err(KifuError::Result(other)),
    };
    let packed = AperyMove::from_raw(u16::from_le_bytes([move_low, move_high]));
    let mv = if packed.is_normal() {
        parse_move(&start, &packed.to_usi())
    } else {
        Err(MoveError::Unreadable(packed.raw().to_string()))
    };
    let mv = mv.map_err(|error| KifuError::Move { number: 1, error })?;
    let score = i16::from_le_bytes([score_low, score_high]);
    Ok(Kifu { start, moves: vec![(mv, Some(score.into()))], ending, ratings: None, comments: Vec::new() })
}
