//! The form of every line that may be printed, as strict as the strictest client reads it.

use usi::EngineCommand;

/// What a line says, as far as the order of lines depends on it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Printed {
    /// `usiok`
    UsiOk,
    /// `readyok`
    ReadyOk,
    /// `id …`
    Id,
    /// `option name X …`
    Choice {
        /// X
        name: String,
    },
    /// `info … pv …`
    Variation(Variation),
    /// `info string …`
    Text(String),
    /// `bestmove M [ponder P]`
    Best {
        /// M
        best: String,
        /// P
        ponder: Option<String>,
    },
    /// `bestmove resign`
    Resign,
    /// `bestmove win`
    Win,
    /// `checkmate M…`
    Mate(Vec<String>),
    /// `checkmate nomate`
    NoMate,
    /// `checkmate timeout`
    Timeout,
    /// The sign of life
    Empty,
    /// A line of the answer to `side`, `moves` or `d`
    Extension,
}

impl Printed {
    /// Whether this is what a `go` ends with.
    pub fn is_answer(&self) -> bool {
        matches!(
            self,
            Self::Best { .. } | Self::Resign | Self::Win | Self::Mate(_) | Self::NoMate | Self::Timeout
        )
    }
}

/// What `info` says of one line of play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variation {
    /// Place among the best lines, from 1.
    pub place: usize,
    /// `cp` or `mate`, and the number.
    pub score: (String, i64),
    /// Nodes so far.
    pub nodes: u64,
    /// Depth.
    pub depth: u64,
    /// The moves.
    pub pv: Vec<String>,
}

/// Reads a line without its LF, or says what is wrong with it.
pub fn read(line: &str) -> Result<Printed, String> {
    if let Some(c) = line.chars().find(|&c| !(c == ' ' || c.is_ascii_graphic())) {
        return Err(format!("{c:?} is not printable ASCII"));
    }
    if line.is_empty() {
        return Ok(Printed::Empty);
    }
    if line.ends_with(' ') {
        return Err("a trailing space".to_owned());
    }
    if line.starts_with(' ') || line.contains("  ") {
        return Err("not one space between words".to_owned());
    }
    if is_extension(line) {
        return Ok(Printed::Extension);
    }
    match EngineCommand::parse(line) {
        Ok(EngineCommand::Unknown) => return Err("unknown to the crate usi".to_owned()),
        Ok(_) => {}
        Err(error) => return Err(format!("unreadable for the crate usi: {error}")),
    }
    let words: Vec<&str> = line.split(' ').collect();
    match words.as_slice() {
        ["usiok"] => Some(Printed::UsiOk),
        ["readyok"] => Some(Printed::ReadyOk),
        ["id", "name" | "author", _, ..] => Some(Printed::Id),
        ["option", "name", name, "type", kind @ ..] => {
            is_option_kind(kind).then(|| Printed::Choice { name: (*name).to_owned() })
        }
        ["info", "string", text @ ..] => Some(Printed::Text(text.join(" "))),
        ["info", rest @ ..] => variation(rest).map(Printed::Variation),
        ["bestmove", "resign"] => Some(Printed::Resign),
        ["bestmove", "win"] => Some(Printed::Win),
        ["bestmove", best] if is_move(best) => Some(Printed::Best { best: (*best).to_owned(), ponder: None }),
        ["bestmove", best, "ponder", ponder] if is_move(best) && is_move(ponder) => {
            Some(Printed::Best { best: (*best).to_owned(), ponder: Some((*ponder).to_owned()) })
        }
        ["checkmate", "nomate"] => Some(Printed::NoMate),
        ["checkmate", "timeout"] => Some(Printed::Timeout),
        ["checkmate", moves @ ..] if !moves.is_empty() => own_moves(moves).map(Printed::Mate),
        _ => None,
    }
    .ok_or_else(|| "not a form of the guide".to_owned())
}

fn is_option_kind(words: &[&str]) -> bool {
    match words {
        ["check", "default", default] => matches!(*default, "true" | "false"),
        // The type of the numbers is the check: clients keep them in 32 bits.
        ["spin", "default", default, "min", min, "max", max] => {
            match (default.parse::<i32>(), min.parse::<i32>(), max.parse::<i32>()) {
                (Ok(default), Ok(min), Ok(max)) => (min..=max).contains(&default),
                _ => false,
            }
        }
        ["combo", "default", default, vars @ ..] => {
            let pairs = vars.chunks(2).all(|pair| matches!(pair, ["var", _]));
            pairs && vars.chunks(2).any(|pair| pair[1] == *default)
        }
        ["string" | "filename", "default", _] | ["button"] => true,
        _ => false,
    }
}

