"""Networks: from a file to typed results."""

from __future__ import annotations

import os
import time
import warnings
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, cast

from numpy.typing import NDArray

from desktop.base.errors import LightloomError, ModelUnsupportedError, UsageError
from desktop.base.plugins import loaded
from desktop.compute.nn.session import Precision
from desktop.pipeline.running.one.loading import load_network
from desktop.pipeline.running.one.picture_network import BoundPicture, PictureNetwork
from desktop.vision.backends.loader import load_session
from desktop.vision.models.builtin import builtin_models
from desktop.vision.models.findings import sentence_of
from desktop.vision.models.model_file import ModelFile
from desktop.vision.models.preprocess import choose_preprocess
from desktop.vision.tasks import recognize, task_named, the_task
from desktop.vision.tasks.common.dense import StageTask
from desktop.vision.tasks.common.maps import input_channels
from desktop.vision.tasks.common.prompted import PromptedTask
from desktop.vision.tasks.task import FrameResult, Head, Size
from lightloom._gpu import Gpu, GpuUser, Tensor
from lightloom._images import texture_of
from lightloom._maps import MapNetworks
from lightloom._read import input_of, typed

if TYPE_CHECKING:
    from lightloom._images import AnyImage
    from lightloom._results import Input

Decode = Callable[[Mapping[str, NDArray[Any]], "Input"], Any]


class BoundTexture:
    """A texture that a network reads; `encode` records one inference on its current content."""

    def __init__(self, bound: BoundPicture) -> None:
        self._bound = bound

    @property
    def size(self) -> tuple[int, int]:
        """(width, height) of the texture."""
        return self._bound.size

    def encode(self, compute_pass: Any) -> None:
        """Record inference into an open `wgpu.GPUComputePassEncoder`; later dispatches can read the outputs."""
        self._bound.encode(compute_pass)


