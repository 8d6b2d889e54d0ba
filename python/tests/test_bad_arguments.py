"""No argument makes a panic: what cannot be used is an exception that says what was expected."""

import inspect
import random

import chase_rl
import numpy as np
import pytest
from chase_rl import _native
from conftest import random_game

EXPECTED = (TypeError, ValueError, IndexError, OverflowError)


class Odd:
    """Whatever one asks of it, it fails."""

    def __index__(self):
        raise ZeroDivisionError("odd")

    def __array__(self, dtype=None, copy=None):
        raise ZeroDivisionError("odd")

    def __fspath__(self):
        raise ZeroDivisionError("odd")


class Loose:
    """A number that is none."""

    def __index__(self):
        return 3


# One with records, and one without that begins at random: the classes are the same for all.
FUZZED = ["chase", "stax-uni-num"]


def junk(chance):
    game = chase_rl.load_game(chance.choice(FUZZED))
    return chance.choice(
        [
            *[None, True, -1, 0, 1, 2, 7, 2**31, 2**32, 2**63, 2**64, -(2**70), 10**5000, 0.0, -1.5, 1e308],
            *[float("nan"), float("inf"), 1j, "", "x", "puct", "uniform", "chase", "\0", "é" * 9, "\ud800", "A3NW"],
            *[b"", b"abc", [], [1, 2], [None], (), {}, {"a": 1}, {1: 2}, set(), object(), Odd(), Loose(), int, len],
            *[
                np.zeros(0),
                np.zeros((2, 2)),
                np.array([1, 2]),
                np.array(["a"]),
                np.array(None),
                np.float32(3),
                np.int8(-3),
            ],
            *[game, game.new_initial_state(), random_game(game, 1, 9)[-1], chase_rl.Puct(), chase_rl.Gumbel()],
        ]
    )


# Numbers of these are work or memory that was asked for.
SMALL = {"simulations", "num_envs", "games", "parallel", "max_plies", "depth", "nodes", "milliseconds"}


def arguments(chance, target):
    """Some for every parameter: mostly junk."""
    try:
        parameters = list(inspect.signature(target).parameters.values())
    except ValueError:
        parameters = []
    plain, named = [], {}
    for parameter in parameters:
        value = junk(chance)
        if parameter.name in SMALL and isinstance(value, int | np.integer | Loose) and not -1 < int(value) < 4:
            value = 2
        if parameter.kind is parameter.KEYWORD_ONLY:
            if chance.random() < 0.3:
                named[parameter.name] = value
        elif parameter.kind is parameter.VAR_KEYWORD:
            named["Tag"] = value
        elif parameter.name != "self" and (parameter.default is parameter.empty or chance.random() < 0.5):
            plain.append(value)
    for name in SMALL & {parameter.name for parameter in parameters if parameter.kind is parameter.KEYWORD_ONLY}:
        named.setdefault(name, 1)
    if chance.random() < 0.1:
        plain.append(junk(chance))
    return plain, named


def targets():
    """Everything that can be called: functions, classes, and the methods of an object of each class."""
    for game in [chase_rl.load_game(name) for name in FUZZED]:
        state = random_game(game, 2, 5)[-1]
        objects = [
            game,
            state,
            chase_rl.VectorEnv(game, 2),
            chase_rl.search([state], "uniform", simulations=2)[0],
            chase_rl.alpha_beta(state, depth=1),
            next(chase_rl.SelfPlay(game, "uniform", games=1, simulations=1, max_plies=3)),
            chase_rl.Puct(),
            chase_rl.Gumbel(),
        ]
        for thing in objects:
            for name in dir(type(thing)):
                if callable(getattr(type(thing), name)) and (
                    not name.startswith("__") or name in ("__eq__", "__len__")
                ):
                    yield getattr(thing, name)
    for name in dir(_native):
        if callable(getattr(_native, name)) and not name.startswith("__"):
            yield getattr(_native, name)


