//! Games to take positions from: a small sample kept in the repository, and the shared records for long runs.

use std::io::Read;
use std::path::PathBuf;

use tenbin::shogi::{Move, Rules, Walker, parse_move, parse_position};

/// The variable that says where the shared records are.
const VARIABLE: &str = "TENBIN_DATA";

/// A game of a record.
#[derive(Debug)]
pub struct Game {
    /// What follows the word `position`.
    start: String,
    moves: Vec<String>,
}

impl Game {
    /// Reads a line `start|moves|...`, in which a move may carry a score after a colon.
    fn read(line: &str) -> Self {
        let (start, rest) = line.split_once('|').expect("a record has fields");
        let moves = rest.split('|').next().unwrap_or_default();
        let without_score = |word: &str| word.split(':').next().unwrap_or_default().to_owned();
        Self { start: start.to_owned(), moves: moves.split_ascii_whitespace().map(without_score).collect() }
    }

    /// A walker at the start of the game.
    pub fn start(&self) -> Walker {
        let (walker, complaint) = parse_position(&self.start, Rules::default()).expect("records are sound");
        assert_eq!(complaint, None);
        walker
    }

    /// The game after `plies` moves, or at its end.
    pub fn after(&self, plies: usize) -> Walker {
        let mut walker = self.start();
        for text in self.moves.iter().take(plies) {
            walker.apply(parse_move(walker.position(), text).expect("records hold legal moves"));
        }
        walker
    }

    /// Replays the game and shows each position, before the move that was played there.
    pub fn replay(&self, mut visit: impl FnMut(&mut Walker, Move)) {
        let mut walker = self.start();
        for text in &self.moves {
            let mv = parse_move(walker.position(), text).expect("records hold legal moves");
            visit(&mut walker, mv);
            walker.apply(mv);
        }
    }
}

/// The games of the sample.
pub fn sample() -> Vec<Game> {
    include_str!("../data/games.txt").lines().map(Game::read).collect()
}

/// At least `per_file` games of every file of the shared records, evenly spread.
///
/// # Panics
/// With instructions, where the variable that names the place is not set.
pub fn shared(per_file: usize) -> Vec<Game> {
    let root = std::env::var_os(VARIABLE)
        .map(PathBuf::from)
        .unwrap_or_else(|| panic!("set {VARIABLE} to the folder that holds records/*.txt.zst"));
    let folder = std::fs::read_dir(root.join("records")).expect("the data has a folder of records");
    let mut paths: Vec<PathBuf> = folder.map(|entry| entry.expect("readable").path()).collect();
    paths.sort();
    assert!(!paths.is_empty(), "no records in {VARIABLE}");
    let mut games = Vec::new();
    for path in paths {
        let file = std::fs::File::open(&path).expect("records can be opened");
        let mut text = String::new();
        let mut reader = zstd::Decoder::new(file).expect("records are compressed");
        reader.read_to_string(&mut text).expect("records are text");
        let lines: Vec<&str> = text.lines().collect();
        games.extend(lines.iter().step_by((lines.len() / per_file).max(1)).map(|line| Game::read(line)));
    }
    games
}
