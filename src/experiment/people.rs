//! Players of a rating: how strong they are, and whether positions end between them as foretold.

use std::collections::HashSet;
use std::sync::Arc;

use super::balance::thousands;
use super::matches::{Match, Score};
use super::player::Recipe;
use super::report::{Report, Row, Unit};
use super::sample::{self, Place, Wanted};
use super::statistics::{Estimate, elo, mean};
use super::{ExperimentError, Setting};
use crate::eval::Network;
use crate::human::{Human, Lead, Outlook};
use crate::learn::checkpoint::fingerprint;
use crate::learn::records::{Game, Split};
use crate::playout::reward;
use crate::search::Score as Value;
use crate::shogi::{Color, Walker};

/// The settings of `PlayRating` that are measured.
const LABELS: [u16; 10] = [1100, 1290, 1480, 1670, 1850, 2040, 2230, 2420, 2610, 2800];

fn player(rating: u16) -> Result<Recipe, ExperimentError> {
    let text = format!("uct,PlayRating={rating}");
    text.parse().map_err(|error| ExperimentError::Input(format!("{text}: {error}")))
}

/// The strength of players of a rating beside what they are called.
pub fn ladder(setting: &Setting) -> Result<Report, ExperimentError> {
    let openings = sample::openings(None)?;
    let games = setting.pick(2, 20, 100);
    let labels: &[u16] = setting.pick(&LABELS[..2], &LABELS, &LABELS);
    let mut scores: Vec<Score> = Vec::new();
    for pair in labels.windows(2) {
        setting.monitor.say(format!("ladder: {} against {}", pair[1], pair[0]));
        let players = [player(pair[1])?, player(pair[0])?];
        scores.push(setting.play(&format!("ladder-{}", pair[1]), &players, &openings, games, &|_| {})?);
    }
    // Neighbours alone play each other, so the likeliest ratings are sums of their differences.
    let mut fitted = vec![0.0];
    for score in &scores {
        let points = score.rate() * f64::from(score.games());
        // Half a game either way: no finite difference explains a match that was won altogether.
        let step = elo((points + 0.5) / (f64::from(score.games()) + 1.0));
        fitted.push(fitted[fitted.len() - 1] + step);
    }
    let count = labels.len() as f64;
    let shift = (labels.iter().copied().map(f64::from).sum::<f64>() - fitted.iter().sum::<f64>()) / count;
    for rating in &mut fitted {
        *rating += shift;
    }
    let far = labels.iter().zip(&fitted).map(|(&label, fitted)| (fitted - f64::from(label)).abs());
    let farthest = far.fold(0.0, f64::max);
    let rows = scores.iter().enumerate().map(|(place, score)| {
        let [lower, upper] = [labels[place], labels[place + 1]];
        let expected = 1.0 / (1.0 + 10.0_f64.powf(-f64::from(upper - lower) / 400.0));
        let on = format!(
            "{} games; to be expected {:.1} %; fitted ratings {:.0} and {:.0}",
            score.games(),
            100.0 * expected,
            fitted[place + 1],
            fitted[place]
        );
        Row::new(format!("{upper} against {lower}"), None, Some(score.estimate()), on)
    });
    let rising = scores.iter().all(|score| score.rate() > 0.5);
    let surely = scores.iter().filter(|score| score.estimate().low > 0.5).count();
    Ok(Report {
        method: "Players of neighbouring `PlayRating` against each other, openings of 24 plies. The fitted ratings are on a scale on which \
                 their mean is that of the labels."
            .to_owned(),
        unit: Unit::Percent,
        rows: rows.collect(),
        plots: Vec::new(),
        verdict: format!(
            "The higher rating {} in every match, in {surely} of {} surely; the fitted rating farthest from its label is {farthest:.0} \
             points away.",
            if rising { "wins" } else { "does not win" },
            scores.len()
        ),
        differs: String::new(),
    })
}

/// Positions are played on between players of these ratings.
const RATINGS: [u16; 3] = [1200, 1500, 1800];

