//! Common parts of the subcommands: output, errors, exit codes.

use std::ffi::OsStr;
use std::fmt::Display;
use std::io::{self, IsTerminal, Write};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::str::FromStr;

use anyhow::{Context, anyhow, ensure};
use chase_arena::players::options;
use chase_engine::{Game, Player};
use chase_models::device;
use chase_training::settings::{MOST_THREADS, Setting, Settings};
use chase_training::store::run_dir::CONFIG_FILE;
use clap::builder::{OsStringValueParser, PossibleValuesParser, TypedValueParser};
use serde::Serialize;

use crate::commands::cluster::ClusterArgs;
use crate::signals;

/// Exit code of bad usage or input.
pub const BAD_INPUT: u8 = 2;

/// Text after the options in `--help` of a command that takes players: every kind of player, then examples.
pub fn help_with_players(examples: &str) -> String {
    format!("{}\n{examples}", options::help())
}

/// Writes a line to standard output.
///
/// # Errors
/// If that fails, for example because the reader of a pipe is gone.
pub fn print(line: impl Display) -> io::Result<()> {
    writeln!(io::stdout().lock(), "{line}")
}

/// Writes a value to standard output as JSON, in lines for people.
///
/// # Errors
/// As [`print`].
pub fn print_json(value: &impl Serialize) -> anyhow::Result<()> {
    Ok(print(serde_json::to_string_pretty(value)?)?)
}

/// Writes a result to standard output, as JSON or as text.
///
/// # Errors
/// As [`print`].
pub fn print_result(json: bool, result: &impl Serialize, text: impl FnOnce() -> String) -> anyhow::Result<()> {
    match json {
        true => print_json(result),
        false => Ok(print(text().trim_end())?),
    }
}

/// Writes settings to standard output, as TOML or as one object of JSON.
///
/// # Errors
/// As [`print`].
pub fn print_settings(settings: &impl Settings, json: bool) -> anyhow::Result<()> {
    print_result(json, &settings.table(), || settings.to_toml())
}

/// Writes a line to standard error. Continues if that is closed.
pub fn note(line: impl Display) {
    let _ = writeln!(io::stderr().lock(), "{line}");
}

/// Notes how fast nodes were counted.
pub fn note_speed(nodes: u64, seconds: f64) {
    let speed = rate(nodes as f64 / seconds.max(1e-9));
    note(format_args!("{seconds:.3} s, {speed} nodes/s"));
}

/// Reports an error of a command line to the user, and returns the exit code.
pub fn report(error: &anyhow::Error) -> ExitCode {
    let broken_pipe = |cause: &(dyn std::error::Error + 'static)| {
        let kind = match cause.downcast_ref::<serde_json::Error>() {
            // Serde errors do not expose the writer's error as their source.
            Some(error) => error.io_error_kind(),
            None => cause.downcast_ref().map(io::Error::kind),
        };
        kind == Some(io::ErrorKind::BrokenPipe)
    };
    if error.chain().any(broken_pipe) {
        // The reader, for example `head`, has read enough.
        return ExitCode::SUCCESS;
    }
    note(format_args!("error: {}", message(error)));
    ExitCode::from(BAD_INPUT)
}

/// An error and its causes, without causes that the text above already ends with.
fn message(error: &anyhow::Error) -> String {
    let causes = error.chain().map(ToString::to_string);
    let join = |text: String, cause: String| {
        if text.ends_with(&cause) {
            text
        } else {
            format!("{text}: {cause}")
        }
    };
    causes.reduce(join).unwrap_or_default()
}

/// A rate in readable units: `123.4 M`.
pub fn rate(per_second: f64) -> String {
    match per_second {
        r if r >= 1e6 => format!("{:.1} M", r / 1e6),
        r if r >= 1e3 => format!("{:.1} k", r / 1e3),
        r => format!("{r:.1}"),
    }
}

/// Parses a duration from the command line.
pub fn seconds(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(seconds) if (0.001..=3600.0).contains(&seconds) => Ok(seconds),
        _ => Err("expected seconds from 0.001 to 3600".to_owned()),
    }
}

