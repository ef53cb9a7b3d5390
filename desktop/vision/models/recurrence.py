"""Recurrent networks: states (outputs fed back with the next image) and inputs that are constant numbers.

They are recognized by name: a state's input and output share a word (r1i, r1o; h_in, h_out; h0, hn).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from desktop.compute.nn.session import TensorInfo

_BEFORE: Final = frozenset({"in", "input", "i", "prev", "previous", "past", "old", "last", "init", "initial"})
_AFTER: Final = frozenset({"out", "output", "o", "next", "new", "present", "current", "final"})
_WORD: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_FIRST_AND_LAST: Final = {"0": re.compile(r"([hc])[_.]?0"), "n": re.compile(r"([hc])[_.]?n")}
"""PyTorch's names for the states of recurrent layers before the first and after the last step."""


@dataclass(frozen=True)
class StatePair:
    """A state: the input that receives it, and the output with the next one."""

    input: TensorInfo
    output: TensorInfo


def state_pairs(inputs: Sequence[TensorInfo], outputs: Sequence[TensorInfo]) -> tuple[StatePair, ...]:
    """Return the states of a network (a size of 0 is free); `inputs` are all but the image."""
    after: dict[str, TensorInfo] = {}
    for output in outputs:
        for word in _words(output.name, _AFTER, "n"):
            after.setdefault(word, output)
    pairs = []
    for each in inputs:
        found = next((after[word] for word in _words(each.name, _BEFORE, "0") if word in after), None)
        if found is not None and _are_alike(each, found):
            pairs.append(StatePair(each, found))
    given = {pair.output.name for pair in pairs}
    return tuple(pairs) if len(given) == len(pairs) < len(outputs) else ()


def _words(name: str, marks: frozenset[str], end: str) -> tuple[str, ...]:
    """Return a name without its mark; names of one network do not differ by a mark only by chance."""
    layer = _FIRST_AND_LAST[end].fullmatch(name)
    if layer is not None:
        return (layer[1],)
    words = [word.lower() for word in _WORD.findall(name)]
    rest = [word for word in words if word not in marks]
    return ("_".join(rest),) if rest else ()


def _are_alike(state: TensorInfo, result: TensorInfo) -> bool:
    same = state.dtype == result.dtype and len(state.shape) == len(result.shape) > 0
    return same and all(a == b or 0 in (a, b) for a, b in zip(state.shape, result.shape, strict=True))


def _ratio(size: tuple[int, int]) -> float:
    """Return Robust Video Matting's default downsampling ratio: at most 512 pixels along the longer side."""
    return min(1.0, 512 / max(size))


_CUSTOMARY: Final[Mapping[str, Callable[[tuple[int, int]], float]]] = {"downsample_ratio": _ratio}
"""Value of single numbers with these names, from the (width, height) of the input."""


def customary_inputs(others: Sequence[TensorInfo], size: tuple[int, int]) -> dict[str, np.ndarray]:
    """Return constants for inputs (`others` than the image) of one number and a known name."""
    return {
        each.name: np.full([n or 1 for n in each.shape], _CUSTOMARY[each.name](size), each.dtype)
        for each in others
        if each.name in _CUSTOMARY and each.dtype.startswith("float") and all(n in (0, 1) for n in each.shape)
    }
