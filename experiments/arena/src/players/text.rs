//! Players as short texts: baselines, networks of both families that search, and external programs.

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use chase_models::device::Device;
use chase_training::store::run_dir::RunDirError;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::playable::Playable;
use crate::players::agent::Contestant;
use crate::players::baselines::{BaselineSpec, NoJudgement};
use crate::players::external::{self, EngineSpec, ProcessError};
use crate::players::grammar::{PlayerSpecError, expect_colon};
use crate::players::kinds::{is_bare_network, is_kind, is_of_second_family, unknown};
use crate::players::network::{self, LoadError, NetworkSpec, network_contestant};
use crate::players::nnue::{self, NnueError, NnueSpec};

/// A player: a baseline, a network of either family that searches, or an external program that speaks UGI.
///
/// The text form is the player's name in results and ratings; it leaves out options at their defaults. The path of a
/// network may omit `net:` or `nnue:` if it has a slash, is a folder that exists, or is a built-in agent.
///
#[doc = include_str!("../../../../docs/src/reference/players.md")]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "String", into = "String")]
pub enum PlayerSpec {
    /// An agent that needs no files.
    Baseline(BaselineSpec),
    /// A network that searches.
    Network(NetworkSpec),
    /// A network of the second family that searches.
    Nnue(NnueSpec),
    /// An external program.
    Engine(EngineSpec),
}

/// Error returned when a player is unusable.
#[derive(Debug, thiserror::Error)]
pub enum PlayerError {
    /// It does not support the game.
    #[error(transparent)]
    Game(#[from] NoJudgement),
    /// Its run is damaged.
    #[error("player `{player}`: {error}")]
    Run {
        /// The player.
        player: String,
        /// The fault.
        error: RunDirError,
    },
    /// The program cannot be started, or does not support the protocol.
    #[error("player `{player}`: {error}")]
    Engine {
        /// The player.
        player: String,
        /// The fault.
        error: ProcessError,
    },
    /// The checkpoint cannot be loaded or used.
    #[error("player `{player}`: {error}")]
    Network {
        /// The player.
        player: String,
        /// The fault.
        error: LoadError,
    },
    /// The network of the second family cannot be loaded or used.
    #[error("player `{player}`: {error}")]
    Nnue {
        /// The player.
        player: String,
        /// The fault, which is large.
        error: Box<NnueError>,
    },
}

/// Number of pairs of games whose leaves a network evaluates together.
const PAIRS_AT_ONCE: usize = 16;

impl PlayerSpec {
    /// The player as a contestant, named by its text form, with its network on this device, for the only game of type
    /// `G`.
    ///
    /// # Errors
    /// If its network cannot be loaded or used, its program does not answer, or it does not support this game.
    pub fn contestant<G: Playable>(&self, device: Device) -> Result<Contestant<G>, PlayerError> {
        self.contestant_for(G::NAME, device)
    }

    /// As [`PlayerSpec::contestant`], for the game of type `G` with this [name](chase_engine::Game::name).
    ///
    /// # Errors
    /// Also if its network is for another game.
    pub fn contestant_for<G: Playable>(&self, game: &str, device: Device) -> Result<Contestant<G>, PlayerError> {
        match self {
            Self::Baseline(agent) => Ok(agent.contestant()?),
            Self::Network(network) => {
                let folder = self.checkpoint(network)?;
                let network = network.here(&folder, device);
                let settings = network.settings();
                let precision = network.precision_in_matches(device);
                let contestant = network_contestant(game, &self.to_string(), &folder, device, precision, settings);
                contestant.map_err(|error| self.unusable(error))
            }
            Self::Nnue(network) => {
                let contestant = network.contestant(game, &self.to_string());
                contestant.map_err(|error| self.unusable_nnue(error))
            }
            Self::Engine(program) => {
                let contestant = program.contestant(game, &self.to_string());
                contestant.map_err(|error| PlayerError::Engine {
                    player: self.to_string(),
                    error,
                })
            }
        }
    }

    /// The folder of the checkpoint of this player's network.
    pub(crate) fn checkpoint(&self, network: &NetworkSpec) -> Result<PathBuf, PlayerError> {
        network.checkpoint().map_err(|error| PlayerError::Run {
            player: self.to_string(),
            error,
        })
    }

