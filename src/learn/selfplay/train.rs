//! The run: rule after rule, generation after generation. All that was found lies in folders, one a generation, and is not
//! worked out again.

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_pcg::Pcg64Mcg;
use std::fmt::Write as _;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::episodes::Rule;
use super::fit::Lessons;
use super::measure::{Gauge, OPPONENTS, SIDES, Strength};
use super::plan::Plan;
use crate::eval::{Network, weights};
use crate::experiment::matches::Match;
use crate::experiment::sample;
use crate::learn::kept_games::KeptGames;
use crate::learn::plot::{Chart, Curve, Whisker};
use crate::learn::records::{self, Game, batches::in_batches};
use crate::learn::{LearnError, Monitor};
use crate::policy::weights::{BALANCING_FILE, NUMBERS};
use crate::policy::{Look, Stages, Weights};
use crate::shogi::Walker;

/// Openings at the end of the list that nothing is learned from.
const MEASURED: usize = 500;

/// Pairs of games that are played before they are written down together.
const CHUNK: usize = 32;

/// The files of a generation.
const GAMES_FILE: &str = "games.txt";
const FIGURES_FILE: &str = "figures.tsv";
const PLAN_FILE: &str = "plan";

/// Learns from games against itself by a plan.
pub fn run(plan: &Plan, monitor: &Monitor) -> Result<(), LearnError> {
    match learn(plan, monitor) {
        Err(LearnError::Stopped) => {
            monitor.say("stopped; the same plan goes on from here".to_owned());
            Ok(())
        }
        done => done,
    }
}

fn learn(plan: &Plan, monitor: &Monitor) -> Result<(), LearnError> {
    let folder = plan.output.parent().unwrap_or(Path::new(""));
    std::fs::create_dir_all(folder).map_err(|error| LearnError::output(folder, error))?;
    let openings = sample::openings(None)?;
    let (learned, measured) = openings.split_at(openings.len() - MEASURED);
    let mut lines = Vec::new();
    for &rule in &plan.rules {
        let line = Line {
            plan,
            rule,
            start: beginning(plan)?,
            folder: folder.join(rule.name()),
            network: Network::embedded(),
            openings: learned,
            measured,
            monitor,
        };
        line.settle()?;
        lines.push((rule, line.generations()?));
    }
    draw(folder, &lines, monitor)?;
    // The best is who wins most by search against the transition policy.
    let of = |strength: &Strength| strength[1][1].map_or(0.0, |share| share.value);
    let all = lines.iter().flat_map(|(rule, strengths)| {
        strengths
            .iter()
            .enumerate()
            .skip(1)
            .map(move |(generation, strength)| (*rule, generation, of(strength)))
    });
    if let Some((rule, generation, share)) = all.max_by(|a, b| a.2.total_cmp(&b.2)) {
        let best = generation_folder(&folder.join(rule.name()), generation).join(BALANCING_FILE);
        let copied = std::fs::read(&best).and_then(|bytes| weights::write_file(&plan.output, &bytes));
        copied.map_err(|error| LearnError::output(&plan.output, error))?;
        monitor.say(format!(
            "best: {}, generation {generation}, {:.1} % against the transition policy; wrote {}",
            rule.name(),
            100.0 * share,
            plan.output.display()
        ));
    }
    Ok(())
}

/// The weights to begin with.
fn beginning(plan: &Plan) -> Result<Vec<f32>, LearnError> {
    match plan.start.weights()? {
        None => Ok(vec![0.0; NUMBERS]),
        Some(weights) if weights.stages() == Stages::Game => Ok(weights.numbers()),
        Some(_) => Err(LearnError::NothingToLearn("start: these weights are for the last plies of playouts")),
    }
}

fn generation_folder(folder: &Path, generation: usize) -> PathBuf {
    folder.join(format!("{generation:02}"))
}

/// The generations by one rule.
struct Line<'a> {
    plan: &'a Plan,
    rule: Rule,
    /// The weights to begin with.
    start: Vec<f32>,
    folder: PathBuf,
    network: Arc<Network>,
    openings: &'a [Walker],
    measured: &'a [Walker],
    monitor: &'a Monitor<'a>,
}

