//! The engine proper: parallel UCT with playouts, behind the trait [`Search`].

use arrayvec::ArrayVec;
use rand::SeedableRng;
use rand_pcg::Pcg64Mcg;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::choice::RootMove;
use super::expansion::Expansion;
use super::formulas::Formulas;
use super::glance;
use super::iteration::{Counters, Session};
use super::level::Level;
use super::params::{Params, cutoff, mate_check};
use super::seat::{self, Seat};
use super::workers::{Outcome, Round};
use super::{Answer, Control, Line, Preferences, Score, Search, Task, memory};
use crate::eval::{Network, NetworkEvaluator, Scales, network};
use crate::human::{Human, Manner};
use crate::mate::dfpn::{Limits, Solver, Verdict};
use crate::mate::{mate_in_three, mates_in_one, mates_in_three};
use crate::playout::{Draws, Reward, Simulation, reward};
use crate::policy::weights::{BALANCING_FILE, PLAYOUT_FILE, TRANSITION_FILE};
use crate::policy::{Moment, Narrowing, Policy, Weights};
use crate::shogi::{Color, Move, Walker};
use crate::tree::{Arena, Edge, NodeId};

/// The mate solver gets this part of the memory, and at most so many MB of it.
const SOLVER_PART: usize = 8;
const MOST_SOLVER_MB: usize = 256;

/// A node's first edges get priors among so many moves: with more of them an expansion takes half as long again.
const PRIOR_COUNT: usize = 24;

/// Priors of moves less likely than this share of the likeliest do not matter.
const PRIOR_SHARE: f32 = 1e-6;

/// When memory is out, so much of it is made free.
const ROOM_PERCENT: usize = 50;

/// First moves of mates; more of them than there is room for do not matter.
type Mates = ArrayVec<Move, 8>;

/// What plays and evaluates.
struct Knowledge {
    network: Arc<Network>,
    transition: Arc<Weights>,
    /// The same policy at a glance, for playouts; here and below where it is not the embedded one, which is not read before it
    /// is needed.
    playout: Option<Arc<Weights>>,
    balancing: Option<Arc<Weights>>,
}

impl Knowledge {
    /// What a folder holds, or the embedded weights; with what should be said about it.
    fn load(folder: &Path) -> (Self, Vec<String>) {
        let (network, network_note) = Network::from_folder(folder);
        // A folder need not hold every file; one that holds none is complained about once, by the network.
        let holds = |file: &&str| folder.join(file).exists();
        let policy_alone =
            !holds(&network::FILE) && [TRANSITION_FILE, PLAYOUT_FILE, BALANCING_FILE].iter().any(holds);
        let network_note = network_note.filter(|_| !policy_alone);
        let (transition, transition_note) = Weights::transition_of(folder);
        let (playout, playout_note) = Weights::playout_of(folder);
        let (balancing, balancing_note) = Weights::balancing_of(folder);
        let notes = [network_note, transition_note, playout_note, balancing_note];
        (Self { network, transition, playout, balancing }, notes.into_iter().flatten().collect())
    }

    fn balancing(&self) -> Option<Arc<Weights>> {
        self.balancing.clone().or_else(Weights::embedded_balancing)
    }

    /// The policy of playouts.
    fn policy(&self, params: &Params) -> Policy {
        let narrowing = Narrowing { count: params.candidates() as usize, share: params.share() };
        let transition = || self.playout.clone().unwrap_or_else(Weights::embedded_playout);
        match params.policy() as i32 {
            0 => Policy::uniform(transition(), narrowing),
            2 if let Some(balancing) = self.balancing() => {
                if Params::yes(params.narrows()) {
                    return Policy::balancing(transition(), balancing, narrowing);
                }
                // It was learned from the transition policy and knows good moves as well: to ask both costs time.
                Policy::transition(balancing, narrowing)
            }
            // What was learned to be in balance would be so no longer at another temperature; this one may be sharper.
            _ => Policy::transition(transition(), narrowing).with_temperature(params.playout_temperature()),
        }
    }

    /// The policy that says which moves of the tree to try first: the transition policy, or as the paper has it the balancing
    /// policy itself where moves are tried in order.
    fn prior(&self, params: &Params, formulas: &Formulas) -> Policy {
        let narrowing = Narrowing { count: PRIOR_COUNT, share: PRIOR_SHARE };
        let transition = Arc::clone(&self.transition);
        let own = formulas.form != super::formulas::Form::Puct && params.orders_by_balancing();
        let policy = match own.then(|| self.balancing()).flatten() {
            Some(balancing) => Policy::balancing(transition, balancing, narrowing),
            None => Policy::transition(transition, narrowing),
        };
        policy.with_temperature(1.0 / formulas.flattening(false))
    }
}

