//! Records of games. The samples tell one short game in every format, and some that are wrong.

mod files;
mod formats;
mod hostile;
mod split;
mod tool;

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use tenbin::learn::records::{Format, Game, Reason, Tally, read, read_from, text};
use tenbin::shogi::is_legal;

/// The game of the samples.
const GAME: &str = "startpos|7g7f 3c3d 8h2b+ 3a2b B*4e 4a5b 4e3d|b|";

/// The samples.
const SAMPLES: [&str; 12] = [
    "diagram.kif",
    "game.csa",
    "game.jkf",
    "game.ki2",
    "game.ki2u",
    "game.kif",
    "game.kifu",
    "games.csa",
    "games.hcpe",
    "games.json",
    "games.txt",
    "handicap.kif",
];

const FORMATS: [Format; 6] = [Format::Text, Format::Kif, Format::Ki2, Format::Csa, Format::Jkf, Format::Hcpe];

fn sample(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("engine_tests/data/records").join(name)
}

fn bytes(name: &str) -> Vec<u8> {
    std::fs::read(sample(name)).expect("the sample is there")
}

fn game() -> Game {
    text::parse(GAME).expect("sound")
}

fn read_file(path: &Path) -> (Vec<Game>, Tally) {
    let mut games = Vec::new();
    let tally = read(path, &mut |game| {
        games.push(game);
        ControlFlow::Continue(())
    });
    let tally = tally.expect("the file can be opened");
    assert_eq!(tally.games, games.len() as u64);
    (games, tally)
}

fn read_sample(name: &str) -> (Vec<Game>, Tally) {
    read_file(&sample(name))
}

fn read_bytes(format: Format, bytes: &[u8]) -> (Vec<Game>, Tally) {
    let mut games = Vec::new();
    let tally = read_from(bytes, format, &mut |game| {
        games.push(game);
        ControlFlow::Continue(())
    });
    assert_eq!(tally.games, games.len() as u64);
    (games, tally)
}

/// Places and reasons of what was skipped.
fn skipped(tally: &Tally) -> Vec<(u64, String)> {
    tally.examples.iter().map(|skipped| (skipped.place, skipped.reason.to_string())).collect()
}

fn moves(game: &Game) -> Vec<String> {
    game.moves.iter().map(|ply| ply.mv.to_usi()).collect()
}

/// Panics where a game breaks the rules.
fn check(game: &Game) {
    let mut plies = 0;
    game.replay(|walker, ply| {
        assert!(is_legal(walker.position(), ply.mv), "{} in {walker:?}", ply.mv.to_usi());
        plies += 1;
    });
    assert_eq!(plies, game.moves.len());
    assert!(game.comments.iter().all(|&(number, _)| number <= plies));
}

/// A folder for the files of one test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("tenbin-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&path).expect("there is room for files");
        Self(path)
    }

    fn write(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.0.join(name);
        std::fs::write(&path, bytes).expect("files can be written");
        path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Whether the last thing skipped was the rest of a damaged file.
fn is_damaged(tally: &Tally) -> bool {
    matches!(tally.examples.last(), Some(skipped) if matches!(skipped.reason, Reason::Damaged(_)))
}
