//! The commands other than USI: each reads its arguments, does one thing and prints.

use indicatif::{ProgressBar, ProgressStyle};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use tenbin::analysis::page::page;
use tenbin::analysis::people::{Finder, People};
use tenbin::analysis::wording::Language;
use tenbin::analysis::{self, Analysis, Effort, Interrupt};
use tenbin::book::making::{self, Wish};
use tenbin::eval::Network;
use tenbin::eval::weights::WeightsError;
use tenbin::human::Human;
use tenbin::learn::Monitor;
use tenbin::learn::balancing::assess::{Comparison, compare};
use tenbin::learn::balancing::plan::{Rewards, Settings};
use tenbin::learn::rating::report::report;
use tenbin::learn::records::{self, Split};
use tenbin::learn::transition::curves;
use tenbin::learn::value::assess;
use tenbin::mate::dfpn::Solver;
use tenbin::mate::tsume::{self, Summary};
use tenbin::policy::explain::explain;
use tenbin::policy::weights::{PLAYOUT_FILE, TRANSITION_FILE};
use tenbin::policy::{Moment, Narrowing, Policy, Weights};
use tenbin::search::{Preferences, Search, TreeSearch, bench};
use tenbin::shogi::book::encode;
use tenbin::shogi::{Rules, Walker, notation, perft};
use tenbin::usi::output::Output;

pub fn perft(depth: u8, position: &str) -> Result<(), String> {
    let mut walker = self::position(position)?;
    let output = Output::stdout();
    let began = Instant::now();
    let mut total = 0;
    for (mv, nodes) in perft::divide(&mut walker, depth, &AtomicBool::new(false)) {
        output.line(&format!("{} {nodes}", mv.to_usi()));
        total += nodes;
    }
    let seconds = began.elapsed().as_secs_f64();
    output.line(&format!("nodes {total}"));
    output.line(&format!("{seconds:.3} s, {:.1} million/s", total as f64 / seconds.max(1e-9) / 1e6));
    Ok(())
}

/// Reads a position from the words of a command line; the starting position where there are none.
fn position(words: &str) -> Result<Walker, String> {
    let words = if words.is_empty() { "startpos" } else { words };
    match notation::parse_position(words, Rules::default()) {
        Ok((walker, None)) => Ok(walker),
        Ok((_, Some(complaint))) => Err(complaint.to_string()),
        Err(error) => Err(error.to_string()),
    }
}

/// Shows what the transition policy thinks of a position, or that of playouts.
pub fn policy(words: &str, folder: &Path, playout: bool, most: usize) -> Result<(), String> {
    let mut walker = position(words)?;
    let weights = transition_weights(folder, playout)?;
    let progress = Network::embedded().progress(walker.position());
    let policy = Policy::transition(weights, Narrowing::default());
    let output = Output::stdout();
    output.line(&format!("progress {progress}"));
    explain(&policy, &mut walker, Moment::of_game(progress), most).lines().for_each(|line| output.line(line));
    Ok(())
}

/// The weights of the transition policy of a folder, or of that of playouts; the embedded ones where no folder is named.
fn transition_weights(folder: &Path, playout: bool) -> Result<Arc<Weights>, String> {
    let file = folder.join(if playout { PLAYOUT_FILE } else { TRANSITION_FILE });
    if !folder.as_os_str().is_empty() && !file.exists() {
        return Err(format!("{}: there is no such file", file.display()));
    }
    let (weights, note) = if playout {
        let (weights, note) = Weights::playout_of(folder);
        (weights.unwrap_or_else(Weights::embedded_playout), note)
    } else {
        Weights::transition_of(folder)
    };
    note.map_or(Ok(weights), Err)
}

/// Measures how well the transition policy tells what is played.
pub fn predict(
    files: &[PathBuf],
    folder: &Path,
    playout: bool,
    part: Option<Split>,
    positions: usize,
) -> Result<(), String> {
    let weights = transition_weights(folder, playout)?;
    let (say, never) = (|line: String| eprintln!("{line}"), AtomicBool::new(false));
    let monitor = Monitor::new(&say, &never);
    let text =
        curves::assess(files, &weights, part, positions, &monitor).map_err(|error| error.to_string())?;
    let output = Output::stdout();
    text.lines().for_each(|line| output.line(line));
    Ok(())
}

