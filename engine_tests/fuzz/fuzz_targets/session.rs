//! Whatever lines a client sends: the front end does not break down, prints clean lines only, answers every `go`
//! exactly once and ends when told to.
//!
//! The commands are fed in-process, with the real search cut down to a few nodes, so that an input takes a
//! millisecond.
#![no_main]

use std::io::Write;
use std::sync::{Arc, Mutex};

use crossbeam_channel::unbounded;
use libfuzzer_sys::fuzz_target;
use tenbin::search::TreeSearch;
use tenbin::search::{Answer, Control, Line, Preferences, Search, Task};
use tenbin::usi::command::Command;
use tenbin::usi::engine::Engine;
use tenbin::usi::listener::Idle;
use tenbin::usi::output::Output;

/// Nodes of a search at most.
const NODES: u64 = 50;

/// Commands carried out at most.
const COMMANDS: usize = 40;

/// The real search, but small.
#[derive(Default)]
struct Small(TreeSearch);

impl Search for Small {
    fn prepare(&mut self, preferences: &Preferences) -> Vec<String> {
        self.0.prepare(&Preferences { hash_mb: 1, ..preferences.clone() })
    }

    fn new_game(&mut self) {
        self.0.new_game();
    }

    fn think(&mut self, task: &Task, control: &Control, report: &mut dyn FnMut(Vec<Line>)) -> Answer {
        let nodes = Some(task.nodes.unwrap_or(NODES).min(NODES));
        self.0.think(&Task { nodes, ..task.clone() }, control, report)
    }
}

/// Keeps what is printed.
#[derive(Clone, Default)]
struct Page(Arc<Mutex<Vec<u8>>>);

impl Write for Page {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().expect("no writer panics").extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// Whether a command may be carried out here: the log would be a real file.
fn is_harmless(command: &Command) -> bool {
    !matches!(command, Command::SetOption { name, .. } if name.eq_ignore_ascii_case("DebugLogFile"))
}

fuzz_target!(|data: &[u8]| {
    let text = String::from_utf8_lossy(data);
    let commands: Vec<Command> = text
        .split('\n')
        .map(|line| Command::parse(line.trim_end_matches('\r')))
        .filter(is_harmless)
        .take_while(|command| *command != Command::Quit)
        .take(COMMANDS)
        .collect();
    let asked = commands.iter().filter(|command| matches!(command, Command::Go(_))).count();

    let (sender, receiver) = unbounded();
    for command in commands {
        sender.send(command).expect("the receiver lives");
    }
    // The end of the channel is the end of input.
    drop(sender);
    let page = Page::default();
    let output = Arc::new(Output::new(Box::new(page.clone())));
    Engine::new(output, Box::new(|| Box::<Small>::default()), Arc::new(Idle::default())).run(&receiver);

    let printed = page.0.lock().expect("no writer panics");
    let printed = std::str::from_utf8(&printed).expect("ASCII is printed");
    let mut answers = 0;
    for line in printed.lines() {
        assert!(line.bytes().all(|b| b == b' ' || b.is_ascii_graphic()), "not printable: {line:?}");
        assert!(!line.contains("  ") && !line.ends_with(' '), "odd spaces: {line:?}");
        assert!(!line.starts_with("info string internal error"), "{line}");
        answers += usize::from(line.starts_with("bestmove ") || line.starts_with("checkmate "));
    }
    assert_eq!(answers, asked, "not one answer for every go:\n{printed}");
});
