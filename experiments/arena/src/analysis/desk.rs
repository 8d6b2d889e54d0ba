//! Streams of requests and of their answers, whatever searches.

use std::collections::{HashSet, VecDeque};

use chase_engine::search::EvaluationError;
use serde::Serialize;

use super::{AnalysisReport, Message, Request, RequestError};

/// One line of a stream of answers.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum Answer {
    /// The result for a position.
    Report {
        /// Id of the request.
        id: String,
        /// True for the last report on the request.
        r#final: bool,
        /// The report.
        #[serde(flatten)]
        report: Box<AnalysisReport>,
    },
    /// Reply to a request to terminate others. The stopped requests are answered by their reports.
    Terminate {
        /// Id of the request to stop; `None` for all.
        id: Option<String>,
        /// `terminate` or `terminate-all`.
        action: &'static str,
        /// Number of requests stopped; 0 if the id is unknown, perhaps because that request has ended.
        stopped: usize,
    },
    /// Reply to a line that is not a request.
    Error {
        /// Id of the request, if it could be read.
        id: Option<String>,
        /// The fault, its place, and what was expected.
        error: String,
    },
}

/// Queues requests, searches some of them at the same time, and answers each when it is finished.
///
/// [`Desk::take`] and [`Desk::step`] return the answers that are due.
pub trait Desk {
    /// Number of requests without their last answer.
    fn in_flight(&self) -> usize;

    /// Takes a request.
    ///
    /// # Errors
    /// If its position cannot be read, its id is in use, or its limit is not one of this kind of search.
    fn submit(&mut self, request: Request) -> Result<(), RequestError>;

    /// Stops the request with an id, or all of them.
    fn terminate(&mut self, id: Option<String>) -> Vec<Answer>;

    /// Goes on with the searches, for some milliseconds at most.
    ///
    /// # Errors
    /// If the evaluator fails.
    fn step(&mut self) -> Result<Vec<Answer>, EvaluationError>;

    /// True if every request has been answered.
    fn is_idle(&self) -> bool {
        self.in_flight() == 0
    }

    /// Takes one line of the stream: a request in JSON.
    fn take(&mut self, line: &str) -> Vec<Answer> {
        let refuse = |id, error: RequestError| {
            let error = error.to_string();
            vec![Answer::Error { id, error }]
        };
        match Message::read(line) {
            Ok(Message::Analyse(request)) => {
                let id = request.id.clone();
                match self.submit(request) {
                    Ok(()) => Vec::new(),
                    Err(error) => refuse(Some(id), error),
                }
            }
            Ok(Message::Terminate { id }) => self.terminate(Some(id)),
            Ok(Message::TerminateAll) => self.terminate(None),
            Err((id, error)) => refuse(id, error),
        }
    }
}

/// The unanswered requests, and those of them that wait, each with its work: highest priority first, then by arrival.
#[derive(Debug)]
pub(super) struct Queue<W> {
    waiting: VecDeque<(Request, W)>,
    /// The ids of all unanswered requests.
    ids: HashSet<String>,
}

impl<W> Queue<W> {
    pub fn new() -> Self {
        Self {
            waiting: VecDeque::new(),
            ids: HashSet::new(),
        }
    }

    /// Number of requests that wait or are searched.
    pub fn unanswered(&self) -> usize {
        self.ids.len()
    }

    /// Adds a request whose work `open` finds.
    pub fn add(
        &mut self,
        request: Request,
        open: impl FnOnce(&Request) -> Result<W, RequestError>,
    ) -> Result<(), RequestError> {
        if self.ids.contains(&request.id) {
            return Err(RequestError::Taken(request.id));
        }
        let work = open(&request)?;
        let behind = |other: &(Request, W)| other.0.priority >= request.priority;
        let place = self.waiting.partition_point(behind);
        self.ids.insert(request.id.clone());
        self.waiting.insert(place, (request, work));
        Ok(())
    }

    /// The request that begins next. It stays unanswered.
    pub fn next(&mut self) -> Option<(Request, W)> {
        self.waiting.pop_front()
    }

    /// Takes out the request with an id, or all, if they wait. They stay unanswered.
    pub fn withdraw(&mut self, id: Option<&str>) -> Vec<(Request, W)> {
        let mut waiting = Vec::from(std::mem::take(&mut self.waiting));
        let stops = |(request, _): &mut (Request, W)| id.is_none_or(|id| id == request.id);
        let withdrawn = waiting.extract_if(.., stops).collect();
        self.waiting = waiting.into();
        withdrawn
    }

    /// The request with this id has its last answer.
    pub fn answered(&mut self, id: &str) {
        self.ids.remove(id);
    }
}

/// The answers to a request to terminate: how many it stopped, then their `reports`.
pub(super) fn terminated(id: Option<String>, stopped: usize, reports: Vec<Answer>) -> Vec<Answer> {
    let action = if id.is_some() { "terminate" } else { "terminate-all" };
    let mut answers = vec![Answer::Terminate { id, action, stopped }];
    answers.extend(reports);
    answers
}
