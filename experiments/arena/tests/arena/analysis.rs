//! Analyses: values belong to who moves, company changes nothing, and what is known is kept.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use chase_arena::analysis::{AnalysisEnd, AnalysisReport, Answer, Desk, DeskSettings, ReportOptions, Request};
use chase_arena::{Agent, Contestant, Decision, Keep, PlayerSpec, SearchLimits, SearchTask, Usage};
use chase_engine::chase::{Action, Position, Rules};
use chase_engine::search::{Search, SearchParams, UniformEvaluator};
use chase_engine::{Chase, Game, Outcome};
use chase_models::device::Device;
use chase_statistics::generator;
use rand::{RngExt, SeedableRng};

const ALL: ReportOptions = ReportOptions { top: None, lines: true };

pub fn judge(text: &str) -> Contestant<Chase> {
    let player: PlayerSpec = text.parse().unwrap();
    player.ready(Chase::NAME, Device::Cpu, Usage::Analysis).unwrap()
}

/// The end of a search of a game without its past.
fn searched(agent: &mut dyn Agent<Chase>, game: &Chase, simulations: u64) -> AnalysisReport {
    let mut rng = generator(1, &[]);
    let stop = AtomicBool::new(false);
    let mut unwatched = |_: &AnalysisReport| ();
    let mut task = SearchTask::new(SearchLimits::nodes(simulations), ALL, &stop, &mut unwatched);
    let (action, report) = agent.search(Decision::without_past(game, &mut rng), &mut task).unwrap();
    assert_eq!(action.map(|action| action.to_string()), report.best_action);
    timeless(report)
}

/// The end of a search that goes on with what is known of the game.
fn continued(agent: &mut dyn Agent<Chase>, actions: &[Action], limits: SearchLimits) -> AnalysisReport {
    let start = Chase::new(&Rules::default());
    let mut game = start.clone();
    actions.iter().for_each(|&action| game.apply(action));
    let decision = Decision {
        game: &game,
        start: &start,
        actions,
        rng: &mut generator(1, &[]),
    };
    let stop = AtomicBool::new(false);
    let mut unwatched = |_: &AnalysisReport| ();
    let mut task = SearchTask {
        keep: Keep::OfGame,
        ..SearchTask::new(limits, ALL, &stop, &mut unwatched)
    };
    agent.search(decision, &mut task).unwrap().1
}

/// A report without what no two searches have in common.
pub fn timeless(report: AnalysisReport) -> AnalysisReport {
    AnalysisReport { seconds: 0.0, ..report }
}

/// A random game one ply before its end, won by the player to move.
fn won_in_one(seed: u64) -> Option<Chase> {
    let mut rng = generator(seed, &[]);
    let mut game = Chase::new(&Rules::default());
    let mut actions = Vec::new();
    loop {
        game.legal_actions(&mut actions);
        let mut next = game.clone();
        next.apply(actions[rng.random_range(0..actions.len())]);
        match next.outcome() {
            Some(Outcome::Win(winner)) => return (winner == game.to_move()).then_some(game),
            Some(_) => return None,
            None => game = next,
        }
    }
}

#[test]
fn values_belong_to_the_player_to_move_and_outcomes_to_nobody() {
    let mut agent = judge("uniform").agent();
    let mut winners = [0, 0];
    for game in (0..20).filter_map(won_in_one) {
        let player = game.to_move();
        winners[player as usize] += 1;
        for position in [*game.position(), game.position().rotated()] {
            let game = Chase::from_position(position, Rules::default());
            let report = searched(&mut *agent, &game, 20_000);
            assert_eq!(report.to_move, position.to_move().name());
            assert_eq!(
                (report.stop, report.proven),
                (Some(AnalysisEnd::Proven), Some(report.to_move))
            );
            assert_eq!((report.value, report.wdl.unwrap().win), (Some(1.0), 1.0));
            // The proof is in an action, which is the one to play and comes first.
            let best = &report.actions[0];
            assert_eq!(Some(&best.action), report.best_action.as_ref());
            assert_eq!((best.q, best.proven), (Some(1.0), Some(report.to_move)));
            assert_eq!(best.line.as_ref(), Some(&report.principal_variation));
            // For the one who has lost in the position after it, it is a loss.
            let mut next = game.clone();
            next.apply(best.action.parse().unwrap());
            for agent in [&mut agent, &mut judge("nnue-57").agent(), &mut judge("random").agent()] {
                let after = searched(&mut **agent, &next, 10);
                assert_eq!((after.stop, after.value), (Some(AnalysisEnd::GameOver), Some(-1.0)));
                assert_eq!(after.outcome, Some(report.to_move));
                assert!(after.actions.is_empty() && after.best_action.is_none() && after.visits == 0);
            }
        }
    }
    assert!(winners.iter().all(|&count| count > 0), "{winners:?}");
}

