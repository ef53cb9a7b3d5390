"""Begin a training with the weights of an exported network, whose batch normalization is folded.

Each normalization is set anew so that it changes nothing: its statistics are those of its convolution's
output on the pictures given here, and its weight and bias undo them. So a training goes on from a file in
assets/models where the checkpoint is gone.

A layer may have more channels than the file's. The function stays the file's (Chen et al. 2016, "Net2Net",
without their copies of channels: nothing would tell two copies apart): the file's weights are a corner of the
new ones, and the weights from a channel that the file does not have to one that it has are 0. What only new
channels see stays random, so that they have something to learn from.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import onnx
import torch
from onnx import numpy_helper
from torch import Tensor, nn

from desktop.base.errors import SourceDamagedError


def exported_weights(path: Path) -> dict[str, Tensor]:
    """Return the constants of an ONNX file by name, in float32."""
    constants = onnx.load(str(path)).graph.initializer
    return {item.name: torch.from_numpy(numpy_helper.to_array(item).copy()).float() for item in constants}


def holds(target: Tensor, value: Tensor | None) -> bool:
    """Tell whether a weight (outputs, inputs, ...) or bias (outputs) has room for one with as many channels
    or fewer.
    """
    return (
        value is not None
        and target.dim() == value.dim()
        and target.shape[2:] == value.shape[2:]
        and all(a >= b for a, b in zip(target.shape, value.shape, strict=True))
    )


@torch.no_grad()
def copied(target: Tensor, value: Tensor | None, name: str) -> None:
    """Copy one weight into the first channels of `target`; the file's outputs get nothing from inputs that
    the file does not have.

    Raises:
        SourceDamagedError: there is none, it has more channels, or another kernel.
    """
    if value is None or not holds(target, value):
        raise SourceDamagedError(
            f"The weight '{name}' is of another design; begin without the exported file."
        )
    if value.dim() == 1:
        target[: len(value)].copy_(value)
        return
    outputs, inputs = value.shape[:2]
    target[:outputs, :inputs].copy_(value)
    target[:outputs, inputs:] = 0


@dataclass(frozen=True)
class Restored:
    """A normalization whose first `channels` are the file's."""

    norm: nn.BatchNorm2d
    channels: int


@torch.no_grad()
def restored(layers: Mapping[str, nn.Sequential], weights: Mapping[str, Tensor]) -> list[Restored]:
    """Set convolutions followed by a normalization from folded weights, `<name>.weight` and `<name>.bias`;
    return the normalizations.

    `layers`: (convolution, normalization) by their name in the file; one that the file lacks keeps what it
    has. The normalizations' biases hold the convolutions' until `settled`.

    Raises:
        SourceDamagedError: a layer has fewer channels than the file's, or another kernel.
    """
    found = []
    for name, layer in layers.items():
        if f"{name}.weight" not in weights:
            continue
        conv, norm = layer[0], layer[1]
        assert isinstance(conv, nn.Conv2d) and isinstance(norm, nn.BatchNorm2d)
        copied(conv.weight, weights[f"{name}.weight"], name)
        copied(norm.bias, weights.get(f"{name}.bias"), name)
        found.append(Restored(norm, len(weights[f"{name}.weight"])))
    return found


@torch.no_grad()
def settled(network: nn.Module, norms: list[Restored], x: Tensor) -> None:
    """Give the normalizations that `restored` returned the statistics of `x`, one after the other as the
    network comes by them.

    Those of the file's channels change nothing then; the others do what a normalization does.
    """
    channels = {id(item.norm): item.channels for item in norms}

    def settle(norm: nn.Module, inputs: tuple[Tensor, ...]) -> None:
        assert (
            isinstance(norm, nn.BatchNorm2d)
            and norm.running_mean is not None
            and norm.running_var is not None
        )
        variance, mean = torch.var_mean(inputs[0].float(), dim=(0, 2, 3))
        norm.running_mean.copy_(mean)
        norm.running_var.copy_(variance.clamp(min=1e-8))
        old = slice(channels[id(norm)])
        norm.weight[old] = (norm.running_var[old] + norm.eps).sqrt()
        norm.bias[old] += mean[old]

    hooks = [item.norm.register_forward_pre_hook(settle) for item in norms]
    training = network.training
    network.eval()(x)
    network.train(training)
    for hook in hooks:
        hook.remove()
