//! The players that a page can choose, as opponents or for analysis.

use std::path::PathBuf;
use std::time::Duration;

use axum::Json;
use axum::extract::{Path, State};
use chase_arena::{LEVELS, PlayerSpec, SearchLimits, SearchSpec};
use chase_engine::{Game, GameName, Playable, Player, with_game};
use chase_nnue::shipped;
use serde::{Deserialize, Serialize};

use super::Server;
use super::networks::Networks;
use super::refusal::{Refusal, aside};
use super::replay::game_name;

/// Upper limits of a page's search.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Limits {
    pub simulations: u32,
    /// Of an alpha-beta search.
    pub nodes: u64,
    pub milliseconds: u32,
}

impl Limits {
    /// The limits of a page that may request that many simulations and seconds for a search.
    pub const fn new(simulations: u32, seconds: u32) -> Self {
        Self {
            simulations,
            nodes: simulations as u64 * NODES_PER_SIMULATION,
            milliseconds: seconds * 1000,
        }
    }
}

/// Deepest alpha-beta search of a page. The limit of time ends it sooner where each ply takes long, as in Chase.
const DEEPEST: u32 = 8;

/// Nodes of an alpha-beta analysis for each simulation that a page may ask for. They take as long as several
/// simulations: the limit of time is what ends most of these searches.
const NODES_PER_SIMULATION: u64 = 1000;

/// The level that pages suggest.
const USUAL_LEVEL: u32 = 4;

/// Baselines, trained agents, and the networks of runs.
///
/// Pages identify players by the ids of [`Opponents::list`], never by a path.
#[derive(Debug)]
pub struct Opponents {
    networks: Networks,
    limits: Limits,
}

/// A player that a page can choose.
#[derive(Debug, Serialize)]
pub struct PagePlayer {
    /// Its id in requests.
    id: String,
    /// Its name for people.
    name: String,
    /// What its analyses of positions count; `null` if it cannot analyse.
    analyses: Option<AnalysisUnit>,
    /// True if it can be played against.
    plays: bool,
    /// The ranges of its search effort; empty if it cannot be set.
    efforts: Vec<EffortRange>,
    /// The checkpoints of a run, newest first: appended to the id after a slash, a name selects one.
    checkpoints: Vec<String>,
}

#[derive(Clone, Debug, Serialize)]
struct EffortRange {
    unit: LimitUnit,
    least: u32,
    most: u32,
    usual: u32,
}

/// The unit of a decision's limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LimitUnit {
    Simulations,
    Milliseconds,
    /// Search depth in plies.
    Depth,
    /// One of [`LEVELS`], from 1.
    Level,
}

/// The unit of an analysis's limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum AnalysisUnit {
    /// Simulations of a tree search.
    Simulations,
    /// Nodes of an alpha-beta search.
    Nodes,
}

/// Search effort of a player.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SearchEffort {
    unit: LimitUnit,
    amount: u32,
}

impl Opponents {
    pub const fn new(networks: Networks, limits: Limits) -> Self {
        Self { networks, limits }
    }

    pub const fn limits(&self) -> Limits {
        self.limits
    }

    /// The most that an analysis may count in a unit.
    pub const fn most(&self, unit: AnalysisUnit) -> u64 {
        match unit {
            AnalysisUnit::Simulations => self.limits.simulations as u64,
            AnalysisUnit::Nodes => self.limits.nodes,
        }
    }

    /// Number of agents and runs with a network.
    pub fn networks(&self) -> usize {
        self.networks.list().len() + self.networks.nnue().len()
    }

    fn range(&self, unit: LimitUnit, usual: u32) -> EffortRange {
        let most = match unit {
            LimitUnit::Simulations => self.limits.simulations,
            LimitUnit::Milliseconds => self.limits.milliseconds,
            LimitUnit::Depth => DEEPEST,
            LimitUnit::Level => LEVELS.len() as u32,
        };
        let least = if unit == LimitUnit::Milliseconds { 10 } else { 1 };
        EffortRange {
            unit,
            least,
            most,
            usual: usual.min(most),
        }
    }

