//! Contracts of the evaluation and of the player that stands on it: what `src/eval` and `src/experiment` promise, held
//! against slow and obvious versions of the same.

mod alphabeta;
mod features;
mod folder;
mod incremental;
mod matches;
mod material;
pub mod progress;
mod quiescence;
pub mod reference;
mod simd;
pub mod symmetry;
mod tactical;
mod weights;

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use std::path::{Path, PathBuf};
use tenbin::shogi::{Move, MoveList, Rules, STARTPOS, Walker, legal_moves, parse_sfen};

use crate::records;

/// Handicaps, and positions that lack pieces, even kings.
pub const UNUSUAL: [&str; 11] = [
    "lnsgkgsn1/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    "lnsgkgsnl/1r7/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    "3gkg3/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    "4k4/9/9/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w 3p 1",
    "8k/9/9/9/9/9/9/9/K8 b RBGSNLPrbgsnlp 1",
    "4k4/9/4P4/9/9/9/4p4/9/4K4 b RBPrbp 1",
    "+P+P+P1k4/9/9/9/9/9/9/9/4K1+p+p+p w RBG2PRBg2p 1",
    "l3k3l/1+R7/9/9/9/9/9/7+r1/L3K3L b BNPbnp 1",
    "8k/9/9/9/9/9/9/9/9 b 2R2B4G4S4N4L18P 1",
    "9/4p4/9/4g4/9/4N4/9/4+B4/9 w RPrp 1",
];

/// A walker at the position of an SFEN.
pub fn walker(sfen: &str) -> Walker {
    let position = parse_sfen(sfen).unwrap_or_else(|error| panic!("{sfen}: {error}"));
    Walker::new(position, Rules::default())
}

/// Every legal move.
pub fn moves(walker: &Walker) -> MoveList {
    let mut list = MoveList::new();
    legal_moves(walker.position(), &mut list);
    list
}

/// The start of a random game by its number: the usual one, somewhere in a real game, or an unusual one.
pub fn start(number: usize) -> Walker {
    match number % 4 {
        0 => walker(STARTPOS),
        1 => walker(UNUSUAL[number / 4 % UNUSUAL.len()]),
        _ => {
            let sample = records::sample();
            let game = &sample[number % sample.len()];
            game.after(number * 7 % game.0.moves.len())
        }
    }
}

/// What a random walk does next.
#[derive(Clone, Copy, Debug)]
pub enum Step {
    /// The walker is about to play this.
    Play(Move),
    /// The walker has just taken a move back.
    TakeBack,
    /// The game ends where the walker stands.
    End,
}

/// Random games with moves taken back now and then; `visit` gets the number of the game and hears of every step. A game
/// ends after so many steps, or where it cannot go on.
pub fn wander(games: usize, steps: usize, seed: u64, mut visit: impl FnMut(usize, &Walker, Step)) {
    let mut random = Pcg64Mcg::seed_from_u64(seed);
    for game in 0..games {
        let mut walker = start(game);
        let mut depth = 0;
        for _ in 0..steps {
            let list = moves(&walker);
            if list.is_empty() && depth == 0 {
                break;
            }
            if list.is_empty() || random.random_ratio(1, 10) {
                for _ in 0..random.random_range(1..=15).min(depth) {
                    walker.undo();
                    depth -= 1;
                    visit(game, &walker, Step::TakeBack);
                }
            } else {
                let mv = list[random.random_range(0..list.len())];
                visit(game, &walker, Step::Play(mv));
                walker.apply(mv);
                depth += 1;
            }
        }
        visit(game, &walker, Step::End);
    }
}

/// The correlation of two quantities.
pub fn correlation(pairs: &[(f64, f64)]) -> f64 {
    let count = pairs.len() as f64;
    let mean = |pick: fn(&(f64, f64)) -> f64| pairs.iter().map(pick).sum::<f64>() / count;
    let (x, y) = (mean(|pair| pair.0), mean(|pair| pair.1));
    let (mut xx, mut yy, mut xy) = (0.0, 0.0, 0.0);
    for (a, b) in pairs {
        xx += (a - x).powi(2);
        yy += (b - y).powi(2);
        xy += (a - x) * (b - y);
    }
    xy / (xx * yy).sqrt()
}

/// A folder for the files of one test; gone when the test is.
pub struct Folder(pub PathBuf);

impl Folder {
    /// An empty folder.
    pub fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("tenbin-{}-eval-{name}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).expect("there is room for files");
        Self(path)
    }

    /// The path of a file in it.
    pub fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// Writes a file.
    pub fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.file(name);
        std::fs::write(&path, bytes).expect("files can be written");
        path
    }

    /// The names of what is in it, sorted.
    pub fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(&self.0).expect("the folder is there");
        let mut names: Vec<String> = entries
            .map(|entry| entry.expect("readable").file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

impl AsRef<Path> for Folder {
    fn as_ref(&self) -> &Path {
        &self.0
    }
}
