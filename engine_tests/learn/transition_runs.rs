//! Runs of plans of kind `transition`: they repeat to the byte and go on where they were stopped.

use std::path::PathBuf;
use tenbin::policy::Weights;

use super::value::{learn, run, scored, weights, with_threads};
use crate::eval::Folder;

fn plan(folder: &Folder) -> PathBuf {
    let text = format!(
        "kind = 'transition'\nrecords = ['{}']\noutput = 'weights.bin'\npasses = 2\ngames = 16\nvalidation = 500\n",
        scored().display()
    );
    folder.write("plan.toml", text)
}

#[test]
fn a_run_that_was_stopped_goes_on_to_the_same_weights_on_any_number_of_threads() {
    let (whole, stopped) = (Folder::new("policy-whole"), Folder::new("policy-stopped"));
    let first = plan(&whole);
    with_threads(1, || learn(&first));
    let second = plan(&stopped);
    let said = with_threads(3, || run(&second, |line| line.starts_with("step 3 of ")).sound());
    assert!(said.last().is_some_and(|line| line.starts_with("stopped, kept in ")), "{said:#?}");
    let said = with_threads(2, || learn(&second));
    assert!(said.iter().any(|line| line.starts_with("going on from ")), "{said:#?}");
    assert!(!said.iter().any(|line| line.starts_with("step 3 of ")), "that step was done: {said:#?}");
    assert!(weights(&first) == weights(&second));
    Weights::read(&weights(&first)).expect("weights that load");
    let names =
        ["agreement.svg", "bin", "histogram.svg", "possession.svg"].map(|end| format!("weights.{end}"));
    assert!(names.iter().all(|name| stopped.names().contains(name)), "{:?}", stopped.names());
    assert!(!stopped.names().contains(&"weights.bin.checkpoint".to_owned()));
}
