//! Pairs of games that other machines play: a kind of work of `chase-cluster`.
//!
//! Networks are sent as input files. Programs that speak UGI are not: what they do on another machine is not known.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fmt;
use std::marker::PhantomData;
use std::ops::Range;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::anyhow;
use chase_cluster::cluster::{Order, Part};
use chase_cluster::job::{Files, Folder};
use chase_cluster::{Cluster, Job, Task};
use chase_engine::search::{PuctParams, SearchParams, Strategy};
use chase_models::Precision;
use chase_models::device::Device;
use chase_training::config::{GameName, RulesConfig, game_name};
use chase_training::store::files::{self, FileError};
use chase_training::store::serialised::json;
use serde::{Deserialize, Serialize};

use crate::matches::{Deliver, Match, MatchError, Openings, PairResult, PairUnit, Venue};
use crate::players::{Contestant, NetworkSpec, PlayerError, PlayerSpec, SearchSpec, network_contestant};
use crate::tournament::openings;
use chase_engine::Playable;

/// The [kind](Job::KIND).
pub const KIND: &str = "pairs";

/// The conditions and the players of games.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
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
    /// The openings: lines in the form that [`Openings::parse`] reads, or a number of random plies.
    pub openings: Result<String, u32>,
    /// The players, whose networks are files below their numbers.
    pub players: Vec<RemotePlayer>,
}

/// A player on another machine.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum RemotePlayer {
    /// A player with a text, in which the path of a network has no meaning.
    Spec(PlayerSpec),
    /// A network as evaluations of a training run have it play.
    Rated(RatedSearch),
}

/// The search of an evaluation.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct RatedSearch {
    /// The arithmetic of inference.
    pub precision: Precision,
    /// Simulations for each choice.
    pub simulations: u32,
    /// [`PuctParams::c_puct`].
    pub c_puct: f32,
    /// [`PuctParams::fpu_reduction`].
    pub fpu_reduction: f32,
}

/// Units that are played one after the other.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct Pairs<G> {
    units: Vec<PairUnit>,
    #[serde(skip)]
    game: PhantomData<fn() -> G>,
}

impl RatedSearch {
    /// Its parameters: without noise, and with the policy temperature of players ([`SearchSpec`]).
    pub fn params(&self) -> SearchParams {
        SearchParams {
            simulations: self.simulations,
            strategy: Strategy::Puct(PuctParams {
                c_puct: self.c_puct,
                fpu_reduction: self.fpu_reduction,
                policy_temperature: SearchSpec::POLICY_TEMPERATURE,
                ..PuctParams::default()
            }),
            skip_forced: true,
        }
    }
}

/// Checks that a player can play on other machines, which with `mixed` need not be alike.
///
/// # Errors
/// If it cannot.
pub fn check(player: &PlayerSpec, mixed: bool) -> Result<(), PlayerError> {
    let obstacle = match player {
        PlayerSpec::Engine(_) => {
            "it is a program on this machine, which workers of a cluster do not have: expected built-in players and networks, or \
             no --cluster"
        }
        _ if !mixed && !player.is_deterministic() => {
            "it is limited by time, so that its games depend on the machine: expected a limit of depth, nodes or simulations, or \
             --mixed, which admits any machine"
        }
        _ => return Ok(()),
    };
    Err(player.unusable(anyhow!(obstacle)))
}

/// A player's network, if it has one that other machines do not have.
fn own_network(player: &mut PlayerSpec) -> Option<&mut NetworkSpec> {
    player.network_mut().filter(|network| !network.is_built_in())
}

/// The player with this number as it is sent. Its network is added to the files.
///
/// # Errors
/// If it cannot play on other machines, as [`check`], or its network cannot be read.
pub fn sent(player: &PlayerSpec, number: usize, mixed: bool, files: &mut Files) -> Result<PlayerSpec, PlayerError> {
    check(player, mixed)?;
    let mut sent = player.settled()?;
    if let Some(network) = own_network(&mut sent) {
        add_files(network, number, files).map_err(|error| player.unusable(error.into()))?;
        network.path = number.to_string().into();
    }
    Ok(sent)
}

