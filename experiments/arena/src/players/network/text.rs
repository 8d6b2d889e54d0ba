//! A network that searches, as a short text.

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use chase_engine::search::{GumbelParams, PuctParams, SearchParams, Strategy};
use chase_models::Precision;
use chase_models::device::Device;
use chase_training::run_state::RunStateError;
use chase_training::training_loop::checkpoint_folder;

use super::search_agent::SearchSettings;
use crate::players::options::{AgentSpecError, integer, key_values};

/// A network that searches.
#[derive(Clone, Debug, PartialEq)]
pub struct NetworkSpec {
    /// A checkpoint or a run.
    pub path: PathBuf,
    /// Simulations a decision; `None` for as many as the time allows, or [`NetworkSpec::SIMULATIONS`] without a limit
    /// of time.
    pub simulations: Option<u32>,
    /// Time a decision.
    pub time: Option<Duration>,
    /// The strategy.
    pub search: SearchKind,
    /// Leaves of a tree that PUCT has evaluated together; `None` for the usual number.
    pub batch: Option<u32>,
    /// Weight of priors in PUCT.
    pub c_puct: f32,
    /// Temperature of priors in PUCT.
    pub prior_temperature: f32,
    /// Temperature of the first plies.
    pub temperature: f32,
    /// How many plies those are.
    pub temperature_plies: u32,
    /// Arithmetic of the network; `None` for the faster one of the machine.
    pub precision: Option<Precision>,
}

/// The strategy of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SearchKind {
    /// PUCT without noise.
    Puct,
    /// Gumbel without noise.
    Gumbel,
}

/// Plies with a temperature if nothing else is said.
const TEMPERATURE_PLIES: u32 = 8;

impl NetworkSpec {
    /// Simulations a decision if nothing limits them.
    pub const SIMULATIONS: u32 = 200;

    /// Flattens the priors: networks of self-play with few simulations are so sure of an action that a long search looks at
    /// hardly another. Measured in studies 0013 and 0014.
    pub const PRIOR_TEMPERATURE: f32 = 2.0;

    /// The most leaves of a tree that are evaluated together if one game is played at a time: as many as a network is
    /// nearly as fast with as it ever is. In trees of less than a thousand visits there are fewer.
    pub const BATCH: u32 = 32;

