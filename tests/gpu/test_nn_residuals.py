"""Fusion of what stands between the products of channels-last networks, transformers and diffusion networks:
no dispatch of its own.
"""

from __future__ import annotations

import numpy as np
import pytest
from nn_cases import check, relative_error, save, session_for
from onnx import helper


def _rand(seed, *shape, scale=0.3):
    return (np.random.default_rng(seed).standard_normal(shape) * scale).astype(np.float32)


def _kernels(gpu, path, **more):
    session = session_for(gpu, path, **more)
    kernels = [dispatch.kernel for dispatch in session.plan.dispatches]
    session.close()
    return kernels


def _run(gpu, tmp_path, nodes, inputs, constants, opset=18, **more):
    """The kernels of a network that gives what onnxruntime does."""
    path = save(tmp_path / "m.onnx", nodes, inputs, "y", constants, opset=opset)
    feeds = {name: _rand(at, *shape, scale=1) for at, (name, shape) in enumerate(inputs.items())}
    check(gpu, path, feeds, tolerance=2e-5, **more)
    return _kernels(gpu, path, **more)


def _transpose(source, target, *perm):
    return helper.make_node("Transpose", [source], [target], perm=perm)


# -- ConvNeXt ------------------------------------------------------------------------------------------------


def _block(x, y, n):
    """torchvision's block: depthwise, then two products over channels, a scale of each channel, and the
    residual.
    """
    node = helper.make_node
    return [
        node("Conv", [x, "d", "db"], [f"a{n}"], group=8, pads=[3, 3, 3, 3]),
        _transpose(f"a{n}", f"b{n}", 0, 2, 3, 1),
        node("LayerNormalization", [f"b{n}", "s", "t"], [f"c{n}"], axis=-1),
        node("MatMul", [f"c{n}", "w"], [f"d{n}"]),
        node("Relu", [f"d{n}"], [f"e{n}"]),
        node("MatMul", [f"e{n}", "v"], [f"f{n}"]),
        node("Add", [f"f{n}", "vb"], [f"g{n}"]),
        _transpose(f"g{n}", f"h{n}", 0, 3, 1, 2),
        node("Mul", [f"h{n}", "gamma"], [f"i{n}"]),
        node("Add", [f"i{n}", x], [y]),
    ]


def _block_constants(channels=8):
    return {
        "first": _rand(1, channels, 3, 2, 2),
        "d": _rand(2, channels, 1, 7, 7, scale=0.1),
        "db": _rand(3, channels),
        "s": _rand(4, channels),
        "t": _rand(5, channels),
        "w": _rand(6, channels, 4 * channels),
        "v": _rand(7, 4 * channels, channels),
        "vb": _rand(8, channels),
        "gamma": _rand(9, channels, 1, 1),
    }


@pytest.mark.parametrize("batch", [1, 2])
def test_blocks_of_convnext_take_four_dispatches_each(gpu, tmp_path, batch):
    nodes = [
        helper.make_node("Conv", ["x", "first"], ["p"], strides=[2, 2]),
        *_block("p", "q", 0),
        *_block("q", "r", 1),
        *_block("r", "z", 2),
        helper.make_node("GlobalAveragePool", ["z"], ["y"]),
    ]
    kernels = _run(gpu, tmp_path, nodes, {"x": (batch, 3, 14, 18)}, _block_constants())
    assert len(kernels) == 1 + 3 * 4 + 1
    assert not {"strided", "elementwise", "matmul"}.intersection(kernels)


def test_a_residual_that_is_an_input_is_turned_once(gpu, tmp_path):
    nodes = [*_block("x", "z", 0), helper.make_node("GlobalAveragePool", ["z"], ["y"])]
    constants = {name: array for name, array in _block_constants().items() if name != "first"}
    assert len(_run(gpu, tmp_path, nodes, {"x": (2, 8, 7, 9)}, constants)) <= 7


