//! Analyses of positions, streamed while the search runs. Players are kept with their trees for the next position: a
//! page mostly continues from its last one.

use std::any::Any;
use std::convert::Infallible;
use std::num::NonZeroUsize;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::extract::State;
use axum::response::Sse;
use axum::response::sse::{Event, KeepAlive, KeepAliveStream};
use chase_arena::analysis::{AnalysisReport, ReportOptions};
use chase_arena::{Agent, Decision, Keep, PlayerSpec, SearchLimits, SearchTask, Unit, Usage};
use chase_engine::Playable;
use lru::LruCache;
use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;
use serde::{Deserialize, Serialize};
use serde_json::json;
use tokio::sync::{mpsc, oneshot};
use tokio_stream::wrappers::ReceiverStream;

use super::evaluators::{Evaluators, ServedCheckpoint};
use super::refusal::{Body, Refusal, aside};
use super::replay::{GameRequest, Replay, with_replay};
use super::searches::{Client, SearchPurpose};
use super::{Server, play};

/// Interval between intermediate reports.
const PAUSE: Duration = Duration::from_millis(150);

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AnalyseRequest {
    game: GameRequest,
    /// The evaluator.
    player: String,
    /// Its simulations, if it searches by them.
    simulations: Option<u32>,
    /// Its nodes, if it searches by alpha-beta.
    nodes: Option<u64>,
    /// Most actions in a report.
    top: Option<usize>,
}

type Events = ReceiverStream<Result<Event, Infallible>>;

/// `POST /api/analyse`: a stream of reports, the last one with the reason for the end of the search.
pub async fn analyse(
    State(server): State<Server>,
    client: Client,
    Body(request): Body<AnalyseRequest>,
) -> Result<Sse<KeepAliveStream<Events>>, Refusal> {
    let name = request.game.name()?;
    // What is wrong with the game is said before the search waits for its turn.
    with_replay!(request.game, replay => drop(replay));
    let (opponents, player) = (Arc::clone(&server.opponents), request.player.clone());
    let judge = aside(move || opponents.judge(name, &player)).await?;
    let unit = judge.search.form().unit;
    let (key, count) = match unit {
        Unit::Nodes => ("nodes", request.nodes),
        Unit::Simulations => ("simulations", request.simulations.map(u64::from)),
    };
    let most = server.opponents.most(unit);
    let given = usize::from(request.nodes.is_some()) + usize::from(request.simulations.is_some());
    let Some(count) = count.filter(|count| (1..=most).contains(count) && given == 1) else {
        return Err(Refusal::bad(format!("{key}: expected 1 to {most}")));
    };
    let slot = server.trees.slot(&client);
    let turn = server.searches.begin(client, SearchPurpose::Analysis).await?;
    let time = Duration::from_millis(server.opponents.limits.milliseconds.into());
    let limits = SearchLimits::nodes(count).and(SearchLimits::time(time));
    // A page that reads slowly gets fewer reports, but always the last one.
    let (sender, receiver) = mpsc::channel(4);
    // A page that is gone ends a search that has nothing to report for a while.
    let (running, ended) = oneshot::channel::<()>();
    let (page, stop) = (sender.clone(), turn.cancelled());
    tokio::spawn(async move {
        tokio::select! {
            () = page.closed() => stop.store(true, Ordering::Relaxed),
            _ = ended => {}
        }
    });
    let search = move || {
        let mut watch = |report: &AnalysisReport| {
            // One slot is reserved for the last report, so that a page that does not read blocks nothing.
            if sender.capacity() > 1 {
                let _ = sender.try_send(Ok(event("report", report)));
            }
        };
        let options = ReportOptions {
            top: request.top,
            lines: true,
        };
        let stop = turn.cancelled();
        let mut task = SearchTask {
            keep: Keep::OfGame,
            memory: MEMORY,
            every: Some(PAUSE),
            ..SearchTask::new(limits, options, &stop, &mut watch)
        };
        let (player, evaluators) = (judge.into(), &server.evaluators);
        let mut kept = slot.lock().unwrap_or_else(PoisonError::into_inner);
        let mut last =
            || with_replay!(request.game, replay => search(&replay, &player, evaluators, &mut kept, &mut task));
        let last = match last() {
            Ok(last) => event("report", &last),
            Err(refusal) => event("failure", &json!({ "error": refusal.to_string() })),
        };
        // Fails only if the receiver is gone.
        let _ = sender.try_send(Ok(last));
        drop((running, turn));
    };
    tokio::task::spawn_blocking(search);
    Ok(Sse::new(ReceiverStream::new(receiver)).keep_alive(KeepAlive::default()))
}

