//! How quickly the program answers and ends. The bounds are wide because machines are shared; the figures are
//! printed (`--nocapture`) and belong to a quiet machine.

use parking_lot::Mutex;
use std::time::{Duration, Instant};

use super::client::{Client, TIME_TO_QUIT, last};
use super::format::Printed;

/// Only one test at a time measures.
static STOPWATCH: Mutex<()> = Mutex::new(());

/// What a busy machine may add to an answer.
const SLACK: Duration = Duration::from_millis(300);

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}

#[test]
fn usiok_comes_at_once() {
    let _alone = STOPWATCH.lock();
    let mut times: Vec<Duration> = (0..20)
        .map(|_| {
            let begun = Instant::now();
            let mut client = Client::start();
            client.send("usi");
            let took = last(&client.expect("usiok")).at - begun;
            client.quit();
            took
        })
        .collect();
    times.sort_unstable();
    let (median, worst) = (times[10], times[19]);
    println!("usiok: median {:.1} ms, worst {:.1} ms", milliseconds(median), milliseconds(worst));
    assert!(median < Duration::from_millis(500), "{times:?}");
}

#[test]
fn quit_ends_whatever_goes_on() {
    let _alone = STOPWATCH.lock();
    for what in [
        "",
        "isready",
        "setoption name USI_Hash value 1024\nisready\nusinewgame",
        "go btime 600000 wtime 600000",
        "go infinite",
        "go ponder",
        "go ponder btime 600000 wtime 600000",
        "go mate infinite",
        "go perft 9",
        "bench",
        "bench\ngo infinite\nbench\ngo perft 9\nisready\ngo ponder",
    ] {
        for pause in [0, 150] {
            for eof in [false, true] {
                let mut client = Client::start();
                client.send(what);
                std::thread::sleep(Duration::from_millis(pause));
                let took = if eof {
                    client.close_input();
                    client.end().0
                } else {
                    client.quit().0
                };
                let how = if eof { "end of input" } else { "quit" };
                println!("{how} {pause} ms after {what:?}: {:.1} ms", milliseconds(took));
                assert!(took < TIME_TO_QUIT, "{what}: {took:?}");
            }
        }
    }
}

#[test]
fn byoyomi_is_kept() {
    let _alone = STOPWATCH.lock();
    let mut client = Client::ready();
    for (byoyomi, moves) in [(100, 20), (200, 10), (500, 4)] {
        let mut list = String::new();
        let mut worst = Duration::ZERO;
        client.send("usinewgame");
        for _ in 0..moves {
            client.send(&format!("position startpos moves{list}"));
            let begun = Instant::now();
            client.send(&format!("go btime 0 wtime 0 byoyomi {byoyomi}"));
            let heard = client.answer();
            worst = worst.max(last(&heard).at - begun);
            match &last(&heard).printed {
                Printed::Best { best, .. } => list = format!("{list} {best}"),
                _ => break,
            }
        }
        println!("byoyomi {byoyomi} ms: worst answer {:.1} ms", milliseconds(worst));
        assert!(worst < Duration::from_millis(byoyomi) + SLACK, "{byoyomi}: {worst:?}");
    }
    client.quit();
}

#[test]
fn movetime_is_kept() {
    let _alone = STOPWATCH.lock();
    let mut client = Client::ready();
    for ms in [1, 10, 100, 400] {
        let begun = Instant::now();
        client.send(&format!("go movetime {ms}"));
        let took = last(&client.answer()).at - begun;
        println!("movetime {ms} ms: {:.1} ms", milliseconds(took));
        assert!(took < Duration::from_millis(ms) + SLACK, "{ms}: {took:?}");
    }
    client.quit();
}

/// Plays a game of at most 300 plies under our own clocks. The least that was ever left, in milliseconds, or the
/// move at which a clock ran out.
fn play_on_the_clock(total: u64, increment: u64) -> Result<f64, String> {
    let mut client = Client::ready();
    client.send("usinewgame");
    let mut left = [Duration::from_millis(total); 2];
    let mut least = left[0];
    let mut list = String::new();
    for ply in 0..300 {
        client.send(&format!("position startpos moves{list}"));
        let begun = Instant::now();
        client.send(&format!(
            "go btime {} wtime {} binc {increment} winc {increment}",
            left[0].as_millis(),
            left[1].as_millis()
        ));
        let heard = client.answer();
        let took = last(&heard).at - begun;
        let side = ply % 2;
        let rest = left[side]
            .checked_sub(took)
            .ok_or_else(|| format!("ply {ply}: {took:?} of {:?} on the clock", left[side]))?;
        least = least.min(rest);
        left[side] = rest + Duration::from_millis(increment);
        match &last(&heard).printed {
            Printed::Best { best, .. } => list = format!("{list} {best}"),
            _ => break,
        }
    }
    client.quit();
    Ok(milliseconds(least))
}

#[test]
fn clocks_never_run_out() {
    let _alone = STOPWATCH.lock();
    for (total, increment) in [(3000, 0), (2000, 20)] {
        // The times are small enough for a busy machine to take what is left, but not three times in a row.
        let games = (0..3).map(|_| play_on_the_clock(total, increment).inspect_err(|why| println!("{why}")));
        match games.flatten().next() {
            Some(least) => println!("{total} ms and {increment} ms a move: {least:.1} ms left at least"),
            None => panic!("{total} ms and {increment} ms a move: the clock ran out in three games"),
        }
    }
}

#[test]
fn players_of_a_rating_take_their_time_by_the_clock_and_stop_at_once() {
    let _alone = STOPWATCH.lock();
    let mut client = Client::ready();
    client.send("setoption name PlayRating value 1500\nsetoption name USI_OwnBook value false\nisready");
    client.expect("readyok");
    client.send("usinewgame");
    let mut took = |go: &str, pause: u64, stop: bool| {
        let begun = Instant::now();
        client.send(go);
        std::thread::sleep(Duration::from_millis(pause));
        if stop {
            client.send("stop");
        }
        last(&client.answer()).at - begun
    };
    let moves: Vec<Duration> = (0..8).map(|_| took("go btime 0 wtime 0 byoyomi 400", 0, false)).collect();
    println!("PlayRating at 400 ms: {moves:?}");
    assert!(moves.iter().all(|&time| time < Duration::from_millis(400) + SLACK), "{moves:?}");
    // A move of some playouts would be there after three milliseconds.
    assert!(moves.iter().sum::<Duration>() > Duration::from_millis(200), "{moves:?}");
    assert!(took("go btime 600000 wtime 600000", 100, true) < Duration::from_millis(100) + SLACK);
    // Nobody's clock runs here.
    assert!(took("go movetime 60000", 0, false) < Duration::from_secs(1) + SLACK);
    client.quit();
}
