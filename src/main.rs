//! The program: arguments and log, then the USI loop.

use clap::{Parser, Subcommand};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use tenbin::analysis::Effort;
use tenbin::analysis::wording::Language;
use tenbin::book::making::Wish;
use tenbin::learn::records::Split;
use tenbin::learn::records::wildcard::expand;
use tenbin::search::{Preferences, TreeSearch};
use tenbin::usi::{self, journal};

mod tools;
mod trials;

/// Tenbin, a USI shogi engine. Without arguments it talks USI over stdin and stdout.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    /// Learn by a plan instead; Ctrl-C keeps a checkpoint and ends
    #[arg(long = "usi_learn", value_name = "PLAN")]
    learn: Option<PathBuf>,
    #[command(subcommand)]
    tool: Option<Tool>,
}

#[derive(Subcommand)]
enum Tool {
    /// Look at a game move by move and write a page about it
    Analyse {
        /// A record: .kif, .kifu, .ki2, .ki2u, .csa, .jkf, .json, or .txt and others with a line of USI
        game: PathBuf,
        /// The language of the page: ja or en
        #[arg(long, default_value = "ja")]
        lang: Language,
        /// Where the page goes; beside the record where left out
        #[arg(long)]
        out: Option<PathBuf>,
        /// The rating of who looks on: what such a player finds is told beside the best moves
        #[arg(long, default_value_t = 1600, value_parser = clap::value_parser!(u16).range(1000..=3000))]
        rating: u16,
        /// Playouts for each position
        #[arg(long, default_value_t = 4000, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
        playouts: u64,
        /// Seconds for each position instead
        #[arg(long, value_parser = tools::seconds, conflicts_with = "playouts")]
        seconds: Option<f64>,
        /// Threads to think with
        #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=512))]
        threads: u16,
        /// Memory for the search in MB
        #[arg(long, default_value_t = 256, value_parser = clap::value_parser!(u32).range(1..=65_536))]
        hash: u32,
    },
    /// Count the move paths of a position
    Perft {
        /// Length of the paths in plies
        #[arg(value_parser = clap::value_parser!(u8).range(1..=32))]
        depth: u8,
        /// An SFEN or `startpos`, with `moves …` if wanted; the starting position where left out
        position: Vec<String>,
    },
    /// Measure how right the mean of playouts is, by policy
    Balance {
        /// Files of games; those kept apart for the last test are used
        #[arg(required = true)]
        files: Vec<PathBuf>,
        /// The weights of the balancing policy; the embedded ones where left out
        #[arg(long)]
        weights: Option<PathBuf>,
        /// How many positions
        #[arg(long, default_value_t = 5000)]
        positions: usize,
        /// Playouts for each mean
        #[arg(long, default_value_t = 1000)]
        playouts: u32,
        /// Playouts of the tree search it is compared with
        #[arg(long, default_value_t = 3000)]
        search: u32,
        /// Rewards by win rate instead of by threshold
        #[arg(long)]
        winrate: bool,
        /// Centipawns by which a playout must be better or worse to count as won or lost
        #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(i32).range(0..=10_000))]
        threshold: i32,
        /// Where a plot of B(s) goes
        #[arg(long)]
        plot: Option<PathBuf>,
    },
    /// Think about fixed positions and print speed and signature
    Bench,
    /// Make an opening book from records of games
    Book {
        /// Files of games, as for `records`; lines of USI in .txt
        #[arg(required = true)]
        files: Vec<PathBuf>,
        /// Where the book goes: a name that ends in .db, .db.zst or .sbk
        #[arg(long)]
        out: PathBuf,
        /// Moves of a game that are looked at
        #[arg(long, default_value_t = 24)]
        plies: usize,
        /// How often a move must have been played
        #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u64).range(1..))]
        least: u64,
    },
    /// Compare the evaluation with simpler ones on games it has not learned from
    Evaluate {
        /// Files of games with scores
        #[arg(required = true)]
        files: Vec<PathBuf>,
        /// A folder with weights; the embedded ones where left out
        #[arg(long)]
        weights: Option<PathBuf>,
        /// Use the games kept apart for the last test instead of those for validation
        #[arg(long)]
        test: bool,
    },
    /// Play a match, or measure a table or figure of the papers again
    Experiment(trials::Request),
    /// Print what can be tuned in the search, with defaults and ranges
    Params,
    /// Show how likely the moves of a position are, and why
    Policy {
        /// An SFEN or `startpos`, with `moves …` if wanted; the starting position where left out
        position: Vec<String>,
        /// A folder with weights; the embedded ones where left out
        #[arg(long)]
        weights: Option<PathBuf>,
        /// As playouts see it, at a glance
        #[arg(long)]
        playout: bool,
        /// How many moves
        #[arg(long, default_value_t = 10)]
        moves: usize,
    },
    /// Measure how well the transition policy tells what is played in games it has not learned from
    Predict {
        /// Files of games
        #[arg(required = true)]
        files: Vec<PathBuf>,
        /// A folder with weights; the embedded ones where left out
        #[arg(long)]
        weights: Option<PathBuf>,
        /// The policy of playouts instead of that of the tree
        #[arg(long)]
        playout: bool,
        /// Use the games kept apart for the last test instead of those for validation
        #[arg(long, conflicts_with = "all")]
        test: bool,
        /// Use all games of the files: for records that nothing was learned from
        #[arg(long)]
        all: bool,
        /// How many positions, evenly spread
        #[arg(long, default_value_t = 100_000)]
        positions: usize,
    },
    /// Measure what is known about people: who wins and what is played with the rating and without, dan and kyu as ratings
    Rating {
        /// Files of games with ratings, or with dan and kyu
        #[arg(required = true)]
        files: Vec<PathBuf>,
        /// Use the games kept apart for the last test instead of those for validation
        #[arg(long, conflicts_with = "all")]
        test: bool,
        /// Use all games of the files: for records that nothing was learned from
        #[arg(long)]
        all: bool,
        /// Where a plot of the calibration curve (SVG) goes
        #[arg(long)]
        plot: Option<PathBuf>,
        /// Compare what settings of `PlayRating` play with what players of the ratings played, on so many positions of each
        #[arg(long, value_name = "POSITIONS")]
        likeness: Option<usize>,
    },
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
        #[arg(long, default_value_t = 10.0, value_parser = tools::seconds)]
        seconds: f64,
        /// Memory for the solver in MB
        #[arg(long, default_value_t = 256, value_parser = clap::value_parser!(u32).range(1..=65_536))]
        hash: u32,
    },
}

