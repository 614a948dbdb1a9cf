//! The command `tenbin experiment`: matches between players, and the papers' tables and figures.

use clap::Args;
use clap::builder::PossibleValuesParser;
use parking_lot::Mutex;
use std::io::Write;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

use tenbin::experiment::player::Recipe;
use tenbin::experiment::{CATALOGUE, Setting, Size, sample};
use tenbin::learn::Monitor;
use tenbin::usi::output::Output;

/// What is asked for.
#[derive(Args)]
pub struct Request {
    /// An experiment of the list; `list` shows it, `all` makes all of them, `match` plays A against B
    #[arg(value_parser = PossibleValuesParser::new(names()), hide_possible_values = true)]
    name: String,
    /// For `match`: two players, each `alphabeta`, then `,eval=network` or `,eval=material` and `,depth=N` or `,time=MS` if
    /// wanted; `uct`, then `,playouts=N` or `,time=MS` and parameters as `,Playout_Depth=5`; `policy`, then
    /// `,kind=transition`; the last two with `,weights=FOLDER` if wanted
    #[arg(num_args = 0..=2)]
    players: Vec<Recipe>,
    /// A small size, for a first look (the default)
    #[arg(long)]
    quick: bool,
    /// The paper's counts, or as near as some hours allow
    #[arg(long, conflicts_with = "quick")]
    full: bool,
    /// A size that only shows that it runs
    #[arg(long, hide = true, conflicts_with_all = ["quick", "full"])]
    tiny: bool,
    /// Where random numbers start
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The folder for results.md, plots and what is kept to go on from
    #[arg(long, default_value = "results")]
    out: PathBuf,
    /// A folder with weights, such as balancing.bin, instead of the embedded ones
    #[arg(long)]
    weights: Option<PathBuf>,
    /// Files of games to draw positions from; 700 games come with the program
    #[arg(long, num_args = 1..)]
    records: Vec<PathBuf>,
    /// For `match`: a file with `startpos moves …` or an SFEN a line; 1,500 openings come with the program
    #[arg(long)]
    openings: Option<PathBuf>,
    /// For `match`: how many games
    #[arg(long, default_value_t = 200)]
    games: usize,
    /// For `match`: add the games to this file, one a line with the scores of the moves
    #[arg(long)]
    save: Option<PathBuf>,
}

fn names() -> Vec<&'static str> {
    ["list", "all", "match"].into_iter().chain(CATALOGUE.iter().map(|experiment| experiment.name)).collect()
}

/// Does what is asked for.
pub fn run(request: &Request) -> Result<(), String> {
    static STOP: AtomicBool = AtomicBool::new(false);
    let output = Output::stdout();
    let players: Option<&[Recipe; 2]> = request.players.as_slice().try_into().ok();
    match (request.name.as_str(), players) {
        ("match", None) => return Err("a match needs two players, as in: match uct alphabeta,depth=6".into()),
        ("match", Some(_)) => {}
        (name, _) if !request.players.is_empty() => return Err(format!("{name} has no players of its own")),
        (name, _) if request.openings.is_some() || request.save.is_some() => {
            return Err(format!("--openings and --save are for match, not for {name}"));
        }
        ("list", _) => {
            let width = CATALOGUE.iter().map(|experiment| experiment.name.len()).max().unwrap_or(0);
            for experiment in CATALOGUE {
                output.line(&format!(
                    "{:<width$}  {} ({})",
                    experiment.name, experiment.title, experiment.paper
                ));
            }
            return Ok(());
        }
        _ => {}
    }
    if let Some(folder) = &request.weights
        && !folder.is_dir()
    {
        return Err(format!("{}: there is no such folder", folder.display()));
    }
    // Without a handler an interruption would cost the items under way; with it they are ended cleanly too.
    let _ = ctrlc::set_handler(|| STOP.store(true, Ordering::Relaxed));
    let say = |line: String| eprintln!("{line}");
    let monitor = Monitor::new(&say, &STOP);
    let size = match (request.full, request.tiny) {
        (true, _) => Size::Full,
        (_, true) => Size::Tiny,
        _ => Size::Quick,
    };
    let mut setting = Setting::new(size, request.seed, request.out.clone(), &monitor);
    setting.weights = request.weights.clone().unwrap_or_default();
    setting.records.clone_from(&request.records);
    if let Some(players) = players {
        return play(players, request, &setting, &output);
    }
    for experiment in CATALOGUE.iter().filter(|one| request.name == "all" || one.name == request.name) {
        eprintln!("{}: {}", experiment.name, experiment.title);
        let section = experiment.run(&setting).map_err(|error| error.to_string())?;
        section.lines().for_each(|line| output.line(line));
        output.line("");
    }
    Ok(())
}

/// Plays a match, or goes on with it.
fn play(players: &[Recipe; 2], request: &Request, setting: &Setting, output: &Output) -> Result<(), String> {
    let openings = sample::openings(request.openings.as_deref()).map_err(|error| error.to_string())?;
    if openings.len() < request.games.div_ceil(2) {
        output.line(&format!("only {} openings: {} games", openings.len(), 2 * openings.len()));
    }
    let saved = request.save.as_ref().map(|path| {
        let opened = std::fs::File::options().append(true).create(true).open(path);
        opened.map(Mutex::new).map_err(|error| format!("{}: {error}", path.display()))
    });
    let saved = saved.transpose()?;
    let done = |games: &[String; 2]| {
        if let Some(file) = &saved
            && let Err(error) = writeln!(file.lock(), "{}", games.join("\n"))
        {
            eprintln!("tenbin: a game could not be saved: {error}");
        }
    };
    let score = setting.play("match", players, &openings, request.games, &done);
    output.line(&score.map_err(|error| error.to_string())?.to_string());
    Ok(())
}
