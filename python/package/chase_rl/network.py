"""The networks of this project in numpy: their definition in the fewest words, and good enough to play with.

A checkpoint is a folder with ``manifest.json`` and ``model.safetensors``. ``torch_network`` has the same network as a
module of PyTorch. A port to another framework can be tested against this one.

Planes ``[B, C, H, W]``, 32-bit floats. The tensors by name, with T channels in the trunk and P policy planes:

====================================  ============================================================================
``stem``                              3x3 convolution C -> T, normalised, rectified
``block<i>.first``, ``.second``       3x3 convolutions, normalised; the block's input is added before the last rectifier
``block<i>.pooling``                  if i + 1 is a multiple of ``pooling``: after ``first`` the last T/4 channels are
                                      rectified, reduced to mean and maximum, and by a dense layer added to the others;
                                      ``second`` sees only those others
``policy.hidden``, ``policy.output``  1x1 convolutions, the first normalised and rectified, the second with a bias: logits
                                      ``[P, H, W]``, whose flat index is the action
``value.summary``                     1x1 convolution, normalised and rectified, then mean and maximum over the board
``value.hidden``, ``value.output``    dense layers, the first rectified: logits of win, draw and loss, for the player to move
====================================  ============================================================================

A normalisation has ``scale``, ``shift``, ``mean`` and ``variance``: ``(x - mean) / sqrt(variance + 1e-5) * scale + shift``.
If ``hex``, two corners of every 3x3 kernel, (0, 0) and (2, 2), count as zero: cells of a board in axial coordinates have six
neighbours. If ``wrap``, the first column is a neighbour of the last; if ``wrap_rows`` (false where it is missing), the first row of
the last. Beyond the other edges are zeros. Tensors named ``auxiliary`` are for training only.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float32]

EPSILON = 1e-5


def read_safetensors(content: bytes) -> dict[str, Array]:
    """The tensors of a file in the format safetensors, all of 32-bit floats."""
    if len(content) < 8:
        raise ValueError("no safetensors: shorter than its header")
    size = int.from_bytes(content[:8], "little")
    if size > len(content) - 8:
        raise ValueError("no safetensors: the header is longer than the file")
    header = json.loads(content[8 : 8 + size])
    tensors = {}
    for name, facts in header.items():
        if name == "__metadata__":
            continue
        if facts["dtype"] != "F32":
            raise ValueError(f"tensor {name} is of type {facts['dtype']}, expected F32")
        begin, end = facts["data_offsets"]
        numbers = np.frombuffer(content[8 + size + begin : 8 + size + end], dtype="<f4")
        tensors[name] = numbers.reshape(facts["shape"])
    return tensors


def softmax(logits: Array) -> Array:
    """Probabilities along the last axis."""
    powers = np.exp(logits - logits.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


def _pool(x: Array) -> Array:
    """Mean and maximum over the board: ``[B, H, W, C]`` to ``[B, 2 C]``."""
    return np.concatenate([x.mean(axis=(1, 2)), x.max(axis=(1, 2))], axis=1)


class Network:
    """A network for inference: normalisations and masks are multiplied into the weights once.

    Inside, channels are last, so that a convolution is one product of matrices.
    """

    def __init__(self, architecture: Mapping[str, Any], tensors: Mapping[str, Array]) -> None:
        self.architecture = dict(architecture)
        self._tensors = dict(tensors)
        self._layers: dict[str, tuple[Array, Array]] = {}
        names = ["stem", "policy.hidden", "policy.output", "value.summary"]
        for block in range(self.architecture["blocks"]):
            names += [f"block{block}.first", f"block{block}.second"]
        for name in names:
            self._layers[name] = self._folded(name)

    def _folded(self, name: str) -> tuple[Array, Array]:
        """Weights ``[k k in, out]`` and bias ``[out]`` of a convolution."""
        weight = self._tensors[f"{name}.weight"]
        if weight.shape[2] == 3 and self.architecture["hex"]:
            weight = weight.copy()
            weight[:, :, 0, 0] = 0.0
            weight[:, :, 2, 2] = 0.0
        if f"{name}.norm.scale" in self._tensors:
            norm = {part: self._tensors[f"{name}.norm.{part}"] for part in ("scale", "shift", "mean", "variance")}
            factor = norm["scale"] / np.sqrt(norm["variance"] + np.float32(EPSILON))
            weight = weight * factor[:, None, None, None]
            bias = norm["shift"] - norm["mean"] * factor
        else:
            bias = self._tensors[f"{name}.bias"]
        outputs = weight.shape[0]
        return np.ascontiguousarray(weight.transpose(2, 3, 1, 0).reshape(-1, outputs)), bias

    def _convolution(self, name: str, x: Array) -> Array:
        """``[B, H, W, in]`` to ``[B, H, W, out]``."""
        weight, bias = self._layers[name]
        batch, height, width, channels = x.shape
        if weight.shape[0] != channels:
            columns = "wrap" if self.architecture["wrap"] else "constant"
            rows = "wrap" if self.architecture.get("wrap_rows", False) else "constant"
            x = np.pad(x, ((0, 0), (0, 0), (1, 1), (0, 0)), mode=columns)
            x = np.pad(x, ((0, 0), (1, 1), (0, 0), (0, 0)), mode=rows)
            shifted = [x[:, i : i + height, j : j + width] for i in range(3) for j in range(3)]
            x = np.concatenate(shifted, axis=3)
        return (x.reshape(batch * height * width, -1) @ weight + bias).reshape(batch, height, width, -1)

    def _dense(self, name: str, x: Array) -> Array:
        return x @ self._tensors[f"{name}.weight"].T + self._tensors[f"{name}.bias"]

    def _block(self, index: int, x: Array) -> Array:
        inner = self._convolution(f"block{index}.first", x)
        pooling = self.architecture["pooling"]
        if pooling and (index + 1) % pooling == 0:
            regular = inner.shape[3] - self.architecture["channels"] // 4
            shift = self._dense(f"block{index}.pooling", _pool(np.maximum(inner[..., regular:], 0.0)))
            inner = inner[..., :regular] + shift[:, None, None, :]
        inner = self._convolution(f"block{index}.second", np.maximum(inner, 0.0))
        return np.maximum(inner + x, 0.0)

    def forward(self, planes: Array) -> tuple[Array, Array]:
        """Policy logits ``[B, A]``, and logits of win, draw and loss for the player to move ``[B, 3]``."""
        x = np.ascontiguousarray(planes, dtype=np.float32).transpose(0, 2, 3, 1)
        x = np.maximum(self._convolution("stem", x), 0.0)
        for block in range(self.architecture["blocks"]):
            x = self._block(block, x)
        policy = self._convolution("policy.output", np.maximum(self._convolution("policy.hidden", x), 0.0))
        summary = _pool(np.maximum(self._convolution("value.summary", x), 0.0))
        value = self._dense("value.output", np.maximum(self._dense("value.hidden", summary), 0.0))
        return policy.transpose(0, 3, 1, 2).reshape(len(planes), -1), value
