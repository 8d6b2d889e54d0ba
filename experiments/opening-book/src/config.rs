//! The settings of a book.

use chase_arena::PlayerSpec;
use chase_engine::GameName;
use chase_training::config::game_name;
use chase_training::settings::{Checks, Problem, Settings};
use chase_training::store::{RunSettings, rules_version};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use toml::Table;

/// Everything that a book depends on. Unknown keys are errors.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct BookConfig {
    /// Game.
    #[serde(with = "game_name")]
    #[schemars(with = "String")]
    pub game: GameName,
    /// Threads; 0 for one per core.
    #[schemars(extend("change" = "resume"))]
    pub threads: usize,
    /// Device: `cpu`, `cuda`, `cuda:N`, or `auto`.
    #[schemars(extend("change" = "resume"))]
    pub device: String,
    /// Player that judges every legal action.
    pub scout: PlayerSpec,
    /// Players that judge the candidates.
    pub judges: Vec<PlayerSpec>,
    /// Plies of the longest line.
    pub plies: u32,
    /// Candidates per position, by the scout; in the first position, all.
    pub candidates: u32,
    /// Most candidates followed, by the judges' mean; in the first position, all.
    pub width: u32,
    /// Largest distance of a followed candidate's score from the best, from 0 to 1.
    pub margin: f64,
    /// Players that try to refute the best moves; may be empty.
    pub challengers: Vec<PlayerSpec>,
    /// Games between the best first moves.
    pub contest: ContestConfig,
}

/// Games after each of the best first moves, until only one can be the best.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct ContestConfig {
    /// Player of both sides, with a temperature.
    pub player: PlayerSpec,
    /// Best first moves that take part; 0 for no games.
    pub moves: u32,
    /// Pairs per move in the first round; later rounds double it.
    pub first_round: u32,
    /// Most pairs per move.
    pub most: u32,
    /// Probability of excluding the best move or of a wrong distance.
    pub error: f64,
    /// Seed of the games.
    pub seed: u64,
}

impl Default for ContestConfig {
    fn default() -> Self {
        Self {
            player: player("nnue-57,nodes=2000,temperature=0.1,temperature-plies=20"),
            moves: 8,
            first_round: 32,
            most: 512,
            error: 0.05,
            seed: 0,
        }
    }
}

/// A default player.
fn player(text: &str) -> PlayerSpec {
    text.parse().unwrap_or_else(|error| panic!("a default player: {error}"))
}

impl Default for BookConfig {
    fn default() -> Self {
        Self {
            game: GameName::Chase,
            threads: 0,
            device: "cpu".into(),
            scout: player("nnue-57,nodes=2000"),
            judges: vec![player("nnue-57,nodes=50000"), player("agent-41,simulations=200")],
            plies: 4,
            candidates: 6,
            width: 2,
            margin: 0.05,
            challengers: vec![player("nnue-57,nodes=500000"), player("agent-41,simulations=1000")],
            contest: ContestConfig::default(),
        }
    }
}

/// Plies that no tree reaches.
const MOST_PLIES: u32 = 40;
/// Pairs of games that no contest reaches.
const MOST_PAIRS: u32 = 1_000_000;

impl Settings for BookConfig {
    chase_training::toml_form!();

    const SUBJECT: &'static str = "book";

    /// Defaults that depend on the game: the built-in players of the last two steps play Chase alone, so another game has
    /// these steps only if its players are given.
    fn defaults(set: &Table) -> Table {
        let game = set.get("game").and_then(toml::Value::as_str);
        if game.is_none_or(|game| game == GameName::Chase.name()) {
            return Table::new();
        }
        let has_player = set.get("contest").and_then(|contest| contest.get("player")).is_some();
        let mut defaults = Table::from_iter([("challengers".to_owned(), toml::Value::Array(Vec::new()))]);
        if !has_player {
            let none = Table::from_iter([("moves".to_owned(), toml::Value::Integer(0))]);
            defaults.insert("contest".into(), toml::Value::Table(none));
        }
        defaults
    }

