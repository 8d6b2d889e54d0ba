//! Output of a run, for a person at a terminal or a program at a pipe.

use std::path::Path;
use std::time::Instant;

use chase_arena::{MatchEvent, NetworkEvaluation, NetworkReport, Rated};
use chase_report::number;
use chase_training::config::LimitsConfig;
use chase_training::events::{Ended, EvaluationRequest, EvaluationResult, Event, Observer, Summary};
use chase_training::kinds::KindSettings;
use chase_training::openings::OpeningStatistics;
use chase_training::replay::shard::generation_folder;
use chase_training::store::files;
use serde_json::{Value, json};

use super::{BAR, ending, places};
use crate::output::Output;
use crate::{cli, strength};

/// Displays the events of a run, and rates its networks.
pub struct Console<K: Rated> {
    output: Output,
    limits: LimitsConfig,
    /// Generation and phase that the bar shows.
    phase: (u64, &'static str),
    phase_begin: Instant,
    evaluation: NetworkEvaluation<K::Game>,
    last_summary: Option<Summary>,
    last_report: Option<NetworkReport>,
    /// True if the last report was not printed yet: the run's last one is part of its result, and of nothing else.
    is_held: bool,
    last_measurement: Option<OpeningStatistics>,
}

impl<K: Rated> Console<K> {
    pub fn new(json: bool, quiet: bool, settings: &K::Settings, evaluation: NetworkEvaluation<K::Game>) -> Self {
        Self {
            output: Output::new(json, quiet, 0, BAR),
            limits: settings.sections().limits.clone(),
            phase: (0, ""),
            phase_begin: Instant::now(),
            evaluation,
            last_summary: None,
            last_report: None,
            is_held: false,
            last_measurement: None,
        }
    }

    /// True if a generation was finished.
    pub const fn has_generations(&self) -> bool {
        self.last_summary.is_some()
    }

    /// Prints a report that was held back until it was known not to be the run's last.
    fn release(&mut self) {
        if let Some(report) = self.last_report.as_ref().filter(|_| self.is_held) {
            self.output.say(strength::in_words(report));
        }
        self.is_held = false;
    }

