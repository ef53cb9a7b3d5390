"""Products on subgroup matrices: Tint takes every kernel, and with loops in place of the matrices it computes what onnxruntime computes.

Dawn's adapter that does nothing lists every feature, so that the kernels are read on any machine; what they compute on tensor cores
is seen where there are some.
"""

from __future__ import annotations

import functools
import os
from dataclasses import replace

import numpy as np
import pytest
import wgpu
from nn_cases import reference, relative_error, save
from onnx import helper
from test_nn_attention import Network, scores, vit_attention

from desktop.compute.nn.compile.cache import Prepared
from desktop.compute.nn.compile.driver import build_graph, lower_graph, make_plan
from desktop.compute.nn.compile.target import target_of
from desktop.compute.nn.kernels import attention, matrix, subgroup_matrix, winograd
from desktop.compute.nn.kernels.subgroup_matrix import CONFIGURATION, Matrices
from desktop.compute.nn.lowering.tuning import Tuning
from desktop.compute.nn.runtime.session import WgpuSession
from desktop.webgpu import chosen

pytestmark = pytest.mark.skipif(chosen().name != "dawn", reason="this process has wgpu-native")

TILES = [*subgroup_matrix._RULE, *subgroup_matrix._OTHERS]
TOLERANCE = 2e-3  # of float16, relative


def _half(generator, *shape, scale=1.0):
    return (generator.standard_normal(shape) * scale).astype(np.float16).astype(np.float32)


def _conv(folder, *, name="conv", x=(2, 24, 13, 11), weights=(40, 24, 3, 3), **attributes):
    """A 1x1 convolution, so that what follows reads channels last, then the one that is meant, with an activation and a residual."""
    generator = np.random.default_rng(0)
    nodes = [
        helper.make_node("Conv", ["x", "first"], ["c"]),
        helper.make_node("Conv", ["c", "w", "b"], ["d"], **attributes),
        helper.make_node("Relu", ["d"], ["y"]),
    ]
    constants = {
        "first": _half(generator, x[1], x[1], *(1,) * (len(x) - 2), scale=x[1] ** -0.5),
        "w": _half(generator, *weights, scale=np.prod(weights[1:]) ** -0.5),
        "b": _half(generator, weights[0]),
    }
    return save(folder / f"{name}.onnx", nodes, {"x": x}, "y", constants), {"x": _half(generator, *x)}


def _product(folder, rows, depth, columns):
    generator = np.random.default_rng(1)
    nodes = [helper.make_node("MatMul", ["x", "w"], ["p"]), helper.make_node("Add", ["p", "b"], ["y"])]
    constants = {"w": _half(generator, depth, columns, scale=depth**-0.5), "b": _half(generator, columns)}
    path = save(folder / "product.onnx", nodes, {"x": (1, rows, depth)}, "y", constants)
    return path, {"x": _half(generator, 1, rows, depth)}


def _cases(folder):
    yield _conv(folder, pads=[1, 1, 1, 1])
    yield _conv(
        folder, name="strided", weights=(40, 24, 4, 3), strides=[2, 1], dilations=[2, 1], pads=[2, 0, 0, 1]
    )
    yield _conv(folder, name="deep", x=(1, 16, 5, 7, 6), weights=(24, 16, 3, 3, 3), pads=[1] * 6)
    yield _product(folder, 200, 72, 136)


def _target(gpu):
    return replace(target_of(gpu, "fp16"), matrices=True, workgroup_memory=1 << 16)


def _tunings(path, target):
    """Each tile that is a candidate for a shape of the network, for all shapes at once."""
    for tile in TILES:
        choices = {site.decision.key: str(tile) for site in lower_graph(build_graph(path), target).sites}
        yield tile, Tuning(choices)


