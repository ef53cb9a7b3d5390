"""Begin with an exported detector's weights, also where the new one has more channels."""

from __future__ import annotations

from pathlib import Path

import torch
from torch import Tensor, nn

from training.classifier.weights import trunk_layers
from training.common.warm import copied, exported_weights, holds, restored, settled
from training.detector.model import KINDS, STRIDES, Detector


@torch.no_grad()
def begin(student: Detector, path: Path, x: Tensor) -> None:
    """Set a detector's weights from an exported network's, those of its trunk from an exported classifier's;
    `x` (B, 3, H, W) in -1..1 are views to take the statistics of.

    Raises:
        SourceDamagedError: it is of a design that this one does not contain.
    """
    weights = exported_weights(path)
    layers: dict[str, nn.Sequential] = trunk_layers(student.trunk, weights)
    for name, module in (
        ("widest", student.widest),
        ("rise2", student.rise2),
        ("rise1", student.rise1),
        *((f"head{stride}", head) for stride, head in zip(STRIDES, student.heads, strict=True)),
    ):
        for part, layer in module.named_children():
            if isinstance(layer, nn.Sequential) and holds(
                layer[0].weight, weights.get(f"{name}.{part}.weight")
            ):
                layers[f"{name}.{part}"] = layer
    norms = restored(layers, weights)
    gap = 4 * len(KINDS) + 1  # the column that export adds
    for stride, head in zip(STRIDES, student.heads, strict=True):
        for target, part in ((head.last.weight, "weight"), (head.last.bias, "bias")):
            value = weights.get(f"head{stride}.{part}")
            if value is not None:
                copied(target, torch.cat([value[:gap], value[gap + 1 :]]), f"head{stride}.{part}")
    settled(student, norms, x)
