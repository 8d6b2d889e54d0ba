//! Connect Four for Python.

use chase_engine::connect_four::{COLUMNS, ROWS};
use chase_engine::{ConnectFour, Game, Player};

use super::Registered;
use crate::presentation::Presentation;

impl Registered for ConnectFour {
    const PRESENTATION: Presentation<Self> = Presentation {
        text,
        svg: |game, last| svg(game, last.map(|(_, column)| usize::from(column))),
        ..Presentation::depicted()
    };
}

fn text(game: &ConnectFour) -> String {
    let mut text = String::new();
    for row in (0..ROWS).rev() {
        for column in 0..COLUMNS {
            text += match game.stone(row, column) {
                None => ". ",
                Some(Player::White) => "x ",
                Some(Player::Black) => "o ",
            };
        }
        text += "\n";
    }
    for column in 1..=COLUMNS {
        text += &format!("{column} ");
    }
    text + "\n" + &caption(game) + "\n"
}

fn caption(game: &ConnectFour) -> String {
    match (game.outcome(), game.to_move()) {
        (Some(outcome), _) => format!("over: {}", outcome.name()),
        (None, Player::White) => "x to move".to_owned(),
        (None, Player::Black) => "o to move".to_owned(),
    }
}

/// `last` is the column of the last stone.
fn svg(game: &ConnectFour, last: Option<usize>) -> String {
    const CELL: usize = 48;
    let (width, board) = (COLUMNS * CELL, ROWS * CELL);
    let height = board + 24;
    let mut svg = format!(
        r##"<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}"><rect width="{width}" height="{height}" fill="#fff"/><rect width="{width}" height="{board}" rx="8" fill="#3b6fb6"/>"##
    );
    let top = |column| (0..ROWS).rev().find(|&row| game.stone(row, column).is_some());
    for row in 0..ROWS {
        for column in 0..COLUMNS {
            let fill = match game.stone(row, column) {
                None => "#fff",
                Some(Player::White) => "#f0c419",
                Some(Player::Black) => "#d1483b",
            };
            let ring = match last == Some(column) && top(column) == Some(row) {
                true => r##" stroke="#111" stroke-width="4""##,
                false => "",
            };
            let (x, y) = (column * CELL + CELL / 2, board - row * CELL - CELL / 2);
            svg += &format!(r#"<circle cx="{x}" cy="{y}" r="19" fill="{fill}"{ring}/>"#);
        }
    }
    let (y, caption) = (board + 17, caption(game));
    svg + &format!(
        r##"<text x="8" y="{y}" font-family="sans-serif" font-size="14" fill="#222">{caption}</text></svg>"##
    )
}
