"""A stage's mask on the GPU, and the mixing of its result with what it was given.

A mask is made of filters: parts (shaders/masks), which write coverage to the red channel, and steps that join and
change them (shaders/masks/steps). Their textures have the frame's size and are shared by all stages.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final, Literal

import wgpu

from desktop.base.errors import LightloomError
from desktop.pipeline.chain.building import Running, StageBuilder
from desktop.pipeline.chain.segment import Segment
from desktop.pipeline.chain.spec import StageSpec
from desktop.pipeline.filters.description import NetworkUse
from desktop.pipeline.filters.frame_info import FrameInfo
from desktop.pipeline.filters.param import Values
from desktop.pipeline.filters.stage import FilterStage, StageIO
from desktop.pipeline.masks.shapes import ShapeRenderer, ShapeTexture
from desktop.pipeline.masks.sources import NEEDS_RESULTS, SHAPE_SOURCES, Hidden, MaskScene
from desktop.pipeline.masks.spec import Attachment, MaskPart, MaskSpec
from desktop.pipeline.picture.upload import WORKING_FORMAT

if TYPE_CHECKING:
    from desktop.compute.gpu.device import Gpu
    from desktop.pipeline.filters.library import FilterLibrary
    from desktop.pipeline.masks.shapes import MaskShape
    from desktop.vision.tasks.shapes import Extents

Size = tuple[int, int]
Outcome = Literal["mixed", "unchanged", "black"]
MaskState = Literal["ready", "loading", "missing", "failed"]

_POOL: Final = 3
_MOST_BLACK: Final = 4


@dataclass(frozen=True)
class MaskStatus:
    """State of a stage's mask: 'missing' while a part is not known for the frame; `lag_ms` is by how much the
    result used is older than the frame.
    """

    state: MaskState
    message: str = ""
    lag_ms: float = 0.0


class MaskTextures:
    """Textures of frames' sizes for the making of masks. For the rendering thread."""

    def __init__(self, gpu: Gpu) -> None:
        self._gpu = gpu
        self._textures: dict[Size, list[wgpu.GPUTexture]] = {}
        self._black: dict[Size, wgpu.GPUTexture] = {}
        self._used: set[Size] = set()
        self._renderer: ShapeRenderer | None = None

    def begin_frame(self) -> None:
        """Release textures of sizes that the frame before, which was submitted, has not used."""
        for size in self._textures.keys() - self._used:
            for texture in self._textures.pop(size):
                texture.destroy()
        # A segment that rests may have a black frame as its result, so these stay for a while.
        unused = [size for size in self._black if size not in self._used]
        for size in unused[: max(0, len(self._black) - _MOST_BLACK)]:
            self._black.pop(size).destroy()
        self._used.clear()

    @property
    def renderer(self) -> ShapeRenderer:
        """The renderer of shapes; made on first use."""
        if self._renderer is None:
            self._renderer = ShapeRenderer(self._gpu)
        return self._renderer

    def get(self, size: Size, number: int) -> wgpu.GPUTexture:
        """Return one of _POOL textures of a size."""
        self._used.add(size)
        textures = self._textures.setdefault(size, [])
        while len(textures) <= number:
            textures.append(self.make(size, f"mask {len(textures)}"))
        return textures[number]

    def make(self, size: Size, label: str, more: int = 0) -> wgpu.GPUTexture:
        """Return a new texture of the chain's format, for the caller to destroy."""
        usage = wgpu.TextureUsage
        kinds = usage.TEXTURE_BINDING | usage.STORAGE_BINDING | usage.COPY_SRC | usage.COPY_DST | more
        return self._gpu.device.create_texture(
            label=label, size=(*size, 1), format=WORKING_FORMAT, usage=kinds
        )

    def black(self, encoder: wgpu.GPUCommandEncoder, size: Size) -> wgpu.GPUTexture:
        """Return an opaque black texture; its clearing is recorded with each call."""
        self._used.add(size)
        if size not in self._black:
            self._black[size] = self.make(size, "black frame", wgpu.TextureUsage.RENDER_ATTACHMENT)
        # Each time: commands that were recorded before may not have been submitted.
        target = {"view": self._black[size].create_view(), "load_op": "clear", "store_op": "store"}
        encoder.begin_render_pass(color_attachments=[{**target, "clear_value": (0, 0, 0, 1)}]).end()
        return self._black[size]

    def close(self) -> None:
        """Release everything."""
        self._used.clear()
        self.begin_frame()
        for texture in self._black.values():
            texture.destroy()
        self._black.clear()
        if self._renderer is not None:
            self._renderer.close()
        self._renderer = None


