//! How even, long and eventful the games of a study are. No claim of the article rests on it.

use serde::{Deserialize, Serialize};

use super::method::games::{Counted, DECISIVE, DRAWN, GamesAnalysis, Pool, SCORE, TRUNCATED};
use crate::EffectUnit;
use crate::evidence::games::{GameFacts, SeriesId, SeriesKind};
use chase_statistics::{Interval, MeanEstimate, MeanMethod};

/// Plies of a game.
const PLIES: Counted = Counted {
    measure: |game| Some(f64::from(game.plies)),
    range: (0.0, 2000.0),
    name: "plies of a game",
    unit: EffectUnit::Plies,
    method: MeanMethod::Student,
};
/// Changes of the lead in a game.
const LEAD_CHANGES: Counted = Counted {
    measure: |game| Some(f64::from(game.drama?.lead_changes)),
    range: (0.0, 1000.0),
    name: "changes of the lead in a game",
    unit: EffectUnit::Plies,
    method: MeanMethod::Student,
};
/// Won games whose loser was ahead.
const COMEBACK: Counted = Counted {
    measure: |game| Some(f64::from(u8::from(game.drama?.comeback?))),
    range: (0.0, 1.0),
    name: "share of won games whose loser was ahead",
    unit: EffectUnit::Share,
    method: MeanMethod::Betting,
};
/// The part of a won game after which its winner is ahead to the end.
const SETTLED: Counted = Counted {
    measure: |game| Some(f64::from(game.drama?.settled?) / f64::from(game.plies.max(1))),
    range: (0.0, 1.0),
    name: "part of a won game until its winner is ahead to the end",
    unit: EffectUnit::Share,
    method: MeanMethod::Betting,
};

/// How even, long and eventful games are.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Balance {
    /// Games from the initial position: of each player under the study's conventions, then of the first player under
    /// others.
    pub games: Vec<GamesBalance>,
    /// First moves under the pie rule; `None` if no games after first moves have a result.
    pub pie: Option<PieRule>,
}

/// Games of a player against itself from the initial position. Each estimate has the study's error by itself, at every
/// moment at once.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GamesBalance {
    /// The player.
    pub player: String,
    /// The conventions about draws and length.
    pub rules: String,
    /// Games.
    pub games: u64,
    /// Score of the first player, without truncated games. The estimates are `None` if the games are mostly the same
    /// ones.
    pub score: Option<MeanEstimate>,
    /// Share of games that end in a win, without truncated games.
    pub decisive: Option<MeanEstimate>,
    /// Share of drawn games.
    pub drawn: Option<MeanEstimate>,
    /// Share of truncated games.
    pub truncated: Option<MeanEstimate>,
    /// Plies of a game.
    pub plies: Option<MeanEstimate>,
    /// The plies that a tenth, half and nine tenths of the games do not exceed.
    pub plies_tenth_half_nine_tenths: Option<[u32; 3]>,
    /// How often the player who was behind came to be ahead.
    pub lead_changes: Option<MeanEstimate>,
    /// Share of won games whose loser was ahead at some time.
    pub comebacks: Option<MeanEstimate>,
    /// The part of a won game, from 0 to 1, after which its winner is ahead to the end.
    pub settled: Option<MeanEstimate>,
}

/// First moves under the pie rule: after the first move the second player chooses a side, so that the best first move
/// is the most even one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PieRule {
    /// How far the score of the most even first move is from one half, whichever move that is.
    pub least: Interval,
    /// First moves with games, the most even estimate first.
    pub moves: Vec<PieMove>,
}

/// A first move under the pie rule.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PieMove {
    /// The action in exact form.
    pub action: String,
    /// The move in article form.
    pub text: String,
    /// Score of its player, mean over the players of the whole study. The intervals of all first moves hold together.
    pub score: MeanEstimate,
    /// How far the score is from one half.
    pub distance: Interval,
    /// True if it may be the most even first move.
    pub may_be_most_even: bool,
}

impl Balance {
    /// The balance of games.
    pub(crate) fn of(analysis: &GamesAnalysis<'_>) -> Self {
        let players = 0..analysis.design.players.len();
        let usual = players.map(|player| SeriesId::free(player));
        let others = analysis
            .series
            .iter()
            .filter(|series| series.kind() == SeriesKind::Convention);
        let others = others.map(|series| series.id);
        Self {
            games: usual.chain(others).map(|series| of_series(analysis, series)).collect(),
            pie: PieRule::of(analysis),
        }
    }
}

fn of_series(analysis: &GamesAnalysis<'_>, series: SeriesId) -> GamesBalance {
    let games = analysis.games(series);
    let rules = analysis.series.iter().find(|known| known.id == series);
    let varied = series.kind() != SeriesKind::Free || analysis.repeats(series.player).is_none();
    let estimate = |counted| varied.then(|| analysis.estimate_of(counted, &[series], 1)).flatten();
    GamesBalance {
        player: analysis.design.players[series.player].name.clone(),
        rules: rules.map_or_else(
            || analysis.design.config.rules.clone(),
            |series| series.rules.to_string(),
        ),
        games: games.len() as u64,
        score: estimate(SCORE),
        decisive: estimate(DECISIVE),
        drawn: estimate(DRAWN),
        truncated: estimate(TRUNCATED),
        plies: estimate(PLIES),
        plies_tenth_half_nine_tenths: lengths(games),
        lead_changes: estimate(LEAD_CHANGES),
        comebacks: estimate(COMEBACK),
        settled: estimate(SETTLED),
    }
}

