//! Runs of plans of kind `rating`: they repeat to the byte, and what they write can be read and used. Grades are found again.

use rand::SeedableRng;
use rand::distr::{Distribution, weighted::WeightedIndex};
use rand_pcg::Pcg64Mcg;
use std::fmt::Write;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use tenbin::eval::Network;
use tenbin::human::Human;
use tenbin::learn::rating::report::report;
use tenbin::learn::records::text;
use tenbin::learn::{Monitor, Plan};
use tenbin::policy::{Moment, Narrowing, Policy};
use tenbin::shogi::{MoveList, Walker, legal_moves};

use crate::eval::Folder;
use crate::learn::value::{learn, run, scored, weights, with_threads};

const KNOTS: &str = "knots = [1250, 2550]";

/// A plan over the games with scores, half of them between weak players and half between strong ones.
fn plan(folder: &Folder, more: &str) -> PathBuf {
    let text = std::fs::read_to_string(scored()).expect("games");
    let rated: Vec<String> = text
        .lines()
        .enumerate()
        .map(|(i, line)| {
            let fields: Vec<&str> = line.split('|').take(3).collect();
            format!("{}|ratings={}", fields.join("|"), ["1200,1300", "2600,2500"][i % 2])
        })
        .collect();
    folder.write("rated.txt", rated.join("\n"));
    let head =
        "kind = 'rating'\nrecords = ['rated.txt']\noutput = 'weights.bin'\nwin_batch = 256\nwin_rate = 0.05";
    folder.write("plan.toml", format!("{head}\n{more}\n"))
}

#[test]
fn a_run_gives_the_same_on_any_number_of_threads_and_its_result_can_be_used() {
    let (one, two) = (Folder::new("rating-one"), Folder::new("rating-two"));
    let (first, second) = (plan(&one, KNOTS), plan(&two, KNOTS));
    let said = with_threads(1, || learn(&first));
    assert!(said.iter().any(|line| line.starts_with("who wins, %")), "{said:#?}");
    assert!(said.iter().all(|line| line.is_ascii()), "{said:#?}");
    with_threads(2, || learn(&second));
    assert!(weights(&first) == weights(&second));
    assert!(one.names().contains(&"weights-plain.bin".to_owned()), "{:?}", one.names());
    let bytes = weights(&first);
    let human = Human::read(&bytes).expect("it can be read");
    assert_eq!(human.knots, [1250.0, 2550.0]);
    let start = Walker::startpos();
    let rate = |rating| human.win_rate(&Network::embedded(), start.position(), rating, None);
    assert!(
        (0.02..0.98).contains(&rate(1250.0)) && (rate(1250.0) - rate(2550.0)).abs() > 1e-5,
        "{} {}",
        rate(1250.0),
        rate(2550.0)
    );
    assert!((rate(2550.0) - rate(9000.0)).abs() < 1e-6);
    let middle = 0.5 * (rate(1250.0) + rate(2550.0));
    assert!((rate(1900.0) - middle).abs() < 0.01, "the logit goes evenly from knot to knot");
    assert!(human.policy(1250.0).expect("weights") != human.policy(2550.0).expect("weights"));
    for length in [0, 1, 40, bytes.len() / 2, bytes.len() - 1] {
        assert!(Human::read(&bytes[..length]).is_err(), "cut off after {length}");
    }
}

