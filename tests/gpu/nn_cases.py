"""Small ONNX models made in the test, and their results by onnxruntime with its own rewrites turned off."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import pytest
import wgpu
from onnx import TensorProto, helper, numpy_helper

from desktop.compute.nn.compile.cache import Prepared
from desktop.compute.nn.compile.driver import build_graph, make_plan
from desktop.compute.nn.compile.target import target_of
from desktop.compute.nn.measure.uint8_form import uint8_form
from desktop.compute.nn.runtime.session import WgpuSession


def needs_halves(gpu, precision="fp16"):
    """Skip a test in 16 bits on an adapter that has none in shaders; CI's have (the report's head says so)."""
    if precision == "fp16" and not gpu.has("shader-f16"):
        pytest.skip(f"{gpu.adapter} has no shader-f16")


def save(path, nodes, inputs, output, constants=None, opset=13, dtype=TensorProto.FLOAT):
    """Write a model with the named inputs (name -> shape), constants (name -> array) and one output."""
    graph = helper.make_graph(
        nodes,
        "test",
        [helper.make_tensor_value_info(name, dtype, shape) for name, shape in inputs.items()],
        [helper.make_tensor_value_info(output, dtype, None)],
        [numpy_helper.from_array(array, name) for name, array in (constants or {}).items()],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=8)
    onnx.save(model, path)
    return Path(path)


def reference(path, feeds):
    """onnxruntime on the CPU, rewrites off: its rewritten 8-bit kernels saturate on CPUs without VNNI."""
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    return dict(zip([o.name for o in session.get_outputs()], session.run(None, feeds), strict=True))


def session_for(
    gpu,
    path,
    *,
    workgroups=None,
    precision="fp32",
    keep=(),
    input_shapes=None,
    has_matrices=True,
    subgroup=None,
):
    """A session; `workgroups` makes the plan of a GPU of that size, to run its kernels on any adapter,
    `has_matrices` that of one without subgroup matrices where it is False, `subgroup` that of one whose
    subgroups have as many threads.
    """
    target = target_of(gpu, precision)
    if subgroup is not None:
        target = replace(target, subgroup=subgroup)
    if not has_matrices:
        target = replace(target, matrices=False, byte_matrices=False)
    if workgroups is not None:
        target = replace(target, workgroups=workgroups)
    graph = build_graph(path, keep=keep, input_shapes=input_shapes)
    return WgpuSession(gpu, Prepared(graph, make_plan(graph, target), precision))


def subgroup_size(gpu):
    """Threads of the adapter's subgroups in a workgroup of 64; skips the test where it has none."""
    if not gpu.has("subgroups"):
        pytest.skip("this adapter, or its WebGPU library, has no subgroups")
    code = """enable subgroups;
    @group(0) @binding(0) var<storage, read_write> size: array<u32>;
    @compute @workgroup_size(64) fn main(@builtin(subgroup_size) threads: u32) { size[0] = threads; }"""
    module = gpu.device.create_shader_module(code=code)
    pipeline = gpu.device.create_compute_pipeline(layout="auto", compute={"module": module})
    buffer = gpu.device.create_buffer(size=4, usage=wgpu.BufferUsage.STORAGE | wgpu.BufferUsage.COPY_SRC)
    entries = [{"binding": 0, "resource": {"buffer": buffer}}]
    group = gpu.device.create_bind_group(layout=pipeline.get_bind_group_layout(0), entries=entries)

    def encode(compute_pass):
        compute_pass.set_pipeline(pipeline)
        compute_pass.set_bind_group(0, group)
        compute_pass.dispatch_workgroups(1)

    gpu.compute(encode)
    return int(np.frombuffer(gpu.queue.read_buffer(buffer), np.uint32)[0])


def relative_error(actual, expected):
    """Norm of the difference over norm of the reference."""
    expected = expected.astype(np.float64)
    return float(np.linalg.norm(actual.astype(np.float64) - expected) / max(np.linalg.norm(expected), 1e-12))


def check(gpu, path, feeds, *, tolerance=1e-5, workgroups=None, precision="fp32"):
    """Run on wgpu and compare every output with onnxruntime; returns the session's dispatch count."""
    session = session_for(gpu, path, workgroups=workgroups, precision=precision)
    actual = session.run(feeds)
    count = session.dispatch_count
    session.close()
    for name, expected in reference(path, feeds).items():
        assert actual[name].shape == expected.shape
        assert actual[name].dtype == expected.dtype
        assert relative_error(actual[name], expected) <= tolerance, name
    return count


def integer_reference(path, feeds):
    """onnxruntime with its integer kernels, of which it takes the ones that never saturate."""
    options = onnxruntime.SessionOptions()
    options.add_session_config_entry("session.x64quantprecision", "1")
    data = uint8_form(onnx.load(path)).SerializeToString()
    session = onnxruntime.InferenceSession(data, options, providers=["CPUExecutionProvider"])
    return dict(zip([o.name for o in session.get_outputs()], session.run(None, feeds), strict=True))


def check_node(
    gpu,
    folder,
    op,
    feeds,
    constants=None,
    *,
    outputs=("y",),
    opset=18,
    tolerance=0.0,
    precision="fp32",
    **attributes,
):
    """One node with inputs of any type (`feeds`, then `constants`): exactly onnxruntime's results, or within
    a relative error.

    An input that is None is left out.
    """
    given = {**feeds, **(constants or {})}
    names = ["" if array is None else name for name, array in given.items()]
    typed = {name: array for name, array in feeds.items() if array is not None}
    graph = helper.make_graph(
        [helper.make_node(op, names, list(outputs), **attributes)],
        "test",
        [
            helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(array.dtype), array.shape)
            for name, array in typed.items()
        ],
        [onnx.ValueInfoProto(name=name) for name in outputs if name],
        [
            numpy_helper.from_array(array, name)
            for name, array in (constants or {}).items()
            if array is not None
        ],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=8)
    path = Path(folder) / "node.onnx"
    path.write_bytes(onnx.shape_inference.infer_shapes(model).SerializeToString())
    # An empty dimension reads as a free one.
    empty = {name: array.shape for name, array in typed.items() if not array.size}
    session = session_for(gpu, path, precision=precision, input_shapes=empty)
    actual = session.run(typed)
    session.close()
    for name, expected in reference(path, typed).items():
        assert (actual[name].shape, actual[name].dtype) == (expected.shape, expected.dtype), name
        if tolerance:
            assert relative_error(actual[name], expected) <= tolerance, name
        else:
            np.testing.assert_array_equal(actual[name], expected, name)
