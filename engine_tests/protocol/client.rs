//! Drives the real program over pipes and checks every line it prints.

use crossbeam_channel::{Receiver, RecvTimeoutError, never, unbounded};
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use super::format::Printed;
use super::referee::Referee;

/// Longer than any answer takes that is not tested for its time, even on a busy machine.
pub const PATIENCE: Duration = Duration::from_secs(20);

/// The program has a second to end after `quit`; the rest is for a busy machine.
pub const TIME_TO_QUIT: Duration = Duration::from_millis(1200);

/// A line and when it came.
#[derive(Clone, Debug)]
pub struct Heard {
    /// When it was read.
    pub at: Instant,
    /// The line without its LF.
    pub text: String,
    /// What it says.
    pub printed: Printed,
}

/// A running engine. It is killed when dropped.
pub struct Client {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<(Instant, String)>,
    errors: Option<JoinHandle<String>>,
    referee: Referee,
    /// What was said both ways, for the report of a failure.
    record: Vec<String>,
}

impl Client {
    /// Starts the engine.
    pub fn start() -> Self {
        Self::start_program(Path::new(env!("CARGO_BIN_EXE_tenbin")))
    }

    /// Starts a copy of the engine that lies elsewhere.
    pub fn start_program(program: &Path) -> Self {
        let mut client = Self::launch(program);
        client.lines = collect_lines(client.child.stdout.take().expect("piped"));
        client
    }

    /// Starts the engine and never reads what it prints.
    pub fn start_unread() -> Self {
        Self::launch(Path::new(env!("CARGO_BIN_EXE_tenbin")))
    }

    /// Starts the engine with an output that is closed.
    pub fn start_closed() -> Self {
        let mut client = Self::start_unread();
        client.child.stdout = None;
        client
    }

    fn launch(program: &Path) -> Self {
        let mut child = Command::new(program)
            .env_remove("RUST_LOG")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program can be started");
        let input = child.stdin.take();
        let errors = Some(collect_errors(child.stderr.take().expect("piped")));
        Self { child, input, lines: never(), errors, referee: Referee::default(), record: Vec::new() }
    }

    /// Starts the engine and has it introduce itself and get ready.
    pub fn ready() -> Self {
        let mut client = Self::start();
        client.send("usi");
        client.expect("usiok");
        client.send("isready");
        client.expect("readyok");
        client
    }

    /// Sends a line.
    pub fn send(&mut self, line: &str) {
        self.send_raw(format!("{line}\n").as_bytes());
    }

    /// Sends bytes as they are; whole lines only.
    pub fn send_raw(&mut self, bytes: &[u8]) {
        for line in String::from_utf8_lossy(bytes).split('\n') {
            self.referee.told(line);
            self.record.push(format!("> {}", line.chars().take(200).collect::<String>()));
        }
        // Writing fails where the program has ended; what it says of that is judged at the end.
        let _ = self.input.as_mut().expect("the input is open").write_all(bytes);
    }

    /// Ends the input.
    pub fn close_input(&mut self) {
        self.input = None;
    }

    /// Reads on until a line has what is wanted; all lines up to it.
    pub fn expect_until(
        &mut self,
        what: &str,
        wanted: impl Fn(&Heard) -> bool,
        timeout: Duration,
    ) -> Vec<Heard> {
        let deadline = Instant::now() + timeout;
        let mut heard = Vec::new();
        loop {
            match self.lines.recv_deadline(deadline) {
                Ok((at, text)) => {
                    heard.push(self.judge(at, text));
                    if heard.last().is_some_and(&wanted) {
                        return heard;
                    }
                }
                Err(RecvTimeoutError::Timeout) => self.fail(&format!("no {what} in {timeout:?}")),
                Err(RecvTimeoutError::Disconnected) => self.fail(&format!("no {what} before the end")),
            }
        }
    }

    /// Reads on until exactly this line comes.
    pub fn expect(&mut self, line: &str) -> Vec<Heard> {
        self.expect_until(line, |heard| heard.text == line, PATIENCE)
    }

    /// Reads on until a `go` is answered; all lines, the answer last.
    pub fn answer(&mut self) -> Vec<Heard> {
        self.expect_until("answer", |heard| heard.printed.is_answer(), PATIENCE)
    }

    /// Asks and gives the answer alone.
    pub fn ask(&mut self, go: &str) -> String {
        self.send(go);
        last(&self.answer()).text.clone()
    }

