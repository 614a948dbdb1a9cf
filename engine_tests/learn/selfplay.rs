//! Runs of plans of kind `selfplay`: they repeat to the byte, go on where they were stopped, keep what their rule says and
//! learn from it.

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use tenbin::eval::Network;
use tenbin::learn::selfplay::fit::Lessons;
use tenbin::learn::transition::curves;
use tenbin::learn::{Monitor, Plan, records};
use tenbin::policy::weights::NUMBERS;
use tenbin::policy::{Look, Weights};

use crate::eval::Folder;
use crate::learn::value::{learn, run, scored, weights, with_threads};

const SMALL: &str = "generations = 2\ngames = 4\npasses = 2\npolicy_games = 2\nplayer_games = 2\nplayer = 'uct,playouts=4,\
     Selection=ucb-tuned,Simple_Monte_Carlo=true,Mate_Search=0,Reuse_Tree=false'";

fn plan(folder: &Folder, more: &str) -> PathBuf {
    folder.write("plan.toml", format!("kind = 'selfplay'\noutput = 'weights.bin'\n{SMALL}\n{more}\n"))
}

/// The rows of a rule's figures, generation after generation: games, moves, good ones.
fn counts(folder: &Folder, rule: &str) -> Vec<[usize; 3]> {
    let table = std::fs::read_to_string(folder.file(rule).join("figures.tsv")).expect("figures");
    let row = |line: &str| {
        let numbers: Vec<usize> =
            line.split('\t').skip(1).take(3).map(|word| word.parse().expect("a count")).collect();
        [numbers[0], numbers[1], numbers[2]]
    };
    table.lines().skip(2).map(row).collect()
}

#[test]
fn a_run_that_was_stopped_goes_on_to_the_same_on_any_number_of_threads() {
    let (whole, stopped) = (Folder::new("selfplay-whole"), Folder::new("selfplay-stopped"));
    let more = "rules = ['winner']";
    let (first, second) = (plan(&whole, more), plan(&stopped, more));
    with_threads(1, || learn(&first));
    let said =
        with_threads(2, || run(&second, |line| line.starts_with("winner, generation 1: games")).sound());
    assert!(said.last().is_some_and(|line| line.starts_with("stopped; ")), "{said:#?}");
    with_threads(2, || learn(&second));
    assert!(weights(&first) == weights(&second));
    assert!(*Weights::zero() != Weights::read(&weights(&first)).expect("weights that load"));
    for name in ["figures.tsv", "01/games.txt", "02/games.txt", "01/balancing.bin", "02/balancing.bin"] {
        let read = |folder: &Folder| std::fs::read(folder.file("winner").join(name)).expect("a file");
        assert!(read(&whole) == read(&stopped), "{name}");
    }
    for plot in ["policy-uniform", "policy-transition", "policy-generation-1", "player-uniform"] {
        assert!(whole.names().contains(&format!("{plot}.svg")), "{:?}", whole.names());
    }
    // Another plan does not go on with what is there, and does not lose it either.
    let said = learn(&plan(&stopped, "rules = ['winner']\nseed = 2"));
    assert!(said.iter().any(|line| line.contains("belongs to another plan: moved to ")), "{said:#?}");
    assert!(weights(&first) != weights(&second));
    assert!(stopped.names().iter().any(|name| name.starts_with("winner.old-")), "{:?}", stopped.names());
}

#[test]
fn rules_and_limits_decide_what_is_learned() {
    let folder = Folder::new("selfplay-rules");
    learn(&plan(&folder, "rules = ['all', 'winner', 'held']\nmoves = 150"));
    let all = counts(&folder, "all");
    assert_eq!(all.len(), 2);
    for [games, moves, good] in all {
        assert!(games <= 4 && good == moves.min(150), "{games} {moves} {good}");
    }
    for rule in ["winner", "held"] {
        for [games, moves, good] in counts(&folder, rule) {
            assert!(games == 4 && good > 0 && good < moves && good <= 150, "{rule}: {games} {moves} {good}");
        }
    }
}

