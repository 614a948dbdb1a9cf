//! Sessions in the order in which the clients of the guide's table really speak.

use std::time::Duration;

use super::client::{Client, Heard, PATIENCE, last, texts};
use super::format::Printed;

/// A move and the one to ponder on, from the answer to `go`.
fn best(heard: &[Heard]) -> Option<(String, Option<String>)> {
    match &last(heard).printed {
        Printed::Best { best, ponder } => Some((best.clone(), ponder.clone())),
        _ => None,
    }
}

/// Has the engine play both sides from the start, at most so many plies.
fn play(client: &mut Client, go: &str, plies: usize) -> Vec<String> {
    let mut moves: Vec<String> = Vec::new();
    while moves.len() < plies {
        let list = if moves.is_empty() { String::new() } else { format!(" moves {}", moves.join(" ")) };
        client.send(&format!("position startpos{list}"));
        client.send(go);
        let Some((best, _)) = best(&client.answer()) else { break };
        moves.push(best);
    }
    moves
}

/// Everything that is printed up to `usiok`.
fn introduction(client: &mut Client) -> Vec<Heard> {
    client.send("usi");
    client.expect("usiok")
}

#[test]
fn usi_is_answered_with_name_author_options_and_usiok() {
    let mut client = Client::start();
    let heard = introduction(&mut client);
    assert!(heard[0].text.starts_with("id name Tenbin"), "{:?}", heard[0]);
    assert!(heard[1].text.starts_with("id author "), "{:?}", heard[1]);
    let options: Vec<&str> = heard
        .iter()
        .filter_map(|heard| match &heard.printed {
            Printed::Choice { name } => Some(name.as_str()),
            _ => None,
        })
        .collect();
    assert_eq!(heard.len(), options.len() + 3, "nothing else is printed");
    for wanted in ["USI_Hash", "USI_Ponder", "MultiPV", "NetworkDelay", "NetworkDelay2", "EnteringKingRule"] {
        assert!(options.contains(&wanted), "{wanted}");
    }
    let mut names = options.clone();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), options.len(), "no option comes twice");
    client.quit();
}

#[test]
fn shogihome_plays_two_games_in_one_session() {
    let mut client = Client::start();
    introduction(&mut client);
    client.send("setoption name USI_Hash value 32");
    client.send("setoption name USI_Ponder value true");
    client.send("setoption name MultiPV value 1");
    for game in ["win", "lose"] {
        client.send("isready");
        client.expect("readyok");
        client.send("usinewgame");
        let moves = play(&mut client, "go btime 0 wtime 0 byoyomi 50", 8);
        assert_eq!(moves.len(), 8);
        // The opponent resigns while we ponder.
        client.send(&format!("position startpos moves {}", moves.join(" ")));
        client.send("go ponder btime 0 wtime 0 byoyomi 50");
        client.expect_no_answer(Duration::from_millis(100));
        client.send(&format!("gameover {game}"));
        client.answer();
    }
    client.quit();
}

#[test]
fn cshogi_sets_options_before_each_game_and_ends_it_with_a_bare_gameover() {
    let mut client = Client::start();
    introduction(&mut client);
    for _ in 0..2 {
        client.send("setoption name USI_Hash value 16");
        client.send("setoption name Threads value 1");
        client.send("isready");
        client.expect("readyok");
        client.send("usinewgame");
        assert_eq!(play(&mut client, "go btime 1000 wtime 1000 binc 10 winc 10", 6).len(), 6);
        client.send("gameover");
        assert!(client.expect_no_answer(Duration::from_millis(50)).is_empty());
    }
    client.quit();
}

#[test]
fn ayane_never_sends_usi_and_asks_for_the_side() {
    let mut client = Client::start();
    client.send("isready");
    assert_eq!(client.expect("readyok").len(), 1);
    client.send("usinewgame");
    client.send("position startpos moves 7g7f");
    client.send("side");
    client.expect("white");
    client.send("position startpos moves 7g7f 3c3d");
    client.send("side");
    client.expect("black");
    client.send("moves");
    let heard = client.expect_until("moves", |heard| heard.printed == Printed::Extension, PATIENCE);
    let mut moves: Vec<&str> = last(&heard).text.split(' ').collect();
    moves.sort_unstable();
    moves.dedup();
    // 30 at the start, less 7g7f, more 7f7e, 7i7h... counted by the independent oracle.
    let oracle =
        super::oracle::Oracle::at("lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b - 3");
    assert_eq!(moves.len(), oracle.count());
    client.ask("go btime 0 wtime 0 byoyomi 100");
    client.send("gameover win");
    client.quit();
}

#[test]
fn ayane_asks_for_the_side_while_the_engine_thinks() {
    let mut client = Client::start();
    client.send("position startpos");
    client.send("go infinite");
    client.send("side");
    client.expect("black");
    client.send("stop");
    client.answer();
    client.quit();
}

