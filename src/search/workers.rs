//! The workers of a search: one in this thread, which also watches the clock, reports and looks for mates; the others
//! in threads of their own.

use rand_pcg::Pcg64Mcg;
use std::sync::atomic::Ordering;
use std::thread;
use std::time::{Duration, Instant};

use super::choice::{self, RootMove, ranked};
use super::formulas::can_catch_up;
use super::hunt::Hunt;
use super::iteration::{Counters, Session, Worker};
use super::params::Params;
use super::stop::{Decision, Stopping};
use super::{Control, Line, Preferences, Task};
use crate::eval::{NetworkEvaluator, Scales};
use crate::mate::dfpn::Solver;
use crate::shogi::Move;

/// The root is looked at every so many playouts of the first worker.
const BETWEEN_LOOKS: u64 = 64;

/// Where playouts are limited, the first report comes after so many of them and the others whenever they have doubled.
const FIRST_REPORT: u64 = 1024;

/// The first mate search comes after so many playouts.
const FIRST_HUNT: u64 = 32;

/// Nodes of mate searches for each playout at most, in the long run.
const HUNT_SHARE: u64 = 4;

/// Why the workers ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The search is over.
    Done,
    /// Memory is out: make room and go on.
    Full,
}

/// A search under way, over any number of rounds of workers.
pub struct Round<'a> {
    session: &'a Session<'a>,
    task: &'a Task,
    control: &'a Control,
    stopping: Stopping<'a>,
    multi_pv: usize,
    interval: Duration,
    hunt: Hunt,
    hunt_interval: u64,
    next_hunt: u64,
    last_report: Option<Instant>,
    next_report: u64,
    randoms: Vec<Pcg64Mcg>,
}

impl<'a> Round<'a> {
    /// A search with as many workers as there are sources of random numbers.
    pub fn new(
        session: &'a Session<'a>,
        task: &'a Task,
        control: &'a Control,
        preferences: &Preferences,
        hoped: Option<f32>,
        randoms: Vec<Pcg64Mcg>,
    ) -> Self {
        let params = &preferences.params;
        let cut = Params::yes(params.cut_losers());
        let stopping = Stopping::new(control, task, preferences.multi_pv, params.extend(), hoped, cut)
            .when_sure(Params::yes(params.sure_stop()));
        Self {
            session,
            task,
            control,
            stopping,
            multi_pv: preferences.multi_pv,
            interval: Duration::from_millis(preferences.pv_interval_ms),
            hunt: Hunt { nodes: params.mate_nodes() as u64, found: Vec::new() },
            hunt_interval: params.mate_interval() as u64,
            next_hunt: FIRST_HUNT,
            last_report: None,
            next_report: FIRST_REPORT,
            randoms,
        }
    }

    /// Lets all workers work until the search is over or memory is out.
    pub fn run(
        &mut self,
        evaluator: &NetworkEvaluator,
        solver: &mut Solver,
        report: &mut dyn FnMut(Vec<Line>),
    ) -> Outcome {
        let session = self.session;
        session.counters.halt.store(false, Ordering::Relaxed);
        let most = self.stopping.most();
        let make = |task: &Task, random: Pcg64Mcg| {
            Worker::new(session, Scales::new(task.walker.fork(), evaluator.clone()), random)
        };
        let mut randoms = std::mem::take(&mut self.randoms).into_iter();
        let first = make(self.task, randoms.next().expect("there is a worker"));
        let mut others: Vec<Worker> = randoms.map(|random| make(self.task, random)).collect();
        let outcome = thread::scope(|scope| {
            for worker in &mut others {
                let run = move || {
                    while !session.counters.halt.load(Ordering::Relaxed) && !session.arena.is_full() {
                        if session.counters.begun.fetch_add(1, Ordering::Relaxed) >= most {
                            break;
                        }
                        worker.iterate();
                    }
                };
                thread::Builder::new()
                    .name("worker".to_owned())
                    .spawn_scoped(scope, run)
                    .expect("a thread can be started");
            }
            let mut first = first;
            let outcome = self.lead(&mut first, most, solver, report);
            session.counters.halt.store(true, Ordering::Relaxed);
            self.randoms.push(first.into_random());
            outcome
        });
        self.randoms.extend(others.into_iter().map(Worker::into_random));
        // Playouts that were begun but not made may be begun again.
        let Counters { begun, playouts, .. } = &session.counters;
        begun.store(playouts.load(Ordering::Relaxed), Ordering::Relaxed);
        outcome
    }

    /// The first worker's part.
    fn lead(
        &mut self,
        worker: &mut Worker,
        most: u64,
        solver: &mut Solver,
        report: &mut dyn FnMut(Vec<Line>),
    ) -> Outcome {
        let session = self.session;
        for turn in 0_u64.. {
            if session.arena.is_full() {
                return Outcome::Full;
            }
            let playouts = session.counters.playouts.load(Ordering::Relaxed);
            if turn.is_multiple_of(BETWEEN_LOOKS) || playouts >= most {
                if self.look(playouts, solver, report) == Decision::Stop {
                    return Outcome::Done;
                }
            } else if self.stopping.must_stop() {
                return Outcome::Done;
            }
            if session.counters.begun.fetch_add(1, Ordering::Relaxed) < most {
                worker.iterate();
            } else {
                thread::yield_now();
            }
        }
        Outcome::Done
    }

