//! Self-play: many games at once, batched across games and never within a tree.
//!
//! A generation's games are divided into groups of fixed composition. One thread plays a group in lock-step; threads
//! take the next group as they become free. On a CPU each thread has a network of its own: threads share nothing, wait
//! for no one, and the games of a group are the same whichever thread plays it. On a GPU they share one network
//! ([`chase_models::shared_network`]): batches of several groups are evaluated together, so that they stay large as
//! games end, and the last digits of evaluations depend on chance.

pub(crate) mod alpha_beta;
mod counters;
mod evaluation_cache;
mod evaluator;
mod exploration;
mod group;
mod groups;
mod heuristic;
mod phase;
mod random_opening;

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use chase_engine::search::{EvaluationError, Evaluator, InvalidParams};
use chase_engine::{Game, Heuristic, Playable};

pub use counters::Counters;
pub use evaluator::{EvaluationTimes, NetworkEvaluator};
pub use exploration::{Exploration, PlySearch};
pub use groups::{Carried, Group, GroupGames, groups};
pub use phase::ThreadPhase;
pub use random_opening::RandomOpening;

use crate::config::Config;
use crate::game_record::{GameRecord, Purpose};
use crate::seed::Stream;

/// Error returned by self-play.
#[derive(Debug, thiserror::Error)]
pub enum SelfplayError {
    /// The network cannot evaluate.
    #[error("self-play: {0}")]
    Evaluation(#[from] EvaluationError),
    /// The parameters of the search are out of their ranges.
    #[error("self-play: {0}")]
    Params(#[from] InvalidParams),
    /// A search returned no action in a game that is not over.
    #[error("self-play: the search found no action in `{0}`")]
    NoAction(String),
    /// The game has no heuristic, by which it was to be played.
    #[error("self-play: there is no heuristic for {0}")]
    NoHeuristic(&'static str),
}

/// Settings of a generation's games.
#[derive(Clone, Debug)]
pub struct Settings<G: Game> {
    /// The conventions of play. In games with a random initial position, each game's own generator draws it.
    pub rules: G::Rules,
    /// Parameters of searches and of the choice of actions.
    pub exploration: Exploration,
    /// The share and length of random openings.
    pub random_opening: RandomOpening,
    /// Seed of the run.
    pub run_seed: u64,
    /// The stream that the games' generators are derived from.
    pub stream: Stream,
    /// The generation that the games belong to.
    pub generation: u64,
    /// Games of a group that are played at the same time.
    pub in_flight: usize,
    /// True if a search starts with the subtree that the previous one left.
    pub reuse_tree: bool,
    /// Limit of a tree's memory in bytes.
    pub tree_bytes: usize,
    /// Share of a row's weight that follows the surprise.
    pub surprise_share: f32,
    /// Mean number of nodes of an alpha-beta search with the game's heuristic, if that plays instead of the evaluator.
    pub heuristic_nodes: Option<u32>,
}

impl<G: Playable> Settings<G> {
    /// The settings for games of a purpose, from a configuration.
    pub fn new(config: &Config, purpose: Purpose, generation: u64) -> Self {
        let first = 1..=config.selfplay.heuristic_generations;
        // First games by alpha-beta are worth 168 Elo [105, 232] in ten minutes (study 0032).
        let by_heuristic = purpose == Purpose::Selfplay && first.contains(&generation);
        let random_opening = match by_heuristic {
            // Otherwise they would all be the same few.
            true => RandomOpening::with(1.0, config.selfplay.random_opening_plies),
            false => RandomOpening::new(config, purpose),
        };
        Self {
            rules: config.game_rules::<G>(),
            exploration: Exploration::new(config, purpose),
            random_opening,
            run_seed: config.seed,
            stream: match purpose {
                Purpose::Selfplay => Stream::SelfPlay,
                Purpose::Measurement => Stream::Measurement,
            },
            generation,
            in_flight: config.selfplay.in_flight as usize,
            reuse_tree: config.selfplay.reuse_tree,
            tree_bytes: config.search.tree_mib.saturating_mul(1 << 20),
            surprise_share: config.selfplay.surprise_share,
            heuristic_nodes: by_heuristic.then_some(config.selfplay.heuristic_nodes),
        }
    }
}

/// Plays groups, one thread for each evaluator, until all are played or `stop` is set.
///
/// `finished` receives the records of each group as it ends, in any order, on the calling thread; if it fails, the
/// games in progress are abandoned. `tick` is called on that thread several times a second.
///
/// # Errors
/// The first failure of an evaluator, a search, or `finished`.
pub fn play<G: Heuristic, E: Evaluator<G> + Send, Failure: From<SelfplayError>>(
    evaluators: &mut [E],
    groups: &[Group],
    settings: &Settings<G>,
    stop: &AtomicBool,
    counters: &Counters,
    mut finished: impl FnMut(&Group, Vec<GameRecord<G>>) -> Result<(), Failure>,
    tick: impl FnMut(),
) -> Result<(), Failure> {
    let finished = |group: &Group, games: GroupGames<G>| finished(group, games.finished);
    play_on(evaluators, groups, None, settings, stop, counters, finished, tick)
}

/// As [`play`]. With `carried`, each group continues its unfinished games of the generation before, and leaves
/// others to the next: its batches are full to the end. The heuristic's games are all played to their end.
///
/// # Errors
/// As [`play`].
#[expect(clippy::too_many_arguments, reason = "all that the games depend on")]
pub fn play_on<G: Heuristic, E: Evaluator<G> + Send, Failure: From<SelfplayError>>(
    evaluators: &mut [E],
    groups: &[Group],
    carried: Option<&Carried<G>>,
    settings: &Settings<G>,
    stop: &AtomicBool,
    counters: &Counters,
    finished: impl FnMut(&Group, GroupGames<G>) -> Result<(), Failure>,
    tick: impl FnMut(),
) -> Result<(), Failure> {
    let play = |evaluator: &mut E, group: &Group, stopped: &dyn Fn() -> bool| match settings.heuristic_nodes {
        Some(nodes) => {
            let games = heuristic::play(group, settings, nodes, stopped, counters)?;
            Ok(games.map(GroupGames::whole))
        }
        None => {
            let carried = carried.map(|carried| carried.get(&group.number).map_or(&[][..], Vec::as_slice));
            group::play(group, carried, settings, evaluator, stopped, counters)
        }
    };
    play_by(evaluators, groups, play, stop, counters, finished, tick)
}

/// As [`play`], where `play_group` says how a player, one for each thread, plays a group: to its end, or `None` if it
/// sees that its last argument returns true. Its games must depend on the group alone.
///
/// # Errors
/// The first failure of `play_group` or `finished`.
pub fn play_by<P: Send, Games: Send, Error: Send, Failure: From<Error>>(
    players: &mut [P],
    groups: &[Group],
    play_group: impl Fn(&mut P, &Group, &dyn Fn() -> bool) -> Result<Option<Games>, Error> + Sync,
    stop: &AtomicBool,
    counters: &Counters,
    mut finished: impl FnMut(&Group, Games) -> Result<(), Failure>,
    mut tick: impl FnMut(),
) -> Result<(), Failure> {
    let next = AtomicUsize::new(0);
    // A failure stops the other threads without touching the caller's flag.
    let failed = AtomicBool::new(false);
    let (sender, receiver) = channel();
    std::thread::scope(|scope| {
        for player in players {
            let sender = sender.clone();
            let (next, failed, play_group) = (&next, &failed, &play_group);
            scope.spawn(move || {
                let begin = Instant::now();
                while let Some(group) = groups.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let stopped = || stop.load(Ordering::Relaxed) || failed.load(Ordering::Relaxed);
                    let records = play_group(player, group, &stopped);
                    failed.fetch_or(records.is_err(), Ordering::Relaxed);
                    // The receiver lives until all senders are gone.
                    let _ = sender.send((group, records));
                    if stopped() {
                        break;
                    }
                }
                Counters::add_time(&counters.busy, begin.elapsed());
            });
        }
        drop(sender);
        let mut result = Ok(());
        loop {
            // Five times a second: fast enough for a progress bar, and nothing next to the games.
            match receiver.recv_timeout(Duration::from_millis(200)) {
                Ok((group, records)) => {
                    let handed_on = match records {
                        Ok(Some(records)) if result.is_ok() => finished(group, records),
                        Ok(_) => Ok(()),
                        Err(error) => Err(error.into()),
                    };
                    if let Err(error) = handed_on {
                        failed.store(true, Ordering::Relaxed);
                        if result.is_ok() {
                            result = Err(error);
                        }
                    }
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            tick();
        }
        result
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use std::collections::HashSet;

    use chase_engine::search::{Evaluations, Leaf, UniformEvaluator};
    use chase_engine::{Chase, ConnectFour, Draughts, Encode, Outcome};
    use chase_models::shared_network::share;
    use chase_models::{InferenceNetwork, Network, Precision};
    use rand::SeedableRng;
    use rand::rngs::Xoshiro256PlusPlus;
    use tch::Device;

    use super::*;
    use crate::config::{Algorithm, GameName};
    use crate::game_record::PlyRecord;
    use crate::kinds::residual::testing::architecture;

    pub(super) fn config(game: GameName) -> Config {
        let mut config = Config {
            seed: 5,
            ..Config::of(game)
        };
        config.search.simulations = 8;
        config.search.fast_simulations = 3;
        config.selfplay.in_flight = 3;
        config.selfplay.random_opening_share = 0.5;
        config.selfplay.random_opening_plies = 4;
        config
    }

    fn network() -> InferenceNetwork {
        let shape = ConnectFour::shape(&Default::default());
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(9);
        let network = Network::new(&architecture(), shape, Device::Cpu, &mut rng).unwrap();
        InferenceNetwork::new(&network, Device::Cpu, Precision::F32).unwrap()
    }

    pub(super) fn networks(count: usize) -> Vec<NetworkEvaluator<ConnectFour>> {
        (0..count)
            .map(|_| NetworkEvaluator::new(network(), Default::default()))
            .collect()
    }

    /// All games of a generation, in order.
    fn generation<G: Playable, E: Evaluator<G> + Send>(
        config: &Config,
        purpose: Purpose,
        games: u32,
        evaluators: &mut [E],
    ) -> Vec<GameRecord<G>> {
        let settings = Settings::<G>::new(config, purpose, 2);
        let (records, left, _) = played(evaluators, &groups(games, 5), None, &settings);
        assert!(left.values().all(Vec::is_empty));
        records
    }

    /// All games of these groups, in order, those that they leave unfinished, and what was counted.
    pub(super) fn played<G: Playable, E: Evaluator<G> + Send>(
        evaluators: &mut [E],
        groups: &[Group],
        carried: Option<&Carried<G>>,
        settings: &Settings<G>,
    ) -> (Vec<GameRecord<G>>, Carried<G>, Counters) {
        let counters = Counters::default();
        let (mut played, mut left) = (Vec::new(), Carried::new());
        let finished = |group: &Group, games: GroupGames<G>| -> Result<(), SelfplayError> {
            played.push((group.number, games.finished));
            left.insert(group.number, games.unfinished);
            Ok(())
        };
        let stop = AtomicBool::new(false);
        play_on(evaluators, groups, carried, settings, &stop, &counters, finished, || {}).unwrap();
        let games: usize = groups.iter().map(|group| group.games.len()).sum();
        assert_eq!(counters.games.load(Ordering::Relaxed), games as u64);
        played.sort_by_key(|&(number, _)| number);
        (
            played.into_iter().flat_map(|(_, records)| records).collect(),
            left,
            counters,
        )
    }

    pub(super) fn key<G: Game>(record: &GameRecord<G>) -> (u32, Outcome, Vec<PlyRecord<G::Action>>, u32) {
        (record.index, record.outcome, record.plies.clone(), record.random_plies)
    }

    #[test]
    fn games_are_the_same_with_one_two_and_four_threads() {
        for algorithm in [Algorithm::Puct, Algorithm::Gumbel] {
            let mut config = config(GameName::ConnectFour);
            config.search.algorithm = algorithm;
            let play = |threads| -> Vec<_> {
                let records = generation(&config, Purpose::Selfplay, 17, &mut networks(threads));
                records.iter().map(key).collect()
            };
            let alone = play(1);
            assert_eq!(alone, play(2));
            assert_eq!(alone, play(4));
            assert!(alone.iter().any(|game| game.3 > 0) && alone.iter().any(|game| game.3 == 0));
            config.seed += 1;
            let records = generation(&config, Purpose::Selfplay, 17, &mut networks(1));
            assert_ne!(alone, records.iter().map(key).collect::<Vec<_>>());
        }
    }

    #[test]
    fn threads_that_share_a_network_play_whole_generations() {
        let config = config(GameName::ConnectFour);
        let play = |threads, busy| {
            let mut largest = 0;
            let observe = |positions: usize| {
                largest = positions.max(largest);
                // Like a device that is busy for longer than a search takes.
                std::thread::sleep(Duration::from_millis(busy));
            };
            let records = share(&mut network(), observe, |shared| {
                let evaluator = |_| NetworkEvaluator::<ConnectFour, _>::new(shared.clone(), Default::default());
                let mut evaluators: Vec<_> = (0..threads).map(evaluator).collect();
                generation(&config, Purpose::Selfplay, 17, &mut evaluators)
            });
            (largest, records.iter().map(key).collect::<Vec<_>>())
        };
        // With one thread, batches are the same as with a network of its own.
        let alone = generation(&config, Purpose::Selfplay, 17, &mut networks(1));
        assert_eq!(play(1, 1), (3, alone.iter().map(key).collect()));
        // The time that the device must be busy before other requests arrive depends on the machine.
        let shares = [1, 10, 100].into_iter().any(|busy| {
            let (largest, together) = play(3, busy);
            assert!(largest <= 9, "a batch of {largest}");
            assert!(together.iter().map(|game| game.0).eq(0..17));
            assert!(together.iter().all(|game| game.1 != Outcome::Truncated));
            largest > 3
        });
        assert!(shares, "no batch holds positions of several threads");
    }

    #[test]
    fn games_that_begin_at_random_begin_where_their_own_generators_say() {
        let mut config = Config::load(None, &["game=checkers-uni-num".into(), "seed=5".into()]).unwrap();
        config.search.simulations = 4;
        config.rules.max_turns = 30;
        config.selfplay.in_flight = 3;
        let play = |threads| -> Vec<(String, _)> {
            let records = generation::<Draughts, _>(
                &config,
                Purpose::Selfplay,
                12,
                &mut (0..threads).map(|_| UniformEvaluator).collect::<Vec<_>>(),
            );
            let of = |record: &GameRecord<Draughts>| (record.start.position_text(), key(record));
            records.iter().map(of).collect()
        };
        let alone = play(1);
        assert_eq!(alone, play(3));
        let starts: HashSet<&String> = alone.iter().map(|(start, _)| start).collect();
        assert_eq!(starts.len(), 12);
    }

    #[test]
    fn first_generations_are_played_by_the_heuristic_if_asked() {
        let mut config = config(GameName::Chase);
        (config.selfplay.heuristic_generations, config.selfplay.heuristic_nodes) = (2, 100);
        // Not this generation's, and never those of measurements.
        config.selfplay.random_opening_share = 0.0;
        let counted = |config: &Config, purpose| {
            let records = generation::<Chase, _>(config, purpose, 4, &mut [UniformEvaluator]);
            records.iter().filter(|record| record.random_plies > 0).count()
        };
        assert_eq!(counted(&config, Purpose::Selfplay), 4);
        assert_eq!(counted(&config, Purpose::Measurement), 0);
        config.selfplay.heuristic_generations = 1;
        assert_eq!(counted(&config, Purpose::Selfplay), 0);
        config.selfplay.heuristic_generations = 2;
        let play = |threads| -> Vec<GameRecord<Chase>> {
            let mut idle: Vec<_> = (0..threads).map(|_| UniformEvaluator).collect();
            generation(&config, Purpose::Selfplay, 17, &mut idle)
        };
        let records = play(1);
        assert!(play(3).iter().map(key).eq(records.iter().map(key)));
        assert!(records.iter().map(|record| record.index).eq(0..17));
        let mut right = 0.0;
        let mut values = 0;
        for record in &records {
            let mut game = record.start.clone();
            for ply in &record.plies {
                let index = game.policy_index(ply.action) as u16;
                game.apply(ply.action);
                let (Some(policy), Some(value)) = (&ply.policy, ply.value) else {
                    assert_eq!((ply.policy.is_some(), ply.value.is_some()), (false, false));
                    continue;
                };
                let chosen = policy.indices.iter().position(|&other| other == index).unwrap();
                assert_eq!(policy.target[chosen], 1.0);
                let result = match record.outcome {
                    Outcome::Win(winner) => f32::from(u8::from(winner == ply.player)),
                    _ => 0.5,
                };
                right += (value.score() as f32 - result).abs();
                values += 1;
            }
        }
        // Values know more of the result than a coin, which is off by a half.
        assert!(right / (values as f32) < 0.45, "{right} of {values}");
    }

    #[test]
    fn every_game_that_begins_is_finished_and_recorded_in_full() {
        let mut config = config(GameName::Chase);
        config.rules.max_turns = 12;
        let records = generation::<Chase, _>(&config, Purpose::Selfplay, 7, &mut [UniformEvaluator]);
        assert_eq!(
            records.iter().map(|record| record.index).collect::<Vec<_>>(),
            (0..7).collect::<Vec<_>>()
        );
        let mut legal = Vec::new();
        let (mut full, mut all) = (0, 0);
        for record in &records {
            let mut game = record.start.clone();
            for (ply, played) in record.plies.iter().enumerate() {
                assert!(game.is_legal(played.action));
                assert_eq!(played.player, game.to_move());
                // Random plies are neither searched nor trained on.
                if ply < record.random_plies as usize {
                    assert_eq!((played.simulations, &played.value, &played.policy), (0, &None, &None));
                }
                game.legal_actions(&mut legal);
                if let Some(policy) = &played.policy {
                    assert!(
                        legal
                            .iter()
                            .map(|&action| game.policy_index(action) as u16)
                            .eq(policy.indices.iter().copied())
                    );
                    assert!((policy.target.iter().sum::<f32>() - 1.0).abs() < 1e-5);
                    assert_eq!(policy.visits.len(), legal.len());
                    assert_eq!(policy.priors.len(), if ply < 2 { legal.len() } else { 0 });
                    full += 1;
                }
                all += 1;
                game.apply(played.action);
            }
            assert_eq!(game.outcome(), Some(record.outcome));
            let rows = record.plies.iter().filter_map(|ply| ply.policy.as_ref());
            let weight: f32 = rows.clone().map(|policy| policy.weight).sum();
            assert!((weight - rows.count() as f32).abs() < 1e-3);
        }
        assert!(records.iter().any(|record| record.outcome == Outcome::Truncated));
        assert!(full > 0 && full < all);
        assert!(records.iter().any(|record| record.random_plies > 0));
        let lines: HashSet<_> = records
            .iter()
            .map(|record| record.plies.iter().map(|ply| ply.action).collect::<Vec<_>>())
            .collect();
        assert_eq!(lines.len(), 7, "two games are the same");
    }

    #[test]
    fn measurement_games_are_full_searches_throughout() {
        let records = generation::<ConnectFour, _>(
            &config(GameName::ConnectFour),
            Purpose::Measurement,
            4,
            &mut [UniformEvaluator],
        );
        assert!(records.iter().all(|record| record.random_plies == 0));
        let plies = records.iter().flat_map(|record| &record.plies);
        // A forced ply needs no search.
        assert!(plies.clone().all(|ply| ply.policy.is_some() || ply.simulations == 0));
        assert!(plies.filter(|ply| ply.policy.is_some()).count() > 20);
    }

    struct Broken;

    impl Evaluator<ConnectFour> for Broken {
        fn evaluate(&mut self, _: &[Leaf<'_, ConnectFour>], _: &mut Evaluations) -> Result<(), EvaluationError> {
            Err(EvaluationError::Failed("the device was lost".into()))
        }
    }

    /// An evaluator that returns one answer too many.
    struct Overeager;

    impl Evaluator<ConnectFour> for Overeager {
        fn evaluate(
            &mut self,
            leaves: &[Leaf<'_, ConnectFour>],
            evaluations: &mut Evaluations,
        ) -> Result<(), EvaluationError> {
            UniformEvaluator.evaluate(leaves, evaluations)?;
            UniformEvaluator.evaluate(&leaves[..1], evaluations)
        }
    }

    #[test]
    fn an_evaluator_that_answers_too_much_is_refused() {
        let settings = Settings::<ConnectFour>::new(&config(GameName::ConnectFour), Purpose::Selfplay, 0);
        let (stop, counters) = (AtomicBool::new(false), Counters::default());
        let never = |_: &Group, _| -> Result<(), SelfplayError> { unreachable!("no group can be finished") };
        let error = play(
            &mut [Overeager],
            &groups(5, 5),
            &settings,
            &stop,
            &counters,
            never,
            || {},
        )
        .unwrap_err();
        assert!(error.to_string().contains("4 evaluations of 3 leaves"), "{error}");
    }

    #[test]
    fn failures_and_the_stop_flag_end_all_threads() {
        let settings = Settings::<ConnectFour>::new(&config(GameName::ConnectFour), Purpose::Selfplay, 0);
        let (stop, counters) = (AtomicBool::new(false), Counters::default());
        let never = |_: &Group, _| -> Result<(), SelfplayError> { unreachable!("no group can be finished") };
        let mut broken = [Broken, Broken];
        let error = play(&mut broken, &groups(50, 5), &settings, &stop, &counters, never, || {}).unwrap_err();
        assert!(error.to_string().contains("the device was lost"), "{error}");
        stop.store(true, Ordering::Relaxed);
        play(
            &mut [UniformEvaluator],
            &groups(50, 5),
            &settings,
            &stop,
            &counters,
            never,
            || {},
        )
        .unwrap();
        stop.store(false, Ordering::Relaxed);
        let full_disk = |_: &Group, _| -> Result<(), SelfplayError> { Err(SelfplayError::NoAction("disk".into())) };
        // Enough games to take minutes: the thread must not finish before the failure of the first group is seen.
        let many = 1_000_000;
        let error = play(
            &mut [UniformEvaluator],
            &groups(many, 5),
            &settings,
            &stop,
            &counters,
            full_disk,
            || {},
        );
        assert!(error.unwrap_err().to_string().contains("disk"));
        assert!(counters.games.load(Ordering::Relaxed) < u64::from(many));
    }

    #[test]
    fn phases_add_up_to_the_time_of_a_thread() {
        let settings = Settings::<ConnectFour>::new(&config(GameName::ConnectFour), Purpose::Selfplay, 2);
        let groups = groups(50, 25);
        let never_fails = |_: &Group, _| -> Result<(), SelfplayError> { Ok(()) };
        let add_up = || {
            let (stop, counters) = (AtomicBool::new(false), Counters::default());
            let mut network = networks(1);
            let begin = Instant::now();
            play(&mut network, &groups, &settings, &stop, &counters, never_fails, || {}).unwrap();
            let (whole, busy) = (begin.elapsed(), counters.busy());
            let phases = ThreadPhase::ALL.map(|phase| counters.time(phase));
            let sum: Duration = phases.iter().sum();
            assert!(busy <= whole && sum <= busy, "{phases:?} of {busy:?} of {whole:?}");
            // The parts of an evaluation, compared with its duration as the games measured it.
            let times = network[0].times();
            let parts = times.encode + times.forward + times.read;
            let seen = counters.time(ThreadPhase::Evaluate);
            assert!(parts <= seen, "{times:?} of {seen:?}");
            let nothing_is_missing = sum > busy / 100 * 95 && parts > seen / 10 * 9 && times.forward > times.encode;
            nothing_is_missing && phases.iter().chain([&times.read]).all(|time| !time.is_zero())
        };
        // A thread that waits for a core between two phases leaves a gap now and then; a fault leaves one every time.
        assert!((0..100).any(|_| add_up()), "something is missing a hundred times");
    }
}