#[test]
fn the_bridge_of_shogi_server_sends_options_nobody_knows_and_an_empty_list_of_moves() {
    let mut client = Client::start();
    introduction(&mut client);
    client.send("setoption name Hash value 64");
    client.send("setoption name Ponder value true");
    client.send("isready");
    assert_eq!(client.expect("readyok").len(), 1, "unknown options are ignored silently");
    client.send("usinewgame");
    client.send("position startpos moves ");
    client.send("go btime 600000 wtime 600000 byoyomi 100 depth 2");
    let heard = client.answer();
    let (first, _) = best(&heard).expect("a move");
    assert!(texts(&heard).is_empty(), "an empty list of moves is no mistake");
    client.send(&format!("position startpos moves {first} 3c3d"));
    client.ask("go btime 0 wtime 0 byoyomi 100");
    client.send("gameover censored");
    client.quit();
}

#[test]
fn shogidokoro_sets_hash_and_ponder_and_ponders() {
    let mut client = Client::start();
    introduction(&mut client);
    client.send("setoption name USI_Ponder value true");
    client.send("setoption name USI_Hash value 256");
    client.send("isready");
    client.expect("readyok");
    client.send("usinewgame");
    client.send("position startpos");
    client.send("go btime 0 wtime 0 byoyomi 200");
    let (first, ponder) = best(&client.answer()).expect("a move");
    let ponder = ponder.expect("a search of 200 ms sees a reply");
    client.send(&format!("position startpos moves {first} {ponder}"));
    client.send("go ponder btime 0 wtime 0 byoyomi 200");
    client.expect_no_answer(Duration::from_millis(100));
    client.send("ponderhit");
    best(&client.answer()).expect("a move");
    client.send("gameover draw");
    client.quit();
}

#[test]
fn shogigui_analyses_one_position_after_the_other() {
    let mut client = Client::start();
    introduction(&mut client);
    client.send("setoption name MultiPV value 3");
    client.send("isready");
    client.expect("readyok");
    client.send("usinewgame");
    for moves in ["", " moves 7g7f", " moves 7g7f 3c3d", " moves 7g7f 3c3d 8h2b+"] {
        client.send(&format!("position startpos{moves}"));
        client.send("go infinite");
        let heard = client.expect_no_answer(Duration::from_millis(150));
        assert!(heard.iter().any(|heard| matches!(heard.printed, Printed::Variation(_))), "it shows lines");
        client.send("stop");
        client.answer();
    }
    client.quit();
}

#[test]
fn the_crate_usi_writes_startpos_after_sfen() {
    let mut client = Client::ready();
    client.send("position sfen startpos moves 7g7f");
    client.send("side");
    client.expect("white");
    client.ask("go depth 1");
    client.quit();
}

#[test]
fn windows_ends_its_lines_with_two_characters() {
    let mut client = Client::start();
    client.send_raw(b"usi\r\n");
    client.expect("usiok");
    client.send_raw(b"setoption name MultiPV value 2\r\nisready\r\n");
    assert_eq!(client.expect("readyok").len(), 1);
    client.send_raw(b"position startpos moves 7g7f\r\ngo depth 2\r\n");
    assert!(texts(&client.answer()).is_empty());
    client.send_raw(b"quit\r\n");
    client.end();
}

#[test]
fn isready_is_answered_every_time_and_while_searching() {
    let mut client = Client::start();
    for _ in 0..5 {
        client.send("isready");
        assert_eq!(client.expect("readyok").len(), 1);
    }
    client.send("go infinite");
    client.send("isready");
    client.expect_until("readyok", |heard| heard.printed == Printed::ReadyOk, PATIENCE);
    client.expect_no_answer(Duration::from_millis(100));
    client.send("stop");
    client.answer();
    client.send("isready");
    client.expect("readyok");
    client.quit();
}

#[test]
fn commands_sent_at_once_are_carried_out_in_order() {
    let mut client = Client::start();
    client.send_raw(
        b"usi\nisready\nusinewgame\nposition startpos\ngo depth 2\nstop\n\
          position startpos moves 7g7f\ngo depth 2\nstop\nside\n",
    );
    client.expect("usiok");
    client.expect("readyok");
    client.answer();
    client.answer();
    client.expect("white");
    client.quit();
}

#[test]
fn what_is_not_understood_is_named_in_one_clean_line() {
    let mut client = Client::start();
    for line in ["hello", "  hello   there\tyou  ", "usi\u{3000}now", "\u{0}\u{7f}", "go\u{b}now"] {
        client.send(line);
        client.send("side");
        let heard = client.expect("black");
        assert_eq!(texts(&heard).len(), 1, "{line:?}: {heard:?}");
    }
    for line in ["", "   ", "# a comment", "\t"] {
        client.send(line);
        client.send("side");
        assert_eq!(client.expect("black").len(), 1, "{line:?}");
    }
    client.quit();
}
