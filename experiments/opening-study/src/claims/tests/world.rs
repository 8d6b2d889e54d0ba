//! Invented games with a known truth, to check that tests find it.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::{BTreeMap, HashMap};

use chase_engine::{Chase, Game, Outcome, Player};
use rand::RngExt;

use crate::agents::judged;
use crate::claims::games::{Answer, GamesAnalysis, Pool};
use crate::claims::study::{asked, players};
use crate::evidence::games::{Design, FOLDER_VERSION, GameFacts, GamesConfig, Series, SeriesId, StudyPlayer};
use crate::evidence::score::score as points;
use crate::{Basis, ClaimId, ClaimResult, Finding, Role};
use chase_statistics::{Verdict, generator};

/// Games of a series.
pub(crate) const GAMES: u32 = 160;

/// The truth about the games of a series.
#[derive(Clone, Copy)]
pub(crate) struct Truth {
    /// White's expected score in games with a result.
    pub score: f64,
    /// Probability that one of White's ten early plies leaves one of Black's dice attacked.
    pub threats: f64,
    /// Probability that White wins each of two dice early.
    pub wins: f64,
    /// Probability that White is the first to enter the Chamber, and early.
    pub entry: f64,
    /// Probability that a lost 5 promotes two dice.
    pub promotes: f64,
}

impl Default for Truth {
    fn default() -> Self {
        Self {
            score: 0.5,
            threats: 0.5,
            wins: 0.5,
            entry: 0.4,
            promotes: 0.55,
        }
    }
}

/// A study of one player.
pub(crate) fn design() -> Design {
    design_of(GamesConfig {
        replies: false,
        ..GamesConfig::default()
    })
}

/// A study of one player with other settings.
pub(crate) fn design_of(config: GamesConfig) -> Design {
    design_of_agents(1, config)
}

/// A study of several players.
pub(crate) fn design_of_agents(agents: usize, config: GamesConfig) -> Design {
    let player: chase_arena::PlayerSpec = "greedy:blunders=0.5".parse().unwrap();
    let of_study = |agent: usize| StudyPlayer {
        name: format!("agent {agent}"),
        player: player.clone(),
        checkpoint_hash: None,
        replies: BTreeMap::new(),
    };
    Design {
        version: FOLDER_VERSION,
        rules_version: Chase::RULES_VERSION,
        seed: 1,
        config: GamesConfig {
            players: vec![player.clone(); agents],
            margin: 0.02,
            most: GAMES,
            ..config
        },
        raised: Vec::new(),
        players: (0..agents).map(of_study).collect(),
    }
}

/// Games with this truth, by series; some are drawn and some truncated.
pub(crate) fn games(
    repetition: u64,
    series: &[Series],
    truth: impl Fn(&Series) -> Truth,
) -> HashMap<SeriesId, Vec<GameFacts>> {
    so_many_games(GAMES, repetition, series, truth)
}

/// The same, with this many games of each series.
pub(crate) fn so_many_games(
    count: u32,
    repetition: u64,
    series: &[Series],
    truth: impl Fn(&Series) -> Truth,
) -> HashMap<SeriesId, Vec<GameFacts>> {
    let mut all = HashMap::new();
    for (index, series) in series.iter().enumerate() {
        let mut rng = generator(repetition, &[index as u64]);
        let truth = truth(series);
        let game = |number: u32| {
            let mut happens = |probability: f64| rng.random::<f64>() < probability;
            let outcome = if happens(0.05) {
                Outcome::Truncated
            } else if happens(0.05 / 0.95) {
                Outcome::Draw
            } else if happens((truth.score - 0.5) * 0.95 / 0.9 + 0.5) {
                Outcome::Win(Player::White)
            } else {
                Outcome::Win(Player::Black)
            };
            let mut count = |of: u32, probability: f64| (0..of).filter(|_| happens(probability)).count() as u32;
            let (threats, wins) = (count(10, truth.threats), count(2, truth.wins));
            GameFacts {
                score: points(outcome),
                outcome,
                plies: 100,
                first_capture: Some(30),
                early_losses: [0, wins],
                early_threats: [threats, 5],
                first_chamber: happens(truth.entry).then_some((10, Player::White)),
                fives: vec![if happens(truth.promotes) { 2 } else { 1 }],
                // No first move, but different in every game.
                line: vec![number.to_string()],
            }
        };
        all.insert(series.id, (0..count).map(game).collect::<Vec<_>>());
    }
    all
}

/// All players of a study.
pub(crate) fn pool(design: &Design) -> Pool {
    Pool::all(design.main_players().collect())
}

/// The verdict on a claim of five agents trained alike in a world, if what the rules say agrees with it.
pub(crate) fn verdict(
    claim: ClaimId,
    config: GamesConfig,
    repetition: u64,
    truth: impl Fn(&Series) -> Truth,
) -> Option<Verdict> {
    let design = design_of_agents(5, config);
    let series = design.series();
    verdict_of(claim, &design, &games(repetition, &series, truth))
}

/// The same of these games.
pub(crate) fn verdict_of(
    claim: ClaimId,
    design: &Design,
    games: &HashMap<SeriesId, Vec<GameFacts>>,
) -> Option<Verdict> {
    let series = design.series();
    let analysis = GamesAnalysis::new(design, &series, games);
    let answers = judged(&players(design), analysis.look, |pool| asked(&analysis, pool));
    let findings = answers.into_iter().map(|answer| answer.finding);
    let of_claim = findings.filter(|finding| finding.claim == claim);
    let exact = Finding {
        n: 1,
        ..Finding::new(claim, "by the rules", Basis::Exact, Verdict::Supported)
    };
    ClaimResult::new(claim, of_claim.chain([exact]).collect()).verdict
}

/// Verdicts of the findings that decide a claim.
pub(crate) fn verdicts(answers: &[Answer], claim: ClaimId) -> Vec<Verdict> {
    let findings = answers.iter().map(|answer| &answer.finding);
    let of_claim = findings.filter(|finding| finding.claim == claim && finding.role == Role::Deciding);
    of_claim.map(|finding| finding.verdict).collect()
}
