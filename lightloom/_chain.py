"""Chains of filters on images."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final, Self

import numpy as np
from numpy.typing import NDArray

from desktop.base.errors import FilterError, GpuError, ModelError, UsageError
from desktop.base.paths import user_cache_folder
from desktop.pipeline.chain.spec import ChainSpec
from desktop.pipeline.filters.library import FilterLibrary
from desktop.pipeline.filters.verifier import FilterVerifier
from desktop.pipeline.pipeline import Pipeline
from desktop.pipeline.running.job import Job
from desktop.pipeline.running.opening import load_analysis
from desktop.pipeline.setup.automation import automation_fault
from desktop.pipeline.setup.bundle import open_preset
from desktop.pipeline.setup.known import require_preset
from desktop.pipeline.setup.layers import layer_fault
from desktop.pipeline.setup.masks import mask_fault
from desktop.pipeline.setup.setup import Setup
from desktop.pipeline.source_pipeline import SourcePipeline
from lightloom._gpu import Gpu, GpuUser
from lightloom._images import raw_frame
from lightloom._layers import Layer, layers_of
from lightloom._sources import Frame
from lightloom._stages import AnyStage, stages_of, with_stage

if TYPE_CHECKING:
    from lightloom._images import AnyImage

_STEP: Final = 1 / 30


class Chain(GpuUser):
    """Chain of filters: call it with an image.

        with lightloom.Chain([("gaussian_blur", {"radius": 4.0}), "vignette"]) as chain:
            filtered = chain(array)

    Filters with state (such as motion trails) treat the images of successive calls as successive frames;
    `reset` clears the state.
    """

    def __init__(
        self,
        stages: Iterable[AnyStage],
        *,
        layers: Iterable[Layer] = (),
        gpu: Gpu | str | None = None,
        trust_shaders: bool = False,
    ) -> None:
        """Make a chain.

        Args:
            stages: names (see `filters`) or paths of shader files, also with values: ('vignette', {'amount': 0.5}); or each
                a `Stage`, which can have a mask, an opacity and a blend mode.
            layers: up to eight over the result, or under it, the lowest first. A video shows what is due at the
                time of the image.
            gpu: a `Gpu` to share, or part of an adapter's name; by default the best one is opened.
            trust_shaders: skip the trial of shader files in a separate process; a shader may hang a GPU.

        Raises:
            FilterError: an unknown filter or parameter, an invalid value, or an invalid filter file.
            UsageError: an invalid mask or layer, a mask that needs the network of a look, or a filter that reads audio or
                objects.
            ShaderError: WGSL that does not compile: file, line, column.
            ModelError: a network of a stage that cannot be used.
            GpuError: there is no GPU adapter.
        """
        library, chain = FilterLibrary(), ChainSpec()
        for stage in stages:
            chain = with_stage(chain, stage, library)
        setup = Setup(chain=chain, layers=layers_of(layers, library))
        self._begin(setup, library, gpu, trust_shaders)

    @classmethod
    def load(
        cls, preset: str | os.PathLike[str], *, gpu: Gpu | str | None = None, trust_shaders: bool = False
    ) -> Self:
        """Load a look: its filters, network and redaction (such as of faces) work as in the program.

        Parts that cannot be used here cause a `UserWarning`.

        Args:
            preset: name of one that comes with Lightloom or that you saved, or path of a .toml or .lightloom
                file.
            gpu: see `Chain`.
            trust_shaders: see `Chain`.

        Raises:
            PresetError: there is no such look, or it cannot be read.
            UsageError: a mask needs a network, tracking or a zone that the look does not have.
            FilterError, ShaderError, ModelError, GpuError: see `Chain`.
        """
        library = FilterLibrary()
        loaded = open_preset(require_preset(os.fspath(preset)), library)
        for note in loaded.warnings:
            warnings.warn(str(note), stacklevel=2)
        for path in loaded.shaders:
            library.take(path)
        chain = cls.__new__(cls)
        chain._begin(loaded.setup, library, gpu, trust_shaders)
        return chain

    def _begin(self, setup: Setup, library: FilterLibrary, gpu: Gpu | str | None, trusts: bool) -> None:
        if fault := mask_fault(setup, library) or automation_fault(setup, library, has_audio=False):
            raise UsageError(fault)
        if fault := layer_fault(setup, library):
            raise UsageError(fault)
        super().__init__(gpu)
        self._library = library
        self._is_closed = False
        self._time = -_STEP
        self._size: tuple[int, int] | None = None
        self.stages = stages_of(setup.chain)
        self._loader = ThreadPoolExecutor(1, thread_name_prefix="network")
        device = self.gpu._inside
        verifier = FilterVerifier(user_cache_folder() / "filters", trusts=trusts)
        self._source_pipeline = SourcePipeline(
            lambda scene, listener: Pipeline(
                device,
                library,
                wait=True,
                verifier=verifier,
                scene=scene,
                on_tracked_result=listener,
                dither=False,
            ),
            lambda network: Job(self._loader, partial(load_analysis, device, network)),
            wait=True,
        )
        try:
            self._source_pipeline.set_setup(setup)
        except BaseException:
            self.close()
            raise

    def __call__(self, image: AnyImage, time: float | None = None) -> NDArray[np.uint8]:
        """Filter one image and wait for the result.

        Args:
            image: uint8 [height, width, 3 or 4], path of an image file, or a `Frame`.
            time: its presentation time in seconds, for filters that depend on it; by default the frame's, or
                for an array 1/30 s after the previous image. A time before the last one clears the state.

        Returns:
            uint8 [height, width, 3 or 4], R'G'B' with straight alpha if the image has it. Filters may resize.

        Raises:
            UsageError: it is not an image, or the chain is closed.
            SourceError: the file is missing, not an image, or damaged.
            FilterError, ShaderError, ModelError: a stage or layer has failed; none is skipped silently.
        """
        if self._is_closed:
            raise UsageError("The chain is closed; make another one with lightloom.Chain.")
        _ = self.gpu._inside  # refuses where that is closed
        if time is None:
            time = image.time if isinstance(image, Frame) else self._time + _STEP
        frame = raw_frame(image, time)
        if isinstance(image, str | os.PathLike | Frame) and frame.pts != time:
            frame = replace(frame, pts=time)
        if time < self._time or (self._size is not None and frame.display_size != self._size):
            self.reset()
        self._time, self._size = time, frame.display_size
        self._source_pipeline.render(frame)
        self._source_pipeline.pipeline.drain()
        self._source_pipeline.pipeline.await_analysis()
        self._check()
        pending = self._source_pipeline.pipeline.export()
        if pending is None:
            raise GpuError("The GPU gave no image; try again, or choose another adapter.")
        pixels = pending.result()
        return (
            pixels if frame.format.has_alpha and _has_alpha(image) else np.ascontiguousarray(pixels[..., :3])
        )

    def _check(self) -> None:
        pipeline = self._source_pipeline.pipeline
        failure = next((each.failure for each in pipeline.chain.statuses if each.failure), "")
        if failure := failure or pipeline.layers.fault or "":
            raise FilterError(failure)
        if pipeline.analyses.error is not None:
            raise ModelError(pipeline.analyses.error)

    def export_page(
        self,
        folder: str | os.PathLike[str],
        *,
        title: str = "Lightloom",
        image_size: tuple[int, int] = (1280, 720),
    ) -> dict[str, int]:
        """Write the chain as a static page for browsers with WebGPU, on a camera, a video or an image.

        Args:
            folder: created if missing; a page exported before is replaced.
            title: of the page.
            image_size: (width, height) for networks of free size.

        Returns:
            The bytes of each file by its name in the folder.

        Raises:
            ExportError: a page does not support something in the chain, or the folder cannot be written.
        """
        from desktop.web.contents import gather
        from desktop.web.site import Site

        contents = gather(self._source_pipeline.setup, self._library, title=title, picture=image_size)
        return Site(Path(folder)).export(contents)

    def reset(self) -> None:
        """Forget the images so far: the next one begins a new video."""
        self._source_pipeline.clear_source_state()
        self._time = -_STEP

    def close(self) -> None:
        """Release its pipelines, and the GPU unless it was given one."""
        if not self._is_closed:
            self._is_closed = True
            self._source_pipeline.close()
            self._loader.shutdown()
            super().close()

    def __repr__(self) -> str:
        names = ", ".join(stage.filter for stage in self._source_pipeline.setup.chain.stages if stage.enabled)
        return f"<lightloom.Chain {names or 'of no filters'}{', closed' * self._is_closed}>"


def _has_alpha(image: AnyImage) -> bool:
    return not isinstance(image, np.ndarray) or image.shape[2] == 4
