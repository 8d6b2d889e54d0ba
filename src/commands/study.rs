//! `chase study`

mod progress;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};
use chase_arena::remote;
use chase_cluster::Cluster;
use chase_engine::{Chase, Game};
use chase_models::shipped;
use chase_opening_study as study;
use chase_opening_study::page as study_page;
use chase_opening_study::{StudyConfig, StudyReport, StudyWatch};
use chase_statistics::Verdict;
use chase_training::settings::Settings;
use chase_training::store::files;
use chase_training::store::run_dir::{Meta, RunDir};
use chase_training::store::run_kind::RunKind;

use crate::cli::RunArgs;
use crate::destination::Destination;
use crate::{cli, columns, signals};
use progress::Progress;

/// Column of the claims, and of the remarks below them.
const REMARKS: usize = 18;

/// Test what the article on Chase claims about openings, dice and the endgame
///
/// The rules alone decide some claims exactly, in seconds and without a network (--exact-only). For the others, trained
/// agents play games from forced openings, play on from positions of these games in two ways each (forks), and search.
/// Every finding has its interval, its sample and its test. A study lives in one directory; --resume continues it,
/// however it ended. It writes a page (report.html), the same as data (study.json), and all games, plies and forks as
/// Parquet. With --cluster other machines play and search; the results are the same.
#[derive(Debug, clap::Args)]
#[command(
    arg_required_else_help = true,
    after_help = "\
Examples:
  chase study --exact-only
  chase study --exact-only --page exact.html
  chase study --exact-only --json > exact.json
  chase study configs/study/quick.toml --checkpoint runs/quick-1
  chase study configs/study/full.toml --checkpoint runs/a --checkpoint runs/b --device cuda
  chase study --resume runs/study-full-1
  chase study configs/study/full.toml --checkpoint runs/a --cluster nats://localhost:4222
  chase study --resume runs/study-full-1 --set games.most=4096"
)]
pub struct Args {
    #[command(flatten)]
    config: cli::ConfigArgs,
    /// Checkpoint, or run (its newest checkpoint is used); may be repeated [default: agent-71, unless the configuration
    /// names players]
    ///
    /// Several agents should come from independent runs; the page reports how they differ.
    #[arg(long, value_name = "NETWORK", value_parser = cli::checkpoint, conflicts_with_all = ["resume", "exact_only"])]
    checkpoint: Vec<PathBuf>,
    /// Report only the findings that the rules alone decide
    #[arg(long, conflicts_with_all = ["file", "config", "resume", "run_dir", "settings", "seed", "device", "cluster"])]
    exact_only: bool,
    /// Continue the study in this directory; --set games.most=N gives it more games
    #[arg(long, value_name = "DIR", value_parser = cli::directory(), conflicts_with_all = ["file", "config", "run_dir", "seed"])]
    resume: Option<PathBuf>,
    /// Directory of the new study, which must not exist [default: runs/study-CONFIGURATION-SEED, then with -2, -3, …]
    #[arg(long, value_name = "DIR", value_parser = cli::directory())]
    run_dir: Option<PathBuf>,
    /// Also write the page to this file
    #[arg(long, value_name = "FILE")]
    page: Option<PathBuf>,
    #[command(flatten)]
    run: RunArgs,
}

pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let page = Destination::of(args.page.as_deref())?;
    if args.exact_only {
        let progress = Progress::new(args.run.quiet);
        let program = Meta::new(Chase::NAME, Chase::RULES_VERSION, 1);
        cli::use_threads(args.run.threads.unwrap_or(0))?;
        let report = study::exact_report(program, &|event| progress.show(event));
        progress.output.bar.finish_and_clear();
        return show(args, page, &report, None);
    }
    // Before the directory: a study that cannot begin should leave nothing behind.
    let cluster = args.run.cluster.connect()?;
    let (run, program, config) = match &args.resume {
        Some(folder) => resume(args, folder)?,
        None => create(args, cluster.as_ref())?,
    };
    cli::use_threads(config.threads)?;
    let stop = signals::stop_flag("stopping")?;
    let progress = Progress::new(args.run.quiet);
    let watch = StudyWatch {
        stop: &stop,
        on_event: &|event| progress.show(event),
    };
    let report = study::conduct(&run, program, &config, cluster.as_ref(), &watch);
    progress.output.bar.finish_and_clear();
    let report = match report {
        Err(error) if error.is_stop() => {
            let how = cli::continuation("study", run.path(), &args.run.cluster.words());
            return cli::interrupted(args.run.json, &how);
        }
        other => other.with_context(|| format!("the study in {}", run.path().display()))?,
    };
    let own_page = run.path().join("report.html");
    files::write_whole(&own_page, study_page::page(&report).as_bytes())?;
    show(args, page, &report, Some(run.path()))
}

fn create(args: &Args, cluster: Option<&Cluster>) -> anyhow::Result<(RunDir, Meta, StudyConfig)> {
    let file = args.config.file();
    let text = args.config.read()?;
    let source = text.as_ref().map(cli::ConfigText::source);
    let mut config = StudyConfig::load(source, &args.run.all_settings())?;
    if args.checkpoint.is_empty() && config.games.players.is_empty() {
        cli::note(format_args!("no checkpoint given: {} plays", shipped::NAME));
        config.add_checkpoints(&[shipped::NAME.into()])?;
    }
    config.add_checkpoints(&args.checkpoint)?;
    if let Some(cluster) = cluster {
        for player in config.games.players.iter().chain(&config.games.curve) {
            remote::check(player, cluster.options().mixed)?;
        }
    }
    let name = format!("study-{}-{}", args.config.stem("default"), config.seed);
    let folder = args.run_dir.clone().unwrap_or_else(|| cli::new_directory(&name));
    let (run, program) = study::create(&folder, &config, file.zip(source.map(|(_, text)| text)))?;
    Ok((run, program, config))
}

fn resume(args: &Args, folder: &Path) -> anyhow::Result<(RunDir, Meta, StudyConfig)> {
    RunKind::expect(folder, &[RunKind::Study])?;
    Ok(study::resume(folder, &args.run.all_settings())?)
}

/// Writes the requested output, and prints the verdicts.
fn show(
    args: &Args,
    page: Option<Destination>,
    report: &StudyReport,
    folder: Option<&Path>,
) -> anyhow::Result<ExitCode> {
    if let Some(file) = page {
        file.write_whole(study_page::page(report).as_bytes())?;
    }
    if args.run.json {
        cli::print_json(report)?;
    }
    for claim in report.claims.iter().filter(|_| !args.run.json) {
        let verdict = claim.verdict.map_or("not tested", Verdict::name);
        let line = format!("{:<4}{verdict:<14}{}", claim.id.to_string(), claim.statement);
        cli::print(columns::wrapped(&line, REMARKS))?;
        for remark in &claim.remarks {
            let line = format!("{:<width$}({remark})", "", width = REMARKS);
            cli::print(columns::wrapped(&line, REMARKS))?;
        }
    }
    if report.claims.iter().all(|claim| claim.verdict.is_none()) {
        bail!("no claim was tested");
    }
    if let (Some(folder), false) = (folder, args.run.quiet) {
        for (name, file) in [
            ("report", "report.html"),
            ("data", study::REPORT_FILE),
            ("games", "games.parquet"),
        ] {
            cli::note(format_args!("{name:<8}{}", folder.join(file).display()));
        }
    }
    Ok(ExitCode::SUCCESS)
}
