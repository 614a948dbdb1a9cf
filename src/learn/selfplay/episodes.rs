//! Which moves of a game are worth learning from.

use serde::Deserialize;

use crate::learn::records::{Ending, Game};
use crate::playout::reward;
use crate::shogi::Color;

/// What a good episode is.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum Rule {
    /// Everything.
    All,
    /// What the winner played.
    Winner,
    /// Moves after which the player's value held or rose.
    Held,
    /// What somebody who was behind and won played from his worst moment on.
    Comeback,
    /// What the winner played in games in which he made no large mistake.
    Clean,
}

impl Rule {
    /// Its name in plans, folders and plots.
    pub fn name(self) -> &'static str {
        match self {
            Self::All => "all",
            Self::Winner => "winner",
            Self::Held => "held",
            Self::Comeback => "comeback",
            Self::Clean => "clean",
        }
    }
}

/// A rule and its numbers. Values are rewards, −1 to 1, for the player in question.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Judge {
    /// The rule.
    pub rule: Rule,
    /// Held: after how many plies the value is looked at again; an even number, so that the same player is to move.
    pub plies: usize,
    /// Held: how much lower it may be then.
    pub slack: f32,
    /// Comeback: how low the value was.
    pub behind: f32,
    /// Clean: a loss of value from one move of the winner to his next that is too large.
    pub mistake: f32,
}

impl Judge {
    /// For every move of a game whether it is good.
    pub fn good(&self, game: &Game) -> Vec<bool> {
        let movers = Movers::of(game);
        let count = game.moves.len();
        let winner = match game.ending {
            Ending::Win(colour) => Some(colour),
            _ => None,
        };
        let won = |place: usize| winner == Some(movers.at(place));
        match self.rule {
            Rule::All => vec![true; count],
            Rule::Winner => (0..count).map(won).collect(),
            Rule::Held => (0..count).map(|place| self.held(game, &movers, place)).collect(),
            Rule::Comeback => {
                let worst = (0..count)
                    .filter(|&place| won(place))
                    .filter_map(|place| Some((place, value(game, place)?)))
                    .min_by(|a, b| a.1.total_cmp(&b.1))
                    .filter(|&(_, value)| value <= self.behind);
                let from = worst.map_or(count, |(place, _)| place);
                (0..count).map(|place| place >= from && won(place)).collect()
            }
            Rule::Clean => {
                let fell = |place: usize| {
                    let (Some(before), Some(after)) = (value(game, place), value(game, place + 2)) else {
                        return false;
                    };
                    before - after > self.mistake
                };
                let clean = !(0..count).any(|place| won(place) && fell(place));
                (0..count).map(|place| clean && won(place)).collect()
            }
        }
    }

    /// Whether the value is at least what it was, some plies later or at the end of the game.
    fn held(&self, game: &Game, movers: &Movers, place: usize) -> bool {
        let Some(before) = value(game, place) else { return false };
        let later = place + self.plies;
        let after = if later < game.moves.len() {
            value(game, later)
        } else {
            match game.ending {
                Ending::Win(colour) => Some(if colour == movers.at(place) { 1.0 } else { -1.0 }),
                Ending::Draw => Some(0.0),
                Ending::Unknown => None,
            }
        };
        after.is_some_and(|after| after >= before - self.slack)
    }
}

/// What the player of a move thought of the position before it.
fn value(game: &Game, place: usize) -> Option<f32> {
    game.moves.get(place)?.score.map(reward::of_cp)
}

/// Who plays which move.
struct Movers(Color);

impl Movers {
    fn of(game: &Game) -> Self {
        Self(game.start().turn())
    }

    fn at(&self, place: usize) -> Color {
        if place.is_multiple_of(2) { self.0 } else { self.0.flip() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learn::records::text;

    const JUDGE: Judge = Judge { rule: Rule::All, plies: 2, slack: 0.05, behind: -0.3, mistake: 0.4 };

    /// Six moves with scores for the side to move, won by `b` or `w`, or drawn.
    fn game(scores: [i32; 6], result: char) -> Game {
        let moves = ["7g7f", "3c3d", "2g2f", "8c8d", "2f2e", "8d8e"];
        let moves: Vec<String> =
            moves.iter().zip(scores).map(|(mv, score)| format!("{mv}:{score}")).collect();
        text::parse(&format!("startpos|{}|{result}|", moves.join(" "))).unwrap()
    }

    fn good(rule: Rule, game: &Game) -> String {
        let good = Judge { rule, ..JUDGE }.good(game);
        good.iter().map(|&good| if good { 'x' } else { '.' }).collect()
    }

    #[test]
    fn all_and_the_winners_moves() {
        let won = game([0; 6], 'w');
        assert_eq!(good(Rule::All, &won), "xxxxxx");
        assert_eq!(good(Rule::Winner, &won), ".x.x.x");
        assert_eq!(good(Rule::Winner, &game([0; 6], 'd')), "......");
    }

    #[test]
    fn held_looks_at_the_same_players_later_value() {
        // Black: 0, 500, −500, then loses. White: 0, −500, 500, then wins.
        let swings = game([0, 0, 500, -500, -500, 500], 'w');
        assert_eq!(good(Rule::Held, &swings), "x..x.x");
        // A draw is no worse than 0.
        assert_eq!(good(Rule::Held, &game([0; 6], 'd')), "xxxxxx");
    }

    #[test]
    fn comebacks_begin_at_the_worst_moment() {
        let back = game([0, 900, -600, 600, -900, 900], 'b');
        assert_eq!(good(Rule::Comeback, &back), "....x.");
        assert_eq!(good(Rule::Comeback, &game([0, 900, -900, 600, -800, 900], 'b')), "..x.x.");
        // Never behind, or behind and lost.
        assert_eq!(good(Rule::Comeback, &game([0, 0, 300, -300, 600, -600], 'b')), "......");
        assert_eq!(good(Rule::Comeback, &back).len(), 6);
        assert_eq!(good(Rule::Comeback, &game([0, 900, -600, 600, -900, 900], 'w')), "......");
    }

    #[test]
    fn a_large_mistake_spoils_the_game() {
        assert_eq!(good(Rule::Clean, &game([0, 0, 300, -300, 600, -600], 'b')), "x.x.x.");
        // From 600 to −300 and yet won.
        assert_eq!(good(Rule::Clean, &game([600, -600, -300, 300, 600, -600], 'b')), "......");
        // The loser's mistakes do not count.
        assert_eq!(good(Rule::Clean, &game([600, -600, -300, 300, -600, 600], 'w')), ".x.x.x");
    }

    #[test]
    fn without_scores_only_results_count() {
        let plain = text::parse("startpos|7g7f 3c3d 2g2f|b|").unwrap();
        assert_eq!(good(Rule::Held, &plain), "...");
        assert_eq!(good(Rule::Comeback, &plain), "...");
        assert_eq!(good(Rule::Clean, &plain), "x.x");
    }
}
