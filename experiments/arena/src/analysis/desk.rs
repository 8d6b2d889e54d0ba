//! A queue of requests: schedules the searches, and returns the answers that are due.

use std::collections::{HashSet, VecDeque};
use std::time::{Duration, Instant};

use chase_engine::search::EvaluationError;
use chase_engine::{Chase, Game};
use serde::Serialize;

use crate::playable::Playable;

use super::{Analysis, AnalysisReport, Analyst, Message, Request, RequestError};

/// Batch size and limits of the requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DeskSettings {
    /// Number of requests searched together, at least 1: the size of the evaluator's batch.
    pub at_once: usize,
    /// Simulations of a request that sets no limit.
    pub simulations: u32,
    /// Most bytes of the trees of all requests together.
    pub memory: usize,
}

impl Default for DeskSettings {
    fn default() -> Self {
        Self {
            at_once: 16,
            simulations: 800,
            memory: 1 << 30,
        }
    }
}

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

/// Queues requests, searches some of them together, and answers each when it is finished.
///
/// Work is done only in [`Desk::take`] and [`Desk::step`]; both return the answers that are due.
#[derive(Debug)]
pub struct Desk<G: Game = Chase> {
    analyst: Analyst<G>,
    /// The rules where a request states none.
    standard: G::Rules,
    settings: DeskSettings,
    /// Sorted by priority, highest first, then by arrival.
    waiting: VecDeque<(Request, Analysis<G>)>,
    active: Vec<Job<G>>,
    /// The ids of all unanswered requests.
    ids: HashSet<String>,
}

#[derive(Debug)]
struct Job<G: Game> {
    request: Request,
    analysis: Analysis<G>,
    reported: Instant,
}

impl<G: Playable> Desk<G> {
    /// Creates a desk without requests, for the game with these standard rules.
    pub fn new(analyst: Analyst<G>, standard: G::Rules, settings: DeskSettings) -> Self {
        Self {
            analyst,
            standard,
            settings: DeskSettings {
                at_once: settings.at_once.max(1),
                ..settings
            },
            waiting: VecDeque::new(),
            active: Vec::new(),
            ids: HashSet::new(),
        }
    }

    /// True if every request has been answered.
    pub fn is_idle(&self) -> bool {
        self.waiting.is_empty() && self.active.is_empty()
    }

    /// Number of requests without their last answer.
    pub fn in_flight(&self) -> usize {
        self.waiting.len() + self.active.len()
    }

    /// Takes one line of the stream: a request in JSON.
    pub fn take(&mut self, line: &str) -> Vec<Answer> {
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

    /// Takes a request.
    ///
    /// # Errors
    /// If its position cannot be read, or its id is in use.
    pub fn submit(&mut self, request: Request) -> Result<(), RequestError> {
        if self.ids.contains(&request.id) {
            return Err(RequestError::Taken(request.id));
        }
        let limits = request.limits(self.settings.simulations);
        let memory = self.settings.memory / self.settings.at_once;
        let analysis = Analysis::with_memory_limit(G::requested(&request, &self.standard)?, limits, memory);
        let behind = |other: &(Request, Analysis<G>)| other.0.priority >= request.priority;
        let place = self.waiting.partition_point(behind);
        self.ids.insert(request.id.clone());
        self.waiting.insert(place, (request, analysis));
        Ok(())
    }

    /// Stops the request with an id, or all of them.
    pub fn terminate(&mut self, id: Option<String>) -> Vec<Answer> {
        let mut ended = Vec::new();
        let ids = &mut self.ids;
        let mut stays = |request: &Request, analysis: &mut Analysis<G>| {
            let stops = id.as_ref().is_none_or(|id| *id == request.id);
            if stops {
                analysis.stop();
                ids.remove(&request.id);
                ended.push(report(request, analysis, true));
            }
            !stops
        };
        self.waiting.retain_mut(|(request, analysis)| stays(request, analysis));
        self.active.retain_mut(|job| stays(&job.request, &mut job.analysis));
        let action = if id.is_some() { "terminate" } else { "terminate-all" };
        let stopped = ended.len();
        ended.insert(0, Answer::Terminate { id, action, stopped });
        ended
    }

    /// Advances all active requests by one simulation.
    ///
    /// # Errors
    /// If the evaluator fails.
    pub fn step(&mut self) -> Result<Vec<Answer>, EvaluationError> {
        while self.active.len() < self.settings.at_once {
            let Some((request, analysis)) = self.waiting.pop_front() else {
                break;
            };
            let reported = Instant::now();
            self.active.push(Job {
                request,
                analysis,
                reported,
            });
        }
        let mut analyses: Vec<&mut Analysis<G>> = self.active.iter_mut().map(|job| &mut job.analysis).collect();
        self.analyst.step(&mut analyses)?;
        let mut answers = Vec::new();
        let ids = &mut self.ids;
        self.active.retain_mut(|job| {
            let over = job.analysis.end().is_some();
            let due = |every: u64| job.reported.elapsed() >= Duration::from_millis(every);
            if over || job.request.report_every.is_some_and(due) {
                answers.push(report(&job.request, &job.analysis, over));
                job.reported = Instant::now();
            }
            if over {
                ids.remove(&job.request.id);
            }
            !over
        });
        Ok(answers)
    }
}

fn report<G: Playable>(request: &Request, analysis: &Analysis<G>, last: bool) -> Answer {
    Answer::Report {
        id: request.id.clone(),
        r#final: last,
        report: Box::new(analysis.report(&request.report_options())),
    }
}
