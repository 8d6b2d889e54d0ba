//! Whole studies of Chase in which the first player's true score is known by construction.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::HashMap;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use chase_arena::{Agent, AgentFailure, Contestant, Decision, PlayerSpec};
use chase_engine::chase::Action;
use chase_engine::{Chase, Game};
use chase_models::device;
use chase_statistics::Verdict;
use rayon::prelude::*;

use super::tell;
use crate::claims::games_study::{self, advantage_verdict};
use crate::claims::method::games::GamesAnalysis;
use crate::controls::{PlayedGames, exchange_colours, favour_white};
use crate::evidence::games::{Design, GameFacts, GamesConfig, GamesWatch, Rounds, SeriesId, World};
use crate::study_report::ClaimResult;
use crate::{ClaimId, Finding};

/// Plays White with one agent and Black with another.
struct ByColour([Box<dyn Agent<Chase>>; 2]);

impl Agent<Chase> for ByColour {
    fn choose_batch(&mut self, decisions: &mut [Decision<'_, Chase>]) -> Result<Vec<Action>, AgentFailure> {
        let mut chosen = Vec::new();
        for decision in decisions {
            let agent = &mut self.0[decision.game.to_move() as usize];
            chosen.extend(agent.choose_batch(std::slice::from_mut(decision))?);
        }
        Ok(chosen)
    }
}

fn player(text: &str) -> PlayerSpec {
    text.parse().unwrap()
}

/// A player whose White and Black blunder in these percentages of their plies.
fn uneven(blunders: [&'static str; 2]) -> Contestant<Chase> {
    Contestant::new("uneven", move || {
        let agent = |blunders| {
            let player = player(&format!("greedy:blunders={blunders}"));
            player.contestant(device::parse("cpu").unwrap()).unwrap().agent()
        };
        Box::new(ByColour(blunders.map(agent)))
    })
}

/// A study that is small enough for a test, with a suitable margin.
fn config() -> GamesConfig {
    GamesConfig {
        players: vec![player("greedy:blunders=0.5")],
        replies: false,
        first_round: 8,
        most: 32,
        initial_factor: 4,
        margin: 0.06,
        shard: 64,
        ..GamesConfig::default()
    }
}

/// A whole study: games, rounds, files, findings, and the verdict on A1. `contestant` plays, if it is not the player of
/// the configuration, and `world` changes the games' facts.
fn conduct(
    folder: &Path,
    config: &GamesConfig,
    contestant: Option<Contestant<Chase>>,
    world: Option<World<'_>>,
) -> (ClaimResult, HashMap<SeriesId, Vec<GameFacts>>) {
    let device = device::parse("cpu").unwrap();
    let design = Design::of(folder, config, 5, device).unwrap();
    let series = design.series();
    let own = design
        .players
        .iter()
        .map(|player| player.player.contestant(device).unwrap());
    let contestants: Vec<Contestant<Chase>> = match contestant {
        Some(contestant) => vec![contestant],
        None => own.collect(),
    };
    let watch = GamesWatch {
        stop: &AtomicBool::new(false),
        on_event: &|_| {},
    };
    let mut games = Rounds::new(folder, &design, &series, None);
    games.world = world;
    let findings = games_study::play(&mut games, &contestants, "", &watch)
        .unwrap()
        .findings;
    let of_claim: Vec<Finding> = findings
        .into_iter()
        .filter(|finding| finding.claim == ClaimId::A1)
        .collect();
    (ClaimResult::new(ClaimId::A1, of_claim), games.facts)
}

/// Games that are played once and then changed to many worlds.
struct Played {
    design: Design,
    games: HashMap<SeriesId, Vec<GameFacts>>,
}

impl Played {
    fn of(folder: &Path, config: GamesConfig) -> Self {
        let (_, games) = conduct(folder, &config, None, None);
        let design = Design::of(folder, &config, 5, device::parse("cpu").unwrap()).unwrap();
        Self { design, games }
    }

    /// The verdict on the first player's advantage after `blocks` blocks, from all players, as in a study.
    fn verdict(&self, blocks: u32, world: World<'_>) -> Verdict {
        let part = |(&id, games): (&SeriesId, &Vec<GameFacts>)| {
            let count = self.design.games(id.kind(), blocks) as usize;
            (id, games[..count].to_vec())
        };
        let facts: HashMap<SeriesId, Vec<GameFacts>> = self.games.iter().map(part).collect();
        let series = self.design.series();
        let analysis = GamesAnalysis::new(&self.design, &series, &facts, "");
        PlayedGames::of(&analysis).verdict(world, &advantage_verdict)
    }
}

fn told(result: &ClaimResult) -> &str {
    &result.findings[0].summary
}

/// With random colours A1 is false, and is refuted. Of fifty such worlds, tested after every round against a threshold
/// equal to the truth, no more than 5 % and three standard errors (7) have any verdict.
#[test]
fn who_does_not_move_first_has_no_advantage() {
    let home = tempfile::tempdir().unwrap();
    let exchange = |series, number, game: &mut GameFacts| exchange_colours(&[0], series, number, game);
    let (result, _) = conduct(&home.path().join("one"), &config(), None, Some(&exchange));
    assert_eq!(result.verdict, Some(Verdict::Refuted), "{}", told(&result));

    let config = GamesConfig {
        first_round: 16,
        most: 16,
        margin: 0.0,
        ..config()
    };
    let played = Played::of(&home.path().join("many"), config);
    let is_wrong = |world: &u64| {
        let exchange = |series, number, game: &mut GameFacts| exchange_colours(&[*world], series, number, game);
        let verdicts = [4, 8, 16].map(|blocks| played.verdict(blocks, &exchange));
        verdicts.iter().any(|verdict| *verdict != Verdict::Inconclusive)
    };
    let wrong = (0..50).filter(is_wrong).count();
    assert!(wrong <= 7, "{wrong}");
}

/// If White wins 65 of a hundred games, A1 is true, and supported. So it is if White always wins, where nothing varies.
#[test]
fn who_wins_more_often_has_an_advantage() {
    for share in [0.65, 1.0] {
        let home = tempfile::tempdir().unwrap();
        let favour = |series, number, game: &mut GameFacts| favour_white(share, &[0], series, number, game);
        let (result, _) = conduct(home.path(), &config(), None, Some(&favour));
        assert_eq!(result.verdict, Some(Verdict::Supported), "{share}: {}", told(&result));
    }
}

/// The same without changing any facts: one side blunders less, and the verdict names the right one.
#[test]
fn who_blunders_less_has_an_advantage() {
    for (blunders, expected) in [(["0.2", "0.8"], Verdict::Supported), (["0.8", "0.2"], Verdict::Refuted)] {
        let home = tempfile::tempdir().unwrap();
        let (result, _) = conduct(home.path(), &config(), Some(uneven(blunders)), None);
        assert_eq!(result.verdict, Some(expected), "{}", told(&result));
    }
}

/// The full form: the frequency of each verdict, by White's true frequency of winning.
#[test]
#[ignore = "prints a table of study 0021, in minutes"]
fn tables() {
    let looks = [32, 64, 128];
    let worlds = 200;
    tell(format_args!(
        "| agents | White's true score | supported | refuted | at {looks:?} blocks: supported or refuted |"
    ));
    for players in [&["0.5"][..], &["0.4", "0.5", "0.6"]] {
        let home = tempfile::tempdir().unwrap();
        let config = GamesConfig {
            players: players
                .iter()
                .map(|blunders| player(&format!("greedy:blunders={blunders}")))
                .collect(),
            first_round: 128,
            most: 128,
            margin: 0.02,
            ..config()
        };
        let played = Played::of(home.path(), config);
        for share in [0.45, 0.5, 0.52, 0.54, 0.56, 0.6, 0.65] {
            let told = (0..worlds).into_par_iter().map(|world| {
                let favour = |series, number, game: &mut GameFacts| favour_white(share, &[world], series, number, game);
                looks.map(|blocks| played.verdict(blocks, &favour))
            });
            let told: Vec<[Verdict; 3]> = told.collect();
            let percent = |count: usize| 100.0 * count as f64 / told.len() as f64;
            let ever = |verdict| percent(told.iter().filter(|looks| looks.contains(&verdict)).count());
            let decided = [0, 1, 2].map(|look| {
                let open = told.iter().filter(|looks| looks[look] == Verdict::Inconclusive);
                100.0 - percent(open.count())
            });
            let (supported, refuted) = (ever(Verdict::Supported), ever(Verdict::Refuted));
            tell(format_args!(
                "| {} | {share} | {supported:.1} | {refuted:.1} | {decided:.1?} |",
                players.len()
            ));
        }
    }
}
