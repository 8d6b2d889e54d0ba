//! The report of a study, as it is written to a file.

use chase_training::store::run_dir::Meta;
use serde::{Deserialize, Serialize};

use super::claim::claims;
use super::{Basis, ClaimId, ConfigCommit, Finding, Role};
use chase_statistics::Verdict;

/// Version of the layout of the JSON file. Fields may be added without a new version.
pub const SCHEMA_VERSION: u32 = 2;

/// All results of a study. The JSON file is its serialized form.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StudyReport {
    /// [`SCHEMA_VERSION`] of the program that wrote it.
    pub schema: u32,
    /// Everything needed to repeat it.
    pub provenance: StudyProvenance,
    /// All claims, in the order of their ids, including those without findings.
    pub claims: Vec<ClaimResult>,
}

/// Everything needed to repeat a study.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StudyProvenance {
    /// The program and the machine: version, commit, seed, command line, start.
    pub program: Meta,
    /// The resolved configuration.
    pub config: serde_json::Value,
    /// Values that `games.most` was raised to when the study was resumed, in order; the configuration has the last one.
    pub raised: Vec<u32>,
    /// The commit of the configuration file; `None` if it was uncommitted or changed by options, and for exact findings alone.
    pub config_commit: Option<ConfigCommit>,
    /// The agents that played and searched.
    pub agents: Vec<AgentProvenance>,
}

impl StudyProvenance {
    /// A sentence about the commit of the configuration; `None` for exact findings alone.
    pub fn plan(&self) -> Option<String> {
        (!self.config.is_null()).then(|| ConfigCommit::sentence(self.config_commit.as_ref()))
    }

    /// The command that began the study, quoted for a shell and without the program's path.
    pub fn command(program: &Meta) -> String {
        let plain = |character: char| character.is_ascii_alphanumeric() || "_-./:=,+@%".contains(character);
        let quoted = |argument: &String| {
            if !argument.is_empty() && argument.chars().all(plain) {
                argument.clone()
            } else {
                format!("'{}'", argument.replace('\'', r"'\''"))
            }
        };
        let arguments = program.argv.iter().skip(1).map(quoted);
        std::iter::once("chase".to_owned())
            .chain(arguments)
            .collect::<Vec<_>>()
            .join(" ")
    }
}

/// An agent of a study.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AgentProvenance {
    /// Its name in findings.
    pub name: String,
    /// The player, as text that `PlayerSpec` reads.
    pub player: String,
    /// Every effective setting of the player, including defaults.
    pub settings: serde_json::Value,
    /// SHA-256 of the checkpoint's weights, in hexadecimal; `None` for agents without a network.
    pub checkpoint_hash: Option<String>,
    /// The training run that its checkpoint belongs to, or the checkpoint itself; `None` for agents without a network.
    /// Agents of one run are not trained independently.
    pub run: Option<String>,
    /// True if it plays the whole study, and its games decide; the games of others are only shown.
    pub decides: bool,
    /// Its rating above uniformly random play, if it has been evaluated.
    pub elo: Option<f64>,
}

/// The result of a study for a claim.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ClaimResult {
    /// The claim.
    pub id: ClaimId,
    /// The statement of the claim.
    pub statement: String,
    /// The kinds of evidence that it needs.
    pub needs: Vec<Basis>,
    /// The verdict by the rule of [`ClaimResult::new`]; `None` if it was not tested.
    pub verdict: Option<Verdict>,
    /// Limits of the verdict: parts that do not hold, and missing evidence. Empty if there are none.
    pub remarks: Vec<String>,
    /// The findings, deciding ones first.
    pub findings: Vec<Finding>,
}