    /// Sets the bar to a phase of a generation.
    fn show(&mut self, phase: (u64, &'static str), done: u64, of: u64, message: impl Into<String>) {
        if self.phase != phase {
            self.phase = phase;
            self.phase_begin = Instant::now();
            self.output.bar.reset();
            self.output
                .bar
                .set_prefix(format!("generation {} {}", phase.0, phase.1));
        }
        let message = message.into();
        // Without a terminal there is no bar.
        if self.output.is_due() {
            progress(&self.output, phase, [done, of], &message);
        }
        self.output.bar.set_length(of);
        self.output.bar.set_position(done);
        self.output.bar.set_message(message);
    }

    /// The status line of a generation: progress of the run, and the main figures.
    fn status(&self, summary: &Summary) -> String {
        // A refit continues beyond the limits of the run.
        let LimitsConfig {
            minutes,
            generations,
            rows,
        } = self.limits;
        let limit = if summary.is_refit {
            "refit".to_owned()
        } else if minutes > 0.0 {
            format!("{:.1} of {minutes} min", summary.minutes)
        } else if generations > 0 {
            format!("generation {} of {generations}", summary.generation)
        } else {
            format!("until {rows} rows are played")
        };
        format!("{summary} ({limit})")
    }

    /// The last output of a run: its results, and where to find more.
    pub fn finish(&self, ended: Ended, directory: &Path, page: &Path) -> anyhow::Result<()> {
        if self.output.json {
            return Ok(cli::print(json!({
                "event": "ended",
                "reason": ended.to_string(),
                "directory": directory,
                "report": page,
            }))?);
        }
        cli::print("")?;
        let done = self.last_summary.as_ref();
        let done = done.map(|summary| (summary.generation, summary.minutes));
        cli::print(ending(ended, done))?;
        if let Some(report) = &self.last_report {
            cli::print(strength::in_words(report))?;
        }
        if let Some(openings) = &self.last_measurement {
            for line in opening_lines(openings) {
                cli::print(line)?;
            }
        }
        cli::print(format_args!("report      {}", page.display()))?;
        Ok(cli::print(places(directory))?)
    }
}

/// Tells how far a phase of a generation is: `done` of all, with what is counted.
fn progress(output: &Output, (generation, phase): (u64, &str), [done, of]: [u64; 2], counted: &str) {
    output.tell(&json!({"event": "progress", "generation": generation, "phase": phase, "done": done, "of": of}));
    output.say(format_args!(
        "generation {generation} {phase}: {done} of {of} {counted}"
    ));
}

/// The first player's score and the first actions that the agent likes best and least, as text.
fn opening_lines(openings: &OpeningStatistics) -> Vec<String> {
    let mut lines = Vec::new();
    let total = &openings.total;
    if let Some(score) = total.first_player_score() {
        let truncated = match total.truncated {
            0 => String::new(),
            truncated => format!("; {truncated} more were truncated"),
        };
        lines.push(format!(
            "first player scores {:.1} % in {} measured games ({} drawn{truncated})",
            100.0 * score,
            total.decided(),
            total.draws,
        ));
    }
    let mut first: Vec<_> = openings.lines.iter().filter(|line| line.actions.len() == 1).collect();
    // Lines that round to zero are left out.
    first.retain(|line| line.visits.is_some_and(|visits| visits >= 0.005));
    first.sort_by(|a, b| b.visits.unwrap_or(0.0).total_cmp(&a.visits.unwrap_or(0.0)));
    let name = |line: &&chase_training::openings::OpeningLine| {
        format!(
            "{} ({:.0} % of visits)",
            line.actions.join(" "),
            100.0 * line.visits.unwrap_or(0.0)
        )
    };
    if !first.is_empty() {
        let names: Vec<_> = first.iter().take(5).map(name).collect();
        lines.push(format!("most searched first moves: {}", names.join(", ")));
    }
    lines
}

impl<K: Rated> Observer<K> for Console<K> {
    fn event(&mut self, event: &Event<'_>) {
        if !matches!(event, Event::Ended(_) | Event::Measured(_)) {
            self.release();
        }
        match event {
            Event::Started {
                directory, generation, ..
            } => {
                self.output
                    .tell(&json!({"event": "started", "directory": directory, "generation": generation}));
                self.output.say(event);
            }
            Event::Playing {
                generation,
                purpose,
                games,
                of,
                evaluations,
                by_nodes,
                ..
            } => {
                let phase = (*generation, purpose.name());
                let seconds = self.phase_begin.elapsed().as_secs_f64();
                let speed = if self.phase == phase && seconds > 0.0 {
                    let what = if *by_nodes { "nodes" } else { "evaluations" };
                    format!("games, {} {what}/s", cli::rate(*evaluations as f64 / seconds))
                } else {
                    "games".into()
                };
                self.show(phase, *games, *of, speed);
            }
            Event::Learning {
                generation,
                step,
                of,
                loss,
            } => self.show((*generation, "learning"), *step, *of, format!("steps, loss {loss:.3}")),
            Event::Generation(summary) => {
                let mut object = json!({
                    "event": "generation",
                    "generation": summary.generation,
                    "games": summary.tally.games,
                    "random_opening_games": summary.random_openings.games,
                    "by_heuristic": summary.by_heuristic,
                    "mean_plies": summary.mean_plies,
                    "first_player_score": summary.tally.first_player_score(),
                    "rows": summary.window_rows,
                    "loss": summary.losses.total,
                    "evaluations_per_second": summary.evaluations_per_second,
                    "minutes": summary.minutes,
                    "checkpoint": summary.checkpoint,
                });
                for (name, figure) in &summary.figures {
                    object[name.rsplit('/').next().unwrap_or(name)] = Value::from(*figure);
                }
                self.output.tell(&object);
                self.output.say(self.status(summary));
                self.last_summary = Some((*summary).clone());
            }
            Event::Measured(openings) => {
                self.output.tell(&json!({
                    "event": "measured",
                    "generation": openings.generation,
                    "games": openings.total.games,
                    "first_player_score": openings.total.first_player_score(),
                }));
                self.last_measurement = Some((*openings).clone());
            }
            Event::Evaluated { generation, values } => {
                let values: serde_json::Map<_, _> = values
                    .iter()
                    .map(|(name, value)| (name.clone(), json!(value)))
                    .collect();
                self.output
                    .tell(&json!({"event": "evaluated", "generation": generation, "values": values}));
                self.is_held = true;
            }
            Event::Warning(text) => self.output.warn(text),
            Event::Ended(_) => self.output.bar.finish_and_clear(),
        }
    }

    fn evaluate(&mut self, generation: u64, request: &EvaluationRequest<'_, K>) -> EvaluationResult {
        let games = std::sync::atomic::AtomicU64::new(0);
        let bar = self.output.bar.clone();
        bar.reset();
        bar.set_prefix(format!("generation {generation} evaluation"));
        bar.set_message("games");
        self.phase = (generation, "evaluation");
        let settings = request.settings.sections().evaluation;
        let (name, each) = (generation_folder(generation), settings.games);
        let baselines = number::counted(settings.opponents.len() as u64, "baseline");
        let output = &self.output;
        output.log(format_args!("rating {name}: {each} games against each of {baselines}"));
        let on_event = |of, _: MatchEvent<'_>| {
            let done = 2 * (1 + games.fetch_add(1, std::sync::atomic::Ordering::Relaxed));
            bar.set_length(of);
            bar.set_position(done);
            if output.is_due() {
                progress(output, (generation, "evaluation"), [done, of], "games");
            }
        };
        let on_warning = |text: String| output.warn(&text);
        let report = self.evaluation.rate(generation, request, &on_event, &on_warning)?;
        // In addition to the figures in the metrics: every result, so that ratings can be recomputed.
        if let Some(run) = request.checkpoint.parent().and_then(Path::parent) {
            let folder = run.join("evaluations");
            std::fs::create_dir_all(&folder)?;
            let name = format!("{}.json", generation_folder(generation));
            files::write_whole(&folder.join(name), &serde_json::to_vec_pretty(&report)?)?;
        }
        let values = report.values();
        self.release();
        self.last_report = Some(report);
        Ok(values)
    }
}
