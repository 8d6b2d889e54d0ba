"""Searches under a network of Python, and games of them."""

import chase_rl
import numpy as np
import pytest
from conftest import random_game

STRATEGIES = ["puct", "gumbel", chase_rl.Puct(noise_fraction=0.25, leaves=4), chase_rl.Gumbel(considered_actions=4)]


def uniform(game):
    """An evaluator in Python that says what 'uniform' says."""

    def evaluate(planes):
        assert planes.dtype == np.float32 and planes.shape[1:] == game.observation_tensor_shape()
        batch = len(planes)
        return np.zeros((batch, game.num_distinct_actions())), np.full((batch, 3), 1 / 3)

    return evaluate


def facts(result):
    return (result.actions.tolist(), result.visits.tolist(), result.q.tobytes(), result.policy.tobytes(), result.value)


@pytest.mark.parametrize("strategy", STRATEGIES, ids=str)
def test_an_evaluator_in_python_is_as_good_as_one_in_rust(game, strategy):
    states = random_game(game, 2, plies=9)
    options = {"simulations": 40, "strategy": strategy, "seed": 3}
    native = chase_rl.search(states, "uniform", **options)
    python = chase_rl.search(states, uniform(game), **options)
    assert [facts(result) for result in native] == [facts(result) for result in python]
    for state, result in zip(states, native, strict=True):
        assert sorted(result.actions.tolist()) == state.legal_actions()
        assert abs(result.policy.sum() - 1) < 1e-5 and result.best_action in state.legal_actions()
        assert result.best_action_string == state.action_to_string(result.best_action)
        assert result.principal_variation[0] == result.best_action_string
        assert result.player == state.current_player()
        assert result.simulations == 40 or result.stop in ("proven", "forced")
        assert len(result.rows()) == len(result.actions) and repr(result).startswith("SearchResult")


def test_values_are_for_the_player_to_move():
    game = chase_rl.load_game("connect-four")

    def pessimist(planes):
        return np.zeros((len(planes), 42)), np.full(len(planes), -1.0)

    [result] = chase_rl.search([game.new_initial_state()], pessimist, simulations=1)
    # After the move the other player is to move, who thinks that all is lost: good for us.
    assert (result.q[result.visits > 0] == 1).all()


def test_batches_hold_the_leaves_of_all_games(game):
    sizes = []

    def evaluate(planes):
        sizes.append(len(planes))
        return uniform(game)(planes)

    chase_rl.search([game.new_initial_state()] * 8, evaluate, simulations=10)
    assert sizes[0] == 8 and max(sizes) == 8
    sizes.clear()
    chase_rl.search([game.new_initial_state()] * 8, evaluate, simulations=10, strategy=chase_rl.Puct(leaves=4))
    assert max(sizes) > 8


def test_a_finished_game_has_nothing_to_search(game):
    over = random_game(game, 1)[-1]
    results = chase_rl.search([over, game.new_initial_state()], uniform(game), simulations=3)
    assert results[0].best_action is None and results[0].stop == "game over" and results[0].value is None
    assert results[0].policy.shape == (0,) and results[1].best_action is not None
    assert chase_rl.search([], uniform(game)) == []
    # One state has one result.
    assert chase_rl.search(over, uniform(game)).stop == results[0].stop == "game over"
    with pytest.raises(TypeError, match="found a str"):
        chase_rl.search("states", uniform(game))


def test_only_the_seed_is_chance(game):
    states = [game.new_initial_state()] * 3
    options = {"simulations": 30, "strategy": "gumbel"}

    def run(**more):
        return [facts(result) for result in chase_rl.search(states, "rollout", **options, **more)]

    assert run(seed=1, threads=1) == run(seed=1, threads=3)
    assert run(seed=1) != run(seed=2)
    # Positions of a batch have chance of their own.
    assert run(seed=1)[0] != run(seed=1)[1]


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (lambda n: None, "returned a NoneType, expected a tuple of two arrays"),
        (lambda n: (np.zeros((n, 41)), np.zeros(n)), r"policy logits of shape \[1, 41\], expected \[1, 42\]"),
        (lambda n: (np.zeros((n + 1, 42)), np.zeros(n)), r"policy logits of shape \[2, 42\]"),
        (lambda n: (np.zeros((n, 42)), np.zeros(n + 1)), r"values of shape \[2\], expected \[1\]"),
        (lambda n: (np.zeros((n, 42)), np.zeros((n, 2))), r"values of shape \[1, 2\]"),
        (lambda n: (np.zeros((n, 42)), np.full(n, 1.5)), "1.5 as the value of position 0, expected a number from -1"),
        (lambda n: (np.zeros((n, 42)), np.full(n, np.nan)), "NaN as the value of position 0"),
        (lambda n: (np.zeros((n, 42)), np.full((n, 3), 0.5)), r"\[0.5, 0.5, 0.5\] as the value"),
        (lambda n: (np.full((n, 42), np.inf), np.zeros(n)), "policy logit 0 of an evaluation is inf"),
        (lambda n: (np.full((n, 42), "x"), np.zeros(n)), "policy logits that numpy makes no array of numbers of"),
        (lambda n: (np.zeros((n, 42)), object()), "values that numpy makes no array of numbers of"),
    ],
)
def test_what_is_no_evaluation_is_explained(answer, message):
    game = chase_rl.load_game("connect-four")
    with pytest.raises((ValueError, TypeError), match=message):
        chase_rl.search([game.new_initial_state()], lambda planes: answer(len(planes)))


