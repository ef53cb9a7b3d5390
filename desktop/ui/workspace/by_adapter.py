"""Choose how to load a network and which sample to show, by the adapter. Free of Qt: the start-up thread imports it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop.compute.gpu.device import AdapterInfo, Gpu
from desktop.pipeline.running.network_spec import NetworkSpec

if TYPE_CHECKING:
    from desktop.pipeline.running.analysis import Analysis
    from desktop.vision.models.open_models import OpenModels


def load_network(models: OpenModels, gpu: Gpu, spec: NetworkSpec) -> Analysis:
    """Load a network for the pipeline, reusing its open file if there is one; callable from any thread.

    onnx and onnxruntime are imported only here: they take half a second.
    """
    from desktop.pipeline.running.opening import load_analysis

    analysis = load_analysis(gpu, spec, models.take(spec.model))
    # A quarter of a frame at 60 FPS: a network that takes longer spreads over frames, and the picture keeps its rate.
    analysis.budget_ms = 4.0
    return analysis


def first_filter(adapter: AdapterInfo) -> tuple[str, dict[str, str | float]]:
    """Return the filter, with its values, that a new user's sample is shown through, next to the unfiltered
    frame.

    On a GPU this is a style network. On a CPU adapter that would lag by seconds; glowing edges take 17 ms
    there on a frame of 640x360 (halftone 16, oil paint 31, cartoon 92), so that the sample plays at its full
    rate.
    """
    if adapter.is_software:
        return "edge_glow", {"picture": 0.25, "own_color": 0.9, "glow": 0.7}
    return "style", {"model": "style_glass"}


def sample_name(adapter: AdapterInfo) -> str:
    """Return the name of the sample to start with: a CPU adapter gets a quarter of the pixels, which it shows in real time."""
    return "sample:640x360@30" if adapter.is_software else "sample"
