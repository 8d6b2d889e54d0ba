//! Search and training find perfect play where it is known: the small version of study 0002.

use std::sync::atomic::AtomicBool;

use chase_arena::connect_four::{Agreement, Graded, Solver, first_player_games, graded_positions};
use chase_arena::evaluation::choices;
use chase_arena::network_contestant;
use chase_engine::baselines::Random;
use chase_engine::search::{Search, SearchParams, UniformEvaluator};
use chase_engine::{ConnectFour, Game, Outcome};
use chase_models::Precision;
use chase_statistics::generator;
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
group_games = 30
in_flight = 30
[measurement]
every = 0
games = 2
[replay]
window_rows = 2000
reuse = 6.0
[learner]
rate = 5e-3
batch = 64
warmup_steps = 10
average_rows = 4000
search_value_share = 0.5
[evaluation]
every = 8
[limits]
generations = 8
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

#[test]
fn whatever_a_search_proves_is_true() {
    let mut solver = Solver::default();
    let params = SearchParams {
        simulations: 2000,
        ..SearchParams::default()
    };
    let mut search = Search::new();
    let mut proofs = [0; 3];
    // Draws are rare among random games, and hardly to be proven before the board is almost full.
    let mut positions = graded_positions(&mut solver, 200, 16..=30, 2);
    positions.extend(graded_positions(&mut solver, 200, 35..=40, 2));
    for graded in positions {
        search.start(&graded.game, &params, &mut generator(2, &[])).unwrap();
        search.run(&mut UniformEvaluator).unwrap();
        let Some(outcome) = search.result().proven() else {
            continue;
        };
        let text = graded.game.position_text();
        let expected = match solver.value(&graded.game) {
            1 => Outcome::Win(graded.game.to_move()),
            -1 => Outcome::Win(!graded.game.to_move()),
            _ => Outcome::Draw,
        };
        assert_eq!(outcome, expected, "{text}");
        let action = search.result().best_action().unwrap();
        assert!(graded.optimal.contains(&action), "column {action} in {text}");
        proofs[(solver.value(&graded.game) + 1) as usize] += 1;
    }
    assert!(
        proofs.iter().all(|&count| count >= 5),
        "losses, draws, wins: {proofs:?}"
    );
}

#[test]
fn the_solver_punishes_mistakes() {
    let games = |random_plies| {
        let games = first_player_games(&mut Random::new(), &mut Solver::default(), 60, random_plies, 3).unwrap();
        assert_eq!(games.results.played(), 60);
        games
    };
    // The same opponent and the same openings; 42 plies fill the board, so that nobody plays well.
    let (against_random, against_solver) = (games(42), games(14));
    assert_eq!(against_random.mistakes, []);
    // Against perfect play a game ends as the last mistake left it.
    let mut ends = [1; 60];
    for mistake in &against_solver.mistakes {
        assert!(mistake.ply >= 14 && mistake.after < mistake.before, "{mistake:?}");
        assert_eq!(mistake.before, ends[mistake.game as usize], "{mistake:?}");
        ends[mistake.game as usize] = mistake.after;
    }
    let ended = |value| ends.iter().filter(|&&end| end == value).count() as u32;
    let (results, unseen) = (against_solver.results, against_solver.unseen);
    assert_eq!(ended(0), results.draws - unseen.draws);
    assert_eq!(ended(-1), results.losses - unseen.losses);
    assert!(unseen.played() < 20 && ended(-1) > 20, "{unseen:?} of {results:?}");
    let (against_random, against_solver) = (against_random.results.losses, results.losses);
    assert!(
        against_solver >= against_random + 10,
        "losses: {against_random} and {against_solver} of 60"
    );
}
