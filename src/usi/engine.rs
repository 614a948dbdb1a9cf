//! The front end: takes commands in order, owns the search thread, and gives exactly one answer to every `go`.
//!
//! It never waits for the search: everything that must wait for a running search stands in a queue.

use crossbeam_channel::{Receiver, Sender, never, select};
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::SearchMaker;
use super::command::{Command, Go, Times};
use super::journal;
use super::listener::Idle;
use super::options::{self, Options};
use super::output::{self, Output};
use super::processor;
use super::worker::{self, Event, Job};
use crate::search::clock::{Budget, TimeControl};
use crate::search::{Answer, Control, Line, Score, Task};
use crate::shogi::diagram::diagram;
use crate::shogi::notation::{parse_move, parse_position, quote};
use crate::shogi::{Color, Declaration, Move, MoveList, Walker, legal_moves, useful_moves};

/// Clients take silence while loading for a crash: an empty line this often shows life.
const SIGN_OF_LIFE: Duration = Duration::from_secs(5);

/// After `quit` there is this long to give the last answers.
const LAST_WORDS: Duration = Duration::from_millis(700);

/// Deeper counts would not end in a lifetime.
const DEEPEST_PERFT: u64 = 32;

/// What the engine is doing.
enum State {
    Idle,
    /// Getting ready for `isready`; shows life next at this time.
    Preparing(Instant),
    /// Counting move paths, running the bench or learning; `true` where it was asked by `go`.
    Counting(Arc<Control>, bool),
    Thinking(Box<Thinking>),
}

/// A `go` that has not been answered.
struct Thinking {
    go: Go,
    control: Arc<Control>,
    /// Whether the answer must wait for `stop` or `ponderhit`.
    holding: bool,
    /// The answer, while it must wait.
    held: Option<Reply>,
    /// Whether the search under way is about the position before the expected move.
    before_reply: bool,
    /// When the expected move came, if the position after it is still to be searched.
    hit: Option<Instant>,
    /// How many lines were wanted when it began.
    lines: usize,
}

/// How a `go` is answered.
enum Reply {
    Searched(Answer),
    Declared(Declaration),
    /// The search broke down.
    Failed,
}

/// The front end.
pub struct Engine {
    output: Arc<Output>,
    idle: Arc<Idle>,
    jobs: Sender<Job>,
    events: Receiver<Event>,
    options: Options,
    walker: Walker,
    /// Whether the last `position` was understood.
    sound: bool,
    state: State,
    /// Commands not yet carried out, in order.
    queue: VecDeque<Command>,
    /// When to leave at the latest, once `quit` has come.
    leaving: Option<Instant>,
    /// Whether a game is being played: since `usinewgame`, until the next `isready`.
    in_game: bool,
    /// What the player should know, once.
    advice: Option<&'static str>,
}

impl Engine {
    /// An engine at the starting position; `idle` is told when commands are done.
    pub fn new(output: Arc<Output>, make_search: SearchMaker, idle: Arc<Idle>) -> Self {
        let (jobs, events) = worker::start(make_search);
        Self {
            output,
            idle,
            jobs,
            events,
            options: Options::default(),
            walker: Walker::startpos(),
            sound: true,
            state: State::Idle,
            queue: VecDeque::new(),
            leaving: None,
            in_game: false,
            advice: processor::advice(),
        }
    }

    /// Carries out commands until `quit`, the end of input or a closed output.
    pub fn run(mut self, commands: &Receiver<Command>) {
        let no_more = never();
        while !self.output.is_closed() {
            let listening = if self.leaving.is_some() { &no_more } else { commands };
            select! {
                recv(listening) -> command => self.accept(command.unwrap_or(Command::Quit)),
                recv(self.events) -> event => match event {
                    Ok(event) => self.notice(event),
                    Err(_) => return,
                },
                default(self.patience()) => {}
            }
            self.show_life();
            self.work_off();
            if let Some(deadline) = self.leaving {
                if Instant::now() >= deadline {
                    self.give_up();
                }
                if matches!(self.state, State::Idle) {
                    return;
                }
            }
        }
    }

    /// Answers all that is still open without the search, which did not end in time.
    fn give_up(&mut self) {
        while !matches!(self.state, State::Idle) {
            self.unhold();
            self.finish();
            self.work_off();
        }
    }

    /// How long nothing needs to be done.
    fn patience(&self) -> Duration {
        let next = match (self.leaving, &self.state) {
            (Some(deadline), _) => deadline,
            (None, State::Preparing(next)) => *next,
            _ => return Duration::from_hours(1),
        };
        next.saturating_duration_since(Instant::now())
    }

