//! Constraints on a configuration beyond its types.

use crate::config::{Algorithm, CheckpointConfig, Config, LearnerConfig, LimitsConfig, RefitConfig};
use crate::selfplay::Exploration;
use crate::settings::{Checks, Problem};

/// Largest reuse. The rows of a generation's batches are drawn at once: a larger value would only exhaust memory.
const MOST_REUSE: f64 = 1000.0;

impl Config {
    /// Most games per generation. They are in memory together: more would need terabytes.
    pub const MOST_GAMES: u32 = 10_000_000;

    /// All invalid settings, in the order of the sections.
    pub fn problems(&self) -> Vec<Problem> {
        let mut checks = Checks::default();
        checks.seed_and_threads(self.seed, self.threads);
        checks.device(&self.device);
        checks.0.extend(self.problems_for_game());
        if let Err(error) = self.network.validate() {
            checks.require(false, &format!("network.{}", error.key), error.value, error.expected);
        }
        self.check_search(&mut checks);
        self.check_selfplay(&mut checks);
        self.check_searches(&mut checks);
        self.check_learning(&mut checks);
        self.check_schedule(&mut checks);
        checks.0
    }

    fn check_search(&self, checks: &mut Checks) {
        let search = &self.search;
        let gumbel = search.algorithm == Algorithm::Gumbel;
        checks.require(
            search.simulations >= if gumbel { 2 } else { 1 },
            "search.simulations",
            search.simulations,
            if gumbel { "at least 2" } else { "at least 1" },
        );
        checks.at_least_one("search.fast_simulations", search.fast_simulations.into());
        checks.require(
            search.full_share > 0.0 && search.full_share <= 1.0,
            "search.full_share",
            search.full_share,
            "a number above 0, at most 1: only full searches are trained on",
        );
        checks.positive("search.c_puct", search.c_puct.into());
        checks.not_negative("search.fpu_reduction", search.fpu_reduction.into());
        checks.positive("search.dirichlet_total", search.dirichlet_total.into());
        checks.share("search.dirichlet_share", search.dirichlet_share.into());
        checks.positive("search.policy_temperature", search.policy_temperature.into());
        checks.positive("search.root_policy_temperature", search.root_policy_temperature.into());
        checks.at_least_one("search.considered_actions", search.considered_actions.into());
        checks.not_negative("search.c_visit", search.c_visit.into());
        checks.positive("search.c_scale", search.c_scale.into());
        checks.at_least_one("search.tree_mib", search.tree_mib as u64);
    }

    fn check_selfplay(&self, checks: &mut Checks) {
        let selfplay = &self.selfplay;
        checks.one_to(Self::MOST_GAMES, "selfplay.games", selfplay.games);
        checks.at_least_one("selfplay.group_games", selfplay.group_games.into());
        checks.at_least_one("selfplay.in_flight", selfplay.in_flight.into());
        checks.require(
            selfplay.in_flight <= selfplay.group_games,
            "selfplay.in_flight",
            selfplay.in_flight,
            &format!("at most selfplay.group_games ({})", selfplay.group_games),
        );
        checks.not_negative("selfplay.temperature", selfplay.temperature.into());
        checks.not_negative("selfplay.final_temperature", selfplay.final_temperature.into());
        checks.positive("selfplay.temperature_half_life", selfplay.temperature_half_life.into());
        checks.share("selfplay.surprise_share", selfplay.surprise_share.into());
        checks.share("selfplay.random_opening_share", selfplay.random_opening_share);
        checks.at_least_one("selfplay.random_opening_plies", selfplay.random_opening_plies.into());
        checks.at_least_one("selfplay.heuristic_nodes", selfplay.heuristic_nodes.into());
        let measurement = &self.measurement;
        checks.one_to(Self::MOST_GAMES, "measurement.games", measurement.games);
        checks.at_least_one("measurement.simulations", measurement.simulations.into());
        checks.not_negative("measurement.temperature", measurement.temperature.into());
    }

    /// Reports the constraints between settings that only the searches themselves check.
    fn check_searches(&self, checks: &mut Checks) {
        let sections = ["search.", "selfplay.", "measurement."];
        let known = |problem: &Problem| sections.iter().any(|section| problem.key.starts_with(section));
        if checks.0.iter().any(known) {
            return;
        }
        for fault in Exploration::faults(self) {
            checks.require(false, &format!("search.{}", fault.name), fault.value, fault.expected);
        }
    }

    fn check_learning(&self, checks: &mut Checks) {
        let replay = &self.replay;
        checks.at_least_one("replay.window_rows", replay.window_rows);
        checks.positive_share("replay.window_exponent", replay.window_exponent);
        checks.share("replay.window_slope", replay.window_slope);
        checks.require(
            replay.reuse > 0.0 && replay.reuse <= MOST_REUSE,
            "replay.reuse",
            replay.reuse,
            "a number above 0, at most 1000",
        );
        checks.at_least_one("replay.max_mib", replay.max_mib as u64);
        let learner = &self.learner;
        checks.require(
            !learner.precision.is_fused(),
            "learner.precision",
            learner.precision,
            "auto, f32 or bf16: the fused kernel cannot train",
        );
        learner.check(checks);
        checks.require(
            learner.batch >= 2,
            "learner.batch",
            learner.batch,
            "at least 2: normalisation needs two rows",
        );
        checks.require(
            (1..=learner.batch / 2).contains(&learner.replicas),
            "learner.replicas",
            learner.replicas,
            "at least 1, at most half of learner.batch: normalisation needs two rows in each part",
        );
        checks.positive("learner.clip_norm", learner.clip_norm);
        for (key, weight) in [
            ("learner.policy_weight", learner.policy_weight),
            ("learner.value_weight", learner.value_weight),
            ("learner.occupancy_weight", learner.occupancy_weight),
            ("learner.plies_left_weight", learner.plies_left_weight),
            ("learner.dice_difference_weight", learner.material_weight),
        ] {
            checks.not_negative(key, weight);
        }
    }

