//! The formulas on bandit problems: three arms of Gaussian rewards, as they are taught.

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use tenbin::search::Params;
use tenbin::search::formulas::{Candidate, Formulas};

/// A number of mean 0 and variance 1 or nearly so.
fn normal(random: &mut Pcg64Mcg) -> f32 {
    (0..12).map(|_| random.random::<f32>()).sum::<f32>() - 6.0
}

/// The share of pulls each arm gets, the first being the best.
fn shares(form: &str, prior: [f32; 3], pulls: u32) -> [f32; 3] {
    let formulas = Formulas::new(
        &Params::default().with("Selection", form).with("Ucb_Alpha", "100").with("Prior_Visits", "0"),
    );
    let mut random = Pcg64Mcg::seed_from_u64(7);
    let (mut sums, mut squares, mut counts) = ([0.0_f32; 3], [0.0_f32; 3], [0_u32; 3]);
    for pull in 0..pulls {
        let ground = formulas.ground(pull as f32, false);
        let bound = |arm: usize| {
            let n = counts[arm] as f32;
            let mean = if n > 0.0 { sums[arm] / n } else { 0.0 };
            let variance = if n > 0.0 { (squares[arm] / n - mean * mean).max(0.0) } else { 1.0 };
            let candidate = Candidate { visits: n, mean, prior: prior[arm], variance };
            if n > 0.0 || form == "puct" { formulas.bound(ground, candidate) } else { f32::MAX }
        };
        let arm = (0..3).max_by(|&a, &b| bound(a).total_cmp(&bound(b))).expect("three arms");
        // Means 0.5, 0 and −0.5; cut to the rewards there can be.
        let reward = (0.5 - 0.5 * arm as f32 + 0.3 * normal(&mut random)).clamp(-1.0, 1.0);
        sums[arm] += reward;
        squares[arm] += reward * reward;
        counts[arm] += 1;
    }
    counts.map(|count| count as f32 / pulls as f32)
}

#[test]
fn every_form_finds_the_best_arm() {
    for form in ["ucb", "ucb-tuned", "puct"] {
        let shares = shares(form, [1.0 / 3.0; 3], 10_000);
        assert!(shares[0] > 0.9, "{form}: {shares:?}");
        assert!(shares[1] >= shares[2], "{form}: {shares:?}");
    }
}

#[test]
fn more_pulls_give_the_best_arm_a_larger_share() {
    for form in ["ucb", "ucb-tuned", "puct"] {
        let (few, many) = (shares(form, [0.1, 0.3, 0.6], 300), shares(form, [0.1, 0.3, 0.6], 30_000));
        assert!(many[0] > few[0] && many[0] > 0.95, "{form}: {few:?} {many:?}");
    }
}

#[test]
fn a_wrong_prior_is_overcome() {
    let shares = shares("puct", [0.02, 0.08, 0.9], 10_000);
    assert!(shares[0] > 0.9, "{shares:?}");
}

#[test]
fn the_tuned_form_wastes_less_on_bad_arms() {
    let (plain, tuned) = (shares("ucb", [0.3; 3], 3000), shares("ucb-tuned", [0.3; 3], 3000));
    assert!(tuned[0] > plain[0], "{plain:?} {tuned:?}");
}
