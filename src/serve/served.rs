//! The page's view of each game: dice and their paths of Chase, the scene of any other game.

use axum::Json;
use axum::response::{IntoResponse, Response};
use chase_engine::chase::{Action, Cell};
use chase_engine::proof::Win;
use chase_engine::{Chase, ConnectFour, Draughts, Game, Lines9, Moves23, Player, Tetra24, Tricolour};
use chase_opening_study::ArticleMove;
use serde::Serialize;

use super::chase_aim::ChaseAim;
use super::replay::{Replay, Served};
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

impl Served for Chase {
    type Aim = ChaseAim;

    fn aim(attacker: Player, gain: Option<i32>, turns: u32) -> ChaseAim {
        ChaseAim::new(attacker, gain, turns)
    }

    /// In exact or article form, which can contain the opponent's choices too. Neither form has lower-case letters.
    fn read_actions(&self, text: &str) -> Result<Vec<Action>, String> {
        let actions = self.position().parse_article(&text.to_ascii_uppercase());
        actions.map_err(|error| error.kind.to_string())
    }

    fn ply_text(&self, action: Action) -> String {
        chase_view::turn_text(self.position(), action)
    }

    fn turn(&self) -> Option<u32> {
        Some(self.position().turn())
    }

    fn grid(&self) -> Vec<(String, [usize; 2])> {
        let cells = Cell::all().filter(|&cell| cell != Cell::CHAMBER);
        let place = |cell: Cell| {
            // Planes show the board as the player to move sees it.
            let seen = match self.to_move() {
                Player::White => cell,
                Player::Black => cell.rotated(),
            };
            (cell.to_string(), [seen.row(), seen.axial_column()])
        };
        cells.map(place).collect()
    }

    fn article_moves(&self) -> Vec<(Action, ArticleMove)> {
        ArticleMove::of(self.position())
    }

    fn view(replay: &Replay<Self>) -> Response {
        Json(chase_view::GameView::of(replay)).into_response()
    }

    fn line(plies: &[(Self, Action)]) -> Response {
        let view = |(before, action): &(Self, Action)| LinePly {
            player: before.to_move().name(),
            action: chase_view::ActionView::of(before.position(), *action),
        };
        Json(LineView {
            plies: plies.iter().map(view).collect(),
        })
        .into_response()
    }
}

/// Games of which the page shows the scene.
macro_rules! scenes {
    ($($game:ty),*) => {
        $(impl Served for $game {
            type Aim = Win;

            fn aim(attacker: Player, _: Option<i32>, turns: u32) -> Win {
                Win::within(attacker, turns)
            }

            fn view(replay: &Replay<Self>) -> Response {
                Json(scene_view::GameView::of(replay)).into_response()
            }

            fn line(plies: &[(Self, <Self as Game>::Action)]) -> Response {
                scene_line(plies)
            }
        })*
    };
}

scenes!(ConnectFour, Draughts, Moves23, Tetra24, Lines9, Tricolour);

fn scene_line<G: Served>(plies: &[(G, G::Action)]) -> Response {
    let plies = plies.first().map_or_else(Vec::new, |(first, _)| {
        let scene = first.scene();
        let view = |(before, action): &(G, G::Action)| LinePly {
            player: before.to_move().name(),
            action: scene_view::ActionView::of(before, *action, &scene),
        };
        plies.iter().map(view).collect()
    });
    Json(LineView { plies }).into_response()
}
