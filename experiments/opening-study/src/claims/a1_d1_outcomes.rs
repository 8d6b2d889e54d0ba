//! A1 and D1: outcomes of games from the initial position.
//!
//! The advantage of the first move, and draws, in the games of the players, and by their strength.

use std::collections::BTreeMap;

use serde_json::json;

use super::method::games::{
    Answer, Counted, DECISIVE, DRAWN, GamesAnalysis, Pool, SCORE, Sides, TRUNCATED, Test, bounds,
};
use super::method::plan::assumed;
use crate::evidence::games::{SeriesId, SeriesKind};
use crate::{ClaimId, EffectUnit, Finding};
use chase_arena::PlayerSpec;
use chase_report::chart::{IntervalRow, Quantity};
use chase_report::exhibit::{Exhibit, IntervalPlot, LinePlot, PlotLine, Table};
use chase_statistics::{AnytimeMean, MeanEstimate, MeanMethod, MeanPlan, Verdict};

/// Games that are not drawn.
const NOT_DRAWN: Counted = Counted {
    measure: |game| (DRAWN.measure)(game).map(|drawn| 1.0 - drawn),
    name: "share of games that are not drawn",
    ..DRAWN
};

/// The first player's score, as a mean of many games in each block.
pub(crate) const MIXED_SCORE: Counted = Counted {
    method: MeanMethod::Both,
    ..SCORE
};

