//! Evaluators as short texts.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use crate::players::{BaselineSpec, is_bare_network};

/// An evaluator as text: the part of a player's text that describes how positions are evaluated.
///
/// | text | evaluates a position by |
/// |---|---|
/// | `net:PATH`, or `PATH` with a slash, or a built-in agent such as `agent-71` | the network of a checkpoint, or of the newest checkpoint of a run |
/// | `rollouts`, `rollouts:games=N` | the results of N random games from it, by default 1 |
/// | `uniform` | nothing: only proven results count |
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EvaluatorSpec {
    /// The network of a checkpoint, or of a run's newest checkpoint.
    Network(PathBuf),
    /// This many random games from each leaf, 1 to 1000.
    Rollouts(u32),
    /// No evaluation.
    Uniform,
}

/// A text that describes no evaluator.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown evaluator `{0}`: expected net:PATH, rollouts, rollouts:games=N with N from 1 to 1000, or uniform")]
pub struct EvaluatorSpecError(String);

impl FromStr for EvaluatorSpec {
    type Err = EvaluatorSpecError;

    fn from_str(text: &str) -> Result<Self, EvaluatorSpecError> {
        if text == "uniform" {
            return Ok(Self::Uniform);
        }
        let is_first_family = || is_bare_network(text) && !chase_nnue::shipped::is_shipped(Path::new(text));
        let bare = || is_first_family().then_some(text);
        let network = text.strip_prefix("net:").or_else(bare).filter(|path| !path.is_empty());
        let evaluator = network.map(|path| Self::Network(path.into())).or_else(|| {
            let player = BaselineSpec::read_without_limit(text).ok()?;
            player.evaluation_games().map(Self::Rollouts)
        });
        evaluator.ok_or_else(|| EvaluatorSpecError(text.to_owned()))
    }
}

impl fmt::Display for EvaluatorSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Network(path) => write!(f, "net:{}", path.display()),
            Self::Rollouts(1) => f.write_str("rollouts"),
            Self::Rollouts(games) => write!(f, "rollouts:games={games}"),
            Self::Uniform => f.write_str("uniform"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_read_and_options_of_a_search_are_refused() {
        for (text, shown) in [
            ("uniform", "uniform"),
            ("rollouts", "rollouts"),
            ("rollouts:games=1", "rollouts"),
            ("rollouts:games=1000", "rollouts:games=1000"),
            ("net:a b/c,d", "net:a b/c,d"),
            ("runs/a", "net:runs/a"),
            ("agent-41", "net:agent-41"),
        ] {
            let read = text.parse().map(|evaluator: EvaluatorSpec| evaluator.to_string());
            assert_eq!(read, Ok(shown.to_owned()));
        }
        for text in [
            "",
            "net",
            "net:",
            "greedy",
            "uniform:games=1",
            "rollouts:",
            "rollouts:games=0",
            "rollouts:games=1001",
            "rollouts:games=+1",
            "rollouts:simulations=9",
            "rollouts:c-puct=2",
            "rollouts:games=2,blunders=0.5",
        ] {
            let error = text.parse::<EvaluatorSpec>().expect_err(text);
            assert_eq!(error, EvaluatorSpecError(text.to_owned()));
        }
    }
}
