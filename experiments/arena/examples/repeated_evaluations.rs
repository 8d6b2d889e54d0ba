//! Evaluations that a cache could save: positions that the network sees again, in games of an agent against itself.
//!
//! `cargo run --release -p chase-experiments --example repeated_evaluations -- CHECKPOINT SIMULATIONS GAMES puct|gumbel`
//!
//! Searches keep their tree from ply to ply, so that only transpositions and positions of several games are counted.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::Write;
use std::path::Path;

use chase_arena::{NetworkSpec, network_evaluator};
use chase_engine::search::{
    EvaluationError, Evaluations, Evaluator, GumbelParams, Leaf, PuctParams, Search, SearchParams, Strategy,
};
use chase_engine::{Chase, Game, chase::Rules};
use chase_models::device::Device;
use chase_models::encoding::ChaseEncoding;
use chase_models::{Encode, Precision};
use ndarray::Array3;
use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;

type Failure = Box<dyn std::error::Error>;

/// Plies in which games take different ways.
const VARIED_PLIES: u32 = 10;
const USAGE: &str = "expected CHECKPOINT SIMULATIONS GAMES puct|gumbel";

/// An evaluator that counts what it has seen before.
struct Counter<E> {
    inner: E,
    /// The game in which a position was seen first, by the hash of its planes.
    seen: HashMap<u64, u32>,
    game: u32,
    all: u64,
    again_in_game: u64,
    in_earlier_game: u64,
}

impl<E: Evaluator<Chase>> Evaluator<Chase> for Counter<E> {
    fn evaluate(&mut self, leaves: &[Leaf<'_, Chase>], evaluations: &mut Evaluations) -> Result<(), EvaluationError> {
        // All other planes follow from these.
        let encoding = ChaseEncoding {
            attack_maps: false,
            move_maps: false,
        };
        let mut planes = Array3::zeros(Chase::shape(&encoding).input());
        for leaf in leaves {
            leaf.game.encode(&encoding, planes.view_mut());
            let mut hasher = DefaultHasher::new();
            planes.iter().for_each(|number| number.to_bits().hash(&mut hasher));
            self.all += 1;
            match self.seen.get(&hasher.finish()) {
                Some(&game) if game == self.game => self.again_in_game += 1,
                Some(_) => self.in_earlier_game += 1,
                None => {
                    self.seen.insert(hasher.finish(), self.game);
                }
            }
        }
        self.inner.evaluate(leaves, evaluations)
    }
}

fn main() -> Result<(), Failure> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [checkpoint, simulations, games, strategy] = &args[..] else {
        return Err(USAGE.into());
    };
    let (strategy, temperature) = match strategy.as_str() {
        "puct" => {
            let params = PuctParams {
                leaves: NetworkSpec::BATCH,
                ..PuctParams::default()
            };
            (Strategy::Puct(params), 0.7)
        }
        // As in self-play, where its noise makes games differ.
        "gumbel" => {
            let params = GumbelParams {
                c_scale: 0.4,
                ..GumbelParams::default()
            };
            (Strategy::Gumbel(params), 0.0)
        }
        _ => return Err(USAGE.into()),
    };
    let params = SearchParams {
        simulations: simulations.parse()?,
        strategy,
        ..SearchParams::default()
    };
    let mut counter = Counter {
        inner: network_evaluator::<Chase>(
            Chase::NAME,
            Path::new(checkpoint),
            Device::Cpu,
            Precision::fastest(Device::Cpu),
        )?,
        seen: HashMap::new(),
        game: 0,
        all: 0,
        again_in_game: 0,
        in_earlier_game: 0,
    };
    for number in 0..games.parse()? {
        counter.game = number;
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(number.into());
        let mut game = Chase::new(&Rules::default());
        let mut search = Search::new();
        while game.outcome().is_none() {
            search.start(&game, &params, &mut rng)?;
            search.run(&mut counter)?;
            let heat = if game.plies() < VARIED_PLIES { temperature } else { 0.0 };
            let action = search.result().sample_action(heat, &mut rng);
            let action = action.ok_or("a search without an action")?;
            game.apply(action);
            search.advance(action);
        }
    }
    let share = |count: u64| 100.0 * count as f64 / counter.all.max(1) as f64;
    writeln!(
        std::io::stdout(),
        "{} evaluations: {:.1} % seen before in the same game, {:.1} % in an earlier one",
        counter.all,
        share(counter.again_in_game),
        share(counter.in_earlier_game)
    )?;
    Ok(())
}
