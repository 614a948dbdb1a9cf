//! Who wins: policies alone, simple Monte-Carlo and UCT against each other and against alpha-beta.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use super::balance::{self, thousands};
use super::matches::Score;
use super::player::Recipe;
use super::report::{NO_BALANCING, Report, Row, Unit};
use super::{ExperimentError, Setting, sample};
use crate::learn::plot::{Chart, Curve, Whisker};
use crate::policy::narrowing::MOST;
use crate::shogi::Walker;

/// How playouts are used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Search {
    /// Statistics at the root's children only.
    Simple,
    /// In a tree.
    Uct,
}

/// What differs from the defaults where a search is to be as in the paper, beside mate checks and the policy.
pub const AS_IN_PAPER: [(&str, &str); 11] = [
    ("Selection", "ucb"),
    ("Playout_Temperature", "100"),
    ("Leaf_Weight", "0"),
    ("Candidates_By", "transition"),
    ("Reward", "threshold"),
    ("Mate_Search", "0"),
    ("Cut_Losers", "false"),
    ("Reuse_Tree", "false"),
    ("Remembered_Positions", "8192"),
    ("Choice_Share", "100"),
    ("Sure_Stop", "true"),
];

/// Players that search as in the paper.
pub struct Paper<'a> {
    /// The setting.
    pub setting: &'a Setting<'a>,
    /// Playouts a move.
    pub playouts: u32,
    /// Mates looked for in playouts and when a position enters the tree: off, one, three.
    pub mate: &'static str,
    /// Further parameters, each after a comma.
    pub extra: String,
}

impl Paper<'_> {
    /// The player with playouts by this policy, and weights of this folder if it has a name.
    pub fn player(&self, search: Search, policy: &str, folder: &Path) -> Result<Recipe, ExperimentError> {
        let Self { playouts, mate, extra, .. } = self;
        let mut text =
            format!("uct,playouts={playouts},Playout_Policy={policy},Playout_Mate={mate},Leaf_Mate={mate}");
        for (name, value) in AS_IN_PAPER {
            let _ = write!(text, ",{name}={value}");
        }
        text.push_str(extra);
        if search == Search::Simple {
            text.push_str(",Simple_Monte_Carlo=true");
        }
        if !folder.as_os_str().is_empty() {
            let _ = write!(text, ",weights={}", folder.display());
        }
        text.parse().map_err(|error| ExperimentError::Input(format!("{text}: {error}")))
    }

    /// Two players that differ in the policy.
    fn pair(&self, search: Search, policies: [&str; 2]) -> Result<[Recipe; 2], ExperimentError> {
        let [first, second] = policies.map(|policy| self.player(search, policy, &self.setting.weights));
        Ok([first?, second?])
    }
}

/// Playouts a move as in the paper; a tenth of them at the quick size.
fn playouts(setting: &Setting) -> u32 {
    setting.pick(4, 100, 1000)
}

/// Games a match, of the paper's 3,000.
fn games(setting: &Setting) -> usize {
    setting.pick(2, 40, 1000)
}

fn paper<'a>(setting: &'a Setting<'a>) -> Paper<'a> {
    Paper { setting, playouts: playouts(setting), mate: "one", extra: String::new() }
}

/// Plays matches one after the other and makes rows of them.
struct Table<'a> {
    setting: &'a Setting<'a>,
    /// What the ledgers of its matches begin with.
    name: &'static str,
    games: usize,
    rows: Vec<Row>,
}

impl<'a> Table<'a> {
    fn new(setting: &'a Setting<'a>, name: &'static str, games: usize) -> Self {
        Self { setting, name, games, rows: Vec::new() }
    }

