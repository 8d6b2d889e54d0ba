//! `chase serve`: a page and its requests. The page knows no rules; the server sends legal actions and their results.
//!
//! | request | answer |
//! |---|---|
//! | `GET /`, `/assets/…` | the page, whose files are part of the program |
//! | `GET /api/status`, `/api/status/{game}` | the games; players, lessons and puzzles of one: all that a page begins with |
//! | `GET /api/games/{game}/rules` | what people are told of a game: its name, its rules, how to enter a move |
//! | `POST /api/game` | a replayed game: position, legal actions, end; in Chase also all that each action does |
//! | `POST /api/line` | the actions of a line of play |
//! | `POST /api/record/{read,write}` | game records |
//! | `POST /api/play` | a player's choice |
//! | `POST /api/analyse` | server-sent events `report` as [`chase_arena::analysis::Report`], or `failure` |
//! | `POST /api/occupancy` | where a network expects dice at the end of a game of Chase |
//! | `POST /api/puzzle` | what the moves played in a puzzle have come to |
//! | `POST /api/explorer` | figures for a position from games, and verdicts of studies on its moves |
//! | `POST /api/book` | what opening books say of the moves of a position |
//! | `GET /api/runs`, `/api/runs/{name}` | runs and their curves |
//! | `GET /api/runs/{name}/games` | some of its latest games |
//! | `GET /api/cluster` | runs and workers of a cluster |
//! | `GET /metrics` | the same for Prometheus |
//! | `GET /runs/{name}/report.html` | the report of a run |
//!
//! The games of requests are any that are registered; `with_replay` makes a type of their names.
//!
//! A request that cannot be answered gets `{"error": …}`. Answers depend on no state kept between requests: the page
//! sends its whole game each time. Caches of bounded size only avoid repeated work: networks, games, reports of
//! studies, books, and the last tree of a page.

mod analysis;
mod assets;
mod book;
mod cached;
mod cluster;
mod evaluators;
mod explorer;
mod guard;
mod lessons;
mod library;
mod opponents;
mod play;
mod puzzles;
mod record;
mod refusal;
mod replay;
mod rules;
mod runs;
mod searches;
mod studies;
mod view;

use std::net::{IpAddr, SocketAddr};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::Context;
use axum::extract::DefaultBodyLimit;
use axum::http::StatusCode;
use axum::routing::{get, post};
use axum::{Router, middleware};
use chase_models::device;
use chase_report::number;
use tokio::net::TcpListener;
use tokio::sync::oneshot;

use self::analysis::Trees;
use self::book::OpeningBooks;
use self::cluster::Watched;
use self::evaluators::Evaluators;
use self::guard::Guard;
use self::library::Library;
use self::opponents::{Limits, Opponents};
use self::refusal::Refusal;
use self::runs::RunFolder;
use self::searches::Searches;
use self::studies::Studies;
use crate::commands::cluster::LoginArgs;
use crate::{cli, signals};

/// Play, analyse and explore openings in the browser
///
/// Serves a page to this machine and prints its address: play any game against a network or a baseline, see what it
/// thinks, walk through the openings of runs, matches and studies, and follow training. The page starts with Chase and
/// lists the other games; ?game=stax at the end of its address selects one. The page and agents that play Chase are
/// built in. Started where there is a folder runs, it shows the runs in it; in the project's folder it also finds
/// the other trained agents. Ctrl-C ends it.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  chase serve
  chase serve --study experiments/studies/0039-five-and-five
  chase serve --runs runs/night
  chase serve --cluster nats://localhost:4222
  chase serve --bind 0.0.0.0 --allow-host den.local")]
pub struct Args {
    /// A training run, tournament or study, or a folder of them [default: runs, if it is there]
    #[arg(long, value_name = "DIR")]
    runs: Option<PathBuf>,
    /// Folder of checkpoints of further agents [default: models/agents, if it is there]
    #[arg(long, value_name = "DIR")]
    agents: Option<PathBuf>,
    /// Folder or study.json of a study whose verdicts are shown, in addition to those in --runs; may be repeated
    #[arg(long, value_name = "PATH")]
    study: Vec<PathBuf>,
    /// Server of a cluster whose runs and workers are shown, such as nats://HOST:4222
    #[arg(long, value_name = "SERVER")]
    cluster: Option<String>,
    #[command(flatten)]
    login: LoginArgs,
    /// Address to listen on; any but a loopback address lets others use this machine without a password
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1", value_parser = address)]
    bind: IpAddr,
    /// Port to listen on; 0 for any free port
    #[arg(long, default_value_t = 8075, value_parser = cli::whole::<u16>(0..=u16::MAX))]
    port: u16,
    /// Another name or address of this server for browsers, such as den.local or the name of a proxy; may be repeated
    ///
    /// It is valid with any port, and also by https.
    #[arg(long, value_name = "NAME")]
    allow_host: Vec<String>,
    /// Most searches at the same time; further ones wait
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = cli::whole::<u32>(1..=64))]
    searches: u32,
    /// Most simulations that a page may request for one search
    #[arg(long, value_name = "N", default_value_t = 50_000, value_parser = cli::whole::<u32>(1..=10_000_000))]
    max_simulations: u32,
    /// Most seconds that a page may request for one search
    #[arg(long, value_name = "SECONDS", default_value_t = 60, value_parser = cli::whole::<u32>(1..=3600))]
    max_seconds: u32,
    /// Approximate memory for the openings of games, in MiB
    ///
    /// 100 MiB hold about ten thousand games of a training run.
    #[arg(long, value_name = "MIB", default_value_t = 1024, value_parser = cli::whole::<u32>(1..=1 << 20))]
    memory: u32,
    /// Device of the networks: auto, cpu, cuda or cuda:N
    #[arg(long, default_value = "auto", value_parser = cli::device)]
    device: String,
}