@pytest.mark.parametrize("channels", [8, 6])
@pytest.mark.parametrize("kept", [False, True])
def test_transposes_of_what_is_read_elsewhere_or_has_gaps(gpu, tmp_path, channels, kept):
    """6 channels are no whole vec4s, so that bytes have to move; kept tensors have memory of their own."""
    constants = {"c": _rand(0, channels, 4, 1, 1), "w": _rand(1, channels, channels), "p": _rand(2, channels)}
    nodes = [
        helper.make_node("Conv", ["x", "c"], ["a"]),
        _transpose("a", "b", 0, 2, 3, 1),
        helper.make_node("MatMul", ["b", "w"], ["d"]),
        _transpose("d", "e", 0, 3, 1, 2),
        helper.make_node("Add", ["e", "a"], ["f"]),
        helper.make_node("Mul", ["b", "p"], ["g"]),
        _transpose("f", "h", 0, 2, 3, 1),
        helper.make_node("Sub", ["h", "g"], ["y"]),
    ]
    path = save(tmp_path / "m.onnx", nodes, {"x": (2, 4, 5, 3)}, "y", constants)
    check(gpu, path, {"x": _rand(3, 2, 4, 5, 3)})
    if kept:
        session = session_for(gpu, path, keep=["b", "f"])
        session.run({"x": _rand(3, 2, 4, 5, 3)})
        session.close()


@pytest.mark.parametrize("joined", ["channels", "tokens"])
def test_a_turned_tensor_that_is_joined_to_another(gpu, tmp_path, joined):
    constants = {"c": _rand(0, 8, 4, 1, 1), "w": _rand(1, 8, 8)}
    axis = 3 if joined == "channels" else 1
    nodes = [
        helper.make_node("Conv", ["x", "c"], ["a"]),
        _transpose("a", "b", 0, 2, 3, 1),
        helper.make_node("MatMul", ["b", "w"], ["d"]),
        helper.make_node("Concat", ["d", "b"], ["f"], axis=axis),
        _transpose("f", "h", 0, 3, 1, 2),
        helper.make_node("Relu", ["h"], ["y"]),
    ]
    _run(gpu, tmp_path, nodes, {"x": (2, 4, 5, 3)}, constants)


# -- transformers --------------------------------------------------------------------------------------------


def test_pictures_that_become_tokens_and_pictures_again(gpu, tmp_path):
    """A diffusion network's: a 1x1 convolution, tokens, a product with its residual, pixels."""
    constants = {
        "c": _rand(0, 8, 8, 1, 1),
        "w": _rand(1, 8, 8),
        "tokens": np.int64([2, 8, 30]),
        "pixels": np.int64([2, 8, 5, 6]),
    }
    node = helper.make_node
    nodes = [
        node("Conv", ["x", "c"], ["a"]),
        node("Reshape", ["a", "tokens"], ["b"]),
        _transpose("b", "d", 0, 2, 1),
        node("MatMul", ["d", "w"], ["e"]),
        node("Add", ["e", "d"], ["f"]),
        _transpose("f", "g", 0, 2, 1),
        node("Reshape", ["g", "pixels"], ["h"]),
        node("Conv", ["h", "c"], ["i"]),
        node("Add", ["i", "a"], ["j"]),
        node("GlobalAveragePool", ["j"], ["y"]),
    ]
    kernels = _run(gpu, tmp_path, nodes, {"x": (2, 8, 5, 6)}, constants)
    assert not {"strided", "elementwise"}.intersection(kernels[1:])
    assert len(kernels) == 1 + 3 + 1


def test_a_projection_that_gets_its_dimensions_back_joins_its_residual(gpu, tmp_path):
    constants = {
        "w": _rand(0, 8, 8),
        "b": _rand(1, 8),
        "s": _rand(2, 8),
        "rows": np.int64([-1, 8]),
        "tokens": np.int64([5, 1, 8]),
    }
    node = helper.make_node
    nodes = [
        node("LayerNormalization", ["x", "s", "b"], ["a"], axis=-1),
        node("Reshape", ["a", "rows"], ["c"]),
        node("Gemm", ["c", "w", "b"], ["d"]),
        node("Reshape", ["d", "tokens"], ["e"]),
        _transpose("e", "f", 1, 0, 2),
        node("Add", ["a", "f"], ["g"]),
        node("LayerNormalization", ["g", "s", "b"], ["y"], axis=-1),
    ]
    assert len(_run(gpu, tmp_path, nodes, {"x": (1, 5, 8)}, constants)) == 3


def test_a_projection_that_is_read_twice_stays(gpu, tmp_path):
    constants = {"w": _rand(0, 8, 8), "tokens": np.int64([1, 5, 8])}
    node = helper.make_node
    nodes = [
        node("Gemm", ["z", "w"], ["d"]),
        node("Reshape", ["d", "tokens"], ["e"]),
        node("Add", ["x", "e"], ["g"]),
        node("Mul", ["g", "e"], ["y"]),
    ]
    _run(gpu, tmp_path, nodes, {"x": (1, 5, 8), "z": (5, 8)}, constants)


