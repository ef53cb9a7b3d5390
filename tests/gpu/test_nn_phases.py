"""Transposed convolutions as convolutions of their phases, beside onnxruntime."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from nn_cases import needs_halves, reference, relative_error, save, session_for
from onnx import helper

from desktop.compute.nn.compile.target import target_of
from desktop.compute.nn.kernels.phases import PhaseAxis, pays

TOLERANCE = {"fp32": 1e-5, "fp16": 3e-3}


def rand(seed, *shape):
    return np.random.default_rng(seed).standard_normal(shape).astype(np.float32)


def _network(folder, channels, size, kernel, *, batch=1, bias=True, residual=False, last=False, **attributes):
    """Conv, ConvTranspose, and where it is not `last` an activation behind it, with a residual where that is
    asked for.
    """
    given, made = channels
    weights = rand(1, given, made, *kernel) / np.float32(math.sqrt(given * math.prod(kernel)))
    constants = {"first": rand(0, given, given, 1, 1) / np.float32(math.sqrt(given)), "w": weights}
    constants |= {"b": rand(2, made)} if bias else {}
    nodes = [
        helper.make_node("Conv", ["x", "first"], ["c"]),
        helper.make_node(
            "ConvTranspose", ["c", "w", *(["b"] if bias else [])], ["y" if last else "t"], **attributes
        ),
    ]
    if residual:
        nodes += [helper.make_node("Add", ["t", "r"], ["s"]), helper.make_node("Relu", ["s"], ["y"])]
    elif not last:
        nodes += [helper.make_node("Relu", ["t"], ["y"])]
    inputs = {"x": (batch, given, *size)}
    if residual:
        plain = save(folder / "plain.onnx", nodes[:2], inputs, "t", constants)
        inputs["r"] = reference(plain, {"x": rand(3, *inputs["x"])})["t"].shape
    path = save(folder / "m.onnx", nodes, inputs, "y", constants)
    return path, {name: rand(index, *shape) for index, (name, shape) in enumerate(inputs.items(), 3)}


def _check(gpu, path, feeds, *, precision="fp32", workgroups=128, gathered=False):
    session = session_for(gpu, path, precision=precision, workgroups=workgroups)
    found, kernels = session.run(feeds)["y"], [each.kernel for each in session.plan.dispatches]
    session.close()
    assert ("conv_transpose" in kernels) == gathered
    wanted = reference(path, feeds)["y"]
    assert found.shape == wanted.shape
    assert relative_error(found, wanted) <= TOLERANCE[precision]


SHAPES = {
    "twice, no overlap": {"kernel": (2, 2), "strides": [2, 2]},
    "four times": {"kernel": (4, 4), "strides": [4, 4]},
    "overlap": {"kernel": (4, 4), "strides": [2, 2], "pads": [1, 1, 1, 1]},
    "uneven": {"kernel": (3, 3), "strides": [2, 2], "pads": [1, 1, 1, 1], "output_padding": [1, 1]},
    "five": {"kernel": (5, 5), "strides": [2, 2], "pads": [2, 2, 2, 2], "output_padding": [1, 0]},
    "rows and columns": {"kernel": (3, 5), "strides": [1, 3], "pads": [0, 1, 2, 0]},
    "no stride": {"kernel": (3, 3), "pads": [1, 1, 1, 1]},
    "more padding than a step": {"kernel": (7, 6), "strides": [2, 3], "pads": [4, 5, 3, 4]},
    "shorter kernel": {"kernel": (2, 2), "strides": [3, 2]},
    "same": {"kernel": (4, 4), "strides": [2, 2], "auto_pad": "SAME_UPPER"},
    "shape": {"kernel": (4, 4), "strides": [2, 2], "output_shape": [9, 12]},
}


@pytest.mark.parametrize("precision", ["fp32", "fp16"])
@pytest.mark.parametrize("shape", SHAPES)
def test_phases(gpu, tmp_path, shape, precision):
    """Channels that are no whole vec4s, two pictures, with a residual behind."""
    needs_halves(gpu, precision)
    path, feeds = _network(tmp_path, (9, 6), (5, 7), batch=2, residual=True, **SHAPES[shape])
    _check(gpu, path, feeds, precision=precision)


@pytest.mark.parametrize("channels", [(16, 32), (64, 3), (3, 8), (40, 1), (1, 1)])
@pytest.mark.parametrize("bias", [True, False])
def test_the_last_layer(gpu, tmp_path, channels, bias):
    """Its result lies row-major."""
    path, feeds = _network(
        tmp_path, channels, (9, 6), (4, 4), strides=[2, 2], pads=[1, 1, 1, 1], bias=bias, last=True
    )
    _check(gpu, path, feeds)


@pytest.mark.parametrize(
    ("channels", "size", "workgroups"),
    [((512, 64), (2, 2), 128), ((1024, 16), (1, 1), 128), ((64, 64), (33, 35), 4)],
)
@pytest.mark.parametrize("precision", ["fp32", "fp16"])
def test_other_ways_of_the_product(gpu, tmp_path, channels, size, workgroups, precision):
    """With a depth that is shared out, of one pixel, with staged tiles."""
    needs_halves(gpu, precision)
    path, feeds = _network(tmp_path, channels, size, (2, 2), strides=[2, 2])
    _check(gpu, path, feeds, precision=precision, workgroups=workgroups)


def test_a_window_of_three(gpu, tmp_path):
    """Which Winograd's filtering may take."""
    path, feeds = _network(tmp_path, (96, 24), (40, 44), (6, 6), strides=[2, 2], pads=[2, 2, 2, 2])
    _check(gpu, path, feeds, workgroups=16)


