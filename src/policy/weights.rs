//! The weights of a policy: a number for each feature in each phase of the game.

use once_cell::sync::Lazy;
use std::path::Path;
use std::sync::Arc;

use super::features::{COUNT, LANES, ROWS, SQUARES, TO, TOTAL, half};
use super::heavy::Heavy;
use super::moment::{Moment, Stages};
use super::scene::Look;
use super::visit::{enemy_king_rows, own_king_rows};
use crate::eval::weights::{self, Shape, WeightsError};

/// Phases of the game, by progress: each has weights of its own. Policies of playouts may have them for as many stages of a
/// playout instead.
pub const PHASES: usize = 4;

/// A weight of 1.0 is at least this where weights are made of numbers: none is larger than 127 of these either way.
pub const LEAST_UNIT: f32 = 32.0;

/// And at most this.
const MOST_UNIT: f32 = 1024.0;

/// The transition policy's file in a folder of weights.
pub const TRANSITION_FILE: &str = "transition.bin";

/// The file of the transition policy of playouts in a folder of weights.
pub const PLAYOUT_FILE: &str = "playout.bin";

/// The balancing policy's file in a folder of weights.
pub const BALANCING_FILE: &str = "balancing.bin";

const EMBEDDED: &[u8] = include_bytes!("../../weights/transition.bin");
const EMBEDDED_PLAYOUT: &[u8] = include_bytes!("../../weights/playout.bin");
const EMBEDDED_BALANCING: &[u8] = include_bytes!("../../weights/balancing.bin");

/// What its files look like.
pub const SHAPE: Shape = Shape {
    kind: "policy",
    version: 3,
    dimensions: [COUNT as u32, PHASES as u32, (TOTAL - COUNT) as u32, 0],
};

/// Weights in all: of each phase, then of the hashed features.
pub const NUMBERS: usize = COUNT * PHASES + TOTAL - COUNT;

/// Where the weight of a feature in a phase is among all of them.
#[inline]
pub fn number(phase: usize, feature: usize) -> usize {
    if feature < COUNT { phase * COUNT + feature } else { (PHASES - 1) * COUNT + feature }
}

/// The weights of features that go together, one for each actor. Small, for most of the time goes into fetching them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(32))]
pub struct Row([[i8; VECTOR]; LANES / VECTOR]);

/// Lanes that are added at once: left to itself the compiler finds worse.
const VECTOR: usize = 16;

impl Row {
    const ZERO: Self = Self([[0; VECTOR]; LANES / VECTOR]);
}

/// A sum of rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(64))]
pub struct Sum([[i16; VECTOR]; LANES / VECTOR]);

impl Sum {
    /// The sum of nothing.
    pub const ZERO: Self = Self([[0; VECTOR]; LANES / VECTOR]);

    /// Adds a row. (There are far too few of them in a move for an overflow.)
    #[inline(always)]
    pub fn add(&mut self, row: &Row) {
        for (sums, weights) in self.0.iter_mut().zip(&row.0) {
            *sums = std::array::from_fn(|i| sums[i] + i16::from(weights[i]));
        }
    }

    /// Adds to one lane.
    pub fn add_to(&mut self, lane: usize, weight: i8) {
        self.0[lane / VECTOR][lane % VECTOR] += i16::from(weight);
    }

    /// Adds another sum.
    #[inline(always)]
    pub fn add_sum(&mut self, other: &Self) {
        for (sums, others) in self.0.iter_mut().zip(&other.0) {
            *sums = std::array::from_fn(|i| sums[i] + others[i]);
        }
    }

    /// The sums one by one.
    #[inline(always)]
    pub fn lanes(&self) -> &[i16; LANES] {
        self.0.as_flattened().first_chunk().unwrap_or(&[0; LANES])
    }
}

const _: () = assert!(size_of::<Row>() == LANES);

/// Rows a phase in memory: any number of 16 bits is one of them, and those beyond the rows of features are zero.
const TABLE: usize = 1 << 16;
const _: () = assert!(ROWS + 16 <= TABLE);

/// A sum for every square of the board.
pub(super) type Board = [Sum; SQUARES];

/// Weights of a linear policy.
#[derive(Clone, Debug, PartialEq)]
pub struct Weights {
    /// Which features have weights.
    look: Look,
    /// What they have several weights for.
    stages: Stages,
    /// A weight of 1.0 in numbers of the rows.
    unit: f32,
    /// By phase.
    rows: Vec<Row>,
    /// By phase, what destinations are worth: by the place of the own king, the last for none; by that of the enemy
    /// king; and by [`Heavy`].
    own: Vec<Board>,
    enemy: Vec<Board>,
    heavy: Vec<Board>,
    /// Of the hashed features.
    hashed: Vec<i8>,
}

/// The first byte of a file's data.
const KINDS: [(u8, Look, Stages); 4] = [
    (0, Look::Glance, Stages::Game),
    (1, Look::Full, Stages::Game),
    (2, Look::Glance, Stages::Playout),
    (3, Look::Full, Stages::Playout),
];

