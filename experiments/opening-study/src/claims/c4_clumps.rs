//! C4: adjacent 3s and 4s. Forks decide between exchanges that make pairs of them and exchanges that break pairs;
//! regressions on games are context.

use chase_engine::Player;
use serde_json::json;

use super::method::dice::{DiceStudy, range};
use super::method::forks::{ForkStudy, Question, Statement};
use crate::evidence::dice::{DiceFacts, Formations};
use crate::evidence::forks::ForkKind;
use crate::{Against, ClaimId, Effect, EffectUnit, Finding};
use chase_report::exhibit::Table;
use chase_report::number;
use chase_statistics::Verdict;
use chase_statistics::regression::{Fit, RegressionRow, linear};

/// Smallest change of the expected score per additional clumped pair that counts.
const COUNTS: f64 = 0.005;

/// Covariates of the score; the first is tested, the others are controlled for.
const COVARIATES: [&str; 6] = [
    "pairs of adjacent 3s and 4s",
    "pairs of adjacent dice of any speed",
    "dice of speed 3 or 4",
    "dice",
    "White is to move",
    "constant",
];

/// Claim C4, by forks: the best exchange that makes pairs of adjacent 3s and 4s must score more than the best of
/// equally many that break them, by more than the margin. Both are chosen alike, so there is no control.
pub(crate) fn by_forks(study: &ForkStudy<'_>) -> Vec<Finding> {
    vec![study.deciding(&Question {
        claim: ClaimId::C4,
        part: "making pairs of 3s and 4s against breaking them",
        kind: ForkKind::Clumping,
        against: Against::Rival,
        less: None,
        statement: Statement::Above(study.margin),
    })]
}

/// Context from games: pairs, the values of positions by searches, and results.
pub(crate) fn findings(study: &DiceStudy<'_>) -> Vec<Finding> {
    let by_value = regression(
        study,
        "expected score, as searches say (values of the network, no results)",
        |_, shape| shape.score,
    );
    let by_result = regression(study, "result of the game", |facts, _| facts.score);
    vec![by_result.as_context(), by_value.as_context()]
}

fn regression(study: &DiceStudy<'_>, response: &str, of: impl Fn(&DiceFacts, &Formations) -> Option<f64>) -> Finding {
    let mut rows = Vec::new();
    for facts in study.facts {
        for shape in &facts.shapes {
            if let Some(response) = of(facts, shape) {
                rows.push(row(facts.block, response, shape));
            }
        }
    }
    let fit = linear(&rows);
    let interval = fit.and_then(|fit| fit.interval(0, study.level()));
    let verdict = interval.map_or(Verdict::Inconclusive, |interval| {
        Verdict::greater_than(&interval, COUNTS)
    });
    let part = format!("clumps by the {response}");
    let summary = match fit {
        None => format!(
            "In {} positions with a known {response} formations did not differ enough to tell.",
            rows.len()
        ),
        Some(fit) => format!(
            "One pair of adjacent 3s and 4s more goes with {}{} percentage points of the score, other things equal, in {} \
             positions.",
            number::difference(100.0 * fit.coefficients[0], 2),
            range(interval, 100.0, 2),
            rows.len()
        ),
    };
    let test = format!(
        "least squares of White's score ({response}) on White's minus Black's pairs of adjacent 3s and 4s in every tenth ply's \
         position; held equal: the differences in pairs of adjacent dice of any speed, in dice of speed 3 or 4 and in dice, and \
         who is to move (with equal pips that leaves other speeds and places free); errors robust within blocks; counts from \
         {:.1} points on; {}",
        100.0 * COUNTS,
        study.method("Student's interval")
    );
    let mut finding =
        Finding::empirical(ClaimId::C4, part, verdict, summary).with_test(rows.len() as u64, "positions", test);
    if let Some(fit) = fit {
        finding.effect = Some(Effect {
            name: "score by one more pair of adjacent 3s and 4s".to_owned(),
            unit: EffectUnit::Score,
            value: fit.coefficients[0],
            interval,
            level: interval.map(|_| study.level()),
            error: Some(fit.errors[0]),
        });
        finding.evidence = json!({
            "covariates": COVARIATES, "coefficients": fit.coefficients, "errors": fit.errors, "blocks": fit.blocks,
        });
        finding.exhibits.push(table(&fit, response).into());
    }
    finding
}

fn row(block: u64, response: f64, shape: &Formations) -> RegressionRow<6> {
    let difference = shape.difference;
    RegressionRow {
        block,
        response,
        covariates: [
            f64::from(difference.clumped),
            f64::from(difference.adjacent),
            f64::from(difference.middle),
            f64::from(difference.dice),
            f64::from(u8::from(shape.to_move == Player::White)),
            1.0,
        ],
    }
}

fn table(fit: &Fit<6>, response: &str) -> Table {
    let rows = COVARIATES.iter().zip(fit.coefficients.iter().zip(fit.errors));
    Table {
        title: format!("What goes with White's score: {response}"),
        note: "Coefficients of the regression; numbers of dice are White's minus Black's.".to_owned(),
        headings: ["", "percentage points", "standard error"].map(str::to_owned).to_vec(),
        rows: rows
            .map(|(name, (coefficient, error))| {
                vec![
                    (*name).to_owned(),
                    number::difference(100.0 * coefficient, 2),
                    format!("{:.2}", 100.0 * error),
                ]
            })
            .collect(),
    }
}
