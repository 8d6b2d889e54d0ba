//! Kinds of forks: the actions of a position that are compared.

use std::fmt;

use chase_engine::chase::{Action, Position};
use serde::{Deserialize, Serialize};

use crate::evidence::dice::{captured, clumped_pairs};
use chase_arena::games::Replayed;

/// The kind of action that a fork compares with a rival.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ForkKind {
    /// A move into the Chamber, where no die has entered it before, against any other action.
    FirstEntry,
    /// A move into the Chamber, at any time, that gains a die and captures none, against any other action.
    GainingEntry,
    /// The capture of one die by one at least two pips smaller, against any other action.
    SmallTakesLarge,
    /// The capture of one die by one at least two pips larger, against any other action.
    LargeTakesSmall,
    /// An exchange that makes pairs of adjacent 3s and 4s, against one that breaks such pairs.
    Clumping,
    /// One of two quiet moves (no capture, no move into the Chamber) drawn at random, against any other action: the
    /// placebo. Its control is drawn in the same way, so the two must score alike.
    Quiet,
}

/// Difference in pips from which one die counts as larger than another.
const LARGER: u8 = 2;

/// The two ways of a fork.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Way {
    /// The action of the kind.
    Action,
    /// The action that it is compared with.
    Rival,
}

impl ForkKind {
    /// All kinds, the placebo last.
    pub const ALL: [Self; 6] = [
        Self::FirstEntry,
        Self::GainingEntry,
        Self::SmallTakesLarge,
        Self::LargeTakesSmall,
        Self::Clumping,
        Self::Quiet,
    ];

    /// Name in files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::FirstEntry => "first-entry",
            Self::GainingEntry => "gaining-entry",
            Self::SmallTakesLarge => "small-takes-large",
            Self::LargeTakesSmall => "large-takes-small",
            Self::Clumping => "clumping",
            Self::Quiet => "quiet",
        }
    }

    /// The action, in few words.
    pub const fn action(self) -> &'static str {
        match self {
            Self::FirstEntry => "first entry into the Chamber",
            Self::GainingEntry => "entry that gains a die without a capture",
            Self::SmallTakesLarge => "small die takes large one",
            Self::LargeTakesSmall => "large die takes small one",
            Self::Clumping => "exchange that makes pairs of 3s and 4s",
            Self::Quiet => "placebo: the better of two quiet moves drawn at random",
        }
    }

    /// Description of the comparison.
    pub fn in_words(self) -> String {
        let rival = match self {
            Self::Clumping => "one that breaks them",
            _ => "any other action",
        };
        format!("{} against {rival}", self.action())
    }

    /// True if forks of this kind have a control: quiet moves of the same position, drawn at random, as many as the
    /// action was chosen from. Both sides of an exchange of pairs are chosen alike, so it has none.
    pub const fn has_control(self) -> bool {
        !matches!(self, Self::Clumping)
    }
}

impl fmt::Display for ForkKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The properties of an action that define kinds of forks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Deed {
    /// True for a move of a die that neither captures nor enters the Chamber.
    quiet: bool,
    entry: bool,
    /// True if the mover gains a die and the opponent loses none.
    gains: bool,
    /// Pips of the capturing and of the captured die, if exactly one was captured.
    capture: Option<(u8, u8)>,
    /// Pairs of adjacent 3s and 4s that an exchange makes, minus those that it breaks; 0 for other actions.
    pairs: i32,
}

impl Deed {
    /// The properties of an action other than an absorption.
    pub fn of(before: &Position, action: Action, after: &Position) -> Self {
        let mover = before.to_move();
        let taken = captured(before, after);
        let entry = Replayed {
            ply: 0,
            before,
            action,
            after,
        }
        .enters_chamber();
        let quiet = matches!(action, Action::Move { .. }) && taken.is_empty() && !entry;
        let mut cells = taken.into_iter();
        let capture = match (cells.next(), cells.next()) {
            (Some(cell), None) => {
                let pips = |position: &Position| position.die(cell).map(|die| die.speed.pips());
                pips(after).zip(pips(before))
            }
            _ => None,
        };
        Self {
            quiet,
            entry,
            gains: taken.is_empty() && after.dice(mover).count() > before.dice(mover).count(),
            capture,
            pairs: match action {
                Action::Exchange { .. } => clumped_pairs(after, mover) - clumped_pairs(before, mover),
                Action::Move { .. } | Action::Absorb { .. } => 0,
            },
        }
    }

