//! Settings of a study's games.

use chase_engine::chase::Rules;
use chase_training::settings::{Checks, Problem};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use chase_arena::PlayerSpec;

/// The section `[games]` of a study's configuration.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct GamesConfig {
    /// Players of the whole study, each against itself.
    pub players: Vec<PlayerSpec>,
    /// Players for the initial position only, such as earlier checkpoints.
    pub curve: Vec<PlayerSpec>,
    /// Conventions of draws and length.
    pub rules: String,
    /// Other conventions, to count the first player's draws under them.
    pub conventions: Vec<String>,
    /// Whether to force the article's replies in some games (B8, B10).
    pub replies: bool,
    /// Whether to force all other replies too, for comparison.
    pub all_replies: bool,
    /// Temperature of action choice in the first plies, except forced plies.
    pub temperature: f32,
    /// Plies with this temperature, including forced plies.
    pub temperature_plies: u32,
    /// Games per series in the first round; later rounds double it.
    pub first_round: u32,
    /// Most games per series; may only grow.
    #[schemars(extend("change" = "resume"))]
    pub most: u32,
    /// Games from the initial position per game from a forced opening.
    pub initial_factor: u32,
    /// Probability per claim of a false verdict.
    pub error: f64,
    /// Smallest relevant difference in score, from 0 to 1.
    pub margin: f64,
    /// Smallest relevant difference in attacks (in plies) and in dice won early.
    pub dice_margin: f64,
    /// Share of draws that counts as few.
    pub few_draws: f64,
    /// Number of first moves that counts as several.
    pub several: u32,
    /// Simultaneous games per thread: the network's batch size.
    pub in_flight: u32,
    /// Games per file.
    pub shard: u32,
    /// Plies after which a game is truncated.
    pub max_plies: u32,
}

impl Default for GamesConfig {
    fn default() -> Self {
        Self {
            players: Vec::new(),
            curve: Vec::new(),
            rules: Rules::default().to_string(),
            conventions: Vec::new(),
            replies: true,
            // Without other replies the article's are compared with the player's own choice, if it differs.
            all_replies: false,
            // It makes a network's games differ; values stay free of noise. Players without networks must vary by
            // themselves.
            temperature: 1.0,
            // Long enough for agents that are sure of their openings: their games would otherwise repeat.
            temperature_plies: 20,
            first_round: 32,
            most: 256,
            // The first move's advantage and draws (A1, D1) depend on games from the initial position.
            initial_factor: 4,
            error: 0.05,
            margin: 0.02,
            dice_margin: 0.1,
            few_draws: 0.1,
            several: 3,
            in_flight: 128,
            // A killed program loses at most these games per thread.
            shard: 256,
            max_plies: 1000,
        }
    }
}

impl GamesConfig {
    /// All values out of range.
    pub fn problems(&self) -> Vec<Problem> {
        let mut checks = Checks::default();
        let conventions = self.conventions.iter().map(|text| ("games.conventions", text));
        for (key, text) in conventions.chain([("games.rules", &self.rules)]) {
            let expected = "conventions such as `repetition 3, quiet 100, length 400`";
            checks.require(text.parse::<Rules>().is_ok(), key, format_args!("`{text}`"), expected);
        }
        let all: Vec<&PlayerSpec> = self.players.iter().chain(&self.curve).collect();
        for (place, player) in all.iter().enumerate() {
            let expected = "players without a time limit, so that games can be repeated";
            let name = format!("`{player}`");
            checks.require(player.is_deterministic(), "games.players", &name, expected);
            let expected = "each player once, here or in `curve`";
            checks.require(
                !all[..place].contains(player),
                "games.players",
                format!("{name} twice"),
                expected,
            );
        }
        checks.not_negative("games.temperature", self.temperature.into());
        for (key, count) in [
            ("games.first_round", self.first_round),
            ("games.initial_factor", self.initial_factor),
            ("games.several", self.several),
            ("games.in_flight", self.in_flight),
            ("games.shard", self.shard),
            ("games.max_plies", self.max_plies),
        ] {
            checks.at_least_one(key, count.into());
        }
        let least = format!("at least games.first_round ({})", self.first_round);
        checks.require(self.most >= self.first_round, "games.most", self.most, &least);
        for (key, share) in [("games.error", self.error), ("games.few_draws", self.few_draws)] {
            checks.require(share > 0.0 && share < 1.0, key, share, "a share between 0 and 1");
        }
        let fits = (0.0..0.5).contains(&self.margin);
        checks.require(fits, "games.margin", self.margin, "a score from 0 to below 0.5");
        checks.not_negative("games.dice_margin", self.dice_margin);
        checks.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mistakes_are_told_all_at_once() {
        assert_eq!(GamesConfig::default().problems(), []);
        let config = GamesConfig {
            players: vec!["net:x,ms=5".parse().expect("a player")],
            rules: "repetition 3".into(),
            margin: 0.5,
            shard: 0,
            most: 1,
            ..GamesConfig::default()
        };
        let problems = config.problems();
        let most = problems.iter().find(|problem| problem.key == "games.most");
        let most = most.map(ToString::to_string);
        assert_eq!(
            most.as_deref(),
            Some("games.most is 1, expected at least games.first_round (32)")
        );
        let told: Vec<String> = problems.into_iter().map(|problem| problem.key).collect();
        assert_eq!(
            told,
            [
                "games.rules",
                "games.players",
                "games.shard",
                "games.most",
                "games.margin"
            ]
        );
    }
}
