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
