//! Networks as contestants, and their strength on a yardstick of baselines.

use anyhow::anyhow;
use chase_cluster::Cluster;
use chase_cluster::job::Files;
use chase_engine::{Game, Playable, Wdl};
use chase_models::device::Device;
use chase_training::config::GameName;
use chase_training::events::EvaluationRequest;
use chase_training::kinds::{Kind, KindSettings};
use chase_training::store::RunSettings;
use rand::RngExt;
use serde::{Deserialize, Serialize};

use super::yardstick::{EvaluationReport, Yardstick};
use crate::matches::{Here, Match, MatchError, MatchEvent, Openings, Venue};
use crate::players::{Contestant, PlayerSpec};
use crate::remote::{self, Elsewhere, RemotePlayer};
use chase_statistics::generator;

/// Random plies at the beginning of every evaluation game: deterministic contestants would otherwise repeat one game.
const OPENING_PLIES: u32 = 4;
/// Games that a network plays at the same time on one thread, in pairs.
const PAIRS_AT_ONCE: usize = 16;
/// Fewest pairs between every two baselines: they determine the error of the scale itself.
const BASELINE_PAIRS: u32 = 200;
/// Positions of the colour-swap test.
const SWAP_POSITIONS: usize = 100;

/// A network's own evaluation of positions, without a search: probabilities of win, draw and loss for the player to
/// move.
pub type Opinion<'a, G> = Box<dyn FnMut(&[G]) -> anyhow::Result<Vec<Wdl>> + 'a>;

/// A kind of network that can be rated.
pub trait Rated: Kind<Game: Playable> {
    /// The network of a request as a contestant of this name.
    ///
    /// # Errors
    /// If it cannot be loaded or used.
    fn contestant(request: &EvaluationRequest<'_, Self>, name: &str) -> anyhow::Result<Contestant<Self::Game>>;

    /// The same as it is sent to other machines, as the player with this number. Its network is added to the files.
    ///
    /// # Errors
    /// If its files cannot be read.
    fn sent(request: &EvaluationRequest<'_, Self>, number: usize, files: &mut Files) -> anyhow::Result<RemotePlayer>;

    /// What the network says of positions.
    ///
    /// # Errors
    /// If it cannot be used.
    fn opinion<'a>(request: &EvaluationRequest<'a, Self>) -> anyhow::Result<Opinion<'a, Self::Game>>;

    /// Simulations, or else nodes, for each choice.
    fn effort(settings: &Self::Settings) -> [Option<u64>; 2];
}

/// True if an evaluation ended because the request's flag was set.
pub fn is_stop(error: &anyhow::Error) -> bool {
    error.downcast_ref() == Some(&MatchError::Stopped)
}

/// Rates the networks of one run. Games between baselines are played once, before the first rating.
#[derive(Debug)]
pub struct NetworkEvaluation<G: Game> {
    yardstick: Option<Yardstick<G>>,
    /// The cluster whose workers play, if it is not this process.
    cluster: Option<Cluster>,
}

impl<G: Game> Default for NetworkEvaluation<G> {
    fn default() -> Self {
        Self {
            yardstick: None,
            cluster: None,
        }
    }
}

/// Strength of a network, and its symmetry under swapping of colours.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct NetworkReport {
    /// Simulations per move, of a network that searches a tree.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub simulations: Option<u32>,
    /// Nodes per move, of a network that searches by alpha-beta.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Games against the baselines.
    pub games: EvaluationReport,
    /// The colour-swap test; `None` in a game without that symmetry.
    pub colour_swap: Option<ColourSwap>,
    /// The network's value of the initial position: expected score of the first player, from 0 to 1.
    pub initial_score: f64,
}

/// Positions of random games, compared with the same after turning the board and swapping the players: the network's
/// output must be equal.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct ColourSwap {
    /// Positions compared.
    pub positions: usize,
    /// Largest difference of any win, draw or loss probability.
    pub largest_difference: f64,
}

impl NetworkReport {
    /// The figures by their names in the metrics of a run.
    pub fn values(&self) -> Vec<(String, f64)> {
        let mut values = Vec::new();
        let mut add = |name: String, value: Option<f64>| values.extend(value.map(|value| (name, value)));
        let rating = &self.games.rating;
        add("eval/elo".into(), rating.elo());
        add("eval/elo_low".into(), rating.interval().low);
        add("eval/elo_high".into(), rating.interval().high);
        for opponent in &self.games.opponents {
            let name = &opponent.baseline;
            let score = opponent.score.as_ref();
            let games = &opponent.games;
            // The games of the score, which is of whole pairs.
            let scored = score.map_or(0, |score| 2 * score.units);
            add(format!("eval/score/{name}"), score.map(|score| score.score));
            add(
                format!("eval/score_low/{name}"),
                score.and_then(|score| score.score_interval.low),
            );
            add(
                format!("eval/score_high/{name}"),
                score.and_then(|score| score.score_interval.high),
            );
            add(format!("eval/games/{name}"), Some(f64::from(scored)));
            add(format!("eval/truncated/{name}"), Some(f64::from(games.truncated)));
        }
        add("eval/seconds".into(), Some(self.games.cost.seconds));
        add("eval/initial_score".into(), Some(self.initial_score));
        add(
            "eval/swap_difference".into(),
            self.colour_swap.map(|swap| swap.largest_difference),
        );
        values
    }
}

