//! The efficiently updatable network ([`chase_nnue`]): games by alpha-beta search, and a learner of sparse inputs.
//!
//! | module | subject, in the order of a generation |
//! |---|---|
//! | [`config`] | every number that a run depends on |
//! | [`heuristic`] | the judgement that the first games are played by |
//! | `selfplay` | games by alpha-beta search, the same on any number of threads |
//! | [`rows`] | positions of these games, and of other runs |
//! | [`learner`] | from positions to better weights |
//! | `checkpoint` | networks with their provenance, and the state of the learner |
//!
//! # Example
//!
//! A network learns that a position is lost, and is quantised:
//!
//! ```
//! use chase_engine::{Chase, Game};
//! use chase_nnue::Network;
//! use chase_training::kinds::nnue::config::Config;
//! use chase_training::kinds::nnue::learner::Learner;
//! use chase_training::kinds::nnue::rows::Rows;
//! use chase_training::settings::Settings;
//!
//! let config = Config::load(None, &["network.width=32".into(), "learner.rate=0.01".into()])?;
//! let mut learner = Learner::new(&config)?;
//! let game = Chase::new(&Default::default());
//! let mut rows = Rows::default();
//! rows.add(&game, 0.1);
//! for _ in 0..200 {
//!     learner.step(&rows, 0.0)?;
//! }
//! let network = Network::quantise(&learner.weights()?)?;
//! // The logit of 0.1 is −2.2, in thousandths.
//! assert!((network.evaluate(&game) + 2200).abs() < 300);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod checkpoint;
pub mod config;
pub mod heuristic;
pub mod learner;
pub mod rows;
mod selfplay;

use std::marker::PhantomData;
use std::path::Path;

use chase_engine::{GameName, Playable, SparseView};
use chase_models::device::DeviceError;
use chase_models::manifest::{MANIFEST_FILE, NetworkOrigin};
use chase_nnue::{NETWORK_FILE, Network, StoredNetwork};
use tch::Device;

pub use self::checkpoint::SavedNetwork;
use self::config::Config;
use self::learner::{Learner, quantised_loss};
use self::rows::{DataFacts, Pool, RowMaker, Rows, Split, read_data};
use super::{Kind, KindFacts, Lesson};
use crate::config::LearnerConfig;
use crate::game_record::GameRecord;
use crate::openings::HEURISTIC;
use crate::replay::shard;
use crate::store::files;
use crate::store::run_dir::RunDir;
use crate::store::run_state::RunState;
use crate::store::serialised::pretty_json;
use crate::training_loop::TrainingError;
use crate::venue::{Finished, Offer, Tick, VenueError};

pub(super) const FACTS: KindFacts = KindFacts {
    name: config::KIND,
    explores: false,
    value_loss: "Cross-entropy of the expected score. A uniform guess has ln 2 = 0.693.",
    on_devices: false,
};

/// The list of the games of `data`.
const DATA_FILE: &str = "data.json";

/// An efficiently updatable network in training.
#[derive(Debug)]
pub struct Nnue<G> {
    game: GameName,
    learner: Learner,
    /// As it plays.
    network: Network,
    maker: RowMaker,
    pool: Pool,
    data: Vec<DataFacts>,
    /// The network that the run began with; `None` for random weights.
    start: Option<String>,
    type_of_game: PhantomData<fn() -> G>,
}

impl<G: Playable> Nnue<G> {
    fn rows_of(&self, records: &[GameRecord<G>]) -> Split {
        let mut split = Split::default();
        for record in records {
            self.maker.add(record, &mut split);
        }
        split
    }
}

/// A learner that begins with the network that a configuration names, or else with random weights; and for the
/// provenance, what it began with.
fn first(config: &Config) -> Result<(Learner, Option<String>), TrainingError> {
    let Some(path) = &config.network.start else {
        return Ok((Learner::new(config)?, None));
    };
    let StoredNetwork { weights, sha256, .. } = StoredNetwork::read(path)?.of(config.game.name(), path)?;
    let learner = Learner::beginning_with(config, &weights)?;
    let (name, width) = (path.display(), weights.width());
    Ok((learner, Some(format!("{name}, width {width}, SHA-256 {sha256}"))))
}

impl<G: Playable> Kind for Nnue<G> {
    type Game = G;
    type Settings = Config;
    type Saved = SavedNetwork;
    type Player<'a> = &'a Network;
    type Batch = Rows;

