//! Players as short texts: an evaluator, a search, limits and a choice; or random play, greedy play, an external program.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;

use chase_engine::Moment;
use chase_engine::alpha_beta::Settings as AlphaBetaSettings;
use chase_engine::search::PuctParams;
use chase_training::kinds::NetworkKind;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::chance::Chance;
use super::external::{self, EngineSpec};
use super::grammar::{self, SpecError, key_values, one_of, set_all};
use super::level::{ALL_PLIES, LEVELS};
use super::networks::{self, NetworkSpec};
use super::options::{BLUNDERS, OPTIONS};
use super::searches::SearchKind;

/// A player.
///
/// The text form is the player's name in results and ratings; it leaves out options at their defaults. The path of a
/// network may omit `net:` or `nnue:` if it has a slash, is a folder that exists, or is a built-in agent.
///
#[doc = include_str!("../../../../docs/src/reference/players.md")]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "String", into = "String")]
pub enum PlayerSpec {
    /// Random play: the zero of all ratings.
    Random,
    /// Greedy play, with this probability of a random action instead.
    Greedy(f64),
    /// An evaluator that a search asks.
    Search(SearchSpec),
    /// An external program.
    Engine(EngineSpec),
}

/// A player that searches: an evaluator × a search × limits × a choice.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchSpec {
    /// What judges positions.
    pub evaluator: EvaluatorSpec,
    /// How positions are searched.
    pub search: SearchKind,
    /// The limits that the text gives.
    pub limits: SearchLimits,
    /// Weight of priors in PUCT.
    pub c_puct: f32,
    /// Temperature of priors in tree searches.
    pub policy_temperature: f32,
    /// Leaves of a tree that are evaluated together in PUCT; `None` for the default.
    pub batch: Option<u32>,
    /// Shortcuts and memory of alpha-beta.
    pub alpha_beta: AlphaBetaSettings,
    /// Temperature of the choice in the first plies.
    pub temperature: f32,
    /// Number of these plies.
    pub temperature_plies: u32,
    /// Probability of a random action, from 0 to 1.
    pub blunders: f64,
}

/// What judges positions.
#[derive(Clone, Debug, PartialEq)]
pub enum EvaluatorSpec {
    /// A network.
    Network(NetworkSpec),
    /// The hand-written heuristic of the game.
    Heuristic,
    /// The results of this many random games from each position, 1 to 1000.
    Rollouts {
        /// Their number.
        games: u32,
    },
    /// Nothing: only proven results count.
    Uniform,
}

/// Limits of a search: it ends at the first one reached.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SearchLimits {
    /// Simulations of a tree search, nodes of alpha-beta. Without simulations there is only the evaluator's own value.
    pub nodes: Option<u64>,
    /// Plies: the depth of alpha-beta, the length of the line that a tree search expects.
    pub depth: Option<u32>,
    /// Time; every search evaluates the position itself, and alpha-beta looks one ply ahead, however short it is.
    pub time: Option<Duration>,
}

impl SearchLimits {
    /// The present, if there is a limit of time: other players do not look at the clock.
    pub(crate) fn begin(&self) -> Option<Moment> {
        self.time.map(|_| Moment::now())
    }

    /// A limit of simulations or nodes alone.
    pub const fn nodes(nodes: u64) -> Self {
        Self {
            nodes: Some(nodes),
            depth: None,
            time: None,
        }
    }

    /// A limit of time alone.
    pub const fn time(time: Duration) -> Self {
        Self {
            nodes: None,
            depth: None,
            time: Some(time),
        }
    }

    /// These limits and others: of each the smaller one.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self {
            nodes: least(self.nodes, other.nodes),
            depth: least(self.depth, other.depth),
            time: least(self.time, other.time),
        }
    }

    /// The same, or without any limit so many simulations or nodes.
    #[must_use]
    pub fn or_nodes(self, nodes: u64) -> Self {
        if self == Self::default() {
            Self::nodes(nodes)
        } else {
            self
        }
    }
}

/// The smaller one of the limits that are set.
pub(crate) fn least<T: Ord>(one: Option<T>, other: Option<T>) -> Option<T> {
    one.into_iter().chain(other).min()
}

