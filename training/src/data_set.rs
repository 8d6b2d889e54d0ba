//! A data set: self-play games of one network, without learning.
//!
//! Groups, seeds and shards are those of a training run, so the games are the same on any number of threads, and
//! everything that reads the games of a run reads these. The directory holds the network too: a data set that was
//! interrupted is completed even if the checkpoint has moved.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use chase_models::checkpoint::{self, Checkpoint, NamedTensors};
use tch::Device;

use crate::config::Config;
use crate::game_record::Purpose;
use crate::kinds::Kind;
use crate::kinds::residual::Residual;
use crate::replay::shard::{self, ShardError};
use crate::selfplay::{self, Counters, Group, GroupGames};
use crate::settings::Setting;
use crate::store::OpenRun;
use crate::store::files;
use crate::store::run_dir::RunDir;
use crate::store::run_kind::RunKind;
use crate::training_loop::TrainingError;
use crate::venue::{Here, Offer, Venue};
use chase_engine::Playable;

/// The generation that all games of a data set are counted to.
const GENERATION: u64 = 1;

/// The games of a data set, being played.
#[derive(Debug)]
pub struct DataSet<G: Playable> {
    run: RunDir,
    config: Config,
    checkpoint: Checkpoint<G>,
    model: String,
    device: Device,
    /// A remark before the games: `config.toml` was changed.
    change: Option<String>,
}

/// Progress of a data set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DataSetProgress {
    /// Finished games, with those of earlier attempts.
    pub games: u64,
    /// Games that it will have.
    pub of: u64,
    /// Games that were found finished when this attempt began.
    pub found: u64,
    /// Plies of this attempt, also of unfinished games.
    pub plies: u64,
    /// Evaluations of the network in this attempt.
    pub evaluations: u64,
    /// Rows that can be trained on, of finished groups.
    pub rows: u64,
}

impl<G: Playable> DataSet<G> {
    /// Begins a data set in a new directory, played by the checkpoint in the folder `network`.
    ///
    /// Of `config`, the planes and the architecture of the network do not count: the checkpoint has its own.
    ///
    /// # Errors
    /// If the checkpoint is not for the configured game, or the directory or device cannot be used.
    pub fn create(directory: &Path, network: &Path, mut config: Config) -> Result<Self, TrainingError> {
        let device = chase_models::device::parse(&config.device)?;
        // The games are those of the network, whatever played the first ones of its run.
        config.selfplay.heuristic_generations = 0;
        let checkpoint = Checkpoint::<G>::load_for(config.game.name(), network, device)?;
        let architecture = checkpoint.network.architecture();
        let config = config.for_network(architecture, device)?;
        let model = network.file_name().unwrap_or(network.as_os_str()).to_string_lossy();
        let left = (&RunDir::DATA_SET[..], &[][..]);
        let run = OpenRun::create_with(directory, config, None, left, &mut |run| -> Result<_, TrainingError> {
            files::write_whole(&run.model(), model.as_bytes())?;
            let manifest = checkpoint.manifest.clone();
            checkpoint::save(&run.network(), manifest, &checkpoint.network, &NamedTensors::new())?;
            Ok(())
        })?;
        let (run, config) = (run.dir, run.settings);
        Ok(Self {
            run,
            config,
            checkpoint,
            model: model.into_owned(),
            device,
            change: None,
        })
    }

    /// Continues the data set in a directory, with another number of threads or more games if `overrides`, each
    /// `key=value`, say so.
    ///
    /// # Errors
    /// If it is not a data set of this game, is in use or damaged, its `config.toml` has lost keys, or an override changes
    /// something else.
    pub fn resume(directory: &Path, overrides: &[Setting]) -> Result<Self, TrainingError> {
        RunKind::expect(directory, &[RunKind::DataSet])?;
        let mut run = OpenRun::resume(directory, &|began: &Config, file| -> Result<_, TrainingError> {
            Ok(began.more_games(file, overrides)?)
        })?;
        let change = run.change_by_hand("its games began", run.meta.config.as_deref())?;
        let device = chase_models::device::parse(&run.settings.device)?;
        let network = run.dir.network();
        let checkpoint = Checkpoint::<G>::load_for(run.settings.game.name(), &network, device)?;
        run.settings = run.settings.for_network(checkpoint.network.architecture(), device)?;
        let model = files::read_text(&run.dir.model())?;
        // A process that is killed in the midst of it leaves a change that the next one tells of, and nothing worse.
        run.begin_again()?;
        let (run, config) = (run.dir, run.settings);
        Ok(Self {
            run,
            config,
            checkpoint,
            model,
            device,
            change,
        })
    }

