//! The network: kings and pieces on squares in, centipawns out.
//!
//! Each side's view of the board sums up one row of weights for every feature that holds; a move changes two to four
//! rows, so the sums (accumulators) are carried along a walk instead of made anew. The two views, that of the side to
//! move first, go through two small layers. Everything is 16-bit integers with 32-bit sums; 1.0 is [`ONE`] in
//! activations and [`UNIT`] in the weights of the layers.

use once_cell::sync::Lazy;
use std::path::Path as FilePath;
use std::sync::Arc;

use super::features::{ACTIVE, Change, Feature, INPUTS, features, opposite};
pub use super::simd::HIDDEN;
/// Accumulators of a side.
pub use super::simd::WIDTH as ACCUMULATORS;
use super::simd::{PairWeights, Path, Row, Sums};
use super::weights::{self, Shape, WeightsError};
use super::{CP_SCALE, Evaluator};
use crate::shogi::{Color, Move, Position};

/// An activation of 1.0; accumulators and their weights have the same scale.
pub const ONE: i16 = 1024;

/// A weight of 1.0 in the layers above the accumulators.
pub const UNIT: i32 = 4096;

/// A weight of 1.0 in the sum that tells progress.
pub const PROGRESS_UNIT: f32 = 2048.0;

/// Static values stay within this, well below mates.
pub const LARGEST: i32 = 20_000;

/// Name of its file in a folder of weights.
pub const FILE: &str = "value.bin";

/// What its files look like.
pub const SHAPE: Shape = Shape {
    kind: "value",
    version: 1,
    dimensions: [INPUTS as u32, ACCUMULATORS as u32, HIDDEN as u32, HIDDEN as u32],
};

static EMBEDDED: &[u8] = include_bytes!("../../weights/value.bin");

/// The weights.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Network {
    features: Vec<Row>,
    feature_bias: Row,
    first: Vec<PairWeights>,
    first_bias: Sums,
    second: Vec<PairWeights>,
    second_bias: Sums,
    output: [i16; HIDDEN],
    output_bias: i32,
    /// By feature seen by Black, both views together.
    progress: Vec<i32>,
    progress_bias: i32,
}

/// The same numbers without the order the vector code wants: rows by input, as files and the trainer have them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlainNetwork {
    /// By feature and accumulator, scale [`ONE`].
    pub features: Vec<i16>,
    /// By accumulator, scale [`ONE`].
    pub feature_bias: Vec<i16>,
    /// By accumulator (side to move first) and unit, scale [`UNIT`].
    pub first: Vec<i16>,
    /// By unit, scale [`ONE`] × [`UNIT`].
    pub first_bias: Vec<i32>,
    /// By unit below and unit, scale [`UNIT`].
    pub second: Vec<i16>,
    /// By unit, scale [`ONE`] × [`UNIT`].
    pub second_bias: Vec<i32>,
    /// By unit, scale [`UNIT`].
    pub output: Vec<i16>,
    /// Scale [`ONE`] × [`UNIT`].
    pub output_bias: i32,
    /// What a feature in either side's view says of the progress of the game, then a constant; scale
    /// [`PROGRESS_UNIT`].
    pub progress: Vec<i16>,
}

impl Network {
    /// The network that comes with the program.
    pub fn embedded() -> Arc<Self> {
        static NETWORK: Lazy<Arc<Network>> =
            Lazy::new(|| Arc::new(Network::read(EMBEDDED).expect("the embedded weights are sound")));
        Arc::clone(&NETWORK)
    }

    /// The network of a folder, or the embedded one and why; an empty name means the embedded one.
    pub fn from_folder(folder: &FilePath) -> (Arc<Self>, Option<String>) {
        weights::from_folder(folder, FILE, Self::read, Self::embedded)
    }

