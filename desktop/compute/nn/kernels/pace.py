"""How long a workgroup's walk through the depth of a product takes, as the rules that choose tiles estimate it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from desktop.compute.nn.lowering.workgroups import ceil_div

_ENDS: Final = 2  # steps that beginning and end are worth


@dataclass(frozen=True)
class Pace:
    """Nanoseconds of an H100 for a step of a tile's depth.

    Attributes:
        alone: of a workgroup that has a multiprocessor to itself.
        among: of each workgroup that shares one, where there are enough of them to keep it busy.
    """

    alone: int
    among: int

    def microseconds(self, steps: int, groups: int, multiprocessors: int) -> float:
        """Of `groups` workgroups with `steps` each, the dispatch itself left out."""
        return (steps + _ENDS) * max(self.alone, self.among * ceil_div(groups, multiprocessors)) / 1e3
