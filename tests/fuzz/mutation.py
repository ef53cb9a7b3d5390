"""The general mutator: bytes, words and numbers of any format, repetition, pieces of other inputs.
Deterministic by its `Random`.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Sequence
from random import Random

_INTEGERS = (
    0,
    1,
    2,
    3,
    7,
    8,
    16,
    255,
    256,
    4095,
    14000,
    16384,
    32767,
    32768,
    65535,
    65536,
    2**24,
    2**31 - 1,
    2**31,
    2**32 - 1,
    -1,
    -2,
)
_NUMBERS = (
    b"0",
    b"-1",
    b"1",
    b"2",
    b"3",
    b"0.5",
    b"1e-320",
    b"1e308",
    b"-1e308",
    b"1e999",
    b"inf",
    b"-inf",
    b"nan",
    b"65",
    b"129",
    b"130",
    b"65536",
    b"4294967296",
    b"9223372036854775808",
    b"1" * 400,
    b"9" * 5000,
    b"0x" + b"f" * 5000,
    b"1_0",
    b"0x7f",
    b"1e",
    b"--1",
    b"",
)
_CONTROLS = (
    b"\0",
    b"\x1b[31m",
    b"\x1b]0;x\x07",
    b"\r",
    b"\n",
    b"\x7f",
    b"\xc2\x9b",
    b"\xe2\x80\xae",
    b"\xff\xfe\x80",
    b"\xed\xb0\x80",
    b"\xef\xbb\xbf",
)
_NUMBER = re.compile(rb"-?\d+(?:\.\d+)?")


def mutated(
    data: bytes, random: Random, tokens: Sequence[bytes], others: Sequence[bytes], largest: int
) -> bytes:
    """Return a changed input, of `largest` bytes at most."""
    for _ in range(1 << random.randrange(4)):
        data = random.choice(_STEPS)(data, random, tokens, others, largest)
    return data[:largest]


def _place(data: bytes, random: Random) -> int:
    # Headers decide most: a third of the changes are made in the first 64 bytes.
    return random.randrange(min(len(data), 64) + 1 if random.random() < 0.33 else len(data) + 1)


def _piece(data: bytes, random: Random) -> tuple[int, int]:
    start = _place(data, random)
    return start, min(len(data), start + (1 << random.randrange(12)))


def _flip(data, random, tokens, others, largest):
    if not data:
        return data
    at = min(_place(data, random), len(data) - 1)
    return data[:at] + bytes((data[at] ^ 1 << random.randrange(8),)) + data[at + 1 :]


def _byte(data, random, tokens, others, largest):
    at = _place(data, random)
    return (
        data[:at] + bytes((random.choice((0, 1, 0x7F, 0x80, 0xFF, random.randrange(256))),)) + data[at + 1 :]
    )


def _integer(data, random, tokens, others, largest):
    at, layout = _place(data, random), random.choice(("<H", ">H", "<I", ">I", "<Q", ">Q"))
    size = struct.calcsize(layout)
    value = random.choice(_INTEGERS) & (1 << 8 * size) - 1
    return data[:at] + struct.pack(layout, value) + data[at + size :]


def _delete(data, random, tokens, others, largest):
    start, stop = _piece(data, random)
    return data[:start] + data[stop:]


def _copy(data, random, tokens, others, largest):
    start, stop = _piece(data, random)
    at = _place(data, random)
    return data[:at] + data[start:stop] + data[at:]


def _repeat(data, random, tokens, others, largest):
    """A word or a short piece again and again, up to the largest input: what is quadratic or nested shows."""
    if tokens and random.random() < 0.7:
        piece = random.choice(tokens)
        if random.random() < 0.3:
            piece += random.choice(tokens)
    else:
        start = _place(data, random)
        piece = data[start : start + random.randrange(1, 24)]
    count = min(1 << random.randrange(1, 18), largest // max(1, len(piece)))
    lines = [0, *(match.end() for match in re.finditer(rb"\n", data[:4096]))]
    at = random.choice(lines) if random.random() < 0.5 else _place(data, random)
    return data[:at] + piece * count + data[at:]


def _token(data, random, tokens, others, largest):
    at = _place(data, random)
    word = random.choice((*tokens, *_CONTROLS) if tokens else _CONTROLS)
    over = len(word) if random.random() < 0.5 else 0
    return data[:at] + word + data[at + over :]


def _number(data, random, tokens, others, largest):
    found = list(_NUMBER.finditer(data[:65536]))
    if not found:
        return _integer(data, random, tokens, others, largest)
    match = random.choice(found)
    return data[: match.start()] + random.choice(_NUMBERS) + data[match.end() :]


def _numbers(data, random, tokens, others, largest):
    """All numbers of a line."""
    lines = data.split(b"\n")
    at = random.randrange(len(lines))
    value = random.choice(_NUMBERS)
    lines[at] = _NUMBER.sub(lambda _: value, lines[at])
    return b"\n".join(lines)


def _line(data, random, tokens, others, largest):
    """A line elsewhere, twice or gone."""
    lines = data.split(b"\n")
    line = lines.pop(random.randrange(len(lines)))
    for _ in range(random.randrange(3)):
        lines.insert(random.randrange(len(lines) + 1), line)
    return b"\n".join(lines)


def _splice(data, random, tokens, others, largest):
    other = random.choice(others)
    start, stop = _piece(other, random)
    at, end = _piece(data, random)
    return data[:at] + other[start:stop] + data[end:]


def _cut(data, random, tokens, others, largest):
    return data[: _place(data, random)]


_STEPS = (
    _flip,
    _flip,
    _byte,
    _byte,
    _integer,
    _integer,
    _delete,
    _copy,
    _repeat,
    _token,
    _token,
    _number,
    _number,
    _numbers,
    _line,
    _splice,
    _cut,
)
