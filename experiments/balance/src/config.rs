//! The settings of a balance study.

use std::collections::BTreeMap;

use chase_engine::{GameName, seed};
use chase_training::config::Config;
use chase_training::settings::{Checks, ConfigError, Problem, Setting, Settings};
use chase_training::store::RunSettings;
use chase_training::store::serialised::toml_text;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use toml::{Table, Value};

use crate::variants::Relative;

/// Everything that the numbers of a study depend on. TOML sections are the fields; unknown keys are errors.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct BalanceConfig {
    /// Seed of all randomness.
    pub seed: u64,
    /// Threads; 0 for one per core.
    #[schemars(extend("change" = "resume"))]
    pub threads: usize,
    /// Device: `cpu`, `cuda`, `cuda:N`, or `auto`.
    pub device: String,
    /// Games.
    #[serde(with = "game_names")]
    #[schemars(with = "Vec<String>")]
    pub games: Vec<GameName>,
    /// Agents per game.
    pub agents: u32,
    /// Trainable rows per agent.
    pub rows: u64,
    /// Games of each final agent against itself.
    pub measurement: MeasurementConfig,
    /// Searches of the first moves.
    pub first_moves: FirstMovesConfig,
    /// Games of the checkpoints of a run against each other, and against random play.
    pub ladder: LadderConfig,
    /// Differences between variants that would matter.
    pub margins: MarginsConfig,
    /// Settings of `chase train` for all agents.
    #[schemars(with = "BTreeMap<String, String>")]
    pub train: Table,
}

/// Games of each final agent against itself.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct MeasurementConfig {
    /// Games per budget; even.
    pub games: u32,
    /// Two budgets, ascending: simulations per move.
    pub simulations: [u32; 2],
    /// Temperature of the first plies.
    pub temperature: f32,
    /// Plies with this temperature.
    pub temperature_plies: u32,
    /// Plies that count for the diversity of openings.
    pub opening_plies: u32,
    /// Plies after which a game is truncated.
    pub max_plies: u32,
}

/// Searches of the first moves, at the larger budget.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct FirstMovesConfig {
    /// Largest distance of a good first move's value from the best, in points.
    pub margin: f64,
    /// Initial positions searched in games with random starts.
    pub starts: u32,
}

/// The ladder of a run's checkpoints.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct LadderConfig {
    /// Checkpoints: the last, then at half, a quarter, … of its generations.
    pub rungs: u32,
    /// Temperatures of the final network's policy, which plays too, without search.
    pub temperatures: Vec<f32>,
    /// Pairs of games between every two players.
    pub pairs: u32,
    /// Simulations per move.
    pub simulations: u32,
    /// Random plies at the start of a pair.
    pub opening_plies: u32,
}

/// Differences between variants that would matter. An interval within them says "does not differ by more than this".
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct MarginsConfig {
    /// Relevant difference in the first player's score, in points.
    pub score: f64,
    /// Relevant difference in the share of draws.
    pub draws: f64,
    /// Relevant difference in a game's length, in plies.
    pub plies: f64,
}

/// An agent of the study: a game, and the agent's number from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct AgentEntry {
    /// The game.
    pub game: GameName,
    /// The agent's number.
    pub agent: u32,
}

impl Default for BalanceConfig {
    fn default() -> Self {
        Self {
            seed: 1,
            threads: 0,
            device: "cpu".into(),
            games: GameName::ALL
                .iter()
                .copied()
                .filter(|&game| !Relative::of(game).properties.is_empty())
                .chain([GameName::ConnectFour, GameName::Chase])
                .collect(),
            agents: 3,
            rows: 20_000,
            measurement: MeasurementConfig::default(),
            first_moves: FirstMovesConfig::default(),
            ladder: LadderConfig::default(),
            margins: MarginsConfig::default(),
            train: train(),
        }
    }
}

/// Training settings of a small agent; those of a file and of overrides are merged into them.
const TRAIN: &str = "\
network = { blocks = 2, channels = 16, pooling = 2, policy_channels = 16, value_channels = 16, value_hidden = 32 }
search = { simulations = 16, considered_actions = 8 }
selfplay = { games = 32, group_games = 16, in_flight = 16, random_opening_share = 0.3, random_opening_plies = 6 }
replay = { window_rows = 20_000 }
learner = { warmup_steps = 30, average_rows = 10_000, td_lambda = 1.0, search_value_share = 0.5 }
";

fn train() -> Table {
    TRAIN.parse().expect("TOML")
}

impl Default for MeasurementConfig {
    fn default() -> Self {
        Self {
            games: 64,
            simulations: [16, 64],
            temperature: 1.0,
            temperature_plies: 8,
            opening_plies: 4,
            max_plies: 1000,
        }
    }
}

