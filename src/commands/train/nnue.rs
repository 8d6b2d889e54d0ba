//! `chase train` for the second family of agents.

use std::path::Path;
use std::process::ExitCode;

use anyhow::bail;
use chase_arena::runs;
use chase_training::events::Ended;
use chase_training::kinds::nnue::config::Config;
use chase_training::kinds::nnue::events::{Event, Summary};
use chase_training::kinds::nnue::run::Run;
use chase_training::settings::{Change, Setting, Settings};
use serde_json::json;

use super::{BAR, ending, longer, places};
use crate::output::Output;
use crate::{cli, signals};

/// Options of the command, besides the configuration.
pub struct Options<'a> {
    /// The run to continue.
    pub resume: Option<&'a Path>,
    /// Directory of the new run.
    pub run_dir: Option<&'a Path>,
    /// The file of the configuration, which a run is named after.
    pub file: Option<&'a Path>,
    /// Options for the first family only: true if given, and the name.
    pub foreign: [(bool, &'static str); 5],
    pub dry_run: bool,
    pub json: bool,
    pub quiet: bool,
}

pub fn run(args: &Options<'_>, source: Option<(&str, &str)>, settings: &[Setting]) -> anyhow::Result<ExitCode> {
    if let Some((_, option)) = args.foreign.iter().find(|(given, _)| *given) {
        bail!("{option} is for networks of the first family, not for the family nnue");
    }
    let config = match source {
        Some(source) if args.resume.is_some() => Config::changed(source, settings, Change::Resume)?,
        source => Config::load(source, settings)?,
    };
    if args.dry_run {
        cli::print(config.to_toml().trim_end())?;
        return Ok(ExitCode::SUCCESS);
    }
    let stop = signals::stop_flag("stopping after the current games or step")?;
    let mut console = Console::new(args);
    let mut observer = |event: &Event<'_>| console.event(event);
    let (run, directory) = match args.resume {
        Some(directory) => (Run::resume(directory, config, &mut observer)?, directory.to_owned()),
        None => {
            let name = args.file.and_then(Path::file_stem);
            let name = name.map_or("nnue".into(), |name| name.to_string_lossy());
            let directory = args
                .run_dir
                .map(Path::to_owned)
                .unwrap_or_else(|| cli::new_directory(&format!("{name}-{}", config.seed)));
            (Run::create(&directory, config, &mut observer)?, directory)
        }
    };
    let ended = run.run(&mut observer, &stop)?;
    let page = runs::write_training_report(&directory)?;
    console.finish(ended, &directory, &page)?;
    Ok(ExitCode::SUCCESS)
}

/// Displays the events of a run.
struct Console {
    is_resumed: bool,
    output: Output,
    last: Option<Summary>,
}

impl Console {
    fn new(args: &Options<'_>) -> Self {
        Self {
            is_resumed: args.resume.is_some(),
            output: Output::new(args.json, args.quiet, 0, BAR),
            last: None,
        }
    }

    fn show(&self, prefix: String, done: u64, of: u64, message: String) {
        if self.output.bar.prefix() != prefix {
            self.output.bar.reset();
            self.output.bar.set_prefix(prefix);
        }
        self.output.bar.set_length(of);
        self.output.bar.set_position(done);
        self.output.bar.set_message(message);
    }

    fn event(&mut self, event: &Event<'_>) {
        match event {
            Event::Playing {
                generation, games, of, ..
            } => self.show(format!("generation {generation} selfplay"), *games, *of, "games".into()),
            Event::Learning {
                generation,
                step,
                of,
                loss,
            } => self.show(
                format!("generation {generation} learning"),
                *step,
                *of,
                format!("steps, loss {loss:.4}"),
            ),
            Event::Generation(summary) => {
                self.output.tell(&json!({
                    "event": "generation",
                    "generation": summary.generation,
                    "games": summary.tally.games,
                    "rows": summary.rows,
                    "loss": number(summary.loss),
                    "validation_loss": number(summary.validation_loss),
                    "quantised_loss": number(summary.quantised_loss),
                    "minutes": summary.minutes,
                }));
                self.output.say(event);
                self.last = Some((*summary).clone());
            }
            Event::Started {
                directory, generation, ..
            } => {
                self.output
                    .tell(&json!({"event": "started", "directory": directory, "generation": generation}));
                self.output.say(event);
            }
            Event::Warning(text) => self.output.warn(text),
            Event::Ended(_) => self.output.bar.finish_and_clear(),
        }
    }

    /// The last output of a run.
    fn finish(&self, ended: Ended, directory: &Path, page: &Path) -> anyhow::Result<()> {
        if self.output.json {
            return Ok(cli::print(json!({
                "event": "ended",
                "reason": ended.to_string(),
                "directory": directory,
                "report": page,
            }))?);
        }
        let done = self.last.as_ref().map(|summary| (summary.generation, summary.minutes));
        cli::print(ending(ended, done))?;
        cli::print(format_args!("report      {}", page.display()))?;
        cli::print(places(directory))?;
        if self.is_resumed && self.last.is_none() {
            longer(ended, directory).into_iter().try_for_each(cli::print)?;
        }
        if ended == Ended::Stopped {
            cli::print(format_args!(
                "continue with: chase train --resume {}",
                directory.display()
            ))?;
        }
        Ok(())
    }
}

/// A number as JSON has it; null where there is none.
fn number(value: f64) -> serde_json::Value {
    serde_json::Number::from_f64(value).map_or(serde_json::Value::Null, Into::into)
}
