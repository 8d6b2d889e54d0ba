//! The configuration of a run: every number that can change its result, with its default.

pub mod game_name;
mod load;
mod of_game;
mod precision;
mod problems;
mod refit;
mod rules;

use std::fmt;

pub use chase_engine::GameName;
use chase_engine::search::DirichletNoise;
use chase_models::Architecture;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use toml::Table;

pub(crate) use of_game::check_game;
pub use precision::PrecisionChoice;
pub use refit::RefitConfig;
pub use rules::RulesConfig;

/// Everything that a run depends on. TOML sections are the fields; unknown keys are errors.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Config {
    /// Game. Other defaults depend on it: see `chase train --game NAME --dry-run`.
    #[serde(with = "game_name")]
    #[schemars(with = "String")]
    pub game: GameName,
    /// Seed of all randomness.
    #[schemars(extend("change" = "branch"))]
    pub seed: u64,
    /// Threads; 0 for one per core.
    #[schemars(extend("change" = "resume"))]
    pub threads: usize,
    /// Device: `cpu`, `cuda`, `cuda:N`, or `auto`.
    #[schemars(extend("change" = "resume"))]
    pub device: String,
    /// Self-play arithmetic: `f32`, `bf16`, `auto` (fastest), or by the CPU kernel: `fused-f32`, `fused` (bfloat16).
    #[schemars(extend("change" = "resume"))]
    pub precision: PrecisionChoice,
    /// Draws and length limits, in games that have them.
    pub rules: RulesConfig,
    /// Input planes: the options of the game's encoding. Each game knows its own.
    #[schemars(schema_with = "of_game::schema_of_encodings", extend("change" = "refit"))]
    pub encoding: Table,
    /// The network.
    #[schemars(extend("change" = "refit"))]
    pub network: Architecture,
    /// The search that chooses the moves of self-play.
    #[schemars(extend("change" = "branch"))]
    pub search: SearchConfig,
    /// Self-play.
    #[schemars(extend("change" = "branch"))]
    pub selfplay: SelfplayConfig,
    /// Games without exploration noise, for opening statistics.
    #[schemars(extend("change" = "resume"))]
    pub measurement: MeasurementConfig,
    /// The replay buffer.
    #[schemars(extend("change" = "branch"))]
    pub replay: ReplayConfig,
    /// The learner.
    #[schemars(extend("change" = "branch"))]
    pub learner: LearnerConfig,
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

/// That of Chase.
impl Default for Config {
    fn default() -> Self {
        Self::of(GameName::Chase)
    }
}

impl Config {
    /// The defaults of settings that do not depend on the game.
    fn unspecific() -> Self {
        Self {
            game: GameName::Chase,
            seed: 1,
            threads: 0,
            device: "auto".into(),
            precision: PrecisionChoice::Auto,
            rules: RulesConfig::default(),
            encoding: Table::new(),
            network: Architecture::default(),
            search: SearchConfig::default(),
            selfplay: SelfplayConfig::default(),
            measurement: MeasurementConfig::default(),
            replay: ReplayConfig::default(),
            learner: LearnerConfig::default(),
            refit: RefitConfig::default(),
            evaluation: EvaluationConfig::default(),
            checkpoints: CheckpointConfig::default(),
            limits: LimitsConfig::default(),
        }
    }
}

/// The strategy at the root of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Algorithm {
    /// PUCT with Dirichlet noise (Silver et al. 2017).
    Puct,
    /// Gumbel AlphaZero (Danihelka et al. 2022).
    Gumbel,
}

impl fmt::Display for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Puct => "puct",
            Self::Gumbel => "gumbel",
        })
    }
}

/// Settings of the search in self-play. Fast searches are always PUCT without noise.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct SearchConfig {
    /// Algorithm of full searches: `gumbel` or `puct`.
    pub algorithm: Algorithm,
    /// Simulations of a full search.
    pub simulations: u32,
    /// Simulations of a fast search.
    pub fast_simulations: u32,
    /// Share of full searches; only their plies are trained on.
    pub full_share: f64,
    /// PUCT: weight of priors against values.
    pub c_puct: f32,
    /// First-play urgency: how far below the parent's mean unvisited actions start.
    pub fpu_reduction: f32,
    /// PUCT: sum of the root's Dirichlet parameters.
    pub dirichlet_total: f32,
    /// PUCT: share of noise in the root's priors; 0 for none.
    pub dirichlet_share: f32,
    /// Divisor of policy logits at every node.
    pub policy_temperature: f32,
    /// PUCT: additional divisor of policy logits at the root.
    pub root_policy_temperature: f32,
    /// Gumbel: actions considered at the root.
    pub considered_actions: u32,
    /// Gumbel: c_visit, added to the largest visit count.
    pub c_visit: f32,
    /// Gumbel: c_scale, the weight of values.
    pub c_scale: f32,
    /// Memory limit of one game's tree, in MiB.
    pub tree_mib: usize,
}

