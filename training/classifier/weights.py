"""Begin with an exported classifier's weights, also where the new one has further blocks: those begin as the identity."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import torch
from torch import Tensor, nn

from training.classifier.model import Classifier
from training.common.warm import copied, exported_weights, restored, settled


def trunk_layers(trunk: Classifier, weights: Mapping[str, Tensor]) -> dict[str, nn.Sequential]:
    """Return the trunk's convolutions with their normalizations, by their names in the file.

    The file's blocks are given to the trunk's in order, each to the next one of its shape.
    """
    layers = {"stem": trunk.stem[0], "second": trunk.second[0], "fused": trunk.fused[0]}
    layers["fused.narrow"] = trunk.fused[2]
    number = 0
    for block in trunk.blocks:
        parts = {"widen": block.widen, "depthwise": block.depthwise, "narrow": block.narrow}
        names = {f"block{number}.{part}": layer for part, layer in parts.items()}
        if all(_fits(weights.get(f"{name}.weight"), layer) for name, layer in names.items()):
            layers.update(names)
            number += 1
    return layers


def _fits(weight: Tensor | None, layer: nn.Sequential) -> bool:
    conv = layer[0]
    return weight is not None and isinstance(conv, nn.Conv2d) and weight.shape == conv.weight.shape


@torch.no_grad()
def begin(student: Classifier, path: Path, x: Tensor) -> None:
    """Set a classifier's weights from an exported one's; `x` (B, 3, H, W) in -1..1 are views to take the statistics of.

    Raises:
        SourceDamagedError: it is of another design.
    """
    weights = exported_weights(path)
    norms = restored({**trunk_layers(student, weights), "head": student.head[0]}, weights)
    copied(student.classify.weight, weights.get("classify.weight"), "classify.weight")
    copied(student.classify.bias, weights.get("classify.bias"), "classify.bias")
    settled(student, norms, x)
