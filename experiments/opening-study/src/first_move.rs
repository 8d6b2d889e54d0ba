//! First moves and their classes.

use chase_engine::chase::{Action, Cell, Direction, Position};
use serde::{Deserialize, Serialize};

/// The classes of first moves that the article distinguishes, and the class of the two moves that it does not mention.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OpeningClass {
    /// A 1 one cell forward.
    OneStep,
    /// A 1 to the side, which bumps the whole row around the cylinder.
    WrapBump,
    /// A 3 forward, to a cell behind the Chamber.
    #[serde(rename = "duck-3")]
    Duck,
    /// A transfer of pips.
    Exchange,
    /// A 2 towards the Chamber.
    TwoToChamber,
    /// A 3 away from the Chamber.
    ThreeAway,
    /// The 5, which can only move away from the Chamber.
    FiveAway,
    /// A 4, in any direction.
    Four,
    /// A 2 away from the Chamber, which the article does not mention.
    Other,
}

impl OpeningClass {
    /// All classes.
    pub const ALL: [Self; 9] = [
        Self::OneStep,
        Self::WrapBump,
        Self::Duck,
        Self::Exchange,
        Self::TwoToChamber,
        Self::ThreeAway,
        Self::FiveAway,
        Self::Four,
        Self::Other,
    ];

    /// Its name in every output.
    pub const fn name(self) -> &'static str {
        match self {
            Self::OneStep => "one-step",
            Self::WrapBump => "wrap-bump",
            Self::Duck => "duck-3",
            Self::Exchange => "exchange",
            Self::TwoToChamber => "two-to-chamber",
            Self::ThreeAway => "three-away",
            Self::FiveAway => "five-away",
            Self::Four => "four",
            Self::Other => "other",
        }
    }

    /// True if the article calls the class safe (claim B1).
    pub const fn is_called_safe(self) -> bool {
        matches!(
            self,
            Self::OneStep | Self::WrapBump | Self::Duck | Self::Exchange | Self::TwoToChamber
        )
    }

    /// True if the article calls the class reckless (claim B9). Other classes are never compared with it: being better
    /// than a blunder does not make a move good.
    pub const fn is_called_reckless(self) -> bool {
        matches!(self, Self::Four)
    }

    /// The class of a first action.
    fn of(action: Action) -> Self {
        let (from, direction) = match action {
            Action::Move { from, direction } => (from, direction),
            Action::Exchange { .. } | Action::Absorb { .. } => return Self::Exchange,
        };
        let start = Position::initial();
        let pips = start.die(from).map_or(0, |die| die.speed.pips());
        let sideways = matches!(direction, Direction::E | Direction::W);
        let to_the_middle = (from.column() < Cell::CHAMBER.column()) == matches!(direction, Direction::NE);
        match (pips, to_the_middle) {
            (1, _) if sideways => Self::WrapBump,
            (1, _) => Self::OneStep,
            (2, true) => Self::TwoToChamber,
            (2, false) => Self::Other,
            (3, true) => Self::Duck,
            (3, false) => Self::ThreeAway,
            (4, _) => Self::Four,
            _ => Self::FiveAway,
        }
    }
}

/// The two exchanges that the article compares: 1A6A7, and 1A8A7, which it calls somewhat more defensive.
pub const SHARPEST: [Action; 2] = [exchange_on_row_a(6, Direction::E), exchange_on_row_a(8, Direction::W)];

/// The transfer of one pip from the die in a column of row A to its neighbour.
const fn exchange_on_row_a(column: usize, direction: Direction) -> Action {
    let Some(from) = Cell::from_index(column - 1) else {
        panic!("a column is from 1 to 9");
    };
    Action::Exchange {
        from,
        direction,
        points: 1,
    }
}

/// A first move: the legal first actions with the same result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FirstMove {
    /// The legal actions with this result, in the order of [`Position::legal_actions`]; the first one names the move.
    pub actions: Vec<Action>,
    /// The position after it.
    pub result: Position,
    /// Its class.
    pub class: OpeningClass,
}