impl Default for SearchConfig {
    fn default() -> Self {
        let noise = DirichletNoise::default();
        Self {
            // At a rate of 0.008 PUCT with playout caps loses 210 Elo [144, 294] to it, at 0.002 it wins by 85 [21,
            // 156] (study 0009).
            algorithm: Algorithm::Gumbel,
            // Few at every ply are worth about 250 Elo more than many at half of them (study 0006). 64 make no clearly
            // stronger network in the fourth hour (study 0052).
            simulations: 32,
            // Not measured: presets have no fast searches.
            fast_simulations: 16,
            // See `simulations`.
            full_share: 1.0,
            // As in `PuctParams`.
            c_puct: 1.25,
            fpu_reduction: 0.2,
            dirichlet_total: noise.total_concentration,
            dirichlet_share: noise.fraction,
            // 1.5 scores 68 % [55, 78] against 1 after an hour; nothing is shown after eight minutes (study 0016).
            policy_temperature: 1.0,
            // KataGo's. Not measured.
            root_policy_temperature: 1.1,
            considered_actions: 16,
            // As published. Not measured.
            c_visit: 50.0,
            // 1, as published, made targets of Connect Four nearly one-hot. 0.8 instead gains 40 Elo [−7, 86], so it is
            // open (study 0054).
            c_scale: 0.4,
            // About 19,000 simulations of Chase, far more than a ply of self-play has.
            tree_mib: 16,
        }
    }
}

/// Self-play.
///
/// A group stops as soon as it has its number of finished games, and the next generation continues the unfinished ones,
/// so that batches stay full to the end. An interruption loses the groups in progress. All games of the heuristic begin
/// with random plies; the policy learns its actions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct SelfplayConfig {
    /// Games per generation; unfinished games continue in the next.
    pub games: u32,
    /// Games per group (one thread, one shard).
    pub group_games: u32,
    /// Simultaneous games per group: the network's batch size.
    pub in_flight: u32,
    /// Temperature of action choice at the first ply; in full Gumbel searches, noise scale.
    pub temperature: f32,
    /// Final temperature.
    pub final_temperature: f32,
    /// Plies that halve the distance to the final temperature.
    pub temperature_half_life: f32,
    /// Whether a search starts with the previous tree.
    pub reuse_tree: bool,
    /// Share of row weights that follows policy surprise, KL(target ‖ prior).
    pub surprise_share: f32,
    /// Share of games that begin with random, unlearned plies.
    pub random_opening_share: f64,
    /// Most random plies per game; uniform from 1.
    pub random_opening_plies: u32,
    /// Number of first generations played by alpha-beta with the game's heuristic.
    pub heuristic_generations: u64,
    /// Average nodes of these alpha-beta searches.
    pub heuristic_nodes: u32,
}

/// The default of [`SelfplayConfig::heuristic_nodes`].
const HEURISTIC_NODES: u32 = 600;

impl Default for SelfplayConfig {
    fn default() -> Self {
        Self {
            games: 256,
            group_games: 128,
            in_flight: 64,
            temperature: 1.0,
            final_temperature: 0.2,
            // The form is KataGo's, whose half-life is 19 moves of Go. Not measured.
            temperature_half_life: 10.0,
            reuse_tree: true,
            // KataGo's. 0 costs 74 Elo [14, 139] (study 0009).
            surprise_share: 0.5,
            // Presets take 0.4. Not measured by itself.
            random_opening_share: 0.0,
            random_opening_plies: 8,
            heuristic_generations: 0,
            // Each search draws its own number, so that games differ.
            heuristic_nodes: HEURISTIC_NODES,
        }
    }
}

/// Measurement games: played to be counted, not learned from. No noise, and every search is full. The last generation
/// is measured too. After the plies with a temperature the action with the most visits is played.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct MeasurementConfig {
    /// Generations between measurements; 0 for none.
    pub every: u64,
    /// Games per measurement.
    pub games: u32,
    /// Games per group; 0 for `selfplay.group_games`.
    pub group_games: u32,
    /// Simulations per ply.
    pub simulations: u32,
    /// Temperature of action choice in the first plies.
    pub temperature: f32,
    /// Plies with this temperature.
    pub temperature_plies: u32,
}

