//! `chase bench`

mod engine;
mod search;

use std::process::ExitCode;
use std::time::Instant;

use clap::ValueEnum;
use serde::Serialize;

use crate::cli;

/// Measure how fast the parts are on this machine
///
/// Each figure stands beside its target and their ratio. Every benchmark checks its own answer: a wrong one is an error,
/// whatever the speed.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  chase bench
  chase bench engine --json")]
pub struct Args {
    /// What to measure [default: everything]
    #[arg(value_enum)]
    part: Option<Part>,
    /// Print one JSON object instead of a table
    #[arg(long)]
    json: bool,
    /// Seconds spent on each figure
    #[arg(long, default_value_t = 2.0, value_parser = cli::seconds)]
    seconds: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Part {
    /// The rules: move generation and random games
    Engine,
    /// The tree search, without a network
    Search,
}

/// One measured rate.
#[derive(Debug, Serialize)]
struct Figure {
    name: &'static str,
    unit: &'static str,
    /// The median of the repetitions, and the extremes.
    value: f64,
    low: f64,
    high: f64,
    target: f64,
    /// `value / target`: at least 1 where the target is met.
    ratio: f64,
    repetitions: usize,
}

impl Figure {
    /// The median rate of repetitions, each of which did some `work` in some seconds.
    fn from_rates(name: &'static str, unit: &'static str, target: f64, mut rates: Vec<f64>) -> Self {
        rates.sort_by(f64::total_cmp);
        let value = rates[rates.len() / 2];
        Self {
            name,
            unit,
            value,
            low: rates[0],
            high: rates[rates.len() - 1],
            target,
            ratio: value / target,
            repetitions: rates.len(),
        }
    }
}

#[derive(Debug, Serialize)]
struct Report {
    version: &'static str,
    optimised: bool,
    figures: Vec<Figure>,
}

pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let mut figures = Vec::new();
    for part in Part::value_variants() {
        if args.part.is_none_or(|wanted| wanted == *part) {
            figures.extend(match part {
                Part::Engine => engine::figures(args.seconds)?,
                Part::Search => search::figures(args.seconds)?,
            });
        }
    }
    let report = Report {
        version: env!("CARGO_PKG_VERSION"),
        optimised: !cfg!(debug_assertions),
        figures,
    };
    if args.json {
        cli::print(serde_json::to_string_pretty(&report)?)?;
        return Ok(ExitCode::SUCCESS);
    }
    if !report.optimised {
        cli::note("warning: not an optimised build; use cargo run --release");
    }
    cli::print(format_args!(
        "{:<40} {:>12} {:>25} {:>12} {:>7}",
        "figure", "median", "low … high", "target", "ratio"
    ))?;
    for figure in &report.figures {
        cli::print(format_args!(
            "{:<40} {:>12} {:>25} {:>12} {:>6.2}×",
            format!("{} ({})", figure.name, figure.unit),
            cli::rate(figure.value),
            format!("{} … {}", cli::rate(figure.low), cli::rate(figure.high)),
            cli::rate(figure.target),
            figure.ratio
        ))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Repeats some work, at least three times and then until the time is over. Returns the rate of each repetition.
fn repeat(seconds: f64, mut work: impl FnMut() -> anyhow::Result<u64>) -> anyhow::Result<Vec<f64>> {
    work()?;
    let start = Instant::now();
    let mut rates = Vec::new();
    while rates.len() < 3 || start.elapsed().as_secs_f64() < seconds {
        let start = Instant::now();
        let done = work()? as f64;
        rates.push(done / start.elapsed().as_secs_f64());
    }
    Ok(rates)
}
