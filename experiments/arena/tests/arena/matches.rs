//! Matches between baselines: the same whatever runs them, and won by the stronger side.

use std::collections::HashSet;
use std::num::NonZeroU32;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use chase_arena::matches::Here;
use chase_arena::{
    Agent, AgentFailure, Choice, ChoiceOrForfeit, Contestant, Decision, Forfeit, LADDER, Match, MatchError, MatchEvent,
    MatchResult, Openings, PlayerSpec, Yardstick,
};
use chase_engine::baselines::Random;
use chase_engine::chase::{Action, Rules};
use chase_engine::{Chase, ConnectFour, Game, Outcome};
use chase_models::device::Device;
use chase_statistics::{BradleyTerry, CrossTable, ScoreEstimate, Standing};

fn conditions(seed: u64) -> Match<Chase> {
    Match {
        rules: Rules::default(),
        openings: Openings::Random { plies: 4 },
        seed,
        max_plies: 1000,
        pairs_at_once: 1,
    }
}

fn contestant(spec: &str) -> Contestant<Chase> {
    spec.parse::<PlayerSpec>().unwrap().contestant(Device::Cpu).unwrap()
}

fn silent(_: MatchEvent<'_>) {}

fn play(conditions: &Match<Chase>, first: &str, second: &str, pairs: u32) -> MatchResult {
    let [first, second] = [first, second].map(contestant);
    conditions.play([&first, &second], 0..pairs, &silent).unwrap()
}

fn on_threads<T: Send>(threads: usize, run: impl FnOnce() -> T + Send) -> T {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(run)
}

#[test]
fn a_match_is_the_same_on_any_number_of_threads_in_any_batches_and_in_parts() {
    let (first, second) = ("greedy:blunders=0.3", "alpha-beta:depth=1,blunders=0.5");
    let expected = on_threads(1, || play(&conditions(5), first, second, 9));
    for (threads, pairs_at_once) in [(4, 1), (1, 4), (3, 2), (2, 100)] {
        let conditions = Match {
            pairs_at_once,
            ..conditions(5)
        };
        let result = on_threads(threads, || play(&conditions, first, second, 9));
        assert!(result == expected, "{threads} threads, {pairs_at_once} pairs at once");
    }
    let [first, second] = [first, second].map(contestant);
    let part = conditions(5).play([&first, &second], 6..8, &silent).unwrap();
    assert_eq!(part.pairs[..], expected.pairs[6..8]);
    assert_eq!(expected.rules, "repetition 3, quiet 100, length 400");
    let json = serde_json::to_string(&expected).unwrap();
    assert_eq!(serde_json::from_str::<MatchResult>(&json).unwrap(), expected);
}

#[test]
fn games_replay_to_their_results_and_pairs_share_their_openings() {
    let seen = AtomicU32::new(0);
    let [first, second] = ["greedy", "random"].map(contestant);
    let count = |MatchEvent::PairFinished { .. }: MatchEvent<'_>| {
        seen.fetch_add(1, Ordering::Relaxed);
    };
    let result = conditions(6).play([&first, &second], 0..12, &count).unwrap();
    assert_eq!((result.pairs.len(), seen.into_inner()), (12, 12));
    assert_eq!(result.contestants, ["greedy", "random"]);
    let mut decisions = 0;
    for (number, pair) in result.pairs.iter().enumerate() {
        assert_eq!(pair.pair as usize, number);
        let [white, black] = &pair.games;
        assert_eq!(white.actions[..4], black.actions[..4]);
        assert_ne!(white.actions[4..], black.actions[4..]);
        for record in &pair.games {
            let mut game = Chase::new(&Rules::default());
            for text in &record.actions {
                game.apply(game.parse_action(text).unwrap());
            }
            assert_eq!(game.outcome(), Some(record.outcome));
            assert_eq!(game.end_reason(), Some(record.reason.as_str()));
            assert_eq!((game.plies(), record.opening_plies), (record.plies, 4));
            decisions += u64::from(record.plies - 4);
        }
    }
    assert_eq!(result.decisions(), decisions);
    // The table tells colours apart: exchanging the contestants' places must exchange all results.
    let (games, pairs) = (result.games(), result.pair_counts());
    assert_eq!((games.played(), pairs.decided() + pairs.truncated), (24, 12));
    assert!(games.wins > games.losses);
}

