"""Secondary network, which reads crops of up to 16 regions of a frame.

A recorded session gets all regions as a batch or, with a batch of one, runs once per region in the same pass.
A session with host arrays runs on each existing region: on a CPU, filling a batch costs more than it saves.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
import wgpu

from desktop.base.wording import sentence
from desktop.compute.gpu.device import Gpu
from desktop.compute.gpu.readback import SLOT_BYTES
from desktop.compute.gpu.timing import TIMESTAMP_BYTES
from desktop.compute.gpu.webgpu import Record
from desktop.compute.nn.session import GpuSession, Session, SessionCapabilities, Tensor, TensorInfo
from desktop.pipeline.running.caller import Caller
from desktop.pipeline.running.description import NetworkDescription, where_of
from desktop.pipeline.running.inputs.gpu_crops import REGION_BYTES, GpuCrops, Regions
from desktop.pipeline.running.inputs.gpu_preprocess import check_input
from desktop.pipeline.running.inputs.input_view import InputView
from desktop.pipeline.running.one.head_reader import FLAG_BYTES, HeadReader
from desktop.pipeline.running.worker import CpuWorker, EachInTurn
from desktop.vision.backends.loader import LoadedSession
from desktop.vision.models.facts import ModelFacts
from desktop.vision.models.preprocess import Preprocess
from desktop.vision.tasks.common.regions import MOST_REGIONS
from desktop.vision.tasks.task import Head, RegionRule, Result, Size, Values

RESULT_BYTES: Final = SLOT_BYTES - TIMESTAMP_BYTES
# Usual number of regions, by the use of the results: points to carry over are of few objects, labels of many.
USUAL_CARRIED: Final = 4
_CROPS_BYTES: Final = 256 << 20


def fitting(head_bytes: int) -> int:
    """Return how many regions' results a frame can read back, with `head_bytes` per head and NaN flags."""
    return min(MOST_REGIONS, (RESULT_BYTES - FLAG_BYTES) // (REGION_BYTES + head_bytes + FLAG_BYTES))


def max_regions(gpu: Gpu, preprocess: Preprocess) -> int:
    """Return how many crops fit into a binding and the memory; raise ModelUnsupportedError if none."""
    each = math.prod(preprocess.shape[1:]) * 4
    check_input(gpu, each)
    room = min(gpu.limits["max-storage-buffer-binding-size"], _CROPS_BYTES)
    return max(1, min(MOST_REGIONS, room // each))


@dataclass(frozen=True)
class HostArrays:
    """Wrapper that presents any session as one for host arrays."""

    _session: Session
    inputs: tuple[TensorInfo, ...]
    outputs: tuple[TensorInfo, ...]
    backend: str
    device: str
    precision: str
    capabilities: SessionCapabilities

    @classmethod
    def of(cls, session: Session) -> Session:
        """Wrap a session; return it unchanged if it takes only host arrays."""
        if session.capabilities.recorder is None:
            return session
        return cls(
            *(session, session.inputs, session.outputs),
            *(session.backend, session.device, session.precision),
            replace(session.capabilities, recorder=None, similarity=None),
        )

    def run(self, feeds: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
        """See `Session`."""
        return self._session.run(feeds)

    def close(self) -> None:
        """See `Session`."""
        self._session.close()


class ItemSession:
    """One item of a session's batch as a session, for the head that reads this item. It cannot be run."""

    def __init__(self, session: GpuSession, item: int) -> None:
        self._session, self._item = session, item
        self.inputs = tuple(replace(info, shape=(1, *info.shape[1:])) for info in session.inputs)
        self.outputs = tuple(replace(info, shape=(1, *info.shape[1:])) for info in session.outputs)
        self.backend, self.device, self.precision = session.backend, session.device, session.precision
        self.dispatch_count = session.dispatch_count

    @property
    def capabilities(self) -> SessionCapabilities:
        """See `Session`."""
        return SessionCapabilities(recorder=self)

    def tensor(self, name: str) -> Tensor:
        """See `GpuSession`: the item's part."""
        whole = self._session.tensor(name)
        shape = (1, *whole.shape[1:])
        numbers = math.prod(shape)
        if whole.layout == "NHWC":
            numbers = numbers // shape[1] * max(whole.padded_channels, shape[1])
        offset = whole.offset + self._item * numbers * np.dtype(whole.dtype).itemsize
        return replace(whole, shape=shape, offset=offset)

    def encode(
        self, compute_pass: wgpu.GPUComputePassEncoder, start: int = 0, stop: int | None = None
    ) -> None:
        """See `GpuSession`: the whole batch."""
        self._session.encode(compute_pass, start, stop)

    def run(self, feeds: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
        """See `Session`."""
        return self._session.run(feeds)

    def close(self) -> None:
        """Do nothing: the whole session is closed by its owner."""


class CropNetwork:
    """A secondary network with its crops and heads. For the rendering thread; it may be made on another.

    Attributes:
        heads: one for each region of a recorded session, otherwise one for all.
        view: converts its input to frames while it is watched.
        items: number of regions in the last frame.
    """

    def __init__(
        self,
        gpu: Gpu,
        loaded: LoadedSession,
        preprocess: Preprocess,
        facts: ModelFacts,
        heads: Sequence[Head],
        most: int,
        notes: tuple[str, ...],
        name: str,
    ) -> None:
        """Assemble a loaded network; it owns session and heads from now on."""
        self._gpu, self._facts = gpu, facts
        self.name, self.session, self.reason = name, loaded.session, loaded.reason
        self.preprocess, self.heads, self.most, self.notes = preprocess, tuple(heads), most, notes
        self.readers = tuple(
            HeadReader(gpu, session, head)
            for session, head in zip(self._read_from(loaded.session), self.heads, strict=True)
        )
        self.regions = Regions(gpu)
        self.view: InputView | None = None
        self.caller = Caller(loaded.session)
        self.items = most
        self._inputs: list[Tensor] = []
        self._network = loaded.session.capabilities.recorder
        self._own: wgpu.GPUBuffer | None = None
        self._crops: list[GpuCrops] = []
        if self._network is not None:
            tensor = self._network.tensor(facts.input_name)
            self._batch = tensor.shape[0]
            for first in range(0, most, self._batch):
                self._crops.append(GpuCrops(gpu, preprocess, tensor, self.regions, first))
                self._inputs.append(tensor)
        else:
            shape = (most, *preprocess.shape[1:])
            size = math.prod(shape) * np.dtype(preprocess.dtype).itemsize
            usage = wgpu.BufferUsage.STORAGE | wgpu.BufferUsage.COPY_SRC
            self._own = gpu.buffer(size, usage, "regions' input")
            self._tensor = Tensor(self._own, shape, preprocess.dtype)
            # Separate, so that only existing regions are cropped; a word of the buffer has one item only.
            each = size // most
            self._batch = 1 if each % 4 == 0 else most
            for first in range(0, most, self._batch):
                part = Tensor(self._own, (self._batch, *shape[1:]), preprocess.dtype, offset=first * each)
                self._crops.append(GpuCrops(gpu, preprocess, part, self.regions, first))
                self._inputs.append(part)

    def _read_from(self, session: Session) -> Iterator[Session]:
        """Yield the session that each head reads: an item of a batch, or the only one."""
        recorded = session.capabilities.recorder
        batch = recorded.tensor(self._facts.input_name).shape[0] if recorded is not None else 1
        for item in range(len(self.heads)):
            yield ItemSession(recorded, item) if recorded is not None and batch > 1 else session

    @property
    def description(self) -> NetworkDescription:
        """Backend and reason, preprocessing, and everything that was inferred or assumed."""
        seen = sentence("Objects processed per frame, at most: {most}.", most=self.most)
        return NetworkDescription(
            where_of(self.session), self.reason, (self.preprocess.describe(), seen, *self.notes)
        )

    @property
    def size(self) -> Size:
        """(width, height) of its input."""
        return self.preprocess.width, self.preprocess.height

    @property
    def encodes(self) -> bool:
        """True if it is recorded into the frame; otherwise it takes host arrays."""
        return self._network is not None

    @property
    def carry(self) -> RegionRule | None:
        """Rule by which the region in the next frame follows from its points; None if there is none."""
        return self.heads[0].carry

    def adjust(self, values: Values) -> None:
        """Use other values of the task's live settings; see `Head`."""
        for head in self.heads:
            head.adjust(values)

    def release_texture(self, texture: wgpu.GPUTexture) -> None:
        """Release a texture that is about to be destroyed."""
        for crops in self._crops:
            crops.release_texture(texture)

    def make_view(self) -> InputView:
        """Return an object that makes frames of the crops."""
        return InputView(self._gpu, self.preprocess, self._inputs)

    def _cut(self, compute_pass: wgpu.GPUComputePassEncoder, record: Record, number: int) -> None:
        record(compute_pass)
        if self.view is not None:
            self.view.encode(compute_pass, number)

    # -- recorded --------------------------------------------------------------------------------------------

    @property
    def steps(self) -> int:
        """Steps of a recorded session for all regions: crops, dispatches and heads of each batch."""
        assert self._network is not None
        return len(self._crops) * (self._network.dispatch_count + 2)

    def bind(self, texture: wgpu.GPUTexture) -> tuple[Record, ...]:
        """Crop from `texture`; return functions that record the crops of each batch."""
        return tuple(crops.bind(texture) for crops in self._crops)

    def encode_steps(
        self,
        crops: Sequence[Record],
        compute_pass: wgpu.GPUComputePassEncoder,
        start: int,
        stop: int,
        things: int | None = None,
    ) -> None:
        """Record the steps from `start` to `stop`; with `things`, skip batches beyond that many objects."""
        assert self._network is not None
        each = self._network.dispatch_count + 2
        for number, record in enumerate(crops):
            if things is not None and number * self._batch >= things:
                break
            first, last = max(start - number * each, 0), min(stop - number * each, each)
            if first >= last:
                continue
            if first == 0:
                self._cut(compute_pass, record, number)
            if min(last, each - 1) > max(first, 1):
                self._network.encode(compute_pass, max(first, 1) - 1, min(last, each - 1) - 1)
            if last == each:
                for reader in self.readers[number * self._batch : (number + 1) * self._batch]:
                    reader.encode(compute_pass)

    @property
    def result_bytes(self) -> int:
        """Bytes that the heads leave, together."""
        return sum(reader.result_bytes for reader in self.readers)

    def copy_results(
        self, encoder: wgpu.GPUCommandEncoder, target: wgpu.GPUBuffer, offset: int, things: int
    ) -> int:
        """Record the copies of the first heads' results; return their bytes."""
        begun = offset
        for reader in self.readers[:things]:
            offset += reader.copy_result(encoder, target, offset)
        return offset - begun

    def decode(self, data: bytes | memoryview, thing: int) -> Result:
        """Return the result for one of the regions from the data of `copy_results`."""
        size = self.readers[thing].result_bytes
        return self._checked_result(
            self.readers[thing].decode(data[thing * size : (thing + 1) * size], self.size)
        )

    # -- host arrays -----------------------------------------------------------------------------------------

    def encode_crops(
        self, compute_pass: wgpu.GPUComputePassEncoder, texture: wgpu.GPUTexture, things: int
    ) -> None:
        """Record the crops of the first regions."""
        for number, crops in enumerate(self._crops[: -(-things // self._batch)]):
            self._cut(compute_pass, crops.bind(texture), number)

    def make_worker(self) -> CpuWorker:
        """Start a thread for a session with host arrays; its results are tuples, an item per region."""
        name, dtype = self._facts.input_name, self.preprocess.dtype
        return CpuWorker(self._gpu, EachInTurn(self.session), self._tensor, name, dtype, self._read)

    def _read(self, outputs: Any, note: Any) -> tuple[Result, ...]:
        return tuple(self._checked_result(self.readers[0].read(each, self.size)) for each in outputs)

    @staticmethod
    def _checked_result(found: Any) -> Result:
        assert isinstance(found, Result)
        return found

    def close(self) -> None:
        """Release everything, the session too."""
        for crops in self._crops:
            crops.close()
        for reader in self.readers:
            reader.close()
        self.regions.close()
        if self._own is not None:
            self._own.destroy()
        self.session.close()