    /// The same player, for whom a run is replaced by its newest checkpoint, since the run may continue.
    ///
    /// # Errors
    /// If the run is damaged.
    pub fn settled(&self) -> Result<Self, PlayerError> {
        let mut settled = self.clone();
        match &mut settled {
            Self::Network(network) => network.path = self.checkpoint(network)?,
            Self::Nnue(network) => network.path = network.checkpoint().map_err(|error| self.unusable_nnue(error))?,
            Self::Baseline(_) | Self::Engine(_) => {}
        }
        Ok(settled)
    }

    pub(crate) fn unusable(&self, error: LoadError) -> PlayerError {
        PlayerError::Network {
            player: self.to_string(),
            error,
        }
    }

    pub(crate) fn unusable_nnue(&self, error: NnueError) -> PlayerError {
        PlayerError::Nnue {
            player: self.to_string(),
            error: Box::new(error),
        }
    }

    /// Every option of this kind of player with its effective value. The player's text leaves out defaults, so it would
    /// not show that a default differs between versions.
    pub fn resolved(&self) -> BTreeMap<&'static str, String> {
        let options = match self {
            Self::Baseline(agent) => agent.kind.form().resolved(agent),
            Self::Network(network) => network::FORM.resolved(network),
            Self::Nnue(network) => nnue::FORM.resolved(network),
            Self::Engine(program) => external::FORM.resolved(program),
        };
        // A level is short for other options, which say it all.
        options.into_iter().filter(|(key, _)| *key != "level").collect()
    }

    /// True if the player always makes the same choice in the same game with the same generator. Players with a time
    /// limit do not, and nothing is known of external programs.
    pub const fn is_deterministic(&self) -> bool {
        match self {
            Self::Baseline(agent) => agent.is_deterministic(),
            Self::Network(network) => network.time.is_none(),
            Self::Nnue(network) => network.time.is_none(),
            Self::Engine(_) => false,
        }
    }

    /// True if the player keeps state of each game between its decisions, a process or a tree, and has room for the two
    /// games of a pair: with more games in parallel it would start anew at every decision.
    pub const fn plays_one_pair(&self) -> bool {
        match self {
            Self::Network(network) => network.time.is_some(),
            Self::Engine(_) => true,
            Self::Baseline(_) | Self::Nnue(_) => false,
        }
    }

    /// Number of pairs of games that one thread should play in parallel with this player, unless its opponent
    /// [has no room](Self::plays_one_pair) for them.
    pub const fn pairs_at_once(&self) -> usize {
        match self {
            Self::Network(NetworkSpec { time: None, .. }) => PAIRS_AT_ONCE,
            Self::Network(_) | Self::Nnue(_) | Self::Baseline(_) | Self::Engine(_) => 1,
        }
    }
}

impl PlayerSpec {
    /// Reads a player for a caller that sets a limit for every decision: a baseline's text may then lack one.
    ///
    /// # Errors
    /// If the text does not describe a player.
    pub fn read_without_limit(spec: &str) -> Result<Self, PlayerSpecError> {
        Self::read(spec, BaselineSpec::read_without_limit)
    }

    fn read(
        spec: &str,
        baseline: impl FnOnce(&str) -> Result<BaselineSpec, PlayerSpecError>,
    ) -> Result<Self, PlayerSpecError> {
        let (kind, options) = spec.split_once(':').unwrap_or((spec, ""));
        if kind == network::FORM.name {
            return Ok(Self::Network(NetworkSpec::read(spec, options)?));
        }
        if kind == nnue::FORM.name {
            return Ok(Self::Nnue(NnueSpec::read(spec, options)?));
        }
        if kind == external::FORM.name {
            return Ok(Self::Engine(EngineSpec::read(spec, options)?));
        }
        expect_colon(spec, is_kind)?;
        let path = spec.split(',').next().unwrap_or_default();
        if is_bare_network(path) && is_of_second_family(path) {
            return Ok(Self::Nnue(NnueSpec::read(spec, spec)?));
        }
        if is_bare_network(path) {
            return Ok(Self::Network(NetworkSpec::read(spec, spec)?));
        }
        baseline(spec).map(Self::Baseline).map_err(|error| match error {
            PlayerSpecError::Kind { kind, .. } => unknown(&kind),
            other => other,
        })
    }
}

impl PlayerSpec {
    /// True if the part of a text before an equals sign belongs to a player, and is not a name for one.
    pub(crate) fn begins_in(text: &str) -> bool {
        let (first, options) = text.split_once(',').unwrap_or((text, ""));
        text.contains(':') || !options.is_empty() && (is_kind(first) || is_bare_network(first))
    }
}

