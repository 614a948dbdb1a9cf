//! Plans: what to learn, from what, where to.

use serde::Deserialize;
use std::path::{Path, PathBuf};
use thiserror::Error;
use toml::de::{DeTable, Deserializer, Error as TomlError};

use super::balancing::plan::Start;
use super::{balancing, rating, selfplay, transition, value};

/// A plan of any kind, by its field `kind`.
#[derive(Clone, Debug, PartialEq)]
pub enum Plan {
    /// The static evaluation.
    Value(value::plan::Plan),
    /// The transition policy.
    Transition(transition::plan::Plan),
    /// The balancing policy.
    Balancing(balancing::plan::Plan),
    /// A policy from games against itself.
    Selfplay(selfplay::plan::Plan),
    /// Who wins and what is played, by rating.
    Rating(rating::plan::Plan),
}

/// What all plans begin with.
#[derive(Deserialize)]
struct Head {
    kind: Kind,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Kind {
    Value,
    Transition,
    Balancing,
    Selfplay,
    Rating,
}

/// Why a plan cannot be followed.
#[derive(Debug, Error)]
#[error("{}: {reason}", path.display())]
pub struct PlanError {
    /// The plan.
    pub path: PathBuf,
    /// What is wrong with it.
    pub reason: String,
}

impl Plan {
    /// By hand: an enum that is told by one of its fields forgets where in the text the others stand.
    fn parse(text: &str) -> Result<Self, TomlError> {
        let head: Head = toml::from_str(text)?;
        let mut table = DeTable::parse(text)?;
        table.get_mut().remove("kind");
        let fields = Deserializer::from(table);
        Ok(match head.kind {
            Kind::Value => Self::Value(Deserialize::deserialize(fields)?),
            Kind::Transition => Self::Transition(Deserialize::deserialize(fields)?),
            Kind::Balancing => Self::Balancing(Deserialize::deserialize(fields)?),
            Kind::Selfplay => Self::Selfplay(Deserialize::deserialize(fields)?),
            Kind::Rating => Self::Rating(Deserialize::deserialize(fields)?),
        })
    }

    /// Reads a plan and makes its paths relative to the place it lies in.
    pub fn read(path: &Path) -> Result<Self, PlanError> {
        let fail = |reason: String| PlanError { path: path.to_owned(), reason };
        let text = std::fs::read_to_string(path).map_err(|error| fail(error.to_string()))?;
        // The library's message shows the line and points at the place; one line is enough for USI.
        let mut plan = Self::parse(&text).map_err(|error| {
            let line = error.span().map_or(1, |span| text[..span.start].matches('\n').count() + 1);
            fail(format!("line {line}: {}", error.message().replace('\n', ", ")))
        })?;
        let folder = path.parent().unwrap_or(Path::new(""));
        let records_needed = !matches!(plan, Self::Selfplay(_));
        let (checked, records, output, start) = match &mut plan {
            Self::Value(plan) => (plan.check(), &mut plan.records, &mut plan.output, None),
            Self::Transition(plan) => (plan.check(), &mut plan.records, &mut plan.output, None),
            Self::Rating(plan) => {
                plan.positions.iter_mut().for_each(|path| *path = folder.join(&*path));
                (plan.check(), &mut plan.records, &mut plan.output, None)
            }
            Self::Balancing(plan) => {
                (plan.check(), &mut plan.records, &mut plan.output, Some(&mut plan.start))
            }
            Self::Selfplay(plan) => {
                (plan.check(), &mut plan.records, &mut plan.output, Some(&mut plan.start))
            }
        };
        checked.map_err(fail)?;
        if let Some(Start::File(start)) = start {
            *start = folder.join(&*start);
        }
        if records.is_empty() && records_needed {
            return Err(fail("records: no file is named".to_owned()));
        }
        for path in records.iter_mut().chain([output]) {
            *path = folder.join(&*path);
        }
        Ok(plan)
    }
}

/// Complains unless a field's value is one of `low` to `high`.
pub fn within(name: &str, value: f32, low: f32, high: f32) -> Result<(), String> {
    if (low..=high).contains(&value) {
        Ok(())
    } else {
        Err(format!("{name}: {value} is not {low} to {high}"))
    }
}

/// The names of files without their folders: what a fingerprint may know of them, for files may be moved.
pub fn names(paths: &[PathBuf]) -> Vec<PathBuf> {
    paths.iter().filter_map(|path| path.file_name()).map(PathBuf::from).collect()
}
