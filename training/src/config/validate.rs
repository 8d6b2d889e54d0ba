//! What a configuration must satisfy beyond its types.

use std::fmt;

use chase_models::encoding::ChaseEncoding;

use super::{Algorithm, Config, GameName, RulesConfig};
use crate::selfplay::Exploration;

/// The rows of a generation's batches are drawn at once: more would be no learning, but a lack of memory.
const MOST_REUSE: f64 = 1000.0;

/// The games of a generation are in memory together: more would need terabytes.
const MOST_GAMES: u32 = 10_000_000;

/// A setting that cannot be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The key with its sections: `search.c_puct`.
    pub key: String,
    /// What it is set to.
    pub value: String,
    /// What it may be, and why where that is not plain.
    pub expected: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is {}, expected {}", self.key, self.value, self.expected)
    }
}

/// Collects problems.
#[derive(Default)]
struct Checks(Vec<Problem>);

impl Checks {
    fn require(&mut self, holds: bool, key: &str, value: impl fmt::Display, expected: &str) {
        if !holds {
            self.0.push(Problem {
                key: key.into(),
                value: value.to_string(),
                expected: expected.into(),
            });
        }
    }

    fn positive(&mut self, key: &str, value: f64) {
        self.require(value > 0.0 && value.is_finite(), key, value, "a number above 0");
    }

    fn not_negative(&mut self, key: &str, value: f64) {
        self.require(value >= 0.0 && value.is_finite(), key, value, "a number of at least 0");
    }

    fn share(&mut self, key: &str, value: f64) {
        self.require((0.0..=1.0).contains(&value), key, value, "a number from 0 to 1");
    }

    fn games(&mut self, key: &str, value: u32) {
        let holds = (1..=MOST_GAMES).contains(&value);
        self.require(holds, key, value, "at least 1, at most 10000000");
    }

    fn at_least_one(&mut self, key: &str, value: u64) {
        self.require(value >= 1, key, value, "at least 1");
    }
}

impl Config {
    /// Everything that is wrong with the settings, in the order of the sections; empty if nothing is.
    pub fn problems(&self) -> Vec<Problem> {
        let mut checks = Checks::default();
        // TOML has no numbers beyond these.
        checks.require(self.seed <= i64::MAX as u64, "seed", self.seed, "at most 2^63 − 1");
        checks.require(self.threads <= 4096, "threads", self.threads, "0 (one a core) to 4096");
        self.check_game(&mut checks);
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

    fn check_game(&self, checks: &mut Checks) {
        match self.game {
            GameName::Chase => {
                checks.require(
                    !self.replay.mirror,
                    "replay.mirror",
                    true,
                    "false: mirror images are not equal in Chase, where what goes left is not what goes right",
                );
                checks.require(
                    self.rules.max_turns >= 1,
                    "rules.max_turns",
                    self.rules.max_turns,
                    "at least 1: without a limit a game may never end",
                );
                checks.require(
                    self.rules.repetition != 1,
                    "rules.repetition",
                    1,
                    "0 (off) or at least 2: every position has occurred once",
                );
            }
            GameName::ConnectFour => {
                let default = self.rules == RulesConfig::default();
                checks.require(
                    default,
                    "rules",
                    "set",
                    "no such section: these are conventions of Chase",
                );
                checks.require(
                    self.encoding == ChaseEncoding::default(),
                    "encoding",
                    "set",
                    "no such section: these are planes of Chase",
                );
                for (key, set) in [("network.hex", self.network.hex), ("network.wrap", self.network.wrap)] {
                    checks.require(!set, key, set, "false: the board of Connect Four is a plain grid");
                }
                let dice = self.network.auxiliary.dice_difference;
                let key = "network.auxiliary.dice_difference";
                checks.require(!dice, key, dice, "false: there are no dice in Connect Four");
            }
        }
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
        checks.games("selfplay.games", selfplay.games);
        checks.at_least_one("selfplay.group_games", selfplay.group_games.into());
        checks.at_least_one("selfplay.in_flight", selfplay.in_flight.into());
        checks.require(
            selfplay.in_flight <= selfplay.group_games,
            "selfplay.in_flight",
            selfplay.in_flight,
            "at most selfplay.group_games",
        );
        checks.not_negative("selfplay.temperature", selfplay.temperature.into());
        checks.not_negative("selfplay.final_temperature", selfplay.final_temperature.into());
        checks.positive("selfplay.temperature_half_life", selfplay.temperature_half_life.into());
        checks.share("selfplay.surprise_share", selfplay.surprise_share.into());
        checks.share("selfplay.random_opening_share", selfplay.random_opening_share);
        checks.at_least_one("selfplay.random_opening_plies", selfplay.random_opening_plies.into());
        let measurement = &self.measurement;
        checks.games("measurement.games", measurement.games);
        checks.at_least_one("measurement.simulations", measurement.simulations.into());
        checks.not_negative("measurement.temperature", measurement.temperature.into());
    }

    /// What only searches themselves know: some numbers must fit together.
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
        checks.require(
            replay.window_exponent > 0.0 && replay.window_exponent <= 1.0,
            "replay.window_exponent",
            replay.window_exponent,
            "a number above 0, at most 1",
        );
        checks.share("replay.window_slope", replay.window_slope);
        checks.require(
            replay.reuse > 0.0 && replay.reuse <= MOST_REUSE,
            "replay.reuse",
            replay.reuse,
            "a number above 0, at most 1000",
        );
        checks.at_least_one("replay.max_mib", replay.max_mib as u64);
        let learner = &self.learner;
        checks.positive("learner.rate", learner.rate);
        for (key, beta) in [("learner.momentum", learner.momentum), ("learner.beta2", learner.beta2)] {
            checks.require((0.0..1.0).contains(&beta), key, beta, "a number from 0, below 1");
        }
        checks.not_negative("learner.weight_decay", learner.weight_decay);
        checks.require(
            learner.batch >= 2,
            "learner.batch",
            learner.batch,
            "at least 2: normalisation needs a spread",
        );
        checks.require(
            (1..=learner.batch / 2).contains(&learner.replicas),
            "learner.replicas",
            learner.replicas,
            "at least 1, at most half of learner.batch: normalisation needs a spread in each part",
        );
        checks.share("learner.drop_from", learner.drop_from);
        checks.require(
            learner.drop_to > 0.0 && learner.drop_to <= 1.0,
            "learner.drop_to",
            learner.drop_to,
            "a number above 0, at most 1",
        );
        checks.positive("learner.clip_norm", learner.clip_norm);
        for (key, weight) in [
            ("learner.policy_weight", learner.policy_weight),
            ("learner.value_weight", learner.value_weight),
            ("learner.occupancy_weight", learner.occupancy_weight),
            ("learner.plies_left_weight", learner.plies_left_weight),
            ("learner.dice_difference_weight", learner.dice_difference_weight),
        ] {
            checks.not_negative(key, weight);
        }
        checks.share("learner.search_value_share", learner.search_value_share);
    }