/// A word that texts of players begin with.
pub(crate) struct Kind {
    pub name: &'static str,
    /// The argument between the colon and the options, if there is one.
    pub argument: Option<&'static str>,
    /// Explanation of the kind, as a sentence.
    pub meaning: &'static str,
    /// A text of this kind.
    pub example: &'static str,
    /// For a player that searches, the evaluator by its word, and the search of a text that names none.
    pub pairing: Option<(&'static str, SearchKind)>,
}

/// The kinds of players without a network.
static KINDS: [Kind; 7] = [
    Kind {
        name: "random",
        argument: None,
        meaning: "Chooses uniformly at random.",
        example: "random",
        pairing: None,
    },
    Kind {
        name: "greedy",
        argument: None,
        meaning: "Wins at once if it can; otherwise takes the action that leaves it furthest ahead in dice.",
        example: "greedy:blunders=0.2",
        pairing: None,
    },
    Kind {
        name: "alpha-beta",
        argument: None,
        meaning: "Alpha-beta search with the hand-written heuristic of the game.",
        example: "alpha-beta:depth=3",
        pairing: Some(("heuristic", SearchKind::AlphaBeta)),
    },
    Kind {
        name: "heuristic",
        argument: None,
        meaning: "The hand-written heuristic of the game.",
        example: "heuristic:simulations=400",
        pairing: Some(("heuristic", SearchKind::Puct)),
    },
    Kind {
        name: "rollouts",
        argument: None,
        meaning: "The results of random games from a position.",
        example: "rollouts:simulations=400",
        pairing: Some(("rollouts", SearchKind::Puct)),
    },
    Kind {
        name: "uniform",
        argument: None,
        meaning: "No judgement: only proven results count.",
        example: "uniform:simulations=400",
        pairing: Some(("uniform", SearchKind::Puct)),
    },
    Kind {
        name: "ugi",
        argument: None,
        meaning: "Another program, which speaks UGI.",
        example: external::EXAMPLE,
        pairing: None,
    },
];

/// Every kind of player, from the simplest to external programs.
pub(crate) fn kinds() -> impl DoubleEndedIterator<Item = &'static Kind> {
    let (programs, simple) = KINDS.split_last().expect("it is not empty");
    let networks = networks::ALL.iter().map(|&kind| &networks::form(kind).player);
    simple.iter().chain(networks).chain([programs])
}

fn kind(name: &str) -> Option<&'static Kind> {
    kinds().find(|kind| kind.name == name)
}

/// The error for a text that begins with this word, which is none of the kinds.
fn unknown(word: &str) -> SpecError {
    let kinds: Vec<_> = kinds().map(|kind| kind.name).collect();
    let mut expected = format!("{}, or the folder of a run or a checkpoint", one_of(&kinds));
    if word.starts_with("agent-") || word.starts_with("nnue-") {
        let agents: Vec<_> = networks::built_in().collect();
        let (last, others) = agents.split_last().expect("there are built-in agents");
        expected += &format!("; the built-in agents are {} and {last}", others.join(", "));
    }
    SpecError::kind(word, &kinds, &expected)
}

/// True if a text is the path of a network without `net:` or `nnue:`: a built-in one, a path with a slash, or a folder
/// that exists.
fn is_bare_network(text: &str) -> bool {
    let is_path = || text.contains('/') && kind(text.split(':').next().unwrap_or_default()).is_none();
    let built_in = || networks::built_in().any(|name| name == text);
    built_in() || is_path() || kind(text).is_none() && is_folder(text)
}

/// True if a text is a folder that exists.
fn is_folder(text: &str) -> bool {
    Path::new(text).is_dir()
}

/// What stands before the options of a network without `net:` or `nnue:`.
fn path_of(text: &str) -> &str {
    text.split(',').next().unwrap_or_default()
}

