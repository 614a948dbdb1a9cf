//! The run: the model with the rating, the same without, and how they compare on games that neither has seen.

use std::path::{Path, PathBuf};

use super::assess::Verdict;
use super::plan::Plan;
use super::win::Sample;
use super::{assess, lessons, moves, played_on, sight, win};
use crate::eval::{Network, weights};
use crate::human::Human;
use crate::human::moves::Taste;
use crate::human::sight::{BLIND, Sight};
use crate::learn::records::Game;
use crate::learn::{LearnError, Monitor};
use rayon::prelude::*;

/// Learns by a plan.
pub fn run(plan: &Plan, monitor: &Monitor) -> Result<(), LearnError> {
    match learn(plan, monitor) {
        Err(LearnError::Stopped) => {
            monitor.say("stopped; what was learned is not written, games played on are".to_owned());
            Ok(())
        }
        done => done,
    }
}

fn learn(plan: &Plan, monitor: &Monitor) -> Result<(), LearnError> {
    let games = lessons::read(&plan.records, monitor)?;
    if games.train.is_empty() || games.validation.is_empty() {
        return Err(LearnError::NothingToLearn("too few games with ratings in the records"));
    }
    let network = Network::embedded();
    if let Some(folder) = plan.output.parent() {
        std::fs::create_dir_all(folder).map_err(|error| LearnError::output(folder, error))?;
    }
    let played = played_on::games(plan, monitor)?;
    let verdicts = if plan.folds > 0 {
        folds(plan, &[games.train, games.validation].concat(), &played, &network, monitor)?
    } else {
        let [mut with, without] = models(plan, &games.train, &played, &network, monitor)?;
        with.sights = sights(plan, &games.train, &played, &network, monitor)?;
        for (model, path) in [(&with, plan.output.clone()), (&without, plain_path(&plan.output))] {
            write(model, &path, plan, games.train.len(), monitor)?;
        }
        assess::judge([&with, &without], &games.validation, &network)
    };
    monitor.say(format!("judged by {} games that were not learned from", verdicts.len()));
    assess::table(&verdicts).lines().for_each(|line| monitor.say(line.to_owned()));
    Ok(())
}

/// What each game says about models that learned from the others and from those played on.
fn folds(
    plan: &Plan,
    games: &[Game],
    played: &[Game],
    network: &Network,
    monitor: &Monitor,
) -> Result<Vec<Verdict>, LearnError> {
    let mut verdicts = Vec::new();
    for fold in 0..plan.folds {
        let (apart, rest): (Vec<Game>, Vec<Game>) = games
            .iter()
            .cloned()
            .partition(|game| (game.hash() >> 16) % u64::from(plan.folds) == u64::from(fold));
        if apart.is_empty() || rest.is_empty() {
            return Err(LearnError::NothingToLearn("too few games with ratings for so many folds"));
        }
        let [with, without] = models(plan, &rest, played, network, monitor)?;
        verdicts.extend(assess::judge([&with, &without], &apart, network));
    }
    Ok(verdicts)
}

