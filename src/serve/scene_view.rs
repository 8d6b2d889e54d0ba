//! A game with a board of any kind as the page sees it: cells with their places, pieces, and the clicks that make up
//! each action.

use chase_engine::scene::{CellShape, Scene, SceneCell, ScenePiece, Shade};
use chase_engine::{Depict, Game, Outcome, Playable};
use serde::Serialize;

use super::replay::{EndView, PlyView, Replay};

/// The view of a game on the page.
#[derive(Debug, Serialize)]
pub struct GameView {
    /// The game's name.
    name: &'static str,
    start: String,
    /// Seed of the start, if it was drawn for this request.
    seed: Option<u32>,
    /// Conventions.
    rules: String,
    plies: Vec<PlyView>,
    /// Number of plies before the position described below.
    at: usize,
    position: String,
    board: BoardView,
    to_move: &'static str,
    turn: u32,
    /// The player to move or the end of the game, as text.
    task: String,
    /// The last ply.
    last: Option<ActionView>,
    actions: Vec<ActionView>,
    end: Option<EndView>,
}

/// The board. The unit of length is the width of a cell.
#[derive(Debug, Serialize)]
struct BoardView {
    /// `square` or `hexagon`, which has a corner on top.
    shape: &'static str,
    cells: Vec<CellView>,
}

#[derive(Debug, Serialize)]
struct CellView {
    name: String,
    /// Centre of the cell, to the right and downwards.
    x: f64,
    y: f64,
    /// `plain`, `dark`, `unused`, `special` or `coloured`.
    shade: &'static str,
    /// One or two of the three colours of the board, from 1; of other cells none.
    colours: Vec<u8>,
    /// Pieces from the top.
    pieces: Vec<PieceView>,
    /// True if the cell matters for the next action.
    marked: bool,
    /// The cell that a click here means.
    meant: String,
}

#[derive(Debug, Serialize)]
struct PieceView {
    player: &'static str,
    king: bool,
    /// Text on it, such as a number.
    label: String,
    /// Its outline as an SVG path in hundredths of a cell around the middle, if it is no disc.
    #[serde(skip_serializing_if = "Option::is_none")]
    figure: Option<&'static str>,
}

/// A legal action.
#[derive(Debug, Serialize)]
pub struct ActionView {
    /// Exact form.
    action: String,
    /// The form for people.
    text: String,
    /// The cells to click in turn; none for an action without a place.
    steps: Vec<String>,
}

impl GameView {
    /// The game after the requested number of plies.
    pub fn of<G: Playable>(replay: &Replay<G>) -> Self {
        let game = &replay.game;
        let mut actions = Vec::new();
        game.legal_actions(&mut actions);
        let scene = game.scene();
        Self {
            name: replay.name.name(),
            start: replay.start.position_text(),
            seed: replay.seed,
            rules: G::rules_text(&replay.rules),
            plies: replay.ply_views(),
            at: replay.at,
            position: game.position_text(),
            last: replay
                .last()
                .map(|(before, action)| ActionView::of(before, action, &scene)),
            actions: actions
                .into_iter()
                .map(|action| ActionView::of(game, action, &scene))
                .collect(),
            to_move: game.to_move().name(),
            turn: replay.turn_to_come(),
            task: task(game, &scene.caption),
            end: EndView::of(game),
            board: BoardView::of(game, scene),
        }
    }
}

/// The caption of a scene. Where it calls the player by the letter of the pieces in texts, the name of the player
/// stands.
fn task<G: Game>(game: &G, caption: &str) -> String {
    match caption.split_once(' ') {
        Some((letter, rest)) if letter.len() == 1 => {
            let player = game.outcome().and_then(Outcome::winner).unwrap_or(game.to_move());
            let (first, others) = G::PLAYERS[player].split_at(1);
            format!("{}{others} {rest}", first.to_ascii_uppercase())
        }
        _ => caption.to_owned(),
    }
}

impl ActionView {
    /// A legal action of a game. The cells of all scenes of a game are the same.
    pub fn of<G: Playable>(game: &G, action: G::Action, scene: &Scene) -> Self {
        let way = game.way(action).into_iter();
        Self {
            action: game.action_text(action),
            text: game.people_text(action),
            steps: way.map(|cell| scene.cells[cell].name.clone()).collect(),
        }
    }
}

impl BoardView {
    fn of(game: &impl Depict, scene: Scene) -> Self {
        let names: Vec<String> = scene.cells.iter().map(|cell| cell.name.clone()).collect();
        let cells = scene.cells.into_iter().enumerate();
        Self {
            shape: match scene.shape {
                CellShape::Square => "square",
                CellShape::Hexagon => "hexagon",
            },
            cells: cells
                .map(|(place, cell)| CellView::of(cell, names[game.meant(place)].clone()))
                .collect(),
        }
    }
}

impl CellView {
    fn of(cell: SceneCell, meant: String) -> Self {
        Self {
            name: cell.name,
            x: cell.x,
            y: cell.y,
            shade: match cell.shade {
                Shade::Plain => "plain",
                Shade::Dark => "dark",
                Shade::Unused => "unused",
                Shade::Special => "special",
                Shade::Coloured(_) => "coloured",
            },
            colours: cell.shade.colours().collect(),
            pieces: cell.pieces.into_iter().map(PieceView::of).collect(),
            marked: cell.marked,
            meant,
        }
    }
}

impl PieceView {
    fn of(piece: ScenePiece) -> Self {
        Self {
            player: piece.player.name(),
            king: piece.is_king,
            label: piece.label,
            figure: piece.figure,
        }
    }
}