impl GamesAnalysis<'_> {
    /// A1: free games and games after forced first moves together. Games from the initial position alone are context.
    pub(crate) fn advantage(&self, pool: &Pool) -> Vec<Answer> {
        let mut together = self.first_player_score(pool);
        together.finding = together.finding.with_exhibit(self.shares(&pool.players));
        let effect = "Score of the first player in games from the initial position";
        let free = self.answer(self.advantage_test(pool, "score of the first player, free games alone", effect, SCORE));
        vec![together, Answer::context(free.finding)]
    }

    /// The deciding test of A1, without pictures.
    pub(crate) fn first_player_score(&self, pool: &Pool) -> Answer {
        let config = &self.design.config;
        let mixed = self.mixed_blocks(pool);
        let estimate = AnytimeMean::new(MIXED_SCORE.method, MIXED_SCORE.range, config.error, config.most.into())
            .shared_by(pool.sharing(1))
            .estimate(&mixed.scores);
        let effect =
            "Score of the first player, in free games and after forced first moves as often as they are chosen";
        let test = self.advantage_test(pool, "score of the first player", effect, MIXED_SCORE);
        let mut together = self.answer_by(test, estimate);
        together.finding.test += "; a block is one game after each first move, weighted by how often the player chooses it, and as \
                                  many games from the initial position as the study plays for one of those";
        let mean = MeanPlan {
            method: MIXED_SCORE.method,
            range: MIXED_SCORE.range,
            deviation: assumed(MIXED_SCORE.unit).1 * mixed.variance.sqrt(),
            threshold: self.design.advantage_threshold(),
            // Games added later count, as everywhere.
            blocks: self.design.most().into(),
        };
        together.plans = vec![self.plan_of(mean, MIXED_SCORE.unit, pool.sharing(1))];
        together
    }

    fn advantage_test<'p>(&self, pool: &'p Pool, part: &str, effect: &str, counted: Counted) -> Test<'p> {
        Test {
            claim: ClaimId::A1,
            part: part.into(),
            pool,
            counted,
            effect: effect.into(),
            sides: pool.of(|player| vec![SeriesId::free(player)]),
            threshold: self.design.advantage_threshold(),
            comparisons: 1,
        }
    }

    /// D1: under the study's conventions. Other conventions, under which only the first player plays, are context.
    pub(crate) fn draws(&self, pool: &Pool) -> Vec<Answer> {
        let few = self.design.config.few_draws;
        let rules = &self.design.config.rules;
        let test = |part: String, sides: Vec<Sides>| Test {
            claim: ClaimId::D1,
            part,
            pool,
            counted: NOT_DRAWN,
            effect: "Games that are not drawn".into(),
            sides,
            threshold: 1.0 - few,
            comparisons: 1,
        };
        let mut answers = vec![self.answer(test(rules.clone(), pool.of(|player| vec![SeriesId::free(player)])))];
        let others: Vec<_> = match pool.players.first() {
            Some(&first) if pool.single().is_some() => self.of_kind(first, SeriesKind::Convention).collect(),
            _ => Vec::new(),
        };
        for series in &others {
            let answer = self.answer(test(series.rules.to_string(), pool.of(|_| vec![series.id])));
            answers.push(Answer::context(answer.finding));
        }
        if let (Some(first), false) = (pool.single(), others.is_empty()) {
            let mut rows = vec![self.draw_row(rules.clone(), SeriesId::free(first))];
            rows.extend(
                others
                    .iter()
                    .map(|series| self.draw_row(series.rules.to_string(), series.id)),
            );
            let plot = IntervalPlot {
                title: "Draws by convention".into(),
                note: self.note("from the initial position"),
                axis: "share of drawn games".into(),
                quantity: Quantity::Percent,
                reference: Some(few),
                rows,
            };
            // Added to the first of the other conventions, which is kept where several agents are compared.
            answers[1].finding.exhibits.push(plot.into());
        }
        answers
    }

    fn draw_row(&self, name: String, series: SeriesId) -> IntervalRow {
        self.row(name, self.estimate_of(DRAWN, &[series], 1), DRAWN.unit)
    }

    fn row(&self, name: String, estimate: Option<MeanEstimate>, unit: EffectUnit) -> IntervalRow {
        IntervalRow {
            name,
            value: estimate.map(|estimate| estimate.mean),
            interval: estimate.map(|estimate| estimate.interval),
            text: estimate.map_or_else(
                || "no games with a result".into(),
                |estimate| format!("{} of {} games", unit.in_words(estimate.mean), estimate.n),
            ),
        }
    }

    fn note(&self, what: &str) -> String {
        let level = 100.0 * (1.0 - self.design.config.error);
        format!(
            "Games of each player against itself {what}. Intervals hold at every moment at once, each at {level:.0} %."
        )
    }

    /// Decisive, drawn and truncated shares.
    fn shares(&self, players: &[usize]) -> Exhibit {
        let share = |counted: Counted, player: usize| {
            let estimate = self.estimate_of_series(counted, SeriesId::free(player));
            estimate.map_or_else(
                || "–".to_owned(),
                |estimate| {
                    let interval = bounds(&estimate.interval, counted.unit);
                    format!("{} {interval}", counted.unit.in_words(estimate.mean))
                },
            )
        };
        let rows = players.iter().map(|&player| {
            let games = self.games(SeriesId::free(player));
            let plies: f64 = games.iter().map(|game| f64::from(game.plies)).sum();
            vec![
                self.design.players[player].name.clone(),
                games.len().to_string(),
                share(SCORE, player),
                share(DECISIVE, player),
                share(DRAWN, player),
                share(TRUNCATED, player),
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
        Exhibit::Table(Table {
            title: "How games from the initial position end".into(),
            note: self.note("from the initial position") + " Score and decisive share leave truncated games out.",
            headings: headings.map(String::from).to_vec(),
            rows: rows.collect(),
        })
    }

    /// A1 and D1 by strength: all players, including those of the curve. This is context.
    pub fn curve(&self) -> Vec<Finding> {
        let players: Vec<usize> = (0..self.design.players.len()).collect();
        if players.len() < 2 {
            return Vec::new();
        }
        let mut findings = Vec::new();
        for (claim, part, counted, reference) in [
            (ClaimId::A1, "score of the first player, by player", SCORE, 0.5),
            (ClaimId::D1, "draws, by player", DRAWN, self.design.config.few_draws),
        ] {
            let estimates: Vec<Option<MeanEstimate>> = players
                .iter()
                .map(|&player| self.estimate_of_series(counted, SeriesId::free(player)))
                .collect();
            let known = || estimates.iter().flatten().map(|estimate| estimate.mean);
            let (least, most) = (
                known().fold(f64::INFINITY, f64::min),
                known().fold(f64::NEG_INFINITY, f64::max),
            );
            let name = |player: usize| self.design.players[player].name.clone();
            let mut summary = match known().count() {
                0 => "No player has games with a result that differ.".to_owned(),
                count => format!(
                    "Over {count} players the {} lies between {} and {}.",
                    counted.name,
                    counted.unit.in_words(least),
                    counted.unit.in_words(most)
                ),
            };
            for &player in &players {
                if let Some((distinct, games)) = self.repeats(player) {
                    summary += &format!(
                        " {} is left out: only {distinct} of its {games} games differ, which tells nothing of how they vary.",
                        name(player)
                    );
                }
            }
            let rows = players.iter().zip(&estimates);
            let rows = rows.map(|(&player, &estimate)| {
                let mut row = self.row(name(player), estimate, counted.unit);
                if let Some((distinct, games)) = self.repeats(player) {
                    row.text = format!("only {distinct} of {games} games differ");
                }
                row
            });
            let plot = IntervalPlot {
                title: format!("Each player's {}", counted.name),
                note: self.note("from the initial position"),
                axis: counted.name.into(),
                quantity: Quantity::Percent,
                reference: Some(reference),
                rows: rows.collect(),
            };
            let games: usize = players
                .iter()
                .map(|&player| self.games(SeriesId::free(player)).len())
                .sum();
            let mut finding = Finding::empirical(claim, part, Verdict::Inconclusive, summary)
                .with_test(
                    games as u64,
                    "games",
                    "the same estimate for every player, without correction",
                )
                .with_evidence(json!({ "players": self.design.players, "estimates": estimates }))
                .with_exhibit(plot);
            for plot in self.curves(counted, &estimates, reference) {
                finding = finding.with_exhibit(plot);
            }
            if claim == ClaimId::A1 {
                finding = finding.with_exhibit(self.shares(&players));
            }
            findings.push(finding.with_command(self.command).as_context());
        }
        findings
    }

    /// Lines over simulations, one for each checkpoint, and over training steps, one for each number of simulations;
    /// only lines with two points.
    fn curves(&self, counted: Counted, estimates: &[Option<MeanEstimate>], reference: f64) -> Vec<LinePlot> {
        type Points = BTreeMap<String, Vec<(f64, Option<f64>, Option<chase_statistics::Interval>)>>;
        let (mut by_simulations, mut by_steps) = (Points::new(), Points::new());
        for (player, estimate) in self.design.players.iter().zip(estimates) {
            let (PlayerSpec::Network(network), Some(estimate)) = (&player.player, estimate) else {
                continue;
            };
            let simulations = network.settings().params.simulations;
            let point = |x: f64| (x, Some(estimate.mean), Some(estimate.interval));
            let path = network.path.display().to_string();
            // The axis is logarithmic and cannot show 0.
            by_simulations
                .entry(path)
                .or_default()
                .push(point(f64::from(simulations.max(1))));
            if let Some(steps) = player.steps {
                let name = format!("{simulations} simulations");
                by_steps.entry(name).or_default().push(point(steps as f64));
            }
        }
        let plot = |points: Points, x: &str, x_logarithmic: bool| {
            let lines = points.into_iter().filter(|(_, points)| points.len() > 1);
            let series: Vec<PlotLine> = lines
                .map(|(name, mut points)| {
                    points.sort_by(|a, b| a.0.total_cmp(&b.0));
                    PlotLine { name, points }
                })
                .collect();
            (!series.is_empty()).then(|| LinePlot {
                title: format!("The {} against {x}", counted.name),
                note: self.note("from the initial position"),
                x: x.into(),
                x_quantity: Quantity::Whole,
                x_logarithmic,
                y: counted.name.into(),
                y_quantity: Quantity::Percent,
                reference: Some((reference, counted.unit.in_words(reference))),
                series,
            })
        };
        let plots = [
            plot(by_simulations, "simulations a decision", true),
            plot(by_steps, "training steps", false),
        ];
        plots.into_iter().flatten().collect()
    }
}
