//! `EvalDir`: weights from a folder, and what the engine does where they are not sound.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use tenbin::eval::Network;
use tenbin::eval::network::{FILE, SHAPE};
use tenbin::eval::weights::encode;

use super::Folder;
use super::reference::{self, EMBEDDED, USUAL};

#[test]
fn an_empty_name_means_the_embedded_weights() {
    let (network, note) = Network::from_folder(Path::new(""));
    assert!(Arc::ptr_eq(&network, &Network::embedded()));
    assert_eq!(note, None);
}

#[test]
fn sound_weights_of_a_folder_are_used_without_a_word() {
    let folder = Folder::new("sound-weights");
    let numbers = reference::random(1, USUAL);
    folder.write(FILE, numbers.to_file("random"));
    let (network, note) = Network::from_folder(folder.as_ref());
    assert_eq!(*network, Network::new(&numbers).expect("numbers that fit"));
    assert_eq!(note, None);
}

/// A file that cannot be used, by name.
fn unsound() -> Vec<(&'static str, Vec<u8>)> {
    let mut flipped = EMBEDDED.to_vec();
    flipped[EMBEDDED.len() / 2] ^= 16;
    let mut large = reference::random(2, USUAL);
    large.features[7] = i16::MAX;
    vec![
        ("empty", Vec::new()),
        ("foreign", b"hello\nworld".to_vec()),
        ("truncated", EMBEDDED[..EMBEDDED.len() - 1].to_vec()),
        ("flipped", flipped),
        ("too large", large.to_file("")),
        ("another kind", encode(tenbin::eval::weights::Shape { kind: "p\no\u{1}l", ..SHAPE }, "", b"")),
    ]
}

#[test]
fn unsound_weights_are_told_in_one_line_and_the_embedded_ones_used() {
    let folder = Folder::new("unsound-weights");
    let expect_note = |name: &str| {
        let (network, note) = Network::from_folder(folder.as_ref());
        assert!(Arc::ptr_eq(&network, &Network::embedded()), "{name}");
        let note = note.unwrap_or_else(|| panic!("{name}: a note"));
        assert!(!note.contains(|letter: char| letter.is_control()), "{name}: {note:?}");
        assert!(
            note.contains("EvalDir") && note.contains(FILE) && note.contains("embedded"),
            "{name}: {note}"
        );
    };
    expect_note("missing");
    for (name, bytes) in unsound() {
        folder.write(FILE, bytes);
        expect_note(name);
    }
    std::fs::remove_file(folder.file(FILE)).expect("ours");
    std::fs::create_dir(folder.file(FILE)).expect("there is room");
    expect_note("a folder");
}

/// What the program says to these commands, to the end.
fn talk(commands: &[String]) -> Vec<String> {
    let mut program = Command::new(env!("CARGO_BIN_EXE_tenbin"))
        .env_remove("RUST_LOG")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program can be started");
    let mut input = program.stdin.take().expect("piped");
    input.write_all(format!("{}\n", commands.join("\n")).as_bytes()).expect("the program reads");
    drop(input);
    let output = program.wait_with_output().expect("the program ends");
    assert!(output.status.success(), "{}", output.status);
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect()
}

/// A session that plays a few moves with the weights of a folder.
fn session(folder: &str) -> Vec<String> {
    let play = [
        "position startpos",
        "go depth 3",
        "wait",
        "position startpos moves 7g7f 3c3d",
        "go depth 3",
        "wait",
    ];
    let mut commands =
        vec!["usi".to_owned(), format!("setoption name EvalDir value {folder}"), "isready".to_owned()];
    // The second game is played with the same weights: there is nothing more to say about them.
    for _ in 0..2 {
        commands.push("usinewgame".to_owned());
        commands.extend(play.map(str::to_owned));
        commands.push("isready".to_owned());
    }
    commands.push("quit".to_owned());
    talk(&commands)
}

fn complaints(said: &[String]) -> Vec<&String> {
    said.iter().filter(|line| line.starts_with("info string") && line.contains("EvalDir")).collect()
}

fn answers(said: &[String]) -> Vec<&String> {
    said.iter().filter(|line| line.starts_with("bestmove")).collect()
}

#[test]
fn play_goes_on_with_unsound_weights_and_one_complaint() {
    let folder = Folder::new("playing-unsound");
    let path = folder.0.display().to_string();
    let usual = session("<empty>");
    assert_eq!((complaints(&usual).len(), answers(&usual).len()), (0, 4), "{usual:#?}");
    for (name, bytes) in unsound() {
        folder.write(FILE, bytes);
        let said = session(&path);
        assert_eq!(complaints(&said).len(), 1, "{name}: {said:#?}");
        // The embedded weights play: the answers are theirs.
        assert_eq!(answers(&said), answers(&usual), "{name}");
    }
    std::fs::remove_file(folder.file(FILE)).expect("ours");
    let said = session(&path);
    assert_eq!((complaints(&said).len(), answers(&said)), (1, answers(&usual)), "missing: {said:#?}");
}

#[test]
fn a_folder_with_a_policy_alone_is_used_without_a_word() {
    let folder = Folder::new("playing-policy");
    folder.write("balancing.bin", include_bytes!("../../weights/balancing-paper.bin"));
    let said = session(&folder.0.display().to_string());
    assert_eq!((complaints(&said).len(), answers(&said).len()), (0, 4), "{said:#?}");
}

#[test]
fn weights_can_be_changed_between_games() {
    let folder = Folder::new("playing-sound");
    folder.write(FILE, reference::random(3, USUAL).to_file("random"));
    let go = |folder: &str| {
        vec![
            format!("setoption name EvalDir value {folder}"),
            "isready".to_owned(),
            "usinewgame".to_owned(),
            "position startpos".to_owned(),
            "go depth 4".to_owned(),
            "wait".to_owned(),
        ]
    };
    let mut commands = vec!["usi".to_owned()];
    for folder in ["<empty>", &folder.0.display().to_string(), "<empty>"] {
        commands.extend(go(folder));
    }
    commands.push("quit".to_owned());
    let said = talk(&commands);
    assert!(complaints(&said).is_empty(), "{said:#?}");
    let scores: Vec<&str> = said
        .iter()
        .filter(|line| line.starts_with("info depth 4 "))
        .map(|line| line.split(" score ").nth(1).expect("a score").split(" nodes ").next().expect("text"))
        .collect();
    assert_eq!(scores.len(), 3, "{said:#?}");
    assert_eq!(scores[0], scores[2]);
    assert_ne!(scores[0], scores[1], "random weights say something else");
}
