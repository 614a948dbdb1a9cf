//! Two pieces of work timed in turn, so that whatever slows the machine slows both.

use std::time::Instant;

/// Rounds timed for each side: odd, so that there is a median.
const ROUNDS: usize = 11;

/// Prints the head of the table that [`row`] continues.
pub fn head(ours: &str, other: &str) {
    println!("{:<34} {ours:>10} {other:>10} {:>7}  beside", "nanoseconds", "ratio");
}

/// Runs `ours` and `other` alternately and prints the median time of one operation of each, and their ratio.
///
/// Each closure does a fixed amount of work and returns how many operations that was. One round of each goes
/// before and is not counted. `beside` says what the other side is, where the name does not.
pub fn row(name: &str, beside: &str, mut ours: impl FnMut() -> u64, mut other: impl FnMut() -> u64) {
    time(&mut ours);
    time(&mut other);
    let (mut a, mut b) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        a.push(time(&mut ours));
        b.push(time(&mut other));
    }
    let (a, b) = (median(a), median(b));
    println!("{name:<34} {a:>10.2} {b:>10.2} {:>7.3}  {beside}", a / b);
}

/// Nanoseconds an operation.
fn time(work: &mut impl FnMut() -> u64) -> f64 {
    let start = Instant::now();
    let operations = work();
    start.elapsed().as_nanos() as f64 / operations as f64
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
