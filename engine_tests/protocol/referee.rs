//! Follows a session from both ends and finds what breaks the promises of the guide: one right answer to every
//! `go`, announced by the right lines.

use std::collections::VecDeque;

use tenbin::shogi::{MoveList, Rules, Walker, parse_position, useful_moves};
use tenbin::usi::command::Command;

use super::format::{self, Printed, Variation};
use super::oracle::Oracle;

/// A `go` without an answer.
struct Question {
    root: Oracle,
    /// Whether the position before it was understood.
    sound: bool,
    /// Whether only a mate is looked for.
    mate: bool,
    /// How many lines belong together: from here to there, as the engine may leave out useless moves.
    lines: (usize, usize),
    /// Whether the win must be declared; nothing where that is left open.
    declares: Option<bool>,
    may_resign: bool,
}

/// Knows what was told and what was heard so far.
pub struct Referee {
    walker: Walker,
    sound: bool,
    multi_pv: usize,
    may_resign: bool,
    /// The rule of entering kings, where it is not the usual one.
    other_rule: Option<String>,
    questions: VecDeque<Question>,
    extension_asked: bool,
    /// Place of the last line of play of the question under way.
    place: Option<usize>,
    last: Option<Printed>,
}

impl Default for Referee {
    fn default() -> Self {
        Self {
            walker: Walker::startpos(),
            sound: true,
            multi_pv: 1,
            may_resign: false,
            other_rule: None,
            questions: VecDeque::new(),
            extension_asked: false,
            place: None,
            last: None,
        }
    }
}

impl Referee {
    /// Number of `go` not yet answered.
    pub fn open(&self) -> usize {
        self.questions.len()
    }

    /// The engine was told this.
    pub fn told(&mut self, line: &str) {
        match Command::parse(line) {
            Command::Position(arguments) => match parse_position(&arguments, Rules::default()) {
                Ok((walker, _)) => (self.walker, self.sound) = (walker, true),
                Err(_) => self.sound = false,
            },
            Command::SetOption { name, value } => self.told_option(&name.to_ascii_lowercase(), value.trim()),
            Command::Side | Command::Moves | Command::Draw => self.extension_asked = true,
            Command::Go(go) => {
                let root = Oracle::at(&self.walker.position().to_sfen(None));
                let mut allowed: Vec<&String> = go.search_moves.iter().collect();
                allowed.sort();
                allowed.dedup();
                let allowed = allowed.into_iter().filter(|mv| root.clone().play(mv).is_ok()).count();
                let choice = match allowed {
                    0 => (self.useful_moves(), root.count()),
                    _ => (allowed, allowed),
                };
                let lines = match &self.other_rule {
                    // A winning king move under the try rule stands alone.
                    Some(rule) if rule == "tryrule" => (1, self.multi_pv),
                    _ if go.perft.is_some() => (1, 1),
                    _ => (self.multi_pv.min(choice.0), self.multi_pv.min(choice.1)),
                };
                let usual_rule = self.other_rule.is_none();
                self.questions.push_back(Question {
                    sound: self.sound,
                    mate: go.perft.is_none() && go.mate.is_some(),
                    lines,
                    declares: usual_rule.then(|| go.perft.is_none() && root.may_declare()),
                    may_resign: self.may_resign,
                    root,
                });
            }
            _ => {}
        }
    }

    fn told_option(&mut self, name: &str, value: &str) {
        match name {
            "multipv" => {
                if let Ok(count @ 1..=600) = value.parse() {
                    self.multi_pv = count;
                }
            }
            "resignvalue" => self.may_resign = true,
            "enteringkingrule" => {
                const RULES: [&str; 5] =
                    ["noenteringking", "csarule24", "csarule24h", "csarule27h", "tryrule"];
                let value = value.to_ascii_lowercase();
                if value == "csarule27" {
                    self.other_rule = None;
                } else if RULES.contains(&value.as_str()) {
                    self.other_rule = Some(value);
                }
            }
            _ => {}
        }
    }

    fn useful_moves(&self) -> usize {
        let mut list = MoveList::new();
        useful_moves(self.walker.position(), &mut list);
        list.len()
    }