class Network(GpuUser):
    """A loaded network: call it with an image. See `lightloom.load`."""

    def __init__(
        self, inside: ResultNetworks | MapNetworks, gpu: Gpu, *, owns_gpu: bool, decode: Decode | None
    ) -> None:
        super().__init__(gpu)
        self._owns_gpu = owns_gpu
        self._inside = inside
        self._decode = decode
        self._is_closed = False

    @property
    def name(self) -> str:
        """Name of its file."""
        return self._inside.name

    @property
    def task(self) -> str:
        """Task: 'classification', 'detection', 'depth', ...; '' with `decode`."""
        return self._inside.task

    @property
    def labels(self) -> tuple[str, ...]:
        """Names of its classes; empty where it has none."""
        return self._inside.labels

    @property
    def backend(self) -> str:
        """Backend that computes it: 'wgpu', 'onnxruntime', ..."""
        return self._last.session.backend

    @property
    def device(self) -> str:
        """The adapter or execution provider that computes it."""
        return self._last.session.device

    @property
    def precision(self) -> str:
        """'fp32', 'fp16' or 'int8': the arithmetic precision."""
        return self._last.session.precision

    @property
    def description(self) -> str:
        """Backend and reason for its choice, preprocessing, and what was inferred; one fact per line."""
        return str(self._last.describe())

    @property
    def notes(self) -> tuple[str, ...]:
        """Sentences on what was inferred from the file; overridden by `load` arguments or a sidecar file."""
        return tuple(map(str, self._last.notes))

    @property
    def inputs(self) -> dict[str, tuple[int, ...]]:
        """Shapes of the inputs by name."""
        return {info.name: info.shape for info in self._last.session.inputs}

    @property
    def outputs(self) -> dict[str, tuple[int, ...]]:
        """Shapes of the outputs by name."""
        return {info.name: info.shape for info in self._last.session.outputs}

    @property
    def _last(self) -> PictureNetwork:
        self._check_open()
        return self._inside.last

    def _check_open(self) -> None:
        if self._is_closed:
            raise UsageError(f"The network {self.name} is closed; load it again with lightloom.load.")

    def __call__(self, image: AnyImage) -> Any:
        """Run it on one image and wait for the result.

        Args:
            image: uint8 [height, width, 3 or 4] (R'G'B'; alpha is ignored), the path of an image file, or a
                `Frame`. Of any size: it is resized as the network needs, on the GPU.

        Returns:
            `Classification`, `Detections`, `Keypoints`, `Mask`, `Segmentation`, `Depth`, `Image` or
                `Likeness`, by `task`; with `decode` its return value.

        Raises:
            UsageError: it is not an image, or the network is closed.
            SourceError: the file is missing, not an image, or damaged.
            ModelError: inference failed.
        """
        self._check_open()
        began = time.perf_counter()
        if self._decode is not None:
            outputs, placed = self._run(image)
            return self._decode(outputs, placed)
        with texture_of(self.gpu._inside, image) as texture:
            if isinstance(self._inside, MapNetworks):
                return self._inside.result(texture, began)
            size = (texture.width, texture.height)
            network = self._inside.fitting(size)
            try:
                return typed(network.analyze_texture(texture), size, began)
            finally:
                network.release_texture(texture)

    def run(self, image: AnyImage) -> dict[str, NDArray[Any]]:
        """Run it on one image and return its raw outputs by name.

        Args:
            image: see `__call__`.

        Raises:
            UsageError, SourceError, ModelError: see `__call__`.
        """
        return self._run(image)[0]

    def _run(self, image: AnyImage) -> tuple[dict[str, NDArray[Any]], Input]:
        self._check_open()
        device = self.gpu._inside
        with texture_of(device, image) as texture:
            size = (texture.width, texture.height)
            network = self._inside.fitting(size)
            bound = network.bind(texture)
            device.compute(bound.encode_input)
            given = network.read_input()
            network.release_texture(texture)
            return dict(network.compute(given)), input_of(network.preprocess, size)

    def bind(self, texture: Any) -> BoundTexture:
        """Bind a `wgpu.GPUTexture` of this network's GPU as its image, to record inference yourself.

            bound = network.bind(texture)
            encoder = network.gpu.device.create_command_encoder()
            compute_pass = encoder.begin_compute_pass()
            bound.encode(compute_pass)   # then dispatches of your own, which read network.tensor(name).buffer
            compute_pass.end()
            network.gpu.queue.submit([encoder.finish()])

        Args:
            texture: R'G'B' in 0..1, TEXTURE_BINDING, any size; some networks are rebuilt for a new size.

        Raises:
            ModelUnsupportedError: the network's backend does not use this GPU.
        """
        self._check_on_gpu()
        network = self._inside.fitting((texture.width, texture.height))
        return BoundTexture(network.bind(texture))

    def tensor(self, name: str) -> Tensor:
        """Return an input or output by its name, on the GPU; see `inputs` and `outputs`.

        Raises:
            ModelUnsupportedError: the network's backend does not use this GPU.
            ModelError: it has no input or output of that name.
        """
        self._check_on_gpu()
        recorded = self._last.session.capabilities.recorder
        assert recorded is not None
        found = recorded.tensor(name)
        return Tensor(
            found.buffer, found.shape, found.dtype, found.layout, found.padded_channels, found.offset
        )

    def _check_on_gpu(self) -> None:
        if self._last.session.capabilities.recorder is None:
            raise ModelUnsupportedError(
                f"{self.name} is computed by {self.backend}, whose tensors are not in buffers of the GPU; "
                "load it with backend='wgpu'."
            )

    def close(self) -> None:
        """Release the network, and the GPU unless it was given one."""
        if not self._is_closed:
            self._is_closed = True
            self._inside.close()
            super().close()

    def __repr__(self) -> str:
        if self._is_closed:
            return f"<lightloom.Network {self.name}, closed>"
        return f"<lightloom.Network {self.name}: {self.task or 'custom'}, {self.backend} on {self.device}, {self.precision}>"


