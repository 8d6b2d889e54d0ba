//! Reads a configuration from a TOML file and overrides.

use std::collections::BTreeSet;

use chase_models::Architecture;
use chase_models::fused::FusedError;
use tch::Device;
use toml::{Table, Value};

use crate::config::{Config, ConfigError, GameName, Problem, RulesConfig, Setting, game_settings, keys_named};
use crate::games;

/// Sections that a run and those that learn its games have in common.
const RULES: [&str; 2] = ["game", "rules"];
/// Sections that a run has in common with its branches.
const INHERITED: [&str; 5] = ["game", "rules", "encoding", "draughts", "network"];

impl Config {
    /// Reads a configuration: defaults, then the `file` (its name and its text), then the overrides, each `key=value`;
    /// the last one for a key counts. A value is read as TOML, or else as a string.
    ///
    /// # Errors
    /// If the file is not TOML, a key is unknown, or a value has the wrong type or is out of range. Unknown keys are
    /// reported all at once, as are values out of range.
    pub fn load(file: Option<(&str, &str)>, overrides: &[Setting]) -> Result<Self, ConfigError> {
        let read = Self::read(file, overrides);
        let other = match (&read, file) {
            (Err(ConfigError::Invalid(_)), Some(file)) => of_other_game(file, overrides),
            _ => None,
        };
        other.map_or(read, Err)
    }

    /// Like [`Config::load`], where nothing is said about the game of the file.
    fn read(file: Option<(&str, &str)>, overrides: &[Setting]) -> Result<Self, ConfigError> {
        game_settings(file, overrides, &known_keys(), game_defaults, Self::problems)
    }

    /// The keys of sections that have this name, such as `limits.minutes` for `minutes`.
    pub fn keys_named(name: &str) -> Vec<String> {
        keys_named(name, &known_keys())
    }

    /// The configuration of a resumed run: its `config.toml` (name and text) with overrides.
    ///
    /// # Errors
    /// As [`Config::load`], and if an override changes anything but the device and threads, the limits, how often the
    /// run is measured and evaluated, and what it keeps: anything else would make it another run. The run continues
    /// under the changed settings, and [`Training::resume`](crate::training_loop::Training::resume) writes them to its
    /// `config.toml`.
    pub fn resume(file: (&str, &str), overrides: &[Setting]) -> Result<Self, ConfigError> {
        const FREE: [&str; 7] = [
            "threads",
            "device",
            "precision",
            "measurement",
            "evaluation",
            "checkpoints",
            "limits",
        ];
        let (before, after) = (Self::read(Some(file), &[])?, Self::read(Some(file), overrides)?);
        let mut fixed = changed_sections(&before, &after);
        fixed.retain(|key| !FREE.contains(&key.as_str()));
        let any = |keys: &[&str]| fixed.iter().any(|key| keys.contains(&key.as_str()));
        let instead = match () {
            () if any(&RULES) => "begin a new run",
            () if any(&INHERITED) => "learn its games with a new network: chase train --refit DIR --set KEY=VALUE",
            () => "start a branch with it: chase train --branch DIR --set KEY=VALUE",
        };
        match fixed.is_empty() {
            true => Ok(after),
            false => Err(ConfigError::Fixed { keys: fixed, instead }),
        }
    }

    /// The configuration of a new run that branches off another one: the other's `config.toml` (name and text) with
    /// overrides.
    ///
    /// # Errors
    /// As [`Config::load`], and if an override changes a setting that the run's weights, games or optimizer moments
    /// depend on.
    pub fn branch(file: (&str, &str), overrides: &[Setting]) -> Result<Self, ConfigError> {
        let (before, after) = (Self::read(Some(file), &[])?, Self::read(Some(file), overrides)?);
        let mut inherited = changed_sections(&before, &after);
        inherited.retain(|key| INHERITED.contains(&key.as_str()));
        if before.learner.optimizer != after.learner.optimizer {
            inherited.push("learner.optimizer".into());
        }
        if inherited.is_empty() {
            Ok(after)
        } else {
            Err(ConfigError::Inherited(inherited))
        }
    }