@dataclass(frozen=True)
class MixingFrame:
    """A frame for a mixing.

    Attributes:
        info: of the frame; `info.size` is that of the effect's result.
        base, effect: what the stage was given, and its result.
        original: the frame before the chain.
        output: where the mixture goes.
        scene: what parts of masks refer to.
        stages: results of earlier stages by their ids, where a mask reads one.
        has_past: False where the mask's temporal state is void.
        is_new: not shown before; a repaint has the results of its own frame.
    """

    info: FrameInfo
    base: wgpu.GPUTexture
    effect: wgpu.GPUTexture
    original: wgpu.GPUTexture
    output: wgpu.GPUTexture
    scene: MaskScene
    stages: Mapping[int, wgpu.GPUTexture]
    has_past: bool
    is_new: bool


@dataclass
class _Part:
    """A part of a mask: its filter, the steps that move and join it, and what is known of it."""

    spec: MaskPart
    coverage: Running
    join: Running
    move: Running | None = None  # moves a late mask of a network to the frame
    shapes: ShapeTexture | None = None
    last_shapes: tuple[MaskShape, ...] | None = None
    last_place: Extents | None = None

    @property
    def source(self) -> str:
        """The source of the texture that its filter is given; '' for none."""
        requested = self.coverage.requested
        return requested.given.source if requested is not None and requested.given is not None else ""

    @property
    def runnings(self) -> tuple[Running, ...]:
        """Its filters."""
        return (self.coverage, *((self.move,) if self.move is not None else ()), self.join)


@dataclass
class _Made:
    """The stages that make a mask, in order, and the texture that has it in the end."""

    stages: list[FilterStage] = field(default_factory=list)
    mask: wgpu.GPUTexture | None = None


@dataclass(frozen=True)
class PreparedMixing:
    """Mixing of a stage's result with its input.

    Attributes:
        outcome: what becomes of the frame; only with 'mixed' there is anything to encode.
        before, after: stages to encode before and after the effect.
        mask: the mask that the effect itself reads; None for the whole frame.
    """

    outcome: Outcome
    before: tuple[FilterStage, ...] = ()
    after: tuple[FilterStage, ...] = ()
    mask: wgpu.GPUTexture | None = None


