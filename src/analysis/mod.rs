//! A game looked at by the engine, move by move, and written down as a page for people.

pub mod board;
pub mod graph;
pub mod page;
pub mod people;
pub mod wording;

pub use people::People;

use parking_lot::Mutex;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use crate::learn::records::{self, Game};
use crate::search::clock::Budget;
use crate::search::{Answer, Control, Line, Score, Search, Task, TreeSearch};
use crate::shogi::{Color, Move, Walker};

/// Nodes for a mate that the tree has not seen.
const MATE_NODES: u64 = 30_000;

/// Most turning points, and the least that they cost.
pub const TURNING_POINTS: (usize, f64) = (8, 0.1);

/// How long a position is thought about.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Effort {
    /// So many playouts.
    Playouts(u64),
    /// So many milliseconds.
    Milliseconds(u64),
}

/// What the engine thinks of a position.
#[derive(Clone, Debug)]
pub struct Judgement {
    /// For the side to move.
    pub score: Score,
    /// The best line; none where the game is over.
    pub best: Vec<Move>,
    /// Playouts it rests on, with those that were kept of the searches before.
    pub playouts: u64,
    /// Those of them that began with the best move.
    pub behind: u64,
}

impl Judgement {
    /// The chance to win of the side to move.
    pub fn win_rate(&self) -> f64 {
        match self.score {
            Score::Cp(cp) => 1.0 / (1.0 + (-f64::from(cp) / 600.0).exp()),
            Score::Mates(_) => 1.0,
            Score::Mated(_) => 0.0,
        }
    }
}

/// A game with what the engine thinks of its positions, as far as it got: one more than moves where it got to the end.
pub struct Analysis {
    /// The game.
    pub game: Game,
    /// Who played Black and White, where known.
    pub names: [Option<String>; 2],
    /// From the first position on.
    pub judgements: Vec<Judgement>,
    /// What it is worth to players of a rating, where that is known.
    pub people: Option<People>,
}

/// What one move was worth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Verdict {
    /// How much of the chance to win it cost.
    pub loss: f64,
    /// Whether it was what the engine would have played.
    pub is_best: bool,
    /// The plies of a mate that it threw away.
    pub missed_mate: Option<u32>,
}

impl Analysis {
    /// What the moves were worth whose positions before and after are both known.
    pub fn verdicts(&self) -> Vec<Verdict> {
        let judge = |(pair, ply): (&[Judgement], &records::Ply)| {
            let [before, after] = pair else { unreachable!("windows of two") };
            let is_best = before.best.first() == Some(&ply.mv);
            // The next search may think otherwise of the very move it would have played: that is no mistake of the player.
            let loss = if is_best { 0.0 } else { (before.win_rate() + after.win_rate() - 1.0).max(0.0) };
            let missed_mate = match (before.score, after.score) {
                (Score::Mates(plies), Score::Cp(_) | Score::Mates(_)) if !is_best => Some(plies),
                _ => None,
            };
            Verdict { loss, is_best, missed_mate }
        };
        self.judgements.windows(2).zip(&self.game.moves).map(judge).collect()
    }

    /// Places of the moves that cost most, in the order of the game: at most `most`, none that cost less than `least`.
    pub fn turning_points(&self, most: usize, least: f64) -> Vec<usize> {
        let verdicts = self.verdicts();
        let mut places: Vec<usize> = (0..verdicts.len()).filter(|&i| verdicts[i].loss >= least).collect();
        places.sort_by(|&a, &b| verdicts[b].loss.total_cmp(&verdicts[a].loss));
        places.truncate(most);
        places.sort_unstable();
        places
    }

    /// A walker before each move, and one after the last.
    pub fn walkers(&self) -> Vec<Walker> {
        let mut walker = self.game.start();
        let mut walkers = vec![walker.fork()];
        for ply in &self.game.moves {
            walker.apply(ply.mv);
            walkers.push(walker.fork());
        }
        walkers
    }
}

/// Ends an analysis from another thread.
#[derive(Default)]
pub struct Interrupt(Mutex<(bool, Option<Arc<Control>>)>);

impl Interrupt {
    /// An analysis that nobody has ended.
    pub const fn new() -> Self {
        Self(Mutex::new((false, None)))
    }

    /// Ends it.
    pub fn stop(&self) {
        let mut state = self.0.lock();
        state.0 = true;
        if let Some(control) = &state.1 {
            control.stop();
        }
    }

    /// Whether it was ended.
    pub fn is_stopped(&self) -> bool {
        self.0.lock().0
    }