    /// Reads the bytes of a file.
    pub fn read(bytes: &[u8]) -> Result<Self, WeightsError> {
        let contents = weights::decode(bytes, SHAPE)?;
        let mut data = contents.data;
        let mut take = |count: usize, size: usize| {
            let (part, rest) =
                data.split_at_checked(count * size).ok_or(WeightsError::Data("data too short"))?;
            data = rest;
            Ok::<_, WeightsError>(part)
        };
        let shorts = |bytes: &[u8]| bytes.as_chunks().0.iter().map(|&b| i16::from_le_bytes(b)).collect();
        let longs = |bytes: &[u8]| bytes.as_chunks().0.iter().map(|&b| i32::from_le_bytes(b)).collect();
        let plain = PlainNetwork {
            features: shorts(take(INPUTS * ACCUMULATORS, 2)?),
            feature_bias: shorts(take(ACCUMULATORS, 2)?),
            first: shorts(take(2 * ACCUMULATORS * HIDDEN, 2)?),
            first_bias: longs(take(HIDDEN, 4)?),
            second: shorts(take(HIDDEN * HIDDEN, 2)?),
            second_bias: longs(take(HIDDEN, 4)?),
            output: shorts(take(HIDDEN, 2)?),
            output_bias: longs(take(1, 4)?)[0],
            progress: shorts(take(INPUTS + 1, 2)?),
        };
        if !data.is_empty() {
            return Err(WeightsError::Data("data too long"));
        }
        Self::new(&plain)
    }

    /// The network of these numbers; an error where they could overflow.
    pub fn new(plain: &PlainNetwork) -> Result<Self, WeightsError> {
        plain.check()?;
        let rows = plain.features.as_chunks().0.iter().map(|&row| Row(row)).collect();
        let array = |numbers: &[i32]| Sums(numbers.try_into().expect("checked"));
        Ok(Self {
            features: rows,
            feature_bias: Row(plain.feature_bias.as_slice().try_into().expect("checked")),
            first: pairs(&plain.first),
            first_bias: array(&plain.first_bias),
            second: pairs(&plain.second),
            second_bias: array(&plain.second_bias),
            output: plain.output.as_slice().try_into().expect("checked"),
            output_bias: plain.output_bias,
            progress: (0..INPUTS as u16)
                .map(|feature| {
                    [feature, opposite(feature)]
                        .map(|view| i32::from(plain.progress[usize::from(view)]))
                        .iter()
                        .sum()
                })
                .collect(),
            progress_bias: plain.progress[INPUTS].into(),
        })
    }

    /// The value of a position from scratch, for the side to move.
    pub fn value(&self, path: Path, position: &Position) -> i32 {
        self.output(path, &self.accumulate(path, position), position.turn())
    }

    /// How far the game has come: 0 at its start, 127 at its end.
    pub fn progress(&self, position: &Position) -> u8 {
        self.progress_of(&features(position))
    }

    /// The same by what holds, whichever side sees it.
    pub fn progress_of(&self, seen: &[Feature]) -> u8 {
        let sum: i32 = seen.iter().map(|&feature| self.progress[usize::from(feature)]).sum();
        let logit = (sum + self.progress_bias) as f32 / PROGRESS_UNIT;
        (128.0 / (1.0 + (-logit).exp())).min(127.0) as u8
    }

    /// Both views of a position, Black's first.
    pub fn accumulate(&self, path: Path, position: &Position) -> [Row; 2] {
        self.accumulate_features(path, &features(position))
    }

    /// Both views of what holds, that of whom the features are seen by first; at most [`ACTIVE`] of them.
    pub fn accumulate_features(&self, path: Path, seen: &[Feature]) -> [Row; 2] {
        let seen = &seen[..seen.len().min(ACTIVE)];
        let mut rows = [[&self.feature_bias; ACTIVE]; 2];
        for (i, &feature) in seen.iter().enumerate() {
            rows[0][i] = &self.features[usize::from(feature)];
            rows[1][i] = &self.features[usize::from(opposite(feature))];
        }
        rows.map(|rows| path.sum(&self.feature_bias, &rows[..seen.len()]))
    }

