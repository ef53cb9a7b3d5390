"""Prepared sessions on disk: everything that reading, fusing, lowering and packing a network makes, so that loading it again skips them.

What a file says is not believed: its header, checksum and every size are checked, and a file that fails is deleted and made anew. The
folder may be deleted at any time. Nothing here raises for want of a cache: a folder that cannot be used is logged, and the network loads
without.

A file is: magic, CRC-32 of what follows, length of the header, the header (JSON), the constants one after the other, each at a multiple
of 16. Compiled pipelines are not in it: wgpu has no pipeline cache, drivers keep their own.
"""

from __future__ import annotations

import hashlib
import json
import logging
import os
import struct
import threading
import zlib
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final

import numpy as np

from desktop.compute.nn.engine_version import engine_version
from desktop.compute.nn.frontends.formats import ONNX
from desktop.compute.nn.frontends.network_file import Model, NetworkFile
from desktop.compute.nn.ir.graph import Graph, Value
from desktop.compute.nn.ir.scalar import HELD
from desktop.compute.nn.lowering.plan import BYTES, NCHW, NHWC, Dispatch, Operand, Plan, Storage
from desktop.compute.nn.lowering.target import Target
from desktop.errors import ModelInvalidError
from desktop.files import PART_SUFFIX, open_regular, replace_file, resolved

log = logging.getLogger(__name__)

_MAGIC: Final = b"LLPLAN1\n"
_HEAD: Final = struct.Struct("<8sIQ")  # magic, checksum, length of the header
_SUFFIX: Final = ".plan"
_PIECE: Final = 1 << 20
_ALIGN: Final = 16
DEFAULT_LIMIT: Final = 2 << 30
"""Bytes of all files together."""


@dataclass(frozen=True)
class Prepared:
    """What a session is made from.

    Attributes:
        graph: inputs, outputs, kept values and all shapes; from the cache it has no nodes and no constants.
        precision: as the session shows it.
        flops: by node name.
    """

    graph: Graph
    plan: Plan
    precision: str
    flops: Mapping[str, int] = field(default_factory=dict)


class SessionCache:
    """A folder of prepared sessions, the least recently used deleted first. Several processes may share it."""

    def __init__(self, folder: Path, limit: int = DEFAULT_LIMIT) -> None:
        self._folder = folder
        self._limit = limit
        self._writers: list[threading.Thread] = []

    def get_or_make(self, key: str, make: Callable[[], Prepared]) -> Prepared:
        """The prepared session of this name, made and kept where there is none. Writing goes on in a thread: 100 MB take 0.7 s."""
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
        """The name of a prepared session: a hash of the model's content, of this engine and of what it is built for; '' if unreadable.

        Args:
            tuning: the digest of the kernels that were chosen by measuring.
        """
        try:
            with NetworkFile.opened(model) as file, ThreadPoolExecutor(1) as pool:
                # Hashing lets go of the interpreter's lock: 70 of 125 ms for 100 MB.
                hashing = pool.submit(lambda: file.sha256)
                external = _external_data(file, self._limit)
                content = [hashing.result()]
            content += [each.digest() for each in external]
        except (OSError, ValueError, ModelInvalidError, _TooLargeError):
            return ""  # the importer will say what is wrong with it
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
        """The prepared session of this name; None where there is none that can be trusted."""
        file = self._folder / f"{key}{_SUFFIX}"
        try:
            prepared = decode(file.read_bytes())
            os.utime(file)  # used now
            return prepared
        except FileNotFoundError:
            return None
        except OSError as error:
            log.info("the cache of networks in %s cannot be read: %s", self._folder, error)
        except _DAMAGE as error:
            log.warning("%s is damaged and will be made anew: %s", file, error)
            self._remove(file)
        return None

    def put(self, key: str, prepared: Prepared) -> None:
        """Keep a prepared session; does nothing (but log) where the folder cannot be written."""
        if not key:
            return
        chunks = encode(prepared)
        size = sum(len(chunk) for chunk in chunks)
        if size > self._limit // 2:
            return
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            self._evict(self._limit - size)
            replace_file(self._folder / f"{key}{_SUFFIX}", chunks)
        except OSError as error:
            log.info("the network is not kept in the cache %s: %s", self._folder, error)

    def _evict(self, room: int) -> None:
        """Delete the files used longest ago until the rest takes at most `room` bytes; also what an interrupted `put` left behind."""
        found = []
        for file in self._folder.iterdir():
            if file.suffix in (_SUFFIX, PART_SUFFIX):
                status = file.stat()
                found.append((status.st_mtime, status.st_size, file))
        total = sum(size for _, size, _ in found)
        for _, size, file in sorted(found, key=lambda entry: entry[0]):
            if total <= room:
                break
            self._remove(file)
            total -= size

    def _remove(self, file: Path) -> None:
        try:
            file.unlink(missing_ok=True)
        except OSError as error:
            log.info("%s cannot be deleted: %s", file, error)