class StageMixing:
    """Makes a stage's mask and mixes its result in. For the rendering thread."""

    def __init__(self, builder: StageBuilder, library: FilterLibrary, textures: MaskTextures) -> None:
        self._builder, self._library, self._textures = builder, library, textures
        self._spec = MaskSpec()
        self._parts: list[_Part] = []
        self._steps: dict[str, Running] = {}
        self.last: tuple[Segment | None, int] = (None, -1)  # where and in which frame it ran last
        self._composite: Running | None = None
        self._is_read = False
        self.status = MaskStatus("loading")

    # -- what is wanted --------------------------------------------------------------------------------------

    def set_spec(self, spec: StageSpec) -> None:
        """Apply the mask, opacity and blend mode of a stage."""
        mask = self._spec = spec.mask or MaskSpec()
        values: Values = {"opacity": spec.opacity, "blend": spec.blend}
        # `masked` and `inverted` are set for each frame.
        self._composite = self._step(self._composite, "composite", {**values, "masked": False})
        self._set_parts(mask)
        item = self._library.filters.get(spec.filter)
        self._is_read = item is not None and "mask" in item.inputs
        used = {"grow": mask.grow != 0.0, "feather": mask.feather > 0.0, "refine": mask.refine}
        for name, is_used in used.items():
            # An automated amount may be 0 for a while; building the step again takes longer than a frame.
            is_needed = is_used or f"mask.{name}" in spec.automation
            known = self._steps.get(name)
            if is_needed:
                amounts: Values = {} if name == "refine" else {name: getattr(mask, name)}
                self._steps[name] = self._step(known, name, amounts)
            elif known is not None:
                self._builder.release(self._steps.pop(name))
        # Else the composite inverts it.
        if self._is_read and mask.inverted and mask.parts:
            inverting: Values = {"join": "add", "inverted": True, "first": True}
            self._steps["join"] = self._step(self._steps.get("join"), "join", inverting)
        elif "join" in self._steps:
            self._builder.release(self._steps.pop("join"))

    def _step(self, known: Running | None, name: str, values: Values) -> Running:
        spec = StageSpec(0, name, values)
        running = known or Running(spec)
        if known is not None:
            self._builder.update(known, spec)
        self._builder.find(running, self._library.mask_steps.__getitem__)
        return running

    def _set_parts(self, mask: MaskSpec) -> None:
        before, self._parts = self._parts, []
        for index, part in enumerate(mask.parts):
            known = before[index] if index < len(before) and before[index].spec.kind == part.kind else None
            self._parts.append(self._part(known, part, index))
        kept = set(map(id, self._parts))
        for old in before:
            if id(old) not in kept:
                self._release(old)

    def _part(self, known: _Part | None, part: MaskPart, index: int) -> _Part:
        spec = StageSpec(0, part.kind, self._values(part))
        moved = part.attachment is not None
        joining: Values = {"join": part.join, "inverted": part.inverted, "first": index == 0, "moved": moved}
        if known is None:
            made = _Part(part, Running(spec, shares_network=True), self._step(None, "join", joining))
        else:
            made = known
            self._builder.update(made.coverage, spec)
            made.join = self._step(made.join, "join", joining)
            if made.spec.attachment != part.attachment:
                made.last_place = None
            if made.spec.values != part.values:
                made.last_shapes = None
            made.spec = part
        self._builder.find(made.coverage, self._library.mask)
        if spec.values.get(self._timing(part)) == NetworkUse.MOVED:
            made.move = self._step(made.move, "move", {})
        elif made.move is not None:
            self._builder.release(made.move)
            made.move = None
        return made

    def _timing(self, part: MaskPart) -> str:
        """Return the name of the parameter that says what becomes of a late mask; '' if its kind has none."""
        kind = self._library.masks.get(part.kind)
        return kind.network.timing if kind is not None and kind.network is not None else ""

    def _values(self, part: MaskPart) -> Values:
        values = dict(part.values)
        if part.stage is not None:
            # The stage's id, which may be any number; its filter is given the result itself.
            del values["stage"]
        timing = self._timing(part)
        if self._spec.hides and timing:
            # A mask of an earlier frame would show what has moved since.
            values[timing] = NetworkUse.IN_STEP
        return values

    @property
    def runnings(self) -> Iterator[Running]:
        """All filters in use."""
        if self._composite is not None:
            yield self._composite
        for part in self._parts:
            yield from part.runnings
        yield from self._steps.values()

    @property
    def networks(self) -> Iterator[Running]:
        """The parts with a network."""
        return (part.coverage for part in self._parts if part.coverage.feed is not None)

    @property
    def hides(self) -> bool:
        """True if nothing may be shown without the effect; see `MaskSpec.hides`."""
        return self._spec.hides

    @property
    def needs_results(self) -> bool:
        """True if a part refers to results of the analysis network."""
        return any(part.source in NEEDS_RESULTS or part.spec.attachment is not None for part in self._parts)

    @property
    def stages_read(self) -> frozenset[int]:
        """The ids of the stages whose results its parts read."""
        return frozenset(part.spec.stage for part in self._parts if part.spec.stage is not None)

    # -- a frame ---------------------------------------------------------------------------------------------

    def prepare(self, encoder: wgpu.GPUCommandEncoder, frame: MixingFrame) -> PreparedMixing:
        """Prepare a frame's mixing. An effect that reads its mask is mixed in by its opacity and mode alone.

        Raise LightloomError or wgpu.GPUError if it cannot be made.
        """
        composite = self._composite
        if composite is None or composite.stage is None or composite.failed:
            has_failed = composite is not None and composite.failed
            message = composite.message if composite is not None else ""
            self.status = MaskStatus("failed" if has_failed else "loading", message)
            return PreparedMixing("black" if self.hides else "unchanged")
        if not self._parts:
            self.status = MaskStatus("ready")
        made = self._make_mask(encoder, frame) if self._parts else _Made()
        if made is None:
            if self._spec.if_missing == "black":
                return PreparedMixing("black")
            if self._spec.if_missing == "last":
                return PreparedMixing("unchanged")
            made = _Made()
        before, mask = (tuple(made.stages), made.mask) if self._is_read else ((), None)
        if self._is_read:
            made = _Made()
        values = {**composite.stage.program.spec.defaults, **composite.spec.values}
        masked = made.mask is not None
        composite.stage.set_values({**values, "masked": masked, "inverted": self._spec.inverted})
        self._add(made, composite, StageIO(frame.base, frame.effect, frame.output, made.mask), frame, encoder)
        return PreparedMixing("mixed", before, tuple(made.stages), mask)

    def _make_mask(self, encoder: wgpu.GPUCommandEncoder, frame: MixingFrame) -> _Made | None:
        """Return the stages that make the mask; None if it is missing."""
        made = _Made()
        self.status = MaskStatus("ready", lag_ms=self._lag_ms(frame) if frame.is_new else 0.0)
        for part in self._parts:
            if not self._add_part(made, part, encoder, frame):
                self.status = self._status_of(part)
                return None
        for name in ("grow", "refine", "feather", "join"):
            step = self._steps.get(name)
            if step is None:
                continue
            if step.stage is None or step.failed:
                self.status = MaskStatus("failed" if step.failed else "loading", step.message)
                return None
            assert made.mask is not None
            output = self._free(frame.info.size, made.mask)
            self._add(made, step, StageIO(made.mask, frame.original, output), frame, encoder)
            made.mask = output
        return made

    def _add_part(
        self, made: _Made, part: _Part, encoder: wgpu.GPUCommandEncoder, frame: MixingFrame
    ) -> bool:
        coverage, size = part.coverage, frame.info.size
        if any(running.stage is None or running.failed for running in part.runnings):
            return False
        assert coverage.stage is not None
        given: wgpu.GPUTexture | None = None
        if part.source == "stage":
            given = frame.stages.get(part.spec.stage) if part.spec.stage is not None else None
            if given is None:
                return False
        elif part.source:
            given = self._draw_shapes(part, encoder, frame)
            if given is None:
                return False
        if coverage.feed is not None:
            if coverage.feed.texture is None:
                return False
            coverage.stage.set_network(
                coverage.feed.texture, coverage.feed.channels, coverage.feed.source_texture
            )
        if part.spec.attachment is not None and not self._move(part, part.spec.attachment, frame.scene):
            return False
        before = made.mask
        busy = () if before is None else (before,)
        output = self._free(size, *busy)
        self._add(made, coverage, StageIO(frame.base, frame.original, output, given), frame, encoder)
        source = coverage.feed.source_texture if coverage.feed is not None else None
        if part.move is not None and source is not None:
            late, output = output, self._free(size, output, *busy)
            self._add(made, part.move, StageIO(late, frame.original, output, source), frame, encoder)
        is_alone = before is None and part.spec.join == "add"
        if is_alone and not part.spec.inverted and part.spec.attachment is None:
            made.mask = output
            return True
        joined = self._free(size, output, *busy)
        self._add(made, part.join, StageIO(output, frame.original, joined, before), frame, encoder)
        made.mask = joined
        return True

    def _add(
        self,
        made: _Made,
        running: Running,
        io: StageIO,
        frame: MixingFrame,
        encoder: wgpu.GPUCommandEncoder,
    ) -> None:
        stage = running.stage
        assert stage is not None
        has_past = not running.note_network() and frame.has_past
        info = frame.info if has_past else replace(frame.info, reset=True)
        stage.prepare(io, info.size, info.reset)
        stage.update(info)
        stage.clear(encoder)
        made.stages.append(stage)

    def _free(self, size: Size, *busy: wgpu.GPUTexture) -> wgpu.GPUTexture:
        taken = {id(texture) for texture in busy}
        textures = (self._textures.get(size, number) for number in range(_POOL))
        return next(texture for texture in textures if id(texture) not in taken)

    def _draw_shapes(
        self, part: _Part, encoder: wgpu.GPUCommandEncoder, frame: MixingFrame
    ) -> wgpu.GPUTexture | None:
        assert part.coverage.requested is not None
        values = part.coverage.requested.defaults | dict(part.spec.values)
        found = SHAPE_SOURCES[part.source](values, frame.scene, self._hidden_by(part.spec))
        if found is None and self.hides:
            return None
        shapes = part.last_shapes if found is None else found
        part.last_shapes = shapes
        if shapes is None:
            return None
        if part.shapes is None:
            part.shapes = ShapeTexture(self._textures.renderer)
        return part.shapes.draw(encoder, shapes, frame.info.size)

    def _hidden_by(self, part: MaskPart) -> Hidden:
        """Return which side of a part's shapes must be hidden, if any."""
        if not self.hides:
            return "nothing"
        # With an even number of inversions the effect is where the shapes are.
        is_turned = part.inverted ^ self._spec.inverted ^ (part.join == "subtract")
        return "rest" if is_turned else "covered"

    def _move(self, part: _Part, attachment: Attachment, scene: MaskScene) -> bool:
        """Have a part's join move it with its object; return False if the object's place is not known."""
        place = scene.place_of(attachment.identity, hides=self.hides)
        if place is None and (self.hides or part.last_place is None):
            return False
        place = part.last_place if place is None else place
        part.last_place = place
        assert place is not None and part.join.stage is not None
        left, top, right, bottom = attachment.extents
        across = max((place[2] - place[0]) / max(right - left, 1e-6), 1e-6)
        down = max((place[3] - place[1]) / max(bottom - top, 1e-6), 1e-6)
        moved = {"left": place[0] - across * left, "top": place[1] - down * top, "across": across}
        stage = part.join.stage
        values = {**stage.program.spec.defaults, **part.join.spec.values, **moved, "down": down}
        try:
            stage.set_values(stage.program.spec.check(values))
        except LightloomError:
            return False  # so far away, or so small, that its place is as good as unknown
        return True

    def _lag_ms(self, frame: MixingFrame) -> float:
        lags = [frame.scene.lag_s * 1e3] if self.needs_results else []
        for running in self.networks:
            source = running.feed.source if running.feed is not None and running.feed.is_moved else None
            report = running.feed.report if running.feed is not None else None
            if source is not None:
                lags.append(max(0.0, frame.scene.pts - source.pts) * 1e3)
            elif report is not None and report.latency_ms is not None and not report.in_step:
                lags.append(report.latency_ms)
        return max(lags, default=0.0)

    @staticmethod
    def _status_of(part: _Part) -> MaskStatus:
        for running in part.runnings:
            if running.failed:
                return MaskStatus("failed", running.message)
            if running.stage is None:
                return MaskStatus("loading")
        feed = part.coverage.feed
        if feed is not None and feed.texture is None:
            return MaskStatus("loading")
        return MaskStatus("missing")

    def void(self) -> None:
        """Note that what was recorded last was not submitted."""
        for part in self._parts:
            if part.shapes is not None:
                part.shapes.void()

    # -- release ---------------------------------------------------------------------------------------------

    def _release(self, part: _Part) -> None:
        for running in part.runnings:
            self._builder.release(running)
        if part.shapes is not None:
            part.shapes.close()

    def close(self) -> None:
        """Release everything but the shared textures."""
        for part in self._parts:
            self._release(part)
        for running in (*self._steps.values(), *([self._composite] if self._composite is not None else [])):
            self._builder.release(running)
        self._parts.clear()
        self._steps.clear()
        self._composite = None


SceneAt = Callable[[float], MaskScene]
"""Presentation time of a frame in seconds -> what its masks refer to."""