#[test]
fn the_player_to_absorb_is_the_one_whose_values_they_are() {
    // White chooses the die that absorbs, and then moves.
    let position: Position = "4a1C2/1d2BcC2/6Ad1/B3C4/7B1/dA7/1e7/d8/9 w".parse().unwrap();
    let mut agent = judge("rollouts").agent();
    let report = searched(&mut *agent, &Chase::from_position(position, Rules::default()), 4000);
    for action in &report.actions {
        let next = position.play(action.action.parse().unwrap()).unwrap();
        assert_eq!(next.to_move(), position.to_move(), "a choice of the same player");
        let below = searched(&mut *agent, &Chase::from_position(next, Rules::default()), 4000);
        let (here, there) = (action.q.unwrap(), below.value.unwrap());
        // The sign is what matters; with it wrong the difference would be twice the value.
        assert!(
            (here - there).abs() < there.abs(),
            "{}: {here} here, {there} below",
            action.action
        );
    }
}

#[test]
fn an_analysis_is_what_a_search_of_as_many_simulations_finds() {
    let game = Chase::new(&Rules::default());
    let mut agent = judge("uniform").agent();
    // More than one chunk, and parts that do not divide it.
    let whole = searched(&mut *agent, &game, 2500);
    let mut search = Search::new();
    let params = SearchParams {
        simulations: 2500,
        ..SearchParams::default()
    };
    let mut rng = rand::rngs::Xoshiro256PlusPlus::seed_from_u64(0);
    search.start(&game, &params, &mut rng).unwrap();
    search.run(&mut UniformEvaluator).unwrap();
    for edge in search.root().unwrap().edges() {
        let found = whole
            .actions
            .iter()
            .find(|action| action.action == edge.action.to_string());
        assert_eq!(found.unwrap().visits, edge.visits, "{}", edge.action);
    }
    assert_eq!((whole.simulations, whole.visits), (2500, 2501));

    let mut part = |count| timeless(continued(&mut *agent, &[], SearchLimits::nodes(count)));
    let first = part(0);
    assert_eq!((first.simulations, first.visits), (0, 1));
    assert!(first.best_action.is_some() && first.actions[0].q.is_none());
    let parts = [700, 1300, 500].map(|count| {
        let report = part(count);
        assert_eq!(
            (u64::from(report.simulations), report.stop),
            (count, Some(AnalysisEnd::Simulations))
        );
        report
    });
    assert_eq!(
        parts[2],
        AnalysisReport {
            simulations: 500,
            ..whole
        }
    );
}

#[test]
fn what_is_known_about_an_action_is_kept_when_it_is_played() {
    let mut agent = judge("rollouts").agent();
    let before = continued(&mut *agent, &[], SearchLimits::nodes(600));
    let best = &before.actions[0];
    let after = continued(&mut *agent, &[best.action.parse().unwrap()], SearchLimits::nodes(0));
    assert_eq!((after.visits, after.value), (best.visits, best.q.map(|q| -q)));
    assert_eq!(after.principal_variation, before.principal_variation[1..]);
    // What leads elsewhere begins anew.
    let elsewhere = continued(&mut *agent, &[], SearchLimits::nodes(0));
    assert_eq!(elsewhere.visits, 1);
}

#[test]
fn analyses_can_go_to_other_threads() {
    const fn sendable<T: Send>() {}
    sendable::<Contestant<Chase>>();
    sendable::<Desk>();
}