impl FromStr for PlayerSpec {
    type Err = PlayerSpecError;

    fn from_str(spec: &str) -> Result<Self, PlayerSpecError> {
        Self::read(spec, str::parse)
    }
}

impl fmt::Display for PlayerSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Baseline(agent) => agent.fmt(f),
            Self::Network(network) => network.fmt(f),
            Self::Nnue(network) => network.fmt(f),
            Self::Engine(program) => program.fmt(f),
        }
    }
}

impl TryFrom<String> for PlayerSpec {
    type Error = PlayerSpecError;

    fn try_from(text: String) -> Result<Self, PlayerSpecError> {
        text.parse()
    }
}

impl From<PlayerSpec> for String {
    fn from(spec: PlayerSpec) -> Self {
        spec.to_string()
    }
}

#[cfg(test)]
mod tests {
    use chase_engine::Chase;
    use chase_engine::search::Strategy;

    use super::*;

    #[test]
    fn texts_round_trip() {
        for text in [
            "random",
            "alpha-beta:depth=3",
            "net:runs/quick-1",
            "net:runs/quick-1,simulations=0",
            "net:a b/c,simulations=800,ms=1000,search=gumbel,policy-temperature=1.5,temperature=0.5,precision=bf16",
            "net:x,batch=16,c-puct=2,temperature=1,temperature-plies=0,precision=f32",
            "nnue:x,nodes=100,table=4,temperature=0.25",
            "nnue:x,ms=100,temperature=1,temperature-plies=0",
            "nnue:a b/c",
            "nnue:x,without=null-move",
            "nnue:x,nodes=9,without=reductions+null-move+futility+aspiration+extensions+quiescence+results",
            "nnue:x/nnue.safetensors,depth=64,nodes=20000,ms=100,table=64",
            "ugi:command=engine",
            "ugi:nodes=100,depth=3,ms=50,timeout=0.5,command='my engine' --name a,b \"c d\"",
            "ugi:nodes=5,command=x command=y,command=z",
        ] {
            assert_eq!(
                text.parse().map(|player: PlayerSpec| player.to_string()),
                Ok(text.to_owned())
            );
        }
    }

    #[test]
    fn what_a_text_leaves_out_is_told_with_its_default() {
        let resolved = |text: &str| {
            text.parse::<PlayerSpec>()
                .map(|player| player.resolved())
                .unwrap_or_default()
        };
        let network = resolved("net:x,simulations=32");
        for (key, value) in [
            ("simulations", "32"),
            ("policy-temperature", "2"),
            ("c-puct", "1.25"),
            ("search", "puct"),
        ] {
            assert_eq!(network.get(key).map(String::as_str), Some(value), "{key}");
        }
        assert_eq!(resolved("greedy").get("blunders").map(String::as_str), Some("0"));
        assert_eq!(resolved("alpha-beta:ms=5").get("ms").map(String::as_str), Some("5"));
    }

    /// The reported defaults of settings are their actual defaults.
    #[test]
    fn defaults_are_told_as_they_are() {
        let network = NetworkSpec::new("x");
        let told = PlayerSpec::Network(network.clone()).resolved();
        let temperatures =
            [network.policy_temperature, network.c_puct, network.temperature].map(|value| value.to_string());
        let keys = ["policy-temperature", "c-puct", "temperature"];
        assert_eq!(keys.map(|key| told.get(key).cloned().unwrap_or_default()), temperatures);
    }

