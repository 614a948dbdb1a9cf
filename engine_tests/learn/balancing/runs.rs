//! Runs of plans of kind `balancing`: they repeat to the byte, go on where they were stopped, and refuse what cannot be.

use std::path::{Path, PathBuf};
use tenbin::learn::Plan;
use tenbin::learn::balancing::plan::Plan as BalancingPlan;
use tenbin::learn::selfplay::plan::Plan as SelfplayPlan;
use tenbin::learn::value::plan::Plan as ValuePlan;
use tenbin::policy::Weights;

use crate::eval::Folder;
use crate::learn::value::{learn, run, scored, weights, with_threads};

const SMALL: &str = "positions = 12\nvalidation = 2\nopening = 10\npasses = 2\nbatch = 4\nteacher_playouts = 60\n\
                     value_playouts = 20\ngradient_playouts = 20";

fn plan(folder: &Folder, more: &str) -> PathBuf {
    let text = format!(
        "kind = 'balancing'\nrecords = ['{}']\noutput = 'weights.bin'\n{SMALL}\n{more}\n",
        scored().display()
    );
    folder.write("plan.toml", text)
}

#[test]
fn a_run_that_was_stopped_goes_on_to_the_same_weights_on_any_number_of_threads() {
    for (name, more) in
        [("plain", ""), ("adam", "method = 'adam'\nrate = 0.01\nbaseline = true\nlast_plies = true")]
    {
        let whole = Folder::new(&format!("balancing-{name}-whole"));
        let stopped = Folder::new(&format!("balancing-{name}-stopped"));
        let first = plan(&whole, more);
        with_threads(1, || learn(&first));
        let second = plan(&stopped, more);
        let said = with_threads(2, || run(&second, |line| line.starts_with("pass 1: ")).sound());
        assert!(said.last().is_some_and(|line| line.starts_with("stopped, kept in ")), "{said:#?}");
        let said = with_threads(2, || learn(&second));
        assert!(said.iter().any(|line| line.starts_with("going on from ")), "{said:#?}");
        assert!(!said.iter().any(|line| line.starts_with("pass 1: ")), "that pass was done: {said:#?}");
        assert!(weights(&first) == weights(&second), "{name}");
        assert!(*Weights::zero() != Weights::read(&weights(&first)).expect("weights that load"));
        for end in ["error.svg", "histogram.svg"] {
            assert!(stopped.names().contains(&format!("weights.{end}")), "{:?}", stopped.names());
        }
        assert!(!stopped.names().contains(&"weights.bin.checkpoint".to_owned()));
    }
}

#[test]
fn variants_learn_something_else_from_the_same_positions() {
    let mut results = Vec::new();
    let variants = [
        "",
        "seed = 2",
        "reward = 'winrate'",
        "reward = 'winrate'\nteacher = 'recorded'",
        "start = 'transition'",
        "start = 'transition'\nsharpness = 2",
        "together = true",
        "last_plies = true",
        "leaf_weight = 0.75",
        "mate = 'one'",
        "families = ['check', 'exchange']",
        "families = ['all']",
    ];
    for (number, more) in variants.iter().enumerate() {
        let folder = Folder::new(&format!("balancing-variant-{number}"));
        let plan = plan(&folder, more);
        learn(&plan);
        let learned = weights(&plan);
        assert!(!results.contains(&learned), "{more}");
        results.push(learned);
    }
}

#[test]
fn a_run_may_begin_with_what_another_learned() {
    let before = Folder::new("balancing-before");
    let first = plan(&before, "last_plies = true");
    learn(&first);
    let file = first.with_file_name("weights.bin");
    let begin = |name: &str, more: &str| {
        let folder = Folder::new(name);
        let path = plan(&folder, &format!("start = '{}'\n{more}", file.display()));
        let run = run(&path, |_| false);
        (folder, path, run)
    };
    let (_folder, second, run) = begin("balancing-after", "last_plies = true");
    run.sound();
    assert!(weights(&second) != weights(&first));
    // What is meant for plies of a playout is not taken for phases of the game.
    assert!(begin("balancing-mistaken", "").2.error().contains("last_plies = true"));
    let folder = Folder::new("balancing-from-nothing");
    let error = crate::learn::value::run(&plan(&folder, "start = 'transitoin'"), |_| false).error();
    assert!(error.contains("transitoin"), "{error}");
}

#[test]
fn plans_that_cannot_be_followed_say_why() {
    let folder = Folder::new("balancing-plans");
    for (more, complaint) in [
        ("teacher = 'recorded'", "reward must be winrate"),
        ("families = ['nonsense']", "nonsense is none of all, to, own_king"),
        ("batch = 0", "batch: 0 is not 1 to"),
        ("depth = 0", "depth: 0 is not 1 to"),
        ("mate = 'nine'", "line 4: unknown variant `nine`"),
        ("nonsense = 1", "line 4: unknown field `nonsense`"),
    ] {
        let text = format!("kind = 'balancing'\nrecords = ['games.txt']\noutput = 'weights.bin'\n{more}\n");
        let error = Plan::read(&folder.write("plan.toml", text)).expect_err(complaint).to_string();
        assert!(error.contains(complaint), "{error}");
    }
}

#[test]
fn the_examples_can_be_followed_from_a_fresh_clone() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for name in ["learn-balancing", "learn-selfplay", "learn-value"] {
        let script = std::fs::read_to_string(root.join(format!("usi_scripts/{name}.usi"))).expect("a script");
        assert!(script.contains(&format!("setoption name usi_learn value usi_scripts/{name}.toml\nwait\n")));
        let plan = Plan::read(&root.join(format!("usi_scripts/{name}.toml"))).expect("a plan");
        let (Plan::Balancing(BalancingPlan { records, .. })
        | Plan::Selfplay(SelfplayPlan { records, .. })
        | Plan::Value(ValuePlan { records, .. })) = plan
        else {
            panic!("another kind of plan");
        };
        for file in records {
            assert!(std::fs::metadata(&file).expect("it is in the repository").len() < 1 << 20);
        }
    }
}
