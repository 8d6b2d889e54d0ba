//! A group of games, played in lock-step: one leaf of each game, then one evaluation of all of them.
//!
//! The games that share a batch depend on the group alone, never on threads or time. Since the last digits of an
//! evaluation may depend on the size of its batch, this makes games repeatable where each thread has a network of its
//! own.

use chase_engine::Game;
use chase_engine::search::{Evaluations, Evaluator, Leaf, Search, Stop, Strategy};
use rand::rngs::Xoshiro256PlusPlus;

use super::counters::{Counters, Stopwatch};
use super::exploration::{Exploration, PlySearch};
use super::phase::ThreadPhase;
use super::{Group, GroupGames, SelfplayError, Settings};
use crate::game_record::{GameRecord, LINE_PLIES, PlyRecord, PolicyRecord};
use crate::seed::{self, Stream};

/// Plays the games of a group to their end. `None` if `stopped` is set before.
///
/// With `carried`, games that the group has not finished before are played first, new ones begin whenever one ends, and
/// the group is done when as many games have ended as it has numbers. They are numbered as they end.
pub(super) fn play<G: Game>(
    group: &Group,
    carried: Option<&[GameRecord<G>]>,
    settings: &Settings<G>,
    evaluator: &mut impl Evaluator<G>,
    stopped: &dyn Fn() -> bool,
    counters: &Counters,
) -> Result<Option<GroupGames<G>>, SelfplayError> {
    let size = group.games.len();
    let in_flight = settings.in_flight.min(size);
    // Where games are carried over there is always one more.
    // Batches hold 64 instead of 28 positions so, and self-play takes 0.91 of the time (study 0042).
    let most = if carried.is_some() { usize::MAX } else { size };
    let mut waiting = (0..most).map(|count| group.generator_index(count));
    let mut finished: Vec<GameRecord<G>> = Vec::with_capacity(size);
    let mut tables: Vec<Table<G>> = Vec::new();
    for record in carried.unwrap_or_default().iter().take(in_flight) {
        let number = group.games.start + tables.len() as u32;
        tables.push(Table::go_on_with(record, number, settings)?);
    }
    let mut evaluations = Evaluations::new();
    let mut watch = Stopwatch::start(counters);
    loop {
        // Each table advances to its next leaf. A table whose game ends takes the next waiting game, or is removed.
        let mut index = 0;
        loop {
            if index == tables.len() {
                // A game is taken only if there is a table for it.
                let next = if index < in_flight { waiting.next() } else { None };
                match next {
                    Some(game) => tables.push(Table::new(game, settings)?),
                    None => break,
                }
            }
            let table = &mut tables[index];
            if table.go_on(settings, counters, &mut watch)? {
                index += 1;
                continue;
            }
            Counters::add(&counters.games, 1);
            let number = match carried {
                None => table.index as u32,
                Some(_) => group.games.start + finished.len() as u32,
            };
            let place = finished.partition_point(|earlier| earlier.index < number);
            finished.insert(place, table.record(number, settings.surprise_share));
            if carried.is_some() && finished.len() == size {
                tables.remove(index);
                let begun = tables.into_iter().filter(|table| !table.plies.is_empty());
                let unfinished = (0..).zip(begun).map(|(number, table)| table.unfinished(number));
                return Ok(Some(GroupGames {
                    finished,
                    unfinished: unfinished.collect(),
                }));
            }
            match waiting.next() {
                Some(game) => table.begin(game, settings)?,
                None => drop(tables.remove(index)),
            }
            watch.lap(ThreadPhase::Play);
        }
        watch.lap(ThreadPhase::Select);
        if tables.is_empty() {
            return Ok(Some(GroupGames::whole(finished)));
        }
        if stopped() {
            return Ok(None);
        }
        let leaves: Vec<Leaf<'_, G>> = tables.iter().filter_map(|table| table.search.leaf()).collect();
        evaluations.fill(evaluator, &leaves)?;
        Counters::add(&counters.evaluations, leaves.len() as u64);
        Counters::add(&counters.batches, 1);
        watch.lap(ThreadPhase::Evaluate);
        for (table, evaluation) in tables.iter_mut().zip(evaluations.iter()) {
            table.search.expand(evaluation)?;
        }
        watch.lap(ThreadPhase::Expand);
    }
}

