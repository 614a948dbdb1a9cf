//! The USI front end: what GUIs and match runners talk to.
//!
//! A listener thread turns lines into commands; the front end in the main thread never blocks on anything but
//! the next command or event; the search runs in a thread of its own. All that is printed goes through
//! [`output::Output`].

pub mod command;
pub mod engine;
pub mod journal;
pub mod listener;
pub mod options;
pub mod output;
mod processor;
pub mod worker;

use std::sync::Arc;

use crate::search::Search;
use output::Output;

/// Makes a search; called again should one panic.
pub type SearchMaker = Box<dyn Fn() -> Box<dyn Search> + Send>;

/// Talks USI over stdin and stdout until `quit` or the end of input.
pub fn run(make_search: SearchMaker) {
    let output = Arc::new(Output::stdout());
    let idle = Arc::new(listener::Idle::default());
    let commands = listener::listen(std::io::BufReader::new(std::io::stdin()), Arc::clone(&idle));
    engine::Engine::new(output, make_search, idle).run(&commands);
}
