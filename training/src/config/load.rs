//! Reads the configuration of a run, and says what of it may change in a run that is resumed, branched off or refitted.

use chase_models::Architecture;
use chase_models::fused::{FusedError, can_fuse};
use tch::Device;
use toml::Table;

use super::Config;
use crate::kinds::advice;
use crate::settings::{Change, ConfigError, Problem, Setting, Settings, game_of};
use crate::store::{RunSettings, rules_version};

impl Settings for Config {
    crate::toml_form!();

    const SUBJECT: &'static str = "run";

    /// Those of the selected game.
    fn defaults(set: &Table) -> Table {
        game_of(set).map_or_else(Table::new, |game| Self::of(game).table())
    }

    fn problems(&self) -> Vec<Problem> {
        Self::problems(self)
    }

    fn advice(needed: Change) -> String {
        advice(needed)
    }

    /// Overrides have changed the game of a file, whose settings are not for that.
    fn misfit(file: Option<(&str, &str)>, overrides: &[Setting]) -> Option<ConfigError> {
        let (name, _) = file?;
        let of = Self::unchecked(file, &[]).ok()?.game;
        let config = Self::unchecked(file, overrides).ok()?;
        let problems = config.problems_for_game();
        (of != config.game && !problems.is_empty()).then(|| ConfigError::Game {
            file: name.to_owned(),
            of,
            game: config.game,
            problems,
        })
    }
}

impl RunSettings for Config {
    const FIXED: bool = false;

    fn game(&self) -> (&'static str, u32) {
        (self.game.name(), rules_version(self.game))
    }

    fn seed(&self) -> u64 {
        self.seed
    }
}

impl Config {
    /// Reads a configuration, as [`Settings::load`].
    ///
    /// # Errors
    /// As there; and if overrides change the game, and the settings of the file are not for it.
    pub fn load(file: Option<(&str, &str)>, overrides: &[Setting]) -> Result<Self, ConfigError> {
        Settings::load(file, overrides)
    }

    /// The configuration of a data set that is continued: this one, of its `config.toml` (name and text), with
    /// overrides.
    ///
    /// # Errors
    /// As [`Config::load`], and if an override changes anything but the device, threads and the number of games, or
    /// lowers that.
    pub(crate) fn more_games(&self, file: (&str, &str), overrides: &[Setting]) -> Result<Self, ConfigError> {
        let after = Self::load(Some(file), overrides)?;
        let least = self.selfplay.games;
        if after.selfplay.games < least {
            return Err(ConfigError::Invalid(vec![Problem {
                key: "selfplay.games".into(),
                value: after.selfplay.games.to_string(),
                expected: format!("at least {least}, as when the data set began"),
            }]));
        }
        let mut same = self.clone();
        (same.threads, same.device, same.selfplay.games) = (after.threads, after.device.clone(), after.selfplay.games);
        match after.differences(&same) {
            differences if differences.is_empty() => Ok(after),
            differences => Err(ConfigError::Fixed {
                subject: "data set",
                differences,
                advice: "begin a new data set".to_owned(),
            }),
        }
    }

    /// The configuration of a run on `device` of this machine: what `auto` stands for there is written down,
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
        let precision = self.precision.on(network, device);
        can_fuse(precision, network, device)?;
        self.precision = precision.into();
        self.learner.precision = self.learner.precision.of_learner(device).into();
        Ok(self)
    }
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
        assert_eq!(config.evaluation.opponents, ["random", "greedy"]);
        let config = load(
            "game = 'stax-uni'\nnetwork.wrap = false\n",
            &["network.wrap_rows=false"],
        )
        .unwrap();
        assert_eq!((config.network.wrap, config.network.wrap_rows), (false, false));
        let text = load("", &["game=checkers-cyl", "encoding.jump_maps=false"]).unwrap();
        let written = text.to_toml();
        assert!(written.contains("jump_maps = false"), "{written}");
        assert_eq!(load(&written, &[]).unwrap(), text);
    }

    #[test]
    fn what_is_no_game_is_told_with_all_games() {
        let told = message("", &["game=shogi"]);
        assert!(
            told.starts_with("command line: game: unknown game `shogi`: expected chase, connect-four"),
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
        assert_eq!(load(&config.to_toml(), &[]).unwrap(), config);
    }

    #[test]
    fn a_resumed_run_may_go_on_longer_but_not_differently() {
        let text = load("", &["seed=7"]).unwrap().to_toml();
        let resume = |overrides: &[&str]| {
            let overrides = Setting::list(overrides);
            Config::changed(("config.toml", &text), &overrides, Change::Resume)
        };
        let longer = resume(&["limits.generations=500", "threads=3"]).unwrap();
        assert_eq!((longer.seed, longer.limits.generations, longer.threads), (7, 500, 3));
        let told = resume(&["seed=8", "learner.rate=0.5"]).unwrap_err().to_string();
        assert!(
            told.contains(
                "the run cannot continue with learner.rate = 0.5 (was 0.008), seed = 8 (was 7); start a branch"
            ),
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
        let text = load("", &["seed=7"]).unwrap().to_toml();
        let branch = |overrides: &[&str]| {
            let overrides = Setting::list(overrides);
            Config::changed(("config.toml", &text), &overrides, Change::Branch)
        };
        let other = branch(&["seed=8", "learner.rate=0.5", "search.simulations=7"]).unwrap();
        assert_eq!((other.seed, other.learner.rate, other.search.simulations), (8, 0.5, 7));
        let told = branch(&["network.blocks=9", "learner.optimizer=sgd", "learner.rate=0.5"]);
        let told = told.unwrap_err().to_string();
        assert!(
            told.contains("learner.optimizer = \"sgd\" (was \"adamw\"), network.blocks = 9 (was 4); learn its games"),
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
        // Where the option has another name than the key, both are named.
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
        // Faults in any game are reported as always.
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