@functools.cache
def _reader():
    """A device of the adapter that does nothing."""
    os.environ["WGPU_BACKEND_TYPE"] = "Null"
    try:
        adapter = wgpu.gpu.request_adapter_sync()
        wanted = ["shader-f16", "subgroups", "chromium-experimental-subgroup-matrix"]
        return adapter.request_device_sync(required_features=wanted)
    finally:
        del os.environ["WGPU_BACKEND_TYPE"]


def _without_matrices(gpu, monkeypatch):
    """Where the adapter has none: loops in their place."""
    if CONFIGURATION in gpu.matrices:
        return
    for module, tile in ((matrix, Matrices), (attention, attention._Matrices)):
        monkeypatch.setattr(module, "DIRECTIVES", ("requires buffer_view;",))
        monkeypatch.setattr(tile, "numbers", functools.partialmethod(tile.numbers, loops=True))


def test_tint_takes_every_tile(gpu, tmp_path):
    seen = set()
    for path, _ in _cases(tmp_path):
        for tile, tuning in _tunings(path, _target(gpu)):
            for dispatch in make_plan(build_graph(path), _target(gpu), tuning).dispatches:
                if dispatch.kernel == "conv_matrix":
                    _reader().create_shader_module(code=dispatch.code)
                    seen.add(tile)
    assert len(seen) >= len(TILES) - 4  # the largest would compute more than twice of what is asked for


def _check_plan(gpu, path, feeds, plan, expected, tile):
    """Run a plan; what comes out is what is expected."""
    session = WgpuSession(gpu, Prepared(build_graph(path), plan, "fp16"))
    assert relative_error(session.run(feeds)["y"], expected) < TOLERANCE, (path.name, str(tile))
    session.close()


@pytest.fixture
def own_target(gpu, monkeypatch):
    """A target with matrices, or loops in their place, and the adapter's own workgroup memory."""
    if not gpu.has("shader-f16"):
        pytest.skip(f"{gpu.adapter} has no shader-f16")
    _without_matrices(gpu, monkeypatch)
    return replace(_target(gpu), workgroup_memory=gpu.limits["max-compute-workgroup-storage-size"])


def test_a_tile_computes_what_onnxruntime_does(gpu, tmp_path, own_target):
    """The tile that a software adapter compiles fastest, of slices that are added up: tests/dawn.txt lists it alone."""
    path, feeds = _conv(tmp_path, pads=[1, 1, 1, 1])
    tile = Matrices(32, 32, 64, (16, 32), slices=2)
    plan = make_plan(build_graph(path), own_target, dict(_tunings(path, own_target))[tile])
    assert [dispatch.kernel for dispatch in plan.dispatches].count("conv_matrix") == 1
    _check_plan(gpu, path, feeds, plan, reference(path, feeds)["y"], tile)


def test_every_tile_computes_what_onnxruntime_does(gpu, tmp_path, own_target):
    """All of the padded convolution, two of each other shape: a software adapter takes seconds to compile one."""
    run: dict[str, int] = {}
    for case, (path, feeds) in enumerate(_cases(tmp_path)):
        expected = reference(path, feeds)["y"]
        number = 0
        for tile, tuning in _tunings(path, own_target):
            plan = make_plan(build_graph(path), own_target, tuning)
            if not any(dispatch.kernel == "conv_matrix" for dispatch in plan.dispatches):
                continue
            number += 1
            if case and number > 2:
                continue
            _check_plan(gpu, path, feeds, plan, expected, tile)
            run[path.name] = run.get(path.name, 0) + 1
    # The others ask for more workgroup memory than software adapters have.
    assert sum(run.values()) >= 7


@pytest.fixture
def winograd_anywhere(monkeypatch):
    monkeypatch.setattr(winograd, "_WORTH", 1e9)
    monkeypatch.setattr(winograd, "estimate_items", lambda *_: 0.0)