impl EvaluatorSpec {
    /// The evaluator that a word stands for.
    pub(crate) fn named(word: &str, path: &str) -> Self {
        let of_networks = networks::ALL.iter();
        let network = of_networks
            .copied()
            .find(|&kind| networks::form(kind).player.name == word);
        if let Some(kind) = network {
            return Self::Network(NetworkSpec::new(kind, path));
        }
        match word {
            "heuristic" => Self::Heuristic,
            "rollouts" => Self::Rollouts { games: 1 },
            "uniform" => Self::Uniform,
            other => unreachable!("{other} is no word of an evaluator"),
        }
    }

    /// The word for it.
    pub(crate) const fn word(&self) -> &'static str {
        match self {
            Self::Network(network) => network.form().player.name,
            Self::Heuristic => "heuristic",
            Self::Rollouts { .. } => "rollouts",
            Self::Uniform => "uniform",
        }
    }

    /// Its network, if it has one.
    pub const fn network(&self) -> Option<&NetworkSpec> {
        match self {
            Self::Network(network) => Some(network),
            Self::Heuristic | Self::Rollouts { .. } | Self::Uniform => None,
        }
    }

    /// The path of its network, if it has one.
    pub fn path(&self) -> Option<&Path> {
        Some(&self.network()?.path)
    }

    /// The options of this evaluator alone.
    pub(crate) const fn options(&self) -> &'static [&'static str] {
        match self {
            Self::Network(network) => network.form().options,
            Self::Rollouts { .. } => &["games"],
            Self::Heuristic | Self::Uniform => &[],
        }
    }
}

/// The options of every player that searches.
pub(crate) const COMMON: [&str; 5] = ["ms", "search", "temperature", "temperature-plies", "blunders"];

impl SearchSpec {
    /// Flattens the priors: networks trained by self-play with few simulations are so sure of an action that a long
    /// search hardly considers another. Measured in studies 0013 and 0014.
    pub const POLICY_TEMPERATURE: f32 = 2.0;
    /// Most leaves of a tree that are evaluated together if one game is played at a time: a network is nearly at its
    /// full speed with this many. Trees with fewer than a thousand visits use fewer.
    pub const BATCH: u32 = 32;
    /// Default number of plies with a temperature.
    pub const TEMPERATURE_PLIES: u32 = 8;

    /// An evaluator with a search, and default settings.
    pub fn new(evaluator: EvaluatorSpec, search: SearchKind) -> Self {
        Self {
            alpha_beta: match evaluator {
                // The baseline has kept its strength.
                EvaluatorSpec::Heuristic => AlphaBetaSettings::PLAIN,
                _ => AlphaBetaSettings::STRONG,
            },
            evaluator,
            search,
            limits: SearchLimits::default(),
            c_puct: PuctParams::default().c_puct,
            policy_temperature: Self::POLICY_TEMPERATURE,
            batch: None,
            temperature: 0.0,
            temperature_plies: Self::TEMPERATURE_PLIES,
            blunders: 0.0,
        }
    }

    /// A network with the usual search of its kind, and default settings.
    pub fn network(network: NetworkSpec) -> Self {
        let (_, search) = network.form().player.pairing.expect("networks search");
        Self::new(EvaluatorSpec::Network(network), search)
    }

    /// A residual network with PUCT, and default settings.
    pub fn residual(path: impl Into<PathBuf>) -> Self {
        Self::network(NetworkSpec::new(NetworkKind::Residual, path))
    }

    /// An efficiently updatable network with alpha-beta, and default settings.
    pub fn updatable(path: impl Into<PathBuf>) -> Self {
        Self::network(NetworkSpec::new(NetworkKind::Nnue, path))
    }

    /// The same with these limits.
    #[must_use]
    pub fn within(self, limits: SearchLimits) -> Self {
        Self { limits, ..self }
    }

    /// The same with other limits and without chance: what the player knows of positions, for who asks with limits of their own.
    #[must_use]
    pub fn as_judge(&self, limits: SearchLimits) -> Self {
        Self {
            limits,
            temperature: 0.0,
            temperature_plies: Self::TEMPERATURE_PLIES,
            blunders: 0.0,
            ..self.clone()
        }
    }