/// The search with all it keeps from move to move.
pub struct TreeSearch {
    preferences: Preferences,
    knowledge: Knowledge,
    weights_from: PathBuf,
    arena: Arena,
    asked_mb: usize,
    solver: Solver,
    seat: Option<Seat>,
    /// Searches since the last new game: each has random numbers of its own.
    searches: u64,
    /// What the last search thought of the position, and for which side.
    hoped: Option<(f32, Color)>,
    /// What players of a rating like to play, once somebody asked to play as they do.
    taste: Option<(u32, Policy)>,
    /// How likely each move of the root was to be chosen in the end, and which one was.
    odds: (Vec<(Move, f32)>, usize),
    notes: Vec<String>,
}

impl Default for TreeSearch {
    fn default() -> Self {
        let (knowledge, _) = Knowledge::load(Path::new(""));
        Self {
            preferences: Preferences::default(),
            knowledge,
            weights_from: PathBuf::new(),
            arena: Arena::with_counts(2, 2),
            asked_mb: 0,
            solver: Solver::new(0),
            seat: None,
            searches: 0,
            hoped: None,
            taste: None,
            odds: (Vec::new(), 0),
            notes: Vec::new(),
        }
    }
}

impl TreeSearch {
    /// The tree, for tests and experiments.
    pub fn arena(&self) -> &Arena {
        &self.arena
    }

    /// The node of a position, which is made if need be, for tests and experiments.
    pub fn root(&mut self, walker: &Walker) -> Option<NodeId> {
        let params = self.preferences.params.clone();
        let formulas = Formulas::new(&params);
        let expansion = self.expansion(&formulas);
        seat::find(&mut self.seat, &self.arena, walker, &expansion, &formulas).last().copied()
    }

    /// Playouts in the tree that went through a position, and those of them that took a move there.
    pub fn visits(&mut self, walker: &Walker, mv: Move) -> (u64, u64) {
        let Some(root) = self.root(walker) else { return (0, 0) };
        let edge = self.arena.all_edges(root).find(|edge| edge.mv() == mv.to_move());
        let visits = |id| u64::from(self.arena.node(id).visits());
        (visits(root), edge.and_then(Edge::child).map_or(0, visits))
    }

    /// How likely each move was to be chosen by the last search.
    pub fn odds(&self) -> &[(Move, f32)] {
        &self.odds.0
    }

    /// Uses these weights for the balancing policy from now on, as when they are being learned.
    pub fn set_balancing(&mut self, weights: Arc<Weights>) {
        self.knowledge.balancing = Some(weights);
        self.seat = None;
    }

    fn expansion(&self, formulas: &Formulas) -> Expansion {
        Expansion {
            policy: self.knowledge.prior(&self.preferences.params, formulas),
            network: Arc::clone(&self.knowledge.network),
            all_legal_moves: self.preferences.all_legal_moves,
        }
    }

    fn resize(&mut self, mb: usize) -> Option<String> {
        if self.asked_mb == mb {
            return None;
        }
        self.asked_mb = mb;
        // What there was goes first, or both would be needed at once.
        self.arena = Arena::with_counts(2, 2);
        self.solver = Solver::new(0);
        self.seat = None;
        let there = memory::affordable_mb(mb);
        let solver = (there / SOLVER_PART).min(MOST_SOLVER_MB);
        self.solver = Solver::new(solver);
        self.arena = Arena::with_size(there - solver);
        (there < mb).then(|| format!("USI_Hash: {mb} MB are not there, using {there}"))
    }

    fn load(&mut self, folder: &Path) -> Vec<String> {
        if self.weights_from == folder {
            return Vec::new();
        }
        folder.clone_into(&mut self.weights_from);
        let (knowledge, notes) = Knowledge::load(folder);
        self.knowledge = knowledge;
        notes
    }

    fn find_mate(&mut self, task: &Task, control: &Control) -> Answer {
        let limits = Limits { nodes: task.nodes.unwrap_or(u64::MAX), stop: &|| control.must_stop() };
        match self.solver.solve(&mut task.walker.fork(), &limits) {
            Verdict::Mate(line) => Answer::Checkmate(line),
            Verdict::NoMate => Answer::NoMate,
            Verdict::Unknown => Answer::Unknown,
        }
    }

    /// A mate that is seen at once, as long as no other moves are asked for.
    fn mate_at_sight(&mut self, task: &Task) -> Option<Line> {
        let mut walker = task.walker.fork();
        let mv = mate_in_three(&mut walker)?;
        if !task.root_moves.is_empty() || self.preferences.multi_pv > 1 {
            return None;
        }
        let limits = Limits { nodes: 20_000, stop: &|| false };
        let pv = match self.solver.solve(&mut walker, &limits) {
            Verdict::Mate(line) => line,
            _ => vec![mv],
        };
        let plies = pv.len() as u32;
        (plies <= walker.plies_left()).then(|| Line {
            depth: plies,
            seldepth: plies,
            score: Score::Mates(plies),
            nodes: 1,
            hashfull: self.arena.fullness(),
            pv,
        })
    }

