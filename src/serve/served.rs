//! The page's view of a game: dice and their paths of Chase, the scene of any other game.

use std::any::Any;

use axum::Json;
use axum::response::{IntoResponse, Response};
use chase_engine::chase::Cell;
use chase_engine::{Chase, Game, Playable, Player};
use chase_opening_study::ArticleMove;
use serde::Serialize;

use super::replay::Replay;
use super::{chase_view, scene_view};

/// Each ply of a line.
#[derive(Debug, Serialize)]
struct LineView<A> {
    plies: Vec<LinePly<A>>,
}

/// An action with the player who takes it.
#[derive(Debug, Serialize)]
struct LinePly<A> {
    player: &'static str,
    #[serde(flatten)]
    action: A,
}

impl<A> LinePly<A> {
    fn of<G: Game>((before, action): &(G, G::Action), view: impl Fn(&G, G::Action) -> A) -> Self {
        Self {
            player: before.to_move().name(),
            action: view(before, *action),
        }
    }
}

/// A value as one of a type that it may have: the page shows more of Chase than of other games.
fn as_type<T: 'static, U: 'static>(value: &T) -> Option<&U> {
    (value as &dyn Any).downcast_ref()
}

/// The game, if it is one of Chase.
pub(super) fn as_chase<G: Game>(game: &G) -> Option<&Chase> {
    as_type(game)
}

/// The actions that a text names from here: one, unless a text may contain the turn of several.
///
/// # Errors
/// If the text is not an action, or the action is not legal.
pub fn read_actions<G: Game>(game: &G, text: &str) -> Result<Vec<G::Action>, String> {
    // Keyboards of phones begin with a capital letter.
    let read = game.parse_people(text);
    let read = read.or_else(|error| game.parse_people(&text.to_ascii_lowercase()).map_err(|_| error));
    read.map_err(|error| error.message.into_owned())
}

/// An action in the list of moves; in Chase with the dice that absorb without a choice.
pub fn ply_text<G: Playable>(game: &G, action: G::Action) -> String {
    game.people_turn(&[action]).0
}

/// The number of the turn, if it is part of the position.
pub fn turn<G: Game>(game: &G) -> Option<u32> {
    as_chase(game).map(|game| game.position().turn())
}

/// The moves of this position that the article on Chase discusses.
pub fn article_moves<G: Game>(game: &G) -> Vec<(G::Action, ArticleMove)> {
    let moves = as_chase(game).map_or_else(Vec::new, |game| ArticleMove::of(game.position()));
    let typed = |(action, article): (_, ArticleMove)| Some((*as_type(&action)?, article));
    moves.into_iter().filter_map(typed).collect()
}

/// The cells of the page by name, each with its row and column in the planes of this position; none in games of which
/// the page colours no cells.
pub fn grid<G: Game>(game: &G) -> Vec<(String, [usize; 2])> {
    let Some(game) = as_chase(game) else { return Vec::new() };
    let cells = Cell::all().filter(|&cell| cell != Cell::CHAMBER);
    let place = |cell: Cell| {
        // Planes show the board as the player to move sees it.
        let seen = match game.to_move() {
            Player::White => cell,
            Player::Black => cell.rotated(),
        };
        (cell.to_string(), [seen.row(), seen.axial_column()])
    };
    cells.map(place).collect()
}

/// The answer of `POST /api/game`.
pub fn view<G: Playable>(replay: &Replay<G>) -> Response {
    match as_type(replay) {
        Some(replay) => Json(chase_view::GameView::of(replay)).into_response(),
        None => Json(scene_view::GameView::of(replay)).into_response(),
    }
}

/// The answer of `POST /api/line`, from the position before each action.
pub fn line<G: Playable>(plies: &[(G, G::Action)]) -> Response {
    if let Some(plies) = plies.iter().map(as_type).collect::<Option<Vec<&(Chase, _)>>>() {
        let view = |ply| {
            LinePly::of(ply, |before: &Chase, action| {
                chase_view::ActionView::of(before.position(), action)
            })
        };
        let plies = plies.into_iter().map(view).collect();
        return Json(LineView { plies }).into_response();
    }
    let plies = plies.first().map_or_else(Vec::new, |(first, _)| {
        let scene = first.scene();
        let view = |ply| {
            LinePly::of(ply, |before: &G, action| {
                scene_view::ActionView::of(before, action, &scene)
            })
        };
        plies.iter().map(view).collect()
    });
    Json(LineView { plies }).into_response()
}
