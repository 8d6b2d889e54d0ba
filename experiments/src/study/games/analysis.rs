//! From games to estimates: which series stand against which, and what one test says.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::json;

use super::design::Design;
use super::facts::GameFacts;
use super::series::{Kind, Series};
use crate::rating::Interval;
use crate::study::statistics::{BoundedMean, MeanEstimate, block_differences, block_means};
use crate::study::{ClaimId, Effect, Finding, OpeningClass, Verdict, first_moves};

/// What is counted of a game; `None` if the game does not tell.
pub(super) type Measure = fn(&GameFacts) -> Option<f64>;

/// Something counted, and between which numbers it must be.
#[derive(Clone, Copy)]
pub(super) struct Counted {
    /// What.
    pub measure: Measure,
    /// The least and the greatest number of a game.
    pub range: (f64, f64),
    /// In words, of whom.
    pub name: &'static str,
    /// `score`, `share`, `dice`, `plies`.
    pub unit: &'static str,
}

/// Points of the first player.
pub(super) const SCORE: Counted = Counted {
    measure: |game| game.score,
    range: (0.0, 1.0),
    name: "score of the first player",
    unit: "score",
};
/// Games that end in a win, truncated ones not counted.
pub(super) const DECISIVE: Counted = Counted {
    measure: |game| game.score.map(|score| f64::from(u8::from(score != 0.5))),
    range: (0.0, 1.0),
    name: "share of decisive games",
    unit: "share",
};
/// Games that a convention made a draw, truncated ones counted as others.
pub(super) const DRAWN: Counted = Counted {
    measure: |game| Some(f64::from(u8::from(game.score == Some(0.5)))),
    range: (0.0, 1.0),
    name: "share of drawn games",
    unit: "share",
};
/// Games without a result.
pub(super) const TRUNCATED: Counted = Counted {
    measure: |game| Some(f64::from(u8::from(game.score.is_none()))),
    range: (0.0, 1.0),
    name: "share of truncated games",
    unit: "share",
};
/// Dice lost by both sides early in the game.
pub(super) const EARLY_CAPTURES: Counted = Counted {
    measure: |game| Some(f64::from(game.early_captures())),
    range: (0.0, 12.0),
    name: "dice lost in the first 20 plies",
    unit: "dice",
};
/// Dice lost by the first player early in the game.
pub(super) const WHITE_EARLY_LOSSES: Counted = Counted {
    measure: |game| Some(f64::from(game.early_losses[0])),
    range: (0.0, 6.0),
    name: "dice that the first player lost in the first 20 plies",
    unit: "dice",
};
/// Plies before the first capture, a hundred at most.
pub(super) const FIRST_CAPTURE: Counted = Counted {
    measure: |game| Some(f64::from(game.first_capture.unwrap_or(100).min(100))),
    range: (1.0, 100.0),
    name: "ply of the first capture (100 if later)",
    unit: "plies",
};
/// Whether the first lost 5 made its owner promote two dice; only games in which one was lost.
pub(super) const FIVE_PROMOTES_TWO: Counted = Counted {
    measure: |game| game.fives.first().map(|&promoted| f64::from(u8::from(promoted >= 2))),
    range: (0.0, 1.0),
    name: "share of games whose first lost 5 promoted two dice",
    unit: "share",
};

/// A comparison of series, and what the claim says of it.
pub(super) struct Test {
    /// The claim, and which part of it.
    pub claim: ClaimId,
    pub part: String,
    /// The player, by place.
    pub player: usize,
    pub counted: Counted,
    /// The effect in words.
    pub effect: String,
    /// Mean over these series …
    pub plus: Vec<String>,
    /// … less the mean over these, if there are any.
    pub minus: Vec<String>,
    /// The claim: the effect is greater than this.
    pub threshold: f64,
    /// Comparisons that share the error of the claim.
    pub comparisons: usize,
}

/// A finding, and the series whose games could still change it.
pub(super) struct Answer {
    pub finding: Finding,
    /// Empty if nothing is open.
    pub open: BTreeSet<String>,
}

impl Answer {
    /// A finding that no more games are played for.
    pub fn context(finding: Finding) -> Self {
        Self {
            finding: finding.as_context(),
            open: BTreeSet::new(),
        }
    }
}

