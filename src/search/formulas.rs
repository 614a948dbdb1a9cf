//! Every formula of the search.
//!
//! Rewards are in [−1, 1]; the values of children are for the side that chooses among them.

use super::params::Params;
use crate::tree::node::Statistics;

/// Which bound the choice in the tree goes by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// The paper's: `X̄ + α √(2 ln N / n)`, with priors as visits and progressive widening.
    Ucb,
    /// With the variance that was seen instead of the largest there can be.
    UcbTuned,
    /// With the policy's probability: `X̄ + c P √N / (1 + n)`.
    Puct,
}

/// What a choice among children goes by, from the parameters.
#[derive(Clone, Debug)]
pub struct Formulas {
    /// The bound.
    pub form: Form,
    c: [f32; 2],
    c_base: f32,
    first_play: [f32; 2],
    temperature: [f32; 2],
    alpha: f32,
    prior_visits: f32,
    prior_reward: f32,
    growing: bool,
    widening_first: u32,
    widening_every: u32,
    virtual_loss: f32,
    choice_share: f32,
    choice_sigma: f32,
}

/// A child as a choice sees it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Candidate {
    /// Playouts, those under way included.
    pub visits: f32,
    /// Mean reward, those under way counted as lost.
    pub mean: f32,
    /// The policy's probability.
    pub prior: f32,
    /// The variance of rewards.
    pub variance: f32,
}

/// What a choice needs to know of the parent, worked out once.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ground {
    /// `c √N` or `ln N`.
    scale: f32,
}

impl Formulas {
    /// The formulas by these parameters.
    pub fn new(params: &Params) -> Self {
        let form = match params.selection() as i32 {
            0 => Form::Ucb,
            1 => Form::UcbTuned,
            _ => Form::Puct,
        };
        Self {
            form,
            c: [params.c_init(), params.c_root()],
            c_base: params.c_base(),
            first_play: [params.first_play(), params.first_play_root()],
            temperature: [params.temperature(), params.root_temperature()],
            alpha: params.ucb_alpha(),
            prior_visits: params.prior_visits(),
            prior_reward: params.prior_reward(),
            growing: Params::yes(params.widening()),
            widening_first: params.widening_first() as u32,
            widening_every: params.widening_every() as u32,
            virtual_loss: params.virtual_loss(),
            choice_share: params.choice_share(),
            choice_sigma: params.choice_sigma(),
        }
    }

    /// Counts each playout under way as one lost.
    #[inline]
    pub fn count(&self, seen: Statistics) -> (f32, f32) {
        let lost = seen.in_flight as f32 * self.virtual_loss;
        let visits = seen.visits as f32 + lost;
        (visits, if visits > 0.0 { (seen.sum as f32 - lost) / visits } else { 0.0 })
    }

    /// What follows from the parent's visits for all its children.
    #[inline]
    pub fn ground(&self, visits: f32, at_root: bool) -> Ground {
        let scale = match self.form {
            Form::Puct => {
                let c = self.c[usize::from(at_root)] + ((visits + self.c_base) / self.c_base).ln();
                c * visits.max(1.0).sqrt()
            }
            Form::Ucb | Form::UcbTuned => visits.max(1.0).ln(),
        };
        Ground { scale }
    }

    /// The bound of a child: the highest is tried next.
    #[inline]
    pub fn bound(&self, ground: Ground, child: Candidate) -> f32 {
        match self.form {
            Form::Puct => child.mean + ground.scale * child.prior / (1.0 + child.visits),
            Form::Ucb => {
                let (visits, mean) = self.with_prior(child);
                mean + self.alpha * (2.0 * ground.scale / visits).sqrt()
            }
            Form::UcbTuned => {
                let (visits, mean) = self.with_prior(child);
                let variance = child.variance + (2.0 * ground.scale / visits).sqrt();
                // No variance of rewards in [−1, 1] is larger than 1.
                mean + self.alpha * (ground.scale / visits * variance.min(1.0)).sqrt()
            }
        }
    }

    /// Visits and mean with those a new node starts with.
    #[inline]
    fn with_prior(&self, child: Candidate) -> (f32, f32) {
        let visits = child.visits + self.prior_visits;
        if visits <= 0.0 {
            return (f32::MIN_POSITIVE, 0.0);
        }
        (visits, (child.mean * child.visits + self.prior_reward * self.prior_visits) / visits)
    }

    /// The value of a child that was never tried, where its parent is worth `parent` and children of `tried` prior
    /// together have been.
    #[inline]
    pub fn first_play(&self, parent: f32, tried: f32, at_root: bool) -> f32 {
        (parent - self.first_play[usize::from(at_root)] * tried.max(0.0).sqrt()).max(-1.0)
    }

    /// How many children a node of so many visits may have.
    #[inline]
    pub fn width(&self, visits: u32) -> usize {
        if self.form == Form::Puct {
            return usize::MAX;
        }
        if self.growing {
            return growing_width(visits);
        }
        if visits < self.widening_first {
            return 0;
        }
        (1 + (visits - self.widening_first) / self.widening_every) as usize
    }

