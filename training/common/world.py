"""Several processes that train one network, a GPU each.

    python -m torch.distributed.run --standalone --nproc-per-node 4 -m training.classifier.train ...

Every process draws its own views; gradients are averaged before each step (Li et al. 2020, "PyTorch
distributed"; here without buckets: the networks are so small that one reduction of all gradients takes less
time than one layer).
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass

import torch
import torch.distributed as dist
from torch import Tensor


@dataclass(frozen=True)
class World:
    """This process's place among all of them; (0, 1) where there is only one."""

    rank: int
    size: int
    device: torch.device

    @classmethod
    def joined(cls) -> World:
        """Join the processes that torch.distributed.run started, if it did, and take this one's GPU, if there
        is one.
        """
        rank, size = int(os.environ.get("RANK", 0)), int(os.environ.get("WORLD_SIZE", 1))
        if torch.cuda.is_available():
            device = torch.device("cuda", int(os.environ.get("LOCAL_RANK", 0)))
            torch.cuda.set_device(device)
        else:
            device = torch.device("cpu")
        if size > 1:
            dist.init_process_group("cpu:gloo,cuda:nccl" if device.type == "cuda" else "gloo")
        return cls(rank, size, device)

    @property
    def leads(self) -> bool:
        """True for the one process that measures, reports and saves."""
        return self.rank == 0

    def average(self, tensors: Iterable[Tensor]) -> None:
        """Replace each tensor by its mean over the processes."""
        self.total(tensors, self.size)

    @torch.no_grad()
    def total(self, tensors: Iterable[Tensor], divisor: int = 1) -> None:
        """Replace each tensor by its sum over the processes, divided by `divisor`."""
        if self.size == 1:
            return
        parts = list(tensors)
        flat = torch.cat([part.reshape(-1) for part in parts])
        dist.all_reduce(flat)
        flat /= divisor
        shares = flat.split([part.numel() for part in parts])
        torch._foreach_copy_(parts, [s.view_as(p) for s, p in zip(shares, parts, strict=True)])

    def agreed(self, value: float) -> float:
        """Return the first process's value, in all of them."""
        if self.size == 1:
            return value
        told = torch.tensor([value], dtype=torch.float64)  # on the CPU: the GPU's queue is not waited for
        dist.broadcast(told, 0)
        return float(told)

    def leave(self) -> None:
        """End what `joined` began."""
        if self.size > 1:
            dist.destroy_process_group()
