//! Games to take positions from: a small sample kept in the repository. Benchmarks use it too.

use std::sync::LazyLock;
use tenbin::learn::records::{self, text};
use tenbin::shogi::{Move, Walker};

/// A game of a record.
#[derive(Clone, Debug)]
pub struct Game(pub records::Game);

impl Game {
    /// A walker at the start of the game.
    pub fn start(&self) -> Walker {
        self.0.start()
    }

    /// The game after `plies` moves, or at its end.
    pub fn after(&self, plies: usize) -> Walker {
        let mut walker = self.start();
        for ply in self.0.moves.iter().take(plies) {
            walker.apply(ply.mv);
        }
        walker
    }

    /// Replays the game and shows each position, before the move that was played there.
    pub fn replay(&self, mut visit: impl FnMut(&mut Walker, Move)) {
        self.0.replay(|walker, ply| visit(walker, ply.mv));
    }
}

/// The games of the sample.
pub fn sample() -> Vec<Game> {
    static SAMPLE: LazyLock<Vec<Game>> = LazyLock::new(|| {
        include_str!("data/games.txt").lines().map(|line| Game(text::parse(line).expect("sound"))).collect()
    });
    SAMPLE.clone()
}
