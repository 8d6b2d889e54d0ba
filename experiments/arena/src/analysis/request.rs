//! What can be asked about a position, as one JSON object.

use std::time::Duration;

use chase_engine::chase::notation::{ParseError, ParseErrorKind};
use chase_engine::chase::{Position, Rules};
use chase_engine::{Chase, Game, Outcome};
use serde::Deserialize;
use serde_json::Value;

use super::AnalysisLimits;

/// One line of a stream of requests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Message {
    /// A position to analyse.
    Analyse(Request),
    /// Stop the request with this id; what is known by then is its answer.
    Terminate {
        /// The id.
        id: String,
    },
    /// Stop all requests.
    TerminateAll,
}

/// A position to analyse, and how.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Request {
    /// What the answers are marked with; of no other request in flight.
    pub id: String,
    /// The position in CFEN; by default the initial one.
    pub position: Option<String>,
    /// Actions to play from there, in exact or article form, absorption choices in brackets or on their own. They give
    /// the position its history, which counts for repetitions.
    #[serde(default)]
    pub moves: Vec<String>,
    /// Draw and length conventions, as a game record writes them; by default the standard ones.
    pub rules: Option<String>,
    /// Most simulations; 0 for the evaluator's opinion alone.
    pub simulations: Option<u32>,
    /// Most milliseconds, from the moment at which the search begins.
    pub milliseconds: Option<u64>,
    /// The most actions listed in an answer; by default all.
    pub top: Option<usize>,
    /// Whether each action listed has its line.
    #[serde(default)]
    pub lines: bool,
    /// Requests of higher priority begin first, equal ones in their order.
    #[serde(default)]
    pub priority: i32,
    /// Milliseconds between reports on the way; by default there are none.
    pub report_every: Option<u64>,
}

/// How much of an analysis a report holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReportOptions {
    /// The most actions listed, the best ones; `None` for all.
    pub top: Option<usize>,
    /// Whether each action has the line that is expected after it.
    pub lines: bool,
}

/// What is wrong with a request.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RequestError {
    /// It is no JSON, or not of the form of a request.
    #[error("{0}")]
    Form(String),
    /// There is no such action.
    #[error("action: expected \"analyse\", \"terminate\" or \"terminate-all\", found {0}")]
    Action(Value),
    /// A text in it cannot be read.
    #[error("{field}, byte {at}: {kind}")]
    Text {
        /// Where the text stands.
        field: String,
        /// The byte in the text.
        at: usize,
        /// What is wrong with it.
        kind: ParseErrorKind,
    },
    /// An action comes after the end of the game.
    #[error("moves[{index}]: the game is over before it: {reason}")]
    Ended {
        /// Its place in the list, from 0.
        index: usize,
        /// How the game ended.
        reason: String,
    },
    /// The id is that of a request in flight.
    #[error("id: a request `{0}` is in flight already")]
    Taken(String),
}

impl Message {
    /// Reads a line of JSON. With an error comes the id of the request, if there was one to be read.
    ///
    /// # Errors
    /// If it is no request.
    pub fn read(line: &str) -> Result<Self, (Option<String>, RequestError)> {
        let form = |error: serde_json::Error| RequestError::Form(format!("expected a request as JSON: {error}"));
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
            _ => Err(fail(RequestError::Action(action.unwrap_or_default()))),
        }
    }
}

impl Request {
    /// The game that leads to the position asked about.
    ///
    /// # Errors
    /// If a text in the request cannot be read, or an action is not legal where it stands.
    pub fn game(&self) -> Result<Chase, RequestError> {
        fn read<T: std::str::FromStr<Err = ParseError> + Default>(
            field: &str,
            text: Option<&str>,
        ) -> Result<T, RequestError> {
            let read = text.map_or_else(|| Ok(T::default()), str::parse);
            read.map_err(|error| RequestError::text(field, error))
        }
        let position: Position = read("position", self.position.as_deref())?;
        let rules: Rules = read("rules", self.rules.as_deref())?;
        let mut game = Chase::from_position(position, rules);
        for (index, text) in self.moves.iter().enumerate() {
            let field = format!("moves[{index}]");
            if let Some((outcome, reason)) = game.end() {
                let reason = format!("{} ({reason})", Outcome::name(outcome));
                return Err(RequestError::Ended { index, reason });
            }
            let turn = game.position().parse_article(text);
            for action in turn.map_err(|error| RequestError::text(&field, error))? {
                game.apply(action);
            }
        }
        Ok(game)
    }

    /// The same of any game: each text of `moves` is one action.
    ///
    /// # Errors
    /// If a text in the request cannot be read, or an action is not legal where it stands.
    pub fn game_of<G: Game>(&self) -> Result<G, RequestError> {
        let fail = |field: &str, error: String| RequestError::Form(format!("{field}: {error}"));
        let rules = match &self.rules {
            None => G::Rules::default(),
            Some(text) => G::rules_from_text(text).map_err(|error| fail("rules", error))?,
        };
        let mut game = match &self.position {
            None => G::new(&rules),
            Some(text) => G::from_position_text(text, &rules).map_err(|error| fail("position", error.to_string()))?,
        };
        for (index, text) in self.moves.iter().enumerate() {
            if let (Some(outcome), Some(reason)) = (game.outcome(), game.end_reason()) {
                let reason = format!("{} ({reason})", G::outcome_name(outcome));
                return Err(RequestError::Ended { index, reason });
            }
            let action = game.parse_action(text);
            game.apply(action.map_err(|error| fail(&format!("moves[{index}]"), error.to_string()))?);
        }
        Ok(game)
    }

    /// How long to search: `default` simulations if the request does not say.
    pub fn limits(&self, default: u32) -> AnalysisLimits {
        AnalysisLimits {
            simulations: self.simulations.or(match self.milliseconds {
                None => Some(default),
                Some(_) => None,
            }),
            time: self.milliseconds.map(Duration::from_millis),
        }
    }

    /// What to report.
    pub fn report_options(&self) -> ReportOptions {
        ReportOptions {
            top: self.top,
            lines: self.lines,
        }
    }
}

impl RequestError {
    fn text(field: &str, error: ParseError) -> Self {
        Self::Text {
            field: field.to_owned(),
            at: error.span.start,
            kind: error.kind,
        }
    }
}
