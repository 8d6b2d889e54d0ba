//! The configuration of a run: every number that can change its result, with its default.

use std::path::PathBuf;

use crate::config::{
    self, CheckpointConfig, LearnerConfig, LimitsConfig, OptimizerKind, RefitConfig, RulesConfig, TruncatedValue,
    game_name,
};
use crate::game_record::Purpose;
use crate::kinds::{Evaluation, KindSettings, Sections, advice};
use crate::settings::{Change, Checks, Problem, Settings, game_of};
use crate::store::serialised::json_sha256;
use crate::store::{RunSettings, rules_version};
use chase_engine::{Game, GameName};
use chase_nnue::weights::{LARGEST_WIDTH, check_width};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use toml::Table;

/// The value of the key `kind` that makes a configuration one of this kind of network.
pub const KIND: &str = "nnue";

/// Everything that a run depends on. TOML sections are the fields; unknown keys are errors.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Config {
    /// `nnue`.
    pub kind: String,
    /// Game with sparse inputs; by default Chase.
    #[serde(with = "game_name", skip_serializing_if = "is_default")]
    #[schemars(with = "String")]
    pub game: GameName,
    /// Seed of all randomness.
    #[schemars(extend("change" = "branch"))]
    pub seed: u64,
    /// Threads; 0 for one per core.
    #[schemars(extend("change" = "resume"))]
    pub threads: usize,
    /// Directories of runs and data sets whose games are learned too.
    pub data: Vec<PathBuf>,
    /// Draws and length limits.
    pub rules: RulesConfig,
    /// The network.
    #[schemars(extend("change" = "refit"))]
    pub network: NetworkConfig,
    /// The games that the network plays against itself.
    #[schemars(extend("change" = "branch"))]
    pub selfplay: SelfplayConfig,
    /// The positions that are learned from.
    #[schemars(extend("change" = "branch"))]
    pub replay: ReplayConfig,
    /// The learner.
    #[schemars(extend("change" = "branch"))]
    pub learner: LearningConfig,
    /// Learning the games of another run with a new network.
    #[schemars(extend("change" = "branch"))]
    pub refit: RefitConfig,
    /// Matches against baselines.
    #[schemars(extend("change" = "resume"))]
    pub evaluation: EvaluationConfig,
    /// Checkpoints that are kept.
    #[schemars(extend("change" = "resume"))]
    pub checkpoints: CheckpointConfig,
    /// Limits of the run.
    #[schemars(extend("change" = "resume"))]
    pub limits: LimitsConfig,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            kind: KIND.into(),
            game: GameName::Chase,
            seed: 1,
            threads: 0,
            data: Vec::new(),
            rules: RulesConfig::default(),
            network: NetworkConfig::default(),
            selfplay: SelfplayConfig::default(),
            replay: ReplayConfig::default(),
            learner: LearningConfig::default(),
            refit: RefitConfig {
                rate: LearningConfig::default().rate,
                ..RefitConfig::default()
            },
            evaluation: EvaluationConfig::default(),
            checkpoints: CheckpointConfig::default(),
            limits: LimitsConfig {
                generations: 10,
                ..LimitsConfig::default()
            },
        }
    }
}

/// The network. Its other layers have widths 16 and 32. Widening an initial network does not change its values.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct NetworkConfig {
    /// Initial network (built-in name or checkpoint folder), widened if narrower; it also plays the first generations.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start: Option<PathBuf>,
    /// Width of the first layer, a multiple of 32.
    pub width: usize,
}

impl Default for NetworkConfig {
    fn default() -> Self {
        Self {
            start: None,
            // 256 scores 38.8 % [32.8, 45.0] of 200 games with 100 ms per move (study 0059).
            width: 128,
        }
    }
}

/// The games that the network plays against itself.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct SelfplayConfig {
    /// Games per generation; 0 to learn from `data` alone.
    pub games: u32,
    /// Games per group (one thread, one shard).
    pub group_games: u32,
    /// Average nodes per search.
    pub nodes: u64,
    /// Largest random deviation from `nodes`, as a share.
    pub nodes_spread: f64,
    /// Number of first generations played with the game's heuristic.
    pub heuristic_generations: u64,
    /// Share of games that begin with random, unlearned plies.
    pub random_opening_share: f64,
    /// Most random plies per game; uniform from 1.
    pub random_opening_plies: u32,
}

impl Default for SelfplayConfig {
    fn default() -> Self {
        Self {
            games: 2000,
            group_games: 50,
            // A million positions cost seven minutes of one core, and fifteen at 1,500 nodes (study 0030). Which
            // teaches more was not measured.
            nodes: 600,
            // Each search draws its own number, so that games differ.
            nodes_spread: 0.5,
            // About half a million positions. Other numbers were not measured.
            heuristic_generations: 4,
            // Games of alpha-beta differ by their openings and by numbers of nodes alone. Not measured.
            random_opening_share: 0.9,
            random_opening_plies: 8,
        }
    }
}

