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
    /// Players of the whole study. Each plays against itself and has its own findings: several independently trained
    /// ones separate properties of the game from those of one training run.
    pub players: Vec<PlayerSpec>,
    /// Players that play from the initial position only: the same networks with other numbers of simulations, earlier
    /// checkpoints, baselines. They show the first move's advantage by strength.
    pub curve: Vec<PlayerSpec>,
    /// Conventions of all games, in the engine's text form.
    pub rules: String,
    /// Other conventions, under which the first player plays from the initial position, to count the draws of each.
    pub conventions: Vec<String>,
    /// True to force the article's replies in some games too (B8, B10).
    pub replies: bool,
    /// True to force all other replies to the same first moves too, so that the replies that the article names are
    /// compared with the best of all others. Otherwise they are compared with the player's own choice, if that is
    /// another reply.
    pub all_replies: bool,
    /// Temperature of the choice among a search's visits in the first plies of a game, except forced ones. It makes a
    /// network's games differ; values stay free of noise. Players without networks must vary by themselves.
    pub temperature: f32,
    /// Plies from the start of a game, including forced ones, up to which the temperature applies. It must be long
    /// enough for agents that are sure of their openings, whose games from the initial position would otherwise repeat.
    pub temperature_plies: u32,
    /// Games of a series in the first round. Each further round doubles the number.
    pub first_round: u32,
    /// Most games of a series. A resumed study may have more, not fewer.
    #[schemars(extend("change" = "resume"))]
    pub most: u32,
    /// Games from the initial position for each game from a forced opening, in each round: the first move's advantage
    /// and draws depend on them (A1, D1), where an opening is one among many.
    pub initial_factor: u32,
    /// Probability, for each claim, that its verdict is false.
    pub error: f64,
    /// Smallest difference in score, from 0 to 1, that matters.
    pub margin: f64,
    /// Smallest difference in attacks, in plies, and in dice won early that matters.
    pub dice_margin: f64,
    /// Share of draws that counts as few.
    pub few_draws: f64,
    /// Number of first moves that counts as several.
    pub several: u32,
    /// Games that one thread plays at the same time: a network evaluates them together.
    pub in_flight: u32,
    /// Games per file: the most that a killed program loses, for each thread.
    pub shard: u32,
    /// Plies after which a game is truncated, whatever its conventions.
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
            all_replies: false,
            temperature: 1.0,
            temperature_plies: 20,
            first_round: 32,
            most: 256,
            initial_factor: 4,
            error: 0.05,
            margin: 0.02,
            dice_margin: 0.1,
            few_draws: 0.1,
            several: 3,
            in_flight: 128,
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
            let expected = "players without a limit of time, whose games come out the same again";
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
