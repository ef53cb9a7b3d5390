"""Products on subgroup matrices: Tint takes every kernel, and with loops in place of the matrices it computes
what onnxruntime computes.

Dawn's adapter that does nothing lists every feature, so that the kernels are read on any machine; what they
compute on tensor cores is seen where there are some.
"""

from __future__ import annotations

import functools
import os
import re
from dataclasses import replace

import numpy as np
import pytest
import wgpu
from nn_cases import needs_halves, reference, relative_error, save
from onnx import helper
from test_nn_attention import Network, scores, vit_attention

from desktop.base.webgpu import chosen
from desktop.compute.nn.compile.cache import Prepared
from desktop.compute.nn.compile.driver import build_graph, lower_graph, make_plan
from desktop.compute.nn.compile.target import target_of
from desktop.compute.nn.kernels import attention, matrix, patches, subgroup_matrix
from desktop.compute.nn.kernels.patches import Patches
from desktop.compute.nn.kernels.shares import Shared
from desktop.compute.nn.kernels.subgroup_matrix import CONFIGURATION, Matrices
from desktop.compute.nn.lowering.tuning import Tuning
from desktop.compute.nn.runtime.session import WgpuSession

pytestmark = pytest.mark.skipif(chosen().name != "dawn", reason="this process has wgpu-native")

TILES = subgroup_matrix.TILES
TOLERANCE = 2e-3  # of float16, relative


def _half(generator, *shape, scale=1.0):
    return (generator.standard_normal(shape) * scale).astype(np.float16).astype(np.float32)


def _conv(folder, *, name="conv", x=(2, 24, 13, 11), weights=(40, 24, 3, 3), **attributes):
    """A 1x1 convolution, so that what follows reads channels last, then the one that is meant, with an
    activation and a residual.
    """
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


def _two_products(folder, rows, outer, inner):
    """As a layer of a transformer has them."""
    net = Network()
    y = net.linear(net.linear(net.input(1, rows, outer), outer, inner), inner, outer)
    return net.save(folder, y)


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


@pytest.fixture
def matrices_or_loops(gpu, loops_for_matrices):
    """Where the adapter has no matrices: loops in their place."""
    if CONFIGURATION not in gpu.matrices:
        for module, tile in ((matrix, Matrices), (matrix, Patches), (attention, attention._Matrices)):
            loops_for_matrices(module, tile)