/// Parses the address to listen on.
fn address(text: &str) -> Result<IpAddr, String> {
    let address = text.parse();
    address.map_err(|_| "expected an IP address, such as 127.0.0.1".to_owned())
}

/// State shared by all requests.
#[derive(Clone)]
struct Server {
    opponents: Arc<Opponents>,
    evaluators: Arc<Evaluators>,
    searches: Arc<Searches>,
    trees: Arc<Trees>,
    runs: RunFolder,
    cluster: Option<Arc<Watched>>,
    library: Arc<Library>,
    studies: Arc<Studies>,
    books: Arc<OpeningBooks>,
}

/// The folder of the project's agents, relative to the project.
const AGENTS: &str = "models/agents";
/// The folder that commands write runs into.
const RUNS: &str = "runs";

/// Most bytes of a request's body: a game of the greatest length has a tenth.
const MAX_BODY: usize = 256 << 10;

pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let device = device::parse(&args.device)?;
    for (option, folder) in [("--runs", &args.runs), ("--agents", &args.agents)] {
        if let Some(folder) = folder {
            std::fs::read_dir(folder).with_context(|| format!("{option} {}: expected a folder", folder.display()))?;
        }
    }
    let there = |folder: &str| Path::new(folder).is_dir().then(|| folder.into());
    let runs = RunFolder(args.runs.clone().or_else(|| there(RUNS)).map(Into::into));
    let cluster = args.login.of_cluster(args.cluster.as_deref())?;
    let server = Server {
        cluster: cluster.map(|address| Arc::new(Watched::new(address))),
        opponents: Arc::new(Opponents {
            agents: args.agents.clone().or_else(|| there(AGENTS)),
            runs: runs.clone(),
            limits: Limits::new(args.max_simulations, args.max_seconds),
        }),
        evaluators: Arc::new(Evaluators::new(device)),
        searches: Arc::new(Searches::new(args.searches as usize)),
        trees: Arc::default(),
        runs,
        library: Arc::new(Library::new(args.memory)),
        studies: Arc::new(Studies::new(&args.study)?),
        books: Arc::default(),
    };
    // Requests only parse and answer; searches have separate threads.
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .context("cannot start the server's threads")?;
    runtime.block_on(serve(args, server))?;
    // A search that no one waits for must not delay the end of the program.
    signals::end(0)
}

async fn serve(args: &Args, server: Server) -> anyhow::Result<()> {
    let address = SocketAddr::new(args.bind, args.port);
    let listener = TcpListener::bind(address).await;
    let listener = listener.with_context(|| format!("cannot listen on {address}; choose another --port"))?;
    let address = listener.local_addr().context("cannot tell the port")?;
    let guard = Arc::new(Guard::new(address, &args.allow_host));
    // Printed as a line, so that a program that started this one can read the address.
    cli::print(format_args!("http://{address}/"))?;
    let networks = number::counted(server.opponents.networks().len() as u64, "network");
    cli::note(format_args!(
        "serving {networks}; open the address in a browser, Ctrl-C ends it"
    ));
    if !address.ip().is_loopback() {
        cli::note("warning: others on the network can use this machine without a password");
    }
    let app = routes(server)
        .layer(DefaultBodyLimit::max(MAX_BODY))
        .layer(middleware::from_fn_with_state(guard, guard::check))
        .into_make_service_with_connect_info::<SocketAddr>();
    let (stop, stopped) = oneshot::channel();
    signals::on_first(move |_| {
        // The server may already be shutting down.
        let _ = stop.send(());
    })?;
    tokio::select! {
        ended = axum::serve(listener, app).into_future() => ended.context("the server has ended"),
        _ = stopped => Ok(()),
    }
}

fn routes(server: Server) -> Router {
    Router::new()
        .route("/", get(assets::page))
        .route("/assets/{name}", get(assets::asset))
        .route("/api/status", get(opponents::status))
        .route("/api/status/{game}", get(opponents::status))
        .route("/api/games/{game}/rules", get(rules::rules))
        .route("/api/game", post(view::view))
        .route("/api/line", post(view::line))
        .route("/api/record/read", post(record::read))
        .route("/api/record/write", post(record::write))
        .route("/api/play", post(play::play))
        .route("/api/analyse", post(analysis::analyse))
        .route("/api/occupancy", post(play::predict))
        .route("/api/puzzle", post(puzzles::judge))
        .route("/api/explorer", post(explorer::explore))
        .route("/api/book", post(book::moves))
        .route("/api/runs", get(runs::list))
        .route("/api/runs/{name}", get(runs::details))
        .route("/api/runs/{name}/games", get(runs::latest))
        .route("/api/cluster", get(cluster::status))
        .route("/metrics", get(cluster::metrics))
        .route("/runs/{name}/report.html", get(runs::report))
        .method_not_allowed_fallback(other_method)
        .fallback(assets::nothing)
        .with_state(server)
}

/// The answer to a request with a method that its address does not have; the header Allow is added to it.
async fn other_method() -> Refusal {
    let reason = "expected the method in the header Allow";
    Refusal::new(StatusCode::METHOD_NOT_ALLOWED, reason)
}
