"""Normalizations spelled out in primitives are found, and compute what onnxruntime computes."""

from __future__ import annotations

import numpy as np
import onnx
import pytest
from nn_cases import check, needs_halves, reference, save, session_for, subgroup_size
from onnx import helper, numpy_helper


def _spelled(x, y, axes, *, power, twice, joined=()):
    """(x - mean) / sqrt(variance + epsilon) as exporters write it."""

    def mean(source, result):
        if not joined:
            return [helper.make_node("ReduceMean", [source], [result], axes=axes, keepdims=1)]
        return [
            helper.make_node("Reshape", [source, "joined"], [f"{source}_rows"]),
            helper.make_node("ReduceMean", [f"{source}_rows"], [result], axes=[3], keepdims=1),
        ]

    second = "d2" if twice else "d"
    nodes = [*mean(x, "m"), helper.make_node("Sub", [x, "m"], ["d"])]
    if twice:
        nodes.append(helper.make_node("Sub", [x, "m"], ["d2"]))
    square = (
        helper.make_node("Pow", [second, "two"], ["s"])
        if power
        else helper.make_node("Mul", [second] * 2, ["s"])
    )
    return [
        *nodes,
        square,
        *mean("s", "v"),
        helper.make_node("Add", ["v", "epsilon"], ["w"]),
        helper.make_node("Sqrt", ["w"], ["r"]),
        helper.make_node("Div", ["d", "r"], [y]),
    ]  # fmt: skip


def _constants(channels, features):
    generator = np.random.default_rng(0)
    return {
        "w0": generator.standard_normal((channels, channels, 3, 3)).astype(np.float32) * 0.3,
        "two": np.array(2.0, np.float32),
        "epsilon": np.array([1e-5], np.float32),
        "scale": generator.standard_normal((channels, 1, 1)).astype(np.float32),
        "shift": generator.standard_normal((channels, 1, 1)).astype(np.float32),
        "gamma": generator.standard_normal(features).astype(np.float32),
        "beta": generator.standard_normal(features).astype(np.float32),
    }


def _kernels(gpu, tmp_path, nodes, constants, shape, *, offset=0.0):
    used = {name for node in nodes for name in node.input}
    path = save(
        tmp_path / "m.onnx", nodes, {"x": shape}, "y", {k: v for k, v in constants.items() if k in used}
    )
    feeds = {"x": (np.random.default_rng(1).standard_normal(shape) + offset).astype(np.float32)}
    check(gpu, path, feeds)
    session = session_for(gpu, path)
    kernels = [dispatch.kernel for dispatch in session.plan.dispatches]
    session.close()
    return kernels


@pytest.mark.parametrize("power", [False, True])
@pytest.mark.parametrize("twice", [False, True])
@pytest.mark.parametrize("joined", [(), (1, 8, 1, 63)])
def test_instance_normalization(gpu, tmp_path, power, twice, joined):
    constants = {**_constants(8, 5), "joined": np.array(joined, np.int64)}
    nodes = [
        helper.make_node("Conv", ["x", "w0"], ["a"], pads=[1, 1, 1, 1]),
        *_spelled("a", "n", [2, 3], power=power, twice=twice, joined=joined),
        helper.make_node("Mul", ["n", "scale"], ["p"]),
        helper.make_node("Add", ["p", "shift"], ["q"]),
        helper.make_node("Relu", ["q"], ["y"]),
    ]
    # The mean is far from 0, where a variance by E[x^2] - E[x]^2 would lose its digits.
    kernels = _kernels(gpu, tmp_path, nodes, constants, (1, 8, 7, 9), offset=20.0)
    assert [k for k in kernels if k.startswith("instance")] == [
        "instance_sums",
        "instance_factors",
        "instance_apply",
    ]
    assert "reduce" not in kernels and len(kernels) <= 6


