//! `chase export`

use std::collections::BTreeSet;
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, bail};
use chase_arena::games::{END_OF_OPENING, GameFolder, line_texts};
use chase_arena::tournament::RECORDS_FILE;
use chase_engine::{Game, Playable, Record};
use chase_training::game_record::{GameRecord, Purpose};
use chase_training::kinds::{Kind, NetworkKind};
use chase_training::replay::shard;
use chase_training::settings::Settings;
use chase_training::store::run_dir::CONFIG_FILE;
use chase_training::store::run_kind::RunKind;
use chase_training::with_kind;
use serde::Serialize;

use crate::cli;
use crate::destination::Destination;

/// Write the games of a run as text records
///
/// A run keeps its games as Parquet files, one row per ply, with the results of the search. This command writes them as
/// records like those of chess: tags, then turns (for Chase in article notation, see docs/src/chase/notation.md).
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  chase export runs/quick-1 --purpose measurement > games.txt
  chase export runs/quick-1 --generation 5 --values --out generation-5.txt
  chase export runs/quick-1 --json > games.jsonl")]
pub struct Args {
    /// The run, or a data set of `chase selfplay`
    #[arg(value_name = "DIR")]
    run: PathBuf,
    /// Games with exploration, which are learned, or games without
    #[arg(long, default_value = "selfplay", value_parser = cli::choice(PURPOSES))]
    purpose: Purpose,
    /// Games of this generation only
    #[arg(long, value_parser = cli::whole::<u64>(0..=1_000_000_000))]
    generation: Option<u64>,
    /// Comment every searched ply with the score that its player expects
    #[arg(long)]
    values: bool,
    /// Write one JSON object per game instead of records
    #[arg(long)]
    json: bool,
    /// Write to this file instead of standard output
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

const PURPOSES: &[(&str, Purpose)] = &[("selfplay", Purpose::Selfplay), ("measurement", Purpose::Measurement)];

pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    if RunKind::of(&args.run) == Some(RunKind::Tournament) {
        let run = args.run.display();
        bail!(
            "{run} is {}: its games are in {run}/{RECORDS_FILE} already",
            RunKind::Tournament
        );
    }
    RunKind::expect(&args.run, &[RunKind::Training, RunKind::DataSet])?;
    let file = args.run.join(CONFIG_FILE);
    let text = cli::ConfigText::read(&file)?;
    let source = Some(text.source());
    with_kind!(
        NetworkKind::of(&args.run),
        S => <S as Settings>::load(source, &[])?.game,
        K => export_of::<K>(args, source)
    )
}

fn export_of<K: Kind<Game: Playable>>(args: &Args, source: Option<(&str, &str)>) -> anyhow::Result<ExitCode> {
    let rules = K::rules(&K::Settings::load(source, &[])?);
    export::<K::Game>(args, &rules, if args.json { json } else { record })
}

/// A function that writes the record of a game of a generation.
type WriteRecord<G> = fn(&GameRecord<G>, &<G as Game>::Rules, &Args, &str) -> anyhow::Result<String>;

fn export<G: Playable>(args: &Args, rules: &G::Rules, write: WriteRecord<G>) -> anyhow::Result<ExitCode> {
    let purpose = args.purpose;
    let folder = GameFolder::new(&args.run);
    let mut shards = folder.shards(purpose)?;
    if let Some(generation) = args.generation {
        let wanted = format!("{}/", shard::generation_folder(generation));
        shards.retain(|name| name.starts_with(&wanted));
    }
    if shards.is_empty() {
        let of_generation = args.generation.map(|number| format!(" of generation {number}"));
        let (run, purpose, of_generation) = (args.run.display(), purpose.name(), of_generation.unwrap_or_default());
        bail!("{run} has no {purpose} games{of_generation}: {}", contents(&folder)?);
    }
    let mut out: Box<dyn Write> = match &args.out {
        Some(path) => Box::new(BufWriter::new(Destination::open(path)?)),
        None => Box::new(io::stdout().lock()),
    };
    let mut first = true;
    for name in shards {
        let generation = name.split('/').next().unwrap_or_default();
        for game in shard::read::<G>(&folder.games(), &name, rules)?.records {
            let record =
                write(&game, rules, args, generation).with_context(|| format!("{name}, game {}", game.index))?;
            if !std::mem::take(&mut first) && !args.json {
                writeln!(out)?;
            }
            write!(out, "{record}")?;
        }
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

/// The games of a run in words.
fn contents(folder: &GameFolder) -> anyhow::Result<String> {
    let mut kinds = Vec::new();
    for purpose in [Purpose::Selfplay, Purpose::Measurement] {
        let shards = folder.shards(purpose)?;
        let places = shards.iter().filter_map(|name| shard::place(name));
        let generations: BTreeSet<u64> = places.map(|place| place.generation).collect();
        let (Some(first), Some(last)) = (generations.first(), generations.last()) else {
            continue;
        };
        let range = match generations.len() {
            1 => format!("generation {first}"),
            _ => format!("generations {first} to {last}"),
        };
        kinds.push(format!("{} games of {range}", purpose.name()));
    }
    Ok(match kinds.is_empty() {
        true => "it has none at all yet".to_owned(),
        false => format!("it has {}", kinds.join(" and ")),
    })
}

/// A game of --json.
#[derive(Serialize)]
struct Line<'a> {
    generation: &'a str,
    purpose: &'static str,
    game: u64,
    /// The position it began from.
    start: String,
    actions: Vec<String>,
    random_plies: u32,
    plies: usize,
    outcome: &'static str,
    end_reason: &'a str,
    /// With --values: the score from 0 to 1 that the player of each ply expects; null without a search.
    #[serde(skip_serializing_if = "Option::is_none")]
    values: Option<Vec<Option<f32>>>,
}

/// A game of any kind as JSON, in one line.
fn json<G: Playable>(game: &GameRecord<G>, _: &G::Rules, args: &Args, generation: &str) -> anyhow::Result<String> {
    let values = game.plies.iter().map(|ply| Some(ply.value?.score() as f32));
    let line = Line {
        generation,
        purpose: args.purpose.name(),
        game: game.index.into(),
        start: game.start.position_text(),
        actions: line_texts(&game.start, game.plies.iter().map(|ply| ply.action), G::action_text),
        random_plies: game.random_plies,
        plies: game.plies.len(),
        outcome: game.outcome.name(),
        end_reason: &game.end_reason,
        values: args.values.then(|| values.collect()),
    };
    Ok(serde_json::to_string(&line)? + "\n")
}

/// The record of a game.
fn record<G: Playable>(
    game: &GameRecord<G>,
    rules: &G::Rules,
    args: &Args,
    generation: &str,
) -> anyhow::Result<String> {
    let run = args.run.file_name().unwrap_or(args.run.as_os_str()).to_string_lossy();
    let event = format!("{run}, {} of {generation}", args.purpose.name());
    let mut record = Record::new(game.start.clone(), rules.clone());
    record.set_tag("Event", &event)?;
    record.set_tag("Round", &(game.index + 1).to_string())?;
    for (number, ply) in (1..).zip(&game.plies) {
        record.push(ply.action)?;
        if number == game.random_plies {
            record.comment(END_OF_OPENING);
        }
        if let Some(value) = ply.value.filter(|_| args.values) {
            let percent = 100.0 * value.score();
            record.comment(&format!("{percent:.1} % after {} simulations", ply.simulations));
        }
    }
    if record.end().is_none() {
        record.declare(game.outcome, &game.end_reason)?;
    }
    Ok(record.to_string())
}