    /// Both views after a move, from those before it.
    #[inline]
    fn follow(&self, path: Path, before: &[Row; 2], change: &Change, after: &mut [Row; 2]) {
        let row = |feature: Feature| &self.features[usize::from(feature)];
        let other = |feature: Feature| row(opposite(feature));
        let [black, white] = after;
        match (change.removed(), change.added()) {
            (&[a], &[b]) => {
                path.replace(&before[0], &[row(a)], &[row(b)], black);
                path.replace(&before[1], &[other(a)], &[other(b)], white);
            }
            (&[a, c], &[b, d]) => {
                path.replace(&before[0], &[row(a), row(c)], &[row(b), row(d)], black);
                path.replace(&before[1], &[other(a), other(c)], &[other(b), other(d)], white);
            }
            _ => *after = *before,
        }
    }

    /// What the layers above the accumulators make of both views.
    pub fn output(&self, path: Path, views: &[Row; 2], turn: Color) -> i32 {
        let [own, other] = match turn {
            Color::Black => [&views[0], &views[1]],
            Color::White => [&views[1], &views[0]],
        };
        let (own_weights, other_weights) = self.first.split_at(ACCUMULATORS / 2);
        let mut first = self.first_bias;
        path.multiply(&mut first, path.clip(own, ONE).0.as_chunks().0, own_weights);
        path.multiply(&mut first, path.clip(other, ONE).0.as_chunks().0, other_weights);
        let mut second = self.second_bias;
        path.multiply(&mut second, activate(&first).as_chunks().0, &self.second);
        let sum = self.output_bias
            + activate(&second)
                .iter()
                .zip(&self.output)
                .map(|(&a, &w)| i32::from(a) * i32::from(w))
                .sum::<i32>();
        let cp = (i64::from(sum) * CP_SCALE as i64).div_euclid(i64::from(ONE) * i64::from(UNIT));
        (cp as i32).clamp(-LARGEST, LARGEST)
    }
}

/// Sums of a layer as inputs of the next.
fn activate(sums: &Sums) -> [i16; HIDDEN] {
    sums.0.map(|sum| ((sum + UNIT / 2) / UNIT).clamp(0, i32::from(ONE)) as i16)
}

/// Rows of weights by input, put together for pairs of inputs.
fn pairs(rows: &[i16]) -> Vec<PairWeights> {
    let (pairs, _) = rows.as_chunks::<{ 2 * HIDDEN }>();
    pairs.iter().map(|pair| PairWeights(std::array::from_fn(|i| pair[i % 2 * HIDDEN + i / 2]))).collect()
}

impl PlainNetwork {
    /// Lengths, and that no sum can overflow whatever the position.
    fn check(&self) -> Result<(), WeightsError> {
        let lengths = [
            (self.features.len(), INPUTS * ACCUMULATORS),
            (self.feature_bias.len(), ACCUMULATORS),
            (self.first.len(), 2 * ACCUMULATORS * HIDDEN),
            (self.first_bias.len(), HIDDEN),
            (self.second.len(), HIDDEN * HIDDEN),
            (self.second_bias.len(), HIDDEN),
            (self.output.len(), HIDDEN),
            (self.progress.len(), INPUTS + 1),
        ];
        if lengths.iter().any(|(found, expected)| found != expected) {
            return Err(WeightsError::Data("a layer has the wrong length"));
        }
        for unit in 0..ACCUMULATORS {
            let weights = self.features.iter().skip(unit).step_by(ACCUMULATORS);
            let largest = weights.map(|w| i64::from(w.unsigned_abs())).max().unwrap_or(0);
            let bias = i64::from(self.feature_bias[unit].unsigned_abs());
            // On the way from one position to the next two rows may be there too many.
            if largest * (ACTIVE as i64 + 2) + bias > i64::from(i16::MAX) {
                return Err(WeightsError::Data("feature weights so large that accumulators would overflow"));
            }
        }
        let fits = |weights: &[i16], biases: &[i32]| {
            biases.iter().enumerate().all(|(unit, bias)| {
                let weights = weights.iter().skip(unit).step_by(biases.len());
                let most: i64 = weights.map(|w| i64::from(w.unsigned_abs()) * i64::from(ONE)).sum();
                // Half a unit is added to round.
                most + i64::from(bias.unsigned_abs()) + i64::from(UNIT / 2) <= i64::from(i32::MAX)
            })
        };
        if fits(&self.first, &self.first_bias)
            && fits(&self.second, &self.second_bias)
            && fits(&self.output, &[self.output_bias])
        {
            Ok(())
        } else {
            Err(WeightsError::Data("weights so large that sums would overflow"))
        }
    }

