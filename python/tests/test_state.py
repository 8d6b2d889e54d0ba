"""The words of OpenSpiel mean what they mean there."""

import copy
import gzip
import json
import pickle
import xml.etree.ElementTree as ElementTree

import chase_rl
import numpy as np
import pytest
from conftest import REPOSITORY, random_game


def test_a_game_says_what_it_is(game):
    assert game.num_players() == 2
    assert game.utility_sum() == 0 and (game.min_utility(), game.max_utility()) == (-1, 1)
    shape = game.observation_tensor_shape()
    assert len(game.plane_names) == shape[0] and game.observation_tensor_size() == np.prod(shape)
    assert eval(repr(game), {"load_game": chase_rl.load_game}) == game


def test_every_state_of_random_games_keeps_the_contract(game):
    for seed in range(3):
        for state in random_game(game, seed):
            legal = state.legal_actions()
            assert legal == sorted(legal) and state.is_terminal() == (not legal)
            mask = state.legal_actions_mask()
            assert mask.dtype == np.int8 and np.flatnonzero(mask).tolist() == legal
            planes = state.observation_tensor()
            assert planes.dtype == np.float32 and planes.shape == game.observation_tensor_shape()
            assert ((planes >= 0) & (planes <= 1)).all()
            for action in legal:
                assert state.string_to_action(state.action_to_string(action)) == action
                assert state.action_to_string(state.current_player(), action) == state.action_to_string(action)
            if state.is_terminal():
                assert state.current_player() == -4 and state.outcome() is not None and state.end_reason()
                expected = {"white": [1, -1], "black": [-1, 1], "draw": [0, 0], "truncated": [0, 0]}[state.outcome()]
                assert state.returns() == expected == [state.player_return(0), state.player_return(1)]
            else:
                player = state.current_player()
                assert state.returns() == [0, 0] and state.outcome() is None
                assert state.legal_actions(player) == legal and state.legal_actions(1 - player) == []


def test_copies_and_texts_bring_back_the_same_state(game):
    state = random_game(game, 7)[-1]
    ways = [
        state.clone(),
        copy.copy(state),
        copy.deepcopy(state),
        pickle.loads(pickle.dumps(state)),
        chase_rl.deserialize(state.serialize()),
        game.deserialize_state(state.serialize()),
    ]
    for other in ways:
        assert other == state and hash(other) == hash(state)
        assert other.history() == state.history() and other.position() == state.position()
        assert other.key() == state.key() and other.returns() == state.returns()
    # History counts: the same position without it is another state.
    assert game.new_initial_state(state.position()) != state
    assert pickle.loads(pickle.dumps(game)) == game


def test_a_copy_goes_its_own_way(game):
    state = game.new_initial_state()
    other = state.clone()
    other.apply_action(other.legal_actions()[0])
    assert state.history() == [] and len(other.history()) == 1 == other.move_number()
    assert other.full_history() == [(0, other.history_str())]


def test_an_encoding_is_chosen_and_kept():
    game = chase_rl.load_game("chase", encoding={"move_maps": True})
    assert game.observation_tensor_shape() == (50, 9, 9) and game.encoding["move_maps"] is True
    state = pickle.loads(pickle.dumps(game.new_initial_state()))
    assert state.observation_tensor().shape == (50, 9, 9)
    with pytest.raises(ValueError, match="move_map"):
        chase_rl.load_game("chase", encoding={"move_map": True})


def test_rules_are_chosen_and_kept():
    game = chase_rl.load_game("chase", rules="repetition 2, quiet 50, length 10")
    states = random_game(game, 1)
    assert states[-1].is_truncated() and states[-1].outcome() == "truncated" and states[-1].returns() == [0, 0]
    assert chase_rl.deserialize(states[-1].serialize()).is_truncated()
    with pytest.raises(ValueError, match="rules of chase"):
        chase_rl.load_game("chase", rules="quiet")
    with pytest.raises(ValueError, match="rules of connect-four"):
        chase_rl.load_game("connect-four", rules="quiet")


@pytest.mark.parametrize("name", ["chase", "connect-four", "stax-num", "tricolour"])
def test_records_are_read_and_written(name):
    game = chase_rl.load_game(name)
    states = [random_game(game, seed)[-1] for seed in (5, 6)]
    records = "\n".join(state.to_record(Event=f"test {number}") for number, state in enumerate(states))
    read = game.read_records(records)
    assert [tags for tags, _ in read] == [{"Event": "test 0"}, {"Event": "test 1"}]
    assert [state for _, state in read] == states
    # Records of Chase do not name their game.
    told = "expected a step" if name == "chase" else "a record of"
    with pytest.raises(ValueError, match=told):
        chase_rl.load_game("queens").read_records(records)


def short(state):
    """The position without its counters, as the reference has it."""
    return state.position().rsplit(" ", 2)[0]


def reference(name):
    with gzip.open(REPOSITORY / "engine/tests/data" / name, "rt") as lines:
        return [json.loads(line) for line in lines]


def test_games_of_the_reference_are_played_as_there():
    game = chase_rl.load_game("chase", rules="repetition off, quiet off, length off")
    for facts in reference("games.jsonl.gz")[::10]:
        state = game.new_initial_state()
        for action in facts["actions"]:
            state.apply_action(state.string_to_action(action))
        assert short(state) == facts["last"]


@pytest.mark.parametrize("name", chase_rl.registered_names())
def test_every_game_is_played_drawn_and_read_back(name):
    game = chase_rl.load_game(name)
    state = random_game(game, 7, plies=40)[-1]
    assert game.deserialize_state(state.serialize()) == state
    assert game.new_initial_state(state.position()).legal_actions() == state.legal_actions()
    assert ElementTree.fromstring(state._repr_svg_()) is not None and str(state)
    assert state.observation_tensor().shape == tuple(game.observation_tensor_shape())


def test_games_with_numbers_begin_where_the_seed_draws():
    game = chase_rl.load_game("checkers-num")
    positions = [game.new_initial_state(seed=seed).position() for seed in (1, 1, 2, None, None)]
    assert positions[0] == positions[1] != positions[2] and positions[3] == positions[4]
    state = game.new_initial_state(seed=1)
    assert game.deserialize_state(state.serialize()) == state
    chase = chase_rl.load_game("chase")
    assert chase.new_initial_state(seed=1) == chase.new_initial_state()
    # Vectors and self-play draw a start for each game.
    games = chase_rl.SelfPlay(game, "uniform", games=3, simulations=2, max_plies=4, seed=1)
    starts = {played.start for played in games}
    assert len(starts) == 3 and all(starts)
    environment = chase_rl.VectorEnv(game, 3, seed=1)
    assert len({row.tobytes() for row in environment.observations}) == 3