fn main() -> ExitCode {
    journal::start();
    let arguments = Arguments::parse();
    let result = match arguments.tool {
        None if let Some(plan) = arguments.learn => tools::learn(&plan),
        None => {
            usi::run(Box::new(|| Box::new(TreeSearch::default())));
            Ok(())
        }
        Some(Tool::Analyse { game, lang, out, rating, playouts, seconds, threads, hash }) => {
            let effort = seconds.map_or(Effort::Playouts(playouts), |seconds| {
                Effort::Milliseconds((1000.0 * seconds).round() as u64)
            });
            let preferences = Preferences {
                hash_mb: hash as usize,
                threads: usize::from(threads),
                ..Preferences::default()
            };
            tools::analyse(&game, (lang, rating), out, effort, &preferences)
        }
        Some(Tool::Perft { depth, position }) => tools::perft(depth, &position.join(" ")),
        Some(Tool::Balance { files, weights, positions, playouts, search, winrate, threshold, plot }) => {
            let request = tools::BalanceRequest { positions, playouts, search, winrate, threshold };
            tools::balance(&expand(&files), weights.as_deref(), &request, plot.as_deref())
        }
        Some(Tool::Bench) => {
            tools::bench();
            Ok(())
        }
        Some(Tool::Book { files, out, plies, least }) => {
            tools::book(&expand(&files), &out, Wish { plies, least })
        }
        Some(Tool::Params) => {
            tools::params();
            Ok(())
        }
        Some(Tool::Evaluate { files, weights, test }) => {
            tools::evaluate(&expand(&files), &weights.unwrap_or_default(), test)
        }
        Some(Tool::Experiment(request)) => trials::run(&request),
        Some(Tool::Policy { position, weights, playout, moves }) => {
            tools::policy(&position.join(" "), &weights.unwrap_or_default(), playout, moves)
        }
        Some(Tool::Predict { files, weights, playout, test, all, positions }) => {
            let split = if test { Split::Test } else { Split::Validation };
            tools::predict(
                &expand(&files),
                &weights.unwrap_or_default(),
                playout,
                (!all).then_some(split),
                positions,
            )
        }
        Some(Tool::Rating { files, test, all, plot, likeness }) => {
            let split = if test { Split::Test } else { Split::Validation };
            tools::rating(&expand(&files), (!all).then_some(split), plot.as_deref(), likeness)
        }
        Some(Tool::Records { files }) => tools::records(&expand(&files)),
        Some(Tool::Tsume { file, seconds, hash }) => {
            tools::tsume(&file, Duration::from_secs_f64(seconds), hash)
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
