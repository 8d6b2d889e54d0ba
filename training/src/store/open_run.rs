//! Runs that are created and resumed under their settings, whatever kind they are of.

use std::fs;
use std::path::Path;

use chase_engine::{Game, GameName, with_game};
use chase_models::manifest::FileFacts;
use toml::{Table, Value};

use super::files::{self, FileError};
use super::meta::{BranchPoint, Meta};
use super::run_dir::{RunDir, RunDirError};
use crate::settings::{ConfigError, Settings};

/// Settings that a run has, as its `config.toml`.
pub trait RunSettings: Settings {
    /// True if only the program changes `config.toml`: a run whose file was changed by hand is then refused.
    const FIXED: bool;

    /// The game of the run, and the version of its rules.
    fn game(&self) -> (&'static str, u32);

    /// Seed of the run.
    fn seed(&self) -> u64;
}

/// The settings under which a run continues, made of the stored ones and of their file, given by name and text.
pub type Continued<'c, S, E> = dyn Fn(&S, (&str, &str)) -> Result<S, E> + 'c;

/// The version of a game's rules.
pub fn rules_version(game: GameName) -> u32 {
    with_game!(game, G => G::RULES_VERSION)
}

/// A run whose directory is open and locked, with its settings.
#[derive(Debug)]
pub struct OpenRun<S> {
    /// The directory.
    pub dir: RunDir,
    /// The provenance of the run.
    pub meta: Meta,
    /// The settings in its `config.toml`.
    pub began: S,
    /// The settings under which it continues.
    pub settings: S,
    /// The content of `config.toml`.
    text: String,
}

impl<S: RunSettings> OpenRun<S> {
    /// Begins a run in a new directory, with these empty `folders` and these `files`, by name. All are written before
    /// the directory is a run: an interrupted process never leaves a run without them.
    ///
    /// # Errors
    /// If the directory is in use, holds a run or other files, or cannot be written.
    pub fn create(path: &Path, settings: S, folders: &[&str], files: &[(&str, &[u8])]) -> Result<Self, RunDirError> {
        let names: Vec<&str> = files.iter().map(|&(name, _)| name).collect();
        Self::create_with(path, settings, None, (folders, &names), &mut |run| {
            for (name, content) in files {
                files::write_whole(&run.path().join(name), content)?;
            }
            for folder in folders.iter().map(|folder| run.path().join(folder)) {
                fs::create_dir_all(&folder).map_err(FileError::of("create", &folder))?;
            }
            Ok(())
        })
    }

    /// Begins a run in a new directory that `fill` writes everything into but the settings and the provenance. An
    /// interrupted attempt may have left empty folders and files of the names `left`.
    ///
    /// # Errors
    /// As [`OpenRun::create`], and those of `fill`. A directory that could not be filled is not a run.
    pub(crate) fn create_with<E: From<RunDirError>>(
        path: &Path,
        settings: S,
        branched_from: Option<BranchPoint>,
        left: (&[&str], &[&str]),
        fill: &mut dyn FnMut(&RunDir) -> Result<(), E>,
    ) -> Result<Self, E> {
        let dir = RunDir::begin(path, left.0, left.1)?;
        fill(&dir)?;
        let (game, rules_version) = settings.game();
        let text = settings.to_toml();
        let meta = Meta {
            branched_from,
            config: Some(sha256(&text)),
            ..Meta::new(game, rules_version, settings.seed())
        };
        dir.finish(&text, &meta).map_err(RunDirError::from)?;
        Ok(Self {
            dir,
            meta,
            began: settings.clone(),
            settings,
            text,
        })
    }

