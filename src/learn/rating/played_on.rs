//! Positions of other games played on by players of all ratings, to learn who wins there.
//!
//! In games with ratings weak players meet only what weak players have come to, so those games do not say what a lead of
//! strong players is worth to them.

use std::iter::repeat_n;
use std::ops::ControlFlow;
use std::path::PathBuf;

use super::plan::Plan;
use crate::eval::Network;
use crate::experiment::matches::Match;
use crate::experiment::player::Recipe;
use crate::experiment::sample::{self, Wanted};
use crate::human::Manner;
use crate::learn::checkpoint::fingerprint;
use crate::learn::kept_games::KeptGames;
use crate::learn::plan::names;
use crate::learn::records::{self, Format, Game, Split};
use crate::learn::{LearnError, Monitor};
use crate::shogi::Walker;

/// Pairs of games that are played before they are written down together.
const CHUNK: usize = 64;

/// The games a plan asks for, with the ratings of their players; those that were played before are read.
pub fn games(plan: &Plan, monitor: &Monitor) -> Result<Vec<Game>, LearnError> {
    let mut games = Vec::new();
    if plan.played_on.is_empty() {
        return Ok(games);
    }
    let path = path_for(plan);
    let mut kept = KeptGames::open(path.clone());
    // Every position is played on twice.
    let pairs: Vec<usize> = plan.played_on.iter().map(|games| games.div_ceil(2)).collect();
    if kept.lines().len() < 2 * pairs.iter().sum::<usize>() {
        play(plan, &pairs, &mut kept, monitor)?;
    }
    let lines = kept.lines();
    records::read_from(lines.join("\n").as_bytes(), Format::Text, &mut |game| {
        games.push(game);
        ControlFlow::Continue(())
    });
    if games.len() != lines.len() {
        return Err(LearnError::Games(format!(
            "{}: not all games can be read; without this file they are played again",
            path.display()
        )));
    }
    let ratings = pairs.iter().zip(&plan.knots).flat_map(|(&pairs, &rating)| repeat_n(rating, 2 * pairs));
    for (game, rating) in games.iter_mut().zip(ratings) {
        game.ratings = Some([rating; 2]);
    }
    monitor.say(format!("{}: {} games played on", path.display(), games.len()));
    Ok(games)
}

/// Where the games lie, beside what is learned. Another plan has another file.
fn path_for(plan: &Plan) -> PathBuf {
    let manners: Vec<Manner> = plan.knots.iter().map(|&rating| Manner::of(rating)).collect();
    let key = format!(
        "{:?} {:?} {:?} {manners:?} {}",
        names(&plan.positions),
        plan.played_on,
        plan.knots,
        plan.seed
    );
    plan.output.with_extension(format!("played-on-{:016x}.txt", fingerprint(&key)))
}

/// Plays the games that are missing, knot after knot.
fn play(plan: &Plan, pairs: &[usize], kept: &mut KeptGames, monitor: &Monitor) -> Result<(), LearnError> {
    let positions = positions(plan, pairs.iter().sum())?;
    let bar = monitor.bar(2 * positions.len() as u64);
    let mut before = 0;
    for (place, (&count, rating)) in pairs.iter().zip(&plan.knots).enumerate() {
        let player: Recipe = format!("uct,PlayRating={rating:.0}")
            .parse()
            .map_err(|error| LearnError::Games(format!("knots: {error}")))?;
        let players = [player.clone(), player];
        let openings = &positions[before..before + count];
        let game = Match { players: &players, openings, seed: plan.seed ^ ((place as u64) << 32) };
        let one = |pair| game.pair(pair - before, &|| monitor.stopped()).map(|pair| pair.games);
        for first in (0..count).step_by(CHUNK) {
            let last = (first + CHUNK).min(count);
            let found = kept.pairs(before + first..before + last, one);
            found.inspect_err(|_| bar.finish_and_clear())?;
            bar.set_position(2 * (before + last) as u64);
        }
        before += count;
    }
    bar.finish_and_clear();
    Ok(())
}

/// Positions of the middle game in which one side leads, of games that may be learned from.
fn positions(plan: &Plan, count: usize) -> Result<Vec<Walker>, LearnError> {
    let games = sample::games(&plan.positions)?;
    let wanted = Wanted { part: Some(Split::Train), ..Wanted::MIDDLE_GAME };
    let network = Network::embedded();
    let places = sample::draw(&games, wanted, usize::MAX, plan.seed);
    let walkers = places.iter().map(|place| place.walker(&games));
    let found: Vec<Walker> =
        walkers.filter(|walker| sample::is_open_lead(walker, &network)).take(count).collect();
    if found.len() < count {
        return Err(LearnError::NothingToLearn("positions: too few games to play so many on"));
    }
    Ok(found)
}