impl Default for MeasurementConfig {
    fn default() -> Self {
        Self {
            every: 5,
            games: 64,
            // Smaller groups than in self-play let more threads take part.
            group_games: 0,
            simulations: 64,
            temperature: 1.0,
            temperature_plies: 8,
        }
    }
}

/// The window of rows that are trained on, and how often each is. It has all rows while there are fewer than its smallest
/// size; beyond its memory limit the oldest games are dropped first.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct ReplayConfig {
    /// Smallest window, in rows.
    pub window_rows: u64,
    /// Exponent of the window's growth with rows played.
    pub window_exponent: f64,
    /// Initial window growth per row played, in rows.
    pub window_slope: f64,
    /// Average uses of a row; at most 1000.
    pub reuse: f64,
    /// Whether every second row is mirrored; only for symmetric games.
    pub mirror: bool,
    /// Memory limit of the window, in MiB.
    pub max_mib: usize,
}

impl Default for ReplayConfig {
    fn default() -> Self {
        Self {
            window_rows: 20_000,
            // KataGo's, and so is the slope. Not measured.
            window_exponent: 0.65,
            window_slope: 0.4,
            // 4 loses 263 Elo [184, 376], 1 loses 3 [−53, 60] (study 0009).
            reuse: 2.0,
            mirror: false,
            max_mib: 2048,
        }
    }
}

/// The rule by which gradients change weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum OptimizerKind {
    /// Adam with decoupled weight decay (Loshchilov & Hutter 2019).
    Adamw,
    /// Stochastic gradient descent with momentum; weight decay is decoupled as well.
    Sgd,
}

/// Value target of a truncated game, which has no result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum TruncatedValue {
    /// No target.
    Mask,
    /// The search's value at each ply.
    Search,
}

/// The learner.
///
/// Weights, sums and losses are 32-bit numbers in any precision. Each replica of the network normalises its part of a
/// batch on its own, so results depend on the number of replicas, but not on the number of threads. From the drop
/// on the rate falls geometrically. The value target of TD(λ) is the result of the game, of which each searched ply from
/// the row on replaces a share of 1 − λ by its search's value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct LearnerConfig {
    /// Arithmetic of convolutions: `f32`, `bf16`, or `auto` (the faster).
    pub precision: PrecisionChoice,
    /// `adamw` or `sgd`.
    #[schemars(extend("change" = "refit"))]
    pub optimizer: OptimizerKind,
    /// Learning rate between warm-up and drop.
    pub rate: f64,
    /// SGD's momentum, or AdamW's β₁.
    pub momentum: f64,
    /// AdamW's β₂.
    pub beta2: f64,
    /// Decoupled weight decay, except for biases and normalisations.
    pub weight_decay: f64,
    /// Rows per batch.
    pub batch: u32,
    /// Parts of a batch, each with its own thread and normalisation.
    pub replicas: u32,
    /// Steps in which the rate rises from 0.
    pub warmup_steps: u64,
    /// Share of the run before the rate drops.
    pub drop_from: f64,
    /// Final factor of the rate.
    pub drop_to: f64,
    /// Largest norm of a gradient.
    pub clip_norm: f64,
    /// Rows over which playing weights are averaged; 0 for the newest weights.
    pub average_rows: u64,
    /// Loss weight of the policy's cross-entropy.
    pub policy_weight: f64,
    /// Loss weight of the value's cross-entropy.
    pub value_weight: f64,
    /// Plies to the horizon; 0 for the game's end.
    pub horizon_plies: u32,
    /// Loss weight of each cell's occupancy.
    pub occupancy_weight: f64,
    /// Loss weight of the squared error of ln(1 + plies left).
    pub plies_left_weight: f64,
    /// Loss weight of the material's squared error.
    #[serde(rename = "dice_difference_weight")]
    pub material_weight: f64,
    /// λ of the TD(λ) value target; 1 for the result alone.
    pub td_lambda: f64,
    /// Share of the search's value in the value target.
    pub search_value_share: f64,
    /// Value target of truncated games: `search`, or `mask` for none.
    pub truncated_value: TruncatedValue,
}

