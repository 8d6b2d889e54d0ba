//! Residual networks from their checkpoints.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use chase_cluster::job::Files;
use chase_engine::{Chase, Game, Playable};
use chase_models::checkpoint::Checkpoint;
use chase_models::device::Device;
use chase_models::fused;
use chase_models::manifest::Manifest;
use chase_models::{InferenceNetwork, Precision, shipped};
use chase_training::config::Config;
use chase_training::events::EvaluationRequest;
use chase_training::kinds::residual::Residual;
use chase_training::kinds::{Kind as _, NetworkKind};
use chase_training::selfplay::NetworkEvaluator;
use chase_training::training_loop::checkpoint_folder;

use super::{Arithmetic, NetworkFacts, NetworkForm, NetworkSpec};
use crate::evaluation::{Opinion, Rated};
use crate::lock;
use crate::players::agent::Contestant;
use crate::players::contestant::{Place, Usage};
use crate::players::evaluators::{ByLeaf, MakeEvaluator, Networks};
use crate::players::searches::{MakeAgent, SearchKind, SearchSettings, TreeAgent, alpha_beta};
use crate::players::spec::{Kind, SearchSpec};
use crate::remote::{self, RatedSearch, RemotePlayer};

pub(super) const FORM: NetworkForm = NetworkForm {
    player: Kind {
        name: "net",
        argument: Some("PATH"),
        meaning: "A residual network. PATH is a checkpoint, a run (its newest checkpoint is used) or a built-in agent, \
                  agent-71 or agent-41; it cannot hold a comma.",
        example: "net:runs/quick-1,simulations=400",
        pairing: Some(("net", SearchKind::Puct)),
    },
    options: &["level", "precision"],
    built_in: || shipped::names().collect(),
    checkpoint: |path| Ok(checkpoint_folder(path, NetworkKind::Residual)?),
    facts,
    files,
    arithmetic: |spec, checkpoint, device, usage| {
        let (precision, leaves) = spec.precision(checkpoint, device, usage);
        let precision = Some(precision);
        Arithmetic { precision, leaves }
    },
    batches: true,
};

fn facts(path: &Path) -> anyhow::Result<NetworkFacts> {
    let folder = checkpoint_folder(path, NetworkKind::Residual)?;
    let manifest = Manifest::read(&folder)?;
    Ok(NetworkFacts {
        game: manifest.game.parse().ok(),
        weights: manifest.weights_sha256(),
        sha256: Manifest::facts(&folder)?.sha256,
        progress: Some((manifest.progress.steps, manifest.progress.games)),
    })
}

fn files(checkpoint: &Path) -> Vec<(&'static str, PathBuf)> {
    // They are the same whatever the game.
    let names = Residual::<Chase>::PLAYING_FILES.iter();
    names.map(|&name| (name, checkpoint.join(name))).collect()
}

/// Evaluators with the network of a player.
pub(super) fn leaves<G: Game>(
    network: &NetworkSpec,
    spec: &SearchSpec,
    place: &Place<'_, G>,
) -> anyhow::Result<MakeEvaluator<G>> {
    let checkpoint = network.checkpoint()?;
    let (precision, _) = spec.precision(&checkpoint, place.device, place.usage);
    let cached = place.usage == Usage::Game || spec.limits.time.is_some();
    place.networks.evaluators(&checkpoint, precision, cached)
}

/// Agents that ask it for each position of a line of play.
pub(super) fn lines<G: Playable>(
    network: &NetworkSpec,
    spec: &SearchSpec,
    place: &Place<'_, G>,
) -> anyhow::Result<MakeAgent<G>> {
    let make = leaves(network, spec, place)?;
    Ok(alpha_beta::agents_with(spec, move |failure| {
        Ok(ByLeaf::new(make()?, failure))
    }))
}

/// Number of positions whose evaluations a player caches, about 40 MB: more than a search of ten seconds visits.
const CACHED_POSITIONS: NonZeroUsize = NonZeroUsize::new(1 << 17).expect("not 0");

/// Networks of checkpoints on the disk, for the game with this [`Game::name`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct FromDisk<'a> {
    pub game: &'a str,
    pub device: Device,
}

impl<G: Playable> Networks<G> for FromDisk<'_> {
    fn evaluators(&self, checkpoint: &Path, precision: Precision, cached: bool) -> anyhow::Result<MakeEvaluator<G>> {
        network_evaluators(self.game, checkpoint, self.device, precision, cached)
    }
}

