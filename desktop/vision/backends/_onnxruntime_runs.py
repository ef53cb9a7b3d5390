"""Runs of ONNX Runtime on a device with its own memory: the copies to and from it are timed, and the operators it computes are counted."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from desktop.compute.nn.session import RunTimes


def run_bound(
    session: Any, feeds: Mapping[str, np.ndarray], outputs: Sequence[str], memory: str
) -> tuple[dict[str, np.ndarray], RunTimes]:
    """Run a session with inputs and outputs in a device's memory; return the outputs and the times of copies and computation.

    Uses "I/O Binding" of ONNX Runtime's documentation: `run` copies too, but does not report the time.
    """
    import onnxruntime

    binding = session.io_binding()
    began = time.perf_counter()
    for name, array in feeds.items():
        binding.bind_ortvalue_input(name, onnxruntime.OrtValue.ortvalue_from_numpy(array, memory, 0))
    for name in outputs:
        binding.bind_output(name, memory)
    binding.synchronize_inputs()
    uploaded = time.perf_counter()
    session.run_with_iobinding(binding)
    binding.synchronize_outputs()
    computed = time.perf_counter()
    arrays = dict(zip(outputs, binding.copy_outputs_to_cpu(), strict=True))
    ended = time.perf_counter()
    return arrays, RunTimes((uploaded - began) * 1e3, (computed - uploaded) * 1e3, (ended - computed) * 1e3)


def assigned(session: Any, provider: str) -> tuple[int, int]:
    """Return how many operators of a session a provider computes, and how many there are; (0, 0) if onnxruntime does not report it."""
    try:
        parts = session.get_provider_graph_assignment_info()
    except (
        Exception
    ):  # releases before 1.24 have no such method, and a session that is read from a cache reports nothing
        return 0, 0
    sizes = [(part.ep_name, len(part.get_nodes())) for part in parts]
    return sum(size for name, size in sizes if name == provider), sum(size for _, size in sizes)