/// The model with the rating and the one without, from the same games; from those played on they learn only who wins.
fn models(
    plan: &Plan,
    games: &[Game],
    played: &[Game],
    network: &Network,
    monitor: &Monitor,
) -> Result<[Human; 2], LearnError> {
    let lists: Vec<Vec<Sample>> = games.par_iter().chain(played).map(win::samples).collect();
    let samples: Vec<Sample> = lists.into_iter().flatten().collect();
    let count = games.len() + played.len();
    monitor.say(format!("{count} games with {} positions to learn from", samples.len()));
    // Without the rating is with a single knot. What all ratings have in common is learned first; then the model without goes
    // through the games as often as the one with.
    let plain = [plan.knots[plan.knots.len() / 2]];
    let learn = |knots: &[f32], start: &Human| -> Result<Human, LearnError> {
        let of_moves = || moves::learn(plan, knots, &start.tastes[0], games, network, monitor);
        let of_wins = || win::learn(plan, knots, &start.win, &samples, network, monitor);
        let (tastes, win) = rayon::join(of_moves, of_wins);
        Ok(Human { knots: knots.to_vec(), win: win?, sights: vec![BLIND; knots.len()], tastes: tastes? })
    };
    let nothing = Human {
        knots: plain.to_vec(),
        win: win::beginning(plan.seed),
        sights: vec![BLIND],
        tastes: vec![Taste::usual()],
    };
    let common = learn(&plain, &nothing)?;
    let (with, without) = rayon::join(|| learn(&plan.knots, &common), || learn(&plain, &common));
    let (with, without) = (with?, without?);
    let sharpness: Vec<String> = with.tastes.iter().map(|taste| format!("{:.2}", taste.sharpness)).collect();
    monitor.say(format!("sharpness at {:?}: {}", plan.knots, sharpness.join(", ")));
    Ok([with, without])
}

/// How much a search counts, by each half of the games played on with a network that learned from the other half.
fn sights(
    plan: &Plan,
    games: &[Game],
    played: &[Game],
    network: &Network,
    monitor: &Monitor,
) -> Result<Vec<Sight>, LearnError> {
    let said = sight::search(played, plan.seed, monitor)?;
    let mut cases = Vec::new();
    for half in 0..2 {
        let halves = |pair: usize| pair % 2 == half;
        let apart = |own: bool| -> Vec<Game> {
            let pairs = played.chunks_exact(2).enumerate().filter(|(pair, _)| halves(*pair) == own);
            pairs.flat_map(|(_, pair)| pair).cloned().collect()
        };
        let said: Vec<f32> =
            said.iter().enumerate().filter(|(pair, _)| halves(*pair)).map(|(_, &said)| said).collect();
        if said.is_empty() {
            continue;
        }
        let lists: Vec<Vec<Sample>> = games.par_iter().chain(&apart(false)).map(win::samples).collect();
        let samples: Vec<Sample> = lists.into_iter().flatten().collect();
        let plain = [plan.knots[plan.knots.len() / 2]];
        let common = win::learn(plan, &plain, &win::beginning(plan.seed), &samples, network, monitor)?;
        let win = win::learn(plan, &plan.knots, &common, &samples, network, monitor)?;
        cases.extend(sight::cases(&apart(true), &said, &win, &plan.knots, network));
    }
    let sights = sight::learn(&cases, &plan.knots);
    if cases.is_empty() {
        return Ok(sights);
    }
    for (knot, [seen, value, searched]) in plan.knots.iter().zip(&sights) {
        monitor.say(format!(
            "at {knot} where it was searched: network {seen:.2}, evaluation {value:.2}, search {searched:.2}"
        ));
    }
    Ok(sights)
}

/// Where the model without the rating goes.
pub fn plain_path(output: &Path) -> PathBuf {
    let stem = output.file_stem().unwrap_or_default().to_string_lossy();
    output.with_file_name(format!("{stem}-plain.bin"))
}

fn write(model: &Human, path: &Path, plan: &Plan, games: usize, monitor: &Monitor) -> Result<(), LearnError> {
    let provenance = format!(
        "who wins and what is played by rating, {games} games, {:?} more played on at the knots to learn who \
         wins, knots {:?}; results: {} passes, {} positions a step, rate {}, decay {}; \
         moves: {} passes, rate {}; seed {}",
        plan.played_on,
        model.knots,
        plan.win_passes,
        plan.win_batch,
        plan.win_rate,
        plan.win_decay,
        plan.move_passes,
        plan.move_rate,
        plan.seed
    );
    let bytes = model.to_file(&provenance).map_err(|error| LearnError::output(path, error))?;
    weights::write_file(path, &bytes).map_err(|error| LearnError::output(path, error))?;
    monitor.say(format!("wrote {}", path.display()));
    Ok(())
}
