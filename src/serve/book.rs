//! The moves of opening books in a position.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::extract::rejection::JsonRejection;
use chase_opening_book::{Book, BookAgent, BookMove, Challenge, Range};
use serde::{Deserialize, Serialize};

use super::Server;
use super::opening_books::IndexedBook;
use super::refusal::{Refusal, aside};
use super::replay::GameRequest;
use super::table;

/// Most reasons reported for unreadable books.
const REASONS: usize = 3;
/// Replies to a move that are compared.
const REPLIES: usize = 2;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BookRequest {
    game: GameRequest,
    /// The book; the first one with the position if missing.
    book: Option<String>,
}

#[derive(Debug, Serialize)]
pub struct Answer {
    /// All books of the game.
    books: Vec<Listed>,
    /// Number of books that could not be read; the first reasons follow.
    left_out: usize,
    reasons: Vec<String>,
    /// The book that is shown; none if there is no book.
    book: Option<BookFacts>,
    /// The position in this book, if it is there.
    position: Option<Position>,
}

#[derive(Debug, Serialize)]
struct Listed {
    name: String,
    has_position: bool,
}

/// How a book was made.
#[derive(Debug, Serialize)]
struct BookFacts {
    name: String,
    /// Whether it is the built-in book, which has no folder and no page.
    shipped: bool,
    scout: Judging,
    /// In the order of their scores.
    judges: Vec<Judging>,
    /// In the order of their answers.
    challengers: Vec<Judging>,
    plies: u32,
    candidates: u32,
    width: u32,
    margin: f64,
    positions: usize,
    program_version: String,
    git_hash: Option<String>,
}

#[derive(Debug, Serialize)]
struct Judging {
    player: String,
    settings: serde_json::Value,
    weights: Option<String>,
}

/// A position of a book. All scores are those of its player.
#[derive(Debug, Serialize)]
struct Position {
    ply: u32,
    player: String,
    backed: Option<Range>,
    moves: Vec<Move>,
}

#[derive(Debug, Serialize)]
struct Move {
    action: String,
    text: String,
    backed: Option<Range>,
    judges: Vec<f64>,
    scout: Option<f64>,
    followed: bool,
    /// What is left after the best reply that anyone found; none for a move that was not challenged.
    held: Option<f64>,
    challenge: Option<Challenge>,
    /// What both players are expected to play, in the form for people, from this move on.
    line: Vec<String>,
    /// The best replies in the position that it leads to, best first; none if that is not in the book.
    replies: Vec<Reply>,
}

#[derive(Debug, Serialize)]
struct Reply {
    text: String,
    backed: Option<Range>,
    line: Vec<String>,
}

/// `POST /api/book`
pub async fn moves(
    State(server): State<Server>,
    request: Result<Json<BookRequest>, JsonRejection>,
) -> Result<Json<Answer>, Refusal> {
    let Json(request) = request?;
    let table = table::open(&request.game)?;
    aside(move || {
        let (books, mut reasons) = server.books.of_game(table.name(), server.runs.as_deref());
        let places: Vec<Option<usize>> = books.iter().map(|one| table.place_in(&one.places)).collect();
        let shown = match &request.book {
            Some(name) => {
                let named = books.iter().position(|one| one.name == *name);
                Some(named.ok_or_else(|| Refusal::missing(format!("there is no book {name:?} here")))?)
            }
            None => {
                let first = (!books.is_empty()).then_some(0);
                places.iter().position(Option::is_some).or(first)
            }
        };
        let left_out = reasons.len();
        reasons.truncate(REASONS);
        let position = shown.and_then(|shown| Some(Position::of(&books[shown].book, places[shown]?)));
        let listed = books.iter().zip(&places).map(|(one, place)| Listed {
            name: one.name.clone(),
            has_position: place.is_some(),
        });
        Ok(Json(Answer {
            books: listed.collect(),
            left_out,
            reasons,
            book: shown.map(|shown| BookFacts::of(&books[shown])),
            position,
        }))
    })
    .await
}

impl BookFacts {
    fn of(indexed: &Arc<IndexedBook>) -> Self {
        let Book {
            provenance, positions, ..
        } = &indexed.book;
        let (config, players) = (&provenance.config, &provenance.players);
        Self {
            name: indexed.name.clone(),
            shipped: indexed.shipped,
            scout: Judging::of(&players.scout),
            judges: players.judges.iter().map(Judging::of).collect(),
            challengers: players.challengers.iter().map(Judging::of).collect(),
            plies: config.plies,
            candidates: config.candidates,
            width: config.width,
            margin: config.margin,
            positions: positions.len(),
            program_version: provenance.program.program_version.clone(),
            git_hash: provenance.program.git_hash.clone(),
        }
    }
}

impl Judging {
    fn of(agent: &BookAgent) -> Self {
        Self {
            player: agent.player.clone(),
            settings: agent.settings.clone(),
            weights: agent.weights.clone(),
        }
    }
}

impl Position {
    fn of(book: &Book, place: usize) -> Self {
        let position = &book.positions[place];
        let moves = position.moves.iter().enumerate();
        Self {
            ply: position.ply,
            player: position.player.clone(),
            backed: position.backed,
            moves: moves
                .map(|(choice, step)| Move::of(book, place, choice, step))
                .collect(),
        }
    }
}

impl Move {
    fn of(book: &Book, place: usize, choice: usize, step: &BookMove) -> Self {
        Self {
            action: step.action.clone(),
            text: step.text.clone(),
            backed: step.backed,
            judges: step.judges.clone(),
            scout: step.scout,
            followed: step.followed,
            held: step.held,
            challenge: step.challenge.clone(),
            line: book.line(place, choice).actions,
            replies: step.to.map_or_else(Vec::new, |to| replies(book, place, to)),
        }
    }
}

/// The best moves of a position that a move of another one leads to, with the scores of the player of that move.
fn replies(book: &Book, from: usize, to: usize) -> Vec<Reply> {
    let (before, after) = (&book.positions[from], &book.positions[to]);
    let own = |range: Range| {
        // The same player may act on consecutive plies.
        if before.player == after.player {
            range
        } else {
            range.turned()
        }
    };
    let best = after.moves.iter().enumerate().take(REPLIES);
    best.filter(|(_, step)| step.backed.is_some())
        .map(|(choice, step)| Reply {
            text: step.text.clone(),
            backed: step.backed.map(own),
            line: book.line(to, choice).actions,
        })
        .collect()
}
