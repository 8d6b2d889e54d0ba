//! A balance study as text.

use chase_balance::{BalanceConfig, BalanceReport, GameReport, OverAgents, Plan};
use chase_report::number::NONE;

use crate::columns;

/// The main results for a person.
pub fn in_words(report: &BalanceReport) -> String {
    let mut table = games(report);
    let mut lines = Vec::new();
    let [small, large] = report.provenance.config.measurement.simulations;
    lines.push(format!(
        "first: first player's score in % with {large} simulations per move, and 95 % over agents; at {small}: the same with {small}."
    ));
    lines.push("good: first moves within the margin of the best; classes: steps of 75 % from random play.".to_owned());
    if !report.effects.is_empty() {
        lines.push(String::new());
        lines.push(format!(
            "Comparisons, {} of {} agents finished; all intervals together hold with 95 %:",
            report.agents, report.of
        ));
        lines.extend(report.effects.iter().map(|effect| effect.line()));
    }
    lines.push(String::new());
    lines.extend(report.notes.iter().map(|note| format!("note: {note}")));
    table.extend(lines.iter().map(|line| columns::wrapped(line, 2)));
    table.join("\n")
}

/// The table of games: headings, then a line for each game.
fn games(report: &BalanceReport) -> Vec<String> {
    let percent =
        |found: Option<&OverAgents>| found.map_or(NONE.to_owned(), |found| format!("{:.1}", 100.0 * found.mean));
    let one = |found: Option<&OverAgents>| found.map_or(NONE.to_owned(), |found| format!("{:.1}", found.mean));
    let interval = |found: Option<&OverAgents>| {
        let ends = found.and_then(|found| found.interval);
        let ends = ends.and_then(|interval| Some((100.0 * interval.low?, 100.0 * interval.high?)));
        ends.map_or(String::new(), |(low, high)| format!("[{low:.1}, {high:.1}]"))
    };
    let row = |game: &GameReport| {
        let [small, large] = &game.budgets;
        let good = game
            .first_moves
            .as_ref()
            .map(|moves| format!("{:.1}/{:.0}", moves.good, moves.actions));
        [
            game.game.clone(),
            percent(large.score.as_ref()),
            interval(large.score.as_ref()),
            percent(small.score.as_ref()),
            percent(large.draws.as_ref()),
            one(large.plies.as_ref()),
            one(large.branching.as_ref()),
            good.unwrap_or_else(|| NONE.to_owned()),
            format!(
                "{}{}",
                if large.are_bits_a_bound() { "≥" } else { "" },
                one(large.opening_bits.as_ref())
            ),
            one(game.classes.as_ref()),
        ]
    };
    let small = format!("at {}", report.provenance.config.measurement.simulations[0]);
    let headings = [
        "game", "first", "", &small, "draws %", "plies", "actions", "good", "bits", "classes",
    ];
    columns::table(headings, report.games.iter().map(row), &[9, 8, 7, 6, 3, 5, 4])
}

/// The effects that a study can find, as lines.
pub fn plan(plan: &Plan, config: &BalanceConfig) -> Vec<String> {
    let mut lines = vec![format!("# {} comparisons between variants", plan.comparisons)];
    lines.extend(plan.power.iter().map(|power| {
        format!(
            "# {} of {}: ±{:.1} points; equal games are within ±{:.0} points with {:.0} %, twice that is found with {:.0} %",
            power.property,
            power.family,
            100.0 * power.half_width,
            100.0 * config.margins.score,
            100.0 * power.within_if_equal,
            100.0 * power.differs_if_twice,
        )
    }));
    lines
}
