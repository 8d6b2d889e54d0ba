"""Every game as a PettingZoo AEC environment: ``pip install './python[pettingzoo]'`` in a clone.

>>> from chase_rl import aec
>>> environment = aec.env("chase_v1")
>>> environment.reset(seed=1)
>>> for agent in environment.agent_iter():
...     observation, reward, termination, truncation, info = environment.last()
...     done = termination or truncation
...     environment.step(None if done else environment.action_space(agent).sample(observation["action_mask"]))

Observations are dicts: ``observation``, the planes ``[C, H, W]`` from the view of the player to move, and ``action_mask``, int8,
zeros for the player who is not to move. The same player may act twice in a row. Rewards are 1, -1 or 0 for a draw, at the end. A game
that its length limit stopped is truncated and gives no one a reward.

A version rises when the rules or the standard encoding change, so that the same actions lead elsewhere or are seen differently.
"""

from __future__ import annotations

import io
from typing import Any

import numpy as np

try:
    import gymnasium
    from gymnasium import spaces
    from pettingzoo import AECEnv
    from pettingzoo.utils import wrappers
except ImportError as error:
    raise ImportError("chase_rl.aec needs pettingzoo: pip install './python[pettingzoo]' in a clone") from error

from chase_rl._native import Game, State, load_game, registered_names

PLAYERS = ["player_0", "player_1"]


def names() -> list[str]:
    """The names of all environments, with their versions."""
    return [_versioned(load_game(name)) for name in registered_names()]


def _versioned(game: Game) -> str:
    # Both count from 1.
    version = game.rules_version + game.encoding_version - 1
    return f"{game.name.replace('-', '_')}_v{version}"


def _named(name: str) -> Game:
    for known in registered_names():
        game = load_game(known)
        if _versioned(game) == name:
            return game
    raise ValueError(f"no environment {name!r}; expected one of {', '.join(names())}")


def env(name: str = "chase_v1", render_mode: str | None = None) -> AECEnv:
    """The environment, with PettingZoo's usual wrappers: an illegal move loses, and calls in a wrong order are errors."""
    environment: AECEnv = raw_env(name, render_mode)
    environment = wrappers.TerminateIllegalWrapper(environment, illegal_reward=-1)
    environment = wrappers.AssertOutOfBoundsWrapper(environment)
    return wrappers.OrderEnforcingWrapper(environment)


class raw_env(AECEnv):
    """The environment without wrappers."""

    metadata: dict[str, Any] = {
        "render_modes": ["human", "ansi", "svg", "rgb_array"],
        "is_parallelizable": False,
        "render_fps": 2,
    }

    def __init__(self, name: str = "chase_v1", render_mode: str | None = None) -> None:
        super().__init__()
        self.game = name if isinstance(name, Game) else _named(name)
        if render_mode is not None and render_mode not in self.metadata["render_modes"]:
            raise ValueError(f"render_mode is {render_mode!r}, expected one of {self.metadata['render_modes']} or None")
        self.metadata = {**self.metadata, "name": _versioned(self.game)}
        self.render_mode = render_mode
        self.possible_agents = list(PLAYERS)
        self.agents: list[str] = []
        shape = self.game.observation_tensor_shape()
        size = self.game.num_distinct_actions()
        observation = spaces.Dict(
            {
                "observation": spaces.Box(low=0.0, high=1.0, shape=shape, dtype=np.float32),
                "action_mask": spaces.Box(low=0, high=1, shape=(size,), dtype=np.int8),
            }
        )
        self._observation_spaces = {player: observation for player in PLAYERS}
        self._action_spaces = {player: spaces.Discrete(size) for player in PLAYERS}
        self.state_of_play: State = self.game.new_initial_state()
        self._chance: np.random.Generator | None = None

    def observation_space(self, agent: str) -> gymnasium.Space:
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> gymnasium.Space:
        return self._action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict | None = None) -> None:
        """Begins a game. ``seed`` draws the initial position of a game that begins at random, and changes nothing in others; later
        games without a seed of their own follow from it."""
        if seed is not None or self._chance is None:
            self._chance = np.random.default_rng(seed)
        self.state_of_play = self.game.new_initial_state(seed=int(self._chance.integers(2**63)))
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict] = {agent: {} for agent in self.agents}
        self.agent_selection = PLAYERS[self.state_of_play.current_player()]

    def observe(self, agent: str) -> dict[str, np.ndarray]:
        state = self.state_of_play
        mask = np.zeros(self.game.num_distinct_actions(), dtype=np.int8)
        if not state.is_terminal() and agent == self.agent_selection:
            mask = state.legal_actions_mask()
        return {"observation": state.observation_tensor(), "action_mask": mask}

    def step(self, action: int | None) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        state = self.state_of_play
        state.apply_action(action)
        self._cumulative_rewards[agent] = 0.0
        if state.is_terminal():
            self.rewards = dict(zip(PLAYERS, map(float, state.returns()), strict=True))
            over = self.truncations if state.is_truncated() else self.terminations
            over.update(dict.fromkeys(self.agents, True))
            # Both are told; the other first, as if the players took turns.
            self.agent_selection = PLAYERS[1 - PLAYERS.index(agent)]
        else:
            self._clear_rewards()
            self.agent_selection = PLAYERS[state.current_player()]
        self._accumulate_rewards()

    def render(self) -> str | np.ndarray | None:
        """The board: printed, as text, a document of SVG, or pixels ``[H, W, 3]``, by ``render_mode``."""
        if self.render_mode is None:
            gymnasium.logger.warn("render() without a render_mode: nothing is drawn")
            return None
        if self.render_mode == "human":
            print(self.state_of_play)
            return None
        if self.render_mode == "ansi":
            return self.state_of_play.to_text()
        svg = self.state_of_play.to_svg()
        return svg if self.render_mode == "svg" else _pixels(svg)

    def close(self) -> None:
        """There is nothing to give back."""


def _pixels(svg: str) -> np.ndarray:
    try:
        import resvg_py
        from PIL import Image
    except ImportError as error:
        raise ImportError(
            "render_mode 'rgb_array' needs resvg-py and pillow: pip install './python[pettingzoo]' in a clone"
        ) from error
    png = bytes(resvg_py.svg_to_bytes(svg_string=svg, background="white"))
    return np.asarray(Image.open(io.BytesIO(png)).convert("RGB"))
