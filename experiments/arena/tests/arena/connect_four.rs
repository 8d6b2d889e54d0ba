//! Search and training find perfect play where it is known: the small version of study 0002.

use std::sync::atomic::AtomicBool;

use chase_arena::connect_four::{Agreement, Graded, Solver, graded_positions};
use chase_arena::evaluation::choices;
use chase_arena::network_contestant;
use chase_engine::search::SearchParams;
use chase_engine::{ConnectFour, Game};
use chase_models::Precision;
use chase_training::config::Config;
use chase_training::events::{EvaluationRequest, EvaluationResult, Event, Observer};
use chase_training::kinds::residual::Residual;
use chase_training::training_loop::Training;

/// Choices of each evaluated network's policy, without any search.
struct Policies {
    positions: Vec<Graded>,
    optimal: Vec<Vec<bool>>,
}

impl Observer<Residual<ConnectFour>> for Policies {
    fn event(&mut self, _: &Event<'_>) {}

    fn evaluate(&mut self, _: u64, request: &EvaluationRequest<'_, Residual<ConnectFour>>) -> EvaluationResult {
        let params = SearchParams {
            simulations: 0,
            ..SearchParams::default()
        };
        let contestant = network_contestant(
            ConnectFour::NAME,
            "network",
            request.checkpoint,
            request.device,
            Precision::F32,
            params,
        )
        .unwrap();
        let optimal = choices(&mut *contestant.agent(), &self.positions, 1).unwrap();
        self.optimal.push(optimal);
        Ok(Vec::new())
    }
}

const SMALL: &str = r#"
game = "connect-four"
seed = 5
device = "cpu"
precision = "f32"
[network]
blocks = 2
channels = 16
hex = false
wrap = false
[search]
algorithm = "puct"
simulations = 32
fast_simulations = 8
dirichlet_total = 7.0
[selfplay]
games = 60
group_games = 60
in_flight = 60
[measurement]
every = 0
games = 2
[replay]
window_rows = 3000
[learner]
rate = 5e-3
batch = 64
warmup_steps = 10
average_rows = 4000
search_value_share = 0.5
[evaluation]
every = 18
[limits]
generations = 18
"#;

#[test]
fn training_brings_the_policy_nearer_to_perfect_play() {
    let directory = tempfile::tempdir().unwrap();
    let mut policies = Policies {
        positions: graded_positions(&mut Solver::default(), 1000, 18..=30, 1),
        optimal: Vec::new(),
    };
    let config = Config::load(Some(("small", SMALL)), &[]).unwrap();
    let training = Training::create(&directory.path().join("run"), config, &mut policies).unwrap();
    training.run(&mut policies, &AtomicBool::new(false)).unwrap();
    let [before, after] = &policies.optimal[..] else {
        panic!("expected two evaluations, found {}", policies.optimal.len());
    };
    // McNemar's test on the same positions: had the run taught nothing, each position that only one of the two networks
    // plays right would be as likely the one's as the other's, and four standard deviations a chance of 1 in 30,000.
    let only = |right: &[bool], wrong: &[bool]| right.iter().zip(wrong).filter(|&(&r, &w)| r && !w).count() as f64;
    let (gained, lost) = (only(after, before), only(before, after));
    assert!(
        gained - lost > 4.0 * (gained + lost).sqrt(),
        "gained {gained}, lost {lost}: from {:?} to {:?}",
        Agreement::new(&policies.positions, before).with_choice,
        Agreement::new(&policies.positions, after).with_choice
    );
}