    fn show_life(&mut self) {
        if let State::Preparing(next) = &mut self.state
            && Instant::now() >= *next
        {
            *next += SIGN_OF_LIFE;
            self.output.line("");
        }
    }

    /// Takes a command: what can be answered whatever goes on is answered, the rest waits for its turn.
    fn accept(&mut self, command: Command) {
        match command {
            Command::Quit => {
                self.leaving = Some(Instant::now() + LAST_WORDS);
                // What was asked before is still answered, as far as time allows.
                self.queue.push_back(Command::Stop);
            }
            Command::Usi => {
                self.introduce();
                self.idle.done();
            }
            Command::IsReady if matches!(self.state, State::Thinking(_) | State::Counting(..)) => {
                self.output.line("readyok");
                self.idle.done();
            }
            Command::Side
            | Command::Moves
            | Command::Draw
            | Command::Tunables
            | Command::GetOption(_)
            | Command::Unknown(_)
                if self.queue.is_empty() =>
            {
                self.carry_out(command);
            }
            command => self.queue.push_back(command),
        }
    }

    /// Carries out what stands in the queue as far as the state allows.
    fn work_off(&mut self) {
        loop {
            if matches!(self.state, State::Idle) {
                let Some(command) = self.queue.pop_front() else { return };
                self.carry_out(command);
                continue;
            }
            // What belongs to the search under way comes before anything that begins something new.
            let begins =
                |command: &Command| matches!(command, Command::Go(_) | Command::NewGame | Command::Bench);
            let next = self.queue.iter().position(begins);
            let until = next.unwrap_or(self.queue.len());
            let urgent = |command: &Command| matches!(command, Command::Stop | Command::PonderHit(_));
            if let Some(index) = self.queue.iter().take(until).position(urgent) {
                match self.queue.remove(index) {
                    Some(Command::PonderHit(times)) => self.ponder_hit(times),
                    _ => self.stop(),
                }
                self.idle.done();
            } else {
                if next.is_some() {
                    self.stop();
                }
                if !matches!(self.state, State::Idle) {
                    return;
                }
            }
        }
    }

    /// Carries out a command; a panic on the way is reported and a `go` still gets its answer.
    fn carry_out(&mut self, command: Command) {
        let go = if let Command::Go(go) = &command { Some(go.clone()) } else { None };
        let was_idle = matches!(self.state, State::Idle);
        let result = catch_unwind(AssertUnwindSafe(|| self.perform(command)));
        if let Err(panic) = result {
            self.output.info(&format!("internal error: {}", worker::message(panic.as_ref())));
            if let Some(go) = go
                && matches!(self.state, State::Idle)
            {
                self.reply(&go, self.options.multi_pv as usize, Duration::ZERO, Reply::Failed);
            }
        }
        // Whoever started a job is done when the job is.
        if !was_idle || matches!(self.state, State::Idle) {
            self.idle.done();
        }
    }

    fn perform(&mut self, command: Command) {
        match command {
            Command::SetOption { name, value } => self.set_option(&name, &value),
            Command::GetOption(name) => match self.options.get(&name) {
                Some((name, value)) => self.output.info(&format!("{name} = {value}")),
                None => self.output.info(&format!("no option is named {}", quote(&name))),
            },
            Command::IsReady => {
                self.in_game = false;
                if let Some(advice) = self.advice.take() {
                    self.output.info(advice);
                }
                self.state = State::Preparing(Instant::now() + SIGN_OF_LIFE);
                self.send(Job::Prepare(self.options.preferences(), self.options.book()));
            }
            Command::NewGame => {
                self.in_game = true;
                self.send(Job::NewGame);
            }
            Command::Position(arguments) => self.set_position(&arguments),
            Command::Go(go) => self.go(*go),
            Command::Bench => {
                let control = Arc::new(Control::new(Instant::now()));
                self.state = State::Counting(Arc::clone(&control), false);
                self.send(Job::Bench(control));
            }
            Command::Tunables => {
                self.output.line(&format!("info string shogiarena_tunables_json {}", options::tunables()));
                self.output.line("usi_tunablesok");
            }
            Command::Side => self.output.line(match self.walker.turn() {
                Color::Black => "black",
                Color::White => "white",
            }),
            Command::Moves => {
                let mut list = MoveList::new();
                legal_moves(self.walker.position(), &mut list);
                let moves: Vec<String> = list.iter().map(|mv| mv.to_usi()).collect();
                self.output.line(&moves.join(" "));
            }
            Command::Draw => diagram(self.walker.position()).lines().for_each(|line| self.output.line(line)),
            Command::Unknown(line) => self.output.info(&format!("unknown command {}", quote(&line))),
            // Without a search there is nothing to stop or to hit; the others were answered on arrival.
            Command::Stop
            | Command::PonderHit(_)
            | Command::Usi
            | Command::Quit
            | Command::Wait(_)
            | Command::Nothing => {}
        }
    }