    /// Opens the directory of an interrupted run, under the settings that `change` makes of the stored ones, and of their
    /// file, given by name and text.
    ///
    /// # Errors
    /// If there is no run of the game, it is in use or damaged, its settings are [fixed](RunSettings::FIXED) and were
    /// changed, or `change` refuses.
    pub fn resume<E: From<RunDirError> + From<ConfigError>>(
        path: &Path,
        change: &Continued<'_, S, E>,
    ) -> Result<Self, E> {
        let (dir, meta) = RunDir::open(path)?;
        let file = dir.config();
        let text = files::read_text(&file).map_err(RunDirError::from)?;
        let (found, expected) = (sha256(&text), meta.config.as_deref().unwrap_or("none"));
        if S::FIXED && found != expected && Some(&found) != meta.config_before.as_ref() {
            let reason = format!(
                "its SHA-256 is {found}, not {expected} as when the {} began; put it back, and change settings on the command \
                 line",
                S::SUBJECT
            );
            return Err(RunDirError::from(FileError::damaged(file, reason)).into());
        }
        let name = file.to_string_lossy();
        let began = S::load(Some((&name, &text)), &[])?;
        let settings = change(&began, (&name, &text))?;
        if (meta.game.as_str(), meta.rules_version) != settings.game() {
            return Err(RunDirError::of_other_game(path, &meta, settings.game()).into());
        }
        Ok(Self {
            dir,
            meta,
            began,
            settings,
            text,
        })
    }

    /// The change of a `config.toml` that had this SHA-256 at the time that `since` names: a sentence if it was
    /// changed.
    ///
    /// # Errors
    /// If it lacks keys.
    pub fn change_by_hand(&self, since: &str, before: Option<&str>) -> Result<Option<String>, RunDirError> {
        let now = Some(sha256(&self.text));
        // The last text that the program wrote is not a change by hand: a resume may have been stopped before its next checkpoint.
        if before.is_none() || before == now.as_deref() || self.meta.config == now {
            return Ok(None);
        }
        let path = self.dir.config();
        let found = self.text.parse().expect("the settings were read from this text");
        let keys = keys_not_in(&found, &self.began.table());
        if keys.is_empty() {
            return Ok(Some(format!(
                "{} was changed since {since}; the run continues with it as it is now",
                path.display()
            )));
        }
        let since = since.to_owned();
        Err(RunDirError::LostKeys { path, since, keys })
    }

    /// Writes down the settings under which the run continues, and that it began with them. A process that is killed
    /// meanwhile leaves those of before or these.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn begin_again(&mut self) -> Result<(), FileError> {
        let text = self.settings.to_toml();
        if text == self.text {
            return Ok(());
        }
        let meta = Meta {
            config: Some(sha256(&text)),
            config_before: None,
            ..self.meta.clone()
        };
        let between = Meta {
            config_before: Some(sha256(&self.text)),
            ..meta.clone()
        };
        self.dir.write_meta(&between)?;
        self.dir.finish(&text, &meta)?;
        (self.text, self.meta) = (text, meta);
        Ok(())
    }
}

fn sha256(text: &str) -> String {
    FileFacts::of(text.as_bytes()).sha256
}

