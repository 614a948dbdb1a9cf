//! How long to think, from what the client says about the time.

use std::time::Duration;

/// Times are cut to this (about a month), so that no sum of them overflows.
const LONGEST_MS: u64 = 30 * 24 * 3600 * 1000;

/// Moves that are assumed to be left in a game once the opening is over.
const MOVES_LEFT: u64 = 14;

/// In the opening, as many more as there are plies before this one.
const OPENING_PLIES: u64 = 30;

/// A single move takes at most this many times its share of the time.
const LONGEST_SHARE: u64 = 4;

/// No margin is larger than this part of the time at hand, so that 100 ms byoyomi works at defaults.
const MARGIN_PART: u64 = 4;

/// Of the last time of all, a move uses at most this part.
const LAST_PART: u64 = 50;

/// What the side to move has on its clock, in milliseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TimeControl {
    /// Time left for the rest of the game.
    pub remaining: u64,
    /// Added after every move.
    pub increment: u64,
    /// Time for every move once the rest is used up.
    pub byoyomi: u64,
}

/// What the user wants kept back or spent, in milliseconds and per cent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Habits {
    /// Usual time lost on the way to the server; counts where it rounds to seconds.
    pub network_delay: u64,
    /// Time kept back from what is there at most, so that the answer is never too late.
    pub network_delay2: u64,
    /// Never think less than this where time allows.
    pub minimum: u64,
    /// Share of the usual time to spend, in per cent.
    pub slow_mover: u64,
    /// The server counts begun seconds as full ones: use them up.
    pub round_up: bool,
}

/// How long a move may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// Where the search should end by itself.
    pub soft: Duration,
    /// Where it must have ended.
    pub hard: Duration,
}

impl Budget {
    /// The same limit for both.
    pub fn exactly(ms: u64) -> Self {
        let time = Duration::from_millis(ms.min(LONGEST_MS));
        Self { soft: time, hard: time }
    }

    /// For `go movetime`: all of it but the moment it takes to answer.
    pub fn movetime(ms: u64) -> Self {
        Self::exactly(ms - (ms / 10).min(10))
    }

    /// For a move of a game under `time`, when move number `ply` is to be played.
    pub fn for_game(time: TimeControl, habits: Habits, ply: u32) -> Self {
        let remaining = time.remaining.min(LONGEST_MS);
        // What a move is given anyway: it is gone when not used (byoyomi) or comes back (increment).
        let given = time.byoyomi.min(LONGEST_MS) + time.increment.min(LONGEST_MS);
        // The increment is there only after the move: without it on the clock it cannot be spent.
        let at_hand = remaining + time.byoyomi.min(LONGEST_MS);
        let at_hand = if at_hand == 0 { time.increment.min(LONGEST_MS) } else { at_hand };
        let margin = if time.byoyomi == 0 && remaining > 0 {
            // Nothing comes after this time but the loss: the margin is kept whole, and a little of what is left
            // of it is all that may be used.
            habits.network_delay2.min(at_hand - at_hand / LAST_PART)
        } else {
            habits.network_delay2.min(at_hand / MARGIN_PART)
        };
        let most = at_hand - margin;

        let share = remaining / (MOVES_LEFT + OPENING_PLIES.saturating_sub(u64::from(ply)));
        let usual = (share + given).saturating_mul(habits.slow_mover.min(1000)) / 100;
        // Byoyomi alone has to be used up: nothing is saved by moving early.
        let usual = if remaining == 0 && time.byoyomi > 0 { most } else { usual };
        let soft = usual.max(habits.minimum).min(most);
        let hard = if remaining == 0 { most } else { (soft.saturating_mul(LONGEST_SHARE)).min(most) };
        let (soft, hard) = if habits.round_up {
            (full_seconds(soft, most, habits), full_seconds(hard, most, habits))
        } else {
            (soft, hard)
        };
        Self { soft: Duration::from_millis(soft), hard: Duration::from_millis(hard.max(soft)) }
    }
}

/// The end of the second in which `ms` falls, less the delay of the network, where that much is there.
fn full_seconds(ms: u64, most: u64, habits: Habits) -> u64 {
    let full = (ms + habits.network_delay).div_ceil(1000) * 1000;
    full.saturating_sub(habits.network_delay).clamp(ms.min(most), most)
}

#[cfg(test)]
mod tests {
    use super::*;

    const HABITS: Habits =
        Habits { network_delay: 120, network_delay2: 100, minimum: 0, slow_mover: 100, round_up: false };

