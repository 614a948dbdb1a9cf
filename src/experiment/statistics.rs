//! Figures with their 95 % intervals, and Elo.

/// Standard errors from the middle of a 95 % interval to its ends.
pub const Z: f64 = 1.96;

/// A figure that was measured and where the true one lies, 95 times of 100.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The figure.
    pub value: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl Estimate {
    /// The same in another unit.
    #[must_use]
    pub fn map(self, f: impl Fn(f64) -> f64) -> Self {
        Self { value: f(self.value), low: f(self.low), high: f(self.high) }
    }

    /// Whether a figure of somebody else lies in the interval.
    pub fn holds(&self, figure: f64) -> bool {
        (self.low..=self.high).contains(&figure)
    }

    /// Whether it is surely above another one: the intervals do not touch.
    pub fn is_above(&self, other: &Self) -> bool {
        self.low > other.high
    }
}

/// The share of successes, by Wilson's score interval: it is right for few trials and for shares near 0 and 1 too.
pub fn share(successes: f64, trials: f64) -> Estimate {
    if trials <= 0.0 {
        return Estimate { value: 0.0, low: 0.0, high: 1.0 };
    }
    let (p, z2) = (successes / trials, Z * Z);
    let middle = (p + z2 / (2.0 * trials)) / (1.0 + z2 / trials);
    let half = Z / (1.0 + z2 / trials) * (p * (1.0 - p) / trials + z2 / (4.0 * trials * trials)).sqrt();
    // The ends of a share of 0 or 1 are these exactly, and rounding must not push them out.
    Estimate { value: p, low: (middle - half).clamp(0.0, p), high: (middle + half).clamp(p, 1.0) }
}

/// The mean of independent numbers, by the normal distribution. Fewer than two say nothing about their scatter.
pub fn mean(numbers: &[f64]) -> Estimate {
    let n = numbers.len() as f64;
    let value = numbers.iter().sum::<f64>() / n.max(1.0);
    if n < 2.0 {
        return Estimate { value, low: f64::NEG_INFINITY, high: f64::INFINITY };
    }
    let half = Z * deviation(numbers) / n.sqrt();
    Estimate { value, low: value - half, high: value + half }
}

/// How far numbers scatter around their mean, as a standard deviation; at least two are needed.
pub fn deviation(numbers: &[f64]) -> f64 {
    let n = numbers.len() as f64;
    let mean = numbers.iter().sum::<f64>() / n;
    (numbers.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / (n - 1.0)).sqrt()
}

/// The difference in Elo at which the stronger player gets this share of the points; infinite at 0 and 1.
pub fn elo(share: f64) -> f64 {
    // The other way round 0.5 would be −0.
    400.0 * (share / (1.0 - share)).log10()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(a: f64, b: f64) -> bool {
        (a - b).abs() < 5e-4
    }

    #[test]
    fn shares_by_hand() {
        // 8 of 10: centre (0.8 + 0.19208) / 1.38416 = 0.71674, half 1.96 / 1.38416 · √(0.016 + 0.009604) = 0.22658.
        let eight = share(8.0, 10.0);
        assert!(near(eight.value, 0.8) && near(eight.low, 0.4902) && near(eight.high, 0.9433), "{eight:?}");
        // The textbook's rule for none of n: z² / (n + z²).
        let none = share(0.0, 20.0);
        assert!(near(none.low, 0.0) && near(none.high, 3.8416 / 23.8416), "{none:?}");
        assert!(near(share(20.0, 20.0).low, 20.0 / 23.8416));
        assert_eq!(share(0.0, 0.0), Estimate { value: 0.0, low: 0.0, high: 1.0 });
    }

    #[test]
    fn means_by_hand() {
        // 1, 2, 3, 4: mean 2.5, variance 5/3, standard error √(5/12) = 0.6455.
        let found = mean(&[1.0, 2.0, 3.0, 4.0]);
        assert!(near(found.value, 2.5) && near(found.low, 2.5 - 1.2652) && near(found.high, 2.5 + 1.2652));
        assert!(mean(&[7.0]).high.is_infinite() && mean(&[]).low.is_infinite());
    }

    #[test]
    fn elo_by_hand() {
        // 400 log10 3 = 190.85; ten to one is 400.
        assert!(near(elo(0.75), 190.8485) && near(elo(0.25), -190.8485) && near(elo(10.0 / 11.0), 400.0));
        assert!(elo(0.5).abs() < 1e-12 && elo(1.0).is_infinite() && elo(0.0) == f64::NEG_INFINITY);
    }

    #[test]
    fn intervals_are_compared() {
        let (low, high) = (share(20.0, 100.0), share(80.0, 100.0));
        assert!(high.is_above(&low) && !low.is_above(&high) && !low.is_above(&low));
        assert!(low.holds(0.2) && !low.holds(0.4));
    }
}