/// All games, to be asked.
pub(super) struct Analysis<'a> {
    pub design: &'a Design,
    pub series: &'a [Series],
    facts: &'a BTreeMap<String, Vec<GameFacts>>,
    command: &'a str,
}

impl<'a> Analysis<'a> {
    pub fn new(
        design: &'a Design,
        series: &'a [Series],
        facts: &'a BTreeMap<String, Vec<GameFacts>>,
        command: &'a str,
    ) -> Self {
        Self {
            design,
            series,
            facts,
            command,
        }
    }

    /// The games of a series by number.
    pub fn games(&self, series: &str) -> &'a [GameFacts] {
        self.facts.get(series).map_or(&[], Vec::as_slice)
    }

    /// The first move of a player with this exact form.
    pub fn first(&self, player: usize, action: &str) -> String {
        format!("{player}/first/{action}")
    }

    /// All first moves of a player that satisfy a condition.
    pub fn firsts(&self, player: usize, accept: impl Fn(OpeningClass) -> bool) -> Vec<String> {
        let moves = first_moves().into_iter().filter(|first| accept(first.class));
        moves
            .map(|first| self.first(player, &first.action().to_string()))
            .collect()
    }

    /// Players of the whole study.
    pub fn main_count(&self) -> usize {
        self.design.main_players().len()
    }

    /// The series of one kind of a player.
    pub fn of_kind(&self, player: usize, kind: Kind) -> impl Iterator<Item = &'a Series> {
        let series = self.series.iter();
        series.filter(move |series| series.player == player && series.kind == kind)
    }

    /// How means are estimated when `comparisons` share the error of a claim.
    pub fn estimator(&self, range: (f64, f64), comparisons: usize) -> BoundedMean {
        let config = &self.design.config;
        BoundedMean::new(range, config.error, config.most.into()).shared_by(comparisons)
    }

    /// One number for each block.
    pub fn blocks(&self, counted: Counted, plus: &[String], minus: &[String]) -> Vec<f64> {
        let numbers = |names: &[String]| -> Vec<Vec<Option<f64>>> {
            let series = names.iter().map(|name| self.games(name));
            series
                .map(|games| games.iter().map(counted.measure).collect())
                .collect()
        };
        let (plus, minus) = (numbers(plus), numbers(minus));
        let (plus, minus): (Vec<&[_]>, Vec<&[_]>) = (
            plus.iter().map(Vec::as_slice).collect(),
            minus.iter().map(Vec::as_slice).collect(),
        );
        if minus.is_empty() {
            block_means(&plus)
        } else {
            block_differences(&plus, &minus)
        }
    }

    /// Mean over some series, less the mean over others if there are any.
    pub fn estimate(
        &self,
        counted: Counted,
        plus: &[String],
        minus: &[String],
        comparisons: usize,
    ) -> Option<MeanEstimate> {
        let (low, high) = counted.range;
        let range = if minus.is_empty() {
            counted.range
        } else {
            (low - high, high - low)
        };
        let blocks = self.blocks(counted, plus, minus);
        self.estimator(range, comparisons).estimate(&blocks)
    }

    /// Does a test.
    pub fn answer(&self, test: Test) -> Answer {
        let estimate = self.estimate(test.counted, &test.plus, &test.minus, test.comparisons);
        let verdict = match &estimate {
            Some(estimate) => Verdict::greater_than(&estimate.interval, test.threshold),
            None => Verdict::Inconclusive,
        };
        let unit = test.counted.unit;
        let all = || test.plus.iter().chain(&test.minus);
        let games: usize = all().map(|series| self.games(series).len()).sum();
        let summary = match &estimate {
            Some(estimate) => format!(
                "{}: {}; the claim needs more than {}.{}",
                test.effect,
                with_interval(estimate, unit),
                number(test.threshold, unit),
                power(estimate, test.threshold, verdict)
            ),
            None => format!("{}: no games with a result.", test.effect),
        };
        let how = format!(
            "mean over {} blocks of matched games{}; anytime-valid interval by betting, the claim's error shared by {} \
             comparisons",
            estimate.map_or(0, |estimate| estimate.n),
            if test.minus.is_empty() {
                ""
            } else {
                " of the difference"
            },
            test.comparisons
        );
        let mut finding = Finding::empirical(test.claim, self.part(&test.part, test.player), verdict, summary)
            .with_test(estimate.map_or(0, |estimate| estimate.n), "blocks", how)
            .with_command(self.command)
            .with_agent(self.design.players[test.player].name.clone())
            .with_evidence(json!({
                "estimate": estimate,
                "threshold": test.threshold,
                "games": games,
                "series": test.plus,
                "against": test.minus,
                "blocks_to_halve": estimate.map(|estimate| estimate.to_halve()),
                "blocks_to_decide": estimate.and_then(|estimate| estimate.to_exclude(test.threshold)),
            }));
        if let Some(estimate) = &estimate {
            finding = finding.with_effect(effect(&test.effect, unit, estimate));
        }
        let open = match verdict {
            Verdict::Inconclusive => all().cloned().collect(),
            Verdict::Supported | Verdict::Refuted => BTreeSet::new(),
        };
        Answer { finding, open }
    }

    /// The name of a part, with the player's if there are several.
    pub fn part(&self, part: &str, player: usize) -> String {
        match self.design.players.get(player) {
            Some(facts) if self.main_count() > 1 => format!("{part}, {}", facts.name),
            _ => part.to_owned(),
        }
    }

    /// A finding of a player, without numbers yet.
    pub fn finding(&self, claim: ClaimId, part: &str, player: usize, verdict: Verdict, summary: String) -> Finding {
        Finding::empirical(claim, self.part(part, player), verdict, summary)
            .with_command(self.command)
            .with_agent(self.design.players[player].name.clone())
    }

    /// Series that games are still to be played for.
    pub fn open_series(&self) -> BTreeSet<String> {
        self.answers().into_iter().flat_map(|answer| answer.open).collect()
    }

    /// What was found.
    pub fn findings(&self) -> Vec<Finding> {
        self.answers().into_iter().map(|answer| answer.finding).collect()
    }
}

