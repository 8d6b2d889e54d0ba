//! The numbers of a training report, apart from how they are shown. `report.json` is this, serialised.

use std::collections::{BTreeMap, BTreeSet};

use chase_training::config::RefitConfig;
use chase_training::kinds::NetworkKind;
use chase_training::metrics::{MetricRecord, RunPart};
use chase_training::openings::{OpeningStatistics, Tally};
use chase_training::store::run_dir::BranchPoint;
use serde::Serialize;

use super::first_moves::FirstMoves;
use super::opening_table::OpeningTable;
use super::read::Run;
use super::score::{self, Rating, Score, Versus};

/// Everything that a training report says.
#[derive(Clone, Debug, Serialize)]
pub struct Figures {
    /// Facts about the run.
    pub run: RunFacts,
    /// The learner's losses, by rising step.
    pub losses: Vec<Loss>,
    /// Losses on games that are not learned from, by rising generation; only in runs of efficiently updatable networks.
    pub held_out: Vec<HeldOut>,
    /// The zero of ratings: the first opponent, or `random play`.
    pub anchor: String,
    /// Ratings above it, by rising generation; 0 is the untrained network.
    pub ratings: Vec<Rating>,
    /// Evaluations, with or without a rating.
    pub evaluations: usize,
    /// Scores against each baseline.
    pub baselines: Vec<Baseline>,
    /// Self-play, with exploration, by rising generation.
    pub selfplay: Vec<GenerationResults>,
    /// Measurement games, without noise, by rising generation. Never trained on.
    pub measurement: Vec<GenerationResults>,
    /// Rates of self-play, by rising generation.
    pub speed: Vec<SelfplayRates>,
    /// The colour-swap test of the last evaluated network: the largest difference of any win, draw or loss probability
    /// between positions and the same turned by 180° with players exchanged. `None` in a game without that symmetry.
    pub colour_swap: Option<f64>,
    /// The last evaluated network's value of the initial position, without search: expected score of the first player.
    pub initial_score: Option<f64>,
    /// The openings of the last measurement games, or else of the last self-play games.
    pub openings: Option<OpeningTable>,
    /// How the choice of the first move changed; `None` unless two generations have games from the initial position.
    pub first_moves: Option<FirstMoves>,
}

/// Facts about the run.
#[derive(Clone, Debug, Serialize)]
pub struct RunFacts {
    /// Name of the run.
    pub name: String,
    /// The game.
    pub game: String,
    /// Seed.
    pub seed: u64,
    /// The commit that the program was built from; with `+` behind it where the sources differed.
    pub git: Option<String>,
    /// Version of the program.
    pub program_version: String,
    /// Seconds since 1970.
    pub started: u64,
    /// The point at which it left another run, if it did. Counters and curves include the work of that run.
    pub branched_from: Option<BranchPoint>,
    /// Seconds of work, interruptions not counted.
    pub seconds: Option<f64>,
    /// Cores of the machine.
    pub host_cores: usize,
    /// The kind of its network.
    pub kind: NetworkKind,
    /// Residual blocks and channels of a residual network.
    pub network: Option<[u64; 2]>,
    /// Sums for each player in an efficiently updatable network.
    pub width: Option<u64>,
    /// Strategy of the search in self-play.
    pub search: Option<String>,
    /// Simulations of a full search in self-play.
    pub simulations: Option<u64>,
    /// Nodes of a search in self-play, on average; only in alpha-beta.
    pub nodes: Option<u64>,
    /// True if it began with the weights of another network.
    pub begins_with_network: bool,
    /// First generations whose games the hand-written heuristic played.
    pub heuristic_generations: u64,
    /// Other directories whose games are learned too.
    pub data: usize,
    /// True if a new network began by learning the games of the run that this one branched from (`--refit`).
    pub is_refit: bool,
    /// Generations without games in which it learned them.
    pub refit_generations: u64,
    /// Finished generations.
    pub generations: u64,
    /// Self-play games.
    pub games: u64,
    /// Rows that could be trained on.
    pub rows: Option<u64>,
    /// Steps of the learner.
    pub steps: u64,
    /// Simulations a ply in measurement games.
    pub measurement_simulations: Option<u64>,
    /// Plies of measurement games that are drawn by visits instead of played by most visits.
    pub measurement_temperature_plies: Option<u64>,
    /// True if its networks play against baselines.
    pub is_evaluated: bool,
    /// Simulations a ply in evaluation games.
    pub evaluation_simulations: Option<u64>,
}

