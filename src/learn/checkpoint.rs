//! Checkpoints: how far learning has come, kept so that it can go on after an interruption.
//!
//! A checkpoint belongs to a plan: its fingerprint is kept with it, and a changed plan starts anew.

use std::path::{Path, PathBuf};

use super::Monitor;
use crate::eval::weights::{self, Shape, WeightsError};

const SHAPE: Shape = Shape { kind: "checkpoint", version: 1, dimensions: [0; 4] };

/// How far a run has come.
#[derive(Clone, Debug, PartialEq)]
pub struct Checkpoint {
    /// Which plan it belongs to.
    pub fingerprint: u64,
    /// Steps done.
    pub step: u64,
    /// Numbers, in groups of the learner's choice.
    pub numbers: Vec<Vec<f32>>,
}

/// Where the checkpoint of a run that writes `output` lies.
pub fn path_for(output: &Path) -> PathBuf {
    let mut name = output.as_os_str().to_owned();
    name.push(".checkpoint");
    PathBuf::from(name)
}

/// A number that changes with the text of a plan (and whatever else is given).
pub fn fingerprint(text: &str) -> u64 {
    // FNV-1a.
    text.bytes()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

impl Checkpoint {
    /// Writes it, in place of an older one.
    pub fn save(&self, path: &Path) -> Result<(), WeightsError> {
        let mut data = Vec::new();
        data.extend(self.fingerprint.to_le_bytes());
        data.extend(self.step.to_le_bytes());
        for group in &self.numbers {
            data.extend((group.len() as u64).to_le_bytes());
            for number in group {
                data.extend(number.to_le_bytes());
            }
        }
        Ok(weights::write_file(path, &weights::encode(SHAPE, "", &data))?)
    }

    /// Reads one.
    pub fn load(path: &Path) -> Result<Self, WeightsError> {
        let bytes = std::fs::read(path)?;
        let mut data = weights::decode(&bytes, SHAPE)?.data;
        let short = WeightsError::Data("checkpoint too short");
        let mut long = || {
            let (first, rest) = data.split_first_chunk()?;
            data = rest;
            Some(u64::from_le_bytes(*first))
        };
        let (Some(fingerprint), Some(step)) = (long(), long()) else { return Err(short) };
        let mut numbers = Vec::new();
        while let Some((length, rest)) = data.split_first_chunk() {
            let length = u64::from_le_bytes(*length) as usize;
            let Some((group, rest)) = length.checked_mul(4).and_then(|bytes| rest.split_at_checked(bytes))
            else {
                return Err(short);
            };
            numbers.push(group.as_chunks().0.iter().map(|&bytes| f32::from_le_bytes(bytes)).collect());
            data = rest;
        }
        Ok(Self { fingerprint, step, numbers })
    }
}

/// Goes on from the checkpoint at `path` if there is one and `restore` can use it, and tells what it does.
pub fn resume(path: &Path, monitor: &Monitor, restore: impl FnOnce(&Checkpoint) -> bool) {
    match Checkpoint::load(path) {
        Ok(found) if restore(&found) => {
            monitor.say(format!("going on from {}, step {}", path.display(), found.step));
        }
        Ok(_) => monitor.say(format!("{} belongs to another plan: starting anew", path.display())),
        Err(WeightsError::Io(_)) => {}
        Err(error) => monitor.say(format!("{}: {error}: starting anew", path.display())),
    }
}