    /// All players of a game, strongest kind first.
    fn list(&self, game: GameName) -> Vec<PagePlayer> {
        let search = |usual| {
            vec![
                self.range(LimitUnit::Simulations, usual),
                self.range(LimitUnit::Milliseconds, 2000),
            ]
        };
        let networks = self.networks.list().into_iter().filter(|network| network.game == game);
        let networks = networks.map(|network| PagePlayer {
            id: network.id,
            name: network.name,
            analyses: Some(AnalysisUnit::Simulations),
            plays: true,
            efforts: [search(400), vec![self.range(LimitUnit::Level, USUAL_LEVEL)]].concat(),
            checkpoints: network.checkpoints,
        });
        let mut players: Vec<PagePlayer> = networks.collect();
        let baseline = |id: &str, name: &str, efforts| PagePlayer {
            id: id.to_owned(),
            name: name.to_owned(),
            analyses: None,
            plays: true,
            efforts,
            checkpoints: Vec::new(),
        };
        let time = || vec![self.range(LimitUnit::Milliseconds, 1000)];
        let nnue = self.networks.nnue().into_iter().filter(|(_, _, its)| *its == game);
        players.extend(nnue.map(|(id, ..)| {
            let run = id.trim_start_matches("nnue:");
            let name = match run {
                shipped::NAME => run.to_owned(),
                _ => format!("nnue of {run}"),
            };
            PagePlayer {
                analyses: Some(AnalysisUnit::Nodes),
                ..baseline(&id, &name, time())
            }
        }));
        let is_judged = with_game!(game, G => is_judged::<G>());
        if is_judged {
            let depths = vec![
                self.range(LimitUnit::Depth, 2),
                self.range(LimitUnit::Milliseconds, 1000),
            ];
            players.push(PagePlayer {
                analyses: Some(AnalysisUnit::Nodes),
                ..baseline("alpha-beta", "alpha-beta search", depths)
            });
        }
        players.push(PagePlayer {
            analyses: Some(AnalysisUnit::Simulations),
            ..baseline("rollouts", "random rollouts", search(1000))
        });
        if is_judged {
            players.push(baseline("greedy", "greedy play", Vec::new()));
        }
        players.push(baseline("random", "random play", Vec::new()));
        players
    }

    /// The network with this id; `None` for another player.
    ///
    /// # Errors
    /// If it is of another game.
    fn network(&self, game: GameName, player: &str) -> Result<Option<PathBuf>, Refusal> {
        match self.networks.find(player) {
            Some((_, other)) if other != game => Err(Refusal::bad(format!(
                "{player} plays {other}, expected a player of {game}"
            ))),
            found => Ok(found.map(|(path, _)| path)),
        }
    }

    fn checked(
        &self,
        game: GameName,
        player: &str,
        effort: Option<SearchEffort>,
    ) -> Result<Option<SearchEffort>, Refusal> {
        let network = self.network(game, player)?;
        let list = self.list(game);
        // The checkpoint of a run does not matter here.
        let whole = player.split_once('/').map_or(player, |(whole, _)| whole);
        let known = list.iter().find(|known| known.id == whole);
        let of = if game == GameName::Chase {
            String::new()
        } else {
            format!(" of {game}")
        };
        let missing = || {
            let ids: Vec<&str> = list.iter().map(|known| &*known.id).collect();
            let ids = ids.join(", ");
            Refusal::missing(format!("there is no player {player:?}{of} here, expected one of {ids}"))
        };
        let known = known.ok_or_else(missing)?;
        if whole != player && network.is_none() {
            return Err(missing());
        }
        let Some(effort) = effort else {
            let usual = known.efforts.first();
            return Ok(usual.map(|range| SearchEffort {
                unit: range.unit,
                amount: range.usual,
            }));
        };
        let range = known.efforts.iter().find(|range| range.unit == effort.unit);
        let range = range.ok_or_else(|| Refusal::bad(format!("{player} has no such limit")))?;
        if !(range.least..=range.most).contains(&effort.amount) {
            let EffortRange { least, most, .. } = range;
            return Err(Refusal::bad(format!("effort: expected {least} to {most}")));
        }
        Ok(Some(effort))
    }

