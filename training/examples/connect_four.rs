//! Trains on Connect Four and plays each evaluated network against a uniformly random player.
//!
//! `cargo run --release -p chase-training --example connect_four -- DIRECTORY [KEY=VALUE]…`

use std::path::Path;
use std::sync::atomic::AtomicBool;

use chase_engine::search::{PuctParams, Search, SearchParams, Strategy};
use chase_engine::{ConnectFour, Game, Outcome, Player};
use chase_models::InferenceNetwork;
use chase_training::config::Config;
use chase_training::events::{EvaluationRequest, EvaluationResult, Event, Observer};
use chase_training::selfplay::NetworkEvaluator;
use chase_training::training_loop::Training;
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};

const DEFAULTS: [&str; 4] = [
    "game=connect-four",
    "network.hex=false",
    "network.wrap=false",
    "evaluation.games=100",
];

struct Printer;

impl Observer<ConnectFour> for Printer {
    #[allow(clippy::print_stdout, reason = "an example")]
    fn event(&mut self, event: &Event<'_>) {
        if !matches!(event, Event::Playing { .. } | Event::Learning { .. }) {
            println!("{event}");
        }
    }

    fn evaluate(&mut self, _: u64, request: &EvaluationRequest<'_, ConnectFour>) -> EvaluationResult {
        let network = InferenceNetwork::new(request.network, request.device, request.precision)?;
        let mut evaluator = NetworkEvaluator::<ConnectFour>::new(network, *request.encoding);
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(request.seed);
        let params = SearchParams {
            simulations: request.config.evaluation.simulations,
            strategy: Strategy::Puct(PuctParams::default()),
            skip_forced: true,
        };
        let mut points = 0.0;
        let games = request.config.evaluation.games;
        let (mut search, mut legal) = (Search::new(), Vec::new());
        for number in 0..games {
            let own = if number % 2 == 0 { Player::White } else { Player::Black };
            let mut game = ConnectFour::new(&());
            while game.outcome().is_none() {
                let action = if game.to_move() == own {
                    search.start(&game, &params, &mut rng)?;
                    search.run(&mut evaluator)?;
                    search.result().best_action().ok_or("no action")?
                } else {
                    game.legal_actions(&mut legal);
                    legal[rng.random_range(0..legal.len())]
                };
                game.apply(action);
            }
            points += match game.outcome() {
                Some(Outcome::Win(winner)) if winner == own => 1.0,
                Some(Outcome::Win(_)) => 0.0,
                _ => 0.5,
            };
        }
        Ok(vec![("eval/score_vs_random".into(), points / f64::from(games))])
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let directory = arguments.next().ok_or("expected a directory")?;
    let overrides: Vec<String> = DEFAULTS.map(str::to_owned).into_iter().chain(arguments).collect();
    let config = Config::load(None, &overrides)?;
    let training = Training::create(Path::new(&directory), config, &mut Printer)?;
    training.run(&mut Printer, &AtomicBool::new(false))?;
    Ok(())
}
