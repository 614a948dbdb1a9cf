//! The hot paths take no memory: what a policy says of a position, and whole playouts.
//!
//! A program of its own, for it counts what every allocation of the process takes.

// Each user of this file needs a part of it.
#[allow(dead_code)]
mod records;

use rand::SeedableRng;
use rand_pcg::Pcg64Mcg;
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use tenbin::eval::{Network, NetworkEvaluator, Scales};
use tenbin::playout::{Cutoff, Draws, MateCheck, Reward, Simulation};
use tenbin::policy::{Moment, Narrowing, Policy, Weights};
use tenbin::shogi::{MoveList, useful_moves};

thread_local! {
    static TAKEN: Cell<u64> = const { Cell::new(0) };
}

/// The system's memory, with a count of how often a thread asked for it.
struct Counting;

// SAFETY: everything is left to the system.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        TAKEN.with(|taken| taken.set(taken.get() + 1));
        // SAFETY: the caller's promise is passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: the caller's promise is passed on.
        unsafe { System.dealloc(memory, layout) }
    }
}

#[global_allocator]
static MEMORY: Counting = Counting;

/// How often `work` asks for memory.
fn taken(work: impl FnOnce()) -> u64 {
    let before = TAKEN.with(Cell::get);
    work();
    TAKEN.with(Cell::get) - before
}

#[test]
fn asking_for_memory_is_seen() {
    assert_eq!(taken(|| drop(std::hint::black_box(Box::new(1)))), 1);
}

#[test]
fn a_policy_takes_no_memory() {
    let weights = Weights::embedded();
    let policies = [
        Policy::uniform(weights.clone(), Narrowing::default()),
        Policy::transition(weights.clone(), Narrowing::default()),
        Policy::balancing(weights.clone(), weights, Narrowing::default()),
    ];
    let network = Network::embedded();
    let mut random = Pcg64Mcg::seed_from_u64(1);
    for game in records::sample().iter().take(20) {
        game.replay(|walker, _| {
            let asked = taken(|| {
                let mut list = MoveList::new();
                useful_moves(walker.position(), &mut list);
                let moment = Moment::of_game(network.progress(walker.position()));
                for policy in &policies {
                    policy.candidates_among(walker, moment, &list).sample(&mut random);
                }
            });
            assert_eq!(asked, 0, "in {}", walker.position().to_sfen(None));
        });
    }
}

#[test]
fn a_playout_takes_no_memory() {
    let network = Network::embedded();
    let simulation = Simulation {
        policy: Policy::transition(Weights::embedded_playout(), Narrowing::default()),
        depth: 5,
        cutoff: Cutoff::Fixed,
        mate: MateCheck::Three,
        reward: Reward::win_rate(0),
        draws: Draws::default(),
    };
    let mut random = Pcg64Mcg::seed_from_u64(1);
    for (number, game) in records::sample().iter().enumerate().take(20) {
        let mut scales = Scales::new(game.after(20 + number).fork(), NetworkEvaluator::new(network.clone()));
        // The first playouts make room for the longest ways.
        for _ in 0..200 {
            simulation.run(&mut scales, &network, &mut random);
        }
        let asked = taken(|| {
            for _ in 0..20 {
                simulation.run(&mut scales, &network, &mut random);
            }
        });
        assert_eq!(asked, 0, "in game {number}");
    }
}