    /// Plays a match and adds the share of the points that the first player got, unless there is no such player.
    fn add(
        &mut self,
        what: &str,
        paper: Option<f64>,
        openings: &[Walker],
        players: impl FnOnce() -> Result<[Recipe; 2], ExperimentError>,
    ) -> Result<Option<Score>, ExperimentError> {
        if what.contains("balancing") && self.setting.balancing().is_none() {
            self.rows.push(Row::new(what, paper, None, NO_BALANCING));
            return Ok(None);
        }
        let name = format!("{}-{}", self.name, self.rows.len() + 1);
        self.setting.monitor.say(format!("{}: {what}", self.name));
        let score = self.setting.play(&name, &players()?, openings, self.games, &|_| {})?;
        let on = format!(
            "{} games: {} won, {} drawn, {} lost",
            thousands(score.games() as usize),
            score.wins,
            score.draws,
            score.losses
        );
        self.rows.push(Row::new(what, paper, Some(score.estimate()), on));
        Ok(Some(score))
    }

    /// The report, with a verdict on the row that the claim is about.
    fn report(self, method: String, verdict: String, differs: &str) -> Report {
        let (unit, plots, differs) = (Unit::Percent, Vec::new(), differs.to_owned());
        Report { method, unit, rows: self.rows, plots, verdict, differs }
    }
}

/// What a share of the points says: whether it is surely more or less than a half.
fn says(score: Option<&Score>, who: &str) -> String {
    let Some(score) = score else { return format!("{who}: not measured") };
    let (found, elo) = (score.estimate(), score.elo().value);
    let sure = if found.low > 0.5 {
        "wins"
    } else if found.high < 0.5 {
        "loses"
    } else {
        "can neither be said to win nor to lose"
    };
    let elo = if elo.is_finite() { format!(" ({elo:+.0} Elo)") } else { String::new() };
    format!("{who} {sure}{elo}")
}

fn says_all(scores: &[(&str, Option<Score>)]) -> String {
    if scores.iter().all(|(_, score)| score.is_none()) {
        return format!("Not measured: {NO_BALANCING}.");
    }
    let parts: Vec<String> = scores.iter().map(|(who, score)| says(score.as_ref(), who)).collect();
    format!("{}.", parts.join("; "))
}

const OTHERS: &str = "Other evaluation, features and records. Our tree is never narrowed for good, and a mate in at most three \
                      plies at the root is always played.";

fn method(setting: &Setting) -> String {
    format!(
        "Both players search as in the paper with {} playouts a move (the paper: 1,000), openings of 24 plies.",
        playouts(setting)
    )
}

/// Policies alone as players.
pub fn policy(setting: &Setting) -> Result<Report, ExperimentError> {
    let openings = sample::openings(None)?;
    let mut table = Table::new(setting, "policy", setting.pick(2, 1000, 3000));
    let player = |kind: &str| -> Result<Recipe, ExperimentError> {
        let folder = &setting.weights;
        let weights = if folder.as_os_str().is_empty() {
            String::new()
        } else {
            format!(",weights={}", folder.display())
        };
        let text = format!("policy,kind={kind}{weights}");
        text.parse().map_err(|error| ExperimentError::Input(format!("{text}: {error}")))
    };
    let mut add = |what, paper, [first, second]: [&str; 2]| {
        table.add(what, paper, &openings, || Ok([player(first)?, player(second)?]))
    };
    let uniform = add("balancing against uniform", Some(0.957), ["balancing", "uniform"])?;
    let transition = add("balancing against transition", Some(0.189), ["balancing", "transition"])?;
    let plain = add("transition against uniform", None, ["transition", "uniform"])?;
    let verdict = says_all(&[
        ("Balancing against uniform", uniform),
        ("balancing against transition", transition),
        ("transition against uniform", plain),
    ]);
    Ok(table.report(
        "Each move is sampled from the 16 candidates; openings of 24 plies.".to_owned(),
        verdict,
        "Other features and records.",
    ))
}

