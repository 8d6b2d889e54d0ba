//! The opening table of a report, with boards where the game is Chase.

use chase_engine::{Chase, Game};
use chase_training::openings::Tally;

use super::boards;
use super::figures::Figures;
use super::opening_table::{OpeningRow, OpeningTable};
use chase_report::board::color;
use chase_report::number::{self, NONE};
use chase_report::page::table;
use maud::{Markup, Render, html};

/// What the run thinks of openings; words that say so where there are none.
pub fn openings(figures: &Figures) -> Markup {
    let Some(table) = &figures.openings else {
        let text = match figures.run.plays_no_games() {
            true => "This run plays no games.",
            false => "This run has not written opening statistics yet.",
        };
        return html! { p.soft { (text) } };
    };
    html! {
        p.facts.wide { (method(figures, table)) }
        @if let Some(moves) = &figures.first_moves { (moves.charts()) }
        @if figures.run.game == Chase::NAME {
            (boards::boards(table))
            h2 { "All first moves" }
        }
        (moves(table))
    }
}

fn method(figures: &Figures, table: &OpeningTable) -> String {
    let run = &figures.run;
    let games = if table.purpose == "measurement" {
        let search = run.measurement_simulations.map_or(String::new(), |simulations| {
            format!(", {simulations} simulations per ply without noise")
        });
        let plies = run.measurement_temperature_plies.map_or(String::new(), |plies| {
            format!("; moves of the first {plies} plies are drawn in proportion to visits, so that games differ")
        });
        format!(
            "{} measurement games of generation {}{search}{plies}.",
            table.games, table.generation
        )
    } else {
        let (before, noise) = match run.kind.facts().explores {
            true => (
                "No measurement games yet: these are",
                "exploration noise, which changes shares and results",
            ),
            false => ("These are", "chance: each search draws its own number of nodes"),
        };
        format!(
            "{before} {} self-play games of generation {}, with {noise}.",
            table.games, table.generation
        )
    };
    let visits = match table.has_visits() {
        true => " Prior: the network's probability at the temperature of its searches. Visits: share of the search.",
        false => "",
    };
    let words = format!(
        " Value: expected score of the first player after the move, by searches of the position after it (mean over the games that \
         reached it; a draw counts half). Score: points that the first player made in these games, with Wilson's 95\u{202f}% interval; \
         truncated games do not count.{visits} Actions that lead to the same position share a row. How often a move is played does \
         not say how good it is."
    );
    games + &words
}

fn moves(openings: &OpeningTable) -> Markup {
    let ends = openings.values();
    let has_visits = openings.has_visits();
    let optional = |share: Option<f64>| share.map_or(NONE.to_owned(), number::percent).render();
    let row = |opening: &OpeningRow| -> Vec<Markup> {
        let others = opening.actions.get(1..).unwrap_or_default();
        let name = html! {
            span title={ "exact form: " (opening.actions.join(", ")) } {
                (opening.text)
                @if !others.is_empty() { small { " or " (others.join(", ")) } }
            }
        };
        let value = match (opening.value, ends) {
            (Some(value), Some(ends)) => html! {
                span { i.chip style={ "background:" (color(value, ends)) } {} (number::percent(value)) }
            },
            _ => html! { (NONE) },
        };
        let score = match &opening.first_player {
            Some(score) => html! {
                span { (number::percent(score.score)) " " small { (number::percent_interval(&score.interval)) } }
            },
            None => html! { (NONE) },
        };
        let bar = match opening.tally.games {
            0 => NONE.render(),
            _ => bar(&opening.tally),
        };
        let searched = [opening.visits, opening.prior].map(optional);
        let mut cells: Vec<Markup> = vec![name, value];
        cells.extend(searched.into_iter().filter(|_| has_visits));
        cells.extend([
            number::count(opening.tally.games).render(),
            number::percent(opening.share).render(),
            bar,
            score,
            opening.mean_plies.map_or(NONE.to_owned(), number::figure).render(),
        ]);
        cells
    };
    let mut headings = vec!["first move", "value"];
    headings.extend(["visits", "prior"].into_iter().filter(|_| has_visits));
    headings.extend([
        "games",
        "share",
        "White, draw, Black, truncated",
        "score of the first player, 95\u{202f}%",
        "mean plies",
    ]);
    let (played, never): (Vec<&OpeningRow>, Vec<&OpeningRow>) =
        openings.moves.iter().partition(|opening| opening.tally.games > 0);
    if played.is_empty() || never.is_empty() {
        return table(&headings, openings.moves.iter().map(row));
    }
    let summary = match never.len() {
        1 => "One first move without games".to_owned(),
        count => format!("{count} first moves without games"),
    };
    html! {
        div {
            (table(&headings, played.into_iter().map(row)))
            details { summary { (summary) } (table(&headings, never.into_iter().map(row))) }
        }
    }
}

/// Results as parts of a bar.
pub(crate) fn bar(tally: &Tally) -> Markup {
    let parts = [
        ("white-wins", tally.white, "White wins"),
        ("draws", tally.draws, "draws"),
        ("black-wins", tally.black, "Black wins"),
        ("truncated", tally.truncated, "truncated"),
    ];
    let note: Vec<String> = parts.iter().map(|(_, count, name)| format!("{name} {count}")).collect();
    let mut left = 0.0;
    let parts = parts.into_iter().filter(|&(_, count, _)| count > 0);
    let parts = parts.map(|(class, count, _)| {
        let width = 100.0 * count as f64 / tally.games.max(1) as f64;
        left += width;
        (class, [left - width, width].map(number::coordinate))
    });
    html! {
        svg.bar xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 12" preserveAspectRatio="none" role="img" {
            title { (note.join(", ")) }
            @for (class, [x, width]) in parts { rect class=(class) x=(x) y="0" width=(width) height="12" {} }
        }
    }
}