/// Losses, means over the steps since the last record; cross-entropies in nats.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Loss {
    /// Step of the optimizer.
    pub step: u64,
    /// Weighted sum of all.
    pub total: Option<f64>,
    /// Loss of the policy.
    pub policy: Option<f64>,
    /// Loss of win, draw and loss.
    pub value: Option<f64>,
    /// Entropy of the policy's targets, below which its loss cannot fall.
    pub target_entropy: Option<f64>,
}

/// Losses on games that are not learned from, in nats.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct HeldOut {
    /// The generation.
    pub generation: u64,
    /// Loss of the network as it learns, in floating point.
    pub loss: Option<f64>,
    /// Loss of the network as it plays, in whole numbers.
    pub quantised: Option<f64>,
}

/// Scores against one opponent.
#[derive(Clone, Debug, Serialize)]
pub struct Baseline {
    /// The opponent.
    pub name: String,
    /// The scores, by rising generation.
    pub scores: Vec<Versus>,
}

/// Results of the games of a generation.
#[derive(Clone, Debug, Serialize)]
pub struct GenerationResults {
    /// The generation.
    pub generation: u64,
    /// Games from the initial position by result.
    pub tally: Tally,
    /// Games that began with random plies, which no other figure here counts.
    pub random_openings: u64,
    /// Plies of a game, mean, truncated games included.
    pub mean_plies: Option<f64>,
    /// Points of White, who moves first.
    pub first_player: Option<Score>,
    /// Number of games that ended for each reason.
    pub end_reasons: BTreeMap<String, u64>,
}

/// Rates of self-play.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct SelfplayRates {
    /// The generation.
    pub generation: u64,
    /// Games a second.
    pub games: Option<f64>,
    /// Plies a second.
    pub plies: Option<f64>,
    /// Evaluations of the network a second.
    pub evaluations: Option<f64>,
    /// Nodes of alpha-beta a second.
    pub nodes: Option<f64>,
}

impl Figures {
    /// The numbers of a run.
    ///
    /// # Errors
    /// If its opening statistics name an action that the game does not know.
    pub fn new(run: &Run) -> anyhow::Result<Self> {
        let [selfplay, measurement] = ["selfplay", "measurement"].map(|purpose| {
            let openings = run.openings_of(purpose).into_iter();
            openings.map(GenerationResults::new).collect::<Vec<_>>()
        });
        let played = run.part(RunPart::Selfplay);
        let evaluations = run.part(RunPart::Evaluation);
        let last = |name: &str| evaluations.last().and_then(|record| record.figure(name));
        let of_openings = ["measurement", "selfplay"].map(|purpose| run.openings_of(purpose).last().copied());
        let openings = of_openings
            .into_iter()
            .flatten()
            .find(|openings| openings.total.games > 0);
        Ok(Self {
            run: RunFacts::new(run, &selfplay),
            losses: run.part(RunPart::Learner).into_iter().map(Loss::new).collect(),
            held_out: played.iter().filter_map(|record| HeldOut::new(record)).collect(),
            anchor: match run
                .setting("evaluation.opponents")
                .and_then(|opponents| opponents.get(0)?.as_str())
            {
                None | Some("random") => "random play".to_owned(),
                Some(anchor) => anchor.to_owned(),
            },
            ratings: evaluations.iter().filter_map(|record| Rating::new(record)).collect(),
            evaluations: evaluations.len(),
            baselines: baselines(&evaluations),
            speed: played.into_iter().map(SelfplayRates::new).collect(),
            colour_swap: last(score::SWAP_DIFFERENCE),
            initial_score: last(score::INITIAL_SCORE),
            openings: openings
                .map(|openings| OpeningTable::new(&run.meta.game, openings))
                .transpose()?,
            first_moves: FirstMoves::new(run),
            selfplay,
            measurement,
        })
    }
}

impl RunFacts {
    /// True if it learns from games of other directories alone.
    pub(crate) const fn plays_no_games(&self) -> bool {
        self.data > 0 && self.games == 0
    }

