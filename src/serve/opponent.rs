//! Who can be played against, and who can be asked for an opinion.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use axum::Json;
use axum::extract::State;
use chase_experiments::analysis::EvaluatorSpec;
use chase_experiments::{NetworkSpec, PlayerSpec};
use chase_models::device::Device;
use chase_training::training_loop::checkpoint_folder;
use serde::{Deserialize, Serialize};

use super::Server;
use super::refusal::Refusal;
use super::run_folder::RunFolder;

/// The most that a page may ask for in one search.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Limits {
    pub simulations: u32,
    pub milliseconds: u32,
}

/// Plies that a page may ask alpha-beta to look ahead: each takes some thirty times as long as the one before.
const DEEPEST: u32 = 4;

/// Baselines, and the networks of the runs in a folder.
///
/// Pages name players by what [`Opponents::list`] calls them, never by a path.
#[derive(Debug)]
pub struct Opponents {
    runs: Option<Arc<RunFolder>>,
    device: Device,
    limits: Limits,
}

/// A player that a page can choose.
#[derive(Debug, Serialize)]
pub struct Player {
    /// What requests call it.
    id: String,
    /// What people call it.
    name: String,
    /// Whether it can be asked for an analysis.
    analyses: bool,
    /// Whether it can be played against.
    plays: bool,
    /// How its strength can be set; nothing where it cannot.
    efforts: Vec<EffortRange>,
}

#[derive(Debug, Serialize)]
struct EffortRange {
    unit: Unit,
    least: u32,
    most: u32,
    usual: u32,
}

/// What limits a decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Unit {
    Simulations,
    Milliseconds,
    /// Plies that are looked ahead.
    Depth,
}

/// How hard a player is to think.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Effort {
    unit: Unit,
    amount: u32,
}

const NETWORK: &str = "net:";

impl Opponents {
    pub const fn new(runs: Option<Arc<RunFolder>>, device: Device, limits: Limits) -> Self {
        Self { runs, device, limits }
    }

    pub const fn device(&self) -> Device {
        self.device
    }

    pub const fn limits(&self) -> Limits {
        self.limits
    }

    fn networks(&self) -> Vec<String> {
        self.runs.as_ref().map(|runs| runs.networks()).unwrap_or_default()
    }

    fn range(&self, unit: Unit, usual: u32) -> EffortRange {
        let most = match unit {
            Unit::Simulations => self.limits.simulations,
            Unit::Milliseconds => self.limits.milliseconds,
            Unit::Depth => DEEPEST,
        };
        let least = if unit == Unit::Milliseconds { 10 } else { 1 };
        EffortRange {
            unit,
            least,
            most,
            usual: usual.min(most),
        }
    }

    /// Everybody, the strongest kind first.
    fn list(&self) -> Vec<Player> {
        let search = |usual| {
            vec![
                self.range(Unit::Simulations, usual),
                self.range(Unit::Milliseconds, 2000),
            ]
        };
        let mut players: Vec<Player> = self
            .networks()
            .into_iter()
            .map(|name| Player {
                id: format!("{NETWORK}{name}"),
                name: format!("network of {name}"),
                analyses: true,
                plays: true,
                efforts: search(400),
            })
            .collect();
        let baseline = |id: &str, name: &str, efforts| Player {
            id: id.to_owned(),
            name: name.to_owned(),
            analyses: false,
            plays: true,
            efforts,
        };
        let depths = vec![self.range(Unit::Depth, 2), self.range(Unit::Milliseconds, 1000)];
        players.push(baseline("alpha-beta", "alpha-beta, which counts dice", depths));
        players.push(Player {
            analyses: true,
            ..baseline("rollouts", "search by random games", search(1000))
        });
        players.push(baseline("greedy", "greedy, which takes what it can", Vec::new()));
        players.push(baseline("random", "random", Vec::new()));
        players
    }

    fn checked(&self, player: &str, effort: Option<Effort>) -> Result<Option<Effort>, Refusal> {
        let list = self.list();
        let known = list.iter().find(|known| known.id == player);
        let known = known.ok_or_else(|| Refusal::missing(format!("there is no player {player:?} here")))?;
        let Some(effort) = effort else {
            let usual = known.efforts.first();
            return Ok(usual.map(|range| Effort {
                unit: range.unit,
                amount: range.usual,
            }));
        };
        let range = known.efforts.iter().find(|range| range.unit == effort.unit);
        let range = range.ok_or_else(|| Refusal::bad(format!("{player} cannot be limited like that")))?;
        if !(range.least..=range.most).contains(&effort.amount) {
            let EffortRange { least, most, .. } = range;
            return Err(Refusal::bad(format!("expected an effort from {least} to {most}")));
        }
        Ok(Some(effort))
    }

    /// The player that a page has chosen.
    ///
    /// # Errors
    /// If there is no such player, or the effort is out of its range.
    pub fn player(&self, player: &str, effort: Option<Effort>) -> Result<PlayerSpec, Refusal> {
        let effort = self.checked(player, effort)?;
        if let Some(folder) = self.network(player) {
            let mut spec = NetworkSpec::new(folder);
            match effort {
                Some(Effort {
                    unit: Unit::Milliseconds,
                    amount,
                }) => {
                    spec.time = Some(Duration::from_millis(amount.into()));
                    spec.simulations = Some(self.limits.simulations);
                }
                Some(Effort { amount, .. }) => spec.simulations = Some(amount),
                None => {}
            }
            return Ok(PlayerSpec::Network(spec));
        }
        let text = match effort {
            None => player.to_owned(),
            Some(Effort { unit, amount }) => {
                let key = match unit {
                    Unit::Simulations => "simulations",
                    Unit::Milliseconds => "ms",
                    Unit::Depth => "depth",
                };
                format!("{player}:{key}={amount}")
            }
        };
        text.parse().map_err(Refusal::bad)
    }

    /// Whose opinion of positions a page has asked for.
    ///
    /// # Errors
    /// If there is nobody of that name who has one.
    pub fn evaluator(&self, player: &str) -> Result<EvaluatorSpec, Refusal> {
        self.checked(player, None)?;
        match self.network(player) {
            Some(folder) => checkpoint_folder(&folder)
                .map(EvaluatorSpec::Network)
                .map_err(Refusal::fault),
            None if player == "rollouts" => Ok(EvaluatorSpec::Rollouts(1)),
            None => Err(Refusal::bad(format!("{player} plays, but has no opinion of positions"))),
        }
    }

    /// The run whose network the name of a player means.
    fn network(&self, player: &str) -> Option<PathBuf> {
        let name = player.strip_prefix(NETWORK)?;
        self.runs.as_ref()?.run(name)
    }
}

/// What a page has to know first.
#[derive(Debug, Serialize)]
pub struct Status {
    version: &'static str,
    players: Vec<Player>,
    /// Whether there is a folder of runs.
    has_runs: bool,
    limits: Limits,
}

/// `GET /api/status`
pub async fn status(State(server): State<Server>) -> Json<Status> {
    Json(Status {
        version: env!("CARGO_PKG_VERSION"),
        players: server.opponents.list(),
        has_runs: server.runs.is_some(),
        limits: server.opponents.limits(),
    })
}
