//! Every experiment runs, and says the same each time.

use std::path::Path;
use std::sync::atomic::AtomicBool;
use tenbin::experiment::{CATALOGUE, Setting, Size, catalogue};
use tenbin::learn::Monitor;
use tenbin::policy::Weights;

use super::Folder;

/// Makes experiments at the smallest size; gives their sections.
fn run(names: &[&str], seed: u64, out: &Path, weights: &Path) -> Vec<String> {
    let (say, never) = (|_: String| {}, AtomicBool::new(false));
    let monitor = Monitor::new(&say, &never).without_bar();
    let mut setting = Setting::new(Size::Tiny, seed, out.to_owned(), &monitor);
    weights.clone_into(&mut setting.weights);
    let one = |name: &&str| {
        let experiment = catalogue::find(name).expect("an experiment of the list");
        experiment.run(&setting).unwrap_or_else(|error| panic!("{name}: {error}"))
    };
    names.iter().map(one).collect()
}

fn results(folder: &Path) -> String {
    std::fs::read_to_string(folder.join("results.md")).expect("there are results")
}

#[test]
fn names_are_different() {
    for (place, experiment) in CATALOGUE.iter().enumerate() {
        let first = CATALOGUE.iter().position(|other| other.name == experiment.name);
        assert_eq!(first, Some(place), "{}", experiment.name);
    }
}

#[test]
fn every_experiment_runs_with_balancing_weights() {
    let (out, weights) = (Folder::new("all"), Folder::new("all-weights"));
    let bytes = Weights::embedded_playout().to_file("a stand-in").expect("weights can be written");
    std::fs::write(weights.0.join("balancing.bin"), bytes).expect("a file can be written");
    let names: Vec<&str> = CATALOGUE.iter().map(|experiment| experiment.name).collect();
    for (name, section) in names.iter().zip(run(&names, 1, &out.0, &weights.0)) {
        assert!(section.starts_with(&format!("## {name}: ")), "{section}");
        assert!(section.contains("\n| what | paper | ours | 95 % interval | measured on |\n"), "{section}");
        assert!(section.contains("\n**Verdict.** "), "{section}");
        assert!(!section.contains("not measured") && !section.contains("NaN"), "{section}");
        for plot in section.split("](plots/").skip(1) {
            let file = plot.split(')').next().expect("a name");
            let drawing = std::fs::read_to_string(out.0.join("plots").join(file)).expect(file);
            assert!(drawing.contains("<svg") && drawing.contains("</svg>"), "{file}");
        }
    }
    let all = results(&out.0);
    let places: Vec<usize> =
        names.iter().map(|name| all.find(&format!("\n## {name}: ")).expect(name)).collect();
    assert!(places.is_sorted(), "in the order of the list: {places:?}");
}

/// Where there are none, the other rows are measured all the same.
#[test]
fn experiments_do_without_balancing_weights() {
    let out = Folder::new("without");
    for section in run(&["mse", "histogram", "finishing", "policy", "uct"], 1, &out.0, Path::new("")) {
        let missing = section.contains("| not measured | – | there are no balancing weights |");
        assert_eq!(missing, Weights::embedded_balancing().is_none(), "{section}");
        assert!(section.contains("transition"), "{section}");
    }
}

#[test]
fn the_same_seed_gives_the_same_bytes() {
    let folders = ["once", "again", "other"].map(Folder::new);
    let names = ["finishing", "agreement", "bandits", "selection", "mating"];
    run(&names, 1, &folders[0].0, Path::new(""));
    // In another order: results stand in that of the list.
    let backwards: Vec<&str> = names.iter().rev().copied().collect();
    run(&backwards, 1, &folders[1].0, Path::new(""));
    run(&["bandits"], 2, &folders[2].0, Path::new(""));
    assert_eq!(results(&folders[0].0), results(&folders[1].0));
    for plot in ["bandits-reward.svg", "bandits-share.svg", "mating.svg"] {
        let read = |folder: &Folder| std::fs::read(folder.0.join("plots").join(plot)).expect(plot);
        assert_eq!(read(&folders[0]), read(&folders[1]), "{plot}");
    }
    let table = |folder: &Folder| {
        let all = results(&folder.0);
        let rows = all.lines().filter(|line| line.starts_with("| mean reward of a coin"));
        rows.map(str::to_owned).collect::<Vec<String>>()
    };
    assert_ne!(table(&folders[0]), table(&folders[2]), "another seed");
}

#[test]
fn a_section_is_replaced_and_the_others_stay() {
    let out = Folder::new("replaced");
    run(&["bandits", "unevenness"], 1, &out.0, Path::new(""));
    let before = results(&out.0);
    run(&["bandits"], 2, &out.0, Path::new(""));
    let after = results(&out.0);
    assert_eq!(before.matches("\n## ").count(), 2);
    assert_eq!(after.matches("\n## ").count(), 2);
    let start = |text: &str| text.find("\n## bandits: ").expect("a section");
    assert_eq!(before[..start(&before)], after[..start(&after)]);
    assert!(after.contains("`tenbin experiment bandits --tiny --seed 2`"));
}
