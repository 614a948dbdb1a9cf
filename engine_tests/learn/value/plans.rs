//! Plans: what is wrong with one is told with its place.

use std::path::Path;
use std::process::Command;
use tenbin::learn::value::plan::Positions;
use tenbin::learn::{Plan, value};

use super::{plan, run};
use crate::eval::Folder;

/// The plan, which is of the kind that these tests are about.
fn of_value(plan: Plan) -> value::plan::Plan {
    let Plan::Value(plan) = plan else { panic!("{plan:?}") };
    plan
}

fn read(text: &str) -> Result<Plan, String> {
    let folder = Folder::new(&format!("plan-{:?}", std::thread::current().id()));
    let path = folder.write("plan.toml", text);
    let result = Plan::read(&path);
    result.map_err(|error| {
        let text = error.to_string();
        assert!(!text.contains('\n'), "one line: {text:?}");
        let place = format!("{}: ", path.display());
        text.strip_prefix(&place).unwrap_or_else(|| panic!("{text} begins with the file")).to_owned()
    })
}

const SHORTEST: &str = "kind = 'value'\nrecords = ['a.txt']\noutput = 'b.bin'\n";

#[test]
fn the_shortest_plan_has_defaults_for_the_rest() {
    let plan = of_value(read(SHORTEST).expect("a plan"));
    assert_eq!((plan.seed, plan.positions, plan.batch), (1, Positions::Resolved, 4_096));
    assert_eq!(plan.check(), Ok(()));
}

#[test]
fn paths_are_relative_to_the_plan() {
    let folder = Folder::new("relative");
    let text = "kind = 'value'\nrecords = ['../a.txt', '/b.txt']\noutput = 'c/d.bin'\n";
    let path = folder.write("plan.toml", text);
    let plan = of_value(Plan::read(&path).expect("a plan"));
    assert_eq!(plan.records, [folder.file("../a.txt"), Path::new("/b.txt").to_owned()]);
    assert_eq!(plan.output, folder.file("c/d.bin"));
}

#[test]
fn nonsense_is_told_with_its_field() {
    for (line, words) in [
        ("passes = 0", ["passes", "0"]),
        ("passes = 1000000", ["passes", "1000000"]),
        ("batch = 1", ["batch", "1"]),
        ("batch = 10000000", ["batch", "10000000"]),
        ("rate = 0.0", ["rate", "0"]),
        ("rate = -1.0", ["rate", "-1"]),
        ("rate = nan", ["rate", "NaN"]),
        ("rate = inf", ["rate", "inf"]),
        ("lambda = 1.5", ["lambda", "1.5"]),
        ("lambda = -0.1", ["lambda", "-0.1"]),
        ("round_from = 2.0", ["round_from", "2"]),
        ("decay = -1.0", ["decay", "-1"]),
        ("largest_score = 0", ["largest_score", "0"]),
        ("largest_score = 99999", ["largest_score", "99999"]),
    ] {
        let error = read(&format!("{SHORTEST}{line}\n")).expect_err(line);
        for word in words {
            assert!(error.contains(word), "{line}: {error}");
        }
    }
    // What no number can be is told with its line.
    for (line, words) in [
        ("colour = 'blue'", ["unknown field", "colour"]),
        ("positions = 'some'", ["some", "quiet"]),
        ("passes = 'many'", ["many", "u32"]),
        ("passes = -1", ["-1", "u32"]),
        ("seed = 1.5", ["1.5", "u64"]),
        ("output = 'again'", ["duplicate", "key"]),
    ] {
        let error = read(&format!("{SHORTEST}\n# a comment\n{line}\n")).expect_err(line);
        for word in words {
            assert!(error.starts_with("line 6: ") && error.contains(word), "{line}: {error}");
        }
    }
    let error = read("kind = 'value'\nrecords = []\noutput = 'b.bin'\n").expect_err("no records");
    assert!(error.contains("records"), "{error}");
    for (missing, text) in [
        ("kind", "records = ['a.txt']\noutput = 'b.bin'\n"),
        ("records", "kind = 'value'\noutput = 'b.bin'\n"),
        ("output", "kind = 'value'\nrecords = ['a.txt']\n"),
        ("kind", ""),
    ] {
        let error = read(text).expect_err(missing);
        assert!(error.contains(&format!("missing field `{missing}`")), "{error}");
    }
    let error = read(&format!("\n{}", SHORTEST.replace("value", "luck"))).expect_err("another kind");
    assert!(error.starts_with("line 2: ") && error.contains("luck") && error.contains("value"), "{error}");
}

#[test]
fn what_is_not_toml_is_told_with_its_line() {
    for (text, line) in [
        ("kind = 'value'\n\nthis is no plan\n", 3),
        ("= 1\n", 1),
        ("kind = 'value'\nrecords = ['a.txt'\noutput = 'b.bin'\n", 3),
        ("kind = 'value'\nseed = 1\nrecords = ['a.txt']\nseed = 2\n", 4),
        ("# a comment\n\n\nkind = 'value\n", 4),
    ] {
        let error = read(text).expect_err(text);
        assert!(error.starts_with(&format!("line {line}: ")), "{text:?}: {error}");
    }
}

#[test]
fn plans_and_records_that_are_not_there_are_named() {
    let folder = Folder::new("missing");
    let error = run(&folder.file("no-plan.toml"), |_| false).error();
    assert!(error.contains("no-plan.toml"), "{error}");
    let error = run(&plan(&folder, "records = ['no-games.txt.zst']"), |_| false).error();
    assert!(error.contains("no-games.txt.zst"), "{error}");
    let error = run(&plan(&folder, "records = ['.']"), |_| false).error();
    assert!(error.contains("folder"), "{error}");
    assert_eq!(folder.names(), ["plan.toml"]);
}

/// From the command line: a message on stderr and a code that says no.
#[test]
fn the_program_says_why_it_does_not_learn() {
    let folder = Folder::new("command-line");
    let learn = |path: &Path| {
        let output = Command::new(env!("CARGO_BIN_EXE_tenbin")).arg("--usi_learn").arg(path).output();
        let output = output.expect("the program runs");
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    for path in [folder.file("missing.toml"), folder.write("empty.toml", ""), plan(&folder, "lambda = 7.0")] {
        let (code, error) = learn(&path);
        assert_eq!(code, Some(2), "{error}");
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        assert!(error.starts_with("tenbin: ") && error.contains(&name), "{error}");
        assert_eq!(error.lines().count(), 1, "{error}");
    }
    let path = plan(&folder, "passes = 1\nbatch = 2048");
    let (code, error) = learn(&path);
    assert_eq!((code, error.as_str()), (Some(0), ""));
    assert!(folder.file("weights.bin").exists());
}
