//! Players as thinkers.

use chase_engine::search::{PuctParams, SearchParams, Strategy};
use chase_models::device::Device;

use super::thinker::{AgentThinker, AlphaBetaThinker, NnueThinker, Thinker, TreeThinker};
use crate::analysis::{AnalysisLimits, Analyst};
use crate::playable::Playable;
use crate::players::baselines::BaselineKind;
use crate::players::network::CACHED_POSITIONS;
use crate::players::{BaselineSpec, PlayerError, PlayerSpec, network_evaluator};

/// Turns a player into a thinker about the game with this [`Game::name`](chase_engine::Game::name). Limits in its text
/// hold whatever the runner sets.
///
/// # Errors
/// If its network cannot be loaded or used, or its program does not answer.
pub fn thinker<G: Playable>(
    game: &str,
    player: &PlayerSpec,
    device: Device,
) -> Result<Box<dyn Thinker<G>>, PlayerError> {
    match player {
        PlayerSpec::Baseline(agent) => baseline_thinker(*agent),
        PlayerSpec::Network(network) => {
            let folder = player.checkpoint(network)?;
            // A runner limits its time, as a rule.
            let network = match network.simulations {
                None => network.fastest_here(&folder, device),
                Some(_) => network.here(&folder, device),
            };
            let settings = network.settings_alone();
            let precision = network.precision_alone(&settings, device);
            let evaluator = network_evaluator(game, &folder, device, precision);
            let evaluator = evaluator
                .map_err(|error| player.unusable(error))?
                .with_cache(CACHED_POSITIONS);
            let analyst = Analyst::with_evaluator(player.to_string(), Box::new(evaluator));
            let own = AnalysisLimits {
                simulations: network.simulations,
                time: network.time,
            };
            Ok(Box::new(TreeThinker::new(analyst, settings, own)))
        }
        PlayerSpec::Nnue(network) => {
            let searches = network.searches::<G>(game);
            let search = searches.map_err(|error| player.unusable_nnue(error))?();
            Ok(Box::new(NnueThinker::new(
                search,
                network.given_limits(),
                network.chance,
            )))
        }
        PlayerSpec::Engine(_) => Ok(Box::new(AgentThinker::new(
            player.contestant_for::<G>(game, device)?.agent(),
        ))),
    }
}

/// Turns an agent into a thinker. Its limits hold whatever the runner sets. An agent that blunders accepts no limits
/// from a runner.
fn baseline_thinker<G: Playable>(agent: BaselineSpec) -> Result<Box<dyn Thinker<G>>, PlayerError> {
    Ok(match agent.kind {
        BaselineKind::AlphaBeta(settings, limits) if agent.blunders == 0.0 => {
            Box::new(AlphaBetaThinker::new(agent.judgement::<G>()?, settings, limits))
        }
        BaselineKind::Rollouts(rollouts) if agent.blunders == 0.0 => {
            let puct = PuctParams {
                c_puct: rollouts.c_puct,
                ..PuctParams::default()
            };
            let params = SearchParams {
                simulations: rollouts.simulations,
                strategy: Strategy::Puct(puct),
                ..SearchParams::default()
            };
            let own = AnalysisLimits {
                simulations: (rollouts.simulations > 0).then_some(rollouts.simulations),
                time: None,
            };
            Box::new(TreeThinker::new(
                Analyst::with_rollouts(rollouts.games),
                params.into(),
                own,
            ))
        }
        _ => Box::new(AgentThinker::new(agent.agent()?)),
    })
}
