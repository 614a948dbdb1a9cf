//! Lines into commands. Nothing that arrives is an error here: what is not understood is passed on as such.

use std::time::Duration;

/// What a client can ask.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// `usi`
    Usi,
    /// `setoption name N [value V]`
    SetOption {
        /// Words up to ` value `.
        name: String,
        /// The rest of the line as it is; empty where there is none.
        value: String,
    },
    /// `getoption N`
    GetOption(String),
    /// `isready`
    IsReady,
    /// `usinewgame`
    NewGame,
    /// `position …`
    Position(String),
    /// `go …`
    Go(Box<Go>),
    /// `ponderhit [times]`
    PonderHit(Times),
    /// `stop`, and `gameover`, which counts as it
    Stop,
    /// `quit`, or the end of input
    Quit,
    /// `side`: which side is to move?
    Side,
    /// `moves`: which moves are legal?
    Moves,
    /// `d`: draw the board
    Draw,
    /// `bench`
    Bench,
    /// `usi_tunables`: what can be tuned? Runners of matches ask
    Tunables,
    /// `wait [ms]`: read on only when the search has answered, or after so long; for scripts
    Wait(Option<Duration>),
    /// An empty line or a comment
    Nothing,
    /// Anything else
    Unknown(String),
}

/// Times on the clocks as the client gave them, in milliseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Times {
    /// Left for Black and for White.
    pub remaining: [Option<u64>; 2],
    /// Added for Black and for White.
    pub increment: [Option<u64>; 2],
    /// For each move when nothing is left.
    pub byoyomi: Option<u64>,
}

impl Times {
    /// Whether any time was given.
    pub fn any(&self) -> bool {
        *self != Self::default()
    }
}

/// The arguments of `go`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Go {
    /// Times on the clocks.
    pub times: Times,
    /// Think exactly this many milliseconds.
    pub movetime: Option<u64>,
    /// Stop after so many nodes.
    pub nodes: Option<u64>,
    /// Stop after this depth.
    pub depth: Option<u32>,
    /// Until `stop`.
    pub infinite: bool,
    /// On the opponent's time, until `ponderhit` or `stop`.
    pub ponder: bool,
    /// Look for a mate, for so many milliseconds (`u64::MAX` for ever).
    pub mate: Option<u64>,
    /// Count move paths of this many plies.
    pub perft: Option<u64>,
    /// Consider only these moves.
    pub search_moves: Vec<String>,
}

impl Command {
    /// Understands one line.
    pub fn parse(line: &str) -> Self {
        let words: Vec<&str> = line.split_ascii_whitespace().collect();
        match words.as_slice() {
            [] => Self::Nothing,
            [word, ..] if word.starts_with('#') => Self::Nothing,
            ["usi"] => Self::Usi,
            ["isready"] => Self::IsReady,
            ["usinewgame"] => Self::NewGame,
            ["stop"] | ["gameover", ..] => Self::Stop,
            ["quit"] => Self::Quit,
            ["side"] => Self::Side,
            ["moves"] => Self::Moves,
            ["d"] => Self::Draw,
            ["bench"] => Self::Bench,
            ["usi_tunables"] => Self::Tunables,
            ["wait"] => Self::Wait(None),
            ["wait", ms] => Self::Wait(Some(Duration::from_millis(number(ms).unwrap_or(0)))),
            ["setoption", ..] => parse_setoption(line),
            ["getoption", name @ ..] => Self::GetOption(name.join(" ")),
            ["position", arguments @ ..] => Self::Position(arguments.join(" ")),
            ["go", arguments @ ..] => Self::Go(Box::new(parse_go(arguments))),
            ["ponderhit", arguments @ ..] => Self::PonderHit(parse_go(arguments).times),
            _ => Self::Unknown(line.trim().to_owned()),
        }
    }
}

fn parse_setoption(line: &str) -> Command {
    // The value is the rest of the line with its spaces, so words will not do: walk the line itself.
    let rest = after_word(line.trim_start(), "setoption").unwrap_or("");
    let rest = after_word(rest, "name").unwrap_or(rest);
    let mut name: Vec<&str> = Vec::new();
    let mut tail = rest;
    loop {
        tail = tail.trim_start_matches(|c: char| c.is_ascii_whitespace());
        let end = tail.find(|c: char| c.is_ascii_whitespace()).unwrap_or(tail.len());
        let (word, after) = tail.split_at(end);
        if word.is_empty() {
            return Command::SetOption { name: name.join(" "), value: String::new() };
        }
        if word == "value" && !name.is_empty() {
            let value = after.strip_prefix(' ').unwrap_or(after);
            return Command::SetOption { name: name.join(" "), value: value.to_owned() };
        }
        name.push(word);
        tail = after;
    }
}

/// What follows `word` in `text`, if `text` begins with it.
fn after_word<'a>(text: &'a str, word: &str) -> Option<&'a str> {
    let rest = text.trim_start().strip_prefix(word)?;
    (rest.is_empty() || rest.starts_with(|c: char| c.is_ascii_whitespace())).then_some(rest)
}

