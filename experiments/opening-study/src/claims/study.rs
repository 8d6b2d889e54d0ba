//! The games of a study and their findings: the results of earlier games select the later ones.

use std::collections::HashSet;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use chase_models::device::Device;

use super::dice::DiceStudy;
use super::forks::{ForkResult, ForkStudy};
use super::games::{Answer, GamesAnalysis, Pool};
use crate::agents::judged;
use crate::claim::tests;
use crate::evidence::EvidenceError;
use crate::evidence::dice::DiceFacts;
use crate::evidence::forks::Fork;
use crate::evidence::games::{Design, GamesData, GamesEvent, Rounds, SeriesId};
use crate::evidence::search::SearchEvidence;
use crate::evidence::workers::Elsewhere;
use crate::{ClaimId, Finding};

/// Results of the games of a study.
#[derive(Clone, Debug)]
pub struct GamesStudy {
    /// The design of the games.
    pub design: Design,
    /// The findings on the claims.
    pub findings: Vec<Finding>,
    /// The facts of all games.
    pub games: GamesData,
}

/// The findings that the rules decide. `begin` is called with each claim before its turn; together they take seconds.
pub fn exact(begin: &mut dyn FnMut(ClaimId)) -> Vec<Finding> {
    let asked = tests().filter_map(|(claim, test)| Some((claim, test, test.exact.as_ref()?)));
    let finding = |(claim, test, fact): (_, &crate::claim_test::ClaimTest, &super::exact::ExactFact)| {
        begin(claim);
        test.exact(claim, fact.fact())
    };
    asked.map(finding).collect()
}

/// Plays the games that are missing in `folder`, on all threads of the current pool, and returns the results.
///
/// The folder then holds the games, `games.parquet` and `plies.parquet`. All of it is determined by the design, whatever
/// the number of threads, and however often it was interrupted. Games are played by the workers `elsewhere`, or in this
/// process.
///
/// # Errors
/// If a player cannot play, files cannot be written or used, or it was stopped.
pub fn run(
    folder: &Path,
    design: Design,
    device: Device,
    elsewhere: Option<&Elsewhere<'_>>,
    stop: &AtomicBool,
    on_event: &(dyn Fn(GamesEvent) + Sync),
) -> Result<GamesStudy, EvidenceError> {
    let series = design.series();
    let mut contestants = Vec::new();
    for player in &design.players {
        contestants.push(player.player.contestant(device)?);
    }
    let mut games = Rounds::new(folder, &design, &series, elsewhere, stop, on_event);
    let mut open: HashSet<SeriesId> = series.iter().map(|series| series.id).collect();
    // Each round is for the questions that the previous one left open.
    let looks = design.looks();
    for (round, most) in design.rounds().into_iter().enumerate() {
        games.play(round, most, &open, &contestants)?;
        let analysis = GamesAnalysis::new(&design, &series, &games.data.facts);
        if round == 0 {
            check_chance(&analysis)?;
        }
        let answers = by_games(&analysis.at_look(looks[round]));
        open = answers.into_iter().flat_map(Answer::open).collect();
        if open.is_empty() {
            break;
        }
    }
    let games = games.finish()?;
    let analysis = GamesAnalysis::new(&design, &series, &games.facts).at_look(looks[looks.len() - 1]);
    let answers = by_games(&analysis).into_iter();
    let mut findings: Vec<Finding> = answers.map(|answer| answer.finding).collect();
    findings.extend(by_dice(&design, &games.dice));
    Ok(GamesStudy {
        design,
        findings,
        games,
    })
}

/// The players of the whole study, with their names.
pub(super) fn players(design: &Design) -> Vec<(usize, &str)> {
    let names = design
        .main_players()
        .map(|player| (player, design.players[player].name.as_str()));
    names.collect()
}

/// The answers to all tests of games.
fn by_games(analysis: &GamesAnalysis<'_>) -> Vec<Answer> {
    judged(&players(analysis.design), analysis.look, |pool| asked(analysis, pool))
}

/// The answers to all tests of games from those of a pool.
pub(super) fn asked(analysis: &GamesAnalysis<'_>, pool: &Pool) -> Vec<Answer> {
    tests()
        .flat_map(|(claim, test)| analysis.ask(claim, test, pool))
        .collect()
}

/// The findings of all tests of dice.
pub(super) fn by_dice(design: &Design, facts: &[DiceFacts]) -> Vec<Finding> {
    let study = DiceStudy { design, facts };
    let answers = judged(&players(design), 1.0, |pool| {
        let findings = tests().filter_map(|(claim, test)| study.ask(claim, test, pool));
        findings.map(Answer::from).collect()
    });
    answers.into_iter().map(|answer| answer.finding).collect()
}

