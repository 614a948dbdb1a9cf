//! Options: how they are set and what those do that can be seen from outside.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use tenbin::search::params::{self, Params};
use tenbin::usi::options::TUNING;

use super::client::{Client, last, texts};
use super::format::Printed;

/// Declared by Black with these pieces in hand, by White with one point less.
const BLACK_ENTERED: &str = "position sfen KRRBB4/GGGGSS3/9/9/9/9/9/9/4k4 b";
const WHITE_ENTERED: &str = "position sfen 4K4/9/9/9/9/9/9/3ssgggg/4bbrrk w";

/// What `getoption` says.
fn option(client: &mut Client, name: &str) -> String {
    client.send(&format!("getoption {name}"));
    client.send("side");
    let heard = client.expect("black");
    texts(&heard).join("|")
}

#[test]
fn options_are_set_by_name_in_any_case_and_told() {
    let mut client = Client::ready();
    assert_eq!(option(&mut client, "MultiPV"), "MultiPV = 1");
    client.send("setoption name multipv value 7");
    assert_eq!(option(&mut client, "MULTIPV"), "MultiPV = 7");
    assert_eq!(option(&mut client, "DebugLogFile"), "DebugLogFile = <empty>");
    assert!(option(&mut client, "NoSuchOption").contains("NoSuchOption"));
    client.quit();
}

#[test]
fn bad_values_keep_the_old_one_and_say_so() {
    let mut client = Client::ready();
    client.send("setoption name MultiPV value 3");
    for bad in ["0", "-1", "601", "x", "", "99999999999999999999", "1 2"] {
        client.send(&format!("setoption name MultiPV value {bad}"));
        client.send("side");
        let heard = client.expect("black");
        assert_eq!(texts(&heard).len(), 1, "{bad:?}: {heard:?}");
    }
    client.send("setoption name MultiPV");
    client.send("side");
    assert_eq!(texts(&client.expect("black")).len(), 1);
    assert_eq!(option(&mut client, "MultiPV"), "MultiPV = 3");
    client.send("setoption name NoSuchOption value 1");
    client.send("setoption");
    client.send("setoption name");
    client.send("side");
    assert!(texts(&client.expect("black")).is_empty(), "unknown names are ignored silently");
    client.quit();
}

#[test]
fn what_is_set_while_searching_holds_afterwards() {
    let mut client = Client::ready();
    client.send("go infinite");
    client.expect_no_answer(Duration::from_millis(50));
    client.send("setoption name MultiPV value 3");
    // The referee knows that the running search shows one line and the next one three.
    client.expect_no_answer(Duration::from_millis(200));
    client.send("stop");
    client.answer();
    client.send("go depth 2");
    let heard = client.answer();
    assert!(heard.iter().any(|heard| heard.text.contains(" multipv 3 ")));
    client.quit();
}

#[test]
fn the_learner_is_accepted_and_never_listed() {
    let mut client = Client::start();
    client.send("usi");
    assert!(client.expect("usiok").iter().all(|heard| !heard.text.contains("usi_learn")));
    client.send("setoption name usi_learn value some plan.toml");
    // The complaint that there is no such plan comes first.
    client.send("wait");
    client.send("isready");
    client.expect("readyok");
    assert_eq!(option(&mut client, "usi_learn"), "usi_learn = some plan.toml");
    client.quit();
}

#[test]
fn a_win_is_declared_at_exactly_enough_points() {
    let mut client = Client::ready();
    for (position, wins) in [
        (format!("{BLACK_ENTERED} 2P 1"), true),
        (format!("{BLACK_ENTERED} P 1"), false),
        (format!("{WHITE_ENTERED} p 1"), true),
        (format!("{WHITE_ENTERED} - 1"), false),
        // Nine pieces beside the king, points enough.
        ("position sfen KRRBB4/GGGGS4/9/9/9/9/9/9/4k4 b 9P 1".to_owned(), false),
        // A piece outside the camp does not count.
        ("position sfen KRRBB4/GGGGS4/9/S8/9/9/9/9/4k4 b 9P 1".to_owned(), false),
        // In check.
        ("position sfen lRRBB4/KGGGGSS2/9/9/9/9/9/9/4k4 b 9P 1".to_owned(), false),
        // The king is outside.
        ("position sfen 1RRBB4/GGGGSS3/G8/K8/9/9/9/9/4k4 b 9P 1".replace("GGGGSS3/G8", "GGGGSSN2/9"), false),
    ] {
        client.send(&position);
        for go in ["go depth 1", "go btime 0 wtime 0 byoyomi 100", "go nodes 10"] {
            assert_eq!(client.ask(go) == "bestmove win", wins, "{position}");
        }
    }
    client.quit();
}

