//! An analysis for people.

use std::fmt::Write;

use chase_arena::analysis::{ActionReport, AnalysisEnd, Report, WdlReport};

/// The board as text, with the verdict and a table of actions below it.
pub fn of(board: &str, report: &Report, evaluator: &str) -> String {
    let mut text = format!("{board}\n");
    if let (Some(outcome), Some(reason)) = (report.outcome, report.end_reason) {
        let _ = writeln!(text, "the game is over: {outcome} ({reason})");
        return text;
    }
    let _ = writeln!(text, "{}", verdict(report));
    let stop = match report.stop {
        Some(AnalysisEnd::Memory) => ", as many as the memory holds",
        Some(AnalysisEnd::Stopped) => ", then stopped",
        _ => "",
    };
    let _ = writeln!(
        text,
        "{} simulations in {:.2} s{stop}; positions judged by {evaluator}",
        report.simulations, report.seconds
    );
    if !report.principal_variation_text.is_empty() {
        let _ = writeln!(text, "expected: {}", report.principal_variation_text.join(" "));
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
pub fn verdict(report: &Report) -> String {
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

/// One line per action, under a heading.
pub fn actions(actions: &[ActionReport]) -> String {
    let width = |text: fn(&ActionReport) -> &str| actions.iter().map(|action| text(action).len()).max().unwrap_or(0);
    let (article, exact) = (
        width(|action| &action.text).max(6),
        width(|action| &action.action).max(5),
    );
    let mut text = format!(
        "{:article$}  {:exact$}  {:>7}  {:>7}  {:>6}  {:>6}  {:>6}  {:>6}\n",
        "action", "exact", "visits", "prior %", "Q", "win %", "draw %", "loss %"
    );
    for action in actions {
        let percent = |share: f32| format!("{:.1}", f64::from(share) * 100.0);
        let mut line = format!(
            "{:article$}  {:exact$}  {:>7}  {:>7}",
            action.text,
            action.action,
            action.visits,
            percent(action.prior)
        );
        if let (Some(q), Some(wdl)) = (action.q, action.wdl) {
            let [win, draw, loss] = [wdl.win, wdl.draw, wdl.loss].map(percent);
            let _ = write!(line, "  {q:>+6.3}  {win:>6}  {draw:>6}  {loss:>6}");
        }
        match action.proven {
            Some("draw") => line += "  a proven draw",
            Some(winner) => line += &format!("  {winner} wins, proven"),
            None => {}
        }
        if let Some(rest) = action
            .line
            .as_ref()
            .and_then(|line| line.get(1..))
            .filter(|rest| !rest.is_empty())
        {
            line += &format!("  then {}", rest.join(" "));
        }
        text += line.trim_end();
        text.push('\n');
    }
    text
}