    fn send(&self, job: Job) {
        self.jobs.send(job).expect("the search thread lives as long as the engine");
    }

    fn introduce(&self) {
        self.output.line(&format!("id name Tenbin {}", env!("CARGO_PKG_VERSION")));
        self.output.line("id author The Tenbin authors");
        options::listing().for_each(|line| self.output.line(&line));
        self.output.line("usiok");
    }

    fn set_option(&mut self, name: &str, value: &str) {
        match self.options.set(name, value) {
            Ok(Some("DebugLogFile")) => {
                if let Err(error) = journal::write_to(&self.options.debug_log_file) {
                    self.output.info(&format!("DebugLogFile: {error}"));
                }
            }
            Ok(Some("usi_learn")) => {
                let control = Arc::new(Control::new(Instant::now()));
                self.state = State::Counting(Arc::clone(&control), false);
                self.send(Job::Learn(self.options.learn.clone().into(), control));
            }
            Ok(_) => self.walker.set_rules(self.options.rules()),
            Err(error) => self.output.info(&error),
        }
    }

    fn set_position(&mut self, arguments: &str) {
        match parse_position(arguments, self.options.rules()) {
            Ok((walker, complaint)) => {
                self.walker = walker;
                self.sound = true;
                if let Some(complaint) = complaint {
                    self.output.info(&format!("position: {complaint}"));
                }
            }
            Err(error) => {
                self.sound = false;
                self.output.info(&format!("position: {error}; the last one is kept"));
            }
        }
    }

    fn go(&mut self, go: Go) {
        let begun = Instant::now();
        let control = Arc::new(Control::new(begun));
        if let Some(depth) = go.perft {
            self.state = State::Counting(Arc::clone(&control), true);
            let depth = depth.clamp(1, DEEPEST_PERFT) as u8;
            return self.send(Job::Perft(Box::new(self.walker.fork()), depth, control));
        }
        if !self.sound || self.walker.is_mated() {
            let proved = if self.sound { "checkmate nomate" } else { "checkmate timeout" };
            return self.output.line(if go.mate.is_some() { proved } else { "bestmove resign" });
        }
        let unlimited = go.movetime.is_none() && go.nodes.is_none() && go.depth.is_none() && !go.times.any();
        let holding = go.ponder || go.infinite || (unlimited && go.mate.is_none());
        if !holding && let Some(budget) = self.budget(&go, go.times) {
            control.set_budget(budget, begun);
        }
        // On all replies at once: the tree then knows them all when one comes.
        let before_reply = go.ponder && self.options.stochastic_ponder && self.walker.move_ago(1).is_some();
        let mut thinking = Box::new(Thinking {
            go,
            control,
            holding,
            held: None,
            before_reply,
            hit: None,
            lines: self.options.multi_pv as usize,
        });
        if let Some(declaration) = self.walker.declaration()
            && thinking.go.mate.is_none()
        {
            let reply = Reply::Declared(declaration);
            if !holding {
                return self.reply(&thinking.go, thinking.lines, Duration::ZERO, reply);
            }
            thinking.held = Some(reply);
            thinking.before_reply = false;
            self.state = State::Thinking(thinking);
            return;
        }
        let mut task = Box::new(self.task(&thinking.go));
        if before_reply {
            task.walker.undo();
            task.root_moves.clear();
        }
        let mut preferences = self.options.preferences();
        if thinking.holding && !thinking.go.ponder {
            // Who analyses wants to know.
            preferences.params = preferences.params.at_full_strength();
        }
        // Who wants several lines wants to know too, and a book has one.
        let wanted = self.in_game && preferences.multi_pv == 1 && is_by_the_clock(&thinking);
        let book = self.options.book().filter(|_| wanted);
        if wanted {
            thinking.control.play_by_the_clock();
        }
        self.send(Job::Think(task, preferences, book, Arc::clone(&thinking.control)));
        self.state = State::Thinking(thinking);
    }

