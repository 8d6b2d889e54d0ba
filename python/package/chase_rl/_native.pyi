from collections.abc import Callable, Iterator, Mapping, Sequence
from os import PathLike
from typing import Any, Literal, SupportsIndex, final, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

Float = NDArray[np.float32]
Evaluate = Callable[[Float], tuple[ArrayLike, ArrayLike]] | Literal["uniform", "rollout"]
Strategy = Literal["puct", "gumbel"] | Puct | Gumbel | None

def registered_names() -> list[str]:
    """The names of all games."""

def load_game(name: str, *, rules: str | None = None, encoding: Mapping[str, Any] | None = None) -> Game:
    """A game by its name, with conventions as text and options of its encoding; the standard ones where there is None."""

def read_checkpoint(folder: str | PathLike[str] | None = None) -> tuple[str, bytes]:
    """The manifest of a checkpoint as JSON and the bytes of its weights, verified. Without a folder the built-in one."""

@overload
def search(
    states: State,
    evaluate: Evaluate,
    *,
    simulations: SupportsIndex = 200,
    strategy: Strategy = None,
    seed: SupportsIndex = 0,
    threads: SupportsIndex | None = None,
    skip_forced: bool = True,
    encoding: Mapping[str, Any] | None = None,
) -> SearchResult: ...
@overload
def search(
    states: Sequence[State],
    evaluate: Evaluate,
    *,
    simulations: SupportsIndex = 200,
    strategy: Strategy = None,
    seed: SupportsIndex = 0,
    threads: SupportsIndex | None = None,
    skip_forced: bool = True,
    encoding: Mapping[str, Any] | None = None,
) -> list[SearchResult]:
    """Searches all states, which must be of one game, side by side: each batch holds leaves of all of them. One state has one
    result, a list has a list of results.

    `evaluate` gets planes `[B, C, H, W]` and returns policy logits `[B, A]` (those of illegal actions are not looked at) and
    values for the player to move: numbers from -1 to 1, `[B]`, or probabilities of win, draw and loss, `[B, 3]`. `"uniform"`
    knows nothing, `"rollout"` plays a random game from every leaf. The result depends on the seed and on nothing else that
    is chosen here. `encoding` is that of the planes, by default that of the game of the first state.
    """

@overload
def random_action(states: State, *, seed: SupportsIndex = 0, threads: SupportsIndex | None = None) -> int: ...
@overload
def random_action(
    states: Sequence[State], *, seed: SupportsIndex = 0, threads: SupportsIndex | None = None
) -> list[int]:
    """The baseline `random`: a legal action of each state, all as likely as each other.

    The states are of one game, and none is over, as for all baselines. The result depends on the seed and on where a state is
    in the list, and not on threads. One state has one answer, a list has a list of answers.
    """

@overload
def greedy(states: State, *, seed: SupportsIndex = 0, threads: SupportsIndex | None = None) -> int: ...
@overload
def greedy(states: Sequence[State], *, seed: SupportsIndex = 0, threads: SupportsIndex | None = None) -> list[int]:
    """The baseline `greedy`: a win at once if there is one, otherwise an action that leaves the player furthest ahead in material.

    Ties are broken by chance. A game without a heuristic is a ValueError, which names the games that have one.
    """

@overload
def alpha_beta(
    states: State,
    *,
    depth: SupportsIndex | None = None,
    nodes: SupportsIndex | None = None,
    milliseconds: SupportsIndex | None = None,
    quiescence: bool = True,
    network: UpdatableNetwork | None = None,
    seed: SupportsIndex = 0,
    threads: SupportsIndex | None = None,
) -> AlphaBetaResult: ...
@overload
def alpha_beta(
    states: Sequence[State],
    *,
    depth: SupportsIndex | None = None,
    nodes: SupportsIndex | None = None,
    milliseconds: SupportsIndex | None = None,
    quiescence: bool = True,
    network: UpdatableNetwork | None = None,
    seed: SupportsIndex = 0,
    threads: SupportsIndex | None = None,
) -> list[AlphaBetaResult]:
    """The baseline `alpha-beta`: principal variation search with iterative deepening and a hand-written evaluation.

    At least one limit is needed: `depth` in plies (1 to 64), `nodes`, or `milliseconds` for each state, with which the result
    depends on the machine. One ply is always searched. `quiescence` searches captures beyond the depth. Which of equally good
    actions is chosen depends on the seed. Ctrl-C ends the search.

    `network` judges positions instead of the hand-written evaluation. The search is then that of players with such a network, and
    `score` is in thousandths of a logit.
    """