def test_what_an_evaluator_raises_comes_through():
    class Mine(Exception):
        pass

    def evaluate(planes):
        raise Mine("of the user")

    game = chase_rl.load_game("connect-four")
    with pytest.raises(Mine, match="of the user"):
        chase_rl.search([game.new_initial_state()], evaluate)
    games = chase_rl.SelfPlay(game, evaluate, games=2)
    for _ in range(2):
        with pytest.raises(Mine):
            next(games)


def test_wrong_options_are_explained():
    game = chase_rl.load_game("connect-four")
    states = [game.new_initial_state()]
    for options, message in [
        ({"strategy": "uct"}, "strategy is 'uct', expected 'puct', 'gumbel'"),
        ({"strategy": 1}, "strategy is a int"),
        ({"simulations": -1}, "expected a whole number from 0 to 4294967295, found -1"),
        ({"simulations": 1.5}, "expected a whole number from 0 to 4294967295, found a float"),
        ({"seed": True}, "found a bool"),
        ({"threads": 0}, "expected a whole number from 1 to 1024, found 0"),
    ]:
        with pytest.raises((ValueError, TypeError), match=message):
            chase_rl.search(states, "uniform", **options)
    with pytest.raises(ValueError, match="evaluate is 'magic', expected a callable, 'uniform' or 'rollout'"):
        chase_rl.search(states, "magic")
    with pytest.raises(ValueError, match=r"states\[1\] is of chase, expected one of connect-four"):
        chase_rl.search([*states, chase_rl.load_game("chase").new_initial_state()], "uniform")
    with pytest.raises(ValueError, match="c_puct is -1, expected a number above 0"):
        chase_rl.Puct(c_puct=-1)
    with pytest.raises(ValueError, match="considered_actions is 0, expected 1 or more"):
        chase_rl.Gumbel(considered_actions=0)


def test_self_play_gives_all_games_with_their_targets(game):
    options = {"games": 10, "parallel": 4, "simulations": 8, "seed": 5, "max_plies": 40}
    games = list(chase_rl.SelfPlay(game, uniform(game), **options))
    assert sorted(played.index for played in games) == list(range(10))
    for played in games:
        state = game.new_initial_state(played.start)
        planes, policies = played.observations(), played.policies()
        assert len(played) == len(planes) == len(policies) == len(played.players) == len(played.values)
        for ply, action in enumerate(played.actions):
            np.testing.assert_array_equal(planes[ply], state.observation_tensor())
            assert played.players[ply] == state.current_player()
            assert set(np.flatnonzero(policies[ply])) <= set(state.legal_actions())
            assert abs(policies[ply].sum() - 1) < 1e-5
            assert played.action_strings[ply] == state.action_to_string(action)
            state.apply_action(action)
        assert played.final_state() == state
        if state.is_terminal() and not state.is_truncated():
            assert played.returns.tolist() == [state.returns()[player] for player in played.players]
        else:
            assert played.outcome == "truncated" and np.isnan(played.returns).all()


def test_self_play_does_not_depend_on_threads_nor_on_who_evaluates(game):
    options = {"games": 6, "simulations": 12, "seed": 9, "max_plies": 30}
    for strategy in ["puct", "gumbel"]:
        played = [
            [
                (one.index, one.actions, one.values.tobytes())
                for one in chase_rl.SelfPlay(game, *rest, **more, **options)
            ]
            for rest, more in [
                (["uniform"], {"threads": 1, "strategy": strategy}),
                ([uniform(game)], {"threads": 3, "strategy": strategy}),
                ([uniform(game)], {"parallel": 2, "strategy": strategy}),
            ]
        ]
        assert sorted(played[0]) == sorted(played[1]) == sorted(played[2])
    other = [one.actions for one in chase_rl.SelfPlay(game, "uniform", **{**options, "seed": 10})]
    assert other != [one.actions for one in chase_rl.SelfPlay(game, "uniform", **options)]
