//! A fixed amount of thinking over fixed positions: shows speed, and by its signature whether a change altered
//! the search.

use std::time::Instant;

use super::{Answer, Control, Preferences, Search, Task};
use crate::shogi::{Rules, notation};

/// Opening, middlegame, endgame, a king far up the board, and many drops.
const POSITIONS: [&str; 6] = [
    "startpos",
    "startpos moves 2g2f 8c8d 2f2e 8d8e 7g7f 4a3b 8h7g 3c3d 7i6h 2b7g+ 6h7g 3a2b 3i3h 2b3c",
    "l4S2l/4g1gs1/5p1p1/pr2N1pkp/4Gn3/PP3PPPP/2GPP4/1K7/L3r+s2L w BS2N5Pb 1",
    "6n1l/2+S1k4/2lp4p/1np1B2b1/3PP4/1N1S3rP/1P2+pPP+p1/1p1G5/3KG2r1 b GSN2L4Pgs2p 1",
    "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
    "4k4/9/4+P4/9/9/9/9/9/4K4 b 2r2b4g4s4n4l17p 1",
];

/// Playouts for each position.
const NODES: u64 = 10_000;

/// What a run found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Result {
    /// Hash over moves, scores and node counts: the same for the same search everywhere.
    pub signature: u64,
    /// Nodes of all positions.
    pub nodes: u64,
    /// Time for all of them.
    pub milliseconds: u64,
}

/// Runs the bench. `report` gets a line of text for each position; `stopped` ends it early without a result.
pub fn run(
    search: &mut dyn Search,
    stopped: &dyn Fn() -> bool,
    report: &mut dyn FnMut(String),
) -> Option<Result> {
    let preferences = Preferences::default();
    search.prepare(&preferences).into_iter().for_each(&mut *report);
    let began = Instant::now();
    let (mut signature, mut nodes) = (0xcbf2_9ce4_8422_2325_u64, 0);
    for text in POSITIONS {
        if stopped() {
            return None;
        }
        search.new_game();
        let (walker, _) =
            notation::parse_position(text, Rules::default()).expect("the bench positions are sound");
        let task = Task { walker, root_moves: Vec::new(), nodes: Some(NODES), depth: None, mate: false };
        let answer = search.think(&task, &Control::new(Instant::now()), &mut |_| {});
        let Answer::Best(lines) = answer else { continue };
        let Some(best) = lines.first() else { continue };
        nodes += best.nodes;
        let pv: Vec<String> = best.pv.iter().map(|mv| mv.to_usi()).collect();
        let result = format!("{} {:?} {}", pv.join(" "), best.score, best.nodes);
        for byte in result.bytes() {
            // FNV-1a: short, and the same on every machine.
            signature = (signature ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
        report(format!("{} nodes, {:?}, {}", best.nodes, best.score, pv.first().map_or("-", |mv| mv)));
    }
    let milliseconds = began.elapsed().as_millis() as u64;
    Some(Result { signature, nodes, milliseconds })
}

impl std::fmt::Display for Result {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let nps = self.nodes * 1000 / self.milliseconds.max(1);
        write!(
            f,
            "{} nodes in {} ms, {nps} nodes/s, signature {:016x}",
            self.nodes, self.milliseconds, self.signature
        )
    }
}
