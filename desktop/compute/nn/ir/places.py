"""Indices of elements as formulas of the thread's number, composed through operators that move numbers.

An `Index` is a sum of multiples of digits of the thread's number. Most Reshapes only regroup digits; where
one cuts a sum unevenly, a new digit of that sum stands for the remainder, so that every chain has a formula.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property


@dataclass(frozen=True)
class Digit:
    """`whole` / `step` % `size`, rounded down; `whole` is None for the thread's number.

    Attributes:
        is_top: nothing is above this digit, so that it needs no remainder.
    """

    whole: Index | None
    step: int
    size: int
    is_top: bool

    def split(self, low: int) -> tuple[Digit, Digit] | None:
        """(the digit / low, the digit % low); None if they are no digits."""
        if self.size % low:
            return None
        upper = Digit(self.whole, self.step * low, self.size // low, self.is_top)
        return upper, Digit(self.whole, self.step, low, False)


@dataclass(frozen=True)
class Index:
    """`first` plus the sum of digits times factors; in 32-bit arithmetic, parts of it may wrap around."""

    terms: tuple[tuple[Digit, int], ...] = ()
    first: int = 0

    @cached_property
    def _hash(self) -> int:
        return hash((self.terms, self.first))

    def __hash__(self) -> int:  # of sums of sums, which are hashed again and again
        return self._hash

    @cached_property
    def depth(self) -> int:
        """How many sums are inside each other."""
        return max((digit.whole.depth + 1 for digit, _ in self.terms if digit.whole is not None), default=0)

    @property
    def least(self) -> int:
        """A lower bound."""
        return self.first + sum(min(by, 0) * (digit.size - 1) for digit, by in self.terms)

    @property
    def most(self) -> int:
        """An upper bound."""
        return self.first + sum(max(by, 0) * (digit.size - 1) for digit, by in self.terms)

    def plus(self, number: int) -> Index:
        """Increased by a number."""
        return Index(self.terms, self.first + number)

    def is_multiple_of(self, number: int) -> bool:
        """True where all parts are."""
        return self.first % number == 0 and all(by % number == 0 for _, by in self.terms)


Place = tuple[Index, ...]
"""The index along each dimension of a tensor."""


def total(parts: Iterable[tuple[Index, int]]) -> Index:
    """The sum of indices times factors."""
    factors: dict[Digit, int] = {}
    first = 0
    for index, by in parts:
        first += index.first * by
        for digit, own in index.terms:
            factors[digit] = factors.get(digit, 0) + own * by
    return Index(tuple(_joined([(d, by) for d, by in factors.items() if by and d.size > 1])), first)


def _joined(terms: list[tuple[Digit, int]]) -> list[tuple[Digit, int]]:
    """Fewer terms: neighboring digits whose factors fit are one digit."""
    found: list[tuple[Digit, int]] = []
    for digit, by in sorted(terms, key=lambda term: (abs(term[1]), term[0].step)):
        for at, (lower, own) in enumerate(found):
            if (
                lower.whole == digit.whole
                and digit.step == lower.step * lower.size
                and by == own * lower.size
                and not lower.is_top
            ):
                found[at] = (Digit(lower.whole, lower.step, lower.size * digit.size, digit.is_top), own)
                break
        else:
            found.append((digit, by))
    return found


def divided(index: Index, by: int, size: int) -> tuple[Index, Index]:
    """Quotient and remainder of an index that is in [0, size)."""
    if by >= size:
        return Index(), index
    if by == 1:
        return index, Index()
    high: list[tuple[Digit, int]] = []
    low: list[tuple[Digit, int]] = []
    for digit, factor in index.terms:
        if factor % by == 0:
            high.append((digit, factor // by))
            continue
        parts = (
            digit.split(by // factor)
            if factor > 0 and by % factor == 0 and by // factor < digit.size
            else None
        )
        if parts is None:
            low.append((digit, factor))
        else:
            high.append((parts[0], 1))
            low.append((parts[1], factor))
    rest = Index(tuple(low), index.first % by)
    if rest.least >= 0 and rest.most < by:
        return total([(Index(tuple(high), index.first // by), 1)]), total([(rest, 1)])
    # The sum is cut unevenly: digits of the sum itself.
    upper, lower = Digit(index, by, -(-size // by), True), Digit(index, 1, by, False)
    return Index(((upper, 1),)), Index(((lower, 1),))


def digits(index: Index, shape: Sequence[int]) -> Place:
    """The place in a row-major tensor of an element's number, which is in [0, size of the tensor)."""
    found: list[Index] = []
    size = math.prod(shape)
    for n in reversed(shape[1:]):
        index, rest = divided(index, n, size)
        found.append(rest)
        size //= n
    return (*([index] if shape else []), *reversed(found))


def number(place: Place, shape: Sequence[int]) -> Index:
    """The number of the element at a place in a row-major tensor."""
    steps = [math.prod(shape[i + 1 :]) for i in range(len(shape))]
    return total((index, step) for index, step, n in zip(place, steps, shape, strict=True) if n > 1)


def reshaped(place: Place, shape: Sequence[int], source: Sequence[int]) -> Place:
    """The place in a tensor of shape `source` of what is at `place` after its Reshape to `shape`.

    Runs of dimensions that hold the same elements are treated on their own: what is known of an index stays.
    """
    found: list[Index] = []
    at, end = 0, 0
    for size in _runs(shape, source):
        begin, own, stop = at, 1, end
        while at < len(shape) and (own < size or shape[at] == 1):
            own *= shape[at]
            at += 1
        other = 1
        while end < len(source) and (other < size or source[end] == 1):
            other *= source[end]
            end += 1
        inner, dims = source[stop:end], [axis for axis in range(begin, at) if shape[axis] > 1]
        if len(dims) == 1 == sum(n > 1 for n in inner):
            found += [place[dims[0]] if n > 1 else Index() for n in inner]
        else:
            found += digits(number(place[begin:at], shape[begin:at]), inner)
    found += [Index()] * (len(source) - end)
    return tuple(found)


def _runs(shape: Sequence[int], source: Sequence[int]) -> list[int]:
    """The sizes of the runs of dimensions of both that hold the same elements."""
    ends = [
        {math.prod(each[: axis + 1]) for axis in range(len(each))} | {1}
        for each in (tuple(shape), tuple(source))
    ]
    common = sorted(ends[0] & ends[1])
    return [after // before for before, after in itertools.pairwise(common)]


@dataclass(frozen=True)
class Read:
    """The element at a place of a node's input."""

    input: int
    place: Place


@dataclass(frozen=True)
class Filled:
    """A number that is in no input."""

    value: float


@dataclass(frozen=True)
class Test:
    """True where `index`, as an unsigned number, is less than `size`."""

    index: Index
    size: int

    @property
    def known(self) -> bool | None:
        """The result where it is the same for every thread."""
        if self.index.least >= 0 and self.index.most < self.size:
            return True
        return False if self.index.least >= self.size or self.index.most < 0 else None


@dataclass(frozen=True)
class Chosen:
    """`then` where all tests are true, else `otherwise`."""

    tests: tuple[Test, ...]
    then: Source
    otherwise: Source


Source = Read | Filled | Chosen
"""Origin of an element of a result: an input, a constant, or one of two by a test of its index."""