    /// True for a move of a die that neither captures nor enters the Chamber.
    pub const fn is_quiet(&self) -> bool {
        self.quiet
    }

    /// The way of the action in a fork; `None` if neither. Of the quiet moves that may be the placebo's action, the
    /// fork draws two.
    pub fn way(&self, kind: ForkKind) -> Option<Way> {
        let against_all = |is_action: bool| Some(if is_action { Way::Action } else { Way::Rival });
        match kind {
            ForkKind::FirstEntry => against_all(self.entry),
            ForkKind::GainingEntry => against_all(self.entry && self.gains),
            ForkKind::SmallTakesLarge => {
                against_all(self.capture.is_some_and(|(taker, taken)| taker + LARGER <= taken))
            }
            ForkKind::LargeTakesSmall => {
                against_all(self.capture.is_some_and(|(taker, taken)| taken + LARGER <= taker))
            }
            ForkKind::Clumping => match self.pairs {
                0 => None,
                pairs => against_all(pairs > 0),
            },
            ForkKind::Quiet => against_all(self.quiet),
        }
    }
}

/// For each kind of [`ForkKind::ALL`], true if the position has both ways, and a control if the kind has one. Its
/// player to move must have nothing to absorb. `entered`: true if any die has been in the Chamber before.
pub(super) fn kinds_of(position: &Position, entered: bool) -> [bool; ForkKind::ALL.len()] {
    let mut ways = [[false; 2]; ForkKind::ALL.len()];
    let mut quiet = 0;
    position.for_each_action(|action| {
        let mut after = *position;
        after.play_unchecked(action);
        let deed = Deed::of(position, action, &after);
        for (ways, kind) in ways.iter_mut().zip(ForkKind::ALL) {
            if let Some(way) = deed.way(kind) {
                ways[way as usize] = true;
            }
        }
        quiet += u32::from(deed.quiet);
    });
    let mut index = 0;
    ways.map(|[action, rival]| {
        let kind = ForkKind::ALL[index];
        index += 1;
        let controlled = !kind.has_control() || quiet > 0;
        match kind {
            ForkKind::FirstEntry => action && rival && controlled && !entered,
            // Another one is its control.
            ForkKind::Quiet => quiet > 1,
            _ => action && rival && controlled,
        }
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    fn deed(position: &str, action: &str) -> Deed {
        let before: Position = position.parse().unwrap();
        let action: Action = action.parse().unwrap();
        Deed::of(&before, action, &before.play(action).unwrap())
    }

    fn ways(position: &str, action: &str) -> Vec<ForkKind> {
        let deed = deed(position, action);
        let is_action = |kind: &ForkKind| deed.way(*kind) == Some(Way::Action);
        ForkKind::ALL.into_iter().filter(is_action).collect()
    }

    fn kinds(position: &str, entered: bool) -> Vec<ForkKind> {
        let found = kinds_of(&position.parse().unwrap(), entered);
        ForkKind::ALL
            .into_iter()
            .zip(found)
            .filter(|&(_, found)| found)
            .map(|(kind, _)| kind)
            .collect()
    }

    const INITIAL: &str = "abcdedcba/9/9/9/9/9/9/9/ABCDEDCBA w";
    /// The 4 on A7 enters heading north-west.
    const ENTRY: &str = "abcdedcba/9/9/9/9/9/9/9/ABCDECDBA w";

    #[test]
    fn entries_are_first_once_and_gain_where_a_die_splits() {
        use ForkKind::{Clumping, FirstEntry, GainingEntry, Quiet};
        assert_eq!(ways(ENTRY, "A7NW"), [FirstEntry, GainingEntry]);
        assert_eq!(ways(ENTRY, "A3NE"), [Quiet]);
        assert_eq!(kinds(ENTRY, false), [FirstEntry, GainingEntry, Clumping, Quiet]);
        assert_eq!(kinds(ENTRY, true), [GainingEntry, Clumping, Quiet]);
        // With ten dice nothing splits: it is a move into the Chamber without a gain.
        let ten = "abcdedcba/9/9/9/3A5/9/9/9/ABCDDCDBA w";
        assert_eq!(ways(ten, "A7NW"), [FirstEntry]);
        // A half comes out on E6 and captures there: it gains a die, but with a capture.
        let captures = "abcdedcb1/9/9/9/5a3/9/9/9/ABCDECDBA w";
        assert_eq!(ways(captures, "A7NW"), [FirstEntry]);
    }

    #[test]
    fn captures_differ_by_two_pips_or_are_none_of_the_two() {
        use ForkKind::{LargeTakesSmall, SmallTakesLarge};
        // White's 1 on D3 captures the die on D4, the 3 on D2 the die on D5; either side has 25 pips.
        for (taken, rest, expected) in [
            ('c', "fffd5", vec![SmallTakesLarge]),
            ('b', "fffe5", vec![]),
            ('a', "ffff5", vec![]),
        ] {
            let position = format!("{rest}/9/9/9/9/2A{taken}5/9/9/FFFF5 w");
            assert_eq!(ways(&position, "D3E"), expected, "{taken}");
            assert_eq!(kinds(&position, true).contains(&SmallTakesLarge), taken == 'c');
        }
        for (taken, rest, expected) in [
            ('a', "ffff5", vec![LargeTakesSmall]),
            ('b', "fffe5", vec![]),
            ('e', "fffb5", vec![SmallTakesLarge]),
        ] {
            let position = format!("{rest}/9/9/9/9/1C2{taken}4/9/9/FFFD5 w");
            assert_eq!(ways(&position, "D2E"), expected, "{taken}");
        }
        // At the start no exchange makes a pair of 3s and 4s.
        assert_eq!(kinds(INITIAL, false), [ForkKind::Quiet]);
    }

    #[test]
    fn exchanges_make_and_break_pairs_and_others_are_neither() {
        for (position, action, expected) in [
            // 2 3 4 becomes 3 2 4.
            (INITIAL, "1A3A2", Some(Way::Rival)),
            // 3 4 becomes 4 3: the pair stays.
            (INITIAL, "1A4A3", None),
            // 3 4 5 4 3 becomes 3 4 4 5 3: one made, one broken.
            (INITIAL, "1A5A6", None),
            // 3 4 5 3 4 becomes 3 4 4 4 4: two made.
            (ENTRY, "1A5A6", Some(Way::Action)),
            // Not an exchange.
            (INITIAL, "A3NE", None),
        ] {
            assert_eq!(deed(position, action).way(ForkKind::Clumping), expected, "{action}");
        }
        // A 2 next to a 5 become a 3 and a 4.
        let makes = "abcdedcba/9/9/9/9/9/9/9/FBE2FCC1 w";
        assert_eq!(deed(makes, "1A3A2").way(ForkKind::Clumping), Some(Way::Action));
    }

    #[test]
    fn quiet_moves_neither_capture_nor_enter_nor_exchange() {
        for (position, action, expected) in [
            (INITIAL, "A3NE", true),
            (INITIAL, "1A6A7", false),
            (ENTRY, "A7NW", false),
            ("fffd5/9/9/9/9/2Ac5/9/9/FFFF5 w", "D3E", false),
        ] {
            let quiet = deed(position, action);
            assert_eq!(quiet.is_quiet(), expected, "{action}");
            assert_eq!(quiet.way(ForkKind::Quiet) == Some(Way::Action), expected, "{action}");
        }
    }
}