/// The positions that are learned from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct ReplayConfig {
    /// Newest own positions learned, in addition to `data`.
    pub window_rows: u64,
    /// Share of each source's games kept for validation: every n-th game, where n is 1 / share, rounded.
    pub validation_share: f64,
    /// Whether positions are skipped if their action captures.
    pub quiet: bool,
}

impl Default for ReplayConfig {
    fn default() -> Self {
        Self {
            window_rows: 2_000_000,
            validation_share: 0.05,
            // True skips positions whose judgement hardly counts, since a search continues below them. Not measured.
            quiet: false,
        }
    }
}

/// The learner.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct LearningConfig {
    /// Positions per batch.
    pub batch: u32,
    /// Positions learned per generation, drawn at random.
    pub rows: u64,
    /// Adam's learning rate between warm-up and drop.
    pub rate: f64,
    /// Adam's β₁.
    pub momentum: f64,
    /// Adam's β₂.
    pub beta2: f64,
    /// Decoupled weight decay, except for biases and the last layer.
    pub weight_decay: f64,
    /// Steps in which the rate rises from 0.
    pub warmup_steps: u64,
    /// Share of the run before the rate drops.
    pub drop_from: f64,
    /// Final factor of the rate.
    pub drop_to: f64,
    /// λ of the TD(λ) value target; 1 for the result alone.
    pub td_lambda: f64,
    /// Share of the search's value in the value target.
    pub search_value_share: f64,
}

impl Default for LearningConfig {
    fn default() -> Self {
        Self {
            batch: 1024,
            // Four for each new position. With 1.4 passes per generation the loss on games not seen rises from the
            // third (study 0030).
            rows: 500_000,
            // Adam's published rate. Not measured.
            rate: 1e-3,
            momentum: 0.9,
            beta2: 0.999,
            weight_decay: 1e-4,
            warmup_steps: 100,
            drop_from: 0.5,
            drop_to: 0.02,
            td_lambda: 0.9,
            search_value_share: 0.0,
        }
    }
}

/// Matches against baselines during the run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct EvaluationConfig {
    /// Generations between evaluations; 0 for none.
    pub every: u64,
    /// Games per opponent, in colour-swapped pairs.
    pub games: u32,
    /// Nodes per search of the network.
    pub nodes: u64,
    /// Baseline players; the first has rating 0.
    pub opponents: Vec<String>,
}

impl Default for EvaluationConfig {
    fn default() -> Self {
        Self {
            every: 0,
            games: 40,
            nodes: 600,
            opponents: vec!["random".into(), "greedy".into()],
        }
    }
}

/// The default game is not written down, so that runs of it have the files that they had when there was no other.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes it so")]
fn is_default(game: &GameName) -> bool {
    *game == Config::default().game
}

/// Most games of a generation, and most positions drawn in one: more would only exhaust memory.
const MOST: u64 = 100_000_000;

impl Settings for Config {
    crate::toml_form!();

    const SUBJECT: &'static str = "run";

    fn defaults(set: &Table) -> Table {
        let game = game_of(set).unwrap_or_else(|| Self::default().game);
        Self {
            game,
            rules: RulesConfig::of(game),
            ..Self::default()
        }
        .table()
    }

    fn advice(needed: Change) -> String {
        advice(needed)
    }

    fn problems(&self) -> Vec<Problem> {
        let mut checks = Checks::default();
        let kind = format!("{:?}", self.kind);
        checks.require(self.kind == KIND, "kind", kind, "\"nnue\"");
        checks.seed_and_threads(self.seed, self.threads);
        let offering: Vec<&str> = GameName::ALL
            .iter()
            .filter(|game| game.sparse_inputs().count > 0)
            .map(|game| game.name())
            .collect();
        let expected = format!("one with sparse inputs: {}", offering.join(", "));
        let offers = self.game.sparse_inputs().count > 0;
        checks.require(offers, "game", self.game, &expected);
        if offers {
            config::check_game(&mut checks, self.game, &self.rules, self.selfplay.heuristic_generations);
        }
        let width = self.network.width;
        let expected = format!("a multiple of 32 up to {LARGEST_WIDTH}");
        checks.require(check_width(width).is_ok(), "network.width", width, &expected);
        let games = &self.selfplay;
        checks.require(
            u64::from(games.games) <= MOST && (games.games > 0 || !self.data.is_empty()),
            "selfplay.games",
            games.games,
            "at least 1, or 0 with games in `data` to learn from; at most 100000000",
        );
        checks.at_least_one("selfplay.group_games", games.group_games.into());
        checks.at_least_one("selfplay.nodes", games.nodes);
        checks.below_one("selfplay.nodes_spread", games.nodes_spread);
        checks.share("selfplay.random_opening_share", games.random_opening_share);
        checks.at_least_one("selfplay.random_opening_plies", games.random_opening_plies.into());
        let replay = &self.replay;
        checks.at_least_one("replay.window_rows", replay.window_rows);
        checks.require(
            (0.0..=0.5).contains(&replay.validation_share),
            "replay.validation_share",
            replay.validation_share,
            "a number from 0 to 0.5",
        );
        self.check_learner(&mut checks);
        self.refit.check(&mut checks);
        let evaluation = &self.evaluation;
        checks.pairs(evaluation.every, evaluation.games);
        checks.at_least_one("evaluation.nodes", evaluation.nodes);
        self.checkpoints.check(&mut checks);
        self.limits.check(&mut checks);
        checks.0
    }
}