/// An event with an object as JSON data.
fn event(name: &str, data: &impl Serialize) -> Event {
    let event = Event::default().event(name);
    event.json_data(data).unwrap_or_default()
}

/// Number of pages whose last tree is kept.
const MOST: NonZeroUsize = NonZeroUsize::new(4).expect("it is not zero");
/// Most bytes of a tree, about 150,000 simulations.
const MEMORY: usize = 128 << 20;

/// The player that searched last for each page, for the pages that analysed most recently.
#[derive(Debug)]
pub struct Trees(Mutex<LruCache<Client, Slot>>);

/// The player of a page. A search holds its lock: a newer search of the page, which ends the older one, waits for the
/// tree.
type Slot = Arc<Mutex<Kept>>;

/// A [`Judge`] of any game.
type Kept = Option<Box<dyn Any + Send>>;

/// A player with the trees that it has grown.
struct Judge<G: Playable> {
    player: PlayerSpec,
    /// Variants of a game may begin alike: their trees differ.
    rules: G::Rules,
    /// What its network was at the time.
    checkpoint: Option<ServedCheckpoint>,
    agent: Box<dyn Agent<G>>,
}

impl Default for Trees {
    fn default() -> Self {
        Self(Mutex::new(LruCache::new(MOST)))
    }
}

impl Trees {
    /// The slot for the tree of a page.
    fn slot(&self, client: &Client) -> Slot {
        let mut slots = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        slots.get_or_insert(client.clone(), Slot::default).clone()
    }
}

/// Searches the position of a game and returns the last report. The tree of `kept` is used if it is of this or an
/// earlier position of the same game, and replaced; after a failure there is none.
fn search<G: Playable>(
    replay: &Replay<G>,
    player: &PlayerSpec,
    evaluators: &Arc<Evaluators>,
    kept: &mut Kept,
    task: &mut SearchTask<'_>,
) -> Result<AnalysisReport, Refusal> {
    let mut judge = Judge::of(kept.take(), replay, player, evaluators)?;
    let actions = replay.played();
    let decision = Decision {
        game: &replay.game,
        start: &replay.start,
        actions: &actions,
        // Nothing is drawn in an analysis but what breaks ties.
        rng: &mut Xoshiro256PlusPlus::seed_from_u64(0),
    };
    let (_, report) = judge.agent.search(decision, task).map_err(Refusal::fault)?;
    *kept = Some(Box::new(judge));
    Ok(report)
}

impl<G: Playable> Judge<G> {
    /// The player that is kept, if it is the one that is asked for, or a new one.
    fn of(kept: Kept, replay: &Replay<G>, player: &PlayerSpec, evaluators: &Arc<Evaluators>) -> Result<Self, Refusal> {
        let checkpoint = play::checkpoint(replay.name, player)?;
        let known = kept.and_then(|kept| kept.downcast::<Self>().ok());
        let asked = (player, &replay.rules, &checkpoint);
        if let Some(known) = known.filter(|known| (&known.player, &known.rules, &known.checkpoint) == asked) {
            return Ok(*known);
        }
        Ok(Self {
            agent: play::agent(replay.name, player, evaluators, Usage::Analysis)?,
            player: player.clone(),
            rules: replay.rules.clone(),
            checkpoint,
        })
    }
}
