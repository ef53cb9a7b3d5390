"""Plan the web page's preprocessing; the page computes the filter taps from the image size."""

from __future__ import annotations

from typing import Any

from desktop.compute.nn.lowering.plan import Operand
from desktop.pipeline.running.inputs.gpu_preprocess import storing
from desktop.vision.models.preprocess import Preprocess
from desktop.vision.tasks.common.dense import WorkingInput
from desktop.web.texts import Shaders


def preprocess_table(plan: Preprocess, operand: Operand, buffer: int, shaders: Shaders) -> dict[str, Any]:
    """Return the table for filling a row-major input tensor; `shaders` receives the two passes."""
    return {
        "horizontal": shaders.add_file("preprocess.wgsl", entry="horizontal"),
        "vertical": shaders.add_file("preprocess.wgsl", entry="vertical"),
        "constants": storing(plan, operand.dtype),
        "buffer": buffer,
        "width": plan.width,
        "height": plan.height,
        "channels": plan.channels,
        "channelsLast": plan.layout == "NHWC",
        "resize": plan.resize,
        "crop": plan.crop,
        "interpolation": plan.interpolation,
        "surroundings": plan.surroundings,
        "rows": plan.rows,
        "inner": plan.inner if isinstance(plan, WorkingInput) else None,
    }
