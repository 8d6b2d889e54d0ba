//! The best first moves on boards, with the best reply and the threat as arrows; Chase alone has boards.

use std::str::FromStr;

use chase_engine::GameName;
use chase_engine::chase::notation::{Arrow, SvgOptions};
use chase_engine::chase::{Action, Position};
use chase_report::board::plain;
use chase_report::page::picture;
use maud::{Markup, PreEscaped, html};

use super::reasons::{self, range};
use crate::book::Book;
use crate::position::{BookMove, BookPosition};

/// Boards of a page.
const BOARDS: usize = 6;
/// The colour of a threat.
const THREAT: &str = "#d1495b";

/// The boards of the best first moves; nothing for another game.
pub(super) fn best(book: &Book, first: &BookPosition) -> Markup {
    if book.provenance.config.game != GameName::Chase {
        return Markup::default();
    }
    let boards: Vec<Markup> = first
        .moves
        .iter()
        .take(BOARDS)
        .filter_map(|step| board(book, first, step))
        .collect();
    html! {
        @if !boards.is_empty() {
            section { h2 { "The best first moves" } div.cards.small { @for board in boards { (board) } } }
        }
    }
}

fn board(book: &Book, first: &BookPosition, step: &BookMove) -> Option<Markup> {
    let before = Position::from_str(&first.position).ok()?;
    let last = before.course(Action::from_str(&step.action).ok()?).ok()?;
    let after = &book.positions[step.to?];
    let position = Position::from_str(&after.position).ok()?;
    let arrow = |position: &Position, action: &str| {
        let course = position.course(Action::from_str(action).ok()?).ok()?;
        Some(Arrow::new(course))
    };
    let mut text = format!("{}.", range(step.backed));
    let mut arrows = Vec::new();
    let threat = step.challenge.as_ref().and_then(|challenge| challenge.threat.as_ref());
    if let Some(threat) = threat {
        let passed = position.passed();
        let plain = passed.and_then(|passed| arrow(&passed, &threat.action));
        arrows.extend(plain.map(|plain| Arrow {
            color: Some(THREAT.into()),
            ..plain
        }));
        text += &reasons::threat(step).map_or(String::new(), |threat| format!(" Threat (red): {threat}."));
    }
    if let Some(reply) = after.moves.first() {
        arrows.extend(arrow(&position, &reply.action));
        text += &format!(" Best reply: {}.", reasons::short(&reply.text));
    }
    text += &reasons::answer(book, step).map_or(String::new(), |answer| format!(" Strongest challenge: {answer}."));
    let options = SvgOptions {
        arrows,
        last: Some(last),
        ..plain(400)
    };
    Some(picture(&step.text, PreEscaped(position.to_svg(&options)), &text))
}
