//! `chase cluster`, and the options that name its server.

use std::iter;
use std::path::PathBuf;
use std::process::ExitCode;

use chase_cluster::status::{self, RunStatus, WorkerStatus};
use chase_cluster::{Address, Cluster, Status, Version, cluster};
use chase_report::number;

use crate::{cli, columns};

/// Inspect the server that workers and runs share
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    Status(StatusArgs),
    Remove(RemoveArgs),
}

/// List the runs on a server with their units, and the workers with their current work
///
/// For each run: its version of the program, the workers that may play its units, the units that wait for one, those
/// being played, those whose games are on the server, the age of the oldest unit without games, the bytes of its
/// checkpoints and games with their limit, and whose it is. For each worker: its version, its device, the units that it
/// can play at a time, the games it has played, its rate, the time since its last report, and the units it is playing.
/// A worker that has not reported for 30 seconds is left out.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  chase cluster status nats://learner.example.org
  chase cluster status tls://learner.example.org:4222 --credentials login.txt --authority ca.pem --json")]
pub struct StatusArgs {
    /// The server, such as nats://HOST:4222, or tls://HOST:4222 for encryption
    #[arg(value_name = "SERVER")]
    server: String,
    #[command(flatten)]
    login: LoginArgs,
    /// Print JSON instead of text
    #[arg(long)]
    json: bool,
}

/// Remove everything of a run from a server
///
/// Use it for a run that will not be continued, such as one of an older version of the program, and for messages that
/// are not units. Its directory is not touched: if it is resumed, it offers its units again.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example:
  chase cluster remove nats://learner.example.org 0123456789abcdef")]
pub struct RemoveArgs {
    /// The server, such as nats://HOST:4222, or tls://HOST:4222 for encryption
    #[arg(value_name = "SERVER")]
    server: String,
    /// The run, as `chase cluster status` prints it
    #[arg(value_name = "RUN")]
    run: String,
    #[command(flatten)]
    login: LoginArgs,
}

pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    match &args.command {
        Command::Status(args) => print_status(args),
        Command::Remove(args) => {
            status::remove(&args.login.address(&args.server), &args.run)?;
            Ok(ExitCode::SUCCESS)
        }
    }
}

fn print_status(args: &StatusArgs) -> anyhow::Result<ExitCode> {
    let status = Status::of(&args.login.address(&args.server))?;
    if args.json {
        cli::print_json(&status)?;
        return Ok(ExitCode::SUCCESS);
    }
    let (server, stored) = (&status.server, size(status.bytes, status.bytes_limit));
    cli::print(format_args!("{server}: {stored} stored"))?;
    match status.runs.as_slice() {
        [] => cli::print("no runs")?,
        runs => print_runs(runs)?,
    }
    match status.workers.as_slice() {
        [] => cli::print("no workers")?,
        workers => print_workers(workers)?,
    }
    for run in status.runs.iter().filter(|run| run.waiting > 0 && run.workers == 0) {
        let why = match &run.version {
            Some(version) => format!("no worker here has their version, {version}"),
            None => "they are no units of this program".to_owned(),
        };
        let (waiting, login) = (run.waiting, args.login.words());
        let [server, run] = [server, &run.run].map(cli::shell_word);
        cli::note(format_args!(
            "{run}: {waiting} units wait, but {why}; to remove them: chase cluster remove {server} {run}{login}"
        ));
    }
    Ok(ExitCode::SUCCESS)
}

/// Prints a table, with a text at the end of each line.
fn print<const N: usize>(
    headings: [&str; N],
    rows: impl Iterator<Item = [String; N]>,
    texts: impl Iterator<Item = String>,
) -> anyhow::Result<()> {
    cli::print("")?;
    let rows: Vec<_> = iter::once(headings.map(str::to_owned)).chain(rows).collect();
    for (line, text) in columns::fitted(&rows, None, &[]).iter().zip(texts) {
        cli::print(format!("{line}  {text}").trim_end())?;
    }
    Ok(())
}

fn print_runs(runs: &[RunStatus]) -> anyhow::Result<()> {
    let headings = [
        "run", "version", "workers", "waiting", "in work", "done", "oldest", "stored",
    ];
    let row = |run: &RunStatus| {
        [
            run.run.clone(),
            run.version.as_ref().map_or("-".to_owned(), short),
            run.workers.to_string(),
            run.waiting.to_string(),
            run.in_work.to_string(),
            run.done.to_string(),
            run.oldest_seconds.map_or("-".to_owned(), number::duration),
            size(run.bytes, run.bytes_limit),
        ]
    };
    let names = runs.iter().map(|run| run.name.clone());
    print(
        headings,
        runs.iter().map(row),
        iter::once("name".to_owned()).chain(names),
    )
}

