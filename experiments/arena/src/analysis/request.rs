//! Requests about a position, as JSON objects.

use std::time::Duration;

use chase_engine::{Game, TextError};
use serde::Deserialize;
use serde_json::Value;

use crate::players::{SearchLimits, Unit};

/// One line of a stream of requests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Message {
    /// A position to analyse.
    Analyse(Request),
    /// Stops the request with this id; its answer is the result so far.
    Terminate {
        /// The id.
        id: String,
    },
    /// Stops all requests.
    TerminateAll,
}

/// A request to analyse a position.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Request {
    /// Identifies the answers; unique among the requests in flight.
    pub id: String,
    /// The position in CFEN; by default the initial one.
    pub position: Option<String>,
    /// Actions to play from there, in exact or article form, absorption choices in brackets or separate. They give the
    /// position its history, which counts for repetitions.
    #[serde(default)]
    pub moves: Vec<String>,
    /// Draw and length conventions, in the form of game records; by default the standard ones.
    pub rules: Option<String>,
    /// Most simulations of a search that grows a tree; 0 for the evaluator's own value alone.
    pub simulations: Option<u32>,
    /// Most nodes of an alpha-beta search.
    pub nodes: Option<u64>,
    /// Most milliseconds, from the start of the search.
    pub milliseconds: Option<u64>,
    /// The most actions listed in an answer; by default all.
    pub top: Option<usize>,
    /// True to include the expected line of each listed action.
    #[serde(default)]
    pub lines: bool,
    /// Requests with higher priority begin first, equal ones in order of arrival.
    #[serde(default)]
    pub priority: i32,
    /// Milliseconds between intermediate reports; by default there are none.
    pub report_every: Option<u64>,
}

/// Extent of a report.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReportOptions {
    /// The most actions listed, the best ones; `None` for all.
    pub top: Option<usize>,
    /// True to include the expected line after each action.
    pub lines: bool,
}

/// The fault of a request.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RequestError {
    /// An action of the list cannot be read, or is not legal in its position.
    #[error("moves[{index}], byte {}: {}", error.span.start, error.message)]
    Move {
        /// Index of the action in the list.
        index: usize,
        /// The fault in its text.
        error: TextError,
    },
    /// An action follows the end of the game.
    #[error("moves[{index}]: the game is over before it: {reason}")]
    Ended {
        /// Index of the action in the list.
        index: usize,
        /// The reason for the end of the game.
        reason: String,
    },
    /// Any other fault.
    #[error("{0}")]
    Other(String),
}

impl Message {
    /// Reads a line of JSON. An error comes with the id of the request, if that could be read.
    ///
    /// # Errors
    /// If it is not a request.
    pub fn read(line: &str) -> Result<Self, (Option<String>, RequestError)> {
        let form = |error: serde_json::Error| RequestError::Other(format!("expected a request as JSON: {error}"));
        let mut value: Value = serde_json::from_str(line).map_err(|error| (None, form(error)))?;
        let id = value.get("id").and_then(Value::as_str).map(str::to_owned);
        let fail = |error| (id.clone(), error);
        let action = value.as_object_mut().and_then(|object| object.remove("action"));
        match action.as_ref().map_or(Some("analyse"), Value::as_str) {
            Some("analyse") => {
                let request = serde_json::from_value(value).map_err(|error| fail(form(error)))?;
                Ok(Self::Analyse(request))
            }
            Some("terminate") => {
                #[derive(Deserialize)]
                #[serde(deny_unknown_fields)]
                struct Terminate {
                    id: String,
                }
                let Terminate { id } = serde_json::from_value(value).map_err(|error| fail(form(error)))?;
                Ok(Self::Terminate { id })
            }
            Some("terminate-all") => Ok(Self::TerminateAll),
            _ => Err(fail(RequestError::Other(format!(
                "action: expected \"analyse\", \"terminate\" or \"terminate-all\", found {}",
                action.unwrap_or_default()
            )))),
        }
    }
}

impl Request {
    /// The game that leads to the requested position, of the game that these are the standard rules of. Each text of
    /// `moves` is one action, or what people write as one move.
    ///
    /// # Errors
    /// If a text in the request cannot be parsed, or an action is not legal in its position.
    pub fn game<G: Game>(&self, standard: &G::Rules) -> Result<G, RequestError> {
        let rules = match &self.rules {
            None => standard.clone(),
            Some(text) => {
                G::rules_from_text(text, standard).map_err(|reason| RequestError::Other(format!("rules: {reason}")))?
            }
        };
        let mut game = match &self.position {
            None => G::new(&rules),
            Some(text) => G::from_position_text(text, &rules).map_err(|error| {
                let (at, reason) = (error.span.start, error.message);
                RequestError::Other(format!("position, byte {at}: {reason}"))
            })?,
        };
        for (index, text) in self.moves.iter().enumerate() {
            if let Some((outcome, reason)) = game.end() {
                let reason = format!("{} ({reason})", G::outcome_name(outcome));
                return Err(RequestError::Ended { index, reason });
            }
            let actions = game.parse_people(text);
            let actions = actions.map_err(|error| RequestError::Move { index, error })?;
            actions.into_iter().for_each(|action| game.apply(action));
        }
        Ok(game)
    }

    /// Its limits, for a search that counts in a unit: the `usual` ones if the request sets none.
    ///
    /// # Errors
    /// If it limits what the search does not count, or allows alpha-beta no node.
    pub fn limits(&self, unit: Unit, usual: SearchLimits) -> Result<SearchLimits, RequestError> {
        let (nodes, stranger) = match unit {
            Unit::Simulations => (
                self.simulations.map(u64::from),
                self.nodes.map(|_| "nodes: this search counts simulations"),
            ),
            Unit::Nodes => (
                self.nodes,
                self.simulations.map(|_| "simulations: this search counts nodes"),
            ),
        };
        if let Some(stranger) = stranger {
            return Err(RequestError::Other(stranger.to_owned()));
        }
        if self.nodes == Some(0) {
            return Err(RequestError::Other("nodes: expected at least 1".to_owned()));
        }
        let given = SearchLimits {
            nodes,
            time: self.milliseconds.map(Duration::from_millis),
            depth: None,
        };
        Ok(if given == SearchLimits::default() { usual } else { given })
    }

    /// The extent of its reports.
    pub fn report_options(&self) -> ReportOptions {
        ReportOptions {
            top: self.top,
            lines: self.lines,
        }
    }
}
