//! Streams of requests and of their answers: each request is searched on a thread of its own.

use std::collections::{HashSet, VecDeque};
use std::fmt;
use std::panic;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use chase_engine::{Chase, Game, Playable};
use chase_statistics::generator;
use serde::Serialize;

use super::{AnalysisEnd, AnalysisReport, Message, Request, RequestError};
use crate::players::{Agent, AgentFailure, Contestant, Decision, SearchLimits, SearchTask, Unit};

/// How long a step waits for an answer.
const PATIENCE: Duration = Duration::from_millis(10);

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

/// How requests are searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DeskSettings {
    /// What the search counts.
    pub unit: Unit,
    /// The limits of a request that sets none.
    pub usual: SearchLimits,
    /// Number of requests searched at the same time, at least 1.
    pub at_once: usize,
    /// Most bytes of the trees of all requests together.
    pub memory: usize,
}

/// Queues requests, searches some of them at the same time with agents of one player, and answers each when it is finished.
///
/// [`Desk::take`] and [`Desk::step`] return the answers that are due.
pub struct Desk<G: Playable = Chase> {
    player: Contestant<G>,
    /// The rules where a request states none.
    standard: G::Rules,
    settings: DeskSettings,
    waiting: VecDeque<Waiting<G>>,
    /// The ids of all unanswered requests.
    ids: HashSet<String>,
    idle: Vec<Box<dyn Agent<G>>>,
    active: Vec<Active<G>>,
    sender: Sender<Sent>,
    answers: Receiver<Sent>,
}

type Sent = (String, Result<(AnalysisReport, bool), AgentFailure>);

struct Waiting<G: Game> {
    request: Request,
    game: G,
    limits: SearchLimits,
}

struct Active<G: Game> {
    id: String,
    stop: Arc<AtomicBool>,
    /// Gives the agent back.
    thread: JoinHandle<Box<dyn Agent<G>>>,
}

impl<G: Playable> fmt::Debug for Desk<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Desk")
            .field("player", &self.player)
            .field("settings", &self.settings)
            .finish_non_exhaustive()
    }
}

impl<G: Playable> Desk<G> {
    /// Creates a desk without requests, for the game with these standard rules.
    pub fn new(player: Contestant<G>, standard: G::Rules, settings: DeskSettings) -> Self {
        let (sender, answers) = mpsc::channel();
        Self {
            player,
            standard,
            settings: DeskSettings {
                at_once: settings.at_once.max(1),
                ..settings
            },
            waiting: VecDeque::new(),
            ids: HashSet::new(),
            idle: Vec::new(),
            active: Vec::new(),
            sender,
            answers,
        }
    }

    /// Number of requests without their last answer.
    pub fn in_flight(&self) -> usize {
        self.ids.len()
    }

