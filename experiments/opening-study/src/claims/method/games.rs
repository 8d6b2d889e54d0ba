//! From games to estimates: comparisons of series, and the result of one test.

use std::collections::{BTreeSet, HashMap, HashSet};

use serde::Deserialize;
use serde_json::json;

use super::measure::Measure;
use crate::claim_test::{ClaimTest, Estimate};
use crate::evidence::games::{Design, GameFacts, Series, SeriesId, SeriesKind};
use crate::{ComparedWith, EffectUnit, Finding, FirstMove, OpeningClass, Role, TestEvidence, first_moves};
use chase_engine::chase::Action;
use chase_report::chart::{IntervalRow, Quantity};
use chase_report::exhibit::IntervalPlot;
use chase_report::number;
use chase_statistics::{AnytimeMean, Contrast, Interval, MeanEstimate, MeanMethod, Verdict, block_numbers};

/// What a test of games compares.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct GamesContrast {
    measure: Measure,
    plus: Population,
    minus: Option<Population>,
    /// True to plot the measure by class of first move.
    #[serde(default)]
    by_class: bool,
}

/// Games of a player.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Population {
    /// From the initial position.
    Free,
    /// From the initial position, and after every first move.
    All,
    /// After first moves of these classes.
    Classes(Vec<OpeningClass>),
    /// After first moves of other classes, except the reckless ones.
    Rest(Vec<OpeningClass>),
    /// After first moves of other classes that the article calls safe.
    SafeBesides(Vec<OpeningClass>),
    /// After these first moves, in exact form.
    Moves(Vec<String>),
    /// After the safe first move with the greatest measure, other than those on the other side, with its mirror image.
    /// Other agents' games choose it.
    GreatestOtherSafe,
    /// After the last of the best first moves, as many as count as several; mirror images count as one. Other agents'
    /// games choose it.
    LastOfSeveral,
}

impl Population {
    /// True if games choose the first moves.
    const fn is_chosen(&self) -> bool {
        matches!(self, Self::GreatestOtherSafe | Self::LastOfSeveral)
    }

    /// The series of a player; `besides` are those on the other side. Empty if there are no other agents to choose them.
    fn series(
        &self,
        analysis: &GamesAnalysis<'_>,
        player: usize,
        measure: Measure,
        besides: &[SeriesId],
    ) -> Vec<SeriesId> {
        let firsts = |accept: &dyn Fn(OpeningClass) -> bool| GamesAnalysis::firsts(player, accept);
        match self {
            Self::Free => vec![SeriesId::free(player)],
            Self::All => {
                let forced = analysis.of_kind(player, SeriesKind::First);
                let series = forced.chain(analysis.of_kind(player, SeriesKind::Free));
                series.map(|series| series.id).collect()
            }
            Self::Classes(classes) => firsts(&|class| classes.contains(&class)),
            Self::Rest(classes) => GamesAnalysis::rest(player, classes),
            Self::SafeBesides(classes) => firsts(&|class| class.is_called_safe() && !classes.contains(&class)),
            Self::Moves(moves) => {
                let actions = moves
                    .iter()
                    .map(|text| text.parse().expect("tests.toml has actions in exact form"));
                actions.map(|action| SeriesId::first(player, action)).collect()
            }
            Self::GreatestOtherSafe => {
                let pairs = FirstMove::pairs().into_iter();
                let others = pairs.filter(|pair| {
                    let class = first_moves().into_iter().find(|first| first.action() == pair[0]);
                    class.is_some_and(|first| first.class.is_called_safe())
                        && !besides.contains(&SeriesId::first(player, pair[0]))
                });
                of_pair(
                    analysis
                        .by_others(measure, player, others.collect(), of_pair_of)
                        .first(),
                    player,
                )
            }
            Self::LastOfSeveral => {
                let ranked = analysis.by_others(measure, player, FirstMove::pairs(), of_pair_of);
                of_pair(ranked.get(analysis.design.config.several as usize - 1), player)
            }
        }
    }
}

/// The series of a player after a first move and its mirror image.
fn of_pair_of(pair: &[Action; 2], player: usize) -> Vec<SeriesId> {
    pair.map(|action| SeriesId::first(player, action)).into()
}

