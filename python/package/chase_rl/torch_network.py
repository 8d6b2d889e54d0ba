"""The networks of this project as modules of PyTorch, to train, to change, and to run on a GPU.

>>> from chase_rl import load_agent, torch_network
>>> agent = load_agent()
>>> module = torch_network.load(agent)                          # the built-in agent
>>> evaluate = torch_network.evaluator(module, device="cpu")    # what chase_rl.search takes
>>> new = torch_network.Network(agent.game.observation_tensor_shape(), policy_planes=37)

Tensors have the names of ``model.safetensors``; ``chase_rl.network`` says what they do.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

try:
    import torch
    from torch import Tensor, nn
    from torch.nn import functional
except ImportError as error:
    raise ImportError("chase_rl.torch_network needs torch: pip install './python[torch]' in a clone") from error

from chase_rl.agent import Agent
from chase_rl.network import EPSILON, Array, read_safetensors


class _Norm(nn.Module):
    """Batch normalisation under the names of the files."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.scale = nn.Parameter(torch.ones(channels))
        self.shift = nn.Parameter(torch.zeros(channels))
        self.register_buffer("mean", torch.zeros(channels))
        self.register_buffer("variance", torch.ones(channels))

    def forward(self, x: Tensor) -> Tensor:
        statistics = (self.mean, self.variance)
        return functional.batch_norm(x, *statistics, self.scale, self.shift, self.training, 0.1, EPSILON)


class _Convolution(nn.Module):
    """A convolution at full size of the board, with a normalisation or a bias."""

    def __init__(self, inputs: int, outputs: int, kernel: int, *, norm: bool, hex: bool, wrap: bool, wrap_rows: bool) -> None:
        super().__init__()
        fan_in = inputs * (7 if hex and kernel == 3 else kernel * kernel)
        # The end of a head begins with next to no opinion.
        gain = 2**0.5 if norm else 0.1
        bound = gain * (3.0 / fan_in) ** 0.5
        self.weight = nn.Parameter(torch.empty(outputs, inputs, kernel, kernel).uniform_(-bound, bound))
        self.norm = _Norm(outputs) if norm else None
        self.bias = None if norm else nn.Parameter(torch.zeros(outputs))
        self.wrap = wrap and kernel == 3
        self.wrap_rows = wrap_rows and kernel == 3
        mask = torch.ones(kernel, kernel)
        if hex and kernel == 3:
            mask[0, 0] = mask[2, 2] = 0.0
        self.register_buffer("mask", mask, persistent=False)

    def forward(self, x: Tensor) -> Tensor:
        border = self.weight.shape[2] // 2
        if self.wrap:
            x = functional.pad(x, (1, 1, 0, 0), mode="circular")
        if self.wrap_rows:
            x = functional.pad(x, (0, 0, 1, 1), mode="circular")
        padding = (0 if self.wrap_rows else border, 0 if self.wrap else border)
        x = functional.conv2d(x, self.weight * self.mask, self.bias, padding=padding)
        return x if self.norm is None else self.norm(x)


def _pool(x: Tensor) -> Tensor:
    """Mean and maximum over the board: ``[B, C, H, W]`` to ``[B, 2 C]``."""
    return torch.cat([x.mean(dim=(2, 3)), x.amax(dim=(2, 3))], dim=1)


class _Block(nn.Module):
    def __init__(self, channels: int, pools: bool, **grid: bool) -> None:
        super().__init__()
        self.regular = channels - (channels // 4 if pools else 0)
        self.first = _Convolution(channels, channels, 3, norm=True, **grid)
        self.pooling = nn.Linear(2 * (channels - self.regular), self.regular) if pools else None
        self.second = _Convolution(self.regular, channels, 3, norm=True, **grid)

    def forward(self, x: Tensor) -> Tensor:
        inner = self.first(x)
        if self.pooling is not None:
            shift = self.pooling(_pool(inner[:, self.regular :].relu()))
            inner = inner[:, : self.regular] + shift[:, :, None, None]
        return (self.second(inner.relu()) + x).relu()


class Network(nn.Module):
    """A residual network with a policy and a value head, for planes of the shape ``[C, H, W]``."""

    def __init__(
        self,
        shape: tuple[int, int, int],
        policy_planes: int,
        *,
        blocks: int = 4,
        channels: int = 32,
        pooling: int = 2,
        policy_channels: int = 32,
        value_channels: int = 32,
        value_hidden: int = 64,
        hex: bool = True,
        wrap: bool = True,
        wrap_rows: bool = False,
    ) -> None:
        super().__init__()
        grid = {"hex": hex, "wrap": wrap, "wrap_rows": wrap_rows}
        self.shape = tuple(shape)
        self.stem = _Convolution(shape[0], channels, 3, norm=True, **grid)
        self.blocks = blocks
        for index in range(blocks):
            pools = pooling > 0 and (index + 1) % pooling == 0
            self.add_module(f"block{index}", _Block(channels, pools, **grid))
        self.policy = nn.ModuleDict(
            {
                "hidden": _Convolution(channels, policy_channels, 1, norm=True, **grid),
                "output": _Convolution(policy_channels, policy_planes, 1, norm=False, **grid),
            }
        )
        self.value = nn.ModuleDict(
            {
                "summary": _Convolution(channels, value_channels, 1, norm=True, **grid),
                "hidden": nn.Linear(2 * value_channels, value_hidden),
                "output": nn.Linear(value_hidden, 3),
            }
        )

    def forward(self, planes: Tensor) -> tuple[Tensor, Tensor]:
        """Policy logits ``[B, A]``, and logits of win, draw and loss for the player to move ``[B, 3]``."""
        x = self.stem(planes).relu()
        for index in range(self.blocks):
            x = self.get_submodule(f"block{index}")(x)
        policy = self.policy["output"](self.policy["hidden"](x).relu()).flatten(1)
        summary = _pool(self.value["summary"](x).relu())
        return policy, self.value["output"](self.value["hidden"](summary).relu())


def load(agent: Agent) -> Network:
    """The network of an agent, in evaluation mode."""
    size: dict[str, Any] = dict(agent.manifest["architecture"])
    for of_training in ("auxiliary", "mirror"):
        size.pop(of_training, None)
    network = Network(agent.game.observation_tensor_shape(), agent.manifest["shape"]["policy_planes"], **size)
    tensors = read_safetensors(agent.weights)
    kept = {name: tensor for name, tensor in tensors.items() if not name.startswith("auxiliary.")}
    network.load_state_dict({name: torch.from_numpy(tensor.copy()) for name, tensor in kept.items()})
    return network.eval()


def evaluator(network: nn.Module, device: str | torch.device = "cpu") -> Callable[[Array], tuple[Array, Array]]:
    """An evaluator for ``chase_rl.search`` and ``SelfPlay``: planes in, policy logits and probabilities of the result out.

    The network is put into evaluation mode at every call, and back into the mode in which it was.
    """

    def evaluate(planes: Array) -> tuple[Array, Array]:
        training = network.training
        network.eval()
        with torch.inference_mode():
            policy, value = network(torch.from_numpy(planes).to(device))
            answer = policy.float().cpu().numpy(), value.float().softmax(dim=1).cpu().numpy()
        network.train(training)
        return answer

    network.to(device)
    return evaluate


__all__ = ["Network", "evaluator", "load"]
