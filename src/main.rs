//! The program: arguments and log, then the USI loop.

use clap::{Parser, Subcommand};
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

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

fn run_bench() {
    let output = Output::stdout();
    let closed = || output.is_closed();
    if let Some(result) = bench::run(&mut Shallow::default(), &closed, &mut |line| output.line(&line)) {
        output.line(&result.to_string());
    }
}