    /// The engine printed this; what is wrong with it, if anything.
    pub fn heard(&mut self, line: &str) -> Result<Printed, String> {
        let printed = format::read(line)?;
        match &printed {
            Printed::Extension if !self.extension_asked => return Err("nobody asked".to_owned()),
            Printed::Variation(variation) => self.heard_variation(variation)?,
            answer if answer.is_answer() => self.heard_answer(answer)?,
            _ => {}
        }
        self.last = Some(printed.clone());
        Ok(printed)
    }

    fn heard_variation(&mut self, variation: &Variation) -> Result<(), String> {
        let question = self.questions.front().ok_or("a line of play without a go")?;
        question.root.clone().play_all(&variation.pv)?;
        match self.place {
            Some(place @ 2..) if variation.place != place - 1 => {
                return Err(format!("line {} after line {place}", variation.place));
            }
            Some(2..) => {}
            _ => {
                let (least, most) = question.lines;
                if !(least..=most).contains(&variation.place) {
                    return Err(format!("{most} lines belong together, this begins at the wrong one"));
                }
            }
        }
        self.place = Some(variation.place);
        Ok(())
    }

    fn heard_answer(&mut self, answer: &Printed) -> Result<(), String> {
        let question = self.questions.pop_front().ok_or("an answer without a go")?;
        if self.place.take().is_some_and(|place| place != 1) {
            return Err("the lines before the answer are not complete".to_owned());
        }
        let by_mate = matches!(answer, Printed::Mate(_) | Printed::NoMate | Printed::Timeout);
        if question.mate != by_mate {
            return Err("the wrong kind of answer".to_owned());
        }
        let lost = question.root.is_mated();
        match answer {
            Printed::Best { best, ponder } => {
                if !question.sound || lost || question.declares == Some(true) {
                    return Err("a move where none should come".to_owned());
                }
                match &self.last {
                    Some(Printed::Variation(line)) if line.place == 1 && line.pv[0] == *best => {}
                    other => return Err(format!("announced by {other:?}")),
                }
                question.root.clone().play_all([best].into_iter().chain(ponder))
            }
            Printed::Resign if lost || !question.sound || question.may_resign => Ok(()),
            Printed::Resign => Err("nothing was lost".to_owned()),
            Printed::Win if question.sound && question.declares != Some(false) => Ok(()),
            Printed::Win => Err("there is nothing to declare".to_owned()),
            Printed::Mate(moves) => {
                let mut position = question.root;
                position.play_all(moves)?;
                if position.is_mated() { Ok(()) } else { Err("not mated in the end".to_owned()) }
            }
            _ => Ok(()),
        }
    }
}

#[test]
fn the_referee_sees_what_is_wrong() {
    let info = |place: u32, pv: &str| {
        format!("info depth 1 seldepth 1 multipv {place} score cp 0 nodes 1 nps 1 hashfull 0 time 0 pv {pv}")
    };
    let right = vec![info(2, "2g2f"), info(1, "7g7f 3c3d"), "bestmove 7g7f ponder 3c3d".to_owned()];
    let cases: [(&str, Vec<String>); 10] = [
        ("go", vec!["bestmove 7g7f".to_owned()]),
        ("go", vec![info(1, "7g7f")]),
        ("go", vec![info(2, "2g2f"), info(1, "7g7f"), "bestmove 2g2f".to_owned()]),
        ("go", vec![info(2, "2g2f"), "bestmove 2g2f".to_owned()]),
        ("go", vec![info(2, "2g2f 2g2f")]),
        ("go", vec![info(2, "2g2f"), info(1, "7g7f"), "bestmove 7g7f ponder 7g7f".to_owned()]),
        ("go", vec!["bestmove resign".to_owned()]),
        ("go", vec!["bestmove win".to_owned()]),
        ("go", vec!["checkmate nomate".to_owned()]),
        ("go mate", vec!["checkmate 7g7f".to_owned()]),
    ];
    let hear = |go: &str, lines: &[String]| {
        let mut referee = Referee::default();
        referee.told("setoption name MultiPV value 2");
        referee.told(go);
        lines.iter().try_for_each(|line| referee.heard(line).map(|_| ()))
    };
    assert_eq!(hear("go", &right), Ok(()));
    for (go, lines) in cases {
        assert!(hear(go, &lines).is_err(), "{lines:?}");
    }
    assert!(Referee::default().heard("bestmove resign").is_err());
}
