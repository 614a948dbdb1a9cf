//! Games in batches that are worth spreading over the cores.

use std::ops::ControlFlow;
use std::path::Path;

use super::Game;
use super::reader::{self, ReadError};
use crate::learn::Monitor;

/// Reads a file and hands its games out in batches that are worth spreading over the cores. Says how many there were.
pub fn in_batches(
    path: &Path,
    monitor: &Monitor,
    mut visit: impl FnMut(&[Game]),
) -> Result<String, ReadError> {
    const BATCH: usize = 1024;
    let mut batch = Vec::with_capacity(BATCH);
    let tally = reader::read(path, &mut |game| {
        batch.push(game);
        if batch.len() == BATCH {
            visit(&batch);
            batch.clear();
        }
        if monitor.stopped() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })?;
    visit(&batch);
    Ok(match tally.skipped() {
        0 => format!("{} games", tally.games),
        skipped => format!("{} games, {skipped} skipped", tally.games),
    })
}