@overload
def heuristic(states: State) -> int: ...
@overload
def heuristic(states: Sequence[State]) -> list[int]:
    """Value of each state for the player to move, as `alpha_beta` judges it without a search: in Chase in hundredths of the
    tenth die, in chess of a pawn, in draughts of a man. 0 is even."""

@final
class UpdatableNetwork:
    """An efficiently updatable network, which `alpha_beta` judges positions of its game by.

    `path` is its file, the folder with it, or the name of the built-in one, `nnue-57`. It is read here once.
    """

    def __new__(cls, path: str | PathLike[str]) -> UpdatableNetwork: ...
    @property
    def game(self) -> str:
        """The name of the game that it is for."""

@final
class Game:
    """A game with its conventions and its encoding. Made by `load_game`."""

    @property
    def name(self) -> str: ...
    @property
    def rules(self) -> str:
        """The conventions, as text."""
    @property
    def rules_version(self) -> int: ...
    @property
    def encoding(self) -> dict[str, Any]:
        """The options of the encoding."""
    @property
    def encoding_version(self) -> int: ...
    @property
    def plane_names(self) -> list[str]: ...
    def num_players(self) -> int: ...
    def num_distinct_actions(self) -> int:
        """Every action is below it."""
    def observation_tensor_shape(self) -> tuple[int, int, int]:
        """Planes, rows, columns."""
    def observation_tensor_size(self) -> int: ...
    def min_utility(self) -> float: ...
    def max_utility(self) -> float: ...
    def utility_sum(self) -> float: ...
    def new_initial_state(self, position: str | None = None, *, seed: int | None = None) -> State:
        """A game that begins: from the initial position, or from one as text. A game that begins at random, such as stax-num,
        begins where the seed draws; without a seed always at the same one of its positions."""
    def deserialize_state(self, text: str) -> State:
        """The state that `State.serialize` wrote, in the encoding of this game."""
    def read_records(self, text: str) -> list[tuple[dict[str, str], State]]:
        """All records of a text: tags, and the game."""
    def __eq__(self, other: object) -> bool: ...
    def __hash__(self) -> int: ...

@final
class State:
    """A game in progress, with its history. Players are 0, who begins, and 1."""

    def get_game(self) -> Game: ...
    def current_player(self) -> int:
        """0 or 1; -4 once the game is over."""
    def is_terminal(self) -> bool: ...
    def is_truncated(self) -> bool:
        """True if a length limit stopped the game: it has no result."""
    def is_chance_node(self) -> bool: ...
    def is_simultaneous_node(self) -> bool: ...
    def num_players(self) -> int: ...
    def num_distinct_actions(self) -> int: ...
    def outcome(self) -> Literal["white", "black", "draw", "truncated"] | None: ...
    def end_reason(self) -> str | None: ...
    def returns(self) -> list[float]:
        """Reward of each player: 1, -1 or 0."""
    def rewards(self) -> list[float]:
        """The same: all reward comes at the end."""
    def player_return(self, player: SupportsIndex) -> float: ...
    def player_reward(self, player: SupportsIndex) -> float: ...
    def legal_actions(self, player: SupportsIndex | None = None) -> list[int]:
        """In ascending order; none for the player who is not to move, and once the game is over."""
    def legal_actions_mask(self, player: SupportsIndex | None = None) -> NDArray[np.int8]:
        """1 where an action is legal, `[A]`."""
    def apply_action(self, action: SupportsIndex) -> None: ...
    def child(self, action: SupportsIndex) -> State:
        """The state after an action; this one stays as it is."""
    def action_to_string(self, *arguments: SupportsIndex) -> str:
        """The text of a legal action; a player may stand before it, as in OpenSpiel."""
    def string_to_action(self, text: str) -> int:
        """The legal action that a text names."""
    def observation_tensor(self, player: SupportsIndex | None = None) -> Float:
        """Planes `[C, H, W]` from the view of the player to move, the only one who has a view."""
    def observation_string(self) -> str: ...
    def position(self) -> str:
        """The position as one line, without its history."""
    def key(self) -> int:
        """A number of 128 bits that identifies the position and every counter that the rules look at."""
    def history(self) -> list[int]: ...
    def full_history(self) -> list[tuple[int, str]]:
        """Who played what."""
    def history_str(self) -> str: ...
    def move_number(self) -> int: ...
    def clone(self) -> State: ...
    def serialize(self) -> str: ...
    def to_record(self, **tags: str) -> str:
        """The game as a record in the game's own form, if it has one."""
    def to_text(self) -> str: ...
    def to_svg(self) -> str: ...
    def __copy__(self) -> State: ...
    def __deepcopy__(self, _memo: Any) -> State: ...
    def __eq__(self, other: object) -> bool: ...
    def __hash__(self) -> int: ...

