//! The program: arguments and log, then the USI loop.

use clap::{Parser, Subcommand};
use indicatif::ProgressBar;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use tenbin::learn::records;
use tenbin::mate::dfpn::Solver;
use tenbin::mate::tsume::{self, Summary};
use tenbin::search::{bench, shallow::Shallow};
use tenbin::shogi::{Rules, notation, perft};
use tenbin::usi::output::Output;
use tenbin::usi::{self, journal};

/// Tenbin, a USI shogi engine. Without arguments it talks USI over stdin and stdout.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    #[command(subcommand)]
    tool: Option<Tool>,
}

#[derive(Subcommand)]
enum Tool {
    /// Count the move paths of a position
    Perft {
        /// Length of the paths in plies
        #[arg(value_parser = clap::value_parser!(u8).range(1..=32))]
        depth: u8,
        /// An SFEN or `startpos`, with `moves …` if wanted; the starting position where left out
        position: Vec<String>,
    },
    /// Think about fixed positions and print speed and signature
    Bench,
    /// Count what is in files of games
    Records {
        /// Files of .txt (a game a line), .kif, .kifu, .ki2, .ki2u, .csa, .jkf, .json or .hcpe, each also with .zst
        #[arg(required = true)]
        files: Vec<PathBuf>,
    },
    /// Solve mate problems
    Tsume {
        /// A file with an SFEN a line
        file: PathBuf,
        /// Most seconds for a problem
        #[arg(long, default_value_t = 10.0, value_parser = seconds)]
        seconds: f64,
        /// Memory for the solver in MB
        #[arg(long, default_value_t = 256, value_parser = clap::value_parser!(u32).range(1..=65_536))]
        hash: u32,
    },
}

fn main() -> ExitCode {
    journal::start();
    let result = match Arguments::parse().tool {
        None => {
            usi::run(Box::new(|| Box::new(Shallow::default())));
            Ok(())
        }
        Some(Tool::Perft { depth, position }) => run_perft(depth, &position.join(" ")),
        Some(Tool::Bench) => {
            run_bench();
            Ok(())
        }
        Some(Tool::Records { files }) => run_records(&files),
        Some(Tool::Tsume { file, seconds, hash }) => run_tsume(&file, Duration::from_secs_f64(seconds), hash),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("tenbin: {error}");
            ExitCode::from(2)
        }
    }
}

fn run_perft(depth: u8, position: &str) -> Result<(), String> {
    let position = if position.is_empty() { "startpos" } else { position };
    let (mut walker, complaint) =
        notation::parse_position(position, Rules::default()).map_err(|error| error.to_string())?;
    if let Some(complaint) = complaint {
        return Err(complaint.to_string());
    }
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

fn seconds(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(seconds) if (0.001..=1e6).contains(&seconds) => Ok(seconds),
        _ => Err("not a number of seconds from 0.001 to 1000000".to_owned()),
    }
}

fn run_tsume(file: &Path, most: Duration, hash: u32) -> Result<(), String> {
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

fn run_records(files: &[PathBuf]) -> Result<(), String> {
    let output = Output::stdout();
    let print = |title: &str, summary: &records::Summary| {
        output.line(title);
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

fn run_bench() {
    let output = Output::stdout();
    let closed = || output.is_closed();
    if let Some(result) = bench::run(&mut Shallow::default(), &closed, &mut |line| output.line(&line)) {
        output.line(&result.to_string());
    }
}