impl Line<'_> {
    /// Makes room: what another plan left there is moved aside.
    fn settle(&self) -> Result<(), LearnError> {
        let fail = |error| LearnError::output(&self.folder, error);
        // Other weights under the same name are another run.
        let start: Vec<u8> = self.start.iter().flat_map(|weight| weight.to_le_bytes()).collect();
        let mark = format!("{:016x}-{:08x}", self.plan.fingerprint(self.rule), crc32fast::hash(&start));
        let kept = self.folder.join(PLAN_FILE);
        if let Ok(found) = std::fs::read_to_string(&kept)
            && found != mark
        {
            let aside = self.folder.with_extension(format!("old-{found}"));
            std::fs::rename(&self.folder, &aside).map_err(fail)?;
            self.monitor.say(format!(
                "{} belongs to another plan: moved to {}",
                self.folder.display(),
                aside.display()
            ));
        }
        std::fs::create_dir_all(&self.folder).map_err(fail)?;
        std::fs::write(&kept, mark).map_err(fail)
    }

    /// Goes through the generations; how strong each is, the start first.
    fn generations(&self) -> Result<Vec<Strength>, LearnError> {
        let first = generation_folder(&self.folder, 1);
        let gauge = Gauge { plan: self.plan, openings: self.measured, first: &first };
        let mut table = format!("generation\tgames\tmoves\tgood\tloss\t{}\n", columns().join("\t"));
        let mut strengths = Vec::new();
        let mut add = |generation: usize, learned: &str, folder: &Path| -> Result<(), LearnError> {
            let strength = gauge.strength(folder, self.monitor)?;
            let figures = told(&strength);
            let _ = writeln!(table, "{generation}\t{learned}\t{}", figures.join("\t"));
            let path = self.folder.join(FIGURES_FILE);
            weights::write_file(&path, table.as_bytes()).map_err(|error| LearnError::output(&path, error))?;
            let learned = ["games", "moves", "good", "loss"].into_iter().zip(learned.split('\t'));
            let learned: Vec<String> = learned.map(|(name, figure)| format!("{name} {figure}")).collect();
            let shares: Vec<String> =
                columns().iter().zip(&figures).map(|(name, share)| format!("{name} {share}")).collect();
            let rule = self.rule.name();
            self.monitor.say(format!("{rule}, generation {generation}: {}", learned.join(", ")));
            self.monitor.say(format!("{rule}, generation {generation}: {}", shares.join(", ")));
            strengths.push(strength);
            Ok(())
        };
        let start = self.make_folder(0)?;
        let mut theta = self.write(&start, &self.start, "what it begins with")?;
        for generation in 1..=self.plan.generations {
            let folder = self.make_folder(generation)?;
            let learned = self.learn(generation, &folder, &mut theta)?;
            if generation == 1 {
                // Only now there is a first generation to measure the start by.
                add(0, "0\t0\t0\t-", &start)?;
            }
            add(generation, &learned, &folder)?;
        }
        Ok(strengths)
    }

    fn make_folder(&self, generation: usize) -> Result<PathBuf, LearnError> {
        let folder = generation_folder(&self.folder, generation);
        std::fs::create_dir_all(&folder).map_err(|error| LearnError::output(&folder, error))?;
        Ok(folder)
    }

    /// Plays, chooses and learns a generation, or reads what was learned before; says how many games and moves there were,
    /// how many of them good, and the mean surprise at these in the end.
    fn learn(&self, generation: usize, folder: &Path, theta: &mut Vec<f32>) -> Result<String, LearnError> {
        let figures = folder.join("learned.tsv");
        let path = folder.join(BALANCING_FILE);
        if let (Ok(bytes), Ok(told)) = (std::fs::read(&path), std::fs::read_to_string(&figures)) {
            let weights = Weights::read(&bytes).map_err(|error| LearnError::output(&path, error))?;
            *theta = weights.numbers();
            return Ok(told);
        }
        let (games, good) = self.episodes(generation, folder)?;
        let count = |flags: &[Vec<bool>]| flags.iter().flatten().filter(|&&good| good).count();
        let (moves, kept) = (games.iter().map(|game| game.moves.len()).sum::<usize>(), count(&good));
        if kept == 0 {
            return Err(LearnError::NothingToLearn("no game of this generation has a good episode"));
        }
        let lessons =
            Lessons { games: &games, good: &good, network: &self.network, seed: self.seed(generation) };
        let loss = lessons.fit(self.plan, theta, self.monitor)?;
        let learned = format!("{}\t{moves}\t{kept}\t{loss:.4}", games.len());
        *theta =
            self.write(folder, theta, &format!("games, moves, good, loss: {}", learned.replace('\t', ", ")))?;
        weights::write_file(&figures, learned.as_bytes())
            .map_err(|error| LearnError::output(&figures, error))?;
        Ok(learned)
    }

    /// Writes weights; what they are after rounding.
    fn write(&self, folder: &Path, theta: &[f32], how: &str) -> Result<Vec<f32>, LearnError> {
        let path = folder.join(BALANCING_FILE);
        let fail = |error| LearnError::output(&path, error);
        let weights = Weights::from_numbers(theta, Look::Glance, Stages::Game).map_err(fail)?;
        let provenance = format!(
            "policy from its own games, rule {}, start {}, player {}, temperature {}, passes {}, rate {}, seed {}; {how}",
            self.rule.name(),
            self.plan.start,
            self.plan.player,
            self.plan.temperature,
            self.plan.passes,
            self.plan.rate,
            self.plan.seed
        );
        let bytes = weights.to_file(&provenance).map_err(|error| fail(error.into()))?;
        weights::write_file(&path, &bytes).map_err(|error| fail(error.into()))?;
        Ok(weights.numbers())
    }

    fn seed(&self, generation: usize) -> u64 {
        (self.plan.seed ^ (generation as u64).wrapping_mul(0xd134_2543_de82_ef95))
            .wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }

    /// The games of a generation and which of their moves are good, no more of either than the plan says.
    fn episodes(&self, generation: usize, folder: &Path) -> Result<(Vec<Game>, Vec<Vec<bool>>), LearnError> {
        let judge = self.plan.judge(self.rule);
        let mut found = (Vec::new(), Vec::new());
        let mut left = if self.plan.moves == 0 { usize::MAX } else { self.plan.moves };
        let mut take = |game: Game| {
            let mut good = judge.good(&game);
            for flag in good.iter_mut().filter(|flag| **flag) {
                *flag = left > 0;
                left = left.saturating_sub(1);
            }
            found.0.push(game);
            found.1.push(good);
            left > 0
        };
        if generation == 1 && !self.plan.records.is_empty() {
            for path in &self.plan.records {
                let told = in_batches(path, self.monitor, |games| {
                    for game in games {
                        take(game.clone());
                    }
                })?;
                self.monitor.say(format!("{}: {told}", path.display()));
            }
            return Ok(found);
        }
        self.play(generation, folder, &mut take)?;
        Ok(found)
    }

    /// Plays the games of a generation, or goes on with them, while `take` wants more.
    fn play(
        &self,
        generation: usize,
        folder: &Path,
        take: &mut dyn FnMut(Game) -> bool,
    ) -> Result<(), LearnError> {
        let before = generation_folder(&self.folder, generation - 1);
        let player = self.plan.player("balancing", &before).map_err(LearnError::Games)?;
        let players = [player.clone(), player];
        let seed = self.seed(generation);
        let mut order: Vec<usize> = (0..self.openings.len()).collect();
        order.shuffle(&mut Pcg64Mcg::seed_from_u64(seed));
        let mut kept = KeptGames::open(folder.join(GAMES_FILE));
        let bar = self.monitor.bar(self.plan.games as u64);
        bar.set_message(format!("{} {generation}", self.rule.name()));
        let (mut begun, mut wanted) = (0, true);
        while wanted && begun < self.plan.games {
            let size = (2 * CHUNK).min(self.plan.games - begun);
            let one = |pair: usize| {
                let opening = self.openings[order[pair % order.len()]].fork();
                // Beyond the openings the same ones are played with other random numbers.
                let game = Match { players: &players, openings: &[opening], seed: seed ^ pair as u64 };
                game.pair(0, &|| self.monitor.stopped()).map(|pair| pair.games)
            };
            let found = kept.pairs(begun / 2..(begun + size).div_ceil(2), one);
            let chunk = found.inspect_err(|_| bar.finish_and_clear())?[..size].join("\n");
            records::read_from(chunk.as_bytes(), records::Format::Text, &mut |game| {
                wanted &= take(game);
                ControlFlow::Continue(())
            });
            begun += size;
            bar.set_position(begun as u64);
        }
        bar.finish_and_clear();
        Ok(())
    }
}

