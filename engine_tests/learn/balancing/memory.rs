//! Remembered candidates are those that the policy would give again.

use tenbin::eval::Network;
use tenbin::policy::{Memory, Moment, Narrowing, Policy, Weights};

use crate::records;

#[test]
fn what_is_remembered_is_what_the_policy_says() {
    let policy = Policy::transition(Weights::embedded_playout(), Narrowing::default());
    let network = Network::embedded();
    // So small that it is emptied many times.
    let mut memory = Memory::new(64);
    for game in records::sample().iter().take(20) {
        game.replay(|walker, mv| {
            let moment = Moment::of_game(network.progress(walker.position()));
            for _ in 0..2 {
                let again: Vec<_> =
                    memory.candidates(&policy, walker, moment).expect("room").iter().collect();
                assert!(again.into_iter().eq(policy.candidates(walker, moment).iter()));
            }
            // Every reply and back: positions that come again, also after other moves.
            walker.apply(mv);
            let after: Vec<_> = memory.candidates(&policy, walker, moment).expect("room").iter().collect();
            assert!(after.into_iter().eq(policy.candidates(walker, moment).iter()));
            walker.undo();
        });
    }
    assert!(
        Memory::new(0).candidates(&policy, &mut records::sample()[0].start(), Moment::of_phase(0)).is_none()
    );
}
