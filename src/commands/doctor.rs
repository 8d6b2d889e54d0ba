//! `chase doctor`

mod presets;

use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use chase_models::device::{self, Device};
use chase_models::{Precision, speed};
use chase_training::settings::cores;
use serde::Serialize;

use self::presets::Preset;

use crate::cli;

/// Report what this machine has, how fast it evaluates networks, and how to train on it
///
/// Shows the version of libtorch, whether a GPU can be used (and if not, why), whether the device is faster in
/// bfloat16, the evaluations per second of the default network on one core or one GPU, and commands that train with games
/// for every core.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  chase doctor
  chase doctor --device cuda:0 --json")]
pub struct Args {
    /// The device to measure: auto, cpu, cuda or cuda:N
    #[arg(long, default_value = "auto", value_parser = cli::device)]
    device: String,
    /// Seconds spent on each precision
    #[arg(long, default_value_t = 1.0, value_parser = cli::seconds)]
    seconds: f64,
    /// Print one JSON object instead of text
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Report {
    version: &'static str,
    cores: usize,
    libtorch: &'static str,
    device: String,
    gpus: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    no_gpu_because: Option<String>,
    bf16_units: bool,
    network: String,
    batch: usize,
    f32_evaluations_per_second: f64,
    bf16_evaluations_per_second: f64,
    /// By the kernel of this program, in its fastest precision; null where it cannot compute.
    fused_precision: Option<Precision>,
    fused_evaluations_per_second: Option<f64>,
    presets: Vec<Preset>,
}

pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let device = device::parse(&args.device)?;
    let facts = speed::facts(device, Duration::from_secs_f64(args.seconds))?;
    let speed = |wanted| {
        let mut speeds = facts.speeds.iter();
        speeds
            .find(|(precision, _)| *precision == wanted)
            .map(|(_, speed)| *speed)
    };
    let fused = [Precision::Fused, Precision::FusedF32]
        .into_iter()
        .find_map(|precision| Some((precision, speed(precision)?)));
    let (gpus, no_gpu_because) = match facts.gpus {
        Ok(0) => (0, Some("libtorch sees none".to_owned())),
        Ok(gpus) => (gpus, None),
        Err(reason) => (0, Some(reason)),
    };
    let report = Report {
        version: env!("CARGO_PKG_VERSION"),
        cores: cores(),
        libtorch: facts.libtorch,
        device: match device {
            Device::Cuda(index) => format!("cuda:{index}"),
            _ => "cpu".to_owned(),
        },
        gpus,
        no_gpu_because,
        bf16_units: facts.bf16_units,
        network: facts.network,
        batch: facts.batch,
        f32_evaluations_per_second: speed(Precision::F32).unwrap_or_default(),
        bf16_evaluations_per_second: speed(Precision::Bf16).unwrap_or_default(),
        fused_precision: fused.map(|(precision, _)| precision),
        fused_evaluations_per_second: fused.map(|(_, speed)| speed),
        presets: presets::presets(cores(), gpus > 0)?,
    };
    if args.json {
        cli::print_json(&report)?;
        return Ok(ExitCode::SUCCESS);
    }
    cli::print(format_args!("chase {}, {} cores", report.version, report.cores))?;
    cli::print(format_args!("libtorch {}", report.libtorch))?;
    match &report.no_gpu_because {
        None => cli::print(format_args!("GPUs: {}", report.gpus))?,
        Some(reason) => cli::print(format_args!("GPUs: none ({reason})"))?,
    }
    let units = match (report.bf16_units, device::is_faster_in_bf16(device)) {
        (true, true) => "has units for bfloat16",
        (true, false) => "has units for bfloat16, which are slower than those for 32 bits",
        (false, _) => "has no units for bfloat16",
    };
    cli::print(format_args!("{} {units}", report.device))?;
    cli::print(format_args!(
        "{} at batch {}: {} evaluations/s in f32, {} in bf16{}",
        report.network,
        report.batch,
        cli::rate(report.f32_evaluations_per_second),
        cli::rate(report.bf16_evaluations_per_second),
        match fused {
            Some((precision, speed)) => format!(", {} in {precision}", cli::rate(speed)),
            None => String::new(),
        },
    ))?;
    cli::print("to train an agent here:")?;
    for Preset { purpose, command } in &report.presets {
        cli::print(format_args!("  {purpose}\n    {command}"))?;
    }
    if !Path::new("configs").is_dir() {
        cli::print("there is no folder configs here: give the paths of these files in your clone of the project")?;
    }
    Ok(ExitCode::SUCCESS)
}