    /// The player that a page has chosen.
    ///
    /// # Errors
    /// If there is no such player, or the effort is out of its range.
    pub fn player(&self, game: GameName, player: &str, effort: Option<SearchEffort>) -> Result<PlayerSpec, Refusal> {
        let player = &*self.networks.id(player);
        let effort = self.checked(game, player, effort)?;
        if let Some((_, run, _)) = self.networks.nnue().into_iter().find(|(id, ..)| id == player) {
            let time = effort.map(|SearchEffort { amount, .. }| Duration::from_millis(amount.into()));
            let limits = time.map_or_else(SearchLimits::default, SearchLimits::time);
            return Ok(SearchSpec::updatable(run).within(limits).into());
        }
        if let Some(folder) = self.network(game, player)? {
            let mut spec = SearchSpec::residual(folder);
            let most = u64::from(self.limits.simulations);
            match effort {
                Some(SearchEffort {
                    unit: LimitUnit::Milliseconds,
                    amount,
                }) => {
                    spec.limits.time = Some(Duration::from_millis(amount.into()));
                    spec.limits.nodes = Some(most);
                }
                Some(SearchEffort {
                    unit: LimitUnit::Level,
                    amount,
                }) => {
                    spec.set_level(amount);
                    spec.limits.nodes = spec.limits.nodes.map(|nodes| nodes.min(most));
                }
                Some(SearchEffort { amount, .. }) => spec.limits.nodes = Some(amount.into()),
                None => {}
            }
            return Ok(spec.into());
        }
        let text = match effort {
            None => player.to_owned(),
            Some(SearchEffort { unit, amount }) => {
                let most = self.limits.milliseconds;
                match unit {
                    LimitUnit::Simulations => format!("{player}:simulations={amount}"),
                    LimitUnit::Milliseconds => format!("{player}:ms={amount}"),
                    LimitUnit::Depth => format!("{player}:depth={amount},ms={most}"),
                    LimitUnit::Level => format!("{player}:level={amount}"),
                }
            }
        };
        text.parse().map_err(Refusal::bad)
    }

    /// The player that judges positions for a page.
    ///
    /// # Errors
    /// If there is no such player, or it cannot analyse.
    pub fn judge(&self, game: GameName, player: &str) -> Result<SearchSpec, Refusal> {
        let chosen = self.player(game, player, None)?;
        let spec = chosen.search();
        let spec = spec.ok_or_else(|| Refusal::bad(format!("{player} cannot evaluate positions")))?;
        Ok(spec.as_judge(SearchLimits::default()))
    }
}

/// True if there is a heuristic for the game, as some baselines need.
fn is_judged<G: Playable>() -> bool {
    G::HAS_HEURISTIC
}

/// Initial information for a page of one game.
#[derive(Debug, Serialize)]
pub struct Status {
    version: &'static str,
    /// The game's name.
    game: &'static str,
    /// All games.
    games: Vec<ListedGame>,
    /// The game's names of its first and its second player, `white` and `black` in requests and answers.
    sides: [&'static str; 2],
    /// True if the first player has the dark pieces.
    first_is_dark: bool,
    /// True if each game begins in another position, drawn at random.
    begins_at_random: bool,
    players: Vec<PagePlayer>,
    /// True if there is a folder of runs.
    has_runs: bool,
    /// True if there is a cluster to look at.
    has_cluster: bool,
    /// The runs of this game.
    runs: Vec<String>,
    limits: Limits,
}

/// A game as people choose it.
#[derive(Debug, Serialize)]
struct ListedGame {
    name: &'static str,
    /// Its proper name, and what it is about.
    title: String,
    summary: String,
}

impl ListedGame {
    fn of(game: GameName) -> Self {
        let words = game.words();
        Self {
            name: game.name(),
            title: words.title,
            summary: words.summary,
        }
    }
}

/// `GET /api/status`: that of Chase.
pub async fn status(State(server): State<Server>) -> Result<Json<Status>, Refusal> {
    status_of(server, GameName::Chase).await
}

/// `GET /api/status/{game}`
pub async fn status_of_game(State(server): State<Server>, Path(game): Path<String>) -> Result<Json<Status>, Refusal> {
    status_of(server, game_name(Some(&game))?).await
}

async fn status_of(server: Server, game: GameName) -> Result<Json<Status>, Refusal> {
    aside(move || {
        let runs = server.runs.as_ref().map(|runs| runs.of_game(game)).unwrap_or_default();
        Ok(Json(Status {
            version: env!("CARGO_PKG_VERSION"),
            game: game.name(),
            games: GameName::ALL.iter().map(|&game| ListedGame::of(game)).collect(),
            sides: with_game!(game, G => Player::BOTH.map(|side| G::PLAYERS[side])),
            first_is_dark: with_game!(game, G => G::FIRST_IS_DARK),
            begins_at_random: with_game!(game, G => G::begins_at_random(&game.rules::<G>())),
            players: server.opponents.list(game),
            has_runs: server.runs.is_some(),
            has_cluster: server.cluster.is_some(),
            runs: runs.into_iter().map(|(name, _)| name).collect(),
            limits: server.opponents.limits(),
        }))
    })
    .await
}