@pytest.mark.parametrize("tile", TILES, ids=str)
def test_threads_share_what_is_loaded_and_written(tile):
    """Evenly, and each writes one column: the kernel asks for no more."""
    drained = tile.parts[0] * tile.at_once * 16 * tile.columns // 4
    loads = tile.rows * tile.depth // 8, tile.depth * tile.columns // 8
    assert not [n for n in (drained, *loads) if n % tile.threads]
    assert tile.threads % (tile.columns // 4) == 0


@pytest.mark.parametrize("tile", patches.TILES, ids=str)
def test_threads_share_what_patches_write(tile):
    """Evenly, and each writes one column and loads one octet of all pixels."""
    assert tile.parts[0] * tile.at_once * 16 * tile.columns // 4 % tile.threads == 0
    assert tile.threads % (tile.columns // 4) == 0
    assert tile.threads % (tile.depth // 8) == 0


PATCHED = {
    "padded": {"x": (2, 24, 33, 45), "weights": (40, 24, 3, 3), "pads": [1] * 4},
    "even": {"x": (1, 64, 32, 64), "weights": (128, 64, 3, 3), "pads": [1] * 4},
    "2x2": {"x": (1, 48, 31, 47), "weights": (32, 48, 2, 2), "pads": [1, 1, 0, 0]},
    "a row": {"x": (1, 40, 16, 62), "weights": (24, 40, 1, 3), "pads": [0, 2, 0, 1]},
    "5x5": {"x": (1, 16, 32, 32), "weights": (32, 16, 5, 5), "pads": [2] * 4},
}


def _resized(folder):
    """A convolution of pixels that a Resize repeats, which is left out."""
    generator = np.random.default_rng(4)
    nodes = [
        helper.make_node("Conv", ["x", "first"], ["c"]),
        helper.make_node("Resize", ["c", "", "scales"], ["r"], mode="nearest", nearest_mode="floor",
                         coordinate_transformation_mode="asymmetric"),
        helper.make_node("Conv", ["r", "w", "b"], ["y"], pads=[1] * 4),
    ]  # fmt: skip
    constants = {
        "first": _half(generator, 32, 32, 1, 1, scale=0.2),
        "scales": np.float32([1, 1, 2, 2]),
        "w": _half(generator, 32, 32, 3, 3, scale=0.06),
        "b": _half(generator, 32),
    }
    path = save(folder / "resized.onnx", nodes, {"x": (1, 32, 17, 20)}, "y", constants)
    return path, {"x": _half(generator, 1, 32, 17, 20)}


def _dense_block(folder):
    """A convolution that writes beside what it reads."""
    generator = np.random.default_rng(5)
    nodes = [
        helper.make_node("Conv", ["x", "first"], ["c"]),
        helper.make_node("Conv", ["c", "w"], ["d"], pads=[1] * 4),
        helper.make_node("Relu", ["d"], ["e"]),
        helper.make_node("Concat", ["c", "e"], ["y"], axis=1),
    ]
    constants = {
        "first": _half(generator, 32, 32, 1, 1, scale=0.2),
        "w": _half(generator, 32, 32, 3, 3, scale=0.06),
    }
    path = save(folder / "dense_block.onnx", nodes, {"x": (1, 32, 20, 36)}, "y", constants)
    return path, {"x": _half(generator, 1, 32, 20, 36)}


def _patched(folder, name):
    others = {"resized": _resized, "dense block": _dense_block}
    return others[name](folder) if name in others else _conv(folder, name=name, **PATCHED[name])


ALL_PATCHED = (*PATCHED, "resized", "dense block")


def _patch_tunings(path, target):
    """Each tile of patches that is a candidate for a shape of the network."""
    sites = lower_graph(build_graph(path), target).sites
    names = {str(each) for site in sites for each in site.decision.candidates if isinstance(each, Patches)}
    for name in sorted(names):
        yield name, Tuning({site.decision.key: name for site in sites})


def test_tint_takes_every_tile_of_patches(gpu, tmp_path):
    seen = set()
    for case in ALL_PATCHED:
        path, _ = _patched(tmp_path, case)
        for name, tuning in _patch_tunings(path, _target(gpu)):
            for dispatch in make_plan(build_graph(path), _target(gpu), tuning).dispatches:
                if dispatch.kernel == "conv_patch":
                    _reader().create_shader_module(code=dispatch.code)
                    seen.add(name)
    assert seen == {str(tile) for tile in patches.TILES}


@pytest.mark.parametrize("case", [case for case in ALL_PATCHED if case != "5x5"])
def test_patches_compute_what_onnxruntime_does(gpu, tmp_path, own_target, case):
    """Only the smallest tile runs, and not for 5x5: software adapters have too little workgroup memory."""
    path, feeds = _patched(tmp_path, case)
    name = "conv_patch 4x16 by 32x32 parts 32x16"
    plan = make_plan(build_graph(path), own_target, dict(_patch_tunings(path, own_target))[name])
    assert "conv_patch" in [dispatch.kernel for dispatch in plan.dispatches]
    _check_plan(gpu, path, feeds, plan, reference(path, feeds)["y"], name)


def test_the_rule_takes_patches_where_they_pay(gpu, tmp_path):
    """Patches are chosen for 32 and 64 channels of many pixels, not for few pixels with many weights (H200)."""
    target = replace(_target(gpu), workgroups=132)

    def kernel(**case):
        path, _ = _conv(tmp_path, pads=[1] * 4, **case)
        return make_plan(build_graph(path), target).dispatches[-1].kernel

    assert kernel(x=(1, 32, 256, 256), weights=(32, 32, 3, 3)) == "conv_patch"
    assert kernel(x=(1, 64, 128, 128), weights=(32, 64, 3, 3)) == "conv_patch"
    assert kernel(x=(1, 64, 14, 14), weights=(64, 64, 3, 3)) != "conv_patch"


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
def own_target(gpu, matrices_or_loops):
    """A target with matrices, or loops in their place, and the adapter's own workgroup memory."""
    needs_halves(gpu)
    return replace(_target(gpu), workgroup_memory=gpu.limits["max-compute-workgroup-storage-size"])


def test_a_tile_computes_what_onnxruntime_does(gpu, tmp_path, own_target):
    """The tile that a software adapter compiles fastest, of slices that are added up: tests/dawn.txt lists it
    alone.
    """
    path, feeds = _conv(tmp_path, pads=[1, 1, 1, 1])
    tile = Matrices(32, 32, 64, (16, 32), slices=2)
    plan = make_plan(build_graph(path), own_target, dict(_tunings(path, own_target))[tile])
    assert [dispatch.kernel for dispatch in plan.dispatches].count("conv_matrix") == 1
    _check_plan(gpu, path, feeds, plan, reference(path, feeds)["y"], tile)


def test_phases_are_written_to_their_places(gpu, tmp_path, own_target):
    """Of a transposed convolution, with a residual that is read there."""
    generator = np.random.default_rng(2)
    nodes = [
        helper.make_node("Conv", ["x", "first"], ["c"]),
        helper.make_node("ConvTranspose", ["c", "w", "b"], ["t"], strides=[2, 2], pads=[1, 1, 1, 1]),
        helper.make_node("Add", ["t", "r"], ["s"]),
        helper.make_node("Relu", ["s"], ["y"]),
    ]
    constants = {
        "first": _half(generator, 40, 40, 1, 1, scale=0.15),
        "w": _half(generator, 40, 18, 4, 4, scale=0.08),
        "b": _half(generator, 18),
    }
    shapes = {"x": (2, 40, 7, 5), "r": (2, 18, 14, 10)}
    path = save(tmp_path / "phases.onnx", nodes, shapes, "y", constants)
    feeds = {name: _half(generator, *shape) for name, shape in shapes.items()}
    tile = Matrices(32, 32, 64, (16, 32), slices=2)
    plan = make_plan(build_graph(path), own_target, dict(_tunings(path, own_target))[tile])
    assert plan.dispatches[-1].kernel == "conv_matrix"
    _check_plan(gpu, path, feeds, plan, reference(path, feeds)["y"], tile)


def test_every_tile_computes_what_onnxruntime_does(gpu, tmp_path, own_target):
    """All of the padded convolution, two of each other shape: a software adapter takes seconds to compile
    one.
    """
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


def test_an_input_beyond_float16_is_reported(gpu, tmp_path, own_target, caplog):
    """Behind an activation its result would look right: tanh(1) becomes tanh(infinity)."""
    nodes = [helper.make_node("MatMul", ["x", "w"], ["p"]), helper.make_node("Tanh", ["p"], ["y"])]
    weights = {"w": np.full((512, 2112), 1e-5, np.float32)}
    graph = build_graph(save(tmp_path / "m.onnx", nodes, {"x": (1, 64, 512)}, "y", weights))
    session = WgpuSession(gpu, Prepared(graph, make_plan(graph, own_target), "fp16"), "m")
    x = np.zeros((1, 64, 512), np.float32)
    session.run({"x": x})
    assert not caplog.messages
    x[0, 0, 0] = 1e5
    session.run({"x": x})
    session.close()
    assert len(caplog.messages) == 1 and "values of 'x' are beyond 65504" in caplog.messages[0]


def test_an_input_of_several_products_is_rounded_once(gpu, tmp_path, own_target):
    nodes = [helper.make_node("MatMul", ["x", "w"], ["p"]), helper.make_node("Gemm", ["x", "v"], ["q"]),
             helper.make_node("Tanh", ["p"], ["y"]), helper.make_node("Sigmoid", ["q"], ["z"]),
             helper.make_node("Concat", ["y", "z"], ["o"], axis=1)]  # fmt: skip
    weights = {name: np.zeros((512, 2112), np.float32) for name in ("w", "v")}
    path = save(tmp_path / "m.onnx", nodes, {"x": (64, 512)}, "o", weights)
    kernels = [dispatch.kernel for dispatch in make_plan(build_graph(path), own_target).dispatches]
    assert kernels.count("conv_matrix") == 2 and kernels.index("elementwise") == 0
    assert "elementwise" not in kernels[1 : kernels.index("conv_matrix", 2)]


@pytest.mark.parametrize(("columns", "rounds"), [(2112, True), (64, False)])
def test_rows_of_an_input_are_rounded_where_the_product_is_large(gpu, tmp_path, own_target, columns, rounds):
    """Of float32, as the states of a text are; a small product is not worth a dispatch."""
    generator = np.random.default_rng(3)
    weights = (generator.standard_normal((512, columns)) * 0.05).astype(np.float32)
    path = save(
        tmp_path / "m.onnx",
        [helper.make_node("MatMul", ["x", "w"], ["p"]), helper.make_node("Tanh", ["p"], ["y"])],
        {"x": (1, 64, 512)},
        "y",
        {"w": weights},
    )
    feeds = {"x": generator.standard_normal((1, 64, 512)).astype(np.float32)}
    plan = make_plan(build_graph(path), own_target)
    kernels = [dispatch.kernel for dispatch in plan.dispatches]
    assert (kernels[:2] == ["elementwise", "conv_matrix"]) == rounds
    _check_plan(gpu, path, feeds, plan, reference(path, feeds)["y"], "rounded")


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


def _stem(folder, x, weights, *, inner=False, reflected=0, **attributes):
    """A convolution of a picture; `inner`: of what another one made of it; `reflected`: with so many pixels
    at each side.
    """
    generator = np.random.default_rng(3)
    rank = len(x) - 2
    nodes = [
        *([helper.make_node("Conv", ["x", "first"], ["c"])] if inner else []),
        *([helper.make_node("Pad", ["x", "around"], ["c"], mode="reflect")] if reflected else []),
        helper.make_node("Conv", ["c" if inner or reflected else "x", "w", "b"], ["y"], **attributes),
    ]
    constants = {
        "w": _half(generator, *weights, scale=np.prod(weights[1:]) ** -0.5),
        "b": _half(generator, weights[0]),
    }
    if reflected:
        constants["around"] = np.int64([0, 0, reflected, reflected] * 2)
    if inner:
        constants["first"] = _half(generator, x[1], x[1], *(1,) * rank, scale=x[1] ** -0.5)
    return save(folder / "stem.onnx", nodes, {"x": x}, "y", constants), {"x": _half(generator, *x)}


STEMS = {
    "7x7": {"x": (2, 3, 19, 22), "weights": (40, 3, 7, 7), "strides": [2, 2], "pads": [3] * 4},
    "3x3": {"x": (1, 3, 33, 31), "weights": (64, 3, 3, 3), "strides": [2, 2], "pads": [0, 0, 1, 1]},
    "patches": {"x": (2, 3, 64, 40), "weights": (40, 3, 8, 8), "strides": [8, 8]},
    "one channel": {"x": (1, 1, 21, 16), "weights": (64, 1, 5, 4), "dilations": [1, 2], "pads": [2, 1, 1, 3]},
    "four channels": {"x": (1, 4, 16, 16), "weights": (48, 4, 5, 5), "pads": [2] * 4},
    "layers": {
        "x": (1, 3, 5, 12, 10),
        "weights": (64, 3, 3, 5, 5),
        "strides": [1, 2, 2],
        "pads": [1, 2, 2] * 2,
    },
    "reflected": {"x": (1, 3, 18, 21), "weights": (40, 3, 9, 9), "reflected": 4},
    "inner": {"x": (1, 3, 13, 16), "weights": (40, 3, 9, 9), "pads": [4] * 4, "inner": True},
}


def test_tint_takes_pictures(gpu, tmp_path):
    seen = set()
    for case in STEMS.values():
        path, _ = _stem(tmp_path, **case)
        for tile, tuning in _tunings(path, _target(gpu)):
            for dispatch in make_plan(build_graph(path), _target(gpu), tuning).dispatches:
                if dispatch.kernel == "conv_matrix":
                    _reader().create_shader_module(code=dispatch.code)
                    seen.add(tile)
    assert len(seen) >= 15


@pytest.mark.parametrize("name", STEMS)
def test_pictures_are_read_two_taps_at_a_time(gpu, tmp_path, own_target, name):
    path, feeds = _stem(tmp_path, **STEMS[name])
    tile = Matrices(128, 64, 32, (64, 32), buffers=1)
    if name != "3x3":  # of a depth of 48
        tile = Matrices(32, 32, 64, (16, 32), slices=2)
    plan = make_plan(build_graph(path), own_target, dict(_tunings(path, own_target))[tile])
    assert "conv_matrix" in [dispatch.kernel for dispatch in plan.dispatches]
    _check_plan(gpu, path, feeds, plan, reference(path, feeds)["y"], tile)


def count_that_share(graph, target):
    """How many candidates of a network's choices there are; each reads and writes what the rule's kernel
    does.
    """
    seen = 0
    lowering = lower_graph(graph, target)
    plan = lowering.finish()
    for site in lowering.sites:
        rule = plan.dispatches[site.index]
        for candidate in site.decision.candidates:
            other = make_plan(graph, target, Tuning({site.decision.key: str(candidate)}))
            one = other.dispatches[site.index]
            assert (one.reads, one.writes) == (rule.reads, rule.writes), str(candidate)
            assert [each.size for each in other.storages] == [each.size for each in plan.storages]
            seen += 1
    return seen


@pytest.mark.usefixtures("narrow_anywhere")
def test_candidates_read_the_same_memory(gpu, tmp_path):
    """As the tuner asks of them: it puts one dispatch in the place of another."""
    paths = [_stem(tmp_path, **case)[0] for case in STEMS.values()]
    cases = [(path, workgroups) for path in paths for workgroups in (1, 132)]
    cases += [
        (_conv(tmp_path, pads=[1, 1, 1, 1])[0], 132),
        (_few_outputs(tmp_path, **OUTPUTS["9x9"])[0], 132),
        (_two_products(tmp_path, 197, 768, 3072), 132),
    ]
    seen = 0
    for path, workgroups in cases:
        seen += count_that_share(build_graph(path), replace(_target(gpu), workgroups=workgroups))
    assert seen > 100


def test_a_picture_beyond_16_bits(gpu, tmp_path, own_target):
    """What is finite becomes the largest number; infinities and NaN reach the pixels whose windows see them,
    and no others.
    """
    path, feeds = _stem(tmp_path, **STEMS["3x3"])
    x = feeds["x"]
    x[0, 1, 3, 4], x[0, 0, 9, 9], x[0, 2, 14, 1] = 1e5, np.inf, np.nan
    session = WgpuSession(gpu, Prepared(build_graph(path), make_plan(build_graph(path), own_target), "fp16"))
    found = session.run(feeds)["y"]
    session.close()
    x[0, 1, 3, 4] = 65504
    expected = reference(path, feeds)["y"]
    finite = np.isfinite(expected)
    assert np.isnan(expected).any() and np.isinf(expected).any()
    np.testing.assert_array_equal(np.isnan(found), np.isnan(expected))
    assert relative_error(found[finite], expected[finite]) < TOLERANCE


def _shared(share_depth, tile, count):
    """The depth of every product that can be is shared out so."""
    share_depth(lambda convolution: Shared(tile, count, 0.0) if convolution.extent[2] > 60 else None)


def test_tint_takes_shares_of_the_depth(gpu, tmp_path, share_depth):
    path, _ = _conv(tmp_path, x=(2, 72, 13, 11), weights=(40, 72, 3, 3), pads=[1, 1, 1, 1])
    for tile in TILES:
        _shared(share_depth, tile, 2)
        for dispatch in make_plan(build_graph(path), _target(gpu)).dispatches:
            if dispatch.kernel == "conv_matrix":
                _reader().create_shader_module(code=dispatch.code)


@pytest.mark.parametrize("count", [2, 3, 11])
def test_shares_of_the_depth_add_up(gpu, tmp_path, share_depth, own_target, count):
    """Eleven steps: six and five; four, four and three; one each."""
    tile = Matrices(32, 32, 64, (16, 32), slices=2)
    _shared(share_depth, tile, count)
    path, feeds = _conv(tmp_path, x=(2, 72, 13, 11), weights=(40, 72, 3, 3), pads=[1, 1, 1, 1])
    plan = make_plan(build_graph(path), own_target)
    assert [each.workgroups[2] for each in plan.dispatches if each.kernel == "conv_matrix"] == [count]
    assert [each.kernel for each in plan.dispatches].count("sum_shares") == 1
    _check_plan(gpu, path, feeds, plan, reference(path, feeds)["y"], tile)


def test_a_depth_is_shared_out_where_few_tiles_would_fill_a_gpu(gpu, tmp_path):
    """The last convolutions of a ResNet, and the second product of a vision transformer's layers."""
    target = replace(_target(gpu), workgroups=132)
    cases = {
        "few": (_conv(tmp_path, x=(1, 512, 7, 7), weights=(512, 512, 3, 3), pads=[1, 1, 1, 1])[0], True),
        "tokens": (_two_products(tmp_path, 197, 768, 3072), True),
        "many": (_conv(tmp_path, name="many", x=(1, 64, 56, 56), weights=(64, 64, 1, 1))[0], False),
    }
    for name, (path, expected) in cases.items():
        kernels = [each.kernel for each in make_plan(build_graph(path), target).dispatches]
        assert ("sum_shares" in kernels) == expected, name


OUTPUTS = {
    "9x9": {"x": (1, 24, 21, 18), "weights": (3, 24, 9, 9), "pads": [4] * 4},
    "5x7 of two pictures": {"x": (2, 16, 20, 17), "weights": (2, 16, 5, 7), "pads": [1, 5, 2, 0]},
    "3x3": {"x": (1, 40, 19, 23), "weights": (4, 40, 3, 3), "pads": [1] * 4},
    "reflected": {"x": (1, 24, 21, 18), "weights": (3, 24, 9, 9), "reflected": 4},
}


def _few_outputs(folder, x, weights, *, reflected=0, **attributes):
    generator = np.random.default_rng(4)
    around = np.int64([0, 0, reflected, reflected] * 2)
    nodes = [
        helper.make_node("Conv", ["x", "first"], ["c"]),
        *([helper.make_node("Pad", ["c", "around"], ["p"], mode="reflect")] if reflected else []),
        helper.make_node("Conv", ["p" if reflected else "c", "w", "b"], ["d"], **attributes),
        helper.make_node("Tanh", ["d"], ["y"]),
    ]
    constants = {
        "first": _half(generator, x[1], x[1], 1, 1, scale=x[1] ** -0.5),
        "w": _half(generator, *weights, scale=np.prod(weights[1:]) ** -0.5),
        "b": _half(generator, weights[0]),
    } | ({"around": around} if reflected else {})
    return save(folder / "outputs.onnx", nodes, {"x": x}, "y", constants), {"x": _half(generator, *x)}


@pytest.mark.usefixtures("narrow_anywhere")
@pytest.mark.parametrize("name", OUTPUTS)
def test_columns_of_a_window_add_up(gpu, tmp_path, own_target, name):
    path, feeds = _few_outputs(tmp_path, **OUTPUTS[name])
    tile = Matrices(32, 32, 64, (16, 32), slices=2)
    plan = make_plan(build_graph(path), own_target, dict(_tunings(path, own_target))[tile])
    assert [dispatch.kernel for dispatch in plan.dispatches][-2:] == ["conv_matrix", "sum_columns"]
    _check_plan(gpu, path, feeds, plan, reference(path, feeds)["y"], tile)


def test_tint_takes_the_last_layer_of_a_style(gpu, tmp_path):
    """It is the rule's for three outputs of a large picture."""
    path, _ = _few_outputs(tmp_path, (1, 32, 520, 520), (3, 32, 9, 9))
    software, target = (replace(_target(gpu), workgroups=n) for n in (1, 132))
    kernels = [each.kernel for each in make_plan(build_graph(path), software).dispatches]
    dispatches = make_plan(build_graph(path), target).dispatches
    assert "sum_columns" not in kernels and dispatches[-1].kernel == "sum_columns"
    _reader().create_shader_module(code=dispatches[-2].code)


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


def _crossed(folder, head=40):
    """Queries with the 77 keys of a text, all 16-bit."""
    net = Network(half=True)
    q, k, v = (net.input(1, 2, n, head) for n in (70, 77, 77))
    s = scores(net, q, k, head**-0.5, "mul")
    return net.save(folder, net.add("MatMul", net.add("Softmax", s, axis=-1), v)), net.feeds


def _rising(folder, head):
    """Scores that rise by more than 8 from tile to tile, and again, in two of three rows, and by less in the others."""
    path, feeds = _crossed(folder, head)
    queries, keys, _ = feeds.values()
    keys *= np.geomspace(0.1, 30.0, keys.shape[-2])[:, None].astype(np.float16)
    queries[:, :, ::3] *= np.float16(0.02)
    found = np.einsum("bhqd,bhkd->bhqk", queries, keys, dtype=np.float32) * head**-0.5
    rises = found[..., 64:].max(-1) - found[..., :64].max(-1)
    assert (rises > 8.0).sum() > 20 and (rises[:, :, ::3] < 5.0).all()
    return path, feeds


# Small and large heads over rows that are no whole tile.
ATTENTIONS = {
    "heads of 16": lambda folder: _attention(folder, 70, 3, 16),
    "heads of 40": lambda folder: _attention(folder, 150, 2, 40),
    "heads of 64": lambda folder: _attention(folder, 45, 2, 64),
    "a head of 160": lambda folder: _attention(folder, 37, 1, 160),
    "masked": _masked,
    "a text's keys": _crossed,
    "rising scores": lambda folder: _rising(folder, 40),
    "rising scores, shared": lambda folder: _rising(folder, 64),
}


def test_tint_takes_attention(gpu, tmp_path):
    for path, _ in (made(tmp_path) for made in ATTENTIONS.values()):
        plan = make_plan(build_graph(path), _target(gpu))
        (code,) = [dispatch.code for dispatch in plan.dispatches if dispatch.kernel == "attention"]
        assert "subgroupMatrixMultiplyAccumulate" in code
        _reader().create_shader_module(code=code)


# A software adapter takes half a minute to compile one of 64 rows or with a large head.
@pytest.mark.usefixtures("matrices_or_loops")
@pytest.mark.parametrize(
    ("workgroups", "name"),
    [
        (1, "heads of 16"),
        (3, "heads of 40"),
        (3, "masked"),
        (128, "a head of 160"),
        (128, "heads of 40"),
        (128, "heads of 64"),
        (128, "a text's keys"),
        (128, "rising scores"),
        (128, "rising scores, shared"),
    ],
    ids=[
        "64 rows of 16",
        "32 of 40",
        "32 masked",
        "16 of 160",
        "16 of 40",
        "16 shared of 64",
        "16 of a text",
        "16 rising",
        "16 shared rising",
    ],
)
def test_attention_is_what_onnxruntime_computes(gpu, tmp_path, workgroups, name):
    needs_halves(gpu)
    memory = gpu.limits["max-compute-workgroup-storage-size"]
    target = replace(_target(gpu), workgroup_memory=memory, workgroups=workgroups)
    path, feeds = ATTENTIONS[name](tmp_path)
    plan = make_plan(build_graph(path), target)
    (code,) = [each.code for each in plan.dispatches if each.kernel == "attention"]
    assert "bufferView" in code
    session = WgpuSession(gpu, Prepared(build_graph(path), plan, "fp16"))
    assert relative_error(session.run(feeds)["y"], reference(path, feeds)["y"]) < TOLERANCE
    session.close()


@pytest.mark.usefixtures("matrices_or_loops")
def test_a_tile_past_the_last_key_adds_nothing(gpu, tmp_path):
    """The last value is infinite: what fills up the tile must not add zero times infinity, which is NaN."""
    needs_halves(gpu)
    path, feeds = _crossed(tmp_path)
    *_, values = feeds.values()
    values[..., -1, 3] = np.inf
    memory = gpu.limits["max-compute-workgroup-storage-size"]
    plan = make_plan(build_graph(path), replace(_target(gpu), workgroup_memory=memory, workgroups=128))
    session = WgpuSession(gpu, Prepared(build_graph(path), plan, "fp16"))
    found, expected = session.run(feeds)["y"], reference(path, feeds)["y"]
    session.close()
    assert (found[..., 3] == np.inf).all() and (expected[..., 3] == np.inf).all()
    others = np.arange(40) != 3
    assert relative_error(found[..., others], expected[..., others]) < TOLERANCE


def test_the_rule_for_the_keys_of_a_tile(gpu, tmp_path):
    """Small tiles where a large one would be mostly empty and subgroups can't share rows (H200)."""
    target = replace(_target(gpu), workgroups=132)

    def keys_of(path):
        (code,) = [
            each.code
            for each in make_plan(build_graph(path), target).dispatches
            if each.kernel == "attention"
        ]
        return int(re.search(r"const TILE_KEYS\D*(\d+)u", code)[1])

    assert keys_of(_crossed(tmp_path)[0]) == 16
    assert keys_of(_crossed(tmp_path, head=64)[0]) == 64
    assert keys_of(_attention(tmp_path, 256, 2, 40)[0]) == 64


def _growing(folder, channels, growth, *, size=3, first=False):
    """Convolutions that each read all so far, with activations, and the residual; `first`: new parts come
    first in the list.
    """
    generator = np.random.default_rng(7)
    nodes = [helper.make_node("Conv", ["x", "w0"], ["p0"])]
    constants = {"w0": _half(generator, channels, channels, 1, 1, scale=channels**-0.5)}
    parts, depth = ["p0"], channels
    for at in range(1, 4):
        joined = parts[0]
        if at > 1:
            joined = f"j{at}"
            nodes.append(helper.make_node("Concat", parts[::-1] if first else parts, [joined], axis=1))
        width = channels if at == 3 else growth
        constants[f"w{at}"] = _half(generator, width, depth, size, size, scale=(depth * size * size) ** -0.5)
        nodes.append(helper.make_node("Conv", [joined, f"w{at}"], [f"c{at}"], pads=[size // 2] * 4))
        if at < 3:
            nodes.append(helper.make_node("LeakyRelu", [f"c{at}"], [f"p{at}"], alpha=0.2))
            parts.append(f"p{at}")
            depth += growth
    parts.append("c3")
    nodes.append(helper.make_node("Concat", parts[::-1] if first else parts, ["j"], axis=1))
    nodes.append(helper.make_node("Neg", ["j"], ["y"]))
    shapes = {"x": (2, channels, 9, 7)}
    path = save(folder / f"growing {channels} {growth} {size}.onnx", nodes, shapes, "y", constants)
    return path, {"x": _half(generator, *shapes["x"])}


@pytest.mark.parametrize(
    ("channels", "growth", "size", "first", "count"),
    [(64, 32, 3, False, 3), (64, 32, 1, False, 3), (72, 24, 3, True, 3), (72, 12, 3, False, 1)],
)
def test_tint_takes_what_is_written_beside_what_it_reads(gpu, tmp_path, channels, growth, size, first, count):
    """Whole octets are read so; the conversion of the input and the negation of the list are left."""
    path, _ = _growing(tmp_path, channels, growth, size=size, first=first)
    for tile, tuning in _tunings(path, _target(gpu)):
        dispatches = make_plan(build_graph(path), _target(gpu), tuning).dispatches
        assert [each.kernel for each in dispatches].count("elementwise") == 2
        seen = [each for each in dispatches if "read_write> x: array<vec2<u32>>" in each.code]
        for dispatch in seen:
            _reader().create_shader_module(code=dispatch.code)
        assert len(seen) == count or (tile.rows > 64 or tile.columns > 32 or tile.depth > 64), str(tile)


@pytest.mark.parametrize(("channels", "growth", "size", "first"), [(40, 24, 3, False), (64, 24, 1, True)])
def test_matrices_are_written_beside_what_they_read(gpu, tmp_path, own_target, channels, growth, size, first):
    path, feeds = _growing(tmp_path, channels, growth, size=size, first=first)
    tile = Matrices(32, 32, 64, (16, 32), slices=2)
    plan = make_plan(build_graph(path), own_target, dict(_tunings(path, own_target))[tile])
    assert "conv_matrix" in [each.kernel for each in plan.dispatches]
    _check_plan(gpu, path, feeds, plan, reference(path, feeds)["y"], tile)
