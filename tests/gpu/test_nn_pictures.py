"""First layers, of pictures with up to four channels: in 16 bits their products are, where no sum can leave the range."""

from __future__ import annotations

import numpy as np
import pytest
from nn_cases import reference, relative_error, save, session_for
from onnx import helper

HALVES = "alias Factor = vec4<f16>"


def _first_layer(folder, shape, weights, bias=0.0, reflected=False, **attributes):
    nodes, source = [], "x"
    constants = {"w": weights, "b": np.full(len(weights), bias, np.float32)}
    if reflected:
        constants["pads"] = np.array([0, 0, 1, 1, 0, 0, 1, 1])
        nodes.append(helper.make_node("Pad", ["x", "pads"], ["p"], mode="reflect"))
        source = "p"
    nodes += [
        helper.make_node("Conv", [source, "w", "b"], ["c"], **attributes),
        helper.make_node("Relu", ["c"], ["y"]),
    ]
    return save(folder / "m.onnx", nodes, {"x": shape}, "y", constants)


def _run(gpu, path, x):
    if not gpu.has("shader-f16"):
        pytest.skip(f"{gpu.adapter} has no shader-f16")
    session = session_for(gpu, path, workgroups=132, precision="fp16", has_matrices=False)
    found, dispatches = session.run({"x": x})["y"], session.plan.dispatches
    session.close()
    conv = next(each for each in dispatches if each.kernel == "conv_tiled")
    return found, conv.code


@pytest.mark.parametrize(
    ("shape", "weights", "attributes"),
    [
        ((1, 3, 112, 112), (512, 3, 8, 8), {"strides": [8, 8]}),
        ((2, 3, 91, 101), (72, 3, 7, 7), {"strides": [2, 2], "pads": [3, 2, 3, 4]}),
        ((1, 4, 40, 40), (36, 4, 3, 3), {"pads": [1] * 4, "dilations": [2, 1]}),
        ((1, 1, 60, 60), (32, 1, 5, 5), {}),
        ((1, 3, 40, 44), (64, 3, 3, 3), {"reflected": True}),
        ((1, 3, 5, 30, 30), (32, 3, 3, 7, 7), {"strides": [1, 2, 2], "pads": [1, 3, 3, 1, 3, 3]}),
    ],
)
def test_products_of_pictures_are_16_bit(gpu, tmp_path, shape, weights, attributes):
    """Windows that end at the picture's, that leave it on each side, and that meet its reflection."""
    generator = np.random.default_rng(3)
    made = (generator.standard_normal(weights) / np.sqrt(np.prod(weights[1:]))).astype(np.float32)
    path = _first_layer(tmp_path, shape, made, 0.1, **attributes)
    x = generator.random(shape, np.float32)
    found, code = _run(gpu, path, x)
    assert HALVES in code
    assert relative_error(found, reference(path, {"x": x})["y"]) <= 2e-3


def test_sums_that_may_leave_the_range_are_32_bit(gpu, tmp_path):
    """Of pixels of 200 the first products add up to 72,000, which 16 bits do not hold, and the others take it back."""
    weights = np.full((32, 3, 5, 5), 30.0, np.float32)
    weights[:, :, 2:] = -20.0
    path = _first_layer(tmp_path, (1, 3, 40, 40), weights, 100.0)
    x = np.full((1, 3, 40, 40), 200.0, np.float32)
    found, code = _run(gpu, path, x)
    assert HALVES not in code
    np.testing.assert_allclose(found, reference(path, {"x": x})["y"], rtol=1e-3)
    assert (found == 100).all()
