"""Scopes of the frames that a pipeline renders, within their submits, and read back without waiting."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import wgpu

from desktop.compute.gpu.device import Gpu
from desktop.compute.gpu.readback import ReadbackRing, Slot
from desktop.compute.gpu.timing import FrameTimer
from desktop.media.conversion import WORKING_FORMAT
from desktop.pipeline.scopes.passes import ScopePasses, read_magnified, read_picked, read_scopes, step_for
from desktop.pipeline.scopes.values import MagnifiedPixels, Magnifier, PickedColor, ScopesSpec, ScopeValues

_INTERVAL_S: Final = 0.1


@dataclass(frozen=True)
class _Counted:
    """Contents of the buffers: the request, the image's size, and the step between counted rows."""

    spec: ScopesSpec
    size: tuple[int, int]
    step: int

    @property
    def has_vectorscope(self) -> bool:
        return "vectorscope" in self.spec.kinds

    @property
    def has_waveform(self) -> bool:
        return not self.spec.kinds.isdisjoint(("waveform", "parade"))


@dataclass(frozen=True)
class _Note:
    """Contents of a slot, and the generation of images that they belong to."""

    generation: int
    counted: _Counted | None
    picked: tuple[float, float] | None
    magnifier: Magnifier | None
    magnified_size: tuple[int, int]


