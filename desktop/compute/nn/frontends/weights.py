"""Parse a network's file without its weights, which protobuf would copy, and again at each access.

Large tensors look like ones with external data in the parsed model, and `Weights` has their bytes in the
file. Input that no exporter writes (repeated fields, groups, wrong lengths, millions of fields) is parsed
whole, so that protobuf alone decides its meaning, as in other engines. Wire format:
https://protobuf.dev/programming-guides/encoding/, numbers: onnx.proto.

Not by clearing each tensor after use: its memory is freed only with the whole model.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

LEAST: Final = 1 << 16
"""Bytes of a tensor that is left out."""
# Of this run alone: a file that could write it would have its external data pass unchecked.
_HERE: Final = f"lightloom.{secrets.token_hex(16)}"
_DEEPEST: Final = 32
_MOST_FIELDS: Final = 1_000_000
"""Half a second of Python's time; the largest networks that there are have some ten thousand."""

_MODEL, _GRAPH, _NODE, _ATTRIBUTE, _TENSOR = "model", "graph", "node", "attribute", "tensor"
_WITHIN: Final[Mapping[str, Mapping[int, str]]] = {
    _MODEL: {7: _GRAPH},
    _GRAPH: {1: _NODE, 5: _TENSOR},
    _NODE: {5: _ATTRIBUTE},
    _ATTRIBUTE: {5: _TENSOR, 6: _GRAPH, 10: _TENSOR, 11: _GRAPH},
}
"""The messages that weights lie in, by the field that holds them."""
_ONCE: Final[Mapping[str, frozenset[int]]] = {_MODEL: frozenset({7}), _ATTRIBUTE: frozenset({5, 6})}
"""Fields with a single message; protobuf merges repeated ones."""
_TYPE, _FLOATS, _RAW, _EXTERNAL, _LOCATION = 2, 4, 9, 13, 14
"""Fields of a TensorProto: data_type, float_data, raw_data, external_data, data_location."""
_FLOAT: Final = 1
_VARINT, _EIGHT_BYTES, _BYTES, _FOUR_BYTES = 0, 1, 2, 5


class _OddError(ValueError):
    """Not as an exporter writes it."""


@dataclass(frozen=True)
class Weights:
    """Tensors left out of a parsed model: the file's bytes, and offset and length of each in `places`."""

    data: bytes = b""
    places: Mapping[int, int] = field(default_factory=dict)

    def of(self, tensor: Any) -> memoryview | None:
        """Return the bytes in the file of a `TensorProto` that was left out; None for any other."""
        offset = _offset(tensor)
        length = self.places.get(offset)
        return None if length is None else memoryview(self.data)[offset : offset + length]

    def with_values(self, tensor: Any) -> Any | None:
        """Return a `TensorProto` with values: itself, or a copy if left out. None for external data."""
        if tensor.data_location != type(tensor).EXTERNAL:
            return tensor
        data = self.of(tensor)
        if data is None:
            return None
        made = type(tensor)()
        made.CopyFrom(tensor)
        made.ClearField("data_location")
        made.ClearField("external_data")
        made.raw_data = bytes(data)
        return made


def is_left_out(tensor: Any) -> bool:
    """Tell whether a `TensorProto` says that its values stand in the file itself."""
    return _offset(tensor) >= 0


def _offset(tensor: Any) -> int:
    for entry in tensor.external_data:
        if entry.key == _HERE and entry.value.isdecimal() and len(entry.value) < 20:
            return int(entry.value)
    return -1


def without_weights(data: bytes) -> tuple[bytes, Weights]:
    """Return an ONNX file's bytes without large tensors, and these; all bytes and none if it has none."""
    if len(data) < LEAST:
        return data, Weights()
    places: dict[int, int] = {}
    try:
        pieces = _cut(memoryview(data), 0, len(data), _MODEL, places, iter(range(_MOST_FIELDS)))
    except _OddError:
        return data, Weights()
    return (b"".join(pieces), Weights(data, places)) if places else (data, Weights())


