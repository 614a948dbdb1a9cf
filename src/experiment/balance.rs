//! Whether the mean of playouts is right: its error, how it falls while learning, and what the weights look like.

use std::path::PathBuf;
use std::sync::Arc;

use super::report::{NO_BALANCING, Report, Row, Unit};
use super::sample::{self, Wanted};
use super::statistics::{Estimate, mean};
use super::{ExperimentError, Setting};
use crate::eval::{Network, weights};
use crate::learn::balancing::assess::{Kind, Subject};
use crate::learn::balancing::plan::{Plan, Settings};
use crate::learn::balancing::{positions, train};
use crate::learn::checkpoint::fingerprint;
use crate::learn::plot::{Chart, Curve};
use crate::learn::records::{Game, Split};
use crate::policy::weights::{BALANCING_FILE, SHAPE};
use crate::policy::{Moment, Weights};

/// Plies at the beginning of games from which no positions are drawn.
pub const OPENING: usize = 30;

/// Moves that playouts choose among.
pub const CANDIDATES: usize = 16;

const KINDS: [Kind; 3] = Kind::ALL;

/// Where the embedded weights differ from the paper's.
const LEARNED_FOR_PLAY: &str = "The embedded balancing weights were learned from recorded scores for the reward of Tenbin's own search, half of \
                                which is the quiet value of the leaf, and begin with the transition policy twice as sharp; \
                                weights/balancing-paper.bin was learned as in the paper.";

/// The mean squared error of the mean reward of playouts, against a tree search.
pub fn error(setting: &Setting) -> Result<Report, ExperimentError> {
    let test: Vec<Arc<Game>> =
        setting.games()?.iter().filter(|game| game.split() == Split::Test).cloned().map(Arc::new).collect();
    let count = setting.pick(2, 80, 5000);
    let playouts: u32 = setting.pick(20, 1000, 1000);
    let search = setting.pick(30, 3000, 3000);
    let drawn = positions::draw(&test, count, OPENING, false, setting.seed_for(1));
    let balancing = setting.balancing();
    let settings = Settings { teacher_playouts: search, ..Settings::default() };
    let stand_in = balancing.clone().unwrap_or_else(Weights::zero);
    let kinds = if balancing.is_some() { &KINDS[..] } else { &KINDS[..2] };
    let found = setting.collect("mse", &format!("{settings:?} {playouts}"), drawn.len(), |number| {
        let subject = Subject {
            positions: &drawn[number..=number],
            settings: &settings,
            balancing: &stand_in,
            seed: setting.seed_for(2 + number as u64),
        };
        let means = kinds.iter().map(|&kind| subject.means(kind, playouts)[0]);
        let taught = kinds.iter().map(|&kind| subject.taught(kind)[0]);
        Some(means.chain(taught).map(f64::from).collect())
    })?;
    // Means by kind first, then what the searches say.
    let error = |kind: Kind, teacher: Kind| {
        let there = |kind: Kind| kinds.iter().position(|&other| other == kind);
        let (own, other) = (there(kind)?, there(teacher)? + kinds.len());
        let squares: Vec<f64> = found.iter().map(|numbers| (numbers[own] - numbers[other]).powi(2)).collect();
        Some(mean(&squares))
    };
    let rows: Vec<Row> = [
        (Kind::Uniform, Kind::Balancing, 0.0603),
        (Kind::Transition, Kind::Balancing, 0.0632),
        (Kind::Balancing, Kind::Balancing, 0.0227),
        (Kind::Uniform, Kind::Uniform, 0.0523),
        (Kind::Transition, Kind::Transition, 0.0525),
    ]
    .into_iter()
    .map(|(kind, teacher, paper)| {
        let what = format!("{} playouts against UCT with {} playouts", kind.name(), teacher.name());
        let ours = error(kind, teacher);
        let count =
            ours.map_or_else(|| NO_BALANCING.to_owned(), |_| format!("{} positions", thousands(drawn.len())));
        Row::new(what, Some(paper), ours, count)
    })
    .collect();
    let verdict = match (rows[0].ours, rows[1].ours, rows[2].ours) {
        (Some(uniform), Some(transition), Some(balanced)) => {
            if uniform.is_above(&balanced) && transition.is_above(&balanced) {
                "As in the paper, the mean of balanced playouts is much nearer to the search than that of the others."
            } else {
                "Not as in the paper: balanced playouts are not surely nearer to the search than both others."
            }
        }
        _ => {
            "Without balancing weights only the two other policies could be compared, each with a search of its own."
        }
    };
    Ok(Report {
        method: format!(
            "Positions of games that nothing was learned from, none of the first {OPENING} plies. The mean reward of {playouts} \
             playouts (depth 5, rewards by threshold, no mate check) against the mean of a UCT of {search} playouts."
        ),
        unit: Unit::Plain(4),
        rows,
        plots: Vec::new(),
        verdict: verdict.to_owned(),
        differs: format!(
            "Other evaluation and features; the threshold of the paper is not known, ours is 100 centipawns. Much of our error is a \
             bias: after five plies it is the other side that may choose a capture. {LEARNED_FOR_PLAY}"
        ),
    })
}