#[test]
fn the_rule_of_entering_kings_can_be_chosen() {
    let mut client = Client::ready();
    let mut claims = |rule: &str, position: &str| {
        client.send(&format!("setoption name EnteringKingRule value {rule}"));
        client.send(position);
        client.ask("go depth 1") == "bestmove win"
    };
    let (enough, little) = (format!("{BLACK_ENTERED} 2P 1"), format!("{BLACK_ENTERED} P 1"));
    let much = format!("{BLACK_ENTERED} 5P 1");
    assert!(!claims("NoEnteringKing", &much));
    assert!(claims("CSARule27", &enough) && !claims("CSARule27", &little));
    // 31 points win, fewer draw.
    assert!(claims("CSARule24", &much) && !claims("CSARule24", &enough));
    client.quit();
}

#[test]
fn under_the_try_rule_the_king_goes_home() {
    let mut client = Client::ready();
    client.send("setoption name EnteringKingRule value TryRule");
    client.send("position sfen 9/4K4/9/9/9/9/9/9/k8 b - 1");
    client.send("go depth 1");
    let heard = client.answer();
    assert_eq!(last(&heard).text, "bestmove 5b5a");
    client.send("setoption name EnteringKingRule value CSARule27");
    assert_ne!(client.ask("go depth 1"), "bestmove win");
    client.quit();
}

#[test]
fn the_last_permitted_move_may_mate_and_nothing_comes_after_it() {
    let mut client = Client::ready();
    client.send("setoption name MaxMovesToDraw value 20");
    client.send("setoption name DrawValueBlack value 77");
    client.send("setoption name DrawValueWhite value -77");
    let score = |client: &mut Client, position: &str| {
        client.send(position);
        client.send("go depth 3");
        let heard = client.answer();
        match &heard[heard.len() - 2].printed {
            Printed::Variation(line) => format!("{} {}", line.score.0, line.score.1),
            other => panic!("{other:?}"),
        }
    };
    let mate_in_one = "position sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G";
    assert_eq!(score(&mut client, &format!("{mate_in_one} 20")), "mate 1");
    // A rook ahead, but the game ends with the next move.
    let ahead = "position sfen 4k4/9/9/9/9/9/9/9/4K4 b R";
    assert_eq!(score(&mut client, &format!("{ahead} 20")), "cp 77");
    assert_eq!(score(&mut client, &format!("{ahead} 18 moves 5i5h 5a5b")), "cp 77");
    assert_ne!(score(&mut client, &format!("{ahead} 1")), "cp 77");
    client.quit();
}

#[test]
fn the_hopeless_resigns_when_told_to() {
    let mut client = Client::ready();
    client.send("position sfen 4k4/9/9/9/9/9/9/9/4K4 b 2r2b4g 1");
    assert_ne!(client.ask("go depth 1"), "bestmove resign", "not by default");
    client.send("setoption name ResignValue value 2000");
    assert_eq!(client.ask("go depth 1"), "bestmove resign");
    client.send("position startpos");
    assert_ne!(client.ask("go depth 1"), "bestmove resign", "not when level");
    client.quit();
}

#[test]
fn analysis_never_resigns() {
    let mut client = Client::ready();
    client.send("setoption name ResignValue value 2000");
    client.send("position sfen 4k4/9/9/9/9/9/9/9/4K4 b 2r2b4g 1");
    client.send("go infinite");
    client.expect_no_answer(Duration::from_millis(100));
    client.send("stop");
    assert_ne!(last(&client.answer()).text, "bestmove resign");
    client.quit();
}

#[test]
fn too_much_memory_is_warned_about_and_not_taken() {
    let mut client = Client::ready();
    client.send("setoption name USI_Hash value 1048576");
    client.send("isready");
    let heard = client.expect("readyok");
    assert_eq!(texts(&heard).len(), 1, "{heard:?}");
    client.ask("go depth 2");
    client.send("setoption name USI_Hash value 1");
    client.send("isready");
    assert!(texts(&client.expect("readyok")).is_empty());
    client.quit();
}

/// An empty folder for a test.
fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).expect("a folder for tests");
    path
}

/// Whether the log has a line that says this, with a time before it.
fn is_logged(log: &str, said: &str) -> bool {
    log.lines().any(|line| {
        let time = line.get(..12).unwrap_or_default().as_bytes();
        let digits = time.iter().enumerate().all(|(i, &b)| match i {
            2 | 5 => b == b':',
            8 => b == b'.',
            _ => b.is_ascii_digit(),
        });
        digits && line.get(12..) == Some(&format!(" usi {said}"))
    })
}

#[test]
fn the_log_has_both_directions_with_times() {
    let folder = folder("log");
    let path = folder.join("a log.txt");
    let mut client = Client::start();
    client.send(&format!("setoption name DebugLogFile value {}", path.display()));
    client.send("isready");
    client.expect("readyok");
    client.send("go depth 1");
    let answer = last(&client.answer()).text.clone();
    client.send("setoption name DebugLogFile value <empty>");
    client.send("isready");
    client.expect("readyok");
    client.send("usi");
    client.expect("usiok");
    client.quit();
    let log = std::fs::read_to_string(&path).expect("the log was written");
    for said in ["> go depth 1", "< readyok", &format!("< {answer}")] {
        assert!(is_logged(&log, said), "{said} in\n{log}");
    }
    assert!(!log.contains("usiok"), "nothing is logged after the log is closed");
    std::fs::remove_dir_all(folder).expect("ours");
}

