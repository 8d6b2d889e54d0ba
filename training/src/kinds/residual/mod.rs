//! The residual network: games by tree search, and a learner of policy, value and auxiliary targets.

mod learner;
mod settings;

use std::path::Path;

use chase_models::checkpoint::{self, Checkpoint};
use chase_models::device::{self, DeviceError};
use chase_models::inference::InferenceError;
use chase_models::manifest::{MANIFEST_FILE, Manifest, NetworkOrigin, TrainingProgress};
use chase_models::shared_network::for_threads;
use chase_models::{InferenceNetwork, Network, Precision};
use rayon::{ThreadPool, ThreadPoolBuilder};
use tch::Device;

pub use self::learner::Learner;
#[cfg(test)]
pub(crate) use self::learner::testing;
use super::{Kind, KindFacts, KindSettings, Lesson};
use crate::config::{Config, LearnerConfig};
use crate::game_record::GameRecord;
use crate::learner::LearnError;
use crate::openings::HEURISTIC;
use crate::replay::{Batch, BatchMaker, Buffer, shard};
use crate::seed::{self, Stream};
use crate::selfplay::{self, NetworkEvaluator, Settings};
use crate::store::run_dir::RunDir;
use crate::store::run_state::RunState;
use crate::store::serialised::json;
use crate::training_loop::TrainingError;
use crate::venue::{Finished, Offer, Tick, VenueError};
use chase_engine::Playable;

pub(super) const FACTS: KindFacts = KindFacts {
    name: "residual",
    explores: true,
    value_loss: "Cross-entropy of win, draw and loss. A uniform guess has ln 3 = 1.10, or ln 2 = 0.693 where no game is drawn.",
    on_devices: true,
};

/// Positions that a new network is tried on before it is kept.
// A weight that is not finite shows in every position, so a few are enough.
const SOUND: usize = 8;

/// A residual network in training.
#[derive(Debug)]
pub struct Residual<G: Playable> {
    encoding: G::Encoding,
    device: Device,
    precision: Precision,
    pool: ThreadPool,
    learner: Learner,
    buffer: Buffer<G>,
}

/// A residual network as it plays.
#[derive(Debug)]
pub struct ResidualPlayer<'a, G: Playable> {
    /// The network.
    pub network: &'a Network,
    /// The encoding of its input.
    pub encoding: &'a G::Encoding,
    /// The device to compute on.
    pub device: Device,
    /// The arithmetic of inference.
    pub precision: Precision,
}

impl<G: Playable> Clone for ResidualPlayer<'_, G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Playable> Copy for ResidualPlayer<'_, G> {}

impl<G: Playable> Residual<G> {
    /// The learner.
    pub const fn learner(&self) -> &Learner {
        &self.learner
    }
}

impl<G: Playable> Kind for Residual<G> {
    type Game = G;
    type Settings = Config;
    type Saved = Checkpoint<G>;
    type Player<'a> = ResidualPlayer<'a, G>;
    type Batch = Batch;

