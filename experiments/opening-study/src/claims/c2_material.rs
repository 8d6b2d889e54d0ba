//! C2: many small dice against few large ones. Both sides always show 25 pips, so more dice are smaller dice. Forks
//! decide the worth of an additional die that no one lost; the correlation of leads in dice with results is context.

use std::collections::BTreeMap;

use serde_json::json;

use super::method::dice::{DiceStudy, range};
use super::method::forks::{ForkStudy, Question, Statement};
use crate::evidence::dice::LEAD_PLIES;
use crate::evidence::forks::ForkKind;
use crate::{Against, ClaimId, Effect, EffectUnit, Finding};
use chase_report::chart::Quantity;
use chase_report::exhibit::{Exhibit, LinePlot, PlotLine, Table};
use chase_statistics::regression::{RegressionRow, expected_score, logistic};
use chase_statistics::{Interval, Verdict};

/// Smallest score with one die more, both sides being otherwise equal, at which more dice count as better.
const BETTER: f64 = 0.52;

/// Claim C2, by forks: splitting a die in the Chamber, which makes one die more with the same pips, must score more
/// than the control by more than the margin, and no less than the best other action.
pub(crate) fn by_forks(study: &ForkStudy<'_>) -> Vec<Finding> {
    let question = |part, against| Question {
        claim: ClaimId::C2,
        part,
        kind: ForkKind::GainingEntry,
        against,
        less: None,
        statement: Statement::Above(study.margin),
    };
    vec![
        study.deciding(&question("a die more pays, against the control", Against::Control)),
        study
            .finding(&question("a die more against the best other action", Against::Rival))
            .as_context(),
    ]
}

/// Context from games: leads in dice and results.
pub(crate) fn findings(study: &DiceStudy<'_>) -> Vec<Finding> {
    let numbered = LEAD_PLIES.iter().enumerate();
    numbered
        .map(|(index, &ply)| at_ply(study, index, ply).as_context())
        .collect()
}

/// Slope of the score by the logit.
fn score_slope(logit: f64) -> f64 {
    expected_score(logit) * (1.0 - expected_score(logit))
}

fn at_ply(study: &DiceStudy<'_>, index: usize, ply: u32) -> Finding {
    let mut by_lead: BTreeMap<i32, (u32, f64)> = BTreeMap::new();
    let mut rows = Vec::new();
    for facts in study.facts {
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
    let part = format!("score by dice at ply {ply}");
    let test = format!(
        "logistic regression of White's score on White's dice minus Black's at ply {ply}, with a constant for the first move \
         (Firth's correction; errors robust within blocks, or the model's if larger); better from a score of {BETTER} with \
         one die more; no effect of dice alone, for who has fewer than five has lost, and who is ahead wins dice; {}",
        study.method("Student's interval")
    );
    let fit = logistic(&rows);
    let logits = fit.and_then(|fit| fit.interval(1, study.level()));
    let score = |logit: Option<f64>| logit.map(expected_score);
    let interval = logits.map(|Interval { low, high }| Interval {
        low: score(low),
        high: score(high),
    });
    let verdict = interval.map_or(Verdict::Inconclusive, |interval| {
        Verdict::greater_than(&interval, BETTER)
    });
    let summary = match fit {
        None => format!(
            "In {} games that went on at ply {ply} dice did not differ enough to tell.",
            rows.len()
        ),
        Some(fit) => format!(
            "With one die more at ply {ply}, all else being equal, the expected score is {:.1} %{}, in {} games that were \
             still going on.",
            100.0 * expected_score(fit.coefficients[1]),
            range(interval, 100.0, 1),
            rows.len()
        ),
    };
    let effect = fit.map(|fit| Effect {
        name: format!("expected score with one die more at ply {ply}"),
        unit: EffectUnit::Score,
        value: expected_score(fit.coefficients[1]),
        interval,
        level: interval.map(|_| study.level()),
        // Slope of the score at this point.
        error: Some(fit.errors[1] * score_slope(fit.coefficients[1])),
    });
    let mut finding =
        Finding::empirical(ClaimId::C2, part, verdict, summary).with_test(rows.len() as u64, "games", test);
    finding.effect = effect;
    finding.evidence = json!({
        "ply": ply,
        "blocks": fit.map(|fit| fit.blocks),
        "constant": fit.map(|fit| fit.coefficients[0]),
        "slope": fit.map(|fit| fit.coefficients[1]),
        "slope_error": fit.map(|fit| fit.errors[1]),
        "games_and_points_by_lead": by_lead,
    });
    let title = format!("White's score by the difference in dice at ply {ply}");
    let table = Table {
        title: title.clone(),
        note: "Games still in progress, by White's dice minus Black's.".to_owned(),
        headings: ["difference", "games", "score of White"].map(str::to_owned).to_vec(),
        rows: by_lead
            .iter()
            .map(|(lead, &(games, points))| {
                let score = format!("{:.1} %", 100.0 * points / f64::from(games));
                vec![format!("{lead:+}"), games.to_string(), score]
            })
            .collect(),
    };
    finding.exhibits.push(table.into());
    if let Some(fit) = fit {
        let observed = by_lead.iter();
        let observed = observed.map(|(&lead, &(games, points))| (lead.into(), Some(points / f64::from(games)), None));
        let fitted = by_lead.keys().map(|&lead| {
            let logit = fit.coefficients[0] + fit.coefficients[1] * f64::from(lead);
            (f64::from(lead), Some(expected_score(logit)), None)
        });
        let series = |name: &str, points: Vec<_>| PlotLine {
            name: name.to_owned(),
            points,
        };
        finding.exhibits.push(Exhibit::Lines(LinePlot {
            title,
            note: "Points without intervals rest on few games at the ends.".to_owned(),
            x: "White's dice minus Black's".to_owned(),
            x_quantity: Quantity::Whole,
            x_logarithmic: false,
            y: "score of White".to_owned(),
            y_quantity: Quantity::Percent,
            reference: Some((0.5, "even".to_owned())),
            series: vec![series("games", observed.collect()), series("fit", fitted.collect())],
        }));
    }
    finding
}
