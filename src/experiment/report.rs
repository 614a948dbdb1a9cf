//! What an experiment found, as Markdown: the paper's figures beside ours, a plot, a verdict.

use std::fmt::Write;
use std::path::Path;
use std::time::SystemTime;

use super::ExperimentError;
use super::catalogue::{CATALOGUE, Experiment};
use super::setting::Setting;
use super::statistics::Estimate;

/// How figures are written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Unit {
    /// Shares, in per cent with one place.
    Percent,
    /// Numbers with so many places.
    Plain(usize),
}

impl Unit {
    fn write(self, figure: f64) -> String {
        match self {
            Self::Percent => format!("{:.1} %", 100.0 * figure),
            Self::Plain(places) => format!("{figure:.places$}"),
        }
    }
}

/// A figure: the paper's and ours.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// What was measured.
    pub what: String,
    /// The paper's figure, if it has one.
    pub paper: Option<f64>,
    /// Ours; nothing where it could not be measured.
    pub ours: Option<Estimate>,
    /// What it was measured on.
    pub count: String,
}

impl Row {
    /// A row.
    pub fn new(
        what: impl Into<String>,
        paper: Option<f64>,
        ours: Option<Estimate>,
        count: impl Into<String>,
    ) -> Self {
        Self { what: what.into(), paper, ours, count: count.into() }
    }
}

/// What an experiment found.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// How it was done, in a sentence or two.
    pub method: String,
    /// How figures are written.
    pub unit: Unit,
    /// The figures.
    pub rows: Vec<Row>,
    /// Plots in the folder `plots`, each a file and what it shows.
    pub plots: Vec<(String, String)>,
    /// What the figures say.
    pub verdict: String,
    /// What differs from the paper.
    pub differs: String,
}

/// What stands for a figure that needs the balancing policy where there is none.
pub const NO_BALANCING: &str = "there are no balancing weights";

impl Report {
    /// The figures as a table.
    pub fn table(&self) -> String {
        let mut text =
            "| what | paper | ours | 95 % interval | measured on |\n|---|---|---|---|---|\n".to_owned();
        for Row { what, paper, ours, count } in &self.rows {
            let paper = paper.map_or_else(|| "–".to_owned(), |figure| self.unit.write(figure));
            let [ours, interval] = match ours {
                // A figure without chance, such as the largest of all weights, has no interval.
                Some(found) if found.low.total_cmp(&found.high).is_eq() || !found.low.is_finite() => {
                    [self.unit.write(found.value), "–".to_owned()]
                }
                Some(found) => {
                    let ends = [found.low, found.high].map(|end| self.unit.write(end));
                    [self.unit.write(found.value), format!("{} to {}", ends[0], ends[1])]
                }
                None => ["not measured".to_owned(), "–".to_owned()],
            };
            let _ = writeln!(text, "| {what} | {paper} | {ours} | {interval} | {count} |");
        }
        text
    }

    /// How our figures lie to the paper's, counted.
    fn tally(&self) -> String {
        let (mut within, mut above, mut below, mut missing) = (0, 0, 0, 0);
        for Row { paper, ours, .. } in &self.rows {
            match (paper, ours) {
                (Some(paper), Some(ours)) if ours.holds(*paper) => within += 1,
                (Some(paper), Some(ours)) if ours.value > *paper => above += 1,
                (Some(_), Some(_)) => below += 1,
                (Some(_), None) => missing += 1,
                (None, _) => {}
            }
        }
        let mut parts = Vec::new();
        for (count, what) in [
            (within, "agree with ours within the interval"),
            (above, "lie below our interval"),
            (below, "lie above it"),
            (missing, "were not measured"),
        ] {
            if count > 0 {
                parts.push(format!("{count} {what}"));
            }
        }
        if parts.is_empty() {
            String::new()
        } else {
            format!(" Of the paper's figures {}.", parts.join(", "))
        }
    }

    /// The whole section on an experiment.
    pub fn section(&self, experiment: &Experiment, setting: &Setting, date: &str) -> String {
        let seed = setting.seed;
        let mut text = format!(
            "## {}: {}\n\n{}. `tenbin experiment {} --{} --seed {seed}`, {date}.\n\n{}\n\n{}",
            experiment.name,
            experiment.title,
            experiment.paper,
            experiment.name,
            setting.size.name(),
            self.method,
            self.table()
        );
        for (file, caption) in &self.plots {
            let _ = write!(text, "\n![{caption}](plots/{file})\n");
        }
        let _ = write!(text, "\n**Verdict.** {}{}\n", self.verdict, self.tally());
        if !self.differs.is_empty() {
            let _ = write!(text, "\n**What differs.** {}\n", self.differs);
        }
        text
    }
}

/// The day, as `2026-11-17`.
pub fn today() -> String {
    humantime::format_rfc3339_seconds(SystemTime::now()).to_string().chars().take(10).collect()
}

const PREAMBLE: &str = "# Results\n
The tables and figures of the papers, measured again: section 1 is simulation balancing for Monte-Carlo shogi (Seki,
Miwa, Tsuruoka, Chikayama 2012), section 2 Monte-Carlo tree search as taught in Go, section 3 maximum-likelihood learning
of move features, section 5 values that know the players' rating. This page is written by `tenbin experiment`: each section says its own size, seed and day, and
`tenbin experiment all --quick --out docs` makes it anew. *Quick* sizes are for a first look: a tenth of the paper's playouts and
few games, so intervals are wide. `--full` has the paper's counts, or as near as some hours for each on two cores allow.\n
Players of the matches of sections 1 to 3 search as in the paper (`ucb`, 5 visits to begin with, a new child every 4 visits, rewards by threshold, depth 5,
16 candidates), not as Tenbin plays by default; each opening is played twice with colours swapped, and intervals come from how
the pairs scatter.\n";

/// Puts a section into the results of a folder, in place of an older one on the same experiment. Sections stand in the
/// order of the catalogue.
pub fn put(folder: &Path, name: &str, section: &str) -> Result<(), ExperimentError> {
    let path = folder.join("results.md");
    let old = std::fs::read_to_string(&path).unwrap_or_default();
    let there = |experiment: &Experiment| {
        if experiment.name == name { Some(section) } else { find(&old, experiment.name) }
    };
    let mut text = PREAMBLE.to_owned();
    let missing: Vec<&str> =
        CATALOGUE.iter().filter(|one| there(one).is_none()).map(|one| one.name).collect();
    if !missing.is_empty() {
        let _ = write!(text, "\nNot run yet: {}.\n", missing.join(", "));
    }
    for found in CATALOGUE.iter().filter_map(there) {
        let _ = write!(text, "\n{}\n", found.trim_end());
    }
    std::fs::create_dir_all(folder).map_err(|error| ExperimentError::file(folder, error))?;
    std::fs::write(&path, text).map_err(|error| ExperimentError::file(&path, error))
}

/// The section on an experiment, if there is one.
fn find<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let start = text.find(&format!("\n## {name}: "))? + 1;
    let end = text[start..].find("\n## ").map_or(text.len(), |end| start + end);
    Some(&text[start..end])
}