    /// First moves of mates in one, or else in three plies; returns how many plies they take, 0 for none.
    fn mates(task: &Task, found: &mut Mates) -> u32 {
        let mut walker = task.walker.fork();
        mates_in_one(&mut walker, found);
        if !found.is_empty() {
            return 1;
        }
        mates_in_three(&mut walker, found);
        if found.is_empty() { 0 } else { 3 }
    }

    fn simulation(&self, walker: &Walker) -> Simulation {
        let params = &self.preferences.params;
        let black = walker.turn() == Color::Black;
        let tempo = params.tempo() as i32;
        let reward = if Params::yes(params.reward()) {
            let evaluator = NetworkEvaluator::new(Arc::clone(&self.knowledge.network));
            let mut scales = Scales::new(walker.fork(), evaluator);
            Reward::threshold(&mut scales, params.threshold() as i32, tempo)
        } else {
            Reward::win_rate(tempo)
        };
        // A draw is worth to both what it is worth to the side that thinks.
        let draw = reward::of_cp(self.preferences.draw_value[walker.turn().to_index()]);
        Simulation {
            policy: self.knowledge.policy(params),
            depth: params.depth() as u32,
            cutoff: cutoff(params.cutoff()),
            mate: mate_check(params.mate()),
            reward,
            draws: Draws { black: if black { draw } else { -draw } },
        }
    }

    /// Gets to know what players of a rating like to play, where they are to be imitated.
    fn learn_taste(&mut self, rating: u32) -> Option<String> {
        if rating == 0 || self.taste.as_ref().is_some_and(|(known, _)| *known == rating) {
            return None;
        }
        let weights = Human::embedded_policy(rating);
        let missing = weights
            .is_none()
            .then(|| "PlayRating: what people play is not known, using the policy".to_owned());
        let weights = weights.unwrap_or_else(|| Arc::clone(&self.knowledge.transition));
        self.taste = Some((rating, Policy::transition(weights, Narrowing::default())));
        missing
    }

    /// Random numbers of this search, different from those of its workers.
    fn random(&self) -> Pcg64Mcg {
        Pcg64Mcg::seed_from_u64(self.first_seed() ^ (1 << 31))
    }

    fn first_seed(&self) -> u64 {
        self.preferences.seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ (self.searches << 32)
    }

    /// The best lines, that of the move to play first. Moves of `missed` are not seen.
    fn best_lines(
        &mut self,
        task: &Task,
        missed: &[Move],
        control: &Control,
        report: &mut dyn FnMut(Vec<Line>),
    ) -> Vec<Line> {
        let params = self.preferences.params.clone();
        let formulas = Formulas::new(&params);
        if !Params::yes(params.reuse()) {
            self.seat = None;
        }
        let mut seat = self.seat.take();
        let expansion = self.expansion(&formulas);
        let chain = seat::find(&mut seat, &self.arena, &task.walker, &expansion, &formulas);
        let root = chain[chain.len() - 1];
        expansion.make_root(&self.arena, root, &task.walker, &task.root_moves, &formulas);
        if self.arena.node(root).stored() < self.arena.node(root).moves() {
            // Memory ran out over the root itself: an old tree stands in the way.
            self.arena.reclaim(&chain, ROOM_PERCENT, &|| false);
            expansion.make_root(&self.arena, root, &task.walker, &task.root_moves, &formulas);
        }
        let considered =
            |mv| task.root_moves.is_empty() || task.root_moves.iter().any(|m: &Move| m.to_move() == mv);
        let allowed = self.arena.all_edges(root).map(|edge| AtomicBool::new(considered(edge.mv()))).collect();
        let session = Session {
            arena: &self.arena,
            root,
            network: &self.knowledge.network,
            simulation: self.simulation(&task.walker),
            expansion,
            formulas,
            leaf_mate: mate_check(params.leaf_mate()),
            leaf_weight: params.leaf_weight(),
            certain: params.certain(),
            expand_visits: params.expand_visits() as u32,
            // A power of two, or none at all.
            remembered: (params.remembered() as usize).next_power_of_two() & !1,
            simple: Params::yes(params.simple()),
            restricted: !task.root_moves.is_empty(),
            allowed,
            counters: Counters::default(),
        };
        let evaluator = NetworkEvaluator::new(Arc::clone(&self.knowledge.network));
        let first = self.first_seed();
        let randoms = (0..self.preferences.threads.max(1) as u64).map(|n| Pcg64Mcg::seed_from_u64(first ^ n));
        let turn = task.walker.turn();
        // One's own hopes: the position two plies ago was worth this.
        let hoped = self.hoped.filter(|&(_, side)| side == turn).map(|(value, _)| value);
        let mut round = Round::new(&session, task, control, &self.preferences, hoped, randoms.collect());
        while round.run(&evaluator, &mut self.solver, report) == Outcome::Full {
            let room = self.arena.reclaim(&chain, ROOM_PERCENT, &|| control.must_stop());
            if !room || control.must_stop() {
                break;
            }
            round.forget_lost_nodes();
        }
        let seen = |moves: &[RootMove]| {
            let Some((_, policy)) = &self.taste else { return Vec::new() };
            let moves: Vec<Move> = moves.iter().map(|found| found.mv).collect();
            let moment = Moment::of_game(self.knowledge.network.progress(task.walker.position()));
            let likely = policy.distribution(&mut task.walker.fork(), moment, &moves);
            likely.into_iter().zip(glance::worths(&task.walker, &self.knowledge.network, &moves)).collect()
        };
        let choose = |moves: &[RootMove], random: &mut Pcg64Mcg| {
            let chosen = Level::of(&params).choose(moves, seen, missed, random);
            let odds = moves.iter().map(|found| found.mv).zip(chosen.odds).collect();
            self.odds = (odds, chosen.place);
            chosen.place
        };
        let (lines, notes) = round.finish(choose, &mut self.solver);
        self.hoped = lines.first().and_then(|line| match line.score {
            Score::Cp(cp) => Some((reward::of_cp(cp), turn)),
            _ => None,
        });
        self.notes = if self.preferences.root_statistics { notes } else { Vec::new() };
        self.seat = seat;
        self.searches += 1;
        lines
    }
}