@pytest.mark.parametrize("rows", [(5, 8), (1, 5, 8)])
@pytest.mark.parametrize("first", [False, True])
def test_a_projection_that_its_residual_stretches_stays(gpu, tmp_path, rows, first):
    """The Add has more rows than the product."""
    constants = {"w": _rand(0, 8, 8), "tokens": np.int64(rows), "s": _rand(1, 8)}
    node = helper.make_node
    nodes = [
        node("Mul", ["x", "s"], ["r"]),
        node("Gemm", ["z", "w"], ["d"]),
        node("Reshape", ["d", "tokens"], ["e"]),
        node("Add", ["e", "r"] if first else ["r", "e"], ["y"]),
    ]
    _run(gpu, tmp_path, nodes, {"x": (3, 5, 8), "z": (5, 8)}, constants)


def test_positions_that_are_constants_keep_rows(gpu, tmp_path):
    """The tensor was once written with its tokens as channels, and turned back."""
    constants = {"p": _rand(0, 1, 6, 8), "s": _rand(1, 8), "t": _rand(2, 8), "w": _rand(3, 8, 8)}
    nodes = [
        helper.make_node("LayerNormalization", ["x", "s", "t"], ["a"], axis=-1),
        helper.make_node("Add", ["a", "p"], ["b"]),
        helper.make_node("Mul", ["b", "s"], ["c"]),
        helper.make_node("LayerNormalization", ["c", "s", "t"], ["y"], axis=-1),
    ]
    assert len(_run(gpu, tmp_path, nodes, {"x": (1, 6, 8)}, constants)) == 3


@pytest.mark.parametrize("bias", [False, True])
@pytest.mark.parametrize("cut", ["Split", "Slice"])
def test_a_gated_layer_is_two_products(gpu, tmp_path, bias, cut):
    constants = {"w": _rand(0, 16, 136), **({"b": _rand(1, 136)} if bias else {})}
    node, whole = helper.make_node, "c" if bias else "a"
    if cut == "Split":
        constants["sizes"] = np.int64([68, 68])
        parts = [node("Split", [whole, "sizes"], ["u", "v"], axis=-1)]
    else:
        constants |= {
            name: np.int64([n]) for name, n in (("zero", 0), ("middle", 68), ("end", 1 << 40), ("last", 2))
        }
        parts = [
            node("Slice", [whole, "zero", "middle", "last"], ["u"]),
            node("Slice", [whole, "middle", "end", "last"], ["v"]),
        ]
    nodes = [
        node("MatMul", ["x", "w"], ["a"]),
        *([node("Add", ["a", "b"], ["c"])] if bias else []),
        *parts,
        node("Sigmoid", ["v"], ["g"]),
        node("Mul", ["u", "g"], ["y"]),
    ]
    assert len(_run(gpu, tmp_path, nodes, {"x": (2, 5, 16)}, constants)) == 2


@pytest.mark.parametrize(("columns", "bias"), [(128, 1), (1, 128)])
def test_a_product_or_a_bias_of_one_column_is_not_cut(gpu, tmp_path, columns, bias):
    """It is stretched to the columns that are cut."""
    constants = {"w": _rand(0, 16, columns), "b": _rand(1, bias), "sizes": np.int64([64, 64])}
    node = helper.make_node
    nodes = [
        node("MatMul", ["x", "w"], ["a"]),
        node("Add", ["a", "b"], ["c"]),
        node("Split", ["c", "sizes"], ["u", "v"], axis=-1),
        node("Mul", ["u", "v"], ["y"]),
    ]
    _run(gpu, tmp_path, nodes, {"x": (2, 5, 16)}, constants)


def test_parts_that_overlap_stay(gpu, tmp_path):
    constants = {"w": _rand(0, 16, 136)}
    constants |= {
        name: np.int64([n])
        for name, n in (("zero", 0), ("third", 36), ("end", 100), ("all", 136), ("last", 2))
    }
    node = helper.make_node
    nodes = [
        node("MatMul", ["x", "w"], ["a"]),
        node("Slice", ["a", "zero", "end", "last"], ["u"]),
        node("Slice", ["a", "third", "all", "last"], ["v"]),
        node("Mul", ["u", "v"], ["y"]),
    ]
    kernels = _run(gpu, tmp_path, nodes, {"x": (2, 5, 16)}, constants)
    assert kernels[1:] == ["moved"]  # one product


