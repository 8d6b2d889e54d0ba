//! The conditions of games that other machines play, and the units that are made of them.

use std::ops::Range;
use std::path::Path;

use chase_cluster::unit::{self, Part};
use chase_cluster::work::checkpoint_files;
use chase_cluster::{Arithmetic, ClusterError};
use chase_engine::search::{PuctParams, SearchParams, Strategy};
use chase_models::Precision;
use chase_models::device::Device;
use chase_models::manifest::FileFacts;
use chase_training::config::{GameName, RulesConfig, game_name};
use chase_training::serialised::{json, json_value};
use serde::{Deserialize, Serialize};

use crate::matches::{Match, OpeningError, Openings};
use crate::playable::Playable;
use crate::players::{NetworkSpec, PlayerSpec};

/// The kind of these units.
pub const KIND: &str = "pairs";

/// The terms that the games of many units share.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Terms {
    /// The game.
    #[serde(with = "game_name")]
    pub game: GameName,
    /// Its conventions.
    pub rules: RulesConfig,
    /// [`Match::seed`], before it is [numbered](Match::numbered).
    pub seed: u64,
    /// [`Match::max_plies`].
    pub max_plies: u32,
    /// The openings.
    pub openings: Start,
    /// The players.
    pub players: Vec<RemotePlayer>,
}

/// [`Openings`] as text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Start {
    /// Random plies.
    Random {
        /// Their number.
        plies: u32,
    },
    /// Lines, in the form that [`Openings::parse`] reads.
    Lines {
        /// All of them.
        text: String,
    },
}

/// A player on another machine.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum RemotePlayer {
    /// A player with a text.
    Spec {
        /// The player. The path of a network has no meaning.
        player: PlayerSpec,
        /// SHA-256 of the manifest of its checkpoint.
        checkpoint: Option<String>,
    },
    /// A network as evaluations of a training run have it play.
    Rated {
        /// SHA-256 of the manifest of its checkpoint.
        checkpoint: String,
        /// The arithmetic of inference.
        precision: Precision,
        /// The search.
        search: RatedSearch,
    },
}

/// The search of an evaluation.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RatedSearch {
    /// Simulations for each choice.
    pub simulations: u32,
    /// [`PuctParams::c_puct`].
    pub c_puct: f32,
    /// [`PuctParams::fpu_reduction`].
    pub fpu_reduction: f32,
}

impl RatedSearch {
    /// Its parameters: without noise, and with the policy temperature of players ([`NetworkSpec`]).
    pub fn params(&self) -> SearchParams {
        SearchParams {
            simulations: self.simulations,
            strategy: Strategy::Puct(PuctParams {
                c_puct: self.c_puct,
                fpu_reduction: self.fpu_reduction,
                policy_temperature: NetworkSpec::POLICY_TEMPERATURE,
                ..PuctParams::default()
            }),
            skip_forced: true,
        }
    }
}

/// Pairs of one match that are played together.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Meeting {
    /// The number of the match, for its [seed](Match::numbered).
    pub number: u64,
    /// The first and the second player, as indices into [`Terms::players`].
    pub players: [usize; 2],
    /// Numbers of the pairs within the match.
    pub pairs: Range<u32>,
}

/// The work of a unit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Meetings {
    /// SHA-256 of the [`Terms`].
    pub terms: String,
    /// The meetings, played one after the other.
    pub meetings: Vec<Meeting>,
}

impl Meetings {
    /// Number of games.
    pub fn games(&self) -> u64 {
        let pairs = self.meetings.iter().map(|meeting| meeting.pairs.len() as u64);
        2 * pairs.sum::<u64>()
    }

    /// The part of a run's work that this is.
    pub(crate) fn part(&self, epoch: u64, purpose: &str, group: u32, title: &str) -> Part {
        Part {
            kind: KIND.to_owned(),
            epoch,
            purpose: purpose.to_owned(),
            group,
            title: unit::title(title),
            games: u32::try_from(self.games()).unwrap_or(u32::MAX),
            work: json_value(self),
        }
    }
}

