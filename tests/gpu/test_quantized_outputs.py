"""ONNX networks that end in 8 or 16 bits, without the DequantizeLinear that onnxruntime's tools append: results
are those of the same network in floats, but for a step.
"""

from __future__ import annotations

import json

import numpy as np
import onnx
import pytest
from constant_models import write_constant
from onnx import helper, numpy_helper

from desktop.pipeline.running.one.loading import load_network
from desktop.vision.backends.loader import load_session

PICTURE = np.full((64, 64, 3), 128, np.uint8)
BACKENDS = pytest.mark.parametrize("backend", ["onnxruntime", "wgpu"])


def quantized(path, scale, zero, dtype, *before, after=()):
    """Quantize each output of a float network in place, in a file beside it; `before` and `after` are operators."""
    model = onnx.load(path)
    graph = model.graph
    kind = helper.np_dtype_to_tensor_dtype(np.dtype(dtype))
    graph.initializer.append(numpy_helper.from_array(np.array(scale, np.float32), "step"))
    graph.initializer.append(numpy_helper.from_array(np.array(zero, dtype), "offset"))
    for number, value in enumerate(graph.output):
        steps = (
            [(op, ()) for op in before]
            + [("QuantizeLinear", ("step", "offset"))]
            + [(op, ()) for op in after]
        )
        names = [f"{value.name}.{number}.{at}" for at in range(len(steps))] + [value.name]
        for node in graph.node:
            node.output[:] = [names[0] if name == value.name else name for name in node.output]
        for at, (op, more) in enumerate(steps):
            graph.node.append(helper.make_node(op, [names[at], *more], [names[at + 1]]))
        value.type.tensor_type.elem_type = kind
    if np.dtype(dtype).itemsize == 2:
        model.opset_import[0].version, model.ir_version = 21, 10
    found = path.with_name(f"{path.stem}_quantized.onnx")
    onnx.save(model, found)
    return found


def result(gpu, path, backend, task=""):
    network = load_network(gpu, path, task, backend=backend)
    try:
        return network.analyze_pixels(PICTURE)
    finally:
        network.close()


@BACKENDS
@pytest.mark.parametrize(("dtype", "zero"), [("uint8", 0), ("int8", -128)])
def test_probabilities(gpu, tmp_path, backend, dtype, zero):
    logits = np.array([[0, 1, 4, 2]], np.float32)
    path = quantized(write_constant(tmp_path / "net.onnx", {"out": logits}), 1 / 255, zero, dtype, "Softmax")
    found = {each.index: each.probability for each in result(gpu, path, backend).predictions}
    expected = np.exp(logits[0] - 4) / np.exp(logits[0] - 4).sum()
    np.testing.assert_allclose([found[index] for index in range(4)], expected, atol=1 / 255)


@BACKENDS
@pytest.mark.parametrize("after", [(), ("Identity", "Identity")])
def test_logits(gpu, tmp_path, backend, after):
    path = write_constant(tmp_path / "net.onnx", {"out": np.array([[0, 1, 4, 2.5]], np.float32)})
    wanted = {each.index: each.probability for each in result(gpu, path, backend).predictions}
    path = quantized(path, 0.02, 20, np.uint8, after=after)
    found = {each.index: each.probability for each in result(gpu, path, backend).predictions}
    assert max(found.values()) < 0.9
    assert found == pytest.approx(wanted, abs=0.01)


@BACKENDS
def test_boxes_and_scores_of_a_detector(gpu, tmp_path, backend):
    """Of 16 bits, with one scale for pixels and scores, as vendors' tools choose it."""
    table = np.zeros((1, 4 + 9, 84), np.float32)
    table[0, :4] = np.array([32, 30, 20, 16])[:, None]
    table[0, 4 + 7, 3] = 0.875
    said = {"task": "detect", "names": json.dumps([f"n{number}" for number in range(9)])}
    path = write_constant(tmp_path / "net.onnx", {"output0": table}, metadata=said)
    (wanted,) = result(gpu, path, backend, "detection").objects
    (found,) = result(gpu, quantized(path, 1 / 512, 0, np.uint16), backend, "detection").objects
    assert (found.index, found.label) == (wanted.index, wanted.label) == (7, "n7")
    assert found.score == pytest.approx(0.875, abs=1 / 512)
    np.testing.assert_allclose(found.box, wanted.box, atol=0.05)


@BACKENDS
def test_classes_of_pixels(gpu, tmp_path, backend):
    scores = np.zeros((1, 3, 64, 64), np.float32)
    scores[0, 2, 10:30] = 3.0
    scores[0, 0] = 1.0
    path = quantized(write_constant(tmp_path / "net.onnx", {"out": scores}), 0.05, -20, np.int8)
    found = result(gpu, path, backend, "pixel_classes").classes
    assert [(each.index, round(each.share, 4)) for each in found] == [(0, 0.6875), (2, 0.3125)]


def test_integers_that_nothing_quantizes_stay(gpu, tmp_path):
    path = write_constant(tmp_path / "net.onnx", {"out": np.arange(4, dtype=np.uint8)[None]})
    for real in (False, True):
        session = load_session(path, gpu=gpu, backend="onnxruntime", real_outputs=real).session
        assert session.outputs[0].dtype == "uint8"
        session.close()


