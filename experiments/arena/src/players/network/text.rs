//! The text form of a network that searches.

use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use chase_engine::search::{GumbelParams, PuctParams, SearchParams, Strategy};
use chase_models::Precision;
use chase_models::device::Device;
use chase_training::store::run_dir::RunDirError;
use chase_training::training_loop::checkpoint_folder;

use super::level::{ALL_PLIES, LEVELS};
use super::load::fused_precision;
use super::search_agent::SearchSettings;
use crate::players::TEMPERATURE_PLIES;
use crate::players::grammar::{PlayerSpecError, TextForm, TextOption, Values};

/// A network that searches.
#[derive(Clone, Debug, PartialEq)]
pub struct NetworkSpec {
    /// A checkpoint or a run.
    pub path: PathBuf,
    /// Simulations per decision; `None` for as many as the time allows, or [`NetworkSpec::SIMULATIONS`] without a time
    /// limit.
    pub simulations: Option<u32>,
    /// Time limit per decision.
    pub time: Option<Duration>,
    /// The strategy.
    pub search: SearchKind,
    /// Leaves of a tree that are evaluated together in PUCT; `None` for the default.
    pub batch: Option<u32>,
    /// Weight of priors in PUCT.
    pub c_puct: f32,
    /// Temperature of priors in PUCT.
    pub policy_temperature: f32,
    /// Temperature of the choice in the first plies.
    pub temperature: f32,
    /// Number of these plies.
    pub temperature_plies: u32,
    /// Arithmetic of the network; `None` for the faster one on the machine.
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

impl NetworkSpec {
    /// Default simulations per decision.
    pub const SIMULATIONS: u32 = 200;

    /// Flattens the priors: networks trained by self-play with few simulations are so sure of an action that a long
    /// search hardly considers another. Measured in studies 0013 and 0014.
    pub const POLICY_TEMPERATURE: f32 = 2.0;