    fn ranked(&self) -> Vec<RootMove> {
        let Session { arena, root, formulas, .. } = self.session;
        ranked(arena, *root, &self.task.walker, &self.task.root_moves, formulas)
    }

    /// Looks at the root: mates, reports, whether to go on and with which moves.
    fn look(&mut self, playouts: u64, solver: &mut Solver, report: &mut dyn FnMut(Vec<Line>)) -> Decision {
        let mut moves = self.ranked();
        if playouts >= self.next_hunt
            && self.hunt.nodes > 0
            && let Some(first) = moves.first()
        {
            let nodes = self.hunt.look(self.session, &self.task.walker, first, solver, self.control);
            self.next_hunt = playouts + self.hunt_interval.max(nodes / HUNT_SHARE);
            moves = self.ranked();
        }
        let line = match (self.task.depth, moves.first()) {
            (Some(_), Some(first)) if playouts > 0 => {
                let Session { arena, root, .. } = self.session;
                let nodes = choice::principal_nodes(arena, *root, first, &self.task.walker).len() as u32;
                // The last node has no move yet.
                nodes.saturating_sub(1).max(1)
            }
            _ => 0,
        };
        // A mate of the root found from the root itself has no child to show for it.
        if self.session.arena.node(self.session.root).proof().is_certain() && !self.session.restricted {
            return Decision::Stop;
        }
        let decision = self.stopping.decide(playouts, &moves, line);
        if let Decision::GoOn { left } = decision {
            self.drop_losers(&moves, left);
            if self.is_time_to_report(playouts) {
                report(self.lines(&moves, solver));
            }
        }
        decision
    }

    fn is_time_to_report(&mut self, playouts: u64) -> bool {
        // Counted where it can be, so that the same search says the same.
        let due = if self.task.nodes.is_some() {
            playouts >= self.next_report
        } else {
            // The first at once: whoever looks wants to see something.
            playouts > 0 && self.last_report.is_none_or(|time| time.elapsed() >= self.interval)
        };
        if due {
            self.next_report = 2 * playouts.max(FIRST_REPORT);
            self.last_report = Some(Instant::now());
        }
        due
    }

    /// Moves that cannot catch up any more get no more playouts.
    fn drop_losers(&self, moves: &[RootMove], left: u64) {
        if left == u64::MAX {
            return;
        }
        // When the move that was ahead turns out to lose, the others are in the race again.
        let needed = self.stopping.needed(moves);
        let Session { arena, root, allowed, .. } = self.session;
        let considered = |mv| {
            self.task.root_moves.is_empty() || self.task.root_moves.iter().any(|m: &Move| m.to_move() == mv)
        };
        for (edge, allowed) in arena.all_edges(*root).zip(allowed) {
            let visits = edge.child().map_or(0, |child| arena.node(child).visits());
            allowed.store(considered(edge.mv()) && can_catch_up(visits, needed, left), Ordering::Relaxed);
        }
    }

    fn lines(&self, moves: &[RootMove], solver: &mut Solver) -> Vec<Line> {
        let mut lines =
            choice::lines(self.session, &self.task.walker, moves, self.multi_pv, &self.hunt.found, solver);
        if let Some(depth) = self.task.depth {
            for line in &mut lines {
                line.depth = line.depth.min(depth.max(1));
            }
        }
        lines
    }

    /// Forgets the lines of mates found below the root: their nodes may have gone, and their numbers to others.
    pub fn forget_lost_nodes(&mut self) {
        let root = self.session.root;
        self.hunt.found.retain(|(id, _)| *id == root);
    }

    /// The best lines in the end, that of the move to play first, and what is to be said about the root's moves. `choose` says
    /// the place of the move to play.
    pub fn finish(
        &mut self,
        choose: impl FnOnce(&[RootMove], &mut Pcg64Mcg) -> usize,
        solver: &mut Solver,
    ) -> (Vec<Line>, Vec<String>) {
        let mut moves = self.ranked();
        let chosen = choose(&moves, &mut self.randoms[0]);
        if let Some(before) = moves.get_mut(..=chosen) {
            before.rotate_right(1);
        }
        let notes = moves.iter().map(RootMove::describe).collect();
        if let Some((_, mate)) = self.hunt.found.iter().find(|(id, _)| *id == self.session.root)
            && !self.session.restricted
        {
            return (self.lines_with_mate(mate.clone(), &moves, solver), notes);
        }
        (self.lines(&moves, solver), notes)
    }

    /// The lines where a mate was found from the root itself.
    fn lines_with_mate(&self, mate: Vec<Move>, moves: &[RootMove], solver: &mut Solver) -> Vec<Line> {
        let mut lines = self.lines(moves, solver);
        lines.retain(|line| line.pv.first() != mate.first());
        let plies = mate.len() as u32;
        let best = Line {
            depth: plies,
            seldepth: plies,
            score: super::Score::Mates(plies),
            nodes: self.session.counters.playouts.load(Ordering::Relaxed),
            hashfull: self.session.arena.fullness(),
            pv: mate,
        };
        lines.insert(0, best);
        lines.truncate(self.multi_pv.max(1));
        lines
    }
}
