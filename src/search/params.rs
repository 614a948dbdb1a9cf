//! Everything that can be tuned, in one table: from it come the struct, the getters, the options and the help.

use super::level::FULL;
use crate::playout::{Cutoff, MateCheck};
use crate::shogi::notation::quote;

/// A row of the table.
pub struct Row {
    /// The name of the option.
    pub name: &'static str,
    /// The value it has unless it is set.
    pub default: i32,
    /// Least value.
    pub min: i32,
    /// Largest value.
    pub max: i32,
    /// A change of this size can be felt.
    pub step: i32,
    /// The number stands for itself divided by this.
    pub unit: i32,
    /// Words for the values from `min` on, where it is a choice.
    pub words: &'static [&'static str],
    /// Whether clients are told of it; the others are for tuning.
    pub listed: bool,
    /// What it does.
    pub help: &'static str,
    get: fn(&Params) -> i32,
    set: fn(&mut Params, i32),
}

/// What kind of value a row has.
struct Kind {
    default: i32,
    min: i32,
    max: i32,
    step: i32,
    unit: i32,
    words: &'static [&'static str],
}

const fn number(default: i32, min: i32, max: i32, step: i32) -> Kind {
    Kind { default, min, max, step, unit: 1, words: &[] }
}

const fn hundredths(default: i32, min: i32, max: i32, step: i32) -> Kind {
    Kind { default, min, max, step, unit: 100, words: &[] }
}

const fn choice(default: i32, words: &'static [&'static str]) -> Kind {
    Kind { default, min: 0, max: words.len() as i32 - 1, step: 1, unit: 1, words }
}

const NO_YES: &[&str] = &["false", "true"];
const MATES: &[&str] = &["off", "one", "three"];

macro_rules! params {
    ($($field:ident = $name:literal, $kind:expr, $listed:literal, $help:literal;)*) => {
        /// The value of every parameter.
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct Params {
            $($field: i32,)*
        }

        impl Default for Params {
            fn default() -> Self {
                Self { $($field: const { $kind.default },)* }
            }
        }

        impl Params {
            $(#[doc = $help] #[inline] pub fn $field(&self) -> f32 {
                self.$field as f32 / const { $kind.unit } as f32
            })*
        }

        /// The table.
        pub const TABLE: &[Row] = &[$(Row {
            name: $name,
            default: $kind.default,
            min: $kind.min,
            max: $kind.max,
            step: $kind.step,
            unit: $kind.unit,
            words: $kind.words,
            listed: $listed,
            help: $help,
            get: |params| params.$field,
            set: |params, value| params.$field = value,
        },)*];
    };
}

