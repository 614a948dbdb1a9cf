//! How playouts come to an end: whether they do, how soon a mate is near, and whether it is found.

use rand::SeedableRng;
use rand::seq::IndexedRandom;
use rand_pcg::Pcg64Mcg;

use super::balance::{CANDIDATES, OPENING, thousands};
use super::report::{NO_BALANCING, Report, Row, Unit};
use super::sample::{self, Wanted};
use super::statistics::{Estimate, share};
use super::{ExperimentError, Setting};
use crate::eval::Network;
use crate::learn::balancing::assess::Kind;
use crate::learn::plot::{Chart, Curve};
use crate::mate::{mate_in_one, mate_in_three};
use crate::policy::{Moment, Policy, Weights};
use crate::shogi::{Move, MoveList, Walker, legal_moves};

/// Plies after which playouts are cut off.
const LONGEST: u32 = 128;

/// Chooses the moves of playouts; without a policy every legal move is as likely as the other.
struct Chooser<'a> {
    policy: Option<&'a Policy>,
    network: &'a Network,
    random: Pcg64Mcg,
}

impl Chooser<'_> {
    /// A move; nothing where there is none: mated.
    fn choose(&mut self, walker: &mut Walker) -> Option<Move> {
        if let Some(policy) = self.policy {
            let moment = Moment::of_game(self.network.progress(walker.position()));
            return policy.candidates(walker, moment).sample(&mut self.random);
        }
        let mut moves = MoveList::new();
        legal_moves(walker.position(), &mut moves);
        moves.choose(&mut self.random).copied()
    }
}

/// The policies there are, by kind; the balancing one last, if there is one.
fn policies(setting: &Setting) -> Vec<(Kind, Policy)> {
    let balancing = setting.balancing();
    let stand_in = balancing.clone().unwrap_or_else(Weights::zero);
    let there = |kind: &Kind| *kind != Kind::Balancing || balancing.is_some();
    Kind::ALL.into_iter().filter(there).map(|kind| (kind, kind.policy(&stand_in, CANDIDATES))).collect()
}

/// A way to play out: by a policy or not, with or without looking for mates in one.
struct Way<'a> {
    what: &'a str,
    paper: f64,
    policy: Option<&'a Policy>,
    mate: bool,
}

/// Whether playouts end within 128 moves.
pub fn finishing(setting: &Setting) -> Result<Report, ExperimentError> {
    let games = setting.games()?;
    let wanted = Wanted { part: None, from: 0, to: 127, opening: OPENING };
    let places = sample::draw(games, wanted, setting.pick(5, 2000, 50_000), setting.seed_for(3));
    let (network, policies) = (Network::embedded(), policies(setting));
    let uniform = Some(&policies[0].1);
    let mut ways = vec![
        Way { what: "uniform", paper: 0.977, policy: uniform, mate: true },
        Way { what: "uniform, narrowing only", paper: 0.822, policy: uniform, mate: false },
        Way { what: "uniform, mate check only", paper: 0.561, policy: None, mate: true },
        Way { what: "uniform, neither", paper: 0.0981, policy: None, mate: false },
        Way { what: "transition", paper: 0.995, policy: Some(&policies[1].1), mate: true },
    ];
    if let Some((_, policy)) = policies.get(2) {
        ways.push(Way { what: "balancing", paper: 0.990, policy: Some(policy), mate: true });
    }
    let found = setting.collect("finishing", &format!("{} ways", ways.len()), places.len(), |number| {
        let ends = |(place, way): (usize, &Way)| {
            let seed = setting.seed_for(((number as u64) << 8) + place as u64);
            let random = Pcg64Mcg::seed_from_u64(seed);
            let chooser = Chooser { policy: way.policy, network: &network, random };
            f64::from(u8::from(finishes(places[number].walker(games), chooser, way.mate)))
        };
        Some(ways.iter().enumerate().map(ends).collect())
    })?;
    let count = format!("{} positions", thousands(places.len()));
    let mut rows: Vec<Row> = ways
        .iter()
        .enumerate()
        .map(|(place, way)| Row::new(way.what, Some(way.paper), Some(column(&found, place)), count.clone()))
        .collect();
    if policies.len() < 3 {
        rows.push(Row::new("balancing", Some(0.990), None, NO_BALANCING));
    }
    let both = rows[..4].iter().filter_map(|row| row.ours).collect::<Vec<Estimate>>();
    let ordered = both[0].is_above(&both[1]) && both[1].is_above(&both[3]) && both[2].is_above(&both[3]);
    Ok(Report {
        method: format!(
            "One playout from each position, without a cutoff by depth; ended means that somebody is mated within {LONGEST} plies. \
             Narrowing is to the 16 likeliest moves, the mate check is of one ply."
        ),
        unit: Unit::Percent,
        rows,
        plots: Vec::new(),
        verdict: if ordered {
            "As in the paper, narrowing and the mate check each make playouts end, and together nearly all of them."
                .to_owned()
        } else {
            "Not as in the paper: narrowing and the mate check do not each make more playouts end.".to_owned()
        },
        differs: "The transition policy was learned from other records with other features, so narrowing keeps other moves."
            .to_owned(),
    })
}