    fn task(&self, go: &Go) -> Task {
        let mut root_moves = Vec::new();
        for text in &go.search_moves {
            match parse_move(self.walker.position(), text) {
                Ok(mv) if root_moves.contains(&mv) => {}
                Ok(mv) => root_moves.push(mv),
                Err(error) => self.output.info(&format!("searchmoves: {error}")),
            }
        }
        let limit = |option: i32| (option > 0).then_some(option as u32);
        Task {
            walker: self.walker.fork(),
            root_moves,
            nodes: [go.nodes, limit(self.options.nodes_limit).map(u64::from)].into_iter().flatten().min(),
            depth: [go.depth, limit(self.options.depth_limit)].into_iter().flatten().min(),
            mate: go.mate.is_some(),
        }
    }

    /// The time for a search, or nothing where something else limits it.
    fn budget(&self, go: &Go, times: Times) -> Option<Budget> {
        if let Some(ms) = go.mate {
            return (ms < u64::MAX).then(|| Budget::exactly(ms));
        }
        if let Some(ms) = go.movetime {
            return Some(Budget::movetime(ms));
        }
        if !times.any() {
            return None;
        }
        let side = self.walker.turn().to_index();
        let time = TimeControl {
            remaining: times.remaining[side].unwrap_or(0),
            increment: times.increment[side].unwrap_or(0),
            byoyomi: times.byoyomi.unwrap_or(0),
        };
        Some(Budget::for_game(time, self.options.habits(), self.walker.move_number()))
    }

    fn ponder_hit(&mut self, times: Times) {
        let State::Thinking(thinking) = &mut self.state else { return };
        if !thinking.go.ponder {
            return;
        }
        if thinking.before_reply {
            if times.any() {
                thinking.go.times = times;
            }
            thinking.hit = Some(Instant::now());
            thinking.control.stop();
            return self.search_reply();
        }
        let State::Thinking(thinking) = &self.state else { return };
        let times = if times.any() { times } else { thinking.go.times };
        let limited = thinking.go.nodes.is_some() || thinking.go.depth.is_some();
        match self.budget(&thinking.go, times) {
            Some(budget) => thinking.control.set_budget(budget, Instant::now()),
            None if limited => {}
            // The client wants a move and says nothing of time.
            None => thinking.control.stop(),
        }
        self.unhold();
    }

    /// After a ponder hit on all replies, and once that search has ended: searches the position that came about.
    fn search_reply(&mut self) {
        let State::Thinking(thinking) = &mut self.state else { return };
        let (Some(begun), Some(_)) = (thinking.hit, &thinking.held) else { return };
        let control = Arc::new(Control::new(begun));
        thinking.held = None;
        thinking.hit = None;
        thinking.before_reply = false;
        let stopped = !std::mem::replace(&mut thinking.holding, false);
        thinking.control = Arc::clone(&control);
        let go = thinking.go.clone();
        let limited = go.nodes.is_some() || go.depth.is_some();
        match self.budget(&go, go.times) {
            Some(budget) => control.set_budget(budget, begun),
            None if limited => {}
            // The client wants a move and says nothing of time.
            None => control.stop(),
        }
        if stopped {
            control.stop();
        }
        let task = Box::new(self.task(&go));
        self.send(Job::Think(task, self.options.preferences(), None, control));
    }

    /// Ends whatever runs.
    fn stop(&mut self) {
        match &self.state {
            State::Thinking(thinking) => {
                thinking.control.stop();
                self.unhold();
            }
            State::Counting(control, _) => control.stop(),
            State::Idle | State::Preparing(_) => {}
        }
    }

    fn unhold(&mut self) {
        if let State::Thinking(thinking) = &mut self.state {
            thinking.holding = false;
        }
        self.release();
    }

    /// Gives the answer if there is one and nothing holds it back.
    fn release(&mut self) {
        if let State::Thinking(thinking) = &self.state
            && !thinking.holding
            && thinking.held.is_some()
            && let State::Thinking(thinking) = std::mem::replace(&mut self.state, State::Idle)
            && let Some(reply) = thinking.held
        {
            self.reply(&thinking.go, thinking.lines, thinking.control.elapsed(), reply);
            self.idle.done();
        }
    }

    /// Takes what the search thread says.
    fn notice(&mut self, event: Event) {
        match event {
            Event::Note(text) => self.output.info(&text),
            Event::Lines(lines) => {
                if let State::Thinking(thinking) = &self.state
                    && !thinking.before_reply
                {
                    self.output.lines(&lines, thinking.control.elapsed());
                }
            }
            Event::Answered(answer) => self.hold(Reply::Searched(answer)),
            Event::Failed(message) => {
                self.output.info(&format!("internal error: {message}"));
                self.finish();
            }
            Event::Done => self.finish(),
        }
    }

