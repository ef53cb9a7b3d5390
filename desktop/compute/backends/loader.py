"""Which backend computes a network, and why. The reason is always shown; an explicit choice is never replaced."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from desktop.compute.gpu.device import Gpu
from desktop.compute.nn.session import Backend, Precision, Session
from desktop.errors import ModelError, ModelUnsupportedError, UsageError
from desktop.paths import user_cache_folder
from desktop.wording import sentence

if TYPE_CHECKING:
    from desktop.compute.nn.compile.cache import SessionCache  # imports onnx
    from desktop.compute.nn.lowering.tuning import Tuning


@dataclass(frozen=True)
class LoadedSession:
    """A session and, in one sentence for the user, why it has the backend that it has."""

    session: Session
    reason: str


def load_session(
    path: str | os.PathLike[str],
    *,
    gpu: Gpu | None,
    backend: Backend = "auto",
    precision: Precision = "auto",
    threads: int | None = None,
    input_shapes: Mapping[str, Sequence[int]] | None = None,
    cache: SessionCache | Literal["user"] | None = "user",
    tuning: Tuning | Literal["user"] | None = "user",
) -> LoadedSession:
    """Load a network on the backend that suits this machine, or on the one that is asked for.

    Args:
        path: an ONNX file.
        gpu: the device for the wgpu backend; None leaves only onnxruntime.
        backend: 'auto' takes wgpu on a GPU and onnxruntime on a software adapter, and onnxruntime also for a model that the
            wgpu engine does not take (the reason then lists what stood in the way). 'wgpu' and 'onnxruntime' are taken as said.
        precision: see the backends' `load`.
        threads: threads of onnxruntime; its default leaves half of the cores free.
        input_shapes: shapes for inputs with free dimensions, by the inputs' names.
        cache: where the wgpu backend keeps prepared networks: 'user' for the user's own cache folder, None for nowhere.
        tuning: kernels chosen by measuring: 'user' for what `lightloom model tune` found on this adapter, None for the rules'.

    Raises:
        ModelInvalidError: not a readable ONNX model.
        ModelUnsupportedError: the chosen backend (with 'auto': neither) takes the model.
        UsageError: an unknown backend, or wgpu without a device.
    """
    path = Path(path)

    def ort() -> Session:
        return _on_onnxruntime(path, precision, threads, input_shapes)

    def own() -> Session:
        if gpu is None:
            raise UsageError(
                sentence("The backend wgpu was chosen, but there is no GPU device; choose onnxruntime.")
            )
        return _on_wgpu(gpu, path, precision, input_shapes, cache, tuning)

    if backend == "onnxruntime":
        return LoadedSession(ort(), sentence("onnxruntime was chosen by the user."))
    if backend == "wgpu":
        return LoadedSession(own(), sentence("wgpu was chosen by the user."))
    if backend != "auto":
        raise UsageError(
            sentence("There is no backend '{backend}'; choose auto, wgpu or onnxruntime.", backend=backend)
        )
    if gpu is None:
        return LoadedSession(ort(), sentence("there is no GPU device."))
    if gpu.adapter.is_software:
        return _automatic_on_software(gpu, path, own, ort)
    return _automatic_on_gpu(gpu, path, own, ort)


def _automatic_on_software(
    gpu: Gpu, path: Path, own: Callable[[], Session], ort: Callable[[], Session]
) -> LoadedSession:
    try:
        session = ort()
    except ModelUnsupportedError as refused:
        reason = sentence(
            "wgpu on a software adapter (slow), because onnxruntime does not take the model: {refused}",
            refused=refused,
        )
        try:
            return LoadedSession(own(), reason)
        except ModelError as error:
            raise _neither(path, error) from error
    return LoadedSession(session, sentence("{name} is a software adapter.", name=gpu.adapter.name))


def _automatic_on_gpu(
    gpu: Gpu, path: Path, own: Callable[[], Session], ort: Callable[[], Session]
) -> LoadedSession:
    try:
        return LoadedSession(own(), sentence("{name} is a GPU.", name=gpu.adapter.name))
    except ModelUnsupportedError as refused:
        reason = sentence(
            "onnxruntime on the CPU, because the wgpu engine does not take the model: {refused}",
            refused=refused,
        )
        try:
            return LoadedSession(ort(), reason)
        except ModelError as error:
            raise _neither(path, refused) from error


def _neither(path: Path, refused: ModelError) -> ModelUnsupportedError:
    """What to say where no backend takes a network; with wgpu's reason, which names the operators, not onnxruntime's."""
    reason = str(refused).rstrip(".").rpartition(" cannot run on wgpu: ")[2]
    return ModelUnsupportedError(
        sentence(
            "{name} runs neither on wgpu nor on onnxruntime; choose another network ({reason}).",
            name=path.name,
            reason=reason,
        ),
        getattr(refused, "reasons", ()),
    )


def _on_wgpu(
    gpu: Gpu,
    path: Path,
    precision: Precision,
    input_shapes: Mapping[str, Sequence[int]] | None,
    cache: SessionCache | Literal["user"] | None,
    tuning: Tuning | Literal["user"] | None,
) -> Session:
    # Imported here: a machine that runs onnxruntime only need not load the engine.
    from desktop.compute.nn.compile.cache import SessionCache
    from desktop.compute.nn.lowering.tuning import load_tuning, tuning_folder
    from desktop.compute.nn.runtime.session import WgpuSession

    if tuning == "user":
        tuning = load_tuning(tuning_folder(), gpu.adapter)
    if cache == "user":
        cache = SessionCache(user_cache_folder() / "networks")
    return WgpuSession.load(
        gpu, path, precision=precision, input_shapes=input_shapes, cache=cache, tuning=tuning
    )


def _on_onnxruntime(
    path: Path, precision: Precision, threads: int | None, input_shapes: Mapping[str, Sequence[int]] | None
) -> Session:
    from desktop.compute.backends.onnxruntime import OnnxRuntimeSession

    return OnnxRuntimeSession.load(path, precision=precision, threads=threads, input_shapes=input_shapes)