#[test]
fn a_log_without_a_folder_lies_beside_the_program() {
    let folder = folder("beside");
    let program = folder.join("engine");
    // A link and not a copy: a file just written cannot always be run at once.
    std::fs::hard_link(env!("CARGO_BIN_EXE_tenbin"), &program).expect("the same file system");
    let mut client = Client::start_program(&program);
    client.send("setoption name DebugLogFile value own.log");
    client.send("isready");
    client.expect("readyok");
    client.quit();
    let log = std::fs::read_to_string(folder.join("own.log")).expect("the log was written");
    assert!(is_logged(&log, "< readyok"), "{log}");
    std::fs::remove_dir_all(folder).expect("ours");
}

#[test]
fn a_log_that_cannot_be_written_is_complained_about() {
    let mut client = Client::ready();
    client.send("setoption name DebugLogFile value /no/such/folder/at/all");
    client.send("isready");
    assert_eq!(texts(&client.expect("readyok")).len(), 1);
    client.quit();
}

/// What the program says to `usi` and `usi_tunables`.
fn introduction(tuning: bool) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tenbin"));
    command.env_remove(TUNING).stdin(Stdio::piped()).stdout(Stdio::piped());
    if tuning {
        command.env(TUNING, "1");
    }
    let mut child = command.spawn().expect("the program runs");
    let mut input = child.stdin.take().expect("piped");
    input.write_all(b"usi\nusi_tunables\n").expect("it listens");
    let mut said = String::new();
    for line in BufReader::new(child.stdout.take().expect("piped")).lines() {
        said += &line.expect("text");
        said.push('\n');
        if said.ends_with("usi_tunablesok\n") {
            input.write_all(b"quit\n").expect("it listens");
        }
    }
    assert!(child.wait().expect("it ends").success());
    said
}

/// Tuners ask for the table and set only what is listed.
#[test]
fn hidden_parameters_are_listed_for_tuners() {
    let (usual, tuning) = (introduction(false), introduction(true));
    for row in params::TABLE {
        let name = format!("option name {} type ", row.name);
        assert_eq!((usual.contains(&name), tuning.contains(&name)), (row.listed, true), "{}", row.name);
    }
    let prefix = "info string shogiarena_tunables_json ";
    let line = usual.lines().find_map(|line| line.strip_prefix(prefix)).expect("a line with the table");
    let table: serde_json::Value = serde_json::from_str(line).expect("JSON");
    let tunables = table["tunables"].as_array().expect("a list");
    let numbers: Vec<_> = params::TABLE.iter().filter(|row| row.words.is_empty()).collect();
    assert_eq!(tunables.len(), numbers.len());
    for (told, row) in tunables.iter().zip(numbers) {
        assert_eq!(told["option"], row.name);
        assert_eq!(
            (told["default"].as_i64(), told["min"].as_i64()),
            (Some(row.default.into()), Some(row.min.into()))
        );
        // Each can be set to what a tuner may choose.
        assert_eq!(Params::default().set(row.name, &told["max"].to_string()), Some(Ok(row.name)));
    }
    assert!(usual.ends_with("usi_tunablesok\n"), "{usual}");
}

#[test]
fn people_are_told_who_wins_between_them() {
    let mut client = Client::ready();
    let told = |client: &mut Client, nodes: u32| {
        client.send(&format!("go nodes {nodes}"));
        let heard = client.answer();
        let lines: Vec<String> = texts(&heard)
            .into_iter()
            .filter(|text| text.starts_with("win rate by rating"))
            .map(str::to_owned)
            .collect();
        lines
    };
    assert!(told(&mut client, 1000).is_empty(), "nobody asked");
    client.send("setoption name HumanWinRate value true");
    client.send("setoption name Rating value 1850");
    let lines = told(&mut client, 20);
    assert_eq!(lines.len(), 1, "{lines:?}");
    for part in [" 1200 ", " 1600 ", " 2000 ", " 2400 ", " 2800 ", " yours 1850 ", " %; lead: "] {
        assert!(lines[0].contains(part), "{part:?} in {lines:?}");
    }
    // A rook more is a lead for everybody.
    client.send("position sfen lnsgkgsnl/7b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b R 1");
    let lines = told(&mut client, 1000);
    assert!(lines.len() > 1 && lines.iter().all(|line| !line.ends_with("even")), "{lines:?}");
    // After a search it is worth more the stronger the players are.
    let rates: Vec<u32> = lines[lines.len() - 1]
        .split(' ')
        .zip(lines[lines.len() - 1].split(' ').skip(1))
        .filter(|(_, next)| next.starts_with('%'))
        .map(|(rate, _)| rate.parse().expect("a rate"))
        .collect();
    let [by_rating @ .., own] = rates.as_slice() else { panic!("{lines:?}") };
    assert!(by_rating.is_sorted() && by_rating[4] > by_rating[0] + 5, "{rates:?}");
    assert!((by_rating[1]..=by_rating[2]).contains(own), "{rates:?}");
    client.quit();
}
