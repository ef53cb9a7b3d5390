"""Choose by the adapter how to load a network and which sample to show. Does not import Qt."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop.compute.gpu.device import AdapterInfo, Gpu
from desktop.pipeline.running.network_spec import NetworkSpec

if TYPE_CHECKING:
    from desktop.pipeline.running.analysis import Analysis
    from desktop.vision.models.open_models import OpenModels


def load_network(models: OpenModels, gpu: Gpu, spec: NetworkSpec) -> Analysis:
    """Load a network for the pipeline, reusing its open file; thread-safe. Imports onnx late: it is slow."""
    from desktop.pipeline.running.opening import load_analysis

    analysis = load_analysis(gpu, spec, models.take(spec.model))
    # A quarter of a frame at 60 FPS: slower networks spread over frames, to keep the frame rate.
    analysis.budget_ms = 4.0
    return analysis


def first_filter(adapter: AdapterInfo) -> tuple[str, dict[str, str | float]]:
    """Return the filter, with its values, for a new user's sample: a style network on a GPU.

    That would lag by seconds on a CPU adapter, which gets glowing edges: 17 ms for a 640x360 frame.
    """
    if adapter.is_software:
        return "edge_glow", {"picture": 0.25, "own_color": 0.9, "glow": 0.7}
    return "style", {"model": "style_wave"}


def sample_name(adapter: AdapterInfo) -> str:
    """Return the name of the first sample: a quarter of the pixels on a CPU adapter, for real time."""
    return "sample:640x360@30" if adapter.is_software else "sample"
