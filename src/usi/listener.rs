//! The thread that reads what the client sends.

use crossbeam_channel::{Receiver, Sender, unbounded};
use encoding_rs::SHIFT_JIS;
use parking_lot::{Condvar, Mutex};
use std::borrow::Cow;
use std::io::{BufRead, Read};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use super::command::Command;

/// A line longer than this cannot be meant for us; the rest of it is skipped.
const LONGEST_LINE: u64 = 16 * 1024 * 1024;

/// How long after `quit` the process may live, whatever hangs.
const GRACE: Duration = Duration::from_millis(900);

/// `wait` waits no longer than this.
const LONGEST_WAIT: Duration = Duration::from_mins(10);

/// Whether the engine has done all it was told, so that the listener can wait for it.
#[derive(Default)]
pub struct Idle {
    /// Commands handed over and not yet done.
    open: Mutex<u64>,
    changed: Condvar,
}

impl Idle {
    /// A command was handed over.
    fn begin(&self) {
        *self.open.lock() += 1;
    }

    /// A command was done with, its answer printed.
    pub fn done(&self) {
        let mut open = self.open.lock();
        *open = open.saturating_sub(1);
        self.changed.notify_all();
    }

    /// Waits until everything is done, or for `longest`.
    fn wait(&self, longest: Duration) {
        let deadline = Instant::now() + longest.min(LONGEST_WAIT);
        let mut open = self.open.lock();
        while *open > 0 && !self.changed.wait_until(&mut open, deadline).timed_out() {}
    }
}

/// Reads `input` in a thread of its own and hands commands over until `quit` or the end.
pub fn listen(input: impl BufRead + Send + 'static, idle: Arc<Idle>) -> Receiver<Command> {
    let (sender, receiver) = unbounded();
    thread::Builder::new()
        .name("listener".to_owned())
        .spawn(move || {
            read(input, &sender, &idle);
            // The engine ends by itself at once. Should it hang, the client must not have to kill it.
            thread::sleep(GRACE);
            std::process::exit(0);
        })
        .expect("a thread can be started");
    receiver
}

fn read(mut input: impl BufRead, commands: &Sender<Command>, idle: &Idle) {
    let mut line = Vec::new();
    loop {
        line.clear();
        match input.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => break,
            Ok(_) => {}
        }
        if line.len() as u64 == LONGEST_LINE && line.last() != Some(&b'\n') {
            log::warn!("a line of more than {LONGEST_LINE} bytes was skipped");
            if input.skip_until(b'\n').is_err() {
                break;
            }
            continue;
        }
        let text = decode(&line);
        let text = text.trim_end_matches(['\r', '\n']);
        log::debug!(target: "usi", "> {text}");
        match Command::parse(text) {
            Command::Quit => break,
            Command::Nothing => {}
            Command::Wait(longest) => idle.wait(longest.unwrap_or(LONGEST_WAIT)),
            command => {
                idle.begin();
                if commands.send(command).is_err() {
                    return;
                }
            }
        }
    }
    let _ = commands.send(Command::Quit);
}

/// The text of a line. Clients for Windows may write the names of files in the letters of the Japanese system.
fn decode(line: &[u8]) -> Cow<'_, str> {
    std::str::from_utf8(line).map_or_else(|_| SHIFT_JIS.decode_without_bom_handling(line).0, Cow::Borrowed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_arrive_in_the_letters_of_either_system() {
        let line = "setoption name BookFile value 将棋\\定跡.db";
        assert_eq!(decode(line.as_bytes()), line);
        assert_eq!(decode(&SHIFT_JIS.encode(line).0), line);
        assert!(decode(b"go \xff\xfe\x00").starts_with("go "), "nothing is too strange");
    }
}
