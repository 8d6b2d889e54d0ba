//! A rough estimate of the time that a study will take on this machine.

use std::collections::HashMap;
use std::time::Duration;

use chase_engine::{Game, GameName, Playable, Shape, with_game};
use chase_models::network::NetworkError;
use chase_models::{InferenceNetwork, Network, Precision, device, speed};
use chase_statistics::generator;
use chase_training::config::Config;
use itertools::Itertools;
use rand::RngExt;

use crate::config::{AgentEntry, BalanceConfig};
use crate::error::BalanceError;

/// Positions in a measured batch.
const BATCH: usize = 64;
/// Time of a measurement.
const MEASURED: Duration = Duration::from_millis(50);
/// Random games whose length stands for that of an agent's games.
const RANDOM_GAMES: u64 = 8;
/// A step on a row costs about as much as this many evaluations in 32 bits.
const STEP: f64 = 4.0;
/// Factor by which the tree and the rules increase the time of the network.
const OVERHEAD: f64 = 1.3;

/// The work of one agent, in units that are the same on any machine.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Work {
    /// Simulations of self-play.
    selfplay: f64,
    /// Rows in all batches of the learner.
    samples: f64,
    /// Simulations of measurement games, ladder and first moves, if its games are as long as random ones.
    measurement: f64,
}

/// Speeds of a network: evaluations per second in play, and in 32 bits.
type Speeds = [f64; 2];

/// Estimated seconds of one core, or of the GPU, for each of some agents of a study on this machine.
///
/// # Errors
/// If the settings are not valid, or the device has no room for a network.
pub fn estimates(config: &BalanceConfig, agents: &[AgentEntry]) -> Result<Vec<f64>, BalanceError> {
    let mut known = HashMap::new();
    let games = agents.iter().map(|entry| entry.game).unique();
    let of_game = |game| Ok((game, with_game!(game, G => seconds::<G>(config, game, &mut known))?));
    let seconds: HashMap<GameName, f64> = games.map(of_game).collect::<Result<_, BalanceError>>()?;
    Ok(agents.iter().map(|entry| seconds[&entry.game]).collect())
}

/// Estimated seconds for an agent of a game; variants with equal networks and inputs are measured once.
fn seconds<G: Playable>(
    config: &BalanceConfig,
    game: GameName,
    known: &mut HashMap<String, Speeds>,
) -> Result<f64, BalanceError> {
    let training = config.training(AgentEntry { game, agent: 1 })?;
    let random = random_games::<G>(&training.game_rules::<G>(), config.measurement.max_plies);
    let work = work(config, &training, &random);
    let shape = G::shape(&training.game_encoding::<G>());
    let key = format!("{shape:?} {}", training.network.name());
    let [play, learn] = match known.get(&key) {
        Some(&known) => known,
        None => *known.entry(key).or_insert(speeds(config, &training, shape)?),
    };
    Ok(OVERHEAD * (work.selfplay + work.measurement) / play + STEP * work.samples / learn)
}

/// Measures the network of a game.
fn speeds(config: &BalanceConfig, training: &Config, shape: Shape) -> Result<Speeds, BalanceError> {
    let device = device::parse(&config.device)?;
    let network = Network::new(&training.network, shape, device, &mut generator(1, &[]))?;
    let measure = |precision| -> Result<f64, NetworkError> {
        let mut network = InferenceNetwork::new(&network, device, precision)?;
        Ok(speed::evaluations_per_second(&mut network, BATCH, MEASURED)?)
    };
    let playing = training.precision.on(&training.network, device);
    Ok([measure(playing)?, measure(Precision::F32)?])
}

/// Mean length of random games, and the number of first moves.
struct RandomGames {
    plies: f64,
    first_moves: f64,
}

fn random_games<G: Game>(rules: &G::Rules, most: u32) -> RandomGames {
    let (mut plies, mut first_moves) = (0.0, 0.0);
    let mut legal = Vec::new();
    for number in 0..RANDOM_GAMES {
        let rng = &mut generator(7, &[number]);
        let mut game = G::start(rules, rng);
        game.legal_actions(&mut legal);
        first_moves += legal.len() as f64 / RANDOM_GAMES as f64;
        while !legal.is_empty() && game.plies() < most {
            game.apply(legal[rng.random_range(0..legal.len())]);
            game.legal_actions(&mut legal);
        }
        plies += f64::from(game.plies()) / RANDOM_GAMES as f64;
    }
    RandomGames { plies, first_moves }
}

fn work(config: &BalanceConfig, training: &Config, random: &RandomGames) -> Work {
    let search = &training.search;
    let fast = (1.0 - search.full_share) / search.full_share * f64::from(search.fast_simulations);
    let [small, large] = config.measurement.simulations.map(f64::from);
    let games = f64::from(config.measurement.games);
    let rungs = f64::from(config.ladder.rungs);
    // Against random play and bare policies one side searches only.
    let others = 1.0 + config.ladder.temperatures.len() as f64;
    let ladder = 2.0 * f64::from(config.ladder.pairs) * (rungs * (rungs - 1.0) / 2.0 + rungs * others / 2.0);
    let starts = f64::from(config.first_moves.starts);
    Work {
        selfplay: config.rows as f64 * (f64::from(search.simulations) + fast),
        samples: config.rows as f64 * training.replay.reuse,
        measurement: random.plies * (games * (small + large) + ladder * f64::from(config.ladder.simulations))
            + starts * random.first_moves * large,
    }
}

#[cfg(test)]
mod tests {
    use chase_engine::ConnectFour;
    use chase_training::settings::Setting;

    use super::*;

    #[test]
    fn work_is_counted_in_simulations() {
        let settings = [
            "rows=1000",
            "train.search.simulations=10",
            "train.search.fast_simulations=4",
            "train.search.full_share=0.5",
            "train.replay.reuse=2.0",
            "measurement.games=10",
            "measurement.simulations=[5, 15]",
            "ladder.rungs=2",
            "ladder.temperatures=[4.0]",
            "ladder.pairs=1",
            "ladder.simulations=3",
            "first_moves.starts=1",
        ];
        let config = BalanceConfig::load(None, &settings.map(Setting::from)).expect("a configuration");
        let entry = AgentEntry {
            game: GameName::ConnectFour,
            agent: 1,
        };
        let training = config.training(entry).expect("valid");
        let random = RandomGames {
            plies: 20.0,
            first_moves: 7.0,
        };
        let found = work(&config, &training, &random);
        // Ladder: two games of two searching sides, and four times two with one.
        let expected = Work {
            selfplay: 14_000.0,
            samples: 2000.0,
            measurement: 20.0 * (200.0 + 6.0 * 3.0) + 7.0 * 15.0,
        };
        assert_eq!(found, expected);
        let random = random_games::<ConnectFour>(&(), 1000);
        assert!(random.first_moves == 7.0 && (10.0..40.0).contains(&random.plies));
    }
}