impl ClaimResult {
    /// The verdict on a claim from its findings, of those that were played: refuted if a deciding one is refuted,
    /// supported if all are supported, else inconclusive. Several measures of one part decide by most of them. A
    /// stand-in decides only where no other empirical test was played. Without evidence of a kind that the claim needs
    /// it is not tested.
    pub fn new(id: ClaimId, mut findings: Vec<Finding>) -> Self {
        let played = |finding: &Finding| finding.role == Role::Deciding && finding.n > 0;
        let by_games = |finding: &Finding| played(finding) && finding.basis == Basis::Empirical && !finding.stand_in;
        if findings.iter().any(by_games) {
            for stand_in in findings.iter_mut().filter(|finding| finding.stand_in) {
                stand_in.role = Role::Context;
            }
        }
        findings.sort_by_key(|finding| finding.role == Role::Context);
        let claim = id.claim();
        let deciding = || findings.iter().filter(|finding| played(finding));
        let decided = parts(deciding());
        let named = |verdict: Verdict| -> Vec<&str> {
            let with = decided.iter().filter(|(_, of_part)| *of_part == verdict);
            with.map(|(part, _)| *part).collect()
        };
        let missing = |basis: &Basis| deciding().all(|finding| finding.basis != *basis);
        let missing: Vec<Basis> = claim.needs.iter().copied().filter(missing).collect();
        let verdict = if !named(Verdict::Refuted).is_empty() {
            Some(Verdict::Refuted)
        } else if decided.is_empty() || !missing.is_empty() {
            None
        } else if named(Verdict::Inconclusive).is_empty() {
            Some(Verdict::Supported)
        } else {
            Some(Verdict::Inconclusive)
        };
        let mut remarks = Vec::new();
        let not_played = findings
            .iter()
            .filter(|finding| finding.role == Role::Deciding && finding.n == 0);
        let not_played: Vec<&str> = not_played.map(|finding| finding.part.as_str()).collect();
        if !not_played.is_empty() {
            remarks.push(format!("not played: {}", not_played.join("; ")));
        }
        for (word, verdict) in [("does not hold", Verdict::Refuted), ("open", Verdict::Inconclusive)] {
            let parts = named(verdict);
            if !parts.is_empty() && decided.len() > parts.len() {
                remarks.push(format!("{word}: {}", parts.join("; ")));
            }
        }
        if verdict.is_some() {
            remarks.extend(claim.untested.iter().map(|part| format!("not asked: {part}")));
        }
        if !decided.is_empty() {
            remarks.extend(missing.iter().map(|basis| match basis {
                Basis::Empirical => "by the rules alone".to_owned(),
                Basis::Exact => "by games and searches alone".to_owned(),
            }));
        }
        Self {
            id,
            statement: claim.statement.clone(),
            needs: claim.needs.clone(),
            verdict,
            remarks,
            findings,
        }
    }
}

/// The verdict of each part: that of its finding, or of most of its measures.
fn parts<'a>(findings: impl Iterator<Item = &'a Finding>) -> Vec<(&'a str, Verdict)> {
    let mut parts: Vec<(&str, Vec<Verdict>)> = Vec::new();
    for finding in findings {
        let measured = finding.measure_of.as_deref();
        let known = parts.iter_mut().find(|(part, _)| Some(*part) == measured);
        match known {
            Some((_, verdicts)) => verdicts.push(finding.verdict),
            None => parts.push((measured.unwrap_or(&finding.part), vec![finding.verdict])),
        }
    }
    let of_most = |verdicts: &[Verdict]| {
        let most = |wanted: &Verdict| 2 * verdicts.iter().filter(|verdict| *verdict == wanted).count() > verdicts.len();
        let decided = [Verdict::Supported, Verdict::Refuted].into_iter().find(most);
        decided.unwrap_or(Verdict::Inconclusive)
    };
    let parts = parts.into_iter();
    parts.map(|(part, verdicts)| (part, of_most(&verdicts))).collect()
}

