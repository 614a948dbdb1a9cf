//! Runs of learning: they repeat to the byte, go on where they were stopped, and find what there is to learn.

use std::fmt::Write;
use std::path::Path;
use tenbin::eval::Network;
use tenbin::eval::material::material;
use tenbin::eval::network::SHAPE;
use tenbin::eval::simd::Path as Instructions;
use tenbin::eval::weights::decode;
use tenbin::learn::records::Split;
use tenbin::learn::value::samples::is_quiet;

use super::{learn, plan, run, scored, weights, with_threads};
use crate::eval::{Folder, correlation};
use crate::records;

/// What learning by a plan leaves behind, with so many threads.
fn learned(plan: &Path, threads: usize) -> Vec<u8> {
    with_threads(threads, || learn(plan));
    weights(plan)
}

#[test]
fn a_run_repeats_to_the_byte_whatever_the_number_of_threads() {
    for positions in ["quiet", "resolved"] {
        let folder = Folder::new("threads");
        let plan = plan(&folder, &format!("batch = 512\npositions = '{positions}'"));
        let first = learned(&plan, 1);
        let picture = std::fs::read(folder.file("weights.svg")).expect("a picture was drawn");
        assert!(learned(&plan, 3) == first, "{positions}");
        assert_eq!(std::fs::read(folder.file("weights.svg")).expect("drawn"), picture);
    }
}

/// Neither in what they say of themselves: nobody else has the folders of whoever learned them.
#[test]
fn weights_are_the_same_wherever_the_files_lie() {
    let all = ["here", "there"].map(|name| {
        let folder = Folder::new(name);
        folder.write("games.txt", std::fs::read(scored()).expect("the sample is there"));
        learned(&plan(&folder, "records = ['games.txt']\npasses = 1"), 2)
    });
    assert!(all[0] == all[1]);
}

#[test]
fn the_seed_makes_the_difference() {
    let folder = Folder::new("seeds");
    let [first, second] =
        [1, 2].map(|seed| learned(&plan(&folder, &format!("seed = {seed}\npasses = 1")), 2));
    assert_ne!(first, second);
}

#[test]
fn a_run_leaves_weights_that_load_and_a_picture_and_nothing_else() {
    let folder = Folder::new("outputs");
    let said = learn(&plan(&folder, ""));
    assert_eq!(folder.names(), ["plan.toml", "weights.bin", "weights.svg"]);
    let bytes = std::fs::read(folder.file("weights.bin")).expect("weights were written");
    Network::read(&bytes).expect("weights that load");
    let provenance = decode(&bytes, SHAPE).expect("sound").provenance;
    for word in ["scored.txt", "seed 1", "batch 1024", "2 passes", "rate 0.01", "Quiet"] {
        assert!(provenance.contains(word), "{word} in {provenance}");
    }
    // Where the files lay is nobody's business.
    assert!(!provenance.contains(['/', '\\']), "{provenance}");
    let picture = std::fs::read_to_string(folder.file("weights.svg")).expect("a picture was drawn");
    assert!(picture.starts_with("<svg") && picture.trim_end().ends_with("</svg>"));
    assert!(picture.contains("validation"), "a legend");
    // How it went is told pass by pass.
    for pass in ["pass 1 of 2", "pass 2 of 2"] {
        assert_eq!(said.iter().filter(|line| line.starts_with(pass)).count(), 1, "{said:#?}");
    }
    assert!(said.iter().any(|line| line.contains("positions to learn from")), "{said:#?}");
}

/// What a run without interruption writes.
fn uninterrupted(name: &str, more: &str) -> Vec<u8> {
    learned(&plan(&Folder::new(name), more), 2)
}

#[test]
fn a_run_that_was_stopped_goes_on_to_the_same_weights() {
    let settings = "batch = 512\npasses = 3\ncheckpoint_seconds = 0";
    let folder = Folder::new("stopped");
    let plan = plan(&folder, settings);
    let said = run(&plan, |line| line.starts_with("pass 1 of 3")).sound();
    assert!(said.last().is_some_and(|line| line.starts_with("stopped at step ")), "{said:#?}");
    assert_eq!(folder.names(), ["plan.toml", "weights.bin.checkpoint"]);
    let said = learn(&plan);
    assert!(said.iter().any(|line| line.starts_with("going on from ")), "{said:#?}");
    assert!(said.iter().all(|line| !line.starts_with("pass 1 ")), "the first pass is done: {said:#?}");
    let found = std::fs::read(folder.file("weights.bin")).expect("weights were written");
    assert!(found == uninterrupted("not-stopped", settings));
    // The checkpoint has served.
    assert_eq!(folder.names(), ["plan.toml", "weights.bin", "weights.svg"]);
}

