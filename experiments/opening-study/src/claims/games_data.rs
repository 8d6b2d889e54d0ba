//! The numbers behind the findings, as stored in `games.json`.

use chase_engine::chase::Action;
use serde::{Serialize, Serializer};

use super::method::games::{DECISIVE, DRAWN, EARLY_CAPTURES, FIRST_CAPTURE, GamesAnalysis, Pool, SCORE, TRUNCATED};
use crate::OpeningClass;
use crate::evidence::games::{SeriesId, SeriesKind, StudyPlayer};
use chase_statistics::{Diversity, MeanEstimate};

/// All numbers.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GamesData {
    /// The players.
    pub players: Vec<StudyPlayer>,
    /// Every series.
    pub series: Vec<SeriesData>,
    /// Every first move, for each player of the whole study.
    pub first_moves: Vec<Vec<FirstMoveData>>,
    /// Diversity of lines of 1, 2, … plies from the initial position, for each player of the whole study.
    pub diversity: Vec<Vec<Diversity>>,
}

/// A series; each estimate is at the level of a single comparison. There are none for games from the initial position
/// that repeat the same few.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SeriesData {
    /// Its id.
    pub id: SeriesId,
    /// Index of the player.
    pub player: usize,
    /// Its kind.
    pub kind: SeriesKind,
    /// The conventions.
    pub rules: String,
    /// The forced plies in exact form.
    pub opening: Vec<String>,
    /// Games.
    pub games: u64,
    /// Score of the first player, without truncated games.
    pub score: Option<MeanEstimate>,
    /// Share of games that end in a win, without truncated games.
    pub decisive: Option<MeanEstimate>,
    /// Share of drawn games.
    pub drawn: Option<MeanEstimate>,
    /// Share of truncated games.
    pub truncated: Option<MeanEstimate>,
    /// Dice lost in the first 20 plies.
    pub early_captures: Option<MeanEstimate>,
    /// Ply of the first capture, at most 100.
    pub first_capture: Option<MeanEstimate>,
    /// Mean length, in plies.
    pub mean_plies: f64,
}

/// A first move.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FirstMoveData {
    /// The action in exact form.
    #[serde(serialize_with = "exact_form")]
    pub action: Action,
    /// The move in article form.
    pub text: String,
    /// Its class.
    pub class: OpeningClass,
    /// Games.
    pub games: u64,
    /// Score of the first player; the intervals of all first moves hold simultaneously.
    pub score: Option<MeanEstimate>,
    /// Anytime-valid p-value of the difference from the mean of the others, corrected for the number of first moves
    /// (Holm).
    pub p_value: f64,
    /// Score minus that of the mirror image, in matched games.
    pub less_mirror: Option<MeanEstimate>,
}

fn exact_form<S: Serializer>(action: &Action, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(action)
}

impl GamesAnalysis<'_> {
    /// All numbers.
    pub fn data(&self) -> GamesData {
        let series = self.series.iter().map(|series| {
            let games = self.games(series.id);
            let estimate = |counted| self.estimate_of_series(counted, series.id);
            let plies: f64 = games.iter().map(|game| f64::from(game.plies)).sum();
            SeriesData {
                id: series.id,
                player: series.player(),
                kind: series.kind(),
                rules: series.rules.to_string(),
                opening: series.line().iter().map(ToString::to_string).collect(),
                games: games.len() as u64,
                score: estimate(SCORE),
                decisive: estimate(DECISIVE),
                drawn: estimate(DRAWN),
                truncated: estimate(TRUNCATED),
                early_captures: estimate(EARLY_CAPTURES),
                first_capture: estimate(FIRST_CAPTURE),
                mean_plies: plies / games.len().max(1) as f64,
            }
        });
        GamesData {
            players: self.design.players.clone(),
            series: series.collect(),
            first_moves: match &Pool::apart(self.design)[..] {
                [] => vec![self.first_move_data(&Pool::all(self.design))],
                alone => alone.iter().map(|pool| self.first_move_data(pool)).collect(),
            },
            diversity: self
                .design
                .main_players()
                .map(|player| self.diversity(player))
                .collect(),
        }
    }
}