/// The names of the figures.
fn columns() -> Vec<String> {
    SIDES.iter().flat_map(|side| OPPONENTS.map(|opponent| format!("{side} against {opponent}"))).collect()
}

/// The figures, in per cent.
fn told(strength: &Strength) -> Vec<String> {
    let tell = |share: &Option<crate::experiment::statistics::Estimate>| {
        share.map_or_else(
            || "-".to_owned(),
            |share| {
                let share = share.map(|share| 100.0 * share);
                format!("{:.1} ({:.1} to {:.1})", share.value, share.low, share.high)
            },
        )
    };
    strength.iter().flatten().map(tell).collect()
}

/// A name, the points of its curve and their intervals.
type Points = (&'static str, Vec<(f64, f64)>, Vec<Whisker>);

/// Draws the curves of all rules, a plot for each kind of player and opponent.
fn draw(folder: &Path, lines: &[(Rule, Vec<Strength>)], monitor: &Monitor) -> Result<(), LearnError> {
    for (side, what) in SIDES.into_iter().enumerate() {
        for (place, opponent) in OPPONENTS.into_iter().enumerate() {
            let drawn: Vec<Points> = lines
                .iter()
                .map(|(rule, strengths)| {
                    let shares = strengths.iter().enumerate().filter_map(|(generation, strength)| {
                        Some((generation as f64, strength[side][place]?.map(|share| 100.0 * share)))
                    });
                    let shares: Vec<_> = shares.collect();
                    let points = shares.iter().map(|(x, share)| (*x, share.value)).collect();
                    let whiskers = shares.iter().map(|(x, share)| (*x, share.low, share.high)).collect();
                    (rule.name(), points, whiskers)
                })
                .collect();
            if drawn.iter().all(|(_, points, _)| points.is_empty()) {
                continue;
            }
            let curves: Vec<Curve> = drawn.iter().map(|(name, points, _)| Curve { name, points }).collect();
            let path = folder.join(format!("{what}-{}.svg", opponent.replace(' ', "-")));
            Chart {
                title: &format!("Learning from its own games: {what} against {opponent}"),
                axes: ["generation", "% of the points"],
                curves: curves
                    .iter()
                    .zip(&drawn)
                    .map(|(curve, (.., whiskers))| (curve, &whiskers[..]))
                    .collect(),
                decades: false,
                from_zero: true,
            }
            .draw(&path)?;
            monitor.say(format!("wrote {}", path.display()));
        }
    }
    Ok(())
}
