//! What is known for certain about a node.

/// What is proved, for the side to move at the node.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Proof {
    /// Nothing.
    #[default]
    Open,
    /// It wins in at most so many plies.
    Won(u16),
    /// It loses, and can hold out for so many plies at most.
    Lost(u16),
    /// Neither can do better than a draw.
    Drawn,
    /// By the path the position has come back: worth so much as long as the path is the same, but proves nothing,
    /// because somebody may still leave the circle.
    Recurred(Circle),
}

/// How a position that has come back counts for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Circle {
    /// The opponent gives perpetual check, or let pieces go on the way.
    Wins,
    /// The side to move gives perpetual check, or let pieces go on the way.
    Loses,
    /// A draw.
    Draws,
}

impl Proof {
    /// In 32 bits.
    #[inline]
    pub fn pack(self) -> u32 {
        match self {
            Self::Open => 0,
            Self::Won(plies) => 1 << 16 | u32::from(plies),
            Self::Lost(plies) => 2 << 16 | u32::from(plies),
            Self::Drawn => 3 << 16,
            Self::Recurred(Circle::Wins) => 4 << 16,
            Self::Recurred(Circle::Loses) => 5 << 16,
            Self::Recurred(Circle::Draws) => 6 << 16,
        }
    }

    /// Out of 32 bits.
    #[inline]
    pub fn unpack(bits: u32) -> Self {
        let plies = bits as u16;
        match bits >> 16 {
            1 => Self::Won(plies),
            2 => Self::Lost(plies),
            3 => Self::Drawn,
            4 => Self::Recurred(Circle::Wins),
            5 => Self::Recurred(Circle::Loses),
            6 => Self::Recurred(Circle::Draws),
            _ => Self::Open,
        }
    }

    /// Whether the outcome is certain.
    #[inline]
    pub fn is_certain(self) -> bool {
        matches!(self, Self::Won(_) | Self::Lost(_) | Self::Drawn)
    }

    /// What follows for a node from those of its children, in any order; `complete` where they are all there are.
    pub fn of_parent(children: impl Iterator<Item = Self>, complete: bool) -> Self {
        let mut fastest: Option<u16> = None;
        let mut longest = 0;
        let (mut all, mut drawn, mut any) = (complete, false, false);
        for child in children {
            any = true;
            match child {
                Self::Lost(plies) => fastest = Some(fastest.map_or(plies, |best| best.min(plies))),
                Self::Won(plies) => longest = longest.max(plies),
                Self::Drawn => drawn = true,
                Self::Open | Self::Recurred(_) => all = false,
            }
        }
        match (fastest, all && any, drawn) {
            (Some(plies), ..) => Self::Won(plies.saturating_add(1)),
            (None, true, true) => Self::Drawn,
            (None, true, false) => Self::Lost(longest.saturating_add(1)),
            (None, false, _) => Self::Open,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packing_loses_nothing() {
        let circles = [Circle::Wins, Circle::Loses, Circle::Draws].map(Proof::Recurred);
        let others = [Proof::Open, Proof::Won(1), Proof::Won(u16::MAX), Proof::Lost(0), Proof::Drawn];
        for proof in circles.into_iter().chain(others) {
            assert_eq!(Proof::unpack(proof.pack()), proof);
        }
    }

    #[test]
    fn a_parent_follows_from_its_children() {
        use Proof::{Drawn, Lost, Open, Recurred, Won};
        let parent = |children: &[Proof], complete| Proof::of_parent(children.iter().copied(), complete);
        // One move that beats the opponent is enough, and the fastest counts.
        assert_eq!(parent(&[Won(2), Open, Lost(4), Lost(2)], false), Won(3));
        // To be lost every move must be known to lose, and the longest counts.
        assert_eq!(parent(&[Won(1), Won(5)], true), Lost(6));
        assert_eq!(parent(&[Won(1), Won(5)], false), Open);
        assert_eq!(parent(&[Won(1), Open], true), Open);
        assert_eq!(parent(&[Won(1), Drawn], true), Drawn);
        // What leans on repetition proves nothing.
        assert_eq!(parent(&[Won(1), Recurred(Circle::Wins)], true), Open);
        assert_eq!(parent(&[Recurred(Circle::Loses)], true), Open);
        assert_eq!(parent(&[], true), Open);
    }
}