/// How many, as people write it.
pub fn thousands(count: usize) -> String {
    let text = count.to_string();
    let head = text.len() % 3;
    let mut out = text[..head].to_owned();
    for start in (head..text.len()).step_by(3) {
        if !out.is_empty() {
            out.push(',');
        }
        out.push_str(&text[start..start + 3]);
    }
    out
}

/// What was learned within an experiment: the folder of the weights, and the error before each pass and at the end.
pub struct Learned {
    /// The folder.
    pub folder: PathBuf,
    /// The errors.
    pub errors: Vec<f64>,
    /// How, for people.
    pub method: String,
}

/// Learns a balancing policy as the paper does, over so many candidates; what was learned before is used again.
pub fn learn(setting: &Setting, candidates: usize) -> Result<Learned, ExperimentError> {
    let [positions, validation, passes, value, gradient, teacher] = match setting.size {
        super::Size::Tiny => [4, 2, 1, 20, 20, 20],
        super::Size::Quick => [150, 40, 3, 150, 150, 500],
        super::Size::Full => [3000, 500, 4, 650, 500, 3000],
    };
    let method = format!(
        "{positions} positions, {passes} passes, M {value}, N {gradient}, a teacher of {teacher} playouts, {candidates} candidates"
    );
    let key = format!("{method} seed {} {}", setting.seed, setting.marks()?);
    let folder = setting.state().join(format!("learned-{:016x}", fingerprint(&key)));
    std::fs::create_dir_all(&folder).map_err(|error| ExperimentError::file(&folder, error))?;
    let output = folder.join(BALANCING_FILE);
    let records = if setting.records.is_empty() {
        vec![sample::write_games(&folder)?]
    } else {
        setting.records.clone()
    };
    let text = format!(
        "records = []\noutput = \"\"\npositions = {positions}\nvalidation = {validation}\npasses = {passes}\n\
         value_playouts = {value}\ngradient_playouts = {gradient}\nteacher_playouts = {teacher}\n\
         candidates = {candidates}\nseed = {}\n",
        setting.seed
    );
    let plan: Plan = toml::from_str(&text).map_err(|error| ExperimentError::Input(error.to_string()))?;
    let plan = Plan { records, output: output.clone(), ..plan };
    if read_errors(&output).is_none_or(|errors| errors.len() != passes + 1) {
        train::run(&plan, setting.monitor)?;
        if setting.monitor.stopped() {
            return Err(ExperimentError::Stopped);
        }
    }
    let errors = read_errors(&output).unwrap_or_default();
    Ok(Learned { folder, errors, method })
}

/// The errors by pass that a file of weights tells of itself.
fn read_errors(path: &std::path::Path) -> Option<Vec<f64>> {
    let bytes = std::fs::read(path).ok()?;
    let told = weights::decode(&bytes, SHAPE).ok()?.provenance.to_owned();
    let list = told.split_once("error by pass [")?.1.split_once(']')?.0.to_owned();
    list.split(", ").map(|word| word.parse().ok()).collect()
}

/// The error by pass.
pub fn learning(setting: &Setting) -> Result<Report, ExperimentError> {
    let Learned { errors, method, .. } = learn(setting, CANDIDATES)?;
    let rows = errors
        .iter()
        .enumerate()
        .map(|(pass, &error)| {
            let what = if pass == 0 { "before learning".to_owned() } else { format!("after pass {pass}") };
            let paper = (pass == 4).then_some(0.0227);
            Row::new(what, paper, Some(Estimate { value: error, low: error, high: error }), method.clone())
        })
        .collect();
    let points: Vec<(f64, f64)> =
        errors.iter().enumerate().map(|(pass, &error)| (pass as f64, error)).collect();
    let curve = Curve { name: "validation", points: &points };
    let file = "learning.svg";
    Chart {
        title: "Mean squared error by passes over the positions",
        axes: ["passes", "mean squared error"],
        curves: vec![(&curve, &[])],
        decades: false,
        from_zero: true,
    }
    .draw(&setting.out.join("plots").join(file))?;
    let fell = errors.first() > errors.last();
    Ok(Report {
        method: format!(
            "A policy is learned anew from zero: {method}. Error on positions of the validation games."
        ),
        unit: Unit::Plain(4),
        rows,
        plots: vec![(file.to_owned(), "Error by pass".to_owned())],
        verdict: if fell {
            "As in the paper the error falls while learning.".to_owned()
        } else {
            "The error did not fall: too few positions and playouts for that, or the learning does not work."
                .to_owned()
        },
        differs: "The paper goes through 3,000 positions four times; fewer at the quick size.".to_owned(),
    })
}

