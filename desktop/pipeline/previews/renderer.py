"""Render previews of the frame shown, a few at a time, in a submit of their own, and read them back."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
import wgpu

from desktop.base.errors import LightloomError
from desktop.compute.gpu.device import Gpu
from desktop.compute.gpu.device_watch import DeviceWatch
from desktop.compute.gpu.readback import Arrival, ReadbackRing, Slot
from desktop.compute.gpu.shader import read_shader
from desktop.compute.gpu.timing import MAX_SPANS, TIMESTAMP_BYTES, FrameTimer
from desktop.pipeline.chain.mixing import MixingFrame
from desktop.pipeline.chain.spec import ChainSpec
from desktop.pipeline.filters.frame_info import FrameInfo
from desktop.pipeline.filters.inputs import STAND_IN
from desktop.pipeline.filters.library import FilterLibrary
from desktop.pipeline.filters.stage import FilterStage, StageIO
from desktop.pipeline.masks.sources import MaskScene
from desktop.pipeline.picture.present import EXPORTED, Presenter, View
from desktop.pipeline.picture.upload import WORKING_FORMAT
from desktop.pipeline.previews.chains import PreviewChains, PreviewStage
from desktop.pipeline.previews.cost import MOST_PER_FRAME, PreviewCost

if TYPE_CHECKING:
    from desktop.pipeline.filters.verifier import FilterVerifier

log = logging.getLogger(__name__)

Size = tuple[int, int]
_WHOLE: Final = View(mode="fill")
# How long a software adapter shows a preview of a playing video before it renders it again.
_SOFTWARE_REFRESH_S: Final = 8.0


@dataclass(frozen=True)
class Preview:
    """A finished preview: uint8 [height, width, 4], R'G'B' with straight alpha."""

    key: str
    pixels: np.ndarray


@dataclass(frozen=True)
class PreviewFrame:
    """The frame to render previews of.

    Attributes:
        texture: the frame before the chain and after redaction, rgba16float.
        identity: equal for the same frame with the same areas hidden.
        pts: presentation time in seconds.
        interval_ms: time between frames; None if the frame stays.
    """

    texture: wgpu.GPUTexture
    identity: Hashable
    pts: float
    interval_ms: float | None


@dataclass(frozen=True)
class _Batch:
    """Previews in flight, in the order of their images in the slot."""

    keys: tuple[str, ...]
    size: Size
    spans: tuple[str, ...]
    begun: float
    cpu_ms: float


@dataclass(frozen=True)
class _Work:
    """A preview that can be recorded."""

    key: str
    chain: ChainSpec
    stages: Mapping[int, PreviewStage]


def preview_size(frame: Size, box: int) -> Size:
    """Return the size (width, height) of a preview in a square of `box` pixels; never larger than the
    frame.
    """
    scale = min(1.0, box / max(frame))
    return max(1, round(frame[0] * scale)), max(1, round(frame[1] * scale))


def _row_bytes(width: int) -> int:
    return (width * 4 + 255) // 256 * 256  # required by copy_texture_to_buffer


class _Canvas:
    """The textures of previews of one size: the small frame, and those that stages write."""

    def __init__(self, gpu: Gpu, size: Size, layout: wgpu.GPUBindGroupLayout) -> None:
        self.size = size
        self._gpu = gpu
        usage = wgpu.TextureUsage
        self.frame = _texture(gpu, size, WORKING_FORMAT, usage.RENDER_ATTACHMENT | usage.TEXTURE_BINDING)
        self._written: list[wgpu.GPUTexture] = []
        self.exported = _texture(gpu, size, "rgba8unorm", usage.STORAGE_BINDING | usage.COPY_SRC)
        self._nothing = _texture(gpu, (1, 1), "rgba8unorm", usage.TEXTURE_BINDING)
        self._place = gpu.buffer(8, wgpu.BufferUsage.UNIFORM | wgpu.BufferUsage.COPY_DST, "place")
        self._groups: dict[wgpu.GPUTexture, wgpu.GPUBindGroup] = {}

    def free(self, busy: Collection[wgpu.GPUTexture]) -> wgpu.GPUTexture:
        """Return a texture to write that is none of `busy`; without masks, one of two."""
        found = next((texture for texture in self._written if texture not in busy), None)
        if found is None:
            usage = wgpu.TextureUsage
            both = usage.TEXTURE_BINDING | usage.STORAGE_BINDING
            found = _texture(self._gpu, self.size, WORKING_FORMAT, both)
            self._written.append(found)
        return found

    def export_group(self, result: wgpu.GPUTexture) -> wgpu.GPUBindGroup:
        """Return the bind group that converts a chain's result for reading back."""
        if result not in self._groups:
            self._groups[result] = EXPORTED.group(
                self._gpu,
                picture=result,
                exported=self.exported,
                overlay=self._nothing,
                place=self._place,
                masks=self._nothing,
            )
        return self._groups[result]

    def close(self) -> None:
        """Release the textures."""
        for texture in (self.frame, *self._written, self.exported, self._nothing):
            texture.destroy()
        self._place.destroy()
        self._groups = {}


