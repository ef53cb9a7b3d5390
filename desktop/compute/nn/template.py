"""The small template language of `shaders/nn`: WGSL with unrolled loops.

    #for i in ROWS      repeats the lines up to #end with ${i} = 0, 1, ... (ROWS: a name or a number)
    #if FLAG            keeps them where FLAG is not zero; #else
    ${NAME}             a number

Inner loops are unrolled in the text because wgpu-native adds a counter to every WGSL loop and bounds checks to every indexed
array (we keep both: models are untrusted), which keeps drivers from holding the accumulators in registers.
Only names are looked up; nothing is evaluated.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from string import Template

from desktop.resources import resource


@cache
def _lines(kernel: str) -> tuple[str, ...]:
    return tuple(resource("shaders", "nn", f"{kernel}.wgsl").read_text(encoding="utf-8").splitlines())


def _block_end(lines: tuple[str, ...], start: int) -> tuple[int, int]:
    """Index of the `#else` (or of `#end` where there is none) and of the `#end` that close the block opened at `start`."""
    depth, middle = 0, -1
    for index in range(start, len(lines)):
        word = lines[index].strip().split(" ")[0]
        if word in ("#for", "#if"):
            depth += 1
        elif word == "#else" and depth == 1:
            middle = index
        elif word == "#end":
            depth -= 1
            if depth == 0:
                return (middle if middle >= 0 else index), index
    raise ValueError(f"no #end for line {start + 1}")


def _expand(lines: tuple[str, ...], numbers: Mapping[str, int]) -> Iterator[str]:
    index = 0
    while index < len(lines):
        words = lines[index].split()
        if words and words[0] in ("#for", "#if"):
            middle, end = _block_end(lines, index)
            if words[0] == "#for":
                count = int(words[3]) if words[3].isdigit() else numbers[words[3]]
                for i in range(count):
                    yield from _expand(lines[index + 1 : end], {**numbers, words[1]: i})
            elif numbers[words[1]]:
                yield from _expand(lines[index + 1 : middle], numbers)
            else:
                yield from _expand(lines[middle + 1 : end], numbers)
            index = end + 1
        else:
            line = lines[index]
            yield Template(line).substitute(numbers) if "$" in line else line
            index += 1


def render(kernel: str, header: str, numbers: Mapping[str, int]) -> str:
    """WGSL of `shaders/nn/<kernel>.wgsl`: `header`, then `numbers` as u32 constants, then the expanded file."""
    constants = "\n".join(f"const {name} = {value}u;" for name, value in numbers.items())
    return "\n".join([header, constants, *_expand(_lines(kernel), numbers), ""])
