"""Cache prepared sessions on disk; loading a network again then skips reading, fusing, lowering and packing.

Files are not trusted: header, checksums and sizes are checked, and a file that fails is deleted and made
anew. Without a usable folder, networks load uncached. A file is: magic, CRC-32 of the header and the lengths,
length of the header and of the whole, the header (JSON), the constants, each at a multiple of 16, and the
CRC-32 of every piece of a constant and of those themselves.

Each piece is checked when it is uploaded, so few are in memory. Not a memory map: truncating the file would
end the process (SIGBUS). Pipelines are not cached: wgpu has no pipeline cache, drivers keep their own.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import logging
import os
import struct
import threading
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from functools import partial
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Any, BinaryIO, Final

import numpy as np

from desktop.base.errors import ModelInvalidError
from desktop.base.files import PART_SUFFIX, open_regular, replace_file, resolved
from desktop.compute.nn.engine_version import engine_version
from desktop.compute.nn.frontends.formats import ONNX
from desktop.compute.nn.frontends.network_file import Model, NetworkFile
from desktop.compute.nn.ir.graph import Graph, Value
from desktop.compute.nn.ir.scalar import HELD
from desktop.compute.nn.lowering.plan import (
    BYTES,
    NCHW,
    NHWC,
    Constant,
    Dispatch,
    Operand,
    Piece,
    Plan,
    Storage,
)
from desktop.compute.nn.lowering.target import Target

log = logging.getLogger(__name__)

_MAGIC: Final = b"LLPLAN3\n"
_HEAD: Final = struct.Struct("<8sIQQ")  # magic, checksum, length of the header, length of the file
_LENGTHS: Final = struct.Struct("<QQ")
_CHECKSUM: Final = struct.Struct("<I")
_SUFFIX: Final = ".plan"
_HASHED: Final = 1 << 20
"""Bytes of external data that are read at once."""
_PIECE: Final = 8 << 20
"""Bytes of a constant that are read and checked at once."""
_HASHERS: Final = 4
_ALIGN: Final = 16
DEFAULT_LIMIT: Final = 2 << 30
"""Limit of all files together, in bytes."""


@dataclass(frozen=True)
class Prepared:
    """A compiled network, from which sessions are made.

    `graph` has no nodes and constants if it comes from the cache; `flops` are by node name.
    """

    graph: Graph
    plan: Plan
    precision: str
    flops: Mapping[str, int] = field(default_factory=dict)


class SessionCache:
    """Folder of prepared sessions, least recently used deleted first. Processes may share it."""

    def __init__(self, folder: Path, limit: int = DEFAULT_LIMIT) -> None:
        self._folder = folder
        self._limit = limit
        self._writers: list[threading.Thread] = []

    def get_or_make(self, key: str, make: Callable[[], Prepared]) -> Prepared:
        """Return a key's session; if missing, make it and store it on a thread (100 MB: 0.7 s)."""
        prepared = self.get(key)
        if prepared is None:
            prepared = make()
            self._writers = [thread for thread in self._writers if thread.is_alive()]
            self._writers.append(
                threading.Thread(target=self.put, args=(key, prepared), name="network cache")
            )
            self._writers[-1].start()
        return prepared

    def wait(self) -> None:
        """Block until everything is written; the interpreter does so at its end."""
        for thread in self._writers:
            thread.join()

    def key(
        self,
        model: Model,
        targets: Sequence[Target | str],
        *,
        input_shapes: Mapping[str, Sequence[int]] | None = None,
        input_values: Mapping[str, np.ndarray] | None = None,
        keep: Sequence[str] = (),
        tuning: str = "",
        real_outputs: bool = False,
    ) -> str:
        """Return a session's key: a hash of model, engine version, targets and `tuning`; '' if unreadable."""
        try:
            with NetworkFile.opened(model) as file, ThreadPoolExecutor(1) as pool:
                # Hashing releases the interpreter's lock: 70 of 125 ms for 100 MB.
                hashing = pool.submit(lambda: file.sha256)
                external = _external_data(file, self._limit)
                content = [hashing.result()]
            with ThreadPoolExecutor(min(_HASHERS, os.cpu_count() or 1)) as pool:
                content += pool.map(_Range.digest, external)
        except (OSError, ValueError, ModelInvalidError, _TooLargeError):
            return ""  # the importer reports the error
        shapes = {name: [int(n) for n in shape] for name, shape in (input_shapes or {}).items()}
        values = {
            name: [array.dtype.str, list(array.shape), hashlib.sha256(array.tobytes()).hexdigest()]
            for name, array in (input_values or {}).items()
        }
        built = [repr(target) for target in targets]
        facts = [
            content,
            engine_version(),
            built,
            sorted(shapes.items()),
            sorted(values.items()),
            list(keep),
            tuning,
            real_outputs,
        ]
        return hashlib.sha256(json.dumps(facts).encode()).hexdigest()

    def get(self, key: str) -> Prepared | None:
        """Return the session of a key or None; reading a lost or damaged constant raises PlanLostError."""
        file = self._folder / f"{key}{_SUFFIX}"
        try:
            prepared = decode(file)
            with contextlib.suppress(OSError):  # a read-only folder serves as well
                os.utime(file)  # marks the file as used now
            return prepared
        except FileNotFoundError:
            return None
        except OSError as error:
            log.info("the cache of networks in %s cannot be read: %s", self._folder, error)
        except _DAMAGE as error:
            _give_up(file, error)
        return None

    def put(self, key: str, prepared: Prepared) -> None:
        """Store a prepared session; if the folder cannot be written, only log it."""
        if not key:
            return
        size = _Layout.of(prepared).size
        if size > self._limit // 2:
            return
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            self._evict(self._limit - size)
            replace_file(self._folder / f"{key}{_SUFFIX}", encode(prepared))
        except OSError as error:
            log.info("the network is not kept in the cache %s: %s", self._folder, error)

    def _evict(self, room: int) -> None:
        """Delete least recently used files beyond `room` bytes, and leftovers of interrupted writes."""
        found = []
        for file in self._folder.iterdir():
            if file.suffix in (_SUFFIX, PART_SUFFIX):
                try:
                    status = file.stat()
                except FileNotFoundError:  # another process has finished writing it, or has deleted it
                    continue
                found.append((status.st_mtime, status.st_size, file))
        total = sum(size for _, size, _ in found)
        for _, size, file in sorted(found, key=lambda entry: entry[0]):
            if total <= room:
                break
            _remove(file)
            total -= size