@pytest.mark.parametrize("axes", [[-1], [2, 3]])
def test_layer_normalization(gpu, tmp_path, axes):
    constants = _constants(4, 6)
    shape = (2, 3, 5, 6)
    nodes = [*_spelled("x", "n", axes, power=True, twice=False)]
    nodes += [helper.make_node("Mul", ["n", "gamma"], ["p"]), helper.make_node("Add", ["beta", "p"], ["y"])]
    kernels = _kernels(gpu, tmp_path, nodes, constants, shape)
    assert "reduce" not in kernels
    assert axes != [-1] or kernels == ["normalize"]


def test_what_somebody_else_reads_stays(gpu, tmp_path):
    constants = _constants(4, 6)
    nodes = _spelled("x", "n", [-1], power=True, twice=False)
    nodes.append(helper.make_node("Add", ["n", "r"], ["y"]))
    kernels = _kernels(gpu, tmp_path, nodes, constants, (2, 5, 6))
    assert "normalize" in kernels and len(kernels) > 1


def test_a_mean_over_other_axes_is_no_normalization(gpu, tmp_path):
    nodes = _spelled("x", "y", [1], power=True, twice=False)
    kernels = _kernels(gpu, tmp_path, nodes, _constants(4, 6), (2, 5, 6, 3))
    assert "normalize" not in kernels


@pytest.mark.parametrize(("floor", "opset"), [("Clip", 10), ("Clip", 13), ("Max", 13), ("Add", 13)])
def test_a_row_of_zeros_stays_zero_where_its_floor_is_below_float16(gpu, tmp_path, floor, opset):
    needs_halves(gpu)
    nodes = [
        helper.make_node("ReduceL2", ["x"], ["norm"], axes=[-1], keepdims=1),
        helper.make_node(floor, ["norm", "tiny"], ["bounded"])
        if opset > 10
        else helper.make_node(floor, ["norm"], ["bounded"], min=1e-12),
        helper.make_node("Expand", ["bounded", "shape"], ["wide"]),
        helper.make_node("Div", ["x", "wide"], ["y"]),
    ]
    shape = (2, 4, 8)
    constants = {"tiny": np.array(1e-12, np.float32), "shape": np.array(shape, np.int64)}
    constants = constants if opset > 10 else {"shape": constants["shape"]}
    path = save(tmp_path / "m.onnx", nodes, {"x": shape}, "y", constants, opset=opset)
    x = np.random.default_rng(0).standard_normal(shape).astype(np.float32)
    x[0, 1] = 0
    check(gpu, path, {"x": x}, tolerance=2e-3, precision="fp16")


@pytest.mark.parametrize("operator", ["LayerNormalization", "RMSNormalization"])
@pytest.mark.parametrize(("rows", "length"), [(3, 4), (5, 12), (7, 768), (2, 3000), (1, 8192), (5000, 8)])
@pytest.mark.parametrize("precision", ["fp32", "fp16"])
def test_a_workgroup_holds_a_row(gpu, tmp_path, operator, rows, length, precision):
    """The kernel of GPUs (a software adapter has a thread for each row) beside NumPy in float64; more rows
    than a dispatch is wide.
    """
    check_held_rows(gpu, tmp_path, operator, rows, length, precision)


@pytest.mark.parametrize("operator", ["LayerNormalization", "RMSNormalization"])
@pytest.mark.parametrize(("rows", "length"), [(5, 12), (7, 768), (1, 8192)])
def test_subgroups_add_up_a_row(gpu, tmp_path, operator, rows, length):
    """The kernel of GPUs whose subgroups have a known size, with that of this adapter's."""
    check_held_rows(gpu, tmp_path, operator, rows, length, "fp32", subgroup=subgroup_size(gpu))


