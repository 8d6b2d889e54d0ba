//! Reasons for the best move, in words.

use chase_report::number::{self, NONE};
use chase_report::page::table;
use chase_statistics::Interval;
use maud::{Markup, Render, html};

use crate::book::Book;
use crate::position::{BookMove, BookPosition};
use crate::score_range::Range;

/// Rows of the table of broken moves.
const MOST: usize = 20;

/// A score with its ends.
pub(super) fn range(of: Option<Range>) -> String {
    of.map_or(NONE.to_owned(), |range| {
        let interval = Interval {
            low: Some(range.low),
            high: Some(range.high),
        };
        number::percent_within(range.mean, &interval)
    })
}

/// Actions in a row, each in short form.
pub(super) fn actions<'a>(texts: impl IntoIterator<Item = &'a String>) -> String {
    let short: Vec<String> = texts.into_iter().map(|text| short(text)).collect();
    short.join(" ")
}

/// An action without the middle of a long chain of bumped dice: `A1A9/A9A8/A8A7/A7A6` is `A1A9/…/A7A6`.
pub(super) fn short(text: &str) -> String {
    let parts: Vec<&str> = text.split('/').collect();
    match parts[..] {
        [first, _, _, .., last] if parts.len() > 3 => format!("{first}/…/{last}"),
        _ => text.to_owned(),
    }
}

/// The line that leads to a position, for people.
fn way(book: &Book, position: &BookPosition) -> String {
    let mut place = Some(0);
    let texts = position.line.iter().map(|action| {
        let before = place.and_then(|place| book.positions.get(place));
        let step = before.and_then(|before| before.moves.iter().find(|step| step.action == *action));
        place = step.and_then(|step| step.to);
        step.map_or(action, |step| &step.text)
    });
    actions(texts)
}

/// The reasons for the best move of a position: its line and threat, what the second best runs into, and what
/// challengers say.
pub(super) fn reason(book: &Book, place: usize) -> Markup {
    let position = &book.positions[place];
    let mut text = Vec::new();
    for (name, choice) in [("Best", 0), ("Second", 1)] {
        let Some(step) = position.moves.get(choice).filter(|step| step.backed.is_some()) else {
            continue;
        };
        let line = actions(&book.line(place, choice).actions);
        text.push(format!(
            "{name} is {} with {}: {line}.",
            short(&step.text),
            range(step.backed)
        ));
        text.extend(threat(step).map(|threat| format!("It threatens {threat}.")));
        text.extend(answer(book, step).map(|answer| format!("The strongest challenge is {answer}.")));
    }
    if position.broken_by().is_some_and(|gain| gain > 0.0) {
        text.push("Against the challengers the second holds more than the best.".into());
    }
    html! { p.soft { (text.join(" ")) } }
}

/// The threat of a move, with the score if the opponent passed.
pub(super) fn threat(step: &BookMove) -> Option<String> {
    let threat = step.challenge.as_ref()?.threat.as_ref()?;
    Some(format!(
        "{} ({} if the opponent passed)",
        short(&threat.text),
        number::percent(threat.score)
    ))
}

/// The challenger's answer that is worst for a move, and what it leaves.
pub(super) fn answer(book: &Book, step: &BookMove) -> Option<String> {
    let challenge = step.challenge.as_ref()?;
    let (number, score) = challenge.worst()?;
    let reply = short(challenge.answers[number].text.as_ref()?);
    let player = &book.provenance.players.challengers.get(number)?.player;
    Some(format!("{reply} by {player}, which leaves {}", number::percent(score)))
}

/// The best moves that challengers broke; nothing without challengers.
pub(super) fn broken(book: &Book) -> Markup {
    let mut found: Vec<(f64, &BookPosition)> = book
        .positions
        .iter()
        .filter_map(|position| Some((position.broken_by()?, position)))
        .collect();
    let of = found.len();
    if of == 0 {
        return Markup::default();
    }
    found.retain(|(gain, _)| *gain > 0.0);
    found.sort_by(|one, other| other.0.total_cmp(&one.0));
    let total: f64 = found.iter().map(|(gain, _)| gain).sum();
    let lead = match found.len() {
        0 => format!(
            "The best move holds in all of {}.",
            number::counted(of as u64, "position")
        ),
        count => format!(
            "In {count} of {} the second best move holds more against the challengers than the best one: by {} points on average.",
            number::counted(of as u64, "position"),
            number::decimal(100.0 * total / count as f64, 1)
        ),
    };
    let row = |(gain, position): &(f64, &BookPosition)| -> Vec<Markup> {
        let held = |choice: usize| {
            let step = position.moves.get(choice);
            let text = step.map_or(NONE.to_owned(), |step| short(&step.text));
            let held = step.and_then(|step| step.held).map_or(NONE.to_owned(), number::percent);
            format!("{text} {held}").render()
        };
        let line = if position.line.is_empty() {
            "first move".to_owned()
        } else {
            way(book, position)
        };
        vec![
            line.render(),
            held(0),
            held(1),
            number::decimal(100.0 * gain, 1).render(),
        ]
    };
    let headings = ["position after", "best, and what it holds", "second best", "points"];
    html! {
        section {
            h2 { "Challenged moves" }
            p { (lead) }
            @if !found.is_empty() { (table(&headings, found.iter().take(MOST).map(row))) }
            @if found.len() > MOST { p { "The " (MOST) " largest differences are here; book.json has all." } }
        }
    }
}