@pytest.mark.usefixtures("winograd_anywhere")
def test_tint_takes_every_tile_of_several_products(gpu, tmp_path):
    path, _ = _conv(tmp_path, x=(2, 72, 13, 11), weights=(40, 72, 3, 3), pads=[1, 1, 1, 1])
    target = replace(_target(gpu), workgroups=128)
    seen = set()
    for tile, tuning in _tunings(path, target):
        for dispatch in make_plan(build_graph(path), target, tuning).dispatches:
            if dispatch.kernel == "conv_matrix" and dispatch.workgroups[2] == 16:
                _reader().create_shader_module(code=dispatch.code)
                seen.add(tile)
    assert len(seen) >= 3


@pytest.mark.usefixtures("winograd_anywhere")
def test_several_products_are_what_onnxruntime_computes(gpu, tmp_path, own_target):
    path, feeds = _conv(tmp_path, x=(2, 72, 13, 11), weights=(40, 72, 3, 3), pads=[1, 1, 1, 1])
    tile = Matrices(32, 32, 64, (16, 32), slices=2)
    target = replace(own_target, workgroups=128)
    plan = make_plan(build_graph(path), target, dict(_tunings(path, target))[tile])
    assert 16 in [each.workgroups[2] for each in plan.dispatches if each.kernel == "conv_matrix"]
    _check_plan(gpu, path, feeds, plan, reference(path, feeds)["y"], tile)


def _attention(folder, tokens, heads, head):
    net = Network()
    x = net.input(1, tokens, heads * head)
    y = net.add("Add", x, vit_attention(net, x, tokens, heads, head, "split"))
    return net.save(folder, y), net.feeds


def _masked(folder):
    """Its keys are fewer than a tile's."""
    net = Network()
    q, k, v = (net.add("MatMul", net.input(2, 3, n, 24), net.weights(24, 24)) for n in (33, 21, 21))
    s = net.add("Add", net.input(33, 21, scale=3.0), scores(net, q, k, 0.25, "mul"))
    return net.save(folder, net.add("MatMul", net.add("Softmax", s, axis=-1), v)), net.feeds


# Small and large heads over rows that are no whole tile.
ATTENTIONS = {
    "heads of 16": lambda folder: _attention(folder, 70, 3, 16),
    "heads of 40": lambda folder: _attention(folder, 150, 2, 40),
    "a head of 160": lambda folder: _attention(folder, 37, 1, 160),
    "masked": _masked,
}


def test_tint_takes_attention(gpu, tmp_path):
    for path, _ in (made(tmp_path) for made in ATTENTIONS.values()):
        plan = make_plan(build_graph(path), _target(gpu))
        (code,) = [dispatch.code for dispatch in plan.dispatches if dispatch.kernel == "attention"]
        assert "subgroupMatrixMultiplyAccumulate" in code
        _reader().create_shader_module(code=code)


# A software adapter takes half a minute to compile one of 64 rows or with a large head.
@pytest.mark.parametrize(
    ("workgroups", "name"),
    [(1, "heads of 16"), (3, "heads of 40"), (3, "masked"), (128, "a head of 160"), (128, "heads of 40")],
    ids=["64 rows of 16", "32 rows of 40", "32 rows masked", "16 rows of 160", "16 rows of 40"],
)
def test_attention_is_what_onnxruntime_computes(gpu, tmp_path, monkeypatch, workgroups, name):
    if not gpu.has("shader-f16"):
        pytest.skip(f"{gpu.adapter} has no shader-f16")
    _without_matrices(gpu, monkeypatch)
    memory = gpu.limits["max-compute-workgroup-storage-size"]
    target = replace(_target(gpu), workgroup_memory=memory, workgroups=workgroups)
    path, feeds = ATTENTIONS[name](tmp_path)
    plan = make_plan(build_graph(path), target)
    (code,) = [each.code for each in plan.dispatches if each.kernel == "attention"]
    assert "bufferView" in code
    session = WgpuSession(gpu, Prepared(build_graph(path), plan, "fp16"))
    assert relative_error(session.run(feeds)["y"], reference(path, feeds)["y"]) < TOLERANCE
    session.close()