/// A position and what is foretold about it.
struct Forecast {
    /// For Black, by the engine's own search.
    own: f64,
    /// The number of its game.
    game: usize,
    walker: Walker,
    /// For Black, at each rating.
    rates: Vec<f64>,
}

impl Forecast {
    fn spread(&self) -> f64 {
        let most = self.rates.iter().copied().fold(0.0, f64::max);
        most - self.rates.iter().copied().fold(1.0, f64::min)
    }
}

/// The first of them, no two of the same game or of one that was taken already: positions of a game are much alike.
fn of_other_games<'a>(
    forecasts: impl Iterator<Item = &'a Forecast>,
    count: usize,
    taken: &mut HashSet<usize>,
) -> Vec<&'a Forecast> {
    forecasts.filter(|forecast| taken.insert(forecast.game)).take(count).collect()
}

/// The win rate for Black of what is worth so much to the side to move.
fn for_black(walker: &Walker, rate: f64) -> f64 {
    if walker.turn() == Color::Black { rate } else { 1.0 - rate }
}

/// Positions of the middle game. Who wins was also learned from positions of games that may be learned from.
fn drawn(setting: &Setting, games: &[Game]) -> Vec<Place> {
    let wanted = Wanted { part: Some(Split::Test), ..Wanted::MIDDLE_GAME };
    sample::draw(games, wanted, setting.pick(50, 2000, 4000), setting.seed_for(12))
}

/// What is foretold, by a search and by rating, about those of them that are quiet and neither won nor even: there the rating cannot
/// matter.
fn forecasts(
    setting: &Setting,
    human: &Human,
    network: &Arc<Network>,
    games: &[Game],
    places: &[Place],
) -> Result<Vec<Forecast>, ExperimentError> {
    let quiet: Vec<(usize, Walker)> = places
        .iter()
        .map(|place| (place.game, place.walker(games)))
        .filter(|(_, walker)| sample::is_quiet(walker, network))
        .collect();
    setting.monitor.say(format!("play-on: {} positions are searched", quiet.len()));
    let engine: Recipe =
        "uct,playouts=1000".parse().map_err(|error| ExperimentError::Input(format!("{error}")))?;
    let keys: Vec<String> = quiet.iter().map(|(_, walker)| format!("{walker:?}")).collect();
    let key = format!("{:016x} {engine:?}", fingerprint(&keys.join(" ")));
    let said = setting.collect("play-on-searched", &key, quiet.len(), |number| {
        let score = engine.make(setting.seed_for(number as u64)).choose(&quiet[number].1).1?;
        let rate = match score {
            Value::Cp(cp) => f64::midpoint(1.0, f64::from(reward::of_cp(cp))),
            Value::Mates(_) => 1.0,
            Value::Mated(_) => 0.0,
        };
        Some(vec![rate, f64::from(score.logit())])
    })?;
    let of = |((game, walker), said): ((usize, Walker), Vec<f64>)| {
        let &[own, searched] = said.as_slice() else { return None };
        let searched = Some(searched as f32);
        let outlook = Outlook::of(human, network, walker.position(), RATINGS[1], searched);
        if !(0.08..0.92).contains(&outlook.own.1) || outlook.lead == Lead::None {
            return None;
        }
        let at = |rating: &u16| human.win_rate(network, walker.position(), f32::from(*rating), searched);
        let rates = RATINGS.iter().map(|rating| for_black(&walker, f64::from(at(rating)))).collect();
        Some(Forecast { own: for_black(&walker, own), game, walker, rates })
    };
    Ok(quiet.into_iter().zip(said).filter_map(of).collect())
}