/// Stopped after every single step, the ends of passes and of stages and the end of all among them.
#[test]
fn a_run_may_be_stopped_after_every_step() {
    for (settings, least, passes) in [("batch = 1024", 5, 2), ("positions = 'resolved'\nbatch = 1024", 10, 3)]
    {
        let folder = Folder::new("steps");
        let plan = plan(&folder, settings);
        let mut stops = 0;
        let mut told = Vec::new();
        while !folder.file("weights.bin").exists() {
            let said = run(&plan, |line| line.contains("positions to learn from")).sound();
            told.extend(said.into_iter().filter(|line| line.starts_with("pass ")));
            stops += 1;
            assert!(stops <= 30, "it never ends: {told:#?}");
        }
        assert!(stops >= least, "{settings}: {stops}");
        assert_eq!(told.len(), passes, "every pass is told once: {told:#?}");
        assert_eq!(folder.names(), ["plan.toml", "weights.bin", "weights.svg"]);
        let found = std::fs::read(folder.file("weights.bin")).expect("weights were written");
        let expected = uninterrupted("all-steps", settings);
        let provenance = |bytes| decode(bytes, SHAPE).expect("sound").provenance;
        assert_eq!(provenance(&found), provenance(&expected));
        assert!(found == expected);
    }
}

/// What the first of two stages led to is not lost when the second is stopped, be there older weights or not.
#[test]
fn the_second_stage_goes_on_with_the_network_of_the_first() {
    let settings = "positions = 'resolved'\npasses = 1";
    let folder = Folder::new("stages");
    let plan = plan(&folder, settings);
    folder.write("weights.bin", "older weights");
    let said = run(&plan, |line| line.starts_with("learning from all positions")).sound();
    assert_eq!(said.last().map(String::as_str), Some("stopped while reading"));
    assert!(folder.names().contains(&"weights.first.bin".to_owned()), "{:?}", folder.names());
    let said = learn(&plan);
    assert!(said.iter().all(|line| !line.contains("quiet positions first")), "{said:#?}");
    assert_eq!(folder.names(), ["plan.toml", "weights.bin", "weights.svg"]);
    let found = std::fs::read(folder.file("weights.bin")).expect("weights were written");
    assert!(found == uninterrupted("two-stages", settings));
}

#[test]
fn a_run_that_is_stopped_while_reading_leaves_nothing() {
    let folder = Folder::new("reading");
    let said = run(&plan(&folder, ""), |line| line.contains("scored.txt")).sound();
    assert_eq!(said.last().map(String::as_str), Some("stopped while reading"));
    assert_eq!(folder.names(), ["plan.toml"]);
}

/// A checkpoint after the first pass of a run.
fn stopped(folder: &Folder, settings: &str) -> Vec<u8> {
    run(&plan(folder, settings), |line| line.starts_with("pass 1 ")).sound();
    std::fs::read(folder.file("weights.bin.checkpoint")).expect("a checkpoint")
}

#[test]
fn damaged_checkpoints_are_told_and_not_used() {
    let settings = "passes = 2";
    let folder = Folder::new("damaged-checkpoint");
    let sound = stopped(&folder, settings);
    let plan = plan(&folder, settings);
    let expected = uninterrupted("undamaged", settings);
    let mut flipped = sound.clone();
    flipped[sound.len() / 3] ^= 4;
    let damages: [(&str, &[u8]); 5] = [
        ("flipped", &flipped),
        ("truncated", &sound[..sound.len() / 2]),
        ("empty", &[]),
        ("foreign", b"hello"),
        // Weights are no checkpoint.
        ("weights", &expected),
    ];
    for (name, bytes) in damages {
        folder.write("weights.bin.checkpoint", bytes);
        let said = learn(&plan);
        let told = said.iter().filter(|line| line.contains("starting anew")).collect::<Vec<_>>();
        assert_eq!(told.len(), 1, "{name}: {said:#?}");
        assert!(told[0].contains("weights.bin.checkpoint"), "{}", told[0]);
        let found = std::fs::read(folder.file("weights.bin")).expect("weights were written");
        assert!(found == expected, "{name}");
        assert_eq!(folder.names(), ["plan.toml", "weights.bin", "weights.svg"], "{name}");
    }
}

