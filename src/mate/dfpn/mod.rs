//! Mates of any length, proved or disproved by depth-first proof-number search.
//!
//! Numbers are combined weakly (the largest, and one for each other open child), so that a position met on several ways
//! is not counted several times. Coming back to a position on the path fails the attacker; a disproof that leans on such
//! a return is remembered only for the path it was found on, unless all it leans on lies within it.

mod line;
mod table;

use table::{FOREVER, INFINITE, NOTHING, Place, Table, Value};

use crate::mate::mate_in_one;
use crate::shogi::keys::board_key;
use crate::shogi::{
    Color, Hand, HandPiece, Kind, Move, MoveList, Position, Square, Walker, checks, legal_moves,
};

/// No line is followed deeper.
const DEEPEST: u16 = 1000;

/// The clock is looked at every so many nodes.
const NODES_BETWEEN_CHECKS: u64 = 256;

/// Lengths to look for before any length is good, and the most nodes for each.
const STAGES: [(u16, u64); 2] = [(11, 60_000), (23, 200_000)];

/// A mate found is worth this many nodes more to find a shorter one.
const SHORTENING: u64 = 20_000;

/// Nodes to find a line again whose positions were overwritten in the table.
const REMEMBERING: u64 = 100_000;

/// What came out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The attacker mates, by this line.
    Mate(Vec<Move>),
    /// There is no mate, whatever the attacker does.
    NoMate,
    /// Not decided within the limits.
    Unknown,
}

/// How far to go.
pub struct Limits<'a> {
    /// Most nodes.
    pub nodes: u64,
    /// Asked now and then whether to stop.
    pub stop: &'a dyn Fn() -> bool,
}

/// The solver with its table, which it keeps from one question to the next.
pub struct Solver {
    table: Table,
    nodes: u64,
}

impl Solver {
    /// A solver with a table of so many MB.
    pub fn new(mb: usize) -> Self {
        Self { table: Table::new(mb), nodes: 0 }
    }

    /// Forgets all positions.
    pub fn clear(&mut self) {
        self.table.clear();
    }

    /// Nodes of the last question.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Whether the side to move can force mate by checks. It is the attacker; it may have no king itself.
    pub fn solve(&mut self, walker: &mut Walker, limits: &Limits) -> Verdict {
        self.nodes = 0;
        if walker.position().king_square(walker.turn().flip()).is_none() {
            return Verdict::NoMate;
        }
        let mut hunt = Hunt::new(&mut self.table, walker, limits);
        let value = hunt.prove_by_stages();
        let verdict = if value.is_mate() {
            hunt.most_nodes = limits.nodes.min(hunt.nodes + SHORTENING);
            hunt.shorten(value.plies);
            // What was forgotten is proved again: that takes moments, and what was found is not given up for them.
            hunt.most_nodes = hunt.nodes + REMEMBERING;
            hunt.stop = &|| false;
            hunt.stopped = false;
            hunt.line().map_or(Verdict::Unknown, Verdict::Mate)
        } else if value.is_no_mate() && value.plies == FOREVER {
            Verdict::NoMate
        } else {
            Verdict::Unknown
        };
        self.nodes = hunt.nodes;
        verdict
    }
}

/// A move and what is known of the position after it.
#[derive(Clone, Copy)]
struct Child {
    mv: Move,
    place: Place,
    value: Value,
}

/// One question under way.
struct Hunt<'a> {
    table: &'a mut Table,
    walker: &'a mut Walker,
    most_nodes: u64,
    stop: &'a dyn Fn() -> bool,
    attacker: Color,
    /// Part of every key: see [`question`].
    question: u64,
    nodes: u64,
    stopped: bool,
    /// The positions from the root to here.
    path: Vec<Place>,
    /// Children of all positions on the path, those of the deepest last.
    children: Vec<Child>,
}

impl<'a> Hunt<'a> {
    fn new(table: &'a mut Table, walker: &'a mut Walker, limits: &Limits<'a>) -> Self {
        let attacker = walker.turn();
        let question = question(walker.position(), attacker);
        let key = board_key(walker.position()) ^ question;
        let root = Place { key, hand: walker.position().hand(attacker) };
        Self {
            table,
            walker,
            most_nodes: limits.nodes,
            stop: limits.stop,
            attacker,
            question,
            nodes: 0,
            stopped: false,
            path: vec![root],
            children: Vec::new(),
        }
    }

    /// Searches from the position the walker stands on for a mate of at most `plies`.
    fn prove(&mut self, plies: u16) -> Value {
        self.table.begin();
        let path = self.path_hash();
        self.search(plies, INFINITE, INFINITE, path)
    }