#[test]
fn truncated_games_are_no_results() {
    let conditions = Match {
        max_plies: 8,
        ..conditions(7)
    };
    let result = play(&conditions, "random", "greedy", 10);
    let games = result.games();
    assert_eq!((games.truncated, games.decided()), (20, 0));
    assert_eq!(
        (result.pair_counts().truncated, result.pair_counts().decided()),
        (10, 0)
    );
    let records = result.pairs.iter().flat_map(|pair| &pair.games);
    for game in records {
        assert_eq!(
            (game.outcome, game.reason.as_str(), game.plies),
            (Outcome::Truncated, "ply limit", 8)
        );
    }
    assert_eq!(ScoreEstimate::from_pairs(&result.pair_counts()), None);
}

#[test]
fn the_ladder_has_no_rung_missing() {
    let baselines = LADDER.map(contestant);
    // Steps from rung to rung are enough; a full round robin can only connect more.
    let mut table = CrossTable::default();
    for (number, rungs) in baselines.windows(2).enumerate() {
        let conditions = conditions(30).numbered(number as u64);
        let result = conditions.play([&rungs[1], &rungs[0]], 0..50, &silent).unwrap();
        let (names, outcomes) = result.outcomes();
        table.add_pairs(names, outcomes);
    }
    let ratings = BradleyTerry::fit(&table, LADDER[0]).unwrap();
    let elos: Vec<_> = LADDER
        .iter()
        .map(|name| ratings.standing(name).unwrap().elo())
        .collect();
    assert!(elos.iter().all(Option::is_some), "{ratings:?}");
    assert!(elos.is_sorted(), "{ratings:?}");
}

fn beats(stronger: &str, weaker: &str, pairs: u32, seed: u64) {
    let result = play(&conditions(seed), stronger, weaker, pairs);
    let estimate = ScoreEstimate::from_pairs(&result.pair_counts()).unwrap();
    let low = estimate.score_interval.low.unwrap();
    assert!(
        low > 0.5,
        "{stronger} against {weaker}: {:?} {estimate:?}",
        result.games()
    );
}

#[test]
fn greedy_beats_random() {
    beats("greedy", "random", 20, 8);
}

#[test]
fn one_ply_with_quiescence_beats_greedy() {
    beats("alpha-beta:depth=1", "greedy", 20, 9);
}

#[test]
fn depth_beats_less_depth() {
    beats("alpha-beta:depth=3", "alpha-beta:depth=1", 12, 10);
}

#[test]
fn rollouts_beat_random_and_are_deterministic() {
    beats("rollouts:simulations=100", "random", 10, 14);
    let run = |threads| {
        on_threads(threads, || {
            play(&conditions(15), "rollouts:simulations=10", "greedy", 3)
        })
    };
    assert!(run(1) == run(3));
}

#[test]
fn blunders_weaken() {
    beats("greedy", "greedy:blunders=0.5", 40, 11);
    beats("greedy:blunders=0.5", "random", 30, 12);
}

#[test]
fn games_say_what_their_choices_took() {
    let with = |first: &str, second: &str| {
        let result = play(&conditions(16), first, second, 1);
        // What is stored reads back.
        let json = serde_json::to_string(&result).unwrap();
        assert_eq!(serde_json::from_str::<MatchResult>(&json).unwrap(), result);
        let [game, _] = result.pairs.into_iter().next().unwrap().games;
        game
    };
    // White begins after the opening of four plies, unless an exchange has changed whose turn it is.
    let game = with("alpha-beta:depth=2,nodes=500", "rollouts:simulations=7");
    let (effort, chosen) = (&game.effort, (game.plies - game.opening_plies) as usize);
    assert_eq!((effort.depths.len(), effort.nodes.len()), (chosen, chosen));
    assert!(effort.milliseconds.is_empty(), "no limit of time, no time");
    let sevens = effort.nodes.iter().filter(|&&nodes| nodes == Some(7)).count();
    assert!(sevens > chosen / 4 && sevens < chosen, "{sevens} of {chosen}");
    assert!(effort.depths.iter().flatten().any(|&depth| depth == 2));
    assert!(game.replay(&Rules::default(), |_| ()).is_ok());
    let mut wrong = game.clone();
    wrong.effort.nodes.pop();
    let told = wrong.replay(&Rules::default(), |_| ()).unwrap_err().to_string();
    assert!(
        told.contains(&format!("the effort of {} choices", chosen - 1)),
        "{told}"
    );

    let game = with("alpha-beta:depth=1,ms=1", "random");
    let timed = game.effort.milliseconds.iter().filter(|time| time.is_some()).count();
    assert!(
        timed > 0 && timed < game.effort.milliseconds.len(),
        "random says nothing"
    );
    let silent = with("greedy", "random");
    assert!(silent.effort.is_empty());
    assert!(!serde_json::to_string(&silent).unwrap().contains("effort"));
}

