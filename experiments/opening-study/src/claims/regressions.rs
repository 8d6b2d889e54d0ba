//! C2 and C4, context from games: regressions of scores on dice and their formations.

use std::collections::BTreeMap;

use chase_engine::Player;

use super::method::dice::DiceStudy;
use crate::claim_test::{ClaimTest, Estimate};
use crate::evidence::dice::{DiceFacts, Formations, LEAD_PLIES};
use crate::{ClaimId, Finding};
use chase_report::chart::Quantity;
use chase_report::exhibit::{LinePlot, PlotLine};
use chase_report::number;
use chase_statistics::Interval;
use chase_statistics::regression::{Fit, RegressionRow, expected_score, linear, logistic};

/// Covariates of the score in C4; the first is tested, the others are controlled for.
const COVARIATES: [&str; 6] = [
    "pairs of adjacent 3s and 4s",
    "pairs of adjacent dice of any speed",
    "dice of speed 3 or 4",
    "dice",
    "White is to move",
    "constant",
];

impl DiceStudy<'_> {
    /// Leads in dice and results; pairs, the values of positions by searches, and results.
    pub(super) fn regressions(&self) -> Vec<Finding> {
        let by_value = "expected score, as searches say (values of the network, no results)";
        let mut findings: Vec<Finding> = (0..LEAD_PLIES.len()).map(|index| self.lead(index)).collect();
        findings.push(self.clumps("result of the game", |facts, _| facts.score));
        findings.push(self.clumps(by_value, |_, shape| shape.score));
        findings
    }

    /// The finding on a coefficient, of which `value` is shown, with `slope` its derivative.
    fn fitted<const N: usize>(
        &self,
        test: ClaimTest,
        rows: &[RegressionRow<N>],
        fit: Option<(Fit<N>, usize)>,
        [value, slope]: [fn(f64) -> f64; 2],
    ) -> Finding {
        let found = fit.map(|(fit, index)| {
            let coefficient = fit.coefficients[index];
            let interval = fit.interval(index, self.level());
            Estimate {
                value: value(coefficient),
                interval: interval.map(|Interval { low, high }| Interval {
                    low: low.map(value),
                    high: high.map(value),
                }),
                level: self.level(),
                error: Some(fit.errors[index] * slope(coefficient)),
                n: rows.len() as u64,
            }
        });
        let statement = test.constant_statement();
        let finding = test.by(&self.method("Student's interval")).estimated(found, statement);
        Finding {
            n: rows.len() as u64,
            ..finding
        }
    }

    /// C2: the score by the difference in dice at a ply.
    fn lead(&self, index: usize) -> Finding {
        let ply = LEAD_PLIES[index];
        let mut by_lead: BTreeMap<i32, (u32, f64)> = BTreeMap::new();
        let mut rows = Vec::new();
        for facts in self.facts {
            if let (Some(lead), Some(score)) = (facts.leads[index], facts.score) {
                rows.push(RegressionRow {
                    block: facts.block,
                    response: score,
                    covariates: [1.0, f64::from(lead)],
                });
                let (games, points) = by_lead.entry(lead).or_default();
                *games += 1;
                *points += score;
            }
        }
        let fit = logistic(&rows);
        let test = ClaimTest::named(ClaimId::C2, "lead").with("ply", ply);
        let slope = |logit| expected_score(logit) * (1.0 - expected_score(logit));
        let finding = self.fitted(test, &rows, fit.map(|fit| (fit, 1)), [expected_score, slope]);
        let title = format!("White's score by the difference in dice at ply {ply}");
        let cells = by_lead.iter().map(|(lead, &(games, points))| {
            [
                format!("{lead:+}"),
                games.to_string(),
                number::percent(points / f64::from(games)),
            ]
        });
        let headings = ["difference", "games", "score of White"];
        let note = "Games still in progress, by White's dice minus Black's.";
        let finding = finding.with_table(&title, note, headings, cells);
        let Some(fit) = fit else { return finding };
        let observed = by_lead.iter();
        let observed = observed.map(|(&lead, &(games, points))| (lead.into(), Some(points / f64::from(games)), None));
        let expected = |lead: i32| expected_score(fit.coefficients[0] + fit.coefficients[1] * f64::from(lead));
        let fitted = by_lead
            .keys()
            .map(|&lead| (f64::from(lead), Some(expected(lead)), None));
        let series = |name: &str, points: Vec<_>| PlotLine {
            name: name.to_owned(),
            points,
        };
        finding.with_exhibit(LinePlot {
            title,
            note: "Points without intervals rest on few games at the ends.".to_owned(),
            x: "White's dice minus Black's".to_owned(),
            x_quantity: Quantity::Whole,
            y: "score of White".to_owned(),
            y_quantity: Quantity::Percent,
            reference: Some((0.5, "even".to_owned())),
            series: vec![series("games", observed.collect()), series("fit", fitted.collect())],
            ..LinePlot::default()
        })
    }

    /// C4: a response by pairs of adjacent 3s and 4s, other things equal.
    fn clumps(&self, response: &str, of: impl Fn(&DiceFacts, &Formations) -> Option<f64>) -> Finding {
        let shapes = self
            .facts
            .iter()
            .flat_map(|facts| facts.shapes.iter().map(move |shape| (facts, shape)));
        let rows = shapes.filter_map(|(facts, shape)| Some(row(facts.block, of(facts, shape)?, shape)));
        let rows: Vec<RegressionRow<6>> = rows.collect();
        let fit = linear(&rows);
        let test = ClaimTest::named(ClaimId::C4, "regression").with("response", response);
        let finding = self.fitted(test, &rows, fit.map(|fit| (fit, 0)), [|value| value, |_| 1.0]);
        let Some(fit) = fit else { return finding };
        let coefficients = COVARIATES.iter().zip(fit.coefficients.iter().zip(fit.errors));
        let cells = coefficients.map(|(name, (coefficient, error))| {
            [
                (*name).to_owned(),
                number::difference(100.0 * coefficient, 2),
                number::decimal(100.0 * error, 2),
            ]
        });
        let note = "Coefficients of the regression; numbers of dice are White's minus Black's.";
        let headings = ["", "percentage points", "standard error"];
        finding.with_table(
            format!("What goes with White's score: {response}"),
            note,
            headings,
            cells,
        )
    }
}

fn row(block: u64, response: f64, shape: &Formations) -> RegressionRow<6> {
    let of = shape.difference;
    let white_to_move = i32::from(shape.to_move == Player::White);
    let counts = [of.clumped, of.adjacent, of.middle, of.dice, white_to_move, 1];
    RegressionRow {
        block,
        response,
        covariates: counts.map(f64::from),
    }
}
