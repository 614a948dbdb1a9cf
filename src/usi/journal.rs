//! The log: what is said both ways with times, in the file named by `DebugLogFile`, or on stderr where
//! `RUST_LOG` asks for it. Otherwise nothing: clients do not read stderr, and a full pipe would hang us.

use once_cell::sync::OnceCell;
use parking_lot::Mutex;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

static FILE: Mutex<Option<File>> = Mutex::new(None);

/// Writes to the file where there is one, else to stderr.
struct Destination;

impl Write for Destination {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match FILE.lock().as_mut() {
            Some(file) => file.write(bytes),
            None => io::stderr().write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match FILE.lock().as_mut() {
            Some(file) => file.flush(),
            None => io::stderr().flush(),
        }
    }
}

/// Starts logging; silent until `RUST_LOG` or [`write_to`] says otherwise. Panics are logged too instead of
/// being printed.
pub fn start() {
    let asked = std::env::var_os("RUST_LOG").is_some();
    let filter = env_logger::Env::default().default_filter_or("debug");
    env_logger::Builder::from_env(filter)
        .format(|line, record| {
            let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
            let (seconds, millis) = (now.as_secs() % 86_400, now.subsec_millis());
            let (hours, minutes) = (seconds / 3600, seconds / 60 % 60);
            let seconds = seconds % 60;
            writeln!(
                line,
                "{hours:02}:{minutes:02}:{seconds:02}.{millis:03} {} {}",
                record.target(),
                record.args()
            )
        })
        .target(env_logger::Target::Pipe(Box::new(Destination)))
        .init();
    if !asked {
        log::set_max_level(log::LevelFilter::Off);
    }
    std::panic::set_hook(Box::new(|panic| log::error!("{panic}")));
}

/// Logs to the end of this file from now on; to none where the name is empty.
pub fn write_to(name: &str) -> io::Result<()> {
    if name.is_empty() {
        *FILE.lock() = None;
        if std::env::var_os("RUST_LOG").is_none() {
            log::set_max_level(log::LevelFilter::Off);
        }
        return Ok(());
    }
    *FILE.lock() = Some(open(Path::new(name))?);
    log::set_max_level(log::LevelFilter::Debug);
    Ok(())
}

/// A relative name means beside the executable; where that cannot be written, the working directory.
fn open(name: &Path) -> io::Result<File> {
    let append = |path: PathBuf| OpenOptions::new().append(true).create(true).open(path);
    // Joining an absolute name gives that name.
    append(program_folder().join(name)).or_else(|_| append(name.to_owned()))
}

/// The folder the executable lies in; GUIs start engines from anywhere.
pub fn program_folder() -> &'static Path {
    static FOLDER: OnceCell<PathBuf> = OnceCell::new();
    FOLDER.get_or_init(|| {
        let program = std::env::current_exe().ok();
        program.and_then(|program| program.parent().map(Path::to_owned)).unwrap_or_default()
    })
}