fn print_workers(workers: &[WorkerStatus]) -> anyhow::Result<()> {
    let headings = [
        "worker",
        "version",
        "device",
        "threads",
        "games",
        "evaluations/s",
        "heard",
    ];
    let row = |worker: &WorkerStatus| {
        let presence = &worker.presence;
        [
            presence.name.clone(),
            short(&presence.version),
            presence.device.clone(),
            presence.threads.to_string(),
            presence.games.to_string(),
            cli::rate(presence.evaluations_per_second()),
            number::duration(worker.heard_seconds),
        ]
    };
    let plays = workers.iter().map(|worker| {
        let titles = worker.presence.playing.values().map(String::as_str);
        titles.collect::<Vec<_>>().join(", ")
    });
    print(
        headings,
        workers.iter().map(row),
        iter::once("plays".to_owned()).chain(plays),
    )
}

/// The program of a version, with the beginning of its commit.
fn short(version: &Version) -> String {
    let version = version.to_string();
    let mut words = version.split([' ', ',']);
    let [program, commit] = [words.next(), words.next()].map(Option::unwrap_or_default);
    format!("{program} {}", commit.get(..10).unwrap_or(commit))
        .trim_end()
        .to_owned()
}

/// Bytes, of those that are allowed.
fn size(bytes: u64, limit: Option<u64>) -> String {
    let mib = |bytes: u64| format!("{:.1} MiB", bytes as f64 / f64::from(1 << 20));
    match limit {
        None => mib(bytes),
        Some(limit) => format!("{} of {}", mib(bytes), mib(limit)),
    }
}

/// Where the server is, and how to log in there.
#[derive(Debug, clap::Args)]
#[group(skip)]
pub struct LoginArgs {
    /// File with the login to the server
    ///
    /// It contains USER:PASSWORD, a token, the seed of an NKey, or a credentials file.
    #[arg(long, value_name = "FILE")]
    credentials: Option<PathBuf>,
    /// Certificate of the authority that signed the server's [default: those of the system]
    #[arg(long, value_name = "FILE")]
    authority: Option<PathBuf>,
}

impl LoginArgs {
    /// The cluster that is named, if one is.
    ///
    /// # Errors
    /// If none is, and something of its login is given.
    pub fn of_cluster(&self, url: Option<&str>) -> anyhow::Result<Option<Address>> {
        if url.is_none() && (self.credentials.is_some() || self.authority.is_some()) {
            anyhow::bail!(
                "--credentials and --authority are for the server of a cluster; name it with --cluster SERVER"
            );
        }
        Ok(url.map(|url| self.address(url)))
    }

    /// The options as they are typed, for the next command.
    pub fn words(&self) -> String {
        let files = [("--credentials", &self.credentials), ("--authority", &self.authority)];
        let word = |(option, file): (_, &Option<PathBuf>)| {
            let file = file.as_ref()?;
            Some(format!(" {option} {}", cli::shell_word(file.display())))
        };
        files.into_iter().filter_map(word).collect()
    }

    /// The server with this URL.
    pub fn address(&self, url: &str) -> Address {
        Address {
            url: url.to_owned(),
            credentials: self.credentials.clone(),
            authority: self.authority.clone(),
        }
    }
}

/// The options of commands whose games other machines can play.
#[derive(Debug, clap::Args)]
#[group(skip)]
pub struct ClusterArgs {
    /// Let workers (`chase worker`) on this NATS server do the work, such as nats://HOST:4222
    ///
    /// The server needs JetStream. The result is the same, byte for byte.
    #[arg(long, value_name = "SERVER")]
    cluster: Option<String>,
    #[command(flatten)]
    login: LoginArgs,
    /// Also accept workers whose processor, precision or version differs
    ///
    /// Their games are as good, but cannot be repeated exactly. cluster.json in the directory lists their versions.
    #[arg(long, requires = "cluster")]
    mixed: bool,
    /// Most GiB that a run may store on the server
    ///
    /// It stores the networks that play, and the games that are not final yet.
    #[arg(long, value_name = "GIB", requires = "cluster", default_value_t = default_space(),
        value_parser = cli::whole::<u32>(1..=u32::MAX))]
    cluster_space: u32,
}

/// The usual space, in GiB.
fn default_space() -> u32 {
    u32::try_from(cluster::Options::default().most_bytes >> 30).unwrap_or(1)
}

impl ClusterArgs {
    /// Connects to the server, if one is named.
    pub fn connect(&self) -> anyhow::Result<Option<Cluster>> {
        let Some(address) = self.login.of_cluster(self.cluster.as_deref())? else {
            return Ok(None);
        };
        let options = cluster::Options {
            mixed: self.mixed,
            most_bytes: i64::from(self.cluster_space) << 30,
            ..cluster::Options::default()
        };
        Ok(Some(Cluster::connect(&address, options)?))
    }

    /// The options as they are typed, for the command that continues.
    pub fn words(&self) -> String {
        let Some(server) = &self.cluster else {
            return String::new();
        };
        let mut words = format!(" --cluster {}{}", cli::shell_word(server), self.login.words());
        if self.mixed {
            words += " --mixed";
        }
        if self.cluster_space != default_space() {
            words += &format!(" --cluster-space {}", self.cluster_space);
        }
        words
    }
}