@pytest.mark.parametrize("kept", [True, False])
def test_parts_that_are_narrow_or_a_product_that_is_read_elsewhere(gpu, tmp_path, kept):
    width = 128 if kept else 24
    constants = {"w": _rand(0, 16, width), "sizes": np.int64([width // 2] * 2)}
    node = helper.make_node
    nodes = [
        node("MatMul", ["x", "w"], ["a"]),
        node("Split", ["a", "sizes"], ["u", "v"], axis=-1),
        node("Mul", ["u", "v"], ["c"]),
        *([node("Concat", ["c", "a"], ["y"], axis=-1)] if kept else [node("Relu", ["c"], ["y"])]),
    ]
    _run(gpu, tmp_path, nodes, {"x": (2, 5, 16)}, constants)


# -- diffusion networks --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("shape", "groups"), [((2, 12, 7, 9), 4), ((1, 10, 33, 41), 5), ((1, 24, 6), 3), ((1, 6, 5, 4), 6)]
)
def test_a_group_normalization_that_is_spelled_out(gpu, tmp_path, shape, groups):
    ones = np.ones(groups, np.float32)
    constants = {
        "seen": np.int64([shape[0], groups, -1]),
        "shape": np.int64(shape),
        "one": ones * 1.5,
        "zero": ones * 0.25,
        "scale": _rand(0, shape[1], *(1 for _ in shape[2:])),
        "bias": _rand(1, 1, shape[1], *(1 for _ in shape[2:])),
    }
    node = helper.make_node
    nodes = [
        node("Relu", ["x"], ["a"]),
        node("Reshape", ["a", "seen"], ["b"]),
        node("InstanceNormalization", ["b", "one", "zero"], ["c"], epsilon=1e-3),
        node("Reshape", ["c", "shape"], ["d"]),
        node("Mul", ["d", "scale"], ["e"]),
        node("Add", ["bias", "e"], ["f"]),
        node("Sigmoid", ["f"], ["g"]),
        node("Mul", ["f", "g"], ["y"]),
    ]
    kernels = _run(gpu, tmp_path, nodes, {"x": shape}, constants)
    assert kernels == ["elementwise", "instance_sums", "group_factors", "instance_apply"]


@pytest.mark.parametrize("opset", [18, 21])
@pytest.mark.parametrize("shape", [(2, 8, 5, 6), (1, 8, 40, 40)])
def test_group_normalization_of_a_bright_even_picture(gpu, tmp_path, shape, opset):
    """Groups of two channels share a vec4; a variance that is a millionth of the mean's square stays. Beside
    NumPy: onnxruntime is 0.02 and 0.14 off.
    """
    count = 8 if opset == 21 else 4
    constants = {"s": _rand(0, count), "b": _rand(1, count), "thousand": np.float32([1000])}
    nodes = [
        helper.make_node("Add", ["x", "thousand"], ["a"]),
        helper.make_node("GroupNormalization", ["a", "s", "b"], ["y"], num_groups=4, epsilon=1e-5),
    ]
    path = save(tmp_path / "m.onnx", nodes, {"x": shape}, "y", constants, opset=opset)
    x = _rand(0, *shape, scale=1)
    session = session_for(gpu, path)
    actual = session.run({"x": x})["y"]
    session.close()
    groups = (x + np.float32(1000)).astype(np.float64).reshape(shape[0], 4, -1)
    deviation = np.sqrt(groups.var(-1, keepdims=True) + 1e-5)
    expected = ((groups - groups.mean(-1, keepdims=True)) / deviation).reshape(shape)
    scale, bias = (np.repeat(constants[name], 8 // count)[:, None, None] for name in ("s", "b"))
    assert relative_error(actual, expected * scale + bias) < 1e-4


def test_what_is_computed_after_a_convolution_joins_it(gpu, tmp_path):
    constants = {"c": _rand(0, 8, 8, 3, 3), "w": _rand(1, 4, 8), "axes": np.int64([2, 3])}
    node = helper.make_node
    nodes = [
        node("Conv", ["x", "c"], ["a"], pads=[1, 1, 1, 1]),
        node("MatMul", ["t", "w"], ["e"]),
        node("Unsqueeze", ["e", "axes"], ["f"]),
        node("Add", ["a", "f"], ["g"]),
        node("Conv", ["g", "c"], ["y"]),
    ]
    kernels = _run(gpu, tmp_path, nodes, {"x": (2, 8, 6, 5), "t": (2, 4)}, constants)
    assert len(kernels) == 4 and kernels.count("elementwise") == 1  # of the input to channels last
