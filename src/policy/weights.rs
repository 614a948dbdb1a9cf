//! The weights of a policy: a number for each feature in each phase of the game.

use once_cell::sync::Lazy;
use std::path::Path;
use std::sync::Arc;

use super::features::COUNT;
use crate::eval::weights::{self, Shape, WeightsError};

/// Phases of the game, by progress: each has weights of its own.
pub const PHASES: usize = 4;

/// A weight of 1.0.
pub const UNIT: f32 = 1024.0;

/// Largest weight either way; a sum over the features of a move then fits in 32 bits with ease.
pub const LARGEST: f32 = 31.0;

/// The transition policy's file in a folder of weights.
pub const TRANSITION_FILE: &str = "transition.bin";

const EMBEDDED: &[u8] = include_bytes!("../../weights/transition.bin");

/// What its files look like.
pub const SHAPE: Shape =
    Shape { kind: "policy", version: 1, dimensions: [COUNT as u32, PHASES as u32, 0, 0] };

/// The phase of a position by its progress, 0 to 127.
pub fn phase(progress: u8) -> usize {
    usize::from(progress.min(127)) * PHASES / 128
}

/// Weights of a linear policy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weights(Vec<i16>);

impl Weights {
    /// Weights that say nothing.
    pub fn zero() -> Arc<Self> {
        Arc::new(Self(vec![0; COUNT * PHASES]))
    }

    /// The weights of the transition policy that come with the program.
    pub fn embedded() -> Arc<Self> {
        static WEIGHTS: Lazy<Arc<Weights>> =
            Lazy::new(|| Arc::new(Weights::read(EMBEDDED).expect("the embedded weights are sound")));
        Arc::clone(&WEIGHTS)
    }

    /// The transition policy's weights of a folder, or the embedded ones and why; an empty name means the embedded
    /// ones.
    pub fn from_folder(folder: &Path) -> (Arc<Self>, Option<String>) {
        weights::from_folder(folder, TRANSITION_FILE, Self::read, Self::embedded)
    }

    /// The nearest weights to these numbers, of which there are [`COUNT`] a phase.
    pub fn from_numbers(numbers: &[f32]) -> Result<Self, WeightsError> {
        if numbers.len() != COUNT * PHASES {
            return Err(WeightsError::Data("the wrong number of weights"));
        }
        Ok(Self(numbers.iter().map(|x| (x.clamp(-LARGEST, LARGEST) * UNIT).round() as i16).collect()))
    }

    /// Reads the bytes of a file.
    pub fn read(bytes: &[u8]) -> Result<Self, WeightsError> {
        let packed = weights::decode(bytes, SHAPE)?.data;
        let data = zstd::bulk::decompress(packed, COUNT * PHASES * 2)?;
        if data.len() != COUNT * PHASES * 2 {
            return Err(WeightsError::Data("the wrong number of weights"));
        }
        Ok(Self(data.as_chunks().0.iter().map(|&bytes| i16::from_le_bytes(bytes)).collect()))
    }

    /// The bytes of a file with these weights. Most features hardly ever occur, so the numbers are compressed.
    pub fn to_file(&self, provenance: &str) -> std::io::Result<Vec<u8>> {
        let data: Vec<u8> = self.0.iter().flat_map(|number| number.to_le_bytes()).collect();
        Ok(weights::encode(SHAPE, provenance, &zstd::bulk::compress(&data, 19)?))
    }

    /// The weights of a phase.
    #[inline]
    pub fn phase(&self, phase: usize) -> &[i16; COUNT] {
        self.0[phase * COUNT..][..COUNT].try_into().expect("a phase has its weights")
    }
}
