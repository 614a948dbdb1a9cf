//! Whether players of a rating are imitated best by the setting of `PlayRating` that bears their name.

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_pcg::Pcg64Mcg;
use rayon::prelude::*;
use std::fmt::Write;
use std::time::Instant;

use super::lessons::ratings;
use crate::experiment::statistics::{Z, share};
use crate::learn::records::Game;
use crate::search::{Control, Params, Preferences, Search, Task, TreeSearch};
use crate::shogi::{Move, Walker};

/// Plies at the beginning of games that are left out: they come from openings that nobody chose.
const OPENING: usize = 26;

/// Positions of one game.
const A_GAME: usize = 4;

/// Positions that one search is used for, one after the other.
const AT_A_TIME: usize = 16;

/// A position, what was played, and the place of the player's rating among all.
struct Lesson {
    walker: Walker,
    played: Move,
    player: usize,
}

/// A table: players of a rating in rows, settings in columns; how often the setting's likeliest move was played, in per cent.
pub fn table(games: &[Game], positions: usize) -> String {
    let mut known: Vec<u32> =
        games.iter().flat_map(|game| game.ratings.into_iter().flatten()).map(|r| r as u32).collect();
    known.sort_unstable();
    known.dedup();
    let lessons = lessons(games, &known, positions);
    // Right or wrong, for every setting, position after position.
    let told: Vec<Vec<bool>> = known.iter().map(|&setting| agreement(setting, &lessons)).collect();
    let mut text = format!("{:>8}{:>10}", "player", "positions");
    for setting in &known {
        let _ = write!(text, "{setting:>7}");
    }
    text.push_str("   best by\n");
    for (player, rating) in known.iter().enumerate() {
        let of = |setting: usize| -> Vec<f64> {
            let right = told[setting].iter().zip(&lessons).filter(|(_, lesson)| lesson.player == player);
            right.map(|(&right, _)| f64::from(u8::from(right))).collect()
        };
        let rights: Vec<Vec<f64>> = (0..known.len()).map(of).collect();
        let rates: Vec<f64> =
            rights.iter().map(|right| share(right.iter().sum(), right.len() as f64).value).collect();
        let _ = write!(text, "{rating:>8}{:>10}", rights[0].len());
        for rate in &rates {
            let _ = write!(text, "{:>7.1}", 100.0 * rate);
        }
        // Where another is as good, its own is the best.
        let better = |best: usize, other: usize| if rates[other] > rates[best] { other } else { best };
        let best = (0..known.len()).fold(player, better);
        let _ = writeln!(text, "   {} ({})", known[best], ahead(&rights[best], &rights[player]));
    }
    text
}

/// By how many points in a hundred the best is better than the player's own setting, with its interval, pair by pair.
fn ahead(best: &[f64], own: &[f64]) -> String {
    let count = best.len().max(1) as f64;
    let more: Vec<f64> = best.iter().zip(own).map(|(a, b)| a - b).collect();
    let mean = more.iter().sum::<f64>() / count;
    let scatter = more.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / count;
    format!("{:.1} +-{:.1} above its own", 100.0 * mean, 100.0 * Z * (scatter / count).sqrt())
}

/// Positions of each rating's own moves, drawn by chance.
fn lessons(games: &[Game], known: &[u32], positions: usize) -> Vec<Lesson> {
    let mut random = Pcg64Mcg::seed_from_u64(1);
    let mut order: Vec<&Game> = games.iter().collect();
    order.shuffle(&mut random);
    let mut counts = vec![0; known.len()];
    let mut lessons = Vec::new();
    for game in order {
        let mut places: Vec<usize> = (OPENING..game.moves.len()).collect();
        places.shuffle(&mut random);
        places.truncate(A_GAME);
        let mut number = 0;
        game.replay(|walker, ply| {
            if places.contains(&number)
                && let Some([own, _]) = ratings(game, walker.turn())
                && let Ok(player) = known.binary_search(&(own as u32))
                && counts[player] < positions
            {
                counts[player] += 1;
                lessons.push(Lesson { walker: walker.fork(), played: ply.mv, player });
            }
            number += 1;
        });
    }
    lessons
}

/// For each lesson whether the move a setting likes best was played.
fn agreement(setting: u32, lessons: &[Lesson]) -> Vec<bool> {
    let params = Params::default().with("PlayRating", &setting.to_string());
    let preferences = Preferences { params, seed: 1, ..Preferences::default() };
    let of = |chunk: &[Lesson]| -> Vec<bool> {
        let mut search = TreeSearch::default();
        search.prepare(&preferences);
        let likes = |lesson: &Lesson| {
            let walker = lesson.walker.fork();
            let task = Task { walker, root_moves: Vec::new(), nodes: None, depth: None, mate: false };
            search.think(&task, &Control::new(Instant::now()), &mut |_| {});
            let best = search.odds().iter().max_by(|a, b| a.1.total_cmp(&b.1));
            best.is_some_and(|(mv, _)| *mv == lesson.played)
        };
        chunk.iter().map(likes).collect()
    };
    lessons.par_chunks(AT_A_TIME).flat_map_iter(of).collect()
}
