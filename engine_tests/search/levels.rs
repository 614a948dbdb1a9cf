//! Weaker play on purpose.

use tenbin::search::level::{FULL, Level};
use tenbin::search::{Line, Params, Preferences, Score};
use tenbin::shogi::is_legal;

use super::matches::games;
use super::{middlegames, position, preferences, search, sfen, think};

fn at(level: i32, seed: u64) -> Preferences {
    Preferences { seed, ..preferences(&[("SkillLevel", &level.to_string())]) }
}

/// What a level plays in some positions of games, with all the playouts it wants.
fn choices(preferences: &Preferences) -> Vec<Line> {
    let mut search = search(preferences);
    middlegames(8).iter().map(|walker| think(&mut search, walker, 100_000).swap_remove(0)).collect()
}

#[test]
fn every_level_plays_legal_moves_with_its_playouts_and_the_same_for_the_same_seed() {
    for level in 0..FULL - 4 {
        let lines = choices(&at(level, 1));
        let most = Level::of(&Params::default().with("SkillLevel", &level.to_string())).playouts();
        for (walker, line) in middlegames(8).iter().zip(&lines) {
            assert!(is_legal(walker.position(), line.pv[0]), "{level}: {line:?}");
            // A mate in three is seen with one.
            assert!(Some(line.nodes) <= most.map(|most| most.max(1)), "{level}: {line:?}");
        }
        // Threads do not matter: there is one.
        let again = Preferences { threads: 2, ..at(level, 1) };
        assert_eq!(choices(&again), lines, "{level}");
    }
}

#[test]
fn the_lowest_levels_vary_with_the_seed() {
    let first = |seed| choices(&at(0, seed)).iter().map(|line| line.pv[0]).collect::<Vec<_>>();
    assert!((2..6).any(|seed| first(seed) != first(1)));
}

#[test]
fn playouts_grow_from_level_to_level() {
    let playouts =
        |level: i32| Level::of(&Params::default().with("SkillLevel", &level.to_string())).playouts();
    let all: Vec<u64> = (0..FULL).map(|level| playouts(level).expect("a limit")).collect();
    assert!(all.is_sorted() && all[0] == 0 && all[19] > 1000, "{all:?}");
    assert_eq!(playouts(FULL), None);
}

#[test]
fn high_levels_play_every_mate_they_see() {
    for level in [10, 15, 19] {
        let mut search = search(&at(level, 1));
        for line in include_str!("../data/tsume-mate-3.sfen").lines().take(40) {
            let found = think(&mut search, &sfen(line), 100_000).swap_remove(0);
            assert!(matches!(found.score, Score::Mates(_)), "{level}: {line}: {found:?}");
        }
    }
}

#[test]
fn playouts_can_be_limited() {
    let mut search = search(&preferences(&[("PlayoutsLimit", "77")]));
    let walker = position("startpos");
    assert_eq!(think(&mut search, &walker, 1000)[0].nodes, 77);
    assert_eq!(think(&mut search, &walker, 50)[0].nodes, 50, "the lower limit holds");
}

#[test]
fn five_levels_are_worlds_apart() {
    let score = games("uct,SkillLevel=5", "uct,SkillLevel=0", 15);
    assert!(score.rate() > 0.85, "{score}");
}
