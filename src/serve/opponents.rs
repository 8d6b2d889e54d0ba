//! The players that a page can choose, as opponents or for analysis.

use std::path::{Path, PathBuf};
use std::time::Duration;

use axum::Json;
use axum::extract::{Path as UrlPath, State};
use chase_arena::{EvaluatorSpec, LEVELS, PlayerSpec, SearchKind, SearchLimits, SearchSpec, Unit};
use chase_engine::{GameName, Playable, Player, with_game};
use chase_models::manifest::{MANIFEST_FILE, Manifest};
use chase_models::shipped;
use chase_nnue::shipped as nnue_shipped;
use chase_training::kinds::NetworkKind;
use chase_training::store::run_dir::STATE_FILE;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::refusal::{Answer, Refusal, aside};
use super::replay::game_name;
use super::runs::{RunFolder, game_of};
use super::{Server, lessons, puzzles};

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

/// Baselines, trained agents in one folder, and the networks of runs in another.
///
/// Pages identify players by ids, never by a path:
///
/// | id | network |
/// |---|---|
/// | `agent:NAME` | the checkpoint of this name in the folder of agents, or a [`shipped`] agent |
/// | `net:RUN` | the newest checkpoint of a run |
/// | `net:RUN/gen-000012` | an older one |
/// | `nnue:NAME` | the built-in efficiently updatable network, or the newest one of a run |
#[derive(Debug)]
pub struct Opponents {
    pub agents: Option<PathBuf>,
    pub runs: RunFolder,
    pub limits: Limits,
}

/// A player that a page can choose.
#[derive(Debug, Serialize)]
pub struct PagePlayer {
    /// Its id in requests.
    id: String,
    /// Its name for people.
    name: String,
    /// What its analyses of positions count; `null` if it cannot analyse.
    analyses: Option<&'static str>,
    /// True if it can be played against.
    plays: bool,
    /// The ranges of its search effort; empty if it cannot be set.
    efforts: Vec<EffortRange>,
    /// The checkpoints of a run, newest first: appended to the id after a slash, a name selects one.
    checkpoints: Vec<String>,
    /// The player without its effort.
    #[serde(skip)]
    spec: PlayerSpec,
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

/// Search effort of a player.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SearchEffort {
    unit: LimitUnit,
    amount: u32,
}