#[test]
fn positions_are_played_on_once_and_change_only_who_wins() {
    let (folder, without) = (Folder::new("rating-played-on"), Folder::new("rating-not-played-on"));
    let positions = format!("positions = ['{}']\nplayed_on = [4, 4]", scored().display());
    let (path, plain) = (plan(&folder, &format!("{KNOTS}\n{positions}")), plan(&without, KNOTS));
    let is_kept = |name: &String| name.contains(".played-on-");
    let read = |name: &str| std::fs::read_to_string(folder.file(name)).expect("a file");
    learn(&path);
    learn(&plain);
    let kept = folder.names().into_iter().find(is_kept).expect("games");
    let games = read(&kept);
    assert_eq!(games.lines().count(), 8, "{games}");
    let [played, not] = [&path, &plain].map(|path| Human::read(&weights(path)).expect("it can be read"));
    assert!(played.win != not.win && played.tastes == not.tastes);
    // What is missing is played again, the same as before; what is there is not.
    let whole = weights(&path);
    let half: Vec<&str> = games.lines().take(3).collect();
    folder.write(&kept, half.join("\n"));
    learn(&path);
    assert!(read(&kept) == games && weights(&path) == whole);
    // Other players, other games.
    learn(&plan(&folder, &format!("knots = [1400, 2550]\n{positions}")));
    assert_eq!(folder.names().iter().filter(|name| is_kept(name)).count(), 2);
}

#[test]
fn plans_that_cannot_be_followed_say_why() {
    let folder = Folder::new("rating-plans");
    for (more, complaint) in [
        ("knots = []", "knots: 1 to 32 ratings"),
        ("knots = [2000, 1000]", "knots: 1 to 32 ratings"),
        ("win_decay = 70", "win_decay: 70 is not"),
        ("folds = 1", "folds: 0, or 2 to 100"),
        ("played_on = [10]", "positions, played_on: both or neither"),
        ("positions = ['rated.txt']", "positions, played_on: both or neither"),
        ("positions = ['rated.txt']\nplayed_on = [9, 9]", "played_on: a number of games for each knot"),
        ("positions = ['rated.txt']\nplayed_on = [0, 9]\nknots = [1, 2]", "played_on: 0 is not"),
        ("nonsense = 1", "unknown field `nonsense`"),
    ] {
        let error = Plan::read(&plan(&folder, more)).expect_err(complaint).to_string();
        assert!(error.contains(complaint), "{error}");
    }
    // Games without ratings say nothing about them.
    let text = format!("kind = 'rating'\nrecords = ['{}']\noutput = 'weights.bin'\n", scored().display());
    assert!(run(&folder.write("plan.toml", text), |_| false).error().contains("games with ratings"));
}

#[test]
fn with_folds_every_game_is_judged_and_nothing_is_written() {
    let folder = Folder::new("rating-folds");
    let path = plan(&folder, "knots = [1250, 2550]\nfolds = 2\nwin_passes = 1");
    let before = folder.names();
    let said = learn(&path);
    assert_eq!(folder.names(), before);
    let number = |end: &str| -> Vec<usize> {
        let start = |line: &String| line.split(' ').next().and_then(|word| word.parse().ok());
        said.iter().filter(|line| line.contains(end)).filter_map(start).collect()
    };
    let [one, two] = number("positions to learn from")[..] else { panic!("{said:#?}") };
    let judged = format!("judged by {} games", one + two);
    assert!(one > 0 && two > 0 && said.iter().any(|line| line.starts_with(&judged)), "{said:#?}");
}

/// A game between two players of a rating, as a line that says they have this grade.
fn sampled(human: &Human, rating: f32, grade: i8, random: &mut Pcg64Mcg) -> String {
    let network = Network::embedded();
    let policy = Policy::transition(Arc::new(human.policy(rating).expect("weights")), Narrowing::default());
    let mut walker = Walker::startpos();
    let mut line = String::from("startpos|");
    let mut moves = MoveList::new();
    for _ in 0..100 {
        legal_moves(walker.position(), &mut moves);
        if moves.is_empty() {
            break;
        }
        let moment = Moment::of_game(network.progress(walker.position()));
        let shares = policy.distribution(&mut walker, moment, &moves);
        let mv = moves[WeightedIndex::new(shares).expect("shares").sample(random)];
        let _ = write!(line, "{} ", mv.to_usi());
        walker.apply(mv);
    }
    format!("{}|d|dan={grade},{grade}", line.trim_end())
}

