"""Run ONNX Runtime on a device with its own memory: time the copies, count the operators computed there."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from desktop.compute.nn.session import RunTimes


def run_bound(
    session: Any, feeds: Mapping[str, np.ndarray], outputs: Sequence[str], memory: str
) -> tuple[dict[str, np.ndarray], RunTimes]:
    """Run a session with I/O binding, as `run` does not time copies; return outputs and times."""
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
    """Return a session's (operators on a provider, all operators); (0, 0) if not reported."""
    try:
        parts = session.get_provider_graph_assignment_info()
    except (
        Exception
    ):  # releases before 1.24 have no such method, and a session that is read from a cache reports nothing
        return 0, 0
    sizes = [(part.ep_name, len(part.get_nodes())) for part in parts]
    return sum(size for name, size in sizes if name == provider), sum(size for _, size in sizes)
