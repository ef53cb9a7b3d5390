"""First layers, of pictures with up to four channels: in 16 bits their products are, where no sum can leave
the range.
"""

from __future__ import annotations

import numpy as np
import pytest
from nn_cases import needs_halves, reference, relative_error, save, session_for
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
    needs_halves(gpu)
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
    made = (generator.standard_normal(weights) / 4 / np.sqrt(np.prod(weights[1:]))).astype(np.float32)
    path = _first_layer(tmp_path, shape, made, 0.1, **attributes)
    x = generator.random(shape, np.float32)
    found, code = _run(gpu, path, x)
    assert HALVES in code
    assert relative_error(found, reference(path, {"x": x})["y"]) <= 2e-3


@pytest.mark.parametrize(("first", "others"), [(30.0, -20.0), (0.1875, -0.125)])
def test_sums_that_may_leave_the_range_are_32_bit(gpu, tmp_path, first, others):
    """The first products add up to more than 16 bits hold, and the others take it back: of large weights, and
    of large numbers.
    """
    weights = np.full((32, 3, 5, 5), first, np.float32)
    weights[:, :, 2:] = others
    path = _first_layer(tmp_path, (1, 3, 40, 40), weights, 100.0)
    x = np.full((1, 3, 40, 40), 200.0 if first > 1 else 40000.0, np.float32)
    found, code = _run(gpu, path, x)
    assert HALVES not in code
    np.testing.assert_allclose(found, reference(path, {"x": x})["y"], rtol=1e-3)
    assert (found == 100).all()


def test_what_16_bits_do_not_hold_stays_finite(gpu, tmp_path):
    """The largest number that they have stands for it; what is no number, or infinite, stays in what its
    windows give.
    """
    weights = np.full((32, 3, 3, 3), 0.01, np.float32)
    path = _first_layer(tmp_path, (1, 3, 40, 40), weights)
    x = np.ones((1, 3, 40, 40), np.float32)
    x[0, 1, 5, 5], x[0, 0, 20, 20], x[0, 2, 30, 30] = 65530.0, np.nan, np.inf
    found, code = _run(gpu, path, x)
    assert HALVES in code
    wanted = reference(path, {"x": x})["y"]
    np.testing.assert_array_equal(np.isnan(found), np.isnan(wanted))
    numbers = np.isfinite(wanted)
    np.testing.assert_allclose(found[numbers], wanted[numbers], rtol=2e-3)
    assert (found[np.isposinf(wanted)] >= 65504).all()