class ResultNetworks:
    """A network whose results are data: loaded once, or for each orientation of images if its input turns.

    Attributes:
        name: of the file.
        task: id of its task; '' with a head that reads nothing.
        labels: class names.
        last: the one that was loaded or used last.
    """

    def __init__(self, load_for: Callable[[bool], PictureNetwork]) -> None:
        """Load it for landscape; `load_for` takes whether images are higher than wide."""
        self._load_for = load_for
        self.last = load_for(False)
        self._by_orientation = {False: self.last}
        self.name = self.last.name
        self.task, self.labels = self.last.head.features.task, self.last.head.features.labels

    def fitting(self, size: Size) -> PictureNetwork:
        """Return the network for images of a size (width, height); raise ModelError if it cannot be loaded."""
        is_portrait = self.last.turns and size[1] > size[0]
        if is_portrait not in self._by_orientation:
            self._by_orientation[is_portrait] = self._load_for(is_portrait)
        self.last = self._by_orientation[is_portrait]
        return self.last

    def close(self) -> None:
        """Release both."""
        for network in self._by_orientation.values():
            network.close()


class _Unread(Head):
    """Head of a network whose outputs are decoded by the caller: it reads nothing."""

    def encode(self, compute_pass: Any) -> None:
        """Record nothing."""

    def decode(self, data: bytes | memoryview, size: Size) -> FrameResult:
        """Return an empty result."""
        return FrameResult()

    def read(self, outputs: Mapping[str, NDArray[Any]], size: Size) -> FrameResult:
        """Return an empty result."""
        return FrameResult()

    def close(self) -> None:
        """There is nothing to release."""


def models() -> dict[str, str]:
    """Return the networks that come with Lightloom: their names, which `load` accepts, and their titles."""
    return {name: str(model.title) for name, model in builtin_models().items()}


def load(
    model: str | os.PathLike[str],
    *,
    task: str = "",
    backend: str = "auto",
    device: str = "auto",
    precision: str = "auto",
    gpu: Gpu | str | None = None,
    preprocess: Mapping[str, Any] | None = None,
    decode: Decode | None = None,
    **settings: Any,
) -> Network:
    """Load a network.

        with lightloom.load("detector", score=0.4) as network:
            detections = network("street.jpg")

    Facts that the file does not state (task, output layout, input range and colors) are inferred;
    `Network.notes` lists them.

    Args:
        model: name of a bundled network (see `models`), or the path of an .onnx or .tflite file.
        task: its task, if the file does not show it: 'classification', 'detection', 'key_points', 'mask',
            'depth', ...
        backend: 'auto', 'wgpu' (any GPU), 'onnxruntime', ...; 'auto' takes wgpu on a GPU and ONNX Runtime
            without one.
        device: one of the backend's devices, as `lightloom devices` lists them.
        precision: 'auto', 'fp32' or 'fp16'.
        gpu: a `Gpu` to share, or part of an adapter's name; by default the best one is opened.
        preprocess: facts about the input, overriding inferred ones: 'width', 'height', 'colors' ('RGB',
            'BGR', 'GRAY'), 'scale' ('0..1', '-1..1', '0..255'), 'mean', 'std', 'resize' ('crop', 'letterbox',
            'stretch'). With 'scale' alone, mean is 0 and std 1.
        decode: called with the outputs by name and an `Input`; its return value is the network's result. For
            networks unknown to Lightloom.
        settings: of the task: 'score', 'iou' and 'tiles' of detectors, 'classes' (names), 'top' of classifiers,
            'decoder', 'likeness', ...

    Raises:
        ModelInvalidError: there is no such network, or the file cannot be read.
        ModelUnsupportedError: no backend supports it, or its task is unknown.
        AmbiguousNetworkError: it may be for several tasks; specify `task` or the setting `decoder`.
        UsageError: an unknown setting, or an invalid value.
        GpuError: there is no GPU adapter.
    """
    if precision not in ("auto", "fp32", "fp16"):
        raise UsageError(f"The precision is '{precision}'; choose auto, fp32 or fp16.")
    for name, why in loaded().failures.items():
        warnings.warn(f"The plug-in '{name}' is left out: {why}", stacklevel=2)
    owner = GpuUser(gpu)
    try:
        file = ModelFile.find(os.fspath(model))
        preprocess = _complete_range(preprocess, file)
        if decode is not None:
            _refuse(settings, "a network with 'decode'")
            inside: ResultNetworks | MapNetworks = ResultNetworks(
                lambda _: _load_unread(owner.gpu, file, backend, device, precision, preprocess)
            )
        elif (stage := _stage_task(file, task)) is not None:
            _refuse(settings, f"the task '{stage.id}'")
            if preprocess:
                raise UsageError(
                    f"'preprocess' is not for the task '{stage.id}'; say it in a sidecar file instead."
                )
            inside = MapNetworks(owner.gpu._inside, file, stage, backend, device, precision)
        else:
            used = owner.gpu._inside
            inside = ResultNetworks(
                lambda is_portrait: load_network(
                    used,
                    file,
                    task,
                    settings=settings,
                    backend=backend,
                    precision=cast(Precision, precision),
                    device=device,
                    preset=preprocess,
                    is_portrait=is_portrait,
                )
            )
            _check_settings(inside, settings)
        return Network(inside, owner.gpu, owns_gpu=owner._owns_gpu, decode=decode)
    except BaseException:
        owner.close()
        raise


