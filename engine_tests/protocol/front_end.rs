//! The front end with a search of the test's making behind it: what it asks of a search, and what it makes of
//! searches that break their promises.

use crossbeam_channel::{Receiver, Sender, unbounded};
use parking_lot::Mutex;
use std::collections::VecDeque;
use std::io::Write;
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use tenbin::search::{Answer, Control, Line, Preferences, Score, Search, Task};
use tenbin::shogi::{Move, MoveList, legal_moves};
use tenbin::usi::command::Command;
use tenbin::usi::engine::Engine;
use tenbin::usi::listener::Idle;
use tenbin::usi::output::Output;

use super::referee::Referee;

/// Longer than anything here takes.
const PATIENCE: Duration = Duration::from_secs(20);

/// How one search goes.
type Thought = Box<dyn FnOnce(&Task, &Control, &mut dyn FnMut(Vec<Line>)) -> Answer + Send>;

/// What searches will do, the first one first, and what they were asked.
#[derive(Clone, Default)]
struct Script {
    thoughts: Arc<Mutex<VecDeque<Thought>>>,
    asked: Arc<Mutex<Vec<(Task, Preferences)>>>,
    /// How long getting ready takes.
    loading: Arc<Mutex<Duration>>,
    new_game_panics: Arc<Mutex<bool>>,
}

/// A search that follows the script.
struct Mock {
    script: Script,
    preferences: Preferences,
}

impl Search for Mock {
    fn prepare(&mut self, preferences: &Preferences) -> Vec<String> {
        self.preferences = preferences.clone();
        let loading = std::mem::take(&mut *self.script.loading.lock());
        thread::sleep(loading);
        Vec::new()
    }

    fn new_game(&mut self) {
        assert!(!*self.script.new_game_panics.lock(), "no new game");
    }

    fn think(&mut self, task: &Task, control: &Control, report: &mut dyn FnMut(Vec<Line>)) -> Answer {
        self.script.asked.lock().push((task.clone(), self.preferences.clone()));
        let thought = self.script.thoughts.lock().pop_front().expect("the script is long enough");
        thought(task, control, report)
    }
}

/// Hands on each line that is printed.
struct Lines(Sender<String>, Vec<u8>);

