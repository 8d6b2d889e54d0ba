//! The page of a book.

use chase_report::markup::{Element, Node, element};
use chase_report::number::{self, NONE};
use chase_report::page::{document, paragraph, section, table};
use chase_statistics::Interval;

use crate::book::Book;
use crate::position::{BookMove, BookPosition};
use crate::range::Range;

/// Positions of a page below the first moves: more would be slow to open.
const MOST: usize = 3000;

/// The page of a book, as HTML.
pub fn page(book: &Book) -> String {
    let mut body = headline(book);
    if let Some(first) = book.positions.first() {
        body.push(section(
            "First moves",
            [first_moves(book, first), paragraph(COLUMNS).class("soft")],
        ));
        body.push(section("Lines", [tree(book)]));
    }
    body.push(section("Agents", [agents(book)]));
    document("Opening book", body)
}

const COLUMNS: &str = "Scores are those of the player who moves. Judged: mean of the judges' searches of the position after the move, with the \
                       least and the greatest. Backed up: by minimax from the ends of the lines, ends alike. Disagreement: the difference of \
                       the judges. The line is what both play on by the backed-up scores.";

fn headline(book: &Book) -> Vec<Element> {
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
    vec![
        element("h1").with("Which openings are good?"),
        paragraph(lead).class("lead"),
        paragraph(facts.join(" · ")).class("facts"),
    ]
}

fn range(of: Option<Range>) -> String {
    of.map_or(NONE.to_owned(), |range| {
        let interval = Interval {
            low: Some(range.low),
            high: Some(range.high),
        };
        number::percent_within(range.mean, &interval)
    })
}

fn disagreement(step: &BookMove) -> String {
    match step.judges.len() {
        0 | 1 => NONE.to_owned(),
        _ => step
            .judged()
            .map_or(NONE.to_owned(), |judged| number::percent(judged.high - judged.low)),
    }
}

fn first_moves(book: &Book, first: &BookPosition) -> Element {
    let row = |(choice, step): (usize, &BookMove)| -> Vec<Node> {
        let line = book.line(0, choice);
        vec![
            (choice + 1).to_string().into(),
            step.text.as_str().into(),
            range(step.backed).into(),
            range(step.judged()).into(),
            disagreement(step).into(),
            line.actions.join(" ").into(),
        ]
    };
    let headings = ["", "move", "backed up", "judged", "disagreement", "line"];
    table(&headings, first.moves.iter().enumerate().map(row))
}

/// The followed moves, folded under each other.
fn tree(book: &Book) -> Element {
    let mut left = MOST;
    let list = moves(book, 0, &mut left);
    let rest = (left == 0).then(|| paragraph(format!("Only the first {MOST} positions are here; book.json has all.")));
    element("div").with(list).with_all(rest)
}

fn moves(book: &Book, place: usize, left: &mut usize) -> Element {
    let position = &book.positions[place];
    let followed: Vec<usize> = (0..position.moves.len())
        .filter(|&choice| position.moves[choice].followed)
        .collect();
    let mut list = element("ul");
    for choice in followed {
        let step = &position.moves[choice];
        let text = format!("{} {}", step.text, range(step.backed));
        let below = step.to.filter(|_| *left > 0);
        let item = match below {
            Some(to) => {
                *left -= 1;
                let folded = element("details").with(element("summary").with(text));
                folded.with(reason(book, to)).with(moves(book, to, left))
            }
            None => element("span").with(text),
        };
        list = list.with(element("li").with(item));
    }
    list
}

/// Why the best reply is the best one: its line, and what the second best runs into.
fn reason(book: &Book, place: usize) -> Element {
    let position = &book.positions[place];
    let line = |choice: usize| book.line(place, choice);
    let mut text = String::new();
    if let Some(best) = position.moves.first().filter(|best| best.backed.is_some()) {
        text = format!(
            "Best is {} with {}: {}.",
            best.text,
            range(best.backed),
            line(0).actions.join(" ")
        );
    }
    if let Some(second) = position.moves.get(1).filter(|second| second.backed.is_some()) {
        text += &format!(
            " Second is {} with {}: {}.",
            second.text,
            range(second.backed),
            line(1).actions.join(" ")
        );
    }
    paragraph(text).class("soft")
}

fn agents(book: &Book) -> Element {
    let agents = std::iter::once(&book.provenance.scout).chain(&book.provenance.judges);
    let rows = agents.enumerate().map(|(number, agent)| -> Vec<Node> {
        let role = match number {
            0 => "scout".to_owned(),
            number => format!("judge {number}"),
        };
        let weights = agent.weights.clone().unwrap_or_else(|| NONE.to_owned());
        vec![role.into(), agent.player.as_str().into(), weights.into()]
    });
    table(&["role", "player", "SHA-256 of its weights"], rows)
}
