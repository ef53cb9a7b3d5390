"""Stages of previews: which stages a preview can have, their values at its size, and their compilation."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Iterable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final, Literal

import wgpu

from desktop.base.errors import FilterError, LightloomError
from desktop.compute.gpu.device import Gpu
from desktop.pipeline.chain.building import StageBuilder
from desktop.pipeline.chain.mixing import MaskTextures, StageMixing
from desktop.pipeline.chain.spec import ChainSpec, StageSpec
from desktop.pipeline.filters.description import Filter
from desktop.pipeline.filters.library import FilterLibrary
from desktop.pipeline.filters.param import NumberParam, Values
from desktop.pipeline.filters.stage import FilterStage, compile_filter
from desktop.pipeline.masks.sources import NEEDS_RESULTS
from desktop.pipeline.masks.spec import MaskSpec

if TYPE_CHECKING:
    from desktop.pipeline.filters.verifier import FilterVerifier

log = logging.getLogger(__name__)

# Compiled chains that are kept; beyond these, the least recently used are released.
_MOST: Final = 192

Obstacle = Literal["", "unknown", "network", "past", "file"]
"""Reason why a chain has no preview of its own: a filter or a kind of mask that is not in the library, one with
a network or a mask of what the analysis network finds, a filter that needs earlier frames, or one without the
file it reads. '' for none.
"""


def needs_scene(chain: ChainSpec, library: FilterLibrary) -> bool:
    """Return whether a mask of a stage that is on refers to detected or tracked objects, or to zones."""
    masks = (stage.mask for stage in chain.stages if stage.enabled and stage.mask is not None)
    return any(_mask_needs_scene(mask, library) for mask in masks)


def _mask_needs_scene(mask: MaskSpec, library: FilterLibrary) -> bool:
    known = [library.masks[part.kind] for part in mask.parts if part.kind in library.masks]
    sources = {item.given.source for item in known if item.given is not None}
    return bool(sources & {*NEEDS_RESULTS, "zone"}) or any(part.attachment for part in mask.parts)


def _obstacle_of_mask(mask: MaskSpec, library: FilterLibrary) -> Obstacle:
    if any(part.kind not in library.masks for part in mask.parts):
        return "unknown"
    has_network = any(library.masks[part.kind].network is not None for part in mask.parts)
    return "network" if has_network or _mask_needs_scene(mask, library) else ""


def _obstacle_of_stage(stage: StageSpec, library: FilterLibrary) -> Obstacle:
    item = library.filters.get(stage.filter)
    if item is None:
        return "unknown"
    of_mask = _obstacle_of_mask(stage.mask, library) if stage.mask is not None else ""
    if of_mask or item.network is not None:
        return of_mask or "network"
    if any(texture.persistent for texture in item.textures):
        return "past"
    values = item.defaults | dict(stage.values)
    return "file" if any(not values[param.name] for param in item.file_textures) else ""


def preview_stages(chain: ChainSpec, library: FilterLibrary) -> tuple[StageSpec, ...]:
    """Return the stages that a preview renders: those that are on and have no obstacle."""
    return tuple(s for s in chain.stages if s.enabled and not _obstacle_of_stage(s, library))


def obstacle_of(chain: ChainSpec, library: FilterLibrary) -> Obstacle:
    """Return why a chain has no preview.

    An unknown filter or a network changes the image too much to be left out. Stages that need earlier frames
    or a file would show the frame unchanged, and are left out unless nothing else remains.
    """
    found = [_obstacle_of_stage(stage, library) for stage in chain.stages if stage.enabled]
    for decisive in ("unknown", "network"):
        if decisive in found:
            return decisive
    return found[0] if found and all(found) else ""


def preview_values(item: Filter, values: Values, scale: float) -> Values:
    """Return checked values with lengths in pixels of the frame converted to pixels of a preview.

    A parameter in px is multiplied by `scale` (the preview's width over the frame's) and kept in its bounds.
    Kernels of a fixed size, as that of Sobel, are not scaled: in a preview they cover more of the image.
    """
    lengths = [p for p in item.params if isinstance(p, NumberParam) and p.unit == "px"]
    scaled = dict(values)
    for param in lengths:
        value = scaled[param.name]
        assert isinstance(value, (int, float))
        length = min(max(value * scale, param.min), param.max)
        scaled[param.name] = round(length) if isinstance(value, int) else length
    return scaled


@dataclass(frozen=True)
class PreviewStage:
    """A compiled stage of a preview, its checked values at the frame's size, and what mixes its result in."""

    stage: FilterStage
    values: Values
    mixing: StageMixing | None = None

    def use_scale(self, scale: float) -> None:
        """Set the values of a preview whose width is `scale` times the frame's."""
        self.stage.set_values(preview_values(self.stage.program.spec, self.values, scale))