@final
class VectorEnv:
    """Games in lock-step. A game that ends begins anew in the same step.

    The arrays lie in memory that is made once and written in place by every step: copy what you keep. On a game's last step
    `rewards`, `terminated` and `truncated` are of the game that ended, everything else of the new one.
    """

    def __new__(
        cls,
        game: Game,
        num_envs: SupportsIndex,
        *,
        seed: SupportsIndex = 0,
        threads: SupportsIndex | None = None,
        observations: bool = True,
    ) -> VectorEnv: ...
    @property
    def game(self) -> Game: ...
    @property
    def num_envs(self) -> int: ...
    @property
    def threads(self) -> int: ...
    @property
    def observations(self) -> Float:
        """`[N, C, H, W]`, from the view of the player to move."""
    @property
    def action_mask(self) -> NDArray[np.bool_]:
        """`[N, A]`."""
    @property
    def current_player(self) -> NDArray[np.int8]:
        """`[N]`."""
    @property
    def rewards(self) -> Float:
        """Of players 0 and 1, `[N, 2]`."""
    @property
    def terminated(self) -> NDArray[np.bool_]:
        """Whether a game ended by a result in the last step, `[N]`."""
    @property
    def truncated(self) -> NDArray[np.bool_]:
        """Whether a game was stopped without a result in the last step, `[N]`."""
    def reset(self, *, seed: SupportsIndex | None = None) -> None:
        """Begins all games anew; with a seed, the chance of `random_actions` too."""
    def step(self, actions: ArrayLike) -> None:
        """Plays one action in every game, or in none if one of them is not legal."""
    def random_actions(self) -> NDArray[np.int64]:
        """A legal action for every game, each by the game's own chance."""
    def position(self, index: SupportsIndex) -> str: ...
    def __len__(self) -> int: ...

@final
class Puct:
    """PUCT: the action with the greatest Q + c_puct P sqrt(N) / (1 + n)."""

    def __new__(
        cls,
        *,
        c_puct: float = 1.25,
        fpu_reduction: float = 0.2,
        policy_temperature: float = 1.0,
        root_policy_temperature: float = 1.0,
        noise_fraction: float = 0.0,
        noise_concentration: float = 10.8,
        leaves: SupportsIndex = 1,
    ) -> Puct: ...

@final
class Gumbel:
    """Gumbel AlphaZero (Danihelka et al., ICLR 2022). Without `noise_scale` it plays without chance."""

    def __new__(
        cls,
        *,
        considered_actions: SupportsIndex = 16,
        c_visit: float = 50.0,
        c_scale: float = 1.0,
        policy_temperature: float = 1.0,
        noise_scale: float = 1.0,
    ) -> Gumbel: ...

