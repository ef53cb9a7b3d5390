"""Convolutions by Winograd's minimal filtering: the results of onnxruntime, and taken only where they pay."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from nn_cases import needs_halves, reference, relative_error, save
from onnx import helper

from desktop.compute.nn.compile.cache import Prepared
from desktop.compute.nn.compile.driver import build_graph, lower_graph, make_plan
from desktop.compute.nn.compile.target import target_of
from desktop.compute.nn.lowering.tuning import Tuning
from desktop.compute.nn.runtime.session import WgpuSession

TOLERANCE = {"fp32": 2e-6, "fp16": 1e-3}


def _random(seed, *shape):
    return np.random.default_rng(seed).standard_normal(shape).astype(np.float32)


def _conv(path, shape, channels, before=(), scale=1.0, **attributes):
    """A convolution of `x`, through `before`, with an activation and a residual behind it."""
    weights = _random(0, channels, shape[1], 3, 3) / np.float32(3 * np.sqrt(shape[1])) * np.float32(scale)
    nodes = [
        *before,
        helper.make_node("Conv", [before[-1].output[0] if before else "x", "w", "b"], ["c"], **attributes),
        helper.make_node("Relu", ["c"], ["r"]),
        helper.make_node("Conv", ["r", "one"], ["o"]),
        helper.make_node("Add", ["o", "r"], ["y"]),
    ]
    one = np.eye(channels, dtype=np.float32).reshape(channels, channels, 1, 1) * np.float32(0.5)
    constants = {"w": weights, "b": _random(1, channels), "one": one, "half": np.float32([1, 1, 2, 2])}
    constants["pads"] = np.array([0, 0, 1, 2, 0, 0, 3, 1])
    return save(path, nodes, {"x": shape}, "y", constants, opset=17)


CASES = {
    "whole patches": lambda p: _conv(p, (1, 24, 12, 16), 20, pads=[1] * 4),
    "odd sizes and channels": lambda p: _conv(p, (2, 9, 11, 13), 7, pads=[1] * 4),
    "no padding": lambda p: _conv(p, (1, 8, 5, 3), 8),
    "unlike padding": lambda p: _conv(p, (1, 8, 6, 9), 12, pads=[0, 2, 1, 0]),
    "large padding": lambda p: _conv(p, (1, 8, 4, 4), 8, pads=[2, 2, 2, 2]),
    "reflected": lambda p: _conv(
        p, (1, 8, 9, 10), 12, [helper.make_node("Pad", ["x", "pads"], ["p"], mode="reflect")]
    ),
    "enlarged": lambda p: _conv(
        p,
        (1, 8, 6, 5),
        12,
        [
            helper.make_node(
                "Resize", ["x", "", "half"], ["p"], mode="nearest", coordinate_transformation_mode="asymmetric",
                nearest_mode="floor",
            )
        ],
        pads=[1] * 4,
    ),
}  # fmt: skip


def _plan(gpu, path, precision, tuning=None):
    graph = build_graph(path)
    return graph, make_plan(graph, replace(target_of(gpu, precision), workgroups=128), tuning)


def _kernels(plan):
    return [dispatch.kernel for dispatch in plan.dispatches]


def _run(gpu, graph, plan, precision, feeds):
    session = WgpuSession(gpu, Prepared(graph, plan, precision))
    found = session.run(feeds)["y"]
    session.close()
    return found


@pytest.mark.usefixtures("winograd_anywhere")
@pytest.mark.parametrize("precision", TOLERANCE)
@pytest.mark.parametrize("name", CASES)
def test_results_are_those_of_onnxruntime(gpu, tmp_path, name, precision):
    needs_halves(gpu, precision)
    path = CASES[name](tmp_path / "m.onnx")
    graph, plan = _plan(gpu, path, precision)
    assert _kernels(plan).count("winograd_input") == 1
    feeds = {"x": _random(2, *graph.values["x"].shape)}
    assert (
        relative_error(_run(gpu, graph, plan, precision, feeds), reference(path, feeds)["y"])
        <= TOLERANCE[precision]
    )


@pytest.mark.usefixtures("winograd_anywhere")
def test_every_candidate_of_its_products(gpu, tmp_path):
    path = _conv(tmp_path / "m.onnx", (1, 40, 18, 21), 37, pads=[1] * 4)
    graph = build_graph(path)
    target = replace(target_of(gpu, "fp32"), workgroups=128)
    feeds = {"x": _random(2, *graph.values["x"].shape)}
    expected = reference(path, feeds)["y"]
    (site,) = [site for site in lower_graph(graph, target).sites if site.decision.key.startswith("winograd")]
    names = set()
    for candidate in site.decision.candidates:
        _, plan = _plan(gpu, path, "fp32", Tuning({site.decision.key: str(candidate)}))
        names.add(str(candidate))
        assert relative_error(_run(gpu, graph, plan, "fp32", feeds), expected) <= 2e-6, str(candidate)
    assert len(names) >= 3


@pytest.mark.usefixtures("winograd_anywhere")
@pytest.mark.parametrize(("of_x", "of_weights"), [(30_000.0, 1e-4), (1e-3, 1.0), (1.0, 500.0)])
def test_16_bits_hold_patches_of_large_and_of_small_pixels(gpu, tmp_path, of_x, of_weights):
    """Sums of four pixels of 60,000 would be infinite, and quarters of small ones lose what 16 bits have
    below 2^-14.
    """
    needs_halves(gpu)
    path = _conv(tmp_path / "m.onnx", (1, 8, 9, 10), 8, scale=of_weights, pads=[1] * 4)
    graph, plan = _plan(gpu, path, "fp16")
    assert "winograd_input" in _kernels(plan)
    feeds = {"x": np.random.default_rng(5).uniform(1, 2, (1, 8, 9, 10)).astype(np.float32) * np.float32(of_x)}
    assert relative_error(_run(gpu, graph, plan, "fp16", feeds), reference(path, feeds)["y"]) <= 2e-3


@pytest.mark.usefixtures("winograd_anywhere")
def test_weights_that_16_bits_would_not_hold_transformed(gpu, tmp_path):
    needs_halves(gpu)
    path = _conv(tmp_path / "m.onnx", (1, 8, 9, 10), 8, scale=40_000.0, pads=[1] * 4)
    assert "winograd_input" not in _kernels(_plan(gpu, path, "fp16")[1])
    assert "winograd_input" in _kernels(_plan(gpu, path, "fp32")[1])


def test_what_it_is_for_and_what_it_is_not_for(gpu, tmp_path):
    """Many channels of many pixels; no other windows, no few channels, no software adapter."""

    def taken(shape, channels, kernel=3, workgroups=128, **attributes):
        weights = np.zeros((channels, shape[1] // attributes.get("group", 1), kernel, kernel), np.float32)
        nodes = [
            helper.make_node("Conv", ["x", "w"], ["c"], **attributes),
            helper.make_node("Relu", ["c"], ["y"]),
        ]
        graph = build_graph(save(tmp_path / "m.onnx", nodes, {"x": shape}, "y", {"w": weights}))
        plan = make_plan(graph, replace(target_of(gpu, "fp32"), workgroups=workgroups, max_binding=1 << 30))
        return "winograd_input" in _kernels(plan)

    assert taken((1, 320, 64, 64), 320, pads=[1] * 4)
    assert taken((1, 256, 32, 32), 256, pads=[1] * 4, workgroups=24)
    assert not taken((1, 320, 64, 64), 320, pads=[1] * 4, workgroups=1)
    assert not taken((1, 320, 64, 64), 320, pads=[1] * 4, strides=[2, 2])
    assert not taken((1, 320, 64, 64), 320, pads=[2] * 4, dilations=[2, 2])
    assert not taken((1, 320, 64, 64), 320, kernel=5, pads=[2] * 4)
    assert not taken((1, 16, 64, 64), 16, pads=[1] * 4)
    assert not taken((1, 320, 64, 64), 320, group=320, pads=[1] * 4)
    assert not taken((1, 64, 1024, 1024), 64, pads=[1] * 4)  # patches of 268 MB