    /// Checks that no `go` is answered for so long; what else was said.
    pub fn expect_no_answer(&mut self, time: Duration) -> Vec<Heard> {
        let deadline = Instant::now() + time;
        let mut heard = Vec::new();
        while let Ok((at, text)) = self.lines.recv_deadline(deadline) {
            heard.push(self.judge(at, text));
            if heard.last().is_some_and(|heard| heard.printed.is_answer()) {
                self.fail("an answer too early");
            }
        }
        heard
    }

    /// Quits, and checks that all was answered and the end is clean. Returns how long the end took, and what was
    /// said on the way.
    pub fn quit(mut self) -> (Duration, Vec<Heard>) {
        self.send("quit");
        self.end()
    }

    /// As [`Client::quit`] when that, or the end of input, has been sent already.
    pub fn end(mut self) -> (Duration, Vec<Heard>) {
        let began = Instant::now();
        let mut heard = Vec::new();
        // The output ends when the program does: it has no children.
        loop {
            match self.lines.recv_deadline(began + TIME_TO_QUIT) {
                Ok((at, text)) => heard.push(self.judge(at, text)),
                Err(RecvTimeoutError::Timeout) => self.fail("the output is open too long after the end"),
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        let status = self.wait_for_exit(began + TIME_TO_QUIT);
        let took = began.elapsed();
        if !status.success() {
            self.fail(&format!("ended with {status}"));
        }
        self.expect_silent_errors();
        let open = self.referee.open();
        if open > 0 {
            self.fail(&format!("{open} go without an answer"));
        }
        (took, heard)
    }

    /// Checks that the program ends cleanly, whatever it has to say.
    pub fn end_unheard(mut self) {
        let deadline = Instant::now() + TIME_TO_QUIT;
        // While another test starts a process, that may hold our end of the pipe for a moment and a line is
        // printed to nobody without an error: give cause for the next one.
        while self.child.try_wait().expect("our child").is_none() && Instant::now() < deadline {
            self.send("usi");
            thread::sleep(Duration::from_millis(10));
        }
        let status = self.wait_for_exit(deadline);
        if !status.success() {
            self.fail(&format!("ended with {status}"));
        }
        self.expect_silent_errors();
    }

    fn wait_for_exit(&mut self, deadline: Instant) -> ExitStatus {
        loop {
            match self.child.try_wait().expect("our child") {
                Some(status) => return status,
                None if Instant::now() >= deadline => self.fail("the process lives on after the end"),
                None => thread::sleep(Duration::from_millis(1)),
            }
        }
    }

    fn expect_silent_errors(&mut self) {
        let errors = self.errors.take().expect("asked once").join().expect("the reader does not panic");
        if !errors.is_empty() {
            self.fail(&format!("stderr: {errors}"));
        }
    }

    fn judge(&mut self, at: Instant, text: String) -> Heard {
        self.record.push(format!("< {}", text.chars().take(200).collect::<String>()));
        match self.referee.heard(&text) {
            Ok(Printed::Text(said)) if said.starts_with("internal error") => self.fail("it broke down"),
            Ok(printed) => Heard { at, text, printed },
            Err(error) => self.fail(&error),
        }
    }

    /// Ends the test with the last part of the session.
    pub fn fail(&self, why: &str) -> ! {
        let from = self.record.len().saturating_sub(60);
        panic!("{why}\n{}", self.record[from..].join("\n"));
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The last of the lines.
pub fn last(heard: &[Heard]) -> &Heard {
    heard.last().expect("something was heard")
}

/// The text of each line that is for people.
pub fn texts(heard: &[Heard]) -> Vec<&str> {
    heard
        .iter()
        .filter_map(|heard| match &heard.printed {
            Printed::Text(text) => Some(text.as_str()),
            _ => None,
        })
        .collect()
}

fn collect_lines(output: ChildStdout) -> Receiver<(Instant, String)> {
    let (sender, receiver) = unbounded();
    thread::spawn(move || {
        let mut output = BufReader::new(output);
        loop {
            let mut line = Vec::new();
            match output.read_until(b'\n', &mut line) {
                Ok(0) | Err(_) => return,
                Ok(_) => {}
            }
            let at = Instant::now();
            let mut text = String::from_utf8_lossy(&line).into_owned();
            // A line that was not ended keeps a mark that no check lets pass.
            if text.pop() != Some('\n') {
                text.push_str("<no LF>\n");
            }
            if sender.send((at, text)).is_err() {
                return;
            }
        }
    });
    receiver
}

fn collect_errors(mut errors: ChildStderr) -> JoinHandle<String> {
    thread::spawn(move || {
        let mut text = Vec::new();
        let _ = errors.read_to_end(&mut text);
        String::from_utf8_lossy(&text).into_owned()
    })
}
