"""The built-in agent says in Python what it says in Rust."""

import json
import shutil

import chase_rl
import numpy as np
import pytest
from chase_rl import network
from conftest import REPOSITORY

# The Rust program writes the file and is tested against it (`cargo test -p chase-models --test networks shipped_agent`, to
# which UPDATE_EXPECT=1 says to write it). The limit is the one of that test: sums in another order.
FILE = REPOSITORY / "models/tests/networks/shipped_agent.json"
TOLERANCE = 1e-4


def opinions(agent):
    """Planes of all positions, and what Rust says of them."""
    expected = json.loads(FILE.read_text())
    assert len(expected) > 20
    states = [agent.game.new_initial_state(one["position"]) for one in expected]
    for state, one in zip(states, expected, strict=True):
        assert state.legal_actions() == sorted(one["actions"])
    return np.stack([state.observation_tensor() for state in states]), expected


def check(policy, value, expected):
    assert policy.shape == (len(expected), 2997) and value.shape == (len(expected), 3)
    for row, one in enumerate(expected):
        np.testing.assert_allclose(policy[row, one["actions"]], one["policy"], rtol=0, atol=TOLERANCE)
        np.testing.assert_allclose(value[row], one["value"], rtol=0, atol=TOLERANCE)


def test_the_network_in_numpy_agrees_with_rust(agent):
    planes, expected = opinions(agent)
    check(*agent.network.forward(planes), expected)


def test_a_position_does_not_depend_on_its_batch(agent):
    planes, _ = opinions(agent)
    policy, value = agent(planes)
    alone, [wdl] = agent(planes[3:4])
    np.testing.assert_allclose(alone[0], policy[3], rtol=0, atol=TOLERANCE)
    np.testing.assert_allclose(wdl, value[3], rtol=0, atol=TOLERANCE)
    assert abs(wdl.sum() - 1) < 1e-5


def test_numbers_that_are_not_finite_are_refused(agent, monkeypatch):
    forward = agent.network.forward
    state = agent.game.new_initial_state()
    for damaged in range(2):

        def diverged(planes, damaged=damaged):
            parts = list(forward(planes))
            parts[damaged][0, 0] = np.nan
            return parts

        monkeypatch.setattr(agent.network, "forward", diverged)
        with pytest.raises(ValueError, match="not finite"):
            agent.evaluate(state)
        with pytest.raises(ValueError, match="not finite"):
            agent.search(state, simulations=2)


def networks(wrap_rows):
    """A small network of random numbers, in numpy and, where PyTorch is, in it."""
    chance = np.random.default_rng(1)
    tensor = lambda *shape: chance.normal(0, 0.3, shape).astype(np.float32)  # noqa: E731
    tensors = {}
    for name, shape in {
        "stem": (8, 3, 3, 3),
        "block0.first": (8, 8, 3, 3),
        "block0.second": (8, 8, 3, 3),
        "policy.hidden": (4, 8, 1, 1),
        "policy.output": (2, 4, 1, 1),
        "value.summary": (4, 8, 1, 1),
    }.items():
        tensors[f"{name}.weight"] = tensor(*shape)
        if name == "policy.output":
            tensors[f"{name}.bias"] = tensor(shape[0])
        else:
            for part in ("scale", "shift", "mean"):
                tensors[f"{name}.norm.{part}"] = tensor(shape[0])
            tensors[f"{name}.norm.variance"] = np.ones(shape[0], np.float32)
    for name, shape in {"value.hidden": (6, 8), "value.output": (3, 6)}.items():
        tensors |= {f"{name}.weight": tensor(*shape), f"{name}.bias": tensor(shape[0])}
    size = {"blocks": 1, "channels": 8, "pooling": 0, "hex": False, "wrap": True, "wrap_rows": wrap_rows}
    found = [network.Network(size, tensors).forward]
    try:
        import torch
        from chase_rl import torch_network
    except ImportError:
        return found
    heads = {"policy_channels": 4, "value_channels": 4, "value_hidden": 6}
    module = torch_network.Network((3, 8, 8), 2, **size, **heads)
    module.load_state_dict({name: torch.from_numpy(tensor) for name, tensor in tensors.items()})
    module.eval()
    return [*found, lambda planes: tuple(out.detach().numpy() for out in module(torch.from_numpy(planes)))]