/// A game in progress and its search. The memory of the search is reused for the next game.
struct Table<G: Game> {
    /// The index that the game's generator is derived from: its number, as long as the group has one left. Of a game
    /// that was carried over, the number of the table.
    index: u64,
    rng: Xoshiro256PlusPlus,
    /// The first position of the game.
    start: G,
    game: G,
    search: Search<G>,
    plan: PlySearch,
    plies: Vec<PlyRecord<G::Action>>,
    /// Number of random plies at the beginning.
    random_plies: u32,
    /// KL(target ‖ prior) of each full search so far, in nats.
    surprises: Vec<f32>,
}

impl<G: Game> Table<G> {
    fn new(index: u64, settings: &Settings<G>) -> Result<Self, SelfplayError> {
        let mut table = Self::empty(index, settings);
        table.begin(index, settings)?;
        Ok(table)
    }

    fn empty(index: u64, settings: &Settings<G>) -> Self {
        let mut rng = settings.generator(index);
        let plan = settings.exploration.decide(0, &mut rng);
        Self {
            index,
            rng,
            game: G::new(&settings.rules),
            start: G::new(&settings.rules),
            search: Search::with_memory_limit(settings.tree_bytes),
            plan,
            plies: Vec::new(),
            random_plies: 0,
            surprises: Vec::new(),
        }
    }

    /// A game that an earlier generation has not finished.
    fn go_on_with(record: &GameRecord<G>, number: u32, settings: &Settings<G>) -> Result<Self, SelfplayError> {
        let mut table = Self::empty(number.into(), settings);
        table.rng = seed::generator(settings.run_seed, Stream::Carried, settings.generation, number.into());
        table.start = record.start.clone();
        table.game = record.start.clone();
        for ply in &record.plies {
            table.game.apply(ply.action);
        }
        table.random_plies = record.random_plies;
        let policies = record.plies.iter().filter_map(|ply| ply.policy.as_ref());
        table.surprises = policies.map(|policy| policy.weight).collect();
        table.plies.clone_from(&record.plies);
        table.start_search(&settings.exploration)?;
        Ok(table)
    }

    fn begin(&mut self, index: u64, settings: &Settings<G>) -> Result<(), SelfplayError> {
        self.index = index;
        self.rng = settings.generator(index);
        self.start = G::start(&settings.rules, &mut self.rng);
        self.game.clone_from(&self.start);
        self.search.clear();
        self.plies = settings.random_opening.play(&mut self.game, &mut self.rng);
        self.random_plies = self.plies.len() as u32;
        self.surprises.clear();
        self.start_search(&settings.exploration)
    }

    fn start_search(&mut self, exploration: &Exploration) -> Result<(), SelfplayError> {
        self.plan = exploration.decide(self.plies.len() as u32, &mut self.rng);
        Ok(self.search.start(&self.game, &self.plan.params, &mut self.rng)?)
    }

    /// Advances to the next leaf that needs an evaluation, playing any plies that need none. Returns false if the game
    /// is over.
    fn go_on(
        &mut self,
        settings: &Settings<G>,
        counters: &Counters,
        watch: &mut Stopwatch<'_>,
    ) -> Result<bool, SelfplayError> {
        loop {
            if self.search.select().is_some() {
                return Ok(true);
            }
            if self.search.stop() == Some(Stop::GameOver) {
                return Ok(false);
            }
            watch.lap(ThreadPhase::Select);
            let action = self.choose()?;
            Counters::add(&counters.plies, 1);
            Counters::add(&counters.simulations, self.search.simulations().into());
            self.game.apply(action);
            if settings.reuse_tree {
                self.search.advance(action);
            } else {
                self.search.clear();
            }
            self.start_search(&settings.exploration)?;
            watch.lap(ThreadPhase::Play);
        }
    }

