//! The series of games of a study.

use chase_engine::chase::{Action, Position, Rules};
use chase_engine::{Chase, Game};

use super::series_id::{SeriesId, SeriesKind};
use crate::{FirstMove, OpeningClass, first_moves};

/// Games of one player against itself that begin with the same forced plies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Series {
    /// Its id: the player and the forced plies.
    pub id: SeriesId,
    /// Conventions.
    pub rules: Rules,
}

/// A first move with replies that the article names.
#[derive(Clone, Debug, PartialEq)]
pub struct Answered {
    /// The move.
    pub first: FirstMove,
    /// The replies that the article calls best, in exact form; all with different results.
    pub named: Vec<Action>,
    /// All other replies, with different results too.
    pub others: Vec<Action>,
}

impl Series {
    /// Index of the player.
    pub const fn player(&self) -> usize {
        self.id.player
    }

    /// The kind of the series.
    pub const fn kind(&self) -> SeriesKind {
        self.id.kind()
    }

    /// The forced plies.
    pub fn line(&self) -> &[Action] {
        self.id.line()
    }

    /// The forced plies in article form, as one text; empty if nothing is forced.
    pub fn article(&self) -> String {
        let mut game = Chase::new(&self.rules);
        let mut texts = Vec::new();
        for &action in self.line() {
            texts.push(game.position().article_text(action));
            game.apply(action);
        }
        texts.join(" ")
    }

    /// The class of the forced first move.
    pub fn class(&self) -> Option<OpeningClass> {
        let first = self.line().first()?;
        let found = first_moves().into_iter().find(|known| known.actions.contains(first));
        found.map(|known| known.class)
    }
}

impl Answered {
    /// The reply that stands for all with the same result as this one.
    pub fn standing_for(&self, reply: Action) -> Action {
        let after = |reply: Action| {
            let mut after = self.first.result;
            after.play_unchecked(reply);
            after
        };
        let all = self.named.iter().chain(&self.others).copied();
        let mut same = all.filter(|&other| after(other) == after(reply));
        same.next().expect("every legal reply has the result of one of these")
    }
}

/// The first moves of B7 with the replies of B8: bumps around the cylinder after which a 3 or a 5 attacks the die that
/// moved.
fn away_openings() -> Vec<Answered> {
    let classes = [OpeningClass::ThreeAway, OpeningClass::FiveAway];
    answered(&classes, |before, action, after, moved| {
        let Action::Move { from, direction } = action else {
            return false;
        };
        let is_one = before.die(from).is_some_and(|die| die.speed.pips() == 1);
        let sideways = direction.reflected() == direction;
        let player = before.to_move();
        let attacks = |pips: u8| {
            let dice = after.dice(player).into_iter();
            let mut of_speed = dice.filter(|&cell| after.die(cell).is_some_and(|die| die.speed.pips() == pips));
            of_speed.any(|cell| after.reach(cell).contains(moved))
        };
        is_one && sideways && (attacks(3) || attacks(5))
    })
}

/// The first moves of B9 with the replies of B10: captures, by a 4, of the die that moved.
fn four_openings() -> Vec<Answered> {
    answered(&[OpeningClass::Four], |before, action, after, moved| {
        let Action::Move { from, .. } = action else {
            return false;
        };
        let is_four = before.die(from).is_some_and(|die| die.speed.pips() == 4);
        is_four && after.dice(before.to_move()).contains(moved)
    })
}

/// All first moves with replies that the article names.
pub fn answered_openings() -> Vec<Answered> {
    [away_openings(), four_openings()].concat()
}

/// First moves of some classes with the replies selected by `named`, from: the position before the reply, the reply,
/// the position after it, and the cell of the die that the first move set down.
fn answered(
    classes: &[OpeningClass],
    named: impl Fn(&Position, Action, &Position, chase_engine::chase::Cell) -> bool,
) -> Vec<Answered> {
    let start = Position::initial();
    let mut all = Vec::new();
    for first in first_moves() {
        if !classes.contains(&first.class) {
            continue;
        }
        let before = first.result;
        let mover = start.to_move();
        let moved = (before.dice(mover) & !start.dice(mover)).into_iter().next();
        let mut replies: Vec<(Position, Action)> = Vec::new();
        before.for_each_action(|action| {
            let mut after = before;
            after.play_unchecked(action);
            if replies.iter().all(|(other, _)| *other != after) {
                replies.push((after, action));
            }
        });
        let is_named =
            |(after, action): &(Position, Action)| moved.is_some_and(|moved| named(&before, *action, after, moved));
        let (named, others): (Vec<_>, Vec<_>) = replies.into_iter().partition(is_named);
        let actions = |replies: Vec<(Position, Action)>| replies.into_iter().map(|(_, action)| action).collect();
        all.push(Answered {
            first,
            named: actions(named),
            others: actions(others),
        });
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(all: &[Answered]) -> Vec<String> {
        let text = |answered: &Answered| {
            let named: Vec<String> = answered.named.iter().map(ToString::to_string).collect();
            format!("{}: {}", answered.first.action(), named.join(" "))
        };
        all.iter().map(text).collect()
    }

    #[test]
    fn every_four_can_be_taken_by_a_four() {
        let all = four_openings();
        assert_eq!(all.len(), 4);
        for answered in &all {
            assert!(!answered.named.is_empty(), "{:?}", texts(&all));
            for &reply in &answered.named {
                let after = answered.first.result.play(reply).expect("legal");
                assert_eq!(after.dice(chase_engine::Player::White).count(), 8);
            }
        }
    }

    #[test]
    fn replies_to_openings_away_from_the_chamber_shift_the_row_and_attack() {
        let all = away_openings();
        assert_eq!(all.len(), 4, "{:?}", texts(&all));
        for answered in &all {
            for reply in &answered.named {
                assert!(
                    reply.to_string().starts_with("I1") || reply.to_string().starts_with("I9"),
                    "{reply}"
                );
            }
        }
        // Each of the four is attacked after a shift one way or the other.
        assert!(
            all.iter().all(|answered| !answered.named.is_empty()),
            "{:?}",
            texts(&all)
        );
    }

    /// Two actions shift the row by one cell.
    #[test]
    fn replies_with_one_result_are_one_reply() {
        let five = away_openings()
            .into_iter()
            .find(|answered| answered.first.text() == "A5F8");
        let [named, twin] = ["I1W", "I9W"].map(|text| text.parse().expect("an action"));
        assert_eq!(five.map(|five| five.standing_for(twin)), Some(named));
    }

    #[test]
    fn article_forms_and_classes_are_those_of_what_is_forced() {
        let rules = Rules::default();
        let [first, reply] = ["A3NW", "I1E"].map(|text| text.parse().expect("an action"));
        let id = SeriesId::reply(1, first, reply);
        let series = Series { id, rules };
        assert!(series.article().starts_with("A3D2 I1I2/"), "{}", series.article());
        assert_eq!(series.class(), Some(OpeningClass::ThreeAway));
        let id = SeriesId::free(0);
        let free = Series { id, rules };
        assert_eq!((free.article().as_str(), free.class()), ("", None));
    }
}
