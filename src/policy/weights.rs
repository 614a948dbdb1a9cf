//! The weights of a policy: a number for each feature in each phase of the game.

use once_cell::sync::Lazy;
use std::path::Path;
use std::sync::Arc;

use super::features::{COUNT, LANES, SQUARES, TO, half};
use super::scene::{enemy_king_rows, own_king_rows};
use crate::eval::weights::{self, Shape, WeightsError};

/// Phases of the game, by progress: each has weights of its own.
pub const PHASES: usize = 4;

/// A weight of 1.0.
pub const UNIT: f32 = 1024.0;

/// Largest weight either way; a sum over the features of a move then fits in 32 bits with ease.
pub const LARGEST: f32 = 31.0;

/// The transition policy's file in a folder of weights.
pub const TRANSITION_FILE: &str = "transition.bin";

/// The balancing policy's file in a folder of weights.
pub const BALANCING_FILE: &str = "balancing.bin";

const EMBEDDED: &[u8] = include_bytes!("../../weights/transition.bin");
const EMBEDDED_BALANCING: &[u8] = include_bytes!("../../weights/balancing.bin");

/// What its files look like.
pub const SHAPE: Shape =
    Shape { kind: "policy", version: 1, dimensions: [COUNT as u32, PHASES as u32, 0, 0] };

/// The phase of a position by its progress, 0 to 127.
pub fn phase(progress: u8) -> usize {
    usize::from(progress.min(127)) * PHASES / 128
}

/// The weights of features that go together, one for each actor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(64))]
pub struct Row(pub [i16; LANES]);

impl Row {
    /// Weights that say nothing.
    pub const ZERO: Self = Self([0; LANES]);

    /// Adds other weights.
    #[inline(always)]
    pub fn add(&mut self, other: &Self) {
        for (sum, weight) in self.0.iter_mut().zip(other.0) {
            *sum = sum.saturating_add(weight);
        }
    }
}

/// Rows a phase.
const ROWS: usize = COUNT / LANES;
const _: () = assert!(size_of::<Row>() == 2 * LANES && ROWS * LANES == COUNT);

/// Weights of a linear policy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weights {
    /// By phase.
    rows: Vec<Row>,
    /// By phase: what depends on a destination and the place of the own king, for each such place and then for none;
    /// and the same for the enemy king, where without king there is nothing.
    own: Vec<Row>,
    enemy: Vec<Row>,
}

/// Rows a phase of what depends on the own king, and on the enemy's.
const OWN_ROWS: usize = (SQUARES + 1) * SQUARES;
const ENEMY_ROWS: usize = SQUARES * SQUARES;

impl Weights {
    fn new(rows: Vec<Row>) -> Self {
        let mut own = Vec::with_capacity(OWN_ROWS * PHASES);
        let mut enemy = Vec::with_capacity(ENEMY_ROWS * PHASES);
        for phase in rows.chunks(ROWS) {
            let sum = |features: &[usize]| {
                let mut sum = Row::ZERO;
                for feature in features {
                    sum.add(&phase[feature / LANES]);
                }
                sum
            };
            let pairs = || (0..SQUARES).flat_map(|king| (0..SQUARES).map(move |to| (king, to)));
            own.extend(pairs().map(|(king, to)| {
                let [near, there] = own_king_rows(king, to);
                sum(&[TO + half(to) * LANES, near, there])
            }));
            own.extend((0..SQUARES).map(|to| sum(&[TO + half(to) * LANES])));
            enemy.extend(pairs().map(|(king, to)| sum(&enemy_king_rows(king, to))));
        }
        Self { rows, own, enemy }
    }

    fn from_shorts(shorts: impl Iterator<Item = i16>) -> Self {
        let shorts: Vec<i16> = shorts.collect();
        Self::new(shorts.as_chunks().0.iter().map(|&row| Row(row)).collect())
    }

    /// Weights that say nothing.
    pub fn zero() -> Arc<Self> {
        Arc::new(Self::new(vec![Row::ZERO; ROWS * PHASES]))
    }

    /// The weights of the transition policy that come with the program.
    pub fn embedded() -> Arc<Self> {
        static WEIGHTS: Lazy<Arc<Weights>> =
            Lazy::new(|| Arc::new(Weights::read(EMBEDDED).expect("the embedded weights are sound")));
        Arc::clone(&WEIGHTS)
    }

