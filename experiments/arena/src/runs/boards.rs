//! Boards of Chase for the opening table.

use std::str::FromStr;

use chase_engine::Game;
use chase_engine::chase::notation::{Arrow, SvgOptions};
use chase_engine::chase::{Action, Chase, Position, Rules};

use super::opening_table::{OFTEN, OpeningRow, OpeningTable};
use chase_report::board::{color, plain, ramp};
use chase_report::number;
use chase_report::page::picture;
use maud::{Markup, PreEscaped, html};

/// First moves on one board: more arrows hide each other.
const ARROWS: usize = 6;
/// First moves whose replies are drawn, and arrows on these boards.
const BOARDS: usize = 6;
const REPLIES: usize = 3;

/// The best and the worst first moves as arrows, and the most frequent replies to the most frequent first moves.
pub fn boards(table: &OpeningTable) -> Markup {
    let mut frequent: Vec<&OpeningRow> = table
        .moves
        .iter()
        .filter(|opening| !opening.replies.is_empty())
        .collect();
    frequent.sort_by_key(|opening| std::cmp::Reverse(opening.tally.games));
    let frequent: Vec<Markup> = frequent.into_iter().take(BOARDS).filter_map(replies).collect();
    html! {
        @if let Some(ends) = table.values() {
            (ramp(&format!("value {}", number::percent(ends[0])), &number::percent(ends[1])))
            div.cards { @for board in extremes(table, ends) { (board) } }
        }
        @if !frequent.is_empty() {
            h2 { "Most played first moves and the replies to them" }
            div.cards.small { @for board in frequent { (board) } }
        }
    }
}

/// The moves of the highest and of the lowest value.
fn extremes(table: &OpeningTable, ends: [f64; 2]) -> [Markup; 2] {
    let valued = table.ranked();
    let often = valued.iter().all(|opening| opening.tally.games >= OFTEN);
    let without_rare = match often
        && table
            .moves
            .iter()
            .any(|opening| (1..OFTEN).contains(&opening.tally.games))
    {
        true => format!(" Moves of fewer than {OFTEN} games are left out."),
        false => String::new(),
    };
    // No move is among the best and the worst.
    let count = ARROWS.min(valued.len() / 2).max(1);
    let worst = valued.iter().rev().take(count).copied();
    let sides = [
        ("Highest value for the first player", valued[..count].to_vec()),
        ("Lowest value for the first player", worst.collect()),
    ];
    let board = |(heading, moves): (&str, Vec<&OpeningRow>)| {
        let text = moves.iter().map(|opening| {
            let value = opening.value.map_or(number::NONE.to_owned(), number::percent);
            let games = number::counted(opening.tally.games, "game");
            format!("{} {value} ({games})", opening.text)
        });
        let text: Vec<String> = text.collect();
        let method = format!("{}.{without_rare}", text.join(", "));
        // The extreme one on top.
        let arrows = moves.iter().rev().filter_map(|opening| value_arrow(opening, ends));
        let options = SvgOptions {
            arrows: arrows.collect(),
            ..plain(560)
        };
        picture(heading, PreEscaped(Position::initial().to_svg(&options)), &method)
    };
    sides.map(board)
}

fn value_arrow(opening: &OpeningRow, ends: [f64; 2]) -> Option<Arrow> {
    let value = opening.value?;
    let action = Action::from_str(opening.actions.first()?).ok()?;
    let plain = Arrow::new(Position::initial().course(action).ok()?);
    Some(Arrow {
        color: Some(color(value, ends)),
        width: 0.14,
        label: Some(format!("{:.1}", 100.0 * value)),
        ..plain
    })
}

/// The position after a first move with the replies as arrows.
fn replies(opening: &OpeningRow) -> Option<Markup> {
    let action = Action::from_str(opening.actions.first()?).ok()?;
    let mut game = Chase::new(&Rules::default());
    let last = game.position().course(action).ok()?;
    game.apply(action);
    let replies = || opening.replies.iter().take(REPLIES);
    let arrow = |reply: &OpeningRow| {
        let action = Action::from_str(reply.actions.first()?).ok()?;
        let plain = Arrow::new(game.position().course(action).ok()?);
        Some(Arrow {
            width: 0.05 + 0.2 * reply.share,
            label: Some(format!("{:.0} %", 100.0 * reply.share)),
            ..plain
        })
    };
    let mut arrows: Vec<Arrow> = replies().filter_map(arrow).collect();
    // The most frequent on top.
    arrows.reverse();
    let options = SvgOptions {
        arrows,
        last: Some(last),
        ..plain(400)
    };
    let text: Vec<String> = replies()
        .map(|reply| {
            let value = reply
                .value
                .map_or(String::new(), |value| format!(", value {}", number::percent(value)));
            format!(
                "{} in {} of {} games{value}",
                reply.text, reply.tally.games, opening.tally.games
            )
        })
        .collect();
    let method = format!("Black's replies, with their shares: {}.", text.join("; "));
    Some(picture(
        &opening.text,
        PreEscaped(game.position().to_svg(&options)),
        &method,
    ))
}