/// Measures what is known about people.
pub fn rating(
    files: &[PathBuf],
    part: Option<Split>,
    plot: Option<&Path>,
    likeness: Option<usize>,
) -> Result<(), String> {
    let (say, never) = (|line: String| eprintln!("{line}"), AtomicBool::new(false));
    let text = report(files, part, plot, likeness, &Monitor::new(&say, &never))
        .map_err(|error| error.to_string())?;
    let output = Output::stdout();
    text.lines().for_each(|line| output.line(line));
    Ok(())
}

pub fn seconds(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(seconds) if (0.001..=1e6).contains(&seconds) => Ok(seconds),
        _ => Err("not a number of seconds from 0.001 to 1000000".to_owned()),
    }
}

pub fn tsume(file: &Path, most: Duration, hash: u32) -> Result<(), String> {
    let text = std::fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))?;
    let problems: Vec<&str> =
        text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#')).collect();
    let output = Output::stdout();
    let mut solver = Solver::new(hash as usize);
    let mut summary = Summary::default();
    // On stderr, and only where that is a terminal.
    let bar = ProgressBar::new(problems.len() as u64);
    for (i, problem) in problems.iter().enumerate() {
        let result = tsume::solve(&mut solver, problem, most);
        summary.add(&result);
        bar.suspend(|| match result {
            Ok(solved) => output.line(&format!("{}: {solved}", i + 1)),
            Err(error) => output.line(&format!("{}: {error}", i + 1)),
        });
        bar.inc(1);
        if output.is_closed() {
            break;
        }
    }
    bar.finish_and_clear();
    output.line(&summary.to_string());
    Ok(())
}

pub fn records(files: &[PathBuf]) -> Result<(), String> {
    let output = Output::stdout();
    let print = |title: &str, summary: &records::Summary| {
        output.told(title);
        summary.to_string().lines().for_each(|line| output.line(line));
    };
    let mut total = records::Summary::default();
    let mut errors = Vec::new();
    for file in files {
        let mut summary = records::Summary::default();
        match records::read(file, &mut |game| {
            summary.add(&game);
            if output.is_closed() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        }) {
            Ok(tally) => {
                let format = records::Format::of(file);
                summary.skip(format, &tally);
                print(&format!("{} ({})", file.display(), format.description()), &summary);
                total.merge(&summary);
            }
            Err(error) => errors.push(error.to_string()),
        }
    }
    if files.len() > 1 {
        print("total", &total);
    }
    if errors.is_empty() { Ok(()) } else { Err(errors.join("\ntenbin: ")) }
}

pub fn bench() {
    let output = Output::stdout();
    let closed = || output.is_closed();
    if let Some(result) = bench::run(&mut TreeSearch::default(), &closed, &mut |line| output.line(&line)) {
        output.line(&result.to_string());
    }
}

/// Looks at a game and writes a page about it; when interrupted, about what was looked at.
pub fn analyse(
    file: &Path,
    (language, rating): (Language, u16),
    out: Option<PathBuf>,
    effort: Effort,
    preferences: &Preferences,
) -> Result<(), String> {
    static INTERRUPT: Interrupt = Interrupt::new();
    let game = analysis::read(file)?;
    let names = std::fs::read(file).map_or([None, None], |bytes| analysis::names(&bytes));
    let out = out.unwrap_or_else(|| file.with_extension("html"));
    let complain = |error: std::io::Error| format!("{}: {error}", out.display());
    // A place where nothing can be written is not found out after an hour.
    std::fs::File::options().append(true).create(true).open(&out).map_err(complain)?;
    let _ = ctrlc::set_handler(|| INTERRUPT.stop());
    let output = Output::stdout();
    let mut search = TreeSearch::default();
    search.prepare(preferences).iter().for_each(|note| output.line(note));
    let bar = ProgressBar::new(game.moves.len() as u64 + 1);
    let style = ProgressStyle::with_template("{bar:40} {pos}/{len} {elapsed_precise} ({eta} left)");
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    let judgements = analysis::judge(&mut search, &game, effort, &INTERRUPT, &mut |_, _| bar.inc(1));
    let mut analysis = Analysis { game, names, judgements, people: None };
    // Weights for other features than those of this program are nothing to go by.
    if let Some(human) = Human::embedded() {
        let network = Network::embedded();
        let mut people = People::new(&human, &network, &analysis, rating);
        if let Some(finder) = Finder::new(&human, network, rating) {
            people.finds = finder.finds(&mut search, &analysis, effort, &INTERRUPT);
        }
        analysis.people = Some(people);
    }
    bar.finish_and_clear();
    std::fs::write(&out, page(&analysis, language)).map_err(complain)?;
    let (done, all) = (analysis.judgements.len(), analysis.game.moves.len() + 1);
    let part = if done < all { format!(", {done} of {all} positions") } else { String::new() };
    output.told(&format!("{}{part}", out.display()));
    Ok(())
}

