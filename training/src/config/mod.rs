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
    /// The game. The defaults of some other settings depend on it: `chase train --game NAME --dry-run` prints them.
    #[serde(with = "game_name")]
    #[schemars(with = "String")]
    pub game: GameName,
    /// Seed of all randomness.
    #[schemars(extend("change" = "branch"))]
    pub seed: u64,
    /// Threads that play and prepare batches; 0 for one per core. Does not change results on a CPU.
    #[schemars(extend("change" = "resume"))]
    pub threads: usize,
    /// Where networks compute: `cpu`, `cuda`, `cuda:N`, or `auto`.
    #[schemars(extend("change" = "resume"))]
    pub device: String,
    /// Arithmetic of self-play: `f32` or `bf16`; `fused-f32` or `fused` for the same by the program's own kernel, on CPUs; or
    /// `auto` for the fastest on the machine, which a run writes down when it begins.
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
    /// Strategy of full searches: `gumbel` or `puct`.
    pub algorithm: Algorithm,
    /// Simulations of a full search.
    pub simulations: u32,
    /// Simulations of a fast search.
    pub fast_simulations: u32,
    /// Share of full searches (playout cap randomisation, Wu 2019 §3.1). Only their plies are trained on.
    pub full_share: f64,
    /// Weight of priors against values, c_puct.
    pub c_puct: f32,
    /// First-play urgency: how much worse than its parent's mean an unvisited action is assumed to be.
    pub fpu_reduction: f32,
    /// Sum of the Dirichlet parameters over the legal actions of the root (PUCT).
    pub dirichlet_total: f32,
    /// Share of the noise in the root's priors (PUCT); 0 for none.
    pub dirichlet_share: f32,
    /// Divides the network's policy logits at every node; above 1 flattens the priors. (`policy-temperature` of
    /// players.)
    pub policy_temperature: f32,
    /// Temperature of the root's priors in self-play, on top of `policy_temperature`: above 1 flattens them (PUCT).
    pub root_policy_temperature: f32,
    /// Gumbel: actions considered at the root.
    pub considered_actions: u32,
    /// Gumbel: c_visit, added to the largest number of visits in the weight of values.
    pub c_visit: f32,
    /// Gumbel: c_scale, the factor of the weight of values.
    pub c_scale: f32,
    /// Upper limit of the memory of one game's tree, in MiB.
    pub tree_mib: usize,
}

impl Default for SearchConfig {
    fn default() -> Self {
        Self {
            // At a rate of 0.008 PUCT with playout caps loses 210 Elo [144, 294] to it, at 0.002 it wins by 85 [21,
            // 156] (study 0009).
            algorithm: Algorithm::Gumbel,
            simulations: 64,
            // Not measured: presets have no fast searches.
            fast_simulations: 16,
            // Presets take 1, with few simulations: about 250 Elo (study 0006).
            full_share: 0.5,
            // As in `PuctParams`.
            c_puct: 1.25,
            fpu_reduction: 0.2,
            // KataGo's 0.03 for each of 361 points. Not measured.
            dirichlet_total: 10.8,
            dirichlet_share: 0.25,
            // 1.5 scores 68 % [55, 78] against 1 after an hour; nothing is shown after eight minutes (study 0016).
            policy_temperature: 1.0,
            // KataGo's. Not measured.
            root_policy_temperature: 1.1,
            considered_actions: 16,
            // As published. Not measured.
            c_visit: 50.0,
            // As published. Presets take 0.4: see `GumbelParams`.
            c_scale: 1.0,
            // About 19,000 simulations of Chase, far more than a ply of self-play has.
            tree_mib: 16,
        }
    }
}