    /// Watches a search; false where it is too late.
    fn watch(&self, control: &Arc<Control>) -> bool {
        let mut state = self.0.lock();
        state.1 = Some(Arc::clone(control));
        !state.0
    }
}

/// The first game of a file, or what is wrong with it.
pub fn read(path: &Path) -> Result<Game, String> {
    let mut found = None;
    let tally = records::read(path, &mut |game| {
        found = Some(game);
        std::ops::ControlFlow::Break(())
    })
    .map_err(|error| error.to_string())?;
    let reason = tally.examples.first().map_or("no game in it".to_owned(), |skipped| {
        format!("{} {}: {}", records::Format::of(path).unit(), skipped.place, skipped.reason)
    });
    found.ok_or_else(|| format!("{}: {reason}", path.display()))
}

/// Who played, by the head of a record.
pub fn names(bytes: &[u8]) -> [Option<String>; 2] {
    let text = std::str::from_utf8(bytes).map_or_else(
        |_| encoding_rs::SHIFT_JIS.decode(bytes).0,
        |text| std::borrow::Cow::Borrowed(text.trim_start_matches('\u{feff}')),
    );
    let find = |heads: [&str; 3]| {
        text.lines().take(200).find_map(|line| {
            let name = heads.iter().find_map(|head| line.strip_prefix(head))?.trim();
            (!name.is_empty()).then(|| name.chars().take(60).collect())
        })
    };
    [find(["先手：", "下手：", "N+"]), find(["後手：", "上手：", "N-"])]
}

/// Judges the positions of a game one after the other, until the end or the interruption. `done` hears after each of them.
pub fn judge(
    search: &mut TreeSearch,
    game: &Game,
    effort: Effort,
    interrupt: &Interrupt,
    done: &mut dyn FnMut(usize, &Judgement),
) -> Vec<Judgement> {
    search.new_game();
    let mut judgements = Vec::new();
    let mut walker = game.start();
    for place in 0..=game.moves.len() {
        let Some(judgement) = judge_position(search, &walker, Vec::new(), effort, interrupt) else { break };
        done(place, &judgement);
        judgements.push(judgement);
        if let Some(ply) = game.moves.get(place) {
            walker.apply(ply.mv);
        }
    }
    judgements
}

/// Judges a position, by some of its moves where any are named.
fn judge_position(
    search: &mut TreeSearch,
    walker: &Walker,
    root_moves: Vec<Move>,
    effort: Effort,
    interrupt: &Interrupt,
) -> Option<Judgement> {
    if walker.is_mated() {
        let over = Judgement { score: Score::Mated(1), best: Vec::new(), playouts: 0, behind: 0 };
        return (!interrupt.is_stopped()).then_some(over);
    }
    let mut task = Task { walker: walker.fork(), root_moves, nodes: None, depth: None, mate: false };
    let begun = Instant::now();
    let control = Arc::new(Control::new(begun));
    match effort {
        Effort::Playouts(playouts) => task.nodes = Some(playouts),
        Effort::Milliseconds(ms) => control.set_budget(Budget::exactly(ms), begun),
    }
    if !interrupt.watch(&control) {
        return None;
    }
    let Answer::Best(lines) = search.think(&task, &control, &mut |_| {}) else { return None };
    let line = lines.into_iter().next()?;
    if interrupt.is_stopped() {
        return None;
    }
    Some(with_mate(search, &task, line))
}

/// The judgement of a line, or of a mate that it has not seen.
fn with_mate(search: &mut TreeSearch, task: &Task, line: Line) -> Judgement {
    let (all, behind) = line.pv.first().map_or((0, 0), |&mv| search.visits(&task.walker, mv));
    let playouts = all.max(line.nodes);
    if matches!(line.score, Score::Cp(_)) && task.root_moves.is_empty() {
        let mate = Task { mate: true, nodes: Some(MATE_NODES), ..task.clone() };
        let control = Control::new(Instant::now());
        if let Answer::Checkmate(pv) = search.think(&mate, &control, &mut |_| {})
            && pv.len() as u32 <= task.walker.plies_left()
        {
            let score = Score::Mates(pv.len() as u32);
            return Judgement { score, best: pv, playouts, behind };
        }
    }
    Judgement { score: line.score, best: line.pv, playouts, behind }
}

/// The chance of Black to win, from the view of the side to move.
pub fn for_black(win_rate: f64, turn: Color) -> f64 {
    if turn == Color::Black { win_rate } else { 1.0 - win_rate }
}
