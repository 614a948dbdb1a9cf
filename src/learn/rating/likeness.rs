//! Whether players of a rating are imitated best by the setting of `PlayRating` that bears their name.

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_pcg::Pcg64Mcg;
use rayon::prelude::*;
use std::fmt::Write;
use std::time::Instant;

use super::lessons::ratings;
use crate::experiment::statistics::mean;
use crate::learn::records::Game;
use crate::search::{Control, Params, Preferences, Search, Task, TreeSearch};
use crate::shogi::{Move, Walker};

/// Plies at the beginning of games that are left out: they come from openings that nobody chose.
const OPENING: usize = 26;

/// Positions of one game.
const A_GAME: usize = 16;

/// A move that a setting would not play at all counts as this likely: one such move must not decide.
const LEAST: f32 = 1e-4;

/// Positions that one search is used for, one after the other.
const AT_A_TIME: usize = 16;

/// A position, what was played, and the place of the player's rating among all.
struct Lesson {
    walker: Walker,
    played: Move,
    player: usize,
}

/// How a setting did at a position.
#[derive(Clone, Copy)]
struct Told {
    /// 1 where the move it likes best was played.
    right: f64,
    /// The logarithm of the probability with which it would have played what was played.
    likelihood: f64,
}

/// Two tables with players of a rating in rows and settings in columns: how often the setting's likeliest move was played, in per
/// cent, and the mean logarithm of the probability it gave to what was played.
pub fn table(games: &[Game], positions: usize) -> String {
    let mut known: Vec<u32> =
        games.iter().flat_map(|game| game.ratings.into_iter().flatten()).map(|r| r as u32).collect();
    known.sort_unstable();
    known.dedup();
    let lessons = lessons(games, &known, positions);
    // For every setting, position after position.
    let told: Vec<Vec<Told>> = known.iter().map(|&setting| answers(setting, &lessons)).collect();
    let mut text = String::new();
    for (title, scale, digits, of) in [
        ("likeliest move played, %", 100.0, 1, (|told| told.right) as fn(&Told) -> f64),
        ("mean logarithm of the probability of what was played", 1.0, 3, |told| told.likelihood),
    ] {
        let _ = write!(text, "{title}\n{:>8}{:>10}", "player", "positions");
        for setting in &known {
            let _ = write!(text, "{setting:>8}");
        }
        text.push_str("   best by\n");
        for (player, rating) in known.iter().enumerate() {
            let own = |setting: &Vec<Told>| -> Vec<f64> {
                let here = setting.iter().zip(&lessons).filter(|(_, lesson)| lesson.player == player);
                here.map(|(told, _)| scale * of(told)).collect()
            };
            let found: Vec<Vec<f64>> = told.iter().map(own).collect();
            let means: Vec<f64> = found.iter().map(|found| mean(found).value).collect();
            let _ = write!(text, "{rating:>8}{:>10}", found[0].len());
            for mean in &means {
                let _ = write!(text, "{mean:>8.digits$}");
            }
            // Where another is as good, its own is the best.
            let better = |best: usize, other: usize| if means[other] > means[best] { other } else { best };
            let best = (0..known.len()).fold(player, better);
            // Position by position.
            let more: Vec<f64> = found[best].iter().zip(&found[player]).map(|(a, b)| a - b).collect();
            let ahead = mean(&more);
            let _ = writeln!(
                text,
                "   {} ({:.digits$} +-{:.digits$} above its own)",
                known[best],
                ahead.value,
                (ahead.high - ahead.low) / 2.0
            );
        }
    }
    text
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

/// What a setting says at each lesson.
fn answers(setting: u32, lessons: &[Lesson]) -> Vec<Told> {
    let params = Params::default().with("PlayRating", &setting.to_string());
    let preferences = Preferences { params, seed: 1, ..Preferences::default() };
    let of = |chunk: &[Lesson]| -> Vec<Told> {
        let mut search = TreeSearch::default();
        search.prepare(&preferences);
        let likes = |lesson: &Lesson| {
            let walker = lesson.walker.fork();
            let task = Task { walker, root_moves: Vec::new(), nodes: None, depth: None, mate: false };
            search.think(&task, &Control::new(Instant::now()), &mut |_| {});
            let best = search.odds().iter().max_by(|a, b| a.1.total_cmp(&b.1));
            let right = f64::from(u8::from(best.is_some_and(|(mv, _)| *mv == lesson.played)));
            let played =
                search.odds().iter().find(|(mv, _)| *mv == lesson.played).map_or(0.0, |(_, odds)| *odds);
            Told { right, likelihood: f64::from(played.max(LEAST)).ln() }
        };
        chunk.iter().map(likes).collect()
    };
    lessons.par_chunks(AT_A_TIME).flat_map_iter(of).collect()
}
