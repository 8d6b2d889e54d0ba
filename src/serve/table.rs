//! A game of any type behind one interface: the one place where a request's game becomes a type.

use std::sync::Arc;

use axum::response::Response;
use chase_arena::PlayerSpec;
use chase_arena::analysis::AnalysisReport;
use chase_arena::explorer::{Explored, Moves, Source};
use chase_engine::{GameName, Playable, with_game};
use chase_models::device::Device;
use chase_opening_book::Places;
use chase_opening_study::ArticleMove;

use super::choice::{self, Choice};
use super::evaluators::{Evaluators, ServedCheckpoint};
use super::library::Shelves;
use super::names::Names;
use super::occupancy::{self, CellShares};
use super::puzzle::{self, Judgement, Puzzle};
use super::record_text;
use super::refusal::Refusal;
use super::replay::{GameRequest, Replay};
use super::served;
use super::trees::{self, Kept, PageSearch};

/// A replayed game. Methods about its position are about the game after the requested number of plies.
pub trait Table: Send {
    /// The game's name.
    fn name(&self) -> GameName;

    /// The answer of `POST /api/game`.
    fn view(&self) -> Response;

    /// The answer of `POST /api/line` for the plies from this number on.
    fn line(&self, from: usize) -> Response;

    /// The reason for the end of the game, if it is over.
    fn end_reason(&self) -> Option<&'static str>;

    /// Number of plies of the whole game.
    fn plies(&self) -> usize;

    /// A player's choice in a position where the game is not over; `seed` is that of the player's randomness in this
    /// game.
    ///
    /// # Errors
    /// If the player fails.
    fn choose(&self, player: &PlayerSpec, seed: u32, evaluators: &Arc<Evaluators>) -> Result<Choice, Refusal>;

    /// [`trees::search`].
    ///
    /// # Errors
    /// If the network cannot be used.
    fn search(
        &self,
        search: &PageSearch,
        kept: &mut Kept,
        watch: &mut dyn FnMut(&AnalysisReport),
    ) -> Result<AnalysisReport, String>;

    /// [`occupancy::occupancy`].
    ///
    /// # Errors
    /// As there.
    fn occupancy(&self, checkpoint: &ServedCheckpoint, device: Device) -> Result<Vec<CellShares>, Refusal>;

    /// [`puzzle::judge`].
    ///
    /// # Errors
    /// If the proof was stopped.
    fn judge(&self, puzzle: &Puzzle, stop: &dyn Fn() -> bool) -> Result<Judgement, Refusal>;

    /// The moves of the position in games of these runs, by the sources for which `chosen` is true.
    fn explored(&self, shelves: &Shelves, runs: &[String], chosen: &dyn Fn(&Source) -> bool) -> Vec<Explored>;

    /// The place of the position in a book of this game.
    fn place_in(&self, places: &Places) -> Option<usize>;

    /// The moves of the position that the article discusses, each in exact form and in that for people.
    fn article_moves(&self) -> Vec<(String, String, ArticleMove)>;

    /// The record of the whole game.
    ///
    /// # Errors
    /// If the names are not those of a record.
    fn record(&self, names: &Names) -> Result<String, Refusal>;
}

/// Replays the game of a request.
pub fn open(request: &GameRequest) -> Result<Box<dyn Table>, Refusal> {
    let name = request.name()?;
    with_game!(name, G => seat::<G>(request, name))
}

fn seat<G: Playable>(request: &GameRequest, name: GameName) -> Result<Box<dyn Table>, Refusal> {
    Ok(Box::new(request.replay::<G>(name)?))
}

impl<G: Playable> Table for Replay<G> {
    fn name(&self) -> GameName {
        self.name
    }

    fn view(&self) -> Response {
        served::view(self)
    }

    fn line(&self, from: usize) -> Response {
        served::line(&self.plies_from(from))
    }

    fn end_reason(&self) -> Option<&'static str> {
        self.game.end_reason()
    }

    fn plies(&self) -> usize {
        self.plies.len()
    }

    fn choose(&self, player: &PlayerSpec, seed: u32, evaluators: &Arc<Evaluators>) -> Result<Choice, Refusal> {
        choice::choose(self, player, seed, evaluators)
    }

    fn search(
        &self,
        search: &PageSearch,
        kept: &mut Kept,
        watch: &mut dyn FnMut(&AnalysisReport),
    ) -> Result<AnalysisReport, String> {
        trees::search(self, search, kept, watch)
    }

    fn occupancy(&self, checkpoint: &ServedCheckpoint, device: Device) -> Result<Vec<CellShares>, Refusal> {
        occupancy::occupancy(self, checkpoint, device)
    }

    fn judge(&self, puzzle: &Puzzle, stop: &dyn Fn() -> bool) -> Result<Judgement, Refusal> {
        puzzle::judge(self, puzzle, stop)
    }

    fn explored(&self, shelves: &Shelves, runs: &[String], chosen: &dyn Fn(&Source) -> bool) -> Vec<Explored> {
        let mut moves = Moves::new(self.game.clone());
        for run in runs {
            if let Some(collection) = shelves.collection_of::<G>(self.name, run) {
                moves.add(run, collection.explorer(), chosen);
            }
        }
        moves.list()
    }

    fn place_in(&self, places: &Places) -> Option<usize> {
        places.find(&self.game)
    }

    fn article_moves(&self) -> Vec<(String, String, ArticleMove)> {
        let named = served::article_moves(&self.game).into_iter();
        let texts = named.map(|(action, named)| (self.game.action_text(action), self.game.people_text(action), named));
        texts.collect()
    }

    fn record(&self, names: &Names) -> Result<String, Refusal> {
        record_text::write(self, names)
    }
}