fn of_pair(pair: Option<&[Action; 2]>, player: usize) -> Vec<SeriesId> {
    pair.map_or_else(Vec::new, |pair| of_pair_of(pair, player))
}

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

    /// One of several players alone.
    pub fn alone(player: usize, shared_by: usize) -> Self {
        let players = vec![player];
        Self { players, shared_by }
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

/// A finding, and the series whose games it rests on.
pub(crate) struct Answer {
    pub finding: Finding,
    pub series: HashSet<SeriesId>,
}

impl Answer {
    /// A finding that needs no more games.
    pub fn context(finding: Finding) -> Self {
        Self {
            finding: finding.as_context(),
            series: HashSet::new(),
        }
    }

    /// The series that need more games: those of a verdict, as long as it is open.
    pub fn open(self) -> HashSet<SeriesId> {
        match (self.finding.role, self.finding.verdict) {
            (Role::Deciding, Verdict::Inconclusive) => self.series,
            _ => HashSet::new(),
        }
    }
}

/// All games, ready for tests.
pub(crate) struct GamesAnalysis<'a> {
    pub design: &'a Design,
    pub series: &'a [Series],
    facts: &'a HashMap<SeriesId, Vec<GameFacts>>,
    pub command: &'a str,
    /// The part of each error that a verdict may use at this look: [`Design::looks`].
    pub look: f64,
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
            look: 1.0,
        }
    }

    /// The same games at a look that may use this part of each error.
    pub const fn at_look(self, look: f64) -> Self {
        Self { look, ..self }
    }

    /// Candidates in the order of a measure, the greatest first, by the games of all agents of the whole study but one.
    /// A choice by the games that then measure it would be too good. Empty without another agent.
    pub fn by_others<T>(
        &self,
        measure: Measure,
        player: usize,
        candidates: Vec<T>,
        series: impl Fn(&T, usize) -> Vec<SeriesId>,
    ) -> Vec<T> {
        let others: Vec<usize> = self.design.main_players().filter(|&other| other != player).collect();
        if others.is_empty() {
            return Vec::new();
        }
        let mean = |candidate: &T| {
            let blocks = self.blocks(
                measure,
                &Pool::beside(others.clone()).of(|other| series(candidate, other)),
            );
            blocks.iter().sum::<f64>() / blocks.len() as f64
        };
        let measured = candidates.into_iter().map(|candidate| (mean(&candidate), candidate));
        let mut known: Vec<(f64, T)> = measured.filter(|(mean, _)| mean.is_finite()).collect();
        known.sort_by(|(one, _), (other, _)| other.total_cmp(one));
        known.into_iter().map(|(_, candidate)| candidate).collect()
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
    pub fn blocks(&self, measure: Measure, sides: &[Sides]) -> Vec<f64> {
        let numbers = |ids: &[SeriesId]| -> Vec<Vec<Option<f64>>> {
            let series = ids.iter().map(|&id| self.games(id));
            series
                .map(|games| games.iter().map(|game| measure.of(game)).collect())
                .collect()
        };
        let contrast = |sides: &Sides| Contrast {
            plus: numbers(&sides.plus),
            minus: numbers(&sides.minus),
        };
        block_numbers(&sides.iter().map(contrast).collect::<Vec<_>>())
    }

    /// Numbers by block: the mean over all games of the block; `None` if a game has no number.
    pub fn by_block(&self, measure: Measure, sides: &[Sides]) -> Vec<Option<f64>> {
        let series = sides.iter().flat_map(Sides::series);
        let all: Vec<&[GameFacts]> = series.map(|id| self.games(id)).collect();
        let blocks = all.iter().map(|games| games.len()).min().unwrap_or(0);
        let number = |block: usize| {
            let known: Vec<f64> = all.iter().filter_map(|games| measure.of(&games[block])).collect();
            (known.len() == all.len()).then(|| known.iter().sum::<f64>() / known.len() as f64)
        };
        (0..blocks).map(number).collect()
    }

    /// The range of the numbers of blocks, and the method of estimating their mean.
    pub fn way(&self, measure: Measure, sides: &[Sides]) -> ((f64, f64), MeanMethod) {
        let (low, high) = measure.range(&self.design.config);
        if sides.iter().all(|sides| sides.minus.is_empty()) {
            return ((low, high), measure.method());
        }
        // A mean over whole classes hardly varies within the range of one game.
        let of_classes = sides.iter().any(|sides| sides.series().count() > 2);
        let method = if of_classes {
            MeanMethod::Student
        } else {
            measure.method()
        };
        ((low - high, high - low), method)
    }

    /// For each player the mean over some series, minus the mean over others if there are any; then the mean over
    /// players.
    pub fn estimate(&self, measure: Measure, sides: &[Sides], comparisons: usize) -> Option<MeanEstimate> {
        if sides.is_empty() {
            return None;
        }
        let (range, method) = self.way(measure, sides);
        let config = &self.design.config;
        AnytimeMean::new(method, range, config.error, self.planned(sides, config.most).into())
            .shared_by(comparisons)
            .estimate(&self.blocks(measure, sides))
    }

    /// The mean over some series of one player, as one comparison among several.
    pub fn estimate_of(&self, measure: Measure, series: &[SeriesId], comparisons: usize) -> Option<MeanEstimate> {
        let sides = Sides {
            plus: series.to_vec(),
            minus: Vec::new(),
        };
        self.estimate(measure, &[sides], comparisons)
    }

    /// The mean over a series, as a single comparison; `None` too for games from the initial position that are mostly the
    /// same ones.
    pub fn estimate_of_series(&self, measure: Measure, series: SeriesId) -> Option<MeanEstimate> {
        let varied = series.kind() != SeriesKind::Free || self.repeats(series.player).is_none();
        varied.then(|| self.estimate_of(measure, &[series], 1))?
    }

    /// The answer to a test whose contrast is in `tests.toml`; `None` for other tests.
    pub fn ask(&self, test: &ClaimTest, pool: &Pool) -> Option<Answer> {
        let contrast = test.games.as_ref()?;
        let measure = contrast.measure;
        let sides = pool.players.iter().map(|&player| {
            let plus = contrast.plus.series(self, player, measure, &[]);
            let minus = contrast.minus.as_ref();
            let minus = minus.map(|minus| minus.series(self, player, measure, &plus));
            Sides {
                minus: minus.unwrap_or_default(),
                plus,
            }
        });
        // Without other agents there is nothing that they chose.
        let played = |sides: &Sides| !sides.plus.is_empty() && (contrast.minus.is_none() || !sides.minus.is_empty());
        let sides: Vec<Sides> = sides.filter(played).collect();
        let mut answer = self.answer(test, pool, measure, sides);
        if [Some(&contrast.plus), contrast.minus.as_ref()]
            .into_iter()
            .flatten()
            .any(Population::is_chosen)
        {
            // The choice rests on all of them.
            let all = |&player: &usize| Self::firsts(player, |_| true);
            answer.series = pool.players.iter().flat_map(all).collect();
        }
        if contrast.by_class {
            answer.finding.exhibits.push(self.by_class(measure, pool).into());
        }
        Some(answer)
    }

    /// Tests the mean of a measure over some series, minus that over others.
    pub fn answer(&self, test: &ClaimTest, pool: &Pool, measure: Measure, sides: Vec<Sides>) -> Answer {
        let estimate = self.estimate(measure, &sides, pool.sharing(test.comparisons));
        self.answer_by(test, pool, measure, &sides, estimate)
    }

    /// Tests a mean that is already estimated.
    pub fn answer_by(
        &self,
        test: &ClaimTest,
        pool: &Pool,
        measure: Measure,
        sides: &[Sides],
        estimate: Option<MeanEstimate>,
    ) -> Answer {
        let comparisons = pool.sharing(test.comparisons);
        let statement = test
            .statement(&self.design.config)
            .expect("a test of games has a threshold");
        let difference = sides.iter().any(|sides| !sides.minus.is_empty());
        let test = test.clone().measuring_blocks().by(&format!(
            "mean over blocks of games{}{}; anytime-valid interval {}, the claim's error shared by {comparisons} comparisons",
            if difference { " of the difference" } else { "" },
            match sides.len() {
                1 => String::new(),
                agents => format!(", {agents} agents counting alike in each"),
            },
            estimate.map_or(measure.method(), |estimate| estimate.method).name(),
        ));
        let all = || sides.iter().flat_map(Sides::series);
        let games: usize = all().map(|series| self.games(series).len()).sum();
        let verdict = estimate.map_or(Verdict::Inconclusive, |estimate| {
            estimate.greater_than(statement.threshold)
        });
        let of_one = pool.single().and(estimate);
        let outlook = of_one.map(|estimate| outlook(&estimate, statement.threshold, verdict));
        let finding = test.estimated(estimate.as_ref().map(Estimate::from), Some(statement));
        let finding = Finding {
            verdict,
            ..self.by(pool, finding)
        }
        .saying(outlook.unwrap_or_default())
        .with_evidence(json!({
            "estimate": estimate,
            "games": games,
            "series": sides.iter().flat_map(|sides| &sides.plus).collect::<Vec<_>>(),
        }))
        .with_test_evidence(TestEvidence {
            threshold: Some(statement.threshold),
            claimed: Some(statement.claimed),
            error: estimate.map(|estimate| 1.0 - estimate.level),
            against: Some(ComparedWith::Series(
                sides.iter().flat_map(|sides| sides.minus.clone()).collect(),
            )),
            ..TestEvidence::default()
        });
        Answer {
            finding,
            series: all().collect(),
        }
    }

    /// Adds the command to a finding, and the player if there is only one.
    pub fn by(&self, pool: &Pool, finding: Finding) -> Finding {
        let finding = finding.with_command(self.command);
        match pool.single() {
            Some(player) => finding.with_agent(self.design.players[player].name.clone()),
            None => finding,
        }
    }

    /// A measure by class of first move.
    fn by_class(&self, measure: Measure, pool: &Pool) -> IntervalPlot {
        let rows = OpeningClass::ALL.map(|class| {
            let sides = pool.of(|player| Self::firsts(player, |other| other == class));
            let estimate = self.estimate(measure, &sides, pool.sharing(OpeningClass::ALL.len()));
            interval_row(class.name(), estimate, measure.unit())
        });
        let quantity = if measure.unit().is_percentage() {
            Quantity::Percent
        } else {
            Quantity::Plain
        };
        IntervalPlot {
            title: format!("By class of first move: {}", measure.name()),
            note: "Games of equal players. The intervals hold all together, and at every moment.".into(),
            axis: measure.name().into(),
            quantity,
            reference: None,
            rows: rows.into(),
        }
    }
}

