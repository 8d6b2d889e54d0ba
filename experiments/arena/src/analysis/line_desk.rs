//! Requests that are searched by alpha-beta, each on a thread of its own.

use std::fmt;
use std::panic;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use chase_engine::alpha_beta::Limits;
use chase_engine::search::EvaluationError;
use chase_engine::{Chase, Game};

use crate::playable::Playable;
use crate::players::NnueSpec;
use crate::players::nnue::NnueError;

use super::desk::{Queue, terminated};
use super::lines::not_begun;
use super::{AnalysisReport, Answer, Desk, LineAnalyst, Request, RequestError};

/// How long a step waits for an answer.
const PATIENCE: Duration = Duration::from_millis(10);

/// A [`Desk`] whose searches use a network of the second family, as many at the same time as there are to be threads.
pub struct LineDesk<G: Game = Chase> {
    make: Box<dyn Fn() -> LineAnalyst<G> + Send>,
    /// The rules where a request states none.
    standard: G::Rules,
    at_once: usize,
    /// Nodes of a request that sets no limit.
    nodes: u64,
    queue: Queue<(G, Limits)>,
    idle: Vec<LineAnalyst<G>>,
    active: Vec<Job<G>>,
    sender: Sender<Answer>,
    answers: Receiver<Answer>,
}

struct Job<G: Game> {
    id: String,
    stop: Arc<AtomicBool>,
    /// Gives the analyst back.
    thread: JoinHandle<LineAnalyst<G>>,
}

impl<G: Game> fmt::Debug for LineDesk<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LineDesk")
            .field("at_once", &self.at_once)
            .field("nodes", &self.nodes)
            .finish_non_exhaustive()
    }
}

impl<G: Playable> LineDesk<G> {
    /// Creates a desk without requests, with a player's network and search, for the game of type `G` with this
    /// [name](Game::name) and these standard rules. It searches `at_once` requests at the same time, at least 1, each
    /// for so many `nodes` if it sets no limit.
    ///
    /// # Errors
    /// As [`LineAnalyst::new`].
    pub fn new(spec: &NnueSpec, game: &str, standard: G::Rules, at_once: usize, nodes: u64) -> Result<Self, NnueError> {
        let (sender, answers) = mpsc::channel();
        Ok(Self {
            make: Box::new(LineAnalyst::makes(spec, game)?),
            standard,
            at_once: at_once.max(1),
            nodes,
            queue: Queue::new(),
            idle: Vec::new(),
            active: Vec::new(),
            sender,
            answers,
        })
    }

    fn begin(&mut self, request: Request, game: G, limits: Limits) {
        let mut analyst = self.idle.pop().unwrap_or_else(&self.make);
        let stop = Arc::new(AtomicBool::new(false));
        let (id, stopped, sender) = (request.id.clone(), Arc::clone(&stop), self.sender.clone());
        let thread = thread::spawn(move || {
            // The desk may be gone.
            let tell = |report, last| drop(sender.send(answer(&request.id, report, last)));
            let mut told = Instant::now();
            let mut watch = |report| {
                let due = |every| told.elapsed() >= Duration::from_millis(every);
                if request.report_every.is_some_and(due) {
                    tell(report, false);
                    told = Instant::now();
                }
            };
            let last = analyst.analyse(&game, &limits, &request.report_options(), &stopped, &mut watch);
            tell(last, true);
            analyst
        });
        self.active.push(Job { id, stop, thread });
    }

    /// Takes an answer that a thread has sent. With the last one of a request its search is over.
    fn receive(&mut self, answer: &Answer) {
        let Answer::Report { id, r#final: true, .. } = answer else {
            return;
        };
        self.queue.answered(id);
        if let Some(place) = self.active.iter().position(|job| job.id == *id) {
            self.end(place);
        }
    }

    /// Waits for the end of a thread, which is near. If it panicked, so does this one: its request has no answer.
    fn end(&mut self, place: usize) {
        match self.active.swap_remove(place).thread.join() {
            Ok(analyst) => self.idle.push(analyst),
            Err(fault) => panic::resume_unwind(fault),
        }
    }
}

impl<G: Playable> Desk for LineDesk<G> {
    fn in_flight(&self) -> usize {
        self.queue.unanswered()
    }

    fn submit(&mut self, request: Request) -> Result<(), RequestError> {
        self.queue.add(request, |request| {
            let limits = request.line_limits(self.nodes)?;
            Ok((G::requested(request, &self.standard)?, limits))
        })
    }

    /// Stops requests. Those that have begun get their last answers by the next steps, as soon as their threads see it.
    fn terminate(&mut self, id: Option<String>) -> Vec<Answer> {
        let waiting = self.queue.withdraw(id.as_deref());
        let stops = |job: &&Job<G>| id.as_ref().is_none_or(|id| *id == job.id);
        let active = self
            .active
            .iter()
            .filter(stops)
            .map(|job| job.stop.store(true, Ordering::Relaxed))
            .count();
        let reports = waiting.into_iter().map(|(request, (game, _))| {
            self.queue.answered(&request.id);
            answer(&request.id, not_begun(&game), true)
        });
        let reports: Vec<_> = reports.collect();
        terminated(id, active + reports.len(), reports)
    }

    /// Begins the requests whose turn it is, and waits a moment for answers.
    fn step(&mut self) -> Result<Vec<Answer>, EvaluationError> {
        while self.active.len() < self.at_once {
            let Some((request, (game, limits))) = self.queue.next() else {
                break;
            };
            self.begin(request, game, limits);
        }
        // Looked at first: what has ended by now has sent its answers.
        let ended: Vec<String> = self
            .active
            .iter()
            .filter(|job| job.thread.is_finished())
            .map(|job| job.id.clone())
            .collect();
        let first = self.answers.recv_timeout(PATIENCE).ok();
        let answers: Vec<Answer> = first.into_iter().chain(self.answers.try_iter()).collect();
        for answer in &answers {
            self.receive(answer);
        }
        // A thread that ended without its last answer has panicked.
        while let Some(place) = self.active.iter().position(|job| ended.contains(&job.id)) {
            self.end(place);
        }
        Ok(answers)
    }
}

impl<G: Game> Drop for LineDesk<G> {
    fn drop(&mut self) {
        for job in &self.active {
            job.stop.store(true, Ordering::Relaxed);
        }
    }
}

fn answer(id: &str, report: AnalysisReport, last: bool) -> Answer {
    Answer::Report {
        id: id.to_owned(),
        r#final: last,
        report: Box::new(report),
    }
}
