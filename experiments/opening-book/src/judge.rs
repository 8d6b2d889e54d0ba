//! Scores of actions by an agent.

use chase_arena::{Agent, Decision};
use chase_engine::{Game, Outcome};
use chase_statistics::generator;

use crate::error::BookError;

/// The expected score of the player to move after each of some actions, from 0 to 1, by a search of the position after it; exact
/// where the game is over, `None` where it ends without a result. Plies without a choice are played first.
///
/// # Errors
/// If the agent fails, or says of a position that it has searched nothing of its expectation.
pub(crate) fn scores<G: Game>(
    agent: &mut dyn Agent<G>,
    name: &str,
    game: &G,
    actions: &[G::Action],
) -> Result<Vec<Option<f64>>, BookError> {
    let player = game.to_move();
    let mut legal = Vec::new();
    let mut scores = vec![None; actions.len()];
    let mut open = Vec::new();
    for (index, &action) in actions.iter().enumerate() {
        let mut next = game.clone();
        next.apply(action);
        let outcome = loop {
            if let Some(outcome) = next.outcome() {
                break Some(outcome);
            }
            next.legal_actions(&mut legal);
            match legal[..] {
                [only] => next.apply(only),
                _ => break None,
            }
        };
        match outcome {
            Some(Outcome::Win(winner)) => scores[index] = Some(f64::from(u8::from(winner == player))),
            Some(Outcome::Draw) => scores[index] = Some(0.5),
            Some(Outcome::Truncated) => {}
            None => open.push((index, next)),
        }
    }
    // Judgements are free of chance, but a choice has a generator.
    let mut rngs: Vec<_> = open.iter().map(|_| generator(0, &[])).collect();
    let mut decisions: Vec<_> = open
        .iter()
        .zip(&mut rngs)
        .map(|((_, game), rng)| Decision::without_past(game, rng))
        .collect();
    let failed = |failure| BookError::Judge {
        player: name.to_owned(),
        failure,
    };
    let choices = agent.judge_batch(&mut decisions).map_err(failed)?;
    for ((index, game), choice) in open.iter().zip(choices) {
        let expects = choice.expects.ok_or_else(|| BookError::Silent {
            player: name.to_owned(),
        })?;
        let score = expects.score();
        let own = if game.to_move() == player { score } else { 1.0 - score };
        // Six digits are more than a search knows.
        scores[*index] = Some((own * 1e6).round() / 1e6);
    }
    Ok(scores)
}
