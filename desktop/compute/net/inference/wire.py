"""What the protocol says, apart from how it travels: metadata, tensors, and what went wrong. Nothing of a server's is believed unchecked.

Terms and data types are those of the Open Inference Protocol, version 2, with Triton's extensions (binary tensor data, statistics,
system shared memory: github.com/triton-inference-server/server/tree/main/docs/protocol).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Protocol

import numpy as np

from desktop.printable import printable
from desktop.wording import sentence

DTYPES: Final = {
    "BOOL": "bool",
    "UINT8": "uint8",
    "UINT16": "uint16",
    "UINT32": "uint32",
    "UINT64": "uint64",
    "INT8": "int8",
    "INT16": "int16",
    "INT32": "int32",
    "INT64": "int64",
    "FP16": "float16",
    "FP32": "float32",
    "FP64": "float64",
}
"""NumPy's names of the protocol's types; BYTES, whose elements are of any length, and BF16 have none."""
BYTES: Final = "BYTES"
FREE: Final = -1
METADATA_BYTES: Final = 4 << 20
"""The longest answer to a question that is not for an inference."""
METADATA_S: Final = 10.0
INFERENCE_S: Final = 20.0
ASIDE_S: Final = 2.0
"""Deadlines of questions, of an inference, and of what may as well not be answered."""
_TENSORS, _DIMENSIONS, _LARGEST_DIMENSION = 64, 8, (1 << 31) - 1
_LONGEST_NAME, _LONGEST_SAID, _PARAMETERS, _LONGEST_PARAMETER = 256, 160, 256, 1 << 18
_COUNTS: Final = 1 << 63


class CallFailed(Exception):
    """A server could not be reached, refused, or answered what it must not.

    Attributes:
        what: a clause for a sentence, without advice.
        untouched: the request cannot have been taken up, so that it may be sent again.
    """

    def __init__(self, what: str, *, untouched: bool = False) -> None:
        self.what, self.untouched = what, untouched
        super().__init__(what)


@dataclass(frozen=True)
class TensorMeta:
    """An input or output as a server's metadata have it; `FREE` stands for a free dimension."""

    name: str
    datatype: str
    shape: tuple[int, ...]

    @property
    def is_fixed(self) -> bool:
        """True where its size is known."""
        return FREE not in self.shape and self.datatype in DTYPES

    @property
    def nbytes(self) -> int:
        """Its size, where that is known."""
        return math.prod(self.shape) * np.dtype(DTYPES[self.datatype]).itemsize


@dataclass(frozen=True)
class ModelMeta:
    """A network's metadata: platform, inputs, outputs, and its parameters as texts."""

    platform: str
    inputs: tuple[TensorMeta, ...]
    outputs: tuple[TensorMeta, ...]
    parameters: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class ServerMeta:
    """A server's name, version, and the extensions of the protocol that it has."""

    name: str = ""
    version: str = ""
    extensions: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Spent:
    """What a server has spent on inferences since it started: how many, and nanoseconds in the queue and at work."""

    count: int
    queue_ns: int
    compute_ns: int


@dataclass(frozen=True)
class Region:
    """A region of the system's shared memory, as the server is told of it: its name there, the system's key, its bytes."""

    name: str
    key: str
    size: int


@dataclass(frozen=True)
class SharedPart:
    """Where in a region a tensor lies."""

    region: str
    offset: int
    size: int


@dataclass(frozen=True)
class Feed:
    """A tensor that goes to the server: an array, or for `BYTES` the elements; in shared memory, where."""

    meta: TensorMeta
    array: np.ndarray | None = None
    elements: tuple[bytes, ...] = ()
    shared: SharedPart | None = None

    @property
    def shape(self) -> tuple[int, ...]:
        """Of the array; of bytes one element, in as many dimensions as the metadata have."""
        return tuple(self.array.shape) if self.array is not None else (1,) * max(1, len(self.meta.shape))


@dataclass(frozen=True)
class Wish:
    """An output that is wanted; in shared memory, where."""

    meta: TensorMeta
    shared: SharedPart | None = None