def test_a_network_that_is_served_keeps_the_types_of_its_file(gpu, tmp_path):
    path = write_constant(tmp_path / "net.onnx", {"out": np.ones((1, 4), np.float32)})
    path = quantized(path, 0.5, 3, np.uint8)
    session = load_session(path, gpu=gpu, backend="onnxruntime").session
    found = session.run({"images": np.zeros((1, 3, 64, 64), np.float32)})["out"]
    assert (found.dtype, found.tolist()) == (np.dtype("uint8"), [[5, 5, 5, 5]])
    session.close()


SIZES = np.array([1, 3, 64, 64], np.int64)
NONE = np.zeros(0, np.float32)
RESIZE = (NONE, NONE, SIZES)
VALUE = np.array(1.5, np.float32)  # floats of no dimensions are values of the map, and are quantized with it
ENDS = [
    ("MaxPool", {"kernel_shape": [3, 3], "strides": [2, 2], "pads": [1, 1, 1, 1]}, ()),
    ("Resize", {"mode": "nearest"}, RESIZE),
    ("Resize", {"mode": "linear"}, RESIZE),
    ("DepthToSpace", {"blocksize": 2}, ()),
    ("SpaceToDepth", {"blocksize": 2}, ()),
    ("Pad", {}, (np.array([0, 0, 1, 1, 0, 0, 2, 2], np.int64), VALUE)),
    ("Relu", {}, ()),
    ("Clip", {}, (-VALUE, VALUE)),
    ("ReduceMax", {"axes": [1]}, ()),
    ("Tile", {}, (np.array([1, 1, 2, 2], np.int64),)),
    ("Concat", {"axis": 2}, ("other",)),
]


def ended(path, end, steps):
    """Write a map of 12 channels that ends in an operator; `steps` quantize it and a second one, if there are any."""
    op, attributes, more = end
    channels = 3 if op == "Resize" else 12
    maps = np.random.default_rng(1).uniform(-2.5, 2.5, (2, 1, channels, 32, 32)).astype(np.float32)
    write_constant(path, {"map": maps[0], "other": maps[1]})
    model = onnx.load(path)
    graph = model.graph
    names, dtype = {"map": "map", "other": "other"}, np.dtype(np.float32)
    for number, (name, (scale, zero)) in enumerate(zip(("map", "other"), steps, strict=False)):
        dtype, names[name] = zero.dtype, f"{name}_q"
        graph.initializer.append(numpy_helper.from_array(np.array(scale, np.float32), f"step{number}"))
        graph.initializer.append(numpy_helper.from_array(zero, f"offset{number}"))
        inputs = [name, f"step{number}", f"offset{number}"]
        graph.node.append(helper.make_node("QuantizeLinear", inputs, [names[name]]))
    inputs = [names["map"]]
    for number, each in enumerate(more):
        if isinstance(each, str):
            inputs.append(names[each])
            continue
        if each.ndim == 0 and steps:
            each = (np.rint(each / steps[0][0]) + steps[0][1]).astype(dtype)
        inputs.append(f"more{number}" if each.size else "")
        if each.size:
            graph.initializer.append(numpy_helper.from_array(np.asarray(each), f"more{number}"))
    graph.node.append(helper.make_node(op, inputs, ["out"], **attributes))
    del graph.output[:]
    graph.output.append(helper.make_tensor_value_info("out", helper.np_dtype_to_tensor_dtype(dtype), None))
    model = onnx.shape_inference.infer_shapes(model)
    onnx.save(model, path)
    return path


def output(gpu, path, backend):
    session = load_session(path, gpu=gpu, backend=backend, real_outputs=True).session
    try:
        return session.run({"images": np.zeros((1, 3, 64, 64), np.float32)})["out"]
    finally:
        session.close()


@BACKENDS
@pytest.mark.parametrize("end", ENDS, ids=lambda end: "-".join((end[0], *map(str, end[1].values()))))
def test_operators_on_quantized_values(gpu, tmp_path, backend, end):
    if backend == "wgpu" and end[1].get("mode") == "linear":  # refused: `auto` takes ONNX Runtime
        backend = "auto"
    # Relu is one of the real numbers only where 0 stands for 0, and takes no unsigned numbers.
    zero = np.array(0, np.int8) if end[0] == "Relu" else np.array(110, np.uint8)
    step = (0.025, zero)
    wanted = output(gpu, ended(tmp_path / "real.onnx", end, ()), backend)
    found = output(gpu, ended(tmp_path / "net.onnx", end, (step, step)), backend)
    assert (found.dtype, found.shape) == (np.dtype("float32"), wanted.shape)
    # Halves between numbers are cut, where linear interpolation is of integers.
    np.testing.assert_allclose(found, wanted, atol=0.04 if end[1].get("mode") == "linear" else 0.013)


def test_joined_values_of_two_scales_have_none(gpu, tmp_path):
    steps = ((0.025, np.array(110, np.uint8)), (0.05, np.array(110, np.uint8)))
    path = ended(tmp_path / "net.onnx", ENDS[-1], steps)
    assert output(gpu, path, "onnxruntime").dtype == np.dtype("uint8")


@pytest.mark.parametrize("backend", ["onnxruntime", "auto"])
def test_classes_of_pixels_that_were_enlarged(gpu, tmp_path, backend):
    end = ENDS[2]
    wanted = result(gpu, ended(tmp_path / "real.onnx", end, ()), backend, "pixel_classes").classes
    path = ended(tmp_path / "net.onnx", end, ((0.025, np.array(110, np.uint8)),))
    found = result(gpu, path, backend, "pixel_classes").classes
    assert [each.index for each in found] == [each.index for each in wanted] and len(found) == 3
    for one, other in zip(found, wanted, strict=True):
        assert one.share == pytest.approx(other.share, abs=0.02)
