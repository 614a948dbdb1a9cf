//! Matches: who plays, and how the points are counted.

use std::sync::atomic::{AtomicUsize, Ordering};
use tenbin::experiment::matches::{Match, Score};
use tenbin::experiment::player::Recipe;
use tenbin::experiment::statistics::share;
use tenbin::shogi::{Rules, Walker, parse_position};

use super::walker;

fn recipe(text: &str) -> Recipe {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn meet(players: &[Recipe; 2], openings: &[Walker]) -> Score {
    let pairs = AtomicUsize::new(0);
    let score = Match { players, openings, seed: 1 }.play(&|_| {
        pairs.fetch_add(1, Ordering::Relaxed);
    });
    assert_eq!(pairs.into_inner(), openings.len(), "every pair is told of");
    score
}

/// The counts of a score.
fn counts(score: &Score) -> [u32; 3] {
    [score.wins, score.draws, score.losses]
}

fn near(a: f64, b: f64) -> bool {
    (a - b).abs() < 1e-12
}

/// Whoever is to move mates at once, so each player wins one game of the pair.
const MATE_IN_ONE: &str = "4k4/9/4P4/9/9/9/9/9/4K4 b G 1";

/// The fourth occurrence of the position: a draw before a move is played.
fn repeated() -> Walker {
    let line = format!("startpos moves{}", " 2h3h 8b7b 3h2h 7b8b".repeat(3));
    parse_position(&line, Rules::default()).expect("a sound position").0
}

#[test]
fn won_drawn_and_lost_games_are_counted() {
    let players = [recipe("alphabeta,depth=1"), recipe("alphabeta,eval=material,depth=1")];
    let score = meet(&players, &[walker(MATE_IN_ONE)]);
    assert_eq!((counts(&score), score.games()), ([1, 0, 1], 2));
    // One pair says nothing of its scatter: the interval is that of one point of two.
    assert_eq!(score.estimate(), share(1.0, 2.0));
    let score = meet(&players, &[repeated(), walker(MATE_IN_ONE), repeated()]);
    assert_eq!((counts(&score), score.games()), ([1, 4, 1], 6));
    assert!(near(score.rate(), 0.5));
    // Every pair is worth one point: they do not scatter, so the interval is that of three points of six.
    assert_eq!(score.estimate(), share(3.0, 6.0));
    let told = "6 games: 1 won, 4 drawn, 1 lost: 50.0 % (18.8 to 81.2), Elo +0 (-255 to +255)";
    assert_eq!(score.to_string(), told);
}

#[test]
fn sets_of_a_hundred_games_show_how_steady_a_player_is() {
    let pairs = |won: usize| (0..50).map(move |pair| [f64::from(u8::from(pair < won)), 0.5]);
    let score: Score = pairs(10).chain(pairs(30)).chain([[1.0, 1.0]]).collect();
    let sets = score.sets();
    assert!(sets.len() == 2 && near(sets[0], 0.35) && near(sets[1], 0.55), "{sets:?}");
    let told = score.to_string();
    assert!(told.ends_with("; in sets of 100 games 35.0 to 55.0 %, deviation 14.1"), "{told}");
    let score: Score = pairs(10).collect();
    assert!(score.sets().len() == 1 && !score.to_string().contains("sets"), "{score}");
}

#[test]
fn a_match_without_openings_is_no_match() {
    let players = [recipe("alphabeta"), recipe("alphabeta")];
    let score = meet(&players, &[]);
    assert_eq!((score.games(), counts(&score)), (0, [0, 0, 0]));
    assert!(near(score.rate(), 0.0) && score.estimate() == share(0.0, 0.0));
    // A pair that is stopped does not count.
    let openings = [walker(MATE_IN_ONE), repeated()];
    assert!(Match { players: &players, openings: &openings, seed: 1 }.pair(0, &|| true).is_none());
}

/// Openings that are soon over: the points of each pair alone, then the interval of all worked out from them.
#[test]
fn the_interval_comes_from_the_pairs() {
    let players = [recipe("alphabeta,eval=material,depth=3"), recipe("alphabeta,eval=material,depth=1")];
    let openings: Vec<Walker> = [
        "8k/9/9/9/9/9/9/9/K8 b RBGSNLPrbgsnlp 1",
        "4k4/9/4P4/9/9/9/4p4/9/4K4 b RBPrbp 1",
        "l3k3l/1+R7/9/9/9/9/9/7+r1/L3K3L b BNPbnp 1",
        MATE_IN_ONE,
        "3gkg3/3s1s3/9/9/9/9/9/3S1S3/3GKG3 b RBrb 1",
        "4k4/9/9/9/9/9/9/9/4K4 b R2G2SPr2g2sp 1",
    ]
    .map(walker)
    .into();
    let pairs: Vec<f64> = openings
        .iter()
        .map(|opening| {
            let score = meet(&players, std::slice::from_ref(opening));
            assert_eq!(score.games(), 2);
            f64::from(score.wins) + 0.5 * f64::from(score.draws)
        })
        .collect();
    let score = meet(&players, &openings);
    println!("{score}, {pairs:?}");
    let count = pairs.len() as f64;
    let mean = pairs.iter().sum::<f64>() / count;
    assert!(near(score.rate(), mean / 2.0));
    // The standard error of the mean of the pairs, as a share of a pair's two points.
    let squares: f64 = pairs.iter().map(|points| (points - mean) * (points - mean)).sum();
    let error = (squares / (count - 1.0) / count).sqrt() / 2.0;
    let found = score.estimate();
    let ends = [mean / 2.0 - 1.96 * error, mean / 2.0 + 1.96 * error].map(|end| end.clamp(0.0, 1.0));
    assert!(near(found.low, ends[0]) && near(found.high, ends[1]), "{found:?} and {ends:?}");
    assert!(error > 0.0, "all pairs ended alike: {pairs:?}");
    // Played again it goes the same way.
    assert_eq!(meet(&players, &openings), score);
}

#[test]
fn players_are_written_as_kind_and_settings() {
    assert_eq!(recipe("alphabeta"), recipe("alphabeta,eval=network,depth=6"));
    assert_ne!(recipe("alphabeta"), recipe("alphabeta,eval=material"));
    assert_eq!(recipe("alphabeta,depth=3,depth=4"), recipe("alphabeta,depth=4"));
    for (wrong, word) in [
        ("", "alphabeta"),
        ("random", "random"),
        ("alphabeta,", "depth=N"),
        ("alphabeta,eval=luck", "eval=luck"),
        ("alphabeta,depth=0", "0"),
        ("alphabeta,depth=33", "33"),
        ("alphabeta,depth=x", "x"),
        ("alphabeta,depth", "depth"),
        ("alphabeta, depth=3", "depth=3"),
    ] {
        let error = wrong.parse::<Recipe>().expect_err(wrong).to_string();
        assert!(error.contains(word) && !error.contains('\n'), "{wrong}: {error}");
    }
    let mut player = recipe("alphabeta,eval=material,depth=2").make(0);
    assert_eq!(player.choose(&walker(MATE_IN_ONE)).0.to_usi(), "G*5b");
}