/// The share of ones in a column.
fn column(found: &[Vec<f64>], place: usize) -> Estimate {
    share(found.iter().map(|numbers| numbers[place]).sum(), found.len() as f64)
}

/// Whether somebody is mated in time.
fn finishes(mut walker: Walker, mut chooser: Chooser, mate: bool) -> bool {
    for _ in 0..LONGEST {
        if mate && mate_in_one(&mut walker).is_some() {
            return true;
        }
        let Some(mv) = chooser.choose(&mut walker) else { return true };
        walker.apply(mv);
    }
    walker.is_mated()
}

/// How soon playouts of the endgame come to a mate in one.
pub fn mating(setting: &Setting) -> Result<Report, ExperimentError> {
    let games = setting.games()?;
    let wanted = Wanted { part: None, from: 96, to: 127, opening: 0 };
    let places = sample::draw(games, wanted, setting.pick(5, 2000, 15_000), setting.seed_for(4));
    let (network, policies) = (Network::embedded(), policies(setting));
    let found =
        setting.collect("mating", &format!("{} policies", policies.len()), places.len(), |number| {
            let plies = |(place, (_, policy)): (usize, &(Kind, Policy))| {
                let random = Pcg64Mcg::seed_from_u64(setting.seed_for(((number as u64) << 8) + place as u64));
                let chooser = Chooser { policy: Some(policy), network: &network, random };
                f64::from(plies_to_mate(places[number].walker(games), chooser))
            };
            Some(policies.iter().enumerate().map(plies).collect())
        })?;
    let within = |place: usize, plies: f64| {
        let count = found.iter().filter(|numbers| numbers[place] <= plies).count();
        share(count as f64, found.len() as f64)
    };
    let count = format!("{} positions", thousands(places.len()));
    let mut rows = Vec::new();
    for plies in [4, 16, 64] {
        for (place, (kind, _)) in policies.iter().enumerate() {
            let ours = Some(within(place, f64::from(plies)));
            rows.push(Row::new(format!("within {plies} plies, {}", kind.name()), None, ours, count.clone()));
        }
        if policies.len() < 3 {
            rows.push(Row::new(format!("within {plies} plies, balancing"), None, None, NO_BALANCING));
        }
    }
    let points: Vec<Vec<(f64, f64)>> = (0..policies.len())
        .map(|place| (0..=64).map(|n| (f64::from(n), 100.0 * within(place, f64::from(n)).value)).collect())
        .collect();
    let curves: Vec<Curve> =
        policies.iter().zip(&points).map(|((kind, _), points)| Curve { name: kind.name(), points }).collect();
    let file = "mating.svg";
    Chart {
        title: "Playouts from progress 96 on: how soon there is a mate in one",
        axes: ["plies of the playout", "positions in % that have come to a mate in one"],
        curves: curves.iter().map(|curve| (curve, &[][..])).collect(),
        decades: false,
        from_zero: true,
    }
    .draw(&setting.out.join("plots").join(file))?;
    let verdict = match policies.len() {
        3 if within(1, 16.0).is_above(&within(2, 16.0)) => {
            "As in the paper the transition policy comes to a mate in one sooner than the balancing policy."
        }
        3 => {
            "Not as in the paper: the transition policy does not surely come to a mate in one sooner than the balancing policy."
        }
        _ => "Without balancing weights only the two others are shown.",
    };
    Ok(Report {
        method: format!(
            "One playout from each position of progress 96 or more, cut off after {LONGEST} plies: how many of them have come to a \
             position with a mate in one within n plies."
        ),
        unit: Unit::Percent,
        rows,
        plots: vec![(file.to_owned(), "Plies to a mate in one".to_owned())],
        verdict: verdict.to_owned(),
        differs: "The paper counts positions, this page shares; progress is that of our own network."
            .to_owned(),
    })
}

