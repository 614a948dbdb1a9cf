//! Three slot machines: how coins are shared out, by the formulas of the tree.

use rand::{RngExt, SeedableRng};
use rand_distr::{Distribution, Normal};
use rand_pcg::Pcg64Mcg;

use super::balance::thousands;
use super::report::{Report, Row, Unit};
use super::statistics::mean;
use super::{ExperimentError, Setting};
use crate::learn::plot::{Chart, Curve};
use crate::search::Params;
use crate::search::formulas::{Candidate, Formulas};

/// The mean reward of each machine; the variance is 1.
const MEANS: [f64; 3] = [0.0, 0.5, -0.5];

/// The machine that pays best.
const BEST: usize = 1;

/// Coins after which is counted.
const COINS: [u32; 9] = [10, 20, 50, 100, 200, 500, 1000, 3000, 10_000];

/// How the next machine is chosen.
enum Way {
    /// One after the other.
    Even,
    /// The best so far, but with this probability one of the others.
    Greedy(f64),
    /// The highest bound.
    Bound(Formulas),
}

/// What is known of a machine.
#[derive(Clone, Copy, Default)]
struct Machine {
    coins: f64,
    sum: f64,
    squares: f64,
}

impl Machine {
    fn mean(&self) -> f64 {
        self.sum / self.coins
    }

    fn variance(&self) -> f64 {
        (self.squares / self.coins - self.mean().powi(2)).max(0.0)
    }
}

impl Way {
    fn choose(&self, machines: &[Machine; 3], coin: u32, random: &mut Pcg64Mcg) -> usize {
        // One coin for each in the beginning.
        if (coin as usize) < machines.len() {
            return coin as usize;
        }
        let highest = |value: &dyn Fn(&Machine) -> f64| {
            let better = |a: &usize, b: &usize| value(&machines[*a]).total_cmp(&value(&machines[*b]));
            (0..machines.len()).max_by(better).unwrap_or(0)
        };
        match self {
            Self::Even => coin as usize % machines.len(),
            Self::Greedy(other) => {
                let best = highest(&Machine::mean);
                if random.random::<f64>() >= *other {
                    return best;
                }
                (best + random.random_range(1..machines.len())) % machines.len()
            }
            Self::Bound(formulas) => {
                let ground = formulas.ground(coin as f32, false);
                highest(&|machine| {
                    let (visits, mean) = (machine.coins as f32, machine.mean() as f32);
                    let variance = machine.variance() as f32;
                    f64::from(formulas.bound(ground, Candidate { visits, mean, prior: 0.0, variance }))
                })
            }
        }
    }

    /// After each of [`COINS`]: the mean reward of a coin, and the share of coins in the best machine.
    fn run(&self, seed: u64) -> Vec<f64> {
        let mut random = Pcg64Mcg::seed_from_u64(seed);
        let noise = Normal::new(0.0, 1.0).expect("a variance of 1 is one");
        let mut machines = [Machine::default(); 3];
        let mut told = Vec::new();
        for coin in 0..COINS[COINS.len() - 1] {
            let place = self.choose(&machines, coin, &mut random);
            let reward = MEANS[place] + noise.sample(&mut random);
            let machine = &mut machines[place];
            machine.coins += 1.0;
            machine.sum += reward;
            machine.squares += reward * reward;
            if COINS.contains(&(coin + 1)) {
                let coins = f64::from(coin + 1);
                let sum: f64 = machines.iter().map(|machine| machine.sum).sum();
                told.extend([sum / coins, machines[BEST].coins / coins]);
            }
        }
        told
    }
}

fn bound(form: &str, c: u32) -> Way {
    let changes = [("Selection", form), ("Prior_Visits", "0"), ("Ucb_Alpha", &(100 * c).to_string())];
    Way::Bound(Formulas::new(
        &changes.into_iter().fold(Params::default(), |params, (name, value)| params.with(name, value)),
    ))
}