    /// The exponent that flattens priors.
    #[inline]
    pub fn flattening(&self, at_root: bool) -> f32 {
        1.0 / self.temperature[usize::from(at_root)].max(0.01)
    }

    /// Whether a move of so many visits may be chosen for its lower bound, where the most visited has `most`.
    pub fn is_eligible(&self, visits: u32, most: u32) -> bool {
        visits > 1 && visits as f32 >= self.choice_share * most as f32
    }

    /// What the mean of a child is at least, very likely.
    pub fn lower_bound(&self, mean: f32, variance: f32, visits: u32) -> f32 {
        mean - self.choice_sigma * standard_error(variance, visits)
    }
}

/// The seed's widening: the first child at once, the next after 40 visits, each further one after 1.4 times as many more.
fn growing_width(visits: u32) -> usize {
    let (mut width, mut limit, mut more) = (1, 40.0_f32, 40.0_f32);
    while visits as f32 >= limit {
        width += 1;
        more *= 1.4;
        limit += more;
    }
    width
}

/// The standard error of a mean.
pub fn standard_error(variance: f32, visits: u32) -> f32 {
    // Few visits show too little scatter: as if two more had been as far apart as can be.
    ((variance * visits as f32 + 2.0) / ((visits + 2) as f32)).sqrt() / (visits.max(1) as f32).sqrt()
}

/// Whether a move of `visits` can still have as many as one of `best` when `left` more playouts are made.
pub fn can_catch_up(visits: u32, best: u32, left: u64) -> bool {
    u64::from(visits) + left >= u64::from(best)
}

/// Whether the choice is so unclear that more time should be spent: the second has nearly the visits of the best or
/// the better mean, or the best has fallen below what was hoped for.
pub fn is_unclear(best: (u32, f32), second: Option<(u32, f32)>, hoped: Option<f32>) -> bool {
    let close = second.is_some_and(|(visits, mean)| best.0 < visits + visits / 2 || mean > best.1);
    close || hoped.is_some_and(|hoped| best.1 < hoped - 0.1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn formulas(changes: &[(&str, &str)]) -> Formulas {
        Formulas::new(&changes.iter().fold(Params::default(), |params, (name, text)| params.with(name, text)))
    }

    #[test]
    fn the_paper_s_bound() {
        let ucb = formulas(&[("Selection", "ucb"), ("Ucb_Alpha", "100")]);
        let child = Candidate { visits: 15.0, mean: 0.4, prior: 0.1, variance: 0.0 };
        let bound = ucb.bound(ucb.ground(100.0, false), child);
        // 15 playouts of mean 0.4 and five of mean 0.
        let expected = 0.3 + (2.0 * 100.0_f32.ln() / 20.0).sqrt();
        assert!((bound - expected).abs() < 1e-5, "{bound} {expected}");
    }

    #[test]
    fn the_prior_counts_less_with_every_visit() {
        let puct = formulas(&[]);
        let ground = puct.ground(100.0, false);
        let bound = |visits, prior| puct.bound(ground, Candidate { visits, mean: 0.0, prior, variance: 0.0 });
        assert!(bound(0.0, 0.2) > bound(0.0, 0.1) && bound(0.0, 0.1) > bound(1.0, 0.1));
        let c = 2.0 + (20_100.0_f32 / 20_000.0).ln();
        assert!((bound(1.0, 0.1) - c * 10.0 * 0.1 / 2.0).abs() < 1e-4);
    }

    #[test]
    fn children_come_when_the_papers_say() {
        let even = formulas(&[("Selection", "ucb")]);
        let widths: Vec<usize> = [0, 2, 3, 6, 7, 10, 11].map(|visits| even.width(visits)).to_vec();
        assert_eq!(widths, [0, 0, 1, 1, 2, 2, 3]);
        let growing = formulas(&[("Selection", "ucb"), ("Widening", "growing")]);
        // 40, then 40·1.4 = 56 more, then 78.4 more.
        let widths: Vec<usize> = [0, 39, 40, 95, 96, 174, 175].map(|visits| growing.width(visits)).to_vec();
        assert_eq!(widths, [1, 1, 2, 2, 3, 3, 4]);
    }

    #[test]
    fn a_playout_under_way_counts_as_lost() {
        let formulas = formulas(&[]);
        let seen = Statistics { visits: 3, in_flight: 1, sum: 3.0 };
        assert_eq!(formulas.count(seen), (4.0, 0.5));
    }

    #[test]
    fn catching_up_is_a_matter_of_playouts_left() {
        assert!(can_catch_up(10, 20, 10) && !can_catch_up(10, 20, 9));
    }

    #[test]
    fn close_or_falling_choices_are_unclear() {
        assert!(is_unclear((100, 0.2), Some((90, 0.1)), None));
        assert!(is_unclear((300, 0.2), Some((100, 0.3)), None));
        assert!(!is_unclear((300, 0.2), Some((100, 0.1)), Some(0.25)));
        assert!(is_unclear((300, 0.2), None, Some(0.5)));
    }
}