@pytest.mark.parametrize("seed", range(4))
def test_junk_is_refused_with_an_exception(seed):
    chance = random.Random(seed)
    refused = tried = 0
    for target in targets():
        for _ in range(60):
            plain, named = arguments(chance, target)
            tried += 1
            try:
                target(*plain, **named)
            except EXPECTED as error:
                assert str(error)
                refused += 1
            except (ZeroDivisionError, UnicodeEncodeError):
                refused += 1
    assert tried > 5000 and refused > tried // 3


def mutated(chance, text):
    letters = list(text)
    for _ in range(chance.randint(1, 4)):
        place = chance.randrange(len(letters) + 1)
        letters[place : place + chance.randint(0, 2)] = chance.choice(
            ["", "x", " ", "9", "/", '"', "é", "\n", "-", "\0", "A3"]
        )
    return "".join(letters)


def test_broken_texts_are_refused_or_mean_something(game):
    chance = random.Random(1)
    states = random_game(game, 4)
    state = states[len(states) // 2]
    record = [state.to_record()] if game.name == "chase" else []
    refused = 0
    for _ in range(1500):
        for text, read in [
            (state.position(), game.new_initial_state),
            (state.serialize(), chase_rl.deserialize),
            (
                chance.choice([state.action_to_string(action) for action in state.legal_actions()]),
                state.string_to_action,
            ),
            *[(text, game.read_records) for text in record],
        ]:
            try:
                read(mutated(chance, text))
            except ValueError as error:
                assert len(str(error)) > 10
                refused += 1
    assert refused > 1000


def test_messages_say_what_was_expected(game):
    state = game.new_initial_state()
    illegal = next(action for action in range(game.num_distinct_actions()) if action not in state.legal_actions())
    for call, message in [
        (lambda: state.apply_action(illegal), f"action {illegal} is not legal here; expected one of the"),
        (lambda: state.apply_action(-1), "expected a whole number from 0 to 4294967295, found -1"),
        (lambda: state.apply_action("a"), "expected a whole number from 0 to 4294967295, found a str"),
        (lambda: state.apply_action(10**5000), "found a number too long to write"),
        (lambda: random_game(game, 1)[-1].apply_action(0), "the game is over, no action is legal"),
        (lambda: state.observation_tensor(1), "from the view of the player to move"),
        (lambda: state.player_return(2), "expected a whole number from 0 to 1, found 2"),
        (lambda: chase_rl.load_game("go"), "no game `go`; expected one of chase, checkers, checkers-cyl, "),
        (lambda: game.new_initial_state("x"), f"`x` is no position of {game.name}"),
        (lambda: state.string_to_action("x"), "`x`"),
        (lambda: chase_rl.deserialize("{}"), "no serialized state"),
        (lambda: chase_rl.deserialize('{"game": "chase", "rules": "", "actions": []}'), "rules of chase"),
        (lambda: chase_rl.VectorEnv(game, 0), "expected a whole number from 1 to 1048576, found 0"),
        (lambda: chase_rl.load_game(game.name, encoding={"x": object()}), "encoding is no dict"),
    ]:
        with pytest.raises(EXPECTED) as caught:
            call()
        assert message in str(caught.value)


def test_an_evaluator_may_do_what_it_likes_with_what_it_is_part_of():
    game = chase_rl.load_game("connect-four")
    state = game.new_initial_state()

    def evaluate(planes):
        # What is searched is a copy.
        if not state.is_terminal():
            state.apply_action(state.legal_actions()[0])
        [inner] = chase_rl.search([game.new_initial_state()], "uniform", simulations=2)
        assert inner.best_action is not None
        with pytest.raises(RuntimeError, match="borrowed"):
            next(games)
        planes[:] = 7.0
        return np.zeros((len(planes), 42)), np.zeros(len(planes))

    games = chase_rl.SelfPlay(game, evaluate, games=1, simulations=1)
    assert next(games).final_state().is_terminal()
    assert state.move_number() > 5
