//! Playouts of the engine as balancing learns from them.

use std::collections::HashMap;
use std::sync::Arc;

use rand_pcg::Pcg64Mcg;

use super::estimator::{Course, Path, Place};
use super::plan::Settings;
use crate::eval::{Network, NetworkEvaluator, Scales};
use crate::playout::{Draws, Reward, Simulation};
use crate::policy::features::{FAMILIES, GLANCE};
use crate::policy::memory::sight;
use crate::policy::weights;
use crate::policy::{Look, Policy, Scene, Stages};
use crate::shogi::{Move, Walker};

/// The families that the balancing policy is learned over unless a plan says otherwise: the kinds that the paper names. Few
/// positions say more about fewer features; with all of them the error on other positions rises again after a pass.
pub const USUAL: [&str; 12] = [
    "to",
    "own_king",
    "enemy_king",
    "exchange",
    "reply",
    "opposites",
    "hold",
    "stock",
    "urgency",
    "check",
    "evasion",
    "escape",
];

/// The word for all families.
const ALL: &str = "all";

/// Which families of features a policy is learned over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Families {
    /// Where families begin, and whether they are learned.
    starts: Vec<(usize, bool)>,
}

impl Families {
    /// The families of these names; an error names what is no family.
    pub fn new(names: &[String]) -> Result<Self, String> {
        let is = |family: &str, name: &String| name.eq_ignore_ascii_case(family) || name == ALL;
        if let Some(name) = names.iter().find(|name| !GLANCE.iter().any(|family| is(family, name))) {
            return Err(format!("families: {name} is none of {ALL}, {}", GLANCE.join(", ").to_lowercase()));
        }
        let learned = |family| names.iter().any(|name| is(family, name));
        Ok(Self { starts: FAMILIES.iter().map(|&(family, start)| (start, learned(family))).collect() })
    }

    /// Whether a feature is learned.
    #[inline]
    pub fn learned(&self, feature: usize) -> bool {
        let after = self.starts.partition_point(|(start, _)| *start <= feature);
        self.starts[after - 1].1
    }
}

/// Playouts from a position.
pub struct Playouts<'a> {
    scales: Scales<NetworkEvaluator>,
    network: &'a Network,
    simulation: Simulation,
    stages: Option<Stages>,
    /// What the position itself is worth, and how much that counts.
    leaf: (f32, f32),
    families: &'a Families,
    numbers: HashMap<u64, u32>,
    places: Vec<Place>,
    /// The moves of each place.
    moves: Vec<Vec<Move>>,
}

impl<'a> Playouts<'a> {
    /// Playouts from where a walker stands, by a policy. Features are told apart by stages, if there are any.
    pub fn new(
        walker: Walker,
        network: &'a Arc<Network>,
        policy: Policy,
        settings: &Settings,
        families: &'a Families,
        stages: Option<Stages>,
    ) -> Self {
        let mut scales = Scales::new(walker, NetworkEvaluator::new(Arc::clone(network)));
        let reward = match settings.reward {
            super::plan::Rewards::WinRate => Reward::win_rate(settings.tempo),
            super::plan::Rewards::Threshold => {
                Reward::threshold(&mut scales, settings.threshold, settings.tempo)
            }
        };
        let leaf = (reward.here(&mut scales), settings.leaf_weight);
        let simulation = Simulation {
            policy,
            depth: settings.depth,
            cutoff: settings.cutoff,
            mate: settings.mate,
            reward,
            draws: Draws::default(),
        };
        Self {
            scales,
            network,
            simulation,
            stages,
            leaf,
            families,
            numbers: HashMap::new(),
            places: Vec::new(),
            moves: Vec::new(),
        }
    }
}

impl Course for Playouts<'_> {
    fn play(&mut self, random: &mut Pcg64Mcg, mut path: Option<&mut Path>) -> f32 {
        let Self {
            scales,
            network,
            simulation,
            stages,
            leaf: (leaf, weight),
            families,
            numbers,
            places,
            moves,
        } = self;
        let reward = simulation.run_by(scales, network, random, |walker, moment, random| {
            let number =
                *numbers.entry(sight(walker, simulation.policy.aspect(moment))).or_insert_with(|| {
                    let candidates = simulation.policy.candidates(walker, moment);
                    let probabilities = candidates.iter().map(|(_, probability)| probability).collect();
                    places.push(Place::new(probabilities));
                    moves.push(candidates.iter().map(|(mv, _)| mv).collect());
                    places.len() as u32 - 1
                });
            let (place, moves) = (&mut places[number as usize], &moves[number as usize]);
            if moves.is_empty() {
                return None;
            }
            let mv = place.sample(random);
            if let Some(path) = &mut path {
                if place.ends.is_empty() {
                    let scene = Scene::new(walker, Look::Glance);
                    let mut features = Vec::new();
                    for &mv in moves {
                        features.clear();
                        scene.visit(mv, |feature| {
                            if families.learned(feature) {
                                features.push(
                                    stages.map_or(feature, |by| weights::number(by.at(moment), feature))
                                        as u32,
                                );
                            }
                        });
                        place.add_features(features.iter().copied());
                    }
                }
                path.push((number, mv as u32));
            }
            Some(moves[mv])
        });
        reward + *weight * (*leaf - reward)
    }

    fn places(&mut self) -> &mut [Place] {
        &mut self.places
    }
}