impl Default for FirstMovesConfig {
    fn default() -> Self {
        Self {
            margin: 0.05,
            // The same positions for all agents.
            starts: 4,
        }
    }
}

impl Default for LadderConfig {
    fn default() -> Self {
        Self {
            rungs: 4,
            // These players are between random play and the checkpoints. Without them a checkpoint that never loses to
            // random play has no rating.
            temperatures: vec![4.0, 2.0, 1.0],
            pairs: 4,
            simulations: 16,
            opening_plies: 4,
        }
    }
}

impl Default for MarginsConfig {
    fn default() -> Self {
        Self {
            score: 0.1,
            draws: 0.1,
            plies: 20.0,
        }
    }
}

/// Sections of a training configuration that belong to the study, with the reason.
const OWN: [(&str, &str); 8] = [
    ("game", "no such key here: the study has games"),
    (
        "seed",
        "no such key here: the seeds of agents follow from the seed of the study",
    ),
    ("threads", "no such key here: set threads of the study"),
    ("device", "no such key here: set device of the study"),
    ("limits", "no such section here: the budget is rows of the study"),
    (
        "measurement",
        "no such section here: the study measures agents when they are trained",
    ),
    ("evaluation", "no such section here: the study has a ladder"),
    ("checkpoints", "no such section here: the ladder needs all of them"),
];

impl Settings for BalanceConfig {
    chase_training::toml_form!();

    const SUBJECT: &'static str = "study";

    fn defaults(_set: &Table) -> Table {
        [("train".to_owned(), Value::Table(train()))].into_iter().collect()
    }

    fn problems(&self) -> Vec<Problem> {
        let mut checks = Checks::default();
        checks.seed_and_threads(self.seed, self.threads);
        checks.device(&self.device);
        let games = &self.games;
        checks.require(!games.is_empty(), "games", "an empty list", "at least one game");
        for (index, game) in games.iter().enumerate() {
            let twice = games[..index].contains(game);
            checks.require(!twice, "games", format!("twice `{game}`"), "each game once");
        }
        checks.one_to(Self::MOST_AGENTS, "agents", self.agents);
        let rows = (1..=1_000_000_000_000).contains(&self.rows);
        checks.require(rows, "rows", self.rows, "1 to 10^12");
        let measurement = &self.measurement;
        let even = measurement.games.is_multiple_of(2) && (2..=1_000_000).contains(&measurement.games);
        let expected = "an even number from 2 to 1000000";
        checks.require(even, "measurement.games", measurement.games, expected);
        let [small, large] = measurement.simulations;
        let ascending = (1..large).contains(&small) && large <= 10_000_000;
        let expected = "two ascending numbers from 1 to 10000000";
        checks.require(
            ascending,
            "measurement.simulations",
            format!("[{small}, {large}]"),
            expected,
        );
        let temperature = measurement.temperature;
        let positive = temperature > 0.0 && temperature.is_finite();
        let expected = "a number above 0: without it an agent's games are all the same";
        checks.require(positive, "measurement.temperature", temperature, expected);
        let mut at_least_one = |key: &str, value: u32, most: u32| checks.one_to(most, key, value);
        at_least_one("measurement.temperature_plies", measurement.temperature_plies, 100_000);
        at_least_one("measurement.opening_plies", measurement.opening_plies, 100);
        at_least_one("measurement.max_plies", measurement.max_plies, 1_000_000);
        at_least_one("first_moves.starts", self.first_moves.starts, 10_000);
        at_least_one("ladder.rungs", self.ladder.rungs, 100);
        at_least_one("ladder.pairs", self.ladder.pairs, 1_000_000);
        at_least_one("ladder.simulations", self.ladder.simulations, 10_000_000);
        checks.require(
            self.ladder.opening_plies <= 20,
            "ladder.opening_plies",
            self.ladder.opening_plies,
            "0 to 20",
        );
        let temperatures = &self.ladder.temperatures;
        for (index, &temperature) in temperatures.iter().enumerate() {
            let known = temperatures[..index].contains(&temperature);
            let sensible = temperature > 0.0 && temperature.is_finite() && !known;
            let expected = "different numbers above 0";
            checks.require(sensible, "ladder.temperatures", format!("{temperatures:?}"), expected);
        }
        for (key, value) in [
            ("first_moves.margin", self.first_moves.margin),
            ("margins.score", self.margins.score),
            ("margins.draws", self.margins.draws),
            ("margins.plies", self.margins.plies),
        ] {
            checks.positive(key, value);
        }
        for (key, expected) in OWN {
            let value = self.train.get(key).map(Value::to_string);
            checks.require(
                value.is_none(),
                &format!("train.{key}"),
                value.unwrap_or_default(),
                expected,
            );
        }
        checks.0
    }
}

impl RunSettings for BalanceConfig {
    const FIXED: bool = true;