def _stage_task(file: ModelFile, wanted: str) -> StageTask | None:
    """Return the task of a network that outputs a map or an image; None for one whose result is data."""
    found = task_named(wanted) if wanted else None
    if found is not None and found.id == "pixel_classes":
        found = the_task("mask")
    if not wanted:
        recognized = recognize(file)
        found = recognized.task if recognized is not None else None
    if isinstance(found, PromptedTask):
        raise ModelUnsupportedError(
            f"{file.name} answers to points and boxes that somebody gives, which the library does not "
            "offer yet; "
            "use the command 'lightloom segment'."
        )
    if not isinstance(found, StageTask):
        return None
    if found.inputs > 1 or found.denoises:
        raise ModelUnsupportedError(
            f"{file.name} ({str(found.title).lower()}) is not for single images; use it in a chain: "
            f"lightloom.Chain([('{found.stage(file)}', {{'model': path}})])."
        )
    return found


def _complete_range(preprocess: Mapping[str, Any] | None, file: ModelFile) -> Mapping[str, Any] | None:
    """Return the stated preprocessing; a stated range replaces an assumed mean and deviation."""
    if preprocess is None or "scale" not in preprocess:
        return preprocess
    channels = max(1, input_channels(file.facts))
    return {"mean": (0.0,) * channels, "std": (1.0,) * channels, **preprocess}


def _load_unread(
    gpu: Gpu, file: ModelFile, backend: str, device: str, precision: str, preprocess: Mapping[str, Any] | None
) -> PictureNetwork:
    plan, findings = choose_preprocess(file.path, file.facts, preprocess)
    shapes = {file.facts.input_name: plan.shape} if file.facts.leaves_sizes_open else None
    loaded = load_session(
        file,
        gpu=gpu._inside,
        backend=backend,
        precision=cast(Precision, precision),
        device=device,
        input_shapes=shapes,
        real_outputs=True,
    )
    try:
        notes = tuple(map(sentence_of, findings))
        return PictureNetwork(gpu._inside, loaded, plan, file.facts, _Unread(), notes, file.name)
    except LightloomError:
        loaded.session.close()
        raise


def _refuse(settings: Mapping[str, Any], what: str) -> None:
    if settings:
        raise UsageError(f"There is no setting '{next(iter(settings))}' for {what}; leave it out.")


def _check_settings(network: ResultNetworks, settings: Mapping[str, Any]) -> None:
    """Raise for a setting that the task does not have; the network is closed then."""
    task = the_task(network.task)
    known = [setting.name for setting in task.settings]
    unknown = next((name for name in settings if name not in known), None)
    if unknown is not None:
        network.close()
        raise UsageError(
            f"There is no setting '{unknown}' for the task '{task.id}'; there are {', '.join(known)}."
        )