    /// Looks for short mates first: an attack can be spun out without end, and most mates are short. A stage that takes too
    /// long is left for the next.
    fn prove_by_stages(&mut self) -> Value {
        let most_nodes = self.most_nodes;
        for (plies, nodes) in STAGES {
            self.most_nodes = most_nodes.min(self.nodes + nodes);
            let value = self.prove(plies);
            self.most_nodes = most_nodes;
            let decided = value.is_mate() || (value.is_no_mate() && value.plies == FOREVER);
            if decided || self.nodes >= most_nodes || (self.stop)() {
                return value;
            }
            self.stopped = false;
        }
        self.prove(DEEPEST)
    }

    /// Looks for shorter mates as long as they are found.
    fn shorten(&mut self, mut plies: u16) {
        while plies > 2 {
            let value = self.prove(plies - 2);
            if !value.is_mate() {
                break;
            }
            plies = value.plies;
        }
    }

    fn depth(&self) -> u16 {
        (self.path.len() - 1) as u16
    }

    fn attacks(&self) -> bool {
        self.walker.turn() == self.attacker
    }

    /// A number for the path to here.
    fn path_hash(&self) -> u32 {
        self.path.iter().fold(0, |hash, place| extend_path(hash, *place))
    }

    /// Searches the position the walker stands on until its numbers reach the thresholds or it is solved, and
    /// remembers what it found.
    fn search(&mut self, plies: u16, most_pn: u32, most_dn: u32, path: u32) -> Value {
        let before = self.nodes;
        let base = self.children.len();
        let value = self.look(plies).unwrap_or_else(|| {
            self.generate(plies, path);
            self.develop(base, plies, most_pn, most_dn, path)
        });
        self.children.truncate(base);
        if !self.stopped || value.is_mate() {
            let place = self.path[self.path.len() - 1];
            self.table.put(place, path, self.depth(), value, self.nodes - before);
        }
        value
    }

    /// What can be said without looking further.
    fn look(&mut self, plies: u16) -> Option<Value> {
        self.nodes += 1;
        self.stopped |= self.nodes > self.most_nodes
            || (self.nodes.is_multiple_of(NODES_BETWEEN_CHECKS) && (self.stop)());
        if !self.attacks() {
            return None;
        }
        if plies == 0 || self.depth() >= DEEPEST {
            return Some(Value::no_mate(0, NOTHING));
        }
        mate_in_one(self.walker).map(|_| Value::mate(1))
    }

    /// Puts the moves of the position on the stack with what is known of them.
    fn generate(&mut self, plies: u16, path: u32) {
        let mut moves = MoveList::new();
        let attacks = self.attacks();
        if attacks {
            checks(self.walker.position(), &mut moves);
        } else {
            legal_moves(self.walker.position(), &mut moves);
        }
        for &mv in moves.iter() {
            let place = self.place_after(mv);
            let value = match self.repeated(place) {
                Some(depth) => Value::no_mate(FOREVER, depth),
                None if plies == 0 => Value::no_mate(0, NOTHING),
                None => self.table.get(place, extend_path(path, place), plies - 1),
            };
            let value = if attacks && value == Value::OPEN { self.first_look(mv) } else { value };
            self.children.push(Child { mv, place, value });
        }
        if !attacks {
            // Drops last, those on one square together: see `waits`.
            let base = self.children.len() - moves.len();
            self.children[base..].sort_by_key(|child| (child.mv.is_drop(), child.mv.to_sq().to_index()));
        }
    }

    /// A check is as hard to prove mating as there are replies.
    fn first_look(&mut self, mv: Move) -> Value {
        let mut replies = MoveList::new();
        self.walker.apply(mv);
        legal_moves(self.walker.position(), &mut replies);
        self.walker.undo();
        if replies.is_empty() { Value::mate(0) } else { Value { pn: replies.len() as u32, ..Value::OPEN } }
    }

    /// The depth of a position on the path that is no worse for the attacker: coming back to it gained nothing.
    fn repeated(&self, place: Place) -> Option<u16> {
        let same = |past: &Place| past.key == place.key && Hand::is_equal_or_superior(past.hand, place.hand);
        self.path.iter().rposition(same).map(|depth| depth as u16)
    }

    /// Searches the most promising child again and again.
    fn develop(&mut self, base: usize, plies: u16, most_pn: u32, most_dn: u32, path: u32) -> Value {
        let attacks = self.attacks();
        loop {
            let (value, best) = self.combine(base, attacks);
            if value.pn >= most_pn
                || value.dn >= most_dn
                || value.is_mate()
                || value.is_no_mate()
                || self.stopped
            {
                return value;
            }
            // The attacker needs one proof: it follows the smallest number. The defender needs one disproof.
            let (near, far) = if attacks { (most_pn, most_dn) } else { (most_dn, most_pn) };
            let near = near.min(best.second.saturating_add(best.second / 4 + 1));
            let far = far - (best.open - 1);
            let (most_pn, most_dn) = if attacks { (near, far) } else { (far, near) };

            let child = self.children[base + best.index];
            self.walker.apply(child.mv);
            self.path.push(child.place);
            let path = extend_path(path, child.place);
            let value = self.search(plies - 1, most_pn, most_dn, path);
            self.path.pop();
            self.walker.undo();
            self.children[base + best.index].value = value;
        }
    }

