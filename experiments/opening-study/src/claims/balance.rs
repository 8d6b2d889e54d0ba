//! How even, long and eventful the games of a study are. No claim of the article rests on it.

use serde::{Deserialize, Serialize};

use super::method::games::{GamesAnalysis, Pool};
use super::method::measure::Measure;
use crate::evidence::games::{GameFacts, Series, SeriesId, SeriesKind};
use crate::{FirstMove, first_moves};
use chase_statistics::{Interval, MeanEstimate};

/// How even, long and eventful games are.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Balance {
    /// Games from the initial position: of each player under the study's conventions, then of the first player under
    /// others.
    pub games: Vec<GamesBalance>,
    /// First moves under the pie rule; `None` if no games after first moves have a result.
    pub pie: Option<PieRule>,
}

/// Games of a player against itself from the initial position. Each interval has the study's error by itself, at every
/// moment at once. Estimates are `None` if the games are mostly the same ones, or if none has the number.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GamesBalance {
    /// The player.
    pub player: String,
    /// The conventions about draws and length.
    pub rules: String,
    /// Games.
    pub games: u64,
    /// Score of the first player, without truncated games.
    pub score: Option<MeanEstimate>,
    /// Share of won games, among all.
    pub won: Option<MeanEstimate>,
    /// Share of drawn games, among all.
    pub drawn: Option<MeanEstimate>,
    /// Share of truncated games, among all.
    pub truncated: Option<MeanEstimate>,
    /// Plies of a game, truncated ones included.
    pub plies: Option<MeanEstimate>,
    /// The 10th percentile, the median and the 90th percentile of the plies.
    pub plies_percentiles: Option<[u32; 3]>,
    /// How often the lead went from one player to the other.
    pub lead_changes: Option<MeanEstimate>,
    /// Share of comebacks among won games.
    pub comebacks: Option<MeanEstimate>,
    /// The part of a won game, from 0 to 1, after which its winner is ahead to the end.
    pub settled_share: Option<MeanEstimate>,
}

/// First moves under the pie rule: after the first move the second player chooses a side, so that the best first move is
/// the most even one. A move and its mirror image count as one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PieRule {
    /// The distance of the most even first move's score from one half.
    pub least: Interval,
    /// The level at which all intervals hold together.
    pub level: f64,
    /// First moves with games, the most even estimate first.
    pub moves: Vec<PieMove>,
}

/// A first move and its mirror image under the pie rule.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PieMove {
    /// Both actions in exact form.
    pub actions: [String; 2],
    /// Both moves in article form.
    pub texts: [String; 2],
    /// Score of the player who makes the move, mean over both and over the players of the whole study.
    pub score: MeanEstimate,
    /// How far the score is from one half.
    pub distance: Interval,
    /// True if it may be the most even first move.
    pub may_be_most_even: bool,
}

impl Balance {
    /// The balance of games.
    pub(crate) fn of(analysis: &GamesAnalysis<'_>) -> Self {
        let series = analysis.series.iter();
        let from_start = series.filter(|series| matches!(series.kind(), SeriesKind::Free | SeriesKind::Convention));
        Self {
            games: from_start.map(|series| GamesBalance::of(analysis, series)).collect(),
            pie: PieRule::of(analysis),
        }
    }
}

impl GamesBalance {
    fn of(analysis: &GamesAnalysis<'_>, series: &Series) -> Self {
        let games = analysis.games(series.id);
        let design = analysis.design;
        let estimate = |measure| analysis.estimate_of_series(measure, series.id);
        Self {
            player: design.players[series.player()].name.clone(),
            rules: series.rules.to_string(),
            games: games.len() as u64,
            score: estimate(Measure::Score),
            won: estimate(Measure::Won),
            drawn: estimate(Measure::Drawn),
            truncated: estimate(Measure::Truncated),
            plies: estimate(Measure::Plies),
            plies_percentiles: percentiles(games),
            lead_changes: estimate(Measure::LeadChanges),
            comebacks: estimate(Measure::Comeback),
            settled_share: estimate(Measure::Settled),
        }
    }
}

/// The 10th percentile, the median and the 90th percentile of the plies; `None` without games.
fn percentiles(games: &[GameFacts]) -> Option<[u32; 3]> {
    let mut plies: Vec<u32> = games.iter().map(|game| game.plies).collect();
    plies.sort_unstable();
    let not_exceeded_by = |tenths: usize| plies.get((plies.len() * tenths).div_ceil(10).max(1) - 1).copied();
    Some([not_exceeded_by(1)?, not_exceeded_by(5)?, not_exceeded_by(9)?])
}

/// How far the true score is from one half. Nothing is known of it if the estimate contradicts itself.
fn from_half(score: &MeanEstimate) -> Interval {
    let whole = Interval { low: None, high: None };
    let known = if score.is_consistent() { score.interval } else { whole };
    let (low, high) = (known.low.unwrap_or(0.0), known.high.unwrap_or(1.0));
    Interval {
        low: Some((low - 0.5).max(0.5 - high).max(0.0)),
        high: Some((0.5 - low).max(high - 0.5)),
    }
}