@dataclass(frozen=True)
class Answer:
    """Arrays by name; milliseconds to send, until the answer began, and to receive it, where known.

    `shared` has what was said of those in shared memory: names with data type and shape.
    """

    arrays: dict[str, np.ndarray]
    shared: dict[str, tuple[str, tuple[int, ...]]] = field(default_factory=dict)
    send_ms: float | None = None
    wait_ms: float | None = None
    receive_ms: float | None = None


class InferenceServer(Protocol):
    """One network on one server. A call is for one thread at a time; `statistics` may be on another, `abort` on any.

    Each raises `CallFailed`, `timeout_s` after its beginning at the latest, and reads no more than it must: `METADATA_BYTES`, or the limit
    that an inference is given.
    """

    def server(self, timeout_s: float) -> ServerMeta:
        """Return what the server says of itself."""

    def model(self, timeout_s: float) -> ModelMeta:
        """Return the network's metadata."""

    def infer(
        self, feeds: Sequence[Feed], wishes: Sequence[Wish], *, limit: int, binary: bool, timeout_s: float
    ) -> Answer:
        """Compute; of the arrays only the types are checked. `binary`: HTTP's tensors as bytes, which is an extension."""

    def statistics(self, timeout_s: float) -> Spent | None:
        """Return what the server has spent on this network; None where it does not tell."""

    def register(self, region: Region, timeout_s: float) -> None:
        """Tell the server of a region of shared memory."""

    def unregister(self, region: Region, timeout_s: float) -> None:
        """The region is about to go."""

    def abort(self) -> None:
        """End a call that is under way, and all later ones, with `CallFailed`."""

    def close(self) -> None:
        """Close the connections."""


# -- what a server says ------------------------------------------------------------------------------------------------


def read_server(said: Any) -> ServerMeta:
    """Return a server's metadata of the protocol's JSON object.

    Raises:
        CallFailed: it is none.
    """
    if not isinstance(said, dict):
        raise malformed()
    extensions = said.get("extensions", [])
    listed = extensions[:_PARAMETERS] if isinstance(extensions, list) else []
    return ServerMeta(
        _words(said.get("name", "")),
        _words(said.get("version", "")),
        frozenset(each for each in listed if isinstance(each, str)),
    )


def read_model(said: Any) -> ModelMeta:
    """Return a network's metadata of the protocol's JSON object.

    Raises:
        CallFailed: it is none, or tells no inputs or outputs.
    """
    if not isinstance(said, dict):
        raise malformed()
    inputs, outputs = (_tensors(said.get(side)) for side in ("inputs", "outputs"))
    if not inputs or not outputs:
        raise CallFailed(
            sentence(
                "its metadata tell no inputs or no outputs, which must be declared where the server is set up"
            )
        )
    return ModelMeta(
        _words(said.get("platform", "")), inputs, outputs, read_parameters(said.get("parameters"))
    )


def _tensors(listed: Any) -> tuple[TensorMeta, ...]:
    if listed is None:
        return ()
    if not isinstance(listed, list) or len(listed) > _TENSORS:
        raise malformed()
    found = tuple(map(_tensor, listed))
    if len({tensor.name for tensor in found}) < len(found):
        raise malformed()
    return found


def _tensor(said: Any) -> TensorMeta:
    if not isinstance(said, dict):
        raise malformed()
    name, datatype, shape = said.get("name"), said.get("datatype"), read_shape(said.get("shape"))
    if not isinstance(name, str) or not 0 < len(name) <= _LONGEST_NAME or printable(name) != name:
        raise malformed()
    if not isinstance(datatype, str):
        raise malformed()
    if datatype not in DTYPES and datatype != BYTES:
        raise CallFailed(
            sentence(
                "'{name}' is of the type {datatype}, which Lightloom does not take",
                name=name,
                datatype=datatype[:20],
            )
        )
    return TensorMeta(name, datatype, shape)