impl StudyReport {
    /// Gathers findings by claim.
    pub fn new(provenance: StudyProvenance, findings: Vec<Finding>) -> Self {
        let of = |id: ClaimId| findings.iter().filter(|finding| finding.claim == id).cloned().collect();
        Self {
            schema: SCHEMA_VERSION,
            provenance,
            claims: claims().map(|claim| ClaimResult::new(claim.id, of(claim.id))).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finding(basis: Basis, verdict: Verdict) -> Finding {
        let part = format!("{} {}", basis.name(), verdict.name());
        Finding {
            n: 1,
            ..Finding::new(ClaimId::new('B', 4), part, basis, verdict)
        }
    }

    fn result(findings: Vec<Finding>) -> ClaimResult {
        ClaimResult::new(ClaimId::new('B', 4), findings)
    }

    #[test]
    fn a_claim_is_as_good_as_its_weakest_part() {
        use Basis::{Empirical, Exact};
        use Verdict::{Inconclusive, Refuted, Supported};
        let verdict = |findings: &[(Basis, Verdict)]| {
            let findings = findings.iter().map(|&(basis, verdict)| finding(basis, verdict));
            result(findings.collect())
        };
        // B4 needs exact and empirical evidence.
        assert_eq!(verdict(&[]).verdict, None);
        assert!(verdict(&[]).remarks.is_empty());
        let one = verdict(&[(Exact, Supported)]);
        assert_eq!(
            (one.verdict, one.remarks),
            (None, vec!["by the rules alone".to_owned()])
        );
        assert_eq!(verdict(&[(Exact, Refuted)]).verdict, Some(Refuted));
        let both = verdict(&[(Exact, Supported), (Empirical, Supported)]);
        assert_eq!((both.verdict, both.remarks.len()), (Some(Supported), 0));
        let open = verdict(&[(Exact, Supported), (Empirical, Inconclusive)]);
        assert_eq!(open.verdict, Some(Inconclusive));
        assert_eq!(open.remarks, ["open: empirical inconclusive"]);
        let mixed = verdict(&[(Exact, Supported), (Empirical, Refuted), (Empirical, Inconclusive)]);
        assert_eq!(mixed.verdict, Some(Refuted));
        assert_eq!(
            mixed.remarks,
            ["does not hold: empirical refuted", "open: empirical inconclusive"]
        );
    }

    #[test]
    fn a_test_that_was_not_played_decides_nothing() {
        use Basis::{Empirical, Exact};
        use Verdict::{Inconclusive, Supported};
        let mut not_played = finding(Empirical, Inconclusive);
        not_played.n = 0;
        let played = || vec![finding(Exact, Supported), finding(Empirical, Supported)];
        let claim = result([played(), vec![not_played.clone()]].concat());
        assert_eq!(claim.verdict, Some(Supported));
        assert_eq!(claim.remarks, ["not played: empirical inconclusive"]);
        assert_eq!(result(vec![finding(Exact, Supported), not_played]).verdict, None);
    }

    #[test]
    fn a_stand_in_decides_where_nothing_else_was_played() {
        use Basis::{Empirical, Exact};
        use Verdict::{Inconclusive, Refuted, Supported};
        let stand_in = || Finding {
            stand_in: true,
            ..finding(Empirical, Refuted)
        };
        let alone = vec![finding(Exact, Supported), stand_in()];
        assert_eq!(result(alone.clone()).verdict, Some(Refuted));
        let claim = result([alone, vec![finding(Empirical, Inconclusive)]].concat());
        assert_eq!(claim.verdict, Some(Inconclusive));
        assert_eq!(claim.findings[2].role, Role::Context);
    }

    #[test]
    fn most_measures_of_a_part_decide_it() {
        use Verdict::{Inconclusive, Refuted, Supported};
        for (verdicts, expected) in [
            ([Supported, Supported, Refuted], Supported),
            ([Refuted, Inconclusive, Refuted], Refuted),
            ([Supported, Inconclusive, Refuted], Inconclusive),
        ] {
            let measures = verdicts.map(|verdict| Finding {
                measure_of: Some("aggression".into()),
                ..finding(Basis::Empirical, verdict)
            });
            let claim = result([&measures[..], &[finding(Basis::Exact, Supported)]].concat());
            assert_eq!(claim.verdict, Some(expected), "{verdicts:?}");
        }
    }

    #[test]
    fn commands_can_be_given_to_a_shell_again() {
        let arguments = [
            "/somewhere/chase",
            "study",
            "--set",
            "games.curve=['random']",
            "--seed",
            "3",
        ];
        let program = Meta {
            argv: arguments.map(Into::into).into(),
            ..Meta::new("chase", 1, 3)
        };
        let command = StudyProvenance::command(&program);
        assert_eq!(command, r"chase study --set 'games.curve=['\''random'\'']' --seed 3");
    }

    /// A study resumed from its files must have the same results as an uninterrupted one.
    #[test]
    fn numbers_read_back_as_they_were_written() {
        for number in [
            0.105_539_413_889_397_33,
            0.499_296_516_180_038_45,
            0.498_107_060_790_061_95,
        ] {
            let text = serde_json::to_string(&number).unwrap_or_default();
            assert_eq!(serde_json::from_str::<f64>(&text).ok(), Some(number));
        }
    }

    #[test]
    fn context_does_not_count() {
        let findings = vec![
            finding(Basis::Exact, Verdict::Refuted).as_context(),
            finding(Basis::Exact, Verdict::Supported),
            finding(Basis::Empirical, Verdict::Supported),
        ];
        let result = ClaimResult::new(ClaimId::new('B', 4), findings);
        assert_eq!(result.verdict, Some(Verdict::Supported));
        assert_eq!(result.findings[2].role, Role::Context);
    }
}