impl PieRule {
    fn of(analysis: &GamesAnalysis<'_>) -> Option<Self> {
        let pool = Pool::all(analysis.design);
        let all = first_moves();
        let pairs = FirstMove::pairs();
        let text = |action| {
            let first = all.iter().find(|first| first.action() == action);
            first.expect("an action of a first move").text()
        };
        let moves = pairs.iter().filter_map(|&actions| {
            let sides = pool.of(|player| actions.map(|action| SeriesId::first(player, action)).to_vec());
            let score = analysis.estimate(Measure::Score, &sides, pool.sharing(pairs.len()))?;
            Some(PieMove {
                actions: actions.map(|action| action.to_string()),
                texts: actions.map(text),
                distance: from_half(&score),
                score,
                may_be_most_even: false,
            })
        });
        let mut moves: Vec<PieMove> = moves.collect();
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
        let level = 1.0 - analysis.design.config.error;
        Some(Self { least, level, moves })
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::super::tests::world::{self, Truth};
    use super::*;
    use crate::evidence::games::{GamesConfig, LeadFacts};
    use chase_engine::Outcome;

    #[test]
    fn the_distance_from_an_even_score_is_that_of_the_nearer_and_the_farther_end() {
        let rounded = |mean: f64, low: f64, high: f64| {
            let distance = from_half(&world::estimate(mean, Some(low), Some(high)));
            [distance.low, distance.high].map(|end| (100.0 * end.unwrap()).round())
        };
        assert_eq!(rounded(0.5, 0.45, 0.6), [0.0, 10.0]);
        assert_eq!(rounded(0.65, 0.6, 0.7), [10.0, 20.0]);
        assert_eq!(rounded(0.3, 0.2, 0.4), [10.0, 30.0]);
        // The mean left its interval, and the ends passed each other: nothing is known.
        assert_eq!(rounded(0.7, 0.45, 0.6), [0.0, 50.0]);
        assert_eq!(rounded(0.57, 0.6, 0.55), [0.0, 50.0]);
        let unbounded = from_half(&world::estimate(0.5, None, None));
        assert_eq!((unbounded.low, unbounded.high), (Some(0.0), Some(0.5)));
    }

    /// White's true score: even after one first move and its mirror image, 10 points off after another pair, and far off
    /// after all others.
    fn truth(series: &Series) -> Truth {
        let score = match series.id.to_string().as_str() {
            "0/first/A3NE" | "0/first/A7NW" => 0.5,
            "0/first/1A6A7" | "0/first/1A4A3" => 0.6,
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
            assert_eq!(pie.moves.len(), 22);
            let may_be: Vec<&[String; 2]> = pie
                .moves
                .iter()
                .filter(|of| of.may_be_most_even)
                .map(|of| &of.actions)
                .collect();
            let has = |action: &str| may_be.iter().any(|of| of.iter().any(|own| own == action));
            missed += u32::from(!has("A3NE") || !pie.least.contains(0.0));
            far += may_be.len() - usize::from(has("A3NE")) - usize::from(has("1A6A7"));
        }
        // Five per cent and three standard deviations make six.
        assert!(missed <= 6, "{missed}");
        // Of 20 first moves that are 40 points off a tenth may be left.
        assert!(10 * far <= 20 * repetitions as usize, "{far}");
    }

    #[test]
    fn numbers_are_those_of_the_games() {
        let design = world::design_of(GamesConfig {
            conventions: vec!["repetition 3, quiet off, length 400".into()],
            replies: false,
            ..GamesConfig::default()
        });
        let series = design.series();
        let mut games = world::games(1, &series, truth);
        for (number, game) in games.get_mut(&SeriesId::free(0)).unwrap().iter_mut().enumerate() {
            game.plies = 5 * (number as u32 + 1);
            let is_won = matches!(game.outcome, Outcome::Win(_));
            game.lead = Some(LeadFacts {
                changes: number as u32 % 3,
                comeback: is_won.then_some(number % 2 == 0),
                settled: is_won.then_some(game.plies / 2),
            });
        }
        let analysis = GamesAnalysis::new(&design, &series, &games, "");
        let balance = Balance::of(&analysis);
        let free = &balance.games[0];
        assert_eq!(free.plies_percentiles, Some([80, 400, 720]));
        let mean = |estimate: Option<MeanEstimate>| estimate.unwrap().mean;
        // Of 160 games 54 have no change of the lead, 53 one, and 53 two.
        assert_eq!((1e3 * mean(free.lead_changes)).round(), 994.0);
        assert!((mean(free.settled_share) - 0.5).abs() < 0.01);
        // Every game is won, drawn or truncated, and only won ones can be comebacks.
        let shares = [free.won, free.drawn, free.truncated].map(mean);
        assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{shares:?}");
        let won = (shares[0] * 160.0).round() as u64;
        assert_eq!((free.comebacks.unwrap().n, free.settled_share.unwrap().n), (won, won));
        assert!(won < 160);
        // Other games of the world have no values of searches.
        let other = &balance.games[1];
        assert_ne!(other.rules, free.rules);
        assert_eq!((other.lead_changes, other.settled_share), (None, None));
    }
}