def check_held_rows(gpu, tmp_path, operator, rows, length, precision, subgroup=0):
    """Compare rows that workgroups hold with NumPy's in float64."""
    needs_halves(gpu, precision)
    generator = np.random.default_rng(length)
    x = (generator.standard_normal((rows, length)) * 2 + 3).astype(np.float32)
    scale, bias = (generator.standard_normal(length).astype(np.float32) for _ in range(2))
    centered = operator == "LayerNormalization"
    given = {"scale": scale, "bias": bias} if centered else {"scale": scale}
    nodes = [helper.make_node(operator, ["x", *given], ["y"], axis=-1, epsilon=1e-5)]
    path = save(tmp_path / "m.onnx", nodes, {"x": x.shape}, "y", given, opset=23)
    session = session_for(gpu, path, workgroups=128, precision=precision, subgroup=subgroup)
    kernels = {dispatch.kernel: dispatch.code for dispatch in session.plan.dispatches}
    found = session.run({"x": x})["y"]
    session.close()
    assert ("subgroupAdd" in kernels["normalize_rows"]) == (subgroup > 0)
    exact = x.astype(np.float64)
    exact = exact - exact.mean(-1, keepdims=True) if centered else exact
    wanted = exact / np.sqrt((exact**2).mean(-1, keepdims=True) + 1e-5) * scale + (bias if centered else 0)
    assert found.shape == wanted.shape
    limit = 2e-6 if precision == "fp32" else 2e-3
    assert np.linalg.norm(found - wanted) <= limit * np.linalg.norm(wanted)


def test_what_is_no_number_stays_in_its_row(gpu, tmp_path):
    x = np.random.default_rng(0).standard_normal((4, 64)).astype(np.float32)
    x[1, 5], x[2, 7] = np.nan, np.inf
    nodes = [helper.make_node("LayerNormalization", ["x", "scale"], ["y"], axis=-1)]
    path = save(tmp_path / "m.onnx", nodes, {"x": x.shape}, "y", {"scale": np.ones(64, np.float32)}, opset=17)
    session = session_for(gpu, path, workgroups=128)
    assert "normalize_rows" in [dispatch.kernel for dispatch in session.plan.dispatches]
    found = session.run({"x": x})["y"]
    session.close()
    assert np.isfinite(found[[0, 3]]).all()
    assert np.isnan(found[1]).all() and np.isnan(found[2]).all()


def _outputs(gpu, folder, node, feeds, constants, opset):
    """All of a node's outputs by name."""
    inputs = [helper.make_tensor_value_info(name, 1, array.shape) for name, array in feeds.items()]
    outputs = [helper.make_empty_tensor_value_info(name) for name in node.output if name]
    given = [numpy_helper.from_array(array, name) for name, array in constants.items()]
    graph = helper.make_graph([node], "g", inputs, outputs, given)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=8)
    onnx.save(onnx.shape_inference.infer_shapes(model), folder / "m.onnx")
    session = session_for(gpu, folder / "m.onnx")
    found = session.run(feeds)
    session.close()
    return found


def _rows_with_infinities():
    """Rows of ordinary numbers, with one infinity of either sign, with both, with NaN, and all of it at once."""
    x = np.random.default_rng(3).standard_normal((6, 40)).astype(np.float32)
    x[1, 3], x[2, 5], x[3, 7], x[3, 9], x[4, 0] = np.inf, -np.inf, np.inf, -np.inf, np.nan
    x[5, :3] = np.inf, np.inf, np.nan
    return x


def test_the_mean_of_a_row_with_an_infinity(gpu, tmp_path):
    """It is infinite; nothing else of the row is a number. Beside NumPy."""
    x = _rows_with_infinities()
    node = helper.make_node("LayerNormalization", ["x", "scale"], ["y", "mean", "factor"], axis=-1)
    found = _outputs(gpu, tmp_path, node, {"x": x}, {"scale": np.ones(40, np.float32)}, 17)
    with np.errstate(all="ignore"):
        wide = x.astype(np.float64)
        np.testing.assert_allclose(found["mean"], wide.mean(1, keepdims=True), rtol=1e-5, atol=1e-6)
        factor = 1 / np.sqrt(wide.var(1, keepdims=True) + 1e-5)
    np.testing.assert_allclose(found["factor"], factor, rtol=1e-5)
    assert np.isnan(found["y"][1:]).all() and np.isfinite(found["y"][0]).all()


