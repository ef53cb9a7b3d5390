"""Begin a training with the weights of an exported network, whose batch normalization is folded.

Each normalization is set anew so that it changes nothing: its statistics are those of its convolution's output on the pictures given
here, and its weight and bias undo them. So a training goes on from a file in assets/models where the checkpoint is gone.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import onnx
import torch
from onnx import numpy_helper
from torch import Tensor, nn

from desktop.errors import SourceDamagedError


def exported_weights(path: Path) -> dict[str, Tensor]:
    """Return the constants of an ONNX file by name, in float32."""
    constants = onnx.load(str(path)).graph.initializer
    return {item.name: torch.from_numpy(numpy_helper.to_array(item).copy()).float() for item in constants}


def copied(target: Tensor, value: Tensor | None, name: str) -> None:
    """Copy one weight.

    Raises:
        SourceDamagedError: there is none, or it has another shape.
    """
    if value is None or target.shape != value.shape:
        raise SourceDamagedError(
            f"The weight '{name}' is of another design; begin without the exported file."
        )
    target.data.copy_(value)


@torch.no_grad()
def restored(layers: Mapping[str, nn.Sequential], weights: Mapping[str, Tensor]) -> list[nn.BatchNorm2d]:
    """Set convolutions followed by a normalization from folded weights, `<name>.weight` and `<name>.bias`; return the normalizations.

    `layers`: (convolution, normalization) by their name in the file; one that the file lacks keeps what it has. The normalizations' biases
    hold the convolutions' until `settled`.
    """
    found = []
    for name, layer in layers.items():
        if f"{name}.weight" not in weights:
            continue
        conv, norm = layer[0], layer[1]
        assert isinstance(conv, nn.Conv2d) and isinstance(norm, nn.BatchNorm2d)
        copied(conv.weight, weights[f"{name}.weight"], name)
        copied(norm.bias, weights[f"{name}.bias"], name)
        found.append(norm)
    return found


@torch.no_grad()
def settled(network: nn.Module, norms: list[nn.BatchNorm2d], x: Tensor) -> None:
    """Give the normalizations that `restored` returned the statistics of `x`, one after the other as the network comes by them."""

    def settle(norm: nn.Module, inputs: tuple[Tensor, ...]) -> None:
        assert (
            isinstance(norm, nn.BatchNorm2d)
            and norm.running_mean is not None
            and norm.running_var is not None
        )
        variance, mean = torch.var_mean(inputs[0].float(), dim=(0, 2, 3))
        norm.running_mean.copy_(mean)
        norm.running_var.copy_(variance.clamp(min=1e-8))
        norm.weight.copy_((norm.running_var + norm.eps).sqrt())
        norm.bias.add_(mean)

    hooks = [norm.register_forward_pre_hook(settle) for norm in norms]
    training = network.training
    network.eval()(x)
    network.train(training)
    for hook in hooks:
        hook.remove()
