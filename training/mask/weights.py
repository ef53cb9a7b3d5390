"""Begin with an exported person mask's weights, also where the new one has more channels."""

from __future__ import annotations

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
