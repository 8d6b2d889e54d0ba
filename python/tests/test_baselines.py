"""The baselines choose in Python what they choose in Rust."""

import _thread
import json
import re
import signal
import threading
import time
from itertools import groupby

import chase_rl
import pytest
from conftest import REPOSITORY, random_game

# The crate of the baselines writes the file and is tested against it (`cargo test -p chase-baselines --test choices`, to which
# UPDATE_EXPECT=1 says to write it), and so are the players of `chase match`.
CHOICES = json.loads((REPOSITORY / "engine/tests/baselines/choices.json").read_text())
WITHOUT = "connect-four"
JUDGED = sorted({row["game"] for row in CHOICES if row["heuristic"] is not None})


def facts(result):
    return (result.best_action, result.score, result.plies_to_win, result.depth, result.nodes)


def written(name):
    """The states of a game that are written down, and what is written of each."""
    rows = [row for row in CHOICES if row["game"] == name]
    assert [row["place"] for row in rows] == list(range(len(rows)))
    game = chase_rl.load_game(name)
    return [game.new_initial_state(row["position"]) for row in rows], rows


@pytest.mark.parametrize("name", chase_rl.registered_names())
def test_choices_are_those_of_rust(name):
    states, rows = written(name)
    assert len(rows) > 5
    [seed] = {row["seed"] for row in rows}
    assert chase_rl.random_action(states, seed=seed) == [row["random"] for row in rows]
    if name not in JUDGED:
        assert all(row["greedy"] is None and not row["alpha_beta"] for row in rows)
        return
    assert chase_rl.heuristic(states) == [row["heuristic"] for row in rows]
    assert chase_rl.greedy(states, seed=seed) == [row["greedy"] for row in rows]
    searches = list(zip(*(row["alpha_beta"] for row in rows), strict=True))
    assert len(searches) == 3
    for search in searches:
        [limits] = [limits for limits, _ in groupby(one["limits"] for one in search)]
        results = chase_rl.alpha_beta(states, **limits, seed=seed)
        for state, result, one in zip(states, results, search, strict=True):
            assert facts(result) == tuple(one[key] for key in ("action", "score", "plies_to_win", "depth", "nodes"))
            assert result.player == state.current_player()
            assert result.best_action_string == state.action_to_string(result.best_action)


def test_one_state_has_one_answer():
    state = chase_rl.load_game("chase").new_initial_state()
    for choose in (chase_rl.random_action, chase_rl.greedy):
        assert choose(state, seed=3) == choose([state], seed=3)[0] in state.legal_actions()
        assert choose([]) == []
    [result] = chase_rl.alpha_beta((state,), depth=1, seed=3)
    assert facts(chase_rl.alpha_beta(state, depth=1, seed=3)) == facts(result)
    assert chase_rl.heuristic(state) == 0 and chase_rl.heuristic([state, state]) == [0, 0]
    assert chase_rl.alpha_beta([], depth=1) == [] == chase_rl.heuristic([])


def test_only_the_seed_and_the_place_are_chance():
    # More than are answered before signals are looked at.
    states = [chase_rl.load_game("checkers").new_initial_state()] * 2500
    for choose in (chase_rl.random_action, chase_rl.greedy):
        one = choose(states, seed=1, threads=1)
        assert one == choose(states, seed=1, threads=3) == choose(states[:1], seed=1) + one[1:]
        assert one != choose(states, seed=2)
        assert len(set(one)) > 3
        assert one[1024:2048] != one[:1024]

    def search(**options):
        return [facts(result) for result in chase_rl.alpha_beta(states[:9], **options)]

    assert search(depth=2, seed=1, threads=1) == search(depth=2, seed=1, threads=4)
    assert search(depth=2, seed=1) != search(depth=2, seed=2)
    assert search(nodes=500, seed=1, threads=1) == search(nodes=500, seed=1, threads=2)


def test_a_game_with_its_history_is_searched():
    # A repetition that is one ply away is seen, which the position alone does not show.
    game = chase_rl.load_game("chase", rules="repetition 2, quiet 100, length 400")
    state = random_game(game, 1, plies=20)[-1]
    bare = game.new_initial_state(state.position())
    assert chase_rl.heuristic(state) == chase_rl.heuristic(bare)
    short = chase_rl.load_game("chase", rules="repetition 3, quiet 100, length 1").new_initial_state()
    # Every action ends the game, which has no result: positions are judged as they are.
    result = chase_rl.alpha_beta(short, depth=5)
    assert result.plies_to_win is None and -200 < result.score < 200


