//! C3: profitable captures, by speeds of the dice. Forks decide; changes of searches' values by captures are context.

use serde_json::json;

use super::method::dice::{DiceStudy, opposite, points, verdict};
use super::method::forks::{ForkStudy, Question, Statement};
use crate::evidence::dice::Capture;
use crate::evidence::forks::{ForkKind, LARGER};
use crate::{Against, ClaimId, Finding};
use chase_report::exhibit::Table;
use chase_report::number;
use chase_statistics::Verdict;
use chase_statistics::clusters::{self, BlockSums, ClusterEstimate};

/// Smallest change of the expected score at which a capture pays.
const PAYS: f64 = 0.01;

const HOW: &str = "expected score of the player who captures, after the capture minus before it, by the searches that chose the actions \
                   (the result, if the game was over); turns that captured one die; a search that saw the capture coming \
                   counts on it before, so that the change is what is more or less than expected; values of the network, no \
                   results, and they rise with every kind of turn: they decide nothing";

/// Claim C3, by forks. Two parts by the margin, each against its control: small dice that take large ones pay, large
/// ones that take small ones do not. A third part, which follows if both hold: the first gain more over their control
/// than the second. It can refute the claim where the two parts alone are open.
pub(crate) fn by_forks(study: &ForkStudy<'_>) -> Vec<Finding> {
    use ForkKind::{LargeTakesSmall, SmallTakesLarge};
    let question = |part, kind, against, less, statement| Question {
        claim: ClaimId::C3,
        part,
        kind,
        against,
        less,
        statement,
    };
    let (pays, does_not) = (Statement::Above(study.margin), Statement::NotAbove(study.margin));
    vec![
        study.deciding(&question(
            "small takes large pays, against the control",
            SmallTakesLarge,
            Against::Control,
            None,
            pays,
        )),
        study.deciding(&question(
            "large takes small does not pay, against the control",
            LargeTakesSmall,
            Against::Control,
            None,
            does_not,
        )),
        study.deciding(&question(
            "small takes large pays more than large takes small",
            SmallTakesLarge,
            Against::Control,
            Some(LargeTakesSmall),
            Statement::Above(0.0),
        )),
        study
            .finding(&question(
                "small takes large against the best other action",
                SmallTakesLarge,
                Against::Rival,
                None,
                pays,
            ))
            .as_context(),
        study
            .finding(&question(
                "large takes small against the best other action",
                LargeTakesSmall,
                Against::Rival,
                None,
                does_not,
            ))
            .as_context(),
    ]
}

/// Context from values.
pub(crate) fn findings(study: &DiceStudy<'_>) -> Vec<Finding> {
    let small_takes_large = |capture: &Capture| capture.taker.pips() + LARGER <= capture.taken.pips();
    let large_takes_small = |capture: &Capture| capture.taken.pips() + LARGER <= capture.taker.pips();
    let both = study.by_block(|facts, sums: &mut [BlockSums; 2]| {
        for capture in &facts.captures {
            let Some(change) = capture.change else { continue };
            for (sums, fits) in sums
                .iter_mut()
                .zip([small_takes_large(capture), large_takes_small(capture)])
            {
                if fits {
                    sums.add(change);
                }
            }
        }
    });
    let mean = |group: usize| {
        let sums: Vec<_> = both.iter().map(|sums| sums[group]).collect();
        clusters::mean(&sums, study.level(), &mut study.rng(3 + group as u64))
    };
    let (small, large) = (mean(0), mean(1));
    let contrast = clusters::difference(&both, study.level(), &mut study.rng(5));
    let test = |rule: &str| format!("{HOW}; {rule}; {}", study.method("studentised bootstrap over blocks"));
    let finding = |part: &str, verdict: Verdict, what: &str, rule: &str, estimate: Option<ClusterEstimate>| {
        let summary = estimate.map_or(
            format!("There is no such capture with a value before and after: {what}."),
            |estimate| {
                format!(
                    "{what}: {} percentage points, in {} captures.",
                    points(&estimate),
                    estimate.observations
                )
            },
        );
        let effect = format!("change of the expected score: {part}");
        study.finding(
            ClaimId::C3,
            part,
            verdict,
            summary,
            estimate,
            &effect,
            "captures",
            test(rule),
        )
    };
    let pays = "it pays from 1 percentage point on";
    let mut first = finding(
        "small dice take large ones, by values",
        verdict(small, PAYS),
        "Mean change of the expected score when a die is captured by one at least two pips smaller",
        pays,
        small,
    );
    first.evidence = evidence(study);
    first.exhibits.push(table(study).into());
    let second = finding(
        "large dice take small ones, by values",
        opposite(verdict(large, PAYS)),
        "Mean change of the expected score when a die is captured by one at least two pips larger",
        pays,
        large,
    );
    let third = finding(
        "small takes large against large takes small, by values",
        verdict(contrast, 0.0),
        "Difference between the two",
        "the first pays more",
        contrast,
    );
    vec![first.as_context(), second.as_context(), third.as_context()]
}

/// Number of captures, and sums of the changes of value, by speeds of the capturing and the captured die.
fn by_speeds(study: &DiceStudy<'_>) -> [[(u32, BlockSums); 6]; 6] {
    let mut table = [[(0, BlockSums::default()); 6]; 6];
    for capture in study.facts.iter().flat_map(|facts| &facts.captures) {
        let (count, sums) = &mut table[usize::from(capture.taker.pips()) - 1][usize::from(capture.taken.pips()) - 1];
        *count += 1;
        if let Some(change) = capture.change {
            sums.add(change);
        }
    }
    table
}

fn evidence(study: &DiceStudy<'_>) -> serde_json::Value {
    let mut rows = Vec::new();
    for (taker, row) in (1..).zip(by_speeds(study)) {
        for (taken, (captures, sums)) in (1..).zip(row) {
            let mean = (sums.count > 0.0).then(|| sums.total / sums.count);
            rows.push(json!({
                "taker": taker, "taken": taken, "captures": captures, "valued": sums.count, "mean_change": mean,
            }));
        }
    }
    json!({ "captures_by_speed": rows })
}

fn table(study: &DiceStudy<'_>) -> Table {
    let mut headings = vec!["captured by".to_owned()];
    headings.extend((1..=6).map(|pips| format!("a {pips} is lost")));
    let rows = (1..).zip(by_speeds(study)).map(|(taker, row)| {
        let mut cells = vec![format!("speed {taker}")];
        cells.extend(row.map(|(captures, sums)| match (captures, sums.count) {
            (0, _) => "–".to_owned(),
            (_, 0.0) => format!("{captures}, not valued"),
            (_, count) => format!("{} ({captures})", number::difference(100.0 * sums.total / count, 1)),
        }));
        cells
    });
    Table {
        title: "What captures change".to_owned(),
        note: "Mean change of the capturer's expected score in percentage points, and the number of captures."
            .to_owned(),
        headings,
        rows: rows.collect(),
    }
}