impl Default for LearnerConfig {
    fn default() -> Self {
        Self {
            precision: PrecisionChoice::F32,
            optimizer: OptimizerKind::Adamw,
            // 0.002 loses 235 Elo [168, 323] in five minutes (study 0009).
            rate: 8e-3,
            momentum: 0.9,
            // Adam's published moments, 0.9 and 0.999. Not measured.
            beta2: 0.999,
            // PyTorch's default of AdamW. Not measured.
            weight_decay: 1e-2,
            // Won against other recipes with 256 by 69 to 87 % (study 0006), and 64 is open, +42 Elo [−21, 108] (study
            // 0009).
            batch: 128,
            replicas: 1,
            // Not measured.
            warmup_steps: 100,
            // In a whole run the fall makes the rate before it matter little (study 0001). When and how far was not
            // measured.
            drop_from: 0.8,
            drop_to: 0.1,
            // Not measured.
            clip_norm: 5.0,
            // Without an average −308 Elo [−428, −228] (study 0009). Other lengths were not measured.
            average_rows: 50_000,
            policy_weight: 1.0,
            value_weight: 1.0,
            horizon_plies: 0,
            // Weights of the heads were not measured. Without all heads −28 Elo [−96, 39] (study 0009).
            occupancy_weight: 0.15,
            plies_left_weight: 0.02,
            material_weight: 0.1,
            // The result alone (1, without a share of the search's value) loses 133 Elo [87, 179] after first games by
            // alpha-beta (study 0054), and about 500 in a run that begins with games of its own (study 0006).
            td_lambda: 0.9,
            // 0.5 and the result alone are worth as much as 0.9 and 0 to a run that begins with games of its own (study 0032,
            // with planes of moves). A share besides 0.9 was not measured.
            search_value_share: 0.0,
            truncated_value: TruncatedValue::Search,
        }
    }
}

/// Matches against baselines during the run, the last generation included.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct EvaluationConfig {
    /// Generations between evaluations; 0 for none.
    pub every: u64,
    /// Games per opponent, in colour-swapped pairs.
    pub games: u32,
    /// Simulations per ply of the network.
    pub simulations: u32,
    /// Baseline players; the first has rating 0.
    pub opponents: Vec<String>,
}

impl Default for EvaluationConfig {
    fn default() -> Self {
        Self {
            every: 5,
            games: 40,
            simulations: 64,
            opponents: vec!["random".into(), "greedy".into()],
        }
    }
}

/// Checkpoints that are kept. The newest always is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct CheckpointConfig {
    /// Newest checkpoints kept; at least 1.
    pub keep_last: u64,
    /// Older checkpoints kept: every N-th generation; 0 for none.
    pub keep_every: u64,
}

impl Default for CheckpointConfig {
    fn default() -> Self {
        Self {
            keep_last: 3,
            keep_every: 10,
        }
    }
}

/// Limits of a run: it ends at the first one that it reaches. At least one must be set.
///
/// With a limit of minutes the learning rate follows the clock: a generation is assumed to last as long as the previous
/// one. With a limit of rows the run ends with the generation that reaches it: an equal budget for games of different
/// lengths.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct LimitsConfig {
    /// Generations; 0 for no limit.
    pub generations: u64,
    /// Minutes of work; 0 for no limit. Runs with this limit are not reproducible.
    pub minutes: f64,
    /// Trainable rows played; 0 for no limit.
    pub rows: u64,
}

impl Default for LimitsConfig {
    fn default() -> Self {
        Self {
            generations: 100,
            minutes: 0.0,
            rows: 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game_record::Purpose;
    use crate::kinds::KindSettings;

    #[test]
    fn the_hash_for_games_is_of_what_a_game_depends_on() {
        let config = Config::default();
        let hash_of = |purpose, change: &dyn Fn(&mut Config)| {
            let mut changed = config.clone();
            change(&mut changed);
            changed.games_sha256(purpose)
        };
        let hash = |change: &dyn Fn(&mut Config)| hash_of(Purpose::Selfplay, change);
        let same = config.games_sha256(Purpose::Selfplay);
        assert_eq!(same.len(), 64);
        assert_eq!(hash(&|config| config.threads = 7), same);
        assert_eq!(hash(&|config| config.selfplay.games = 7), same);
        assert_eq!(hash(&|config| config.limits.generations = 7), same);
        let measured = |config: &mut Config| config.measurement.simulations = 7;
        assert_eq!(hash(&measured), same);
        assert_ne!(
            hash_of(Purpose::Measurement, &measured),
            config.games_sha256(Purpose::Measurement)
        );
        assert_ne!(hash(&|config| config.seed = 7), same);
        assert_ne!(hash(&|config| config.search.simulations = 7), same);
        assert_ne!(hash(&|config| config.selfplay.random_opening_share = 0.125), same);
    }
}
