//! Training, validation and test never share a game.

use rand::RngExt;
use rand::SeedableRng;
use rand_pcg::Pcg64Mcg;
use tenbin::learn::records::{Ending, Game, Ply, Split};
use tenbin::shogi::{MoveList, Walker, legal_moves};

use crate::records::sample;

fn count(games: &[Game]) -> [usize; 3] {
    [Split::Train, Split::Validation, Split::Test]
        .map(|split| games.iter().filter(|game| game.split() == split).count())
}

fn random_game(random: &mut Pcg64Mcg) -> Game {
    let mut walker = Walker::startpos();
    let mut moves = Vec::new();
    let mut legal = MoveList::new();
    for _ in 0..20 {
        legal_moves(walker.position(), &mut legal);
        let mv = legal[random.random_range(0..legal.len())];
        walker.apply(mv);
        moves.push(Ply { mv, score: None });
    }
    let start = "startpos".to_owned();
    Game { start, moves, ending: Ending::Draw, ratings: None, dan: None, comments: Vec::new() }
}

#[test]
fn splits_are_nine_tenths_and_twice_a_twentieth() {
    let mut random = Pcg64Mcg::seed_from_u64(1);
    let games: Vec<Game> = (0..8_000).map(|_| random_game(&mut random)).collect();
    let [train, validation, test] = count(&games);
    assert!((7_100..=7_300).contains(&train), "{train}");
    assert!((330..=470).contains(&validation), "{validation}");
    assert!((330..=470).contains(&test), "{test}");
}

/// Models were trained on this division: it must not change.
#[test]
fn the_division_is_for_ever() {
    let games: Vec<Game> = sample().into_iter().map(|game| game.0).collect();
    assert_eq!(count(&games), [221, 8, 11]);
}

/// What is known about a game may differ from file to file.
#[test]
fn splits_are_by_start_and_moves_alone() {
    let mut random = Pcg64Mcg::seed_from_u64(2);
    for _ in 0..200 {
        let game = random_game(&mut random);
        let mut other = game.clone();
        other.ending = Ending::Unknown;
        other.ratings = Some([1.0, 2.0]);
        other.comments.push((1, "comment".to_owned()));
        other.moves.iter_mut().for_each(|ply| ply.score = Some(7));
        assert_eq!(game.split(), other.split());
    }
}
