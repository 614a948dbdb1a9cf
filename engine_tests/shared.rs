//! The shared records, which are too large to keep here: for long runs on request.

use std::ops::ControlFlow;
use std::path::PathBuf;
use tenbin::learn::records;

use crate::records::Game;

/// The variable that says where the shared records are.
const VARIABLE: &str = "TENBIN_DATA";

/// At least `per_file` games of every file of the shared records, evenly spread.
///
/// # Panics
/// With instructions, where the variable that names the place is not set.
pub fn games(per_file: usize) -> Vec<Game> {
    let Some(root) = std::env::var_os(VARIABLE) else {
        panic!("set {VARIABLE} to the folder that holds records/*.txt.zst")
    };
    let folder =
        std::fs::read_dir(PathBuf::from(root).join("records")).expect("the data has a folder of records");
    let mut paths: Vec<PathBuf> = folder.map(|entry| entry.expect("readable").path()).collect();
    paths.sort();
    assert!(!paths.is_empty(), "no records in {VARIABLE}");
    let mut games = Vec::new();
    for path in paths {
        let mut all = Vec::new();
        let tally = records::read(&path, &mut |game| {
            all.push(Game(game));
            ControlFlow::Continue(())
        });
        assert_eq!(tally.expect("records can be opened").skipped(), 0, "{}", path.display());
        let step = (all.len() / per_file).max(1);
        games.extend(all.into_iter().step_by(step));
    }
    games
}