/// Simple Monte-Carlo.
pub fn simple(setting: &Setting) -> Result<Report, ExperimentError> {
    let openings = sample::openings(None)?;
    let mut table = Table::new(setting, "simple", games(setting));
    let paper = paper(setting);
    let mut add =
        |what, figure, policies| table.add(what, figure, &openings, || paper.pair(Search::Simple, policies));
    let uniform = add("balancing against uniform", Some(1.0), ["balancing", "uniform"])?;
    let transition = add("balancing against transition", Some(0.852), ["balancing", "transition"])?;
    let plain = add("transition against uniform", None, ["transition", "uniform"])?;
    let verdict = says_all(&[
        ("Balancing against uniform", uniform),
        ("balancing against transition", transition),
        ("transition against uniform", plain),
    ]);
    Ok(table.report(method(setting), verdict, OTHERS))
}

/// UCT, by mate checks.
pub fn uct(setting: &Setting) -> Result<Report, ExperimentError> {
    let openings = sample::openings(None)?;
    let mut table = Table::new(setting, "uct", games(setting));
    let mut add = |what, figure, policies, mate| {
        let paper = Paper { mate, ..paper(setting) };
        table.add(what, figure, &openings, || paper.pair(Search::Uct, policies))
    };
    let both = ["balancing", "transition"];
    let uniform = add("balancing against uniform", Some(0.577), ["balancing", "uniform"], "one")?;
    let uniform_three = add(
        "balancing against uniform, mate checks of three plies",
        None,
        ["balancing", "uniform"],
        "three",
    )?;
    let one = add("balancing against transition", Some(0.488), both, "one")?;
    let three = add("balancing against transition, mate checks of three plies", Some(0.519), both, "three")?;
    let none = add("balancing against transition, no mate check", Some(0.430), both, "off")?;
    let plain = add("transition against uniform", None, ["transition", "uniform"], "one")?;
    let verdict = says_all(&[
        ("Balancing against uniform", uniform),
        ("with mate checks of three plies it", uniform_three),
        ("balancing against transition", one),
        ("with mate checks of three plies it", three),
        ("without any it", none),
        ("transition against uniform", plain),
    ]);
    Ok(table.report(method(setting), verdict, OTHERS))
}

/// UCT in parts of the game.
pub fn progress(setting: &Setting) -> Result<Report, ExperimentError> {
    let mut table = Table::new(setting, "progress", games(setting));
    let mut scores = Vec::new();
    for (what, figure, from, until, mate, who) in [
        ("balancing against transition, progress 0–96", 0.557, 0, 96, "one", "Balancing up to progress 96"),
        ("balancing against transition, progress 32–96", 0.535, 32, 96, "one", "between 32 and 96 it"),
        ("balancing against transition, progress 96–128", 0.457, 96, 128, "one", "from 96 on it"),
        (
            "balancing against transition, progress 96–128, mate checks of three plies",
            0.482,
            96,
            128,
            "three",
            "from 96 on with mate checks of three plies it",
        ),
    ] {
        let openings = beginnings(setting, from)?;
        let paper = Paper { mate, ..paper(setting) };
        let players = || {
            let [balanced, transition] = paper.pair(Search::Uct, ["balancing", "transition"])?;
            let balanced = if until < 128 { balanced.until(until, transition.clone()) } else { balanced };
            Ok([balanced, transition])
        };
        scores.push((who, table.add(what, Some(figure), &openings, players)?));
    }
    let verdict = says_all(&scores);
    let method = format!(
        "Both search with {} playouts a move (the paper: 1,000). Games begin at the first position of a record's game that has come \
         to progress m, or at an opening of 24 plies for m = 0; from progress n on both go by the transition policy.",
        playouts(setting)
    );
    Ok(table.report(
        method,
        verdict,
        "Progress is that of our own network. The paper begins at the starting position for m = 0.",
    ))
}

/// Where a match from this progress on begins.
fn beginnings(setting: &Setting, progress: u8) -> Result<Vec<Walker>, ExperimentError> {
    if progress == 0 { sample::openings(None) } else { Ok(sample::beginnings(setting.games()?, progress)) }
}

