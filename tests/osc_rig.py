"""Packets of Open Sound Control 1.0, written by hand, and a reader of them where python-osc is not installed."""

from __future__ import annotations

import struct
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


def _text(text: str) -> bytes:
    data = text.encode() + b"\0"
    return data + bytes(-len(data) % 4)


def message(path: str, *values: object) -> bytes:
    """Return a message with whole numbers, floats, booleans and texts."""
    tags, data = ",", b""
    for value in values:
        if isinstance(value, bool):
            tags += "T" if value else "F"
        elif isinstance(value, int):
            tags, data = tags + "i", data + struct.pack(">i", value)
        elif isinstance(value, float):
            tags, data = tags + "f", data + struct.pack(">f", value)
        else:
            tags, data = tags + "s", data + _text(str(value))
    return _text(path) + _text(tags) + data


def bundle(*parts: bytes) -> bytes:
    """Return a bundle that is to be used at once."""
    return b"#bundle\0" + struct.pack(">Q", 1) + b"".join(struct.pack(">i", len(p)) + p for p in parts)


@dataclass
class _Message:
    address: str
    params: list[Any]


@dataclass
class _Timed:
    time: float
    message: _Message


class StandIn:
    """As python-osc's OscPacket, for what `message` and `bundle` make."""

    def __init__(self, data: bytes) -> None:
        self.messages = [_Timed(0.0, each) for each in self._read(data)]

    def _read(self, data: bytes) -> list[_Message]:
        if not data.startswith(b"#bundle\0"):
            return [self._message(data)]
        found, at = [], 16
        while at < len(data):
            (size,) = struct.unpack_from(">i", data, at)
            if size <= 0:
                raise ValueError
            found += self._read(data[at + 4 : at + 4 + size])
            at += 4 + size
        return found

    def _message(self, data: bytes) -> _Message:
        path, at = self._text(data, 0)
        tags, at = self._text(data, at)
        if not path.startswith("/") or not tags.startswith(","):
            raise ValueError
        params: list[Any] = []
        for tag in tags[1:]:
            if tag in "TF":
                params.append(tag == "T")
            elif tag == "s":
                value, at = self._text(data, at)
                params.append(value)
            else:
                params.append(struct.unpack_from({"i": ">i", "f": ">f"}[tag], data, at)[0])
                at += 4
        return _Message(path, params)

    @staticmethod
    def _text(data: bytes, at: int) -> tuple[str, int]:
        end = data.index(b"\0", at)
        return data[at:end].decode(), at + (end - at) // 4 * 4 + 4


def parser() -> Callable[[bytes], Any]:
    """Return python-osc's parser, or the stand-in."""
    try:
        from pythonosc.osc_packet import OscPacket
    except ImportError:
        return StandIn
    return OscPacket