def test_the_running_mean_of_a_channel_with_an_infinity(gpu, tmp_path):
    """BatchNormalization in training, beside NumPy."""
    x = _rows_with_infinities().reshape(1, 6, 5, 8)
    node = helper.make_node(
        "BatchNormalization", ["x", "one", "nil", "nil", "one"], ["y", "mean", "var"], training_mode=1
    )
    constants = {"one": np.ones(6, np.float32), "nil": np.zeros(6, np.float32)}
    found = _outputs(gpu, tmp_path, node, {"x": x}, constants, 15)
    with np.errstate(all="ignore"):
        wide = x.astype(np.float64)
        np.testing.assert_allclose(found["mean"], 0.1 * wide.mean((0, 2, 3)), rtol=1e-5, atol=1e-6)
        np.testing.assert_allclose(found["var"], 0.9 + 0.1 * wide.var((0, 2, 3)), rtol=1e-5)
    assert np.isnan(found["y"][:, 1:]).all() and np.isfinite(found["y"][:, 0]).all()


@pytest.mark.parametrize("workgroups", [1, 132])
def test_one_scale_for_all_of_a_row(gpu, tmp_path, workgroups):
    """A scale without dimensions, which ONNX stretches and ONNX Runtime refuses: beside NumPy."""
    x = np.random.default_rng(4).standard_normal((3, 64)).astype(np.float32)
    node = helper.make_node("LayerNormalization", ["x", "s"], ["y"])
    path = save(tmp_path / "m.onnx", [node], {"x": x.shape}, "y", {"s": np.float32(2.0)}, opset=17)
    session = session_for(gpu, path, workgroups=workgroups)
    found = session.run({"x": x})["y"]
    session.close()
    wanted = 2 * (x - x.mean(1, keepdims=True)) / np.sqrt(x.var(1, keepdims=True) + 1e-5)
    np.testing.assert_allclose(found, wanted, rtol=1e-5, atol=1e-6)


def _apart(x, axes, epsilon=1e-5):
    """What a normalization over `axes` is, in float64."""
    x = x.astype(np.float64)
    off = x - x.mean(axis=axes, keepdims=True)
    return off / np.sqrt((off * off).mean(axis=axes, keepdims=True) + epsilon)


def _grouped(x):
    return _apart(x.reshape(x.shape[0], 2, -1), (2,)).reshape(x.shape)


_FAR = {
    "layer": (("LayerNormalization", {}), lambda x: _apart(x, (3,)), ["ones_w", "zeros_w"], 17),
    "layer, computed scale": (("LayerNormalization", {}), lambda x: _apart(x, (3,)), ["scale"], 17),
    "instance": (("InstanceNormalization", {}), lambda x: _apart(x, (2, 3)), ["ones", "zeros"], 17),
    "group": (("GroupNormalization", {"num_groups": 2}), _grouped, ["ones", "zeros"], 21),
    "mean and variance": (("MeanVarianceNormalization", {}), lambda x: _apart(x, (0, 2, 3), 0.0), [], 13),
    "batch, in training": (
        ("BatchNormalization", {"training_mode": 1}),
        lambda x: _apart(x, (0, 2, 3)),
        ["ones", "zeros", "zeros", "ones"],
        15,
    ),
    "spelled out": (("", {}), lambda x: _apart(x, (3,)), [], 13),
}