    fn problems(&self) -> Vec<Problem> {
        let mut checks = Checks::default();
        checks.seed_and_threads(0, self.threads);
        checks.device(&self.device);
        let searchers = std::iter::once(("scout", &self.scout))
            .chain(self.judges.iter().map(|judge| ("judges", judge)))
            .chain(self.challengers.iter().map(|challenger| ("challengers", challenger)));
        for (key, player) in searchers {
            checks.require(
                !has_temperature(player),
                key,
                format!("`{player}`"),
                "a player without temperature: judgements must not be random",
            );
        }
        checks.require(
            !self.judges.is_empty(),
            "judges",
            "an empty list",
            "at least one player",
        );
        for (key, players) in [("judges", &self.judges), ("challengers", &self.challengers)] {
            for (index, player) in players.iter().enumerate() {
                let twice = players[..index].contains(player);
                checks.require(!twice, key, format!("twice `{player}`"), "each player once");
            }
        }
        checks.one_to(MOST_PLIES, "plies", self.plies);
        checks.one_to(1000, "candidates", self.candidates);
        let fits = (1..=self.candidates.max(1)).contains(&self.width);
        let expected = format!("1 to {} (candidates)", self.candidates);
        checks.require(fits, "width", self.width, &expected);
        checks.share("margin", self.margin);
        let contest = &self.contest;
        if contest.moves > 0 {
            let text = format!("`{}`", contest.player);
            let expected = "a player with a temperature: without one all games after a move are the same";
            checks.require(has_temperature(&contest.player), "contest.player", text, expected);
        }
        checks.require(
            contest.moves != 1,
            "contest.moves",
            contest.moves,
            "at least 2, or 0 for no games",
        );
        // TOML has no larger integers.
        let expected = "at most 2^63 minus 1";
        checks.require(contest.seed <= i64::MAX as u64, "contest.seed", contest.seed, expected);
        checks.one_to(MOST_PAIRS, "contest.most", contest.most);
        checks.one_to(contest.most.max(1), "contest.first_round", contest.first_round);
        checks.require(
            contest.error > 0.0 && contest.error < 1.0,
            "contest.error",
            contest.error,
            "more than 0 and less than 1",
        );
        checks.0
    }
}

impl RunSettings for BookConfig {
    const FIXED: bool = true;

    fn game(&self) -> (&'static str, u32) {
        (self.game.name(), rules_version(self.game))
    }

    fn seed(&self) -> u64 {
        0
    }
}

fn has_temperature(player: &PlayerSpec) -> bool {
    player.search().is_some_and(|spec| spec.temperature > 0.0)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use chase_training::settings::{Change, Setting};

    use super::*;

    #[test]
    fn settings_out_of_range_are_told_together() {
        let told = |settings: &[&str]| {
            BookConfig::load(None, &Setting::list(settings))
                .unwrap_err()
                .to_string()
        };
        let found = told(&["judges=[]", "plies=0", "width=9", "margin=2"]);
        for expected in [
            "judges is an empty list",
            "plies is 0",
            "width is 9, expected 1 to 6 (candidates)",
            "margin is 2",
        ] {
            assert!(found.contains(expected), "{found}");
        }
        assert!(told(&["scout=nnue-57,nodes=5,temperature=1"]).contains("expected a player without temperature"));
        assert!(told(&["judges=['random','random']"]).contains("twice `random`"));
        let config = BookConfig::load(None, &[]).unwrap();
        let threads = BookConfig {
            threads: 3,
            ..config.clone()
        };
        assert_eq!(threads.expect(&config, Change::Resume).ok(), Some(()));
        let wider = BookConfig {
            width: 3,
            ..config.clone()
        };
        let error = wider.expect(&config, Change::Resume).unwrap_err().to_string();
        assert_eq!(
            error,
            "the book cannot continue with width = 3 (was 2); begin a new book"
        );
    }
}
