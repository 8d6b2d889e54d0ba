//! `chase doctor`

use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::Context;
use chase_models::device::{self, Device};
use chase_models::{Precision, speed};
use chase_training::config::Config;
use chase_training::game_record::Purpose;
use chase_training::kinds::KindSettings;
use chase_training::selfplay::groups;
use chase_training::settings::{Setting, cores};
use serde::Serialize;

use crate::cli;

/// Report what this machine has, how fast it evaluates networks, and how to train on it
///
/// Shows the version of libtorch, whether a GPU can be used (and if not, why), whether the device is faster in
/// bfloat16, the evaluations per second of the default network on one core or one GPU, and commands that train with
/// games for every core.
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
    /// Print JSON instead of text
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
        let speed = facts.speeds.iter().find(|(precision, _)| *precision == wanted);
        speed.map(|(_, speed)| *speed)
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
        presets: presets(cores(), gpus > 0)?,
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
        fused.map_or(String::new(), |(precision, speed)| format!(
            ", {} in {precision}",
            cli::rate(speed)
        )),
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

const QUICK: (&str, &str) = ("configs/quick.toml", include_str!("../../configs/quick.toml"));
const CPU: (&str, &str) = ("configs/cpu.toml", include_str!("../../configs/cpu.toml"));

/// Rows of a batch that are worth a thread of their own.
const ROWS: u32 = 64;

/// A configuration with settings for the machine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
struct Preset {
    /// What it is for.
    purpose: &'static str,
    /// The command that trains with it.
    command: String,
}

/// Presets for a machine with this many cores, and a GPU or none.
fn presets(cores: usize, has_gpu: bool) -> anyhow::Result<Vec<Preset>> {
    let mut presets = vec![
        preset("ten minutes", QUICK, cores)?,
        preset("hours, a residual network", CPU, cores)?,
        Preset {
            purpose: "an hour, an efficiently updatable network: the strongest player for its time",
            command: "chase train configs/nnue.toml".to_owned(),
        },
    ];
    if has_gpu {
        presets.push(Preset {
            purpose: "half an hour or more on the GPU, a residual network",
            command: "chase train configs/gpu.toml".to_owned(),
        });
    }
    Ok(presets)
}

fn preset(purpose: &'static str, file: (&str, &str), cores: usize) -> anyhow::Result<Preset> {
    let config = Config::load(Some(file), &[]).with_context(|| format!("cannot read {}", file.0))?;
    let mut command = format!("chase train {}", file.0);
    for setting in settings(&config, cores) {
        command += &format!(" --set {}", setting.text());
    }
    Ok(Preset { purpose, command })
}

/// Settings that give each core games to play, as far as there are games and rows for it.
fn settings(config: &Config, cores: usize) -> Vec<Setting> {
    let mut config = config.clone();
    let most = u32::try_from(cores).unwrap_or(u32::MAX).max(1);
    // A power of two, since networks are fastest with such batches.
    let share = |games: u32| 1 << (games / most).max(1).ilog2();
    let is_idle = |config: &Config, purpose, games| groups(games, config.group_games(purpose)).len() < cores;
    let mut settings = Vec::new();
    if is_idle(&config, Purpose::Selfplay, config.selfplay.games) {
        let share = share(config.selfplay.games);
        config.selfplay.group_games = share;
        settings.push(format!("selfplay.group_games={share}"));
        if config.selfplay.in_flight > share {
            settings.push(format!("selfplay.in_flight={share}"));
        }
    }
    let measured = config.measurement.games;
    if is_idle(&config, Purpose::Measurement, measured) {
        settings.push(format!("measurement.group_games={}", share(measured)));
    }
    let replicas = most.min(config.learner.batch / ROWS);
    if replicas > config.learner.replicas {
        settings.push(format!("learner.replicas={replicas}"));
    }
    settings.into_iter().map(Setting::from).collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;
    use crate::commands::train::idle_threads;

    #[test]
    fn the_settings_for_any_number_of_cores_keep_all_of_them_busy() {
        for file in [QUICK, CPU] {
            // quick.toml measures 64 games.
            for cores in [1, 2, 3, 8, 12, 64] {
                let plain = Config::load(Some(file), &[]).unwrap();
                let mut settings = settings(&plain, cores);
                settings.extend(Setting::list(&[&format!("threads={cores}")]));
                let config = Config::load(Some(file), &settings).unwrap();
                assert_eq!(idle_threads(&config), [""; 0], "{} on {cores} cores", file.0);
            }
        }
    }
}