/// An estimate as the size of an effect.
pub(super) fn effect(name: &str, unit: &str, estimate: &MeanEstimate) -> Effect {
    Effect {
        name: name.to_owned(),
        unit: unit.to_owned(),
        value: estimate.mean,
        interval: Some(estimate.interval),
        level: Some(estimate.level),
    }
}

/// `52.3 % (99.5 % interval 49.0 % to 55.6 %, 128 blocks)`.
pub(super) fn with_interval(estimate: &MeanEstimate, unit: &str) -> String {
    format!(
        "{} ({} interval {}, {} blocks)",
        number(estimate.mean, unit),
        percent(estimate.level),
        bounds(&estimate.interval, unit),
        estimate.n
    )
}

/// `49.0 % to 55.6 %`.
pub(super) fn bounds(interval: &Interval, unit: &str) -> String {
    let end = |end: Option<f64>| end.map_or_else(|| "?".to_owned(), |end| number(end, unit));
    format!("{} to {}", end(interval.low), end(interval.high))
}

/// A number of this unit: scores and shares as percentages.
pub(super) fn number(number: f64, unit: &str) -> String {
    // Not `-0.0`.
    let number = if number.abs() < 5e-5 { 0.0 } else { number };
    match unit {
        "score" | "share" => format!("{:.1} %", 100.0 * number),
        unit => format!("{number:.2} {unit}"),
    }
}

/// A level, with no more digits than it has.
fn percent(level: f64) -> String {
    let text = format!("{:.2}", 100.0 * level);
    format!("{} %", text.trim_end_matches('0').trim_end_matches('.'))
}

/// What it would take to decide what is open.
fn power(estimate: &MeanEstimate, threshold: f64, verdict: Verdict) -> String {
    match (verdict, estimate.to_exclude(threshold)) {
        (Verdict::Inconclusive, Some(blocks)) => format!(
            " If the truth is as estimated, about {blocks} blocks decide it; {} halve the interval.",
            estimate.to_halve()
        ),
        (Verdict::Inconclusive, None) => format!(" {} blocks halve the interval.", estimate.to_halve()),
        _ => String::new(),
    }
}
