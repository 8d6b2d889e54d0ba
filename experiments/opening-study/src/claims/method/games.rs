//! From games to estimates: comparisons of series, and the result of one test.

use std::collections::{BTreeSet, HashMap, HashSet};

use chase_engine::Player;
use serde_json::json;

use crate::evidence::games::{Design, GameFacts, Series, SeriesId, SeriesKind};
use crate::{ClaimId, ComparedWith, Effect, EffectUnit, Finding, OpeningClass, TestEvidence, first_moves};
use chase_report::number;
use chase_statistics::Interval;
use chase_statistics::Verdict;
use chase_statistics::{AnytimeMean, Contrast, FindingPlan, MeanEstimate, MeanMethod, block_numbers};

/// A number measured in a game; `None` if the game does not have it.
pub(crate) type GameMeasure = fn(&GameFacts) -> Option<f64>;

/// A measure, and its range.
#[derive(Clone, Copy)]
pub(crate) struct Counted {
    /// The measure.
    pub measure: GameMeasure,
    /// The smallest and the largest possible number of a game.
    pub range: (f64, f64),
    /// Its description, with whose it is.
    pub name: &'static str,
    /// Its unit.
    pub unit: EffectUnit,
    /// Method of estimating its mean: the t-martingale if numbers hardly vary within their range (study 0018).
    pub method: MeanMethod,
}

/// Score of the first player.
pub(crate) const SCORE: Counted = Counted {
    measure: |game| game.score,
    range: (0.0, 1.0),
    name: "score of the first player",
    unit: EffectUnit::Score,
    method: MeanMethod::Betting,
};
/// Games that end in a win, without truncated ones.
pub(crate) const DECISIVE: Counted = Counted {
    measure: |game| game.score.map(|score| f64::from(u8::from(score != 0.5))),
    range: (0.0, 1.0),
    name: "share of decisive games",
    unit: EffectUnit::Share,
    method: MeanMethod::Betting,
};
/// Games drawn by a convention; truncated ones count as not drawn.
pub(crate) const DRAWN: Counted = Counted {
    measure: |game| Some(f64::from(u8::from(game.score == Some(0.5)))),
    range: (0.0, 1.0),
    name: "share of drawn games",
    unit: EffectUnit::Share,
    method: MeanMethod::Betting,
};
/// Games without a result.
pub(crate) const TRUNCATED: Counted = Counted {
    measure: |game| Some(f64::from(u8::from(game.score.is_none()))),
    range: (0.0, 1.0),
    name: "share of truncated games",
    unit: EffectUnit::Share,
    method: MeanMethod::Betting,
};
/// Dice lost by both sides early in the game.
pub(crate) const EARLY_CAPTURES: Counted = Counted {
    measure: |game| Some(f64::from(game.early_captures())),
    range: (0.0, 12.0),
    name: "dice lost in the first 20 plies",
    unit: EffectUnit::Dice,
    method: MeanMethod::Student,
};
/// Dice lost by the first player early in the game.
pub(crate) const WHITE_EARLY_LOSSES: Counted = Counted {
    measure: |game| Some(f64::from(game.early_losses[0])),
    range: (0.0, 6.0),
    name: "dice that the first player lost in the first 20 plies",
    unit: EffectUnit::Dice,
    method: MeanMethod::Student,
};
/// Dice that the first player won early in the game.
pub(crate) const EARLY_WINS: Counted = Counted {
    measure: |game| Some(f64::from(game.early_losses[1])),
    range: (0.0, 6.0),
    name: "dice that the first player won in the first 20 plies",
    unit: EffectUnit::Dice,
    method: MeanMethod::Student,
};
/// Early plies of the first player that leave one of the other's dice attacked.
pub(crate) const EARLY_THREATS: Counted = Counted {
    measure: |game| Some(f64::from(game.early_threats[0])),
    range: (0.0, 20.0),
    name: "plies of the first player among the first 20 after which a die of the other is attacked",
    unit: EffectUnit::Plies,
    method: MeanMethod::Student,
};
/// 1 if the first player is the first to enter the Chamber, and early.
pub(crate) const EARLY_ENTRY: Counted = Counted {
    measure: |game| Some(f64::from(u8::from(game.enters_early(Player::White)))),
    range: (0.0, 1.0),
    name: "share of games whose first player is the first in the Chamber by ply 20",
    unit: EffectUnit::Share,
    method: MeanMethod::Betting,
};
/// Plies before the first capture, a hundred at most.
pub(crate) const FIRST_CAPTURE: Counted = Counted {
    measure: |game| Some(f64::from(game.first_capture.unwrap_or(100).min(100))),
    range: (1.0, 100.0),
    name: "ply of the first capture (100 if later)",
    unit: EffectUnit::Plies,
    method: MeanMethod::Student,
};
/// 1 if the first lost 5 made its owner promote two dice; only games in which one was lost.
pub(crate) const FIVE_PROMOTES_TWO: Counted = Counted {
    measure: |game| game.fives.first().map(|&promoted| f64::from(u8::from(promoted >= 2))),
    range: (0.0, 1.0),
    name: "share of games whose first lost 5 promoted two dice",
    unit: EffectUnit::Share,
    method: MeanMethod::Betting,
};