    fn hold(&mut self, reply: Reply) {
        if let State::Thinking(thinking) = &mut self.state {
            // What was found about another position is no answer to this one.
            let aside = thinking.before_reply && matches!(reply, Reply::Searched(_));
            thinking.held = Some(if aside { Reply::Failed } else { reply });
        }
        self.search_reply();
        self.release();
    }

    /// The job under way has ended without an answer of its own.
    fn finish(&mut self) {
        match &self.state {
            State::Idle => return,
            State::Thinking(_) => return self.hold(Reply::Failed),
            State::Preparing(_) => self.output.line("readyok"),
            State::Counting(_, by_go) => {
                if *by_go {
                    self.fall_back(&[], 1);
                }
            }
        }
        self.state = State::Idle;
        self.idle.done();
    }

    /// Prints the one answer to a `go`.
    fn reply(&self, go: &Go, lines: usize, elapsed: Duration, reply: Reply) {
        match reply {
            Reply::Declared(Declaration::Claim) => self.output.line("bestmove win"),
            Reply::Declared(Declaration::Try(mv)) => self.play(&[only(mv, Score::Mates(1))], elapsed),
            Reply::Searched(Answer::Best(lines)) if go.mate.is_none() => {
                if !go.infinite && self.is_hopeless(&lines) {
                    self.output.lines(&lines, elapsed);
                    self.output.line("bestmove resign");
                } else {
                    self.play(&lines, elapsed);
                }
            }
            Reply::Searched(Answer::Checkmate(moves)) if go.mate.is_some() => {
                let moves: Vec<String> = moves.iter().map(|mv| mv.to_usi()).collect();
                self.output.line(&format!("checkmate {}", moves.join(" ")));
            }
            Reply::Searched(Answer::NoMate) if go.mate.is_some() => self.output.line("checkmate nomate"),
            _ if go.mate.is_some() => self.output.line("checkmate timeout"),
            Reply::Searched(_) | Reply::Failed => self.fall_back(&go.search_moves, lines),
        }
    }

    fn is_hopeless(&self, lines: &[Line]) -> bool {
        let limit = self.options.resign_value;
        lines.first().is_some_and(|line| match line.score {
            Score::Cp(cp) => cp <= -limit,
            Score::Mated(_) => limit <= 30_000,
            Score::Mates(_) => false,
        })
    }

    /// Prints the lines and the move, after a generator that knows nothing of the search agreed to it.
    fn play(&self, lines: &[Line], elapsed: Duration) {
        let mut moves = MoveList::new();
        let mut walker = self.walker.clone();
        legal_moves(walker.position(), &mut moves);
        let Some(&best) = lines.first().and_then(|line| line.pv.first()).filter(|best| moves.contains(best))
        else {
            self.output.info("internal error: the search found no legal move");
            return self.fall_back(&[], 1);
        };
        walker.apply(best);
        legal_moves(walker.position(), &mut moves);
        let ponder = lines[0].pv.get(1).copied().filter(|mv| moves.contains(mv));
        self.output.lines(lines, elapsed);
        self.output.line(&output::bestmove(best, ponder));
    }

    /// Answers without a search: legal moves, of these if there are any, as many as lines are wanted.
    fn fall_back(&self, among: &[String], lines: usize) {
        let parse = |text: &String| parse_move(self.walker.position(), text).ok();
        let mut moves: Vec<Move> = Vec::new();
        for mv in among.iter().filter_map(parse) {
            if !moves.contains(&mv) {
                moves.push(mv);
            }
        }
        if moves.is_empty() {
            let mut useful = MoveList::new();
            useful_moves(self.walker.position(), &mut useful);
            moves.extend(useful.iter());
        }
        // There may be moves of which none is useful.
        moves.extend(self.walker.any_move().filter(|_| moves.is_empty()));
        if moves.is_empty() || !self.sound {
            return self.output.line("bestmove resign");
        }
        let lines: Vec<Line> =
            moves.into_iter().take(lines.max(1)).map(|mv| only(mv, Score::Cp(0))).collect();
        self.play(&lines, Duration::ZERO);
    }
}

/// Whether a move is wanted in the time that the clocks show, and nothing is to be found out.
fn is_by_the_clock(thinking: &Thinking) -> bool {
    let go = &thinking.go;
    let exact = go.movetime.is_some() || go.nodes.is_some() || go.depth.is_some() || go.mate.is_some();
    go.times.any() && !exact && !thinking.holding && go.search_moves.is_empty()
}

/// A line of one move that nobody searched.
fn only(mv: Move, score: Score) -> Line {
    Line { depth: 1, seldepth: 1, score, nodes: 1, hashfull: 0, pv: vec![mv] }
}