#[test]
fn games_that_were_played_elsewhere_are_read() {
    let folder = Folder::new("selfplay-elsewhere");
    let path = plan(&folder, &format!("rules = ['winner']\nrecords = ['{}']", scored().display()));
    learn(&path);
    assert!(!folder.file("winner").join("01/games.txt").exists(), "the first generation plays none");
    assert!(folder.file("winner").join("02/games.txt").exists());
    assert!(counts(&folder, "winner")[0][0] > 4);
    let missing = plan(&folder, "records = ['nowhere.txt']");
    assert!(run(&missing, |_| false).error().contains("nowhere.txt"));
}

#[test]
fn games_put_into_a_generations_folder_are_not_played_again() {
    let folder = Folder::new("selfplay-brought");
    let games: Vec<String> =
        std::fs::read_to_string(scored()).expect("records").lines().take(6).map(str::to_owned).collect();
    let there = folder.file("winner").join("02");
    std::fs::create_dir_all(&there).expect("a folder");
    std::fs::write(there.join("games.txt"), games.join("\n") + "\n").expect("a file");
    learn(&plan(&folder, "rules = ['winner']"));
    let moves: usize = games[..4].iter().map(|game| game.split('|').nth(1).unwrap().split(' ').count()).sum();
    assert_eq!(counts(&folder, "winner")[1][..2], [4, moves], "as many as the plan says, the first ones");
    let left = std::fs::read_to_string(there.join("games.txt")).expect("a file");
    assert_eq!(left.lines().collect::<Vec<_>>(), games, "the file stays as it was");
}

#[test]
fn good_moves_become_likelier_in_other_games_too() {
    let mut games = Vec::new();
    let read = records::read(&scored(), &mut |game| {
        games.push(game);
        ControlFlow::Continue(())
    });
    read.expect("records");
    let others = games.split_off(games.len() / 2);
    let (network, mut theta) = (Network::embedded(), vec![0.0; NUMBERS]);
    let loss = |theta: &[f32]| curves::measure(&others, &network, Look::Glance, theta, 1000).all.loss();
    let before = loss(&theta);
    let folder = Folder::new("selfplay-fit");
    let Ok(Plan::Selfplay(plan)) = Plan::read(&plan(&folder, "")) else { panic!("a plan") };
    let good: Vec<Vec<bool>> = games.iter().map(|game| vec![true; game.moves.len()]).collect();
    let lessons = Lessons { games: &games, good: &good, network: &network, seed: 1 };
    let stop = AtomicBool::new(false);
    let monitor = Monitor::new(&|_| {}, &stop).without_bar();
    let learned = lessons.fit(&plan, &mut theta, &monitor).expect("it was not stopped");
    assert!(learned < before - 0.5 && loss(&theta) < before - 0.3, "{before} {learned} {}", loss(&theta));
    // The same moves learned as by a sharper softmax need smaller weights.
    let size = |theta: &[f32]| theta.iter().map(|x| x.abs()).fold(0.0, f32::max);
    let mut sharp = vec![0.0; NUMBERS];
    let plan =
        tenbin::learn::selfplay::plan::Plan { temperature: 0.25, rate: 0.25 * plan.rate / 4.0, ..plan };
    lessons.fit(&plan, &mut sharp, &monitor).expect("it was not stopped");
    assert!(size(&sharp) < 0.5 * size(&theta), "{} {}", size(&sharp), size(&theta));
}

#[test]
fn plans_that_cannot_be_followed_say_why() {
    let folder = Folder::new("selfplay-plans");
    for (more, complaint) in [
        ("rules = []", "rules: none is named"),
        ("rules = ['lucky']", "line 3: unknown variant `lucky`"),
        ("plies = 3", "plies: 3 is odd"),
        ("generations = 0", "generations: 0 is not 1 to"),
        ("player = 'chess'", "player: 'chess' is no kind of player"),
        ("player = 'uct,Nonsense=1'", "player: 'Nonsense' is no parameter"),
        ("temperature = 0", "temperature: 0 is not 0.01 to"),
        ("nonsense = 1", "line 3: unknown field `nonsense`"),
    ] {
        let text = format!("kind = 'selfplay'\noutput = 'weights.bin'\n{more}\n");
        let error = Plan::read(&folder.write("plan.toml", text)).expect_err(complaint).to_string();
        assert!(error.contains(complaint), "{error}");
    }
    let start = run(&plan(&folder, "start = 'transitoin'"), |_| false).error();
    assert!(start.contains("transitoin"), "{start}");
}