params! {
    selection = "Selection", choice(2, &["ucb", "ucb-tuned", "puct"]), true,
        "How the next move to try is chosen in the tree";
    policy = "Playout_Policy", choice(2, &["uniform", "transition", "balancing"]), true,
        "Which policy plays the playouts";
    depth = "Playout_Depth", number(5, 0, 256, 1), true,
        "Plies after which a playout is cut off and evaluated";
    cutoff = "Playout_Cutoff", choice(0, &["fixed", "either", "both"]), true,
        "Where exactly: there, there or a ply before, or at both";
    mate = "Playout_Mate", choice(1, MATES), true,
        "Mates looked for on every ply of a playout";
    leaf_mate = "Leaf_Mate", choice(2, MATES), true,
        "Mates looked for when a position enters the tree";
    reward = "Reward", choice(0, &["winrate", "threshold"]), true,
        "What a playout that was cut off counts";
    threshold = "Reward_Threshold", number(100, 0, 10_000, 25), false,
        "Centipawns by which the value must differ from the root's to count as won or lost";
    tempo = "Tempo", number(0, -500, 500, 10), false,
        "Centipawns by which quiet values are too good for the side to move";
    candidates = "Candidates", number(16, 1, 64, 2), true,
        "Moves of a position that playouts choose among";
    narrows = "Candidates_By", choice(0, &["own", "transition"]), false,
        "Playouts by the balancing policy: who says which moves they choose among";
    share = "Candidate_Share", Kind { default: 10, min: 0, max: 10_000, step: 5, unit: 10_000, words: &[] }, false,
        "None of them less likely than this share of the likeliest";
    playout_temperature = "Playout_Temperature", hundredths(50, 5, 500, 10), true,
        "Below 100 playouts choose likely moves more often than the transition policy says, above it less often";
    leaf_weight = "Leaf_Weight", hundredths(50, 0, 100, 10), true,
        "Weight of the leaf's own quiet value beside that of its playout";
    certain = "Certain_Value", hundredths(100, 0, 100, 5), false,
        "Where leaves have weight, one whose own value is at least so far from 0 gets no playout";
    c_init = "C_Init", hundredths(200, 0, 1000, 10), false,
        "puct: weight of the prior";
    c_root = "C_Root", hundredths(200, 0, 1000, 10), false,
        "puct: weight of the prior at the root";
    c_base = "C_Base", number(20_000, 1, 1_000_000, 3000), false,
        "puct: visits at which that weight has grown by ln 2";
    first_play = "First_Play", hundredths(20, 0, 200, 5), false,
        "puct: how much less than its parent an untried move is worth, times the root of the prior tried";
    first_play_root = "First_Play_Root", hundredths(10, 0, 200, 5), false,
        "The same at the root";
    temperature = "Prior_Temperature", hundredths(130, 20, 500, 10), false,
        "Priors are flattened by this exponent";
    root_temperature = "Root_Temperature", hundredths(150, 20, 500, 10), false,
        "The same at the root";
    ucb_alpha = "Ucb_Alpha", hundredths(50, 0, 1000, 5), false,
        "ucb, ucb-tuned: weight of the bound";
    prior_visits = "Prior_Visits", number(5, 0, 1000, 1), false,
        "ucb, ucb-tuned: visits that a new node starts with";
    prior_reward = "Prior_Reward", hundredths(0, -100, 100, 5), false,
        "ucb, ucb-tuned: their mean reward";
    widening = "Widening", choice(0, &["even", "growing"]), false,
        "ucb, ucb-tuned: a new child every few visits, or after ever more";
    widening_first = "Widening_First", number(3, 1, 1000, 1), false,
        "Even widening: visits before the first child";
    widening_every = "Widening_Every", number(4, 1, 1000, 1), false,
        "Even widening: visits from one child to the next";
    order = "Widening_Order", choice(0, &["transition", "own"]), false,
        "ucb, ucb-tuned: the policy in whose order children are tried; own is that of the playouts, where it is balancing";
    expand_visits = "Expand_Visits", number(2, 1, 100, 1), false,
        "A node is expanded on this visit";
    virtual_loss = "Virtual_Loss", hundredths(100, 0, 500, 20), false,
        "Losses that a playout under way counts";
    choice_share = "Choice_Share", hundredths(30, 1, 100, 5), false,
        "Share of the most visits a move needs to be chosen for its lower bound";
    choice_sigma = "Choice_Sigma", hundredths(300, 0, 1000, 50), false,
        "Standard errors from the mean to the lower bound";
    mate_nodes = "Mate_Search", number(1000, 0, 1_000_000, 200), true,
        "Nodes of the first mate search from a position of the principal line; 0 for none";
    mate_interval = "Mate_Interval", number(1000, 16, 1_000_000, 200), false,
        "Playouts from one mate search to the next";
    extend = "Extend_Time", hundredths(200, 100, 500, 20), false,
        "Times its share that a move may take where the choice is not clear";
    remembered = "Remembered_Positions", number(0, 0, 1 << 20, 4096), false,
        "Positions whose candidates a worker remembers between playouts";
    simple = "Simple_Monte_Carlo", choice(0, NO_YES), true,
        "No tree: statistics of the root's moves only";
    reuse = "Reuse_Tree", choice(1, NO_YES), true,
        "Keep the tree from move to move";
    skill = "SkillLevel", number(FULL, 0, FULL, 1), true,
        "How well to play in games: 20 as well as possible, 0 as a beginner";
    play_rating = "PlayRating", number(0, 0, 2800, 100), true,
        "Play games as a player of this rating would, 1100 to 2800; 0 for not";
    playouts_limit = "PlayoutsLimit", number(0, 0, 10_000_000, 1000), true,
        "Most playouts for a move in games; 0 for no limit";
    sure_stop = "Sure_Stop", choice(0, NO_YES), false,
        "Where playouts are counted: none that could not change which move has most of them";
    cut_losers = "Cut_Losers", choice(1, NO_YES), true,
        "No playouts for moves that cannot catch up, and no waiting when none can";
}