    /// Chooses an action by the finished search, and records the ply.
    fn choose(&mut self) -> Result<G::Action, SelfplayError> {
        let result = self.search.result();
        let no_action = || SelfplayError::NoAction(self.game.position_text());
        let best = result.best_action().ok_or_else(no_action)?;
        let forced = self.search.stop() == Some(Stop::Forced);
        let full = self.plan.full && !forced;
        let mut policy = None;
        if let (true, Some(root)) = (full, self.search.root()) {
            let mut record = PolicyRecord {
                weight: 1.0,
                ..PolicyRecord::default()
            };
            result.policy_target(&mut record.target);
            for edge in root.edges() {
                record.indices.push(self.game.policy_index(edge.action) as u16);
                record.visits.push(edge.visits);
                if self.plies.len() < LINE_PLIES {
                    record.priors.push(edge.prior);
                }
            }
            self.surprises.push(result.policy_surprise());
            policy = Some(record);
        }
        // With Gumbel, rejected actions make the mean over all visits slightly low. The mean by the policy target is
        // nearer to results, and too high by as much; agents that learned from it were far weaker (study 0017).
        let value = (!forced).then(|| result.wdl()).flatten();
        let action = match self.plan.params.strategy {
            Strategy::Puct(_) if !forced => result
                .sample_action(self.plan.temperature, &mut self.rng)
                .expect("a search with a best action has one to draw"),
            // The randomness of the choice is in the Gumbel noise.
            _ => best,
        };
        self.plies.push(PlyRecord {
            action,
            player: self.game.to_move(),
            simulations: self.search.simulations(),
            value,
            policy,
        });
        Ok(action)
    }

    /// The record of the game so far, with surprises in the place of weights, which depend on all of them.
    fn unfinished(self, number: u32) -> GameRecord<G> {
        let mut plies = self.plies;
        let policies = plies.iter_mut().filter_map(|ply| ply.policy.as_mut());
        for (policy, surprise) in policies.zip(self.surprises) {
            policy.weight = surprise;
        }
        GameRecord::unfinished(number, self.start, self.random_plies, plies)
    }

    /// The record of the finished game.
    fn record(&mut self, number: u32, surprise_share: f32) -> GameRecord<G> {
        let mut plies = std::mem::take(&mut self.plies);
        let policies = plies.iter_mut().filter_map(|ply| ply.policy.as_mut());
        for (policy, weight) in policies.zip(weights(&self.surprises, surprise_share)) {
            policy.weight = weight;
        }
        GameRecord::new(number, self.start.clone(), self.random_plies, plies, &self.game)
    }
}

/// Mean surprise, in nats, below which it is only rounding: targets equal to the priors, summed over a hundred actions
/// in 32 bits, give slightly more or less than 0.
const NO_SURPRISE: f32 = 1e-5;

/// Weights of a game's rows: a `share` is in proportion to the surprises, the rest is equal; the mean is 1 (KataGo's
/// policy surprise weighting).
fn weights(surprises: &[f32], share: f32) -> Vec<f32> {
    let surprises = || surprises.iter().map(|surprise| surprise.max(0.0));
    // Equal weights instead of a share of 0.5 cost 74 Elo [14, 139] (study 0009).
    let mean = surprises().sum::<f32>() / surprises().len().max(1) as f32;
    let by_surprise = |surprise: f32| if mean > NO_SURPRISE { surprise / mean } else { 1.0 };
    surprises()
        .map(|surprise| 1.0 - share + share * by_surprise(surprise))
        .collect()
}