/// Chooses what cannot be legal.
struct Cheat;

impl Agent<Chase> for Cheat {
    fn choose_batch(&mut self, decisions: &mut [Decision<'_, Chase>]) -> Result<Vec<Choice<Action>>, AgentFailure> {
        let cell = "E5".parse().unwrap();
        Ok(decisions.iter().map(|_| Action::Absorb { cell }.into()).collect())
    }
}

#[test]
fn illegal_choices_are_errors_that_name_the_agent_and_the_position() {
    let cheat = Contestant::new("cheat", || Box::new(Cheat));
    let result = conditions(1).play([&contestant("random"), &cheat], 0..1, &silent);
    let told = result.unwrap_err().to_string();
    let (begin, position) = told.split_once(", which is not legal in ").unwrap();
    assert!(begin.starts_with("cheat chose "), "{told}");
    assert!(
        Chase::from_position_text(position, &Rules::default()).is_ok(),
        "{position}"
    );
}

/// Plays as greedy does, but gives up every game in which eight plies are played, as a program that breaks down.
struct GivesUp(Box<dyn Agent<Chase>>);

impl Agent<Chase> for GivesUp {
    fn choose_batch(&mut self, decisions: &mut [Decision<'_, Chase>]) -> Result<Vec<Choice<Action>>, AgentFailure> {
        self.0.choose_batch(decisions)
    }

    fn choose_or_forfeit(
        &mut self,
        decisions: &mut [Decision<'_, Chase>],
    ) -> Result<Vec<ChoiceOrForfeit<Action>>, AgentFailure> {
        let chosen = self.0.choose_batch(decisions)?;
        let answers = decisions.iter().zip(chosen).map(|(decision, choice)| {
            let mut replayed = decision.start.clone();
            decision.actions.iter().for_each(|&action| replayed.apply(action));
            assert_eq!(replayed.key(), decision.game.key(), "the past leads to the present");
            assert_eq!(replayed.plies(), decision.game.plies());
            match decision.actions.len() {
                8.. => Err(Forfeit("gave up".into())),
                _ => Ok(choice),
            }
        });
        Ok(answers.collect())
    }
}

#[test]
fn a_forfeit_loses_its_own_game_and_no_other() {
    let first = contestant("greedy:blunders=0.5");
    let make = || -> Box<dyn Agent<Chase>> { Box::new(GivesUp(contestant("greedy").agent())) };
    let second = Contestant::new("gives up", make);
    // Together or one by one: a forfeit must not touch the other games of its batch.
    let play = |pairs_at_once| {
        let conditions = Match {
            pairs_at_once,
            ..conditions(17)
        };
        conditions.play([&first, &second], 0..6, &silent).unwrap()
    };
    let result = play(1);
    assert!(play(6) == result);
    assert_eq!((result.games().wins, result.games().played()), (12, 12));
    for pair in &result.pairs {
        for (game, winner) in pair.games.iter().zip(["white", "black"]) {
            assert_eq!(
                (game.outcome.name(), game.reason.as_str()),
                (winner, "forfeit: gave up")
            );
            assert_eq!(game.plies as usize, game.actions.len());
            assert!(game.plies >= 8);
        }
    }
}

#[test]
fn matches_run_for_any_game() {
    let random = |name: &str| Contestant::new(name, || Box::new(Random::<ConnectFour>::new()));
    let conditions = Match {
        rules: (),
        openings: Openings::Random { plies: 0 },
        seed: 3,
        max_plies: 100,
        pairs_at_once: 8,
    };
    let result = conditions.play([&random("a"), &random("b")], 0..400, &silent).unwrap();
    // Equal players: the interval at 95 % held one half for this seed, as for 19 in 20.
    let estimate = ScoreEstimate::from_pairs(&result.pair_counts()).unwrap();
    assert!(estimate.score_interval.contains(0.5), "{estimate:?}");
    // No two games share their random numbers, neither in a pair nor between pairs; from the same initial position,
    // that shows in their actions.
    let games = result.pairs.iter().flat_map(|pair| &pair.games);
    let distinct: HashSet<_> = games.map(|game| &game.actions).collect();
    assert_eq!(distinct.len(), 800);
    // Random players draw about 0.25 % of games, and the first to move wins about 55.5 %.
    let white = result.pairs.iter().flat_map(|pair| &pair.games);
    let white = white.filter(|game| game.outcome.name() == "white").count();
    assert!((390..=500).contains(&white), "{white} of 800");
}

static NEVER: AtomicBool = AtomicBool::new(false);

#[test]
fn an_evaluation_rates_an_agent_on_a_fixed_scale() {
    let specs = ["random", "greedy:blunders=0.9", "greedy:blunders=0.6", "greedy"];
    let yardstick = || {
        let opponents = specs.map(contestant).into();
        Yardstick::new(&mut Here::default(), conditions(20), opponents, 100, &NEVER).unwrap()
    };
    let agent = contestant("greedy:blunders=0.75");
    let evaluate = |yardstick: &Yardstick<Chase>, agent: &Contestant<Chase>, pairs| {
        yardstick.evaluate(&mut Here::default(), agent, pairs, 21, &NEVER, &silent)
    };
    let report = evaluate(&yardstick(), &agent, 50).unwrap();
    assert_eq!((report.cost.games, report.opponents.len()), (400, 4));
    let ratings = report.ratings.clone().unwrap();
    let rating = |name| match ratings.standing(name) {
        Some(&Standing::Rated(estimate)) => estimate,
        other => panic!("{name}: {other:?}"),
    };
    let [random, low, middle, high] = ["random", specs[1], "greedy:blunders=0.75", specs[2]].map(rating);
    assert_eq!(random.elo, 0.0);
    assert!(
        low.elo < middle.elo && middle.elo < high.elo,
        "{low:?} {middle:?} {high:?}"
    );
    assert!(low.low > 0.0, "{low:?}");
    assert_eq!(report.rating, Standing::Rated(middle));
    // A yardstick of the same conditions gives the same report, the time aside.
    let mut repeated = evaluate(&yardstick(), &agent, 50).unwrap();
    repeated.cost.seconds = report.cost.seconds;
    assert_eq!(repeated, report);
    let error = evaluate(&yardstick(), &contestant("greedy"), 1).unwrap_err();
    assert!(
        error.to_string().starts_with("two players are called `greedy`"),
        "{error}"
    );
}

#[test]
fn an_evaluation_without_results_says_so() {
    let rules = Rules {
        max_turns: NonZeroU32::new(10),
        ..Rules::default()
    };
    let short = Match { rules, ..conditions(1) };
    let yardstick = Yardstick::new(&mut Here::default(), short, vec![contestant("random")], 1, &NEVER).unwrap();
    let report = yardstick.evaluate(&mut Here::default(), &contestant("greedy"), 2, 1, &NEVER, &silent);
    let report = report.unwrap();
    assert_eq!((report.rating, report.ratings), (Standing::Unknown, None));
    assert_eq!(
        (report.opponents[0].games.truncated, report.opponents[0].score),
        (4, None)
    );
}

#[test]
fn a_match_that_is_not_wanted_any_more_ends_before_its_pairs_do() {
    let players = ["random", "greedy"].map(contestant);
    let (stop, finished) = (AtomicBool::new(false), AtomicU32::new(0));
    let played = on_threads(2, || {
        conditions(20).play_until([&players[0], &players[1]], 0..1000, &stop, &|_| {
            finished.fetch_add(1, Ordering::Relaxed);
            stop.store(true, Ordering::Relaxed);
        })
    });
    assert_eq!(played.unwrap_err(), MatchError::Stopped);
    // Each thread may end the pair in hand.
    let finished = finished.into_inner();
    assert!((1..=2).contains(&finished), "{finished} pairs");
}
