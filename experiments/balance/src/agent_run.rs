//! One unit of the work: an agent is trained and measured. The code that is compiled once per game.

use std::path::Path;
use std::sync::atomic::AtomicBool;

use chase_arena::tournament::{self, Entrant, OpeningSpec, Standings, Tournament, TournamentConfig, TournamentResults};
use chase_arena::{NetworkSpec, PlayerSpec, SearchLimits, SearchSpec};
use chase_cluster::Cluster;
use chase_engine::Playable;
use chase_models::{Manifest, device};
use chase_training::config::Config;
use chase_training::events::{Ended, EvaluationRequest, EvaluationResult, Event, Observer};
use chase_training::kinds::NetworkKind;
use chase_training::kinds::residual::Residual;
use chase_training::replay::shard::generation_folder;
use chase_training::settings::Settings;
use chase_training::store::files::FileError;
use chase_training::store::run_dir::{META_FILE, STATE_FILE};
use chase_training::store::run_state::RunState;
use chase_training::training_loop::Training;

use crate::agent::{AgentReport, BudgetReport, TrainingFacts};
use crate::config::AgentEntry;
use crate::error::BalanceError;
use crate::first_moves::first_moves;
use crate::games;
use crate::ladder::{self, LadderReport, Step};
use crate::study::{self, Study};

/// Largest number of pairs that a thread plays at the same time; the last digits of evaluations depend on it.
const PAIRS_AT_ONCE: u32 = 16;

/// Plies with a temperature, in players that have one in every ply.
const EVERY_PLY: u32 = 100_000;
/// The temperature of players that always make the best move, and its plies.
const BEST: (f32, u32) = (0.0, SearchSpec::TEMPERATURE_PLIES);

/// Progress of a unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UnitProgress {
    /// The agent.
    pub entry: AgentEntry,
    /// The current phase of the work.
    pub phase: &'static str,
    /// Steps of this phase that are done.
    pub done: u64,
    /// All steps of this phase.
    pub of: u64,
}

/// A way to watch a study and to stop it, and the place of its games.
pub struct BalanceWatch<'a> {
    /// The cluster whose workers play all games, if it is not this process.
    pub cluster: Option<&'a Cluster>,
    /// Set to stop: what is in progress is finished or given up, and is done when the study is resumed.
    pub stop: &'a AtomicBool,
    /// Called often.
    pub on_progress: &'a (dyn Fn(UnitProgress) + Sync),
    /// Called with faults that the work survives.
    pub on_warning: &'a (dyn Fn(&str) + Sync),
}

/// Trains and measures an agent, continuing from where an interrupted attempt was. `None` if it was stopped.
///
/// # Errors
/// If a part of it fails. Finished work stays, and the study can be resumed.
pub fn run_agent<G: Playable>(
    study: &Study,
    entry: AgentEntry,
    watch: &BalanceWatch<'_>,
) -> Result<Option<AgentReport>, BalanceError> {
    let unit = Unit {
        study,
        entry,
        watch,
        training: study.config().training(entry)?,
    };
    unit.run::<G>()
}

struct Unit<'a> {
    study: &'a Study,
    entry: AgentEntry,
    watch: &'a BalanceWatch<'a>,
    training: Config,
}

