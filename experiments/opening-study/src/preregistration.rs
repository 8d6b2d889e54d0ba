//! Preregistration: the plan fixed before the first game of a study, and when.

use std::path::Path;

use chase_report::number;
use chase_training::files;
use chase_training::run_dir::{Meta, unix_seconds};
use serde::{Deserialize, Serialize};

use super::config_commit::ConfigCommit;
use super::evidence::games::Design;
use super::plan_error::PlanError;
use super::study_plan::{ConfigFile, PLAN_FILE, StudyPlan};
use crate::StudyConfig;

/// The record, in the folder of a study.
pub(crate) const RECORD_FILE: &str = "preregistration.json";

/// The plan fixed before the first game, and the time in between.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Preregistration {
    /// SHA-256 of `plan.json`, in hexadecimal digits.
    pub plan_sha256: String,
    /// The configuration file, as it was typed; `None` without one.
    pub config_file: Option<String>,
    /// The commit that last changed it; `None` if it is in none.
    pub config_commit: Option<String>,
    /// Time of that commit by the committer's clock, in seconds since 1970.
    pub committed_at: Option<u64>,
    /// True if the text that was read equals the committed file.
    pub unchanged: Option<bool>,
    /// Keys of the configuration that the command line set differently from the file.
    pub set_besides: Vec<String>,
    /// Time when the study first started to play, in seconds since 1970.
    pub first_game_at: u64,
    /// Seconds from the commit to the first game; `None` without a commit.
    pub seconds_between: Option<i64>,
}

impl Preregistration {
    /// Seconds from the commit of the plan to the first game; `None` if the plan was not committed before.
    pub fn committed_before(&self) -> Option<u64> {
        let seconds = self.seconds_between.filter(|_| self.unchanged == Some(true))?;
        u64::try_from(seconds).ok()
    }

    /// The same as text, in one or two sentences.
    pub fn sentence(&self) -> String {
        let commit = self.config_commit.as_deref().unwrap_or_default();
        let short: String = commit.chars().take(10).collect();
        if let Some(seconds) = self.committed_before() {
            let besides = match &self.set_besides[..] {
                [] => String::new(),
                keys => format!(", but for {}, which the command line set", keys.join(", ")),
            };
            return format!(
                "The plan was committed {} before the first game (commit {short}){besides}.",
                number::duration(seconds as f64)
            );
        }
        let why = match (&self.config_file, &self.config_commit, self.unchanged) {
            (None, ..) => "There is no configuration file.".to_owned(),
            (Some(file), None, _) => format!("{file} is in no commit."),
            (Some(file), Some(_), Some(true)) => format!("Commit {short}, which holds {file}, has a later time."),
            (Some(file), Some(_), _) => format!("{file} was changed after commit {short}."),
        };
        format!("The plan was not committed before the first game: what follows is exploratory. {why}")
    }
}

/// The record that the folder of a study keeps from its creation on.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct PlanRecord {
    config_file: Option<ConfigFile>,
    commit: Option<ConfigCommit>,
    set_besides: Vec<String>,
    plan_sha256: Option<String>,
    first_game_at: Option<u64>,
}

impl PlanRecord {
    fn read(folder: &Path) -> Result<Self, PlanError> {
        let path = folder.join(RECORD_FILE);
        if !path.exists() {
            // A plan is written after the record. Studies of earlier versions have neither.
            if folder.join(PLAN_FILE).exists() {
                let reason =
                    format!("it is missing, though the study has {PLAN_FILE}: put it back, or begin a new study");
                return Err(PlanError::Content { path, reason });
            }
            return Ok(Self::default());
        }
        serde_json::from_slice(&files::read(&path)?).map_err(|error| PlanError::Content {
            path,
            reason: error.to_string(),
        })
    }

    fn bytes(&self, folder: &Path) -> Result<Vec<u8>, PlanError> {
        let text = serde_json::to_string_pretty(self).map_err(|error| PlanError::Content {
            path: folder.join(RECORD_FILE),
            reason: error.to_string(),
        })?;
        Ok((text + "\n").into_bytes())
    }