@pytest.mark.parametrize("wrap_rows", [False, True])
def test_a_network_for_a_torus_sees_no_edge(wrap_rows):
    planes = np.random.default_rng(2).random((1, 3, 8, 8), np.float32)
    first = None
    for forward in networks(wrap_rows):
        policy, value = forward(planes)
        for axis in (2, 3):
            rolled, same = forward(np.roll(planes, 3, axis=axis))
            moved = np.roll(policy.reshape(1, 2, 8, 8), 3, axis=axis).reshape(1, -1)
            joined = axis == 3 or wrap_rows
            assert np.allclose(rolled, moved, rtol=0, atol=TOLERANCE) == joined
            assert not joined or np.allclose(same, value, rtol=0, atol=TOLERANCE)
        first = policy if first is None else first
        np.testing.assert_allclose(policy, first, rtol=0, atol=TOLERANCE)


def test_the_network_in_torch_agrees_with_rust(agent, monkeypatch):
    torch = pytest.importorskip("torch", reason="PyTorch is not there: cargo xtask python --torch")
    from chase_rl import torch_network

    planes, expected = opinions(agent)
    module = torch_network.load(agent)
    with torch.inference_mode():
        policy, value = module(torch.from_numpy(planes))
    check(policy.numpy(), value.numpy(), expected)
    size = agent.manifest["architecture"]
    monkeypatch.setitem(agent.manifest, "architecture", size | {"mirror": True})
    torch_network.load(agent)  # what only the learner looks at changes nothing
    logits, wdl = torch_network.evaluator(module)(planes)
    np.testing.assert_allclose(wdl, agent(planes)[1], rtol=0, atol=TOLERANCE)
    np.testing.assert_array_equal(logits, policy.numpy())


def test_a_network_in_torch_learns_and_is_saved_under_the_same_names(agent):
    torch = pytest.importorskip("torch", reason="PyTorch is not there: cargo xtask python --torch")
    from chase_rl import torch_network

    torch.manual_seed(1)
    module = torch_network.Network((2, 6, 7), 1, blocks=2, channels=16, hex=False, wrap=False)
    planes = torch.rand(64, 2, 6, 7)
    target = (planes[:, 0].mean(dim=(1, 2)) > planes[:, 1].mean(dim=(1, 2))).long()
    optimizer = torch.optim.AdamW(module.parameters(), lr=3e-3)
    losses = []
    for _ in range(60):
        policy, value = module(planes)
        assert policy.shape == (64, 42)
        loss = torch.nn.functional.cross_entropy(value, target)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    assert losses[-1] < 0.5 * losses[0]
    names = {name for name in network.read_safetensors(agent.weights) if not name.startswith("auxiliary")}
    assert set(torch_network.load(agent).state_dict()) == names
    # The same tensors in numpy are the same network.
    size = {"blocks": 2, "pooling": 2, "channels": 16, "hex": False, "wrap": False}
    same = network.Network(size, {name: tensor.numpy() for name, tensor in module.state_dict().items()})
    with torch.inference_mode():
        policy, value = module.eval()(planes)
    np.testing.assert_allclose(same.forward(planes.numpy())[0], policy.numpy(), rtol=0, atol=TOLERANCE)
    np.testing.assert_allclose(same.forward(planes.numpy())[1], value.numpy(), rtol=0, atol=TOLERANCE)


def test_the_agent_searches_states_of_any_encoding(agent):
    state = chase_rl.load_game("chase").new_initial_state()
    assert state.observation_tensor().shape != agent.game.observation_tensor_shape()
    result = agent.search(state, simulations=16)
    [same] = agent.search([agent.game.new_initial_state()], simulations=16)
    assert result.visits.tolist() == same.visits.tolist() and result.simulations == 16
    probabilities, value = agent.evaluate(state)
    assert len(probabilities) == 46 and abs(sum(probabilities.values()) - 1) < 1e-5 and -1 < value < 1
    rows = {row["action"]: row["prior"] for row in result.rows()}
    for action, probability in probabilities.items():
        assert abs(rows[action] - probability) < 1e-5


