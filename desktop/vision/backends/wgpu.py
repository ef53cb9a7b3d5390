"""wgpu backend: the project's engine of compute shaders on the frames' device (docs/network-engine.md)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import ExitStack
from typing import TYPE_CHECKING, Final

from desktop.base.errors import ModelError, ModelUnsupportedError, UsageError
from desktop.base.paths import user_cache_folder
from desktop.base.wording import sentence
from desktop.compute.nn.frontends.formats import NETWORKS
from desktop.compute.nn.frontends.network_file import NetworkFile
from desktop.compute.nn.session import Session
from desktop.vision.backends.backend import Backend, Capabilities, LoadRequest
from desktop.vision.models.model_file import ModelFile

if TYPE_CHECKING:
    import numpy as np

    Values = Mapping[str, np.ndarray] | None
    LoadHead = Callable[[NetworkFile, Values], Session]


def _load(model: ModelFile, request: LoadRequest) -> Session:
    if request.gpu is None:
        raise UsageError(
            sentence("The backend wgpu was chosen, but there is no GPU device; choose onnxruntime.")
        )
    # imported here, so that reading its capabilities does not load the engine
    from desktop.compute.nn.compile.cache import SessionCache
    from desktop.compute.nn.compile.dividing import let_go
    from desktop.compute.nn.lowering.tuning import load_tuning, tuning_folder
    from desktop.compute.nn.runtime.session import WgpuSession

    tuning, cache = request.tuning, request.cache
    if tuning == "user":
        tuning = load_tuning(tuning_folder(), request.gpu.adapter)
    if cache == "user":
        cache = SessionCache(user_cache_folder() / "networks")
    gpu = request.gpu

    def load(file: NetworkFile, values: Values) -> WgpuSession:
        return WgpuSession.load(
            gpu,
            file,
            precision=request.precision,
            input_shapes=request.input_shapes,
            input_values=values,
            cache=cache,
            tuning=tuning,
            real_outputs=request.real_outputs,
        )

    try:
        return load(model, request.input_values)
    except ModelUnsupportedError as error:
        refused = error
    let_go(refused)
    divided = _load_divided(model, request, load)
    if divided is None:
        raise refused
    return divided


def _load_divided(model: ModelFile, request: LoadRequest, load_head: LoadHead) -> Session | None:
    """Load a network whose part from the first value-dependent shape runs on ONNX Runtime; None without."""
    from desktop.compute.nn.compile.dividing import divide
    from desktop.compute.nn.refusals import tail_refused
    from desktop.vision.backends._divided import DividedSession
    from desktop.vision.backends.onnxruntime import OnnxRuntimeSession

    division = divide(model, input_shapes=request.input_shapes, input_values=request.input_values)
    if division is None:
        return None

    def fixed(part: NetworkFile) -> dict[str, np.ndarray]:
        names = {info.name for info in part.bare.graph.input}
        return {name: array for name, array in (request.input_values or {}).items() if name in names}

    with ExitStack() as opened:
        head = load_head(division.head, fixed(division.head))
        opened.callback(head.close)
        try:
            tail = OnnxRuntimeSession.load(
                division.tail,
                threads=request.threads,
                input_shapes=request.input_shapes,
                input_values=fixed(division.tail),
            )
        except ModelError as error:
            raise tail_refused(model.name, division.dynamic_node, error) from error
        opened.callback(tail.close)
        divided = DividedSession(head, tail, division, model.path)
        opened.pop_all()
        return divided


BACKEND: Final = Backend(
    name="wgpu",
    title="WebGPU (wgpu)",
    capabilities=Capabilities(encodes=True, devices=("gpu",), formats=NETWORKS),
    priority=200,
    load=_load,
)
