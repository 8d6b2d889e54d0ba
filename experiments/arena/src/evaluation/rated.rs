//! Kinds of networks, as evaluations have them play.

use chase_cluster::job::{Files, checkpoint_files};
use chase_engine::alpha_beta::logistic;
use chase_engine::{Playable, Wdl};
use chase_models::inference::InferenceError;
use chase_models::{InferenceNetwork, Precision};
use chase_nnue::LOGIT;
use chase_training::config::Config;
use chase_training::events::EvaluationRequest;
use chase_training::kinds::Kind;
use chase_training::kinds::nnue::Nnue;
use chase_training::kinds::nnue::config::Config as NnueConfig;
use chase_training::kinds::residual::Residual;

use super::network::RateError;
use crate::players::{Contestant, PlayerSpec, SearchLimits, SearchSpec, network_contestant};
use crate::remote::{self, RatedSearch, RemoteError, RemotePlayer};

/// A network's own evaluation of positions, without a search: probabilities of win, draw and loss for the player to
/// move.
pub type Opinion<'a, G> = Box<dyn FnMut(&[G]) -> Result<Vec<Wdl>, InferenceError> + 'a>;

/// A kind of network that can be rated.
pub trait Rated: Kind<Game: Playable> {
    /// The network of a request as a contestant of this name.
    ///
    /// # Errors
    /// If it cannot be loaded or used.
    fn contestant(request: &EvaluationRequest<'_, Self>, name: &str) -> Result<Contestant<Self::Game>, RateError>;

    /// The same as it is sent to other machines, as the player with this number. Its network is added to the files.
    ///
    /// # Errors
    /// If its files cannot be read.
    fn sent(
        request: &EvaluationRequest<'_, Self>,
        number: usize,
        files: &mut Files,
    ) -> Result<RemotePlayer, RemoteError>;

    /// What the network says of positions.
    ///
    /// # Errors
    /// If it cannot be used.
    fn opinion<'a>(request: &EvaluationRequest<'a, Self>) -> Result<Opinion<'a, Self::Game>, RateError>;

    /// Simulations, or else nodes, for each choice.
    fn effort(settings: &Self::Settings) -> [Option<u64>; 2];
}

impl<G: Playable> Rated for Residual<G> {
    fn contestant(request: &EvaluationRequest<'_, Self>, name: &str) -> Result<Contestant<G>, RateError> {
        let search = search(request.settings, request.player.precision);
        Ok(network_contestant(
            G::name(request.rules),
            name,
            request.checkpoint,
            request.device,
            search.precision,
            search.params(),
        )?)
    }

    fn sent(
        request: &EvaluationRequest<'_, Self>,
        number: usize,
        files: &mut Files,
    ) -> Result<RemotePlayer, RemoteError> {
        checkpoint_files(request.checkpoint, &number.to_string(), files)?;
        Ok(RemotePlayer::Rated(search(request.settings, request.player.precision)))
    }

    /// In 32 bits.
    fn opinion<'a>(request: &EvaluationRequest<'a, Self>) -> Result<Opinion<'a, G>, RateError> {
        let player = request.player;
        let mut network = InferenceNetwork::new(player.network, request.device, Precision::F32)?;
        Ok(Box::new(move |games| {
            let planes = G::encode_all(games, player.encoding);
            let logits = network.forward(planes.view(), &[])?;
            Ok(logits.wdl().collect())
        }))
    }

    fn effort(settings: &Config) -> [Option<u64>; 2] {
        [Some(settings.evaluation.simulations.into()), None]
    }
}

/// The search of an evaluation: the configured number of simulations, without noise, and with the policy temperature of
/// players whatever `search.policy_temperature` is: ratings of different runs can be compared, and say how strong their
/// networks are in matches.
const fn search(config: &Config, precision: Precision) -> RatedSearch {
    RatedSearch {
        precision,
        simulations: config.evaluation.simulations,
        c_puct: config.search.c_puct,
        fpu_reduction: config.search.fpu_reduction,
    }
}

/// A network of a checkpoint as a player.
fn player<G: Playable>(request: &EvaluationRequest<'_, Nnue<G>>) -> PlayerSpec {
    let limits = SearchLimits::nodes(request.settings.evaluation.nodes);
    SearchSpec::updatable(request.checkpoint).within(limits).into()
}

impl<G: Playable> Rated for Nnue<G> {
    fn contestant(request: &EvaluationRequest<'_, Self>, name: &str) -> Result<Contestant<G>, RateError> {
        let player = player(request).contestant_for(G::name(request.rules), request.device)?;
        Ok(player.named(name))
    }

    fn sent(
        request: &EvaluationRequest<'_, Self>,
        number: usize,
        files: &mut Files,
    ) -> Result<RemotePlayer, RemoteError> {
        remote::sent(&player(request), number, false, files).map(RemotePlayer::Spec)
    }

    fn opinion<'a>(request: &EvaluationRequest<'a, Self>) -> Result<Opinion<'a, G>, RateError> {
        let network = request.player;
        let wdl = |value: i32| {
            let score = logistic(f64::from(value) / f64::from(LOGIT)) as f32;
            Wdl::new(score, 0.0, 1.0 - score)
        };
        Ok(Box::new(move |games: &[G]| {
            Ok(games.iter().map(|game| wdl(network.evaluate(game))).collect())
        }))
    }

    fn effort(settings: &NnueConfig) -> [Option<u64>; 2] {
        [None, Some(settings.evaluation.nodes)]
    }
}

#[cfg(test)]
mod tests {
    use chase_engine::search::Strategy;
    use chase_training::settings::Setting;

    use super::*;

    #[test]
    fn networks_are_rated_as_they_play_and_not_as_they_train() {
        let settings = Setting::list(&["search.policy_temperature=5", "evaluation.simulations=7"]);
        let config = Config::load(None, &settings).expect("a configuration");
        let params = search(&config, Precision::F32).params();
        let Strategy::Puct(puct) = params.strategy else {
            panic!("{params:?}");
        };
        assert_eq!(puct.policy_temperature, SearchSpec::POLICY_TEMPERATURE);
        assert_eq!((params.simulations, puct.noise), (7, None));
    }
}