/// The comparison.
pub fn bandits(setting: &Setting) -> Result<Report, ExperimentError> {
    let ways = [
        ("even", Way::Even),
        ("ε-greedy, ε = 0.2", Way::Greedy(0.2)),
        ("UCB1, C = 2", bound("ucb", 2)),
        ("UCB1-Tuned, C = 2", bound("ucb-tuned", 2)),
        ("ε-greedy, ε = 0", Way::Greedy(0.0)),
        ("ε-greedy, ε = 0.1", Way::Greedy(0.1)),
    ];
    let runs = setting.pick(4, 1000, 10_000);
    let width = 2 * COINS.len();
    let found = setting.collect("bandits", "", runs, |number| {
        let of = |(place, (_, way)): (usize, &(&str, Way))| {
            way.run(setting.seed_for(((number as u64) << 8) + place as u64))
        };
        Some(ways.iter().enumerate().flat_map(of).collect())
    })?;
    let column = |way: usize, coin: usize, what: usize| {
        let place = way * width + 2 * coin + what;
        mean(&found.iter().map(|numbers| numbers[place]).collect::<Vec<f64>>())
    };
    let last = COINS.len() - 1;
    let mut rows = Vec::new();
    for (what, text) in ["mean reward of a coin", "share of coins in the best machine"].iter().enumerate() {
        for coin in [3, last] {
            for (way, (name, _)) in ways.iter().enumerate() {
                let what_told = format!("{text}, {} coins, {name}", thousands(COINS[coin] as usize));
                let on = format!("{} runs", thousands(runs));
                rows.push(Row::new(what_told, None, Some(column(way, coin, what)), on));
            }
        }
    }
    let mut plots = Vec::new();
    for (file, title, axis, what, shown) in [
        (
            "bandits-reward.svg",
            "Three slot machines: what a coin earns",
            "mean reward of a coin",
            0,
            [0, 1, 2, 3],
        ),
        (
            "bandits-share.svg",
            "Three slot machines: coins in the best one",
            "coins in the best one in %",
            1,
            [0, 1, 2, 3],
        ),
        ("bandits-greedy.svg", "ε-greedy: what a coin earns", "mean reward of a coin", 0, [4, 5, 1, 2]),
    ] {
        let scale = if what == 1 { 100.0 } else { 1.0 };
        let of_way = |way: usize| -> Vec<(f64, f64)> {
            let along = COINS.iter().map(|&coins| f64::from(coins).log10());
            along.zip((0..COINS.len()).map(|coin| scale * column(way, coin, what).value)).collect()
        };
        let points = shown.map(of_way);
        let curves: Vec<Curve> =
            shown.iter().zip(&points).map(|(&way, points)| Curve { name: ways[way].0, points }).collect();
        let curves = curves.iter().map(|curve| (curve, &[][..])).collect();
        let chart = Chart { title, axes: ["coins", axis], curves, decades: true, from_zero: what == 1 };
        chart.draw(&setting.out.join("plots").join(file))?;
        plots.push((file.to_owned(), title.to_owned()));
    }
    let reward = |way: usize| column(way, last, 0);
    let verdict = if reward(2).is_above(&reward(0)) && reward(2).is_above(&reward(1)) {
        format!(
            "As in the document UCB1 earns most of the three in the end, and {:.1} % of its coins go into the best machine.",
            100.0 * column(2, last, 1).value
        )
    } else {
        "Not as in the document: UCB1 does not surely earn most of the three in the end.".to_owned()
    };
    Ok(Report {
        method: "Three machines that pay 0, 0.5 and −0.5 on the average with variance 1; the bounds are those of the engine's tree."
            .to_owned(),
        unit: Unit::Plain(3),
        rows,
        plots,
        verdict,
        differs: "The document shows single runs in figures, without numbers; UCB1-Tuned is ours.".to_owned(),
    })
}