    const PLAYING_FILES: &'static [&'static str] = &[MANIFEST_FILE, checkpoint::WEIGHTS_FILE];
    const STEPS_A_RECORD: u64 = 20;

    fn settle(settings: Config) -> Result<Config, TrainingError> {
        let device = Self::device(&settings)?;
        Ok(settings.on(device)?)
    }

    fn device(settings: &Config) -> Result<Device, DeviceError> {
        device::parse(&settings.device)
    }

    fn rules(settings: &Config) -> G::Rules {
        settings.game_rules::<G>()
    }

    /// Measurement games of a generation are played when it is finished, and always by the network.
    fn model(settings: &Config, generation: u64, finished: u64) -> String {
        match finished < generation && generation <= settings.selfplay.heuristic_generations {
            true => HEURISTIC.to_owned(),
            false => shard::generation_folder(finished),
        }
    }

    fn load(settings: &Config, folder: &Path, device: Device) -> Result<Checkpoint<G>, TrainingError> {
        Ok(Checkpoint::load_for(settings.game.name(), folder, device)?)
    }

    fn trained_under(saved: &Checkpoint<G>) -> Option<&str> {
        saved.manifest.origin.config.as_deref()
    }

    fn saved_player<'a>(settings: &Config, saved: &'a Checkpoint<G>, device: Device) -> ResidualPlayer<'a, G> {
        ResidualPlayer {
            network: &saved.network,
            encoding: &saved.encoding,
            device,
            precision: settings.precision.on(saved.network.architecture(), device),
        }
    }

    fn open(
        settings: &Config,
        _: Option<&RunDir>,
        from: Option<(&Path, Checkpoint<G>)>,
    ) -> Result<Self, TrainingError> {
        let device = Self::device(settings)?;
        let pool = ThreadPoolBuilder::new().num_threads(settings.thread_count()).build();
        let pool = pool.map_err(|error| TrainingError::Setup(error.to_string()))?;
        let encoding = settings.game_encoding::<G>();
        let mut learner = Learner::new(
            &settings.learner,
            &settings.network,
            G::shape(&encoding),
            G::mirror(&encoding).as_ref(),
            device,
            &mut seed::generator(settings.seed, Stream::Initialisation, 0, 0),
        )?;
        if let Some((folder, saved)) = from {
            let moments = checkpoint::load_optimizer(folder, &saved.manifest)?;
            learner.restore(&saved.network, &moments, saved.manifest.progress.steps)?;
        }
        Ok(Self {
            encoding,
            device,
            precision: settings.precision.on(&settings.network, device),
            pool,
            learner,
            buffer: Buffer::new(&settings.learner),
        })
    }

    fn steps(&self) -> u64 {
        self.learner.steps()
    }

    fn follow(&mut self, learner: LearnerConfig) {
        self.learner.follow(learner);
    }

    fn warm_up_from(&mut self, step: u64) {
        self.learner.warm_up_from(step);
    }

    fn player(&self) -> ResidualPlayer<'_, G> {
        ResidualPlayer {
            network: self.learner.average(),
            encoding: &self.encoding,
            device: self.device,
            precision: self.precision,
        }
    }

    fn is_sound(&self, rules: &G::Rules) -> Result<bool, LearnError> {
        let (mut game, mut games, mut legal) = (G::new(rules), Vec::new(), Vec::new());
        // Any line will do: what has diverged is wrong everywhere.
        while games.len() < SOUND && game.outcome().is_none() {
            games.push(game.clone());
            game.legal_actions(&mut legal);
            game.apply(legal[7 * games.len() % legal.len()]);
        }
        let average = self.learner.average();
        let planes = G::encode_all(&games, &self.encoding);
        let logits: Vec<i64> = (0..(games.len() * average.shape().policy_size()) as i64).collect();
        let network = InferenceNetwork::new(average, self.device, Precision::F32);
        match network.and_then(|mut network| network.forward(planes.view(), &logits).map(|_| ())) {
            Ok(()) => Ok(true),
            Err(InferenceError::NotFinite) => Ok(false),
            Err(error) => Err(LearnError::Evaluation(error)),
        }
    }

    fn encoding(player: ResidualPlayer<'_, G>) -> String {
        json(player.encoding)
    }

    fn play(offer: &Offer<'_, Self>, finished: &mut Finished<'_, G>, tick: &mut Tick<'_>) -> Result<(), VenueError> {
        let settings = Settings::<G>::new(offer.settings, offer.purpose, offer.generation);
        let threads = offer.groups.len().min(offer.settings.thread_count());
        let player = offer.player;
        for_threads(
            player.network,
            player.device,
            player.precision,
            threads,
            |_| offer.counters.add_shared_batch(),
            |networks| {
                let evaluator = |network| NetworkEvaluator::<G, _>::new(network, player.encoding.clone());
                let mut evaluators: Vec<_> = networks.into_iter().map(evaluator).collect();
                selfplay::play_on(
                    &mut evaluators,
                    offer.groups,
                    offer.carried,
                    &settings,
                    offer.stop,
                    offer.counters,
                    |group, games| Ok(finished(group, games)?),
                    || tick(None),
                )
            },
        )?
    }

    fn rows(&self, records: &[GameRecord<G>]) -> u64 {
        records.iter().map(|record| record.rows() as u64).sum()
    }

    fn add(&mut self, records: &[GameRecord<G>]) {
        self.buffer.add(records);
    }

    fn trim(&mut self, settings: &Config, state: &mut RunState) {
        let rows = settings.window_rows(state.rows);
        self.buffer.trim(rows, settings.replay.max_mib.saturating_mul(1 << 20));
        state.trim_shards(self.buffer.rows());
    }

    fn window(&self) -> (u64, u64) {
        (self.buffer.rows(), self.buffer.bytes() as u64)
    }

    fn lesson(&mut self, settings: &Config, generation: u64, steps: u64) -> Result<Lesson<'_, Batch>, TrainingError> {
        let batch = settings.learner.batch as usize;
        let mut rng = seed::generator(settings.seed, Stream::Replay, generation, 0);
        let rows = self.buffer.draw(steps as usize * batch, &mut rng);
        if steps > 0 && rows.is_empty() {
            return Err(TrainingError::EmptyWindow(settings.replay.max_mib));
        }
        let maker = BatchMaker::<G>::new(self.encoding.clone(), &settings.replay, &settings.learner);
        let (pool, buffer, learner) = (&self.pool, &self.buffer, &mut self.learner);
        let make = move |step: usize| pool.install(|| maker.make(buffer, &rows[step * batch..][..batch]));
        let in_parts = settings.learner.replicas > 1;
        Ok(Lesson {
            batches: Box::new((0..steps as usize).map(make)),
            step: Box::new(move |batch, progress| match in_parts {
                true => pool.install(|| learner.step(batch, progress)),
                false => learner.step(batch, progress),
            }),
        })
    }

    fn save(&self, folder: &Path, state: &RunState, origin: NetworkOrigin) -> Result<(), TrainingError> {
        let progress = TrainingProgress {
            steps: self.steps(),
            samples: state.samples,
            games: state.games,
        };
        let average = self.learner.average();
        let manifest = Manifest::new::<G>(&self.encoding, average.architecture(), progress, origin)
            .map_err(|error| TrainingError::Setup(error.to_string()))?;
        checkpoint::save(folder, manifest, average, &self.learner.state())?;
        Ok(())
    }
}