/// Players whose games are pooled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Pool {
    /// Indices of the players; at least one.
    pub players: Vec<usize>,
    /// Number of pools with the same tests that share the error: all players together for the verdict, or each alone
    /// for the variation between them.
    shared_by: usize,
}

impl Pool {
    /// All players of the whole study, who decide.
    pub fn all(design: &Design) -> Self {
        Self {
            players: design.main_players().collect(),
            shared_by: 1,
        }
    }

    /// Each of several players alone; empty if there is only one, who is all.
    pub fn apart(design: &Design) -> Vec<Self> {
        let players = design.main_players();
        let several = players.len();
        let alone = |player| Self {
            players: vec![player],
            shared_by: several,
        };
        players.filter(|_| several > 1).map(alone).collect()
    }

    /// Some players, with tests of their own that no other pool has.
    pub const fn beside(players: Vec<usize>) -> Self {
        Self { players, shared_by: 1 }
    }

    /// Number of comparisons that share an error, if each pool makes `comparisons`.
    pub const fn sharing(&self, comparisons: usize) -> usize {
        comparisons * self.shared_by
    }

    /// The player, if there is only one.
    pub fn single(&self) -> Option<usize> {
        match self.players[..] {
            [player] => Some(player),
            _ => None,
        }
    }

    /// For each player, the series whose mean is tested.
    pub fn of(&self, series: impl Fn(usize) -> Vec<SeriesId>) -> Vec<Sides> {
        self.against(series, |_| Vec::new())
    }

    /// For each player, the series whose mean is tested, and those whose mean is subtracted.
    pub fn against(&self, plus: impl Fn(usize) -> Vec<SeriesId>, minus: impl Fn(usize) -> Vec<SeriesId>) -> Vec<Sides> {
        let sides = |&player: &usize| Sides {
            plus: plus(player),
            minus: minus(player),
        };
        self.players.iter().map(sides).collect()
    }
}

/// Series of one player: the mean over the first minus the mean over the second, if there are any.
#[derive(Clone, Debug)]
pub(crate) struct Sides {
    pub plus: Vec<SeriesId>,
    pub minus: Vec<SeriesId>,
}

impl Sides {
    pub fn series(&self) -> impl Iterator<Item = SeriesId> {
        self.plus.iter().chain(&self.minus).copied()
    }
}

/// A comparison of series, and the claim about it.
pub(crate) struct Test<'a> {
    /// The claim, and the part of it.
    pub claim: ClaimId,
    pub part: String,
    /// The games of these players.
    pub pool: &'a Pool,
    pub counted: Counted,
    /// The effect in words.
    pub effect: String,
    /// The series of each player; the mean over players is tested.
    pub sides: Vec<Sides>,
    /// The claim: the effect is greater than this.
    pub threshold: f64,
    /// Comparisons that share the error of the claim.
    pub comparisons: usize,
}

