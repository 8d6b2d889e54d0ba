//! The first moves of a game, by an agent's search.

use std::sync::atomic::AtomicBool;

use chase_arena::{Agent, AgentFailure};
use chase_arena::{Contestant, Decision};
use chase_engine::Game;
use chase_statistics::generator;
use serde::{Deserialize, Serialize};

/// The first moves of one initial position.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StartMoves {
    /// The position, if it is a random one; otherwise it is that of the rules.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<String>,
    /// All legal actions in the engine's order.
    pub actions: Vec<FirstMove>,
}

/// A first move.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FirstMove {
    /// The action as text.
    pub action: String,
    /// The first player's score, from 0 to 1, that a search of the position after it expects.
    pub value: f64,
}

/// The first moves of the initial position, or of this many random ones, by searches of the positions after them.
/// `None` if `stop` was set.
///
/// # Errors
/// If the agent fails.
pub(crate) fn first_moves<G: Game>(
    contestant: &Contestant<G>,
    rules: &G::Rules,
    starts: u32,
    seed: u64,
    stop: &AtomicBool,
) -> Result<Option<Vec<StartMoves>>, AgentFailure> {
    let random = G::begins_at_random(rules);
    let mut agent = contestant.agent();
    let mut found = Vec::new();
    for number in 0..if random { starts } else { 1 } {
        if stop.load(std::sync::atomic::Ordering::Relaxed) {
            return Ok(None);
        }
        let start = G::start(rules, &mut generator(seed, &[number.into()]));
        found.push(StartMoves {
            start: random.then(|| start.position_text()),
            actions: searched(&mut *agent, &start, seed)?,
        });
    }
    Ok(Some(found))
}

/// Every first move of a position with its value for the player who makes it.
fn searched<G: Game>(agent: &mut dyn Agent<G>, start: &G, seed: u64) -> Result<Vec<FirstMove>, AgentFailure> {
    let mover = start.to_move();
    let mut legal = Vec::new();
    start.legal_actions(&mut legal);
    let texts: Vec<String> = legal.iter().map(|&action| start.action_text(action)).collect();
    let after: Vec<G> = legal.into_iter().map(|action| settled(start, action)).collect();
    let mut rngs: Vec<_> = (0..after.len())
        .map(|index| generator(seed, &[1, index as u64]))
        .collect();
    let open = after.iter().zip(&mut rngs).filter(|(game, _)| game.outcome().is_none());
    let mut decisions: Vec<_> = open.map(|(game, rng)| Decision::without_past(game, rng)).collect();
    let mut choices = agent.choose_batch(&mut decisions)?.into_iter();
    let mut moves = Vec::new();
    for (game, action) in after.iter().zip(texts) {
        let for_mover = match game.outcome() {
            // A game that is cut off at once is worth nothing to anyone.
            Some(outcome) => outcome
                .value_for(mover)
                .map_or(0.5, |value| f64::midpoint(value.0.into(), 1.0)),
            None => {
                let expected = choices.next().and_then(|choice| choice.expects);
                let expected = expected.ok_or_else(|| AgentFailure(format!("nothing is expected after {action}")))?;
                match game.to_move() == mover {
                    true => expected.score(),
                    false => 1.0 - expected.score(),
                }
            }
        };
        moves.push(FirstMove {
            action,
            value: for_mover,
        });
    }
    Ok(moves)
}

/// The game after an action and all replies without a choice, which are not searched.
fn settled<G: Game>(start: &G, action: G::Action) -> G {
    let mut game = start.clone();
    game.apply(action);
    let mut legal = Vec::new();
    loop {
        game.legal_actions(&mut legal);
        match legal[..] {
            [only] => game.apply(only),
            _ => return game,
        }
    }
}

#[cfg(test)]
mod tests {
    use chase_arena::TreeAgent;
    use chase_engine::ConnectFour;
    use chase_engine::search::{RolloutEvaluator, SearchParams};

    use super::*;

    /// White wins at once in column 4, and loses at once anywhere else.
    #[test]
    fn values_belong_to_the_player_who_moves_first() {
        let text = "......./......./......./......./ooo..../xxx.... w";
        let start = ConnectFour::from_position_text(text, &()).expect("a position");
        let evaluator = RolloutEvaluator::new(4, 100, generator(1, &[]));
        let params = SearchParams {
            simulations: 400,
            ..SearchParams::default()
        };
        let mut agent = TreeAgent::new(evaluator, params);
        let moves = searched(&mut agent, &start, 1).expect("searched");
        assert_eq!(moves.len(), 7);
        for FirstMove { action, value } in moves {
            match action.as_str() {
                "4" => assert_eq!(value, 1.0),
                _ => assert!(value < 0.5, "{action}: {value}"),
            }
        }
    }
}
