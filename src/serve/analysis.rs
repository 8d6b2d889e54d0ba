//! Analyses of positions, streamed while the search runs.

use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use axum::Json;
use axum::extract::State;
use axum::extract::rejection::JsonRejection;
use axum::response::Sse;
use axum::response::sse::{Event, KeepAlive, KeepAliveStream};
use chase_arena::analysis::{AnalysisReport, ReportOptions};
use chase_arena::{SearchLimits, Unit};
use serde::{Deserialize, Serialize};
use tokio::sync::{mpsc, oneshot};
use tokio_stream::wrappers::ReceiverStream;

use super::Server;
use super::client::Client;
use super::opponent::AnalysisUnit;
use super::refusal::{Refusal, aside};
use super::replay::GameRequest;
use super::searches::SearchPurpose;
use super::table;
use super::trees::PageSearch;

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

#[derive(Serialize)]
struct Failure {
    error: String,
}

type Events = ReceiverStream<Result<Event, Infallible>>;

/// `POST /api/analyse`: a stream of reports, the last one with the reason for the end of the search.
pub async fn analyse(
    State(server): State<Server>,
    client: Client,
    request: Result<Json<AnalyseRequest>, JsonRejection>,
) -> Result<Sse<KeepAliveStream<Events>>, Refusal> {
    let Json(request) = request?;
    let table = table::open(&request.game)?;
    let (opponents, name) = (Arc::clone(&server.opponents), table.name());
    let judge = aside(move || opponents.judge(name, &request.player)).await?;
    let (unit, key, count) = match judge.search.form().unit {
        Unit::Nodes => (AnalysisUnit::Nodes, "nodes", request.nodes),
        Unit::Simulations => (
            AnalysisUnit::Simulations,
            "simulations",
            request.simulations.map(u64::from),
        ),
    };
    let most = server.opponents.most(unit);
    let given = usize::from(request.nodes.is_some()) + usize::from(request.simulations.is_some());
    let Some(count) = count.filter(|count| (1..=most).contains(count) && given == 1) else {
        return Err(Refusal::bad(format!("{key}: expected 1 to {most}")));
    };
    let slot = server.trees.slot(&client);
    let turn = server.searches.begin(client, SearchPurpose::Analysis).await?;
    let time = Duration::from_millis(server.opponents.limits().milliseconds.into());
    let task = PageSearch {
        player: judge.into(),
        limits: SearchLimits::nodes(count).and(SearchLimits::time(time)),
        every: PAUSE,
        options: ReportOptions {
            top: request.top,
            lines: true,
        },
        evaluators: Arc::clone(&server.evaluators),
        stop: turn.cancelled(),
    };
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
        let last = match table.search(&task, &mut slot.hold(), &mut watch) {
            Ok(last) => event("report", &last),
            Err(error) => event("failure", &Failure { error }),
        };
        // Fails only if the receiver is gone.
        let _ = sender.try_send(Ok(last));
        drop((running, turn));
    };
    tokio::task::spawn_blocking(search);
    Ok(Sse::new(ReceiverStream::new(receiver)).keep_alive(KeepAlive::default()))
}

/// An event with an object as JSON data.
pub fn event(name: &str, data: &impl Serialize) -> Event {
    let event = Event::default().event(name);
    event.json_data(data).unwrap_or_default()
}