/// The findings of all tests of forks, on the players that have some. Without forks the claims are open.
pub fn by_forks(design: &Design, forks: &[Fork]) -> Vec<Finding> {
    let results: Vec<ForkResult> = forks.iter().map(ForkResult::from).collect();
    let config = &design.config;
    let name = |player: usize| design.players[player].name.as_str();
    let results = &results;
    of_results(&ForkStudy { results, config }, name)
}

/// The findings from the results of forks, with the names of their players.
pub(super) fn of_results<'a>(study: &ForkStudy<'_>, name: impl Fn(usize) -> &'a str) -> Vec<Finding> {
    let players = study.players().into_iter().map(|player| (player, name(player)));
    let answers = judged(&players.collect::<Vec<_>>(), 1.0, |pool| {
        let findings = tests().filter_map(|(claim, test)| study.ask(claim, test, pool));
        findings.map(Answer::from).collect()
    });
    answers.into_iter().map(|answer| answer.finding).collect()
}

/// The findings of all tests of searches.
pub fn by_searches(evidence: &SearchEvidence) -> Vec<Finding> {
    evidence.findings()
}

/// Checks that the first games of each player of the whole study from the initial position differ. For a player of the
/// curve, identical games are only mentioned in the findings.
fn check_chance(analysis: &GamesAnalysis<'_>) -> Result<(), EvidenceError> {
    for player in analysis.design.main_players() {
        if let Some((distinct, games)) = analysis.repeats(player) {
            return Err(EvidenceError::SameGames {
                player: analysis.design.players[player].name.clone(),
                distinct,
                games,
            });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use std::collections::HashMap;

    use chase_statistics::Verdict;

    use super::*;
    use crate::OpeningClass;
    use crate::claims::tests::world::{self, Truth, design, pool, verdicts};
    use crate::evidence::games::{GameFacts, Series};

    const MARGIN: f64 = 0.02;

    /// Games with this score of White, by series.
    fn games(repetition: u64, series: &[Series], score: impl Fn(&Series) -> f64) -> HashMap<SeriesId, Vec<GameFacts>> {
        world::games(repetition, series, |series| Truth {
            score: score(series),
            ..Truth::default()
        })
    }

    /// Answers to the tests of a claim.
    fn ask(analysis: &GamesAnalysis<'_>, claim: ClaimId, pool: &Pool) -> Vec<Answer> {
        let of_claim = tests().filter(|(of, _)| *of == claim);
        of_claim
            .flat_map(|(claim, test)| analysis.ask(claim, test, pool))
            .collect()
    }

    /// First moves with a 4 are worse by exactly the margin, those away from the Chamber much worse: the first of these
    /// truths lies on the threshold, where any verdict is false.
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
            let analysis = GamesAnalysis::new(&design, &series, &games);
            let pool = pool(&design);
            let answers = [ClaimId::new('B', 7), ClaimId::new('B', 9)]
                .into_iter()
                .flat_map(|claim| ask(&analysis, claim, &pool));
            let answers: Vec<Answer> = answers.collect();
            let four = verdicts(&answers, ClaimId::new('B', 9));
            false_verdicts += u32::from(four != [Verdict::Inconclusive]);
            found += u32::from(verdicts(&answers, ClaimId::new('B', 7)) == [Verdict::Supported]);
        }
        let share = f64::from(false_verdicts) / repetitions as f64;
        assert!(
            share < 0.05 + 3.0 * (0.05 * 0.95 / repetitions as f64).sqrt(),
            "{share}"
        );
        // The verdict is withheld if the mean has left its interval, which is as rare as errors of the interval.
        let missed = repetitions as f64 - f64::from(found);
        assert!(
            missed <= 0.05 * repetitions as f64 + 3.0 * (0.05 * 0.95 * repetitions as f64).sqrt(),
            "{missed}"
        );
    }

    #[test]
    fn games_go_on_for_what_is_open_alone() {
        let design = design();
        let series = design.series();
        // White wins all games: everything about scores is decided, except for effects too small to be seen.
        let won = games(1, &series, |_| 1.0);
        let analysis = GamesAnalysis::new(&design, &series, &won);
        let pool = pool(&design);
        let advantage = ask(&analysis, ClaimId::new('A', 1), &pool);
        assert_eq!(verdicts(&advantage, ClaimId::new('A', 1)), [Verdict::Supported]);
        assert!(advantage.into_iter().all(|answer| answer.open().is_empty()));
        // The truth lies on the threshold, which no number of games tells.
        let games = games(2, &series, |series| match series.class() {
            Some(OpeningClass::ThreeAway | OpeningClass::FiveAway) => 0.5 - MARGIN,
            _ => 0.5,
        });
        let poor = ask(
            &GamesAnalysis::new(&design, &series, &games),
            ClaimId::new('B', 7),
            &pool,
        );
        assert_eq!(verdicts(&poor, ClaimId::new('B', 7)), [Verdict::Inconclusive]);
        let open: HashSet<SeriesId> = poor.into_iter().flat_map(Answer::open).collect();
        assert!(open.contains(&"0/first/A5NE".parse().unwrap()));
    }
}
