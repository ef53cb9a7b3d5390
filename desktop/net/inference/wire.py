"""Messages of the inference protocol, validated since servers are untrusted: metadata, tensors, errors.

Open Inference Protocol, version 2, with Triton's extensions (binary tensor data, statistics, system shared
memory: github.com/triton-inference-server/server/tree/main/docs/protocol).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Protocol

import numpy as np

from desktop.base.printable import printable
from desktop.base.wording import sentence

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
"""NumPy's names of the protocol's types; BYTES, whose elements vary in length, and BF16 have none."""
BYTES: Final = "BYTES"
FREE: Final = -1
METADATA_BYTES: Final = 4 << 20
"""Maximum size of a response to anything but an inference."""
METADATA_S: Final = 10.0
INFERENCE_S: Final = 20.0
ASIDE_S: Final = 2.0
"""Timeouts of metadata requests, of an inference, and of optional requests."""
_TENSORS, _DIMENSIONS, _LARGEST_DIMENSION = 64, 8, (1 << 31) - 1
_LONGEST_NAME, _LONGEST_SAID, _PARAMETERS = 256, 160, 256
LONGEST_PARAMETER: Final = 1 << 18
"""Most characters of a metadata parameter that is read."""
_COUNTS: Final = 1 << 63


class CallFailed(Exception):
    """A server could not be reached, refused the request, or sent an invalid response; `what` is a clause
    without advice. If `untouched`, the request cannot have been processed and may be repeated.
    """

    def __init__(self, what: str, *, untouched: bool = False) -> None:
        self.what, self.untouched = what, untouched
        super().__init__(what)


@dataclass(frozen=True)
class TensorMeta:
    """Metadata of an input or output; `FREE` stands for a dynamic dimension."""

    name: str
    datatype: str
    shape: tuple[int, ...]

    @property
    def is_fixed(self) -> bool:
        """True if its size is fixed."""
        return FREE not in self.shape and self.datatype in DTYPES

    @property
    def nbytes(self) -> int:
        """Its size in bytes, if fixed."""
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
    """A server's name, version, and supported protocol extensions."""

    name: str = ""
    version: str = ""
    extensions: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Spent:
    """Inference statistics since the server started: count, and nanoseconds queued and computing."""

    count: int
    queue_ns: int
    compute_ns: int


@dataclass(frozen=True)
class Region:
    """Shared memory as registered with the server: its name there, the system's key, its size in bytes."""

    name: str
    key: str
    size: int


@dataclass(frozen=True)
class SharedPart:
    """Location of a tensor in a region."""

    region: str
    offset: int
    size: int


@dataclass(frozen=True)
class Feed:
    """An input tensor: an array, or for `BYTES` the elements; or its location in shared memory."""

    meta: TensorMeta
    array: np.ndarray | None = None
    elements: tuple[bytes, ...] = ()
    shared: SharedPart | None = None

    @property
    def shape(self) -> tuple[int, ...]:
        """Shape of the array; for bytes one element, with as many dimensions as in the metadata."""
        return tuple(self.array.shape) if self.array is not None else (1,) * max(1, len(self.meta.shape))


@dataclass(frozen=True)
class Wish:
    """A requested output, and its location if in shared memory."""

    meta: TensorMeta
    shared: SharedPart | None = None


@dataclass(frozen=True)
class InferenceResponse:
    """Arrays by name, ms for sending, waiting and receiving if known; `shared`: outputs in shared memory."""

    arrays: dict[str, np.ndarray]
    shared: dict[str, tuple[str, tuple[int, ...]]] = field(default_factory=dict)
    send_ms: float | None = None
    wait_ms: float | None = None
    receive_ms: float | None = None


class InferenceClient(Protocol):
    """One network on one server.

    One thread at a time may call it; `statistics` may run on another, `abort` on any. All methods raise
    `CallFailed`, at the latest after `timeout_s`, and limit what they read.
    """

    def server(self, timeout_s: float) -> ServerMeta:
        """Return the server's metadata."""

    def model(self, timeout_s: float) -> ModelMeta:
        """Return the network's metadata."""

    def infer(
        self, feeds: Sequence[Feed], wishes: Sequence[Wish], *, limit: int, binary: bool, timeout_s: float
    ) -> InferenceResponse:
        """Run the network; only array types are checked. `binary` sends bytes over HTTP (an extension)."""

    def statistics(self, timeout_s: float) -> Spent | None:
        """Return the server's statistics of this network; None if it has none."""

    def register(self, region: Region, timeout_s: float) -> None:
        """Register a shared memory region with the server."""

    def unregister(self, region: Region, timeout_s: float) -> None:
        """Unregister a region before it is removed."""

    def abort(self) -> None:
        """End a call in progress, and all later ones, with `CallFailed`."""

    def close(self) -> None:
        """Close the connections."""


# -- parsing -------------------------------------------------------------------------------------------------


def read_server(said: Any) -> ServerMeta:
    """Parse a server's metadata from the protocol's JSON; raise CallFailed if it is invalid."""
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
    """Parse a network's metadata; raise CallFailed if it is invalid, or has no inputs or outputs."""
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
    """Parse a shape from the protocol's JSON; raise CallFailed if it is invalid."""
    # gRPC has INT64, which some servers write as text into JSON.
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


def read_output(datatype: Any, shape: Any) -> tuple[str, tuple[int, ...]]:
    """Parse the type and the shape of a received output; raise CallFailed if they are invalid."""
    sizes = read_shape(shape)
    if datatype not in DTYPES or any(size < 0 for size in sizes):
        raise malformed()
    return datatype, sizes


def read_parameters(said: Any) -> dict[str, str]:
    """Return parameters as texts: plain values or the protocol's `{"string_param": ...}`; omit others."""
    found: dict[str, str] = {}
    for key, value in list(said.items())[:_PARAMETERS] if isinstance(said, dict) else ():
        plain = next(iter(value.values()), None) if isinstance(value, dict) and len(value) == 1 else value
        if not isinstance(key, str) or not isinstance(plain, str | int | float | bool):
            continue
        text = str(plain)
        if 0 < len(key) <= _LONGEST_NAME and len(text) <= LONGEST_PARAMETER:
            found[key] = text
    return found


def read_statistics(said: Any) -> Spent | None:
    """Parse the statistics of the first version listed; None if they are unusable."""
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
    """Check an output against its metadata and shape (`FREE`: any dimension); raise CallFailed."""
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
    """Return the error for a response that violates the protocol."""
    return CallFailed(sentence("its answer is not of the Open Inference Protocol"))


def too_large(limit: int) -> CallFailed:
    """Return the error for a response larger than the limit."""
    return CallFailed(
        sentence("its answer is larger than the {limit} MiB that it may be", limit=max(1, limit >> 20))
    )


def too_late() -> CallFailed:
    """Return the error for a timeout."""
    return CallFailed(sentence("it did not answer in time"))


def refused(said: str) -> CallFailed:
    """Return the error for a refusal, with the server's message."""
    words = _words(said) or "?"
    return CallFailed(sentence('it says "{words}"', words=words))


def _words(said: Any) -> str:
    text = printable(said) if isinstance(said, str) else ""
    return text if len(text) <= _LONGEST_SAID else f"{text[: _LONGEST_SAID - 3]}..."