impl Row {
    /// The value in a set of parameters, as it is written.
    pub fn show(&self, params: &Params) -> String {
        let value = (self.get)(params);
        self.words.get(value as usize).map_or_else(|| value.to_string(), |&word| word.to_owned())
    }
}

impl Params {
    /// Sets a parameter by its name in any case, to a number or a word. Nothing where there is no such parameter.
    pub fn set(&mut self, name: &str, text: &str) -> Option<Result<&'static str, String>> {
        let row = find(name)?;
        let text = text.trim();
        let word = row.words.iter().position(|word| word.eq_ignore_ascii_case(text));
        let value = match word {
            Some(place) => Some(row.min + place as i32),
            None if row.words.is_empty() => {
                text.parse().ok().filter(|value| (row.min..=row.max).contains(value))
            }
            None => None,
        };
        Some(match value {
            Some(value) => {
                (row.set)(self, value);
                Ok(row.name)
            }
            None if row.words.is_empty() => {
                Err(format!("{}: {} is not a number from {} to {}", row.name, quote(text), row.min, row.max))
            }
            None => Err(format!("{}: {} is none of {}", row.name, quote(text), row.words.join(", "))),
        })
    }

    /// The same parameters with one of them set.
    ///
    /// # Panics
    /// Where the table does not allow it; for experiments and tests.
    #[must_use]
    pub fn with(mut self, name: &str, text: &str) -> Self {
        self.set(name, text).expect("a parameter of the table").expect("a value it allows");
        self
    }

    /// The same parameters without what makes the engine weaker in games.
    #[must_use]
    pub fn at_full_strength(self) -> Self {
        self.with("SkillLevel", &FULL.to_string()).with("PlayRating", "0").with("PlayoutsLimit", "0")
    }

    /// Whether playouts are to follow the balancing policy.
    pub fn is_balancing(&self) -> bool {
        self.policy() as i32 == 2
    }

    /// Whether children are tried in the order of the balancing policy.
    pub(super) fn orders_by_balancing(&self) -> bool {
        self.is_balancing() && Self::yes(self.order())
    }

    /// The choice a row of words stands at, as a yes or no.
    pub(super) fn yes(value: f32) -> bool {
        value > 0.0
    }
}

/// The row of a name in any case.
pub fn find(name: &str) -> Option<&'static Row> {
    TABLE.iter().find(|row| row.name.eq_ignore_ascii_case(name))
}

/// A depth of looking for mates by its place among the words.
pub(super) fn mate_check(value: f32) -> MateCheck {
    match value as i32 {
        0 => MateCheck::Off,
        1 => MateCheck::One,
        _ => MateCheck::Three,
    }
}

/// Where playouts are cut off by the place among the words.
pub(super) fn cutoff(value: f32) -> Cutoff {
    match value as i32 {
        0 => Cutoff::Fixed,
        1 => Cutoff::Either,
        _ => Cutoff::Both,
    }
}

/// The table for people: a line for each parameter.
pub fn help() -> impl Iterator<Item = String> {
    TABLE.iter().map(|row| {
        let default = row.show(&Params::default());
        let range = if row.words.is_empty() {
            format!("{} to {}, step {}, unit 1/{}", row.min, row.max, row.step, row.unit)
        } else {
            row.words.join(", ")
        };
        format!("{:<20} {default:>10}  {} ({range})", row.name, row.help)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_holds_what_it_says() {
        for row in TABLE {
            assert!(
                (row.min..=row.max).contains(&row.default) && row.step > 0 && row.unit > 0,
                "{}",
                row.name
            );
            assert!(!row.name.contains(' ') && row.name.is_ascii(), "{}", row.name);
            let mut params = Params::default();
            for text in [row.min.to_string(), row.max.to_string()] {
                let text = row.words.get(text.parse::<usize>().unwrap_or(0)).map_or(text, |&w| w.to_owned());
                assert_eq!(params.set(&row.name.to_lowercase(), &text), Some(Ok(row.name)));
                assert_eq!(row.show(&params), text);
            }
            assert!(params.set(row.name, "nonsense").is_some_and(|result| result.is_err()));
        }
        assert_eq!(Params::default().set("NoSuchThing", "1"), None);
    }

    #[test]
    fn getters_know_the_unit() {
        let params = Params::default().with("C_Init", "150");
        assert!((params.c_init() - 1.5).abs() < 1e-6);
        assert!((params.depth() - 5.0).abs() < 1e-6);
    }
}