/// The share of weights that the histogram leaves out at either end.
const LEFT_OUT: f64 = 0.01;

/// What weights look like.
pub fn histogram(setting: &Setting) -> Result<Report, ExperimentError> {
    let (mut rows, mut plots) = (Vec::new(), Vec::new());
    let mut verdict = String::new();
    let kinds = [
        ("balancing", setting.balancing(), [Some(1.79), Some(-0.30)]),
        (
            "transition",
            Some(Weights::playout_of(&setting.weights).0.unwrap_or_else(Weights::embedded_playout)),
            [None, None],
        ),
    ];
    for (name, weights, [highest, lowest]) in kinds {
        let Some(weights) = weights else {
            for (what, paper) in [("highest", highest), ("lowest", lowest)] {
                rows.push(Row::new(format!("{what} weight of {name}"), paper, None, NO_BALANCING));
            }
            verdict.push_str("Without balancing weights only the transition policy is shown. ");
            continue;
        };
        let mut used: Vec<f32> = weights.numbers().into_iter().filter(|x| *x != 0.0).collect();
        used.sort_unstable_by(f32::total_cmp);
        let exactly = |x: f64| Some(Estimate { value: x, low: x, high: x });
        let count = format!("{} weights that are not 0", thousands(used.len()));
        let ends = [used.last(), used.first()].map(|end| end.copied().map_or(0.0, f64::from));
        rows.push(Row::new(format!("highest weight of {name}"), highest, exactly(ends[0]), count.clone()));
        rows.push(Row::new(format!("lowest weight of {name}"), lowest, exactly(ends[1]), count.clone()));
        let near = used.iter().filter(|x| x.abs() < 0.1).count() as f64 / used.len().max(1) as f64;
        rows.push(Row::new(
            format!("share of them below 0.1 either way, {name}"),
            None,
            exactly(near),
            count,
        ));
        let cut = (LEFT_OUT * used.len() as f64) as usize;
        let file = format!("histogram-{name}.svg");
        let title = format!("Weights of the {name} policy, without 1 % at either end");
        let path = setting.out.join("plots").join(&file);
        if !used.is_empty() {
            draw_histogram(&path, &title, &used[cut..used.len() - cut])?;
            plots.push((file, format!("Weights of the {name} policy")));
        }
        if name == "balancing" {
            verdict.push_str(if near > 0.5 {
                "As in the paper most weights lie near 0. "
            } else {
                "Not as in the paper: most weights do not lie near 0. "
            });
        }
    }
    Ok(Report {
        method: "All weights of the policies of playouts; those that are 0 hardly ever occur in games and are left out."
            .to_owned(),
        unit: Unit::Plain(2),
        rows,
        plots,
        verdict: verdict.trim_end().to_owned(),
        differs: format!("Other features (Gekisashi's are not public). {LEARNED_FOR_PLAY}"),
    })
}

/// Classes of a histogram, about.
const CLASSES: f64 = 40.0;

/// Draws how many of some numbers, in ascending order, have which size.
fn draw_histogram(path: &std::path::Path, title: &str, numbers: &[f32]) -> Result<(), ExperimentError> {
    // Weights are whole numbers of a unit, and so are the classes, or some of these would be empty by chance.
    let unit = numbers.iter().map(|x| f64::from(x.abs())).fold(f64::INFINITY, f64::min);
    let (Some(&first), Some(&last)) = (numbers.first(), numbers.last()) else { return Ok(()) };
    let width = unit * (f64::from(last - first) / unit / CLASSES).ceil().max(1.0);
    let class = |x: f32| (f64::from(x) / width).round() as i32;
    let mut counts = vec![0_u32; (class(last) - class(first) + 1) as usize];
    for &number in numbers {
        counts[(class(number) - class(first)) as usize] += 1;
    }
    let share = |count: u32| 100.0 * f64::from(count) / numbers.len() as f64;
    let steps = counts.iter().enumerate().flat_map(|(place, &count)| {
        let middle = f64::from(class(first) + place as i32);
        [(middle - 0.5) * width, (middle + 0.5) * width].map(|edge| (edge, share(count)))
    });
    let points: Vec<(f64, f64)> = steps.collect();
    let curve = Curve { name: "weights", points: &points };
    let axis = format!("weights in %, by classes of {width:.3}");
    let axes = ["weight", axis.as_str()];
    let chart = Chart { title, axes, curves: vec![(&curve, &[])], decades: false, from_zero: true };
    Ok(chart.draw(path)?)
}