    /// The value of a position from those of its children, and which of them to search next.
    fn combine(&self, base: usize, attacks: bool) -> (Value, Best) {
        let children = &self.children[base..];
        let mut best = Best { index: 0, near: INFINITE, second: INFINITE, open: 0 };
        let mut furthest = 0;
        for (index, child) in children.iter().enumerate() {
            if !attacks && index > 0 && waits(&children[index - 1], child) {
                continue;
            }
            let (near, far) = sides(&child.value, attacks);
            if far > 0 {
                best.open += 1;
                furthest = furthest.max(far);
            }
            if near < best.near {
                best.second = best.near;
                best.near = near;
                best.index = index;
            } else {
                best.second = best.second.min(near);
            }
        }
        if best.near == 0 {
            return (decided(children, attacks), best);
        }
        if best.open == 0 {
            return (exhausted(children, attacks), best);
        }
        let far = (furthest + best.open - 1).min(INFINITE - 1);
        let (pn, dn) = if attacks { (best.near, far) } else { (far, best.near) };
        (Value { pn, dn, plies: 0, leans_on: NOTHING }, best)
    }
}

/// The child to search next.
struct Best {
    index: usize,
    near: u32,
    /// The next best number.
    second: u32,
    /// How many children are not yet excluded.
    open: u32,
}

/// Whether a defender's drop can wait until another on the same square has failed: what takes the one mostly takes the
/// other, and to look at seven at once would make the position look harder than it is.
fn waits(before: &Child, child: &Child) -> bool {
    child.mv.is_drop()
        && before.mv.is_drop()
        && before.mv.to_sq() == child.mv.to_sq()
        && !before.value.is_mate()
        && !child.value.is_no_mate()
}

/// The number the side to move wants small, and the other.
fn sides(value: &Value, attacks: bool) -> (u32, u32) {
    if attacks { (value.pn, value.dn) } else { (value.dn, value.pn) }
}

/// One child decides: the attacker has a mating move, or the defender an escape.
fn decided(children: &[Child], attacks: bool) -> Value {
    let values = children.iter().map(|child| child.value);
    if attacks {
        let plies = values.filter(Value::is_mate).map(|value| value.plies).min().unwrap_or(0);
        Value::mate(plies.saturating_add(1))
    } else {
        // The escape that holds longest and leans on the least.
        let escape = values.filter(Value::is_no_mate).max_by_key(|value| (value.plies, value.leans_on));
        let (plies, leans_on) = escape.map_or((0, NOTHING), |value| (value.plies, value.leans_on));
        Value::no_mate(plies.saturating_add(1), leans_on)
    }
}

/// All children are against the side to move.
fn exhausted(children: &[Child], attacks: bool) -> Value {
    let values = children.iter().map(|child| child.value);
    if attacks {
        let plies = values.clone().map(|value| value.plies).min().unwrap_or(FOREVER);
        let leans_on = values.map(|value| value.leans_on).min().unwrap_or(NOTHING);
        Value::no_mate(plies.saturating_add(1), leans_on)
    } else {
        Value::mate(values.map(|value| value.plies + 1).max().unwrap_or(0))
    }
}

fn extend_path(path: u32, place: Place) -> u32 {
    let mixed = (place.key ^ u64::from(place.hand.bits())).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    path.rotate_left(7) ^ (mixed >> 32) as u32
}

/// Sets apart what one table may be asked: who attacks, for a side in check may be the attacker next time, and with how
/// many pieces of each kind, for only with these do board and attacker's hand fix the defender's.
fn question(position: &Position, attacker: Color) -> u64 {
    let pieces = position.pieces();
    HandPiece::iter().fold(attacker.to_index() as u64 + 1, |mixed, piece| {
        let is_of_kind = |at: &Square| position.piece_on(*at).piece_type().demote() == piece.to_piece_type();
        let on_board = (&pieces).into_iter().filter(is_of_kind).count() as u64;
        let in_hands = position.hand(Color::Black).count(piece) + position.hand(Color::White).count(piece);
        (mixed ^ (on_board + u64::from(in_hands))).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    })
}

/// The attacker's hand after its move.
fn hand_after(position: &Position, hand: Hand, mv: Move) -> Hand {
    let piece = |kind: Kind| HandPiece::from_piece_type(kind.demote());
    let after = if mv.is_drop() {
        piece(mv.piece_after_move().piece_type()).and_then(|piece| hand.checked_sub(piece, 1))
    } else {
        piece(position.piece_on(mv.to_sq()).piece_type()).and_then(|piece| hand.checked_add(piece, 1))
    };
    after.unwrap_or(hand)
}
