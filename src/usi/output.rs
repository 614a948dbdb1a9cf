//! The only door to stdout.

use parking_lot::Mutex;
use std::fmt::Write as _;
use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::search::{Line, Score};
use crate::shogi::Move;

/// Prints whole lines, one at a time, flushed at once. When nobody reads any more it remembers that and is
/// silent.
pub struct Output {
    sink: Mutex<Box<dyn Write + Send>>,
    closed: AtomicBool,
}

impl Output {
    /// A door to `sink`.
    pub fn new(sink: Box<dyn Write + Send>) -> Self {
        Self { sink: Mutex::new(sink), closed: AtomicBool::new(false) }
    }

    /// The door to stdout itself.
    pub fn stdout() -> Self {
        Self::new(Box::new(std::io::stdout()))
    }

    /// Prints one line. Whatever the text, what comes out is one line of ASCII.
    pub fn line(&self, text: &str) {
        self.print(text, |c| c.is_ascii_graphic());
    }

    /// Prints one line for people, who read other letters than clients do: the tools name files.
    pub fn told(&self, text: &str) {
        self.print(text, |c| !c.is_control());
    }

    /// Prints one line of letters that are allowed, with question marks for the others.
    fn print(&self, text: &str, allowed: impl Fn(char) -> bool) {
        let line: String = text.chars().map(|c| if allowed(c) || c == ' ' { c } else { '?' }).collect();
        let line = line.trim_end_matches(' ');
        log::debug!(target: "usi", "< {line}");
        let mut sink = self.sink.lock();
        if let Err(error) = sink.write_all(format!("{line}\n").as_bytes()).and_then(|()| sink.flush())
            && !self.closed.swap(true, Ordering::Relaxed)
        {
            log::info!("output closed: {error}");
        }
    }

    /// Prints text for people as one `info string`, with one space between words whatever the text.
    pub fn info(&self, text: &str) {
        let words: Vec<&str> = text.split_whitespace().collect();
        self.line(&format!("info string {}", words.join(" ")));
    }

    /// Whether the other end has gone away.
    pub fn is_closed(&self) -> bool {
        self.closed.load(Ordering::Relaxed)
    }

    /// Prints the best lines, the very best last, where clients take it from.
    pub fn lines(&self, lines: &[Line], elapsed: Duration) {
        for (i, line) in lines.iter().enumerate().rev() {
            self.line(&info_line(line, i + 1, elapsed));
        }
    }
}

/// One line of play in the order of words that clients expect.
pub fn info_line(line: &Line, multipv: usize, elapsed: Duration) -> String {
    let score = match line.score {
        Score::Cp(cp) => format!("cp {cp}"),
        Score::Mates(plies) => format!("mate {}", plies.max(1)),
        Score::Mated(plies) => format!("mate -{}", plies.max(1)),
    };
    let milliseconds = elapsed.as_millis();
    let nps = u128::from(line.nodes) * 1000 / milliseconds.max(1);
    let mut text = format!(
        "info depth {} seldepth {} multipv {multipv} score {score} nodes {} nps {nps} hashfull {} \
         time {milliseconds} pv",
        line.depth, line.seldepth, line.nodes, line.hashfull
    );
    for mv in &line.pv {
        let _ = write!(text, " {}", mv.to_usi());
    }
    text
}

/// `bestmove M [ponder P]`
pub fn bestmove(best: Move, ponder: Option<Move>) -> String {
    let ponder = ponder.map_or(String::new(), |mv| format!(" ponder {}", mv.to_usi()));
    format!("bestmove {}{ponder}", best.to_usi())
}
