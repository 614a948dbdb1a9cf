//! The thread in which the search lives.

use crossbeam_channel::{Receiver, Sender, unbounded};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Arc;
use std::thread;

use super::SearchMaker;
use crate::book::{self, Library};
use crate::eval::Network;
use crate::human::{Human, Outlook, SEARCHED};
use crate::learn::{self, Monitor};
use crate::search::{Answer, Control, Line, Preferences, Search, Task, bench};
use crate::shogi::{Walker, perft};

/// What the search thread is told to do, one thing at a time.
pub enum Job {
    /// Get ready, with a book if one is wanted.
    Prepare(Preferences, Option<book::Settings>),
    /// Forget the last game.
    NewGame,
    /// Think, unless the book has an answer.
    Think(Box<Task>, Preferences, Option<book::Settings>, Arc<Control>),
    /// Count move paths.
    Perft(Box<Walker>, u8, Arc<Control>),
    /// Run the bench.
    Bench(Arc<Control>),
    /// Learn by the plan in a file.
    Learn(PathBuf, Arc<Control>),
}

/// What it says on the way and in the end. Each job but `NewGame` ends with exactly one of `Done`, `Answered` or
/// `Failed`.
pub enum Event {
    /// Text for people.
    Note(String),
    /// The best lines so far.
    Lines(Vec<Line>),
    /// The answer to `Think`.
    Answered(Answer),
    /// Another job has ended.
    Done,
    /// The job panicked with this message.
    Failed(String),
}

/// Starts the thread.
pub fn start(make_search: SearchMaker) -> (Sender<Job>, Receiver<Event>) {
    let (jobs, incoming) = unbounded();
    let (outgoing, events) = unbounded();
    thread::Builder::new()
        .name("search".to_owned())
        // Recursion goes deep in the search and frames hold move lists.
        .stack_size(16 * 1024 * 1024)
        .spawn(move || work(&make_search, &incoming, &outgoing))
        .expect("a thread can be started");
    (jobs, events)
}

fn work(make_search: &SearchMaker, jobs: &Receiver<Job>, events: &Sender<Event>) {
    let mut search = make_search();
    let mut library = Library::default();
    for job in jobs {
        let awaited = !matches!(job, Job::NewGame);
        let event = catch_unwind(AssertUnwindSafe(|| perform(job, search.as_mut(), &mut library, events)));
        let event = event.unwrap_or_else(|panic| {
            // What a panic leaves behind cannot be trusted.
            search = make_search();
            let message = message(panic.as_ref());
            // Where nobody waits for the end, it would be taken for the end of the next job.
            Some(if awaited {
                Event::Failed(message)
            } else {
                Event::Note(format!("internal error: {message}"))
            })
        });
        if let Some(event) = event
            && events.send(event).is_err()
        {
            return;
        }
    }
}

fn perform(
    job: Job,
    search: &mut dyn Search,
    library: &mut Library,
    events: &Sender<Event>,
) -> Option<Event> {
    let note = |text: String| {
        let _ = events.send(Event::Note(text));
    };
    match job {
        Job::Prepare(preferences, book) => {
            search.prepare(&preferences).into_iter().for_each(note);
            book.and_then(|settings| library.open(&settings)).into_iter().for_each(note);
            Some(Event::Done)
        }
        Job::NewGame => {
            search.new_game();
            None
        }
        Job::Think(task, preferences, book, control) => {
            if let Some(settings) = book {
                library.open(&settings).into_iter().for_each(note);
                match library.choose(&task.walker, &settings) {
                    Ok(Some(line)) => return Some(Event::Answered(Answer::Best(vec![line]))),
                    Ok(None) => {}
                    Err(complaint) => note(complaint),
                }
            }
            let outlook = |searched| {
                let (rating, human) = (preferences.human_rating?, Human::embedded()?);
                let position = task.walker.position();
                Some(Outlook::of(&human, &Network::embedded(), position, rating, searched).to_string())
            };
            outlook(None).into_iter().for_each(note);
            search.prepare(&preferences).into_iter().for_each(note);
            // Who wins between people is said again whenever the search knows much more, and in the end.
            let (mut told, mut next) = (0, SEARCHED);
            let mut report = |lines: Vec<Line>| {
                if let Some(best) = lines.first().filter(|best| best.nodes >= next) {
                    outlook(Some(best.score.logit())).into_iter().for_each(note);
                    (told, next) = (best.nodes, 4 * best.nodes);
                }
                let _ = events.send(Event::Lines(lines));
            };
            let answer = search.think(&task, &control, &mut report);
            if let Answer::Best(lines) = &answer
                && let Some(best) = lines.first().filter(|best| best.nodes >= SEARCHED && best.nodes > told)
            {
                outlook(Some(best.score.logit())).into_iter().for_each(note);
            }
            search.notes().into_iter().for_each(note);
            Some(Event::Answered(answer))
        }
        Job::Perft(mut walker, depth, control) => {
            let mut total = 0;
            for (mv, nodes) in perft::divide(&mut walker, depth, control.stop_flag()) {
                note(format!("{} {nodes}", mv.to_usi()));
                total += nodes;
            }
            let ms = control.elapsed().as_millis().max(1);
            let unfinished = if control.must_stop() { " (stopped)" } else { "" };
            note(format!(
                "perft {depth} nodes {total} time {ms} nps {}{unfinished}",
                u128::from(total) * 1000 / ms
            ));
            Some(Event::Done)
        }
        Job::Bench(control) => {
            match bench::run(search, &|| control.must_stop(), &mut |line| note(line)) {
                Some(result) => note(result.to_string()),
                None => note("bench stopped".to_owned()),
            }
            Some(Event::Done)
        }
        Job::Learn(plan, control) => {
            if let Err(error) = learn::run(&plan, &Monitor::new(&note, control.stop_flag())) {
                note(format!("usi_learn: {error}"));
            }
            Some(Event::Done)
        }
    }
}

/// What a panic said.
pub fn message(panic: &(dyn std::any::Any + Send)) -> String {
    panic
        .downcast_ref::<&str>()
        .map(|text| (*text).to_owned())
        .or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "no message".to_owned())
}
