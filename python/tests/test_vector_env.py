"""Many games in lock-step are those games, one by one."""

import chase_rl
import numpy as np
import pytest

ARRAYS = ["observations", "action_mask", "current_player", "rewards", "terminated", "truncated"]


def test_every_row_is_the_game_that_is_played_there(game):
    environment = chase_rl.VectorEnv(game, 5, seed=1, threads=2)
    begins_at_random = game.new_initial_state(seed=1) != game.new_initial_state(seed=2)

    def drawn(row):
        return game.new_initial_state(environment.position(row) if begins_at_random else None)

    states = [drawn(row) for row in range(5)]
    ended = 0
    for _ in range(600):
        for row, state in enumerate(states):
            assert environment.position(row) == state.position()
            assert np.flatnonzero(environment.action_mask[row]).tolist() == state.legal_actions()
            assert environment.current_player[row] == state.current_player()
        np.testing.assert_array_equal(environment.observations, [state.observation_tensor() for state in states])
        actions = environment.random_actions()
        environment.step(actions)
        for row, action in enumerate(actions):
            states[row].apply_action(action)
            assert environment.rewards[row].tolist() == states[row].returns()
            assert environment.truncated[row] == states[row].is_truncated()
            assert environment.terminated[row] == (states[row].is_terminal() and not states[row].is_truncated())
            if states[row].is_terminal():
                ended += 1
                states[row] = drawn(row)
    assert ended > 5


def test_steps_write_into_the_same_memory():
    environment = chase_rl.VectorEnv(chase_rl.load_game("connect-four"), 3)
    before = {name: getattr(environment, name) for name in ARRAYS}
    first = before["observations"].copy()
    environment.step(environment.random_actions())
    assert not np.array_equal(before["observations"], first)
    for name in ARRAYS:
        assert np.shares_memory(before[name], getattr(environment, name))
    # The arrays keep the memory alive.
    array = environment.observations
    copy = array.copy()
    del environment, before
    np.testing.assert_array_equal(array, copy)


def test_the_same_seed_gives_the_same_games_on_any_number_of_threads(game):
    def play(threads, seed):
        environment = chase_rl.VectorEnv(game, 33, seed=seed, threads=threads)
        actions = []
        for _ in range(50):
            actions.append(environment.random_actions())
            environment.step(actions[-1])
        environment.reset(seed=seed)
        np.testing.assert_array_equal(environment.random_actions(), actions[0])
        return np.array(actions), environment.observations.copy()

    one, planes = play(1, 7)
    other, same = play(4, 7)
    np.testing.assert_array_equal(one, other)
    np.testing.assert_array_equal(planes, same)
    assert not np.array_equal(one, play(1, 8)[0])


def test_without_observations_none_are_made(game):
    environment = chase_rl.VectorEnv(game, 4, observations=False)
    assert environment.observations.shape == (4, 0, *game.observation_tensor_shape()[1:])
    environment.step(environment.random_actions())


def test_an_illegal_action_is_named_and_nothing_is_played():
    environment = chase_rl.VectorEnv(chase_rl.load_game("connect-four"), 3)
    mask = environment.action_mask.copy()
    for bad in [41, -1, 2**40]:
        with pytest.raises(ValueError, match=rf"actions\[1\] is {bad}, which is not legal there"):
            environment.step([0, bad, 0])
    with pytest.raises(ValueError, match="2 actions, expected 3"):
        environment.step([0, 0])
    with pytest.raises(ValueError, match="shape"):
        environment.step([[0, 0, 0]])
    with pytest.raises(TypeError, match="float64"):
        environment.step([0.0, 1.0, 2.0])
    np.testing.assert_array_equal(environment.action_mask, mask)
    environment.step(np.array([0, 1, 2], dtype=np.uint8))
    with pytest.raises(IndexError, match="games 0 to 2"):
        environment.position(3)


def test_a_game_that_is_stopped_is_truncated_and_not_terminated():
    environment = chase_rl.VectorEnv(chase_rl.load_game("chase", rules="repetition 3, quiet 100, length 5"), 4)
    for _ in range(20):
        environment.step(environment.random_actions())
        if environment.truncated.any():
            break
    assert environment.truncated.any() and not environment.terminated.any() and not environment.rewards.any()