@dataclass
class _Entry:
    """A chain of the cache: what it is compiled from, and the compilation.

    `mixings`: by the id of the stage; a builder compiles them.
    """

    chain: ChainSpec
    items: tuple[Filter, ...]
    making: Future[tuple[PreviewStage, ...]]
    mixings: Mapping[int, StageMixing]
    stop: threading.Event = field(default_factory=threading.Event)

    def abandon(self) -> None:
        """Stop the compilation and release its result."""
        self.stop.set()
        if not self.making.cancel():
            self.making.add_done_callback(_close_stages)
        for mixing in self.mixings.values():
            mixing.close()


def _close_stages(making: Future[tuple[PreviewStage, ...]]) -> None:
    if not making.cancelled() and making.exception() is None:
        for each in making.result():
            each.stage.close()


class PreviewChains:
    """Compiles the chains of previews on threads, and keeps them. For the rendering thread.

    `mask_textures`: shared by the masks of all previews.
    """

    def __init__(self, gpu: Gpu, library: FilterLibrary, verifier: FilterVerifier | None) -> None:
        """Start empty; `verifier` tries untrusted filters before they are compiled; None: no check."""
        self._gpu, self._library, self._verifier = gpu, library, verifier
        self._compiler = ThreadPoolExecutor(1, thread_name_prefix="compile previews")
        # On a thread of their own, because trying one may take a minute.
        self._untrusted_compiler = ThreadPoolExecutor(1, thread_name_prefix="compile untrusted previews")
        self._builder = StageBuilder(gpu, wait=False)
        self.mask_textures = MaskTextures(gpu)
        self._entries: dict[str, _Entry] = {}

    def get(self, key: str, chain: ChainSpec) -> Mapping[int, PreviewStage] | None:
        """Return a chain's stages by id, or None while they are compiled, which the first call starts.

        Raises:
            LightloomError, wgpu.GPUError: it cannot be compiled.
        """
        entry = self._entries.pop(key, None)
        stages = preview_stages(chain, self._library)
        items = tuple(self._library.filters[stage.filter] for stage in stages)
        if entry is not None and (entry.chain != chain or entry.items != items):
            entry.abandon()
            entry = None
        if entry is None:
            entry = self._begin(chain, stages, items)
        self._entries[key] = entry  # the last one used
        is_mixed = self._collect(entry)
        if not (is_mixed and entry.making.done()):
            return None
        built = zip(stages, entry.making.result(), strict=True)
        return {spec.id: replace(each, mixing=entry.mixings.get(spec.id)) for spec, each in built}

    def _collect(self, entry: _Entry) -> bool:
        """Take over what was compiled for the mixings; return whether that is all.

        Raise FilterError if one cannot be compiled.
        """
        runnings = [running for mixing in entry.mixings.values() for running in mixing.runnings]
        for running in runnings:
            self._builder.collect(running)
            if running.failed:
                raise FilterError(running.message)
        return all(running.stage is not None for running in runnings)

    def _begin(self, chain: ChainSpec, stages: tuple[StageSpec, ...], items: tuple[Filter, ...]) -> _Entry:
        stop = threading.Event()
        trusted = all(item.builtin for item in items)
        compiler = self._compiler if trusted else self._untrusted_compiler
        mixings = {stage.id: self._mixing_of(stage) for stage in stages if stage.is_mixed}
        return _Entry(chain, items, compiler.submit(self._build, stages, items, stop), mixings, stop)

    def _mixing_of(self, stage: StageSpec) -> StageMixing:
        mixing = StageMixing(self._builder, self._library, self.mask_textures)
        mixing.set_spec(stage)
        return mixing

    def _build(
        self, stages: tuple[StageSpec, ...], items: tuple[Filter, ...], stop: threading.Event
    ) -> tuple[PreviewStage, ...]:
        built: list[PreviewStage] = []
        try:
            for spec, item in zip(stages, items, strict=True):
                if self._verifier is not None:
                    self._verifier.check(self._gpu.adapter, item, stop)
                names = {param.name for param in item.params}
                values = item.check({name: v for name, v in spec.values.items() if name in names})
                program = compile_filter(self._gpu, item, time.perf_counter)
                built.append(PreviewStage(FilterStage(program, values), values))
        except (LightloomError, wgpu.GPUError) as error:
            log.info("no preview: %s", error)
            for each in built:
                each.stage.close()
            raise
        return tuple(built)

    def drop_oldest(self, needed: Iterable[str]) -> None:
        """Release the least recently used chains beyond the cache's limit, except those of `needed`."""
        kept = set(needed)
        for key in [key for key in self._entries if key not in kept]:
            if len(self._entries) <= _MOST:
                return
            self._entries.pop(key).abandon()

    def close(self) -> None:
        """Release everything."""
        for entry in self._entries.values():
            entry.stop.set()
        # Before anything is released: Dawn crashes if another thread uses a lost device meanwhile.
        for compiler in (self._compiler, self._untrusted_compiler):
            compiler.shutdown(wait=True, cancel_futures=True)
        self._builder.close()
        for entry in self._entries.values():
            entry.abandon()
        self._entries.clear()
        self.mask_textures.close()
