"""The server that the two harnesses of its sides talk to: one for a process, with real networks."""

from __future__ import annotations

import functools
import gc
import itertools
import tempfile
from pathlib import Path

from serving_rig import ServerRig, affine_model, two_inputs_model

from desktop.serving.limits import Limits
from fuzz.harness import Finding

_MIB = 1 << 20
_SETTLED = 2000
"""Inputs after which everything that is made once has been made."""
_GROWTH = 200 * _MIB

_count = itertools.count()


@functools.cache
def rig(head_s: float) -> ServerRig:
    """The server; it ends with the process. `head_s`: how long it waits for the head of a request."""
    folder = Path(tempfile.mkdtemp(prefix="fuzz-serve-"))
    models = {"affine": affine_model(folder / "a.onnx"), "two": two_inputs_model(folder / "t.onnx")}
    limits = Limits(
        request_bytes=_MIB,
        json_bytes=_MIB,
        in_flight_bytes=64 * _MIB,
        head_s=head_s,
        body_s=0.3,
        answer_s=5.0,
    )
    return ServerRig(models, limits=limits)


@functools.cache
def _settled() -> int:
    return _resident()


def check_growth() -> None:
    """Compare the memory with that after the first inputs.

    Raises:
        Finding: it has grown by more than a fragmented heap does.
    """
    number = next(_count)
    if number < _SETTLED or number % 500:
        return
    gc.collect()
    before = _settled()
    if _resident() > before + _GROWTH:
        raise Finding(f"{(_resident() - before) // _MIB} MiB more than after {_SETTLED} inputs")


def _resident() -> int:
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmRSS"):
            return int(line.split()[1]) << 10
    return 0