/// Plies until the side to move has a mate in one or is mated, one more than the longest where that never happens.
fn plies_to_mate(mut walker: Walker, mut chooser: Chooser) -> u32 {
    for plies in 0..=LONGEST {
        if mate_in_one(&mut walker).is_some() {
            return plies;
        }
        let Some(mv) = chooser.choose(&mut walker) else { return plies };
        walker.apply(mv);
    }
    LONGEST + 1
}

/// Whether the first move of a mate in three is chosen where a playout meets one.
pub fn three(setting: &Setting) -> Result<Report, ExperimentError> {
    let games = setting.games()?;
    let wanted = Wanted { part: None, from: 0, to: 127, opening: OPENING };
    let places = sample::draw(games, wanted, setting.pick(5, 3000, 50_000), setting.seed_for(5));
    let (network, policies) = (Network::embedded(), policies(setting));
    let found =
        setting.collect("three", &format!("{} policies", policies.len()), places.len(), |number| {
            let met = |(place, (_, policy)): (usize, &(Kind, Policy))| {
                let random = Pcg64Mcg::seed_from_u64(setting.seed_for(((number as u64) << 8) + place as u64));
                let chooser = Chooser { policy: Some(policy), network: &network, random };
                let met = meets_three(places[number].walker(games), chooser);
                [f64::from(u8::from(met.is_some())), f64::from(u8::from(met == Some(true)))]
            };
            Some(policies.iter().enumerate().flat_map(met).collect())
        })?;
    let sum = |place: usize| found.iter().map(|numbers| numbers[place]).sum::<f64>();
    let mut rows = Vec::new();
    for (kind, right, met) in [
        (Kind::Uniform, None, None),
        (Kind::Transition, Some(0.151), Some(0.4)),
        (Kind::Balancing, Some(0.0765), Some(0.4)),
    ] {
        let place = policies.iter().position(|(other, _)| *other == kind);
        let name = kind.name();
        let count = |on: String| place.map_or_else(|| NO_BALANCING.to_owned(), |_| on);
        let ours = place.map(|place| share(sum(2 * place + 1), sum(2 * place)));
        let mates = place.map_or(0.0, |place| sum(2 * place)) as usize;
        let on = count(format!("{} mates in three", thousands(mates)));
        rows.push(Row::new(format!("right first moves, {name}"), right, ours, on));
        let ours = place.map(|place| share(sum(2 * place), found.len() as f64));
        let on = count(format!("{} positions", thousands(places.len())));
        rows.push(Row::new(format!("playouts that meet a mate in three, {name}"), met, ours, on));
    }
    let verdict = match (rows[2].ours, rows[4].ours) {
        (Some(transition), Some(balanced)) if transition.is_above(&balanced) => {
            "As in the paper the transition policy finds the first move more often than the balancing policy."
        }
        (Some(_), Some(_)) => {
            "Not as in the paper: the transition policy does not surely find the first move more often than the balancing policy."
        }
        _ => "Without balancing weights only the two others are shown.",
    };
    Ok(Report {
        method: "One playout from each position. At the first position that has a mate in three and none in one, is the move that \
                 the policy samples one after which every reply is answered by mate?"
            .to_owned(),
        unit: Unit::Percent,
        rows,
        plots: Vec::new(),
        verdict: verdict.to_owned(),
        differs: "Ours counts any move that mates in three, and meets only those that the mate check of three plies sees (checks \
                  only)."
            .to_owned(),
    })
}

/// Whether a playout's first mate in three is begun rightly; nothing where it meets none.
fn meets_three(mut walker: Walker, mut chooser: Chooser) -> Option<bool> {
    for _ in 0..LONGEST {
        if mate_in_one(&mut walker).is_some() {
            return None;
        }
        let met = mate_in_three(&mut walker).is_some();
        let mv = chooser.choose(&mut walker)?;
        walker.apply(mv);
        if met {
            return Some(loses_at_once(&mut walker));
        }
    }
    None
}

/// Whether the side to move is in check and mated in one whatever it does.
fn loses_at_once(walker: &mut Walker) -> bool {
    let mut evasions = MoveList::new();
    legal_moves(walker.position(), &mut evasions);
    walker.position().is_in_check()
        && evasions.iter().all(|&evasion| {
            walker.apply(evasion);
            let mated = mate_in_one(walker).is_some();
            walker.undo();
            mated
        })
}
