//! Answers that must wait: pondering and endless analysis.

use std::time::{Duration, Instant};

use super::client::{Client, last};
use super::format::Printed;

const MATE_IN_ONE: &str = "position sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1";

/// Long enough that an answer given too early would be seen.
const WHILE: Duration = Duration::from_millis(300);

#[test]
fn a_found_mate_does_not_end_endless_thinking() {
    for go in ["go infinite", "go", "go ponder", "go ponder btime 1000 wtime 1000", "go ponder nodes 100000"]
    {
        let mut client = Client::ready();
        client.send(MATE_IN_ONE);
        client.send(go);
        client.expect_no_answer(WHILE);
        let asked = Instant::now();
        client.send("stop");
        let heard = client.answer();
        assert_eq!(last(&heard).text, "bestmove G*5b", "{go}");
        assert!(last(&heard).at - asked < Duration::from_millis(500), "{go}");
        client.quit();
    }
}

#[test]
fn a_hit_on_a_found_mate_is_answered_at_once() {
    let mut client = Client::ready();
    client.send(MATE_IN_ONE);
    client.send("go ponder btime 600000 wtime 600000 byoyomi 10000");
    client.expect_no_answer(WHILE);
    let hit = Instant::now();
    client.send("ponderhit");
    let heard = client.answer();
    assert!(last(&heard).at - hit < Duration::from_millis(500));
    client.quit();
}

#[test]
fn the_clock_starts_at_the_hit() {
    // Pondering lasts longer than the byoyomi: a clock that ran from `go` on would be over at the hit.
    for (go, hit) in [
        ("go ponder btime 0 wtime 0 byoyomi 500", "ponderhit"),
        ("go ponder", "ponderhit btime 0 wtime 0 byoyomi 500"),
        ("go ponder btime 0 wtime 0 byoyomi 10", "ponderhit btime 0 wtime 0 byoyomi 500"),
    ] {
        let mut client = Client::ready();
        // Or the search would end at once where the time left cannot change its mind.
        client.send("setoption name Cut_Losers value false");
        client.send("position startpos moves 7g7f 3c3d");
        client.send(go);
        client.expect_no_answer(Duration::from_millis(700));
        let begun = Instant::now();
        client.send(hit);
        let heard = client.answer();
        let took = last(&heard).at - begun;
        assert!(took > Duration::from_millis(300), "{go}, {hit}: answered after {took:?}");
        assert!(took < Duration::from_millis(800), "{go}, {hit}: answered after {took:?}");
        client.quit();
    }
}

#[test]
fn a_hit_without_any_time_is_answered_at_once() {
    let mut client = Client::ready();
    client.send("go ponder");
    client.expect_no_answer(WHILE);
    client.send("ponderhit");
    client.answer();
    client.quit();
}

#[test]
fn a_miss_is_answered_once_and_the_real_move_searched() {
    let mut client = Client::ready();
    client.send("position startpos moves 7g7f 3c3d");
    client.send("go ponder btime 0 wtime 0 byoyomi 100");
    client.expect_no_answer(Duration::from_millis(100));
    client.send_raw(b"stop\nposition startpos moves 7g7f 8c8d\ngo btime 0 wtime 0 byoyomi 100\n");
    client.answer();
    client.answer();
    client.expect_no_answer(WHILE);
    client.quit();
}

#[test]
fn stop_and_ponderhit_without_a_search_say_nothing() {
    let mut client = Client::ready();
    for line in ["stop", "ponderhit", "ponderhit btime 1 wtime 1", "gameover win", "stop", "stop"] {
        client.send(line);
    }
    assert!(client.expect_no_answer(WHILE).is_empty());
    // A hit that belongs to no pondering does not disturb the next search either.
    client.send("go infinite");
    client.send("ponderhit");
    client.expect_no_answer(WHILE);
    client.send("stop");
    client.answer();
    client.send("stop");
    assert!(client.expect_no_answer(WHILE).is_empty());
    client.quit();
}

#[test]
fn two_go_in_a_row_give_two_answers() {
    let mut client = Client::ready();
    client.send("go infinite");
    client.send("go infinite");
    client.answer();
    client.expect_no_answer(WHILE);
    client.send("stop");
    client.answer();
    client.send_raw(b"go ponder\ngo mate infinite\ngo depth 1\ngo perft 8\ngo nodes 10\n");
    let answers: Vec<Printed> = (0..5).map(|_| last(&client.answer()).printed.clone()).collect();
    assert!(matches!(answers[1], Printed::NoMate | Printed::Timeout), "{answers:?}");
    client.quit();
}

#[test]
fn a_declaration_waits_too() {
    let mut client = Client::ready();
    client.send("position sfen KRRBB4/GGGGSS3/9/9/9/9/9/9/4k4 b 2P 1");
    for end in ["stop", "ponderhit"] {
        client.send("go ponder btime 1000 wtime 1000");
        client.expect_no_answer(WHILE);
        client.send(end);
        assert_eq!(last(&client.answer()).text, "bestmove win");
    }
    client.quit();
}

/// Pondering on all replies: nothing is said until the hit, and the answer is one to the position that came about.
#[test]
fn every_reply_can_be_pondered_on() {
    let mut client = Client::ready();
    client.send("setoption name Stochastic_Ponder value true");
    for (go, end) in [
        ("go ponder btime 0 wtime 0 byoyomi 300", "ponderhit"),
        ("go ponder", "ponderhit btime 0 wtime 0 byoyomi 300"),
        ("go ponder", "ponderhit"),
        ("go ponder btime 0 wtime 0 byoyomi 300", "stop"),
        ("go ponder nodes 500", "ponderhit"),
    ] {
        client.send("position startpos moves 7g7f 3c3d");
        client.send(go);
        client.expect_no_answer(Duration::from_millis(200));
        let begun = Instant::now();
        client.send(end);
        let took = last(&client.answer()).at - begun;
        assert!(took < Duration::from_millis(1500), "{go}, {end}: answered after {took:?}");
    }
    client.quit();
}