    /// Plays at a level, from 1 to 10; others have no effect.
    pub fn set_level(&mut self, number: u32) {
        let level = (number as usize).checked_sub(1).and_then(|index| LEVELS.get(index));
        if let Some(level) = level {
            self.limits.nodes = Some(level.simulations.into());
            self.policy_temperature = level.policy_temperature;
            self.temperature = level.temperature;
            self.temperature_plies = match level.temperature > 0.0 {
                true => ALL_PLIES,
                false => Self::TEMPERATURE_PLIES,
            };
        }
    }

    /// Its limits of a decision.
    pub fn limits(&self) -> SearchLimits {
        self.limits.or_nodes(self.search.form().usual)
    }

    /// Chance in its choices.
    pub const fn chance(&self) -> Chance {
        Chance {
            temperature: self.temperature,
            plies: if self.temperature > 0.0 {
                self.temperature_plies
            } else {
                0
            },
        }
    }

    /// The kind that its text begins with.
    pub(crate) fn kind(&self) -> &'static Kind {
        let word = self.evaluator.word();
        let exact = kinds().find(|kind| kind.pairing == Some((word, self.search)));
        let other = || kinds().rfind(|kind| kind.pairing.is_some_and(|(other, _)| other == word));
        exact.or_else(other).expect("every evaluator has a kind")
    }

    /// True if an option with this key belongs to its evaluator or its search.
    pub(crate) fn takes(&self, key: &str) -> bool {
        let all = [self.evaluator.options(), self.search.form().options, &COMMON];
        all.into_iter().flatten().any(|known| *known == key)
    }

    fn read(spec: &str, kind: &Kind, options: &str) -> Result<Self, SpecError> {
        let (word, usual) = kind.pairing.expect("a kind that searches");
        let (path, options) = match kind.argument {
            Some(_) => path_and_options(spec, kind, options)?,
            None => ("", Some(options)),
        };
        let given = match options {
            Some(options) if kind.argument.is_some() || spec.contains(':') => key_values(spec, options)?,
            _ => Vec::new(),
        };
        let find = |key| given.iter().find(|&&(given, _)| given == key);
        let mut read = Self::new(EvaluatorSpec::named(word, path), usual);
        if let Some(option) = find("search") {
            set_all(&OPTIONS, spec, &[*option], &mut read)?;
            read = Self::new(read.evaluator, read.search);
        }
        if let Some(reason) = (read.search.form().refuses)(&read.evaluator) {
            return Err(SpecError::unfit(spec, reason));
        }
        for (key, _) in &given {
            if !read.takes(key) {
                return Err(read.stranger(spec, key));
            }
        }
        set_all(&OPTIONS, spec, &given, &mut read)?;
        // Options without effect are errors.
        if let Some((key, value)) = find("temperature-plies").filter(|_| read.temperature <= 0.0) {
            return Err(SpecError::value(spec, key, value, "a temperature above 0 as well"));
        }
        if let (Some((key, value)), Some(reason)) = (find("search"), read.unplanned()) {
            return Err(SpecError::value(spec, key, value, reason));
        }
        if find("level").is_some() {
            let set = [
                "simulations",
                "ms",
                "search",
                "policy-temperature",
                "temperature",
                "temperature-plies",
            ];
            if let Some((key, _)) = set.into_iter().find_map(find) {
                let reason = format_args!("a level sets `{key}`, so only one of both can be given");
                return Err(SpecError::unfit(spec, reason));
            }
        }
        Ok(read)
    }

    /// Why the search cannot plan with these limits.
    fn unplanned(&self) -> Option<&'static str> {
        let unplanned = self.search.form().plans && self.limits.time.is_some() && self.limits.nodes.is_none();
        unplanned.then_some("simulations as well, which sequential halving plans with, or puct")
    }

    /// The error for an option that is not of this evaluator and search.
    fn stranger(&self, spec: &str, key: &str) -> SpecError {
        let keys: Vec<_> = OPTIONS
            .iter()
            .map(|option| option.key)
            .filter(|key| self.takes(key))
            .collect();
        let of_a_search = SearchKind::ALL
            .iter()
            .any(|search| search.form().options.contains(&key));
        if of_a_search {
            let (search, keys) = (self.search.form().name, keys.join(", "));
            let reason = format!("`{key}` is an option of another search; a player with search={search} takes {keys}");
            return SpecError::unfit(spec, reason);
        }
        SpecError::key(spec, key, &keys)
    }
}