/// An estimate as a row of a plot.
pub(crate) fn interval_row(name: impl Into<String>, estimate: Option<MeanEstimate>, unit: EffectUnit) -> IntervalRow {
    let text = |estimate: MeanEstimate| format!("{} of {} games", unit.in_words(estimate.mean), estimate.n);
    IntervalRow {
        name: name.into(),
        value: estimate.map(|estimate| estimate.mean),
        interval: estimate.map(|estimate| estimate.interval),
        text: estimate.map_or("no games with a result".into(), text),
    }
}

/// `52.3 % [49.0 %, 55.6 %]`, or a dash.
pub(crate) fn within(estimate: Option<MeanEstimate>, unit: EffectUnit) -> String {
    estimate.map_or(number::NONE.to_owned(), |of| {
        format!("{} {}", unit.in_words(of.mean), bounds(&of.interval, unit))
    })
}

/// `[49.0 %, 55.6 %]`.
pub(crate) fn bounds(interval: &Interval, unit: EffectUnit) -> String {
    number::interval(interval, |end| unit.in_words(end))
}

/// The reason that a verdict is open, or the games needed to decide it.
fn outlook(estimate: &MeanEstimate, threshold: f64, verdict: Verdict) -> String {
    if !estimate.is_consistent() {
        return "Later games contradict earlier ones (the mean left its own interval), so no verdict is given.".into();
    }
    let decide = estimate
        .to_exclude(threshold)
        .filter(|_| verdict == Verdict::Inconclusive);
    decide.map_or(String::new(), |blocks| {
        format!("If the truth is as estimated, about {blocks} blocks decide it.")
    })
}