impl<G: Game> Settings<G> {
    pub(super) fn generator(&self, index: u64) -> Xoshiro256PlusPlus {
        seed::generator(self.run_seed, self.stream, self.generation, index)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use std::collections::HashSet;
    use std::sync::atomic::Ordering;

    use chase_engine::ConnectFour;

    use super::super::tests::{config, key, networks, played};
    use super::super::{Carried, groups};
    use super::*;
    use crate::config::Config;
    use crate::config::GameName;
    use crate::game_record::Purpose;

    #[test]
    fn weights_have_mean_one_and_follow_surprise() {
        let found = weights(&[0.1, 0.3, 0.2, 0.0], 0.5);
        for (found, expected) in found
            .iter()
            .zip([0.5 + 0.5 / 1.5, 0.5 + 0.5 * 2.0, 0.5 + 0.5 / 0.75, 0.5])
        {
            assert!((found - expected).abs() < 1e-6, "{found} {expected}");
        }
        assert_eq!(weights(&[0.0, 0.0], 0.5), [1.0, 1.0]);
        assert_eq!(
            weights(&[3e-7, -2e-7, -0.9e-7], 0.5),
            [1.0; 3],
            "rounding is no surprise"
        );
        assert_eq!(weights(&[0.3, 0.1], 0.0), [1.0, 1.0]);
        assert!(weights(&[], 0.5).is_empty());
    }

    /// Three generations of 17 games whose unfinished ones are carried over: the games of each, and what each left.
    fn generations(config: &Config, threads: usize) -> Vec<(Vec<GameRecord<ConnectFour>>, Carried<ConnectFour>)> {
        let mut carried = Carried::new();
        let mut found = Vec::new();
        for generation in 2..5 {
            let settings = Settings::<ConnectFour>::new(config, Purpose::Selfplay, generation);
            let (records, left, counters) = played(&mut networks(threads), &groups(17, 6), Some(&carried), &settings);
            // Every batch is full: a game that ends makes room for another at once.
            let [evaluations, batches] =
                [&counters.evaluations, &counters.batches].map(|counter| counter.load(Ordering::Relaxed));
            assert!(
                evaluations > 0 && evaluations == 3 * batches,
                "{evaluations} in {batches}"
            );
            found.push((records, left.clone()));
            carried = left;
        }
        found
    }

    #[test]
    fn unfinished_games_go_on_in_the_next_generation_and_batches_stay_full() {
        let config = config(GameName::ConnectFour);
        let alone = generations(&config, 1);
        let keys = |found: &[(Vec<GameRecord<ConnectFour>>, _)]| -> Vec<Vec<_>> {
            found
                .iter()
                .map(|(records, _)| records.iter().map(key).collect())
                .collect()
        };
        assert_eq!(keys(&alone), keys(&generations(&config, 2)));
        assert_eq!(keys(&alone), keys(&generations(&config, 4)));
        for (records, left) in &alone {
            assert!(records.iter().map(|record| record.index).eq(0..17));
            for record in records {
                let mut game = record.start;
                record.plies.iter().for_each(|ply| game.apply(ply.action));
                assert_eq!(game.outcome(), Some(record.outcome));
                let rows = record.plies.iter().filter_map(|ply| ply.policy.as_ref());
                let weight: f32 = rows.clone().map(|policy| policy.weight).sum();
                assert!((weight - rows.count() as f32).abs() < 1e-3, "{weight}");
            }
            // Of three games at a time one has ended; one that has no ply yet begins anew.
            assert!(left.values().all(|games| games.len() <= 2) && left.values().any(|games| games.len() == 2));
        }
        let actions = |record: &GameRecord<ConnectFour>| record.plies.iter().map(|ply| ply.action).collect::<Vec<_>>();
        for pair in alone.windows(2) {
            let after: Vec<_> = pair[1]
                .0
                .iter()
                .chain(pair[1].1.values().flatten())
                .map(actions)
                .collect();
            for left in pair[0].1.values().flatten() {
                let begun = actions(left);
                assert!(
                    !begun.is_empty() && after.iter().any(|game| game.starts_with(&begun)),
                    "{begun:?}"
                );
            }
        }
        // Rows of games that are not over have their surprises, and keep them.
        let rows = alone[0]
            .1
            .values()
            .flatten()
            .flat_map(|left| &left.plies)
            .filter_map(|ply| ply.policy.as_ref());
        assert!(rows.clone().count() > 3 && rows.clone().all(|row| row.weight != 1.0 && row.weight > -1e-5));
        let all: HashSet<_> = alone
            .iter()
            .flat_map(|(records, _)| records.iter().map(actions))
            .collect();
        assert_eq!(all.len(), 51, "two games are the same");
    }
}
