//! Guaranteed scores of moves against the best known replies.

use crate::position::{BookMove, BookPosition};

/// Computes [`BookMove::held`] of the challenged moves. The positions are in the order of plies.
pub(crate) fn hold(positions: &mut [BookPosition]) {
    for place in (0..positions.len()).rev() {
        for choice in 0..positions[place].moves.len() {
            positions[place].moves[choice].held = held(positions, place, choice);
        }
    }
}

fn held(positions: &[BookPosition], place: usize, choice: usize) -> Option<f64> {
    let position = &positions[place];
    let step = &position.moves[choice];
    let challenge = step.challenge.as_ref()?;
    let alone = || challenge.worst().map(|(_, score)| score);
    let own = |place: usize| positions[place].moves.first().and_then(|best| best.held);
    let Some(to) = step.to else { return alone() };
    let after = &positions[to];
    if after.player == position.player {
        return own(to).or_else(alone);
    }
    // Where the book continues after a reply, its own moves answer, and what is left of them counts.
    let followed = |reply: &BookMove| left(positions, reply.to?, &position.player);
    let known = after.moves.iter().filter_map(followed);
    let new = challenge.answers.iter().filter(|answer| {
        let reply = after
            .moves
            .iter()
            .find(|reply| Some(&reply.action) == answer.reply.as_ref());
        reply.and_then(followed).is_none()
    });
    known
        .chain(new.filter_map(|answer| answer.score))
        .min_by(f64::total_cmp)
}

/// What is left for a player of the book's position; before the player moves again, the opponent may act more than once.
fn left(positions: &[BookPosition], place: usize, player: &str) -> Option<f64> {
    let here = &positions[place];
    if here.player == player {
        return here.moves.first().and_then(|best| best.held);
    }
    let replies = here.moves.iter().filter_map(|reply| left(positions, reply.to?, player));
    replies.min_by(f64::total_cmp)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;
    use crate::challenge::{Answer, Challenge};
    use crate::score_range::Range;

    fn step(action: &str, to: Option<usize>, answers: &[(f64, &str)]) -> BookMove {
        let answer = |&(score, reply): &(f64, &str)| Answer {
            score: Some(score),
            reply: Some(reply.into()),
            text: Some(reply.into()),
        };
        let challenge = Challenge {
            answers: answers.iter().map(answer).collect(),
            threat: None,
        };
        BookMove {
            action: action.into(),
            text: action.into(),
            scout: Some(0.5),
            judges: vec![0.5],
            followed: to.is_some(),
            to,
            backed: Range::of(&[0.5]),
            challenge: Some(challenge).filter(|challenge| !challenge.answers.is_empty()),
            held: None,
        }
    }

    fn position(ply: u32, player: &str, moves: Vec<BookMove>) -> BookPosition {
        BookPosition {
            ply,
            line: Vec::new(),
            position: String::new(),
            player: player.into(),
            moves,
            backed: None,
        }
    }

    /// White's first move `a` keeps what is left after the worst of: the reply `x`, which the book follows and answers
    /// by `e`, and the reply `z`, which only a challenger found. The challenger's low score of `x` does not count: the
    /// book continues there.
    #[test]
    fn a_move_keeps_what_the_best_known_reply_leaves() {
        let mut positions = vec![
            position(
                0,
                "white",
                vec![
                    step("a", Some(1), &[(0.2, "x"), (0.45, "z")]),
                    step("b", None, &[(0.4, "x"), (0.6, "y")]),
                ],
            ),
            position(
                1,
                "black",
                vec![step("x", Some(2), &[(0.5, "e")]), step("y", None, &[])],
            ),
            position(2, "white", vec![step("e", None, &[(0.48, "q"), (0.55, "r")])]),
        ];
        hold(&mut positions);
        let held = |place: usize, choice: usize| positions[place].moves[choice].held;
        assert_eq!(
            [held(0, 0), held(0, 1), held(2, 0), held(1, 1)],
            [Some(0.45), Some(0.4), Some(0.48), None]
        );
        assert!((positions[0].broken_by().unwrap() + 0.05).abs() < 1e-12);
        // Without the new reply only the book's line is left.
        positions[0].moves[0] = step("a", Some(1), &[(0.2, "x")]);
        hold(&mut positions);
        assert_eq!(positions[0].moves[0].held, Some(0.48));
        // So it is if the opponent acts once more before White answers.
        positions[1].moves[0].to = Some(3);
        positions.push(position(2, "black", vec![step("y", Some(4), &[(0.1, "f")])]));
        positions.push(position(3, "white", vec![step("f", None, &[(0.47, "q")])]));
        hold(&mut positions);
        assert_eq!(positions[0].moves[0].held, Some(0.47));
    }
}
