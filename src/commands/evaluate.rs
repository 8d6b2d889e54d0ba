//! `chase evaluate`

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::{Mutex, PoisonError};

use anyhow::Context;
use chase_arena::{MatchEvent, NetworkEvaluation, PairResult, PlayerSpec, is_stop};
use chase_engine::{GameName, Playable, Player, with_game};
use chase_models::checkpoint::Checkpoint;
use chase_models::manifest::Manifest;
use chase_models::{Precision, device};
use chase_report::number;
use chase_statistics::{PairCounts, ScoreEstimate};
use chase_training::config::Config;
use chase_training::events::EvaluationRequest;
use chase_training::kinds::NetworkKind;
use chase_training::kinds::residual::{Residual, ResidualPlayer};
use chase_training::training_loop::checkpoint_folder;
use serde_json::json;

use crate::output::Output;
use crate::{cli, signals, strength};

/// Rate a checkpoint against baselines, in Elo above the first one (random play by default)
///
/// Games come in pairs with colours swapped, each from four random plies. The score against each baseline has an
/// interval from the pairs. The rating is fitted jointly with games among the baselines.
///
/// The network plays with policy-temperature 2, as players in matches do, and as in the evaluations of a training run,
/// so that ratings can be compared.
///
/// Ctrl-C stops the games, and the scores known so far are printed.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  chase evaluate runs/quick-1
  chase evaluate runs/quick-1/checkpoints/gen-000015 --games 200 --opponent random --opponent greedy --json")]
pub struct Args {
    /// Checkpoint, or run (its newest checkpoint is used); agent-71 and agent-41 are built in
    #[arg(value_name = "NETWORK", value_parser = cli::checkpoint)]
    checkpoint: PathBuf,
    /// Games against each opponent, an even number [default: from the run's configuration]
    #[arg(long, value_parser = even)]
    games: Option<u32>,
    /// Simulations per move [default: from the run's configuration]
    #[arg(long, value_parser = cli::whole::<u32>(1..=u32::MAX))]
    simulations: Option<u32>,
    /// Opponent, such as greedy or alpha-beta:depth=3; may be repeated; the first has rating 0 [default: from the run's
    /// configuration]
    #[arg(long, value_name = "PLAYER", value_parser = opponent)]
    opponent: Vec<String>,
    /// Random seed of openings and agents
    #[arg(long, default_value_t = 1, value_parser = cli::seed)]
    seed: u64,
    /// Threads that play, 0 for one per core
    #[arg(long, default_value_t = 0, value_parser = cli::threads)]
    threads: usize,
    /// Device of the network: auto, cpu, cuda or cuda:N
    #[arg(long, default_value = "cpu", value_parser = cli::device)]
    device: String,
    /// Print JSON instead of text
    #[arg(long)]
    json: bool,
}

/// Checks a player's text; whether it supports the checkpoint's game is checked later.
fn opponent(text: &str) -> Result<String, String> {
    let player: Result<PlayerSpec, _> = text.parse();
    player.map(|_| text.to_owned()).map_err(|error| error.to_string())
}

fn even(text: &str) -> Result<u32, String> {
    match text.parse() {
        Ok(games @ 2..=1_000_000) if games % 2 == 0 => Ok(games),
        _ => Err("games come in pairs: expected an even number from 2 to 1000000".to_owned()),
    }
}

pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let folder = checkpoint_folder(&args.checkpoint, NetworkKind::Residual)?;
    let manifest = Manifest::read(&folder)?;
    let config = configuration(args, &folder, &manifest.game)?;
    cli::use_threads(args.threads)?;
    let game: GameName = manifest.game.parse().with_context(|| folder.display().to_string())?;
    with_game!(game, G => evaluate::<G>(args, &folder, &config))
}

/// The configuration of the checkpoint's run, if the checkpoint is still in one, with the settings of the command line.
fn configuration(args: &Args, checkpoint: &Path, game: &str) -> anyhow::Result<Config> {
    let text = cli::ConfigText::of_run(checkpoint)?;
    let mut config = match &text {
        Some(text) => Config::load(Some(text.source()), &[])?,
        None => Config::load(None, &[format!("game={game}").into()])?,
    };
    config.seed = args.seed;
    config.evaluation.games = args.games.unwrap_or(config.evaluation.games);
    config.evaluation.simulations = args.simulations.unwrap_or(config.evaluation.simulations);
    if !args.opponent.is_empty() {
        config.evaluation.opponents.clone_from(&args.opponent);
    }
    Ok(config)
}