/// Error returned when a player's games cannot be played by other machines.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "each message says what its fields are")]
pub enum RemoteError {
    #[error(
        "player `{player}` is a program on this machine, which workers of a cluster do not have: expected built-in players and \
         networks, or no --cluster"
    )]
    Program { player: String },
    #[error(
        "player `{player}` has a network of the second family, which is not sent to the workers of a cluster: expected other \
         players, or no --cluster"
    )]
    SecondFamily { player: String },
    #[error(
        "player `{player}` is limited by time, so that its games depend on the machine: expected a limit of depth, nodes or \
         simulations, or --mixed, which admits any machine"
    )]
    Timed { player: String },
    #[error("player `{player}`: {reason}")]
    Unknown { player: String, reason: String },
    #[error("player `{player}`: {reason}")]
    Checkpoint { player: String, reason: String },
    #[error(transparent)]
    Cluster(#[from] ClusterError),
}

/// A player, and the files that it needs.
#[derive(Debug)]
pub struct PlayerFiles {
    /// The player.
    pub player: RemotePlayer,
    /// The manifest and the weights of its checkpoint, if it has one.
    pub files: Vec<Vec<u8>>,
    /// The arithmetic of its network, if it has one.
    pub precision: Option<Precision>,
}

impl RemotePlayer {
    /// Checks that a player can play on other machines, which with `mixed` need not be alike.
    ///
    /// # Errors
    /// If it cannot.
    pub fn check(player: &PlayerSpec, mixed: bool) -> Result<(), RemoteError> {
        let text = || player.to_string();
        match player {
            PlayerSpec::Engine(_) => Err(RemoteError::Program { player: text() }),
            PlayerSpec::Nnue(_) => Err(RemoteError::SecondFamily { player: text() }),
            _ if !mixed && !player.is_deterministic() => Err(RemoteError::Timed { player: text() }),
            _ => Ok(()),
        }
    }

    /// True if it has a limit of time.
    pub(crate) fn is_timed(&self) -> bool {
        match self {
            Self::Spec { player, .. } => !player.is_deterministic(),
            Self::Rated { .. } => false,
        }
    }

    /// A player on other machines, which compute as this one would on `device`.
    ///
    /// # Errors
    /// If it cannot play on other machines, as [`RemotePlayer::check`], or its checkpoint cannot be read.
    pub fn of(player: &PlayerSpec, mixed: bool, device: Device) -> Result<PlayerFiles, RemoteError> {
        Self::check(player, mixed)?;
        let PlayerSpec::Network(network) = player else {
            return Ok(PlayerFiles {
                player: Self::Spec {
                    player: player.clone(),
                    checkpoint: None,
                },
                files: Vec::new(),
                precision: None,
            });
        };
        let fault = |reason: String| RemoteError::Checkpoint {
            player: player.to_string(),
            reason,
        };
        let folder = network.checkpoint().map_err(|error| fault(error.to_string()))?;
        let (checkpoint, files) = Self::files(&folder).map_err(fault)?;
        let precision = network.here(&folder, device).precision_in_matches(device);
        let player = PlayerSpec::Network(NetworkSpec {
            path: "network".into(),
            precision: Some(precision),
            ..network.clone()
        });
        Ok(PlayerFiles {
            player: Self::Spec {
                player,
                checkpoint: Some(checkpoint),
            },
            files,
            precision: Some(precision),
        })
    }

    /// A network on other machines as evaluations have it play.
    pub(crate) fn rated(folder: &Path, precision: Precision, search: RatedSearch) -> Result<PlayerFiles, RemoteError> {
        let (checkpoint, files) = Self::files(folder).map_err(|reason| RemoteError::Checkpoint {
            player: folder.display().to_string(),
            reason,
        })?;
        Ok(PlayerFiles {
            player: Self::Rated {
                checkpoint,
                precision,
                search,
            },
            files,
            precision: Some(precision),
        })
    }

    /// The hash of a checkpoint's manifest, and its files.
    fn files(folder: &Path) -> Result<(String, Vec<Vec<u8>>), String> {
        let [manifest, weights] = checkpoint_files(folder)?;
        Ok((FileFacts::of(&manifest).sha256, vec![manifest, weights]))
    }
}

