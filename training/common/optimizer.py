"""Muon for matrices, AdamW for the rest, in one optimizer.

Muon (Jordan et al. 2024) replaces a momentum matrix by its nearest orthogonal one, found by five
Newton-Schulz steps; a 1x1 convolution is such a matrix. The update is scaled to the size of an AdamW update,
0.2 sqrt(max(rows, columns)), so that one learning rate serves both (Liu et al. 2025, "Muon is scalable for
LLM training"). AdamW: Loshchilov and Hutter 2019.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import torch
from torch import Tensor

from training.common.world import World

_QUINTIC = (3.4445, -4.7750, 2.0315)


def orthogonal(matrix: Tensor, steps: int = 5) -> Tensor:
    """Return an approximation (singular values 0.7 to 1.2) of the nearest (semi-)orthogonal matrix, in the
    input's dtype.

    The product runs in bf16 on a GPU, which the iteration tolerates by construction.
    """
    a, b, c = _QUINTIC
    wide = matrix.shape[0] <= matrix.shape[1]
    x = matrix if wide else matrix.mT
    x = x.to(torch.bfloat16) if matrix.is_cuda else x
    x = x / (x.norm() + 1e-7)
    for _ in range(steps):
        gram = x @ x.mT
        x = a * x + (b * gram + c * gram @ gram) @ x
    return (x if wide else x.mT).to(matrix.dtype)


class MatrixOptimizer(torch.optim.Optimizer):
    """Muon on parameters of two or more axes whose first two exceed 8 (dense weights), AdamW on depthwise
    weights, biases and scales.

    Weight decay is decoupled and spares parameters of one axis.

    Args:
        parameters: what to train.
        lr: the peak rate; set `group['lr']` to change it.
        muon: False for AdamW alone.
        world: processes with equal gradients, among which Muon's matrices are dealt: their products are so
            small that a GPU waits for one after the other, and together they would take a tenth of a step.
    """

    def __init__(
        self,
        parameters: Iterable[Tensor],
        lr: float,
        weight_decay: float = 0.02,
        momentum: float = 0.95,
        betas: tuple[float, float] = (0.9, 0.99),
        muon: bool = True,
        world: World | None = None,
    ) -> None:
        self.world = world
        everything = list(parameters)
        dense = [p for p in everything if muon and p.dim() > 1 and min(p.shape[:2]) > 8]
        kept = {id(p) for p in dense}
        other = [p for p in everything if id(p) not in kept]
        common: dict[str, Any] = {"lr": lr, "momentum": momentum, "betas": betas}
        groups = [
            {"params": dense, "muon": True, "weight_decay": weight_decay},
            {"params": [p for p in other if p.dim() > 1], "muon": False, "weight_decay": weight_decay},
            {"params": [p for p in other if p.dim() <= 1], "muon": False, "weight_decay": 0.0},
        ]
        super().__init__([{**common, **group} for group in groups if group["params"]], common)

    @torch.no_grad()
    def step(self, closure: Callable[[], float] | None = None) -> None:
        """Change every parameter that has a gradient; `closure` is not used."""
        for group in self.param_groups:
            parameters = [p for p in group["params"] if p.grad is not None]
            if not parameters:
                continue
            torch._foreach_mul_(parameters, 1 - group["lr"] * group["weight_decay"])
            if group["muon"]:
                self._muon(parameters, group)
            else:
                self._adamw(parameters, group)

    def _muon(self, parameters: list[Tensor], group: dict[str, Any]) -> None:
        moments = [self._state(p, "moment") for p in parameters]
        gradients = [p.grad for p in parameters]
        torch._foreach_lerp_(moments, gradients, 1 - group["momentum"])
        ahead = torch._foreach_lerp(gradients, moments, group["momentum"])  # Nesterov's form
        for parameter, update in zip(parameters, self._orthogonal(ahead), strict=True):
            scale = 0.2 * max(len(update), update[0].numel()) ** 0.5
            parameter.add_(update, alpha=-group["lr"] * scale)

    def _orthogonal(self, moments: list[Tensor]) -> list[Tensor]:
        """Return the orthogonal factor of each moment, reshaped to a matrix, in the moment's shape; this
        process works on its share.
        """
        rank, size = (self.world.rank, self.world.size) if self.world else (0, 1)
        # Each process gets large ones and small ones.
        order = sorted(range(len(moments)), key=lambda i: moments[i].numel())
        mine = set(order[rank::size])
        updates = [
            orthogonal(m.reshape(len(m), -1)).view_as(m) if i in mine else torch.zeros_like(m)
            for i, m in enumerate(moments)
        ]
        if self.world and size > 1:
            self.world.total(updates)
        return updates

    def _adamw(self, parameters: list[Tensor], group: dict[str, Any]) -> None:
        first, second = group["betas"]
        gradients = [p.grad for p in parameters]
        means = [self._state(p, "moment") for p in parameters]
        squares = [self._state(p, "square") for p in parameters]
        group["step"] = group.get("step", 0) + 1
        torch._foreach_lerp_(means, gradients, 1 - first)
        torch._foreach_mul_(squares, second)
        torch._foreach_addcmul_(squares, gradients, gradients, 1 - second)
        scales = torch._foreach_div(squares, 1 - second ** group["step"])
        torch._foreach_sqrt_(scales)
        torch._foreach_add_(scales, 1e-8)
        torch._foreach_addcdiv_(parameters, means, scales, -group["lr"] / (1 - first ** group["step"]))

    def _state(self, parameter: Tensor, name: str) -> Tensor:
        state = self.state[parameter]
        if name not in state:
            state[name] = torch.zeros_like(parameter)
        return state[name]