fn evaluate<G: Playable>(args: &Args, folder: &Path, config: &Config) -> anyhow::Result<ExitCode> {
    let device = device::parse(&args.device)?;
    let checkpoint = Checkpoint::<G>::load_for(config.game.name(), folder, device)?;
    let output = Output::new(false, args.json, 0, "{spinner} {msg}, {elapsed}");
    output
        .bar
        .set_message("games among the baselines, for the scale of the ratings");
    output.tick();
    let stop = signals::stop_flag("stopping")?;
    let request: EvaluationRequest<'_, Residual<G>> = EvaluationRequest {
        checkpoint: folder,
        player: ResidualPlayer {
            network: &checkpoint.network,
            encoding: &checkpoint.encoding,
            device,
            precision: Precision::fastest(device),
        },
        rules: &config.game_rules::<G>(),
        device,
        settings: config,
        seed: args.seed,
        stop: &stop,
    };
    let known = Mutex::new(Known {
        opponents: Vec::new(),
        each: config.evaluation.games,
        all: 0,
    });
    let on_event = |of, MatchEvent::PairFinished { contestants, result }: MatchEvent<'_>| {
        let mut known = known.lock().unwrap_or_else(PoisonError::into_inner);
        known.all = of;
        let finished = known.add(contestants[1], result);
        if output.bar.length() == Some(0) {
            output.bar.set_message("against the baselines");
            output.bar.set_length(of);
            output.draw_by("{spinner} {msg} {wide_bar} {pos}/{len} games, {elapsed}");
        }
        output.bar.set_position(known.games());
        // Without a terminal there is no bar: then each opponent's result is a line as soon as it is known.
        if let Some(line) = finished {
            output.log(line);
        }
    };
    let report = NetworkEvaluation::default().rate(0, &request, &on_event, &|_| {});
    output.bar.finish_and_clear();
    let report = match report {
        Err(error) if is_stop(&error) => {
            let known = known.into_inner().unwrap_or_else(PoisonError::into_inner);
            cli::print_result(args.json, &known.json(), || known.lines().join("\n"))?;
            return Ok(signals::interrupted());
        }
        report => report?,
    };
    cli::print_result(args.json, &report, || strength::in_words(&report))?;
    Ok(ExitCode::SUCCESS)
}

/// Results of an evaluation in progress.
struct Known {
    /// Each opponent that a pair was finished against, with these pairs.
    opponents: Vec<(String, PairCounts)>,
    /// Games against each opponent, and against all.
    each: u32,
    all: u64,
}

impl Known {
    /// Counts a pair. Returns a line when it was the last one against this opponent.
    fn add(&mut self, opponent: &str, pair: &PairResult) -> Option<String> {
        let known = self.opponents.iter().position(|(name, _)| name == opponent);
        let index = known.unwrap_or_else(|| {
            self.opponents.push((opponent.to_owned(), PairCounts::default()));
            self.opponents.len() - 1
        });
        let (name, pairs) = &mut self.opponents[index];
        pairs.add_outcomes(pair.outcomes(), Player::BOTH);
        (Self::games_of(pairs) >= self.each).then(|| Self::line(name, pairs))
    }

    /// Games of all opponents.
    fn games(&self) -> u64 {
        self.opponents
            .iter()
            .map(|(_, pairs)| u64::from(Self::games_of(pairs)))
            .sum()
    }

    const fn games_of(pairs: &PairCounts) -> u32 {
        2 * (pairs.decided() + pairs.truncated)
    }

    /// The result against an opponent.
    fn line(name: &str, pairs: &PairCounts) -> String {
        let games = Self::games_of(pairs);
        let within = |score: &ScoreEstimate| number::percent_within(score.score, &score.score_interval);
        strength::against(name, ScoreEstimate::from_pairs(pairs).as_ref(), games, within).join(" ")
    }

    /// The results so far of an evaluation that was stopped, as JSON.
    fn json(&self) -> serde_json::Value {
        let opponents = self.opponents.iter().map(|(name, pairs)| {
            json!({
                "baseline": name,
                "pairs": pairs,
                "score": ScoreEstimate::from_pairs(pairs),
            })
        });
        json!({
            "ended": "stopped",
            "played": self.games(),
            "of": self.all,
            "opponents": opponents.collect::<Vec<_>>(),
        })
    }

    /// The results so far of an evaluation that was stopped, as lines.
    fn lines(&self) -> Vec<String> {
        let games = match self.all {
            0 => "during the games among the baselines".to_owned(),
            all => format!("after {} of {all} games", self.games()),
        };
        let known = self.opponents.iter();
        let known = known.map(|(name, pairs)| format!("  {}", Self::line(name, pairs)));
        [format!("stopped {games}: no rating")]
            .into_iter()
            .chain(known)
            .collect()
    }
}