    const PLAYING_FILES: &'static [&'static str] = &[MANIFEST_FILE, NETWORK_FILE];
    const STEPS_A_RECORD: u64 = 50;

    /// A step touches few numbers of the large first layer, and what is left is too small for another device.
    fn device(_: &Config) -> Result<Device, DeviceError> {
        Ok(Device::Cpu)
    }

    fn rules(settings: &Config) -> G::Rules {
        settings.game_rules::<G>()
    }

    fn load(settings: &Config, folder: &Path, _: Device) -> Result<SavedNetwork, TrainingError> {
        SavedNetwork::read(folder, settings.game)
    }

    fn trained_under(saved: &SavedNetwork) -> Option<&str> {
        saved.trained_under()
    }

    fn saved_player<'a>(_: &Config, saved: &'a SavedNetwork, _: Device) -> &'a Network {
        saved.network()
    }

    fn open(
        settings: &Config,
        run: Option<&RunDir>,
        from: Option<(&Path, SavedNetwork)>,
    ) -> Result<Self, TrainingError> {
        let known: Option<Vec<DataFacts>> = match run {
            Some(run) => Some(files::read_json(&run.path().join(DATA_FILE))?),
            None => None,
        };
        let maker = RowMaker::new(settings);
        let (mut data, mut rows) = (Vec::new(), Vec::new());
        for (place, path) in settings.data.iter().enumerate() {
            let known = known.as_ref().and_then(|known| known.get(place));
            let (facts, found) = read_data::<G>(path, known, &settings.game_rules::<G>(), &maker)?;
            data.push(facts);
            rows.push(found);
        }
        let (learner, start) = match from {
            Some((folder, saved)) => saved.learner(settings, folder)?,
            None => first(settings)?,
        };
        Ok(Self {
            game: settings.game,
            network: Network::quantise(&learner.weights()?)?,
            learner,
            maker,
            pool: Pool {
                data: rows,
                ..Pool::default()
            },
            data,
            start,
            type_of_game: PhantomData,
        })
    }

    fn files(&self) -> Vec<(&'static str, Vec<u8>)> {
        vec![(DATA_FILE, pretty_json(&self.data).into_bytes())]
    }

    fn note(&self) -> Option<String> {
        let rows = |of: fn(&Split) -> usize| self.pool.data.iter().map(of).sum::<usize>();
        let (learned, held_out) = (rows(|split| split.learned.len()), rows(|split| split.held_out.len()));
        let data = format!("{learned} rows of data to learn from, {held_out} to measure on");
        let data = (!self.data.is_empty()).then_some(data);
        let start = self.start.as_ref().map(|start| format!("it began with {start}"));
        let notes: Vec<String> = data.into_iter().chain(start).collect();
        (!notes.is_empty()).then(|| notes.join("; "))
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

    fn player(&self) -> &Network {
        &self.network
    }

    fn encoding(_: &Network) -> String {
        format!("\"nnue inputs {}\"", G::Sparse::INPUTS.version)
    }

    fn model(settings: &Config, generation: u64, finished: u64) -> String {
        match settings.is_judged_by_network(generation) {
            true => shard::generation_folder(finished),
            false => HEURISTIC.to_owned(),
        }
    }

    fn counts_nodes(_: &Config, _: u64) -> bool {
        true
    }

    fn play(offer: &Offer<'_, Self>, finished: &mut Finished<'_, G>, tick: &mut Tick<'_>) -> Result<(), VenueError> {
        selfplay::play(offer, finished, tick)
    }

    fn rows(&self, records: &[GameRecord<G>]) -> u64 {
        self.rows_of(records).count() as u64
    }

    fn add(&mut self, records: &[GameRecord<G>]) {
        self.pool.window.push_back(self.rows_of(records));
    }

    /// By whole shards.
    fn trim(&mut self, settings: &Config, state: &mut RunState) {
        self.pool.trim(settings.replay.window_rows);
        let dropped = state.shards.len() - self.pool.window.len();
        state.shards.drain(..dropped);
    }

    fn window(&self) -> (u64, u64) {
        (self.pool.learned(), self.pool.bytes())
    }

    fn lesson(&mut self, settings: &Config, generation: u64, steps: u64) -> Result<Lesson<'_, Rows>, TrainingError> {
        if self.pool.learned() == 0 {
            return Err(TrainingError::NoRows);
        }
        let mut rng = chase_engine::seed::named("nnue-replay", &[settings.seed, generation]);
        let (batch, pool, learner) = (settings.learner.batch as usize, &self.pool, &mut self.learner);
        Ok(Lesson {
            batches: Box::new((0..steps).map(move |_| pool.draw(batch, &mut rng))),
            step: Box::new(|rows, progress| learner.step(rows, progress)),
        })
    }

    fn learned(&mut self) -> Result<Vec<(&'static str, f64)>, TrainingError> {
        self.network = Network::quantise(&self.learner.weights()?)?;
        let loss = self.learner.loss(self.pool.held_out())?;
        let quantised = quantised_loss(&self.network, self.pool.held_out());
        Ok(vec![("eval/validation_loss", loss), ("eval/quantised_loss", quantised)])
    }

    fn save(&self, folder: &Path, state: &RunState, origin: NetworkOrigin) -> Result<(), TrainingError> {
        checkpoint::save(folder, self, state, origin)
    }
}