/// Makes a book from the games of files.
pub fn book(files: &[PathBuf], out: &Path, wish: Wish) -> Result<(), String> {
    let output = Output::stdout();
    let (counts, results) = making::count(files, wish);
    let mut errors = Vec::new();
    for (file, result) in results {
        match result {
            Ok(tally) => {
                let skipped = tally.skipped();
                output.told(&format!("{}: {} games, {skipped} skipped", file.display(), tally.games));
            }
            Err(error) => errors.push(error.to_string()),
        }
    }
    let pages = counts.pages(wish);
    if pages.is_empty() {
        errors.push(format!("no move was played {} times", wish.least));
        return Err(errors.join("\ntenbin: "));
    }
    let packed = out.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("zst"));
    let name = if packed { out.with_extension("") } else { out.to_owned() };
    let complain = |error: String| format!("{}: {error}", out.display());
    let mut bytes = encode(&pages, &name).map_err(|error| complain(error.to_string()))?;
    if packed {
        bytes = zstd::encode_all(bytes.as_slice(), 19).map_err(|error| complain(error.to_string()))?;
    }
    std::fs::write(out, &bytes).map_err(|error| complain(error.to_string()))?;
    let moves: usize = pages.iter().map(|page| page.moves.len()).sum();
    output.told(&format!(
        "{}: {} positions, {moves} moves, {} bytes",
        out.display(),
        pages.len(),
        bytes.len()
    ));
    if errors.is_empty() { Ok(()) } else { Err(errors.join("\ntenbin: ")) }
}

/// Prints the table of what can be tuned.
pub fn params() {
    let output = Output::stdout();
    tenbin::search::params::help().for_each(|line| output.line(&line));
}

/// Learns by a plan until done or interrupted.
pub fn learn(plan: &Path) -> Result<(), String> {
    static STOP: AtomicBool = AtomicBool::new(false);
    // Without a handler an interruption costs what was learned since the last checkpoint.
    let _ = ctrlc::set_handler(|| STOP.store(true, Ordering::Relaxed));
    let output = Output::stdout();
    // Not through `info`, which would squeeze the columns of tables.
    let say = |line: String| output.line(&format!("info string {line}"));
    tenbin::learn::run(plan, &Monitor::new(&say, &STOP)).map_err(|error| error.to_string())
}

/// Measures the evaluation on the games of files.
pub fn evaluate(files: &[PathBuf], weights: &Path, test: bool) -> Result<(), String> {
    let output = Output::stdout();
    let (network, note) = Network::from_folder(weights);
    if let Some(note) = note {
        return Err(note);
    }
    let split = if test { Split::Test } else { Split::Validation };
    let (say, never) = (|line: String| eprintln!("{line}"), AtomicBool::new(false));
    let report = assess::run(files, &network, split, &Monitor::new(&say, &never));
    report.map_err(|error| error.to_string())?.lines().for_each(|line| output.line(line));
    Ok(())
}

/// What `tenbin balance` is asked for.
pub struct BalanceRequest {
    pub positions: usize,
    pub playouts: u32,
    pub search: u32,
    pub winrate: bool,
    pub threshold: i32,
}

/// Measures how right the mean of playouts is.
pub fn balance(
    files: &[PathBuf],
    weights: Option<&Path>,
    request: &BalanceRequest,
    plot: Option<&Path>,
) -> Result<(), String> {
    let balancing = match weights {
        Some(path) => std::fs::read(path)
            .map_err(WeightsError::from)
            .and_then(|bytes| Weights::read(&bytes))
            .map(Arc::new)
            .map_err(|error| format!("{}: {error}", path.display()))?,
        None => Weights::embedded_balancing().ok_or("there are no embedded weights for these features")?,
    };
    let settings = Settings {
        reward: if request.winrate { Rewards::WinRate } else { Rewards::Threshold },
        teacher_playouts: request.search,
        threshold: request.threshold,
        ..Settings::default()
    };
    let comparison = Comparison {
        files,
        positions: request.positions,
        playouts: request.playouts,
        settings,
        balancing,
        plot,
    };
    let (say, never) = (|line: String| eprintln!("{line}"), AtomicBool::new(false));
    let text = compare(&comparison, &Monitor::new(&say, &never)).map_err(|error| error.to_string())?;
    let output = Output::stdout();
    text.lines().for_each(|line| output.line(line));
    Ok(())
}