/// Sets the number of threads that play matches; 0 for one per core.
pub fn use_threads(threads: usize) -> anyhow::Result<()> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build_global();
    pool.context("cannot start the threads")
}

/// The position from an option, or by default the initial one.
///
/// # Errors
/// If the text is not a position of the game.
pub fn position<G: Game>(option: &str, text: Option<&str>, rules: &G::Rules) -> anyhow::Result<G> {
    match text {
        None => Ok(G::new(rules)),
        Some(text) => G::from_position_text(text, rules)
            .map_err(|error| anyhow!("invalid value '{text}' for '{option}': {error}")),
    }
}

/// The conventions that `--rules` gives, or without it the standard ones.
///
/// # Errors
/// If the text says none of the game's.
pub fn rules<G: Game>(text: Option<&str>, standard: G::Rules) -> anyhow::Result<G::Rules> {
    match text {
        None => Ok(standard),
        Some(text) => G::rules_from_text(text, &standard)
            .map_err(|error| anyhow!("invalid value '{text}' for '--rules <RULES>': {error}")),
    }
}

/// Parser of a whole number in a range.
pub fn whole<T>(range: RangeInclusive<T>) -> impl Fn(&str) -> Result<T, String> + Clone
where
    T: FromStr + PartialOrd + Display + Clone,
{
    move |text| {
        let number = text.parse().ok().filter(|number| range.contains(number));
        number.ok_or_else(|| format!("expected a whole number from {} to {}", range.start(), range.end()))
    }
}

/// Parses a seed. TOML, where it may become a setting, has no larger integers.
pub fn seed(text: &str) -> Result<u64, String> {
    whole(0..=i64::MAX as u64)(text)
}

/// Parses a number of threads, 0 for one per core.
pub fn threads(text: &str) -> Result<usize, String> {
    whole(0..=MOST_THREADS)(text)
}

/// Parses the name of a device, which another machine may have.
pub fn device(text: &str) -> Result<String, String> {
    match device::is_name(text) {
        true => Ok(text.to_owned()),
        false => Err(format!("expected {}", device::NAMES)),
    }
}

/// The file of a configuration, under whichever name it is given.
#[derive(Debug, clap::Args)]
#[group(skip)]
pub struct ConfigArgs {
    /// Configuration in TOML
    ///
    /// Missing keys have their defaults.
    #[arg(value_name = "FILE", conflicts_with = "config")]
    file: Option<PathBuf>,
    /// The same as FILE
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
}

impl ConfigArgs {
    /// The file.
    pub fn file(&self) -> Option<&Path> {
        self.file.as_deref().or(self.config.as_deref())
    }

    /// The name of the file without its ending, or a name for work without one.
    pub fn stem(&self, otherwise: &str) -> String {
        let stem = self.file().and_then(Path::file_stem);
        stem.map_or(otherwise.into(), OsStr::to_string_lossy).into_owned()
    }

    /// Reads the file, if there is one.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn read(&self) -> anyhow::Result<Option<ConfigText>> {
        self.file().map(ConfigText::read).transpose()
    }
}

/// The text of a configuration, and the name of its file.
#[derive(Debug)]
pub struct ConfigText {
    pub name: String,
    pub text: String,
}

impl ConfigText {
    /// Reads a file.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn read(file: &Path) -> anyhow::Result<Self> {
        Ok(Self {
            name: file.display().to_string(),
            text: read(file)?,
        })
    }

    /// That of the run that a checkpoint is in, if it is still in one.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn of_run(checkpoint: &Path) -> anyhow::Result<Option<Self>> {
        let run = checkpoint.parent().and_then(Path::parent);
        let file = run.map(|run| run.join(CONFIG_FILE)).filter(|file| file.is_file());
        file.map(|file| Self::read(&file)).transpose()
    }

    /// Name and text, as the types of configurations take them.
    pub fn source(&self) -> (&str, &str) {
        (&self.name, &self.text)
    }
}

