//! Players against each other: long, on request.

use parking_lot::Mutex;
use tenbin::experiment::matches::{Match, Score};
use tenbin::experiment::player::Recipe;
use tenbin::learn::records::Ending;
use tenbin::learn::records::text::parse;
use tenbin::policy::Weights;
use tenbin::shogi::{Color, Walker};

use super::position;

fn openings(count: usize) -> Vec<Walker> {
    include_str!("../data/openings.txt").lines().take(count).map(position).collect()
}

fn recipe(text: &str) -> Recipe {
    text.parse().expect("a player")
}

/// The score of the first of two players over some openings.
pub fn games(first: &str, second: &str, pairs: usize) -> Score {
    let players = [recipe(first), recipe(second)];
    Match { players: &players, openings: &openings(pairs), seed: 1 }.play(&|_| {})
}

#[test]
fn recipes_are_read() {
    for text in [
        "uct",
        "uct,playouts=10",
        "uct,time=100,Playout_Depth=3,selection=ucb",
        "policy,kind=uniform",
        "alphabeta,time=50",
    ] {
        assert!(text.parse::<Recipe>().is_ok(), "{text}");
    }
    for text in
        ["uct,depth=3x", "uct,playouts=0", "uct,Playout_Depth=999", "policy,kind=loud", "uct,x", "mcts"]
    {
        assert!(text.parse::<Recipe>().is_err(), "{text}");
    }
    // Without weights such a player would be another one.
    let there = Weights::embedded_balancing().is_some();
    for text in ["policy,kind=balancing", "uct,Playout_Policy=balancing"] {
        assert_eq!(text.parse::<Recipe>().is_ok(), there, "{text}");
    }
}

#[test]
fn a_search_beats_its_policy() {
    let score = games("uct,playouts=100", "policy,kind=transition", 2);
    assert!(score.rate() > 0.9, "{score}");
}

#[test]
#[ignore = "takes an hour"]
fn ten_times_the_playouts_win() {
    let score = games("uct,playouts=10000", "uct,playouts=1000", 50);
    assert!(score.rate() >= 0.9, "{score}");
}

#[test]
#[ignore = "takes half an hour"]
fn a_tree_beats_simple_monte_carlo() {
    let score = games("uct,playouts=1000", "uct,playouts=1000,Simple_Monte_Carlo=true", 50);
    assert!(score.rate() > 0.5, "{score}");
}

#[test]
fn games_are_told_as_records() {
    let told = Mutex::new(Vec::new());
    let players = [recipe("uct,playouts=30"), recipe("policy,kind=uniform")];
    let openings = openings(2);
    let game = Match { players: &players, openings: &openings, seed: 1 };
    let score = game.play(&|pair| told.lock().extend(pair.games.clone()));
    let told = told.into_inner();
    assert_eq!(told.len(), 4);
    let mut wins = 0;
    for line in &told {
        let game = parse(line).expect("a record that can be read");
        assert!(!game.moves.is_empty());
        let first = if line.ends_with("|first=b") { Color::Black } else { Color::White };
        wins += u32::from(game.ending == Ending::Win(first));
        // Who thinks says what it thinks; a policy does not.
        let mut turn = game.start().turn();
        for ply in &game.moves {
            assert_eq!(ply.score.is_some(), turn == first, "{line}");
            turn = turn.flip();
        }
    }
    assert_eq!(wins, score.wins);
}
