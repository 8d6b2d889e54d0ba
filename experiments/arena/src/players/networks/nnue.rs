//! Efficiently updatable networks from their files.

use std::path::Path;
use std::sync::Arc;

use anyhow::{anyhow, bail, ensure};
use chase_cluster::job::Files;
use chase_engine::alpha_beta::logistic;
use chase_engine::{Encode, Instructions, Playable, Wdl};
use chase_models::manifest::MANIFEST_FILE;
use chase_nnue::file::network_file;
use chase_nnue::shipped::{self, is_shipped};
use chase_nnue::{LOGIT, LineEvaluator, NETWORK_FILE, Network, StoredNetwork};
use chase_training::events::EvaluationRequest;
use chase_training::kinds::NetworkKind;
use chase_training::kinds::nnue::Nnue;
use chase_training::kinds::nnue::config::Config;
use chase_training::training_loop::checkpoint_folder;

use super::{Arithmetic, NetworkFacts, NetworkForm, NetworkSpec};
use crate::evaluation::{Opinion, Rated};
use crate::players::agent::Contestant;
use crate::players::contestant::Place;
use crate::players::evaluators::{ByValue, MakeEvaluator};
use crate::players::searches::{MakeAgent, SearchKind, alpha_beta};
use crate::players::spec::{Kind, PlayerSpec, SearchLimits, SearchSpec};
use crate::remote::{self, RemotePlayer};

pub(super) const FORM: NetworkForm = NetworkForm {
    player: Kind {
        name: "nnue",
        argument: Some("PATH"),
        meaning: "An efficiently updatable network. PATH is nnue-57 (the built-in one, for Chase), a run (its newest \
                  checkpoint is used), a folder with nnue.safetensors, or that file; it cannot hold a comma.",
        example: "nnue:runs/nnue-1,nodes=50000",
        pairing: Some(("nnue", SearchKind::AlphaBeta)),
    },
    options: &[],
    built_in: || vec![shipped::NAME],
    checkpoint: |path| Ok(checkpoint_folder(path, NetworkKind::Nnue)?),
    facts,
    // It may be a file of any name, without a manifest.
    files: |checkpoint| vec![(NETWORK_FILE, network_file(checkpoint))],
    arithmetic: |_, _, _, _| Arithmetic {
        precision: None,
        leaves: 1,
    },
    batches: false,
};

fn facts(path: &Path) -> anyhow::Result<NetworkFacts> {
    let stored = read(path)?;
    Ok(NetworkFacts {
        game: Some(stored.game),
        weights: Some(stored.sha256.clone()),
        sha256: stored.sha256,
        progress: None,
    })
}

/// Evaluators of leaves by its value.
pub(super) fn leaves<G: Playable>(
    network: &NetworkSpec,
    _: &SearchSpec,
    place: &Place<'_, G>,
) -> anyhow::Result<MakeEvaluator<G>> {
    let make = evaluators::<G>(&network.path, place.game)?;
    Ok(Arc::new(move || Ok(Box::new(ByValue::new(make())))))
}

/// Agents that follow it along the lines of play.
pub(super) fn lines<G: Playable>(
    network: &NetworkSpec,
    spec: &SearchSpec,
    place: &Place<'_, G>,
) -> anyhow::Result<MakeAgent<G>> {
    let make = evaluators::<G>(&network.path, place.game)?;
    Ok(alpha_beta::agents_with(spec, move |_| Ok(make())))
}

/// Reads a network.
fn read(path: &Path) -> anyhow::Result<StoredNetwork> {
    let path = checkpoint_folder(path, NetworkKind::Nnue)?;
    if !is_shipped(&path) && !network_file(&path).exists() {
        let shown = path.display();
        ensure!(
            !path.join(MANIFEST_FILE).exists(),
            "{shown} is a checkpoint of a residual network: expected a folder with {NETWORK_FILE}, or the player net:{shown}"
        );
        let found = match path.is_dir() {
            true => format!("there is no {NETWORK_FILE} in it"),
            false => "there is no such folder".to_owned(),
        };
        bail!(
            "{shown}: {found}: expected a run of an efficiently updatable network, the folder of one of its checkpoints, or the \
             file of a network"
        );
    }
    Ok(StoredNetwork::read(&path)?)
}

/// A function that returns new evaluators with a network, which is read once, in the game of type `G` with this
/// [name](chase_engine::Game::name).
///
/// # Errors
/// If there are no such networks for the game, or there is none of it at the path.
pub fn evaluators<G: Encode>(
    path: &Path,
    game: &str,
) -> anyhow::Result<impl Fn() -> LineEvaluator<Arc<Network>, G> + Send + Sync + use<G>> {
    ensure!(
        G::HAS_SPARSE_INPUTS,
        "there are no such networks for {game}, which offers no sparse inputs"
    );
    let network = Network::quantise(&read(path)?.of(game, path)?.weights);
    let network = Arc::new(network.map_err(|error| anyhow!("{}: {error}", path.display()))?);
    Ok(move || LineEvaluator::new(Arc::clone(&network), Instructions::best()))
}

/// A network of a checkpoint as a player.
fn player<G: Playable>(request: &EvaluationRequest<'_, Nnue<G>>) -> PlayerSpec {
    let limits = SearchLimits::nodes(request.settings.evaluation.nodes);
    SearchSpec::updatable(request.checkpoint).within(limits).into()
}

impl<G: Playable> Rated for Nnue<G> {
    fn contestant(request: &EvaluationRequest<'_, Self>, name: &str) -> anyhow::Result<Contestant<G>> {
        let player = player(request).contestant_for(G::name(request.rules), request.device)?;
        Ok(player.named(name))
    }

    fn sent(
        request: &EvaluationRequest<'_, Self>,
        number: usize,
        files: &mut Files,
    ) -> anyhow::Result<RemotePlayer> {
        Ok(RemotePlayer::Spec(remote::sent(&player(request), number, false, files)?))
    }

    fn opinion<'a>(request: &EvaluationRequest<'a, Self>) -> anyhow::Result<Opinion<'a, G>> {
        let network = request.player;
        let wdl = |value: i32| {
            let score = logistic(f64::from(value) / f64::from(LOGIT)) as f32;
            Wdl::new(score, 0.0, 1.0 - score)
        };
        Ok(Box::new(move |games: &[G]| {
            Ok(games.iter().map(|game| wdl(network.evaluate(game))).collect())
        }))
    }

    fn effort(settings: &Config) -> [Option<u64>; 2] {
        [None, Some(settings.evaluation.nodes)]
    }
}
