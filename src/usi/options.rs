//! The one table of options: from it come what `usi` lists, what `setoption` accepts and the fields the
//! engine reads.

use std::path::PathBuf;

use super::journal::program_folder;
use crate::book;
use crate::search::Preferences;
use crate::search::clock::Habits;
use crate::search::params::{self, Params};
use crate::shogi::notation::quote;
use crate::shogi::{EnteringKingRule, Rules};

/// What kind of value an option has.
#[derive(Clone, Copy, Debug)]
enum Kind {
    /// A number from `min` to `max`.
    Spin { default: i32, min: i32, max: i32 },
    /// On or off.
    Check { default: bool },
    /// One of these words.
    Combo { default: &'static str, words: &'static [&'static str] },
    /// Any text.
    Text { default: &'static str },
    /// The name of a file.
    File { default: &'static str },
}

/// A row of the table.
struct Row {
    name: &'static str,
    kind: Kind,
    /// Whether `usi` lists it.
    listed: bool,
    get: fn(&Options) -> String,
    set: fn(&mut Options, &str) -> Result<(), String>,
}

/// A field that knows how to read and show itself.
trait Field: Sized {
    fn default_of(kind: Kind) -> Self;
    fn read(kind: Kind, text: &str) -> Result<Self, String>;
    fn show(&self) -> String;
}

impl Field for i32 {
    fn default_of(kind: Kind) -> Self {
        if let Kind::Spin { default, .. } = kind { default } else { 0 }
    }

    fn read(kind: Kind, text: &str) -> Result<Self, String> {
        let Kind::Spin { min, max, .. } = kind else { return Err("has no number".to_owned()) };
        match text.trim().parse::<i32>() {
            Ok(number) if (min..=max).contains(&number) => Ok(number),
            _ => Err(format!("{} is not a number from {min} to {max}", quote(text))),
        }
    }

    fn show(&self) -> String {
        self.to_string()
    }
}

impl Field for bool {
    fn default_of(kind: Kind) -> Self {
        matches!(kind, Kind::Check { default: true })
    }

    fn read(_: Kind, text: &str) -> Result<Self, String> {
        match text.trim().to_ascii_lowercase().as_str() {
            "true" | "on" | "1" => Ok(true),
            "false" | "off" | "0" => Ok(false),
            _ => Err(format!("{} is neither true nor false", quote(text))),
        }
    }

    fn show(&self) -> String {
        self.to_string()
    }
}

impl Field for String {
    fn default_of(kind: Kind) -> Self {
        match kind {
            Kind::Combo { default, .. } | Kind::Text { default } | Kind::File { default } => {
                default.to_owned()
            }
            Kind::Spin { .. } | Kind::Check { .. } => Self::new(),
        }
    }

    fn read(kind: Kind, text: &str) -> Result<Self, String> {
        match kind {
            Kind::Combo { words, .. } => words
                .iter()
                .find(|word| word.eq_ignore_ascii_case(text.trim()))
                .map(|&word| word.to_owned())
                .ok_or_else(|| format!("{} is none of {}", quote(text), words.join(", "))),
            _ if text == "<empty>" => Ok(Self::new()),
            _ => Ok(text.to_owned()),
        }
    }

    fn show(&self) -> String {
        if self.is_empty() { "<empty>".to_owned() } else { self.clone() }
    }
}

macro_rules! options {
    ($($(#[$doc:meta])* $field:ident: $type:ty = $name:literal, $kind:expr, $listed:expr;)*) => {
        /// The value of every option.
        #[derive(Clone, Debug)]
        pub struct Options {
            $($(#[$doc])* pub $field: $type,)*
            /// What can be tuned of the search, from its own table.
            pub params: Params,
        }

        impl Default for Options {
            fn default() -> Self {
                Self { $($field: <$type as Field>::default_of($kind),)* params: Params::default() }
            }
        }

        const TABLE: &[Row] = &[$(Row {
            name: $name,
            kind: $kind,
            listed: $listed,
            get: |options| options.$field.show(),
            set: |options, text| {
                options.$field = <$type as Field>::read($kind, text)?;
                Ok(())
            },
        },)*];
    };
}

const fn spin(default: i32, min: i32, max: i32) -> Kind {
    Kind::Spin { default, min, max }
}

const fn check(default: bool) -> Kind {
    Kind::Check { default }
}

const ENTERING_KING: Kind = Kind::Combo {
    default: "CSARule27",
    words: &["NoEnteringKing", "CSARule24", "CSARule24H", "CSARule27", "CSARule27H", "TryRule"],
};

const FOREVER: i32 = i32::MAX;

/// The name that means no file, as in `YaneuraOu`.
const NO_BOOK: &str = "no_book";

options! {
    /// Threads to think with.
    threads: i32 = "Threads", spin(1, 1, 512), true;
    /// Memory for the search in MB.
    hash: i32 = "USI_Hash", spin(64, 1, 1_048_576), true;
    /// Whether the client ponders; what it decides is the client's.
    ponder: bool = "USI_Ponder", check(false), true;
    /// Ponder on all replies instead of the expected one.
    stochastic_ponder: bool = "Stochastic_Ponder", check(false), true;
    /// Number of best lines to show.
    multi_pv: i32 = "MultiPV", spin(1, 1, 600), true;
    /// Milliseconds lost on the way to a server that counts full seconds.
    network_delay: i32 = "NetworkDelay", spin(120, 0, 60_000), true;
    /// Milliseconds kept back from the last that may be used.
    network_delay2: i32 = "NetworkDelay2", spin(100, 0, 60_000), true;
    /// Think at least so many milliseconds.
    minimum_thinking_time: i32 = "MinimumThinkingTime", spin(0, 0, 600_000), true;
    /// Per cent of the usual time to use.
    slow_mover: i32 = "SlowMover", spin(100, 1, 1000), true;
    /// Use up begun seconds.
    round_up: bool = "RoundUpToFullSecond", check(false), true;
    /// Resign when so many centipawns behind.
    resign_value: i32 = "ResignValue", spin(99_999, 0, 99_999), true;
    /// Number of the last move of a game; 0 for no limit.
    max_moves: i32 = "MaxMovesToDraw", spin(0, 0, 100_000), true;
    /// When a king in the enemy camp wins.
    entering_king: String = "EnteringKingRule", ENTERING_KING, true;
    /// What a draw is worth to Black in centipawns.
    draw_black: i32 = "DrawValueBlack", spin(-2, -30_000, 30_000), true;
    /// What a draw is worth to White in centipawns.
    draw_white: i32 = "DrawValueWhite", spin(-2, -30_000, 30_000), true;
    /// Least milliseconds between reports.
    pv_interval: i32 = "PvInterval", spin(300, 0, 100_000), true;
    /// Consider refusals to promote that are hardly ever useful.
    all_legal_moves: bool = "GenerateAllLegalMoves", check(false), true;
    /// Deepest search; 0 for no limit.
    depth_limit: i32 = "DepthLimit", spin(0, 0, FOREVER), true;
    /// Most nodes of a search; 0 for no limit.
    nodes_limit: i32 = "NodesLimit", spin(0, 0, FOREVER), true;
    /// Where random numbers start.
    seed: i32 = "Seed", spin(1, 0, FOREVER), true;
    /// Say in the end what was found about every move of the root.
    root_statistics: bool = "Root_Statistics", check(false), true;
    /// Say at every `go` who wins between players of several ratings.
    human_win_rate: bool = "HumanWinRate", check(false), true;
    /// The rating of those who play or look on.
    rating: i32 = "Rating", spin(1600, 0, 4000), true;
    /// Whether the opening book is used in games.
    own_book: bool = "USI_OwnBook", check(true), true;
    /// A file to use instead of the embedded book, or `no_book`.
    book_file: String = "BookFile", Kind::File { default: "" }, true;
    /// The last move of a game that may come from the book.
    book_moves: i32 = "BookMoves", spin(16, 0, 10_000), true;
    /// How many centipawns a move of the book may be worse than the best there.
    book_eval_diff: i32 = "BookEvalDiff", spin(30, 0, 99_999), true;
    /// The least a move of the book may be worth to Black.
    book_eval_black: i32 = "BookEvalBlackLimit", spin(0, -99_999, 99_999), true;
    /// The least a move of the book may be worth to White.
    book_eval_white: i32 = "BookEvalWhiteLimit", spin(-140, -99_999, 99_999), true;
    /// A folder with weights to use instead of the embedded ones.
    eval_dir: String = "EvalDir", Kind::Text { default: "" }, true;
    /// Where to log what is said, empty for nowhere.
    debug_log_file: String = "DebugLogFile", Kind::File { default: "" }, true;
    /// The plan to learn by.
    learn: String = "usi_learn", Kind::Text { default: "" }, false;
}

/// A relative name means beside the executable; an empty one stays empty.
fn beside_program(name: &str) -> PathBuf {
    if name.is_empty() { PathBuf::new() } else { program_folder().join(name) }
}

impl Options {
    /// Sets an option by its name in any case.
    ///
    /// Returns the proper name where the option is known and took the value, and nothing for an unknown one.
    pub fn set(&mut self, name: &str, value: &str) -> Result<Option<&'static str>, String> {
        let Some(row) = find(name) else { return self.params.set(name, value).transpose() };
        (row.set)(self, value).map_err(|error| format!("{}: {error}", row.name))?;
        Ok(Some(row.name))
    }

    /// The proper name and the value of an option.
    pub fn get(&self, name: &str) -> Option<(&'static str, String)> {
        let tuned = || params::find(name).map(|row| (row.name, row.show(&self.params)));
        find(name).map(|row| (row.name, (row.get)(self))).or_else(tuned)
    }

    /// What the search needs of them.
    pub fn preferences(&self) -> Preferences {
        Preferences {
            hash_mb: self.hash as usize,
            multi_pv: self.multi_pv as usize,
            all_legal_moves: self.all_legal_moves,
            draw_value: [self.draw_black, self.draw_white],
            pv_interval_ms: self.pv_interval as u64,
            seed: self.seed as u64,
            eval_dir: beside_program(&self.eval_dir),
            threads: self.threads as usize,
            root_statistics: self.root_statistics,
            human_rating: self.human_win_rate.then_some(self.rating as u16),
            params: self.params.clone(),
        }
    }

    /// What the book needs of them; nothing where it is not wanted.
    pub fn book(&self) -> Option<book::Settings> {
        if !self.own_book || self.book_file.eq_ignore_ascii_case(NO_BOOK) {
            return None;
        }
        let beside = beside_program(&self.book_file);
        // A file that is not there is looked for where the program was started.
        let file = if beside.exists() { beside } else { PathBuf::from(&self.book_file) };
        Some(book::Settings {
            file,
            moves: self.book_moves as u32,
            worse: self.book_eval_diff,
            least: [self.book_eval_black, self.book_eval_white],
        })
    }

    /// What the clock needs of them.
    pub fn habits(&self) -> Habits {
        Habits {
            network_delay: self.network_delay as u64,
            network_delay2: self.network_delay2 as u64,
            minimum: self.minimum_thinking_time as u64,
            slow_mover: self.slow_mover as u64,
            round_up: self.round_up,
        }
    }

    /// What the rules need of them.
    pub fn rules(&self) -> Rules {
        let entering_king = match self.entering_king.as_str() {
            "CSARule24" => EnteringKingRule::Point24,
            "CSARule24H" => EnteringKingRule::Point24Handicap,
            "CSARule27" => EnteringKingRule::Point27,
            "CSARule27H" => EnteringKingRule::Point27Handicap,
            "TryRule" => EnteringKingRule::TryRule,
            _ => EnteringKingRule::None,
        };
        Rules { max_moves: self.max_moves as u32, entering_king }
    }
}

fn find(name: &str) -> Option<&'static Row> {
    TABLE.iter().find(|row| row.name.eq_ignore_ascii_case(name))
}

/// The variable of the environment that makes hidden parameters be listed too: tuners set only what is listed.
pub const TUNING: &str = "TENBIN_TUNING";

/// The lines that `usi` prints for the options.
pub fn listing() -> impl Iterator<Item = String> {
    let tuning = std::env::var_os(TUNING).is_some();
    TABLE
        .iter()
        .filter(|row| row.listed)
        .map(|row| {
            let text =
                |default: &str| if default.is_empty() { "<empty>".to_owned() } else { default.to_owned() };
            let kind = match row.kind {
                Kind::Spin { default, min, max } => format!("spin default {default} min {min} max {max}"),
                Kind::Check { default } => format!("check default {default}"),
                Kind::Combo { default, words } => {
                    format!("combo default {default} var {}", words.join(" var "))
                }
                Kind::Text { default } => format!("string default {}", text(default)),
                Kind::File { default } => format!("filename default {}", text(default)),
            };
            format!("option name {} type {kind}", row.name)
        })
        .chain(params::TABLE.iter().filter(move |row| row.listed || tuning).map(tuned_listing))
}

/// The numbers that can be tuned, as the runner of matches `shogiarena` reads them.
pub fn tunables() -> String {
    // The size of the last steps that SPSA takes, as a share of a change that can be felt.
    const RATE: f64 = 0.002;
    let numbers = params::TABLE.iter().filter(|row| row.words.is_empty());
    let tunables: Vec<serde_json::Value> = numbers
        .map(|row| {
            serde_json::json!({
                "id": row.name, "option": row.name, "value_type": "int", "encoding": "integer",
                "default": row.default, "min": row.min, "max": row.max,
                "schedule": {"c_end": row.step, "r_end": RATE},
            })
        })
        .collect();
    serde_json::json!({"schema_version": "shogiarena.usi_tunables.v1", "tunables": tunables}).to_string()
}

/// The same for a parameter of the search.
fn tuned_listing(row: &params::Row) -> String {
    let default = row.show(&Params::default());
    let kind = match row.words {
        [] => format!("spin default {default} min {} max {}", row.min, row.max),
        ["false", "true"] => format!("check default {default}"),
        words => format!("combo default {default} var {}", words.join(" var ")),
    };
    format!("option name {} type {kind}", row.name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_in_any_case_and_bad_values_change_nothing() {
        let mut options = Options::default();
        assert_eq!(options.set("usi_hash", "128"), Ok(Some("USI_Hash")));
        assert_eq!(options.hash, 128);
        for bad in ["", "-1", "0", "x", "99999999999999999999", "1.5"] {
            assert!(options.set("USI_Hash", bad).is_err(), "{bad}");
            assert_eq!(options.hash, 128);
        }
        assert_eq!(options.set("NoSuchOption", "1"), Ok(None));
        assert!(options.set("RoundUpToFullSecond", "maybe").is_err());
        assert!(options.set("EnteringKingRule", "none of them").is_err());
    }

    #[test]
    fn empty_is_written_out() {
        let mut options = Options::default();
        assert_eq!(options.get("debuglogfile"), Some(("DebugLogFile", "<empty>".to_owned())));
        options.set("DebugLogFile", "a b").expect("any text will do");
        assert_eq!(options.debug_log_file, "a b");
        options.set("DebugLogFile", "<empty>").expect("any text will do");
        assert_eq!(options.debug_log_file, "");
    }

    #[test]
    fn every_rule_that_can_be_chosen_is_known() {
        let mut options = Options::default();
        let Kind::Combo { words, .. } = ENTERING_KING else { unreachable!() };
        let mut rules = Vec::new();
        for word in words {
            options.set("EnteringKingRule", word).expect("listed");
            let rule = options.rules().entering_king;
            assert!(!rules.contains(&rule), "{word} means {rule:?} too");
            rules.push(rule);
        }
    }

    #[test]
    fn the_learner_is_not_listed_but_set() {
        assert!(listing().all(|line| !line.contains("usi_learn")));
        assert_eq!(Options::default().set("usi_learn", "plan.toml"), Ok(Some("usi_learn")));
    }

    #[test]
    fn lines_have_no_double_or_trailing_spaces() {
        for line in listing() {
            assert!(line.is_ascii() && !line.contains("  ") && !line.ends_with(' '), "{line}");
        }
    }
}
