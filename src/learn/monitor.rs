//! How somebody follows a run of learning, and ends it.

use indicatif::{ProgressBar, ProgressStyle};
use std::sync::atomic::{AtomicBool, Ordering};

/// The eyes on a run of learning.
pub struct Monitor<'a> {
    report: &'a (dyn Fn(String) + Sync),
    stop: &'a AtomicBool,
    bar: bool,
}

impl<'a> Monitor<'a> {
    /// Lines go to `report`; raising `stop` ends the run cleanly. A bar is drawn on stderr where that is a terminal.
    pub fn new(report: &'a (dyn Fn(String) + Sync), stop: &'a AtomicBool) -> Self {
        Self { report, stop, bar: true }
    }

    /// The same without a bar.
    #[must_use]
    pub fn without_bar(self) -> Self {
        Self { bar: false, ..self }
    }

    /// Says a line.
    pub fn say(&self, line: String) {
        (self.report)(line);
    }

    /// Whether to end now.
    pub fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// A bar over so many steps, with the estimated end.
    pub fn bar(&self, steps: u64) -> ProgressBar {
        if !self.bar {
            return ProgressBar::hidden();
        }
        let style = ProgressStyle::with_template("{wide_bar} {pos}/{len} {msg} {eta} left");
        ProgressBar::new(steps).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
    }
}