/// Adds the files of a network, which is a checkpoint, as those of the player with this number.
///
/// # Errors
/// If one cannot be read.
pub(crate) fn add_files(network: &NetworkSpec, number: usize, files: &mut Files) -> Result<(), FileError> {
    for (file, path) in network.files() {
        files.insert(format!("{number}/{file}"), files::read(&path)?);
    }
    Ok(())
}

/// The player with this number on the machine of a worker, and the folder of its network, from which it must be loaded
/// as long as it is there.
///
/// # Errors
/// If it cannot play here, or its network cannot be fetched.
pub fn received(player: &PlayerSpec, number: usize, task: &Task<'_>) -> Result<(PlayerSpec, Folder), String> {
    // Nothing that comes over the network is started as a program.
    check(player, true).map_err(|error| error.to_string())?;
    let (mut player, folder) = (player.clone(), task.folder(&number.to_string())?);
    if let Some(network) = own_network(&mut player) {
        folder.path().clone_into(&mut network.path);
    }
    Ok((player, folder))
}

impl Terms {
    /// Conditions without players.
    pub(crate) fn new<G: Playable>(game: GameName, rules: RulesConfig, conditions: &Match<G>) -> Self {
        Self {
            game,
            rules,
            seed: conditions.seed,
            max_plies: conditions.max_plies,
            openings: match &conditions.openings {
                Openings::Random { plies } => Err(*plies),
                lines @ Openings::Lines(_) => {
                    Ok(openings::text::<G>(lines, &conditions.rules).expect("lines have a text"))
                }
            },
            players: Vec::new(),
        }
    }

    /// The conditions of the games.
    fn conditions<G: Playable>(&self) -> Result<Match<G>, String> {
        let standard = G::standard_rules(self.game.name()).ok_or_else(|| format!("{} is another game", self.game))?;
        let rules = G::with_conventions(&self.rules.rules(), &standard);
        let openings = match &self.openings {
            Err(plies) => Openings::Random { plies: *plies },
            Ok(text) => Openings::parse::<G>(text, &rules).map_err(|error| error.to_string())?,
        };
        Ok(Match {
            openings,
            rules,
            seed: self.seed,
            max_plies: self.max_plies,
            pairs_at_once: 1,
        })
    }

    fn contestant<G: Playable>(&self, number: usize, task: &Task<'_>) -> Result<Contestant<G>, String> {
        let (game, device) = (self.game.name(), task.device());
        match self
            .players
            .get(number)
            .ok_or("it names a player that is not in the list")?
        {
            RemotePlayer::Rated(search) => {
                let folder = task.folder(&number.to_string())?;
                network_contestant(
                    game,
                    "network",
                    folder.path(),
                    device,
                    search.precision,
                    search.params(),
                )
                .map_err(|error| error.to_string())
            }
            RemotePlayer::Spec(player) => {
                let (player, _folder) = received(player, number, task)?;
                player.contestant_for(game, device).map_err(|error| error.to_string())
            }
        }
    }
}

impl<G: Playable> Pairs<G> {
    /// Units as a part of an order.
    pub(crate) fn part(units: Vec<PairUnit>, title: String) -> Part<Self> {
        Part {
            games: units.iter().map(|unit| 2 * unit.pairs.len()).sum(),
            title,
            files: Files::new(),
            job: Self {
                units,
                game: PhantomData,
            },
        }
    }
}

impl<G: Playable> Job for Pairs<G> {
    const KIND: &'static str = KIND;
    type Terms = Terms;
    /// The pairs of each unit.
    type Output = Vec<Vec<PairResult>>;

