"""The environment passes PettingZoo's own tests."""

import warnings

import numpy as np
import pytest
from chase_rl import aec
from pettingzoo.test import api_test, render_test, seed_test

NAMES = aec.names()


@pytest.mark.parametrize("name", NAMES)
def test_the_api_is_kept(name):
    with warnings.catch_warnings():
        # Advice on style, such as the size of observations.
        warnings.simplefilter("ignore")
        api_test(aec.env(name), num_cycles=400)
        api_test(aec.raw_env(name), num_cycles=400)


@pytest.mark.parametrize("name", NAMES)
def test_the_same_seed_gives_the_same_games(name):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        seed_test(lambda: aec.env(name), num_cycles=100)


@pytest.mark.parametrize("name", NAMES)
def test_boards_are_rendered(name):
    custom = {"svg": lambda picture: picture.startswith("<svg"), "ansi": lambda text: "\n" in text}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        render_test(lambda render_mode: aec.env(name, render_mode), custom)
    environment = aec.env(name, "rgb_array")
    environment.reset()
    pixels = environment.render()
    assert pixels.ndim == 3 and pixels.shape[2] == 3 and pixels.dtype == np.uint8 and len(np.unique(pixels)) > 10
    with pytest.raises(ValueError, match="render_mode"):
        aec.env(name, "sixel")


@pytest.mark.parametrize("name", NAMES)
def test_rewards_are_those_of_the_game(name):
    environment = aec.env(name)
    chance = np.random.default_rng(1)
    for _ in range(3):
        environment.reset()
        got = dict.fromkeys(environment.possible_agents, 0.0)
        turns = []
        for agent in environment.agent_iter():
            observation, reward, termination, truncation, _ = environment.last()
            got[agent] += reward
            if termination or truncation:
                environment.step(None)
                continue
            turns.append(agent)
            other = environment.possible_agents[1 - environment.possible_agents.index(agent)]
            assert not environment.observe(other)["action_mask"].any()
            environment.step(chance.choice(np.flatnonzero(observation["action_mask"])))
        state = environment.unwrapped.state_of_play
        assert state.is_terminal() and list(got.values()) == state.returns()
        assert [int(turn[-1]) for turn in turns] == [player for player, _ in state.full_history()]


def test_an_illegal_move_loses():
    environment = aec.env("connect_four_v1")
    environment.reset()
    environment.step(41)
    assert environment.terminations == {"player_0": True, "player_1": True}
    assert environment.rewards == {"player_0": -1, "player_1": 0}
