//! Requests that are searched as trees, with one evaluation of all their leaves at a time.

use std::time::{Duration, Instant};

use chase_engine::search::EvaluationError;
use chase_engine::{Chase, Game};

use crate::playable::Playable;

use super::desk::{Queue, terminated};
use super::{Analysis, Analyst, Answer, Desk, Request, RequestError};

/// Batch size and limits of the requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TreeDeskSettings {
    /// Number of requests searched together, at least 1: the size of the evaluator's batch.
    pub at_once: usize,
    /// Simulations of a request that sets no limit.
    pub simulations: u32,
    /// Most bytes of the trees of all requests together.
    pub memory: usize,
}

impl Default for TreeDeskSettings {
    fn default() -> Self {
        Self {
            at_once: 16,
            simulations: 800,
            memory: 1 << 30,
        }
    }
}

/// A [`Desk`] whose searches advance together, simulation by simulation.
#[derive(Debug)]
pub struct TreeDesk<G: Game = Chase> {
    analyst: Analyst<G>,
    /// The rules where a request states none.
    standard: G::Rules,
    settings: TreeDeskSettings,
    queue: Queue<Analysis<G>>,
    active: Vec<Job<G>>,
}

#[derive(Debug)]
struct Job<G: Game> {
    request: Request,
    analysis: Analysis<G>,
    reported: Instant,
}

impl<G: Playable> TreeDesk<G> {
    /// Creates a desk without requests, for the game with these standard rules.
    pub fn new(analyst: Analyst<G>, standard: G::Rules, settings: TreeDeskSettings) -> Self {
        Self {
            analyst,
            standard,
            settings: TreeDeskSettings {
                at_once: settings.at_once.max(1),
                ..settings
            },
            queue: Queue::new(),
            active: Vec::new(),
        }
    }
}

impl<G: Playable> Desk for TreeDesk<G> {
    fn in_flight(&self) -> usize {
        self.queue.unanswered()
    }

    fn submit(&mut self, request: Request) -> Result<(), RequestError> {
        let memory = self.settings.memory / self.settings.at_once;
        self.queue.add(request, |request| {
            let limits = request.limits(self.settings.simulations)?;
            let game = G::requested(request, &self.standard)?;
            Ok(Analysis::with_memory_limit(game, limits, memory))
        })
    }

    fn terminate(&mut self, id: Option<String>) -> Vec<Answer> {
        let mut ended = self.queue.withdraw(id.as_deref());
        let stops = |job: &mut Job<G>| id.as_ref().is_none_or(|id| *id == job.request.id);
        let stopped = self.active.extract_if(.., stops);
        ended.extend(stopped.map(|job| (job.request, job.analysis)));
        let reports = ended.into_iter().map(|(request, mut analysis)| {
            analysis.stop();
            self.queue.answered(&request.id);
            report(&request, &analysis, true)
        });
        let reports: Vec<_> = reports.collect();
        terminated(id, reports.len(), reports)
    }

    /// Advances all active requests by one simulation.
    fn step(&mut self) -> Result<Vec<Answer>, EvaluationError> {
        while self.active.len() < self.settings.at_once {
            let Some((request, analysis)) = self.queue.next() else {
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
        let queue = &mut self.queue;
        self.active.retain_mut(|job| {
            let over = job.analysis.end().is_some();
            let due = |every: u64| job.reported.elapsed() >= Duration::from_millis(every);
            if over || job.request.report_every.is_some_and(due) {
                answers.push(report(&job.request, &job.analysis, over));
                job.reported = Instant::now();
            }
            if over {
                queue.answered(&job.request.id);
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