    fn run(&self, terms: &Terms, task: &Task<'_>) -> Result<Option<Vec<u8>>, String> {
        let conditions = terms.conditions::<G>()?;
        let mut contestants: BTreeMap<usize, Contestant<G>> = BTreeMap::new();
        let mut played = Vec::with_capacity(self.units.len());
        for unit in &self.units {
            for player in unit.players {
                if let Entry::Vacant(seat) = contestants.entry(player) {
                    seat.insert(terms.contestant(player, task)?);
                }
            }
            let contestants = unit.players.map(|player| &contestants[&player]);
            // Agents have no memory of other games, so new ones play alike.
            let mut agents = contestants.map(Contestant::agent);
            match conditions.play_unit(unit, contestants, &mut agents, task.give_up()) {
                Ok(pairs) => played.push(pairs),
                Err(MatchError::Stopped) => return Ok(None),
                Err(error) => return Err(error.to_string()),
            }
        }
        let games = played.iter().flatten().flat_map(|pair| &pair.games);
        let plies = games.map(|game| u64::from(game.plies - game.opening_plies)).sum();
        task.counters().plies.fetch_add(plies, Ordering::Relaxed);
        Ok(Some(json(&played).into_bytes()))
    }

    fn check(&self, terms: &Terms, content: Vec<u8>) -> Result<Self::Output, String> {
        let played: Self::Output = serde_json::from_slice(&content).map_err(|error| error.to_string())?;
        let numbers = |pairs: &Vec<PairResult>| pairs.iter().map(|pair| pair.pair).collect::<Vec<_>>();
        let expected = self.units.iter().map(|unit| unit.pairs.clone().collect::<Vec<_>>());
        if !played.iter().map(numbers).eq(expected) {
            return Err("it has other pairs than were asked for".into());
        }
        let conditions = terms.conditions::<G>()?;
        for (unit, pairs) in self.units.iter().zip(&played) {
            let conditions = conditions.numbered(unit.number);
            for pair in pairs {
                for (number, game) in pair.games.iter().enumerate() {
                    let fault = |reason| format!("pair {}, game {}: {reason}", pair.pair, number + 1);
                    conditions.check(pair.pair, game).map_err(fault)?;
                }
            }
        }
        Ok(played)
    }
}

/// Groups that many units have at least, and pairs that a group has at most unless a unit has more: each group takes some
/// hundredths of a second on its way.
const GROUPS: usize = 256;
const PAIRS: usize = 16;

/// The workers of a cluster, as a place where matches are played.
pub(crate) struct Elsewhere<'a> {
    pub cluster: &'a Cluster,
    /// The directory of the run that the matches belong to.
    pub directory: &'a Path,
    /// Purpose of the matches, for people.
    pub purpose: String,
    pub device: Device,
    pub game: GameName,
    pub rules: RulesConfig,
    /// The contestants, with their networks.
    pub players: Vec<RemotePlayer>,
    pub files: Files,
    /// [`Order::in_order`].
    pub in_order: bool,
    /// Receives warnings.
    pub warn: &'a mut dyn FnMut(String),
}

impl fmt::Debug for Elsewhere<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Elsewhere")
            .field("purpose", &self.purpose)
            .finish_non_exhaustive()
    }
}

impl Elsewhere<'_> {
    /// The units from an index on, in groups that end where they would if all were played.
    fn groups(&self, units: &[PairUnit], from: usize) -> Vec<Range<usize>> {
        let pairs = units.iter().map(|unit| unit.pairs.len()).max();
        let is_deterministic = |player: &RemotePlayer| match player {
            RemotePlayer::Spec(player) => player.is_deterministic(),
            RemotePlayer::Rated(_) => true,
        };
        let size = match self.players.iter().all(is_deterministic) {
            true => (units.len() / GROUPS).clamp(1, (PAIRS / pairs.unwrap_or(1).max(1)).max(1)),
            false => 1,
        };
        let starts = (0..units.len()).step_by(size);
        let groups = starts.map(|start| start.max(from)..(start + size).min(units.len()));
        groups.filter(|group| !group.is_empty()).collect()
    }
}