# -- the key ----------------------------------------------------------------------------------------------------------


class _TooLargeError(Exception):
    """More external data than the cache has room for, in whatever precision: hashing it takes longer than it would save."""


@dataclass(frozen=True, order=True)
class _Range:
    """Bytes of a file."""

    path: Path
    offset: int
    length: int

    def digest(self) -> str:
        """SHA-256 of them, as far as they are there."""
        found, left = hashlib.sha256(), self.length
        with open_regular(self.path) as stream:
            stream.seek(self.offset)
            while left and (piece := stream.read(min(left, _PIECE))):
                found.update(piece)
                left -= len(piece)
        return found.hexdigest()


def _external_data(file: NetworkFile, most: int) -> list[_Range]:
    """Where a model's external data lies, each range once, in a fixed order: what else is in those files is not read.

    Raises:
        _TooLargeError: that are more than `most` bytes.
    """
    if (
        file.format != ONNX or b"location" not in file.data
    ):  # spares the parsing of nearly every model that lies in the cache
        return []
    model = file.proto
    root = resolved(file.path.parent)
    tensors = [*model.graph.initializer, *(a.t for node in model.graph.node for a in node.attribute)]
    ranges = {_range_of(tensor, root) for tensor in tensors if tensor.external_data}
    found = sorted(each for each in ranges if each is not None)
    if sum(each.length for each in found) > most:
        raise _TooLargeError
    return found


def _range_of(tensor: Any, root: Path) -> _Range | None:
    """Where a tensor's data lies; None for what the importer refuses."""
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


# -- the file ---------------------------------------------------------------------------------------------------------


class _DamagedError(ValueError):
    """A file that is not as `encode` writes it."""


_DAMAGE: Final = (_DamagedError, ValueError, TypeError, KeyError, IndexError, AttributeError, RecursionError)


def encode(prepared: Prepared) -> list[bytes | memoryview]:
    """A prepared session as a file's bytes, in chunks."""
    graph, plan = prepared.graph, prepared.plan
    constants: list[bytes | memoryview] = []
    storages: list[list[Any]] = []
    offset = 0
    for storage in plan.storages:
        if storage.data is None:
            storages.append([storage.size, storage.pinned, None])
            continue
        raw = np.ascontiguousarray(storage.data).reshape(-1).view(np.uint8).data
        storages.append([storage.size, storage.pinned, [offset, len(raw), storage.data.dtype.name]])
        padding = b"\0" * (-len(raw) % _ALIGN)
        constants += [raw, padding]
        offset += len(raw) + len(padding)
    codes = list(dict.fromkeys(d.code for d in plan.dispatches))
    place = {code: index for index, code in enumerate(codes)}
    names = {*graph.inputs, *graph.outputs, *plan.operands} & set(graph.values)
    document = {
        "inputs": graph.inputs,
        "outputs": graph.outputs,
        "kept": graph.kept,
        "values": [[v.name, v.shape, v.dtype] for v in (graph.values[name] for name in sorted(names))],
        "storages": storages,
        "codes": codes,
        "dispatches": [
            [d.node, d.kernel, place[d.code], d.reads, d.write, d.workgroups, d.tuned]
            for d in plan.dispatches
        ],
        "operands": {name: asdict(operand) for name, operand in plan.operands.items()},
        "slots": plan.slots,
        "slot_of": sorted(plan.slot_of.items()),
        "precision": prepared.precision,
        "flops": dict(prepared.flops),
    }
    header = json.dumps(document, separators=(",", ":")).encode()
    header += b" " * (-len(header) % _ALIGN)
    checksum = zlib.crc32(header)
    for chunk in constants:
        checksum = zlib.crc32(chunk, checksum)
    return [_HEAD.pack(_MAGIC, checksum, len(header)), header, *constants]