    fn check_schedule(&self, checks: &mut Checks) {
        self.refit.check(checks);
        checks.pairs(self.evaluation.every, self.evaluation.games);
        checks.at_least_one("evaluation.simulations", self.evaluation.simulations.into());
        self.checkpoints.check(checks);
        self.limits.check(checks);
    }
}

impl LearnerConfig {
    /// Adds what is wrong with the settings that learners of all kinds have.
    pub(crate) fn check(&self, checks: &mut Checks) {
        checks.positive("learner.rate", self.rate);
        checks.below_one("learner.momentum", self.momentum);
        checks.below_one("learner.beta2", self.beta2);
        checks.not_negative("learner.weight_decay", self.weight_decay);
        checks.share("learner.drop_from", self.drop_from);
        checks.positive_share("learner.drop_to", self.drop_to);
        checks.share("learner.td_lambda", self.td_lambda);
        checks.share("learner.search_value_share", self.search_value_share);
    }
}

impl RefitConfig {
    /// Adds what is wrong with these settings.
    pub(crate) fn check(&self, checks: &mut Checks) {
        checks.at_least_one("refit.generations", self.generations);
        checks.require(
            self.passes > 0.0 && self.passes <= MOST_REUSE,
            "refit.passes",
            self.passes,
            "a number above 0, at most 1000",
        );
        checks.positive("refit.rate", self.rate);
        checks.share("refit.drop_from", self.drop_from);
        checks.positive_share("refit.drop_to", self.drop_to);
    }
}

impl CheckpointConfig {
    /// Adds what is wrong with these settings.
    pub(crate) fn check(&self, checks: &mut Checks) {
        checks.at_least_one("checkpoints.keep_last", self.keep_last);
    }
}

impl LimitsConfig {
    /// Adds what is wrong with these settings.
    pub(crate) fn check(&self, checks: &mut Checks) {
        checks.not_negative("limits.minutes", self.minutes);
        checks.require(
            // Invalid minutes are reported by themselves.
            self.generations > 0 || self.minutes != 0.0 || self.rows > 0,
            "limits.generations",
            0,
            "at least 1, unless limits.minutes or limits.rows is set",
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_defaults_are_in_order() {
        assert_eq!(Config::default().problems(), []);
    }

    #[test]
    fn all_problems_are_told_at_once() {
        let mut config = Config::default();
        config.search.c_puct = f32::NAN;
        config.selfplay.in_flight = 1000;
        config.selfplay.random_opening_share = 1.5;
        config.selfplay.random_opening_plies = 0;
        config.learner.rate = -1.0;
        config.learner.replicas = 200;
        config.network.channels = 0;
        config.limits.generations = 0;
        let keys: Vec<String> = config.problems().into_iter().map(|problem| problem.key).collect();
        let expected = [
            "network.channels",
            "search.c_puct",
            "selfplay.in_flight",
            "selfplay.random_opening_share",
            "selfplay.random_opening_plies",
            "learner.rate",
            "learner.replicas",
            "limits.generations",
        ];
        assert_eq!(keys, expected);
    }

    #[test]
    fn a_device_is_a_known_name_but_may_be_of_another_machine() {
        let mut config = Config {
            device: "cuda:4095".into(),
            ..Config::default()
        };
        assert_eq!(config.problems(), []);
        config.device = "gpu".into();
        let problems: Vec<String> = config.problems().iter().map(Problem::to_string).collect();
        assert_eq!(problems, ["device is `gpu`, expected auto, cpu, cuda or cuda:N"]);
    }

    #[test]
    fn minutes_below_zero_are_one_problem() {
        let mut config = Config::default();
        (config.limits.generations, config.limits.minutes) = (0, -3.0);
        let problems: Vec<String> = config.problems().iter().map(Problem::to_string).collect();
        assert_eq!(problems, ["limits.minutes is -3, expected a number of at least 0"]);
    }

    #[test]
    fn games_that_no_memory_holds_are_refused() {
        let mut config = Config::default();
        (config.selfplay.games, config.measurement.games) = (Config::MOST_GAMES, Config::MOST_GAMES);
        assert_eq!(config.problems(), []);
        (config.selfplay.games, config.measurement.games) = (u32::MAX, Config::MOST_GAMES + 1);
        let problems: Vec<String> = config.problems().iter().map(Problem::to_string).collect();
        assert_eq!(
            problems,
            [
                "selfplay.games is 4294967295, expected at least 1, at most 10000000",
                "measurement.games is 10000001, expected at least 1, at most 10000000"
            ]
        );
    }

    #[test]
    fn numbers_that_are_in_range_one_by_one_must_fit_together() {
        let mut config = Config::default();
        config.search.c_scale = 1e37;
        config.replay.reuse = 1e18;
        let problems: Vec<String> = config.problems().iter().map(Problem::to_string).collect();
        assert_eq!(problems.len(), 2, "{problems:?}");
        assert!(problems[0].starts_with("search.c_scale is 1"), "{problems:?}");
        assert!(problems[0].contains("c_visit"), "{problems:?}");
        assert_eq!(
            problems[1],
            "replay.reuse is 1000000000000000000, expected a number above 0, at most 1000"
        );
        // Not used by any search.
        config.replay.reuse = 1.0;
        config.search.algorithm = Algorithm::Puct;
        assert_eq!(config.problems(), []);
    }
}