/// Self-play.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct SelfplayConfig {
    /// Games per generation. A group of them stops as soon as it has its number of finished games, and the next generation
    /// continues the unfinished ones, so that batches stay full to the end.
    pub games: u32,
    /// Games per group. One thread plays a group, which becomes one shard; an interruption loses the groups in
    /// progress.
    pub group_games: u32,
    /// Games of a group played at the same time: the batch size of the network.
    pub in_flight: u32,
    /// Temperature at the first ply. It applies to the choice among visited actions; in a full Gumbel search, which
    /// makes the choice itself, it scales the noise at the root.
    pub temperature: f32,
    /// Temperature that it decays to.
    pub final_temperature: f32,
    /// Plies after which the distance to the final temperature has halved.
    pub temperature_half_life: f32,
    /// True if each search starts with the tree of the one before.
    pub reuse_tree: bool,
    /// Share of a row's weight that follows the policy's surprise, KL(target ‖ prior), instead of being equal for all
    /// rows (KataGo: 0.5).
    pub surprise_share: f32,
    /// Share of games that begin with uniformly random plies; 0 for none. Nothing is learned from these plies.
    pub random_opening_share: f64,
    /// Largest number of random plies in such a game; the number is uniform from 1.
    pub random_opening_plies: u32,
    /// Generations, from the first on, whose games are played by alpha-beta search with the game's hand-written
    /// heuristic instead of the network, which knows nothing at first; 0 to learn from nothing. All of these games
    /// begin with random plies, and the policy learns their actions.
    pub heuristic_generations: u64,
    /// Nodes of such a search, on average: each draws its own number, so that games differ.
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
            heuristic_nodes: HEURISTIC_NODES,
        }
    }
}

/// Measurement games: played to be counted, not learned from. No noise, and every search is full.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct MeasurementConfig {
    /// Generations from one measurement to the next, and the last one too; 0 for none.
    pub every: u64,
    /// Games per measurement.
    pub games: u32,
    /// Games per group; 0 for the number in self-play. Smaller groups let more threads take part.
    pub group_games: u32,
    /// Simulations per ply.
    pub simulations: u32,
    /// Temperature of the choice among visited actions in the first plies, so that games differ.
    pub temperature: f32,
    /// Number of these plies; then the action with the most visits is played.
    pub temperature_plies: u32,
}

impl Default for MeasurementConfig {
    fn default() -> Self {
        Self {
            every: 5,
            games: 64,
            group_games: 0,
            simulations: 64,
            temperature: 1.0,
            temperature_plies: 8,
        }
    }
}

/// The window of rows that are trained on, and how often each is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct ReplayConfig {
    /// Smallest window: this many of the newest rows, or all rows while there are fewer.
    pub window_rows: u64,
    /// Exponent of the window's growth with the rows played (KataGo: 0.65).
    pub window_exponent: f64,
    /// Rows that the window grows by for each row played, at the start of its growth (KataGo: 0.4).
    pub window_slope: f64,
    /// Average number of times that a row is trained on; at most 1000.
    pub reuse: f64,
    /// True if every second row is shown as its mirror image. Only for games with mirror symmetry, which Chase does not
    /// have.
    pub mirror: bool,
    /// Upper limit of the memory of the window, in MiB; the oldest games go first.
    pub max_mib: usize,
}