def _require(condition: bool, what: str) -> None:
    if not condition:
        raise _DamagedError(what)


def decode(data: bytes) -> Prepared:
    """The prepared session of a file's bytes.

    Raises:
        ValueError, TypeError, KeyError, IndexError, AttributeError: not as `encode` writes it.
    """
    _require(len(data) >= _HEAD.size, "too short")
    magic, checksum, length = _HEAD.unpack_from(data)
    body = memoryview(data)[_HEAD.size :]
    _require(magic == _MAGIC and length <= len(body), "another format")
    _require(zlib.crc32(body) == checksum, "its checksum is wrong")
    document = json.loads(bytes(body[:length]))
    storages = tuple(_storage(i, entry, body[length:]) for i, entry in enumerate(document["storages"]))
    codes = document["codes"]
    dispatches = tuple(
        Dispatch(
            str(node),
            str(kernel),
            str(codes[_index(code, len(codes))]),
            tuple(reads),
            write,
            _groups(groups),
            str(tuned),
        )
        for node, kernel, code, reads, write, groups, tuned in document["dispatches"]
    )
    operands = {name: _operand(entry, storages) for name, entry in document["operands"].items()}
    slots = tuple(int(size) for size in document["slots"])
    slot_of = {int(storage): int(slot) for storage, slot in document["slot_of"]}
    for dispatch in dispatches:
        for storage in (*dispatch.reads, dispatch.write):
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


def _index(value: Any, length: int) -> int:
    _require(type(value) is int and 0 <= value < length, "an index is out of range")
    return int(value)


def _groups(value: Sequence[int]) -> tuple[int, int, int]:
    x, y, z = value
    _require(all(type(n) is int and n >= 0 for n in value), "workgroups are no numbers")
    return x, y, z


def _storage(index: int, entry: Any, constants: memoryview) -> Storage:
    size, pinned, place = entry
    _require(type(size) is int and size > 0 and size % 16 == 0, "a size is wrong")
    if place is None:
        return Storage(index, size, bool(pinned))
    offset, length, dtype = place
    _require(dtype in BYTES and 0 <= length <= size, "a constant's size is wrong")
    _require(0 <= offset <= offset + length <= len(constants), "a constant is missing")
    _require(length % BYTES[dtype] == 0, "a constant's size is wrong")
    return Storage(index, size, bool(pinned), np.frombuffer(constants[offset : offset + length], dtype))


def _operand(entry: Mapping[str, Any], storages: Sequence[Storage]) -> Operand:
    operand = Operand(**{**entry, "shape": tuple(entry["shape"])})
    _require(all(type(n) is int and n >= 0 for n in operand.shape), "a shape is wrong")
    _require(operand.dtype in BYTES and operand.layout in (NCHW, NHWC), "a layout is unknown")
    is_nchw = operand.layout == NCHW
    count = int(np.prod(operand.shape, dtype=np.int64)) if is_nchw else operand.pixels * operand.stride * 4
    size = storages[_index(operand.storage, len(storages))].size
    _require(count * BYTES[operand.dtype] <= size, "a tensor is larger than its memory")
    return operand