def _texture(gpu: Gpu, size: Size, fmt: str, usage: int) -> wgpu.GPUTexture:
    return gpu.device.create_texture(label="preview", size=(*size, 1), format=fmt, usage=usage)


class PreviewRenderer:
    """Renders requested chains on the frame shown. For the rendering thread; nothing here waits.

    Every key is rendered once for each frame, those rendered longest ago first; on a software adapter, of a
    video that plays, only some seconds after the last time. Filters are compiled on threads; a chain that is
    not ready, or that the GPU rejects, has no preview.

    Attributes:
        box: side of the square in pixels that previews fit in.
        on_arrival: called on another thread when previews have finished; must only wake the rendering thread.
    """

    def __init__(
        self, gpu: Gpu, library: FilterLibrary, *, verifier: FilterVerifier | None = None, box: int = 160
    ) -> None:
        self._gpu = gpu
        self._chains = PreviewChains(gpu, library, verifier)
        self._cost = PreviewCost(is_software=gpu.adapter.is_software)
        self._watch = DeviceWatch(gpu)
        self._timer = FrameTimer(gpu)
        self._presenter = Presenter(gpu, WORKING_FORMAT)
        self._layout = EXPORTED.layout(gpu)
        self._export = gpu.compute_pipeline(
            read_shader("present", "export.wgsl"),
            "main",
            label="export.wgsl",
            layouts=[self._layout],
            constants={"dither": 0.0},
        )
        self.box = box
        self._ring: ReadbackRing | None = None
        self._ring_box = 0
        self._canvas: _Canvas | None = None
        self.on_arrival: Callable[[], None] | None = None
        self._requested: dict[str, ChainSpec] = {}
        self._done: dict[str, Hashable] = {}  # the identity of the frame that a key was rendered for
        self._rendered: dict[str, float] = {}  # when, by `time.perf_counter`
        self._refresh_s = _SOFTWARE_REFRESH_S if gpu.adapter.is_software else 0.0
        self._identity: Hashable = None
        self._refused: dict[str, ChainSpec] = {}
        self._alone: set[str] = set()  # keys of a batch that was rejected

    # -- requests --------------------------------------------------------------------------------------------

    def request(self, chains: Mapping[str, ChainSpec]) -> None:
        """Request previews by key, the most important first; replaces the previous request."""
        for key, chain in chains.items():
            if self._requested.get(key, chain) != chain or self._refused.get(key, chain) != chain:
                self._done.pop(key, None)
                self._refused.pop(key, None)
        self._requested = dict(chains)
        self._chains.drop_oldest(chains)
        self._cost.retain(chains)

    def invalidate(self, keys: Iterable[str] | None = None) -> None:
        """Render keys, by default all, again even if the frame is the same."""
        for key in tuple(self._done) if keys is None else keys:
            self._done.pop(key, None)
        self._refused.clear()

    @property
    def unavailable(self) -> frozenset[str]:
        """The keys without a preview: their filters cannot be compiled, or the GPU rejects them."""
        return frozenset(self._refused)

    def _is_current(self, key: str, *, is_still: bool) -> bool:
        """Return whether a preview need not be rendered for the last frame."""
        if key in self._refused or key not in self._done:
            return key in self._refused
        if self._done[key] == self._identity:
            return True
        return not is_still and time.perf_counter() - self._rendered[key] < self._refresh_s

    @property
    def is_complete(self) -> bool:
        """True if every requested key was rendered for the last frame, or is refused."""
        return all(
            key in self._refused or (key in self._done and self._done[key] == self._identity)
            for key in self._requested
        )

    @property
    def are_rendered(self) -> bool:
        """True if every requested key was rendered once, of whatever frame, or is refused."""
        return all(key in self._refused or key in self._rendered for key in self._requested)

    # -- a frame ---------------------------------------------------------------------------------------------

    def render(self, frame: PreviewFrame) -> None:
        """Submit some of the previews that are missing for a frame, if the time they may use allows it.

        Raises:
            wgpu.GPUError: the device is lost.
        """
        self._identity = frame.identity
        still, begun = frame.interval_ms is None, time.perf_counter()
        if not self._requested or self._watch.is_lost():
            return
        if not self._cost.allows(begun, is_still=still):
            return
        ring = self._ready_ring()
        if ring is None:
            return
        work = self._next_work(self._cost.count(frame.interval_ms), is_still=still)
        slot = ring.take() if work else None
        if slot is None:
            return
        if not self._gpu.turns.begin_alone():
            ring.give_back(slot)
            return
        try:
            self._submit(frame, work, ring, slot, begun)
        except (wgpu.GPUError, LightloomError) as error:
            ring.give_back(slot)
            self._gpu.turns.end_alone()
            if isinstance(error, wgpu.GPUError) and self._watch.is_loss(error):
                raise
            self._reject(work, error)
        else:
            for each in work:
                self._done[each.key] = frame.identity
                self._alone.discard(each.key)

    def _ready_ring(self) -> ReadbackRing | None:
        """Return the ring for the current box, None while previews are in flight or after a failure."""
        if self._ring is not None and (self._ring.in_flight or self._ring.failed is not None):
            return None
        if self._ring is None or self._ring_box != self.box:
            if self._ring is not None:
                self._ring.close()
            size = TIMESTAMP_BYTES + MOST_PER_FRAME * _row_bytes(self.box) * self.box
            self._ring = ReadbackRing(
                self._gpu, 1, size, is_lost=self._watch.is_lost, on_finished=self._gpu.turns.end_alone
            )
            self._ring.on_arrival = self._notify
            self._ring_box = self.box
        return self._ring

    def _notify(self) -> None:
        if self.on_arrival is not None:
            self.on_arrival()

    def _next_work(self, count: int, *, is_still: bool) -> Sequence[_Work]:
        """Return up to `count` previews that are missing and compiled, those rendered longest ago first."""
        missing = [key for key in self._requested if not self._is_current(key, is_still=is_still)]
        missing.sort(key=lambda key: self._rendered.get(key, 0))
        work: list[_Work] = []
        for key in missing:
            chain = self._requested[key]
            try:
                stages = self._chains.get(key, chain)
            except (LightloomError, wgpu.GPUError):
                self._refused[key] = chain
                continue
            if stages is None or (work and key in self._alone):
                continue
            work.append(_Work(key, chain, stages))
            if len(work) == count or key in self._alone:
                break
        for each in work:
            self._rendered[each.key] = time.perf_counter()
        return work

    def _submit(
        self, frame: PreviewFrame, work: Sequence[_Work], ring: ReadbackRing, slot: Slot, begun: float
    ) -> None:
        picture = (frame.texture.width, frame.texture.height)
        canvas = self._canvas_of(preview_size(picture, self._ring_box))
        self._timer.begin_frame()
        encoder = self._gpu.command_encoder()
        span = self._timer.begin("preview")
        self._presenter.encode(
            encoder, canvas.frame, frame.texture, frame.texture, picture, _WHOLE, (), **span
        )
        self._timer.end()
        info = FrameInfo(canvas.size, frame.pts, reset=True)
        for place, each in enumerate(work):
            self._encode(encoder, each, info, canvas, canvas.size[0] / picture[0])
            self._copy(encoder, canvas, slot, place)
        self._timer.resolve(encoder, slot.buffer)
        ticket = self._gpu.submit(encoder.finish())
        now = time.perf_counter()
        spans = tuple(self._timer.names)
        keys = tuple(each.key for each in work)
        batch = _Batch(keys, canvas.size, spans, begun, (now - begun) * 1e3)
        self._cost.begin(len(work), begun)
        ring.submitted(slot, batch, TIMESTAMP_BYTES + len(work) * _image_bytes(canvas.size), ticket)

    def _canvas_of(self, size: Size) -> _Canvas:
        if self._canvas is None or self._canvas.size != size:
            if self._canvas is not None:
                self._canvas.close()
            self._canvas = _Canvas(self._gpu, size, self._layout)
        return self._canvas

    def _encode(
        self, encoder: wgpu.GPUCommandEncoder, work: _Work, info: FrameInfo, canvas: _Canvas, scale: float
    ) -> None:
        """Record a chain on the small frame, and the conversion of its result for reading back."""
        current, steps = canvas.frame, list[FilterStage]()
        mixings = (each.mixing for each in work.stages.values() if each.mixing is not None)
        read = frozenset[int]().union(*(mixing.stages_read for mixing in mixings))
        results: dict[int, wgpu.GPUTexture] = {}
        for spec in work.chain.stages:
            each = work.stages.get(spec.id)
            if each is not None:
                each.use_scale(scale)
                current = self._prepare(encoder, each, info, canvas, current, results, steps)
            if spec.id in read:
                results[spec.id] = current
        # Not a pass for each stage: beginning one costs more than such a small dispatch.
        compute_pass = encoder.begin_compute_pass(**self._timer.begin("preview"))
        for step in steps:
            step.encode(compute_pass)
        compute_pass.set_pipeline(self._export)
        compute_pass.set_bind_group(0, canvas.export_group(current))
        width, height = canvas.size
        compute_pass.dispatch_workgroups(-(-width // 8), -(-height // 8))
        compute_pass.end()
        self._timer.end()

    def _prepare(
        self,
        encoder: wgpu.GPUCommandEncoder,
        each: PreviewStage,
        info: FrameInfo,
        canvas: _Canvas,
        base: wgpu.GPUTexture,
        results: Mapping[int, wgpu.GPUTexture],
        steps: list[FilterStage],
    ) -> wgpu.GPUTexture:
        """Prepare a stage and the mixing of its result; add what is to be encoded to `steps`, and return the
        texture of the mixture. `results` are those of earlier stages that masks read.
        """
        effect = canvas.free((base, *results.values()))
        if each.mixing is None:
            self._add(encoder, each.stage, StageIO(base, canvas.frame, effect), info, steps)
            return effect
        output = canvas.free((base, effect, *results.values()))
        # Not with a reset, after which bind groups are made again: these masks have no past.
        lasting = FrameInfo(canvas.size, info.time)
        frame = MixingFrame(
            lasting,
            base,
            effect,
            canvas.frame,
            output,
            MaskScene(info.time),
            results,
            has_past=True,
            is_new=False,
        )
        mixed = each.mixing.prepare(encoder, frame)
        if mixed.outcome == "black":
            return self._chains.mask_textures.black(encoder, canvas.size)
        if mixed.outcome == "unchanged":
            return base
        steps += mixed.before
        self._add(encoder, each.stage, StageIO(base, canvas.frame, effect, mixed.mask), info, steps)
        steps += mixed.after
        return output

    @staticmethod
    def _add(
        encoder: wgpu.GPUCommandEncoder,
        stage: FilterStage,
        io: StageIO,
        info: FrameInfo,
        steps: list[FilterStage],
    ) -> None:
        stage.prepare(io, info.size, reset=False)
        stage.update(info)
        stage.set_inputs(STAND_IN)
        stage.clear(encoder)
        steps.append(stage)

    @staticmethod
    def _copy(encoder: wgpu.GPUCommandEncoder, canvas: _Canvas, slot: Slot, place: int) -> None:
        width, height = canvas.size
        encoder.copy_texture_to_buffer(
            {"texture": canvas.exported},
            {
                "buffer": slot.buffer,
                "offset": TIMESTAMP_BYTES + place * _image_bytes(canvas.size),
                "bytes_per_row": _row_bytes(width),
                "rows_per_image": height,
            },
            (width, height, 1),
        )

    def _reject(self, work: Sequence[_Work], error: Exception) -> None:
        # A recording is rejected as a whole: its previews are tried one by one.
        if len(work) == 1:
            log.warning("no preview: %s", error)
            self._refused[work[0].key] = self._requested[work[0].key]
        else:
            self._alone.update(each.key for each in work)

    # -- results ---------------------------------------------------------------------------------------------

    def take(self) -> tuple[Preview, ...]:
        """Return the previews that have finished since the last call, oldest first."""
        arrivals = self._ring.arrivals() if self._ring is not None else []
        if not arrivals:
            return ()
        begun = time.perf_counter()
        taken = tuple(preview for arrival in arrivals for preview in self._take(arrival))
        self._cost.add((time.perf_counter() - begun) * 1e3)
        return taken

    def _take(self, arrival: Arrival) -> Iterable[Preview]:
        batch: _Batch = arrival.note
        spent_ms = self._spent_ms(batch, arrival)
        self._cost.took(batch.keys, batch.begun, spent_ms)
        width, height = batch.size
        row, size = _row_bytes(width), _image_bytes(batch.size)
        data = np.frombuffer(arrival.data, np.uint8)
        for place, key in enumerate(batch.keys):
            at = TIMESTAMP_BYTES + place * size
            rows = data[at : at + size].reshape(height, row)[:, : width * 4]
            yield Preview(key, rows.reshape(height, width, 4).copy())

    def _spent_ms(self, batch: _Batch, arrival: Arrival) -> float:
        """Return the time that a batch took: recording, and on the GPU, or until it had finished if the
        adapter has no timestamps.
        """
        count = min(len(batch.spans), MAX_SPANS)
        times = self._timer.decode(batch.spans[:count], memoryview(arrival.data))
        known = [ms for ms in times if ms is not None]
        if not known:
            return (arrival.finished_at - batch.begun) * 1e3
        return batch.cpu_ms + sum(known)

    def close(self) -> None:
        """Release everything."""
        if self._watch.is_lost() and self._ring is not None:
            self._ring.failed = self._ring.failed or "device lost"
        self._chains.close()
        if self._ring is not None:
            self._ring.drain(2.0)
            self._ring.close()
        if self._canvas is not None:
            self._canvas.close()
        self._presenter.close()
        self._timer.close()
        self._watch.close()


def _image_bytes(size: Size) -> int:
    return _row_bytes(size[0]) * size[1]