@final
class SearchResult:
    """What a search found. Values are for the player to move at the root, arrays in the order of `actions`."""

    @property
    def player(self) -> int: ...
    @property
    def actions(self) -> NDArray[np.int64]: ...
    @property
    def action_strings(self) -> list[str]: ...
    @property
    def visits(self) -> NDArray[np.int64]: ...
    @property
    def priors(self) -> Float: ...
    @property
    def q(self) -> Float:
        """Mean values; NaN without visits."""
    @property
    def policy(self) -> Float:
        """The target: shares of the visits with PUCT, the improved policy with Gumbel."""
    @property
    def wdl(self) -> tuple[float, float, float] | None: ...
    @property
    def value(self) -> float | None:
        """None if nothing was evaluated: the game is over, or the action was forced."""
    @property
    def best_action(self) -> int | None: ...
    @property
    def best_action_string(self) -> str | None: ...
    @property
    def principal_variation(self) -> list[str]: ...
    @property
    def proven(self) -> Literal["white", "black", "draw", "truncated"] | None: ...
    @property
    def simulations(self) -> int: ...
    @property
    def stop(self) -> Literal["simulations", "proven", "forced", "memory full", "game over"]: ...
    def rows(self) -> list[dict[str, Any]]:
        """A row for each action, the choice first, then by visits: what data frames are made of."""

@final
class AlphaBetaResult:
    """What an alpha-beta search found, for the player to move at the root."""

    @property
    def player(self) -> int: ...
    @property
    def best_action(self) -> int: ...
    @property
    def best_action_string(self) -> str: ...
    @property
    def score(self) -> int:
        """In the units of `heuristic`; where the end of the game is proven, 1,000,000,000 minus the plies until a win, or the
        negative of that for a loss."""
    @property
    def plies_to_win(self) -> int | None:
        """Plies until a proven win, negative until a proven loss; None if neither is proven."""
    @property
    def depth(self) -> int:
        """Plies of the last search that came to its end."""
    @property
    def nodes(self) -> int: ...

@final
class SelfPlay(Iterator[PlayedGame]):
    """Games of searches, `parallel` of them in lock-step, as an iterator over those that are over.

    All `games` are played to their end. Chance depends on the seed and the index of the game. With PUCT actions are sampled at
    `temperature` in the first `temperature_plies`; Gumbel has its own noise.
    """

    def __new__(
        cls,
        game: Game,
        evaluate: Evaluate,
        *,
        games: SupportsIndex,
        parallel: SupportsIndex = 64,
        simulations: SupportsIndex = 32,
        strategy: Strategy = None,
        temperature: float = 1.0,
        temperature_plies: SupportsIndex = 30,
        reuse_tree: bool = True,
        max_plies: SupportsIndex = 2000,
        seed: SupportsIndex = 0,
        threads: SupportsIndex | None = None,
        skip_forced: bool = True,
    ) -> SelfPlay: ...
    def __iter__(self) -> SelfPlay: ...
    def __next__(self) -> PlayedGame: ...

@final
class PlayedGame:
    """A game of self-play that is over. Arrays have a row for each of its T plies."""

    @property
    def index(self) -> int: ...
    @property
    def start(self) -> str | None:
        """The position that it began from as text, in a game that begins at random; None in others."""
    @property
    def outcome(self) -> Literal["white", "black", "draw", "truncated"]: ...
    @property
    def end_reason(self) -> str: ...
    @property
    def actions(self) -> list[int]: ...
    @property
    def action_strings(self) -> list[str]: ...
    @property
    def players(self) -> NDArray[np.int8]: ...
    @property
    def values(self) -> Float:
        """Of the searches, for the player who moved; NaN where nothing was evaluated."""
    @property
    def returns(self) -> Float:
        """What the game brought the player who moved; NaN if it was truncated."""
    @property
    def simulations(self) -> NDArray[np.int64]: ...
    def policies(self) -> Float:
        """Targets of the policy, `[T, A]`."""
    def observations(self) -> Float:
        """Planes, `[T, C, H, W]`, from the view of the player who moved."""
    def final_state(self) -> State: ...
    def __len__(self) -> int: ...
