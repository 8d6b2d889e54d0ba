"""Fixtures that several tests share."""

import os
import random
import subprocess
from pathlib import Path

import chase_rl
import pytest

REPOSITORY = Path(__file__).resolve().parents[2]


# Of the draughts games one of each way of capturing, and one that wraps round both ways and begins at random.
GAMES = ["chase", "connect-four", "checkers", "stax", "queens", "stax-uni-num", "moves23", "lines9", "tricolour"]


@pytest.fixture(params=GAMES)
def game(request):
    """Games that stand for all."""
    return chase_rl.load_game(request.param)


@pytest.fixture(scope="session")
def agent():
    """The built-in agent."""
    return chase_rl.load_agent()


@pytest.fixture(scope="session")
def program():
    """Runs the program of this checkout, which `cargo xtask python` builds."""
    path = os.environ.get("CHASE_PROGRAM")
    if path is None:
        pytest.skip("CHASE_PROGRAM names no program: cargo xtask python")
    return lambda *arguments: subprocess.run([path, *map(str, arguments)], check=True, capture_output=True, text=True).stdout


def random_game(game, seed, plies=10_000):
    """The states of a game of random actions, from the first to the last."""
    chance = random.Random(seed)
    states = [game.new_initial_state()]
    while not states[-1].is_terminal() and len(states) <= plies:
        states.append(states[-1].child(chance.choice(states[-1].legal_actions())))
    return states