    /// The bytes of a file with these numbers.
    pub fn to_file(&self, provenance: &str) -> Vec<u8> {
        let mut data = Vec::new();
        let shorts = |numbers: &[i16], data: &mut Vec<u8>| {
            data.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
        };
        let longs = |numbers: &[i32], data: &mut Vec<u8>| {
            data.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
        };
        shorts(&self.features, &mut data);
        shorts(&self.feature_bias, &mut data);
        shorts(&self.first, &mut data);
        longs(&self.first_bias, &mut data);
        shorts(&self.second, &mut data);
        longs(&self.second_bias, &mut data);
        shorts(&self.output, &mut data);
        longs(&[self.output_bias], &mut data);
        shorts(&self.progress, &mut data);
        weights::encode(SHAPE, provenance, &data)
    }
}

/// A place on the walk.
#[derive(Clone, Debug)]
struct Place {
    views: [Row; 2],
    /// Whether the views are up to date.
    known: bool,
    /// What the move to this place changed.
    change: Change,
}

/// Follows a walk with the network, and computes only when it is asked.
#[derive(Clone, Debug)]
pub struct NetworkEvaluator {
    network: Arc<Network>,
    path: Path,
    /// The places of the walk, the current one last; those beyond `depth` are there to be used again.
    places: Vec<Place>,
    depth: usize,
}

impl NetworkEvaluator {
    /// With this many changes to catch up with, starting anew is as fast.
    const FAR: usize = 12;

    /// An evaluator that uses the widest instructions there are.
    pub fn new(network: Arc<Network>) -> Self {
        Self::with_path(network, Path::best())
    }

    /// An evaluator on a path of choice.
    pub fn with_path(network: Arc<Network>, path: Path) -> Self {
        let place = Place { views: [network.feature_bias; 2], known: false, change: Change::default() };
        Self { network, path, places: vec![place], depth: 0 }
    }

    fn catch_up(&mut self, position: &Position) {
        let behind = self.places[..=self.depth].iter().rev().take(Self::FAR).position(|place| place.known);
        let Some(behind) = behind else {
            let place = &mut self.places[self.depth];
            place.views = self.network.accumulate(self.path, position);
            place.known = true;
            return;
        };
        for at in self.depth - behind + 1..=self.depth {
            let (before, here) = self.places.split_at_mut(at);
            let Place { views, change, .. } = &mut here[0];
            self.network.follow(self.path, &before[at - 1].views, change, views);
            here[0].known = true;
        }
    }
}

impl Evaluator for NetworkEvaluator {
    fn reset(&mut self, position: &Position) {
        self.depth = 0;
        // Known at once: every way from here, of which a search goes many, can then be followed from here.
        let place = &mut self.places[0];
        place.views = self.network.accumulate(self.path, position);
        place.known = true;
    }

    #[inline]
    fn push(&mut self, position: &Position, mv: Move) {
        self.depth += 1;
        if self.depth == self.places.len() {
            self.places.push(self.places[0].clone());
        }
        let place = &mut self.places[self.depth];
        place.known = false;
        place.change = Change::by(position, mv);
    }

    #[inline]
    fn pop(&mut self) {
        self.depth = self.depth.saturating_sub(1);
    }

    #[inline]
    fn value(&mut self, position: &Position) -> i32 {
        self.catch_up(position);
        self.network.output(self.path, &self.places[self.depth].views, position.turn())
    }
}