    /// Most leaves of a tree that are evaluated together if one game is played at a time: a network is nearly at its
    /// full speed with this many. Trees with fewer than a thousand visits use fewer.
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
            policy_temperature: Self::POLICY_TEMPERATURE,
            temperature: 0.0,
            temperature_plies: 0,
            precision: None,
        }
    }

    /// Plays at a level, from 1 to 10; others have no effect.
    pub fn set_level(&mut self, number: u32) {
        let level = (number as usize).checked_sub(1).and_then(|index| LEVELS.get(index));
        if let Some(level) = level {
            self.simulations = Some(level.simulations);
            self.policy_temperature = level.policy_temperature;
            self.temperature = level.temperature;
            self.temperature_plies = if level.temperature > 0.0 { ALL_PLIES } else { 0 };
        }
    }

    /// The folder of the checkpoint.
    ///
    /// # Errors
    /// If the path is a run with damaged state.
    pub fn checkpoint(&self) -> Result<PathBuf, RunDirError> {
        checkpoint_folder(&self.path)
    }

    /// Its settings in matches, where batches go across games unless there is a time limit.
    pub fn settings(&self) -> SearchSettings {
        self.settings_with_batch(if self.time.is_some() { Self::BATCH } else { 1 })
    }

    /// Its settings where one game is played at a time.
    pub fn settings_alone(&self) -> SearchSettings {
        self.settings_with_batch(Self::BATCH)
    }

    /// With this many leaves at a time, or as many as the player says. The kernel of this program gains nothing by
    /// batches, and each leaf of a batch is chosen without knowing the others' values.
    fn settings_with_batch(&self, usual: u32) -> SearchSettings {
        let usual = match self.precision {
            Some(precision) if precision.is_fused() => 1,
            _ => usual,
        };
        let strategy = match self.search {
            SearchKind::Puct => Strategy::Puct(PuctParams {
                c_puct: self.c_puct,
                policy_temperature: self.policy_temperature,
                leaves: self.batch.unwrap_or(usual),
                ..PuctParams::default()
            }),
            SearchKind::Gumbel => Strategy::Gumbel(GumbelParams {
                policy_temperature: self.policy_temperature,
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

    /// The player as it plays in matches with this checkpoint on a device of this machine: with a time limit as
    /// [`NetworkSpec::fastest_here`], since the choices depend on the machine's speed anyway.
    #[must_use]
    pub fn here(&self, checkpoint: &Path, device: Device) -> Self {
        match self.time {
            Some(_) => self.fastest_here(checkpoint, device),
            None => self.clone(),
        }
    }

    /// The player with the kernel of this program, where a search does best with it on a device of this machine and the
    /// player names no precision.
    #[must_use]
    pub fn fastest_here(&self, checkpoint: &Path, device: Device) -> Self {
        let mut player = self.clone();
        if player.precision.is_none() {
            player.precision = fused_precision(checkpoint, device);
        }
        player
    }

    /// Arithmetic of the network in matches.
    pub fn precision_in_matches(&self, device: Device) -> Precision {
        match self.time {
            // Batches go across games.
            None => self.precision.unwrap_or_else(|| Precision::fastest(device)),
            Some(_) => self.precision_alone(&self.settings(), device),
        }
    }

    /// Arithmetic of the network where one game is played at a time.
    pub(crate) fn precision_alone(&self, settings: &SearchSettings, device: Device) -> Precision {
        let leaves = match settings.params.strategy {
            Strategy::Puct(params) => params.leaves,
            Strategy::Gumbel(_) => 1,
        };
        let usual = || Precision::fastest_for(device, leaves as usize);
        self.precision.unwrap_or_else(usual)
    }

    pub(crate) fn read(spec: &str, options: &str) -> Result<Self, PlayerSpecError> {
        let (path, options) = FORM.path_and_options(spec, options, "a checkpoint or a run")?;
        let mut read = Self::new(path);
        let given = FORM.read(spec, options, &mut read)?;
        let given = |key| given.iter().find(|&&(given, _)| given == key);
        if read.temperature > 0.0 && given("temperature-plies").is_none() && given("level").is_none() {
            read.temperature_plies = TEMPERATURE_PLIES;
        }
        // Options without effect are errors.
        let gumbel = read.search == SearchKind::Gumbel;
        let mistakes = [
            (gumbel, "c-puct", "no c-puct with search=gumbel"),
            (
                read.temperature <= 0.0,
                "temperature-plies",
                "a temperature above 0 as well",
            ),
            (gumbel, "batch", "no batch with search=gumbel"),
            (
                gumbel && read.time.is_some() && read.simulations.is_none(),
                "search",
                "simulations as well, which sequential halving plans with, or puct",
            ),
        ];
        if given("level").is_some() {
            let set = [
                "simulations",
                "ms",
                "search",
                "policy-temperature",
                "temperature",
                "temperature-plies",
            ];
            if let Some((key, value)) = set.into_iter().find_map(given) {
                let expected = format!("no {key} with level, which sets it");
                return Err(PlayerSpecError::value(spec, key, value, expected));
            }
        }
        for (mistaken, key, expected) in mistakes {
            if let (true, Some((key, value))) = (mistaken, given(key)) {
                return Err(PlayerSpecError::value(spec, key, value, expected));
            }
        }
        Ok(read)
    }
}

/// Text form of a network that searches.
pub(crate) static FORM: TextForm<NetworkSpec> = TextForm {
    name: "net",
    argument: Some("PATH"),
    meaning: "A network that searches. PATH is a checkpoint, a run (its newest checkpoint is used) or a built-in agent, \
              agent-71 or agent-41; it cannot hold a comma.",
    example: "net:runs/quick-1,simulations=200",
    limits: &[],
    options: &[
        TextOption {
            key: "simulations",
            values: Values::Integer("an integer", 0..=10_000_000, |net, simulations| {
                net.simulations = Some(simulations as u32);
            }),
            default: "200; no limit with ms",
            meaning: "Simulations for a decision; with ms the most.",
            get: |net| Some(net.simulations?.to_string()),
        },
        TextOption {
            key: "ms",
            values: Values::Integer("milliseconds", 1..=3_600_000, |net, ms| {
                net.time = Some(Duration::from_millis(ms));
            }),
            default: "no limit",
            meaning: "Time for a decision, on one core.",
            get: |net| Some(net.time?.as_millis().to_string()),
        },
        TextOption {
            key: "search",
            values: Values::Word(&["puct", "gumbel"], |net, word| {
                net.search = match word {
                    "gumbel" => SearchKind::Gumbel,
                    _ => SearchKind::Puct,
                };
            }),
            default: "puct",
            meaning: "Search strategy, without noise. gumbel plans with simulations, and needs them if there is a limit in ms.",
            get: |net| (net.search == SearchKind::Gumbel).then(|| "gumbel".to_owned()),
        },
        TextOption {
            key: "batch",
            values: Values::Integer("an integer", 1..=PuctParams::MOST_LEAVES as u64, |net, batch| {
                net.batch = Some(batch as u32);
            }),
            default: "32 if one game is played at a time (with ms, or for a runner), else 1; 1 with the fused kernel",
            meaning: "The most leaves of one tree that PUCT has evaluated together; beyond 8, one for every 32 visits of the \
                      root. Not with gumbel.",
            get: |net| Some(net.batch?.to_string()),
        },
        TextOption {
            key: "c-puct",
            values: Values::Number("a number above 0", |net, weight| {
                net.c_puct = weight;
                weight >= f32::MIN_POSITIVE
            }),
            default: "1.25",
            meaning: "Weight of priors in PUCT. Not with gumbel.",
            get: |net| (net.c_puct != PuctParams::default().c_puct).then(|| net.c_puct.to_string()),
        },
        TextOption {
            key: "policy-temperature",
            values: Values::Number("a number above 0", |net, temperature| {
                net.policy_temperature = temperature;
                temperature >= f32::MIN_POSITIVE
            }),
            default: "2",
            meaning: "Divides the policy's logits at every node: above 1, the search looks at more actions than its network would; \
                      3 suits searches of thousands of simulations.",
            get: |net| {
                let usual = net.policy_temperature == NetworkSpec::POLICY_TEMPERATURE;
                (!usual).then(|| net.policy_temperature.to_string())
            },
        },
        TextOption {
            key: "temperature",
            values: Values::Number("a number from 0", |net, temperature| {
                net.temperature = temperature;
                temperature >= 0.0
            }),
            default: "0",
            meaning: "Temperature of the choice of actions in the first plies of a game.",
            get: |net| (net.temperature > 0.0).then(|| net.temperature.to_string()),
        },
        TextOption {
            key: "temperature-plies",
            values: Values::Integer("an integer", 0..=100_000, |net, plies| {
                net.temperature_plies = plies as u32;
            }),
            default: "8 with a temperature",
            meaning: "The number of first plies that temperature applies to.",
            get: |net| {
                let shown = net.temperature > 0.0 && net.temperature_plies != TEMPERATURE_PLIES;
                shown.then(|| net.temperature_plies.to_string())
            },
        },
        TextOption {
            key: "level",
            values: Values::Integer("an integer", 1..=LEVELS.len() as u64, |net, number| {
                net.set_level(number as u32)
            }),
            default: "none",
            meaning: "A level for people, with more search or less chance than the one below it; it sets simulations, policy-temperature and \
                      temperature.",
            // It is printed as what it is short for.
            get: |_| None,
        },
        TextOption {
            key: "precision",
            values: Values::Word(&["f32", "bf16", "fused", "fused-f32"], |net, word| {
                net.precision = word.parse().ok();
            }),
            default: "with ms the fused kernel where it can evaluate the network; else f32 or bf16, whichever is faster",
            meaning: "Arithmetic of the network. fused and fused-f32 are bf16 and f32 by the fused kernel, which is this program's own, for CPUs.",
            get: |net| Some(net.precision?.to_string()),
        },
    ],
};

impl fmt::Display for NetworkSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&FORM.text(Some(self.path.display().to_string()), self))
    }
}

#[cfg(test)]
mod tests {
    use chase_models::Architecture;
    use chase_models::fused::{self, Use};

    use super::*;

    #[test]
    fn a_player_with_a_time_limit_has_the_fastest_precision_of_the_machine() {
        let here = |text: &str| {
            let network = NetworkSpec::read(text, text).expect("a network");
            network.here(&network.path, Device::Cpu).precision
        };
        let fastest = fused::fastest(&Architecture::default(), Device::Cpu, Use::OneSearch);
        assert_eq!(here("agent-71,ms=5"), fastest);
        assert_eq!(here("agent-71"), None);
        let unlimited = NetworkSpec::new("agent-71");
        let unlimited = unlimited.fastest_here(&unlimited.path, Device::Cpu);
        assert_eq!(unlimited.precision, fastest);
        assert_eq!(here("agent-71,ms=5,precision=f32"), Some(Precision::F32));
        assert_eq!(here("no/such/run,ms=5"), None);
    }
}