impl Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        for &byte in bytes {
            if byte == b'\n' {
                let line = String::from_utf8(std::mem::take(&mut self.1)).expect("ASCII is printed");
                let _ = self.0.send(line);
            } else {
                self.1.push(byte);
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// A front end in a thread of its own.
struct FrontEnd {
    commands: Sender<Command>,
    lines: Receiver<String>,
    thread: JoinHandle<()>,
    referee: Referee,
}

impl FrontEnd {
    fn start(script: &Script) -> Self {
        let (commands, incoming) = unbounded();
        let (outgoing, lines) = unbounded();
        let script = script.clone();
        let thread = thread::spawn(move || {
            let output = Arc::new(Output::new(Box::new(Lines(outgoing, Vec::new()))));
            let make = move || -> Box<dyn Search> {
                Box::new(Mock { script: script.clone(), preferences: Preferences::default() })
            };
            Engine::new(output, Box::new(make), Arc::new(Idle::default())).run(&incoming);
        });
        Self { commands, lines, thread, referee: Referee::default() }
    }

    fn send(&mut self, line: &str) {
        self.referee.told(line);
        self.commands.send(Command::parse(line)).expect("the engine runs");
    }

    fn line(&mut self) -> String {
        let line = self.lines.recv_timeout(PATIENCE).expect("a line comes");
        self.referee.heard(&line).unwrap_or_else(|error| panic!("{line}: {error}"));
        line
    }

    /// All lines up to the answer to a `go`.
    fn answer(&mut self) -> Vec<String> {
        let mut lines = vec![self.line()];
        while !lines
            .last()
            .is_some_and(|line| line.starts_with("bestmove ") || line.starts_with("checkmate "))
        {
            lines.push(self.line());
        }
        lines
    }

    fn expect_silence(&mut self, time: Duration) {
        if let Ok(line) = self.lines.recv_timeout(time) {
            panic!("too early: {line}");
        }
    }

    /// Ends the input; what is printed until the engine has ended, and how long that took.
    fn quit(mut self) -> (Vec<String>, Duration) {
        let begun = Instant::now();
        self.send("quit");
        self.thread.join().expect("the front end does not panic");
        let took = begun.elapsed();
        let rest: Vec<String> = self.lines.iter().collect();
        for line in &rest {
            self.referee.heard(line).unwrap_or_else(|error| panic!("{line}: {error}"));
        }
        assert_eq!(self.referee.open(), 0, "one answer for every go");
        (rest, took)
    }
}

/// A line of these moves.
fn line(pv: Vec<Move>) -> Line {
    Line { depth: 1, seldepth: 1, score: Score::Cp(0), nodes: 1, hashfull: 0, pv }
}

/// The first legal move of the task.
fn first_move(task: &Task) -> Move {
    task.walker.any_move().expect("a task has a legal move")
}

impl Script {
    /// Adds how the next search goes.
    fn then(
        &self,
        thought: impl FnOnce(&Task, &Control, &mut dyn FnMut(Vec<Line>)) -> Answer + Send + 'static,
    ) -> &Self {
        self.thoughts.lock().push_back(Box::new(thought));
        self
    }

    /// The next search plays the first legal move at once.
    fn then_plays(&self) -> &Self {
        self.then(|task, _, _| Answer::Best(vec![line(vec![first_move(task)])]))
    }

    /// The next search plays the first legal move when it must stop.
    fn then_waits(&self) -> &Self {
        self.then(|task, control, _| {
            while !control.must_stop() {
                thread::sleep(Duration::from_millis(1));
            }
            Answer::Best(vec![line(vec![first_move(task)])])
        })
    }
}

/// Texts of failures among these lines.
fn failures(lines: &[String]) -> usize {
    lines.iter().filter(|line| line.starts_with("info string internal error")).count()
}

#[test]
fn a_search_that_panics_is_reported_once_and_answered() {
    let script = Script::default();
    script
        .then(|_, _, _| panic!("two\nlines"))
        .then(|_, _, report| {
            report(Vec::new());
            panic!("{}", String::from("a message of its own"))
        })
        .then(|_, _, _| std::panic::panic_any(5))
        .then_plays();
    let mut engine = FrontEnd::start(&script);
    engine.send("position startpos moves 7g7f");
    for _ in 0..3 {
        engine.send("go byoyomi 1000");
        let lines = engine.answer();
        assert_eq!(failures(&lines), 1, "{lines:?}");
        // The referee has checked that the move is legal.
        assert_ne!(lines.last().map(String::as_str), Some("bestmove resign"));
    }
    engine.send("go byoyomi 1000");
    assert_eq!(failures(&engine.answer()), 0);
    engine.quit();
}

#[test]
fn a_mate_search_that_panics_knows_nothing() {
    let script = Script::default();
    script.then(|_, _, _| panic!("lost"));
    let mut engine = FrontEnd::start(&script);
    engine.send("go mate 1000");
    assert_eq!(engine.answer().last().map(String::as_str), Some("checkmate timeout"));
    engine.quit();
}

#[test]
fn a_search_that_panics_while_pondering_is_answered_after_the_hit() {
    let script = Script::default();
    script.then(|_, _, _| panic!("lost"));
    let mut engine = FrontEnd::start(&script);
    engine.send("go ponder btime 1000 wtime 1000");
    assert_eq!(failures(&[engine.line()]), 1);
    engine.expect_silence(Duration::from_millis(100));
    engine.send("ponderhit");
    engine.answer();
    engine.quit();
}

#[test]
fn a_new_game_that_panics_does_not_disturb_the_next_answers() {
    let script = Script::default();
    let mut engine = FrontEnd::start(&script);
    *script.new_game_panics.lock() = true;
    script
        .then(|task, control, _| {
            while !control.must_stop() {
                thread::sleep(Duration::from_millis(1));
            }
            let mut moves = MoveList::new();
            legal_moves(task.walker.position(), &mut moves);
            Answer::Best(vec![line(vec![moves[7]])])
        })
        .then_plays();
    // The failure arrives while the first search is under way and must not be taken for its end.
    engine.send("usinewgame");
    engine.send("go infinite");
    assert_eq!(failures(&[engine.line()]), 1);
    engine.expect_silence(Duration::from_millis(100));
    engine.send("stop");
    let answer = engine.answer();
    let mut moves = MoveList::new();
    legal_moves(script.asked.lock()[0].0.walker.position(), &mut moves);
    assert_eq!(answer.last(), Some(&format!("bestmove {}", moves[7].to_usi())), "the search's own move");
    engine.send("go byoyomi 1000");
    engine.answer();
    engine.expect_silence(Duration::from_millis(100));
    engine.quit();
}

#[test]
fn answers_that_are_no_legal_moves_are_replaced() {
    let script = Script::default();
    // No lines, a line without moves, a move that was legal a ply ago, an answer to another question.
    script
        .then(|_, _, _| Answer::Best(Vec::new()))
        .then(|_, _, _| Answer::Best(vec![line(Vec::new())]))
        .then(|task, _, _| Answer::Best(vec![line(vec![task.walker.moves()[0]])]))
        .then(|_, _, _| Answer::NoMate)
        .then(|_, _, _| Answer::Checkmate(Vec::new()));
    let mut engine = FrontEnd::start(&script);
    engine.send("position startpos moves 7g7f");
    for _ in 0..5 {
        engine.send("go byoyomi 1000");
        let lines = engine.answer();
        assert!(lines.last().is_some_and(|line| line != "bestmove resign"), "{lines:?}");
    }
    engine.quit();
}

#[test]
fn a_ponder_move_that_is_not_legal_is_left_out() {
    let script = Script::default();
    script.then(|task, _, _| {
        let mv = first_move(task);
        Answer::Best(vec![line(vec![mv, mv])])
    });
    let mut engine = FrontEnd::start(&script);
    engine.send("go byoyomi 1000");
    let mut lines = Vec::new();
    // The line of play itself is the search's own fault: the referee is not asked about it.
    while !lines.last().is_some_and(|line: &String| line.starts_with("bestmove ")) {
        lines.push(engine.lines.recv_timeout(PATIENCE).expect("a line comes"));
    }
    assert!(!lines.last().is_some_and(|line| line.contains("ponder")), "{lines:?}");
}

#[test]
fn answers_are_held_until_they_may_be_given() {
    for (go, end) in [
        ("go infinite", "stop"),
        ("go", "stop"),
        ("go ponder", "stop"),
        ("go ponder", "ponderhit"),
        ("go ponder btime 1000 wtime 1000", "ponderhit"),
        ("go infinite", "gameover win"),
    ] {
        let script = Script::default();
        script.then_plays();
        let mut engine = FrontEnd::start(&script);
        engine.send(go);
        engine.expect_silence(Duration::from_millis(100));
        engine.send(end);
        engine.answer();
        engine.quit();
    }
}

#[test]
fn limits_and_moves_arrive_in_the_task() {
    let script = Script::default();
    script.then_plays().then_plays().then_waits();
    let mut engine = FrontEnd::start(&script);
    engine.send("position startpos moves 7g7f 3c3d");
    engine.send("go nodes 123 depth 7 searchmoves 2g2f 8h2b+ 2g2f nonsense");
    assert_eq!(engine.line(), "info string searchmoves: 'nonsense' is not a move");
    // The move played is not one of them: the mock does not care, and the front end only asks for legality.
    engine.answer();
    engine.send("setoption name DepthLimit value 3");
    engine.send("setoption name NodesLimit value 50");
    engine.send("go nodes 123 depth 7");
    engine.answer();
    engine.send("go mate infinite");
    engine.send("stop");
    engine.answer();
    engine.quit();
    let asked = script.asked.lock();
    let (first, _) = &asked[0];
    assert_eq!((first.nodes, first.depth, first.mate), (Some(123), Some(7), false));
    let moves: Vec<String> = first.root_moves.iter().map(|mv| mv.to_usi()).collect();
    assert_eq!(moves, ["2g2f", "8h2b+"]);
    assert_eq!(first.walker.moves().len(), 2);
    assert_eq!((asked[1].0.nodes, asked[1].0.depth), (Some(50), Some(3)));
    assert!(asked[2].0.mate && asked[2].0.root_moves.is_empty());
}

/// What a search sees of its control: whether it has a deadline.
fn deadlines(script: &Script, seen: &Sender<Option<Instant>>) {
    let seen = seen.clone();
    script.then(move |task, control, _| {
        let _ = seen.send(control.deadline());
        while !control.must_stop() {
            thread::sleep(Duration::from_millis(1));
        }
        let _ = seen.send(control.deadline());
        Answer::Best(vec![line(vec![first_move(task)])])
    });
}

#[test]
fn a_hit_sets_the_budget_and_stop_reaches_the_search() {
    let script = Script::default();
    let (sender, seen) = unbounded();
    (0..3).for_each(|_| deadlines(&script, &sender));
    let mut engine = FrontEnd::start(&script);

    engine.send("go ponder btime 0 wtime 0 byoyomi 100");
    assert_eq!(seen.recv_timeout(PATIENCE), Ok(None), "no limit while pondering");
    thread::sleep(Duration::from_millis(200));
    let hit = Instant::now();
    engine.send("ponderhit btime 0 wtime 0 byoyomi 300");
    engine.answer();
    let deadline = seen.recv_timeout(PATIENCE).expect("it ended").expect("limited now");
    assert!(deadline >= hit + Duration::from_millis(150), "the clock starts at the hit");
    assert!(deadline <= hit + Duration::from_millis(300), "within the byoyomi");

    engine.send("go infinite");
    assert_eq!(seen.recv_timeout(PATIENCE), Ok(None));
    engine.send("stop");
    engine.answer();
    assert_eq!(seen.recv_timeout(PATIENCE), Ok(None), "stopped, not out of time");

    let begun = Instant::now();
    engine.send("go btime 0 wtime 0 byoyomi 200");
    let deadline = seen.recv_timeout(PATIENCE).expect("it began").expect("limited from the beginning");
    assert!(deadline <= begun + Duration::from_millis(220), "the margin is kept back");
    engine.answer();
    engine.quit();
}

#[test]
fn options_set_while_searching_are_for_the_next_search() {
    let script = Script::default();
    script.then_waits().then(|task, _, _| {
        let mut moves = MoveList::new();
        legal_moves(task.walker.position(), &mut moves);
        Answer::Best(moves.iter().take(4).map(|&mv| line(vec![mv])).collect())
    });
    let mut engine = FrontEnd::start(&script);
    engine.send("go infinite");
    engine.send("setoption name MultiPV value 4");
    engine.send("setoption name USI_Hash value 2");
    engine.expect_silence(Duration::from_millis(50));
    engine.send("stop");
    engine.answer();
    engine.send("go byoyomi 1000");
    engine.answer();
    engine.quit();
    let asked = script.asked.lock();
    assert_eq!((asked[0].1.multi_pv, asked[1].1.multi_pv), (1, 4));
    assert_eq!((asked[0].1.hash_mb, asked[1].1.hash_mb), (64, 2));
}

#[test]
fn long_loading_shows_life() {
    let script = Script::default();
    *script.loading.lock() = Duration::from_millis(5600);
    let mut engine = FrontEnd::start(&script);
    let begun = Instant::now();
    engine.send("isready");
    assert_eq!(engine.line(), "");
    let waited = begun.elapsed();
    assert!((4500..5500).contains(&waited.as_millis()), "{waited:?}");
    assert_eq!(engine.line(), "readyok");
    engine.quit();
}

#[test]
fn quit_does_not_wait_for_loading() {
    let script = Script::default();
    *script.loading.lock() = Duration::from_secs(10);
    let mut engine = FrontEnd::start(&script);
    engine.send("isready");
    engine.send("go byoyomi 1000");
    let (_, took) = engine.quit();
    assert!(took < Duration::from_secs(1), "{took:?}");
}

#[test]
fn quit_does_not_wait_for_a_search_that_is_deaf() {
    let script = Script::default();
    for _ in 0..2 {
        script.then(|task, _, _| {
            thread::sleep(Duration::from_secs(5));
            Answer::Best(vec![line(vec![first_move(task)])])
        });
    }
    let mut engine = FrontEnd::start(&script);
    engine.send("go infinite");
    engine.send("position startpos moves 7g7f");
    engine.send("go mate infinite");
    engine.send("go depth 1");
    let (_, took) = engine.quit();
    assert!(took < Duration::from_secs(1), "{took:?}");
}

#[test]
fn a_closed_output_ends_the_engine() {
    struct Closed;
    impl Write for Closed {
        fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
            Err(std::io::ErrorKind::BrokenPipe.into())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let (commands, incoming) = unbounded();
    let output = Arc::new(Output::new(Box::new(Closed)));
    let make = || -> Box<dyn Search> {
        Box::new(Mock { script: Script::default(), preferences: Preferences::default() })
    };
    commands.send(Command::Usi).expect("the receiver is here");
    Engine::new(output, Box::new(make), Arc::new(Idle::default())).run(&incoming);
}
