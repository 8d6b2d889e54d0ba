//! The numbers behind the findings, as stored in `games.json`.

use std::collections::BTreeMap;

use chase_engine::chase::Action;
use serde::{Serialize, Serializer};

use super::method::games::{GamesAnalysis, Pool};
use super::method::measure::Measure;
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
    /// The estimates, by the name of what is measured.
    pub estimates: BTreeMap<&'static str, MeanEstimate>,
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
            let measures = [
                Measure::Score,
                Measure::Decisive,
                Measure::Drawn,
                Measure::Truncated,
                Measure::EarlyCaptures,
                Measure::FirstCapture,
            ]
            .into_iter();
            let estimates = measures
                .filter_map(|measure: Measure| Some((measure.name(), self.estimate_of_series(measure, series.id)?)));
            let plies: f64 = games.iter().map(|game| f64::from(game.plies)).sum();
            SeriesData {
                id: series.id,
                player: series.player(),
                kind: series.kind(),
                rules: series.rules.to_string(),
                opening: series.line().iter().map(ToString::to_string).collect(),
                games: games.len() as u64,
                estimates: estimates.collect(),
                mean_plies: plies / games.len().max(1) as f64,
            }
        });
        let players = self.design.main_players();
        GamesData {
            players: self.design.players.clone(),
            series: series.collect(),
            first_moves: players
                .clone()
                .map(|player| self.first_move_data(&Pool::alone(player, players.len())))
                .collect(),
            diversity: players.map(|player| self.diversity(player)).collect(),
        }
    }
}
