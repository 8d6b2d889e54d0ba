//! A1 and D1: outcomes of games from the initial position.
//!
//! The advantage of the first move, and draws, in the games of the players, and by their strength.

use std::collections::BTreeMap;

use chase_arena::SearchSpec;

use super::method::games::{Answer, GamesAnalysis, Pool, interval_row, within};
use super::method::measure::Measure;
use crate::claim_test::ClaimTest;
use crate::evidence::games::{SeriesId, SeriesKind};
use crate::{ClaimId, Finding};
use chase_report::chart::Quantity;
use chase_report::exhibit::{IntervalPlot, LinePlot, PlotLine};
use chase_statistics::{Interval, MeanEstimate};

impl GamesAnalysis<'_> {
    /// A1: free games and games after forced first moves together.
    pub(crate) fn advantage(&self, pool: &Pool) -> Vec<Answer> {
        let [mut any, beyond] = ["advantage", "beyond the margin"]
            .map(|name| self.mixed_answer(&ClaimTest::named(ClaimId::A1, name), pool));
        any.finding = self.with_shares(any.finding, &pool.players);
        vec![any, Answer::context(beyond.finding)]
    }

    /// D1: under the study's conventions. Other conventions, under which only the first player plays, are context.
    pub(crate) fn draws(&self, pool: &Pool) -> Vec<Answer> {
        let test = |rules: &str| ClaimTest::named(ClaimId::D1, "draws").with("rules", rules);
        let free = pool.of(|player| vec![SeriesId::free(player)]);
        let mut answers = vec![self.answer(&test(&self.design.config.rules), pool, Measure::NotDrawn, free)];
        let others = pool.single().map(|player| self.of_kind(player, SeriesKind::Convention));
        for series in others.into_iter().flatten() {
            let sides = pool.of(|_| vec![series.id]);
            let answer = self.answer(&test(&series.rules.to_string()), pool, Measure::NotDrawn, sides);
            answers.push(Answer::context(answer.finding));
        }
        answers
    }

    fn note(&self) -> String {
        let level = 100.0 * (1.0 - self.design.config.error);
        format!(
            "Games of each player against itself from the initial position. Intervals hold at every moment at once, each at \
             {level:.0} %."
        )
    }

    /// Adds decisive, drawn and truncated shares.
    fn with_shares(&self, finding: Finding, players: &[usize]) -> Finding {
        let rows = players.iter().map(|&player| {
            let games = self.games(SeriesId::free(player));
            let plies: f64 = games.iter().map(|game| f64::from(game.plies)).sum();
            let share =
                |measure: Measure| within(self.estimate_of_series(measure, SeriesId::free(player)), measure.unit());
            [
                self.design.players[player].name.clone(),
                games.len().to_string(),
                share(Measure::Score),
                share(Measure::Decisive),
                share(Measure::Drawn),
                share(Measure::Truncated),
                format!("{:.0}", plies / games.len().max(1) as f64),
            ]
        });
        let headings = [
            "player",
            "games",
            "first player's score",
            "decisive",
            "drawn",
            "truncated",
            "mean plies",
        ];
        let note = self.note() + " Score and decisive share leave truncated games out.";
        finding.with_table("How games from the initial position end", note, headings, rows)
    }

    /// A1 and D1 by strength: all players, including those of the curve. This is context.
    pub fn curve(&self) -> Vec<Finding> {
        if self.design.players.len() < 2 {
            return Vec::new();
        }
        let all: Vec<usize> = (0..self.design.players.len()).collect();
        let first_move = self.by_player(ClaimId::A1, Measure::Score, 0.5);
        let draws = self.by_player(ClaimId::D1, Measure::Drawn, self.design.config.few_draws);
        vec![self.with_shares(first_move, &all), draws]
    }

    fn by_player(&self, claim: ClaimId, measure: Measure, reference: f64) -> Finding {
        let estimates: Vec<Option<MeanEstimate>> = (0..self.design.players.len())
            .map(|player| self.estimate_of_series(measure, SeriesId::free(player)))
            .collect();
        let known = || estimates.iter().flatten().map(|estimate| estimate.mean);
        let [least, most] = [known().reduce(f64::min), known().reduce(f64::max)];
        let mut summary = match least.zip(most) {
            None => "No player has games with a result that differ.".to_owned(),
            Some((least, most)) => format!(
                "Over {} players the {} lies between {} and {}.",
                known().count(),
                measure.name(),
                measure.unit().in_words(least),
                measure.unit().in_words(most)
            ),
        };
        let (mut rows, mut games) = (Vec::new(), 0);
        for (player, (of, &estimate)) in self.design.players.iter().zip(&estimates).enumerate() {
            let mut row = interval_row(&of.name, estimate, measure.unit());
            if let Some((distinct, games)) = self.repeats(player) {
                row.text = format!("only {distinct} of its {games} games differ");
                summary += &format!(" {} is left out: {}.", of.name, row.text);
            }
            rows.push(row);
            games += self.games(SeriesId::free(player)).len() as u64;
        }
        let plot = IntervalPlot {
            title: format!("Each player's {}", measure.name()),
            note: self.note(),
            axis: measure.name().into(),
            quantity: Quantity::Percent,
            reference: Some(reference),
            rows,
        };
        let finding = ClaimTest::named(claim, "by player")
            .told(games, summary)
            .with_exhibit(plot);
        let curves = self.curves(measure, &estimates, reference).into_iter();
        curves.fold(finding.with_command(self.command), Finding::with_exhibit)
    }

    /// Lines over simulations, one for each checkpoint, and over training steps, one for each number of simulations;
    /// only lines with two points.
    fn curves(&self, measure: Measure, estimates: &[Option<MeanEstimate>], reference: f64) -> Vec<LinePlot> {
        type Points = BTreeMap<String, Vec<(f64, Option<f64>, Option<Interval>)>>;
        let (mut by_simulations, mut by_steps) = (Points::new(), Points::new());
        for (player, estimate) in self.design.players.iter().zip(estimates) {
            let spec = player.player.search().filter(|spec| spec.evaluator.path().is_some());
            let (Some(params), Some(estimate)) = (spec.and_then(SearchSpec::params), estimate) else {
                continue;
            };
            let simulations = params.simulations;
            let point = |x: f64| (x, Some(estimate.mean), Some(estimate.interval));
            let path = player
                .player
                .path()
                .map_or_else(String::new, |path| path.display().to_string());
            // The axis is logarithmic and cannot show 0.
            let simulated = point(f64::from(simulations.max(1)));
            by_simulations.entry(path).or_default().push(simulated);
            if let Some(steps) = player.steps {
                let name = format!("{simulations} simulations");
                by_steps.entry(name).or_default().push(point(steps as f64));
            }
        }
        let plot = |points: Points, x: &str, x_logarithmic: bool| {
            let lines = points.into_iter().filter(|(_, points)| points.len() > 1);
            let series = lines.map(|(name, mut points)| {
                points.sort_by(|a, b| a.0.total_cmp(&b.0));
                PlotLine { name, points }
            });
            LinePlot {
                title: format!("The {} against {x}", measure.name()),
                note: self.note(),
                x: x.into(),
                x_quantity: Quantity::Whole,
                x_logarithmic,
                y: measure.name().into(),
                y_quantity: Quantity::Percent,
                reference: Some((reference, measure.unit().in_words(reference))),
                series: series.collect(),
            }
        };
        let plots = [
            plot(by_simulations, "simulations a decision", true),
            plot(by_steps, "training steps", false),
        ];
        plots.into_iter().filter(|plot| !plot.series.is_empty()).collect()
    }
}
