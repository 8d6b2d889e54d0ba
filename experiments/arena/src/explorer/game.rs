//! Games in the form that the explorer counts.

use chase_engine::{Game, Outcome, Player, Wdl};
use chase_training::game_record::GameRecord;
use serde::Serialize;

use crate::games::{GameFault, GameKind, GameResult};

/// The player who chose a move, and the kind of game.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
pub struct Source {
    /// The kind of the games.
    pub kind: GameKind,
    /// The checkpoint of a training run, or the player's name in a match or a study.
    pub player: String,
}

/// The beginning of a finished game.
#[derive(Clone, Debug)]
pub struct ExploredGame<G: Game> {
    /// The first position.
    pub start: G,
    /// White and Black.
    pub players: [Source; 2],
    /// The plies; the end of the game may be left out.
    pub plies: Vec<ExploredPly<G::Action>>,
    /// The result.
    pub outcome: Outcome,
}

/// A ply.
#[derive(Clone, Debug)]
pub struct ExploredPly<A> {
    /// The action.
    pub action: A,
    /// True if it counts as a move of its position. Random plies at the beginning of a game do not.
    pub counts: bool,
    /// White's expected score in the position before it, from 0 to 1, by the search that chose it.
    pub points: Option<f64>,
    /// Visits of the actions in a full search.
    pub visits: Vec<(A, u32)>,
}

impl<G: Game> ExploredGame<G> {
    /// The first `plies` plies of a game of a training run that the checkpoint `player` played against itself.
    pub fn of_training(record: &GameRecord<G>, kind: GameKind, player: &str, plies: usize) -> Self {
        let mut game = record.start.clone();
        let mut legal = Vec::new();
        let explored = record.plies.iter().take(plies).enumerate().map(|(index, ply)| {
            let visits = ply.policy.as_ref().map_or(Vec::new(), |policy| {
                game.legal_actions(&mut legal);
                let visits = legal.iter().copied().zip(policy.visits.iter().copied());
                visits.filter(|&(_, visits)| visits > 0).collect()
            });
            game.apply(ply.action);
            ExploredPly {
                action: ply.action,
                counts: index >= record.random_plies as usize,
                points: ply.value.map(|value| white_points(ply.player, value)),
                visits,
            }
        });
        let plies = explored.collect();
        let source = Source {
            kind,
            player: player.to_owned(),
        };
        Self {
            start: record.start.clone(),
            players: [source.clone(), source],
            plies,
            outcome: record.outcome,
        }
    }

    /// The first `plies` plies of a game of a match or a study, whose first `forced` plies do not count. `points` are
    /// White's expected scores before each ply; empty if they were not recorded.
    ///
    /// # Errors
    /// If the first position is invalid, or an action is not legal.
    pub fn of_result(
        result: &GameResult,
        standard: &G::Rules,
        players: [Source; 2],
        forced: u32,
        points: &[Option<f64>],
        plies: usize,
    ) -> Result<Self, GameFault> {
        // Games end where their file says so, whatever the conventions were.
        let rules = G::published_rules(standard);
        let mut explored = Vec::new();
        result.replay_game(&rules, plies, |_: &G, action| {
            let ply = explored.len();
            explored.push(ExploredPly {
                action,
                counts: ply >= forced as usize,
                points: points.get(ply).copied().flatten(),
                visits: Vec::new(),
            });
        })?;
        Ok(Self {
            start: result.begin(&rules)?,
            players,
            plies: explored,
            outcome: result.outcome,
        })
    }
}

/// White's expected score, if `player` expects this.
fn white_points(player: Player, expected: Wdl) -> f64 {
    match player {
        Player::White => expected.score(),
        Player::Black => (-expected).score(),
    }
}