def _give_up(file: Path, error: Exception | str) -> None:
    log.warning("%s is damaged and will be made anew: %s", file, error)
    _remove(file)


def _remove(file: Path) -> None:
    try:
        file.unlink(missing_ok=True)
    except OSError as error:
        log.info("%s cannot be deleted: %s", file, error)


# -- the key -------------------------------------------------------------------------------------------------


class _TooLargeError(Exception):
    """More external data than the cache has space for: hashing it would take longer than it saves."""


@dataclass(frozen=True, order=True)
class _Range:
    """A range of bytes in a file."""

    path: Path
    offset: int
    length: int

    def digest(self) -> str:
        """Return the SHA-256 of the bytes that exist."""
        found, left = hashlib.sha256(), self.length
        with open_regular(self.path) as stream:
            stream.seek(self.offset)
            while left and (piece := stream.read(min(left, _HASHED))):
                found.update(piece)
                left -= len(piece)
        return found.hexdigest()


def _external_data(file: NetworkFile, most: int) -> list[_Range]:
    """Return the ranges of a model's external data, each once; raise _TooLargeError above `most` bytes."""
    if (
        file.format != ONNX or b"location" not in file.data
    ):  # spares the parsing of nearly every model that lies in the cache
        return []
    model = file.bare
    root = resolved(file.path.parent)
    tensors = [*model.graph.initializer, *(a.t for node in model.graph.node for a in node.attribute)]
    ranges = {_range_of(tensor, root) for tensor in tensors if tensor.external_data}
    found = sorted(each for each in ranges if each is not None)
    if sum(each.length for each in found) > most:
        raise _TooLargeError
    return found


def _range_of(tensor: Any, root: Path) -> _Range | None:
    """Return the range of a tensor's data; None for what the importer refuses."""
    entries = {entry.key: entry.value for entry in tensor.external_data}
    try:
        path = resolved(root / str(entries.get("location", "")))
        if not path.is_relative_to(root) or not path.is_file():
            return None
        offset = int(entries.get("offset", 0))
        length = int(entries.get("length", path.stat().st_size - offset))
    except (OSError, ValueError):  # a name that no file can have
        return None
    return _Range(path, offset, length) if min(offset, length) >= 0 else None


# -- the file ------------------------------------------------------------------------------------------------


class PlanLostError(Exception):
    """A constant in the cache file is damaged or gone; the network must be prepared again."""


class _DamagedError(ValueError):
    """A file that does not have the format that `encode` writes."""


_DAMAGE: Final = (
    _DamagedError,
    ValueError,
    TypeError,
    KeyError,
    IndexError,
    AttributeError,
    RecursionError,
    struct.error,
)


def _padded(size: int) -> int:
    return size + -size % _ALIGN


def _stored_pieces(size: int) -> list[int]:
    """Return the lengths of the pieces in which a constant is stored, its padding included."""
    whole, rest = divmod(_padded(size), _PIECE)
    return [_PIECE] * whole + [rest] * (rest > 0)


