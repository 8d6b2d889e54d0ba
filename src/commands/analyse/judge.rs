//! What judges positions, on the command line.

use std::path::Path;

use chase_arena::analysis::{EvaluatorSpec, EvaluatorSpecError};
use chase_arena::{NnueSpec, PlayerSpec};
use chase_engine::alpha_beta::Limits;
use chase_nnue::shipped;

use crate::cli;

/// What judges positions, and thereby how they are searched.
#[derive(Clone, Debug)]
pub enum Judge {
    /// An evaluator of the leaves of a tree.
    Tree(EvaluatorSpec),
    /// A network of the second family, by alpha-beta search.
    Lines(NnueSpec),
}

/// Parses an evaluator of either kind.
pub fn evaluator(text: &str) -> Result<Judge, String> {
    if let Some(spec) = second_family(text)? {
        return Ok(Judge::Lines(spec));
    }
    text.parse().map(Judge::Tree).map_err(|_: EvaluatorSpecError| {
        format!(
            "unknown evaluator `{text}`: expected net:PATH, nnue:PATH, rollouts, rollouts:games=N with N from 1 to 1000, or \
             uniform"
        )
    })
}

/// Parses a network of either family.
pub fn network(text: &str) -> Result<Judge, String> {
    if let Some(spec) = second_family(text)? {
        return Ok(Judge::Lines(spec));
    }
    cli::checkpoint(text).map(|path| Judge::Tree(EvaluatorSpec::Network(path)))
}

/// A network of the second family, as players are read; `None` for a text that stands for something else.
fn second_family(text: &str) -> Result<Option<NnueSpec>, String> {
    let spec = match text.parse() {
        Ok(PlayerSpec::Nnue(spec)) => spec,
        Err(error) if begins_as_second_family(text) => return Err(format!("{error}")),
        _ => return Ok(None),
    };
    let unlimited = spec.given_limits() == Limits::default();
    match unlimited && spec.chance == Default::default() {
        true => Ok(Some(spec)),
        false => {
            Err("expected a network, not a player with limits or chance: use --nodes or --milliseconds".to_owned())
        }
    }
}

/// True if a text names the second family or its built-in network, whatever follows.
fn begins_as_second_family(text: &str) -> bool {
    let name = text.split(',').next().unwrap_or_default();
    name.starts_with("nnue:") || shipped::is_shipped(Path::new(name))
}
