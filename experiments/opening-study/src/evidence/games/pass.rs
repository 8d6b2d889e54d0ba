//! One pass over the games of a file: each is replayed once, for everything that is asked of it.

use std::path::Path;

use super::design::Design;
use super::error::GamesError;
use super::facts::{GameFacts, GameObserver};
use super::play::Start;
use super::series_id::{Kind, SeriesId};
use super::tables::{self, GameRow, PlyRows, Rows};
use crate::evidence::dice::{DiceFacts, DiceObserver};
use crate::evidence::values::{ValueFacts, ValueObserver};
use chase_arena::games::PlayedGame;

/// What the games of a file tell.
pub(super) struct Pass {
    /// Of every game, with its series.
    pub facts: Vec<(SeriesId, GameFacts)>,
    /// Of the games that tell of dice.
    pub dice: Vec<DiceFacts>,
    /// Of the games under the usual conventions in which somebody searched.
    pub values: Vec<ValueFacts>,
}

/// Replays games, which began as `starts` say. The first one has the number `first` among all games of the study. The rows
/// are those of the tables.
pub(super) fn replay(
    folder: &Path,
    design: &Design,
    starts: &[Start],
    games: &[PlayedGame],
    first: u64,
) -> Result<(Pass, Rows), GamesError> {
    let mut rows = Vec::with_capacity(games.len());
    let mut plies = PlyRows::default();
    let mut dice = Vec::new();
    let mut values = Vec::new();
    for (number, (game, start)) in (first..).zip(games.iter().zip(starts)) {
        let mut facts = GameObserver::new(game);
        let mut of_dice =
            tells_of_dice(design, start).then(|| DiceObserver::new(start.series.player(), start.number.into()));
        let (series, block) = (&start.series, start.number.into());
        let tells_of_values = series.kind() != Kind::Convention && game.values.iter().any(Option::is_some);
        let mut of_values =
            tells_of_values.then(|| ValueObserver::new(series.player(), block, series.kind() == Kind::Free));
        game.replay(&series.rules, |ply| {
            facts.ply(&ply);
            plies.add(number, game, &ply);
            if let Some(of_dice) = &mut of_dice {
                of_dice.ply(&ply, game.values[ply.ply]);
            }
            if let Some(of_values) = &mut of_values {
                of_values.ply(&ply, game.values[ply.ply]);
            }
        })?;
        dice.extend(of_dice.map(|of_dice| of_dice.finish(game.result.outcome)));
        values.extend(of_values.map(|of_values| of_values.finish(game.result.outcome)));
        rows.push(GameRow {
            number,
            game,
            series: &start.series,
            facts: facts.finish(),
        });
    }
    let tables = tables::rows(folder, design, &rows, plies)?;
    let facts = rows.into_iter().map(|row| (row.series.id, row.facts)).collect();
    Ok((Pass { facts, dice, values }, tables))
}

/// Whether a game tells of dice: those under other conventions, those of players who are there for the curve only, and
/// those from the initial position beyond the blocks of openings do not.
fn tells_of_dice(design: &Design, start: &Start) -> bool {
    let series = &start.series;
    series.kind() != Kind::Convention
        && design.main_players().contains(&series.player())
        && start.number < design.most()
}
