"""The small template language of `shaders/nn`: WGSL with unrolled loops.

    #for i in ROWS      repeats the lines up to #end with ${i} = 0, 1, ... (ROWS: a name or a number)
    #if FLAG            keeps them if FLAG is not zero; #else
    #use FILE           inserts shaders/nn/common/FILE.wgsl
    ${NAME}             a number; ${i+N*j} is computed

Loops are unrolled because wgpu-native's loop counters and index checks (left out with `Kernel.own_indices`)
keep drivers from holding accumulators in registers. Only names are looked up, added and multiplied.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from desktop.base.resources import resource

_NAME: Final = re.compile(r"\$\{(\w+(?:[+*]\w+)*)\}")


@dataclass(frozen=True)
class _Text:
    """A line: alternating texts and names."""

    parts: tuple[str, ...]

    def text(self, numbers: Mapping[str, int]) -> str:
        """Return the line with the names, which are every other part, replaced by numbers."""
        if len(self.parts) == 1:
            return self.parts[0]
        parts = list(self.parts)
        parts[1::2] = [str(_sum(names, numbers)) for names in parts[1::2]]
        return "".join(parts)


def _sum(names: str, numbers: Mapping[str, int]) -> int:
    """Return a sum of products of names."""
    return sum(math.prod(numbers[name] for name in term.split("*")) for term in names.split("+"))


@dataclass(frozen=True)
class _Loop:
    """A repeated or, with no `variable`, a conditional block."""

    variable: str
    count: str
    body: tuple[_Text | _Loop, ...]
    otherwise: tuple[_Text | _Loop, ...] = ()


def _parse(lines: Iterator[str]) -> tuple[tuple[_Text | _Loop, ...], str]:
    """Parse items up to the end of a block; also return the word that ended it."""
    items: list[_Text | _Loop] = []
    for line in lines:
        words = line.split()
        word = words[0] if words else ""
        if word in ("#else", "#end"):
            return tuple(items), word
        if word == "#use":
            items += _parsed(f"common/{words[1]}")
        elif word in ("#for", "#if"):
            body, ended = _parse(lines)
            otherwise = _parse(lines)[0] if ended == "#else" else ()
            variable, count = (words[1], words[3]) if word == "#for" else ("", words[1])
            items.append(_Loop(variable, count, body, otherwise))
        else:
            items.append(_Text(tuple(_NAME.split(line))))
    return tuple(items), ""


@cache
def _parsed(kernel: str) -> tuple[_Text | _Loop, ...]:
    text = resource("shaders", "nn", f"{kernel}.wgsl").read_text(encoding="utf-8")
    return _parse(iter(text.splitlines()))[0]


def _expand(items: Sequence[_Text | _Loop], numbers: dict[str, int]) -> Iterator[str]:
    for item in items:
        if isinstance(item, _Text):
            yield item.text(numbers)
        elif item.variable:
            count = int(item.count) if item.count.isdigit() else numbers[item.count]
            for i in range(count):
                yield from _expand(item.body, {**numbers, item.variable: i})
        else:
            yield from _expand(item.body if numbers[item.count] else item.otherwise, numbers)


def render(kernel: str, header: str, numbers: Mapping[str, int]) -> str:
    """Return the WGSL of `shaders/nn/<kernel>.wgsl` after `header` and `numbers` as u32 constants."""
    constants = "\n".join(f"const {name} = {value}u;" for name, value in numbers.items())
    return "\n".join([header, constants, *_expand(_parsed(kernel), dict(numbers)), ""])
