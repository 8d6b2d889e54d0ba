//! Networks that pages can choose by name.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use chase_engine::GameName;
use chase_models::manifest::{MANIFEST_FILE, Manifest};
use chase_models::shipped;
use chase_nnue::shipped as nnue_shipped;
use chase_training::kinds::NetworkKind;
use chase_training::store::run_dir::STATE_FILE;

use super::run_folder::{RunFolder, game_of};

/// The built-in networks, those of trained agents in one folder, and those of runs in another.
///
/// | name | network |
/// |---|---|
/// | `agent:NAME` | the checkpoint of this name in the folder of agents, or a [`shipped`] agent |
/// | `net:RUN` | the newest checkpoint of a run |
/// | `net:RUN/gen-000012` | an older one |
///
/// Efficiently updated networks are separate: `nnue:RUN` for runs of the [kind](NetworkKind), and the built-in one.
#[derive(Debug)]
pub struct Networks {
    agents: Option<PathBuf>,
    runs: Option<Arc<RunFolder>>,
}

/// A network, or a run with several.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedNetwork {
    /// Its id in requests.
    pub id: String,
    /// Its name for people.
    pub name: String,
    /// The game that it plays.
    pub game: GameName,
    /// Names of all checkpoints of a run, newest first; requests append them to the id after a slash.
    pub checkpoints: Vec<String>,
}

const AGENT: &str = "agent:";
const RUN: &str = "net:";
const NNUE: &str = "nnue:";

impl Networks {
    pub const fn new(agents: Option<PathBuf>, runs: Option<Arc<RunFolder>>) -> Self {
        Self { agents, runs }
    }

    /// All networks: the built-in agents, other agents, newest first, then runs.
    pub fn list(&self) -> Vec<ListedNetwork> {
        let agents = self.agents().into_iter().map(|(name, game)| ListedNetwork {
            id: format!("{AGENT}{name}"),
            name: format!("{name} (trained network)"),
            game,
            checkpoints: Vec::new(),
        });
        let runs = self.runs.as_ref().map(|runs| runs.all()).unwrap_or_default();
        let runs = runs.into_iter().filter_map(|(name, run)| {
            let checkpoints = checkpoints(&run);
            let game = game_of(&run).filter(|_| !checkpoints.is_empty())?;
            Some(ListedNetwork {
                id: format!("{RUN}{name}"),
                name: format!("network of {name}"),
                game,
                checkpoints,
            })
        });
        agents.chain(runs).collect()
    }

    /// The efficiently updatable networks by their paths, each with its id and game: the built-in one, then runs.
    pub fn nnue(&self) -> Vec<(String, PathBuf, GameName)> {
        let mut runs = self.runs.as_ref().map(|runs| runs.all()).unwrap_or_default();
        runs.retain(|(_, run)| NetworkKind::of(run) == NetworkKind::Nnue && run.join(STATE_FILE).is_file());
        let runs = runs
            .into_iter()
            .filter_map(|(name, run)| game_of(&run).map(|game| (name, run, game)));
        let built_in = nnue_shipped::NAME;
        let built_in = (built_in.to_owned(), built_in.into(), nnue_shipped::GAME);
        let all = std::iter::once(built_in).chain(runs);
        all.map(|(name, path, game)| (format!("{NNUE}{name}"), path, game))
            .collect()
    }

    /// The id of a player that may be named as on the command line: `agent-71` and `net:agent-71` are `agent:agent-71`,
    /// `nnue-57` is `nnue:nnue-57`.
    pub fn id(&self, player: &str) -> String {
        if nnue_shipped::is_shipped(Path::new(player)) {
            return format!("{NNUE}{player}");
        }
        let agent = format!("{AGENT}{}", player.strip_prefix(RUN).unwrap_or(player));
        let is_meant = self.find(player).is_none() && self.find(&agent).is_some();
        if is_meant { agent } else { player.to_owned() }
    }

    /// The path of the network with this id, and its game: a checkpoint, or a run, which means its newest checkpoint.
    pub fn find(&self, id: &str) -> Option<(PathBuf, GameName)> {
        if let Some(name) = id.strip_prefix(AGENT) {
            let (known, game) = self.agents().into_iter().find(|(known, _)| known == name)?;
            let path = match shipped::is_shipped(Path::new(&known)) {
                true => known.into(),
                false => self.agents.as_ref()?.join(known),
            };
            return Some((path, game));
        }
        let name = id.strip_prefix(RUN)?;
        let (name, checkpoint) = name
            .split_once('/')
            .map_or((name, None), |(run, name)| (run, Some(name)));
        let run = self.runs.as_ref()?.run(name)?;
        let (known, game) = (checkpoints(&run), game_of(&run)?);
        let path = match checkpoint {
            None => (!known.is_empty()).then_some(run),
            Some(name) => known
                .iter()
                .find(|known| *known == name)
                .map(|name| run.join(CHECKPOINTS).join(name)),
        };
        Some((path?, game))
    }

    /// Names of agents with their games: the built-in ones first, of which the first is the default of pages, then the
    /// others by descending number, newest first.
    fn agents(&self) -> Vec<(String, GameName)> {
        let mut agents = Vec::new();
        if let Some(folder) = &self.agents {
            let names = folders(folder).into_iter();
            let names = names.filter(|name| !shipped::is_shipped(Path::new(name)));
            let game = |name: &str| Manifest::read(&folder.join(name)).ok()?.game.parse().ok();
            agents.extend(
                names
                    .filter_map(|name| Some((game(&name)?, name)))
                    .map(|(game, name)| (name, game)),
            );
        }
        let number = |name: &String| {
            let digits = name.trim_start_matches(|character: char| !character.is_ascii_digit());
            digits.parse::<u64>().unwrap_or(0)
        };
        agents.sort_by(|(one, _), (other, _)| (number(other), other).cmp(&(number(one), one)));
        let built_in = shipped::names().map(|name| (name.to_owned(), GameName::Chase));
        built_in.chain(agents).collect()
    }
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
