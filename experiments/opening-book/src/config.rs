//! The settings of a book.

use chase_arena::PlayerSpec;
use chase_engine::GameName;
use chase_training::config::{Checks, ConfigError, Problem, Setting, checked_settings, game_name};
use serde::{Deserialize, Serialize};
use toml::Table;

/// Everything that a book depends on. Unknown keys are errors.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct BookConfig {
    /// The game.
    #[serde(with = "game_name")]
    pub game: GameName,
    /// Threads; 0 for one per core. Does not change results.
    pub threads: usize,
    /// Device of networks: `cpu`, `cuda`, `cuda:N`, or `auto`.
    pub device: String,
    /// The player that judges every legal action.
    pub scout: PlayerSpec,
    /// The players that judge the candidates.
    pub judges: Vec<PlayerSpec>,
    /// Plies of the longest line.
    pub plies: u32,
    /// Actions of a position that the judges look at, the best ones by the scout. Of the first position it is all of them.
    pub candidates: u32,
    /// Candidates that are followed, at most: the best ones by the mean of the judges. Of the first position it is all of them.
    pub width: u32,
    /// A candidate is followed only if its score is within this of the best one's, from 0 to 1.
    pub margin: f64,
}

impl Default for BookConfig {
    fn default() -> Self {
        let player = |text: &str| text.parse().unwrap_or_else(|error| panic!("a default player: {error}"));
        Self {
            game: GameName::Chase,
            threads: 0,
            device: "cpu".into(),
            scout: player("nnue-52,nodes=2000"),
            judges: vec![player("nnue-52,nodes=50000"), player("agent-41,simulations=200")],
            plies: 4,
            candidates: 6,
            width: 2,
            margin: 0.05,
        }
    }
}

/// Plies that no tree reaches.
const MOST_PLIES: u32 = 40;

impl BookConfig {
    /// Reads a configuration: defaults, then the `file` (its name and its text), then the overrides, each `key=value`.
    ///
    /// # Errors
    /// If the file is not TOML, a key is unknown, or a value has the wrong type or is out of range.
    pub fn load(file: Option<(&str, &str)>, overrides: &[Setting]) -> Result<Self, ConfigError> {
        let known = Table::try_from(Self::default()).unwrap_or_default();
        checked_settings(file, overrides, &known, Self::problems)
    }

    /// The configuration as TOML with every key, readable by [`BookConfig::load`].
    ///
    /// # Errors
    /// If a number is beyond what TOML can express; [`BookConfig::load`] lets none pass.
    pub fn to_toml(&self) -> Result<String, toml::ser::Error> {
        toml::to_string(self)
    }

    /// The keys whose change would make this another book.
    pub(crate) fn changed(&self, other: &Self) -> Vec<String> {
        let table = |config: &Self| {
            let free = Self {
                threads: 0,
                device: String::new(),
                ..config.clone()
            };
            Table::try_from(free).unwrap_or_default()
        };
        let (one, other) = (table(self), table(other));
        one.keys()
            .filter(|&key| one.get(key) != other.get(key))
            .cloned()
            .collect()
    }

    fn problems(&self) -> Vec<Problem> {
        let mut checks = Checks::default();
        checks.seed_and_threads(0, self.threads);
        checks.device(&self.device);
        for (key, player) in
            std::iter::once(("scout", &self.scout)).chain(self.judges.iter().map(|judge| ("judges", judge)))
        {
            let chance = match player {
                PlayerSpec::Network(network) => network.temperature > 0.0,
                PlayerSpec::Nnue(network) => network.chance.temperature > 0.0,
                PlayerSpec::Baseline(_) | PlayerSpec::Engine(_) => false,
            };
            checks.require(
                !chance,
                key,
                format!("`{player}`"),
                "a player without temperature: a judgement has no chance in it",
            );
        }
        checks.require(
            !self.judges.is_empty(),
            "judges",
            "an empty list",
            "at least one player",
        );
        for (index, judge) in self.judges.iter().enumerate() {
            let twice = self.judges[..index].contains(judge);
            checks.require(!twice, "judges", format!("twice `{judge}`"), "each player once");
        }
        checks.one_to(MOST_PLIES, "plies", self.plies);
        checks.one_to(1000, "candidates", self.candidates);
        checks.one_to(self.candidates.max(1), "width", self.width);
        checks.share("margin", self.margin);
        checks.0
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    #[test]
    fn the_preset_has_every_key_and_the_defaults() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../configs/book.toml");
        let text = std::fs::read_to_string(path).unwrap();
        let config = BookConfig::load(Some((path, &text)), &[]).unwrap();
        assert_eq!(config, BookConfig::default());
        let keys = |text: &str| text.parse::<Table>().unwrap().keys().cloned().collect::<Vec<_>>();
        assert_eq!(keys(&text), keys(&config.to_toml().unwrap()));
    }

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
            "width is 9, expected at least 1, at most 6",
            "margin is 2",
        ] {
            assert!(found.contains(expected), "{found}");
        }
        assert!(told(&["scout=nnue-52,nodes=5,temperature=1"]).contains("expected a player without temperature"));
        assert!(told(&["judges=['random','random']"]).contains("twice `random`"));
        let config = BookConfig::load(None, &[]).unwrap();
        assert_eq!(
            BookConfig::load(Some(("again", &config.to_toml().unwrap())), &[]).unwrap(),
            config
        );
        let threads = BookConfig {
            threads: 3,
            ..config.clone()
        };
        assert!(threads.changed(&config).is_empty());
        let wider = BookConfig {
            width: 3,
            ..config.clone()
        };
        assert_eq!(wider.changed(&config), ["width"]);
    }
}
