//! The configuration of a tournament.

use std::collections::HashSet;

use chase_training::config::{GameName, RulesConfig, game_name};
use chase_training::settings::{Checks, ConfigError, Problem, Settings, game_of};
use chase_training::store::{RunSettings, rules_version};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use toml::Table;

use super::entrant::Entrant;
use super::openings::OpeningSpec;
use chase_statistics::Sprt;

/// All settings that the games of a tournament depend on. TOML sections are the fields; unknown keys are errors.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct TournamentConfig {
    /// Game.
    #[serde(with = "game_name")]
    #[schemars(with = "String")]
    pub game: GameName,
    /// Seed of openings and players.
    pub seed: u64,
    /// Threads; 0 for one per core.
    #[schemars(extend("change" = "resume"))]
    pub threads: usize,
    /// Device: `cpu`, `cuda`, `cuda:N`, or `auto`.
    pub device: String,
    /// Players: `PLAYER` or `NAME=PLAYER`.
    pub players: Vec<Entrant>,
    /// `round-robin`, or `gauntlet`.
    pub format: Format,
    /// Number of first players who meet all others in a gauntlet.
    pub challengers: u32,
    /// Pairs of games per match; with a sequential test, the maximum. May only grow.
    #[schemars(extend("change" = "resume"))]
    pub pairs: u32,
    /// Pairs that a thread plays in parallel; 0 for automatic.
    pub pairs_at_once: u32,
    /// Openings of the pairs.
    pub openings: OpeningSpec,
    /// Plies after which a game is truncated.
    pub max_plies: u32,
    /// Name of the player with rating 0; empty for the first.
    #[schemars(extend("change" = "resume"))]
    pub anchor: String,
    /// Bootstrap samples for rating intervals; 0 for none.
    #[schemars(extend("change" = "resume"))]
    pub bootstrap: u32,
    /// Draws and length limits; by default those of the game.
    pub rules: RulesConfig,
    /// A sequential test of the first of two players, which ends the match as soon as it decides.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sprt: Option<Sprt>,
}

/// Selection of matches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// Every two players meet.
    RoundRobin,
    /// Each of the first players, the challengers, meets all others who are not challengers.
    Gauntlet,
}

impl Default for TournamentConfig {
    fn default() -> Self {
        Self {
            game: GameName::Chase,
            seed: 1,
            threads: 0,
            device: "cpu".into(),
            players: Vec::new(),
            format: Format::RoundRobin,
            challengers: 1,
            pairs: 50,
            // Several pairs fill the batches of networks. Players that keep state of each game play one pair at once.
            pairs_at_once: 0,
            openings: OpeningSpec::Random { plies: 4 },
            max_plies: 2000,
            anchor: String::new(),
            bootstrap: 1000,
            rules: RulesConfig::default(),
            sprt: None,
        }
    }
}

impl Settings for TournamentConfig {
    chase_training::toml_form!();

    const SUBJECT: &'static str = "match or tournament";

    /// The conventions of the selected game, as defaults.
    fn defaults(set: &Table) -> Table {
        let rules = game_of(set).and_then(|game| Table::try_from(RulesConfig::of(game)).ok());
        rules
            .into_iter()
            .map(|rules| ("rules".to_owned(), rules.into()))
            .collect()
    }

    fn problems(&self) -> Vec<Problem> {
        let mut checks = Checks::default();
        checks.seed_and_threads(self.seed, self.threads);
        checks.device(&self.device);
        let players = self.players.len();
        let enough = (2..=1000).contains(&players);
        checks.require(enough, "players", format!("a list of {players}"), "2 to 1000 players");
        if self.format == Format::Gauntlet {
            let some = (1..players.max(2)).contains(&(self.challengers as usize));
            let expected = "at least 1, and fewer than there are players";
            checks.require(some, "challengers", self.challengers, expected);
        }
        let pairs = (1..=Self::MOST_PAIRS).contains(&self.pairs);
        checks.require(pairs, "pairs", self.pairs, &format!("1 to {}", Self::MOST_PAIRS));
        let at_once = self.pairs_at_once <= 10_000;
        let expected = "0 (as suits the players) to 10000";
        checks.require(at_once, "pairs_at_once", self.pairs_at_once, expected);
        let plies = (1..=Self::MOST_PLIES).contains(&self.max_plies);
        checks.require(
            plies,
            "max_plies",
            self.max_plies,
            &format!("1 to {}", Self::MOST_PLIES),
        );
        let anchor = self.anchor.is_empty() || self.players.iter().any(|player| player.name() == self.anchor);
        let expected = "the name of a player, or nothing for the first";
        checks.require(anchor, "anchor", format!("`{}`", self.anchor), expected);
        let bootstrap = self.bootstrap == 0 || (100..=1_000_000).contains(&self.bootstrap);
        let expected = "0 (none) or 100 to 1000000: with fewer there is no interval of 95 %";
        checks.require(bootstrap, "bootstrap", self.bootstrap, expected);
        let expected = "0 (off) or at least 2: every position has occurred once";
        checks.require(self.rules.repetition != 1, "rules.repetition", 1, expected);
        let quiet = self.rules.quiet_turns;
        let expected = "0: the game does not count turns without progress";
        let counts = quiet == 0 || RulesConfig::of(self.game).quiet_turns != 0;
        checks.require(counts, "rules.quiet_turns", quiet, expected);
        let two = self.sprt.is_none() || players == 2;
        let expected = "a test of two players, the first against the second";
        checks.require(two, "sprt", format!("set with {players} players"), expected);
        checks.0.extend(self.names_twice());
        checks.0
    }
}

