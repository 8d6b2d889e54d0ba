"""Trained agents: checkpoints that search."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal, overload

import numpy as np

from chase_rl._native import (
    AlphaBetaResult,
    Game,
    SearchResult,
    State,
    UpdatableNetwork,
    alpha_beta,
    load_game,
    read_checkpoint,
    search,
)
from chase_rl.network import Array, Network, read_safetensors, softmax


class Agent:
    """A network with the game that it was trained for. It is a callable that ``search`` and ``SelfPlay`` take."""

    def __init__(self, manifest: dict[str, Any], weights: bytes) -> None:
        self.manifest = manifest
        """The manifest of the checkpoint: game, encoding, architecture, origin."""
        self.weights = weights
        """The file ``model.safetensors``."""
        self.game: Game = load_game(manifest["game"], encoding=manifest["encoding"])
        """The game, in the encoding that the network reads."""
        for version in ("rules_version", "encoding_version"):
            if manifest[version] != getattr(self.game, version):
                raise ValueError(
                    f"`{version}` of the checkpoint is {manifest[version]}, expected {getattr(self.game, version)}"
                )
        self.network = Network(manifest["architecture"], read_safetensors(weights))
        """The network, in numpy. ``chase_rl.torch_network.load`` has it as a module of PyTorch."""

    def __call__(self, planes: Array) -> tuple[Array, Array]:
        """Policy logits ``[B, A]``; probabilities of win, draw and loss for the player to move ``[B, 3]``.

        Raises a ``ValueError`` if the network gives numbers that are not finite, as one whose training has diverged does.
        """
        policy, value = self.network.forward(planes)
        if not (np.isfinite(policy).all() and np.isfinite(value).all()):
            raise ValueError("the network gives numbers that are not finite: it has diverged, or is damaged")
        return policy, softmax(value)

    @overload
    def search(self, states: State, **options: Any) -> SearchResult: ...

    @overload
    def search(self, states: Sequence[State], **options: Any) -> list[SearchResult]: ...

    def search(self, states, **options):
        """Searches one state, or several side by side; ``options`` as those of ``chase_rl.search``.

        The states may be in any encoding: the network sees them in its own.
        """
        options.setdefault("encoding", self.game.encoding)
        return search(states, self, **options)

    @overload
    def evaluate(self, states: State) -> tuple[dict[str, float], float]: ...

    @overload
    def evaluate(self, states: Sequence[State]) -> list[tuple[dict[str, float], float]]: ...

    def evaluate(self, states):
        """Without a search: the probability of every legal action, and the value for the player to move; of several states a list.

        Raises a ``ValueError`` if the game is over.
        """
        if isinstance(states, State):
            return self._evaluate(states)
        if isinstance(states, Sequence) and all(isinstance(state, State) for state in states):
            return [self._evaluate(state) for state in states]
        raise TypeError(f"expected a State or a list of them, found a {type(states).__name__}")

    def _evaluate(self, state: State) -> tuple[dict[str, float], float]:
        seen = self.game.deserialize_state(state.serialize())
        policy, wdl = self(seen.observation_tensor()[None])
        legal = seen.legal_actions()
        if not legal:
            raise ValueError("the game is over: there is nothing to evaluate")
        probabilities = softmax(policy[0, legal])
        named = {seen.action_to_string(action): float(p) for action, p in zip(legal, probabilities, strict=True)}
        return named, float(wdl[0, 0] - wdl[0, 2])

    def __repr__(self) -> str:
        size = self.manifest["architecture"]
        steps = self.manifest["progress"]["steps"]
        return f"<Agent for {self.game.name}: b{size['blocks']}c{size['channels']}, {steps} steps>"


class UpdatableAgent:
    """An efficiently updatable network with the game that it was trained for. It has no policy, and searches by alpha-beta."""

    def __init__(self, network: UpdatableNetwork) -> None:
        self.network = network
        """The network, for ``alpha_beta``."""
        self.game: Game = load_game(network.game)
        """The game."""

    @overload
    def search(self, states: State, **options: Any) -> AlphaBetaResult: ...

    @overload
    def search(self, states: Sequence[State], **options: Any) -> list[AlphaBetaResult]: ...

    def search(self, states, **options):
        """Searches one state, or several side by side; ``options`` as those of ``chase_rl.alpha_beta``: ``nodes=50_000``."""
        return alpha_beta(states, network=self.network, **options)

    def __repr__(self) -> str:
        return f"<UpdatableAgent for {self.game.name}>"


@overload
def load_agent(folder: Literal["nnue-57"]) -> UpdatableAgent: ...


@overload
def load_agent(folder: str | os.PathLike[str] | None = None) -> Agent: ...


def load_agent(folder=None):
    """The agent of a folder, verified by its hashes: a checkpoint, or a run, whose newest checkpoint it is.

    The name of a built-in agent stands for its folder. ``nnue-57`` is the strongest one: an efficiently updatable network, which
    has no policy and searches by alpha-beta (``UpdatableAgent``), as do all folders of such networks. Without a folder it is
    agent-71, the built-in network with a policy.
    """
    if folder is None:
        return Agent(*_read(None))
    path = _checkpoint(Path(folder))
    if _is_updatable(path):
        return UpdatableAgent(UpdatableNetwork(path))
    return Agent(*_read(path))


def _read(folder: Path | None) -> tuple[dict[str, Any], bytes]:
    manifest, weights = read_checkpoint(folder)
    return json.loads(manifest), weights


def _is_updatable(folder: Path) -> bool:
    built_in = str(folder).startswith("nnue-") and not folder.exists()
    return built_in or (folder / "nnue.safetensors").is_file()


def _checkpoint(folder: Path) -> Path:
    """The checkpoint that a folder stands for: the newest one of a run, itself otherwise."""
    state = folder / "state.json"
    if state.is_file():
        generation = json.loads(state.read_text(encoding="utf-8"))["generation"]
        folder = folder / "checkpoints" / f"gen-{generation:06}"
    return folder
