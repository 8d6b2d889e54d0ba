//! Workers that play ahead of the learner.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use chase_cluster::{Address, Cluster};
use chase_engine::ConnectFour;
use chase_fixtures::{SMALL_RUN, assert_same_files, essence};
use chase_training::config::{Config, Setting};
use chase_training::events::{Ended, EvaluationRequest, EvaluationResult, Event, Observer};
use chase_training::training_loop::Training;

use crate::{Notes, options, train, with_workers};
use chase_fixtures::Nats;

const SETTINGS: [&str; 2] = ["selfplay.ahead=1", "limits.generations=4"];
/// Groups of a generation.
const GROUPS: usize = 4;

/// Stops a run while its learner is at the second generation and all of the third has been played.
struct StopWhenPlayed<'a> {
    nats: &'a Nats,
    stop: &'a AtomicBool,
    played: usize,
}

impl Observer<ConnectFour> for StopWhenPlayed<'_> {
    fn event(&mut self, event: &Event<'_>) {
        let begin = Instant::now();
        while matches!(event, Event::Learning { generation: 2, .. })
            && self.played < GROUPS
            && begin.elapsed() < Duration::from_secs(600)
        {
            thread::sleep(Duration::from_millis(20));
            self.played = self.nats.results_of(3);
        }
        self.stop.fetch_or(self.played > 0, Ordering::Relaxed);
    }

    fn evaluate(&mut self, generation: u64, request: &EvaluationRequest<'_, ConnectFour>) -> EvaluationResult {
        Notes::default().evaluate(generation, request)
    }
}

fn train_until_played(run: &Path, nats: &Nats) -> usize {
    let stop = AtomicBool::new(false);
    let mut observer = StopWhenPlayed {
        nats,
        stop: &stop,
        played: 0,
    };
    let config = Config::load(Some(("small", SMALL_RUN)), &SETTINGS.map(Setting::from)).unwrap();
    let training = Training::create(run, config, &mut observer).unwrap();
    let cluster = Cluster::connect(&Address::new(nats.url()), options()).unwrap();
    let ended = training.at(Box::new(cluster)).run(&mut observer, &stop).unwrap();
    assert_eq!(ended, Ended::Stopped);
    observer.played
}

#[test]
fn a_generation_is_played_while_the_one_before_is_learned_and_none_of_it_is_played_again() {
    let directory = tempfile::tempdir().unwrap();
    let [alone, together] = ["alone", "together"].map(|name| directory.path().join(name));
    train(&alone, &SETTINGS, None);
    let nats = Nats::start();
    let totals = with_workers(&nats.url(), 2, || {
        assert_eq!(train_until_played(&together, &nats), GROUPS);
        // The measurement after the second generation does not take the place of what was played.
        assert_eq!(train(&together, &[], Some(&nats.url())).warnings, [""; 0]);
    });
    assert_same_files(&essence(&together), &essence(&alone));
    // Four generations, and measurements of the untrained network, the second and the fourth.
    let games: u64 = totals.iter().map(|totals| totals.games).sum();
    assert_eq!(games, 4 * 20 + 3 * 8, "{totals:?}");
    assert_eq!(nats.messages(), 0);
}
