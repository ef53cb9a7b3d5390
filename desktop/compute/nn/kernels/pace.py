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
    `at_once`: workgroups that run on a multiprocessor at the same time; a partly filled last round takes as long as
    a full one.
    """

    alone: int
    among: int
    at_once: int = 1

    def microseconds(self, steps: int, groups: int, multiprocessors: int) -> float:
        """Estimate `groups` workgroups of `steps` steps each, without the cost of the dispatch."""
        rounds = ceil_div(groups, multiprocessors * self.at_once)
        among = self.among * (1 if groups <= multiprocessors else rounds * self.at_once)
        return (steps + _ENDS) * max(self.alone, among) / 1e3
