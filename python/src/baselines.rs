//! Choices of the baselines in many positions, each with its own random numbers.

use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread::{Builder, scope};
use std::time::Duration;

use chase_engine::alpha_beta::{AlphaBeta, ByHeuristic, Evaluator, Limits, Request, Settings};
use chase_engine::baselines::{Greedy, Random};
use chase_engine::{Encode, Game, GameName, Heuristic, Player, seed, with_game};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::{PyResult, Python};
use rand::rngs::Xoshiro256PlusPlus;

use crate::parallel::each;
use crate::updatable::Updatable;

/// Choices of a moment before signals such as Ctrl-C are looked at.
const PATIENCE: usize = 1024;
/// Time of searches before signals are looked at.
const WAIT: Duration = Duration::from_millis(50);

/// Result of an alpha–beta search of a position.
#[derive(Clone, Debug)]
pub struct Assessed {
    pub to_move: Player,
    pub action: u32,
    pub text: String,
    /// For the player to move, in the units of the heuristic.
    pub score: i32,
    /// Plies until a proven win, negative for a loss.
    pub plies_to_win: Option<i32>,
    pub depth: u32,
    pub nodes: u64,
}

/// Checks that a game has a heuristic; `need` says in an error what needs it.
///
/// # Errors
/// If it has none, with the names of the games that have one.
fn need_heuristic<G: Heuristic>(need: &str) -> PyResult<()> {
    if G::HAS_HEURISTIC {
        return Ok(());
    }
    let known = |game: &GameName| with_game!(*game, G => G::HAS_HEURISTIC);
    let mut names: Vec<_> = GameName::ALL
        .iter()
        .filter(|game| known(game))
        .map(|game| game.name())
        .collect();
    names.sort_unstable();
    Err(PyValueError::new_err(format!(
        "{} has no heuristic, which {need}: expected one of {}",
        G::NAME,
        names.join(", ")
    )))
}

/// The answers for games that are not over; `make` makes what answers, once for a thread. The chance of each depends on
/// the seed and its place alone, the first place being `first`. Where `stop` is set, nothing more is answered.
fn answers<G: Game, T: Send, Answer: FnMut(&G, &mut Xoshiro256PlusPlus) -> T>(
    games: &[G],
    first: usize,
    seed: u64,
    threads: usize,
    stop: &AtomicBool,
    make: impl Fn() -> Answer + Sync,
) -> Vec<T> {
    let share = games.len().div_ceil(threads.max(1)).max(1);
    let mut found: Vec<Option<T>> = games.iter().map(|_| None).collect();
    let tasks = games.chunks(share).zip(found.chunks_mut(share)).enumerate();
    each(tasks.collect(), threads, |(number, (games, found))| {
        let mut answer = make();
        for (index, (game, found)) in games.iter().zip(found).enumerate() {
            if stop.load(Ordering::Relaxed) {
                break;
            }
            let place = first + number * share + index;
            let mut rng = seed::named("python baselines", &[seed, place as u64]);
            *found = Some(answer(game, &mut rng));
        }
    });
    found.into_iter().flatten().collect()
}

/// [`answers`] of a moment each.
fn quick<G: Game, T: Send, Answer: FnMut(&G, &mut Xoshiro256PlusPlus) -> T>(
    py: Python<'_>,
    games: &[G],
    seed: u64,
    threads: usize,
    make: impl Fn() -> Answer + Send + Sync,
) -> PyResult<Vec<T>> {
    let mut found = Vec::with_capacity(games.len());
    let stop = AtomicBool::new(false);
    for games in games.chunks(PATIENCE) {
        py.check_signals()?;
        let first = found.len();
        found.extend(py.detach(|| answers(games, first, seed, threads, &stop, &make)));
    }
    Ok(found)
}

