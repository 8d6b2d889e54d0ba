//! What judges positions, on the command line.

use std::path::Path;

use chase_arena::analysis::{EvaluatorSpec, EvaluatorSpecError};
use chase_arena::{NnueSpec, PlayerSpec};
use chase_engine::chase::Cell;
use chase_nnue::{Limits, shipped};

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
fn checkpoint(text: &str) -> Result<Judge, String> {
    if let Some(spec) = second_family(text)? {
        return Ok(Judge::Lines(spec));
    }
    cli::checkpoint(text).map(|path| Judge::Tree(EvaluatorSpec::Network(path)))
}

/// Parses the network that comes first. A position is a likely mistake, since other commands take one there, and so are
/// moves.
pub fn network(text: &str) -> Result<Judge, String> {
    let network = checkpoint(text)?;
    let wrong = match (&network, text) {
        (Judge::Lines(_), _) => return Ok(network),
        _ if Path::new(text).exists() => return Ok(network),
        _ if text.contains(' ') && text.contains('/') => "a position needs --position",
        _ if is_move(text) => "moves need --moves",
        _ => return Ok(network),
    };
    Err(format!("expected the folder of a checkpoint or a run; {wrong}"))
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

/// True if a text begins like an action of Chase, with a cell, and has no more than actions have.
fn is_move(text: &str) -> bool {
    let cell = text.get(..2).map(str::to_ascii_uppercase);
    let has_signs_of_moves = |byte: u8| byte.is_ascii_alphanumeric() || b":/= ".contains(&byte);
    cell.is_some_and(|cell| cell.parse::<Cell>().is_ok()) && text.len() > 2 && text.bytes().all(has_signs_of_moves)
}