class ScopeWatch:
    """Records what a `ScopesSpec` requests, at most ten times a second. For the rendering thread.

    After a stage every frame is counted, since the next stage overwrites the texture, and only the copy is
    limited; source and result stay, and are counted when a copy is due. Of a stage whose pixels are magnified a
    copy stays, so that the position can move over a paused frame.

    Attributes:
        values, picked, magnified: the newest ones; None before the first.
    """

    def __init__(self, gpu: Gpu, is_lost: Callable[[], bool]) -> None:
        """Compile the passes; nothing is recorded until `use`."""
        self._gpu, self._passes = gpu, ScopePasses(gpu)
        self._ring = ReadbackRing(gpu, slots=2, size=ScopePasses.BYTES, is_lost=is_lost)
        self._spec = ScopesSpec()
        self._slot: Slot | None = None
        self._note: _Note | None = None
        self._used = 0
        # Until their frame has finished: then the map needs no waiting poll, which would hold up submissions.
        self._awaited: deque[tuple[int, Slot, _Note, int]] = deque()
        self._counted: _Counted | None = None  # in the buffers, not yet copied
        self._is_stale = self._is_picked_stale = self._is_magnified_stale = False
        self._stage_image: wgpu.GPUTexture | None = None
        self._is_sampled = False  # the values shown have left rows out
        self._due_at = 0.0
        self._generation = 0
        self.values: ScopeValues | None = None
        self.picked: PickedColor | None = None
        self.magnified: MagnifiedPixels | None = None

    @property
    def spec(self) -> ScopesSpec:
        """The current request."""
        return self._spec

    def use(self, spec: ScopesSpec) -> None:
        """Change the request."""
        before, self._spec = self._spec, spec
        if (before.kinds, before.point) != (spec.kinds, spec.point):
            self._is_stale, self._counted, self._due_at = bool(spec.kinds), None, 0.0
            # What is in flight answers the request before.
            self._generation += 1
            self._is_picked_stale = True
        if before.point != spec.point or not spec.kinds:
            self.values = None
        self._is_picked_stale |= before.picked != spec.picked
        self._is_picked_stale &= spec.picked is not None
        if spec.picked is None:
            self.picked = None
        self._is_magnified_stale |= before.magnifier != spec.magnifier
        if spec.magnifier is None or self.magnified is None or self.magnified.point != spec.magnifier.point:
            self.magnified = None
        if before.magnified_stage != spec.magnified_stage:
            self._drop_stage_image()

    def set_listener(self, on_arrival: Callable[[], None] | None) -> None:
        """Set what is called on another thread when values have arrived."""
        self._ring.on_arrival = on_arrival

    def void(self) -> None:
        """Drop all values, and those in flight: another source, or more of the frame is hidden."""
        self._generation += 1
        self._counted = self.values = self.picked = self.magnified = None

    def _drop_stage_image(self) -> None:
        if self._stage_image is not None:
            self._stage_image.destroy()
        self._stage_image = None

    # -- each frame ------------------------------------------------------------------------------------------

    def count_stage(
        self, encoder: wgpu.GPUCommandEncoder, picture: wgpu.GPUTexture, timer: FrameTimer
    ) -> None:
        """Record the counting of the image after the wanted stage."""
        self._count(encoder, picture, timer, step_for((picture.width, picture.height)))
        self._is_stale = False

    def store_stage(self, encoder: wgpu.GPUCommandEncoder, picture: wgpu.GPUTexture) -> None:
        """Record the copy of the image after the stage whose pixels are magnified."""
        size = (picture.width, picture.height, 1)
        kept = self._stage_image
        if kept is None or (kept.width, kept.height) != size[:2]:
            self._drop_stage_image()
            usage = wgpu.TextureUsage.COPY_DST | wgpu.TextureUsage.TEXTURE_BINDING
            self._stage_image = self._gpu.device.create_texture(
                label="magnified stage", size=size, format=WORKING_FORMAT, usage=usage
            )
        encoder.copy_texture_to_texture({"texture": picture}, {"texture": self._stage_image}, size)

    def _count(
        self, encoder: wgpu.GPUCommandEncoder, picture: wgpu.GPUTexture, timer: FrameTimer, step: int
    ) -> None:
        self._counted = _Counted(self._spec, (picture.width, picture.height), step)
        span = timer.begin("scopes")
        self._passes.encode(
            encoder, picture, step, vectorscope=self._counted.has_vectorscope, span=dict(span)
        )
        timer.end()

    def encode(
        self,
        encoder: wgpu.GPUCommandEncoder,
        source: wgpu.GPUTexture,
        result: wgpu.GPUTexture,
        timer: FrameTimer,
        *,
        changed: bool,
        rests: bool,
    ) -> None:
        """Record what is due of a frame; `changed`: it is not the one before; `rests`: it stays."""
        spec = self._spec
        self._is_picked_stale |= changed and spec.picked is not None
        self._is_magnified_stale |= changed and spec.magnifier is not None
        self._is_stale |= changed and bool(spec.kinds) and spec.stage is None
        if not self._wants(rests=rests):
            return
        # A slot left by a refused frame is used again.
        self._slot = self._slot or self._ring.take()
        if self._slot is None:
            return
        if self._counts(rests=rests):
            picture = source if spec.point == "source" else result
            self._count(encoder, picture, timer, 1 if rests else step_for((picture.width, picture.height)))
            self._is_stale = False
        is_due = time.perf_counter() >= self._due_at
        counted = self._counted if is_due else None
        at = spec.picked if self._is_pick_due else None
        if at is not None:
            self._passes.pick(encoder, source, result, at)
        magnifier = spec.magnifier if self._is_magnifying_due else None
        size = (0, 0)
        if magnifier is not None:
            image = source if magnifier.point == "source" else result
            image = self._stage_image if spec.magnified_stage is not None else image
            assert image is not None
            size = (image.width, image.height)
            self._passes.magnify(encoder, image, magnifier)
        self._used = self._passes.copy(
            encoder,
            self._slot.buffer,
            picked=at is not None,
            magnified=magnifier is not None,
            histogram=counted is not None,
            vectorscope=counted is not None and counted.has_vectorscope,
            waveform=counted is not None and counted.has_waveform,
        )
        self._note = _Note(self._generation, counted, at, magnifier, size)
        if magnifier is not None:
            self._is_magnified_stale = False
        if at is not None:
            self._is_picked_stale = False
        if counted is not None:
            self._counted = None
            self._is_sampled = counted.step > 1
        self._due_at = time.perf_counter() + _INTERVAL_S

    def _counts(self, *, rests: bool) -> bool:
        """True if source or result is to be counted now."""
        spec = self._spec
        if not spec.kinds or spec.stage is not None or time.perf_counter() < self._due_at:
            return False
        return self._is_stale or (rests and self._is_sampled)

    def _wants(self, *, rests: bool) -> bool:
        is_ready = self._counted is not None and time.perf_counter() >= self._due_at
        return self._is_pick_due or self._is_magnifying_due or is_ready or self._counts(rests=rests)

    @property
    def _is_pick_due(self) -> bool:
        return self._is_picked_stale and time.perf_counter() >= self._due_at

    @property
    def _is_magnifying_due(self) -> bool:
        spec = self._spec
        if spec.magnifier is None or (spec.magnified_stage is not None and self._stage_image is None):
            return False
        return self._is_magnified_stale and time.perf_counter() >= self._due_at

    @property
    def wants_frames(self) -> bool:
        """True if a repaint of a frame that stays would bring something."""
        return self._wants(rests=True) and not self._ring.is_full

    def submitted(self, frame: int) -> None:
        """Record that the pipeline's frame of this number was submitted."""
        if self._slot is None or self._note is None:
            return
        slot, note, self._slot, self._note = self._slot, self._note, None, None
        self._awaited.append((frame, slot, note, self._used))

    def poll(self, finished: int) -> None:
        """Begin to read what frames up to the number `finished` have left, and accept what was read."""
        while self._awaited and self._awaited[0][0] <= finished:
            _, slot, contents, used = self._awaited.popleft()
            self._ring.submitted(slot, contents, used)
        for arrival in self._ring.arrivals():
            note: _Note = arrival.note
            if note.generation != self._generation:
                continue
            counted, spec = note.counted, self._spec
            if note.picked is not None and spec.picked is not None:
                self.picked = read_picked(arrival.data, note.picked)
            magnifier = note.magnifier
            if (
                magnifier is not None
                and spec.magnifier is not None
                and spec.magnifier.point == magnifier.point
            ):
                self.magnified = read_magnified(
                    arrival.data, magnifier, note.magnified_size, picked=note.picked is not None
                )
            if counted is not None:
                self.values = read_scopes(
                    arrival.data,
                    counted.spec.point,
                    counted.size,
                    counted.step,
                    picked=note.picked is not None,
                    magnified=magnifier is not None,
                    vectorscope=counted.has_vectorscope,
                    waveform=counted.has_waveform,
                )

    def close(self, *, is_lost: bool = False) -> None:
        """Release everything; after a device loss without waiting for what is in flight."""
        if is_lost:
            self._ring.failed = self._ring.failed or "device lost"
        self._ring.close()
        self._passes.close()
        self._drop_stage_image()