/// Does work without Python on a thread of its own. This thread looks at signals meanwhile; what one of them raises
/// sets the flag that the work is given, and is returned when the work has come to its end.
fn watched<T: Send>(py: Python<'_>, work: impl FnOnce(&Arc<AtomicBool>) -> T + Send) -> PyResult<T> {
    let stop = Arc::new(AtomicBool::new(false));
    py.detach(|| {
        let (done, finished) = channel::<()>();
        scope(|scope| {
            let stop = &stop;
            let worker = Builder::new().spawn_scoped(scope, move || {
                let _done = done;
                work(stop)
            });
            let worker =
                worker.map_err(|error| PyRuntimeError::new_err(format!("no thread could be started: {error}")))?;
            let mut raised = None;
            while finished.recv_timeout(WAIT) == Err(RecvTimeoutError::Timeout) {
                if let Err(error) = Python::attach(|py| py.check_signals()) {
                    stop.store(true, Ordering::Relaxed);
                    raised.get_or_insert(error);
                }
            }
            let found = worker.join().unwrap_or_else(|panic| resume_unwind(panic));
            raised.map_or(Ok(found), Err)
        })
    })
}

/// The policy index of an action.
fn index<G: Game>(game: &G, action: G::Action) -> u32 {
    game.policy_index(action) as u32
}

/// A legal action of each game, all as likely as each other.
pub fn random<G: Game>(py: Python<'_>, games: &[G], seed: u64, threads: usize) -> PyResult<Vec<u32>> {
    quick(py, games, seed, threads, || {
        let mut random = Random::new();
        move |game: &G, rng: &mut Xoshiro256PlusPlus| index(game, random.choose(game, rng))
    })
}

/// A win at once, otherwise the action that leaves the player furthest ahead.
///
/// # Errors
/// If the game has no heuristic.
pub fn greedy<G: Heuristic>(py: Python<'_>, games: &[G], seed: u64, threads: usize) -> PyResult<Vec<u32>> {
    need_heuristic::<G>("greedy needs")?;
    quick(py, games, seed, threads, || {
        let mut greedy = Greedy::new();
        move |game: &G, rng: &mut Xoshiro256PlusPlus| index(game, greedy.choose(game, rng))
    })
}

/// A search of each game, in the same way and within the same limits.
///
/// # Errors
/// If there is neither a network nor a heuristic, or a signal ends the search.
///
/// # Panics
/// If the network is for another game.
pub fn alpha_beta<G: Encode + Heuristic>(
    py: Python<'_>,
    games: &[G],
    (network, settings): (Option<&Updatable>, Settings),
    limits: Limits,
    seed: u64,
    threads: usize,
) -> PyResult<Vec<Assessed>> {
    let scope = (limits, seed, threads);
    match network {
        None => {
            need_heuristic::<G>("alpha_beta needs")?;
            assess(py, games, || AlphaBeta::new(ByHeuristic, settings), scope)
        }
        Some(network) => assess(py, games, || AlphaBeta::new(network.evaluator(), settings), scope),
    }
}

/// Searches each game; `make` makes the search of a thread.
fn assess<G: Game, E: Evaluator<G>>(
    py: Python<'_>,
    games: &[G],
    make: impl Fn() -> AlphaBeta<G, E> + Send + Sync,
    (limits, seed, threads): (Limits, u64, usize),
) -> PyResult<Vec<Assessed>> {
    watched(py, |stop| {
        answers(games, 0, seed, threads, stop, || {
            let mut search = make();
            move |game: &G, rng: &mut Xoshiro256PlusPlus| {
                let found = search.best(game, Request::new(limits).shuffled(rng).stopped_by(stop));
                Assessed {
                    to_move: game.to_move(),
                    action: index(game, found.action),
                    text: game.action_text(found.action),
                    score: found.value,
                    plies_to_win: found.plies_to_win(),
                    depth: found.depth,
                    nodes: found.nodes,
                }
            }
        })
    })
}

/// Value of each position for the player to move.
///
/// # Errors
/// If the game has no heuristic.
pub fn judge<G: Heuristic>(games: &[G]) -> PyResult<Vec<i32>> {
    need_heuristic::<G>("is asked for")?;
    Ok(games.iter().map(|game| game.heuristic(game.to_move())).collect())
}