    fn game(&self) -> (&'static str, u32) {
        ("balance", 1)
    }

    fn seed(&self) -> u64 {
        self.seed
    }
}

impl BalanceConfig {
    /// Most agents of a game.
    pub const MOST_AGENTS: u32 = 1000;

    /// Reads a configuration, as [`Settings::load`].
    ///
    /// # Errors
    /// As there; and if the training settings do not suit one of the games.
    pub fn load(file: Option<(&str, &str)>, overrides: &[Setting]) -> Result<Self, ConfigError> {
        let config = <Self as Settings>::load(file, overrides)?;
        for &game in &config.games {
            config.training(AgentEntry { game, agent: 1 })?;
        }
        Ok(config)
    }

    /// The agents in the order of the work: the first of every game, then the second of every game, so that an
    /// unfinished study has something of every game.
    pub fn units(&self) -> Vec<AgentEntry> {
        let agents = 1..=self.agents;
        agents
            .flat_map(|agent| self.games.iter().map(move |&game| AgentEntry { game, agent }))
            .collect()
    }

    /// A seed for one purpose of an agent; TOML has no integers above 2^63 − 1.
    pub(crate) fn seed_of(&self, entry: AgentEntry, purpose: u64) -> u64 {
        let name = format!("balance {}", entry.game);
        seed::number(&name, &[self.seed, entry.agent.into(), purpose]) >> 1
    }

    /// The training configuration of an agent.
    ///
    /// # Errors
    /// If the settings are not valid, or do not suit the game.
    pub fn training(&self, entry: AgentEntry) -> Result<Config, ConfigError> {
        let mut train = self.train.clone();
        // Here, not among the overrides, as settings that do not suit the game are those of the section.
        train.insert("game".to_owned(), entry.game.to_string().into());
        let text = toml_text(&train);
        let overrides = [
            format!("seed={}", self.seed_of(entry, 0)),
            format!("threads={}", self.threads),
            format!("device={:?}", self.device),
            format!("limits.rows={}", self.rows),
            "limits.generations=0".to_owned(),
            "measurement.every=0".to_owned(),
            "evaluation.every=0".to_owned(),
            "checkpoints.keep_every=1".to_owned(),
        ];
        let name = format!("[train] for {}", entry.game);
        Config::load(Some((&name, &text)), &overrides.map(Setting::from))
    }
}

/// The names of games as a setting.
mod game_names {
    use chase_engine::GameName;
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serializer};

    pub fn serialize<S: Serializer>(games: &[GameName], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(games.iter().map(|game| game.name()))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<GameName>, D::Error> {
        let names = Vec::<String>::deserialize(deserializer)?;
        let games = names.into_iter().map(|name| name.parse().map_err(D::Error::custom));
        games.collect()
    }
}

#[cfg(test)]
mod tests {

    use super::*;

    fn load(overrides: &[&str]) -> Result<BalanceConfig, ConfigError> {
        let overrides = Setting::list(overrides);
        BalanceConfig::load(None, &overrides)
    }

    #[test]
    fn agents_are_trained_alike_but_for_their_seeds() {
        let config = load(&["games=['stax', 'stax-uni']", "rows=100", "agents=2"]).expect("a configuration");
        let units = config.units();
        let names: Vec<String> = units
            .iter()
            .map(|unit| format!("{}{}", unit.game, unit.agent))
            .collect();
        assert_eq!(names, ["stax1", "stax-uni1", "stax2", "stax-uni2"]);
        let trained: Vec<Config> = units
            .iter()
            .map(|&unit| config.training(unit).expect("valid"))
            .collect();
        let seeds: std::collections::HashSet<u64> = trained.iter().map(|config| config.seed).collect();
        assert_eq!(seeds.len(), 4);
        let first = Config {
            seed: trained[2].seed,
            ..trained[0].clone()
        };
        assert_eq!(first, trained[2]);
        assert_eq!((first.limits.rows, first.limits.generations), (100, 0));
        assert!(!trained[0].network.wrap_rows && trained[1].network.wrap_rows);
    }

    #[test]
    fn mistakes_name_the_key_and_what_is_expected() {
        for (setting, message) in [
            ("games=['shogi']", "games: unknown game `shogi`: expected chase, "),
            (
                "measurement.simulations=[64, 16]",
                "measurement.simulations is [64, 16], expected two ascending",
            ),
            ("train.seed=3", "train.seed is 3, expected no such key here"),
            (
                "train.lerner.rate=1",
                "[train] for chess: unknown key `lerner`; the nearest known one is `learner`",
            ),
            (
                "train.network.hex=true",
                "[train] for chess: network.hex is true, expected false",
            ),
        ] {
            let error = load(&[setting]).expect_err(setting).to_string();
            assert!(error.contains(message), "{error}");
        }
    }
}
