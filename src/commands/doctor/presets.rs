//! Commands that train agents on a machine like this one.

use anyhow::Context;
use chase_training::config::Config;
use chase_training::game_record::Purpose;
use chase_training::kinds::KindSettings;
use chase_training::selfplay::groups;
use chase_training::settings::Setting;
use serde::Serialize;

const QUICK: (&str, &str) = ("configs/quick.toml", include_str!("../../../configs/quick.toml"));
const CPU: (&str, &str) = ("configs/cpu.toml", include_str!("../../../configs/cpu.toml"));

/// Rows of a batch that are worth a thread of their own.
const ROWS: u32 = 64;

/// A configuration with settings for the machine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Preset {
    /// What it is for.
    pub purpose: &'static str,
    /// The command that trains with it.
    pub command: String,
}

/// Presets for a machine with this many cores, and a GPU or none.
///
/// # Errors
/// If a configuration of the program cannot be read.
pub fn presets(cores: usize, has_gpu: bool) -> anyhow::Result<Vec<Preset>> {
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
    fn two_cores_need_no_settings_and_more_get_games_for_each() {
        let commands = |cores, has_gpu| {
            let presets = presets(cores, has_gpu).unwrap();
            presets.into_iter().map(|preset| preset.command).collect::<Vec<_>>()
        };
        assert_eq!(
            commands(2, false),
            [
                "chase train configs/quick.toml",
                "chase train configs/cpu.toml",
                "chase train configs/nnue.toml"
            ]
        );
        assert_eq!(
            commands(16, true),
            [
                "chase train configs/quick.toml --set selfplay.group_games=8 --set selfplay.in_flight=8 --set measurement.group_games=4",
                "chase train configs/cpu.toml --set selfplay.group_games=32 --set selfplay.in_flight=32 --set measurement.group_games=8",
                "chase train configs/nnue.toml",
                "chase train configs/gpu.toml"
            ]
        );
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