impl FirstMove {
    /// The action that names the move.
    pub fn action(&self) -> Action {
        self.actions[0]
    }

    /// The move in article form: `A3D5`, `1A6A7`.
    pub fn text(&self) -> String {
        let action = self.action();
        // A shift of a whole row is long in article form.
        match self.class {
            OpeningClass::WrapBump => action.to_string(),
            _ => Position::initial().article_text(action),
        }
    }

    /// The 22 pairs of a first move and its mirror image.
    pub fn pairs() -> Vec<[Action; 2]> {
        let moves = first_moves();
        let pairs = moves.iter().map(|first| [first.action(), first.mirror()]);
        pairs.filter(|[one, other]| one < other).collect()
    }

    /// The action that names the mirror image of the move. The set-up is its own mirror image, but the game is not: the
    /// larger half of a die leaves the Chamber on the left.
    pub fn mirror(&self) -> Action {
        let mirrored = self.action().mirrored();
        // The mirror image may be the second action with its result.
        let all = first_moves();
        let same = all.iter().find(|other| other.actions.contains(&mirrored));
        same.expect("the mirror image of a first move is one").action()
    }
}

/// The 44 first moves: the 46 legal first actions, with those of equal results merged.
pub fn first_moves() -> Vec<FirstMove> {
    let start = Position::initial();
    let mut moves: Vec<FirstMove> = Vec::new();
    start.for_each_action(|action| {
        let mut result = start;
        result.play_unchecked(action);
        match moves.iter_mut().find(|known| known.result == result) {
            Some(known) => known.actions.push(action),
            None => moves.push(FirstMove {
                actions: vec![action],
                result,
                class: OpeningClass::of(action),
            }),
        }
    });
    moves
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn every_first_action_has_the_class_that_the_article_gives_it() {
        let expected = [
            (OpeningClass::OneStep, "A1NE A1NW A9NE A9NW"),
            (OpeningClass::WrapBump, "A1E A9E A1W A9W"),
            (OpeningClass::Duck, "A3NE A7NW"),
            (OpeningClass::TwoToChamber, "A2NE A8NW"),
            (OpeningClass::ThreeAway, "A3NW A7NE"),
            (OpeningClass::FiveAway, "A5NE A5NW"),
            (OpeningClass::Four, "A4NE A4NW A6NE A6NW"),
            (OpeningClass::Other, "A2NW A8NE"),
        ];
        // No "rest" and no pool has them, so this must be the 4s and nothing else.
        let reckless = expected.iter().filter(|(class, _)| class.is_called_reckless());
        assert_eq!(reckless.count(), 1);
        assert!(OpeningClass::Four.is_called_reckless());
        let mut classes = BTreeMap::new();
        let moves = first_moves();
        for first in &moves {
            for action in &first.actions {
                assert!(classes.insert(action.to_string(), first.class).is_none());
            }
        }
        assert_eq!((moves.len(), classes.len()), (44, 46));
        for (class, actions) in expected {
            for action in actions.split(' ') {
                assert_eq!(classes.remove(action), Some(class), "{action}");
            }
        }
        assert_eq!(classes.len(), 24);
        assert!(classes.values().all(|&class| class == OpeningClass::Exchange));
    }

    #[test]
    fn mirror_images_come_in_pairs_of_one_class() {
        let moves = first_moves();
        for first in &moves {
            let other = moves.iter().find(|other| other.action() == first.mirror()).unwrap();
            assert_eq!((other.mirror(), other.class), (first.action(), first.class));
            assert_ne!(other.action(), first.action());
        }
        let text = |text: &str| {
            let first = moves.iter().find(|first| first.text() == text).unwrap();
            first.mirror().to_string()
        };
        assert_eq!(
            (text("A3D5"), text("1A6A7"), text("A1E")),
            ("A7NW".into(), "1A4A3".into(), "A1W".into())
        );
    }
}
