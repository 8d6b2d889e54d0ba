"""Board games for reinforcement learning: rules, environments, search under your network, and trained agents.

>>> import chase_rl
>>> state = chase_rl.load_game("chase").new_initial_state()
>>> len(state.legal_actions())
46
>>> result = chase_rl.load_agent().search(state, simulations=32)
>>> state.apply_action(result.best_action)

Players are 0 (White, who begins) and 1 (Black). Actions are whole numbers below ``game.num_distinct_actions()``, from the
view of the player to move; ``state.action_to_string`` and ``state.string_to_action`` translate. Arrays are numpy's, planes
``[B, C, H, W]`` of 32-bit floats from the view of the player to move.
"""

from chase_rl._native import (
    AlphaBetaResult,
    Game,
    Gumbel,
    PlayedGame,
    Puct,
    SearchResult,
    SelfPlay,
    State,
    UpdatableNetwork,
    VectorEnv,
    alpha_beta,
    greedy,
    heuristic,
    load_game,
    random_action,
    registered_names,
    search,
)
from chase_rl.agent import Agent, UpdatableAgent, load_agent

__all__ = [
    "Agent",
    "AlphaBetaResult",
    "Game",
    "Gumbel",
    "PlayedGame",
    "Puct",
    "SearchResult",
    "SelfPlay",
    "State",
    "UpdatableAgent",
    "UpdatableNetwork",
    "VectorEnv",
    "alpha_beta",
    "deserialize",
    "greedy",
    "heuristic",
    "load_agent",
    "load_game",
    "random_action",
    "registered_names",
    "search",
]


def deserialize(text: str) -> State:
    """The state that ``State.serialize`` wrote, in the standard encoding of its game.

    ``Game.deserialize_state`` reads one in the encoding of that game.
    """
    import json

    try:
        name = json.loads(text)["game"]
    except (ValueError, TypeError, KeyError, RecursionError):
        raise ValueError("no serialized state: expected an object of JSON with the text `game`") from None
    if not isinstance(name, str):
        raise ValueError("no serialized state: expected an object of JSON with the text `game`")
    return load_game(name).deserialize_state(text)


def _load(name: str, rules: str, encoding: dict) -> Game:
    """Makes a game from a pickle."""
    return load_game(name, rules=rules, encoding=encoding)


def _deserialize(game: Game, text: str) -> State:
    """Makes a state from a pickle."""
    return game.deserialize_state(text)