    /// The weights of the balancing policy that come with the program; nothing where features have changed since they were
    /// learned, so that they can be learned anew.
    pub fn embedded_balancing() -> Option<Arc<Self>> {
        static WEIGHTS: Lazy<Option<Arc<Weights>>> =
            Lazy::new(|| Weights::read(EMBEDDED_BALANCING).ok().map(Arc::new));
        WEIGHTS.clone()
    }

    /// The balancing policy's weights of a folder, if it holds any; and what is wrong with them, if anything.
    pub fn balancing_of(folder: &Path) -> (Option<Arc<Self>>, Option<String>) {
        let path = folder.join(BALANCING_FILE);
        if folder.as_os_str().is_empty() || !path.exists() {
            return (None, None);
        }
        match std::fs::read(&path).map_err(WeightsError::from).and_then(|bytes| Self::read(&bytes)) {
            Ok(weights) => (Some(Arc::new(weights)), None),
            Err(error) => {
                (None, Some(format!("EvalDir: {}: {error}; using the embedded weights", path.display())))
            }
        }
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
        let nearest = |x: &f32| (x.clamp(-LARGEST, LARGEST) * UNIT).round() as i16;
        Ok(Self::from_shorts(numbers.iter().map(nearest)))
    }

    /// Reads the bytes of a file.
    pub fn read(bytes: &[u8]) -> Result<Self, WeightsError> {
        let packed = weights::decode(bytes, SHAPE)?.data;
        let data = zstd::bulk::decompress(packed, COUNT * PHASES * 2)?;
        if data.len() != COUNT * PHASES * 2 {
            return Err(WeightsError::Data("the wrong number of weights"));
        }
        Ok(Self::from_shorts(data.as_chunks().0.iter().map(|&bytes| i16::from_le_bytes(bytes))))
    }

    /// The bytes of a file with these weights. Most features hardly ever occur, so the numbers are compressed.
    pub fn to_file(&self, provenance: &str) -> std::io::Result<Vec<u8>> {
        let data: Vec<u8> = self.rows.iter().flat_map(|row| row.0).flat_map(i16::to_le_bytes).collect();
        Ok(weights::encode(SHAPE, provenance, &zstd::bulk::compress(&data, 19)?))
    }

    /// The weights of a phase.
    #[inline]
    pub fn phase(&self, phase: usize) -> PhaseWeights<'_> {
        let rows: &[Row; ROWS] = self.rows[phase * ROWS..][..ROWS].try_into().expect("a phase has its rows");
        // SAFETY: a row is an array of LANES numbers, of the same size as it and aligned at least as strictly, so rows
        // one after the other are numbers one after the other, LANES * ROWS == COUNT of them. (Indexing rows and then
        // lanes costs twice the instructions, in the innermost loop of playouts.)
        let flat = unsafe { &*std::ptr::from_ref(rows).cast::<[i16; COUNT]>() };
        PhaseWeights {
            rows,
            flat,
            own: &self.own[phase * OWN_ROWS..][..OWN_ROWS],
            enemy: &self.enemy[phase * ENEMY_ROWS..][..ENEMY_ROWS],
        }
    }
}

/// The weights of a phase of the game.
#[derive(Clone, Copy)]
pub struct PhaseWeights<'a> {
    rows: &'a [Row; ROWS],
    /// The same one by one.
    flat: &'a [i16; COUNT],
    own: &'a [Row],
    enemy: &'a [Row],
}

impl<'a> PhaseWeights<'a> {
    /// The weight of a feature.
    #[inline]
    pub fn feature(&self, feature: usize) -> i16 {
        self.flat[feature]
    }

    /// The row that begins with a feature.
    #[inline]
    pub(super) fn row(&self, feature: usize) -> &'a Row {
        &self.rows[feature / LANES]
    }

    /// What going to a square is worth by where the own king is, if there is one.
    #[inline]
    pub(super) fn own_king_row(&self, king: Option<usize>, to: usize) -> &'a Row {
        &self.own[king.unwrap_or(SQUARES) * SQUARES + to]
    }

    /// The same for the enemy king.
    #[inline]
    pub(super) fn enemy_king_row(&self, king: usize, to: usize) -> &'a Row {
        &self.enemy[king * SQUARES + to]
    }
}
