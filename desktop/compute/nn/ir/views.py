"""Views of tensors in other tensors' memory: a first element, and steps along each dimension.

Unlike NumPy's, a dimension may be several runs of elements, as after a Reshape that joins dimensions.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

Run = tuple[int, int]
"""Elements at equal distances: how many, and the step from one to the next."""

Axis = tuple[Run, ...]
"""A dimension: runs of more than one element, the outermost first; none for a dimension of size 1."""


def _joined(runs: Iterable[Run]) -> list[Run]:
    """Fewer runs of the same elements in the same order."""
    found: list[Run] = []
    for size, step in runs:
        if found and found[-1][1] == size * step:
            found[-1] = (found[-1][0] * size, step)
        else:
            found.append((size, step))
    return found


@dataclass(frozen=True)
class TensorView:
    """A view, with dimensions `axes`, of the row-major elements of tensor `source`; no dimension is empty.

    `first` is the first element in the source, `factor` the product of the numbers it was multiplied by.
    """

    source: str
    axes: tuple[Axis, ...]
    first: int = 0
    factor: float = 1.0

    @property
    def shape(self) -> tuple[int, ...]:
        """Of the view."""
        return tuple(math.prod(size for size, _ in axis) for axis in self.axes)

    @property
    def is_of_matrices(self) -> bool:
        """True if it has one step along the rows, and one along the columns, of its last two dimensions."""
        return all(len(axis) <= 1 for axis in self.axes[-2:])

    def transposed(self, perm: Sequence[int]) -> TensorView:
        """With dimension i the present perm[i]."""
        return replace(self, axes=tuple(self.axes[i] for i in perm))

    def flipped(self) -> TensorView:
        """With the last two dimensions exchanged."""
        return replace(self, axes=(*self.axes[:-2], self.axes[-1], self.axes[-2]))

    def reshaped(self, shape: Sequence[int]) -> TensorView | None:
        """With another shape of as many elements; None where a run would have to be cut unevenly."""
        runs = _joined(run for axis in self.axes for run in axis)[::-1]
        axes: list[Axis] = []
        for missing in shape:
            axis: list[Run] = []
            while missing > 1:
                size, step = runs.pop()
                taken = math.gcd(size, missing)
                if taken != min(size, missing):
                    return None
                if taken < size:
                    runs.append((size // taken, step))
                axis.append((taken, step * (size // taken)))
                missing //= taken
            axes.append(tuple(axis))
        return replace(self, axes=tuple(axes))

    def stretched(self, shape: Sequence[int]) -> TensorView:
        """Broadcast to `shape`."""
        own = ((),) * (len(shape) - len(self.axes)) + self.axes
        return replace(
            self, axes=tuple(axis or (((n, 0),) if n > 1 else ()) for axis, n in zip(own, shape, strict=True))
        )

    def cut(self, axis: int, start: int, size: int, step: int = 1) -> TensorView | None:
        """`size` elements of a dimension; None where it is several runs."""
        if len(self.axes[axis]) > 1:
            return None
        stride = self.axes[axis][0][1] if self.axes[axis] else 0
        run = ((size, stride * step),) if size > 1 else ()
        return replace(
            self, axes=(*self.axes[:axis], run, *self.axes[axis + 1 :]), first=self.first + start * stride
        )


def row_major(source: str, shape: Sequence[int]) -> TensorView:
    """A tensor as it lies."""
    steps = [math.prod(shape[i + 1 :]) for i in range(len(shape))]
    axes = tuple(((n, step),) if n > 1 else () for n, step in zip(shape, steps, strict=True))
    return TensorView(source, axes)


def common_steps(batches: Sequence[Sequence[Axis]]) -> tuple[tuple[int, ...], list[tuple[int, ...]]] | None:
    """The fewest dimensions in which batches have one step each: sizes and steps; None if impossible."""
    waiting = [[run for axis in batch for run in axis] for batch in batches]
    found: list[tuple[int, tuple[int, ...]]] = []  # innermost first
    while any(waiting):
        size = min(runs[-1][0] for runs in waiting)
        steps = tuple(runs[-1][1] for runs in waiting)
        for runs in waiting:
            whole, step = runs.pop()
            if whole % size:
                return None
            if whole > size:
                runs.append((whole // size, step * size))
        if found and all(
            outer == inner * found[-1][0] for outer, inner in zip(steps, found[-1][1], strict=True)
        ):
            found[-1] = (found[-1][0] * size, found[-1][1])
        else:
            found.append((size, steps))
    found.reverse()
    return tuple(size for size, _ in found), [
        tuple(steps[i] for _, steps in found) for i in range(len(batches))
    ]