impl<G: Playable> Venue<G> for Elsewhere<'_> {
    fn play(
        &mut self,
        conditions: &Match<G>,
        contestants: &[&Contestant<G>],
        units: &[PairUnit],
        from: usize,
        stop: &AtomicBool,
        deliver: &mut Deliver<'_>,
    ) -> anyhow::Result<()> {
        let mut terms = Terms::new(self.game, self.rules, conditions);
        terms.players.clone_from(&self.players);
        let groups = self.groups(units, from);
        let part = |group: &Range<usize>| {
            let (some, all) = (&units[group.clone()], units.len());
            let [first, second] = some[0].players.map(|player| contestants[player].name());
            let title = match some.len() {
                1 => format!("{} unit {} of {all}: {first} – {second}", self.purpose, group.end),
                _ => format!("{} units {} to {} of {all}", self.purpose, group.start + 1, group.end),
            };
            Pairs::<G>::part(some.to_vec(), title)
        };
        let order = Order {
            directory: self.directory,
            device: self.device,
            terms,
            files: self.files.clone(),
            parts: groups.iter().map(part).collect(),
            in_order: self.in_order,
        };
        let take = &mut |number: usize, played: Vec<Vec<PairResult>>, _| deliver(groups[number].start, played);
        let mut tick = |warning: Option<String>| warning.into_iter().for_each(&mut self.warn);
        self.cluster.finish(order, stop, &mut tick, take)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use chase_engine::Chase;
    use chase_engine::chase::Rules;

    use super::*;

    #[test]
    fn games_that_are_not_those_that_were_asked_for_are_refused() {
        let conditions = Match::<Chase> {
            rules: Rules::default(),
            openings: Openings::Random { plies: 4 },
            seed: 7,
            max_plies: 30,
            pairs_at_once: 1,
        };
        let unit = PairUnit {
            number: 3,
            players: [0, 1],
            pairs: 2..4,
        };
        let player = |text: &str| text.parse::<PlayerSpec>().unwrap().contestant(Device::Cpu).unwrap();
        // Games that are cut off: nobody wins by chance within the limit.
        let (one, other) = (player("random"), player("random"));
        let played = conditions.numbered(3).play([&one, &other], 2..4, &|_| ()).unwrap();
        let terms = Terms::new(GameName::Chase, RulesConfig::of(GameName::Chase), &conditions);
        let job = Pairs::<Chase>::part(vec![unit], String::new()).job;
        let read = |pairs: &[PairResult]| job.check(&terms, serde_json::to_vec(&[pairs]).unwrap());
        assert_eq!(read(&played.pairs).unwrap(), std::slice::from_ref(&played.pairs));
        type Change = fn(&mut Vec<PairResult>);
        let changes: [(Change, &str); 4] = [
            (|pairs| drop(pairs.pop()), "it has other pairs than were asked for"),
            (|pairs| pairs[1].pair = 2, "it has other pairs than were asked for"),
            (
                |pairs| pairs[0].games[1].actions[9] = "A1A1".into(),
                "pair 2, game 2: ply 10, `A1A1`: ",
            ),
            (
                |pairs| pairs[0].games[0].actions.truncate(20),
                "pair 2, game 1: recorded with 30 plies, but it has 20 actions",
            ),
        ];
        for (change, reason) in changes {
            let mut pairs = played.pairs.clone();
            change(&mut pairs);
            let found = read(&pairs).unwrap_err();
            assert!(found.starts_with(reason), "{found}, expected {reason}");
        }
        assert!(job.check(&terms, b"games".to_vec()).is_err());
    }

    #[test]
    fn players_that_depend_on_the_machine_are_refused_with_the_reason() {
        let check = |text: &str, mixed| {
            let player: PlayerSpec = text.parse().unwrap();
            check(&player, mixed).map_err(|error| error.to_string())
        };
        for text in [
            "random",
            "alpha-beta:depth=3",
            "net:x,simulations=9",
            "nnue:x,nodes=9",
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
}
