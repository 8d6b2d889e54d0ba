//! What the games of the study depend on.

use chase_engine::chase::Rules;
use chase_training::config::Problem;
use serde::{Deserialize, Serialize};

use chase_arena::PlayerSpec;

/// The section `[games]` of a study's configuration.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct GamesConfig {
    /// Players of the whole study. Each plays against itself, and has findings of its own: several independently trained
    /// ones show what is true of the game and what of one training.
    pub players: Vec<PlayerSpec>,
    /// Players that play from the initial position only: the same networks with other numbers of simulations, earlier
    /// checkpoints, baselines. For the first move's advantage against strength.
    pub curve: Vec<PlayerSpec>,
    /// Conventions of all games, as the engine writes them.
    pub rules: String,
    /// Other conventions, under which the first player plays from the initial position: how many draws each gives.
    pub conventions: Vec<String>,
    /// Whether games are forced into the article's replies too (B8, B10).
    pub replies: bool,
    /// Whether games are forced into all other replies to the same first moves, too, so that the replies that the article
    /// names meet the best of all others. Without it they meet the one that the player itself would choose, if that is
    /// another.
    pub all_replies: bool,
    /// Temperature of the choice among a search's visits in the first plies of a game, the forced ones aside. It is how
    /// games of a network differ; values stay free of noise. Players without networks must differ by themselves.
    pub temperature: f32,
    /// Plies from the start of a game, the forced ones included, up to which there is a temperature. Long enough for agents
    /// that are sure of their openings, whose games from the initial position are otherwise the same few.
    pub temperature_plies: u32,
    /// Games of a series in the first round. Each further round doubles them.
    pub first_round: u32,
    /// Games of a series at most. A study that goes on may have more, no fewer.
    pub most: u32,
    /// Games from the initial position for every one from a forced opening, in each round: what the first move's advantage
    /// and draws rest on (A1, D1), where an opening is one among many.
    pub initial_factor: u32,
    /// Probability, for each claim, that its intervals ever miss the truth.
    pub error: f64,
    /// Score, from 0 to 1, below which a difference is too small to matter.
    pub margin: f64,
    /// Dice by which early losses must differ to matter.
    pub dice_margin: f64,
    /// Share of draws that is few.
    pub few_draws: f64,
    /// First moves that are several.
    pub several: u32,
    /// Games that one thread plays at the same time: what a network evaluates together.
    pub in_flight: u32,
    /// Games of a file: what is lost at most if the program is killed, for each thread.
    pub shard: u32,
    /// Plies after which a game is truncated whatever its conventions.
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
    /// Values out of range, all of them.
    pub fn problems(&self) -> Vec<Problem> {
        let mut problems = Vec::new();
        let mut require = |holds: bool, key: &str, value: String, expected: &str| {
            if !holds {
                problems.push(Problem {
                    key: format!("games.{key}"),
                    value,
                    expected: expected.into(),
                });
            }
        };
        let rules = "conventions such as `repetition 3, quiet 100, length 400`";
        for (key, text) in [("rules", &self.rules)]
            .into_iter()
            .chain(self.conventions.iter().map(|text| ("conventions", text)))
        {
            let read = text.parse::<Rules>();
            require(read.is_ok(), key, format!("`{text}`"), rules);
        }
        let all = self.players.iter().chain(&self.curve);
        for player in all.clone() {
            let expected = "players without a limit of time, whose games come out the same again";
            require(player.is_deterministic(), "players", format!("`{player}`"), expected);
        }
        let mut names: Vec<String> = all.map(ToString::to_string).collect();
        names.sort();
        let double = names.windows(2).find(|pair| pair[0] == pair[1]);
        if let Some([name, _]) = double {
            require(
                false,
                "players",
                format!("`{name}` twice"),
                "each player once, here or in `curve`",
            );
        }
        let temperature = self.temperature;
        let fits = temperature.is_finite() && temperature >= 0.0;
        require(fits, "temperature", temperature.to_string(), "a number from 0");
        for (key, count) in [
            ("first_round", self.first_round),
            ("initial_factor", self.initial_factor),
            ("several", self.several),
            ("in_flight", self.in_flight),
            ("shard", self.shard),
            ("max_plies", self.max_plies),
        ] {
            require(count > 0, key, count.to_string(), "1 or more");
        }
        let most = self.most.to_string();
        require(self.most >= self.first_round, "most", most, "`first_round` or more");
        let share = |x: f64| x > 0.0 && x < 1.0;
        require(
            share(self.error),
            "error",
            self.error.to_string(),
            "a probability between 0 and 1",
        );
        require(
            share(self.few_draws),
            "few_draws",
            self.few_draws.to_string(),
            "a share between 0 and 1",
        );
        let fits = self.margin >= 0.0 && self.margin < 0.5;
        require(fits, "margin", self.margin.to_string(), "a score from 0 to below 0.5");
        let fits = self.dice_margin >= 0.0 && self.dice_margin.is_finite();
        require(fits, "dice_margin", self.dice_margin.to_string(), "a number from 0");
        problems
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
        let told: Vec<String> = config.problems().iter().map(|problem| problem.key.clone()).collect();
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
