//! The program: arguments, then the USI loop.

use std::sync::atomic::AtomicBool;
use std::time::Instant;
use tenbin::shogi::{Rules, Walker, parse_sfen, perft::perft, STARTPOS};

fn main() {
    let a: Vec<String> = std::env::args().collect();
    let sfen = a.get(3).map_or(STARTPOS, |s| s.as_str());
    let mut w = Walker::new(parse_sfen(sfen).unwrap(), Rules::default());
    let t = Instant::now();
    let n = perft(&mut w, a[2].parse().unwrap(), &AtomicBool::new(false)).unwrap();
    println!("{n} {:?} {:.1} M/s", t.elapsed(), n as f64 / t.elapsed().as_secs_f64() / 1e6);
    if a.len() > 4 {
    let p = parse_sfen(sfen).unwrap();
    let t = Instant::now();
    let n = rsshogi::board::perft::perft(&p, a[2].parse().unwrap()).unwrap().nodes;
    println!("{n} {:?} {:.1} M/s", t.elapsed(), n as f64 / t.elapsed().as_secs_f64() / 1e6);
    }
}