    #[test]
    fn errors_name_what_is_wrong_and_what_is_expected() {
        for (text, message) in [
            (
                "nets:x",
                "unknown player `nets` (did you mean net?): expected random, greedy, alpha-beta, rollouts, net, nnue or ugi, or the folder of a \
                 run or a checkpoint",
            ),
            (
                "ugi:nodes=5",
                "player `ugi:nodes=5` needs a program as its last option, as in ugi:nodes=200,command=chase engine \
                 net:runs/quick-1",
            ),
            (
                "ugi:nodes=0,command=x",
                "`0` for option `nodes` in player `ugi:nodes=0,command=x`: expected an integer from 1",
            ),
            (
                "ugi:command='x",
                "`'x` for option `command` in player `ugi:command='x`: expected a program and its arguments, every \
                 quotation closed",
            ),
            (
                "ugi:ms=5000,timeout=5,command=x",
                "`5` for option `timeout` in player `ugi:ms=5000,timeout=5,command=x`: expected more seconds than the \
                 limit of time allows for a decision",
            ),
            (
                "ugi:threads=4,command=x",
                "unknown option `threads` in player `ugi:threads=4,command=x`: expected nodes, depth, ms, timeout or \
                 command",
            ),
            (
                "net",
                "player `net` needs a checkpoint or a run, as in net:runs/quick-1,simulations=200",
            ),
            (
                "nnue",
                "player `nnue` needs a network of the second family, as in nnue:runs/nnue-1,nodes=50000",
            ),
            (
                "nnue:,nodes=5",
                "player `nnue:,nodes=5` needs a network of the second family, as in nnue:runs/nnue-1,nodes=50000",
            ),
            (
                "nnue:x,simulations=5",
                "unknown option `simulations` in player `nnue:x,simulations=5`: expected depth, nodes, ms, table, \
                 without, temperature or temperature-plies",
            ),
            (
                "nnue:x,without=null-move+luck",
                "`null-move+luck` for option `without` in player `nnue:x,without=null-move+luck`: expected shortcuts, joined \
                 by +: reductions, null-move, futility, aspiration, extensions, quiescence, results",
            ),
            (
                "nnue:x,depth=65",
                "`65` for option `depth` in player `nnue:x,depth=65`: expected 1 to 64",
            ),
            (
                "nnue:x,nodes=0",
                "`0` for option `nodes` in player `nnue:x,nodes=0`: expected an integer from 1",
            ),
            (
                "nnue:x,ms=1.5",
                "`1.5` for option `ms` in player `nnue:x,ms=1.5`: expected milliseconds from 1 to 3600000",
            ),
            (
                "nnue:x,table=4097",
                "`4097` for option `table` in player `nnue:x,table=4097`: expected MiB from 1 to 4096",
            ),
            (
                "nnue:x,nodes=5,nodes=6",
                "option `nodes` is given twice in player `nnue:x,nodes=5,nodes=6`",
            ),
            (
                "net:x,ms=0",
                "`0` for option `ms` in player `net:x,ms=0`: expected milliseconds from 1 to 3600000",
            ),
            ("net:x,y", "`y` in player `net:x,y`: expected key=value"),
            (
                "net:x,sims=1",
                "unknown option `sims` in player `net:x,sims=1`: expected simulations, ms, search, batch, c-puct, \
                 policy-temperature, temperature, temperature-plies, level or precision",
            ),
            (
                "net:x,batch=0",
                "`0` for option `batch` in player `net:x,batch=0`: expected an integer from 1 to 1024",
            ),
            (
                "net:x,search=gumbel,batch=2",
                "`2` for option `batch` in player `net:x,search=gumbel,batch=2`: expected no batch with search=gumbel",
            ),
            (
                "net:x,search=gumbel,c-puct=99",
                "`99` for option `c-puct` in player `net:x,search=gumbel,c-puct=99`: expected no c-puct with search=gumbel",
            ),
            (
                "net:x,temperature-plies=30",
                "`30` for option `temperature-plies` in player `net:x,temperature-plies=30`: expected a temperature above 0 \
                 as well",
            ),
            (
                "net:x,temperature=0,temperature-plies=0",
                "`0` for option `temperature-plies` in player `net:x,temperature=0,temperature-plies=0`: expected a \
                 temperature above 0 as well",
            ),
            (
                "net:x,search=gumbel,ms=5",
                "`gumbel` for option `search` in player `net:x,search=gumbel,ms=5`: expected simulations as well, which \
                 sequential halving plans with, or puct",
            ),
            (
                "net:x,temperature=nan",
                "`nan` for option `temperature` in player `net:x,temperature=nan`: expected a number from 0",
            ),
        ] {
            let error = text.parse::<PlayerSpec>().expect_err("not a player");
            assert_eq!(error.to_string(), message);
        }
    }

    #[test]
    fn a_path_is_a_network() {
        for (text, player) in [
            ("agent-41", "net:agent-41"),
            ("agent-41,simulations=9", "net:agent-41,simulations=9"),
            ("runs/quick-1,ms=5", "net:runs/quick-1,ms=5"),
            ("./here", "net:./here"),
        ] {
            assert_eq!(text.parse(), player.parse::<PlayerSpec>(), "{text}");
        }
        assert!("quick-1".parse::<PlayerSpec>().is_err(), "it may be a word mistyped");
    }