    /// The configuration of a new run that learns the games of another one with a new network: the other's
    /// `config.toml` (name and text) with overrides.
    ///
    /// # Errors
    /// As [`Config::load`], and if an override changes the game or its rules.
    pub fn refit(file: (&str, &str), overrides: &[Setting]) -> Result<Self, ConfigError> {
        let (before, after) = (Self::read(Some(file), &[])?, Self::read(Some(file), overrides)?);
        let mut inherited = changed_sections(&before, &after);
        inherited.retain(|key| RULES.contains(&key.as_str()));
        if !inherited.is_empty() {
            return Err(ConfigError::Inherited(inherited));
        }
        Ok(after)
    }

    /// The configuration of a data set that is continued: its `config.toml` (name and text) with overrides.
    ///
    /// # Errors
    /// As [`Config::load`], and if an override changes anything but the device, threads and the number of games, or
    /// lowers that.
    pub(crate) fn more_games(file: (&str, &str), overrides: &[Setting]) -> Result<Self, ConfigError> {
        let (before, after) = (Self::read(Some(file), &[])?, Self::read(Some(file), overrides)?);
        let least = before.selfplay.games;
        if after.selfplay.games < least {
            return Err(ConfigError::Invalid(vec![Problem {
                key: "selfplay.games".into(),
                value: after.selfplay.games.to_string(),
                expected: format!("at least {least}, as the data set began with"),
            }]));
        }
        let mut same = after.clone();
        same.selfplay.games = least;
        let mut fixed = changed_sections(&before, &same);
        fixed.retain(|key| !["threads", "device"].contains(&key.as_str()));
        if fixed.is_empty() {
            Ok(after)
        } else {
            let instead = "begin a new data set";
            Err(ConfigError::Fixed { keys: fixed, instead })
        }
    }

    /// The configuration of a run on `device` of this machine: what `auto` and `fastest` stand for there is written down,
    /// so that the run has the same arithmetic wherever it is resumed.
    ///
    /// # Errors
    /// The reason that the kernel of this program cannot evaluate the network, if it should.
    pub(crate) fn on(self, device: Device) -> Result<Self, FusedError> {
        let network = self.network.clone();
        self.for_network(&network, device)
    }

    /// As [`Config::on`], for a network of another architecture than the configuration's.
    pub(crate) fn for_network(mut self, network: &Architecture, device: Device) -> Result<Self, FusedError> {
        for choice in [&mut self.precision, &mut self.learner.precision] {
            *choice = choice.resolved(network, device)?;
        }
        Ok(self)
    }

    /// The changes from `self` to `after`, as lines for a log, one per top-level key.
    pub(crate) fn changes(&self, after: &Self) -> Vec<String> {
        let [before, now] = [self, after].map(|config| Table::try_from(config).unwrap_or_default());
        let line = |key: String| {
            let value = |table: &Table| table.get(&key).map_or_else(String::new, Value::to_string);
            format!("{key} = {}, which was {}", value(&now), value(&before))
        };
        changed_sections(self, after).into_iter().map(line).collect()
    }

    /// The configuration as TOML with every key, readable by [`Config::load`].
    ///
    /// # Errors
    /// If a number is beyond what TOML can express; [`Config::load`] lets none pass.
    pub fn to_toml(&self) -> Result<String, toml::ser::Error> {
        toml::to_string(self)
    }
}

/// An error if overrides change the game of a file, and settings are then not for it.
fn of_other_game(file: (&str, &str), overrides: &[Setting]) -> Option<ConfigError> {
    let unchecked = |overrides: &[Setting]| -> Option<Config> {
        game_settings(Some(file), overrides, &known_keys(), game_defaults, |_| Vec::new()).ok()
    };
    let (of, config) = (unchecked(&[])?.game, unchecked(overrides)?);
    let problems = games::problems(&config);
    (of != config.game && !problems.is_empty()).then(|| ConfigError::Game {
        file: file.0.to_owned(),
        of,
        game: config.game,
        problems,
    })
}

/// The top-level keys whose values differ.
fn changed_sections(before: &Config, after: &Config) -> Vec<String> {
    let table = |config: &Config| Table::try_from(config).unwrap_or_default();
    let (before, after) = (table(before), table(after));
    let keys: BTreeSet<&String> = before.keys().chain(after.keys()).collect();
    let changed = keys.into_iter().filter(|&key| before.get(key) != after.get(key));
    changed.cloned().collect()
}