    fn new(run: &Run, selfplay: &[GenerationResults]) -> Self {
        let meta = &run.meta;
        let state = run.state.as_ref();
        let generations = run.records.iter().map(|record| record.generation).max();
        let dirty = if meta.git_dirty == Some(true) { "+" } else { "" };
        let kind = NetworkKind::named(run.setting("kind").and_then(|kind| kind.as_str()));
        let network = [run.number("network.blocks"), run.number("network.channels")];
        let begins_with_network = run.setting("network.start").is_some();
        Self {
            name: run.name.clone(),
            game: meta.game.clone(),
            seed: meta.seed,
            git: meta.git_hash.as_ref().map(|hash| {
                let short: String = hash.chars().take(10).collect();
                format!("{short}{dirty}")
            }),
            program_version: meta.program_version.clone(),
            started: meta.started,
            branched_from: meta.branched_from.clone(),
            seconds: state.map(|state| state.milliseconds as f64 / 1e3),
            host_cores: meta.host_cores,
            is_refit: state.is_some_and(|state| {
                let from = meta.branched_from.as_ref().map(|point| point.generation);
                from.is_some() && from == state.refit_from
            }),
            refit_generations: run
                .number("refit.generations")
                .unwrap_or(RefitConfig::default().generations),
            kind,
            network: match network {
                [Some(blocks), Some(channels)] => Some([blocks, channels]),
                _ => None,
            },
            width: run.number("network.width"),
            search: run
                .setting("search.algorithm")
                .and_then(|value| value.as_str())
                .map(Into::into),
            simulations: run.number("search.simulations"),
            nodes: run.number("selfplay.nodes"),
            begins_with_network,
            heuristic_generations: match begins_with_network {
                true => 0,
                false => run.number("selfplay.heuristic_generations").unwrap_or(0),
            },
            data: run.setting("data").and_then(|data| data.as_array()).map_or(0, Vec::len),
            generations: state.map_or(generations.unwrap_or(0), |state| state.generation),
            games: state.map_or_else(
                || selfplay.iter().map(|results| results.tally.games).sum(),
                |state| state.games,
            ),
            rows: state.map(|state| state.rows),
            steps: run.part(RunPart::Learner).last().map_or(0, |record| record.step),
            measurement_simulations: run.number("measurement.simulations"),
            measurement_temperature_plies: run.number("measurement.temperature_plies"),
            is_evaluated: run.number("evaluation.every").is_some_and(|every| every > 0),
            evaluation_simulations: run.number("evaluation.simulations"),
        }
    }
}

impl Loss {
    fn new(record: &MetricRecord) -> Self {
        Self {
            step: record.step,
            total: record.figure("loss/total"),
            policy: record.figure("loss/policy"),
            value: record.figure("loss/value"),
            target_entropy: record.figure("policy/target_entropy"),
        }
    }
}

impl HeldOut {
    fn new(record: &MetricRecord) -> Option<Self> {
        let [loss, quantised] = ["eval/validation_loss", "eval/quantised_loss"].map(|name| record.figure(name));
        (loss.is_some() || quantised.is_some()).then_some(Self {
            generation: record.generation,
            loss,
            quantised,
        })
    }
}

fn baselines(evaluations: &[&MetricRecord]) -> Vec<Baseline> {
    let names: BTreeSet<&str> = evaluations.iter().flat_map(|record| score::baselines(record)).collect();
    let scores = |name: &str| {
        let versus = evaluations.iter().filter_map(|record| Versus::new(record, name));
        Baseline {
            name: name.to_owned(),
            scores: versus.collect(),
        }
    };
    let mut baselines: Vec<Baseline> = names.into_iter().map(scores).collect();
    // The weakest opponent first.
    let last = |baseline: &Baseline| baseline.scores.last().map_or(0.0, |versus| versus.score);
    baselines.sort_by(|one, other| last(other).total_cmp(&last(one)));
    baselines
}

impl GenerationResults {
    fn new(openings: &OpeningStatistics) -> Self {
        Self {
            generation: openings.generation,
            tally: openings.total,
            random_openings: openings.random_openings.games,
            mean_plies: openings.mean_plies,
            first_player: Score::of_first_player(&openings.total),
            end_reasons: openings.end_reasons.clone(),
        }
    }
}

impl SelfplayRates {
    fn new(record: &MetricRecord) -> Self {
        Self {
            generation: record.generation,
            games: record.figure("selfplay/games_per_s"),
            plies: record.figure("selfplay/positions_per_s"),
            evaluations: record.figure("inference/evals_per_s"),
            nodes: record.figure("selfplay/nodes_per_s"),
        }
    }
}
