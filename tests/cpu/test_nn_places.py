"""Places of elements: the formula for each element of a result names the element that NumPy puts there."""

from __future__ import annotations

import math

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from desktop.compute.nn.ir.places import Digit, Index, digits, number, reshaped, total
from desktop.compute.nn.ir.places import Test as Condition

SIZES = (1, 2, 3, 4, 6, 7)


def evaluated(index: Index, at: np.ndarray) -> np.ndarray:
    """The index for each thread's number."""
    found = np.full(at.shape, index.first)
    for digit, by in index.terms:
        whole = at if digit.whole is None else evaluated(digit.whole, at)
        part = whole // digit.step
        found = found + by * (part if digit.is_top else part % digit.size)
    return found


def threads(count: int, by: int = 1) -> Index:
    """The thread's number, times the elements of a thread."""
    return Index(((Digit(None, 1, count, is_top=True), by),))


def factors(draw, size: int) -> list[int]:
    """A shape of `size` elements."""
    found = []
    while size > 1 and len(found) < 5:
        found.append(draw(st.sampled_from([n for n in range(1, size + 1) if size % n == 0])))
        size //= found[-1]
    return [*found, size]


@settings(max_examples=300, derandomize=True)
@given(st.data())
def test_each_element_is_found_through_a_chain(data):
    draw = data.draw
    shape = draw(st.lists(st.sampled_from(SIZES), min_size=1, max_size=4))
    steps = []  # from the source on, with the shape before each
    array = np.arange(math.prod(shape)).reshape(shape)
    for _ in range(draw(st.integers(1, 6))):
        before, rank = array.shape, array.ndim
        kind = draw(st.sampled_from(("transpose", "reshape", "cut")))
        if kind == "transpose":
            order = draw(st.permutations(range(rank)))
            array = array.transpose(order)
            steps.append((before, lambda p, b, s, o=order: tuple(p[o.index(i)] for i in range(len(o)))))
        elif kind == "reshape":
            array = array.reshape(factors(draw, array.size))
            steps.append((before, lambda p, b, s: reshaped(p, s, b)))
        else:
            axis = draw(st.integers(0, rank - 1))
            first, step = draw(st.integers(0, before[axis] - 1)), draw(st.sampled_from((1, 2, -1)))
            array = array[(*[slice(None)] * axis, slice(first, None, step))]
            steps.append(
                (
                    before,
                    lambda p, b, s, a=axis, f=first, t=step: (
                        *p[:a],
                        total([(p[a], t)]).plus(f),
                        *p[a + 1 :],
                    ),
                )
            )
    width = 4 if array.size % 4 == 0 else 1
    at = np.arange(array.size // width)
    shapes = [*(before for before, _ in steps[1:]), array.shape]
    for component in range(width):
        place = digits(threads(at.size, width).plus(component), array.shape)
        for (before, back), after in zip(reversed(steps), reversed(shapes), strict=True):
            place = back(place, before, after)
        found = evaluated(number(place, shape), at)
        assert (found == array.reshape(-1)[component::width]).all()
        assert all((evaluated(i, at) >= i.least).all() for i in place)
        assert all((evaluated(i, at) <= i.most).all() for i in place)


def test_the_result_of_a_condition_that_is_the_same_everywhere():
    index = digits(threads(24), (4, 6))[1]
    assert Condition(index, 6).known is True
    assert Condition(index.plus(6), 6).known is False
    assert Condition(index.plus(-6), 6).known is False
    assert Condition(index, 5).known is None
    assert Condition(index.plus(-1), 6).known is None


def test_a_reshape_of_what_is_cut_at_its_dimensions_needs_no_division():
    place = digits(threads(4 * 5 * 6), (4, 5, 6))
    assert number(reshaped(place, (4, 5, 6), (2, 2, 30)), (2, 2, 30)) == threads(4 * 5 * 6)