/// Parser of the directory of a run: its name becomes part of texts and JSON, which cannot hold other bytes.
pub fn directory() -> impl TypedValueParser<Value = PathBuf> {
    OsStringValueParser::new().try_map(|name| {
        let name = name.into_string();
        name.map(PathBuf::from).map_err(|_| "expected a path in UTF-8")
    })
}

/// Parser of the directory of a new training run, which is also the text of a player: there a comma begins the options.
pub fn new_run() -> impl TypedValueParser<Value = PathBuf> {
    directory().try_map(|path| match path.to_string_lossy().contains(',') {
        true => Err("expected a path without a comma: after it come the options of a player"),
        false => Ok(path),
    })
}

/// Options of commands whose work is described by settings and lies in a directory.
#[derive(Debug, clap::Args)]
#[group(skip)]
pub struct RunArgs {
    /// Change one setting, such as seed=7, or SECTION.KEY=VALUE; may be repeated
    #[arg(long = "set", value_name = "KEY=VALUE")]
    settings: Vec<Setting>,
    /// Random seed
    #[arg(long, value_parser = seed)]
    seed: Option<u64>,
    /// Threads, 0 for one per core
    ///
    /// Without limits of time, results on a CPU do not depend on it.
    #[arg(long, value_parser = threads)]
    pub threads: Option<usize>,
    /// Device of the networks: auto, cpu, cuda or cuda:N
    #[arg(long, value_parser = device)]
    pub device: Option<String>,
    #[command(flatten)]
    pub cluster: ClusterArgs,
    /// Print JSON instead of text
    ///
    /// docs/src/reference/json.md describes it.
    #[arg(long)]
    pub json: bool,
    /// Print only warnings and the result
    #[arg(long, short)]
    pub quiet: bool,
}

impl RunArgs {
    /// All settings, those of the short options included.
    pub fn all_settings(&self) -> Vec<Setting> {
        let mut settings = self.settings.clone();
        add_short_settings(&mut settings, self.seed, self.threads, self.device.as_deref());
        settings
    }
}

/// Adds the settings of `--seed`, `--threads` and `--device`. They take precedence over `--set`, so they come last.
pub fn add_short_settings(
    settings: &mut Vec<Setting>,
    seed: Option<u64>,
    threads: Option<usize>,
    device: Option<&str>,
) {
    add_option(settings, "--seed", "seed", seed);
    add_option(settings, "--threads", "threads", threads);
    add_option(settings, "--device", "device", device.map(quoted));
}

/// Adds the setting of an option, if it is given.
pub fn add_option(settings: &mut Vec<Setting>, option: &'static str, key: &str, value: Option<impl Display>) {
    settings.extend(value.map(|value| Setting::of_option(option, key, value)));
}

/// A word as a shell reads it, for lines that people paste.
pub fn shell_word(word: impl Display) -> String {
    let word = word.to_string();
    let quoted = shlex::try_quote(&word).expect("no argument of a program has a zero byte");
    quoted.into_owned()
}

/// The line that continues the run in a directory; `rest` are further options as they are typed.
pub fn continuation(command: &str, directory: &Path, rest: &str) -> String {
    let directory = shell_word(directory.display());
    format!("continue with: chase {command} --resume {directory}{rest}")
}

/// Ends work that a signal stopped, and says how it continues. Standard output is for JSON, if that is wanted, and
/// there is none.
pub fn interrupted(json: bool, how: &str) -> anyhow::Result<ExitCode> {
    match json {
        true => note(how),
        false => print(how)?,
    }
    Ok(signals::interrupted())
}

/// What is left of games in a directory, done or stopped.
#[derive(Debug)]
pub struct Outcome<'a> {
    pub command: &'a str,
    pub directory: &'a Path,
    /// The page that reports it.
    pub report: &'a Path,
    pub stopped: bool,
}

