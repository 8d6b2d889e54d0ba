//! An analysis for people.

use std::fmt::Write;

use chase_arena::analysis::{ActionReport, AnalysisEnd, AnalysisReport, WdlReport};

use crate::columns;

/// The board as text, with the verdict and a table of actions below it.
pub fn of(board: &str, report: &AnalysisReport, evaluator: &str) -> String {
    let mut text = format!("{board}\n");
    if let (Some(outcome), Some(reason)) = (report.outcome, report.end_reason) {
        let _ = writeln!(text, "the game is over: {outcome} ({reason})");
        return text;
    }
    let _ = writeln!(text, "{}", columns::wrapped(&verdict(report), 2));
    let stop = match report.stop {
        Some(AnalysisEnd::Memory) => ", as many as the memory holds",
        Some(AnalysisEnd::Stopped) => ", then stopped",
        _ => "",
    };
    let work = match (report.nodes, report.depth) {
        (Some(nodes), Some(depth)) => format!("{nodes} nodes, {depth} plies deep,"),
        _ => format!("{} simulations", report.simulations),
    };
    let cost = format!(
        "{work} in {:.2} s{stop}; positions judged by {evaluator}",
        report.seconds
    );
    let _ = writeln!(text, "{}", columns::wrapped(&cost, 2));
    if !report.principal_variation_text.is_empty() {
        let expected = format!("expected: {}", report.principal_variation_text.join(" "));
        let _ = writeln!(text, "{}", columns::wrapped(&expected, 2));
    }
    text.push('\n');
    text += &actions(&report.actions);
    match report.legal_actions - report.actions.len() {
        0 => {}
        rest => {
            let all = report.legal_actions;
            let _ = writeln!(text, "and {rest} more actions: --top {all} lists all");
        }
    }
    text
}

/// The best action and the value of the position, in one line.
pub fn verdict(report: &AnalysisReport) -> String {
    let Some(best) = &report.best_text else {
        return "nothing is known yet".to_owned();
    };
    let proven = match report.proven {
        Some("draw") => "; proven: a draw".to_owned(),
        Some(winner) => format!("; proven: {winner} wins"),
        None => String::new(),
    };
    let worth = match (report.value, report.wdl) {
        (Some(value), Some(wdl)) => format!(", value {value:+.3} for {} ({})", report.to_move, in_words(wdl)),
        (Some(value), None) => format!(", value {value:+.3} for {}", report.to_move),
        _ => String::new(),
    };
    format!("best: {best}{worth}{proven}")
}

fn in_words(WdlReport { win, draw, loss }: WdlReport) -> String {
    let percent = |share: f32| f64::from(share) * 100.0;
    format!(
        "win {:.1} %, draw {:.1} %, loss {:.1} %",
        percent(win),
        percent(draw),
        percent(loss)
    )
}

/// Columns that are left out in a narrow terminal, in this order.
const DISPENSABLE: [usize; 5] = [7, 6, 3, 1, 5];

/// One line per action, under a heading. The line expected after an action is at its end or, in a narrow terminal,
/// below it.
pub fn actions(actions: &[ActionReport]) -> String {
    let width = columns::width();
    let lines = if actions.iter().any(|action| action.depth.is_some()) {
        let headings = ["action", "exact", "plies", "Q", "score %"];
        columns::table(headings, actions.iter().map(row_of_line), &[1, 2])
    } else {
        let headings = ["action", "exact", "visits", "prior %", "Q", "win %", "draw %", "loss %"];
        columns::table(headings, actions.iter().map(row), &DISPENSABLE)
    };
    let mut text = String::new();
    let endings = [String::new()].into_iter().chain(actions.iter().map(ending));
    for (line, ending) in lines.into_iter().zip(endings) {
        text += &line;
        let whole = line.chars().count() + 2 + ending.chars().count();
        match ending.is_empty() {
            true => {}
            false if width.is_none_or(|width| whole <= width) => text += &format!("  {ending}"),
            false => text += &format!("\n{}", columns::wrapped(&format!("    {ending}"), 4)),
        }
        text.push('\n');
    }
    text
}

/// An action of an alpha-beta search.
fn row_of_line(action: &ActionReport) -> [String; 5] {
    let [q, score] = action.q.map_or_else(Default::default, |q| {
        [format!("{q:+.3}"), format!("{:.1}", 50.0 * (f64::from(q) + 1.0))]
    });
    let depth = action.depth.map_or_else(String::new, |depth| depth.to_string());
    [action.text.clone(), action.action.clone(), depth, q, score]
}

fn row(action: &ActionReport) -> [String; 8] {
    let percent = |share: f32| format!("{:.1}", f64::from(share) * 100.0);
    let [q, win, draw, loss] = match (action.q, action.wdl) {
        (Some(q), Some(wdl)) => [
            format!("{q:+.3}"),
            percent(wdl.win),
            percent(wdl.draw),
            percent(wdl.loss),
        ],
        _ => Default::default(),
    };
    let (text, exact) = (action.text.clone(), action.action.clone());
    [
        text,
        exact,
        action.visits.to_string(),
        action.prior.map_or_else(String::new, percent),
        q,
        win,
        draw,
        loss,
    ]
}

/// The proven result of an action, if there is one, and the line that is expected after it.
fn ending(action: &ActionReport) -> String {
    let proven = match action.proven {
        Some("draw") => Some("a proven draw".to_owned()),
        Some(winner) => Some(format!("{winner} wins, proven")),
        None => None,
    };
    let line = action.line.as_ref().and_then(|line| line.get(1..));
    let line = line.filter(|rest| !rest.is_empty());
    let parts = [proven, line.map(|rest| format!("then {}", rest.join(" ")))];
    parts.into_iter().flatten().collect::<Vec<_>>().join("  ")
}
