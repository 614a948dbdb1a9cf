//! JKF, records in JSON.

use rsshogi::records::{JkfError, parse_jkf_str};
use serde_json::{Deserializer, Value};

use super::{Kifu, KifuError, Prepared};
use crate::shogi::notation::{PositionError, quote};

/// Divides a text into its games: one value, a list of them, or one after the other. What is no JSON is the last.
pub fn games(text: &str) -> Vec<Result<Value, KifuError>> {
    let mut games = Vec::new();
    for value in Deserializer::from_str(text).into_iter() {
        match value {
            Ok(Value::Array(list)) => games.extend(list.into_iter().map(Ok)),
            Ok(value) => games.push(Ok(value)),
            Err(error) => games.push(Err(KifuError::Unreadable(quote(&error.to_string())))),
        }
    }
    games
}

/// Reads a game.
pub fn parse(mut game: Value) -> Result<Kifu, KifuError> {
    let Some(fields) = game.as_object_mut() else {
        return Err(KifuError::Unreadable("what is no object".to_owned()));
    };
    // Neither names nor times nor variations are wanted, and the crate gives a game up for an error in them.
    fields.retain(|key, _| matches!(key.as_str(), "initial" | "moves"));
    let mut moves = 0;
    for entry in fields.get_mut("moves").and_then(Value::as_array_mut).into_iter().flatten() {
        moves += usize::from(entry.get("move").is_some());
        if let Some(entry) = entry.as_object_mut() {
            entry.retain(|key, _| matches!(key.as_str(), "move" | "special" | "comments"));
        }
    }
    let all = game.to_string();
    if let Some(fields) = game.as_object_mut() {
        fields.remove("moves");
    }
    Prepared { start: game.to_string(), all, moves }.read(|text| Ok(parse_jkf_str(text)?))
}

impl From<JkfError> for KifuError {
    fn from(error: JkfError) -> Self {
        match error {
            JkfError::Sfen(error) => PositionError::Board(quote(&error.to_string())).into(),
            JkfError::UnsupportedPreset(name) => Self::Handicap(quote(&name)),
            // Counted from 0, and the first entry is the start.
            JkfError::IllegalMove { index } => Self::Illegal(index),
            other => Self::Unreadable(quote(&other.to_string())),
        }
    }
}
