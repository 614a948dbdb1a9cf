//! Positions that no game has, and `position` lines that are wrong.

use std::time::{Duration, Instant};

use super::client::{Client, Heard, last, texts};

const ALL_KINDS: [&str; 9] = [
    "go",
    "go infinite",
    "go ponder",
    "go ponder btime 1000 wtime 1000",
    "go btime 1000 wtime 1000",
    "go movetime 1000",
    "go depth 3",
    "go nodes 1000",
    "go byoyomi 1000 searchmoves 7g7f",
];

/// Sends a line, then `side`, and gives what was said before the side.
fn tell(client: &mut Client, line: &str, side: &str) -> Vec<Heard> {
    client.send(line);
    client.send("side");
    client.expect(side)
}

#[test]
fn when_mated_every_go_is_answered_with_resign_at_once() {
    let mut client = Client::ready();
    client.send("position sfen 4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1");
    for go in ALL_KINDS {
        let begun = Instant::now();
        client.send(go);
        let heard = client.answer();
        assert_eq!(last(&heard).text, "bestmove resign", "{go}");
        assert!(last(&heard).at - begun < Duration::from_millis(300), "{go}");
    }
    client.send("stop");
    client.send("ponderhit");
    client.expect_no_answer(Duration::from_millis(100));
    assert_eq!(client.ask("go perft 3"), "bestmove resign");
    client.quit();
}

#[test]
fn a_bad_sfen_keeps_the_last_position_and_makes_go_resign() {
    let mut client = Client::ready();
    for bad in [
        "position",
        "position sfen",
        "position startpo",
        "position sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1 b - 1",
        "position sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNX b - 1",
        "position sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL x - 1",
        "position sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b Z 1",
        "position sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - x",
        "position sfen 4k4/9/9/9/9/9/9/9/4K4 b 99P 1",
    ] {
        tell(&mut client, "position startpos moves 7g7f", "white");
        let heard = tell(&mut client, bad, "white");
        assert_eq!(texts(&heard).len(), 1, "{bad} is complained about once: {heard:?}");
        for go in ALL_KINDS {
            assert_eq!(client.ask(go), "bestmove resign", "{bad}, {go}");
        }
    }
    // The next good one is as good as ever.
    client.send("position startpos");
    assert_ne!(client.ask("go depth 1"), "bestmove resign");
    client.quit();
}

#[test]
fn a_bad_move_keeps_the_position_before_it() {
    let mut client = Client::ready();
    for (bad, side) in [
        ("position startpos moves 7g7f 7g7f", "white"),
        ("position startpos moves 7g7f 3c3d 8h2c+", "black"),
        ("position startpos moves 7g7f 3c3d nonsense 2g2f", "black"),
        ("position startpos moves 7g7f p*5e", "white"),
        ("position startpos moves resign", "black"),
        ("position startpos move 7g7f", "black"),
    ] {
        let heard = tell(&mut client, bad, side);
        assert_eq!(texts(&heard).len(), 1, "{bad} is complained about once: {heard:?}");
        // The referee knows the position and checks the move against it.
        assert_ne!(client.ask("go depth 1"), "bestmove resign", "{bad}");
    }
    client.quit();
}

#[test]
fn positions_of_problems_and_handicaps_are_played() {
    let mut client = Client::ready();
    for sfen in [
        // One king, the other, none.
        "4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1",
        "9/9/9/9/9/9/9/9/4K4 b R 1",
        "9/9/4p4/9/9/9/4P4/9/9 b - 1",
        "9/9/4p4/9/9/9/4P4/9/9 w 2R2B4G4S4N4L16P 1",
        // Handicaps: lance, rook and bishop, ten pieces. White begins.
        "lnsgkgsn1/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
        "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
        "4k4/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
        // In check, and without a move number.
        "4k4/9/9/9/9/9/9/4r4/4K4 b G",
        // The most moves there are.
        "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1",
    ] {
        for word in ["sfen ", ""] {
            client.send(&format!("position {word}{sfen}"));
            for go in ["go depth 2", "go nodes 500", "go btime 0 wtime 0 byoyomi 50"] {
                client.send(go);
                let heard = client.answer();
                assert_ne!(last(&heard).text, "bestmove resign", "{sfen}");
                assert!(texts(&heard).is_empty(), "{sfen}: {heard:?}");
            }
        }
    }
    client.quit();
}

#[test]
fn a_king_that_could_be_captured_is_survived() {
    let mut client = Client::ready();
    client.send("position sfen 4k4/4G4/9/9/9/9/9/9/4K4 b - 1");
    for go in ALL_KINDS {
        client.send(go);
        // Whether it is refused or played, `stop` ends it.
        client.send("stop");
        client.answer();
    }
    client.quit();
}

#[test]
fn two_thousand_plies_are_replayed() {
    let mut client = Client::ready();
    let moves = "5i5h 5a5b 5h5i 5b5a ".repeat(500);
    client.send(&format!("position startpos moves {moves}"));
    let begun = Instant::now();
    client.send("go btime 0 wtime 0 byoyomi 200");
    let heard = client.answer();
    assert!(texts(&heard).is_empty());
    assert!(last(&heard).at - begun < Duration::from_millis(700));
    client.send(&format!("position startpos moves {moves}7g7f"));
    client.send("side");
    client.expect("white");
    client.quit();
}

#[test]
fn the_board_can_be_drawn() {
    let mut client = Client::ready();
    client.send("position startpos moves 7g7f 3c3d 8h2b+ 3a2b");
    client.send("d");
    let heard = client.expect("sfen lnsgkg1nl/1r5s1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/7R1/LNSGKGSNL b Bb 5");
    assert_eq!(heard.len(), 14);
    client.quit();
}
