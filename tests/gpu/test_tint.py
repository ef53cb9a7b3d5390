"""Dawn's compiler takes every shader: read on its adapter that does nothing, so on any machine that has the
package wgpudawn.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("wgpudawn", reason="wgpudawn is not installed: pip install '.[dawn]'")

# Kernels that take a tuning, a large product, matrices, a GPU or values of boxes to be chosen: tests of
# tests/dawn.txt run them on Dawn.
ELSEWHERE = {
    f"nn/{name}.wgsl"
    for name in (
        "common/half_matrices",
        "conv_matrix",
        "conv_matrix_i8",
        "conv_narrow",
        "conv_patch",
        "conv_tiled",
        "group_apply",
        "normalize_rows",
        "one_row",
        "pad",
        "select_boxes",
        "sum_columns",
        "sum_shares",
        "winograd_input",
        "winograd_output",
    )
}


@pytest.mark.long
def test_tint_takes_every_shader():
    script = Path(__file__).resolve().parents[1] / "tint_reads.py"
    environment = os.environ | {"LIGHTLOOM_WEBGPU": "dawn", "WGPU_BACKEND_TYPE": "Null"}
    done = subprocess.run(
        [sys.executable, str(script)], capture_output=True, text=True, timeout=600, env=environment
    )
    assert done.stdout, done.stderr
    said = json.loads(done.stdout)
    assert said["refused"] == {}
    assert set(said["not_read"]) <= ELSEWHERE
