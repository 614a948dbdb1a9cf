//! The file of what was learned about people.

use arrayvec::ArrayVec;
use once_cell::sync::Lazy;
use parking_lot::Mutex;
use std::sync::Arc;

use super::Shares;
use super::moves::{self, Taste};
use super::sight::{self, Sight};
use super::win::{self, Mirrored, Win};
use crate::eval::Network;
use crate::eval::weights::{self, Shape, WeightsError};
use crate::policy::Weights;
use crate::policy::features::TOTAL;
use crate::shogi::Position;

/// What its files look like.
const SHAPE: Shape =
    Shape { kind: "human", version: 2, dimensions: [win::INPUTS as u32, win::HEADS as u32, TOTAL as u32, 0] };

const EMBEDDED: &[u8] = include_bytes!("../../weights/human.bin");

/// As many as play a match.
const KEPT_POLICIES: usize = 2;

/// Bytes of a sight.
const SIGHT: usize = size_of::<Sight>();

/// No file has more knots.
const MOST_KNOTS: usize = 32;

/// Who wins and what is played, by rating.
#[derive(Clone, Debug, PartialEq)]
pub struct Human {
    /// The ratings at which it is known, ascending; a single one where the rating does not matter.
    pub knots: Vec<f32>,
    /// Who wins.
    pub win: Win,
    /// What counts at each knot where a position was searched too.
    pub sights: Vec<Sight>,
    /// What is played, at each knot.
    pub tastes: Vec<Taste>,
}

impl Human {
    /// What comes with the program; nothing where features have changed since it was learned.
    pub fn embedded() -> Option<Arc<Self>> {
        static HUMAN: Lazy<Option<Arc<Human>>> = Lazy::new(|| Human::read(EMBEDDED).ok().map(Arc::new));
        HUMAN.clone()
    }

    /// The weights of the policy of players of a rating, by what comes with the program. Those asked for last are kept: to put them
    /// together takes longer than many a move.
    pub fn embedded_policy(rating: u32) -> Option<Arc<Weights>> {
        static KEPT: Mutex<ArrayVec<(u32, Arc<Weights>), KEPT_POLICIES>> = Mutex::new(ArrayVec::new_const());
        let mut kept = KEPT.lock();
        if let Some((_, weights)) = kept.iter().find(|(known, _)| *known == rating) {
            return Some(Arc::clone(weights));
        }
        let weights = Arc::new(Self::embedded()?.policy(rating as f32).ok()?);
        if kept.is_full() {
            kept.remove(0);
        }
        kept.push((rating, Arc::clone(&weights)));
        Some(weights)
    }

    /// The win rate of the side to move between two players of a rating; `searched` is the logit of what a search says.
    pub fn win_rate(
        &self,
        network: &Network,
        position: &Position,
        rating: f32,
        searched: Option<f32>,
    ) -> f32 {
        self.rate(&Mirrored::of(network, position), rating, searched)
    }

    /// The same of a position that was looked at already.
    pub fn rate(&self, views: &Mirrored, rating: f32, searched: Option<f32>) -> f32 {
        let shares = Shares::of(rating, &self.knots);
        let seen = self.win.logit(views, &shares, 0.0);
        win::rate(match searched {
            Some(searched) => sight::logit(&self.sights, &shares, &[seen, views.value(), searched]),
            None => seen,
        })
    }

    /// The weights of the policy of players of a rating.
    pub fn policy(&self, rating: f32) -> Result<Weights, WeightsError> {
        moves::weights(&Weights::embedded_playout(), &self.tastes, &Shares::of(rating, &self.knots))
    }

    /// What comes with the program of a model that does not know the rating, to compare with.
    pub fn embedded_plain() -> Option<Self> {
        Self::read(include_bytes!("../../weights/human-plain.bin")).ok()
    }

    /// Reads the bytes of a file.
    pub fn read(bytes: &[u8]) -> Result<Self, WeightsError> {
        const SENSELESS: WeightsError = WeightsError::Data("the numbers have no sense");
        let most = 4 + 4 * MOST_KNOTS + 4 * win::count(MOST_KNOTS) + MOST_KNOTS * (SIGHT + 4 + TOTAL);
        let data = zstd::bulk::decompress(weights::decode(bytes, SHAPE)?.data, most)?;
        let (count, rest) = data.split_first_chunk().ok_or(WeightsError::Data("data too short"))?;
        let count = u32::from_le_bytes(*count) as usize;
        if !(1..=MOST_KNOTS).contains(&count)
            || rest.len() != 4 * count + 4 * win::count(count) + count * (SIGHT + 4 + TOTAL)
        {
            return Err(WeightsError::Data("the wrong number of weights"));
        }
        let floats = |bytes: &[u8]| -> Vec<f32> {
            bytes.as_chunks().0.iter().map(|&bytes| f32::from_le_bytes(bytes)).collect()
        };
        let (knots, rest) = rest.split_at(4 * count);
        let (numbers, rest) = rest.split_at(4 * win::count(count));
        let (sights, rest) = rest.split_at(SIGHT * count);
        let (sharpness, bytes) = rest.split_at(4 * count);
        let (knots, numbers) = (floats(knots), floats(numbers));
        let (sights, sharpness) = (floats(sights), floats(sharpness));
        let mut all = numbers.iter().chain(&sights).chain(&sharpness);
        if !knots.is_sorted_by(|a, b| a < b) || all.any(|x| !x.is_finite()) {
            return Err(SENSELESS);
        }
        let tastes = sharpness.into_iter().zip(bytes.chunks(TOTAL)).map(|(sharpness, bytes)| Taste {
            sharpness,
            bytes: bytes.iter().map(|&byte| byte.cast_signed()).collect(),
        });
        let sights = sights.as_chunks().0.to_vec();
        Ok(Self { knots, win: Win { numbers }, sights, tastes: tastes.collect() })
    }

    /// The bytes of a file.
    pub fn to_file(&self, provenance: &str) -> std::io::Result<Vec<u8>> {
        let mut data = (self.knots.len() as u32).to_le_bytes().to_vec();
        let floats = self.knots.iter().chain(&self.win.numbers).chain(self.sights.as_flattened()).copied();
        for number in floats.chain(self.tastes.iter().map(|taste| taste.sharpness)) {
            data.extend(number.to_le_bytes());
        }
        for taste in &self.tastes {
            data.extend(taste.bytes.iter().map(|byte| byte.cast_unsigned()));
        }
        Ok(weights::encode(SHAPE, provenance, &zstd::bulk::compress(&data, 19)?))
    }
}
