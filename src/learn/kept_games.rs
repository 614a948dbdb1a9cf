//! Games that are played to learn from, kept in a file as they come: a run that was stopped goes on from there.

use rayon::prelude::*;
use std::ops::Range;
use std::path::PathBuf;

use super::LearnError;
use crate::eval::weights;

/// Games in pairs, one a line.
pub struct KeptGames {
    path: PathBuf,
    lines: Vec<String>,
}

impl KeptGames {
    /// Those of a file; none where there is no such file yet.
    pub fn open(path: PathBuf) -> Self {
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        Self { path, lines: text.lines().map(str::to_owned).collect() }
    }

    /// All there are.
    pub fn lines(&self) -> &[String] {
        &self.lines
    }

    /// The games of these pairs. Where one is missing they are played, on all cores, and written down together; a pair that was
    /// stopped is nothing.
    pub fn pairs(
        &mut self,
        pairs: Range<usize>,
        play: impl Fn(usize) -> Option<[String; 2]> + Sync,
    ) -> Result<&[String], LearnError> {
        let places = 2 * pairs.start..2 * pairs.end;
        if self.lines.len() < places.end {
            let played: Option<Vec<[String; 2]>> = pairs.into_par_iter().with_max_len(1).map(&play).collect();
            let played = played.ok_or(LearnError::Stopped)?;
            self.lines.truncate(places.start);
            self.lines.extend(played.into_iter().flatten());
            // As a whole and beside it first: nothing is lost, and no line is half.
            weights::write_file(&self.path, (self.lines.join("\n") + "\n").as_bytes())
                .map_err(|error| LearnError::output(&self.path, error))?;
        }
        Ok(&self.lines[places])
    }
}