/// The plies that a tenth, half and nine tenths of the games do not exceed; `None` without games.
fn lengths(games: &[GameFacts]) -> Option<[u32; 3]> {
    let mut plies: Vec<u32> = games.iter().map(|game| game.plies).collect();
    plies.sort_unstable();
    let not_exceeded_by = |tenths: usize| plies.get((plies.len() * tenths).div_ceil(10).max(1) - 1).copied();
    Some([not_exceeded_by(1)?, not_exceeded_by(5)?, not_exceeded_by(9)?])
}

/// How far a number in the interval is from one half, at least and at most.
fn from_half(score: &Interval) -> [f64; 2] {
    let (low, high) = (score.low.unwrap_or(0.0), score.high.unwrap_or(1.0));
    let least = (low - 0.5).max(0.5 - high).max(0.0);
    [least, (0.5 - low).max(high - 0.5)]
}

impl PieRule {
    fn of(analysis: &GamesAnalysis<'_>) -> Option<Self> {
        let firsts = analysis.first_move_data(&Pool::all(analysis.design)).into_iter();
        let mut moves: Vec<PieMove> = firsts
            .filter_map(|first| {
                let score = first.score?;
                let [low, high] = from_half(&score.interval).map(Some);
                Some(PieMove {
                    action: first.action.to_string(),
                    text: first.text,
                    score,
                    distance: Interval { low, high },
                    may_be_most_even: false,
                })
            })
            .collect();
        moves.sort_by(|one, other| {
            let distance = |of: &PieMove| (of.score.mean - 0.5).abs();
            distance(one).total_cmp(&distance(other))
        });
        let least = |end: fn(&Interval) -> Option<f64>| {
            let ends = moves.iter().filter_map(|of| end(&of.distance));
            ends.min_by(f64::total_cmp)
        };
        let least = Interval {
            low: least(|distance| distance.low),
            high: Some(least(|distance| distance.high)?),
        };
        for of in &mut moves {
            of.may_be_most_even = of.distance.low <= least.high;
        }
        Some(Self { least, moves })
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::super::method::world::{self, Truth};
    use super::*;
    use crate::evidence::games::{Drama, GamesConfig, Series};

    fn interval(low: f64, high: f64) -> Interval {
        Interval {
            low: Some(low),
            high: Some(high),
        }
    }

    #[test]
    fn the_distance_from_an_even_score_is_that_of_the_nearer_and_the_farther_end() {
        let rounded = |score: &Interval| from_half(score).map(|distance| (100.0 * distance).round());
        assert_eq!(rounded(&interval(0.45, 0.6)), [0.0, 10.0]);
        assert_eq!(rounded(&interval(0.6, 0.7)), [10.0, 20.0]);
        assert_eq!(rounded(&interval(0.2, 0.4)), [10.0, 30.0]);
        assert_eq!(rounded(&Interval { low: None, high: None }), [0.0, 50.0]);
    }

    /// White's true score: even after one first move, 10 points off after another, and far off after all others.
    fn truth(series: &Series) -> Truth {
        let score = match series.id.to_string().as_str() {
            "0/first/A3NE" => 0.5,
            "0/first/1A6A7" => 0.6,
            _ => 0.9,
        };
        Truth {
            score,
            ..Truth::default()
        }
    }

    #[test]
    fn the_most_even_first_move_is_rarely_excluded_and_far_ones_are() {
        let design = world::design();
        let series = design.series();
        let (repetitions, mut missed, mut far) = (40, 0, 0);
        for repetition in 0..repetitions {
            let games = world::games(repetition, &series, truth);
            let pie = PieRule::of(&GamesAnalysis::new(&design, &series, &games, "")).unwrap();
            assert_eq!(pie.moves.len(), 44);
            let may_be: Vec<&str> = pie
                .moves
                .iter()
                .filter(|of| of.may_be_most_even)
                .map(|of| of.action.as_str())
                .collect();
            missed += u32::from(!may_be.contains(&"A3NE") || !pie.least.contains(0.0));
            far += may_be
                .iter()
                .filter(|action| !["A3NE", "1A6A7"].contains(*action))
                .count();
        }
        // Five per cent and three standard deviations make six.
        assert!(missed <= 6, "{missed}");
        // Of 42 first moves that are 40 points off a tenth may be left.
        assert!(10 * far <= 42 * repetitions as usize, "{far}");
    }

    #[test]
    fn conditions_are_those_of_the_games() {
        let design = world::design_of(GamesConfig {
            conventions: vec!["repetition 3, quiet off, length 400".into()],
            replies: false,
            ..GamesConfig::default()
        });
        let series = design.series();
        let mut games = world::games(1, &series, truth);
        for (number, game) in games.get_mut(&SeriesId::free(0)).unwrap().iter_mut().enumerate() {
            game.plies = 10 * (number as u32 + 1);
            game.drama = Some(Drama {
                lead_changes: number as u32 % 3,
                comeback: game.score.filter(|&score| score != 0.5).map(|_| true),
                settled: game.score.filter(|&score| score != 0.5).map(|_| game.plies / 2),
            });
        }
        let analysis = GamesAnalysis::new(&design, &series, &games, "");
        let balance = Balance::of(&analysis);
        let free = &balance.games[0];
        assert_eq!(free.plies_tenth_half_nine_tenths, Some([160, 800, 1440]));
        let mean = |estimate: Option<MeanEstimate>| (1e3 * estimate.unwrap().mean).round();
        // Of 160 games 54 have no change of the lead, 53 one, and 53 two.
        assert_eq!(mean(free.lead_changes), 994.0);
        assert_eq!((mean(free.comebacks), mean(free.settled)), (1000.0, 500.0));
        let drawn_or_cut = free.games - free.comebacks.unwrap().n;
        assert!(drawn_or_cut > 0, "only won games have a comeback");
        // Other games of the world have no values of searches.
        let other = &balance.games[1];
        assert_ne!(other.rules, free.rules);
        assert_eq!((other.lead_changes, other.settled), (None, None));
    }
}