/// Places of a king, or none.
const KINGS: usize = SQUARES + 1;

impl Weights {
    fn new(numbers: &[i8], unit: f32, look: Look, stages: Stages) -> Self {
        let (rows, hashed) = numbers.split_at(COUNT * PHASES);
        let rows: Vec<Row> = rows.as_chunks().0.as_chunks().0.iter().map(|&row| Row(row)).collect();
        let mut weights = Self {
            look,
            stages,
            unit,
            rows: Vec::with_capacity(TABLE * PHASES),
            own: Vec::new(),
            enemy: Vec::new(),
            heavy: Vec::new(),
            hashed: hashed.to_vec(),
        };
        for phase in rows.chunks(ROWS) {
            weights.rows.extend_from_slice(phase);
            weights.rows.resize(weights.rows.len().next_multiple_of(TABLE), Row::ZERO);
            let sum = |features: &[usize]| {
                let mut sum = Sum::ZERO;
                for feature in features {
                    sum.add(&phase[feature / LANES]);
                }
                sum
            };
            weights.own.extend((0..KINGS).map(|king| -> Board {
                std::array::from_fn(|to| {
                    let mut row = sum(&[TO + half(to) * LANES]);
                    if king < SQUARES {
                        row.add_sum(&sum(&own_king_rows(king, to)));
                    }
                    row
                })
            }));
            weights.enemy.extend((0..KINGS).map(|king| -> Board {
                std::array::from_fn(
                    |to| {
                        if king < SQUARES { sum(&enemy_king_rows(king, to)) } else { Sum::ZERO }
                    },
                )
            }));
            // A glance does not see rooks and bishops.
            let cases = if look == Look::Full { Heavy::CASES } else { 0 };
            weights.heavy.extend(
                (0..cases)
                    .map(|case| -> Board { std::array::from_fn(|to| sum(&Heavy::of_case(case).rows(to))) }),
            );
        }
        weights
    }

    /// Weights that say nothing.
    pub fn zero() -> Arc<Self> {
        Arc::new(Self::new(&vec![0; NUMBERS], MOST_UNIT, Look::Glance, Stages::Game))
    }

    /// The weights of the transition policy that come with the program.
    pub fn embedded() -> Arc<Self> {
        static WEIGHTS: Lazy<Arc<Weights>> =
            Lazy::new(|| Arc::new(Weights::read(EMBEDDED).expect("the embedded weights are sound")));
        Arc::clone(&WEIGHTS)
    }

    /// The weights of the transition policy of playouts that come with the program.
    pub fn embedded_playout() -> Arc<Self> {
        static WEIGHTS: Lazy<Arc<Weights>> =
            Lazy::new(|| Arc::new(Weights::read(EMBEDDED_PLAYOUT).expect("the embedded weights are sound")));
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
        Self::found(folder, BALANCING_FILE)
    }

    /// The transition policy's weights of a folder, or the embedded ones; and what is wrong, if anything.
    pub fn transition_of(folder: &Path) -> (Arc<Self>, Option<String>) {
        let (weights, note) = Self::found(folder, TRANSITION_FILE);
        (weights.unwrap_or_else(Self::embedded), note)
    }

    /// Those of the transition policy of playouts of a folder, if it holds any; and what is wrong with them, if anything.
    pub fn playout_of(folder: &Path) -> (Option<Arc<Self>>, Option<String>) {
        Self::found(folder, PLAYOUT_FILE)
    }