/// The path that is the argument of a text, and its options. `spec` is the whole text, `options` what follows its kind.
fn path_and_options<'a>(spec: &str, kind: &Kind, options: &'a str) -> Result<(&'a str, Option<&'a str>), SpecError> {
    let (path, options) = match options.split_once(',') {
        Some((path, options)) => (path, Some(options)),
        None => (options, None),
    };
    if path.is_empty() {
        let expected = format_args!("the path of a network, as in {}", kind.example);
        return Err(SpecError::missing(spec, expected));
    }
    if let Some((path, option)) = path.rsplit_once(':') {
        let key = option.split_once('=').map_or("", |(key, _)| key);
        if OPTIONS.iter().any(|option| option.key == key) {
            let rest = options.map_or_else(String::new, |options| format!(",{options}"));
            let expected = format!("a comma before its options: {}:{path},{option}{rest}", kind.name);
            return Err(SpecError::unfit(spec, format_args!("expected {expected}")));
        }
    }
    Ok((path, options))
}

impl From<SearchSpec> for PlayerSpec {
    fn from(spec: SearchSpec) -> Self {
        Self::Search(spec)
    }
}

impl PlayerSpec {
    /// The evaluator and the search; `None` for a player that does not search here.
    pub const fn search(&self) -> Option<&SearchSpec> {
        match self {
            Self::Search(spec) => Some(spec),
            Self::Random | Self::Greedy(_) | Self::Engine(_) => None,
        }
    }

    /// The same, to be changed.
    pub const fn search_mut(&mut self) -> Option<&mut SearchSpec> {
        match self {
            Self::Search(spec) => Some(spec),
            Self::Random | Self::Greedy(_) | Self::Engine(_) => None,
        }
    }

    /// Its network, if it has one.
    pub fn network(&self) -> Option<&NetworkSpec> {
        self.search()?.evaluator.network()
    }

    /// The same, to be changed.
    pub const fn network_mut(&mut self) -> Option<&mut NetworkSpec> {
        match self {
            Self::Search(SearchSpec {
                evaluator: EvaluatorSpec::Network(network),
                ..
            }) => Some(network),
            _ => None,
        }
    }

    /// The path of its network, if it has one.
    pub fn path(&self) -> Option<&Path> {
        self.search()?.evaluator.path()
    }

    /// The path of its residual network, if it has one.
    pub fn residual(&self) -> Option<&Path> {
        let network = self.network()?;
        (network.kind == NetworkKind::Residual).then_some(&network.path)
    }

