//! The games of a study and their findings: the results of earlier games select the later ones.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use chase_models::device::Device;
use chase_training::store::files;
use chase_training::store::serialised::pretty_json;

use super::balance::Balance;
use super::games_data::GamesData;
use super::method::agents;
use super::method::games::{Answer, GamesAnalysis, Pool};
use crate::Finding;
use crate::claim_test::tests;
use crate::evidence::EvidenceError;
use crate::evidence::dice::DiceFacts;
use crate::evidence::elsewhere::Elsewhere;
use crate::evidence::forks::GameTurns;
use crate::evidence::games::{Design, GamesConfig, GamesEvent, GamesWatch, Rounds, SeriesId};
use crate::evidence::values::ValueFacts;

/// Results of the games of a study.
#[derive(Clone, Debug)]
pub struct GamesStudy {
    /// The design of the games.
    pub design: Design,
    /// The findings on the claims.
    pub findings: Vec<Finding>,
    /// The numbers behind them; also in `games.json`.
    pub data: GamesData,
    /// How even, long and eventful the games are.
    pub balance: Balance,
    /// Facts about dice in the games that count for claims about them, by player.
    pub dice: Vec<DiceFacts>,
    /// Turns of these games that could become forks.
    pub turns: Vec<GameTurns>,
    /// Expectations of searches in all games under the usual conventions, by player.
    pub values: Vec<ValueFacts>,
    /// The files of games in order, one JSON object per line.
    pub shards: Vec<PathBuf>,
}

/// Plays the games that are missing in `folder`, on all threads of the current pool, and returns the results.
///
/// The folder then holds `design.json`, the games, `games.parquet`, `plies.parquet` and `games.json`. All of it is
/// determined by the configuration, the seed and the players, whatever the number of threads, and however often it was
/// interrupted. `command` becomes the command that reproduces the findings. Games are played by the workers
/// `elsewhere`, or in this process.
///
/// # Errors
/// If the configuration is out of range, a player cannot play, the folder holds another study, or it was stopped.
pub fn run(
    folder: &Path,
    config: &GamesConfig,
    seed: u64,
    device: Device,
    command: &str,
    elsewhere: Option<&Elsewhere<'_>>,
    watch: &GamesWatch<'_>,
) -> Result<GamesStudy, EvidenceError> {
    let problems = config.problems();
    if !problems.is_empty() {
        return Err(EvidenceError::Config(problems));
    }
    let design = Design::of(folder, config, seed, device)?;
    let series = design.series();
    let mut contestants = Vec::new();
    for player in &design.players {
        contestants.push(player.player.contestant(device)?);
    }
    let mut games = Rounds::new(folder, &design, &series, elsewhere);
    let mut open: HashSet<SeriesId> = series.iter().map(|series| series.id).collect();
    // Each round is for the questions that the previous one left open.
    let looks = design.looks();
    for (round, most) in design.rounds().into_iter().enumerate() {
        games.play(round, most, &open, &contestants, watch)?;
        let analysis = GamesAnalysis::new(&design, &series, &games.facts, command);
        if round == 0 {
            check_chance(&analysis)?;
        }
        open = open_series(&analysis.at_look(looks[round]));
        if open.is_empty() {
            break;
        }
    }
    (watch.on_event)(GamesEvent::Tables);
    games.finish_tables()?;
    let analysis = GamesAnalysis::new(&design, &series, &games.facts, command).at_look(looks[looks.len() - 1]);
    let (findings, data, balance) = (games_findings(&analysis), analysis.data(), Balance::of(&analysis));
    let path = folder.join("games.json");
    files::write_whole(&path, (pretty_json(&data) + "\n").as_bytes())?;
    let gathered = games.finish();
    Ok(GamesStudy {
        findings,
        data,
        balance,
        dice: gathered.dice,
        turns: gathered.turns,
        values: gathered.values,
        shards: gathered.shards,
        design,
    })
}

/// All tests of the games of some players.
fn answers(analysis: &GamesAnalysis<'_>, pool: &Pool) -> Vec<Answer> {
    let mut answers = analysis.advantage(pool);
    answers.extend(tests().iter().filter_map(|test| analysis.ask(test, pool)));
    answers.extend(analysis.safe_by_games(pool));
    answers.extend(analysis.near_the_best(pool));
    answers.extend(analysis.replies(pool));
    answers.extend(analysis.lost_fives(pool));
    answers.extend(analysis.draws(pool));
    answers
}

/// The names of the players of the whole study.
fn names<'a>(analysis: &GamesAnalysis<'a>) -> Vec<&'a str> {
    let design = analysis.design;
    let names = design.main_players().map(|player| design.players[player].name.as_str());
    names.collect()
}

