"""JSON documents about the server and its models; gRPC messages have the same fields.

https://github.com/triton-inference-server/server/blob/main/docs/protocol/extension_model_configuration.md and
extension_statistics.md
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from desktop.base.version import package_version
from desktop.serving.models import Models
from desktop.serving.served_model import PLATFORM, ServedModel
from desktop.serving.statistics import RunTimes
from desktop.serving.tensors import TensorSpec
from desktop.vision.models.served import PARAMETER

Document = dict[str, Any]


def of_server(extensions: Sequence[str]) -> Document:
    """Return name, version and extensions of the server."""
    return {"name": "lightloom", "version": package_version("lightloom"), "extensions": list(extensions)}


def of_model(model: ServedModel, versions: Sequence[str]) -> Document:
    """Return a model's inputs and outputs; `versions` are those that are served."""
    known = model.description
    return {
        "name": model.name,
        "versions": list(versions),
        "platform": f"{PLATFORM}_{known.backend}",
        "inputs": _tensors(known.inputs),
        "outputs": _tensors(known.outputs),
    }


def parameters(model: ServedModel) -> dict[str, str]:
    """Return the parameters in a model's metadata: its description for Lightloom's clients, and for others the
    input that takes encoded images and how they are prepared.
    """
    known = model.description
    found = {PARAMETER: known.served} if known.served else {}
    if known.image_input and not isinstance(known.image, str):
        found |= {"image_input": known.image_input, "image_preprocessing": known.image.describe()}
    return found


def _tensors(specs: Sequence[TensorSpec]) -> list[Document]:
    return [{"name": s.name, "datatype": s.datatype, "shape": list(s.shape)} for s in specs]


def configuration(model: ServedModel) -> Document:
    """Return a model's batching configuration; with batching, shapes omit the batch dimension."""
    known = model.description

    def sizes(spec: TensorSpec) -> Document:
        dims = spec.shape[1:] if known.max_batch else spec.shape
        return {"name": spec.name, "data_type": f"TYPE_{spec.datatype}", "dims": list(dims)}

    found: Document = {
        "name": model.name,
        "platform": f"{PLATFORM}_{known.backend}",
        "backend": known.backend,
        "max_batch_size": known.max_batch,
        "input": [sizes(spec) for spec in known.inputs],
        "output": [sizes(spec) for spec in known.outputs],
    }
    if known.max_batch:
        found["dynamic_batching"] = {"max_queue_delay_microseconds": round(model.delay_s * 1e6)}
    return found


def statistics(models: Sequence[ServedModel]) -> Document:
    """Return the statistics of some models."""
    return {"model_stats": [_counted(model) for model in models]}


def _counted(model: ServedModel) -> Document:
    figures = model.statistics.snapshot()
    return {
        "name": model.name,
        "version": model.version,
        "last_inference": round(figures.last_at * 1e3),
        "inference_count": figures.rows,
        "execution_count": figures.runs,
        "inference_stats": {
            "success": _duration(figures.requests, figures.latency_s),
            "fail": _duration(sum(figures.refused.values()), figures.refused_s),
            "queue": _duration(figures.requests, figures.queue_s),
            **_compute(figures.requests, figures.compute),
        },
        "batch_stats": [
            {"batch_size": rows, **_compute(each.runs, each.times)}
            for rows, each in sorted(figures.batches.items())
        ],
    }


def _compute(count: int, times: RunTimes) -> Document:
    return {
        "compute_input": _duration(count, times.input_s),
        "compute_infer": _duration(count, times.infer_s),
        "compute_output": _duration(count, times.output_s),
    }


def _duration(count: int, seconds: float) -> Document:
    return {"count": count, "ns": round(seconds * 1e9)}


def index(models: Models, *, ready_only: bool) -> list[Document]:
    """Return all versions, whether they are loaded, and why not.

    One that is loaded has a reason if its file or its settings were replaced by some that cannot be used.
    """
    found: list[Document] = []
    for model in models.all:
        state = "READY" if model.is_ready else "UNAVAILABLE"
        reason = models.problem(model.name, model.version) or ("" if model.is_ready else "unloaded")
        found.append({"name": model.name, "version": model.version, "state": state, "reason": reason})
    found += [
        {"name": each.name, "version": each.version, "state": "UNAVAILABLE", "reason": each.reason}
        for each in models.unserved
    ]
    return [each for each in found if each["state"] == "READY" or not ready_only]