@dataclass(frozen=True)
class _Layout:
    """Layout of a file, known before any constant is made: header, constants in order, and length."""

    header: bytes
    constants: tuple[Constant, ...]
    size: int

    @classmethod
    def of(cls, prepared: Prepared) -> _Layout:
        """Return the layout for a prepared session."""
        constants = tuple(s.data for s in prepared.plan.storages if s.data is not None)
        header = json.dumps(_document(prepared), separators=(",", ":")).encode()
        header += b" " * (-(len(header) + _HEAD.size) % _ALIGN)
        pieces = sum(len(_stored_pieces(each.size)) for each in constants)
        numbers = sum(_padded(each.size) for each in constants)
        return cls(header, constants, _HEAD.size + len(header) + numbers + (pieces + 1) * _CHECKSUM.size)


def _document(prepared: Prepared) -> dict[str, Any]:
    graph, plan = prepared.graph, prepared.plan
    storages: list[list[Any]] = []
    offset = 0
    for storage in plan.storages:
        if storage.data is None:
            storages.append([storage.size, storage.pinned, None])
            continue
        storages.append([storage.size, storage.pinned, [offset, storage.data.size, storage.data.dtype]])
        offset += _padded(storage.data.size)
    codes = list(dict.fromkeys(d.code for d in plan.dispatches))
    place = {code: index for index, code in enumerate(codes)}
    names = {*graph.inputs, *graph.outputs, *plan.operands} & set(graph.values)
    return {
        "inputs": graph.inputs,
        "outputs": graph.outputs,
        "kept": graph.kept,
        "values": [[v.name, v.shape, v.dtype] for v in (graph.values[name] for name in sorted(names))],
        "storages": storages,
        "codes": codes,
        "dispatches": [
            [d.node, d.kernel, place[d.code], d.reads, d.writes, d.workgroups, d.tuned, d.own_indices]
            for d in plan.dispatches
        ],
        "operands": {name: asdict(operand) for name, operand in plan.operands.items()},
        "slots": plan.slots,
        "slot_of": sorted(plan.slot_of.items()),
        "precision": prepared.precision,
        "flops": dict(prepared.flops),
    }


def encode(prepared: Prepared) -> Iterator[bytes | memoryview]:
    """Encode a prepared session as the chunks of a file; only one constant is in memory at a time."""
    layout = _Layout.of(prepared)
    lengths = _LENGTHS.pack(len(layout.header), layout.size)
    yield _HEAD.pack(_MAGIC, zlib.crc32(layout.header, zlib.crc32(lengths)), len(layout.header), layout.size)
    yield layout.header
    table: list[int] = []
    for constant in layout.constants:
        padding = bytes(_padded(constant.size) - constant.size)
        for chunk in _cut(constant):
            checksum = zlib.crc32(chunk)
            yield chunk
            if len(chunk) % _ALIGN:
                checksum = zlib.crc32(padding, checksum)
                yield padding
            table.append(checksum)
    checksums = b"".join(map(_CHECKSUM.pack, table))
    yield checksums + _CHECKSUM.pack(zlib.crc32(checksums))


def _cut(constant: Constant) -> Iterator[memoryview]:
    """Cut a constant into the pieces in which it is stored; its data are whole, or already cut that way."""
    for piece in constant.pieces:
        data = piece.read()
        for at in range(0, len(data), _PIECE):
            yield data[at : at + _PIECE]


def _require(condition: bool, what: str) -> None:
    if not condition:
        raise _DamagedError(what)


def decode(file: Path) -> Prepared:
    """Decode the prepared session in a file; its constants are read later.

    Raises OSError if unreadable, else ValueError, TypeError, LookupError or AttributeError.
    """
    with open_regular(file) as stream:
        document, constants = _opened(file, stream)
    storages = tuple(
        _storage(i, entry, None if entry[2] is None else next(constants))
        for i, entry in enumerate(document["storages"])
    )
    codes = document["codes"]
    dispatches = tuple(
        Dispatch(
            str(node),
            str(kernel),
            str(codes[_index(code, len(codes))]),
            tuple(reads),
            tuple(writes),
            _groups(groups),
            str(tuned),
            own_indices is True,
        )
        for node, kernel, code, reads, writes, groups, tuned, own_indices in document["dispatches"]
    )
    operands = {name: _operand(entry, storages) for name, entry in document["operands"].items()}
    slots = tuple(int(size) for size in document["slots"])
    slot_of = {int(storage): int(slot) for storage, slot in document["slot_of"]}
    for dispatch in dispatches:
        for storage in dispatch.touches:
            _index(storage, len(storages))
    for storage, slot in slot_of.items():
        _require(
            storages[_index(storage, len(storages))].size <= slots[_index(slot, len(slots))],
            "a slot is small",
        )
    values = {name: Value(name, tuple(shape), dtype) for name, shape, dtype in document["values"]}
    _require(document["precision"] in ("fp32", "fp16", "int8"), "an unknown precision")
    inputs, outputs = tuple(document["inputs"]), tuple(document["outputs"])
    for name in (*inputs, *outputs):
        _require(name in operands and values[name].dtype in HELD, "an input or output has no memory")
    graph = Graph((), inputs, outputs, values, {}, tuple(document["kept"]))
    plan = Plan(storages, dispatches, operands, slots, slot_of)
    flops = {str(name): int(count) for name, count in document["flops"].items()}
    return Prepared(graph, plan, document["precision"], flops)


