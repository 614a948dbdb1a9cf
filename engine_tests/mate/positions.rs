//! Positions to ask about: problems and the ends of games, as SFEN.

use std::path::PathBuf;

use tenbin::shogi::{Rules, Walker, parse_sfen};

use crate::records::Game;

/// Problems of one length.
pub struct Set {
    /// The name of its file, without the ending.
    pub name: &'static str,
    sample: &'static str,
}

pub const NO_MATE_1: Set = Set { name: "no-mate-1", sample: include_str!("../data/tsume-no-mate-1.sfen") };
pub const MATE_1: Set = Set { name: "mate-1", sample: include_str!("../data/tsume-mate-1.sfen") };
pub const MATE_3: Set = Set { name: "mate-3", sample: include_str!("../data/tsume-mate-3.sfen") };
pub const MATE_5: Set = Set { name: "mate-5", sample: include_str!("../data/tsume-mate-5.sfen") };
pub const MATE_7: Set = Set { name: "mate-7", sample: include_str!("../data/tsume-mate-7.sfen") };
pub const MATE_9: Set = Set { name: "mate-9", sample: include_str!("../data/tsume-mate-9.sfen") };
pub const MATE_11: Set = Set { name: "mate-11", sample: include_str!("../data/tsume-mate-11.sfen") };

impl Set {
    /// The part kept in the repository.
    pub fn sample(&self) -> Vec<String> {
        self.sample.lines().map(str::to_owned).collect()
    }

    /// The whole set, from the shared data.
    pub fn whole(&self) -> Vec<String> {
        let root = std::env::var_os("TENBIN_DATA").expect("set TENBIN_DATA to the folder that holds tsume/");
        let path = PathBuf::from(root).join("tsume").join(self.name).with_extension("sfen");
        let text = std::fs::read_to_string(path).expect("the shared data has every set");
        text.lines().map(str::to_owned).collect()
    }
}

/// The last so many positions of each game, the final one included.
pub fn endings(games: &[Game], plies: usize) -> Vec<String> {
    let mut endings = Vec::new();
    for game in games {
        let mut positions = Vec::new();
        game.replay(|walker, _| positions.push(walker.position().to_sfen(None)));
        positions.push(game.after(usize::MAX).position().to_sfen(None));
        let first = positions.len().saturating_sub(plies);
        endings.extend(positions.drain(first..));
    }
    endings
}

/// A walker at the position of an SFEN.
pub fn walker(sfen: &str) -> Walker {
    let position = parse_sfen(sfen).unwrap_or_else(|error| panic!("{sfen}: {error}"));
    Walker::new(position, Rules::default())
}