impl<G: Playable> NetworkEvaluation<G> {
    /// Evaluations whose games the workers of a cluster play: the same ones.
    pub fn on(cluster: Cluster) -> Self {
        Self {
            yardstick: None,
            cluster: Some(cluster),
        }
    }

    /// Checks that the networks of a run with these settings can be rated, before the first one is.
    ///
    /// # Errors
    /// If an opponent is unknown or listed twice, or there is none although evaluations are requested.
    pub fn check<K: Rated<Game = G>>(settings: &K::Settings) -> anyhow::Result<()> {
        if settings.sections().evaluation.every > 0 {
            let (conditions, baselines) = scale::<K>(settings, K::rules(settings))?;
            Yardstick::without_games(conditions, baselines)?;
        }
        Ok(())
    }

    /// Plays a network against the baselines of its run's configuration. `generation` is that of its checkpoint.
    /// `on_event` is called whenever a pair is finished, with the total number of games, `on_warning` with what goes
    /// wrong on the way to other machines. Games in progress are abandoned when the request's flag is set.
    ///
    /// # Errors
    /// If an opponent is unknown, the network cannot play, or the flag was set.
    pub fn rate<K: Rated<Game = G>>(
        &mut self,
        generation: u64,
        request: &EvaluationRequest<'_, K>,
        on_event: &(dyn Fn(u64, MatchEvent<'_>) + Sync),
        on_warning: &dyn Fn(String),
    ) -> anyhow::Result<NetworkReport> {
        let settings = request.settings.sections().evaluation;
        let pairs = settings.games.div_ceil(2);
        let name = request.checkpoint.file_name().unwrap_or(request.checkpoint.as_os_str());
        let name = name.to_string_lossy();
        // The checkpoint is in a folder of its run.
        let directory = request.checkpoint.join("../..");
        let mut here = Here::default();
        let mut warn = |warning| on_warning(warning);
        let mut elsewhere = match &self.cluster {
            Some(cluster) => {
                let (mut players, mut files) = (Vec::new(), Files::new());
                for (number, opponent) in settings.opponents.iter().enumerate() {
                    let opponent: PlayerSpec = opponent.parse().map_err(wrong_opponent)?;
                    let sent = remote::sent(&opponent, number, cluster.options().mixed, &mut files)?;
                    players.push(RemotePlayer::Spec(sent));
                }
                players.push(K::sent(request, players.len(), &mut files)?);
                Some(Elsewhere {
                    cluster,
                    directory: &directory,
                    purpose: format!("generation {generation}, baselines"),
                    device: request.device,
                    game: game::<K>(request.settings),
                    rules: *request.settings.sections().rules,
                    players,
                    files,
                    in_order: false,
                    warn: &mut warn,
                })
            }
            None => None,
        };
        let yardstick = if let Some(yardstick) = &self.yardstick {
            yardstick
        } else {
            let (conditions, baselines) = scale::<K>(request.settings, request.rules.clone())?;
            // Enough that the errors of the scale add little to that of a rating.
            let among = pairs.max(BASELINE_PAIRS);
            let venue = venue(&mut elsewhere, &mut here);
            let yardstick = Yardstick::new(venue, conditions, baselines, among, request.stop)?;
            self.yardstick.insert(yardstick)
        };
        if let Some(elsewhere) = &mut elsewhere {
            elsewhere.purpose = format!("generation {generation}, evaluation");
        }
        let agent = K::contestant(request, &name)?;
        let all = 2 * u64::from(pairs) * settings.opponents.len() as u64;
        let on_event = |event: MatchEvent<'_>| on_event(all, event);
        let venue = venue(&mut elsewhere, &mut here);
        let games = yardstick.evaluate(venue, &agent, pairs, request.seed, request.stop, &on_event)?;
        let mut opinion = K::opinion(request)?;
        let initial = opinion(&[G::new(request.rules)])?[0];
        let [simulations, nodes] = K::effort(request.settings);
        Ok(NetworkReport {
            simulations: simulations.and_then(|number| u32::try_from(number).ok()),
            nodes,
            games,
            colour_swap: colour_swap(&mut opinion, request.rules, request.seed)?,
            initial_score: initial.score(),
        })
    }
}

/// The workers of a cluster, or else this process.
fn venue<'a, G: Playable>(elsewhere: &'a mut Option<Elsewhere<'_>>, here: &'a mut Here) -> &'a mut dyn Venue<G> {
    match elsewhere {
        Some(elsewhere) => elsewhere,
        None => here,
    }
}