impl RunSettings for Config {
    const FIXED: bool = false;

    fn game(&self) -> (&'static str, u32) {
        (self.game.name(), rules_version(self.game))
    }

    fn seed(&self) -> u64 {
        self.seed
    }
}

/// The settings that a game depends on.
#[derive(Serialize)]
struct OfGames<'a> {
    kind: &'a str,
    #[serde(with = "game_name", skip_serializing_if = "is_default")]
    game: GameName,
    seed: u64,
    threads: usize,
    data: &'a [PathBuf],
    rules: RulesConfig,
    network: &'a NetworkConfig,
    selfplay: SelfplayConfig,
    replay: &'a ReplayConfig,
    learner: &'a LearningConfig,
    checkpoints: CheckpointConfig,
    limits: LimitsConfig,
}

impl KindSettings for Config {
    fn sections(&self) -> Sections<'_> {
        Sections {
            threads: self.threads,
            rules: &self.rules,
            games: self.selfplay.games,
            heuristic_generations: self.heuristic_generations(),
            measurement: None,
            evaluation: Evaluation {
                every: self.evaluation.every,
                games: self.evaluation.games,
                opponents: &self.evaluation.opponents,
            },
            refit: &self.refit,
            checkpoints: &self.checkpoints,
            limits: &self.limits,
        }
    }

    fn group_games(&self, _: Purpose) -> u32 {
        self.selfplay.group_games
    }

    fn games_sha256(&self, _: Purpose) -> String {
        json_sha256(&OfGames {
            kind: &self.kind,
            game: self.game,
            seed: self.seed,
            threads: 0,
            data: &self.data,
            rules: self.rules,
            network: &self.network,
            selfplay: SelfplayConfig {
                games: 0,
                ..self.selfplay.clone()
            },
            replay: &self.replay,
            learner: &self.learner,
            checkpoints: CheckpointConfig::default(),
            limits: LimitsConfig::default(),
        })
    }

    /// With those held out, which shards count too.
    fn window_rows(&self, _: u64) -> u64 {
        (self.replay.window_rows as f64 / (1.0 - self.replay.validation_share)).ceil() as u64
    }

    fn steps(&self, _: u64, _: u64) -> u64 {
        self.learner.rows / u64::from(self.learner.batch)
    }

    fn learner(&self) -> LearnerConfig {
        let learner = &self.learner;
        LearnerConfig {
            optimizer: OptimizerKind::Adamw,
            rate: learner.rate,
            momentum: learner.momentum,
            beta2: learner.beta2,
            weight_decay: learner.weight_decay,
            batch: learner.batch,
            warmup_steps: learner.warmup_steps,
            drop_from: learner.drop_from,
            drop_to: learner.drop_to,
            td_lambda: learner.td_lambda,
            search_value_share: learner.search_value_share,
            truncated_value: TruncatedValue::Search,
            ..LearnerConfig::default()
        }
    }
}

impl Config {
    /// The rules of the game with these conventions.
    pub fn game_rules<G: Game>(&self) -> G::Rules {
        self.rules.of_game::<G>(self.game)
    }

    /// First generations that the heuristic plays: none in a run that begins with a network.
    const fn heuristic_generations(&self) -> u64 {
        match self.network.start {
            Some(_) => 0,
            None => self.selfplay.heuristic_generations,
        }
    }

    /// True if the network judges the games of a generation, not the heuristic.
    pub(crate) const fn is_judged_by_network(&self, generation: u64) -> bool {
        generation > self.heuristic_generations()
    }

    fn check_learner(&self, checks: &mut Checks) {
        let learner = &self.learner;
        checks.one_to(1 << 20, "learner.batch", learner.batch);
        checks.require(
            (u64::from(learner.batch)..=MOST).contains(&learner.rows),
            "learner.rows",
            learner.rows,
            "at least learner.batch, at most 100000000",
        );
        self.learner().check(checks);
    }
}