/// Makes evaluators with the network of a checkpoint, for the game with this [`Game::name`]; those that are `cached`
/// remember their evaluations.
///
/// # Errors
/// If the checkpoint cannot be loaded or used.
pub fn network_evaluators<G: Playable>(
    game: &str,
    checkpoint: &Path,
    device: Device,
    precision: Precision,
    cached: bool,
) -> anyhow::Result<MakeEvaluator<G>> {
    let Checkpoint { network, encoding, .. } = Checkpoint::<G>::load_for(game, checkpoint, device)?;
    // The first use shows if it works here; later ones are the same.
    InferenceNetwork::new(&network, device, precision)?;
    // Tensors may move between threads but not be shared.
    let network = Mutex::new(network);
    Ok(Arc::new(move || {
        let network = lock(&network);
        let network = InferenceNetwork::new(&network, device, precision).map_err(|error| error.to_string())?;
        let evaluator = NetworkEvaluator::<G>::new(network, encoding.clone());
        Ok(Box::new(match cached {
            true => evaluator.with_cache(CACHED_POSITIONS),
            false => evaluator,
        }))
    }))
}

/// Creates a contestant of this name from a network with a tree search, for the game with this [`Game::name`].
///
/// # Errors
/// If the checkpoint cannot be loaded or used.
pub fn network_contestant<G: Playable>(
    game: &str,
    name: &str,
    checkpoint: &Path,
    device: Device,
    precision: Precision,
    settings: impl Into<SearchSettings>,
) -> anyhow::Result<Contestant<G>> {
    let settings = settings.into();
    let make = network_evaluators::<G>(game, checkpoint, device, precision, settings.limits.time.is_some())?;
    Ok(Contestant::new(name, move || TreeAgent::made(make(), settings)))
}

/// Creates the evaluator of a checkpoint for the game with this [`Game::name`].
///
/// # Errors
/// If the checkpoint cannot be loaded or used.
pub fn network_evaluator<G: Playable>(
    game: &str,
    checkpoint: &Path,
    device: Device,
    precision: Precision,
) -> anyhow::Result<NetworkEvaluator<G>> {
    let Checkpoint { network, encoding, .. } = Checkpoint::<G>::load_for(game, checkpoint, device)?;
    let network = InferenceNetwork::new(&network, device, precision)?;
    Ok(NetworkEvaluator::new(network, encoding))
}

/// The faster precision of this program's kernel for the network of a checkpoint on a device of this machine; `None` where
/// it cannot evaluate it.
fn fused_precision(checkpoint: &Path, device: Device) -> Option<Precision> {
    // A damaged manifest is reported by the code that loads the network.
    let manifest = Manifest::read(checkpoint).ok()?;
    fused::fastest(&manifest.architecture, device)
}

impl SearchSpec {
    /// Arithmetic of its residual network from this checkpoint, and the leaves of a tree at a time that are fastest with it.
    ///
    /// Where one game is played at a time, that is the kernel of this program if it can evaluate the network: it gains
    /// nothing by batches, and each leaf of a batch is chosen without knowing the others' values.
    pub fn precision(&self, checkpoint: &Path, device: Device, usage: Usage) -> (Precision, u32) {
        let given = self.evaluator.network().and_then(|network| network.precision);
        // Batches go across games.
        if usage == Usage::Match && self.limits.time.is_none() {
            return (given.unwrap_or_else(|| Precision::fastest(device)), 1);
        }
        let batch = self.batch.unwrap_or(Self::BATCH) as usize;
        let precision = given.or_else(|| fused_precision(checkpoint, device));
        let precision = precision.unwrap_or_else(|| Precision::fastest_for(device, batch));
        (precision, if precision.is_fused() { 1 } else { Self::BATCH })
    }
}

impl<G: Playable> Rated for Residual<G> {
    fn contestant(request: &EvaluationRequest<'_, Self>, name: &str) -> anyhow::Result<Contestant<G>> {
        let search = search(request.settings, request.player.precision);
        network_contestant(
            G::name(request.rules),
            name,
            request.checkpoint,
            request.device,
            search.precision,
            search.params(),
        )
    }

    fn sent(request: &EvaluationRequest<'_, Self>, number: usize, files: &mut Files) -> anyhow::Result<RemotePlayer> {
        remote::add_files(
            &NetworkSpec::new(NetworkKind::Residual, request.checkpoint),
            number,
            files,
        )?;
        Ok(RemotePlayer::Rated(search(request.settings, request.player.precision)))
    }

    /// In 32 bits.
    fn opinion<'a>(request: &EvaluationRequest<'a, Self>) -> anyhow::Result<Opinion<'a, G>> {
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