    /// What a file of a folder holds, if there is one. An empty name is no folder: files that happen to lie where the program
    /// was started are none of its business.
    fn found(folder: &Path, file: &str) -> (Option<Arc<Self>>, Option<String>) {
        let path = folder.join(file);
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

    /// The nearest weights to these [`NUMBERS`] numbers.
    pub fn from_numbers(numbers: &[f32], look: Look, stages: Stages) -> Result<Self, WeightsError> {
        if numbers.len() != NUMBERS {
            return Err(WeightsError::Data("the wrong number of weights"));
        }
        let largest = numbers.iter().fold(0.0, |largest: f32, x| largest.max(x.abs()));
        let unit = (f32::from(i8::MAX) / largest).floor().clamp(LEAST_UNIT, MOST_UNIT);
        let nearest = |x: &f32| (x * unit).round().clamp(-127.0, 127.0) as i8;
        let numbers: Vec<i8> = numbers.iter().map(nearest).collect();
        Ok(Self::new(&numbers, unit, look, stages))
    }

    /// The same weights multiplied by a factor.
    #[must_use]
    pub fn sharpened(self, factor: f32) -> Self {
        Self { unit: (self.unit / factor).clamp(1.0, MOST_UNIT), ..self }
    }

    /// What features have several weights for.
    pub fn stages(&self) -> Stages {
        self.stages
    }

    /// Which features have weights.
    pub fn look(&self) -> Look {
        self.look
    }

    /// The [`NUMBERS`] numbers that they stand for.
    pub fn numbers(&self) -> Vec<f32> {
        self.bytes().map(|&byte| f32::from(byte) / self.unit).collect()
    }

    /// All weights in the order of [`number`].
    fn bytes(&self) -> impl Iterator<Item = &i8> {
        let rows = self.rows.chunks(TABLE).flat_map(|phase| &phase[..ROWS]);
        rows.flat_map(|row| row.0.as_flattened()).chain(&self.hashed)
    }

    /// Reads the bytes of a file.
    pub fn read(bytes: &[u8]) -> Result<Self, WeightsError> {
        let data = zstd::bulk::decompress(weights::decode(bytes, SHAPE)?.data, 5 + NUMBERS)?;
        let (Some(&[kind, a, b, c, d]), true) = (data.first_chunk(), data.len() == 5 + NUMBERS) else {
            return Err(WeightsError::Data("the wrong number of weights"));
        };
        let Some(&(_, look, stages)) = KINDS.iter().find(|(number, ..)| *number == kind) else {
            return Err(WeightsError::Data("the weights have no sense"));
        };
        let unit = f32::from_le_bytes([a, b, c, d]);
        if !(1.0..=MOST_UNIT).contains(&unit) {
            return Err(WeightsError::Data("the weights have no sense"));
        }
        let numbers: Vec<i8> = data[5..].iter().map(|&byte| byte.cast_signed()).collect();
        Ok(Self::new(&numbers, unit, look, stages))
    }

    /// The bytes of a file with these weights. Most features hardly ever occur, so the numbers are compressed.
    pub fn to_file(&self, provenance: &str) -> std::io::Result<Vec<u8>> {
        let kind = KINDS.iter().find(|&&(_, look, stages)| (look, stages) == (self.look, self.stages));
        let mut data = vec![kind.map_or(0, |(number, ..)| *number)];
        data.extend(self.unit.to_le_bytes());
        data.extend(self.bytes().map(|byte| byte.cast_unsigned()));
        Ok(weights::encode(SHAPE, provenance, &zstd::bulk::compress(&data, 19)?))
    }

    /// The weights for a moment.
    #[inline]
    pub fn at(&self, moment: Moment) -> PhaseWeights<'_> {
        self.phase(self.stages.at(moment))
    }

    /// The weights of a phase or stage.
    #[inline]
    pub fn phase(&self, phase: usize) -> PhaseWeights<'_> {
        let rows: &[Row; TABLE] = self.rows[phase * TABLE..].first_chunk().expect("a phase has its rows");
        // SAFETY: a row is an array of LANES numbers, of the same size as it and aligned at least as strictly, so rows
        // one after the other are numbers one after the other, and COUNT is less than LANES * TABLE of them. (Indexing
        // rows and then lanes costs twice the instructions, in the innermost loop of playouts.)
        let flat = unsafe { &*std::ptr::from_ref(rows).cast::<[i8; COUNT]>() };
        PhaseWeights {
            look: self.look,
            unit: self.unit,
            rows,
            flat,
            own: &self.own[phase * KINGS..][..KINGS],
            enemy: &self.enemy[phase * KINGS..][..KINGS],
            heavy: self.heavy.chunks(Heavy::CASES).nth(phase).unwrap_or_default(),
            hashed: self.hashed.first_chunk().expect("there are so many"),
        }
    }
}

/// The weights of a phase of the game.
#[derive(Clone, Copy)]
pub struct PhaseWeights<'a> {
    /// Which features have weights.
    pub look: Look,
    /// A weight of 1.0.
    pub unit: f32,
    rows: &'a [Row; TABLE],
    /// The same one by one.
    flat: &'a [i8; COUNT],
    own: &'a [Board],
    enemy: &'a [Board],
    heavy: &'a [Board],
    hashed: &'a [i8; TOTAL - COUNT],
}

impl<'a> PhaseWeights<'a> {
    /// The weight of a feature that is not hashed.
    #[inline]
    pub fn feature(&self, feature: usize) -> i8 {
        self.flat[feature]
    }

    /// The weight of a feature, hashed or not.
    #[inline]
    pub fn any(&self, feature: usize) -> &'a i8 {
        if feature < COUNT { &self.flat[feature] } else { &self.hashed[feature - COUNT] }
    }

    /// A row by its number.
    #[inline(always)]
    pub(super) fn row(&self, number: u16) -> &'a Row {
        &self.rows[usize::from(number)]
    }

    /// The row that begins with a feature.
    #[inline]
    pub(super) fn row_of(&self, feature: usize) -> &'a Row {
        &self.rows[feature / LANES]
    }

    /// What destinations are worth by where the own king is, if there is one, and where the enemy's is.
    #[inline]
    pub(super) fn king_boards(&self, own: Option<usize>, enemy: Option<usize>) -> [&'a Board; 2] {
        let of_king = |boards: &'a [Board], king: Option<usize>| &boards[king.unwrap_or(SQUARES)];
        [of_king(self.own, own), of_king(self.enemy, enemy)]
    }

    /// What destinations are worth by where rooks and bishops are.
    #[inline]
    pub(super) fn heavy_board(&self, heavy: Heavy) -> &'a Board {
        &self.heavy[heavy.case()]
    }
}
