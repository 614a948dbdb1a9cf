//! Files of mate problems: an SFEN a line.

use std::fmt;
use std::time::{Duration, Instant};

use super::dfpn::{Limits, Solver, Verdict};
use crate::shogi::notation::{PositionError, parse_sfen};
use crate::shogi::{Rules, Walker};

/// How one problem went.
pub struct Solved {
    /// What came out.
    pub verdict: Verdict,
    /// Nodes searched.
    pub nodes: u64,
    /// Time taken.
    pub time: Duration,
}

/// Solves one problem, given as an SFEN with or without the word `sfen` before it.
pub fn solve(solver: &mut Solver, problem: &str, most: Duration) -> Result<Solved, PositionError> {
    let problem = problem.trim();
    let position = parse_sfen(problem.strip_prefix("sfen ").unwrap_or(problem))?;
    let mut walker = Walker::new(position, Rules::default());
    solver.clear();
    let began = Instant::now();
    let stop = || began.elapsed() >= most;
    let verdict = solver.solve(&mut walker, &Limits { nodes: u64::MAX, stop: &stop });
    Ok(Solved { verdict, nodes: solver.nodes(), time: began.elapsed() })
}

impl fmt::Display for Solved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let line = match &self.verdict {
            Verdict::Mate(line) => {
                write!(f, "mate in {}", line.len())?;
                line.as_slice()
            }
            Verdict::NoMate => {
                write!(f, "no mate")?;
                &[]
            }
            Verdict::Unknown => {
                write!(f, "unsolved")?;
                &[]
            }
        };
        write!(f, ", {} nodes, {} ms", self.nodes, self.time.as_millis())?;
        for (i, mv) in line.iter().enumerate() {
            write!(f, "{} {}", if i == 0 { ":" } else { "" }, mv.to_usi())?;
        }
        Ok(())
    }
}

/// Counts over a file.
#[derive(Default)]
pub struct Summary {
    mates: usize,
    no_mates: usize,
    unsolved: usize,
    unreadable: usize,
    plies: usize,
    longest: usize,
    nodes: u64,
    time: Duration,
    slowest: Duration,
}

impl Summary {
    /// Counts one problem.
    pub fn add(&mut self, result: &Result<Solved, PositionError>) {
        let Ok(solved) = result else {
            self.unreadable += 1;
            return;
        };
        match &solved.verdict {
            Verdict::Mate(line) => {
                self.mates += 1;
                self.plies += line.len();
                self.longest = self.longest.max(line.len());
            }
            Verdict::NoMate => self.no_mates += 1,
            Verdict::Unknown => self.unsolved += 1,
        }
        self.nodes += solved.nodes;
        self.time += solved.time;
        self.slowest = self.slowest.max(solved.time);
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let problems = self.mates + self.no_mates + self.unsolved;
        write!(
            f,
            "{problems} problems: {} mates (mean {:.2} plies, longest {}), {} without mate, {} unsolved; {} nodes in \
             {:.1} s, slowest {} ms",
            self.mates,
            self.plies as f64 / self.mates.max(1) as f64,
            self.longest,
            self.no_mates,
            self.unsolved,
            self.nodes,
            self.time.as_secs_f64(),
            self.slowest.as_millis()
        )?;
        if self.unreadable > 0 {
            write!(f, "; {} lines were no positions", self.unreadable)?;
        }
        Ok(())
    }
}
