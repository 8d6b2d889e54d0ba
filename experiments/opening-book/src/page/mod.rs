//! The page of a book.

mod boards;
mod reasons;

use chase_report::number::{self, NONE};
use chase_report::page::{self, document, table};
use maud::{Markup, Render, html};

use crate::book::Book;
use crate::contest::{Contest, ContestMove};
use crate::position::{BookMove, BookPosition};
use reasons::range;

/// Positions of a page below the first moves: more would be slow to open.
const MOST: usize = 3000;

/// The page of a book, as HTML.
pub fn page(book: &Book) -> String {
    let body = html! {
        (headline(book))
        @if let Some(first) = book.positions.first() {
            section { h2 { "First moves" } (first_moves(book, first)) p.soft { (COLUMNS) } }
            (boards::best(book, first))
            @if let Some(found) = &book.contest { section { h2 { "Contest" } (contest(found)) } }
            (reasons::broken(book))
            section { h2 { "Lines" } (tree(book)) }
        }
        section { h2 { "Agents" } (agents(book)) }
    };
    document("Opening book", [body])
}

const COLUMNS: &str = "Scores are those of the player who moves. Judged: mean of the judges' searches of the position after the move, with the \
                       least and the greatest. Backed up: by minimax from the ends of the lines, ends alike. Disagreement: the difference of \
                       the judges. Held: what is left if the player goes on with the best moves of the book, and the opponent with the best \
                       replies that anyone found, challengers among them. The line is what both play on by the backed-up scores.";

fn headline(book: &Book) -> Markup {
    let config = &book.provenance.config;
    let count = book.positions.len() as u64;
    let lead = format!(
        "{} of {}, to ply {}: every first move, and then up to {} replies of each position.",
        number::counted(count, "position"),
        config.game,
        config.plies,
        config.width
    );
    let program = &book.provenance.program;
    let facts = [
        program.git_hash.as_ref().map(|hash| format!("commit {hash}")),
        Some(format!("version {}", program.program_version)),
        program
            .config
            .as_ref()
            .map(|sum| format!("configuration SHA-256 {sum}")),
    ];
    let facts: Vec<String> = facts.into_iter().flatten().collect();
    page::headline("Which openings are good?", &lead, &facts)
}

fn disagreement(step: &BookMove) -> String {
    match step.judges.len() {
        0 | 1 => NONE.to_owned(),
        _ => step
            .judged()
            .map_or(NONE.to_owned(), |judged| number::percent(judged.high - judged.low)),
    }
}

fn first_moves(book: &Book, first: &BookPosition) -> Markup {
    let row = |(choice, step): (usize, &BookMove)| -> Vec<Markup> {
        let line = book.line(0, choice);
        vec![
            (choice + 1).to_string().render(),
            reasons::short(&step.text).render(),
            range(step.backed).render(),
            range(step.judged()).render(),
            disagreement(step).render(),
            step.held.map_or(NONE.to_owned(), number::percent).render(),
            reasons::actions(&line.actions).render(),
        ]
    };
    let headings = ["", "move", "backed up", "judged", "disagreement", "held", "line"];
    table(&headings, first.moves.iter().enumerate().map(row))
}

/// The followed moves, folded under each other.
fn tree(book: &Book) -> Markup {
    let mut left = MOST;
    html! {
        div {
            (moves(book, 0, &mut left))
            @if left == 0 { p { "Only the first " (MOST) " positions are here; book.json has all." } }
        }
    }
}

fn moves(book: &Book, place: usize, left: &mut usize) -> Markup {
    let position = &book.positions[place];
    let followed = position.moves.iter().filter(|step| step.followed);
    let item = |step: &BookMove| {
        let text = format!("{} {}", reasons::short(&step.text), range(step.backed));
        let Some(to) = step.to.filter(|_| *left > 0) else {
            return html! { span { (text) } };
        };
        *left -= 1;
        html! { details { summary { (text) } (reasons::reason(book, to)) (moves(book, to, left)) } }
    };
    html! { ul { @for item in followed.map(item) { li { (item) } } } }
}

/// The games after the best first moves.
fn contest(found: &Contest) -> Markup {
    let possible = found.possible();
    let level = number::percent(found.level);
    let lead = match possible[..] {
        [] => "The games contradict each other; no move is said to be the best.".to_owned(),
        [only] => format!("Of these moves {only} is the best, at a level of {level}."),
        _ => format!(
            "Each of {} can be the best of these moves: the games do not tell them apart, at a level of {level}.",
            possible.join(", ")
        ),
    };
    let row = |step: &ContestMove| -> Vec<Markup> {
        let score = &step.score;
        let verdict = if score.can_be_best { "yes" } else { "no" };
        let from = number::interval(&score.from_best, |distance| number::difference(100.0 * distance, 1));
        vec![
            step.text.as_str().render(),
            number::count(2 * score.n).render(),
            number::percent(score.mean).render(),
            format!("{from} points").render(),
            verdict.render(),
        ]
    };
    let headings = ["move", "games", "score", "from the best", "can be best"];
    let method = "Pairs of games of one player against itself after each move. A move gets no more games once another one is certainly \
                  better. Distances from the best move, and whether a move can be the best, hold together and at any time (Hsu's \
                  comparisons with the best, intervals by betting).";
    html! {
        p { (lead) }
        (table(&headings, found.moves.iter().map(row)))
        p.soft { (method) }
    }
}

fn agents(book: &Book) -> Markup {
    let rows = book
        .provenance
        .players
        .named()
        .into_iter()
        .map(|(role, agent)| -> Vec<Markup> {
            let weights = agent.weights.clone().unwrap_or_else(|| NONE.to_owned());
            vec![role.render(), agent.player.as_str().render(), weights.render()]
        });
    table(&["role", "player", "SHA-256 of its weights"], rows)
}
