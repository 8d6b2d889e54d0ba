//! `chase study --compare`

use std::path::PathBuf;
use std::process::ExitCode;

use chase_opening_study::{ComparedEffect, Comparison, EffectUnit};
use chase_statistics::Verdict;

use crate::{cli, columns};

/// Column of what a test is about, below its claim.
const PARTS: usize = 4;
/// Column of the effects.
const EFFECTS: usize = 8;

pub fn run(folders: &[PathBuf], json: bool) -> anyhow::Result<ExitCode> {
    let compared = Comparison::read(folders)?;
    if json {
        cli::print(serde_json::to_string_pretty(&compared)?)?;
        return Ok(ExitCode::SUCCESS);
    }
    for (number, (folder, agents)) in (1..).zip(compared.studies.iter().zip(&compared.agents)) {
        let agents = match &agents[..] {
            [] => "no agent".to_owned(),
            agents => agents.join(", "),
        };
        let line = format!("({number}) {}: {agents}", folder.display());
        cli::print(columns::wrapped(&line, PARTS))?;
    }
    if !compared.shared.is_empty() {
        let note = format!(
            "These studies share agents, so that they do not agree independently: {}",
            compared.shared.join(", ")
        );
        cli::print(columns::wrapped(&note, PARTS))?;
    }
    cli::print("")?;
    for claim in &compared.claims {
        let verdicts: Vec<_> = claim
            .verdicts
            .iter()
            .map(|verdict| verdict.map_or("not tested", Verdict::name))
            .collect();
        let together = match claim.exact {
            true => "by the rules".to_owned(),
            false => claim.agreement.to_string(),
        };
        let cells: String = verdicts.iter().map(|verdict| format!("{verdict:<14}")).collect();
        cli::print(format!("{:<4}{cells}{together}", claim.id.to_string()))?;
    }
    for test in &compared.tests {
        cli::print("")?;
        cli::print(columns::wrapped(
            &format!("{:<4}{}", test.claim.to_string(), test.part),
            PARTS,
        ))?;
        for (number, effect) in (1..).zip(&test.effects) {
            let text = effect
                .as_ref()
                .map_or_else(|| "not tested".to_owned(), |effect| in_words(effect, test.unit));
            cli::print(format!("{:PARTS$}({number}) {text}", "", PARTS = EFFECTS - PARTS))?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// An effect with its interval, and the verdict of its test.
fn in_words(effect: &ComparedEffect, unit: EffectUnit) -> String {
    let end = |value: Option<f64>, none: &str| value.map_or_else(|| none.to_owned(), |value| unit.in_words(value));
    let interval = effect.interval.map_or_else(String::new, |interval| {
        format!(" [{}, {}]", end(interval.low, "−∞"), end(interval.high, "∞"))
    });
    let role = if effect.decides { "" } else { ", context" };
    format!(
        "{}{interval}, {}{role}",
        unit.in_words(effect.value),
        effect.verdict.name()
    )
}