def read_shape(said: Any) -> tuple[int, ...]:
    """Return a shape of the protocol's JSON.

    Raises:
        CallFailed: it is none.
    """
    # gRPC has INT64, and some servers write those as texts into JSON.
    sizes = (
        [int(s) if isinstance(s, str) and s.lstrip("-")[:20].isdecimal() and len(s) < 20 else s for s in said]
        if isinstance(said, list)
        else None
    )
    if sizes is None or len(sizes) > _DIMENSIONS:
        raise malformed()
    if not all(type(size) is int and FREE <= size <= _LARGEST_DIMENSION for size in sizes):
        raise malformed()
    return tuple(sizes)


def read_parameters(said: Any) -> dict[str, str]:
    """Return parameters as texts; a value may be plain or the protocol's `{"string_param": ...}`. What is neither is left out."""
    found: dict[str, str] = {}
    for key, value in list(said.items())[:_PARAMETERS] if isinstance(said, dict) else ():
        plain = next(iter(value.values()), None) if isinstance(value, dict) and len(value) == 1 else value
        if not isinstance(key, str) or not isinstance(plain, str | int | float | bool):
            continue
        text = str(plain)
        if 0 < len(key) <= _LONGEST_NAME and len(text) <= _LONGEST_PARAMETER:
            found[key] = text
    return found


def read_statistics(said: Any) -> Spent | None:
    """Return what the statistics extension tells of the first version listed; None for nothing that can be used."""
    listed = said.get("model_stats") if isinstance(said, dict) else None
    first = listed[0] if isinstance(listed, list) and listed else None
    stats = first.get("inference_stats") if isinstance(first, dict) else None
    if not isinstance(stats, dict):
        return None

    def figure(part: str, key: str) -> int:
        table = stats.get(part)
        value = table.get(key, 0) if isinstance(table, dict) else 0
        text = str(value) if isinstance(value, int | str) else "0"
        number = int(text) if text.isascii() and text.isdecimal() and len(text) < 20 else 0
        return min(number, _COUNTS)

    work = sum(figure(part, "ns") for part in ("compute_input", "compute_infer", "compute_output"))
    count = figure("success", "count")
    return Spent(count, figure("queue", "ns"), work) if count else None


def checked(array: np.ndarray | None, meta: TensorMeta, expected: Sequence[int]) -> np.ndarray:
    """Return an output that is what the metadata promised.

    Args:
        array: as it came.
        meta: what was promised.
        expected: its shape, with `FREE` where that may be any size.

    Raises:
        CallFailed: it is missing, or of another shape or type.
    """
    if array is None:
        raise CallFailed(sentence("its answer lacks the output '{name}'", name=meta.name))
    shape = tuple(array.shape)
    fits = len(shape) == len(expected) and all(
        want in (FREE, size) for want, size in zip(expected, shape, strict=True)
    )
    if not fits or str(array.dtype) != DTYPES[meta.datatype]:
        raise CallFailed(
            sentence(
                "'{name}' came as {dtype}{shape}, and its metadata promised {promised}{expected}",
                name=meta.name,
                dtype=array.dtype,
                shape=list(shape),
                promised=DTYPES[meta.datatype],
                expected=[size if size != FREE else "any" for size in expected],
            )
        )
    return array


def malformed() -> CallFailed:
    """What is not of the protocol."""
    return CallFailed(sentence("its answer is not of the Open Inference Protocol"))


def too_large(limit: int) -> CallFailed:
    """More than is read."""
    return CallFailed(
        sentence("its answer is larger than the {limit} MiB that it may be", limit=max(1, limit >> 20))
    )


def too_late() -> CallFailed:
    """Nothing came in time."""
    return CallFailed(sentence("it did not answer in time"))


def refused(said: str) -> CallFailed:
    """The server says why not, in words of its own."""
    words = _words(said) or "?"
    return CallFailed(sentence('it says "{words}"', words=words))


def _words(said: Any) -> str:
    text = printable(said) if isinstance(said, str) else ""
    return text if len(text) <= _LONGEST_SAID else f"{text[: _LONGEST_SAID - 3]}..."
