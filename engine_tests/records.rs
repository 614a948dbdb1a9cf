//! Games to take positions from: a small sample kept in the repository. Benchmarks use it too.

use tenbin::shogi::{Move, Rules, Walker, parse_move, parse_position};

/// A game of a record.
#[derive(Debug)]
pub struct Game {
    /// What follows the word `position`.
    start: String,
    moves: Vec<String>,
}

impl Game {
    /// Reads a line `start|moves|...`, in which a move may carry a score after a colon.
    pub fn read(line: &str) -> Self {
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
    include_str!("data/games.txt").lines().map(Game::read).collect()
}