/// A finding, and the series whose games could still change it.
pub(crate) struct Answer {
    pub finding: Finding,
    /// Empty if nothing is open.
    pub open: HashSet<SeriesId>,
    /// The plan of its test, by measure; empty for tests that decide nothing, and for tests without a threshold.
    pub plans: Vec<FindingPlan>,
}

impl Answer {
    /// A finding that needs no more games.
    pub fn context(finding: Finding) -> Self {
        Self {
            finding: finding.as_context(),
            open: HashSet::new(),
            plans: Vec::new(),
        }
    }
}

/// The series that need more games: those of a verdict, as long as it is open.
pub(crate) fn still_open(verdict: Verdict, series: impl IntoIterator<Item = SeriesId>) -> HashSet<SeriesId> {
    match verdict {
        Verdict::Inconclusive => series.into_iter().collect(),
        Verdict::Supported | Verdict::Refuted => HashSet::new(),
    }
}

/// All games, ready for tests.
pub(crate) struct GamesAnalysis<'a> {
    pub design: &'a Design,
    pub series: &'a [Series],
    facts: &'a HashMap<SeriesId, Vec<GameFacts>>,
    pub command: &'a str,
}

impl<'a> GamesAnalysis<'a> {
    pub fn new(
        design: &'a Design,
        series: &'a [Series],
        facts: &'a HashMap<SeriesId, Vec<GameFacts>>,
        command: &'a str,
    ) -> Self {
        Self {
            design,
            series,
            facts,
            command,
        }
    }