@pytest.mark.parametrize(
    "shape",
    [
        {"kernel": (1, 1), "strides": [2, 2]},
        {"kernel": (40, 40), "strides": [40, 40]},
        {"kernel": (3, 3), "strides": [2, 2], "dilations": [2, 1]},
    ],
    ids=["mostly zeros", "many phases", "dilated"],
)
def test_others_gather(gpu, tmp_path, shape):
    path, feeds = _network(tmp_path, (9, 6), (5, 7), **shape)
    _check(gpu, path, feeds, gathered=True)


def test_every_tap_of_an_axis_is_computed_once():
    """Of each output that is kept, the inputs and taps are those of the definition."""
    seen = 0
    for kernel in range(1, 8):
        for stride in range(1, 5):
            for cut in range(kernel + 2):
                for size in (1, 2, 5):
                    full = stride * (size - 1) + kernel
                    for output in range(1, max(full - cut, 0) + 3):
                        _check_axis(PhaseAxis(kernel, stride, cut, size, output))
                        seen += 1
    assert seen > 1000


def _check_axis(axis):
    found = {}
    for row in range(axis.count):
        for phase in range(axis.stride):
            output = axis.stride * (row + axis.first) + phase - axis.cut
            sources = {}
            for place, tap in enumerate(axis.taps[phase]):
                source = row + place - axis.before
                if tap < axis.kernel and 0 <= source < axis.size:
                    sources[source] = int(tap)
            if 0 <= output < axis.output:
                assert output not in found
                found[output] = sources
    for output in range(axis.output):
        wanted = {
            source: output + axis.cut - axis.stride * source
            for source in range(axis.size)
            if 0 <= output + axis.cut - axis.stride * source < axis.kernel
        }
        assert found[output] == wanted, (axis, output)


@pytest.mark.parametrize(("workgroups", "wasteful"), [(1, False), (128, True)])
def test_waste(gpu, workgroups, wasteful):
    """A software adapter takes fewer products by zeros."""
    target = replace(target_of(gpu, "fp32"), workgroups=workgroups)
    three, four, one = (PhaseAxis(kernel, 2, 0, 5, 10) for kernel in (3, 4, 1))
    assert pays(four, four, target)
    assert pays(three, three, target) == wasteful
    assert not pays(one, one, target)