#[test]
fn the_checkpoint_of_another_plan_is_told_and_not_used() {
    let folder = Folder::new("another-plan");
    stopped(&folder, "seed = 1");
    let said = learn(&plan(&folder, "seed = 2"));
    assert!(said.iter().any(|line| line.contains("another plan: starting anew")), "{said:#?}");
    let found = std::fs::read(folder.file("weights.bin")).expect("weights were written");
    assert!(found == uninterrupted("that-plan", "seed = 2"));
    // How often to keep one and where to write make no difference to what is learned.
    stopped(&folder, "seed = 1");
    let said = learn(&plan(&folder, "seed = 1\ncheckpoint_seconds = 3"));
    assert!(said.iter().any(|line| line.starts_with("going on from ")), "{said:#?}");
}

#[test]
fn other_records_under_the_same_name_are_another_run() {
    let folder = Folder::new("other-records");
    let text = std::fs::read_to_string(scored()).expect("the sample is there");
    folder.write("games.txt", &text);
    let settings = "records = ['games.txt']";
    stopped(&folder, settings);
    let fewer: Vec<&str> = text.lines().skip(3).collect();
    folder.write("games.txt", fewer.join("\n"));
    let said = learn(&plan(&folder, settings));
    assert!(said.iter().any(|line| line.contains("another plan: starting anew")), "{said:#?}");
}

#[test]
fn where_nothing_can_be_written_the_file_is_named() {
    let folder = Folder::new("unwritable");
    let error = run(&plan(&folder, "output = 'plan.toml/weights.bin'"), |_| false).error();
    assert!(error.contains("plan.toml"), "{error}");
    assert_eq!(folder.names(), ["plan.toml"]);
}

#[test]
fn records_without_scores_have_nothing_to_learn_from() {
    let folder = Folder::new("no-scores");
    folder.write("games.txt", include_str!("../../data/games.txt"));
    let error = run(&plan(&folder, "records = ['games.txt']"), |_| false).error();
    assert!(error.contains("too few positions with scores"), "{error}");
    let error = run(&plan(&folder, "batch = 100000"), |_| false).error();
    assert!(error.contains("too few positions with scores"), "{error}");
    assert_eq!(folder.names(), ["games.txt", "plan.toml"]);
}

/// The games of the sample with the material on the board for scores.
fn games_scored_by_material() -> String {
    let mut text = String::new();
    for game in records::sample() {
        let mut moves = String::new();
        game.replay(|walker, mv| {
            let _ = write!(moves, " {}:{}", mv.to_usi(), material(walker.position()));
        });
        let _ = writeln!(text, "{}|{}|d|", game.0.start, moves.trim_start());
    }
    text
}

/// A function that is known: whoever learns it from some games must know it in others.
#[test]
fn a_known_function_is_learned() {
    let folder = Folder::new("material");
    folder.write("games.txt", games_scored_by_material());
    let settings = "records = ['games.txt']\nlambda = 1.0\npositions = 'quiet'\nbatch = 512\npasses = 6\n\
                    rate = 0.01\ndecay = 3.0";
    let said = learn(&plan(&folder, settings));
    let bytes = std::fs::read(folder.file("weights.bin")).expect("weights were written");
    let network = Network::read(&bytes).expect("weights that load");
    let mut pairs = Vec::new();
    for game in records::sample().iter().filter(|game| game.0.split() != Split::Train) {
        game.replay(|walker, mv| {
            let (position, value) = (walker.position(), material(walker.position()));
            if is_quiet(position, mv) && value.abs() < 2_000 {
                let learned = network.value(Instructions::best(), position);
                pairs.push((f64::from(value), f64::from(learned)));
            }
        });
    }
    let correlation = correlation(&pairs);
    println!("{} positions, correlation {correlation:.4}; {}", pairs.len(), said[said.len() - 3]);
    assert!(pairs.len() >= 1_000);
    assert!(correlation > 0.8, "{correlation}");
}