/// All answers with their verdicts: those of several agents on agents trained alike, that of one agent on its own games.
/// Also the findings of each of several alone that have no counterpart.
pub(super) fn judged(
    analysis: &GamesAnalysis<'_>,
    ask: impl Fn(&GamesAnalysis<'_>, &Pool) -> Vec<Answer>,
) -> (Vec<Answer>, Vec<Finding>) {
    let names = names(analysis);
    let together = ask(analysis, &Pool::all(analysis.design)).into_iter();
    if names.len() < 2 {
        return (together.collect(), Vec::new());
    }
    let own = |(player, name): (usize, &&str)| {
        let answers = ask(analysis, &Pool::alone(player, names.len())).into_iter();
        ((*name).to_owned(), answers.map(|answer| answer.finding).collect())
    };
    let by_agent: Vec<(String, Vec<Finding>)> = names.iter().enumerate().map(own).collect();
    let judged = together.map(|answer| Answer {
        finding: agents::over_agents(answer.finding, &by_agent, analysis.look),
        ..answer
    });
    let judged: Vec<Answer> = judged.collect();
    let findings: Vec<Finding> = judged.iter().map(|answer| answer.finding.clone()).collect();
    let alone = agents::alone(&findings, &by_agent);
    (judged, alone)
}

/// Series that need more games.
fn open_series(analysis: &GamesAnalysis<'_>) -> HashSet<SeriesId> {
    judged(analysis, answers).0.into_iter().flat_map(Answer::open).collect()
}

/// The findings: from the games of all players, with the finding of each of several alone, and the comparisons between
/// them.
fn games_findings(analysis: &GamesAnalysis<'_>) -> Vec<Finding> {
    let (answers, alone) = judged(analysis, answers);
    let mut findings: Vec<Finding> = answers.into_iter().map(|answer| answer.finding).collect();
    if let [name] = names(analysis)[..] {
        findings = findings.into_iter().map(|finding| finding.with_agent(name)).collect();
    }
    findings.extend(alone);
    findings.extend(analysis.rankings());
    findings.extend(analysis.reply_rankings());
    findings.extend(analysis.budgets());
    findings.extend(analysis.curve());
    findings
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

/// Studies of invented games with a known truth.
#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use std::collections::HashMap;

    use chase_statistics::Verdict;

    use super::*;
    use crate::claims::tests::world::{self, Truth, design, verdicts};
    use crate::evidence::games::{GameFacts, Series};
    use crate::{ClaimId, OpeningClass};

    const MARGIN: f64 = 0.02;

    /// Games with this score of White, by series.
    fn games(repetition: u64, series: &[Series], score: impl Fn(&Series) -> f64) -> HashMap<SeriesId, Vec<GameFacts>> {
        world::games(repetition, series, |series| Truth {
            score: score(series),
            ..Truth::default()
        })
    }

    /// Answers to the tests of a claim that `tests.toml` describes whole.
    fn ask(analysis: &GamesAnalysis<'_>, claim: ClaimId, pool: &Pool) -> Vec<Answer> {
        let of_claim = tests().iter().filter(|test| test.claim == claim);
        of_claim.filter_map(|test| analysis.ask(test, pool)).collect()
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
            let analysis = GamesAnalysis::new(&design, &series, &games, "");
            let pool = Pool::all(&design);
            let answers = [ClaimId::B7, ClaimId::B9]
                .into_iter()
                .flat_map(|claim| ask(&analysis, claim, &pool));
            let answers: Vec<Answer> = answers.collect();
            let four = verdicts(&answers, ClaimId::B9);
            false_verdicts += u32::from(four != [Verdict::Inconclusive]);
            found += u32::from(verdicts(&answers, ClaimId::B7) == [Verdict::Supported]);
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

    /// Three first moves are equally good and all others much worse: no more repetitions than the permitted share of
    /// errors, and three standard deviations, may find fewer than three.
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
            let analysis = GamesAnalysis::new(&design, &series, &games, "");
            let answers = analysis.near_the_best(&Pool::all(&design));
            let effect = answers[0].finding.effect.as_ref().unwrap();
            missed += u32::from(!effect.interval.unwrap().contains(3.0));
        }
        // Five per cent and three standard deviations make six.
        assert!(missed <= 6, "{missed}");
    }

    #[test]
    fn games_go_on_for_what_is_open_alone() {
        let design = design();
        let series = design.series();
        // White wins all games: everything about scores is decided, except for effects too small to be seen.
        let won = games(1, &series, |_| 1.0);
        let analysis = GamesAnalysis::new(&design, &series, &won, "");
        let pool = Pool::all(&design);
        let advantage = analysis.advantage(&pool);
        assert_eq!(verdicts(&advantage, ClaimId::A1), [Verdict::Supported]);
        assert!(advantage.into_iter().all(|answer| answer.open().is_empty()));
        // The truth lies on the threshold, which no number of games tells.
        let games = games(2, &series, |series| match series.class() {
            Some(OpeningClass::ThreeAway | OpeningClass::FiveAway) => 0.5 - MARGIN,
            _ => 0.5,
        });
        let poor = ask(&GamesAnalysis::new(&design, &series, &games, ""), ClaimId::B7, &pool);
        assert_eq!(verdicts(&poor, ClaimId::B7), [Verdict::Inconclusive]);
        let open: HashSet<SeriesId> = poor.into_iter().flat_map(Answer::open).collect();
        assert!(open.contains(&"0/first/A5NE".parse().unwrap()));
    }
}
