//! Requests by alpha-beta: company changes nothing, and each kind of search refuses the limits of the other.

use std::sync::atomic::AtomicBool;

use chase_arena::analysis::{AnalysisEnd, AnalysisReport, Answer, Request};
use chase_arena::{Decision, SearchLimits, SearchTask, Unit};
use chase_engine::Chase;

use crate::analysis::{desk, finish, judge, timeless};

fn request(id: &str, moves: &str) -> Request {
    Request {
        id: id.to_owned(),
        moves: moves.split_whitespace().map(str::to_owned).collect(),
        top: Some(2),
        lines: true,
        ..Request::default()
    }
}

#[test]
fn requests_come_out_alike_in_any_company() {
    let lines = ["", "A3D2", "A3D2 1I4I3", "1A6A7 1I4I3 A7E5/D5=2/E6=2"];
    let requests: Vec<Request> = lines.iter().map(|line| request(line, line)).collect();
    let alone: Vec<_> = requests
        .iter()
        .map(|request| {
            let game: Chase = request.game(&Default::default()).unwrap();
            let limits = request.limits(Unit::Nodes, SearchLimits::nodes(5000)).unwrap();
            let (stop, mut unwatched) = (AtomicBool::new(false), |_: &AnalysisReport| ());
            let mut task = SearchTask::new(limits, request.report_options(), &stop, &mut unwatched);
            let mut rng = chase_statistics::generator(0, &[]);
            let found = judge("nnue-57")
                .agent()
                .search(Decision::without_past(&game, &mut rng), &mut task);
            (request.id.clone(), true, timeless(found.unwrap().1))
        })
        .collect();
    assert!(alone.iter().all(|(.., report)| report.stop == Some(AnalysisEnd::Nodes)));
    for at_once in [1, 3] {
        let mut desk = desk("nnue-57", at_once);
        // Twice, the second time by analysts that have searched before.
        for _ in 0..2 {
            for request in &requests {
                desk.submit(request.clone()).unwrap();
            }
            let mut answers = finish(&mut desk);
            let place = |id: &str| lines.iter().position(|line| *line == id);
            answers.sort_by_key(|(id, ..)| place(id));
            assert_eq!(answers, alone, "{at_once} at once");
        }
    }
}

#[test]
fn requests_begin_by_priority_and_report_on_the_way() {
    let mut desk = desk("nnue-57", 1);
    for (id, priority) in [("a", 0), ("b", -1), ("c", 5)] {
        let report_every = (id == "c").then_some(0);
        desk.submit(Request {
            priority,
            report_every,
            ..request(id, "")
        })
        .unwrap();
    }
    let answers = finish(&mut desk);
    let last: String = answers
        .iter()
        .filter(|(_, last, _)| *last)
        .map(|(id, ..)| id.as_str())
        .collect();
    assert_eq!(last, "cab");
    let depths: Vec<_> = answers
        .iter()
        .filter(|(id, ..)| id == "c")
        .map(|(.., report)| report.depth)
        .collect();
    assert!(depths.len() > 2 && depths.is_sorted(), "{depths:?}");
    assert_eq!(answers.len() - depths.len(), 2);
}

#[test]
fn requests_can_be_terminated_whether_they_have_begun_or_not() {
    let mut desk = desk("nnue-57", 1);
    for id in ["active", "waiting", "other"] {
        let hour = Some(3_600_000);
        desk.submit(Request {
            milliseconds: hour,
            ..request(id, "")
        })
        .unwrap();
    }
    assert!(desk.step().unwrap().is_empty());
    let told = |answers: Vec<Answer>| -> Vec<String> {
        let lines = answers.iter().map(|answer| serde_json::to_value(answer).unwrap());
        lines
            .map(|line| format!("{} {} {}", line["id"], line["stopped"], line["stop"]))
            .collect()
    };
    let waiting = told(desk.take(r#"{"action": "terminate", "id": "waiting"}"#));
    assert_eq!(waiting, [r#""waiting" 1 null"#, r#""waiting" null "stopped""#]);
    let active = told(desk.take(r#"{"action": "terminate", "id": "active"}"#));
    assert_eq!(active, [r#""active" 1 null"#]);
    let mut answers = Vec::new();
    while answers.is_empty() {
        answers = desk.step().unwrap();
    }
    assert_eq!(told(answers), [r#""active" null "stopped""#]);
    assert_eq!(desk.in_flight(), 1);
    let rest = told(desk.take(r#"{"action": "terminate-all"}"#));
    assert_eq!(rest[0], "null 1 null");
    finish(&mut desk);
}

#[test]
fn each_search_refuses_the_limits_of_the_other() {
    let mut lines = desk("nnue-57", 1);
    let mut trees = desk("uniform", 1);
    let refused = |answers: Vec<Answer>| match &answers[..] {
        [Answer::Error { id: Some(_), error }] => error.clone(),
        other => panic!("{other:?}"),
    };
    let (simulations, nodes) = (r#"{"id": "a", "simulations": 9}"#, r#"{"id": "a", "nodes": 9}"#);
    assert!(refused(lines.take(simulations)).starts_with("simulations: this search counts nodes"));
    assert!(refused(trees.take(nodes)).starts_with("nodes: this search counts simulations"));
    assert_eq!(
        refused(lines.take(r#"{"id": "a", "nodes": 0}"#)),
        "nodes: expected at least 1"
    );
    assert!(lines.is_idle() && trees.is_idle());
    assert!(lines.take(nodes).is_empty() && trees.take(simulations).is_empty());
    assert_eq!(finish(&mut lines)[0].2.stop, Some(AnalysisEnd::Nodes));
}