@pytest.mark.parametrize("workgroups", [None, 128])
@pytest.mark.parametrize("outlier", [0.0, 500.0])
@pytest.mark.parametrize("mean", [0.0, 100.0, 1000.0, 10_000.0])
@pytest.mark.parametrize("kind", _FAR)
def test_digits_of_numbers_far_from_zero(gpu, tmp_path, kind, mean, outlier, workgroups):
    """768 values whose mean is large against their deviation, the first of them unlike the others: as in
    float64, to single precision.

    ONNX Runtime is 5e-4 off at 10,000, a sum of squares without a reference nothing but noise.
    """
    (op, attributes), expected, inputs, opset = _FAR[kind]
    x = (np.random.default_rng(2).standard_normal((2, 8, 6, 768)) + mean).astype(np.float32)
    x[:, :, 0, 0] += outlier
    constants = {
        "ones": np.ones(8, np.float32),
        "zeros": np.zeros(8, np.float32),
        "ones_w": np.ones(768, np.float32),
        "zeros_w": np.zeros(768, np.float32),
    }
    used = {name: constants[name] for name in inputs if name in constants}
    shapes = {"x": x.shape}
    feeds = {"x": x}
    if "scale" in inputs:
        shapes["scale"], feeds["scale"] = (768,), np.ones(768, np.float32)
    if op:
        nodes = [helper.make_node(op, ["x", *inputs], ["y"], **attributes)]
    else:
        nodes, used = _spelled("x", "y", [-1], power=False, twice=False), {"epsilon": np.float32([1e-5])}
    path = save(tmp_path / "m.onnx", nodes, shapes, "y", used, opset=opset)
    session = session_for(gpu, path, workgroups=workgroups)
    found = session.run(feeds)["y"]
    session.close()
    want = expected(x)
    assert np.abs(found - want).max() <= 2e-6 * max(1.0, np.abs(want).max())


def _by_norm(folder, shape, floor=1e-12, *, op="Clip", axis=-1, expands=True):
    """PyTorch's `normalize`, as it is exported."""
    nodes = [helper.make_node("ReduceL2", ["x"], ["n"], axes=[axis], keepdims=1)]
    names = ["floor", "n"] if op == "Turned" else ["n", "floor"]
    nodes.append(helper.make_node("Max" if op == "Turned" else op, names, ["c"]))
    if expands:
        nodes.append(helper.make_node("Expand", ["c", "shape"], ["e"]))
    nodes.append(helper.make_node("Div", ["x", "e" if expands else "c"], ["y"]))
    constants = {"floor": np.float32(floor), "shape": np.int64(shape)}
    return save(folder / "norm.onnx", nodes, {"x": shape}, "y", constants, opset=17)


@pytest.mark.parametrize("precision", ["fp32", "fp16"])
@pytest.mark.parametrize("op", ["Clip", "Max", "Turned"])
@pytest.mark.parametrize(("shape", "expands"), [((1, 3, 5, 77), True), ((6, 300), False), ((2, 9, 4), False)])
@pytest.mark.parametrize("workgroups", [1, 128])
def test_rows_divided_by_their_norm(gpu, tmp_path, precision, op, shape, expands, workgroups):
    """One dispatch, of whole vec4s that of normalized rows on a GPU; rows of zeros stay zeros, those below the
    floor keep their size, NaN stays in its row.
    """
    needs_halves(gpu, precision)
    x = np.random.default_rng(0).standard_normal(shape).astype(np.float32)
    rows = x.reshape(-1, shape[-1])
    rows[1], rows[2], rows[3, 1] = 0, rows[2] * 2e-4, np.nan
    if precision == "fp16":
        rows[0] *= 3000  # a norm that float16 holds; the sum of the squares it does not
    path = _by_norm(tmp_path, shape, 0.5, op=op, expands=expands)
    session = session_for(gpu, path, precision=precision, workgroups=workgroups)
    found, kernels = session.run({"x": x})["y"], [each.kernel for each in session.plan.dispatches]
    session.close()
    expected = reference(path, {"x": x})["y"]
    assert kernels == ["normalize_rows" if workgroups > 1 and shape[-1] % 4 == 0 else "normalize"]
    np.testing.assert_allclose(
        found,
        expected,
        rtol=3e-3 if precision == "fp16" else 1e-5,
        atol=1e-3 if precision == "fp16" else 1e-7,
    )