    #[test]
    fn a_wrong_sign_before_the_options_is_named() {
        for (text, meant) in [
            ("alpha-beta,depth=2", "a colon before its options: alpha-beta:depth=2"),
            (
                "net:agent-41:simulations=10",
                "a comma before its options: net:agent-41,simulations=10",
            ),
            (
                "nnue:x:nodes=10,ms=5",
                "a comma before its options: nnue:x,nodes=10,ms=5",
            ),
            ("nnue,nodes=10", "a colon before its options: nnue:nodes=10"),
        ] {
            let error = text.parse::<PlayerSpec>().expect_err(text);
            assert_eq!(error.to_string(), format!("player `{text}`: expected {meant}"));
        }
        // Only options make the colon suspicious.
        assert!("net:runs/10:30".parse::<PlayerSpec>().is_ok());
    }

    #[test]
    fn a_level_is_short_for_the_options_that_it_sets() {
        let player: PlayerSpec = "net:agent-41,level=2".parse().expect("a player");
        let long = "net:agent-41,simulations=0,policy-temperature=2.8,temperature=1,temperature-plies=100000";
        assert_eq!(player.to_string(), long);
        assert_eq!(long.parse::<PlayerSpec>().expect("a player"), player);
        let strongest: PlayerSpec = "net:agent-41,level=10".parse().expect("a player");
        assert_eq!(strongest.to_string(), "net:agent-41,simulations=1600");
        for wrong in [
            "level=0",
            "level=11",
            "level=3,simulations=5",
            "temperature=1,level=3",
            "level=3,ms=5",
        ] {
            assert!(
                format!("net:agent-41,{wrong}").parse::<PlayerSpec>().is_err(),
                "{wrong}"
            );
        }
    }

    #[test]
    fn a_limit_of_time_lifts_the_default_of_simulations() {
        let settings = |text: &str| match text.parse() {
            Ok(PlayerSpec::Network(network)) => network.settings(),
            other => panic!("{other:?}"),
        };
        assert_eq!(settings("net:x").params.simulations, NetworkSpec::SIMULATIONS);
        assert_eq!(settings("net:x,ms=5").params.simulations, u32::MAX);
        assert_eq!(settings("net:x,ms=5,simulations=9").params.simulations, 9);
    }

    #[test]
    fn any_other_limit_lifts_the_default_of_nodes() {
        let nodes = |text: &str| match text.parse() {
            Ok(PlayerSpec::Nnue(network)) => network.limits().nodes,
            other => panic!("{other:?}"),
        };
        assert_eq!(nodes("nnue:x"), Some(NnueSpec::NODES));
        assert_eq!(nodes("nnue:x,table=1"), Some(NnueSpec::NODES));
        assert_eq!(nodes("nnue:x,depth=5"), None);
        assert_eq!(nodes("nnue:x,ms=5"), None);
        assert_eq!(nodes("nnue:x,ms=5,nodes=9"), Some(9));
    }

    #[test]
    fn a_limit_of_time_alone_makes_choices_depend_on_the_machine() {
        let deterministic = |text: &str| text.parse().map(|player: PlayerSpec| player.is_deterministic());
        assert_eq!(deterministic("nnue:x,nodes=5,depth=3"), Ok(true));
        assert_eq!(deterministic("nnue:x,nodes=5,ms=3"), Ok(false));
    }

    #[test]
    fn batches_are_for_players_of_one_game_at_a_time() {
        let leaves = |text: &str| {
            let Ok(PlayerSpec::Network(network)) = text.parse() else {
                panic!("{text} is a network");
            };
            [network.settings(), network.settings_alone()].map(|settings| match settings.params.strategy {
                Strategy::Puct(params) => params.leaves,
                Strategy::Gumbel(_) => panic!("{text} is PUCT"),
            })
        };
        assert_eq!(leaves("net:x"), [1, NetworkSpec::BATCH]);
        assert_eq!(leaves("net:x,ms=5"), [NetworkSpec::BATCH; 2]);
        assert_eq!(leaves("net:x,batch=3"), [3, 3]);
        assert_eq!(leaves("net:x,ms=5,precision=fused"), [1, 1]);
        assert_eq!(leaves("net:x,ms=5,precision=fused-f32,batch=3"), [3, 3]);
    }

    #[test]
    fn a_missing_checkpoint_is_named() {
        let player: PlayerSpec = "net:no/such/run".parse().expect("a player");
        let error = player.contestant::<Chase>(Device::Cpu).expect_err("no such checkpoint");
        assert!(error.to_string().contains("no/such/run"), "{error}");
    }
}
