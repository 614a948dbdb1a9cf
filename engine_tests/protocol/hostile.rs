//! A thousand sessions that no client would hold, the same ones each time: whatever is sent, lines stay clean,
//! every `go` is answered once, and the program ends in time with code 0 and nothing on stderr.

use rand::seq::IndexedRandom;
use rand::{Rng, RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use super::client::{Client, Heard};

const SESSIONS: usize = 1000;

/// Sessions at the same time; more would measure the machine.
const AT_ONCE: usize = 2;

/// Lines that clients send, most of them in order.
const WORDS: [&str; 40] = [
    "usi",
    "isready",
    "usinewgame",
    "position startpos",
    "position startpos moves 7g7f 3c3d",
    "position sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1",
    "position sfen 4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1",
    "position sfen 9/9/4p4/9/9/9/4P4/9/9 b - 1",
    "position sfen KRRBB4/GGGGSS3/9/9/9/9/9/9/4k4 b 2P 1",
    "position sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1 moves 3c3d",
    "position sfen R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1",
    "position sfen nonsense",
    "go",
    "go infinite",
    "go ponder",
    "go ponder btime 100 wtime 100 byoyomi 10",
    "go btime 0 wtime 0 byoyomi 10",
    "go movetime 5",
    "go nodes 100",
    "go depth 2",
    "go mate 10",
    "go mate infinite",
    "go perft 2",
    "go perft 12",
    "go depth 1 searchmoves 7g7f P*5e",
    "ponderhit",
    "ponderhit btime 10 wtime 10 byoyomi 10",
    "stop",
    "stop",
    "gameover win",
    "gameover",
    "setoption name MultiPV value 3",
    "setoption name MultiPV value 1",
    "setoption name USI_Hash value 2",
    "setoption name EnteringKingRule value TryRule",
    "getoption MultiPV",
    "side",
    "moves",
    "d",
    "bench",
];

const OPTIONS: [&str; 14] = [
    "USI_Hash",
    "USI_Ponder",
    "MultiPV",
    "NetworkDelay",
    "NetworkDelay2",
    "SlowMover",
    "RoundUpToFullSecond",
    "ResignValue",
    "MaxMovesToDraw",
    "EnteringKingRule",
    "PvInterval",
    "DepthLimit",
    "usi_learn",
    "No Such Option",
];

const NUMBERS: [&str; 9] = [
    "0",
    "-1",
    "1",
    "2147483648",
    "-2147483649",
    "18446744073709551616",
    "999999999999999999999999999999999999",
    "1e9",
    "+-5",
];

/// How a session ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ending {
    Quit,
    EndOfInput,
    ClosedOutput,
}

/// What a session sends, piece by piece.
struct Attack {
    random: Pcg64Mcg,
}

impl Attack {
    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from.choose(&mut self.random).expect("not empty")
    }

    fn chance(&mut self, of: u32) -> bool {
        self.random.random_range(0..of) == 0
    }

    fn number(&mut self) -> String {
        if self.chance(2) {
            self.pick(&NUMBERS).to_owned()
        } else {
            (self.random.next_u64() >> self.random.random_range(0..64)).to_string()
        }
    }

    fn bytes(&mut self) -> Vec<u8> {
        let length = self.random.random_range(1..200);
        (0..length).map(|_| (self.random.next_u32() >> 8) as u8).collect()
    }

    /// One hostile line, without its end.
    fn line(&mut self) -> Vec<u8> {
        match self.random.random_range(0..12) {
            0 => self.bytes(),
            1 => {
                let line = self.pick(&WORDS);
                line.as_bytes()[..self.random.random_range(0..line.len())].to_vec()
            }
            2 => {
                let mut line = self.pick(&WORDS).as_bytes().to_vec();
                let at = self.random.random_range(0..line.len());
                line[at] = self.random.random_range(1..=255);
                line
            }
            3 => {
                let mut line = "go".to_owned();
                for _ in 0..self.random.random_range(1..5) {
                    let word =
                        self.pick(&["btime", "wtime", "byoyomi", "binc", "winc", "nodes", "depth", "mate"]);
                    line = format!("{line} {word} {}", self.number());
                }
                line.into_bytes()
            }
            4 => {
                let value = match self.random.random_range(0..6) {
                    0 => String::new(),
                    1 => "x".repeat(1 << 20),
                    2 => " <empty> ".to_owned(),
                    3 => "true".to_owned(),
                    _ => self.number(),
                };
                format!("setoption name {} value {value}", self.pick(&OPTIONS)).into_bytes()
            }
            5 if self.chance(8) => {
                let cycle = self.pick(&["5i5h 5a5b 5h5i 5b5a ", "2h3h 8b7b 3h2h 7b8b "]);
                format!("position startpos moves {}", cycle.repeat(500)).into_bytes()
            }
            6 if self.chance(4) => b"stop\n".repeat(200),
            7 if self.chance(4) => b"go infinite\nstop\n".repeat(20),
            8 if self.chance(8) => b"isready\n".repeat(50),
            _ => self.pick(&WORDS).as_bytes().to_vec(),
        }
    }

    /// Bytes of whole lines to send at once, without what would end or delay the session by design.
    fn lines(&mut self) -> Vec<u8> {
        let mut text = Vec::new();
        for _ in 0..self.random.random_range(1..12) {
            let line = self.line();
            let ends = |line: &[u8]| {
                let text = String::from_utf8_lossy(line);
                let mut words = text.split_ascii_whitespace();
                matches!(words.next(), Some("wait" | "quit")) || text.contains("DebugLogFile")
            };
            if line.split(|&byte| byte == b'\n').any(ends) {
                continue;
            }
            text.extend(line);
            text.extend(if self.chance(4) { b"\r\n".as_slice() } else { b"\n" });
        }
        text
    }
}