/// Games played on between players of a rating beside what was foretold.
pub fn play_on(setting: &Setting) -> Result<Report, ExperimentError> {
    let human = Human::embedded()
        .ok_or_else(|| ExperimentError::Input("what people play is not known".to_owned()))?;
    let network = Network::embedded();
    let games = setting.games()?;
    let places = drawn(setting, games);
    let mut forecasts = forecasts(setting, &human, &network, games, &places)?;
    forecasts.sort_by(|a, b| b.spread().total_cmp(&a.spread()));
    let each = setting.pick(1, 4, 20);
    let mut taken = HashSet::new();
    let most = of_other_games(forecasts.iter(), each, &mut taken);
    let least = of_other_games(forecasts.iter().rev(), each, &mut taken);
    if most.is_empty() || least.is_empty() {
        let text = "play-on: too few of the games are kept apart for tests to take positions from";
        return Err(ExperimentError::Input(text.to_owned()));
    }
    let pairs = setting.pick(1, 10, 50);
    let mut rows = Vec::new();
    let mut errors: [Vec<f64>; 2] = [Vec::new(), Vec::new()];
    for (group, what) in [(&most, "matters most"), (&least, "matters least")] {
        // What was kept of other positions says nothing about these.
        let key_of = |forecast: &&Forecast| forecast.walker.position().key().low_u64();
        let mark = group.iter().map(key_of).fold(0_u64, |mark, key| mark.rotate_left(7) ^ key);
        for (place, &rating) in RATINGS.iter().enumerate() {
            setting.monitor.say(format!("play-on: where the rating {what}, {rating}"));
            let recipe = player(rating)?;
            let players = [recipe.clone(), recipe];
            let name = format!("play-on-{}-{rating}", what.replace(' ', "-"));
            let key = format!("{mark:016x} {pairs} {players:?}");
            let found = setting.collect(&name, &key, group.len() * pairs, |number| {
                let openings = std::slice::from_ref(&group[number / pairs].walker);
                let game = Match { players: &players, openings, seed: setting.seed_for(number as u64) };
                let points = game.pair(0, &|| setting.monitor.stopped())?.points;
                // In the second game the first player has White.
                Some(vec![f64::midpoint(points[0], 1.0 - points[1])])
            })?;
            let mut here: [Vec<f64>; 2] = [Vec::new(), Vec::new()];
            for (number, games) in found.chunks(pairs).enumerate() {
                let won = games.iter().map(|game| game[0]).sum::<f64>() / games.len() as f64;
                here[0].push((group[number].rates[place] - won).abs());
                here[1].push((group[number].own - won).abs());
            }
            let on = format!(
                "{} positions, {} games each; the engine's own win rate {:.3}",
                group.len(),
                2 * pairs,
                mean(&here[1]).value
            );
            rows.push(Row::new(
                format!("error at {rating} where the rating {what}"),
                None,
                Some(mean(&here[0])),
                on,
            ));
            errors.iter_mut().zip(here).for_each(|(all, here)| all.extend(here));
        }
    }
    let [foretold, engine] = errors.each_ref().map(|errors| mean(errors));
    let on = format!(
        "{} games; the engine's own win rate {}",
        thousands(2 * pairs * errors[0].len()),
        written(engine)
    );
    rows.push(Row::new("mean absolute error", None, Some(foretold), on));
    Ok(Report {
        method: format!(
            "{each} quiet positions in which win rates differ most between {} and {}, and {each} in which they differ least, of {} drawn from \
             games, no two of the same game; a side leads in all. They are played on between two players of the same `PlayRating`. Win rates \
             are foretold after a search of 1,000 playouts; the error is how far the share of the points is from the one that was foretold for \
             the rating, on the average, and the engine's own win rate is that of the same search.",
            RATINGS[0],
            RATINGS[2],
            thousands(places.len())
        ),
        unit: Unit::Plain(3),
        rows,
        plots: Vec::new(),
        verdict: format!(
            "The win rate by rating is {:.3} away from what happened, the engine's own {:.3}.",
            foretold.value, engine.value
        ),
        differs: "In the paper a program that looks one ply ahead played two positions on, 100 games each, and came near to what was foretold."
            .to_owned(),
    })
}

fn written(estimate: Estimate) -> String {
    format!("{:.3} ({:.3} to {:.3})", estimate.value, estimate.low, estimate.high)
}
