//! Features see a position as the side to move does, and do not know left from right.

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use std::collections::HashSet;
use tenbin::policy::describe::describe;
use tenbin::policy::features::{COUNT, FAMILIES, GLANCE, HASHED_FAMILIES, OPPOSITES, TOTAL};
use tenbin::policy::{Look, Scene};
use tenbin::shogi::{Move, Walker};

use crate::eval::symmetry::flipped;
use crate::eval::{moves, start, walker};

/// The features of a move, sorted.
fn features(scene: &Scene, mv: Move) -> Vec<usize> {
    let mut list = Vec::new();
    scene.visit(mv, |feature| list.push(feature));
    list.sort_unstable();
    list
}

/// The left-right mirror image of an SFEN.
fn mirrored(sfen: &str) -> String {
    let (board, rest) = sfen.split_once(' ').expect("a board and more");
    let ranks: Vec<String> = board
        .split('/')
        .map(|rank| {
            let mut turned = String::new();
            for letter in rank.chars().rev() {
                if letter == '+' {
                    // The mark stands before its piece, which is already there.
                    let at = turned.len() - 1;
                    turned.insert(at, '+');
                } else {
                    turned.push(letter);
                }
            }
            turned
        })
        .collect();
    format!("{} {rest}", ranks.join("/"))
}

/// Plays random games from many starts beside their images and compares the features of every move.
fn compare(image_of: fn(&str) -> String, move_of: fn(Move) -> Move) {
    let mut random = Pcg64Mcg::seed_from_u64(1);
    for number in 0..240 {
        let look = if number % 2 == 0 { Look::Full } else { Look::Glance };
        let sfen = start(number).position().to_sfen(None);
        let (mut here, mut there) = (walker(&sfen), walker(&image_of(&sfen)));
        for _ in 0..12 {
            let list = moves(&here);
            if list.is_empty() {
                break;
            }
            let sfen = here.position().to_sfen(None);
            let (scene, image) = (Scene::new(&mut here, look), Scene::new(&mut there, look));
            for &mv in list.iter() {
                let (own, other) = (features(&scene, mv), features(&image, move_of(mv)));
                assert_eq!(own, other, "{} in {}", mv.to_usi(), sfen);
            }
            let mv = list[random.random_range(0..list.len())];
            here.apply(mv);
            there.apply(move_of(mv));
        }
    }
}

#[test]
fn both_sides_see_alike() {
    compare(flipped, Move::flip);
}

#[test]
fn left_and_right_are_alike() {
    compare(mirrored, Move::mirror_file);
}

#[test]
fn features_are_many_known_and_of_each_family_few() {
    const { assert!(COUNT >= 100_000) };
    let families: Vec<(&str, usize)> = FAMILIES.iter().copied().chain(HASHED_FAMILIES).collect();
    let mut seen = vec![false; families.len()];
    for number in 0..200 {
        let mut here = start(number);
        let list = moves(&here);
        let mut again = here.fork();
        let scenes = [Scene::new(&mut here, Look::Full), Scene::new(&mut again, Look::Glance)];
        for (&mv, scene) in list.iter().flat_map(|mv| scenes.iter().map(move |scene| (mv, scene))) {
            let list = features(scene, mv);
            assert!(list.len() <= 72, "{} features", list.len());
            for feature in list {
                assert!(feature < TOTAL);
                let family = families.iter().rposition(|(_, start)| *start <= feature).expect("a family");
                seen[family] = true;
                let name = families[family].0.to_ascii_lowercase().replace('_', "-");
                assert!(describe(feature).starts_with(&name), "{} is no {name}", describe(feature));
            }
        }
    }
    let missing: Vec<&str> =
        families.iter().zip(&seen).filter(|(_, seen)| !**seen).map(|((name, _), _)| *name).collect();
    assert!(missing.is_empty(), "never seen: {missing:?}");
}

#[test]
fn a_glance_sees_a_part_of_what_there_is_and_pairs_of_neighbours() {
    let mut seen = HashSet::new();
    for number in 0..100 {
        let mut here = start(number);
        let list = moves(&here);
        let mut again = here.fork();
        let (glance, full) = (Scene::new(&mut here, Look::Glance), Scene::new(&mut again, Look::Full));
        for &mv in list.iter() {
            let (some, all) = (features(&glance, mv), features(&full, mv));
            assert!(some.len() < all.len(), "{} of {}", some.len(), all.len());
            for feature in &some {
                seen.extend(FAMILIES.iter().rfind(|(_, start)| start <= feature).map(|(name, _)| *name));
            }
            let pairs: usize = some.iter().filter(|feature| **feature >= OPPOSITES).count();
            let both = some.iter().filter(|feature| all.binary_search(feature).is_ok()).count();
            assert_eq!((pairs, both), (4, some.len() - 4), "{}", mv.to_usi());
        }
    }
    assert_eq!(seen, GLANCE.into_iter().collect());
}

/// How many features the first move has.
fn of_first(here: &mut Walker) -> usize {
    let mv = moves(here)[0];
    features(&Scene::new(here, Look::Full), mv).len()
}

#[test]
fn the_last_moves_are_seen() {
    let mut here: Walker = walker(tenbin::shogi::STARTPOS);
    let before = of_first(&mut here);
    for _ in 0..2 {
        let mv = moves(&here)[0];
        here.apply(mv);
    }
    let after = of_first(&mut here);
    assert!(after > before, "{before} features without, {after} with a past");
}