/// Holds one session and counts the answers at its end; a panic says what was wrong.
fn hold(number: usize) -> usize {
    let mut attack = Attack { random: Pcg64Mcg::seed_from_u64(number as u64) };
    let ending = match number % 10 {
        0 => Ending::ClosedOutput,
        1..=3 => Ending::EndOfInput,
        _ => Ending::Quit,
    };
    let closed = ending == Ending::ClosedOutput;
    let mut client = if closed { Client::start_closed() } else { Client::start() };
    // Most sessions are over before the engine has read them; the others find it in the middle of something.
    for _ in 0..attack.random.random_range(1..4) {
        let lines = attack.lines();
        client.send_raw(&lines);
        if attack.chance(4) {
            thread::sleep(Duration::from_millis(attack.random.random_range(0..30)));
        }
    }
    match ending {
        Ending::Quit => answers(&client.quit().1),
        Ending::EndOfInput => {
            client.close_input();
            answers(&client.end().1)
        }
        Ending::ClosedOutput => {
            // What is printed finds nobody: that alone ends the program.
            client.end_unheard();
            0
        }
    }
}

fn answers(heard: &[Heard]) -> usize {
    heard.iter().filter(|heard| heard.printed.is_answer()).count()
}

#[test]
fn a_thousand_hostile_sessions() {
    let (next, total) = (AtomicUsize::new(0), AtomicUsize::new(0));
    thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= SESSIONS {
                        return;
                    }
                    let answers = std::panic::catch_unwind(|| hold(number));
                    let answers = answers.unwrap_or_else(|_| panic!("session {number}"));
                    total.fetch_add(answers, Ordering::Relaxed);
                }
            });
        }
    });
    let total = total.into_inner();
    println!("{total} answers");
    assert!(total > SESSIONS, "sessions without questions test nothing");
}

#[test]
fn the_end_of_input_in_each_state_answers_what_was_asked() {
    for state in [
        "",
        "isready",
        "usi\nisready\nusinewgame",
        "go btime 600000 wtime 600000",
        "go infinite",
        "go ponder",
        "position sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1\ngo ponder",
        "go mate infinite",
        "go perft 12",
        "bench",
        "bench\ngo infinite",
        "go infinite\ngo ponder\ngo perft 12\ngo mate\ngo",
        "go infinite\nisready\nsetoption name MultiPV value 2\nposition startpos moves 7g7f\ngo depth 1",
    ] {
        for pause in [0, 60] {
            let mut client = Client::start();
            // The last line has no end.
            client.send_raw(state.as_bytes());
            thread::sleep(Duration::from_millis(pause));
            client.close_input();
            client.end();
        }
    }
}

#[test]
fn a_closed_output_ends_a_search_quietly() {
    for state in ["usi", "go infinite", "go perft 12", "bench", "isready"] {
        let mut client = Client::start_closed();
        client.send(state);
        // The input stays open: only the output tells that nobody is there.
        client.end_unheard();
    }
}

#[test]
fn an_output_that_nobody_reads_does_not_keep_the_program() {
    let mut client = Client::start_unread();
    // Far more than a pipe holds.
    client.send_raw(&b"usi\n".repeat(1000));
    thread::sleep(Duration::from_millis(100));
    client.send("quit");
    client.end_unheard();
}