impl Unit<'_> {
    fn run<G: Playable>(&self) -> Result<Option<AgentReport>, BalanceError> {
        let config = self.study.config();
        if !self.train::<G>()? {
            return Ok(None);
        }
        let run = self.study.folder_of(self.entry).join(study::TRAINING);
        let state = RunState::read(&run.join(STATE_FILE))?.unwrap_or_default();
        let last = run.join("checkpoints").join(generation_folder(state.generation));
        let [small, large] = config.measurement.simulations;
        let Some(small) = self.measure::<G>(&last, small)? else {
            return Ok(None);
        };
        let Some(large) = self.measure::<G>(&last, large)? else {
            return Ok(None);
        };
        let steps = ladder::steps(state.generation, config.ladder.rungs, &config.ladder.temperatures);
        let Some(ladder) = self.ladder::<G>(&run, &steps)? else {
            return Ok(None);
        };
        self.progress("first moves", 0, 1);
        let player = self.player(&last, config.measurement.simulations[1], BEST);
        let contestant = player.contestant_for::<G>(self.entry.game.name(), device::parse(&config.device)?)?;
        // The same positions for all agents of a game.
        let seed = config.seed_of(AgentEntry { agent: 0, ..self.entry }, 1);
        let rules = self.training.game_rules::<G>();
        let found = first_moves(&contestant, &rules, config.first_moves.starts, seed, self.watch.stop);
        let found = found.map_err(|failure| BalanceError::Search {
            game: self.entry.game,
            failure,
        })?;
        let Some(first_moves) = found else { return Ok(None) };
        let manifest = Manifest::read(&last)?;
        Ok(Some(AgentReport {
            game: self.entry.game.name().to_owned(),
            rules_version: G::RULES_VERSION,
            agent: self.entry.agent,
            training: TrainingFacts {
                seed: self.training.seed,
                generations: state.generation,
                games: state.games,
                rows: state.rows,
                samples: state.samples,
                steps: manifest.progress.steps,
                weights: manifest.weights_sha256().expect("a network that plays has weights"),
            },
            budgets: [small, large],
            first_moves,
            ladder,
        }))
    }

    fn progress(&self, phase: &'static str, done: u64, of: u64) {
        (self.watch.on_progress)(UnitProgress {
            entry: self.entry,
            phase,
            done,
            of,
        });
    }

    /// Trains the agent; true if it is finished.
    fn train<G: Playable>(&self) -> Result<bool, BalanceError> {
        let folder = self.study.folder_of(self.entry).join(study::TRAINING);
        let mut observer = Observing { unit: self, rows: 0 };
        let training: Training<Residual<G>> = match folder.join(META_FILE).exists() {
            true => Training::resume(&folder, self.training.clone(), &mut observer)?,
            false => Training::create(&folder, self.training.clone(), &mut observer)?,
        };
        observer.rows = training.state().rows;
        let training = match self.watch.cluster {
            Some(cluster) => training.at(Box::new(cluster.clone())),
            None => training,
        };
        Ok(training.run(&mut observer, self.watch.stop)? != Ended::Stopped)
    }

    /// The agent of a checkpoint, at a budget, with a temperature in its first plies.
    fn player(&self, checkpoint: &Path, simulations: u32, (temperature, plies): (f32, u32)) -> PlayerSpec {
        let network = NetworkSpec {
            precision: self.training.precision.named(),
            ..NetworkSpec::new(NetworkKind::Residual, checkpoint)
        };
        let search = SearchSpec {
            limits: SearchLimits::nodes(simulations.into()),
            temperature,
            temperature_plies: plies,
            ..SearchSpec::network(network)
        };
        search.into()
    }

    /// The final agent against itself at one budget.
    fn measure<G: Playable>(&self, checkpoint: &Path, simulations: u32) -> Result<Option<BudgetReport>, BalanceError> {
        let config = self.study.config();
        let varied = (config.measurement.temperature, config.measurement.temperature_plies);
        let player = self.player(checkpoint, simulations, varied);
        let players = ["first", "second"].map(|name| entrant(name, &player));
        let tournament = TournamentConfig {
            seed: config.seed_of(self.entry, 1 + u64::from(simulations)),
            players: players.into_iter().collect::<Result<_, _>>()?,
            pairs: config.measurement.games / 2,
            openings: OpeningSpec::None,
            ..self.tournament()
        };
        let folder = self.study.folder_of(self.entry).join(study::games_folder(simulations));
        if self.play::<G>(&folder, tournament, "games")?.is_none() {
            return Ok(None);
        }
        let games = games::read(&folder)?;
        let rules = self.training.game_rules::<G>();
        let actions = games.iter().map(|game| games::branching::<G>(game, &rules));
        let actions: Result<Vec<_>, String> = actions.collect();
        let actions = actions.map_err(|reason| FileError::damaged(folder, reason))?;
        let opening_plies = config.measurement.opening_plies;
        Ok(Some(games::report(simulations, opening_plies, &games, &actions)))
    }

    /// Checkpoints and the bare policy against each other and against random play.
    fn ladder<G: Playable>(&self, run: &Path, steps: &[Step]) -> Result<Option<LadderReport>, BalanceError> {
        let settings = &self.study.config().ladder;
        let mut players = vec![ladder::RANDOM.parse::<Entrant>()?];
        for step in steps {
            let checkpoint = run.join("checkpoints").join(generation_folder(step.generation));
            let player = match step.temperature {
                Some(temperature) => self.player(&checkpoint, 0, (temperature, EVERY_PLY)),
                None => self.player(&checkpoint, settings.simulations, BEST),
            };
            players.push(entrant(&step.name(), &player)?);
        }
        let tournament = TournamentConfig {
            seed: self.study.config().seed_of(self.entry, 1),
            players,
            pairs: settings.pairs,
            openings: match settings.opening_plies {
                0 => OpeningSpec::None,
                plies => OpeningSpec::Random { plies },
            },
            anchor: ladder::RANDOM.to_owned(),
            ..self.tournament()
        };
        let folder = self.study.folder_of(self.entry).join(study::LADDER);
        let Some(tournament) = self.play::<G>(&folder, tournament, "ladder")? else {
            return Ok(None);
        };
        let table = Standings::new(tournament.results(), 0).table;
        let report = ladder::report(&table, steps);
        Ok(Some(report.map_err(|error| FileError::damaged(folder, error))?))
    }

    /// The configuration that all tournaments of the study share.
    fn tournament(&self) -> TournamentConfig {
        let config = self.study.config();
        TournamentConfig {
            game: self.entry.game,
            threads: config.threads,
            device: config.device.clone(),
            max_plies: config.measurement.max_plies,
            bootstrap: 0,
            pairs_at_once: PAIRS_AT_ONCE,
            rules: self.training.rules,
            ..TournamentConfig::default()
        }
    }

    /// Plays a tournament to its end; `None` if it was stopped.
    fn play<G: Playable>(
        &self,
        folder: &Path,
        config: TournamentConfig,
        phase: &'static str,
    ) -> Result<Option<Tournament<G>>, BalanceError> {
        let threads = [format!("threads={}", config.threads).into()];
        let mut tournament = match folder.join(META_FILE).exists() {
            true => Tournament::resume(folder, |began| TournamentConfig::load(Some(began), &threads))?,
            false => Tournament::create(folder, config)?,
        };
        let games = tournament.results().schedule().games();
        self.progress(phase, tournament.results().games(), games);
        let mut on_games = |results: &TournamentResults| self.progress(phase, results.games(), games);
        let ended = match self.watch.cluster {
            Some(cluster) => {
                let mut on_warning = |text: String| (self.watch.on_warning)(&text);
                tournament.play_on(cluster, self.watch.stop, &mut on_games, &mut on_warning)?
            }
            None => tournament.play(self.watch.stop, &mut on_games)?,
        };
        Ok((ended == tournament::TournamentEnd::Complete).then_some(tournament))
    }
}

fn entrant(name: &str, player: &PlayerSpec) -> Result<Entrant, BalanceError> {
    Ok(format!("{name}={player}").parse()?)
}

/// Passes on the events of a training run.
struct Observing<'a> {
    unit: &'a Unit<'a>,
    rows: u64,
}

impl<G: Playable> Observer<Residual<G>> for Observing<'_> {
    fn event(&mut self, event: &Event<'_>) {
        match event {
            Event::Generation(summary) => self.rows += summary.new_rows,
            Event::Warning(text) => (self.unit.watch.on_warning)(text),
            _ => {}
        }
        let of = self.unit.study.config().rows;
        self.unit.progress("training", self.rows.min(of), of);
    }

    fn evaluate(&mut self, _: u64, _: &EvaluationRequest<'_, Residual<G>>) -> EvaluationResult {
        Err("a balance study evaluates nothing while it trains".into())
    }
}
