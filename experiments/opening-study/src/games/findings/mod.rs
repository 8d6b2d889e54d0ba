//! What the games say of each claim.

mod advantage;
mod aggression;
mod first_moves;
mod rankings;
mod replies;

use super::analysis::{Analysis, Answer, Pool};

impl Analysis<'_> {
    /// All tests of the games of some players.
    pub fn answers(&self, pool: &Pool) -> Vec<Answer> {
        let mut answers = self.advantage(pool);
        answers.extend(self.classes(pool));
        answers.extend(self.several_first_moves(pool));
        answers.extend(self.aggression(pool));
        answers.extend(self.replies(pool));
        answers.extend(self.draws(pool));
        answers
    }
}

/// Studies of games that were never played, with known truth.
#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use std::collections::{BTreeMap, HashMap};

    use chase_engine::{Chase, Game, Outcome, Player as Colour};
    use rand::RngExt;

    use super::super::config::GamesConfig;
    use super::super::design::{Design, FOLDER_VERSION, Player};
    use super::super::facts::GameFacts;
    use super::super::series::Series;
    use super::super::series_id::SeriesId;
    use super::*;
    use crate::{ClaimId, OpeningClass, Role};
    use chase_statistics::Verdict;
    use chase_statistics::generator;

    const MARGIN: f64 = 0.02;

    fn design() -> Design {
        let player: chase_arena::PlayerSpec = "greedy:blunders=0.5".parse().unwrap();
        let config = GamesConfig {
            players: vec![player.clone()],
            margin: MARGIN,
            most: 160,
            replies: false,
            ..GamesConfig::default()
        };
        Design {
            version: FOLDER_VERSION,
            rules_version: Chase::RULES_VERSION,
            seed: 1,
            config,
            raised: Vec::new(),
            players: vec![Player {
                name: player.to_string(),
                player,
                checkpoint_hash: None,
                steps: None,
                replies: BTreeMap::new(),
            }],
        }
    }

    /// Games in which White scores so often, by series, some drawn and some truncated.
    fn games(repetition: u64, series: &[Series], score: impl Fn(&Series) -> f64) -> HashMap<SeriesId, Vec<GameFacts>> {
        let mut all = HashMap::new();
        for (index, series) in series.iter().enumerate() {
            let mut rng = generator(repetition, &[index as u64]);
            let game = |_| {
                let outcome = match rng.random::<f64>() {
                    x if x < 0.05 => Outcome::Truncated,
                    x if x < 0.1 => Outcome::Draw,
                    _ => Outcome::Win(if rng.random::<f64>() < (score(series) - 0.5) * 0.95 / 0.9 + 0.5 {
                        Colour::White
                    } else {
                        Colour::Black
                    }),
                };
                GameFacts {
                    score: crate::score::score(outcome),
                    outcome,
                    plies: 100,
                    first_capture: Some(30),
                    early_losses: [0, 1],
                    first_chamber: None,
                    fives: vec![2],
                    line: Vec::new(),
                }
            };
            all.insert(series.id, (0..160).map(game).collect::<Vec<_>>());
        }
        all
    }

    fn verdicts(answers: &[Answer], claim: ClaimId) -> Vec<Verdict> {
        let findings = answers.iter().map(|answer| &answer.finding);
        let of_claim = findings.filter(|finding| finding.claim == claim && finding.role == Role::Deciding);
        of_claim.map(|finding| finding.verdict).collect()
    }

    /// First moves with a 4 are exactly as much worse as matters, those away from the Chamber much worse: the first of
    /// these truths lies on the threshold, where any verdict is false.
    #[test]
    fn verdicts_on_classes_are_false_as_rarely_as_promised_and_found_where_there_is_something() {
        let design = design();
        let series = design.series();
        let (repetitions, mut false_verdicts, mut found) = (200, 0, 0);
        for repetition in 0..repetitions {
            let games = games(repetition, &series, |series| match series.class() {
                Some(OpeningClass::Four) => 0.52 - MARGIN - 0.4 * 4.0 / 40.0,
                Some(OpeningClass::ThreeAway | OpeningClass::FiveAway) => 0.12,
                _ => 0.52,
            });
            let answers = Analysis::new(&design, &series, &games, "").classes(&Pool::all(&design));
            let four = verdicts(&answers, ClaimId::B9);
            false_verdicts += u32::from(four != [Verdict::Inconclusive]);
            found += u32::from(verdicts(&answers, ClaimId::B7) == [Verdict::Supported]);
        }
        let share = f64::from(false_verdicts) / repetitions as f64;
        assert!(
            share < 0.05 + 3.0 * (0.05 * 0.95 / repetitions as f64).sqrt(),
            "{share}"
        );
        assert_eq!(found, repetitions as u32);
    }

    /// Three first moves are equally good and all others much worse: never more than half of the repetitions' share of
    /// errors may say that there are fewer than three.
    #[test]
    fn the_number_of_good_first_moves_is_not_missed_more_often_than_promised() {
        let design = design();
        let series = design.series();
        let good = ["0/first/1A6A7", "0/first/A3NE", "0/first/A1NE"];
        let (repetitions, mut missed) = (40, 0);
        for repetition in 0..repetitions {
            let games = games(1000 + repetition, &series, |series| {
                if good.contains(&series.id.to_string().as_str()) {
                    0.6
                } else {
                    0.3
                }
            });
            let analysis = Analysis::new(&design, &series, &games, "");
            let answers = analysis.several_first_moves(&Pool::all(&design));
            let effect = answers[0].finding.effect.as_ref().unwrap();
            missed += u32::from(!effect.interval.unwrap().contains(3.0));
            assert_ne!(
                verdicts(&answers, ClaimId::A2),
                [Verdict::Refuted],
                "{}",
                answers[0].finding.summary
            );
        }
        // Five hundredths and three standard deviations are six.
        assert!(missed <= 6, "{missed}");
    }

    #[test]
    fn games_go_on_for_what_is_open_alone() {
        let design = design();
        let series = design.series();
        // White always wins: everything about scores is decided, but for what is too small to be seen.
        let games = games(1, &series, |_| 1.0);
        let analysis = Analysis::new(&design, &series, &games, "");
        let advantage = analysis.advantage(&Pool::all(&design));
        assert_eq!(verdicts(&advantage, ClaimId::A1), [Verdict::Supported]);
        assert!(advantage.iter().all(|answer| answer.open.is_empty()));
        // As many dice are lost after each first move: which loses the most is open, but within the margin.
        let aggression = analysis.aggression(&Pool::all(&design));
        assert_eq!(verdicts(&aggression, ClaimId::B4)[0], Verdict::Inconclusive);
        assert!(aggression[0].open.contains(&"0/first/1A6A7".parse().unwrap()));
        assert_eq!(verdicts(&aggression, ClaimId::B11), [Verdict::Supported]);
    }
}