    /// True if every request has been answered.
    pub fn is_idle(&self) -> bool {
        self.ids.is_empty()
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

    /// Takes a request, behind those with its priority or a higher one.
    ///
    /// # Errors
    /// If its position cannot be read, its id is in use, or its limit is not one of this kind of search.
    pub fn submit(&mut self, request: Request) -> Result<(), RequestError> {
        if self.ids.contains(&request.id) {
            let id = request.id;
            return Err(RequestError::Other(format!(
                "id: a request `{id}` is in flight already"
            )));
        }
        let limits = request.limits(self.settings.unit, self.settings.usual)?;
        let game = request.game::<G>(&self.standard)?;
        let behind = |other: &Waiting<G>| other.request.priority >= request.priority;
        let place = self.waiting.partition_point(behind);
        self.ids.insert(request.id.clone());
        self.waiting.insert(place, Waiting { request, game, limits });
        Ok(())
    }

    /// Stops the request with an id, or all of them. Those that have begun get their last answers by the next steps, as soon
    /// as their threads see it.
    pub fn terminate(&mut self, id: Option<String>) -> Vec<Answer> {
        let stops = |other: &str| id.as_ref().is_none_or(|id| id == other);
        let mut waiting = Vec::from(std::mem::take(&mut self.waiting));
        let withdrawn: Vec<_> = waiting.extract_if(.., |waiting| stops(&waiting.request.id)).collect();
        self.waiting = waiting.into();
        let active = self.active.iter().filter(|active| stops(&active.id));
        let active = active.map(|active| active.stop.store(true, Ordering::Relaxed)).count();
        let stopped = active + withdrawn.len();
        let action = if id.is_some() { "terminate" } else { "terminate-all" };
        let mut answers = vec![Answer::Terminate { id, action, stopped }];
        for Waiting { request, game, .. } in withdrawn {
            self.ids.remove(&request.id);
            let report = AnalysisReport::without_search(&game);
            let stop = report.stop.or(Some(AnalysisEnd::Stopped));
            answers.push(Answer::Report {
                id: request.id,
                r#final: true,
                report: Box::new(AnalysisReport { stop, ..report }),
            });
        }
        answers
    }

    /// Begins the requests whose turn it is, and waits a moment for answers.
    ///
    /// # Errors
    /// If an agent fails, or no thread can be started for one.
    pub fn step(&mut self) -> Result<Vec<Answer>, AgentFailure> {
        while self.active.len() < self.settings.at_once {
            let Some(next) = self.waiting.pop_front() else {
                break;
            };
            self.begin(next)?;
        }
        // Looked at first: what has ended by now has sent its answers.
        let ended: Vec<String> = self
            .active
            .iter()
            .filter(|active| active.thread.is_finished())
            .map(|active| active.id.clone())
            .collect();
        let first = self.answers.recv_timeout(PATIENCE).ok();
        let sent: Vec<Sent> = first.into_iter().chain(self.answers.try_iter()).collect();
        let mut answers = Vec::with_capacity(sent.len());
        for (id, result) in sent {
            let (report, last) = result?;
            if last {
                self.ids.remove(&id);
                self.end(&id);
            }
            let (r#final, report) = (last, Box::new(report));
            answers.push(Answer::Report { id, r#final, report });
        }
        // A thread that ended without its last answer has panicked.
        ended.iter().for_each(|id| self.end(id));
        Ok(answers)
    }

    fn begin(&mut self, Waiting { request, game, limits }: Waiting<G>) -> Result<(), AgentFailure> {
        let mut agent = self.idle.pop().unwrap_or_else(|| self.player.agent());
        let stop = Arc::new(AtomicBool::new(false));
        let (id, stopped, sender) = (request.id.clone(), Arc::clone(&stop), self.sender.clone());
        let memory = self.settings.memory / self.settings.at_once;
        let search = move || {
            let id = request.id.as_str();
            // The desk may be gone.
            let send = |result| drop(sender.send((id.to_owned(), result)));
            let mut watch = |report: &AnalysisReport| {
                if request.report_every.is_some() {
                    send(Ok((report.clone(), false)));
                }
            };
            let mut task = SearchTask {
                memory,
                every: request.report_every.map(Duration::from_millis),
                ..SearchTask::new(limits, request.report_options(), &stopped, &mut watch)
            };
            // Nothing is drawn in an analysis but what breaks ties.
            let mut rng = generator(0, &[]);
            let found = agent.search(Decision::without_past(&game, &mut rng), &mut task);
            send(found.map(|(_, report)| (report, true)));
            agent
        };
        let thread = thread::Builder::new().spawn(search);
        let thread = thread.map_err(|error| AgentFailure(format!("cannot start a thread: {error}")))?;
        self.active.push(Active { id, stop, thread });
        Ok(())
    }

    /// Waits for the end of the thread of a request, which is near. If it panicked, so does this one: its request has no
    /// answer.
    fn end(&mut self, id: &str) {
        let Some(place) = self.active.iter().position(|active| active.id == id) else {
            return;
        };
        match self.active.swap_remove(place).thread.join() {
            Ok(agent) => self.idle.push(agent),
            Err(fault) => panic::resume_unwind(fault),
        }
    }
}

impl<G: Playable> Drop for Desk<G> {
    fn drop(&mut self) {
        for active in &self.active {
            active.stop.store(true, Ordering::Relaxed);
        }
    }
}
