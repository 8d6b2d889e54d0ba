//! Answers of `chase solve`, as text and as JSON.

use std::fmt::Write;

use chase_engine::Player;
use chase_engine::chase::{Action, Position};
use chase_engine::proof::ProofVerdict;
use chase_report::number;
use serde::{Serialize, Serializer};

/// The question.
#[derive(Clone, Copy, Debug)]
pub struct Question {
    pub position: Position,
    pub attacker: Player,
    /// Required lead in dice; `None` for a win.
    pub gain: Option<i32>,
    /// Number of turns of both players.
    pub within: Option<u32>,
}

/// The answer.
#[derive(Debug, Serialize)]
pub struct Answer {
    /// The position, in CFEN.
    position: String,
    to_move: &'static str,
    goal: &'static str,
    attacker: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    gain: Option<i32>,
    within: Option<u32>,
    #[serde(serialize_with = "name")]
    pub verdict: ProofVerdict,
    /// The line of a proof, in exact form; empty without one.
    line: Vec<String>,
    /// The same line in the article's form.
    line_text: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    actions: Option<Vec<SolvedAction>>,
    pub nodes: u64,
    pub seconds: f64,
}

/// The verdict after an action.
#[derive(Debug, Serialize)]
struct SolvedAction {
    action: String,
    text: String,
    #[serde(serialize_with = "name")]
    verdict: ProofVerdict,
}

fn name<S: Serializer>(verdict: &ProofVerdict, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(verdict.name())
}

impl Answer {
    pub fn new(
        question: Question,
        verdict: ProofVerdict,
        line: &[Action],
        actions: Option<&[(Action, ProofVerdict)]>,
        nodes: u64,
        seconds: f64,
    ) -> Self {
        let position = &question.position;
        let solved = |&(action, verdict): &(Action, ProofVerdict)| SolvedAction {
            action: action.to_string(),
            text: position.article_text(action),
            verdict,
        };
        let mut at = *position;
        let texts = line.iter().map(|&action| {
            let text = at.article_text(action);
            at.play_unchecked(action);
            text
        });
        Self {
            position: position.to_string(),
            to_move: position.to_move().name(),
            goal: question.gain.map_or("win", |_| "dice"),
            attacker: question.attacker.name(),
            gain: question.gain,
            within: question.within,
            verdict,
            line_text: texts.collect(),
            line: line.iter().map(ToString::to_string).collect(),
            actions: actions.map(|actions| actions.iter().map(solved).collect()),
            nodes,
            seconds,
        }
    }

    /// The answer as text: the verdict, the line, the actions by verdict, and the nodes.
    pub fn text(&self, stopped: bool) -> String {
        let mut text = format!("{}: {}", self.verdict.name(), self.statement());
        if self.verdict == ProofVerdict::Unknown {
            text += if stopped {
                "; stopped"
            } else {
                "; more --nodes may tell"
            };
        }
        text.push('\n');
        if !self.line_text.is_empty() {
            let _ = writeln!(text, "line: {}", self.line_text.join(" "));
        }
        for verdict in [ProofVerdict::Proved, ProofVerdict::Disproved, ProofVerdict::Unknown] {
            let of_it = self.actions.iter().flatten().filter(|action| action.verdict == verdict);
            let texts: Vec<&str> = of_it.map(|action| action.text.as_str()).collect();
            if !texts.is_empty() {
                let _ = writeln!(text, "{} after {}: {}", verdict.name(), texts.len(), texts.join(" "));
            }
        }
        let _ = writeln!(text, "nodes {}", self.nodes);
        text
    }

    /// What was proved or disproved, or is unknown.
    fn statement(&self) -> String {
        let turns = |count: u32| number::counted(count.into(), "turn");
        let attacker = self.attacker;
        let end = match (self.gain, self.within) {
            (None, None) => String::new(),
            (None, Some(within)) => format!(" within {}", turns(within)),
            (Some(_), within) => format!(" after {}", turns(within.unwrap_or_default())),
        };
        let dice = |gain: i32| if gain == 1 { "die" } else { "dice" };
        let reached = match self.gain {
            None => format!("{attacker} wins by force{end}"),
            Some(gain) => format!("{attacker} is {gain} {} ahead by force{end}", dice(gain)),
        };
        match (self.verdict, self.gain) {
            (ProofVerdict::Proved, _) => reached,
            (ProofVerdict::Unknown, _) => format!("whether {reached}"),
            (ProofVerdict::Disproved, None) => format!("{attacker} cannot force a win{end}"),
            (ProofVerdict::Disproved, Some(gain)) => {
                format!("{attacker} cannot force a lead of {gain} {}{end}", dice(gain))
            }
        }
    }
}