    fn write(&self, folder: &Path) -> Result<(), PlanError> {
        Ok(files::write_whole(&folder.join(RECORD_FILE), &self.bytes(folder)?)?)
    }
}

/// The content of [`RECORD_FILE`] for a new study: its configuration file, and the commit that holds it.
pub(crate) fn record(folder: &Path, config: &StudyConfig, file: Option<(&Path, &str)>) -> Result<Vec<u8>, PlanError> {
    let Some((path, text)) = file else {
        return PlanRecord::default().bytes(folder);
    };
    let name = path.display().to_string();
    let alone = StudyConfig::load(Some((&name, text)), &[])?;
    let elsewhere = ["threads", "device"];
    let set_besides = config.differences(&alone).into_iter();
    let record = PlanRecord {
        commit: ConfigCommit::of(path, text),
        config_file: Some(ConfigFile {
            name,
            text: text.to_owned(),
        }),
        set_besides: set_besides.filter(|key| !elsewhere.contains(&key.as_str())).collect(),
        ..PlanRecord::default()
    };
    record.bytes(folder)
}

/// Fixes the plan of a study before its first game; for a resumed study, returns the stored one. `None` if games were
/// played without a plan, by an earlier version of this program.
pub(crate) fn settle(
    folder: &Path,
    program: &Meta,
    config: &StudyConfig,
    design: &Design,
) -> Result<Option<Preregistration>, PlanError> {
    let mut record = PlanRecord::read(folder)?;
    let sha256 = match StudyPlan::read(folder)? {
        Some((plan, sha256)) => {
            plan.agrees(folder, config, design)?;
            sha256
        }
        None if record.plan_sha256.is_none() => {
            if folder.join("games").join("round-00").exists() {
                return Ok(None);
            }
            StudyPlan::new(program, record.config_file.clone(), config, design).write(folder)?
        }
        None => "of no file".to_owned(),
    };
    let expected = record.plan_sha256.get_or_insert_with(|| sha256.clone());
    if *expected != sha256 {
        return Err(PlanError::Content {
            path: folder.join(PLAN_FILE),
            reason: format!("its SHA-256 is {sha256}, expected {expected}, as before the first game"),
        });
    }
    let first_game_at = *record.first_game_at.get_or_insert_with(|| unix_seconds() as u64);
    record.write(folder)?;
    let commit = record.commit;
    let since = |moment: u64| Some(i64::try_from(first_game_at).ok()? - i64::try_from(moment).ok()?);
    let seconds_between = commit.as_ref().and_then(|commit| since(commit.committed_at));
    Ok(Some(Preregistration {
        plan_sha256: sha256,
        config_file: record.config_file.map(|file| file.name),
        committed_at: commit.as_ref().map(|commit| commit.committed_at),
        unchanged: commit.as_ref().map(|commit| commit.unchanged),
        config_commit: commit.map(|commit| commit.hash),
        set_besides: record.set_besides,
        first_game_at,
        seconds_between,
    }))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use std::fs;
    use std::process::Command;

    use chase_engine::{Chase, Game};
    use chase_models::device;
    use chase_training::config::Setting;

    use super::*;

    const CONFIG: &str = "[games]\nplayers = ['greedy:blunders=0.5']\nreplies = false\n";

    /// A new repository in a folder, with a file committed `ago` seconds ago.
    fn repository(folder: &Path, text: &str, ago: i64) {
        fs::write(folder.join("study.toml"), text).unwrap();
        let now = unix_seconds() as i64;
        for arguments in [
            &["init", "--quiet"][..],
            &["add", "study.toml"],
            &["commit", "--quiet", "--no-verify", "--no-gpg-sign", "-m", "The plan"],
        ] {
            let mut git = Command::new("git");
            for name in ["GIT_AUTHOR_NAME", "GIT_COMMITTER_NAME"] {
                git.env(name, "Somebody");
            }
            for email in ["GIT_AUTHOR_EMAIL", "GIT_COMMITTER_EMAIL"] {
                git.env(email, "somebody@example.org");
            }
            let date = format!("{} +0000", now - ago);
            let git = git.current_dir(folder).args(arguments).env_remove("GIT_DIR");
            assert!(git.env("GIT_COMMITTER_DATE", date).status().unwrap().success());
        }
    }

    /// The preregistration of a study in `folder` with this configuration.
    fn settled(folder: &Path, config: &StudyConfig) -> Result<Option<Preregistration>, PlanError> {
        let program = Meta::new(Chase::NAME, Chase::RULES_VERSION, config.seed);
        let design = Design::of(folder, &config.games, config.seed, device::parse("cpu").unwrap()).unwrap();
        settle(folder, &program, config, &design)
    }

    /// The preregistration of a new study, given a configuration file and the text read from it.
    fn begun(home: &Path, file: Option<(&str, &str)>, settings: &[&str]) -> Preregistration {
        let settings = Setting::list(settings);
        let folder = home.join("study");
        fs::create_dir(&folder).unwrap();
        let config = StudyConfig::load(Some(("study.toml", CONFIG)), &settings).unwrap();
        let path = file.map(|(name, _)| home.join(name));
        let file = path.as_deref().zip(file.map(|(_, text)| text));
        fs::write(folder.join(RECORD_FILE), record(&folder, &config, file).unwrap()).unwrap();
        settled(&folder, &config).unwrap().unwrap()
    }

    #[test]
    fn a_plan_that_was_committed_is_told_with_its_time_and_what_the_command_line_set() {
        let home = tempfile::tempdir().unwrap();
        repository(home.path(), CONFIG, 3 * 3600 + 12 * 60 + 20);
        let found = begun(home.path(), Some(("study.toml", CONFIG)), &["threads=3"]);
        let mut git = Command::new("git");
        let commit = git
            .current_dir(home.path())
            .args(["rev-parse", "HEAD"])
            .output()
            .unwrap();
        let commit = String::from_utf8(commit.stdout).unwrap();
        assert_eq!(found.config_commit.as_deref(), Some(commit.trim()));
        let since = found.first_game_at - found.committed_at.unwrap();
        assert_eq!((found.committed_before(), found.unchanged), (Some(since), Some(true)));
        let told = format!(
            "The plan was committed 3 h 12 min before the first game (commit {}).",
            &commit[..10]
        );
        assert_eq!(found.sentence(), told);
        let folder = home.path().join("study");
        let plan = fs::read(folder.join(PLAN_FILE)).unwrap();
        let sha256 = chase_models::manifest::FileFacts::of(&plan).sha256;
        assert_eq!(found.plan_sha256, sha256);
        let plan: StudyPlan = serde_json::from_slice(&plan).unwrap();
        assert_eq!(plan.config_file.unwrap().text, CONFIG);
        assert_eq!((plan.config.games.margin, plan.design.players.len()), (0.02, 1));
        assert_eq!(plan.settings[0]["blunders"], "0.5");
        // Settings beyond the file are reported.
        fs::remove_dir_all(&folder).unwrap();
        let found = begun(
            home.path(),
            Some(("study.toml", CONFIG)),
            &["games.margin=0.1", "seed=3"],
        );
        let told = found.sentence();
        assert!(
            told.ends_with("), but for games.margin, seed, which the command line set."),
            "{told}"
        );
    }

    #[test]
    fn what_was_not_committed_before_is_exploratory() {
        let told = |prepare: &dyn Fn(&Path), file: Option<(&str, &str)>| {
            let home = tempfile::tempdir().unwrap();
            prepare(home.path());
            let found = begun(home.path(), file, &[]);
            assert_eq!(found.committed_before(), None);
            let told = found.sentence();
            let expected = "The plan was not committed before the first game: what follows is exploratory. ";
            told.strip_prefix(expected)
                .unwrap_or_else(|| panic!("{told}"))
                .to_owned()
        };
        let write = |name: &'static str| move |home: &Path| fs::write(home.join(name), CONFIG).unwrap();
        let repository = |ago| move |home: &Path| repository(home, CONFIG, ago);
        let given = Some(("study.toml", CONFIG));
        assert_eq!(told(&|_| {}, None), "There is no configuration file.");
        assert!(told(&write("study.toml"), given).ends_with("study.toml is in no commit."));
        let new = |home: &Path| {
            repository(60)(home);
            write("new.toml")(home);
        };
        assert!(told(&new, Some(("new.toml", CONFIG))).ends_with("new.toml is in no commit."));
        let changed = told(&repository(60), Some(("study.toml", "seed = 1\n")));
        assert!(changed.contains("study.toml was changed after commit "), "{changed}");
        let later = told(&repository(-600), given);
        assert!(later.ends_with("has a later time."), "{later}");
    }

    #[test]
    fn a_study_that_goes_on_keeps_its_plan_and_its_first_moment() {
        let home = tempfile::tempdir().unwrap();
        repository(home.path(), CONFIG, 60);
        let first = begun(home.path(), Some(("study.toml", CONFIG)), &[]);
        let folder = home.path().join("study");
        // The commit is long ago.
        let mut record = PlanRecord::read(&folder).unwrap();
        record.first_game_at = Some(first.first_game_at - 30);
        record.write(&folder).unwrap();
        // Later changes of the file do not count, and a study may get more games.
        fs::write(home.path().join("study.toml"), "seed = 2\n").unwrap();
        let settings = ["games.most=512".into(), "threads=2".into()];
        let config = StudyConfig::load(Some(("study.toml", CONFIG)), &settings).unwrap();
        let again = settled(&folder, &config).unwrap().unwrap();
        let expected = Preregistration {
            first_game_at: first.first_game_at - 30,
            seconds_between: first.seconds_between.map(|seconds| seconds - 30),
            ..first
        };
        assert_eq!(again, expected);

        let refused = |config: &StudyConfig| settled(&folder, config).unwrap_err().to_string();
        let other = StudyConfig::load(
            Some(("x", CONFIG)),
            &["games.most=512".into(), "search.budgets=[7]".into()],
        );
        let told = refused(&other.unwrap());
        assert!(
            told.contains("plan.json: search.budgets differs from what it says"),
            "{told}"
        );
        // Thresholds changed in every file except the plan.
        let design = folder.join("design.json");
        let [before, margin] = [fs::read_to_string(&design).unwrap(), "\"margin\": 0.0".into()];
        fs::write(&design, before.replace("\"margin\": 0.02", &margin)).unwrap();
        let mut lower = config.clone();
        lower.games.margin = 0.0;
        assert!(refused(&lower).contains("games.margin differs"), "{}", refused(&lower));
        fs::write(&design, before).unwrap();
        // The record gone, as if no one had ever planned anything.
        let (path, record) = (folder.join(RECORD_FILE), PlanRecord::read(&folder).unwrap());
        fs::remove_file(&path).unwrap();
        let told = refused(&config);
        assert!(told.contains("preregistration.json: it is missing, though"), "{told}");
        record.write(&folder).unwrap();
        // And changed in the plan as well.
        let plan = folder.join(PLAN_FILE);
        let text = fs::read_to_string(&plan).unwrap();
        fs::write(&plan, text.replace("\"several\": 3", "\"several\":  3")).unwrap();
        assert!(
            refused(&config).contains(", as before the first game"),
            "{}",
            refused(&config)
        );
        fs::remove_file(&plan).unwrap();
        assert!(
            refused(&config).contains("its SHA-256 is of no file"),
            "{}",
            refused(&config)
        );
    }

    #[test]
    fn games_of_before_there_were_plans_have_none() {
        let home = tempfile::tempdir().unwrap();
        fs::create_dir_all(home.path().join("games/round-00")).unwrap();
        let config = StudyConfig::load(Some(("study.toml", CONFIG)), &[]).unwrap();
        assert_eq!(settled(home.path(), &config).unwrap(), None);
        assert!(!home.path().join(PLAN_FILE).exists());
    }
}
