"""How pictures go into a network, for the page: `Preprocess`, and its shader. The taps are made there, where their size is known."""

from __future__ import annotations

from typing import Any

from desktop.compute.models.preprocess import Preprocess
from desktop.compute.nn.lowering.plan import Operand
from desktop.compute.running.gpu_preprocess import storing
from desktop.compute.tasks.common.dense import WorkingInput
from desktop.compute.web.texts import Shaders


def preprocess_table(plan: Preprocess, operand: Operand, buffer: int, shaders: Shaders) -> dict[str, Any]:
    """Return the table of what fills an input tensor.

    Args:
        plan: what to do.
        operand: the input, row-major.
        buffer: its number.
        shaders: takes the two passes.
    """
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
