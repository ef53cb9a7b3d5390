"""The project's own engine: networks as compute shaders on the frames' own device (docs/network-engine.md)."""

from __future__ import annotations

from typing import Final

from desktop.compute.backends.backend import Backend, Capabilities, LoadRequest
from desktop.compute.models.model_file import ModelFile
from desktop.compute.nn.frontends.formats import NETWORKS
from desktop.compute.nn.session import Session
from desktop.errors import UsageError
from desktop.paths import user_cache_folder
from desktop.wording import sentence


def _load(model: ModelFile, request: LoadRequest) -> Session:
    if request.gpu is None:
        raise UsageError(
            sentence("The backend wgpu was chosen, but there is no GPU device; choose onnxruntime.")
        )
    # Imported here: whoever only asks what it can do need not load the engine.
    from desktop.compute.nn.compile.cache import SessionCache
    from desktop.compute.nn.lowering.tuning import load_tuning, tuning_folder
    from desktop.compute.nn.runtime.session import WgpuSession

    tuning, cache = request.tuning, request.cache
    if tuning == "user":
        tuning = load_tuning(tuning_folder(), request.gpu.adapter)
    if cache == "user":
        cache = SessionCache(user_cache_folder() / "networks")
    return WgpuSession.load(
        request.gpu,
        model,
        precision=request.precision,
        input_shapes=request.input_shapes,
        input_values=request.input_values,
        cache=cache,
        tuning=tuning,
        real_outputs=request.real_outputs,
    )


BACKEND: Final = Backend(
    name="wgpu",
    title="WebGPU (wgpu)",
    capabilities=Capabilities(encodes=True, devices=("gpu",), formats=NETWORKS),
    priority=200,
    load=_load,
)