#[test]
fn grades_get_the_ratings_of_those_who_played_them() {
    let human = Human::embedded().expect("weights");
    let mut random = Pcg64Mcg::seed_from_u64(5);
    let folder = Folder::new("rating-grades");
    let known = [(-4_i8, 1300.0_f32), (1, 1900.0), (4, 2400.0)];
    let games: Vec<String> = known
        .iter()
        .flat_map(|&(grade, rating)| (0..25).map(move |_| (grade, rating)))
        .map(|(grade, rating)| sampled(&human, rating, grade, &mut random))
        .collect();
    let few = games[0].replace("dan=-4,-4", "dan=7,7");
    let path = folder.write("graded.txt", format!("{}\n{few}\n", games.join("\n")));
    let (say, never) = (|_: String| {}, AtomicBool::new(false));
    let monitor = Monitor::new(&say, &never).without_bar();
    let told = report(std::slice::from_ref(&path), None, None, None, &monitor).expect("a report");
    assert!(
        told.contains("0 games with ratings\n") && told.contains("76 games with dan and kyu\n"),
        "{told}"
    );
    for (name, rating) in [("4 kyu", 1300.0), ("1 dan", 1900.0), ("4 dan", 2400.0)] {
        let row = told.lines().find(|line| line.starts_with(name)).unwrap_or_else(|| panic!("{told}"));
        let words: Vec<&str> = row.split_ascii_whitespace().collect();
        let numbers: Vec<f64> = [4, 5, 7].map(|i: usize| words[i].parse().expect("a number")).to_vec();
        assert!((numbers[0] - rating).abs() < 250.0, "{told}");
        assert!(numbers[1] - 100.0 < rating && rating < numbers[2] + 100.0, "{told}");
    }
    assert!(!told.contains("7 dan") && told.contains("1 grades with too few games"), "{told}");
    assert!(!told.contains("flat"), "{told}");
    // The same report again, whatever the number of threads.
    assert_eq!(
        with_threads(1, || report(std::slice::from_ref(&path), None, None, None, &monitor)
            .expect("a report")),
        told
    );
    let empty = folder.write("none.txt", "startpos|7g7f|b|\n");
    let error = report(&[empty], None, None, None, &monitor).expect_err("nothing to measure by").to_string();
    assert!(error.contains("ratings or dan"), "{error}");
}

#[test]
fn a_report_compares_and_draws_where_there_are_ratings() {
    let folder = Folder::new("rating-report");
    plan(&folder, "");
    let (say, never) = (|_: String| {}, AtomicBool::new(false));
    let monitor = Monitor::new(&say, &never).without_bar();
    let plot = folder.file("curve.svg");
    let told = report(&[folder.file("rated.txt")], None, Some(&plot), Some(2), &monitor).expect("a report");
    for row in ["who wins, %", "loss of results", "what is played, %", "told and true:"] {
        assert!(told.lines().any(|line| line.starts_with(row)), "{row}: {told}");
    }
    assert!(!told.contains("at most 50 points apart"), "there are no such games: {told}");
    let compared = told.lines().filter(|line| line.ends_with("above its own)")).count();
    assert!(compared == 2 * 4 && told.contains("PlayRating, "), "two rows for each rating: {told}");
    assert!(std::fs::read_to_string(&plot).expect("a plot").contains("<svg"));
}

#[test]
fn grades_are_read_where_both_players_have_one() {
    for (meta, dan) in [
        ("dan=4,-1", Some([4, -1])),
        ("end=TORYO dan=1,2 x", Some([1, 2])),
        ("dan=0,1", None),
        ("dan=4", None),
        ("dan=a,b", None),
        ("", None),
    ] {
        assert_eq!(text::parse(&format!("startpos|7g7f|b|{meta}")).expect("a game").dan, dan, "{meta}");
    }
}