@pytest.mark.parametrize("changed", [{"floor": 0.0}, {"axis": 1}, {"floor": 1e-40}, {"op": "Min"}])
def test_what_is_no_normalization_by_a_norm(gpu, tmp_path, changed):
    path = _by_norm(tmp_path, (2, 5, 30), **changed)
    x = np.random.default_rng(0).standard_normal((2, 5, 30)).astype(np.float32)
    session = session_for(gpu, path)
    found, kernels = session.run({"x": x})["y"], [each.kernel for each in session.plan.dispatches]
    session.close()
    assert "normalize" not in kernels
    expected = reference(path, {"x": x})["y"]
    finite = np.isfinite(expected)
    np.testing.assert_allclose(found[finite], expected[finite], rtol=1e-5)


GROUPS = {
    "three channels": ((2, 12, 7, 9), 4, 0.0),
    "two groups of five": ((1, 10, 33, 41), 2, 0.0),
    "a diffusion network's": ((1, 320, 9, 8), 32, 0.0),
    "bright": ((2, 96, 20, 30), 8, 1000.0),
    "one group": ((2, 44, 6, 11), 1, -3.0),
    "a row": ((1, 24, 600), 3, 0.0),
}


@pytest.mark.parametrize("precision", ["fp32", "fp16"])
@pytest.mark.parametrize("name", GROUPS)
def test_groups_of_channels_in_two_dispatches(gpu, tmp_path, name, precision):
    """On a GPU: what applies the factors finds them. The activation behind is in the same dispatch."""
    needs_halves(gpu, precision)
    shape, groups, offset = GROUPS[name]
    generator = np.random.default_rng(0)
    scale, bias = (generator.standard_normal(shape[1]).astype(np.float32) for _ in range(2))
    nodes = [
        helper.make_node("GroupNormalization", ["x", "s", "b"], ["n"], num_groups=groups, epsilon=1e-5),
        helper.make_node("Relu", ["n"], ["r"]),
        helper.make_node("Conv", ["r", "w"], ["y"]),
    ]
    weights = np.zeros((8, shape[1], *(1 for _ in shape[2:])), np.float32)
    weights.reshape(8, -1)[np.arange(8), (np.arange(8) * 7 + 3) % shape[1]] = 1  # eight of the channels
    constants = {"s": scale, "b": bias, "w": weights}
    path = save(tmp_path / "m.onnx", nodes, {"x": shape}, "y", constants, opset=21)
    x = (generator.standard_normal(shape) + (offset if precision == "fp32" else offset / 100)).astype(
        np.float32
    )
    session = session_for(gpu, path, workgroups=132, precision=precision, has_matrices=False)
    found, kernels = session.run({"x": x})["y"], [each.kernel for each in session.plan.dispatches]
    session.close()
    assert (
        kernels.count("instance_sums") == kernels.count("group_apply") == 1 and "group_factors" not in kernels
    )
    rows = x.astype(np.float64).reshape(shape[0], groups, -1)
    rows = (rows - rows.mean(2, keepdims=True)) / np.sqrt(rows.var(2, keepdims=True) + 1e-5)
    wide = (1, -1, *(1 for _ in shape[2:]))
    expected = np.maximum(rows.reshape(shape) * scale.reshape(wide) + bias.reshape(wide), 0)
    expected = expected[:, (np.arange(8) * 7 + 3) % shape[1]]
    error = np.linalg.norm(found - expected) / np.linalg.norm(expected)
    assert error <= ({"fp32": 3e-5, "fp16": 2e-2 if offset else 3e-3}[precision])


def test_many_parts_or_small_groups_have_a_dispatch_for_their_factors(gpu, tmp_path):
    for shape, groups in (((1, 8, 300, 300), 1), ((1, 16, 8, 8), 8)):
        node = helper.make_node("GroupNormalization", ["x", "s", "b"], ["y"], num_groups=groups)
        constants = {name: np.ones(shape[1], np.float32) for name in "sb"}
        path = save(tmp_path / "m.onnx", [node], {"x": shape}, "y", constants, opset=21)
        session = session_for(gpu, path, workgroups=132)
        assert "group_factors" in [each.kernel for each in session.plan.dispatches]
        session.close()