def test_checkpoints_are_verified(agent, tmp_path):
    folder = REPOSITORY / "models/agents/agent-71"
    assert chase_rl.load_agent(folder).weights == agent.weights == chase_rl.load_agent("agent-71").weights
    (tmp_path / "manifest.json").write_bytes((folder / "manifest.json").read_bytes())
    with pytest.raises(ValueError, match="cannot read"):
        chase_rl.load_agent(tmp_path)
    weights = bytearray((folder / "model.safetensors").read_bytes())
    weights[-1] ^= 1
    (tmp_path / "model.safetensors").write_bytes(weights)
    with pytest.raises(ValueError, match="SHA-256"):
        chase_rl.load_agent(tmp_path)
    with pytest.raises(ValueError, match="expected the folder of a checkpoint"):
        chase_rl.load_agent(tmp_path / "nowhere")


def test_a_run_stands_for_its_newest_checkpoint(agent, tmp_path):
    newest = tmp_path / "checkpoints/gen-000012"
    newest.parent.mkdir()
    shutil.copytree(REPOSITORY / "models/agents/agent-71", newest)
    (tmp_path / "state.json").write_text('{"generation": 12}')
    assert chase_rl.load_agent(tmp_path).weights == agent.weights


def test_the_strongest_agent_searches_by_alpha_beta(tmp_path):
    state = chase_rl.load_game("chase").new_initial_state()
    built_in = chase_rl.load_agent("nnue-57")
    found = built_in.search(state, nodes=2000)
    # The node that reaches the limit is counted.
    assert 1000 < found.nodes <= 2001 and found.best_action in state.legal_actions()
    # The same from its folder, and another judgement than that of the baseline.
    again = chase_rl.load_agent(REPOSITORY / "models/agents/nnue-57").search([state, state], nodes=2000)
    assert [one.score for one in again] == [found.score] * 2
    assert chase_rl.alpha_beta(state, nodes=2000).score != found.score
    with pytest.raises(TypeError, match="needs a limit"):
        built_in.search(state)
    with pytest.raises(ValueError, match="for chase alone"):
        built_in.search(chase_rl.load_game("connect-four").new_initial_state(), depth=1)
    (tmp_path / "nnue.safetensors").write_bytes(b"none")
    with pytest.raises(ValueError, match="nnue.safetensors"):
        chase_rl.load_agent(tmp_path)


def updatable(game, inputs, value):
    """The file of an efficiently updatable network that gives every position the same value."""
    shapes = {
        "transformer.weight": [inputs, 32],
        "transformer.bias": [32],
        "dense_1.weight": [16, 64],
        "dense_1.bias": [16],
        "dense_2.weight": [32, 16],
        "dense_2.bias": [32],
        "output.weight": [32],
        "output.bias": [1],
    }
    header = {"__metadata__": {"chase-nnue": f"format: 1\ngame: {game}\nrules: 1\nfeatures: 1"}}
    data = b""
    for name, shape in shapes.items():
        numbers = np.full(shape, value if name == "output.bias" else 0, "<f4").tobytes()
        header[name] = {"dtype": "F32", "shape": shape, "data_offsets": [len(data), len(data) + len(numbers)]}
        data += numbers
    text = json.dumps(header).encode()
    return len(text).to_bytes(8, "little") + text + data


def test_a_network_of_another_game_is_read_once(tmp_path):
    file = tmp_path / "nnue.safetensors"
    file.write_bytes(updatable("chess", 768, 0.5))
    chess = chase_rl.load_agent(tmp_path)
    file.unlink()
    assert chess.game.name == chess.network.game == "chess"
    assert chess.search(chess.game.new_initial_state(), depth=1).score == -500
    with pytest.raises(ValueError, match="for chess alone"):
        chess.search(chase_rl.load_game("chess-cyl").new_initial_state(), depth=1)


def test_one_state_or_several_are_evaluated(agent):
    state = chase_rl.load_game("chase").new_initial_state()
    later = state.child(state.legal_actions()[0])
    assert agent.evaluate([state, later]) == [agent.evaluate(state), agent.evaluate(later)]
    for wrong in ["A3NW", [state, 3], 3]:
        with pytest.raises(TypeError, match="expected a State or a list of them, found a "):
            agent.evaluate(wrong)


def test_a_file_that_is_none_is_refused():
    for content in [b"", b"1234567", (2**40).to_bytes(8, "little") + b"{}"]:
        with pytest.raises(ValueError, match="no safetensors"):
            network.read_safetensors(content)
