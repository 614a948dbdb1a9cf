//! What a look a few plies ahead tells of a position: which moves mate, and which leave a mate.
//!
//! Both sides' mates are looked for, so this needs the walker itself; all else of a scene is read off the board.

use arrayvec::ArrayVec;

use crate::mate::{mate_in_one, mates_in_one, mates_in_three};
use crate::shogi::{Move, MoveList, Walker, legal_moves};

/// Moves that are told apart from others; hardly ever are there more.
pub(super) type Few = ArrayVec<Move, 48>;

/// See the top of the file.
#[derive(Default)]
pub(super) struct Tactics {
    /// Moves that mate at once, or where there are none those that do in three plies.
    pub mating: Few,
    /// Whether those mate at once.
    pub at_once: bool,
    /// Where the opponent would mate at once if nothing were done, or is giving check: the moves after which he cannot.
    pub parries: Option<Few>,
}

impl Tactics {
    /// Looks ahead from where a walker stands, which is where it will stand again.
    pub fn of(walker: &mut Walker) -> Self {
        let mut mating = Few::new();
        mates_in_one(walker, &mut mating);
        let at_once = !mating.is_empty();
        if !at_once {
            mates_in_three(walker, &mut mating);
        }
        let parries = if mating.is_empty() { parries(walker) } else { None };
        Self { mating, at_once, parries }
    }

    /// Whether there is anything to tell.
    #[inline]
    pub fn is_sharp(&self) -> bool {
        self.parries.is_some() || !self.mating.is_empty()
    }
}

/// The moves that parry, where there is something to parry and not more moves do than can be told apart.
fn parries(walker: &mut Walker) -> Option<Few> {
    // Nobody can pass over a check.
    let pressed = walker.passed(|walker| mate_in_one(walker).is_some()).unwrap_or(true);
    if !pressed {
        return None;
    }
    let mut moves = MoveList::new();
    legal_moves(walker.position(), &mut moves);
    let mut parries = Few::new();
    for &mv in moves.iter() {
        walker.apply(mv);
        let mated = mate_in_one(walker).is_some();
        walker.undo();
        if !mated && parries.try_push(mv).is_err() {
            return None;
        }
    }
    Some(parries)
}