    /// Every option of this kind of player with its effective value. The player's text leaves out defaults, so it would
    /// not show that a default differs between versions.
    pub fn resolved(&self) -> BTreeMap<&'static str, String> {
        match self {
            Self::Random => BTreeMap::new(),
            Self::Greedy(blunders) => BTreeMap::from([BLUNDERS.resolved(blunders)]),
            Self::Search(spec) => {
                // A level is short for other options, which say it all.
                let options = OPTIONS
                    .iter()
                    .filter(|option| option.key != "level" && spec.takes(option.key));
                let mut resolved: BTreeMap<_, _> = options.map(|option| option.resolved(spec)).collect();
                resolved.insert("search", spec.search.form().name.to_owned());
                if resolved.contains_key("table") {
                    resolved.insert("table", spec.alpha_beta.table_mib.to_string());
                }
                resolved
            }
            Self::Engine(program) => external::OPTIONS
                .iter()
                .map(|option| option.resolved(program))
                .collect(),
        }
    }

    /// True if the player always makes the same choice in the same game with the same generator. Players with a time
    /// limit do not, and nothing is known of external programs.
    pub const fn is_deterministic(&self) -> bool {
        match self {
            Self::Random | Self::Greedy(_) => true,
            Self::Search(spec) => spec.limits.time.is_none(),
            Self::Engine(_) => false,
        }
    }

    /// True if the player keeps state of each game between its decisions, a process or a tree, and has room for the two
    /// games of a pair: with more games in parallel it would start anew at every decision.
    pub fn plays_one_pair(&self) -> bool {
        match self {
            Self::Search(spec) => spec.limits.time.is_some() && spec.search.form().strategy.is_some(),
            Self::Engine(_) => true,
            Self::Random | Self::Greedy(_) => false,
        }
    }

    /// Number of pairs of games that one thread should play in parallel with this player, unless its opponent
    /// [has no room](Self::plays_one_pair) for them.
    pub fn pairs_at_once(&self) -> usize {
        /// Number of pairs of games whose leaves a network evaluates together.
        const PAIRS_AT_ONCE: usize = 16;
        match self {
            Self::Search(spec)
                if spec.search.form().strategy.is_some()
                    && spec.limits.time.is_none()
                    && self.network().is_some_and(|network| network.form().batches) =>
            {
                PAIRS_AT_ONCE
            }
            _ => 1,
        }
    }

    /// The parts of a text `NAME=PLAYER`; `None` if it is a player alone, to whose options or folder the sign belongs.
    pub(crate) fn with_name(text: &str) -> Option<(&str, &str)> {
        let (name, player) = text.split_once('=')?;
        let (first, options) = name.split_once(',').unwrap_or((name, ""));
        let is_option = name.contains(':') || !options.is_empty() && (kind(first).is_some() || is_bare_network(first));
        (!is_option && !is_folder(path_of(text))).then_some((name, player))
    }
}

impl FromStr for PlayerSpec {
    type Err = SpecError;

    fn from_str(spec: &str) -> Result<Self, SpecError> {
        let (word, options) = match spec.split_once(':') {
            Some((word, options)) => (word, Some(options)),
            None => (spec, None),
        };
        if let Some((word, options)) = spec.split_once(',').filter(|(word, _)| kind(word).is_some()) {
            let reason = format_args!("expected a colon before its options: {word}:{options}");
            return Err(SpecError::unfit(spec, reason));
        }
        let path = path_of(spec);
        if kind(word).is_none() && is_bare_network(path) {
            let kind = &NetworkSpec::at(path).form().player;
            return SearchSpec::read(spec, kind, spec).map(Self::Search);
        }
        let known = kind(word).ok_or_else(|| unknown(word))?;
        let given = || options.map_or(Ok(Vec::new()), |options| key_values(spec, options));
        match known.name {
            "random" => set_all::<()>(&[], spec, &given()?, &mut ()).map(|()| Self::Random),
            "greedy" => {
                let mut blunders = 0.0;
                set_all(&[BLUNDERS], spec, &given()?, &mut blunders)?;
                Ok(Self::Greedy(blunders))
            }
            "ugi" => EngineSpec::read(spec, options.unwrap_or_default()).map(Self::Engine),
            _ => SearchSpec::read(spec, known, options.unwrap_or_default()).map(Self::Search),
        }
    }
}

impl fmt::Display for SearchSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let options = OPTIONS.iter().filter(|option| self.takes(option.key));
        let path = self
            .evaluator
            .network()
            .map(|network| network.path.display().to_string());
        f.write_str(&grammar::text(
            self.kind().name,
            path,
            options.filter_map(|option| option.text(self)),
        ))
    }
}

impl fmt::Display for PlayerSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Random => f.write_str("random"),
            Self::Greedy(blunders) => f.write_str(&grammar::text("greedy", None, BLUNDERS.text(blunders).into_iter())),
            Self::Search(spec) => spec.fmt(f),
            Self::Engine(program) => program.fmt(f),
        }
    }
}

impl TryFrom<String> for PlayerSpec {
    type Error = SpecError;

    fn try_from(text: String) -> Result<Self, SpecError> {
        text.parse()
    }
}

impl From<PlayerSpec> for String {
    fn from(spec: PlayerSpec) -> Self {
        spec.to_string()
    }
}

#[cfg(test)]
#[path = "spec_tests.rs"]
mod tests;