#[test]
fn an_analysis_can_be_watched_broken_off_and_timed() {
    let mut agent = judge("uniform").agent();
    let game = Chase::new(&Rules::default());
    let stop = AtomicBool::new(false);
    let mut seen = Vec::new();
    let mut watch = |report: &AnalysisReport| {
        seen.push(report.simulations);
        stop.store(report.simulations >= 1500, Ordering::Relaxed);
    };
    let mut rng = generator(1, &[]);
    let mut task = SearchTask {
        infinite: true,
        every: Some(Duration::ZERO),
        ..SearchTask::new(SearchLimits::default(), ALL, &stop, &mut watch)
    };
    let (_, report) = agent
        .search(Decision::without_past(&game, &mut rng), &mut task)
        .unwrap();
    assert_eq!(report.stop, Some(AnalysisEnd::Stopped));
    assert_eq!(seen, (0..=1500).collect::<Vec<_>>());
    let time = |milliseconds| SearchLimits::time(Duration::from_millis(milliseconds));
    continued(&mut *agent, &[], SearchLimits::nodes(1500));
    // However busy the machine is, some of these times are enough for a simulation.
    let searches = [20, 200, 2000, 20_000].into_iter().any(|milliseconds| {
        let report = continued(&mut *agent, &[], time(milliseconds));
        assert_eq!(report.stop, Some(AnalysisEnd::Time));
        assert!(report.seconds >= milliseconds as f64 / 1000.0);
        report.simulations > 0 && report.visits > 1500
    });
    assert!(searches);
    // However short the time, there is an opinion.
    let report = continued(&mut *judge("uniform").agent(), &[], time(0));
    assert_eq!((report.stop, report.visits), (Some(AnalysisEnd::Time), 1));
    assert!(report.best_action.is_some());
    let stop = AtomicBool::new(false);
    let mut unwatched = |_: &AnalysisReport| ();
    let mut small = SearchTask {
        infinite: true,
        memory: 200_000,
        ..SearchTask::new(SearchLimits::default(), ALL, &stop, &mut unwatched)
    };
    let (_, report) = agent
        .search(Decision::without_past(&game, &mut rng), &mut small)
        .unwrap();
    assert_eq!(report.stop, Some(AnalysisEnd::Memory));
}

fn request(id: &str, moves: &str) -> Request {
    Request {
        id: id.to_owned(),
        moves: moves.split_whitespace().map(str::to_owned).collect(),
        simulations: Some(60),
        lines: true,
        ..Request::default()
    }
}

pub fn desk(player: &str, at_once: usize) -> Desk {
    let spec: PlayerSpec = player.parse().unwrap();
    let settings = DeskSettings {
        unit: spec.search().unwrap().search.form().unit,
        usual: SearchLimits::nodes(5000),
        at_once,
        memory: 1 << 30,
    };
    Desk::new(judge(player), Rules::default(), settings)
}