    fn check_schedule(&self, checks: &mut Checks) {
        checks.require(
            self.evaluation.every == 0 || self.evaluation.games >= 2 && self.evaluation.games.is_multiple_of(2),
            "evaluation.games",
            self.evaluation.games,
            "an even number of at least 2: games come in pairs",
        );
        checks.at_least_one("evaluation.simulations", self.evaluation.simulations.into());
        checks.at_least_one("checkpoints.keep_last", self.checkpoints.keep_last);
        checks.not_negative("limits.minutes", self.limits.minutes);
        checks.require(
            self.limits.generations > 0 || self.limits.minutes > 0.0,
            "limits.generations",
            0,
            "at least 1, unless limits.minutes is set",
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
    fn games_that_no_memory_holds_are_refused() {
        let mut config = Config::default();
        (config.selfplay.games, config.measurement.games) = (MOST_GAMES, MOST_GAMES);
        assert_eq!(config.problems(), []);
        (config.selfplay.games, config.measurement.games) = (u32::MAX, MOST_GAMES + 1);
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
    fn chase_has_no_mirror_images() {
        let mut config = Config::default();
        config.replay.mirror = true;
        let keys: Vec<String> = config.problems().into_iter().map(|problem| problem.key).collect();
        assert_eq!(keys, ["replay.mirror"]);
        config.game = GameName::ConnectFour;
        (config.network.hex, config.network.wrap) = (false, false);
        assert_eq!(config.problems(), []);
    }

    #[test]
    fn settings_of_one_game_are_refused_for_the_other() {
        let mut config = Config {
            game: GameName::ConnectFour,
            ..Config::default()
        };
        config.rules.max_turns = 50;
        let keys: Vec<String> = config.problems().into_iter().map(|problem| problem.key).collect();
        assert_eq!(keys, ["rules", "network.hex", "network.wrap"]);
        config.encoding.move_maps = true;
        let keys: Vec<String> = config.problems().into_iter().map(|problem| problem.key).collect();
        assert_eq!(keys, ["rules", "encoding", "network.hex", "network.wrap"]);
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
        // No search uses it.
        config.replay.reuse = 1.0;
        config.search.algorithm = Algorithm::Puct;
        assert_eq!(config.problems(), []);
    }
}