    /// The games of a series, by number.
    pub fn games(&self, series: SeriesId) -> &'a [GameFacts] {
        self.facts.get(&series).map_or(&[], Vec::as_slice)
    }

    /// All first moves of a player that satisfy a condition.
    pub fn firsts(player: usize, accept: impl Fn(OpeningClass) -> bool) -> Vec<SeriesId> {
        let moves = first_moves().into_iter().filter(|first| accept(first.class));
        moves.map(|first| SeriesId::first(player, first.action())).collect()
    }

    /// The first moves of a player that some classes are compared with: all others except the reckless ones.
    pub fn rest(player: usize, classes: &[OpeningClass]) -> Vec<SeriesId> {
        Self::firsts(player, |class| !class.is_called_reckless() && !classes.contains(&class))
    }

    /// The number of different games of a player from the initial position, and of all, if the player repeats the same
    /// ones: then they do not show how its games vary.
    pub fn repeats(&self, player: usize) -> Option<(usize, usize)> {
        let games = self.games(SeriesId::free(player));
        let distinct: BTreeSet<_> = games.iter().map(|game| (&game.line, game.plies)).collect();
        (games.len() > 1 && 2 * distinct.len() < games.len()).then_some((distinct.len(), games.len()))
    }

    /// A player's series of one kind.
    pub fn of_kind(&self, player: usize, kind: SeriesKind) -> impl Iterator<Item = &'a Series> {
        let series = self.series.iter();
        series.filter(move |series| series.player() == player && series.kind() == kind)
    }

    /// Number of blocks that all of these series reach if one from a forced opening has `most`.
    pub fn planned(&self, sides: &[Sides], most: u32) -> u32 {
        let played = |id: &SeriesId| self.series.iter().any(|series| series.id == *id);
        let series = sides.iter().flat_map(Sides::series).filter(played);
        let planned = series.map(|id| self.design.games(id.kind(), most));
        planned.min().unwrap_or(most)
    }

    /// One number for each block: the mean over players.
    pub fn blocks(&self, counted: Counted, sides: &[Sides]) -> Vec<f64> {
        let numbers = |ids: &[SeriesId]| -> Vec<Vec<Option<f64>>> {
            let series = ids.iter().map(|&id| self.games(id));
            series
                .map(|games| games.iter().map(counted.measure).collect())
                .collect()
        };
        let contrast = |sides: &Sides| Contrast {
            plus: numbers(&sides.plus),
            minus: numbers(&sides.minus),
        };
        block_numbers(&sides.iter().map(contrast).collect::<Vec<_>>())
    }

    /// Numbers by block: the mean over all games of the block; `None` if a game has no number.
    pub fn by_block(&self, counted: Counted, sides: &[Sides]) -> Vec<Option<f64>> {
        let series = sides.iter().flat_map(Sides::series);
        let all: Vec<&[GameFacts]> = series.map(|id| self.games(id)).collect();
        let blocks = all.iter().map(|games| games.len()).min().unwrap_or(0);
        let number = |block: usize| {
            let known: Vec<f64> = all
                .iter()
                .filter_map(|games| (counted.measure)(&games[block]))
                .collect();
            (known.len() == all.len()).then(|| known.iter().sum::<f64>() / known.len() as f64)
        };
        (0..blocks).map(number).collect()
    }

    /// The range of the numbers of blocks, and the method of estimating their mean.
    pub fn way(counted: Counted, sides: &[Sides]) -> ((f64, f64), MeanMethod) {
        let (low, high) = counted.range;
        if sides.iter().all(|sides| sides.minus.is_empty()) {
            return (counted.range, counted.method);
        }
        // A mean over whole classes hardly varies within the range of one game.
        let of_classes = sides.iter().any(|sides| sides.series().count() > 2);
        let method = if of_classes {
            MeanMethod::Student
        } else {
            counted.method
        };
        ((low - high, high - low), method)
    }

    /// For each player the mean over some series, minus the mean over others if there are any; then the mean over
    /// players.
    pub fn estimate(&self, counted: Counted, sides: &[Sides], comparisons: usize) -> Option<MeanEstimate> {
        let (range, method) = Self::way(counted, sides);
        let config = &self.design.config;
        AnytimeMean::new(method, range, config.error, self.planned(sides, config.most).into())
            .shared_by(comparisons)
            .estimate(&self.blocks(counted, sides))
    }

    /// The mean over some series of one player, as one comparison among several.
    pub fn estimate_of(&self, counted: Counted, series: &[SeriesId], comparisons: usize) -> Option<MeanEstimate> {
        let sides = Sides {
            plus: series.to_vec(),
            minus: Vec::new(),
        };
        self.estimate(counted, &[sides], comparisons)
    }

    /// The mean over a series, as a single comparison; `None` too for games from the initial position that are mostly the
    /// same ones.
    pub fn estimate_of_series(&self, counted: Counted, series: SeriesId) -> Option<MeanEstimate> {
        let varied = series.kind() != SeriesKind::Free || self.repeats(series.player).is_none();
        varied.then(|| self.estimate_of(counted, &[series], 1))?
    }

    /// Runs a test.
    pub fn answer(&self, test: Test<'_>) -> Answer {
        let comparisons = test.pool.sharing(test.comparisons);
        let estimate = self.estimate(test.counted, &test.sides, comparisons);
        self.answer_by(test, estimate)
    }

    /// Runs a test whose mean is already estimated.
    pub fn answer_by(&self, test: Test<'_>, estimate: Option<MeanEstimate>) -> Answer {
        let comparisons = test.pool.sharing(test.comparisons);
        let verdict = estimate.map_or(Verdict::Inconclusive, |estimate| estimate.greater_than(test.threshold));
        let unit = test.counted.unit;
        let all = || test.sides.iter().flat_map(Sides::series);
        let games: usize = all().map(|series| self.games(series).len()).sum();
        let summary = match &estimate {
            Some(estimate) => format!(
                "{}: {}; the claim needs more than {}.{}",
                test.effect,
                with_interval(estimate, unit),
                unit.in_words(test.threshold),
                outlook(estimate, test.threshold, verdict)
            ),
            None => format!("{}: no games with a result.", test.effect),
        };
        let how = format!(
            "mean over {} blocks of games{}{}; anytime-valid interval {}, the claim's error shared by {comparisons} comparisons",
            estimate.map_or(0, |estimate| estimate.n),
            if test.sides.iter().all(|sides| sides.minus.is_empty()) {
                ""
            } else {
                " of the difference"
            },
            match test.sides.len() {
                1 => String::new(),
                agents => format!(", {agents} agents counting alike in each"),
            },
            estimate.map_or(test.counted.method, |estimate| estimate.method).name(),
        );
        let against = test.sides.iter().flat_map(|sides| &sides.minus);
        let finding = self
            .finding(test.claim, &test.part, test.pool, verdict, summary)
            .with_test(estimate.map_or(0, |estimate| estimate.n), "blocks", how)
            .with_evidence(json!({
                "estimate": estimate,
                "games": games,
                "series": test.sides.iter().flat_map(|sides| &sides.plus).collect::<Vec<_>>(),
                "blocks_to_halve": estimate.map(|estimate| estimate.to_halve()),
                "blocks_to_decide": estimate.and_then(|estimate| estimate.to_exclude(test.threshold)),
            }))
            .with_test_evidence(TestEvidence {
                threshold: Some(test.threshold),
                against: Some(ComparedWith::Series(against.copied().collect())),
                ..TestEvidence::default()
            });
        let finding = match &estimate {
            Some(estimate) => finding.with_effect(effect(&test.effect, unit, estimate)),
            None => finding,
        };
        let open = still_open(verdict, all());
        let plans = vec![self.plan(test.counted, &test.sides, comparisons, test.threshold)];
        Answer { finding, open, plans }
    }

    /// A finding from the games of some players, without numbers yet.
    pub fn finding(&self, claim: ClaimId, part: &str, pool: &Pool, verdict: Verdict, summary: String) -> Finding {
        let finding = Finding::empirical(claim, part, verdict, summary).with_command(self.command);
        match pool.single() {
            Some(player) => finding.with_agent(self.design.players[player].name.clone()),
            None => finding,
        }
    }
}