impl RunSettings for TournamentConfig {
    const FIXED: bool = true;

    fn game(&self) -> (&'static str, u32) {
        (self.game.name(), rules_version(self.game))
    }

    fn seed(&self) -> u64 {
        self.seed
    }
}

impl TournamentConfig {
    /// Most pairs of a match.
    pub const MOST_PAIRS: u32 = 10_000_000;
    /// Most plies of a game.
    pub const MOST_PLIES: u32 = 1_000_000;

    /// The name of the player whose rating is 0.
    pub fn anchor(&self) -> String {
        match self.players.first() {
            Some(first) if self.anchor.is_empty() => first.name(),
            _ => self.anchor.clone(),
        }
    }

    /// Replaces each run by its newest checkpoint, which must not be another player already, since games are identified
    /// by names.
    pub(super) fn settle(&mut self) -> anyhow::Result<()> {
        for entrant in &mut self.players {
            let before = entrant.name();
            entrant.settle()?;
            if self.anchor == before {
                self.anchor = entrant.name();
            }
        }
        let twice = self.names_twice();
        if twice.is_empty() {
            Ok(())
        } else {
            Err(ConfigError::Invalid(twice).into())
        }
    }

    /// A problem for each player with the name of an earlier one.
    fn names_twice(&self) -> Vec<Problem> {
        let mut names = HashSet::new();
        let repeated = self
            .players
            .iter()
            .map(Entrant::name)
            .filter(|name| !names.insert(name.clone()));
        let problem = |name: String| Problem {
            key: "players".to_owned(),
            value: format!("twice `{name}`"),
            expected: "only once: give the players names, as in old=net:runs/a".to_owned(),
        };
        repeated.map(problem).collect()
    }
}

#[cfg(test)]
mod tests {
    use chase_training::kinds::NetworkKind;
    use chase_training::store::run_state::RunState;
    use chase_training::training_loop::checkpoint_folder;

    use super::*;
    use chase_training::settings::Setting;

    fn load(overrides: &[&str]) -> Result<TournamentConfig, ConfigError> {
        let overrides = Setting::list(overrides);
        TournamentConfig::load(None, &overrides)
    }

    const TWO: &str = "players=['a=random', 'greedy']";

    #[test]
    fn conventions_are_by_default_those_of_the_game() {
        let rules = |settings: &[&str]| load(settings).map(|config| config.rules);
        assert_eq!(rules(&[TWO]).ok(), Some(RulesConfig::default()));
        let lines = rules(&[TWO, "game=lines9", "rules.repetition=5"]).expect("a configuration");
        assert_eq!((lines.repetition, lines.quiet_turns, lines.max_turns), (5, 0, 200));
        let error = rules(&[TWO, "game=lines9", "rules.quiet_turns=50"]).expect_err("no such turns");
        let expected = "rules.quiet_turns is 50, expected 0: the game does not count turns without progress";
        assert!(error.to_string().contains(expected), "{error}");
    }

    #[test]
    fn a_run_and_its_newest_checkpoint_are_one_player() {
        let home = tempfile::tempdir().expect("a folder");
        let run = home.path().join("run");
        std::fs::create_dir(&run).expect("a folder");
        RunState::default().write(&run.join("state.json")).expect("a run");
        let newest = checkpoint_folder(&run, NetworkKind::Residual).expect("a run");
        let players = |first: &str| {
            let players = format!("players=['{first}net:{}', 'net:{}']", run.display(), newest.display());
            load(&[&players]).expect("two names")
        };
        let error = players("").settle().expect_err("the same name twice").to_string();
        let expected = format!("players is twice `net:{}`, expected only once", newest.display());
        assert!(error.contains(&expected), "{error}");
        players("run=").settle().expect("two names");
    }

    #[test]
    fn mistakes_name_the_key_and_what_is_expected() {
        for (overrides, message) in [
            (vec!["pairs=3"], "players is a list of 0, expected 2 to 1000 players"),
            (
                vec!["players=['random', 'random']"],
                "players is twice `random`, expected only once: give the players names",
            ),
            (
                vec![TWO, "sprt.elo0=3", "sprt.elo1=1"],
                "sprt: SPRT with elo0 = 3 and elo1 = 1: expected elo0 < elo1",
            ),
            (
                vec!["players=['rndom', 'random']"],
                "players[0]: unknown player `rndom` (did you mean random?): expected random, ",
            ),
            (
                vec![TWO, "anchor=b"],
                "anchor is `b`, expected the name of a player, or nothing for the first",
            ),
            (
                vec![TWO, "format=gauntlet", "challengers=2"],
                "challengers is 2, expected at least 1, and fewer",
            ),
        ] {
            let error = load(&overrides).expect_err(message).to_string();
            assert!(error.contains(message), "{error}");
        }
    }
}