/// Parameters for all the moves there can be.
fn wide() -> String {
    format!(",Candidates={MOST},Candidate_Share=0")
}

const WIDE: &str = "Playouts choose among the 64 likeliest moves instead of all, which is what the engine can do; where there are \
                    fewer, it is all of them.";

/// Without narrowing, by the policy that was learned with it.
pub fn narrowing(setting: &Setting) -> Result<Report, ExperimentError> {
    let openings = sample::openings(None)?;
    let mut table = Table::new(setting, "narrowing", games(setting));
    let paper = Paper { extra: wide(), ..paper(setting) };
    let mut add = |what, figure, search| {
        table.add(what, Some(figure), &openings, || paper.pair(search, ["balancing", "transition"]))
    };
    let simple = add("simple Monte-Carlo, balancing against transition", 0.125, Search::Simple)?;
    let tree = add("UCT, balancing against transition", 0.385, Search::Uct)?;
    let verdict = says_all(&[("In simple Monte-Carlo balancing", simple), ("in UCT it", tree)]);
    Ok(table.report(method(setting), verdict, WIDE))
}

/// Without narrowing, by a policy that was learned so.
pub fn conditions(setting: &Setting) -> Result<Report, ExperimentError> {
    let openings = sample::openings(None)?;
    let learned = balance::learn(setting, MOST)?;
    let mut table = Table::new(setting, "conditions", games(setting));
    let mut scores = Vec::new();
    let players = |playouts: u32, until: u8| {
        let paper = Paper { playouts, extra: wide(), ..paper(setting) };
        let transition = paper.player(Search::Simple, "transition", &PathBuf::new())?;
        let other = paper.player(Search::Simple, "balancing", &learned.folder)?;
        Ok([if until < 128 { other.until(until, transition.clone()) } else { other }, transition])
    };
    for (what, figure, factor, until, who) in [
        ("1: learned without narrowing", 0.209, 1, 128, "What was learned without narrowing"),
        ("2: and progress 0–96 only", 0.443, 1, 96, "before the endgame it"),
        ("3: and five times the playouts", 0.582, 5, 96, "with five times the playouts it"),
    ] {
        // Its own weights are there in any case.
        let score =
            table.add(what, Some(figure), &openings, || players(factor * playouts(setting), until))?;
        scores.push((who, score));
    }
    let verdict = says_all(&scores);
    let method = format!(
        "Simple Monte-Carlo with {} playouts a move (the paper: 1,000), a policy learned for this experiment ({}) against the \
         transition policy, neither narrowed.",
        playouts(setting),
        learned.method
    );
    Ok(table.report(method, verdict, WIDE))
}

/// A name, the points of its curve and their intervals.
type Points = (String, Vec<(f64, f64)>, Vec<Whisker>);