/// Answers until every request is done: ids and whether they are final, with their reports.
pub fn finish(desk: &mut Desk) -> Vec<(String, bool, AnalysisReport)> {
    let mut answers = Vec::new();
    while !desk.is_idle() {
        for answer in desk.step().unwrap() {
            match answer {
                Answer::Report { id, r#final, report } => answers.push((id, r#final, timeless(*report))),
                other => panic!("{other:?}"),
            }
        }
    }
    answers
}

#[test]
fn requests_come_out_alike_in_any_company() {
    let lines = ["", "A3D2", "A3D2 1I4I3", "1A6A7 1I4I3 A7E5/D5=2/E6=2"];
    let mut results = Vec::new();
    for at_once in [1, 3, 100] {
        let mut desk = desk("rollouts", at_once);
        for (index, line) in lines.iter().enumerate() {
            desk.submit(request(&index.to_string(), line)).unwrap();
        }
        let mut answers = finish(&mut desk);
        answers.sort_by(|one, other| one.0.cmp(&other.0));
        assert!(answers.iter().all(|(_, last, _)| *last));
        results.push(answers);
    }
    assert_eq!(results[0], results[1]);
    assert_eq!(results[0], results[2]);
    let game = request("", lines[2]).game::<Chase>(&Rules::default()).unwrap();
    assert_eq!(results[0][2].2, searched(&mut *judge("rollouts").agent(), &game, 60));
}

#[test]
fn requests_begin_by_priority_then_in_their_order() {
    let mut desk = desk("rollouts", 1);
    for (id, priority) in [("a", 0), ("b", -1), ("c", 5), ("d", 0), ("e", 5)] {
        desk.submit(Request {
            priority,
            ..request(id, "")
        })
        .unwrap();
    }
    let order: String = finish(&mut desk).into_iter().map(|(id, ..)| id).collect();
    assert_eq!(order, "ceadb");
}

#[test]
fn reports_come_on_the_way_and_the_last_one_once() {
    let mut desk = desk("rollouts", 2);
    desk.submit(Request {
        report_every: Some(0),
        top: Some(3),
        ..request("a", "")
    })
    .unwrap();
    desk.submit(request("b", "A3D2")).unwrap();
    let answers = finish(&mut desk);
    let mine: Vec<_> = answers.iter().filter(|(id, ..)| id == "a").collect();
    let visits: Vec<u32> = mine.iter().map(|(_, _, report)| report.visits).collect();
    assert!(
        visits.windows(2).all(|pair| pair[0] <= pair[1]) && visits.len() > 60,
        "{visits:?}"
    );
    assert_eq!(mine.iter().filter(|(_, last, _)| *last).count(), 1);
    assert!(
        mine.iter()
            .all(|(_, _, report)| report.actions.len() == 3 && report.legal_actions == 46)
    );
    assert_eq!(answers.len() - mine.len(), 1);
}

#[test]
fn bad_requests_are_refused_with_id_place_and_reason() {
    let mut desk = desk("rollouts", 1);
    assert!(desk.take(r#"{"id": "a"}"#).is_empty());
    for (line, id, reason) in [
        ("{", None, "expected a request as JSON: EOF"),
        ("[]", None, "expected a request as JSON"),
        ("{}", None, "missing field `id`"),
        (r#"{"id": 7}"#, None, "expected a string"),
        (
            r#"{"id": "b", "visits": 3}"#,
            Some("b"),
            "unknown field `visits`, expected one of `id`",
        ),
        (r#"{"id": "b", "simulations": -1}"#, Some("b"), "invalid value"),
        (
            r#"{"id": "b", "position": "9/9 w"}"#,
            Some("b"),
            "position, byte 3: expected row G",
        ),
        (
            r#"{"id": "b", "moves": ["A3D2", "A3D2"]}"#,
            Some("b"),
            "moves[1], byte 0: illegal: there is no die on A3",
        ),
        (
            r#"{"id": "b", "rules": "none"}"#,
            Some("b"),
            "rules: expected `repetition` with a limit (1 to 4294967295) or `off`, like `repetition 3, quiet 100, length 400`\n  none\n  ^^^^",
        ),
        (
            r#"{"id": "b", "rules": "repetition off, quiet 1, length off", "moves": ["A3D2", "1I4I3"]}"#,
            Some("b"),
            "moves[1]: the game is over before it: draw (quiet turns)",
        ),
        (r#"{"id": "a"}"#, Some("a"), "a request `a` is in flight"),
        (
            r#"{"action": "stop", "id": "a"}"#,
            Some("a"),
            "expected \"analyse\", \"terminate\"",
        ),
        (r#"{"action": "terminate"}"#, None, "missing field `id`"),
    ] {
        match &desk.take(line)[..] {
            [Answer::Error { id: found, error }] => {
                assert_eq!(found.as_deref(), id, "{line}");
                assert!(error.contains(reason), "{line}: {error}");
            }
            other => panic!("{line}: {other:?}"),
        }
    }
    assert_eq!(desk.in_flight(), 1);
}

#[test]
fn a_game_that_is_over_has_its_outcome_and_no_actions() {
    let report = |rules: &str, moves: &str| {
        let request = Request {
            rules: Some(rules.to_owned()),
            ..request("", moves)
        };
        searched(
            &mut *judge("uniform").agent(),
            &request.game::<Chase>(&Rules::default()).unwrap(),
            10,
        )
    };
    let drawn = report("repetition off, quiet 1, length off", "A3D2");
    assert_eq!((drawn.outcome, drawn.end_reason), (Some("draw"), Some("quiet turns")));
    assert_eq!((drawn.value, drawn.wdl.unwrap().draw), (Some(0.0), 1.0));
    // A truncated game has no value.
    let truncated = report("repetition off, quiet off, length 1", "A3D2");
    assert_eq!((truncated.outcome, truncated.value), (Some("truncated"), None));
    // A line on which every game is truncated proves nothing, and ends all the same.
    let near = report("repetition off, quiet off, length 2", "A3D2");
    assert_eq!(
        (near.outcome, near.proven, near.stop),
        (None, None, Some(AnalysisEnd::Simulations))
    );
}