impl Search for TreeSearch {
    fn prepare(&mut self, preferences: &Preferences) -> Vec<String> {
        let preferences = &Level::of(&preferences.params).weaken(preferences);
        let mut notes = self.load(&preferences.eval_dir);
        notes.extend(self.learn_taste(preferences.params.play_rating() as u32));
        notes.extend(self.resize(preferences.hash_mb));
        if preferences.params.is_balancing() && self.knowledge.balancing().is_none() {
            notes.push(format!("Playout_Policy: there is no {BALANCING_FILE}, using the transition policy"));
        }
        let lasting = |preferences: &Preferences| {
            (
                preferences.params.clone(),
                preferences.draw_value,
                preferences.all_legal_moves,
                preferences.eval_dir.clone(),
            )
        };
        // What was found under other settings is not what these would have found.
        if lasting(preferences) != lasting(&self.preferences) {
            self.seat = None;
        }
        self.preferences.clone_from(preferences);
        notes
    }

    fn new_game(&mut self) {
        self.seat = None;
        self.searches = 0;
        self.hoped = None;
        self.solver.clear();
    }

    fn think(&mut self, task: &Task, control: &Control, report: &mut dyn FnMut(Vec<Line>)) -> Answer {
        self.notes.clear();
        if task.mate {
            return self.find_mate(task, control);
        }
        let level = Level::of(&self.preferences.params);
        if level.sees_mates()
            && let Some(line) = self.mate_at_sight(task)
        {
            self.odds = (vec![(line.pv[0], 1.0)], 0);
            return Answer::Best(vec![line]);
        }
        let mut missed = Mates::new();
        if let Level::Rating(manner) = level {
            let plies = Self::mates(task, &mut missed);
            if plies > 0 && manner.happens_to_see(plies, &mut self.random()) {
                if let Some(line) = self.mate_at_sight(task) {
                    self.odds = (vec![(line.pv[0], 1.0)], 0);
                    control.take_time(Manner::pace(1.0, &mut self.random()));
                    // The next one is seen or missed by a chance of its own.
                    self.searches += 1;
                    return Answer::Best(vec![line]);
                }
                missed.clear();
            }
        }
        let limit = self.preferences.params.playouts_limit() as u64;
        let nodes = [task.nodes, level.playouts(), (limit > 0).then_some(limit)].into_iter().flatten().min();
        let mut random = self.random();
        let lines = self.best_lines(&Task { nodes, ..task.clone() }, &missed, control, report);
        if let Level::Rating(_) = level {
            let sure = self.odds.0.get(self.odds.1).map_or(1.0, |(_, odds)| *odds);
            control.take_time(Manner::pace(sure, &mut random));
        }
        Answer::Best(lines)
    }

    fn notes(&mut self) -> Vec<String> {
        std::mem::take(&mut self.notes)
    }
}