    /// The configuration.
    pub const fn config(&self) -> &Config {
        &self.config
    }

    /// Plays the games that are missing, until all are there or `stop` is set. `tick` is called several times a second,
    /// `warn` for each shard that is damaged and whose games are played again, and for a `config.toml` that was
    /// changed.
    ///
    /// # Errors
    /// If games cannot be played or written. Those that were written stay.
    pub fn play(
        &self,
        stop: &AtomicBool,
        mut tick: impl FnMut(&DataSetProgress),
        mut warn: impl FnMut(String),
    ) -> Result<DataSetProgress, TrainingError> {
        if let Some(change) = &self.change {
            warn(change.clone());
        }
        let (folder, rules) = (self.run.games(), self.config.game_rules::<G>());
        let mut progress = DataSetProgress {
            of: self.config.selfplay.games.into(),
            ..DataSetProgress::default()
        };
        let counters = Counters::default();
        let network = self.run.network();
        let asked = Offer::<Residual<G>> {
            run: self.run.path(),
            settings: &self.config,
            purpose: Purpose::Selfplay,
            generation: GENERATION,
            groups: &[],
            carried: None,
            checkpoint: &network,
            model: &self.model,
            player: Residual::saved_player(&self.config, &self.checkpoint, self.device),
            device: self.device,
            counters: &counters,
            stop,
        };
        let mut missing = Vec::new();
        for group in selfplay::groups(self.config.selfplay.games, self.config.selfplay.group_games) {
            let origin = asked.origin(&group);
            // The games are what a data set is for: a change of its settings by hand takes none of them away.
            match shard::of_group::<G>(&folder, &rules, &origin, true, group.games.clone(), &mut warn)? {
                Some((id, _)) => {
                    progress.found += id.games;
                    progress.rows += id.rows;
                }
                None => missing.push(group),
            }
        }
        progress.games = progress.found;
        let offer = Offer {
            groups: &missing,
            ..asked
        };
        let mut rows = progress.rows;
        let written = std::cell::Cell::new(rows);
        let mut finished = |group: &Group, games: GroupGames<G>| -> Result<(), ShardError> {
            rows += shard::write(&folder, &offer.origin(group), &games.finished)?.rows;
            written.set(rows);
            Ok(())
        };
        let count = |progress: &mut DataSetProgress| {
            progress.games = progress.found + counters.games.load(Ordering::Relaxed);
            progress.plies = counters.plies.load(Ordering::Relaxed);
            progress.evaluations = counters.evaluations.load(Ordering::Relaxed);
            progress.rows = written.get();
        };
        let mut now = progress;
        let ended = Here.play(&offer, &mut finished, &mut |_| {
            count(&mut now);
            tick(&now);
        });
        count(&mut progress);
        ended?;
        Ok(progress)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use std::collections::BTreeSet;

    use chase_engine::{ConnectFour, Encode};
    use chase_models::Network;
    use chase_models::manifest::{Manifest, NetworkOrigin, TrainingProgress};
    use rand::SeedableRng;
    use rand::rngs::Xoshiro256PlusPlus;

    use super::*;
    use crate::kinds::residual::testing::architecture;

    fn config(threads: usize, games: u32) -> Config {
        let text = "game = 'connect-four'\ndevice = 'cpu'\nsearch.simulations = 4\nselfplay.group_games = 3\nselfplay.in_flight = 3\n";
        let settings = [
            format!("threads={threads}").into(),
            format!("selfplay.games={games}").into(),
        ];
        Config::load(Some(("test.toml", text)), &settings).unwrap()
    }

    fn network(folder: &Path) -> std::path::PathBuf {
        let folder = folder.join("agent-0");
        if !folder.exists() {
            let encoding = Default::default();
            let mut rng = Xoshiro256PlusPlus::seed_from_u64(9);
            let shape = ConnectFour::shape(&encoding);
            let network = Network::new(&architecture(), shape, Device::Cpu, &mut rng).unwrap();
            let manifest = Manifest::new::<ConnectFour>(
                &encoding,
                &architecture(),
                TrainingProgress::default(),
                NetworkOrigin::default(),
            )
            .unwrap();
            checkpoint::save(&folder, manifest, &network, &NamedTensors::new()).unwrap();
        }
        folder
    }

    fn shards(run: &Path) -> BTreeSet<String> {
        shard::list(&run.join("games"), Purpose::Selfplay)
            .unwrap()
            .into_iter()
            .collect()
    }

    fn play(set: &DataSet<ConnectFour>) -> DataSetProgress {
        set.play(&AtomicBool::new(false), |_| {}, |warning| panic!("{warning}"))
            .unwrap()
    }

    /// The names of shards hold the hashes of their contents.
    #[test]
    fn games_are_the_same_on_two_threads_and_after_an_interruption() {
        let directory = tempfile::tempdir().unwrap();
        let run = |name: &str| directory.path().join(name);
        let network = network(directory.path());
        let set = DataSet::<ConnectFour>::create(&run("one"), &network, config(1, 10)).unwrap();
        let progress = play(&set);
        assert_eq!((progress.games, progress.of, progress.found), (10, 10, 0));
        let whole = shards(&run("one"));
        assert_eq!(whole.len(), 4);
        // A run whose first games alpha-beta has played has a network like any other.
        let mut of_run = config(2, 10);
        of_run.selfplay.heuristic_generations = 3;
        drop(DataSet::<ConnectFour>::create(&run("two"), &network, of_run).map(|set| play(&set)));
        assert_eq!(shards(&run("two")), whole);
        // One shard lost, one damaged; and the checkpoint is gone.
        let mut names = whole.iter();
        let mut next = || run("one/games").join(names.next().unwrap());
        std::fs::remove_file(next()).unwrap();
        std::fs::write(next(), "damaged").unwrap();
        drop(set);
        std::fs::remove_dir_all(&network).unwrap();
        let set = DataSet::<ConnectFour>::resume(&run("one"), &["threads=2".into()]).unwrap();
        let mut warnings = Vec::new();
        let progress = set
            .play(&AtomicBool::new(false), |_| {}, |warning| warnings.push(warning))
            .unwrap();
        assert_eq!((progress.games, progress.found), (10, 4));
        assert_eq!(shards(&run("one")), whole);
        assert!(
            warnings.len() == 1 && warnings[0].ends_with("its games are played again"),
            "{warnings:?}"
        );
    }

    #[test]
    fn more_games_may_be_asked_for_and_nothing_else() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("set");
        let set = DataSet::<ConnectFour>::create(&path, &network(directory.path()), config(1, 4)).unwrap();
        let first = play(&set);
        drop(set);
        let resume = |setting: &str| DataSet::<ConnectFour>::resume(&path, &[setting.into()]);
        let fewer = resume("selfplay.games=3").unwrap_err().to_string();
        assert!(fewer.contains("selfplay.games is 3, expected at least 4"), "{fewer}");
        let other = resume("search.simulations=9").unwrap_err().to_string();
        assert!(
            other.contains("the data set cannot continue with search.simulations = 9 (was "),
            "{other}"
        );
        let more = play(&resume("selfplay.games=7").unwrap());
        assert!(more.games == 7 && more.found == 3 && more.rows > first.rows, "{more:?}");
        let set = DataSet::<ConnectFour>::resume(&path, &[]).unwrap();
        let again = play(&set);
        assert_eq!((again.games, again.found, again.plies), (7, 7, 0));
    }
}