    /// A network with default settings.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self {
            path: path.into(),
            simulations: None,
            time: None,
            search: SearchKind::Puct,
            batch: None,
            c_puct: PuctParams::default().c_puct,
            prior_temperature: Self::PRIOR_TEMPERATURE,
            temperature: 0.0,
            temperature_plies: 0,
            precision: None,
        }
    }

    /// The folder of the checkpoint itself.
    ///
    /// # Errors
    /// If the path is a run whose state is damaged.
    pub fn checkpoint(&self) -> Result<PathBuf, RunStateError> {
        checkpoint_folder(&self.path)
    }

    /// How it searches and chooses in matches, where without a limit of time batches go across games.
    pub fn settings(&self) -> SearchSettings {
        self.settings_with_batch(if self.time.is_some() { Self::BATCH } else { 1 })
    }

    /// How it searches and chooses where one game is played at a time.
    pub fn settings_alone(&self) -> SearchSettings {
        self.settings_with_batch(Self::BATCH)
    }

    fn settings_with_batch(&self, usual: u32) -> SearchSettings {
        let strategy = match self.search {
            SearchKind::Puct => Strategy::Puct(PuctParams {
                c_puct: self.c_puct,
                prior_temperature: self.prior_temperature,
                leaves: self.batch.unwrap_or(usual),
                ..PuctParams::default()
            }),
            SearchKind::Gumbel => Strategy::Gumbel(GumbelParams {
                prior_temperature: self.prior_temperature,
                noise_scale: 0.0,
                ..GumbelParams::default()
            }),
        };
        let unlimited = self.time.map_or(Self::SIMULATIONS, |_| u32::MAX);
        SearchSettings {
            params: SearchParams {
                simulations: self.simulations.unwrap_or(unlimited),
                strategy,
                skip_forced: true,
            },
            time: self.time,
            temperature: self.temperature,
            temperature_plies: self.temperature_plies,
        }
    }

    /// The arithmetic of the network where one game is played at a time.
    pub(crate) fn precision_alone(&self, settings: &SearchSettings, device: Device) -> Precision {
        let leaves = match settings.params.strategy {
            Strategy::Puct(params) => params.leaves,
            Strategy::Gumbel(_) => 1,
        };
        let usual = || Precision::fastest_for(device, leaves as usize);
        self.precision.unwrap_or_else(usual)
    }

    pub(crate) fn read(spec: &str, options: &str) -> Result<Self, AgentSpecError> {
        let (path, options) = match options.split_once(',') {
            Some((path, options)) => (path, Some(options)),
            None => (options, None),
        };
        if path.is_empty() {
            return Err(AgentSpecError::Missing {
                spec: spec.to_owned(),
                expected: "a checkpoint or a run, as in net:runs/quick-1,simulations=200",
            });
        }
        let mut read = Self::new(path);
        let options = options.map_or(Ok(Vec::new()), |options| key_values(spec, options))?;
        for (key, value) in &options {
            read.set(spec, key, value)?;
        }
        if read.temperature > 0.0 && !options.iter().any(|&(key, _)| key == "temperature-plies") {
            read.temperature_plies = TEMPERATURE_PLIES;
        }
        let wrong = |key, value: &str, expected| AgentSpecError::value(spec, key, value, expected);
        // What would be ignored is a mistake.
        let given = |key| options.iter().find(|&&(given, _)| given == key);
        if let (SearchKind::Gumbel, Some((key, value))) = (read.search, given("c-puct")) {
            return Err(wrong(key, value, "no c-puct with search=gumbel"));
        }
        if let (true, Some((key, value))) = (read.temperature <= 0.0, given("temperature-plies")) {
            return Err(wrong(key, value, "a temperature above 0 beside it"));
        }
        match (read.search, read.batch) {
            (SearchKind::Gumbel, Some(batch)) => Err(wrong("batch", &batch.to_string(), "no batch with search=gumbel")),
            (SearchKind::Gumbel, None) if read.time.is_some() && read.simulations.is_none() => {
                let expected = "simulations beside it, which sequential halving plans with, or puct";
                Err(wrong("search", "gumbel", expected))
            }
            _ => Ok(read),
        }
    }

    fn set(&mut self, spec: &str, key: &str, value: &str) -> Result<(), AgentSpecError> {
        let wrong = |expected| AgentSpecError::value(spec, key, value, expected);
        let number = |least: f32, expected| {
            let read = value.parse().ok().filter(|x: &f32| x.is_finite() && *x >= least);
            read.ok_or_else(|| wrong(expected))
        };
        let count = |most, expected| integer(value, 0..=most).ok_or_else(|| wrong(expected));
        match key {
            "simulations" => self.simulations = Some(count(10_000_000, "an integer from 0 to 10000000")? as u32),
            "ms" => {
                let expected = "milliseconds from 1 to 3600000";
                let ms = count(3_600_000, expected)?;
                if ms == 0 {
                    return Err(wrong(expected));
                }
                self.time = Some(Duration::from_millis(ms));
            }
            "search" => {
                self.search = match value {
                    "puct" => SearchKind::Puct,
                    "gumbel" => SearchKind::Gumbel,
                    _ => return Err(wrong("puct or gumbel")),
                }
            }
            "batch" => {
                let expected = "an integer from 1 to 1024";
                let batch = count(PuctParams::MOST_LEAVES.into(), expected)?;
                if batch == 0 {
                    return Err(wrong(expected));
                }
                self.batch = Some(batch as u32);
            }
            "c-puct" => self.c_puct = number(f32::MIN_POSITIVE, "a number above 0")?,
            "prior-temperature" => self.prior_temperature = number(f32::MIN_POSITIVE, "a number above 0")?,
            "temperature" => self.temperature = number(0.0, "a number from 0")?,
            "temperature-plies" => self.temperature_plies = count(100_000, "an integer from 0 to 100000")? as u32,
            "precision" => {
                self.precision = match value {
                    "f32" => Some(Precision::F32),
                    "bf16" => Some(Precision::Bf16),
                    _ => return Err(wrong("f32 or bf16")),
                }
            }
            _ => {
                return Err(AgentSpecError::Key {
                    spec: spec.to_owned(),
                    key: key.to_owned(),
                    expected: "simulations, ms, search, batch, c-puct, prior-temperature, temperature, \
                               temperature-plies or precision",
                });
            }
        }
        Ok(())
    }
}

impl fmt::Display for NetworkSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "net:{}", self.path.display())?;
        if let Some(simulations) = self.simulations {
            write!(f, ",simulations={simulations}")?;
        }
        if let Some(time) = self.time {
            write!(f, ",ms={}", time.as_millis())?;
        }
        if self.search == SearchKind::Gumbel {
            f.write_str(",search=gumbel")?;
        }
        if let Some(batch) = self.batch {
            write!(f, ",batch={batch}")?;
        }
        if self.c_puct != PuctParams::default().c_puct {
            write!(f, ",c-puct={}", self.c_puct)?;
        }
        if self.prior_temperature != Self::PRIOR_TEMPERATURE {
            write!(f, ",prior-temperature={}", self.prior_temperature)?;
        }
        if self.temperature > 0.0 {
            write!(f, ",temperature={}", self.temperature)?;
            if self.temperature_plies != TEMPERATURE_PLIES {
                write!(f, ",temperature-plies={}", self.temperature_plies)?;
            }
        }
        if let Some(precision) = self.precision {
            write!(f, ",precision={precision}")?;
        }
        Ok(())
    }
}
