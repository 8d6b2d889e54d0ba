//! Minimax over the positions of a book.

use std::collections::HashMap;

use chase_engine::Playable;

use crate::config::BookConfig;
use crate::conventions::conventions;
use crate::played::{played, played_line};
use crate::position::BookPosition;
use crate::score_range::Range;

/// Links positions, which are in the order of plies, and backs their scores up: each move gets the score of the
/// position that it leads to, or what the judges say where that is not in the book, and each position that of its best
/// move, end by end. Moves are sorted anew.
pub(crate) fn back_up<G: Playable>(positions: &mut [BookPosition], config: &BookConfig) {
    let (_, rules) = conventions::<G>(config.game);
    let games: Vec<Option<G>> = positions
        .iter()
        .map(|position| played_line(&rules, &position.line))
        .collect();
    // A position that comes again at another ply is another one there, so that no line has an end in itself.
    let places: HashMap<(u32, u128), usize> = games
        .iter()
        .zip(positions.iter())
        .enumerate()
        .filter_map(|(place, (game, position))| Some(((position.ply, game.as_ref()?.position_key()), place)))
        .collect();
    for place in (0..positions.len()).rev() {
        let Some(game) = &games[place] else { continue };
        let mover = game.to_move();
        let mut moves = std::mem::take(&mut positions[place].moves);
        let mut best: Option<Range> = None;
        for step in &mut moves {
            // A move that is not followed may lead to a position that another line has.
            let after = played(game, &step.action);
            let key = after
                .as_ref()
                .map(|after| (positions[place].ply + 1, after.position_key()));
            step.to = key.and_then(|key| places.get(&key).copied());
            let below = step.to.zip(after).and_then(|(to, after)| {
                let backed = positions[to].backed?;
                Some(if after.to_move() == mover {
                    backed
                } else {
                    backed.turned()
                })
            });
            step.backed = below.or_else(|| step.judged());
            best = match (best, step.backed) {
                (Some(one), Some(other)) => Some(one.or(other)),
                (one, other) => one.or(other),
            };
        }
        let position = &mut positions[place];
        position.moves = moves;
        position.backed = best;
        position.sort();
    }
}
