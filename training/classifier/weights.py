"""Begin with an exported classifier's weights, also where the new one is wider, or has further blocks, which
begin as the identity.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import torch
from torch import Tensor, nn

from desktop.base.errors import SourceDamagedError
from training.classifier.model import Classifier
from training.common.warm import copied, exported_weights, holds, restored, settled


def trunk_layers(trunk: Classifier, weights: Mapping[str, Tensor]) -> dict[str, nn.Sequential]:
    """Return the trunk's convolutions with their normalizations, by their names in the file.

    The file's blocks are given to the trunk's in order: one by one where there are as many, else each to the
    next one of its shape.

    Raises:
        SourceDamagedError: a block of the file has no place in the trunk.
    """
    layers = {"stem": trunk.stem[0], "second": trunk.second[0], "fused": trunk.fused[0]}
    layers["fused.narrow"] = trunk.fused[2]
    count = sum(name.startswith("block") and name.endswith(".widen.weight") for name in weights)
    wider, number = count == len(trunk.blocks), 0
    for block in trunk.blocks:
        parts = {"widen": block.widen, "depthwise": block.depthwise, "narrow": block.narrow}
        names = {f"block{number}.{part}": layer for part, layer in parts.items()}
        if all(_fits(weights.get(f"{name}.weight"), layer[0], wider) for name, layer in names.items()):
            layers.update(names)
            number += 1
    if number < count:
        raise SourceDamagedError(f"'block{number}' is of another design; begin without the exported file.")
    return layers


def _fits(weight: Tensor | None, conv: nn.Module, wider: bool) -> bool:
    assert isinstance(conv, nn.Conv2d)
    if wider:
        return holds(conv.weight, weight)
    return weight is not None and weight.shape == conv.weight.shape


@torch.no_grad()
def begin(student: Classifier, path: Path, x: Tensor) -> None:
    """Set a classifier's weights from an exported one's; `x` (B, 3, H, W) in -1..1 are views to take the
    statistics of.

    Raises:
        SourceDamagedError: it is of a design that this one does not contain.
    """
    weights = exported_weights(path)
    norms = restored({**trunk_layers(student, weights), "head": student.head[0]}, weights)
    copied(student.classify.weight, weights.get("classify.weight"), "classify.weight")
    copied(student.classify.bias, weights.get("classify.bias"), "classify.bias")
    settled(student, norms, x)
