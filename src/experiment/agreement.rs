//! How often players choose what was played in records, by progress of the game.

use super::balance::thousands;
use super::player::Recipe;
use super::report::{NO_BALANCING, Report, Row, Unit};
use super::sample::{self, Wanted};
use super::statistics::{Estimate, mean, share};
use super::strength::{Paper, Search};
use super::{ExperimentError, Setting};
use crate::eval::Network;
use crate::learn::records::Split;
use crate::policy::{Moment, Narrowing, Policy, Weights};

/// A player, and what the paper has for it in the four parts of the game, in per cent.
struct Column {
    what: &'static str,
    policy: &'static str,
    search: Option<Search>,
    paper: [f64; 4],
}

const COLUMNS: [Column; 6] = [
    Column { what: "policy alone", policy: "transition", search: None, paper: [7.58, 9.03, 9.47, 15.0] },
    Column { what: "policy alone", policy: "balancing", search: None, paper: [6.48, 10.1, 11.1, 15.1] },
    Column {
        what: "simple Monte-Carlo",
        policy: "transition",
        search: Some(Search::Simple),
        paper: [18.0, 26.2, 28.0, 30.4],
    },
    Column {
        what: "simple Monte-Carlo",
        policy: "balancing",
        search: Some(Search::Simple),
        paper: [23.0, 32.4, 34.1, 36.1],
    },
    Column { what: "UCT", policy: "transition", search: Some(Search::Uct), paper: [23.4, 34.0, 37.6, 38.2] },
    Column { what: "UCT", policy: "balancing", search: Some(Search::Uct), paper: [23.7, 35.5, 38.6, 38.1] },
];

/// Agreement in the four parts of the game.
pub fn agreement(setting: &Setting) -> Result<Report, ExperimentError> {
    let games = setting.games()?;
    let (count, playouts) = (setting.pick(1, 40, 1000), setting.pick(5, 1000, 1000));
    let network = Network::embedded();
    let transition = Weights::transition_of(&setting.weights).0;
    let balancing = setting.balancing();
    let policy = |name: &str| {
        let (transition, narrowing) = (transition.clone(), Narrowing::default());
        match (name, &balancing) {
            ("balancing", Some(weights)) => Policy::balancing(transition, weights.clone(), narrowing),
            _ => Policy::transition(transition, narrowing),
        }
    };
    let mut rows = Vec::new();
    let mut better = [0, 0];
    for (part, from) in [0_u8, 32, 64, 96].into_iter().enumerate() {
        let wanted = Wanted { part: Some(Split::Test), from, to: from + 31, opening: 0 };
        let places = sample::draw(games, wanted, count, setting.seed_for(6));
        let mut by_policy: Vec<Option<Estimate>> = Vec::new();
        for column in &COLUMNS {
            let there = column.policy != "balancing" || balancing.is_some();
            let name = format!("agreement-{}-{}-{from}", column.what.replace(' ', "-"), column.policy);
            let ours = match (&column.search, there) {
                (_, false) => None,
                (None, true) => {
                    // What a sample would agree on the average.
                    let policy = policy(column.policy);
                    let likely = |place: &sample::Place| {
                        let (mut walker, played) = (place.walker(games), place.played(games));
                        let moment = Moment::of_game(network.progress(walker.position()));
                        let candidates = policy.candidates(&mut walker, moment);
                        candidates.iter().find(|(mv, _)| *mv == played).map_or(0.0, |(_, p)| f64::from(p))
                    };
                    Some(mean(&places.iter().map(likely).collect::<Vec<f64>>()))
                }
                (Some(search), true) => {
                    let paper = Paper { setting, playouts, mate: "one", extra: String::new() };
                    let recipe: Recipe = paper.player(*search, column.policy, &setting.weights)?;
                    let found = setting.collect(&name, &format!("{recipe:?}"), places.len(), |number| {
                        let place = places[number];
                        let mut player = recipe.make(setting.seed_for(number as u64));
                        let (mv, _) = player.choose(&place.walker(games));
                        Some(vec![f64::from(u8::from(mv == place.played(games)))])
                    })?;
                    Some(share(found.iter().map(|numbers| numbers[0]).sum(), found.len() as f64))
                }
            };
            let what = format!("{}, {}, progress {from}–{}", column.what, column.policy, from + 31);
            let on = if there {
                format!("{} positions", thousands(places.len()))
            } else {
                NO_BALANCING.to_owned()
            };
            rows.push(Row::new(what, Some(column.paper[part] / 100.0), ours, on));
            by_policy.push(ours);
        }
        if let (Some(transition), Some(balanced)) = (by_policy[2], by_policy[3]) {
            better[usize::from(balanced.value > transition.value)] += 1;
        }
    }
    let verdict = if balancing.is_some() {
        format!(
            "In simple Monte-Carlo the balancing policy agrees more often than the transition policy in {} of the 4 parts of the \
             game; in the paper in all.",
            better[1]
        )
    } else {
        "Without balancing weights only the transition policy could be measured.".to_owned()
    };
    Ok(Report {
        method: format!(
            "Positions of games of professional players that nothing was learned from. Simple Monte-Carlo and UCT with {playouts} \
             playouts, searching as in the paper; for a policy alone the probability of the move that was played."
        ),
        unit: Unit::Percent,
        rows,
        plots: Vec::new(),
        verdict,
        differs: "Other records, evaluation and features; progress is that of our own network; our transition policy \
                  was learned from many more positions, and mates of three plies at the root are always played."
            .to_owned(),
    })
}
