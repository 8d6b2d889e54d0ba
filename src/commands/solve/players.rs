//! `chase solve --player`: the share of forced results that players find.

use std::process::ExitCode;

use chase_arena::solved::{SolvedPosition, Trial};
use chase_models::device;
use chase_report::number;
use indicatif::ProgressBar;
use serde::Serialize;

use super::Args;
use crate::{cli, signals};

/// Output as JSON.
#[derive(Serialize)]
struct Report {
    /// The name of the set of positions.
    positions: &'static str,
    players: Vec<Trial>,
}

/// Has all players choose in all positions.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let stop = signals::stop_flag("stopping")?;
    cli::use_threads(args.threads)?;
    let device = device::parse(&args.device)?;
    let positions = SolvedPosition::reference();
    // All players are created before the first one plays.
    let contestants = args.player.iter().map(|player| player.contestant(device));
    let contestants = contestants.collect::<Result<Vec<_>, _>>()?;
    // Hides itself if standard error is not a terminal.
    let bar = ProgressBar::new((positions.len() * contestants.len()) as u64);
    let trials = contestants
        .iter()
        .map(|player| Trial::of(player, &positions, args.seed, &stop, &|more| bar.inc(more as u64)));
    let players = trials.collect::<anyhow::Result<Option<Vec<_>>>>();
    bar.finish_and_clear();
    let Some(players) = players? else {
        cli::note("stopped: not all positions were tried");
        return Ok(signals::interrupted());
    };
    let report = Report {
        positions: "reference",
        players,
    };
    cli::print_result(args.json, &report, || report.text())?;
    Ok(ExitCode::SUCCESS)
}

impl Report {
    /// A table for each player, with the share that random choices solve.
    fn text(&self) -> String {
        let mut text = String::new();
        for trial in &self.players {
            text += &format!("{}\n", trial.player);
            let kinds = trial.kinds.iter().map(|kind| (kind.forced.in_words(), kind.part));
            for (name, part) in kinds.chain([("all", trial.all)]) {
                let solved = part.solved;
                text += &format!(
                    "  {name:<22}{:>4} of {:<4} {:>6} {}; by chance {}\n",
                    solved.optimal,
                    solved.positions,
                    number::percent(solved.share),
                    number::percent_interval(&solved.interval),
                    number::percent(part.chance),
                );
            }
        }
        text
    }
}
