"""Estimate the time of a workgroup's loop over the depth of a product, for the rules that choose tiles."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from desktop.compute.nn.lowering.workgroups import ceil_div

_ENDS: Final = 2  # steps that start and end are worth


@dataclass(frozen=True)
class Pace:
    """Nanoseconds of a step of a tile's depth on an H100.

    `alone`: for a workgroup on a multiprocessor of its own; `among`: for each of enough to keep one busy.
    """

    alone: int
    among: int

    def microseconds(self, steps: int, groups: int, multiprocessors: int) -> float:
        """Estimate `groups` workgroups of `steps` steps each, without the cost of the dispatch."""
        return (steps + _ENDS) * max(self.alone, self.among * ceil_div(groups, multiprocessors)) / 1e3