    fn budget(remaining: u64, increment: u64, byoyomi: u64, habits: Habits, ply: u32) -> (u64, u64) {
        let budget = Budget::for_game(TimeControl { remaining, increment, byoyomi }, habits, ply);
        (budget.soft.as_millis() as u64, budget.hard.as_millis() as u64)
    }

    #[test]
    fn byoyomi_alone_is_used_up_to_the_margin() {
        assert_eq!(budget(0, 0, 1000, HABITS, 50), (900, 900));
        assert_eq!(budget(0, 0, 10_000, HABITS, 1), (9900, 9900));
        // The margin is a quarter where the byoyomi is short.
        assert_eq!(budget(0, 0, 100, HABITS, 50), (75, 75));
        assert_eq!(budget(0, 0, 1, HABITS, 50), (1, 1));
    }

    #[test]
    fn sudden_death_leaves_enough_for_the_rest() {
        let (soft, hard) = budget(600_000, 0, 0, HABITS, 60);
        assert_eq!((soft, hard), (600_000 / 14, 4 * (600_000 / 14)));
        let (opening, _) = budget(600_000, 0, 0, HABITS, 1);
        assert!(opening < soft);
        // Played to the end at the soft limit the clock never runs out.
        let mut left = 60_000;
        for ply in 1..400 {
            let (soft, hard) = budget(left, 0, 0, HABITS, ply);
            assert!(hard < left, "{hard} of {left}");
            left -= soft;
        }
    }

    #[test]
    fn an_increment_is_spent_but_not_before_it_is_there() {
        let (soft, hard) = budget(10_000, 5_000, 0, HABITS, 60);
        assert!(soft > 5_000 && hard <= 9_900);
        let (soft, hard) = budget(50, 5_000, 0, HABITS, 60);
        assert!(soft <= 38 && hard <= 38, "{soft} {hard}");
    }

    #[test]
    fn the_margin_is_kept_where_nothing_comes_after_it() {
        assert_eq!(budget(120, 20, 0, HABITS, 60), (20, 20));
        assert_eq!(budget(60, 20, 0, HABITS, 60), (1, 1));
        assert_eq!(budget(5, 0, 0, HABITS, 60), (0, 0));
        // Played to the hard limit and a little late each time, an increment fills the clock again.
        let mut left = 2000;
        for ply in 1..300 {
            let (_, hard) = budget(left, 20, 0, HABITS, ply);
            left = left - hard + 20 - 5;
            assert!(left >= 90, "{left} after {ply}");
        }
    }

    #[test]
    fn main_time_and_byoyomi_add_up() {
        let (soft, hard) = budget(14_000, 0, 10_000, HABITS, 60);
        assert_eq!(soft, 11_000);
        assert_eq!(hard, 23_900);
    }

    #[test]
    fn nothing_left_means_answer_at_once() {
        assert_eq!(budget(0, 0, 0, HABITS, 60), (0, 0));
    }

    #[test]
    fn habits_are_followed() {
        let (usual, _) = budget(140_000, 0, 0, HABITS, 60);
        let (slow, _) = budget(140_000, 0, 0, Habits { slow_mover: 200, ..HABITS }, 60);
        assert_eq!(slow, 2 * usual);
        let (soft, _) = budget(14_000, 0, 0, Habits { minimum: 2000, ..HABITS }, 60);
        assert_eq!(soft, 2000);
        // Never more than there is, whatever is asked for.
        let (soft, hard) = budget(500, 0, 0, Habits { minimum: 2000, ..HABITS }, 60);
        assert_eq!((soft, hard), (400, 400));
    }

    #[test]
    fn begun_seconds_are_used_up_where_they_count_in_full() {
        let round = Habits { round_up: true, ..HABITS };
        let (soft, hard) = budget(600_000, 0, 0, round, 60);
        assert_eq!((soft % 1000, hard % 1000), (880, 880));
        assert_eq!(budget(0, 0, 10_000, round, 60), (9900, 9900));
    }

    #[test]
    fn giant_times_do_not_overflow() {
        let max = u64::MAX;
        let habits = Habits {
            network_delay: max / 4,
            network_delay2: max,
            minimum: max,
            slow_mover: max,
            round_up: true,
        };
        let budget =
            Budget::for_game(TimeControl { remaining: max, increment: max, byoyomi: max }, habits, u32::MAX);
        assert!(budget.soft <= budget.hard);
        assert!(Budget::movetime(max).hard.as_millis() <= u128::from(LONGEST_MS));
    }
}
