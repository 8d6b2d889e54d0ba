//! First moves that the article calls bad, and the replies that it names as best (claims B8 and B10).

use chase_engine::chase::{Action, Cell, Direction, Position};

use crate::study::dice::{captured, set_down};
use crate::study::{FirstMove, OpeningClass, first_moves};

/// The first moves whose best reply the article names.
pub fn named_openings() -> impl Iterator<Item = FirstMove> {
    let all = first_moves().into_iter();
    all.filter(|first| {
        matches!(
            first.class,
            OpeningClass::ThreeAway | OpeningClass::FiveAway | OpeningClass::Four
        )
    })
}

/// The replies that the article calls best: to a 4 captures of it by a 4; to a 5 or a 3 that went away, wraparound bumps
/// after which a 3 or a 5 attacks it. Empty for all other first moves.
pub fn named_replies(opening: &FirstMove) -> Vec<Action> {
    let position = &opening.result;
    let target = set_down(&Position::initial(), opening.action(), position);
    let fits = |action: &Action| {
        let mut after = *position;
        after.play_unchecked(*action);
        let by = |cell: Cell, pips: u8| after.die(cell).is_some_and(|die| die.speed.pips() == pips);
        let attacks = |pips: u8| {
            let dice = after.dice(position.to_move()).into_iter();
            let mut dice = dice.filter(|&cell| by(cell, pips));
            is_wrap_bump(position, *action) && dice.any(|cell| after.reach(cell).intersects(target))
        };
        match opening.class {
            OpeningClass::Four => captured(position, &after)
                .into_iter()
                .any(|cell| target.contains(cell) && by(cell, 4)),
            OpeningClass::FiveAway => attacks(3),
            OpeningClass::ThreeAway => attacks(5),
            _ => false,
        }
    };
    position.legal_actions().into_iter().filter(fits).collect()
}

/// Whether an action is a 1 on its home row that goes sideways and bumps.
fn is_wrap_bump(position: &Position, action: Action) -> bool {
    let Action::Move { from, direction } = action else {
        return false;
    };
    let is_one = position.die(from).is_some_and(|die| die.speed.pips() == 1);
    let sideways = matches!(direction, Direction::E | Direction::W);
    let bumps = chase_engine::chase::geometry::neighbour(from, direction)
        .is_some_and(|to| position.dice(position.to_move()).contains(to));
    is_one && sideways && from.is_edge() && bumps
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_named_opening_has_the_replies_of_the_article() {
        let named: Vec<_> = named_openings().collect();
        assert_eq!(named.len(), 8);
        for opening in &named {
            let replies: Vec<_> = named_replies(opening).iter().map(Action::to_string).collect();
            let name = opening.action().to_string();
            assert!(!replies.is_empty(), "{name}");
            match opening.class {
                OpeningClass::Four => assert_eq!(replies.len(), 1, "{name}: {replies:?}"),
                _ => assert!(
                    replies
                        .iter()
                        .all(|reply| reply.starts_with("I1") || reply.starts_with("I9")),
                    "{replies:?}"
                ),
            }
        }
        // The 4 on A4 goes to E6, in reach of the 4 on I4.
        let four = named.iter().find(|opening| opening.action().to_string() == "A4NE");
        let replies = four.map(|four| named_replies(four).iter().map(Action::to_string).collect::<Vec<_>>());
        assert_eq!(replies, Some(vec!["I4SE".to_owned()]));
        let others = first_moves()
            .into_iter()
            .filter(|first| first.class == OpeningClass::Exchange);
        assert!(others.into_iter().all(|first| named_replies(&first).is_empty()));
    }
}