/// Reads what follows `info`, every word in its place.
fn variation(words: &[&str]) -> Option<Variation> {
    let ["depth", depth, "seldepth", seldepth, "multipv", place, "score", unit, score, rest @ ..] = words
    else {
        return None;
    };
    let bounded = matches!(rest.first(), Some(&("lowerbound" | "upperbound")));
    let rest = if bounded { &rest[1..] } else { rest };
    let ["nodes", nodes, "nps", nps, "hashfull", hashfull, "time", time, "pv", pv @ ..] = rest else {
        return None;
    };
    let (depth, seldepth) = (number(depth)?, number(seldepth)?);
    let score = number_with_sign(score)?;
    let right_score = match *unit {
        "cp" => score.abs() <= 1_000_000,
        "mate" => score != 0,
        _ => false,
    };
    number(nps)?;
    number(time)?;
    let place = number(place)? as usize;
    let fine = right_score && seldepth >= depth && number(hashfull)? <= 1000 && place >= 1 && !pv.is_empty();
    let pv = own_moves(pv)?;
    fine.then(|| Variation {
        place,
        score: ((*unit).to_owned(), score),
        nodes: number(nodes).unwrap_or(0),
        depth,
        pv,
    })
}

/// Digits only, as all clients read them.
fn number(text: &str) -> Option<u64> {
    text.bytes().all(|b| b.is_ascii_digit()).then(|| text.parse().ok())?
}

fn number_with_sign(text: &str) -> Option<i64> {
    match text.strip_prefix('-') {
        Some(digits) => number(digits).map(|n| -(n as i64)),
        None => number(text).map(|n| n as i64),
    }
}

fn own_moves(words: &[&str]) -> Option<Vec<String>> {
    words.iter().all(|word| is_move(word)).then(|| words.iter().map(|&word| word.to_owned()).collect())
}

/// Whether the text has the form of a move in USI.
pub fn is_move(text: &str) -> bool {
    let square = |file: u8, rank: u8| (b'1'..=b'9').contains(&file) && (b'a'..=b'i').contains(&rank);
    match text.as_bytes() {
        [b'P' | b'L' | b'N' | b'S' | b'G' | b'B' | b'R', b'*', file, rank] => square(*file, *rank),
        [f1, r1, f2, r2] | [f1, r1, f2, r2, b'+'] => square(*f1, *r1) && square(*f2, *r2),
        _ => false,
    }
}

/// Whether this is part of what `side`, `moves` or `d` print.
fn is_extension(line: &str) -> bool {
    matches!(line, "black" | "white" | "Black to move" | "White to move")
        || ["Black's hand: ", "White's hand: ", "sfen ", "| "].iter().any(|start| line.starts_with(start))
        || line.split(' ').all(is_move)
}

#[test]
fn lines_of_the_guide_are_read() {
    let line =
        "info depth 3 seldepth 4 multipv 1 score cp -12 nodes 1096 nps 1000 hashfull 0 time 0 pv 6g6f P*1d";
    let Ok(Printed::Variation(variation)) = read(line) else { panic!("{:?}", read(line)) };
    assert_eq!((variation.place, variation.pv), (1, vec!["6g6f".to_owned(), "P*1d".to_owned()]));
    for line in [
        "usiok",
        "readyok",
        "",
        "id name Tenbin",
        "option name USI_Hash type spin default 64 min 1 max 1024",
        "option name Rule type combo default A var B var A",
        "option name BookFile type filename default <empty>",
        "bestmove 7g7f",
        "bestmove P*5e ponder 8h2b+",
        "bestmove resign",
        "bestmove win",
        "checkmate G*5b",
        "checkmate nomate",
        "checkmate timeout",
        "info string any text",
        "info depth 1 seldepth 1 multipv 1 score mate -2 lowerbound nodes 1 nps 1 hashfull 0 time 0 pv 6g6f",
    ] {
        assert!(read(line).is_ok(), "{line}: {:?}", read(line));
    }
}

#[test]
fn lines_that_some_client_trips_over_are_refused() {
    for line in [
        "usiok ",
        " usiok",
        "readyok\r",
        "info string \u{e9}",
        "info string two  spaces",
        "hello",
        "bestmove none",
        "bestmove 7g7f ponder",
        "bestmove p*5e",
        "bestmove resign ponder 7g7f",
        "checkmate",
        "checkmate notimplemented",
        "option name Two Words type check default true",
        "option name X type check default yes",
        "option name X type spin default 5 min 6 max 7",
        "option name X type spin default 5 min 0 max 2147483648",
        "option name X type combo default C var A var B",
        "option name X type string default",
        "info depth 1",
        "info depth 1 seldepth 1 multipv 1 score mate 0 nodes 1 nps 1 hashfull 0 time 0 pv 6g6f",
        "info depth 1 seldepth 1 multipv 1 score mate + nodes 1 nps 1 hashfull 0 time 0 pv 6g6f",
        "info depth 1 seldepth 1 multipv 0 score cp 1 nodes 1 nps 1 hashfull 0 time 0 pv 6g6f",
        "info depth 1 seldepth 1 score cp 1 multipv 1 nodes 1 nps 1 hashfull 0 time 0 pv 6g6f",
        "info depth 1 seldepth 1 multipv 1 score cp 1 nodes 1 nps 1 hashfull 0 time 0 pv",
        "info depth 1 seldepth 1 multipv 1 score cp 1 nodes 1 nps 1 hashfull 0 time 0 pv 6g6f string x",
        "info depth 1 seldepth 1 multipv 1 score cp 1 wdl 1 2 3 nodes 1 nps 1 hashfull 0 time 0 pv 6g6f",
    ] {
        assert!(read(line).is_err(), "{line}");
    }
}