fn parse_go(words: &[&str]) -> Go {
    let mut go = Go::default();
    let mut rest = words;
    while let [word, tail @ ..] = rest {
        rest = tail;
        // A number that is missing or unreadable counts as 0 and the next word is read as a word again.
        let mut value = || match rest {
            [text, tail @ ..] => number(text).inspect(|_| rest = tail),
            [] => None,
        };
        match *word {
            "btime" => go.times.remaining[0] = Some(value().unwrap_or(0)),
            "wtime" => go.times.remaining[1] = Some(value().unwrap_or(0)),
            "binc" => go.times.increment[0] = Some(value().unwrap_or(0)),
            "winc" => go.times.increment[1] = Some(value().unwrap_or(0)),
            "byoyomi" => go.times.byoyomi = Some(value().unwrap_or(0)),
            "movetime" => go.movetime = Some(value().unwrap_or(0)),
            "nodes" => go.nodes = Some(value().unwrap_or(0)),
            "depth" => go.depth = Some(u32::try_from(value().unwrap_or(0)).unwrap_or(u32::MAX)),
            "perft" => go.perft = Some(value().unwrap_or(0)),
            "infinite" => go.infinite = true,
            "ponder" => go.ponder = true,
            "mate" => {
                go.mate = Some(value().unwrap_or(u64::MAX));
                if let ["infinite", tail @ ..] = rest {
                    rest = tail;
                }
            }
            "searchmoves" => {
                go.search_moves = rest.iter().map(|&mv| mv.to_owned()).collect();
                break;
            }
            _ => {}
        }
    }
    go
}

/// A number from outside: too large becomes the largest, negative becomes 0.
fn number(text: &str) -> Option<u64> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    if negative { Some(0) } else { Some(digits.parse().unwrap_or(u64::MAX)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn go(line: &str) -> Go {
        match Command::parse(line) {
            Command::Go(go) => *go,
            other => panic!("{other:?}"),
        }
    }

    fn option(line: &str) -> (String, String) {
        match Command::parse(line) {
            Command::SetOption { name, value } => (name, value),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn option_names_end_at_value_and_values_keep_their_spaces() {
        assert_eq!(option("setoption name USI_Hash value 64"), ("USI_Hash".into(), "64".into()));
        assert_eq!(
            option("setoption name BookFile value C:\\My Books\\a  b.db"),
            ("BookFile".into(), "C:\\My Books\\a  b.db".into())
        );
        assert_eq!(option("  setoption   name Clear Hash"), ("Clear Hash".into(), String::new()));
        assert_eq!(option("setoption name X value"), ("X".into(), String::new()));
        assert_eq!(option("setoption name X value "), ("X".into(), String::new()));
        assert_eq!(option("setoption USI_Hash value 1"), ("USI_Hash".into(), "1".into()));
        assert_eq!(option("setoption name value value v"), ("value".into(), "v".into()));
        assert_eq!(option("setoption"), (String::new(), String::new()));
    }

    #[test]
    fn go_takes_all_limits_in_any_order_and_skips_what_it_does_not_know() {
        let all = go("go wtime 2 btime 1 foo byoyomi 5 winc 4 binc 3 nodes 7 depth 8 movetime 9");
        assert_eq!(all.times.remaining, [Some(1), Some(2)]);
        assert_eq!(all.times.increment, [Some(3), Some(4)]);
        assert_eq!(all.times.byoyomi, Some(5));
        assert_eq!((all.nodes, all.depth, all.movetime), (Some(7), Some(8), Some(9)));
        assert!(!go("go").times.any());
        assert!(go("go infinite").infinite && go("go ponder btime 5").ponder);
        assert_eq!(go("go searchmoves P*5e 7g7f").search_moves, ["P*5e", "7g7f"]);
    }

    #[test]
    fn strange_numbers_are_numbers() {
        let go = go("go btime -5 wtime 99999999999999999999999 byoyomi");
        assert_eq!(go.times.remaining, [Some(0), Some(u64::MAX)]);
        assert_eq!(go.times.byoyomi, Some(0));
        let missing = super::tests::go("go btime wtime 3 depth x");
        assert_eq!(missing.times.remaining, [Some(0), Some(3)]);
        assert_eq!(missing.depth, Some(0));
    }

    #[test]
    fn mate_takes_milliseconds_infinite_or_nothing() {
        assert_eq!(go("go mate 5000").mate, Some(5000));
        assert_eq!(go("go mate infinite").mate, Some(u64::MAX));
        assert_eq!(go("go mate").mate, Some(u64::MAX));
        assert!(!go("go mate infinite").infinite);
    }

    #[test]
    fn odd_lines() {
        assert_eq!(Command::parse(""), Command::Nothing);
        assert_eq!(Command::parse("# a comment"), Command::Nothing);
        assert_eq!(Command::parse("gameover"), Command::Stop);
        assert_eq!(Command::parse("gameover censored"), Command::Stop);
        assert_eq!(Command::parse("position startpos moves "), Command::Position("startpos moves".into()));
        assert_eq!(Command::parse("hello there"), Command::Unknown("hello there".into()));
    }
}
