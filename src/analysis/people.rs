//! What a game is worth to players of a rating, and what such a player finds instead of a mistake.

use std::sync::Arc;

use super::{Analysis, Effort, Interrupt, TURNING_POINTS, judge_position};
use crate::eval::Network;
use crate::human::outlook::SAFE;
use crate::human::{Human, Outlook, SEARCHED};
use crate::policy::{Moment, Narrowing, Policy};
use crate::search::TreeSearch;
use crate::shogi::{Color, Move, MoveList, Walker, legal_moves};

/// Ratings whose win rates are drawn over the game, ascending.
pub const CURVES: [u16; 3] = [1200, 2000, 2800];

/// What a player plays less often than this he does not find.
pub const FOUND: f32 = 0.03;

/// Most positions where the curves differ most, and how many moves lie between two. They differ by more than a safe lead does.
const DIFFERENCES: (usize, usize) = (4, 6);

/// The best move among those that a player of the rating finds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Find {
    /// The place of the turning point.
    pub place: usize,
    /// The move.
    pub mv: Move,
    /// How often such a player plays it.
    pub share: f32,
    /// The chance to win with it, for the side to move, by a search.
    pub win_rate: f64,
}

/// What a game is worth to people.
#[derive(Clone, Debug, PartialEq)]
pub struct People {
    /// The rating of who looks on.
    pub rating: u16,
    /// Win rates of the side to move between players of [`CURVES`], and how safe the lead is: of each position from the start.
    pub outlooks: Vec<([f64; CURVES.len()], Outlook)>,
    /// For each turning point what a player of the rating finds, as far as there was time.
    pub finds: Vec<Find>,
}

impl People {
    /// Of the positions of a game, without looking for anything yet.
    pub fn new(human: &Human, network: &Network, analysis: &Analysis, rating: u16) -> Self {
        let of = |(place, walker): (usize, &Walker)| {
            let position = walker.position();
            let judged = analysis.judgements.get(place).filter(|judged| judged.playouts >= SEARCHED);
            let searched = judged.map(|judged| judged.score.logit());
            // A game that is over is lost for players of any rating.
            let at = |rating: u16| {
                let rate = human.win_rate(network, position, f32::from(rating), searched);
                if walker.is_mated() { 0.0 } else { f64::from(rate) }
            };
            (CURVES.map(at), Outlook::of(human, network, position, rating, searched))
        };
        let outlooks = analysis.walkers().iter().enumerate().map(of).collect();
        Self { rating, outlooks, finds: Vec::new() }
    }

    /// What was found at a turning point.
    pub fn at(&self, place: usize) -> Option<&Find> {
        self.finds.iter().find(|find| find.place == place)
    }

    /// Places where the curves differ most, in the order of the game, none of them near another.
    pub fn differences(&self) -> Vec<usize> {
        let (most, apart) = DIFFERENCES;
        let spread = |place: usize| {
            let (rates, _) = &self.outlooks[place];
            let high = rates.iter().copied().fold(0.0, f64::max);
            high - rates.iter().copied().fold(1.0, f64::min)
        };
        let mut places: Vec<usize> =
            (0..self.outlooks.len()).filter(|&place| spread(place) >= f64::from(SAFE)).collect();
        places.sort_by(|&a, &b| spread(b).total_cmp(&spread(a)));
        let mut chosen: Vec<usize> = Vec::new();
        for place in places {
            if chosen.len() < most && chosen.iter().all(|other| other.abs_diff(place) > apart) {
                chosen.push(place);
            }
        }
        chosen.sort_unstable();
        chosen
    }
}

/// What a player of a rating finds.
pub struct Finder {
    network: Arc<Network>,
    policy: Policy,
}

impl Finder {
    /// Of a rating; nothing where the weights cannot be put together.
    pub fn new(human: &Human, network: Arc<Network>, rating: u16) -> Option<Self> {
        // Putting them together takes a while, so it is done once.
        let weights = human.policy(f32::from(rating)).ok()?;
        Some(Self { network, policy: Policy::transition(Arc::new(weights), Narrowing::default()) })
    }

    /// The moves that he finds, with how often he plays them.
    pub fn moves(&self, walker: &Walker) -> Vec<(Move, f32)> {
        let mut walker = walker.fork();
        let mut moves = MoveList::new();
        legal_moves(walker.position(), &mut moves);
        let moment = Moment::of_game(self.network.progress(walker.position()));
        let shares = self.policy.distribution(&mut walker, moment, &moves);
        moves.iter().copied().zip(shares).filter(|&(_, share)| share >= FOUND).collect()
    }

    /// The best of them at each turning point of a game, until the interruption.
    pub fn finds(
        &self,
        search: &mut TreeSearch,
        analysis: &Analysis,
        effort: Effort,
        interrupt: &Interrupt,
    ) -> Vec<Find> {
        let walkers = analysis.walkers();
        let find = |place: usize| {
            let (walker, judgement) = (&walkers[place], &analysis.judgements[place]);
            let moves = self.moves(walker);
            let share = |mv: Move| moves.iter().find(|found| found.0 == mv).map(|found| found.1);
            // Where he finds the best of all moves there is nothing to search for.
            if let Some(&mv) = judgement.best.first()
                && let Some(share) = share(mv)
            {
                return Some(Find { place, mv, share, win_rate: judgement.win_rate() });
            }
            let only = moves.iter().map(|found| found.0).collect::<Vec<_>>();
            if only.is_empty() {
                return None;
            }
            let found = judge_position(search, walker, only, effort, interrupt)?;
            let mv = *found.best.first()?;
            // A search that is restricted may think better of a move than the one that has seen all of them.
            let win_rate = found.win_rate().min(judgement.win_rate());
            Some(Find { place, mv, share: share(mv)?, win_rate })
        };
        analysis.turning_points(TURNING_POINTS.0, TURNING_POINTS.1).into_iter().filter_map(find).collect()
    }
}

/// Who leads, by the outlook of a position; nobody where it is even.
pub fn leader(outlook: &Outlook, turn: Color) -> Color {
    if outlook.own.1 < 0.5 { turn.flip() } else { turn }
}