def _opened(file: Path, stream: BinaryIO) -> tuple[Any, Iterator[Constant]]:
    """Return a file's header and its constants in order, checked to be contiguous up to the table."""
    size = os.fstat(stream.fileno()).st_size
    head = stream.read(_HEAD.size)
    _require(len(head) == _HEAD.size, "too short")
    magic, checksum, length, whole = _HEAD.unpack(head)
    _require(magic == _MAGIC and length <= whole == size, "another format, or cut off")
    header = stream.read(length)
    _require(
        zlib.crc32(header, zlib.crc32(_LENGTHS.pack(length, whole))) == checksum, "its checksum is wrong"
    )
    document = json.loads(header)
    places = [place for _, _, place in document["storages"] if place is not None]
    for _, bytes_, dtype in places:
        _require(dtype in BYTES and type(bytes_) is int and bytes_ >= 0, "a constant's size is wrong")
        _require(bytes_ % max(BYTES[dtype], 4) == 0, "a constant's size is wrong")
    starts = list(accumulate((_padded(bytes_) for _, bytes_, _ in places), initial=0))
    _require([offset for offset, _, _ in places] == starts[:-1], "a constant is elsewhere")
    counts = list(accumulate((-(-_padded(bytes_) // _PIECE) for _, bytes_, _ in places), initial=0))
    first = _HEAD.size + length
    _require(
        first + starts[-1] + (counts[-1] + 1) * _CHECKSUM.size == size, "its constants are not all there"
    )
    stream.seek(first + starts[-1])
    *table, own = (n for (n,) in _CHECKSUM.iter_unpack(stream.read()))
    _require(zlib.crc32(b"".join(map(_CHECKSUM.pack, table))) == own, "its checksum is wrong")
    constants = (
        _constant(file, first + start, bytes_, dtype, table[count:following])
        for (_, bytes_, dtype), start, (count, following) in zip(
            places, starts, pairwise(counts), strict=False
        )
    )
    return document, constants


def _constant(file: Path, offset: int, size: int, dtype: str, checksums: Sequence[int]) -> Constant:
    pieces, left = [], size
    for length, checksum in zip(_stored_pieces(size), checksums, strict=True):
        kept = min(left, length)
        pieces.append(Piece(kept, partial(_read, file, offset, length, kept, checksum)))
        offset, left = offset + length, left - kept
    return Constant(size, dtype, tuple(pieces))


def _read(file: Path, offset: int, length: int, kept: int, checksum: int) -> memoryview:
    """Return the first `kept` of `length` bytes; delete the file and raise PlanLostError on a wrong CRC."""
    try:
        with open_regular(file) as stream:
            stream.seek(offset)
            data = stream.read(length)
    except OSError as error:
        raise PlanLostError(str(error)) from error
    if len(data) < length or zlib.crc32(data) != checksum:
        _give_up(file, "its checksum is wrong")
        raise PlanLostError(file.name)
    return memoryview(data)[:kept]


def _index(value: Any, length: int) -> int:
    _require(type(value) is int and 0 <= value < length, "an index is out of range")
    return int(value)


def _groups(value: Sequence[int]) -> tuple[int, int, int]:
    x, y, z = value
    _require(all(type(n) is int and n >= 0 for n in value), "workgroups are no numbers")
    return x, y, z


def _storage(index: int, entry: Any, constant: Constant | None) -> Storage:
    size, pinned, _ = entry
    _require(type(size) is int and size > 0 and size % 16 == 0, "a size is wrong")
    _require(constant is None or constant.size <= size, "a constant's size is wrong")
    return Storage(index, size, bool(pinned), constant, constant is not None)


def _operand(entry: Mapping[str, Any], storages: Sequence[Storage]) -> Operand:
    operand = Operand(**{**entry, "shape": tuple(entry["shape"])})
    _require(all(type(n) is int and n >= 0 for n in operand.shape), "a shape is wrong")
    _require(operand.dtype in BYTES and operand.layout in (NCHW, NHWC), "a layout is unknown")
    is_nchw = operand.layout == NCHW
    count = int(np.prod(operand.shape, dtype=np.int64)) if is_nchw else operand.pixels * operand.stride * 4
    size = storages[_index(operand.storage, len(storages))].size
    _require(count * BYTES[operand.dtype] <= size, "a tensor is larger than its memory")
    return operand
