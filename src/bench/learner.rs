//! Benchmarks of finished games: reading them back, and learning from them.

use anyhow::ensure;
use chase_engine::Playable;
use chase_engine::search::UniformEvaluator;
use chase_models::speed::TrainingStep;
use chase_training::config::{Config, LearnerConfig, ReplayConfig};
use chase_training::game_record::{GameRecord, Purpose};
use chase_training::kinds::residual::Learner;
use chase_training::replay::shard::{self, GroupOrigin};
use chase_training::replay::{BatchMaker, Buffer};
use chase_training::selfplay::Counters;
use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;

use super::console::Console;
use super::contest::{Clock, Work, alone, in_turn, repeated};
use super::figure::{Figure, FigureUnit, quotients};
use super::games::{self, Question};
use super::{Options, Size};

const GAMES: u32 = 32;
/// Turns after which these games are cut off: about the length of games of trained networks.
const TURNS: u32 = 60;
/// Required share of the rate of a bare training step.
const EFFICIENCY: f64 = 0.8;
/// The share was at least 0.84 on a machine as busy as this program's tests make it.
const FLOOR: f64 = 0.6;

/// The configuration of these games.
fn config<G: Playable>(options: &Options) -> anyhow::Result<Config> {
    let mut config = Config::load(None, &[format!("game={}", options.config.game).into()])?;
    if G::new(&options.rules::<G>()).conventions().is_some() {
        config.rules.max_turns = TURNS;
    }
    Ok(config)
}

/// Games like those of self-play, but without a network.
fn records<G: Playable>(config: &Config) -> anyhow::Result<Vec<GameRecord<G>>> {
    let mut config = config.clone();
    config.search.simulations = 8;
    config.search.fast_simulations = 2;
    config.selfplay.games = GAMES;
    Ok(games::play::<G, _>(
        &config,
        &mut [UniformEvaluator],
        &Counters::default(),
    )?)
}

/// Reading of a shard: checking the hash, decoding the columns, replaying every game.
pub fn reading<G: Playable>(options: &Options, console: &mut Console) -> anyhow::Result<()> {
    console.begin("shards read back, in turn with playing their games")?;
    let config = config::<G>(options)?;
    let records = records::<G>(&config)?;
    let plies: usize = records.iter().map(|record| record.plies.len()).sum();
    let rules = config.game_rules::<G>();
    let folder = tempfile::tempdir()?;
    let origin = GroupOrigin {
        game: config.game.name(),
        generation: 0,
        purpose: Purpose::Selfplay,
        group: 0,
        model: "none".into(),
        run_seed: 1,
        rules: String::new(),
        encoding: String::new(),
        config_sha256: String::new(),
    };
    let id = shard::write(folder.path(), &origin, &records)?;
    let read: Work<'_> = repeated(|| {
        let read = shard::read::<G>(folder.path(), &id.name, &rules)?.records;
        let same = read
            .iter()
            .zip(&records)
            .all(|(read, written)| read.plies == written.plies);
        ensure!(
            same && read.len() == records.len(),
            "a shard holds other games than were written"
        );
        Ok(plies as f64)
    });
    let mut game = G::new(&rules);
    let mut legal = Vec::new();
    let play: Work<'_> = repeated(|| {
        for record in &records {
            game.clone_from(&record.start);
            for ply in &record.plies {
                game.legal_actions(&mut legal);
                game.apply(ply.action);
            }
            ensure!(
                game.outcome() == Some(record.outcome),
                "a game ends otherwise than before"
            );
        }
        Ok(plies as f64)
    });
    let rates = in_turn(console, Clock::Cpu, vec![read, play])?;
    let of_playing = quotients(&rates[0], &rates[1]);
    console.add([
        Figure::new("replay/read", "plies read and verified", FigureUnit::Plies, &rates[0]),
        Figure::new(
            "replay/read/of_playing",
            "of generating and playing them",
            FigureUnit::Ratio,
            &of_playing,
        ),
    ])
}

/// Rows per second of the learner: drawn, made into batches and learned from, on one core.
pub fn figures<G: Playable>(options: &Options, console: &mut Console) -> anyhow::Result<()> {
    let learner_config = LearnerConfig::default();
    let batch = learner_config.batch as usize;
    let network = games::network::<G>(options, Size::SMALL)?;
    let name = network.architecture().name();
    console.begin(format_args!("learner of {name}, batch {batch}"))?;
    let mut buffer = Buffer::default();
    let config = config::<G>(options)?;
    buffer.add(&records::<G>(&config)?);
    let encoding = config.game_encoding::<G>();
    let maker = BatchMaker::<G>::new(encoding.clone(), &ReplayConfig::default(), &learner_config);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);

    let mut learner = Learner::new(
        &learner_config,
        network.architecture(),
        G::shape(&encoding),
        G::mirror(&encoding).as_ref(),
        options.device,
        &mut Xoshiro256PlusPlus::seed_from_u64(1),
    )?;
    let bare = TrainingStep::new(
        network,
        Question::new(&games::middle::<G>(options, batch), &encoding)
            .planes
            .view(),
    )?;

    console.measure("rows drawn and made into batches");
    let making = {
        let mut rng = rng.clone();
        alone(console, || {
            let rows = buffer.draw(batch, &mut rng);
            let made = pool.install(|| maker.make(&buffer, &rows));
            ensure!(
                made.rows() == batch,
                "a batch of {} rows instead of {batch}",
                made.rows()
            );
            Ok(batch as u64)
        })?
    };
    let what = "rows made into batches";
    console.add([Figure::new("learner/batches", what, FigureUnit::Rows, &making)])?;
    let learn: Work<'_> = Box::new(|| {
        let rows = buffer.draw(batch, &mut rng);
        let report = pool.install(|| learner.step(&maker.make(&buffer, &rows), 0.0))?;
        ensure!(report.losses.policy > 0.0, "the learner finds nothing to learn");
        Ok(batch as f64)
    });
    let first = bare.run()?;
    let step: Work<'_> = Box::new(|| {
        let loss = bare.run()?;
        ensure!(loss < first, "training steps changed the loss from {first} to {loss}");
        Ok(batch as f64)
    });
    console.measure(format_args!("{name}: learning, bare training steps"));
    let rates = in_turn(console, options.clock(), vec![learn, step])?;
    let figure = |id, label, unit, values: &[f64]| Figure::new(format!("learner/{name}/{id}"), label, unit, values);
    let efficiency = quotients(&rates[0], &rates[1]);
    console.add([
        figure("bare", "bare training steps", FigureUnit::Rows, &rates[1]),
        figure("rows", "learning", FigureUnit::Rows, &rates[0]),
        figure("efficiency", "of bare training steps", FigureUnit::Ratio, &efficiency)
            .with_target(Some(EFFICIENCY))
            .with_floor(Some(FLOOR)),
    ])
}
