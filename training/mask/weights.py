"""Begin with the weights of an exported network: a person mask, also one of fewer channels, or the detector,
whose trunk has the same parts.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import torch
from torch import Tensor, nn

from training.common.warm import copied, exported_weights, restored, settled
from training.mask.model import PersonMask


@torch.no_grad()
def begin(student: PersonMask, path: Path, x: Tensor) -> None:
    """Set a person mask's weights from an exported one's; `x` (B, 3, H, W) in 0..1 are views to take the
    statistics of.

    Raises:
        SourceDamagedError: it is of a design that this one does not contain.
    """
    weights = exported_weights(path)
    if "fused.weight" in weights:
        weights = trunk(weights)
    layers: dict[str, nn.Sequential] = {}
    for name, module in (("stem", student.stem), ("second", student.second)):
        layers[name] = module[0]
    blocks = [(f"third{n}", block) for n, block in enumerate(student.third)]
    blocks += [(f"fourth{n}", block) for n, block in enumerate(student.fourth)]
    blocks += [("rise3", student.rise3), ("rise2", student.rise2), ("rise1", student.rise1)]
    for name, block in blocks:
        for part, layer in block.named_children():
            if isinstance(layer, nn.Sequential):
                layers[f"{name}.{part}"] = layer
    norms = restored(layers, weights)
    value = weights.get("last.weight")
    if value is not None and student.last.bias is not None:
        student.last.weight.zero_()
        student.last.weight[: len(value)].copy_(value)
        copied(student.last.bias, weights.get("last.bias"), "last")
    settled(student, norms, x)


def trunk(weights: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Return a detector's weights down to 1/16 of the picture's size under a person mask's names."""
    names = {"stem": "stem", "second": "second", "fused": "third0.widen", "fused.narrow": "third0.narrow"}
    blocks = ("third1", "fourth0", "fourth1", "fourth2", "fourth3")
    for number, block in enumerate(blocks):
        names |= {f"block{number}.{part}": f"{block}.{part}" for part in ("widen", "depthwise", "narrow")}
    return {
        f"{name}.{kind}": weights[f"{source}.{kind}"]
        for source, name in names.items()
        for kind in ("weight", "bias")
        if f"{source}.{kind}" in weights
    }