impl Default for ReplayConfig {
    fn default() -> Self {
        Self {
            window_rows: 20_000,
            // KataGo's, and so is the slope. Not measured.
            window_exponent: 0.65,
            window_slope: 0.4,
            // Presets take 2: 4 instead of it loses 263 Elo [184, 376], 1 instead of it 3 [−53, 60] (study 0009).
            reuse: 6.0,
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
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct LearnerConfig {
    /// Arithmetic of the convolutions: `f32`, `bf16`, or `auto` for bf16 where the hardware is faster in it. Weights,
    /// sums and losses are 32-bit numbers in any case.
    pub precision: PrecisionChoice,
    /// Optimizer: `adamw` or `sgd`.
    #[schemars(extend("change" = "refit"))]
    pub optimizer: OptimizerKind,
    /// Learning rate between warm-up and drop.
    pub rate: f64,
    /// Momentum: SGD's, and AdamW's first β.
    pub momentum: f64,
    /// AdamW's second β.
    pub beta2: f64,
    /// Decoupled weight decay; biases and normalisations have none.
    pub weight_decay: f64,
    /// Rows of a batch.
    pub batch: u32,
    /// Parts of a batch, each processed by a thread of its own with a copy of the network. Each part is normalised on
    /// its own, so results depend on this number, but not on the number of threads. 1 on a GPU.
    pub replicas: u32,
    /// Steps over which the rate rises from 0.
    pub warmup_steps: u64,
    /// Share of the run after which the rate drops.
    pub drop_from: f64,
    /// Factor of the rate at the end of the run; the rate falls geometrically.
    pub drop_to: f64,
    /// Gradient clipping: the largest norm of a gradient.
    pub clip_norm: f64,
    /// Rows over which the playing weights are averaged (exponentially); 0 to play with the newest weights.
    pub average_rows: u64,
    /// Weight of the policy's cross-entropy in the loss.
    pub policy_weight: f64,
    /// Weight of the value's cross-entropy.
    pub value_weight: f64,
    /// Plies that the heads for occupancy and material look ahead (fewer near the end of the game); 0 for the end of
    /// the game.
    pub horizon_plies: u32,
    /// Weight of each cell's cross-entropy in the occupancy at the horizon.
    pub occupancy_weight: f64,
    /// Weight of the squared error of ln(1 + plies left).
    pub plies_left_weight: f64,
    /// Weight of the squared error of the material at the horizon.
    #[serde(rename = "dice_difference_weight")]
    pub material_weight: f64,
    /// λ of the TD(λ) value target: the result of the game, of which each searched ply from the row on replaces a share
    /// of 1 − λ by its search's value. With 1 it is the result alone.
    pub td_lambda: f64,
    /// Share of the search's value at the row's own ply in the value target; the rest is TD(λ).
    pub search_value_share: f64,
    /// Value target of truncated games: `search`, or `mask` for none.
    pub truncated_value: TruncatedValue,
}

impl Default for LearnerConfig {
    fn default() -> Self {
        Self {
            precision: PrecisionChoice::F32,
            optimizer: OptimizerKind::Adamw,
            // Four times that is worth 235 Elo [168, 323] in five minutes (study 0009), so presets take 0.008 or 0.004.
            rate: 2e-3,
            momentum: 0.9,
            // Adam's published moments, 0.9 and 0.999. Not measured.
            beta2: 0.999,
            // PyTorch's default of AdamW. Not measured.
            weight_decay: 1e-2,
            batch: 256,
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
            // 0.9 is worth 133 Elo [87, 179] after first games by alpha-beta (study 0054).
            td_lambda: 1.0,
            // 0.5 is worth about 500 Elo to a network that begins with its own games (study 0006).
            search_value_share: 0.0,
            truncated_value: TruncatedValue::Search,
        }
    }
}

/// Matches against baselines during the run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct EvaluationConfig {
    /// Generations from one evaluation to the next, and the last one too; 0 for none.
    pub every: u64,
    /// Games against each opponent, in colour-swapped pairs.
    pub games: u32,
    /// Simulations per ply of the network's searches.
    pub simulations: u32,
    /// Opponents: texts of baselines. The first is the zero of ratings.
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
    /// Number of newest checkpoints that are kept; at least 1.
    pub keep_last: u64,
    /// Older checkpoints stay if their generation is a multiple of this; 0 for none.
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
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct LimitsConfig {
    /// Generations; 0 for no limit.
    pub generations: u64,
    /// Minutes of work, without interruptions; 0 for no limit. With this limit the learning rate follows wall-clock
    /// time (a generation is assumed to last as long as the one before), so two runs are not equal to the last digit.
    pub minutes: f64,
    /// Rows played that can be trained on; 0 for no limit. The run ends with the generation that reaches it: an equal
    /// budget for games of different length.
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