impl Terms {
    /// The conditions of the games.
    ///
    /// # Errors
    /// If the game is none of type `G`, or the openings are none of it.
    pub fn conditions<G: Playable>(&self) -> Result<Match<G>, String> {
        let standard = G::standard_rules(self.game.name()).ok_or_else(|| format!("{} is another game", self.game))?;
        let rules = G::with_turns(&self.rules.rules(), &standard);
        let openings = match &self.openings {
            Start::Random { plies } => Ok(Openings::Random { plies: *plies }),
            Start::Lines { text } => Openings::parse::<G>(text, &rules),
        };
        Ok(Match {
            openings: openings.map_err(|error: OpeningError| error.to_string())?,
            rules,
            seed: self.seed,
            max_plies: self.max_plies,
            pairs_at_once: 1,
        })
    }
}

/// Terms of games, such as [`Terms`], with the files of their players, ready to be sent.
#[derive(Clone, Debug)]
pub struct Package {
    /// SHA-256 of the terms.
    pub terms: String,
    /// The terms, and the files of the players.
    pub files: Vec<Vec<u8>>,
    /// The arithmetic of this machine.
    pub arithmetic: Vec<Arithmetic>,
}

impl Package {
    /// Terms for these players, which `terms` makes of them, for games as they would be on this machine's `device`.
    ///
    /// # Errors
    /// If the device cannot compute.
    pub fn new<T: Serialize>(
        players: Vec<PlayerFiles>,
        device: Device,
        terms: impl FnOnce(Vec<RemotePlayer>) -> T,
    ) -> Result<Self, ClusterError> {
        let mut precisions: Vec<Precision> = Vec::new();
        for precision in players.iter().filter_map(|player| player.precision) {
            if !precisions.contains(&precision) {
                precisions.push(precision);
            }
        }
        // Players without networks compute too: the logarithm of a system's library depends on the processor.
        if precisions.is_empty() {
            precisions.push(Precision::F32);
        }
        let arithmetic = precisions
            .into_iter()
            .map(|precision| Arithmetic::here(device, precision));
        let arithmetic: Result<Vec<_>, String> = arithmetic.collect();
        let mut files: Vec<Vec<u8>> = Vec::new();
        let mut remote = Vec::new();
        for player in players {
            remote.push(player.player);
            for file in player.files {
                if !files.contains(&file) {
                    files.push(file);
                }
            }
        }
        let text = json(&terms(remote)).into_bytes();
        let hash = FileFacts::of(&text).sha256;
        files.push(text);
        Ok(Self {
            terms: hash,
            files,
            arithmetic: arithmetic.map_err(ClusterError::Device)?,
        })
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    #[test]
    fn players_that_depend_on_the_machine_are_refused_with_the_reason() {
        let check = |text: &str, mixed| {
            let player: PlayerSpec = text.parse().unwrap();
            RemotePlayer::check(&player, mixed).map_err(|error| error.to_string())
        };
        for text in [
            "random",
            "alpha-beta:depth=3",
            "net:x,simulations=9",
            "rollouts:simulations=9",
        ] {
            assert_eq!(check(text, false), Ok(()), "{text}");
        }
        for text in ["alpha-beta:ms=5", "net:x,ms=5"] {
            let error = check(text, false).unwrap_err();
            assert!(error.contains(text) && error.contains("limited by time"), "{error}");
            assert_eq!(check(text, true), Ok(()), "{text}");
        }
        for mixed in [false, true] {
            let error = check("ugi:command=x", mixed).unwrap_err();
            assert!(error.contains("a program on this machine"), "{error}");
        }
    }

    #[test]
    fn terms_are_read_as_they_were_written() {
        let terms = Terms {
            game: GameName::Stax,
            rules: RulesConfig::of(GameName::Stax),
            seed: u64::MAX,
            max_plies: 300,
            openings: Start::Lines { text: "a\nb\n".into() },
            players: vec![
                RemotePlayer::Spec {
                    player: "net:network,simulations=9,precision=bf16".parse().unwrap(),
                    checkpoint: Some("abc".into()),
                },
                RemotePlayer::Rated {
                    checkpoint: "abc".into(),
                    precision: Precision::F32,
                    search: RatedSearch {
                        simulations: 3,
                        c_puct: 1.1,
                        fpu_reduction: 0.2,
                    },
                },
            ],
        };
        let text = serde_json::to_string(&terms).unwrap();
        assert_eq!(serde_json::from_str::<Terms>(&text).unwrap(), terms);
    }
}