/// UCT by playouts against alpha-beta.
pub fn alphabeta(setting: &Setting) -> Result<Report, ExperimentError> {
    let depth = setting.pick(1, 6, 6);
    let sizes: &[(u32, usize)] = setting.pick(
        &[(4, 2)],
        &[(100, 10), (300, 10), (1000, 10)],
        &[(1000, 400), (3000, 200), (10_000, 100), (30_000, 40)],
    );
    let kinds: &[&str] =
        if setting.balancing().is_some() { &["balancing", "transition"] } else { &["transition"] };
    let mut table = Table::new(setting, "alphabeta", 0);
    let mut lines: Vec<Points> = Vec::new();
    for policy in kinds {
        for (start, from) in [("openings of 24 plies", 0), ("progress 32", 32)] {
            let openings = beginnings(setting, from)?;
            let name = format!("{policy}, from {start}");
            let (mut points, mut whiskers) = (Vec::new(), Vec::new());
            for &(playouts, games) in sizes {
                let paper = Paper { playouts, ..paper(setting) };
                let what = format!("{name}, {} playouts", thousands(playouts as usize));
                table.games = games;
                let players = || {
                    let text = format!("alphabeta,depth={depth}");
                    let opponent: Recipe =
                        text.parse().map_err(|error| ExperimentError::Input(format!("{text}: {error}")))?;
                    Ok([paper.player(Search::Uct, policy, &setting.weights)?, opponent])
                };
                if let Some(score) = table.add(&what, None, &openings, players)? {
                    let (along, found) = (f64::from(playouts).log10(), score.estimate().map(|x| 100.0 * x));
                    points.push((along, found.value));
                    whiskers.push((along, found.low, found.high));
                }
            }
            lines.push((name, points, whiskers));
        }
    }
    let curves: Vec<Curve> = lines.iter().map(|(name, points, _)| Curve { name, points }).collect();
    let file = "alphabeta.svg";
    let chart = Chart {
        title: "UCT against alpha-beta of depth 6",
        axes: ["playouts a move", "points of UCT in %"],
        curves: curves.iter().zip(&lines).map(|(curve, line)| (curve, &line.2[..])).collect(),
        decades: true,
        from_zero: true,
    };
    chart.draw(&setting.out.join("plots").join(file))?;
    let rises = lines.iter().all(|(_, points, _)| points.first().map(|p| p.1) < points.last().map(|p| p.1));
    let verdict = if rises {
        "As in the paper, more playouts win more games in every row of matches."
    } else {
        "More playouts do not win more games in every row of matches, as they do in the paper."
    };
    let mut report = table.report(
        format!(
            "Points of UCT that searches as in the paper against alpha-beta of depth {depth} with the same network and quiescence."
        ),
        verdict.to_owned(),
        "The opponent is our own alpha-beta, not Gekisashi: no book, no extensions, our evaluation. The paper gives the figure \
         without numbers; its games are 1,000 for each point.",
    );
    report.plots.push((file.to_owned(), "UCT against alpha-beta".to_owned()));
    Ok(report)
}

/// Forms of widening.
pub fn widening(setting: &Setting) -> Result<Report, ExperimentError> {
    forms(
        setting,
        "widening",
        &[
            (
                "t(n+1) = t(n) + 40·1.4^n against a child every 4 visits",
                ",Widening=growing",
                "Growing widening against even widening",
            ),
            (
                "every move at once against a child every 4 visits",
                ",Widening_First=1,Widening_Every=1",
                "all moves at once against even widening",
            ),
        ],
        "The document gives the formula for Go and no figures for play.",
    )
}

/// Ways to choose in the tree.
pub fn selection(setting: &Setting) -> Result<Report, ExperimentError> {
    forms(
        setting,
        "selection",
        &[
            ("UCB1-Tuned against UCB1", ",Selection=ucb-tuned", "UCB1-Tuned against UCB1"),
            ("priors (puct) against UCB1", ",Selection=puct", "puct against UCB1"),
        ],
        "The document compares them on slot machines only.",
    )
}

/// Matches of UCT with changed parameters against UCT as in the paper, both with the transition policy. A change is what is
/// told of it, its parameters and who plays so.
fn forms(
    setting: &Setting,
    name: &'static str,
    changes: &[(&str, &str, &'static str)],
    differs: &str,
) -> Result<Report, ExperimentError> {
    let openings = sample::openings(None)?;
    let mut table = Table::new(setting, name, games(setting));
    let mut scores = Vec::new();
    for (what, change, who) in changes {
        let players = || {
            let changed = Paper { extra: (*change).to_owned(), ..paper(setting) };
            let folder = &setting.weights;
            let first = changed.player(Search::Uct, "transition", folder)?;
            Ok([first, paper(setting).player(Search::Uct, "transition", folder)?])
        };
        scores.push((*who, table.add(what, None, &openings, players)?));
    }
    let verdict = says_all(&scores);
    Ok(table.report(method(setting), verdict, differs))
}