/// The opponent that a text describes.
fn opponent<G: Playable>(spec: &str, game: &str, device: Device) -> anyhow::Result<Contestant<G>> {
    let spec: PlayerSpec = spec.parse().map_err(wrong_opponent)?;
    spec.contestant_for(game, device).map_err(wrong_opponent)
}

fn wrong_opponent(error: impl std::fmt::Display) -> anyhow::Error {
    anyhow!("evaluation.opponents: {error}")
}

/// The game of a run.
fn game<K: Rated>(settings: &K::Settings) -> GameName {
    let (name, _) = settings.game();
    name.parse().expect("a run is of a game that there is")
}

/// The opponents of the networks of a run, and the conditions of play.
#[allow(clippy::type_complexity, reason = "conditions, and who plays under them")]
fn scale<K: Rated>(
    settings: &K::Settings,
    rules: <K::Game as Game>::Rules,
) -> anyhow::Result<(Match<K::Game>, Vec<Contestant<K::Game>>)> {
    let device = K::device(settings).map_err(wrong_opponent)?;
    let game = game::<K>(settings);
    let opponents = settings.sections().evaluation.opponents.iter();
    let opponents = opponents.map(|spec| opponent(spec, game.name(), device));
    let conditions = Match {
        rules,
        openings: Openings::Random { plies: OPENING_PLIES },
        seed: settings.seed(),
        max_plies: MAX_PLIES,
        pairs_at_once: PAIRS_AT_ONCE,
    };
    Ok((conditions, opponents.collect::<anyhow::Result<_>>()?))
}

/// Plies after which an evaluation game is truncated, whatever its rules.
const MAX_PLIES: u32 = 1000;

/// The colour-swap test of a network.
fn colour_swap<G: Playable>(
    opinion: &mut Opinion<'_, G>,
    rules: &G::Rules,
    seed: u64,
) -> anyhow::Result<Option<ColourSwap>> {
    let mut rng = generator(seed, &[]);
    let (mut games, mut swapped, mut actions) = (Vec::new(), Vec::new(), Vec::new());
    let mut game = G::start(rules, &mut rng);
    while games.len() < SWAP_POSITIONS {
        game.legal_actions(&mut actions);
        if actions.is_empty() {
            game = G::start(rules, &mut rng);
            continue;
        }
        game.apply(actions[rng.random_range(0..actions.len())]);
        // Turning a position drops its history, so both begin without any.
        let fresh = G::from_position_text(&game.position_text(), rules);
        let fresh = fresh.expect("a game reads the positions that it writes");
        if fresh.outcome().is_some() || rng.random_range(0..5) > 0 {
            continue;
        }
        match fresh.swapped() {
            Some(other) => {
                games.push(fresh);
                swapped.push(other);
            }
            None => return Ok(None),
        }
    }
    let (one, other) = (opinion(&games)?, opinion(&swapped)?);
    let parts = |wdls: Vec<Wdl>| wdls.into_iter().flat_map(<[f32; 3]>::from);
    let differences = parts(one).zip(parts(other)).map(|(a, b)| f64::from((a - b).abs()));
    Ok(Some(ColourSwap {
        positions: games.len(),
        largest_difference: differences.fold(0.0, f64::max),
    }))
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::sync::atomic::AtomicBool;

    use chase_engine::chase::ChaseEncoding;
    use chase_engine::{Chase, Encode};
    use chase_models::device::Device;
    use chase_models::{Architecture, Network, Precision};
    use chase_training::config::Config;
    use chase_training::kinds::residual::{Residual, ResidualPlayer};
    use chase_training::settings::Setting;

    use super::*;

    fn config(settings: &[&str]) -> Config {
        let settings = Setting::list(settings);
        Config::load(None, &settings).expect("a configuration")
    }

    #[test]
    fn an_evaluation_that_is_not_wanted_any_more_ends() {
        let config = config(&["evaluation.opponents=['random', 'greedy']"]);
        let encoding = ChaseEncoding::default();
        let architecture = Architecture {
            blocks: 1,
            channels: 8,
            pooling: 0,
            ..Architecture::default()
        };
        let shape = Chase::shape(&encoding);
        let network = Network::new(&architecture, shape, Device::Cpu, &mut generator(1, &[])).expect("a network");
        let request = EvaluationRequest::<Residual<Chase>> {
            checkpoint: Path::new("no such checkpoint"),
            player: ResidualPlayer {
                network: &network,
                encoding: &encoding,
                device: Device::Cpu,
                precision: Precision::F32,
            },
            rules: &config.game_rules::<Chase>(),
            device: Device::Cpu,
            settings: &config,
            seed: 1,
            stop: &AtomicBool::new(true),
        };
        let error = NetworkEvaluation::default()
            .rate(1, &request, &|_, _| {}, &|_| {})
            .expect_err("stopped");
        assert!(is_stop(&error));
        assert_eq!(error.to_string(), "stopped");
    }
}