/// Keys of the table `known` that `found` does not have. A missing section is listed by its name only.
fn keys_not_in(found: &Table, known: &Table) -> Vec<String> {
    let mut keys = Vec::new();
    for (key, value) in known {
        match (value, found.get(key)) {
            (_, None) => keys.push(key.clone()),
            (Value::Table(known), Some(Value::Table(found))) => {
                let inner = keys_not_in(found, known).into_iter();
                keys.extend(inner.map(|inner| format!("{key}.{inner}")));
            }
            _ => {}
        }
    }
    keys
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use schemars::JsonSchema;
    use serde::{Deserialize, Serialize};

    use super::super::run_dir::{CONFIG_FILE, META_FILE};
    use super::*;
    use crate::settings::{Change, Problem, Setting};
    use crate::training_loop::TrainingError;

    #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
    #[serde(deny_unknown_fields, default)]
    struct Config {
        seed: u64,
        #[schemars(extend("change" = "resume"))]
        limits: Limits,
    }

    #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
    #[serde(deny_unknown_fields, default)]
    struct Limits {
        games: u32,
        minutes: u32,
    }

    /// The same, whose file only the program changes.
    #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
    #[serde(transparent)]
    struct Fixed(Config);

    impl Settings for Config {
        crate::toml_form!();

        const SUBJECT: &'static str = "experiment";

        fn problems(&self) -> Vec<Problem> {
            Vec::new()
        }
    }

    impl RunSettings for Config {
        const FIXED: bool = false;

        fn game(&self) -> (&'static str, u32) {
            ("connect-four", 1)
        }

        fn seed(&self) -> u64 {
            self.seed
        }
    }

    impl Settings for Fixed {
        crate::toml_form!();

        const SUBJECT: &'static str = "experiment";

        fn problems(&self) -> Vec<Problem> {
            Vec::new()
        }
    }

    impl RunSettings for Fixed {
        const FIXED: bool = true;

        fn game(&self) -> (&'static str, u32) {
            self.0.game()
        }

        fn seed(&self) -> u64 {
            self.0.seed
        }
    }

    type Open = OpenRun<Config>;

    const SEVEN: &str = "seed = 7\n\n[limits]\ngames = 2\nminutes = 3\n";

    fn config() -> Config {
        Config::load(Some(("seven", SEVEN)), &[]).unwrap()
    }

    fn create(path: &Path, folders: &[&str]) -> Result<Open, RunDirError> {
        OpenRun::create(path, config(), folders, &[("players", b"two")])
    }

    fn resume<S: RunSettings>(path: &Path, settings: &[&str]) -> Result<OpenRun<S>, String> {
        let settings = Setting::list(settings);
        let opened = OpenRun::resume(path, &|began: &S, file| -> Result<_, TrainingError> {
            Ok(began.with(file, &settings, Change::Resume)?)
        });
        opened.map_err(|error| error.to_string())
    }

    #[test]
    fn a_run_is_created_once_held_by_one_and_resumed_with_what_it_knew() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("runs/first");
        let run = create(&path, &[]).unwrap();
        let in_use = resume::<Config>(&path, &[]).unwrap_err();
        assert!(in_use.contains(&format!("process {}", std::process::id())), "{in_use}");
        drop(run);
        let exists = create(&path, &[]).unwrap_err().to_string();
        assert!(exists.contains("already contains a run"), "{exists}");
        let run: Open = resume(&path, &["limits.games=5"]).unwrap();
        assert_eq!((run.meta.seed, run.meta.game.as_str()), (7, "connect-four"));
        assert_eq!((run.began, run.settings.limits.games), (config(), 5));
        assert_eq!(fs::read_to_string(run.dir.config()).unwrap(), SEVEN);
        assert_eq!(fs::read(path.join("players")).unwrap(), b"two");
        run.dir.log("two\nlines").unwrap();
        let log = fs::read_to_string(path.join("log.txt")).unwrap();
        assert!(log.ends_with("Z two\\nlines\n"), "{log}");
    }

    #[test]
    fn directories_that_are_no_runs_are_left_alone() {
        let directory = tempfile::tempdir().unwrap();
        let missing = resume::<Config>(directory.path(), &[]).unwrap_err();
        assert!(missing.contains("no meta.json"), "{missing}");
        fs::write(directory.path().join("thesis.tex"), "years of work").unwrap();
        let refused = create(directory.path(), &[]).unwrap_err().to_string();
        assert!(refused.contains("thesis.tex"), "{refused}");
        assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_creation_that_was_interrupted_can_be_repeated() {
        let directory = tempfile::tempdir().unwrap();
        for left in ["LOCK", CONFIG_FILE, "meta.json.tmp", "players.tmp"] {
            fs::write(directory.path().join(left), "half").unwrap();
        }
        for folder in RunDir::TRAINING {
            fs::create_dir(directory.path().join(folder)).unwrap();
        }
        // A folder of that name with content belongs to someone else.
        let foreign = directory.path().join("games/chess.pgn");
        fs::write(&foreign, "1. e4").unwrap();
        let refused = create(directory.path(), &RunDir::TRAINING).unwrap_err().to_string();
        assert!(refused.contains("`games`"), "{refused}");
        fs::remove_file(&foreign).unwrap();
        let run = create(directory.path(), &RunDir::TRAINING).unwrap();
        assert_eq!(fs::read_to_string(run.dir.config()).unwrap(), SEVEN);
    }

    #[test]
    fn damage_and_foreign_versions_are_named() {
        let directory = tempfile::tempdir().unwrap();
        drop(create(directory.path(), &[]).unwrap());
        let path = directory.path().join(META_FILE);
        let text = fs::read_to_string(&path).unwrap();
        let refused = |text: &str| {
            fs::write(&path, text).unwrap();
            resume::<Config>(directory.path(), &[]).unwrap_err()
        };
        let version = refused(&text.replace("\"run_version\": 1", "\"run_version\": 99"));
        assert!(version.contains("version 99"), "{version}");
        let damaged = refused(&text[..40]);
        assert!(damaged.contains("meta.json is damaged"), "{damaged}");
        let other = refused(&text.replace("connect-four", "chase"));
        let expected = "is a run of chase (rules version 1), expected connect-four (rules version 1)";
        assert!(other.contains(expected), "{other}");
    }

    #[test]
    fn what_may_not_change_is_told_and_what_may_is_written_down() {
        let directory = tempfile::tempdir().unwrap();
        drop(create(directory.path(), &[]).unwrap());
        let other = resume::<Config>(directory.path(), &["seed=8"]).unwrap_err();
        assert_eq!(
            other,
            "the experiment cannot continue with seed = 8 (was 7); begin a new experiment"
        );
        resume::<Config>(directory.path(), &["limits.games=5"])
            .unwrap()
            .begin_again()
            .unwrap();
        let run: Open = resume(directory.path(), &[]).unwrap();
        assert_eq!((run.began.limits.games, run.settings.limits.games), (5, 5));
    }

    #[test]
    fn a_changed_file_is_told_and_one_with_fewer_keys_refused() {
        let directory = tempfile::tempdir().unwrap();
        drop(create(directory.path(), &[]).unwrap());
        let path = directory.path().join(CONFIG_FILE);
        let of = |text: &str| {
            fs::write(&path, text).unwrap();
            let run: Open = resume(directory.path(), &[]).unwrap();
            let told = run.change_by_hand("gen-000003", run.meta.config.as_deref());
            let told = told.map_err(|error| error.to_string());
            (run.change_by_hand("now", Some(&sha256(text))).unwrap(), told)
        };
        assert_eq!(of(SEVEN), (None, Ok(None)));
        let (None, Ok(Some(told))) = of(&SEVEN.replace('3', "4")) else {
            panic!("it was changed");
        };
        assert!(told.contains("config.toml was changed since gen-000003"), "{told}");
        for (text, lost) in [
            ("seed = 7\n[limits]\ngames = 2\n", "limits.minutes"),
            ("seed = 7\n", "limits"),
        ] {
            let (None, Err(told)) = of(text) else {
                panic!("it lacks keys");
            };
            assert!(
                told.contains(&format!("it lacks {lost}; put these keys back")),
                "{told}"
            );
        }
        fs::write(&path, SEVEN).unwrap();
        // A process that was killed while it wrote new settings down left the old ones or these.
        let mut run = resume::<Fixed>(directory.path(), &["limits.games=5"]).unwrap();
        run.begin_again().unwrap();
        let (now, meta) = (fs::read_to_string(&path).unwrap(), run.meta.clone());
        assert!(now.contains("games = 5"), "{now}");
        let between = Meta {
            config: Some(sha256(&now)),
            config_before: Some(sha256(SEVEN)),
            ..meta
        };
        run.dir.write_meta(&between).unwrap();
        drop(run);
        for (text, games) in [(SEVEN, 2), (&now, 5)] {
            fs::write(&path, text).unwrap();
            let run = resume::<Fixed>(directory.path(), &[]).unwrap();
            assert_eq!(run.settings.0.limits.games, games);
        }
        fs::write(&path, SEVEN.replace('3', "4")).unwrap();
        let refused = resume::<Fixed>(directory.path(), &[]).unwrap_err();
        let expected = "config.toml is damaged: its SHA-256 is ";
        assert!(
            refused.contains(expected) && refused.contains("as when the experiment began"),
            "{refused}"
        );
    }
}
