//! Positions as choices: each has moves, each move has features, one move was played.
//!
//! Kept in three flat lists, so that a pass over hundreds of thousands of positions is a walk through memory. Nothing
//! here knows about shogi.

/// Choices to learn from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Examples {
    /// The features of all moves, one after the other.
    features: Vec<u32>,
    /// Where the features of each move begin, and where those of the last end.
    moves: Vec<u32>,
    /// Where the moves of each position begin, and which of them was played.
    positions: Vec<(u32, u32)>,
    /// How many different features there are.
    count: usize,
}

/// A position of [`Examples`].
#[derive(Clone, Copy, Debug)]
pub struct Example<'a> {
    examples: &'a Examples,
    first: usize,
    end: usize,
    /// Which of its moves was played.
    pub played: usize,
}

impl Examples {
    /// None yet, of features below `count`.
    pub fn new(count: usize) -> Self {
        Self { count, moves: vec![0], ..Self::default() }
    }

    /// How many different features there are.
    pub fn feature_count(&self) -> usize {
        self.count
    }

    /// How many positions there are.
    pub fn len(&self) -> usize {
        self.positions.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.positions.is_empty()
    }

    /// Adds a position; `moves` shows the features of each move in turn, of which the one at `played` was played.
    ///
    /// # Panics
    /// Where a feature is not below the count, or more than four billion are added.
    pub fn push<'a>(&mut self, moves: impl IntoIterator<Item = &'a [u32]>, played: usize) {
        let first = self.moves.len() - 1;
        for features in moves {
            assert!(features.iter().all(|&feature| (feature as usize) < self.count), "a feature is known");
            self.features.extend_from_slice(features);
            self.moves.push(u32::try_from(self.features.len()).expect("fewer than four billion features"));
        }
        assert!(first + played < self.moves.len() - 1, "the move that was played is among the moves");
        self.positions.push((first as u32, played as u32));
    }

    /// Adds the positions of others over the same features.
    pub fn append(&mut self, others: &Self) {
        for example in others.iter() {
            self.push((0..example.len()).map(|mv| example.features(mv)), example.played);
        }
    }

    /// A position by its number.
    pub fn get(&self, number: usize) -> Example<'_> {
        let (first, played) = self.positions[number];
        let end = self.positions.get(number + 1).map_or(self.moves.len() - 1, |next| next.0 as usize);
        Example { examples: self, first: first as usize, end, played: played as usize }
    }

    /// All positions.
    pub fn iter(&self) -> impl Iterator<Item = Example<'_>> {
        (0..self.len()).map(|number| self.get(number))
    }
}

impl<'a> Example<'a> {
    /// How many moves it has.
    pub fn len(&self) -> usize {
        self.end - self.first
    }

    /// Whether it has none, which cannot be.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The features of a move.
    #[inline]
    pub fn features(&self, mv: usize) -> &'a [u32] {
        let at = self.first + mv;
        &self.examples.features[self.examples.moves[at] as usize..self.examples.moves[at + 1] as usize]
    }
}
