//! `chase worker`

use std::process::ExitCode;
use std::time::Duration;

use chase_arena::remote::{self, Pairs, Terms};
use chase_cluster::selfplay::{self, Games};
use chase_cluster::worker::WorkerEvent;
use chase_cluster::{Task, Worker};
use chase_engine::with_game;
use chase_models::device;
use chase_opening_study::remote as study;
use chase_report::number;
use chase_training::kinds::NetworkKind;
use chase_training::settings::thread_count;
use chase_training::with_kind;

use crate::commands::cluster::LoginArgs;
use crate::{cli, signals};

/// Play the games of training runs, matches, tournaments and studies that were started elsewhere with --cluster
///
/// With --cluster, `chase train`, `chase tournament`, `chase match`, `chase study` and `chase balance` offer their
/// games on a NATS server with JetStream. A worker takes games of every command on that server. Any number of workers
/// may start and stop at any time, even before games are offered. A worker stores nothing: it fetches settings and
/// networks, and sends back the games. If a worker is killed, others play its unfinished games.
///
/// The first Ctrl-C or SIGTERM ends it after its current games, the second at once.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  chase worker nats://learner.example.org
  chase worker tls://learner.example.org:4222 --credentials worker.creds --threads 8")]
pub struct Args {
    /// The server, such as nats://HOST:4222, or tls://HOST:4222 for encryption
    #[arg(value_name = "SERVER")]
    server: String,
    #[command(flatten)]
    login: LoginArgs,
    /// Threads, each with its own group of games; 0 for one per core
    #[arg(long, default_value_t = 0, value_parser = cli::threads)]
    threads: usize,
    /// Device of the networks: auto, cpu, cuda or cuda:N
    #[arg(long, default_value = "auto", value_parser = cli::device)]
    device: String,
    /// Seconds that a stopped worker may take to finish its games
    ///
    /// Then it gives them back.
    #[arg(long, default_value_t = 60.0, value_parser = cli::seconds)]
    grace: f64,
    /// Print only warnings and the final result
    #[arg(long, short)]
    quiet: bool,
}

pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let device = device::parse(&args.device)?;
    let threads = thread_count(args.threads);
    let grace = Duration::from_secs_f64(args.grace);
    let worker = Worker::connect(&args.login.address(&args.server), device, threads, grace)?;
    let stop = signals::stop_flag("stopping after the current games")?;
    if !args.quiet {
        let (name, server) = (worker.presence().name, &args.server);
        let threads = number::counted(threads as u64, "thread");
        cli::note(format_args!("worker {name}: {threads} for the runs on {server}"));
    }
    let play = |task: &Task<'_>| match task.unit().kind.as_str() {
        selfplay::KIND => selfplay(task),
        remote::KIND => with_game!(task.terms::<Terms>()?.game, G => task.run::<Pairs<G>>()),
        _ => study::run(task),
    };
    let report = |report: &WorkerEvent<'_>| {
        if !args.quiet || matches!(report, WorkerEvent::Warning(_)) {
            cli::note(report);
        }
    };
    let totals = worker.run(&play, &stop, &report);
    cli::print(format_args!("played {} units, {} games", totals.units, totals.games))?;
    Ok(ExitCode::SUCCESS)
}

/// Plays a group of games for a training run.
fn selfplay(task: &Task<'_>) -> Result<Option<Vec<u8>>, String> {
    let settings: String = task.terms()?;
    with_kind!(
        NetworkKind::of_settings(&settings),
        S => selfplay::settings::<S>(&settings)?.game,
        K => task.run::<Games<K>>()
    )
}