/// B(s) by policy.
pub fn unevenness(setting: &Setting) -> Result<Report, ExperimentError> {
    let games = setting.games()?;
    let wanted = Wanted { part: Some(Split::Test), from: 0, to: 127, opening: OPENING };
    let places = sample::draw(games, wanted, setting.pick(20, 5000, 5000), setting.seed_for(1));
    let network = Network::embedded();
    let balancing = setting.balancing();
    let kinds = if balancing.is_some() { &KINDS[1..] } else { &KINDS[1..2] };
    let stand_in = balancing.unwrap_or_else(Weights::zero);
    let policies: Vec<_> = kinds.iter().map(|kind| kind.policy(&stand_in, CANDIDATES)).collect();
    // The paper's sum, and the standard deviation that it is said to be.
    let found = setting.collect("unevenness", "", places.len(), |number| {
        let mut walker = places[number].walker(games);
        let moment = Moment::of_game(network.progress(walker.position()));
        let mut of = |policy: &crate::policy::Policy| {
            let candidates = policy.candidates(&mut walker, moment);
            let even = 1.0 / candidates.len().max(1) as f32;
            let squares: f32 = candidates.iter().map(|(_, p)| (p - even).powi(2)).sum();
            [f64::from(squares.sqrt()), f64::from((squares * even).sqrt())]
        };
        Some(policies.iter().flat_map(&mut of).collect())
    })?;
    let column = |place: usize| found.iter().map(|numbers| numbers[place]).collect::<Vec<f64>>();
    let (mut rows, mut drawn) = (Vec::new(), Vec::new());
    for kind in &KINDS[1..] {
        let place = kinds.iter().position(|other| other == kind);
        let count = place
            .map_or_else(|| NO_BALANCING.to_owned(), |_| format!("{} positions", thousands(places.len())));
        let of = |offset: usize| place.map(|place| mean(&column(2 * place + offset)));
        rows.push(Row::new(format!("mean B(s), {}", kind.name()), None, of(0), count.clone()));
        rows.push(Row::new(format!("the same divided by √m, {}", kind.name()), None, of(1), count));
        if let Some(place) = place {
            drawn.push((kind.name(), distribution(&column(2 * place))));
        }
    }
    let curves: Vec<Curve> = drawn.iter().map(|(name, points)| Curve { name, points }).collect();
    let file = "unevenness.svg";
    let whose = if let [(name, _)] = drawn.as_slice() { format!(": {name} policy") } else { String::new() };
    Chart {
        title: &format!("How unequal the probabilities of candidates are{whose}"),
        axes: ["B(s)", "positions in %, by classes of 0.04"],
        curves: curves.iter().map(|curve| (curve, &[][..])).collect(),
        decades: false,
        from_zero: true,
    }
    .draw(&setting.out.join("plots").join(file))?;
    let verdict = match (rows[0].ours, rows[2].ours) {
        (Some(transition), Some(balanced)) if transition.is_above(&balanced) => {
            "As in the paper the balancing policy is flatter than the transition policy."
        }
        (Some(_), Some(_)) => {
            "Not as in the paper: the balancing policy is not surely flatter than the transition policy."
        }
        _ => "Without balancing weights only the transition policy is shown.",
    };
    Ok(Report {
        method: "B(s) = √Σ(π(s, a) − 1/m)² over the m candidates, as the paper prints it (0 to 1); divided by √m it is the \
                 standard deviation that the text speaks of."
            .to_owned(),
        unit: Unit::Plain(3),
        rows,
        plots: vec![(file.to_owned(), "Distribution of B(s)".to_owned())],
        verdict: verdict.to_owned(),
        differs: format!("The paper gives the figure without numbers. {LEARNED_FOR_PLAY}"),
    })
}

/// The share of numbers from 0 to 1 in each of 25 classes, in per cent.
fn distribution(numbers: &[f64]) -> Vec<(f64, f64)> {
    let mut counts = [0_u32; 25];
    for number in numbers {
        counts[((number * 25.0) as usize).min(24)] += 1;
    }
    let share = |count: u32| 100.0 * f64::from(count) / numbers.len().max(1) as f64;
    counts.iter().enumerate().map(|(class, &count)| ((class as f64 + 0.5) / 25.0, share(count))).collect()
}
