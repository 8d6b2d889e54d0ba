//! A single pass over the games of a file: each is replayed once, for all statistics.

use super::design::Design;
use super::facts::{GameFacts, GameObserver};
use super::play::Start;
use super::series_id::{SeriesId, SeriesKind};
use super::tables::{self, GameRow, PlyRow, Rows};
use crate::evidence::dice::{DiceFacts, DiceObserver};
use crate::evidence::error::EvidenceError;
use crate::evidence::forks::{GameTurns, TurnObserver};
use chase_arena::games::PlayedGame;

/// Facts of the games of a file.
pub(super) struct Pass {
    /// Facts of every game, with its series.
    pub facts: Vec<(SeriesId, GameFacts)>,
    /// Facts about dice, of the games that count for them.
    pub dice: Vec<DiceFacts>,
    /// Turns of these games that could become forks.
    pub turns: Vec<GameTurns>,
}

/// Replays games that began according to `starts`. The first one has the number `first` among all games of the study.
/// The rows are those of the tables.
pub(super) fn replay(
    design: &Design,
    starts: &[Start],
    games: &[PlayedGame],
    first: u64,
) -> Result<(Pass, Rows), EvidenceError> {
    let mut rows = Vec::with_capacity(games.len());
    let mut all_facts = Vec::with_capacity(games.len());
    let (mut plies, mut dice, mut turns) = (Vec::new(), Vec::new(), Vec::new());
    for (number, (game, start)) in (first..).zip(games.iter().zip(starts)) {
        let mut facts = GameObserver::new(game);
        let (series, block) = (&start.series, start.number.into());
        let player = series.player();
        let mut beside = tells_of_dice(design, start)
            .then(|| (DiceObserver::new(player, block), TurnObserver::new(design.seed, number)));
        game.replay(&series.rules, |ply| {
            facts.ply(&ply);
            plies.push(PlyRow::new(number, game, &ply));
            if let Some((of_dice, of_turns)) = &mut beside {
                of_dice.ply(&ply);
                of_turns.ply(&ply);
            }
        })?;
        if let Some((of_dice, of_turns)) = beside {
            dice.push(of_dice.finish(game.result.outcome));
            turns.push(of_turns.finish(player, game.series.clone(), start.number, number));
        }
        let facts = facts.finish();
        rows.push(GameRow::new(number, game, series, &facts, design));
        all_facts.push((series.id, facts));
    }
    let pass = Pass {
        facts: all_facts,
        dice,
        turns,
    };
    Ok((pass, tables::rows(rows, plies)))
}

/// True if a game counts for facts about dice. Games under other conventions, games of players of the curve only, and
/// games from the initial position beyond the blocks of openings do not.
fn tells_of_dice(design: &Design, start: &Start) -> bool {
    let series = &start.series;
    series.kind() != SeriesKind::Convention
        && design.main_players().contains(&series.player())
        && start.number < design.most()
}
