//! Playouts: where they begin they end, and what they are worth.

use rand::SeedableRng;
use rand_pcg::Pcg64Mcg;
use tenbin::eval::{Network, NetworkEvaluator, Scales};
use tenbin::playout::reward::Measure;
use tenbin::playout::{Cutoff, Draws, MateCheck, Reward, Simulation};
use tenbin::policy::{Moment, Narrowing, Policy, Weights};
use tenbin::shogi::Walker;

use super::{middlegames, preferences, search, sfen, think};

fn simulation(depth: u32, reward: Reward) -> Simulation {
    Simulation {
        policy: Policy::transition(Weights::embedded_playout(), Narrowing::default()),
        depth,
        cutoff: Cutoff::Fixed,
        mate: MateCheck::One,
        reward,
        draws: Draws { black: 0.0 },
    }
}

fn rewards(simulation: &Simulation, walker: &Walker, count: usize) -> Vec<f32> {
    let network = Network::embedded();
    let mut scales = Scales::new(walker.fork(), NetworkEvaluator::new(network.clone()));
    let mut random = Pcg64Mcg::seed_from_u64(1);
    (0..count).map(|_| simulation.run(&mut scales, &network, &mut random)).collect()
}

#[test]
fn rewards_are_bounded_and_nothing_is_left_on_the_board() {
    let network = Network::embedded();
    let mut random = Pcg64Mcg::seed_from_u64(1);
    for walker in middlegames(20) {
        let before = walker.position().to_sfen(None);
        let mut scales = Scales::new(walker.fork(), NetworkEvaluator::new(network.clone()));
        for depth in [0, 1, 5, 128] {
            for reward in [Reward::win_rate(0), Reward::threshold(&mut scales, 100, 0)] {
                let value = simulation(depth, reward).run(&mut scales, &network, &mut random);
                assert!((-1.0..=1.0).contains(&value), "{value}");
                if depth < 6 && reward.measure != Measure::WinRate {
                    assert!([-1.0, 0.0, 1.0].contains(&value), "{value}");
                }
                assert_eq!(scales.position().to_sfen(None), before);
                assert_eq!(scales.walker().moves().len(), walker.moves().len());
            }
        }
    }
}

/// With a single candidate there is nothing left to chance: the two ends of a playout can be had one by one.
#[test]
fn a_playout_is_cut_off_where_it_should_be() {
    let narrowing = Narrowing { count: 1, ..Narrowing::default() };
    let policy = Policy::transition(Weights::embedded_playout(), narrowing);
    let mut different = 0;
    for walker in middlegames(20) {
        let by = |depth, cutoff, count| {
            let plain = simulation(depth, Reward::win_rate(0));
            rewards(&Simulation { policy: policy.clone(), cutoff, ..plain }, &walker, count)
        };
        let [late, early] = [5, 4].map(|depth| by(depth, Cutoff::Fixed, 1)[0]);
        if late.abs() >= 1.0 || early.abs() >= 1.0 {
            // Somebody mates: there is no cutoff.
            continue;
        }
        assert!((by(5, Cutoff::Both, 1)[0] - f32::midpoint(late, early)).abs() < 1e-6);
        let same = |a: f32, b: f32| a.to_bits() == b.to_bits();
        let either = by(5, Cutoff::Either, 64);
        assert!(
            either.iter().all(|&value| same(value, late) || same(value, early)),
            "{either:?}: {late}, {early}"
        );
        if !same(late, early) {
            different += 1;
            let shorter = either.iter().filter(|&&value| same(value, early)).count();
            assert!((12..52).contains(&shorter), "{shorter} of 64");
        }
    }
    assert!(different > 10, "{different}");
}