impl Outcome<'_> {
    /// Prints the result as JSON, under a name, or as text, and then how stopped work continues.
    pub fn print(&self, args: &RunArgs, name: &str, result: &impl Serialize, text: &str) -> anyhow::Result<()> {
        if args.json {
            return print_json(&serde_json::json!({
                "ended": if self.stopped { "stopped" } else { "complete" },
                "directory": self.directory,
                "report": self.report,
                name: result,
            }));
        }
        print(text.trim_end())?;
        print_places(self.report, self.directory)?;
        if self.stopped {
            print(continuation(self.command, self.directory, &args.cluster.words()))?;
        }
        Ok(())
    }
}

/// Prints the report of work and its directory, as the last lines of its output.
pub fn print_places(report: &Path, directory: &Path) -> anyhow::Result<()> {
    print(format_args!("report     {}", report.display()))?;
    Ok(print(format_args!("directory  {}", directory.display()))?)
}

/// A text as a value in TOML.
pub fn quoted(text: impl AsRef<str>) -> String {
    // Texts have the same form in JSON and TOML.
    serde_json::Value::from(text.as_ref()).to_string()
}

/// A directory under `runs/` that does not exist yet: the name, with a suffix -2, -3, … if needed.
pub fn new_directory(name: &str) -> PathBuf {
    // As in `new_run`: a configuration's name may have a comma.
    new_path(&format!("runs/{}", name.replace(',', "-")), "")
}

/// A path that does not exist yet: `stem` and `ending`, with -2, -3, … between them if needed.
pub fn new_path(stem: &str, ending: &str) -> PathBuf {
    let plain = PathBuf::from(format!("{stem}{ending}"));
    let numbered = (2..).map(|number| PathBuf::from(format!("{stem}-{number}{ending}")));
    let mut candidates = std::iter::once(plain.clone()).chain(numbered);
    candidates.find(|candidate| !candidate.exists()).unwrap_or(plain)
}

/// Reads a file from the command line, or in a place given there.
pub fn read(file: &Path) -> anyhow::Result<String> {
    ensure!(!file.is_dir(), "{} is a folder, expected a file", file.display());
    std::fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))
}

/// Parses a checkpoint or run from the command line: its folder, also in the form `net:PATH` of a player.
///
/// # Errors
/// If there is no path, or it is of an efficiently updatable network, which has no priors and tells no draws.
pub fn checkpoint(text: &str) -> Result<PathBuf, String> {
    let built_in = chase_nnue::shipped::is_shipped(Path::new(text)).then_some(text);
    if let Some(path) = text.strip_prefix("nnue:").or(built_in) {
        return Err(format!(
            "expected a residual network, as net:PATH or as the folder of a checkpoint or a run: an efficiently updatable one \
             has no priors to compare; it plays as in chase match nnue:{path} random"
        ));
    }
    let path = text.strip_prefix("net:").unwrap_or(text);
    let has_options = path.split_once(',').is_some_and(|(_, options)| options.contains('='));
    match path {
        "" => Err("expected the folder of a checkpoint or a run".to_owned()),
        _ if has_options && !Path::new(path).exists() => {
            Err("expected a network, not a player with options".to_owned())
        }
        _ => Ok(PathBuf::from(path)),
    }
}

/// Parser of a word that stands for a value.
pub fn choice<T: Clone + Send + Sync + 'static>(
    values: &'static [(&'static str, T)],
) -> impl TypedValueParser<Value = T> {
    let names = values.iter().map(|(name, _)| *name);
    PossibleValuesParser::new(names).map(|name| {
        let (_, value) = values
            .iter()
            .find(|(known, _)| *known == name)
            .expect("it is one of them");
        value.clone()
    })
}

/// Players, by the words of the command line.
pub const SIDES: &[(&str, Player)] = &[("white", Player::White), ("black", Player::Black)];

/// When to paint what is written to standard output.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
pub enum When {
    /// If standard output is a terminal and NO_COLOR is unset.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

impl When {
    /// True if output should be coloured now.
    pub fn paints(self) -> bool {
        match self {
            Self::Always => true,
            Self::Never => false,
            // https://no-color.org
            Self::Auto => {
                io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
            }
        }
    }
}
