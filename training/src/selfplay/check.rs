//! Games that were played elsewhere: whether they can be those of a group.

use chase_engine::Game;

use super::{Group, Settings};
use crate::game_record::{GameRecord, PlyRecord};

/// Largest deviation of a sum of probabilities from 1, or of a mean weight from 1.
const ROUNDING: f32 = 1e-3;

impl<G: Game> Settings<G> {
    /// Checks that games, whose actions are legal, are complete, begin as their seeds say, and hold nothing that a
    /// search cannot result in.
    ///
    /// # Errors
    /// Names the first game and its fault.
    pub fn check(&self, group: &Group, records: &[GameRecord<G>]) -> Result<(), String> {
        let found = records.iter().map(|record| record.index);
        if !found.clone().eq(group.games.clone()) {
            let found: Vec<u32> = found.collect();
            return Err(format!("the games are {found:?}, expected {:?}", group.games));
        }
        for record in records {
            self.check_game(record)
                .map_err(|reason| format!("game {}: {reason}", record.index))?;
        }
        Ok(())
    }

    fn check_game(&self, record: &GameRecord<G>) -> Result<(), String> {
        let mut rng = self.generator(record.index.into());
        let start = G::start(&self.rules, &mut rng);
        let mut game = start.clone();
        let opening = self.random_opening.play(&mut game, &mut rng);
        let actions = |plies: &[PlyRecord<G::Action>]| plies.iter().map(|ply| ply.action).collect::<Vec<_>>();
        let begun = record.plies.get(..opening.len()).map(actions);
        if record.start.position_text() != start.position_text()
            || record.random_plies as usize != opening.len()
            || begun != Some(actions(&opening))
        {
            return Err("it does not begin as its seed says".into());
        }
        for ply in &record.plies[opening.len()..] {
            game.apply(ply.action);
        }
        if game.end_reason() != Some(record.end_reason.as_str()) {
            let (found, expected) = (&record.end_reason, game.end_reason());
            return Err(format!("it is recorded as ended by `{found}`, expected {expected:?}"));
        }
        let mut weights = Vec::new();
        for (number, ply) in record.plies.iter().enumerate() {
            let fault = |what: &str| Err(format!("ply {number}: {what}"));
            if ply
                .value
                .is_some_and(|value| !is_distribution(&<[f32; 3]>::from(value)))
            {
                return fault("the value is no distribution");
            }
            let Some(policy) = &ply.policy else { continue };
            let actions = policy.indices.len();
            if !is_distribution(&policy.target) {
                return fault("the policy target is no distribution");
            }
            if policy.visits.len() != actions || ![0, actions].contains(&policy.priors.len()) {
                return fault("visits or priors are not those of the legal actions");
            }
            if !policy.priors.iter().all(|prior| (0.0..=1.0).contains(prior)) {
                return fault("a prior is no probability");
            }
            if !(policy.weight.is_finite() && policy.weight >= 0.0) {
                return fault("the weight is negative or no number");
            }
            weights.push(policy.weight);
        }
        let mean = weights.iter().sum::<f32>() / weights.len().max(1) as f32;
        if !weights.is_empty() && (mean - 1.0).abs() > ROUNDING {
            return Err(format!("the mean weight is {mean}, expected 1"));
        }
        Ok(())
    }
}

fn is_distribution(probabilities: &[f32]) -> bool {
    let sum: f32 = probabilities.iter().sum();
    probabilities.iter().all(|share| (0.0..=1.0 + ROUNDING).contains(share)) && (sum - 1.0).abs() < ROUNDING
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use std::sync::atomic::AtomicBool;

    use chase_engine::search::UniformEvaluator;
    use chase_engine::{ConnectFour, Wdl};

    use super::*;
    use crate::config::Config;
    use crate::game_record::Purpose;
    use crate::selfplay::{Counters, SelfplayError, groups, play};
    use crate::settings::Setting;

    #[test]
    fn games_of_another_seed_or_with_impossible_numbers_are_refused() {
        let config = |seed: u64| {
            let settings = [
                "game=connect-four",
                "search.simulations=8",
                "selfplay.random_opening_share=1.0",
                "selfplay.random_opening_plies=6",
            ];
            let mut settings: Vec<Setting> = settings.map(Setting::from).into();
            settings.push(format!("seed={seed}").into());
            Config::load(None, &settings).unwrap()
        };
        let settings = |seed| Settings::<ConnectFour>::new(&config(seed), Purpose::Selfplay, 2);
        let groups = groups(6, 6);
        let mut records = Vec::new();
        play(
            &mut [UniformEvaluator],
            &groups,
            &settings(5),
            &AtomicBool::new(false),
            &Counters::default(),
            |_, played| {
                records = played;
                Ok::<(), SelfplayError>(())
            },
            || (),
        )
        .unwrap();
        let check = |records: &[GameRecord<ConnectFour>]| settings(5).check(&groups[0], records);
        assert_eq!(check(&records), Ok(()));
        let other = settings(6).check(&groups[0], &records).unwrap_err();
        assert!(other.contains("does not begin as its seed says"), "{other}");
        assert!(check(&records[1..]).unwrap_err().contains("expected 0..6"));
        let refused = |change: fn(&mut GameRecord<ConnectFour>)| {
            let mut changed = records.clone();
            change(&mut changed[3]);
            check(&changed).unwrap_err()
        };
        for (change, reason) in [
            (
                (|game| game.random_plies = 0) as fn(&mut GameRecord<ConnectFour>),
                "as its seed says",
            ),
            (|game| game.end_reason = "resigned".into(), "ended by `resigned`"),
            (|game| policy(game).target[0] += 0.5, "target is no distribution"),
            (|game| policy(game).target[0] = f32::NAN, "target is no distribution"),
            (|game| policy(game).weight *= 9.0, "mean weight"),
            (
                |game| policy(game).weight = f32::INFINITY,
                "weight is negative or no number",
            ),
            (|game| policy(game).visits.truncate(1), "visits or priors"),
            (
                |game| game.plies.last_mut().unwrap().value = Some(Wdl::new(2.0, -1.0, 0.0)),
                "value is no distribution",
            ),
        ] {
            let found = refused(change);
            assert!(found.starts_with("game 3: ") && found.contains(reason), "{found}");
        }
    }

    fn policy(game: &mut GameRecord<ConnectFour>) -> &mut crate::game_record::PolicyRecord {
        game.plies.iter_mut().find_map(|ply| ply.policy.as_mut()).unwrap()
    }
}
