//! The moves of opening books in a position.

use std::path::Path;
use std::sync::{Arc, OnceLock};

use axum::Json;
use axum::extract::State;
use chase_engine::{GameName, Playable};
use chase_opening_book::{BOOK_FILE, Book, BookAgent, BookError, BookMove, Places, SHIPPED};
use serde::Deserialize;
use serde_json::{Value, json};

use super::Server;
use super::cached::{CachedFiles, Held};
use super::refusal::{Answer, Body, Refusal, aside};
use super::replay::{GameRequest, Replay, with_replay};
use super::runs::RunFolder;

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

/// `POST /api/book`
pub async fn moves(State(server): State<Server>, Body(request): Body<BookRequest>) -> Answer {
    aside(move || with_replay!(request.game, replay => answer(&server, &replay, request.book.as_deref()))).await
}

fn answer<G: Playable>(server: &Server, replay: &Replay<G>, chosen: Option<&str>) -> Answer {
    let (books, mut reasons) = server.books.of_game::<G>(replay.name, &server.runs);
    let places: Vec<Option<usize>> = books.iter().map(|one| one.places.find(&replay.game)).collect();
    let shown = match chosen {
        Some(name) => {
            let named = books.iter().position(|one| one.name == name);
            Some(named.ok_or_else(|| Refusal::missing(format!("there is no book {name:?} here")))?)
        }
        // The first one with the position.
        None => {
            let first = (!books.is_empty()).then_some(0);
            places.iter().position(Option::is_some).or(first)
        }
    };
    let left_out = reasons.len();
    reasons.truncate(REASONS);
    let listed = books.iter().zip(&places);
    let listed = listed.map(|(one, place)| json!({"name": one.name, "has_position": place.is_some()}));
    Ok(Json(json!({
        "books": listed.collect::<Vec<_>>(),
        // Number of books that could not be read; the first reasons follow.
        "left_out": left_out,
        "reasons": reasons,
        "book": shown.map(|shown| facts(&books[shown])),
        // None if it is not in this book.
        "position": shown.and_then(|shown| Some(position(&books[shown].book, places[shown]?))),
    })))
}

/// How a book was made.
fn facts(indexed: &IndexedBook) -> Value {
    let provenance = &indexed.book.provenance;
    let (config, players) = (&provenance.config, &provenance.players);
    let judging =
        |agent: &BookAgent| json!({"player": agent.player, "settings": agent.settings, "weights": agent.weights});
    json!({
        "name": indexed.name,
        // The built-in book has no folder and no page.
        "shipped": indexed.shipped,
        "scout": judging(&players.scout),
        // In the order of their scores, and of their answers.
        "judges": players.judges.iter().map(judging).collect::<Vec<_>>(),
        "challengers": players.challengers.iter().map(judging).collect::<Vec<_>>(),
        "plies": config.plies,
        "candidates": config.candidates,
        "width": config.width,
        "margin": config.margin,
        "positions": indexed.book.positions.len(),
        "program_version": provenance.program.program_version,
        "git_hash": provenance.program.git_hash,
    })
}

/// A position of a book. All scores are those of its player.
fn position(book: &Book, place: usize) -> Value {
    let position = &book.positions[place];
    let moves = position.moves.iter().enumerate().map(|(choice, step)| {
        json!({
            "action": step.action,
            "text": step.text,
            "backed": step.backed,
            "judges": step.judges,
            "scout": step.scout,
            "followed": step.followed,
            // What is left after the best reply that anyone found; none for a move that was not challenged.
            "held": step.held,
            "challenge": step.challenge,
            // What both players are expected to play, in the form for people, from this move on.
            "line": book.line(place, choice).actions,
            // In the position that it leads to, best first; none if that is not in the book.
            "replies": step.to.map_or_else(Vec::new, |to| replies(book, place, to)),
        })
    });
    json!({
        "ply": position.ply,
        "player": position.player,
        "backed": position.backed,
        "moves": moves.collect::<Vec<_>>(),
    })
}

/// The best moves of a position that a move of another one leads to, with the scores of the player of that move.
fn replies(book: &Book, from: usize, to: usize) -> Vec<Value> {
    let (before, after) = (&book.positions[from], &book.positions[to]);
    // The same player may act on consecutive plies.
    let is_same = before.player == after.player;
    let best = after.moves.iter().enumerate().take(REPLIES);
    let reply = |(choice, step): (usize, &BookMove)| {
        let backed = step.backed?;
        let backed = if is_same { backed } else { backed.turned() };
        Some(json!({"text": step.text, "backed": backed, "line": book.line(to, choice).actions}))
    };
    best.filter_map(reply).collect()
}

/// A book, and where its positions are.
#[derive(Debug)]
struct IndexedBook {
    /// The folder of the book, or the name of the built-in one.
    name: String,
    /// Whether it is the built-in one.
    shipped: bool,
    book: Book,
    places: Places,
}

/// The opening books in the folder of runs, and the built-in one, read on request and kept.
#[derive(Debug, Default)]
pub struct OpeningBooks {
    of_runs: CachedFiles<IndexedBook>,
    shipped: OnceLock<Held<IndexedBook>>,
}

impl OpeningBooks {
    /// The books of a game that can be read now, by name, the built-in one last, and the reasons for the others.
    fn of_game<G: Playable>(&self, game: GameName, runs: &RunFolder) -> (Vec<Arc<IndexedBook>>, Vec<String>) {
        let (mut books, mut reasons) = (Vec::new(), Vec::new());
        let mut add = |book: Held<IndexedBook>| match book {
            Ok(book) => books.push(book),
            Err(reason) => reasons.push(reason),
        };
        for (name, folder) in runs.of_game(game) {
            let file = folder.join(BOOK_FILE);
            // An unfinished book has none yet.
            if !file.is_file() {
                continue;
            }
            add(match name == SHIPPED && game == GameName::Chase {
                true => Err(format!(
                    "{} has the name of the built-in book: rename it to see its book",
                    folder.display()
                )),
                false => self
                    .of_runs
                    .get(&file, || indexed::<G>(game, &name, &file, Book::read(&file))),
            });
        }
        // What was removed need not stay in memory.
        self.of_runs.tidy();
        if game == GameName::Chase {
            let shipped = || indexed::<G>(game, SHIPPED, Path::new(SHIPPED), Book::shipped()).map(Arc::new);
            add(self.shipped.get_or_init(shipped).clone());
        }
        (books, reasons)
    }
}

fn indexed<G: Playable>(
    game: GameName,
    name: &str,
    file: &Path,
    book: Result<Book, BookError>,
) -> Result<IndexedBook, String> {
    let book = book.map_err(|error| error.to_string())?;
    let other = book.provenance.config.game;
    if other != game {
        return Err(format!("{} is of {other}, and its folder of {game}", file.display()));
    }
    Ok(IndexedBook {
        name: name.to_owned(),
        shipped: file == Path::new(SHIPPED),
        places: Places::of::<G>(&book, file).map_err(|error| error.to_string())?,
        book,
    })
}
