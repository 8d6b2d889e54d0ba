//! C1: the first entry into the Chamber. Forks decide if it costs; the frequency of losing new dice is context.

use chase_engine::Player;
use serde_json::json;

use super::method::dice::{DiceStudy, opposite, percent, points, verdict};
use super::method::forks::{ForkStudy, Question, Statement};
use crate::evidence::forks::ForkKind;
use crate::{Against, ClaimId, Finding};
use chase_report::exhibit::Table;
use chase_statistics::Verdict;
use chase_statistics::clusters::{self, BlockSums};

/// Excess frequency of losing a die, compared with an ordinary move, that counts as a risk.
const RISK: f64 = 0.05;

/// Claim C1, by forks: the player who enters first must score less than by the control, by more than the margin, and
/// less than by the best other action.
pub(crate) fn by_forks(study: &ForkStudy<'_>) -> Vec<Finding> {
    let question = |part, against| Question {
        claim: ClaimId::C1,
        part,
        kind: ForkKind::FirstEntry,
        against,
        less: None,
        statement: Statement::Below(-study.margin),
    };
    vec![
        study.deciding(&question("entering first costs, against the control", Against::Control)),
        study
            .finding(&question(
                "entering first against the best other action",
                Against::Rival,
            ))
            .as_context(),
    ]
}

/// Context from games: how often new dice can be lost and are lost, and the score of the player who entered first.
pub(crate) fn findings(study: &DiceStudy<'_>) -> Vec<Finding> {
    let entries = || study.facts.iter().filter_map(|facts| Some((facts, facts.entry?)));
    let count = entries().count();
    let flag = |yes: bool| f64::from(u8::from(yes));
    let sums = study.by_block(|facts, [entry, ordinary]: &mut [BlockSums; 2]| {
        if let Some(first) = facts.entry {
            entry.add(flag(first.lost));
        }
        ordinary.total += f64::from(facts.ordinary_lost);
        ordinary.count += f64::from(facts.ordinary_moves);
    });
    let difference = clusters::difference(&sums, study.level(), &mut study.rng(1));
    let shares =
        [0, 1].map(|group| clusters::share(&sums.iter().map(|sums| sums[group]).collect::<Vec<_>>(), study.level()));
    let summary = match (difference, shares) {
        (Some(difference), [Some(entry), Some(ordinary)]) => format!(
            "{} of {count} first entries lost one of the new dice in the next turn; so did {} of the dice that moved without \
             capture before: a difference of {} percentage points.",
            percent(&entry),
            percent(&ordinary),
            points(&difference),
        ),
        _ => "No player entered the Chamber, or only with the first move of a game.".to_owned(),
    };
    let test = format!(
        "share of first Chamber moves of which a new die was captured in the next turn, minus the same share of ordinary moves \
         (no capture, no exchange) before them in the same games; a risk from {:.0} points on; {}",
        100.0 * RISK,
        study.method("studentised bootstrap over blocks")
    );
    let mut risk = study.finding(
        ClaimId::C1,
        "a new die is lost at once",
        verdict(difference, RISK),
        summary,
        difference,
        "share of first entries that lose a new die, minus that of ordinary moves",
        "moves",
        test,
    );
    let exposed = entries().filter(|(_, entry)| entry.exposed).count();
    let lost = entries().filter(|(_, entry)| entry.lost).count();
    let row = |name: &str, number: usize| {
        let share = 100.0 * number as f64 / count.max(1) as f64;
        vec![name.to_owned(), number.to_string(), format!("{share:.1} %")]
    };
    let table = Table {
        title: "First entries into the Chamber".to_owned(),
        note: format!("In {} games, by replay.", study.facts.len()),
        headings: ["", "games", "share"].map(str::to_owned).to_vec(),
        rows: vec![
            row("entered", count),
            row("a new die could be captured", exposed),
            row("a new die was captured", lost),
        ],
    };
    risk.evidence = json!({
        "games": study.facts.len(), "entries": count, "exposed": exposed, "lost": lost,
        "ordinary_moves": study.facts.iter().map(|facts| u64::from(facts.ordinary_moves)).sum::<u64>(),
        "ordinary_lost": study.facts.iter().map(|facts| u64::from(facts.ordinary_lost)).sum::<u64>(),
    });
    risk.exhibits.push(table.into());

    let scores = study.by_block(|facts, [sums]: &mut [BlockSums; 1]| {
        if let (Some(entry), Some(score)) = (facts.entry, facts.score) {
            sums.add(if entry.player == Player::White {
                score
            } else {
                1.0 - score
            });
        }
    });
    let score = clusters::mean(scores.as_flattened(), study.level(), &mut study.rng(2));
    let summary = score.map_or("There is no finished game with an entry.".to_owned(), |score| {
        format!("The player who entered first scored {}.", percent(&score))
    });
    let test = format!(
        "mean score of the player who entered first, against one half; who is ahead may enter more easily, so that this is no \
         effect of entering; {}",
        study.method("studentised bootstrap over blocks")
    );
    let verdict: Verdict = opposite(verdict(score, 0.5));
    let effect = "score of the player who entered first";
    let part = "the player who enters first scores less than half";
    let scored = study.finding(ClaimId::C1, part, verdict, summary, score, effect, "games", test);
    vec![risk.as_context(), scored.as_context()]
}
