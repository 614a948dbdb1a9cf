//! A book from records: how often each move was played in each position.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use crate::learn::records::{self, ReadError, Tally};
use crate::shogi::book::Page;
use crate::shogi::{PackedMove, parse_sfen};

/// A move is left out where another one of its position was played more than so many times as often: it was a slip, or a joke.
const RARE: u64 = 20;

/// What goes into a book.
#[derive(Clone, Copy, Debug)]
pub struct Wish {
    /// Moves of a game that are looked at.
    pub plies: usize,
    /// How often a move must have been played.
    pub least: u64,
}

/// How often moves were played, position by position.
#[derive(Default)]
pub struct Counts(HashMap<String, Vec<(PackedMove, u64)>>);

impl Counts {
    /// Adds the games of a file.
    pub fn add(&mut self, file: &Path, wish: Wish) -> Result<Tally, ReadError> {
        records::read(file, &mut |game| {
            let mut walker = game.start();
            for ply in game.moves.iter().take(wish.plies) {
                let moves = self.0.entry(walker.position().to_sfen(Some(1))).or_default();
                match moves.iter_mut().find(|(mv, _)| *mv == ply.mv.to_move()) {
                    Some((_, count)) => *count += 1,
                    None => moves.push((ply.mv.to_move(), 1)),
                }
                walker.apply(ply.mv);
            }
            ControlFlow::Continue(())
        })
    }

    /// The pages of the book, by position.
    pub fn pages(self, wish: Wish) -> Vec<Page> {
        let page = |(sfen, mut moves): (String, Vec<(PackedMove, u64)>)| {
            let most = moves.iter().map(|&(_, count)| count).max()?;
            moves.retain(|&(_, count)| count >= wish.least && count * RARE >= most);
            moves.sort_unstable_by_key(|&(mv, count)| (std::cmp::Reverse(count), mv.raw()));
            let position = parse_sfen(&sfen).expect("a position of a game");
            (!moves.is_empty()).then_some((sfen, Page { position, moves }))
        };
        let mut pages: Vec<(String, Page)> = self.0.into_iter().filter_map(page).collect();
        pages.sort_unstable_by(|a, b| a.0.cmp(&b.0));
        pages.into_iter().map(|(_, page)| page).collect()
    }
}

/// What came of each file.
pub type Results = Vec<(PathBuf, Result<Tally, ReadError>)>;

/// Counts all files; those that could not be read at all, and the games that were skipped, come with it.
pub fn count(files: &[PathBuf], wish: Wish) -> (Counts, Results) {
    let mut counts = Counts::default();
    let results = files.iter().map(|file| (file.clone(), counts.add(file, wish))).collect();
    (counts, results)
}