/// An estimate in the form of an effect.
pub(crate) fn effect(name: &str, unit: EffectUnit, estimate: &MeanEstimate) -> Effect {
    Effect {
        name: name.to_owned(),
        unit,
        value: estimate.mean,
        interval: Some(estimate.interval),
        level: Some(estimate.level),
        error: Some(estimate.error()),
    }
}

/// `52.3 % (99.5 % interval [49.0 %, 55.6 %], at this moment alone [48.1 %, 56.5 %], 128 blocks)`.
pub(crate) fn with_interval(estimate: &MeanEstimate, unit: EffectUnit) -> String {
    let current = match estimate.current == estimate.interval {
        true => String::new(),
        false => format!("at this moment alone {}, ", bounds(&estimate.current, unit)),
    };
    format!(
        "{} ({} interval {}, {}{} blocks)",
        unit.in_words(estimate.mean),
        percent(estimate.level),
        bounds(&estimate.interval, unit),
        current,
        estimate.n
    )
}

/// `[49.0 %, 55.6 %]`.
pub(crate) fn bounds(interval: &Interval, unit: EffectUnit) -> String {
    number::interval(interval, |end| unit.in_words(end))
}

/// A level, with no more digits than needed.
pub(crate) fn percent(level: f64) -> String {
    let text = format!("{:.2}", 100.0 * level);
    format!("{} %", text.trim_end_matches('0').trim_end_matches('.'))
}

/// The reason that a verdict is open, or the games needed to decide it.
fn outlook(estimate: &MeanEstimate, threshold: f64, verdict: Verdict) -> String {
    if !estimate.is_consistent() {
        return " Later games contradict earlier ones (the mean left its own interval), so no verdict is given.".into();
    }
    match (verdict, estimate.to_exclude(threshold)) {
        (Verdict::Inconclusive, Some(blocks)) => format!(
            " If the truth is as estimated, about {blocks} blocks decide it; {} halve the interval.",
            estimate.to_halve()
        ),
        (Verdict::Inconclusive, None) => format!(" {} blocks halve the interval.", estimate.to_halve()),
        _ => String::new(),
    }
}
