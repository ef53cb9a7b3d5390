"""Previews of networks: the frame with a network's result, computed one at a time beside the frames.

A thread loads the network, runs it once on the frame in a pipeline of its own, and releases it. On a software
adapter its submissions take turns with the frames (`compute/gpu/turns.py`); where the system has priorities
of threads, it has a low one.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np
import wgpu

from desktop.base.errors import LightloomError
from desktop.base.priority import yield_to_others
from desktop.compute.gpu.device import Gpu
from desktop.media.frame import RGBA, ColorInfo, Frame, Plane
from desktop.pipeline.chain.spec import ChainSpec
from desktop.pipeline.filters.library import FilterLibrary
from desktop.pipeline.picture.present import LaidOver
from desktop.pipeline.pipeline import Pipeline
from desktop.pipeline.previews.chains import needs_scene
from desktop.pipeline.previews.renderer import PreviewRenderer
from desktop.pipeline.running.analysis import Analysis
from desktop.pipeline.running.job import Job
from desktop.pipeline.running.network_spec import NetworkSpec
from desktop.pipeline.setup.setup import Setup
from desktop.pipeline.source_pipeline import SourcePipeline
from desktop.vision.tasks.shapes import Mask, Shape

if TYPE_CHECKING:
    from desktop.pipeline.filters.verifier import FilterVerifier

log = logging.getLogger(__name__)

LoadNetwork = Callable[[Gpu, NetworkSpec], Analysis]

# The longer side of the frame that networks get; a detector finds little in one of a tile's size.
_BOX: Final = 480
_FRAME: Final = "frame"
_SRGB: Final = ColorInfo("rgb", "full", "srgb", "bt709", chroma_centered=True)
# Nothing larger is loaded for a thumbnail.
_MOST_BYTES: Final = 32 << 20
# How long the next one waits, in times of what the last one took: a tenth of the time on a GPU.
_PAUSE: Final = 9.0
_SOFTWARE_PAUSE: Final = 1.0
# The gallery's other previews come first.
_FIRST_S: Final = 1.0


@dataclass(frozen=True)
class NetworkRequest:
    """What a preview shows: a chain with networks, or the network in a file as the window would use it."""

    chain: ChainSpec | None = None
    model: str = ""


@dataclass(frozen=True)
class NetworkPreview:
    """A finished preview: uint8 [height, width, 4], R'G'B' with straight alpha, and a result's shapes."""

    key: str
    pixels: np.ndarray
    shapes: tuple[Shape, ...] = ()


@dataclass(frozen=True)
class _Done:
    """What a thread reports: a preview, or None after a failure, and what it took in seconds."""

    key: str
    request: NetworkRequest
    preview: NetworkPreview | None
    seconds: float
    generation: int


class NetworkPreviews:
    """Computes requested previews of networks, each once until `invalidate`. For the rendering thread.

    Attributes:
        frames: renders the frame that the next network gets, see `needs_frame`.
        on_arrival: called on another thread when one has finished; must only wake the rendering thread.
        on_release: called when memory was released.
    """

    def __init__(
        self,
        gpu: Gpu,
        library: FilterLibrary,
        load_network: LoadNetwork,
        *,
        verifier: FilterVerifier | None = None,
        on_release: Callable[[], None] = lambda: None,
    ) -> None:
        self._gpu, self._library, self._verifier = gpu, library, verifier
        self._load_network, self._on_release = load_network, on_release
        self._is_software = gpu.adapter.is_software
        self._requested: dict[str, NetworkRequest] = {}
        self._finished: dict[str, NetworkRequest] = {}
        self._failed: set[str] = set()
        self._running = ""
        self._generation = 0
        self._next_at = time.perf_counter() + _FIRST_S
        self._arrived: deque[_Done] = deque()
        self._worker: ThreadPoolExecutor | None = None
        self._stop = threading.Event()
        self._frames: PreviewRenderer | None = None
        self.on_arrival: Callable[[], None] = lambda: None

    # -- requests --------------------------------------------------------------------------------------------

    def request(self, requests: Mapping[str, NetworkRequest]) -> None:
        """Request previews by key, the most important first; replaces the previous request."""
        self._requested = dict(requests)

    def invalidate(self) -> None:
        """Compute all again: another source is shown, or other areas are hidden."""
        self._finished.clear()
        self._failed.clear()
        self._generation += 1
        if self._frames is not None:
            # A frame that has not arrived yet is of before.
            self._frames.close()
            self._frames = None

    @property
    def unavailable(self) -> frozenset[str]:
        """The keys without a preview: their networks cannot be loaded, are too large for one, or need others."""
        return frozenset(self._failed)

    @property
    def _next(self) -> str:
        return next((key for key, each in self._requested.items() if self._finished.get(key) != each), "")

    @property
    def is_complete(self) -> bool:
        """True if every requested key was computed or cannot be."""
        return not (self._running or self._next)

    # -- frames ----------------------------------------------------------------------------------------------

    @property
    def frames(self) -> PreviewRenderer | None:
        """What renders the frame for the next network; None while none is to be computed."""
        if self._running or not self._next or time.perf_counter() < self._next_at or self._stop.is_set():
            return None
        if self._frames is None:
            self._frames = PreviewRenderer(self._gpu, self._library, box=_BOX)
            self._frames.on_arrival = lambda: self.on_arrival()
            self._frames.request({_FRAME: ChainSpec()})
        return self._frames

    def advance(self) -> None:
        """Start to compute the next one if its frame has arrived."""
        if self._frames is None or self._running:
            return
        taken, key = self._frames.take(), self._next
        if not key:
            self._release()
        if not taken or not key:
            return
        # The next network gets the frame of its time.
        self._frames.invalidate()
        if self._worker is None:
            self._worker = ThreadPoolExecutor(
                1, thread_name_prefix="preview network", initializer=yield_to_others
            )
        self._running = key
        work = partial(self._run, key, self._requested[key], taken[-1].pixels, self._generation)
        self._worker.submit(work)

    def take(self) -> tuple[NetworkPreview, ...]:
        """Return the previews that have finished since the last call."""
        taken: list[NetworkPreview] = []
        while self._arrived:
            done = self._arrived.popleft()
            self._running = ""
            pause = _SOFTWARE_PAUSE if self._is_software else _PAUSE
            self._next_at = time.perf_counter() + pause * done.seconds
            if done.generation != self._generation:
                continue  # of another source
            self._finished[done.key] = done.request
            if done.preview is None:
                self._failed.add(done.key)
            else:
                taken.append(done.preview)
            if not self._next:
                self._release()
        return tuple(taken)

    def _release(self) -> None:
        """Release what the last network needed; once for all, because collecting its memory takes time."""
        if self._frames is not None:
            self._frames.close()
            self._frames = None
            self._on_release()

    # -- on the thread ---------------------------------------------------------------------------------------

    def _run(self, key: str, request: NetworkRequest, pixels: np.ndarray, generation: int) -> None:
        begun = time.perf_counter()
        preview: NetworkPreview | None = None
        try:
            preview = self._compute(key, request, pixels)
        except (LightloomError, wgpu.GPUError, OSError) as error:
            log.info("no preview of a network: %s", error)
        except Exception:
            # A fault of ours in one network must not end the thread that makes all previews; it is logged, and
            # the tile shows that it has none.
            log.exception("a preview of a network failed")
        self._arrived.append(_Done(key, request, preview, time.perf_counter() - begun, generation))
        self.on_arrival()

    def _compute(self, key: str, request: NetworkRequest, pixels: np.ndarray) -> NetworkPreview | None:
        setup = self._setup_of(request)
        if setup is None or self._stop.is_set():
            return None
        loader = ThreadPoolExecutor(1, initializer=yield_to_others)
        made = SourcePipeline(
            lambda scene, listener: Pipeline(
                self._gpu,
                self._library,
                wait=True,
                verifier=self._verifier,
                scene=scene,
                on_tracked_result=listener,
                dither=False,
            ),
            lambda network: Job(loader, partial(self._load_network, self._gpu, network)),
            wait=True,
        )
        try:
            made.set_setup(setup)
            made.render(_frame_of(pixels))
            made.pipeline.drain()
            made.pipeline.await_analysis()
            if any(status.state == "failed" for status in made.pipeline.chain.statuses):
                return None
            result = made.pipeline.result
            shapes = tuple(result.shapes()) if result is not None else ()
            masks = tuple(shape for shape in shapes if isinstance(shape, Mask))
            pending = made.pipeline.export(LaidOver(masks=masks))
            if pending is None:
                return None
            others = tuple(shape for shape in shapes if not isinstance(shape, Mask))
            return NetworkPreview(key, pending.result(), others)
        finally:
            made.close()
            loader.shutdown(wait=True)

    def _setup_of(self, request: NetworkRequest) -> Setup | None:
        """Return the setup of a preview; None if the network is too large for one, or if a mask refers to what
        another network finds.
        """
        if not request.model:
            chain = request.chain or ChainSpec()
            return None if needs_scene(chain, self._library) else Setup(chain=chain)
        # With it comes onnx, which the window does without until there is a network.
        from desktop.pipeline.chain.network_stages import stage_for_model

        path = Path(request.model)
        if not path.is_file() or path.stat().st_size > _MOST_BYTES:
            return None
        stage = stage_for_model(path)
        if stage is None:
            return Setup(network=NetworkSpec(request.model))
        name, values = stage
        item = self._library.get(name)
        chosen = {**_SHOWN.get(name, {}), **values}
        return Setup(chain=ChainSpec().added(name, item.check(chosen)))

    def close(self) -> None:
        """Wait for the thread, and release everything."""
        self._stop.set()
        if self._worker is not None:
            self._worker.shutdown(wait=True, cancel_futures=True)
        self._release()


# Values with which a stage shows what its network finds, even in a small image.
_SHOWN: Final[Mapping[str, Mapping[str, object]]] = {"background": {"mode": "colour"}}


def _frame_of(pixels: np.ndarray) -> Frame:
    height, width = pixels.shape[:2]
    opaque = pixels.copy()
    opaque[..., 3] = 255
    return Frame((Plane(opaque, width * 4, width, height),), RGBA, width, height, _SRGB, pts=0.0)