/// To the end of the game, playouts end in mate: the paper's measure of a policy with mate check and narrowing.
#[test]
fn long_playouts_end_in_mate() {
    let walkers = middlegames(20);
    let decided: usize = walkers
        .iter()
        .map(|walker| {
            let rewards = rewards(&simulation(256, Reward::win_rate(0)), walker, 5);
            rewards.iter().filter(|reward| reward.abs() >= 1.0).count()
        })
        .sum();
    assert!(decided * 100 >= walkers.len() * 5 * 95, "{decided} of {}", walkers.len() * 5);
}

#[test]
fn a_side_far_ahead_wins_most_playouts() {
    let ahead = sfen("4k4/9/9/9/9/9/9/9/R3K3R b 2B4G4S4N4L9P9p 1");
    for depth in [0, 5] {
        let rewards = rewards(&simulation(depth, Reward::win_rate(0)), &ahead, 50);
        let mean = rewards.iter().sum::<f32>() / 50.0;
        assert!(mean > 0.9, "depth {depth}: {mean}");
    }
}

#[test]
fn a_mate_seen_on_the_way_is_played() {
    // After any move of White's bare king but the capture there is a gold to drop.
    let walker = sfen("7k1/9/7+P1/9/9/9/9/9/4K4 w G 1");
    let rewards = rewards(&simulation(5, Reward::win_rate(0)), &walker, 20);
    assert!(rewards.iter().all(|&reward| reward <= -1.0), "{rewards:?}");
}

#[test]
fn what_is_too_good_for_the_side_to_move_is_taken_off() {
    let (mut unchanged, walkers) = (0, middlegames(20));
    for walker in &walkers {
        let [plain, less] =
            [0, 100].map(|tempo| rewards(&simulation(0, Reward::win_rate(tempo)), walker, 1)[0]);
        assert!(less < plain || plain.abs() >= 1.0, "{less} {plain}");
        // The root has the same fault as the end of a playout that is the same position: nothing has changed. (Within narrow
        // bounds quiescence leaves out captures, and now and then finds something else.)
        let mut scales = Scales::new(walker.fork(), NetworkEvaluator::new(Network::embedded()));
        let same = Reward::threshold(&mut scales, 90, 100);
        unchanged += usize::from(rewards(&simulation(0, same), walker, 1)[0] == 0.0);
    }
    assert!(unchanged * 10 >= walkers.len() * 8, "{unchanged} of {}", walkers.len());
}

/// How likely the likeliest first move of playouts is, as it says and as it happens.
fn likeliest(temperature: f32) -> (f32, usize) {
    let policy =
        Policy::transition(Weights::embedded_playout(), Narrowing::default()).with_temperature(temperature);
    let mut random = Pcg64Mcg::seed_from_u64(1);
    let mut walker = Walker::startpos();
    let candidates = policy.candidates(&mut walker, Moment::of_phase(0));
    let (mv, probability) =
        candidates.iter().max_by(|a, b| a.1.total_cmp(&b.1)).expect("there are moves at the start");
    (probability, (0..1000).filter(|_| candidates.sample(&mut random) == Some(mv)).count())
}

#[test]
fn a_low_temperature_makes_playouts_alike() {
    let [cold, usual, hot] = [0.05, 1.0, 5.0].map(likeliest);
    assert!(cold.0 > usual.0 && usual.0 > hot.0, "{cold:?} {usual:?} {hot:?}");
    assert!(cold.1 > usual.1 && usual.1 > hot.1, "{cold:?} {usual:?} {hot:?}");
}

/// With all weight on the leaf's own value, or with every value certain enough, a search is one without playouts.
#[test]
fn a_leaf_can_count_for_itself() {
    for walker in middlegames(3) {
        let visits = |changes: &[(&str, &str)]| {
            let line = &think(&mut search(&preferences(changes)), &walker, 500)[0];
            (line.score, line.pv.clone())
        };
        let without = visits(&[("Playout_Depth", "0")]);
        assert_eq!(visits(&[("Leaf_Weight", "100")]), without);
        assert_eq!(visits(&[("Leaf_Weight", "10"), ("Certain_Value", "0")]), without);
        assert_ne!(visits(&[("Leaf_Weight", "10")]), without);
    }
}
