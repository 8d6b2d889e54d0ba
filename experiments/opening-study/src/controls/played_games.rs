//! The games of a study that the test of A1 rests on, retold in worlds with a known truth.

use std::collections::HashMap;

use chase_engine::{Outcome, Player};
use chase_statistics::Verdict;

use crate::claims::method::games::{GamesAnalysis, Pool};
use crate::evidence::games::{Design, GameFacts, Series, SeriesId, SeriesKind, World};
use crate::evidence::score::score;

/// The verdict of a test on games.
pub(crate) type Judge<'a> = &'a (dyn Fn(&GamesAnalysis<'_>) -> Verdict + Sync);

/// Games that are played once and retold in many worlds.
pub(crate) struct PlayedGames<'a> {
    design: &'a Design,
    series: &'a [Series],
    games: HashMap<SeriesId, Vec<GameFacts>>,
}

impl<'a> PlayedGames<'a> {
    /// The games of the players of the whole study, from the initial position and after first moves.
    pub fn of(analysis: &GamesAnalysis<'a>) -> Self {
        let main = analysis.design.main_players();
        let counts = |series: &&Series| {
            matches!(series.kind(), SeriesKind::Free | SeriesKind::First) && main.contains(&series.player())
        };
        let games = analysis.series.iter().filter(counts).map(|series| {
            let games = analysis.games(series.id).iter().map(of_a_score);
            (series.id, games.collect())
        });
        Self {
            design: analysis.design,
            series: analysis.series,
            games: games.collect(),
        }
    }

    /// Complete blocks of games from the initial position, which every player of the whole study has.
    pub fn blocks(&self) -> u32 {
        let size = self.design.config.initial_factor.max(1);
        let games = |player| self.games.get(&SeriesId::free(player)).map_or(0, Vec::len) as u32;
        let blocks = self.design.main_players().map(|player| games(player) / size);
        blocks.min().unwrap_or(0)
    }

    /// The verdict in a world.
    pub fn verdict(&self, world: World<'_>, judge: Judge<'_>) -> Verdict {
        let games = self.retold(world);
        judge(&GamesAnalysis::new(self.design, self.series, &games, ""))
    }

    /// The score of the first player, as the test estimates it, if White won all decided games; less one half, and
    /// doubled. It is the share of decided games, each with its weight in the test.
    pub fn decided(&self) -> f64 {
        let games = self.retold(&|_, _, game| {
            if let Outcome::Win(_) = game.outcome {
                game.outcome = Outcome::Win(Player::White);
                game.score = score(game.outcome);
            }
        });
        let analysis = GamesAnalysis::new(self.design, self.series, &games, "");
        let scores = analysis.mixed_blocks(&Pool::all(self.design)).scores;
        2.0 * (scores.iter().sum::<f64>() / scores.len().max(1) as f64 - 0.5).max(0.0)
    }

    fn retold(&self, world: World<'_>) -> HashMap<SeriesId, Vec<GameFacts>> {
        let series = self.games.iter().map(|(&id, games)| {
            let mut games = games.clone();
            let each = games.iter_mut().enumerate();
            each.for_each(|(number, game)| world(id, number, game));
            (id, games)
        });
        series.collect()
    }
}

/// The facts that the first player's score rests on, which are cheap to copy.
fn of_a_score(game: &GameFacts) -> GameFacts {
    GameFacts {
        fives: Vec::new(),
        line: game.line.iter().take(1).cloned().collect(),
        ..game.clone()
    }
}
