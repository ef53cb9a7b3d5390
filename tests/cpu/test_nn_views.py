"""Views of tensors: the element that each one reads is the one that NumPy moves there."""

from __future__ import annotations

import itertools
import math

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from desktop.compute.nn.ir.views import Axis, TensorView, common_steps, row_major

SIZES = (1, 2, 3, 4, 6)


def addresses(axes: tuple[Axis, ...], first: int = 0) -> np.ndarray:
    """The element that each place of a view reads, row-major."""
    runs = [run for axis in axes for run in axis]
    steps = [step for _, step in runs]
    places = itertools.product(*(range(size) for size, _ in runs))
    return np.array([first + sum(i * s for i, s in zip(at, steps, strict=True)) for at in places])


def divided(draw, size: int) -> list[int]:
    """Two factors of `size`."""
    factor = draw(st.sampled_from([n for n in range(1, size + 1) if size % n == 0]))
    return [factor, size // factor]


def moved(draw, seen: TensorView, array: np.ndarray) -> tuple[TensorView | None, np.ndarray]:
    """One movement of both."""
    rank = array.ndim
    kind = draw(st.sampled_from(("transpose", "join", "divide", "cut", "stretch")))
    axis = draw(st.integers(0, rank - 1))
    shape = list(array.shape)
    if kind == "transpose":
        perm = draw(st.permutations(range(rank)))
        return seen.transposed(perm), array.transpose(perm)
    if kind == "join" and axis + 1 < rank:
        shape[axis : axis + 2] = [shape[axis] * shape[axis + 1]]
        return seen.reshaped(shape), array.reshape(shape)
    if kind == "divide":
        shape[axis : axis + 1] = divided(draw, shape[axis])
        return seen.reshaped(shape), array.reshape(shape)
    if kind == "cut":
        start = draw(st.integers(0, shape[axis] - 1))
        step = draw(st.integers(1, 2))
        part = array[(slice(None),) * axis + (slice(start, None, step),)]
        return seen.cut(axis, start, part.shape[axis], step), part
    if kind == "stretch" and shape[axis] == 1:
        shape[axis] = draw(st.sampled_from(SIZES))
        return seen.stretched(shape), np.broadcast_to(array, shape)
    return seen, array


@given(st.data())
@settings(max_examples=200, derandomize=True)
def test_views_read_what_numpy_moves(data):
    shape = data.draw(st.lists(st.sampled_from(SIZES), min_size=1, max_size=4))
    seen: TensorView | None = row_major("x", shape)
    array = np.arange(math.prod(shape)).reshape(shape)
    for _ in range(data.draw(st.integers(1, 6))):
        before = seen
        seen, array = moved(data.draw, seen, array)
        if seen is None:
            # Of dimensions of single runs, `divided` cuts none unevenly.
            assert any(len(axis) > 1 for axis in before.axes)
            return
        if array.size > 4096:
            return
        assert seen.shape == array.shape
        np.testing.assert_array_equal(addresses(seen.axes, seen.first), array.reshape(-1))


@given(st.data())
@settings(max_examples=200, derandomize=True)
def test_common_steps_read_the_same(data):
    """Two views of as many elements, transposed and divided at will, in dimensions that both have steps in."""
    shape = data.draw(st.lists(st.sampled_from((1, 2, 4)), min_size=2, max_size=4))
    perms = [data.draw(st.permutations(range(len(shape)))) for _ in range(2)]
    views = [row_major("x", shape).transposed(perm) for perm in perms]
    found = common_steps([view.axes for view in views])
    assert found is not None  # sizes are powers of two: no run is cut unevenly
    sizes, steps = found
    for view, own in zip(views, steps, strict=True):
        axes = tuple(((size, step),) for size, step in zip(sizes, own, strict=True))
        np.testing.assert_array_equal(addresses(axes), addresses(view.axes))


def test_runs_that_end_in_unlike_places_have_no_common_steps():
    matrix = row_major("x", (2, 3))
    assert common_steps([matrix.axes, matrix.transposed((1, 0)).axes]) is None
    assert common_steps([matrix.axes, matrix.axes]) == ((6,), [(1,), (1,)])


def test_a_run_that_would_be_cut_unevenly_is_refused():
    assert row_major("x", (4, 6)).transposed((1, 0)).reshaped((4, 6)) is None
    assert row_major("x", (4, 6)).reshaped((8, 3)) is not None
