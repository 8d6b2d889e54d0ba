//! The loop teaches a network something: a small version of the recorded run.

use std::sync::atomic::AtomicBool;

use chase_engine::search::{Search, SearchParams};
use chase_engine::{ConnectFour, Game, Outcome, Player};
use chase_models::{InferenceNetwork, Precision};
use chase_training::events::{EvaluationRequest, EvaluationResult, Event, Observer};
use chase_training::kinds::residual::Residual;
use chase_training::selfplay::NetworkEvaluator;
use chase_training::training_loop::Training;
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};

use crate::config;

/// Points of each evaluated network's bare policy, without any search, against a uniformly random player.
#[derive(Default)]
struct Points(Vec<f64>);

const GAMES: u32 = 200;

impl Observer<Residual<ConnectFour>> for Points {
    fn event(&mut self, _: &Event<'_>) {}

    fn evaluate(&mut self, _: u64, request: &EvaluationRequest<'_, Residual<ConnectFour>>) -> EvaluationResult {
        let network = InferenceNetwork::new(request.player.network, request.device, Precision::F32)?;
        let mut evaluator = NetworkEvaluator::<ConnectFour>::new(network, *request.player.encoding);
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(request.seed);
        let params = SearchParams {
            simulations: 0,
            ..SearchParams::default()
        };
        let (mut search, mut legal, mut points) = (Search::new(), Vec::new(), 0.0);
        for number in 0..GAMES {
            let own = Player::BOTH[number as usize % 2];
            let mut game = ConnectFour::new(&());
            while game.outcome().is_none() {
                game.legal_actions(&mut legal);
                let mut action = legal[rng.random_range(0..legal.len())];
                if game.to_move() == own {
                    search.start(&game, &params, &mut rng)?;
                    search.run(&mut evaluator)?;
                    action = search.result().best_action().ok_or("no action")?;
                }
                game.apply(action);
            }
            points += match game.outcome() {
                Some(Outcome::Win(winner)) if winner == own => 1.0,
                Some(Outcome::Win(_)) => 0.0,
                _ => 0.5,
            };
        }
        self.0.push(points / f64::from(GAMES));
        Ok(Vec::new())
    }
}

#[test]
fn the_policy_learns_to_beat_a_random_player() {
    let directory = tempfile::tempdir().unwrap();
    let learning = [
        "network.channels=16",
        "search.simulations=32",
        "search.fast_simulations=8",
        "selfplay.games=60",
        "selfplay.group_games=30",
        "selfplay.in_flight=30",
        "replay.window_rows=2000",
        "replay.reuse=6.0",
        "learner.rate=5e-3",
        "learner.batch=64",
        "learner.average_rows=4000",
        "measurement.every=0",
        "evaluation.every=8",
        "limits.generations=8",
    ];
    let mut points = Points::default();
    let training = Training::create(&directory.path().join("run"), config(&learning), &mut points).unwrap();
    training.run(&mut points, &AtomicBool::new(false)).unwrap();
    let [before, after] = points.0[..] else {
        panic!("expected two evaluations: {:?}", points.0);
    };
    // An untrained policy is no better than chance. A score of 0.8 over 200 games is more than eight standard
    // deviations above it.
    assert!(after > 0.8 && after > before + 0.15, "from {before} to {after}");
}
