//! A1: free games and games after forced first moves, taken together.
//!
//! Games from the initial position are games after first moves, in the frequencies in which the player chooses them: its
//! temperature counts the forced ply as one of the first plies. So the score of the first player is the mean of the scores
//! after first moves with these frequencies as weights. Both ways estimate the same number, and a block takes the mean of both,
//! each weighted by how exact it is. The weights depend on which first moves were played, not on results.

use std::collections::HashMap;

use super::method::games::{Analysis, Pool, SCORE};
use crate::evidence::games::{GameFacts, SeriesId};
use crate::first_moves;

/// The first moves of one player with the frequencies in its games from the initial position.
struct Mixture<'a> {
    /// Games after each first move that it played, and its frequency.
    parts: Vec<(&'a [GameFacts], f64)>,
    /// Weight of the forced games against one block of free games.
    weight: f64,
    /// Free games that a block is as exact as.
    worth: f64,
}

impl<'a> Mixture<'a> {
    /// `None` if what the player played is not known.
    fn of(analysis: &Analysis<'a>, player: usize, free_games: usize) -> Option<Self> {
        let free = analysis.games(SeriesId::free(player));
        let moves = first_moves();
        let mut counts: HashMap<usize, u32> = HashMap::new();
        for game in free {
            let action = game.line.first()?.parse().ok()?;
            let index = moves.iter().position(|first| first.actions.contains(&action))?;
            *counts.entry(index).or_default() += 1;
        }
        let all = f64::from(counts.values().sum::<u32>());
        let mut parts: Vec<_> = counts.into_iter().collect();
        parts.sort_unstable();
        let parts: Vec<_> = parts
            .into_iter()
            .map(|(index, count)| {
                let games = analysis.games(SeriesId::first(player, moves[index].action()));
                (games, f64::from(count) / all)
            })
            .collect();
        // One result has some variance; a mean of k has the kth part of it, a weighted one that times the sum of squares.
        let concentration: f64 = parts.iter().map(|(_, share)| share * share).sum();
        let weight = 1.0 / (1.0 + concentration * free_games as f64);
        let worth = free_games as f64 + 1.0 / concentration;
        (!parts.is_empty()).then_some(Self { parts, weight, worth })
    }

    /// The score of the first player by the forced games of one block, if all of them were played and have a result.
    fn score(&self, block: usize) -> Option<f64> {
        let terms = self
            .parts
            .iter()
            .map(|(games, share)| Some(share * games.get(block)?.score?));
        terms.sum()
    }
}

impl Analysis<'_> {
    /// The variance of a block, in that of one game: from which first moves were played, not from results.
    pub(crate) fn mixed_variance(&self, pool: &Pool) -> f64 {
        let size = self.design.config.initial_factor.max(1) as usize;
        let of_player = |&player: &usize| {
            let mixture = Mixture::of(self, player, size);
            1.0 / mixture.map_or(size as f64, |mixture| mixture.worth)
        };
        pool.players.iter().map(of_player).sum::<f64>() / (pool.players.len().max(1) as f64).powi(2)
    }

    /// One number for each block: the mean over players of the score of the first player. A block is one game after each
    /// forced first move, with as many games from the initial position as the study plays for one of those.
    pub(crate) fn mixed_blocks(&self, pool: &Pool) -> Vec<f64> {
        let size = self.design.config.initial_factor.max(1) as usize;
        let by_player = pool.players.iter().map(|&player| {
            let mixture = Mixture::of(self, player, size);
            let free = self.games(SeriesId::free(player)).chunks_exact(size);
            let blocks = free.enumerate().map(|(block, games)| {
                let scores: Vec<f64> = games.iter().filter_map(SCORE.measure).collect();
                let free = (!scores.is_empty()).then(|| scores.iter().sum::<f64>() / scores.len() as f64);
                let forced = mixture
                    .as_ref()
                    .and_then(|mixture| Some((mixture.score(block)?, mixture.weight)));
                match (free, forced) {
                    (Some(free), Some((forced, weight))) => Some(weight * forced + (1.0 - weight) * free),
                    (free, _) => free,
                }
            });
            blocks.collect::<Vec<_>>()
        });
        let by_player: Vec<Vec<Option<f64>>> = by_player.collect();
        let blocks = by_player.iter().map(Vec::len).min().unwrap_or(0);
        let mean = |block: usize| {
            let known: Vec<f64> = by_player.iter().filter_map(|blocks| blocks[block]).collect();
            (!known.is_empty()).then(|| known.iter().sum::<f64>() / known.len() as f64)
        };
        (0..blocks).filter_map(mean).collect()
    }
}