def _cut(
    data: memoryview,
    at: int,
    end: int,
    kind: str,
    places: dict[int, int],
    left: Iterator[int],
    depth: int = 0,
) -> list[bytes | memoryview]:
    """Return a message's pieces without weights, noted in `places`; `left` ends when it is too much."""
    if depth > _DEEPEST:
        raise _OddError
    if kind == _TENSOR:
        return _cut_tensor(data, at, end, places, left)
    pieces: list[bytes | memoryview] = []
    kept = at
    seen: set[int] = set()
    for number, wire, begin, body, stop in _fields(data, at, end, left):
        if number in _ONCE.get(kind, ()):
            if number in seen:
                raise _OddError
            seen.add(number)
        inner = _WITHIN[kind].get(number)
        if inner is None or wire != _BYTES or stop - body < LEAST:
            continue
        found = len(places)
        within = _cut(data, body, stop, inner, places, left, depth + 1)
        if len(places) > found:
            pieces.append(data[kept:begin])
            pieces += [_head(number, sum(map(len, within))), *within]
            kept = stop
    return [*pieces, data[kept:end]]


def _cut_tensor(
    data: memoryview, at: int, end: int, places: dict[int, int], left: Iterator[int]
) -> list[bytes | memoryview]:
    fields = {}
    for number, wire, begin, body, stop in _fields(data, at, end, left):
        if number in (_TYPE, _FLOATS, _RAW, _EXTERNAL, _LOCATION):
            if number in fields:
                raise _OddError
            fields[number] = wire, begin, body, stop
    if _EXTERNAL in fields or _LOCATION in fields or (_RAW in fields) == (_FLOATS in fields):
        return [data[at:end]]
    number = _RAW if _RAW in fields else _FLOATS
    wire, begin, body, stop = fields[number]
    # Packed floats equal raw data; unpacked ones, as old exporters may write them, are not contiguous.
    if wire != _BYTES or stop - body < LEAST or (number == _FLOATS and _type(data, fields) != _FLOAT):
        return [data[at:end]]
    places[body] = stop - body
    key, value = _HERE.encode(), str(body).encode()
    entry = _head(1, len(key)) + key + _head(2, len(value)) + value
    stands = _head(_EXTERNAL, len(entry)) + entry + _varint(_LOCATION << 3 | _VARINT) + _varint(1)
    return [data[at:begin], stands, data[stop:end]]


def _type(data: memoryview, fields: Mapping[int, tuple[int, int, int, int]]) -> int:
    wire, _, body, stop = fields.get(_TYPE, (_VARINT, 0, 0, 0))
    if wire != _VARINT or stop - body != 1:
        return 0
    return data[body]


def _fields(
    data: memoryview, at: int, end: int, left: Iterator[int]
) -> Iterator[tuple[int, int, int, int, int]]:
    """Yield number, wire type, and where it, its value and what follows begin, of each field of a message."""
    while at < end:
        if next(left, None) is None:
            raise _OddError
        begin = at
        tag, body = _read(data, at, end)
        number, wire = tag >> 3, tag & 7
        if wire == _BYTES:
            length, body = _read(data, body, end)
            stop = body + length
        elif wire == _VARINT:
            _, stop = _read(data, body, end)
        elif wire in (_EIGHT_BYTES, _FOUR_BYTES):
            stop = body + (8 if wire == _EIGHT_BYTES else 4)
        else:
            raise _OddError
        if not number or stop > end:
            raise _OddError
        yield number, wire, begin, body, stop
        at = stop


def _read(data: memoryview, at: int, end: int) -> tuple[int, int]:
    value = shift = 0
    while at < end and shift < 64:
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        if byte < 128:
            return value, at
        shift += 7
    raise _OddError


def _varint(value: int) -> bytes:
    found = bytearray()
    while value > 127:
        found.append(value & 127 | 128)
        value >>= 7
    found.append(value)
    return bytes(found)


def _head(number: int, length: int) -> bytes:
    """Return the tag and length before a field of so many bytes."""
    return _varint(number << 3 | _BYTES) + _varint(length)