impl Opponents {
    /// The most that an analysis may count in a unit.
    pub const fn most(&self, unit: Unit) -> u64 {
        match unit {
            Unit::Simulations => self.limits.simulations as u64,
            Unit::Nodes => self.limits.nodes,
        }
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

    /// A player with the ranges of its effort, by their usual amounts.
    fn player_of(&self, id: String, name: String, spec: PlayerSpec, usual: &[(LimitUnit, u32)]) -> PagePlayer {
        PagePlayer {
            id,
            name,
            analyses: spec.search().map(|spec| match spec.search.form().unit {
                Unit::Simulations => "simulations",
                Unit::Nodes => "nodes",
            }),
            plays: true,
            efforts: usual.iter().map(|&(unit, usual)| self.range(unit, usual)).collect(),
            checkpoints: Vec::new(),
            spec,
        }
    }

    /// The networks of all games: the built-in agents, other agents, newest first, then runs; then the efficiently
    /// updatable ones.
    pub fn networks(&self) -> Vec<(GameName, PagePlayer)> {
        use LimitUnit::{Level, Milliseconds, Simulations};
        let efforts = [(Simulations, 400), (Milliseconds, 2000), (Level, USUAL_LEVEL)];
        let agents = self.agents().into_iter().map(|(name, path, game)| {
            let spec = SearchSpec::residual(path).into();
            let (id, shown) = (format!("agent:{name}"), format!("{name} (trained network)"));
            (game, self.player_of(id, shown, spec, &efforts))
        });
        let runs = self.runs.all();
        let residual = runs.iter().filter_map(|(name, run)| {
            let checkpoints = checkpoints(run);
            let game = game_of(run).filter(|_| !checkpoints.is_empty())?;
            let (id, shown) = (format!("net:{name}"), format!("network of {name}"));
            let player = self.player_of(id, shown, SearchSpec::residual(run).into(), &efforts);
            Some((game, PagePlayer { checkpoints, ..player }))
        });
        let updatable = |game: GameName, name: &str, shown: String, path: &Path| {
            let spec = SearchSpec::updatable(path).into();
            let player = self.player_of(format!("nnue:{name}"), shown, spec, &[(Milliseconds, 1000)]);
            (game, player)
        };
        let built_in = nnue_shipped::NAME;
        let built_in = updatable(nnue_shipped::GAME, built_in, built_in.to_owned(), built_in.as_ref());
        let of_runs = runs.iter().filter_map(|(name, run)| {
            let is_updatable = NetworkKind::of(run) == NetworkKind::Nnue && run.join(STATE_FILE).is_file();
            let game = game_of(run).filter(|_| is_updatable)?;
            Some(updatable(game, name, format!("nnue of {name}"), run))
        });
        agents.chain(residual).chain([built_in]).chain(of_runs).collect()
    }

    /// All players of a game, strongest kind first, and the ids of the players of other games.
    fn list(&self, game: GameName) -> (Vec<PagePlayer>, Vec<(GameName, String)>) {
        use LimitUnit::{Depth, Milliseconds, Simulations};
        let (mut players, mut others) = (Vec::new(), Vec::new());
        for (its, player) in self.networks() {
            match its == game {
                true => players.push(player),
                false => others.push((its, player.id)),
            }
        }
        let mut add = |id: &str, name: &str, spec: PlayerSpec, usual: &[(LimitUnit, u32)]| {
            players.push(self.player_of(id.to_owned(), name.to_owned(), spec, usual));
        };
        // Some baselines need a heuristic.
        let is_judged = with_game!(game, G => is_judged::<G>());
        if is_judged {
            let spec = SearchSpec::new(EvaluatorSpec::Heuristic, SearchKind::AlphaBeta);
            let usual = [(Depth, 2), (Milliseconds, 1000)];
            add("alpha-beta", "alpha-beta search", spec.into(), &usual);
        }
        let rollouts = SearchSpec::new(EvaluatorSpec::Rollouts { games: 1 }, SearchKind::Puct);
        let usual = [(Simulations, 1000), (Milliseconds, 2000)];
        add("rollouts", "random rollouts", rollouts.into(), &usual);
        if is_judged {
            add("greedy", "greedy play", PlayerSpec::Greedy(0.0), &[]);
        }
        add("random", "random play", PlayerSpec::Random, &[]);
        (players, others)
    }

    /// The player that a page has chosen.
    ///
    /// # Errors
    /// If there is no such player, or the effort is out of its range.
    pub fn player(&self, game: GameName, player: &str, effort: Option<SearchEffort>) -> Result<PlayerSpec, Refusal> {
        let (list, others) = self.list(game);
        let (whole, checkpoint) = match player.split_once('/') {
            Some((whole, checkpoint)) => (whole, Some(checkpoint)),
            None => (player, None),
        };
        // Built-in networks may also be named as on the command line.
        let agent = format!("agent:{}", whole.strip_prefix("net:").unwrap_or(whole));
        let ids = [whole, &agent, &format!("nnue:{whole}")].map(str::to_owned);
        let mut known = ids.iter().filter_map(|id| list.iter().find(|known| known.id == *id));
        let known = known.next().filter(|known| {
            checkpoint.is_none_or(|checkpoint| known.checkpoints.iter().any(|known| known == checkpoint))
        });
        let Some(known) = known else {
            if let Some((other, _)) = others.iter().find(|(_, id)| ids.contains(id)) {
                return Err(Refusal::bad(format!(
                    "{player} plays {other}, expected a player of {game}"
                )));
            }
            let of = match game {
                GameName::Chase => String::new(),
                _ => format!(" of {game}"),
            };
            let ids: Vec<&str> = list.iter().map(|known| &*known.id).collect();
            let ids = ids.join(", ");
            let reason = format!("there is no player {player:?}{of} here, expected one of {ids}");
            return Err(Refusal::missing(reason));
        };
        let mut spec = known.spec.clone();
        if let (Some(network), Some(checkpoint)) = (spec.network_mut(), checkpoint) {
            network.path = network.path.join(CHECKPOINTS).join(checkpoint);
        }
        match known.effort(effort)? {
            Some(effort) => Ok(self.with_effort(spec, effort)),
            None => Ok(spec),
        }
    }

    /// A player that searches with an effort in its range.
    fn with_effort(&self, mut player: PlayerSpec, SearchEffort { unit, amount }: SearchEffort) -> PlayerSpec {
        let Limits {
            simulations,
            milliseconds,
            ..
        } = self.limits;
        let is_residual = player.residual().is_some();
        let Some(spec) = player.search_mut() else { return player };
        let time = |milliseconds: u32| Some(Duration::from_millis(milliseconds.into()));
        match unit {
            LimitUnit::Simulations => spec.limits.nodes = Some(amount.into()),
            LimitUnit::Milliseconds => {
                spec.limits.time = time(amount);
                spec.limits.nodes = is_residual.then_some(simulations.into());
            }
            LimitUnit::Depth => {
                spec.limits.depth = Some(amount);
                spec.limits.time = time(milliseconds);
            }
            LimitUnit::Level => {
                spec.set_level(amount);
                spec.limits = spec.limits.and(SearchLimits::nodes(simulations.into()));
            }
        }
        player
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

    /// Names, paths and games of agents: the built-in ones first, of which the first is the default of pages, then the
    /// others by descending number, newest first.
    fn agents(&self) -> Vec<(String, PathBuf, GameName)> {
        let mut agents = Vec::new();
        if let Some(folder) = &self.agents {
            let names = folders(folder).into_iter();
            let names = names.filter(|name| !shipped::is_shipped(Path::new(name)));
            agents.extend(names.filter_map(|name| {
                let path = folder.join(&name);
                let game = Manifest::read(&path).ok()?.game.parse().ok()?;
                Some((name, path, game))
            }));
        }
        let number = |name: &String| {
            let digits = name.trim_start_matches(|character: char| !character.is_ascii_digit());
            digits.parse::<u64>().unwrap_or(0)
        };
        agents.sort_by(|(one, ..), (other, ..)| (number(other), other).cmp(&(number(one), one)));
        let built_in = shipped::names().map(|name| (name.to_owned(), name.into(), GameName::Chase));
        built_in.chain(agents).collect()
    }
}

impl PagePlayer {
    /// The effort that a page asks for, or the usual one; `None` if it cannot be set.
    ///
    /// # Errors
    /// If it is out of its range.
    fn effort(&self, asked: Option<SearchEffort>) -> Result<Option<SearchEffort>, Refusal> {
        let Some(effort) = asked else {
            let usual = self.efforts.first();
            return Ok(usual.map(|range| SearchEffort {
                unit: range.unit,
                amount: range.usual,
            }));
        };
        let range = self.efforts.iter().find(|range| range.unit == effort.unit);
        let EffortRange { least, most, .. } =
            range.ok_or_else(|| Refusal::bad(format!("{} has no such limit", self.id)))?;
        match (*least..=*most).contains(&effort.amount) {
            true => Ok(Some(effort)),
            false => Err(Refusal::bad(format!("effort: expected {least} to {most}"))),
        }
    }
}

/// True if there is a heuristic for the game.
fn is_judged<G: Playable>() -> bool {
    G::HAS_HEURISTIC
}

/// The folder of a run's checkpoints.
const CHECKPOINTS: &str = "checkpoints";

/// The checkpoints of a run of a residual network, newest first. Some are deleted while training continues.
fn checkpoints(run: &Path) -> Vec<String> {
    if NetworkKind::of(run) != NetworkKind::Residual {
        return Vec::new();
    }
    let folder = run.join(CHECKPOINTS);
    let mut names = folders(&folder);
    names.retain(|name| name.starts_with("gen-") && folder.join(name).join(MANIFEST_FILE).is_file());
    names.sort_unstable_by(|one, other| other.cmp(one));
    names
}

fn folders(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
    names.collect()
}

/// `GET /api/status` and `GET /api/status/{game}`: all that a page of Chase, or of another game, begins with.
pub async fn status(State(server): State<Server>, game: Option<UrlPath<String>>) -> Answer {
    let game = game_name(game.as_deref().map(String::as_str))?;
    aside(move || with_game!(game, G => status_of::<G>(&server, game))).await
}

fn status_of<G: Playable>(server: &Server, game: GameName) -> Answer {
    let games = GameName::ALL.iter().map(|game| {
        let words = game.words();
        json!({"name": game.name(), "title": words.title, "summary": words.summary})
    });
    let runs = server.runs.of_game(game).into_iter().map(|(name, _)| name);
    Ok(Json(json!({
        "version": env!("CARGO_PKG_VERSION"),
        "game": game.name(),
        "games": games.collect::<Vec<_>>(),
        // The game's names of its first and its second player, `white` and `black` in requests and answers.
        "sides": Player::BOTH.map(|side| G::PLAYERS[side]),
        // True if the first player has the dark pieces.
        "first_is_dark": G::FIRST_IS_DARK,
        // True if each game begins in another position.
        "begins_at_random": G::begins_at_random(&game.rules::<G>()),
        "players": server.opponents.list(game).0,
        "has_runs": server.runs.0.is_some(),
        "has_cluster": server.cluster.is_some(),
        "runs": runs.collect::<Vec<_>>(),
        "limits": server.opponents.limits,
        // The tutorial, and what can be forced in positions.
        "lessons": lessons::all(game),
        "puzzles": puzzles::all::<G>(game),
    })))
}
