//! Analyses of positions, streamed while the search runs.

use std::convert::Infallible;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::Json;
use axum::extract::State;
use axum::extract::rejection::JsonRejection;
use axum::response::Sse;
use axum::response::sse::{Event, KeepAlive, KeepAliveStream};
use chase_arena::analysis::{Analysis, AnalysisLimits, Analyst, ReportOptions};
use serde::{Deserialize, Serialize};
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;

use super::Server;
use super::client::Client;
use super::evaluators::Evaluators;
use super::game::GameRequest;
use super::refusal::{Refusal, aside};
use super::searches::Purpose;
use super::trees::{Judge, Tree};

/// Interval between intermediate reports.
const PAUSE: Duration = Duration::from_millis(150);

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AnalyseRequest {
    game: GameRequest,
    /// The evaluator.
    player: String,
    simulations: u32,
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
    let replay = request.game.replay()?;
    let most = server.opponents.limits();
    if !(1..=most.simulations).contains(&request.simulations) {
        let most = most.simulations;
        return Err(Refusal::bad(format!("simulations: expected 1 to {most}")));
    }
    let opponents = Arc::clone(&server.opponents);
    let judge = aside(move || opponents.judge(&request.player)).await?;
    let limits = AnalysisLimits {
        simulations: Some(request.simulations),
        time: Some(Duration::from_millis(most.milliseconds.into())),
    };
    let options = ReportOptions {
        top: request.top,
        lines: true,
    };
    let slot = server.trees.slot(&client);
    let turn = server.searches.begin(client, Purpose::Analysis).await?;
    // A page that reads slowly gets fewer reports, but always the last one.
    let (sender, receiver) = mpsc::channel(4);
    let search = move || {
        let report = |analysis: &Analysis| Ok(event("report", &analysis.report(&options)));
        let mut told = Instant::now();
        let watch = |analysis: &Analysis| {
            if turn.is_cancelled() || sender.is_closed() {
                return ControlFlow::Break(());
            }
            // One slot is reserved for the last report, so that a page that does not read blocks nothing.
            if told.elapsed() >= PAUSE && sender.capacity() > 1 {
                told = Instant::now();
                let _ = sender.try_send(report(analysis));
            }
            ControlFlow::Continue(())
        };
        let mut kept = slot.hold();
        let mut tree = Tree::of(kept.take(), judge.clone(), &replay, limits);
        let last = match run(judge, &server.evaluators, &mut tree.analysis, watch) {
            Ok(()) => {
                let last = report(&tree.analysis);
                *kept = Some(tree);
                last
            }
            Err(error) => Ok(event("failure", &Failure { error })),
        };
        // Fails only if the receiver is gone.
        let _ = sender.try_send(last);
    };
    tokio::task::spawn_blocking(search);
    Ok(Sse::new(ReceiverStream::new(receiver)).keep_alive(KeepAlive::default()))
}

fn run(
    judge: Judge,
    evaluators: &Arc<Evaluators>,
    analysis: &mut Analysis,
    watch: impl FnMut(&Analysis) -> ControlFlow<()>,
) -> Result<(), String> {
    let mut analyst = match judge {
        Judge::Network(checkpoint) => {
            let lent = evaluators.lend(checkpoint).map_err(|refusal| refusal.to_string())?;
            Analyst::with_evaluator("network", Box::new(lent))
        }
        Judge::Rollouts => Analyst::with_rollouts(1),
    };
    analyst.run(analysis, watch).map_err(|error| error.to_string())
}

/// An event with an object as JSON data.
pub fn event(name: &str, data: &impl Serialize) -> Event {
    let event = Event::default().event(name);
    event.json_data(data).unwrap_or_default()
}
