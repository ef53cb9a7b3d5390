"""The C types that wgpu-py uses are known to cffi before they are asked for, and are the same as if it had parsed them."""

from __future__ import annotations

import subprocess
import sys

from desktop.compute import native_types


def _printed(code: str) -> str:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def test_types_are_those_that_cffi_parses():
    code = """
from wgpu.backends.wgpu_native._ffi import ffi
from desktop.compute import native_types
native_types.prepare()
prepared = {text: ffi._parsed_types.pop(text) for text in native_types._TEXTS}
wrong = [text for text, found in prepared.items() if (ffi._typeof(text, consider_function_as_funcptr=True), "(" in text) != found]
print(len(prepared), wrong)
"""
    assert _printed(code) == f"{len(native_types._TEXTS)} []"


def test_a_frame_and_a_network_need_no_other(tmp_path):
    """A type that is missing in the list costs every start some 15 ms: add it there."""
    code = f"""
import numpy as np, onnx
from onnx import helper
from desktop.compute.gpu import Gpu
from desktop.compute import native_types
gpu = Gpu.open()
from wgpu.backends.wgpu_native._ffi import ffi
from desktop.compute.nn.wgpu_session import WgpuSession
from desktop.compute.filters import FilterLibrary
from desktop.compute.pipeline import Pipeline
from desktop.compute.sources.sample import SampleSource
before = set(ffi._parsed_types)
pipeline = Pipeline(gpu, FilterLibrary(None), wait=True)
pipeline.render(next(iter(SampleSource((160, 120)).frames())))
pipeline.drain()
x = helper.make_tensor_value_info("x", 1, [1, 4, 8, 8])
y = helper.make_tensor_value_info("y", 1, [1, 4, 1, 1])
graph = helper.make_graph([helper.make_node("GlobalAveragePool", ["x"], ["y"])], "g", [x], [y])
onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)]), r"{tmp_path / "m.onnx"}")
session = WgpuSession.load(gpu, r"{tmp_path / "m.onnx"}")
session.run({{"x": np.zeros((1, 4, 8, 8), np.float32)}})
print(sorted(set(ffi._parsed_types) - before))
"""
    assert _printed(code) == "[]"
