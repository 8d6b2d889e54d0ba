//! The files of the page, which are part of the program.

use axum::extract::Path;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};

use super::refusal::Refusal;

/// Name, type and content of each file below `/assets/`.
macro_rules! assets {
    ($($name:literal: $kind:expr),* $(,)?) => {
        &[$(($name, $kind, include_str!(concat!("assets/", $name)))),*]
    };
}

const CSS: &str = "text/css; charset=utf-8";
const HTML: &str = "text/html; charset=utf-8";
const JS: &str = "text/javascript; charset=utf-8";
const SVG: &str = "image/svg+xml";

static ASSETS: &[(&str, &str, &str)] = assets! {
    "analysis.js": JS,
    "announce.js": JS,
    "api.js": JS,
    "banner.js": JS,
    "board.css": CSS,
    "board.js": JS,
    "book.js": JS,
    "book_moves.js": JS,
    "candidates.js": JS,
    "cells.js": JS,
    "chooser.js": JS,
    "choosing.js": JS,
    "course.js": JS,
    "cluster.js": JS,
    "diagram.css": CSS,
    "dice.js": JS,
    "dom.js": JS,
    "exercise.js": JS,
    "explored.js": JS,
    "forgotten.js": JS,
    "memory.js": JS,
    "explorer.js": JS,
    "favicon.svg": SVG,
    "game.js": JS,
    "geometry.js": JS,
    "graph.js": JS,
    "keys.js": JS,
    "learn.js": JS,
    "lessons.js": JS,
    "link.js": JS,
    "looks.js": JS,
    "main.js": JS,
    "move_table.js": JS,
    "moves.js": JS,
    "occupancy.js": JS,
    "page.css": CSS,
    "path.js": JS,
    "play.js": JS,
    "player.js": JS,
    "puzzles.js": JS,
    "record.js": JS,
    "review.js": JS,
    "review_card.js": JS,
    "rules.js": JS,
    "runs.js": JS,
    "scene.js": JS,
    "selection.js": JS,
    "standings.js": JS,
    "tabs.js": JS,
    "theme.js": JS,
    "variations.js": JS,
    "verdicts.js": JS,
    "words.js": JS,
};

/// `GET /`
pub async fn page() -> Response {
    ([(CONTENT_TYPE, HTML)], include_str!("assets/index.html")).into_response()
}

/// `GET /assets/{name}`
pub async fn asset(Path(name): Path<String>) -> Result<Response, Refusal> {
    let file = ASSETS.iter().find(|(known, ..)| *known == name);
    let &(_, kind, content) = file.ok_or_else(|| Refusal::missing("there is no such file"))?;
    Ok(([(CONTENT_TYPE, kind)], content).into_response())
}

/// Everything else.
pub async fn nothing() -> Refusal {
    Refusal::missing("there is nothing here")
}