def test_the_example_of_the_readme_runs():
    text = (REPOSITORY / "python/README.md").read_text().split("\n## Baselines\n", 1)[1]
    example = re.search(r"```python\n(.*?)```", text, re.DOTALL)[1]
    names = {"chase_rl": chase_rl, "state": chase_rl.load_game("chase").new_initial_state()}
    exec(compile(example, "README.md", "exec"), names)
    assert names["result"].depth == 3


def test_limits_hold():
    state = chase_rl.load_game("chase").new_initial_state()
    result = chase_rl.alpha_beta(state, nodes=5000)
    assert result.nodes <= 5001 and result.depth >= 1
    assert chase_rl.alpha_beta(state, depth=2, nodes=10**9).depth == 2
    assert chase_rl.alpha_beta(state, depth=2, quiescence=False).nodes < chase_rl.alpha_beta(state, depth=2).nodes
    # It comes back at all: how late depends on how busy the machine is.
    assert chase_rl.alpha_beta(state, milliseconds=20).depth >= 1


def test_ctrl_c_ends_a_search():
    state = chase_rl.load_game("chase").new_initial_state()
    # A process in the background may have been started with the signal ignored.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        timer = threading.Timer(0.3, _thread.interrupt_main)
        with pytest.raises(KeyboardInterrupt):
            timer.start()
            # The limit is for the day on which nothing interrupts it.
            chase_rl.alpha_beta(state, milliseconds=600_000)
        timer.join()
    finally:
        signal.signal(signal.SIGINT, before)
    assert chase_rl.alpha_beta(state, depth=1).depth == 1


def test_other_threads_of_python_run_meanwhile():
    state = chase_rl.load_game("chase").new_initial_state()
    over = threading.Event()
    turns = []

    def count():
        while not over.is_set():
            turns.append(None)
            time.sleep(0.001)

    def during(nodes):
        before = len(turns)
        chase_rl.alpha_beta(state, nodes=nodes)
        return len(turns) - before

    other = threading.Thread(target=count)
    other.start()
    try:
        # With the lock held it could not run at all; on a busy machine a short search may leave it no time.
        assert any(during(nodes) > 3 for nodes in (300_000, 3_000_000, 30_000_000))
    finally:
        over.set()
        other.join()


def test_what_cannot_be_used_is_explained():
    game = chase_rl.load_game("chase")
    state, over = game.new_initial_state(), random_game(game, 1)[-1]
    none = chase_rl.load_game(WITHOUT).new_initial_state()
    names = ", ".join(JUDGED)
    limit = "alpha_beta needs a limit: depth, nodes or milliseconds, as in alpha_beta(state, depth=3)"
    for kind, message, call in [
        (TypeError, limit, lambda: chase_rl.alpha_beta(state)),
        (ValueError, "expected a whole number from 1 to 64, found 0", lambda: chase_rl.alpha_beta(state, depth=0)),
        (ValueError, "expected a whole number from 1 to 64, found 65", lambda: chase_rl.alpha_beta(state, depth=65)),
        (TypeError, "found a float", lambda: chase_rl.alpha_beta(state, depth=1.0)),
        (ValueError, "from 1 to 18446744073709551615, found 0", lambda: chase_rl.alpha_beta(state, nodes=0)),
        (ValueError, "from 1 to 3600000, found -1", lambda: chase_rl.alpha_beta(state, milliseconds=-1)),
        (ValueError, "from 1 to 1024, found 0", lambda: chase_rl.greedy(state, threads=0)),
        (ValueError, "from 0 to 18446744073709551615, found -1", lambda: chase_rl.random_action(state, seed=-1)),
        (ValueError, f"{WITHOUT} has no heuristic, which greedy needs: expected one of {names}", lambda: chase_rl.greedy(none)),
        (ValueError, f"{WITHOUT} has no heuristic, which alpha_beta needs", lambda: chase_rl.alpha_beta([none], depth=1)),
        (ValueError, f"{WITHOUT} has no heuristic, which is asked for: expected one of {names}", lambda: chase_rl.heuristic(none)),
        (ValueError, f"states[1] is of {WITHOUT}, expected one of chase", lambda: chase_rl.greedy([state, none])),
        (ValueError, "states[1]: the game is over, expected one in progress", lambda: chase_rl.greedy([state, over])),
        (ValueError, "the game is over, expected one in progress", lambda: chase_rl.random_action(over)),
        (TypeError, "expected a State or a sequence of states, found a str", lambda: chase_rl.greedy("chase")),
        (TypeError, "expected a State or a sequence of states, found a Game", lambda: chase_rl.heuristic(game)),
        (TypeError, "states[1]: expected a State, found a int", lambda: chase_rl.random_action([state, 3])),
    ]:
        with pytest.raises(kind) as caught:
            call()
        assert message in str(caught.value), caught.value