impl RulesConfig {
    /// The default conventions of a game.
    pub fn of(game: GameName) -> Self {
        games::defaults(game).rules
    }
}

/// Every key of the default configuration, including those that are written only if they differ from the default.
fn known_keys() -> Table {
    let mut config = Config::default();
    (config.network.wrap_rows, config.network.mirror) = (true, true);
    config.draughts.jump_maps = false;
    config.limits.rows = 1;
    config.refit.generations = 1;
    config.selfplay.heuristic_generations = 1;
    config.selfplay.heuristic_nodes = 1;
    Table::try_from(config).unwrap_or_default()
}

/// The defaults of the selected game, where they differ from the general ones.
fn game_defaults(settings: &Table) -> Table {
    let game = settings.get("game").and_then(Value::as_str);
    let Some(game) = game.and_then(|name| name.parse::<GameName>().ok()) else {
        return Table::new();
    };
    let table = |config: &Config| Table::try_from(config).unwrap_or_default();
    differences(table(&games::defaults(game)), &table(&Config::default()))
}

/// The entries of a table that are missing from the other one or differ there.
fn differences(table: Table, other: &Table) -> Table {
    let differs = |(key, value): (String, Value)| match (value, other.get(&key)) {
        (Value::Table(inner), Some(Value::Table(other))) => {
            let inner = differences(inner, other);
            (!inner.is_empty()).then_some((key, Value::Table(inner)))
        }
        (value, other) => (Some(&value) != other).then_some((key, value)),
    };
    table.into_iter().filter_map(differs).collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;
    use crate::config::{Algorithm, GameName};

    fn load(text: &str, overrides: &[&str]) -> Result<Config, ConfigError> {
        let overrides = Setting::list(overrides);
        Config::load(Some(("test.toml", text)), &overrides)
    }

    fn message(text: &str, overrides: &[&str]) -> String {
        load(text, overrides).unwrap_err().to_string()
    }

    #[test]
    fn the_file_goes_before_defaults_and_overrides_before_the_file() {
        let text = "seed = 3\n[search]\nalgorithm = 'puct'\nsimulations = 5\n[network]\nblocks = 2\n";
        let config = load(
            text,
            &["search.simulations=7", "seed=4", "network.auxiliary.plies_left=true"],
        )
        .unwrap();
        assert_eq!((config.seed, config.search.simulations), (4, 7));
        assert_eq!((config.search.algorithm, config.network.blocks), (Algorithm::Puct, 2));
        assert!(config.network.auxiliary.plies_left);
        assert_eq!(config.learner, Config::default().learner);
        let words = load("", &["game=connect-four", "network.hex=false", "network.wrap=false"]).unwrap();
        assert_eq!(words.game, GameName::ConnectFour);
        let list = load("", &["evaluation.opponents=['random', 'greedy']"]).unwrap();
        assert_eq!(list.evaluation.opponents, ["random", "greedy"]);
    }

    #[test]
    fn a_game_brings_its_own_defaults_which_yield_to_what_is_set() {
        let config = load("game = 'stax-uni'\n", &[]).unwrap();
        let network = &config.network;
        assert_eq!((network.hex, network.wrap, network.wrap_rows), (false, true, true));
        assert_eq!(config.evaluation.opponents, ["random", "alpha-beta:depth=2"]);
        let config = load(
            "game = 'stax-uni'\nnetwork.wrap = false\n",
            &["network.wrap_rows=false"],
        )
        .unwrap();
        assert_eq!((config.network.wrap, config.network.wrap_rows), (false, false));
        let text = load("", &["game=checkers-cyl", "draughts.jump_maps=false"]).unwrap();
        let written = text.to_toml().unwrap();
        assert!(written.contains("jump_maps = false"), "{written}");
        assert_eq!(load(&written, &[]).unwrap(), text);
        // The file of a Chase run has no new keys.
        let chase = load("", &[]).unwrap().to_toml().unwrap();
        assert!(!chase.contains("wrap_rows") && !chase.contains("draughts"), "{chase}");
    }

    #[test]
    fn what_is_no_game_is_told_with_all_games() {
        let told = message("", &["game=chess"]);
        assert!(
            told.starts_with("command line: game: unknown game `chess`: expected chase, connect-four"),
            "{told}"
        );
    }

    #[test]
    fn the_resolved_configuration_reads_back_as_itself() {
        let config = load(
            "",
            &[
                "learner.rate=0.1234567890123",
                "search.c_puct=1.1",
                "limits.minutes=2.5",
            ],
        )
        .unwrap();
        assert_eq!(load(&config.to_toml().unwrap(), &[]).unwrap(), config);
    }

    #[test]
    fn a_resumed_run_may_go_on_longer_but_not_differently() {
        let text = load("", &["seed=7"]).unwrap().to_toml().unwrap();
        let resume = |overrides: &[&str]| {
            let overrides = Setting::list(overrides);
            Config::resume(("config.toml", &text), &overrides)
        };
        let longer = resume(&["limits.generations=500", "threads=3"]).unwrap();
        assert_eq!((longer.seed, longer.limits.generations, longer.threads), (7, 500, 3));
        let told = resume(&["seed=8", "learner.rate=0.5"]).unwrap_err().to_string();
        assert!(
            told.contains("a run cannot change learner, seed when it is resumed; start a branch"),
            "{told}"
        );
        for (setting, instead) in [
            ("network.blocks=2", "chase train --refit DIR"),
            ("rules.max_turns=9", "begin a new run"),
        ] {
            let told = resume(&[setting]).unwrap_err().to_string();
            assert!(told.contains(instead), "{told}");
        }
    }

    #[test]
    fn a_branch_may_go_on_differently_with_what_it_inherits() {
        let text = load("", &["seed=7"]).unwrap().to_toml().unwrap();
        let branch = |overrides: &[&str]| {
            let overrides = Setting::list(overrides);
            Config::branch(("config.toml", &text), &overrides)
        };
        let other = branch(&["seed=8", "learner.rate=0.5", "search.simulations=7"]).unwrap();
        assert_eq!((other.seed, other.learner.rate, other.search.simulations), (8, 0.5, 7));
        let told = branch(&["network.blocks=9", "learner.optimizer=sgd", "learner.rate=0.5"]);
        let told = told.unwrap_err().to_string();
        assert!(
            told.contains("a branch cannot change network, learner.optimizer: "),
            "{told}"
        );
    }

    #[test]
    fn an_override_is_at_fault_if_a_value_of_the_file_was_right_without_it() {
        const FILE: &str = "[selfplay]\ngroup_games = 64\nin_flight = 32\n";
        let told = message(FILE, &["selfplay.group_games=2"]);
        let expected = "command line: selfplay.in_flight is 32, expected at most selfplay.group_games (2)";
        assert_eq!(told, expected);
        // What was wrong before is the file's own fault.
        let told = message(&format!("{FILE}games = 0\n"), &["selfplay.group_games=2", "seed=1"]);
        assert_eq!(
            told,
            format!("test.toml: selfplay.games is 0, expected at least 1, at most 10000000\n{expected}")
        );
        let told = message("", &["selfplay.group_games=2"]);
        assert!(told.starts_with("command line: selfplay.in_flight is "), "{told}");
    }

    #[test]
    fn what_an_option_set_is_called_by_the_option() {
        fn told<const N: usize>(overrides: [Setting; N]) -> String {
            Config::load(None, &overrides).unwrap_err().to_string()
        }
        let simulations = Setting::of_option("--simulations", "search.simulations", 1);
        assert!(told([simulations.clone()]).starts_with("--simulations is 1, expected at least 2"));
        // The last one for a key counts.
        let again = ["search.simulations=0".into(), simulations.clone()];
        assert!(told(again).starts_with("--simulations is 1, "));
        let other = [simulations, "search.simulations=0".into()];
        assert!(told(other).starts_with("command line: search.simulations is 0, "));
        // Where the option has another name than the key, both are told.
        let renamed = Setting::of_option("--most", "selfplay.games", 0);
        assert!(told([renamed]).starts_with("--most: selfplay.games is 0, expected at least 1"));
        let typed = Setting::of_option("--threads", "threads", "many");
        assert!(told([typed]).starts_with("--threads is the text \"many\", expected a whole number"));
        let unknown = Setting::of_option("--search", "search.sim", 1);
        assert!(told([unknown]).starts_with("--search: unknown key `search.sim`"));
    }

    #[test]
    fn unknown_keys_are_told_all_at_once_with_the_nearest_known_one() {
        let told = message(
            "[search]\nsims = 3\nsimulation = 4\n",
            &["lerner.rate=1", "network.chanels=8"],
        );
        assert!(
            told.contains("unknown key `search.simulation`; the nearest known one is `search.simulations`"),
            "{told}"
        );
        assert!(told.contains("test.toml: unknown key `search.sims`\n"), "{told}");
        assert!(
            told.contains("command line: unknown key `lerner`; the nearest known one is `learner`\n"),
            "{told}"
        );
        assert!(
            told.contains("`network.chanels`; the nearest known one is `network.channels`"),
            "{told}"
        );
    }

    #[test]
    fn a_key_without_its_section_is_told_with_the_keys_of_its_name() {
        let told = message("", &["minutes=3"]);
        let expected = "command line: unknown key `minutes`; the nearest known one is `limits.minutes`";
        assert_eq!(told, expected);
        let told = message("", &["games=3"]);
        assert!(
            told.contains("the nearest known ones are `evaluation.games`, `measurement.games`, `selfplay.games`"),
            "{told}"
        );
    }

    #[test]
    fn a_file_for_another_game_is_named_with_what_is_not_for_the_game() {
        const FILE: &str = "[network]\nhex = true\n";
        let told = message(FILE, &["game=stax", "network.wrap=false"]);
        let expected = "test.toml is for chase, not for stax: leave it out, or give a configuration for stax\n\
                        network.hex is true, expected false";
        assert!(told.starts_with(expected), "{told}");
        // What would be wrong in any game is told as always.
        let told = message("seed = 1\n", &["game=stax", "learner.rate=-1"]);
        assert!(told.starts_with("command line: learner.rate is -1"), "{told}");
    }

    #[test]
    fn of_many_unknown_keys_some_are_named_and_the_rest_is_counted() {
        let text: String = (0..3000).map(|index| format!("measurement{index:04} = 1\n")).collect();
        let error = load(&text, &[]).unwrap_err();
        let told = error.to_string();
        assert_eq!(told.lines().count(), 20 + 1, "{told}");
        assert!(told.ends_with("\nand 2980 more unknown keys"), "{told}");
        // Searching the nearest known key for each of them would take longer than everything else.
        let ConfigError::Unknown(keys) = error else {
            panic!("{error}");
        };
        let found = keys.iter().filter(|key| !key.nearest.is_empty()).count();
        assert_eq!((keys.len(), found), (3000, 20));
        let long = format!("{} = 1\n", "seed".repeat(30));
        assert!(!message(&long, &[]).contains("nearest"), "it is too long to be a slip");
    }

    #[test]
    fn mistakes_name_the_place_and_what_is_expected() {
        for (text, setting, expected) in [
            ("seed = = 3\n", "seed=1", "test.toml is not valid TOML"),
            ("", "seed", "invalid setting `seed`: expected KEY=VALUE"),
            ("", ".seed=1", "invalid setting `.seed=1`"),
            ("seed = 1\n", "seed.x=1", "invalid setting `seed.x=1`"),
            (
                "",
                "search.simulations=many",
                "command line: search.simulations is the text \"many\", expected a whole number from 0 to 4294967295",
            ),
            (
                "",
                "search.algorithm=minimax",
                "command line: search.algorithm is `minimax`, expected `puct` or `gumbel`",
            ),
            (
                "rules = 3\n",
                "seed=1",
                "test.toml: rules is 3, expected a section of settings",
            ),
            (
                "",
                "evaluation.opponents=random",
                "evaluation.opponents is the text \"random\", expected a list, such as [\"random\"]",
            ),
            (
                "",
                "network.hex=1.5",
                "command line: network.hex is 1.5, expected true or false",
            ),
            (
                "",
                "selfplay.games=-3",
                "command line: selfplay.games is -3, expected a whole number from 0",
            ),
            ("", "device=3", "command line: device is 3, expected a text"),
            ("", "device=[]", "command line: device is a list, expected a text"),
            (
                "selfplay.games = 0\n",
                "seed=1",
                "test.toml: selfplay.games is 0, expected at least 1",
            ),
            (
                "",
                "search.full_share=0.0",
                "command line: search.full_share is 0, expected a number above 0",
            ),
        ] {
            let told = message(text, &[setting]);
            assert!(told.contains(expected), "{told}");
        }
    }
}
