//! Results that are kept one by one as they come, so that a long run goes on where it was interrupted.
//!
//! A run is a row of items, each of which is worked out by itself from its number: a pair of games, a position. What an
//! item gave is a line of its file; items that have a line are not worked out again. As items do not depend on each other,
//! a larger run goes on from a smaller one too.

use parking_lot::Mutex;
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use super::ExperimentError;
use crate::learn::Monitor;
use crate::learn::checkpoint::fingerprint;

/// The file of a run.
pub struct Ledger {
    path: PathBuf,
    /// All that the results depend on.
    key: String,
}

impl Ledger {
    /// The ledger of a run in a folder. The name is for people; whatever else has the same key has the same results.
    pub fn new(folder: &Path, name: &str, key: &str) -> Self {
        let key = key.replace('\n', " ");
        Self { path: folder.join(format!("{name}-{:016x}.txt", fingerprint(&key))), key }
    }

    /// What is known, by number; a line that was not written to its end is none.
    fn read(&self) -> BTreeMap<usize, Vec<f64>> {
        let text = std::fs::read_to_string(&self.path).unwrap_or_default();
        let whole = text.rfind('\n').map_or("", |end| &text[..end]);
        let mut lines = whole.lines();
        if lines.next() != Some(self.key.as_str()) {
            return BTreeMap::new();
        }
        let entry = |line: &str| {
            let mut words = line.split(' ');
            let number = words.next()?.parse().ok()?;
            Some((number, words.map(str::parse).collect::<Result<_, _>>().ok()?))
        };
        lines.filter_map(entry).collect()
    }

    /// Writes the file anew with what is known and leaves it open for more.
    fn open(&self, known: &BTreeMap<usize, Vec<f64>>) -> std::io::Result<BufWriter<File>> {
        if let Some(folder) = self.path.parent() {
            std::fs::create_dir_all(folder)?;
        }
        // Beside it first: what is known must not be lost on the way.
        let beside = self.path.with_extension("new");
        let mut file = BufWriter::new(File::create(&beside)?);
        writeln!(file, "{}", self.key)?;
        for (&number, numbers) in known {
            writeln!(file, "{}", line(number, numbers))?;
        }
        file.flush()?;
        drop(file);
        std::fs::rename(&beside, &self.path)?;
        File::options().append(true).open(&self.path).map(BufWriter::new)
    }

    /// The results of the first `count` items, on all cores. An item gives nothing where it was stopped, and then the
    /// run has been; what was found is kept.
    pub fn fill(
        &self,
        count: usize,
        monitor: &Monitor,
        one: impl Fn(usize) -> Option<Vec<f64>> + Sync,
    ) -> Result<Vec<Vec<f64>>, ExperimentError> {
        let mut all = self.read();
        let missing: Vec<usize> = (0..count).filter(|number| !all.contains_key(number)).collect();
        // Nothing is written where nothing is missing.
        if !missing.is_empty() {
            let fail = |error| ExperimentError::file(&self.path, error);
            let file = Mutex::new(self.open(&all).map_err(fail)?);
            let bar = monitor.bar(count as u64);
            bar.set_position((count - missing.len()) as u64);
            let work = |&number: &usize| {
                let numbers = if monitor.stopped() { None } else { one(number) };
                let numbers = numbers.ok_or(ExperimentError::Stopped)?;
                let mut file = file.lock();
                writeln!(file, "{}", line(number, &numbers)).and_then(|()| file.flush()).map_err(fail)?;
                bar.inc(1);
                Ok((number, numbers))
            };
            let found: Result<Vec<_>, ExperimentError> =
                missing.par_iter().with_max_len(1).map(work).collect();
            bar.finish_and_clear();
            all.extend(found?);
        }
        Ok(all.into_iter().filter(|(number, _)| *number < count).map(|(_, numbers)| numbers).collect())
    }
}

/// Numbers as they are kept: read again they are the same to the last bit.
fn line(number: usize, numbers: &[f64]) -> String {
    let words: Vec<String> = numbers.iter().map(f64::to_string).collect();
    format!("{number} {}", words.join(" "))
}
