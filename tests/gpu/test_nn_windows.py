"""Operators that slide a window, over the shapes, strides, pads, dilations and groups that a model may hold,
against onnxruntime.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np
import onnx
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from nn_cases import check, check_node, integer_reference, save, session_for
from onnx import helper

from desktop.base.errors import ModelUnsupportedError

SEARCH = settings(max_examples=40, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
GPUS = st.sampled_from([1, 24, 128])
"""Multiprocessors of the GPU whose kernels are taken, whatever the adapter is."""


def _values(shape, seed=0):
    return np.random.default_rng(seed).standard_normal(shape).astype(np.float32)


@st.composite
def windows(draw, dimensions=(1, 3), largest=9):
    """Sizes, kernel, strides, dilations and pads of which at least one window fits."""
    count = draw(st.integers(*dimensions))
    several = lambda low, high: draw(st.lists(st.integers(low, high), min_size=count, max_size=count))  # noqa: E731
    kernel, strides, dilations = several(1, 4), several(1, 3), several(1, 2)
    extents = [d * (k - 1) + 1 for d, k in zip(dilations, kernel, strict=True)]
    pads = [draw(st.integers(0, k - 1)) for k in kernel * 2]
    sizes = several(1, largest)
    fits = (n + pads[i] + pads[i + count] >= extents[i] for i, n in enumerate(sizes))
    assume(all(fits))
    return sizes, {"kernel_shape": kernel, "strides": strides, "dilations": dilations, "pads": pads}


@st.composite
def grouped(draw):
    """Groups, channels in and channels out; depthwise and its multiples among them."""
    groups = draw(st.sampled_from([1, 1, 1, 2, 3, 4, 8]))
    return groups, groups * draw(st.integers(1, 6)), groups * draw(st.integers(1, 6))


@SEARCH
@given(window=windows(), channels=grouped(), batch=st.integers(1, 2), bias=st.booleans(), workgroups=GPUS)
def test_conv(gpu, window, channels, batch, bias, workgroups):
    (sizes, attributes), (groups, inputs, outputs) = window, channels
    kernel = attributes["kernel_shape"]
    constants = {"w": _values((outputs, inputs // groups, *kernel), 1)}
    if bias:
        constants["b"] = _values(outputs, 2)
    node = helper.make_node("Conv", ["x", *constants], ["y"], group=groups, **attributes)
    with tempfile.TemporaryDirectory() as folder:
        shape = (batch, inputs, *sizes)
        path = save(Path(folder) / "m.onnx", [node], {"x": shape}, "y", constants)
        check(gpu, path, {"x": _values(shape)}, workgroups=workgroups)


@SEARCH
@given(
    size=st.tuples(st.integers(1, 20), st.integers(1, 20)),
    channels=st.tuples(st.integers(1, 40), st.integers(1, 40)),
    kernel=st.sampled_from([1, 3, 5]),
    stride=st.integers(1, 2),
    auto=st.sampled_from(["SAME_UPPER", "SAME_LOWER", "VALID"]),
    workgroups=GPUS,
)
def test_conv_of_a_picture_with_automatic_pads(gpu, size, channels, kernel, stride, auto, workgroups):
    assume(auto != "VALID" or min(size) >= kernel)
    constants = {"w": _values((channels[1], channels[0], kernel, kernel), 1)}
    node = helper.make_node("Conv", ["x", "w"], ["y"], auto_pad=auto, strides=[stride, stride])
    with tempfile.TemporaryDirectory() as folder:
        shape = (1, channels[0], *size)
        path = save(Path(folder) / "m.onnx", [node], {"x": shape}, "y", constants)
        check(gpu, path, {"x": _values(shape)}, workgroups=workgroups)


@SEARCH
@given(window=windows(largest=6), channels=grouped(), extra=st.integers(0, 1))
def test_conv_transpose(gpu, window, channels, extra):
    (sizes, attributes), (groups, inputs, outputs) = window, channels
    strides, kernel, dilations = (attributes[key] for key in ("strides", "kernel_shape", "dilations"))
    added = [min(extra, s - 1) for s in strides]  # onnxruntime takes no more
    count = len(sizes)
    whole = [
        s * (n - 1) + d * (k - 1) + 1 + a for n, s, d, k, a in zip(sizes, strides, dilations, kernel, added, strict=True)
    ]  # fmt: skip
    assume(all(n > attributes["pads"][i] + attributes["pads"][i + count] for i, n in enumerate(whole)))
    constants = {"w": _values((inputs, outputs // groups, *kernel), 1), "b": _values(outputs, 2)}
    node = helper.make_node(
        "ConvTranspose", ["x", "w", "b"], ["y"], group=groups, output_padding=added, **attributes
    )
    with tempfile.TemporaryDirectory() as folder:
        shape = (1, inputs, *sizes)
        path = save(Path(folder) / "m.onnx", [node], {"x": shape}, "y", constants)
        check(gpu, path, {"x": _values(shape)})


@SEARCH
@given(window=windows(), channels=st.integers(1, 7), ceil=st.booleans())
def test_max_pool(gpu, window, channels, ceil):
    sizes, attributes = window
    # A window may lie on both sides of a single pixel: its maximum is -inf here, the lowest number in
    # onnxruntime.
    assume(all(d == 1 or n > 1 for n, d in zip(sizes, attributes["dilations"], strict=True)))
    with tempfile.TemporaryDirectory() as folder:
        feeds = {"x": _values((1, channels, *sizes))}
        check_node(gpu, folder, "MaxPool", feeds, ceil_mode=int(ceil), **attributes)


@SEARCH
@given(window=windows(), channels=st.integers(1, 7), counts=st.booleans())
def test_average_pool(gpu, window, channels, counts):
    sizes, attributes = window
    attributes = {key: value for key, value in attributes.items() if key != "dilations"}
    with tempfile.TemporaryDirectory() as folder:
        feeds = {"x": _values((1, channels, *sizes))}
        check_node(
            gpu, folder, "AveragePool", feeds, count_include_pad=int(counts), tolerance=1e-5, **attributes
        )


@SEARCH
@given(window=windows(), channels=st.integers(1, 7), power=st.integers(1, 3))
def test_lp_pool(gpu, window, channels, power):
    sizes, attributes = window
    with tempfile.TemporaryDirectory() as folder:
        feeds = {"x": _values((1, channels, *sizes))}
        check_node(gpu, folder, "LpPool", feeds, p=power, tolerance=1e-5, **attributes)


_MODES = st.sampled_from(
    [
        ("nearest", "asymmetric"),
        ("nearest", "half_pixel"),
        ("linear", "half_pixel"),
        ("linear", "align_corners"),
        ("linear", "asymmetric"),
        ("linear", "pytorch_half_pixel"),
        ("cubic", "half_pixel"),
        ("cubic", "align_corners"),
    ]
)


@SEARCH
@given(
    size=st.tuples(st.integers(1, 9), st.integers(1, 9)),
    wanted=st.tuples(st.integers(1, 20), st.integers(1, 20)),
    channels=st.integers(1, 6),
    mode=_MODES,
)
def test_resize_to_sizes(gpu, size, wanted, channels, mode):
    # onnxruntime samples (x + 0.5) * n / m - 0.5 in float32: where that is half a pixel but for a rounding,
    # nearest is a coin's toss.
    assume(mode[0] != "nearest" or all(m % n == 0 or n % m == 0 for n, m in zip(size, wanted, strict=True)))
    with tempfile.TemporaryDirectory() as folder:
        check_node(
            gpu,
            folder,
            "Resize",
            {"x": _values((1, channels, *size)), "roi": None, "scales": None},
            {"sizes": np.array((1, channels, *wanted), np.int64)},
            tolerance=2e-5,
            mode=mode[0],
            coordinate_transformation_mode=mode[1],
            cubic_coeff_a=-0.75,
            nearest_mode="floor",
        )


@SEARCH
@given(window=windows((2, 2)), channels=grouped(), zero=st.integers(100, 150), relu=st.booleans())
def test_quantized_conv(gpu, window, channels, zero, relu):
    """Quantize, convolve, activate and quantize again: the same 8-bit numbers as onnxruntime's integer
    kernels, but for ties.
    """
    (sizes, attributes), (groups, inputs, outputs) = window, channels
    kernel = attributes["kernel_shape"]
    generator = np.random.default_rng(3)
    constants = {
        "xs": np.array(0.02, np.float32),
        "xz": np.array(zero, np.uint8),
        "w": generator.integers(-127, 128, (outputs, inputs // groups, *kernel)).astype(np.int8),
        "ws": generator.uniform(0.002, 0.01, outputs).astype(np.float32),
        "wz": np.zeros(outputs, np.int8),
        "ys": np.array(0.05, np.float32),
        "yz": np.array(0 if relu else 128, np.uint8),
    }
    middle = (
        [helper.make_node("Relu", ["c"], ["a"])] if relu else [helper.make_node("Identity", ["c"], ["a"])]
    )
    nodes = [
        helper.make_node("QuantizeLinear", ["x", "xs", "xz"], ["xq"]),
        helper.make_node("DequantizeLinear", ["xq", "xs", "xz"], ["xd"]),
        helper.make_node("DequantizeLinear", ["w", "ws", "wz"], ["wd"], axis=0),
        helper.make_node("Conv", ["xd", "wd"], ["c"], group=groups, **attributes),
        *middle,
        helper.make_node("QuantizeLinear", ["a", "ys", "yz"], ["yq"]),
        helper.make_node("DequantizeLinear", ["yq", "ys", "yz"], ["y"]),
    ]
    with tempfile.TemporaryDirectory() as folder:
        shape = (1, inputs, *sizes)
        path = save(Path(folder) / "m.onnx", nodes, {"x": shape}, "y", constants)
        feeds = {"x": _values(shape)}
        session = session_for(gpu, path)
        actual, expected = session.run(feeds)["y"], integer_reference(path, feeds)["y"]
        session.close()
        # One step at a tie, which onnxruntime decides in float32 and the engine from the exact sum.
        steps = np.abs(actual - expected) / 0.05
        assert steps.max() <= 1.001 and (steps > 0.5).mean() <= 0.02


# -- what the differential fuzzer found ----------------------------------------------------------------------


@pytest.mark.parametrize("mode", ["reflect", "edge", "constant"])
@pytest.mark.parametrize("workgroups", [1, 128])
def test_pad_before_a_pointwise_convolution(gpu, tmp_path, mode, workgroups):
    """The kernel for one pixel read the tensor as it lies, and not through the padding that was folded into
    it.
    """
    rng = np.random.default_rng(1)
    constants = {
        "p": np.array([0, 0, 1, 2, 0, 0, 0, 1]),
        "w": rng.standard_normal((7, 20, 1, 1)).astype(np.float32),
    }
    nodes = [
        helper.make_node("Pad", ["x", "p"], ["padded"], mode=mode),
        helper.make_node("Conv", ["padded", "w"], ["y"]),
    ]
    path = save(tmp_path / "m.onnx", nodes, {"x": [1, 20, 6, 5]}, "y", constants)
    feeds = {"x": rng.standard_normal((1, 20, 6, 5)).astype(np.float32)}
    check(gpu, path, feeds, workgroups=workgroups)


@pytest.mark.parametrize("op", ["Resize", "Upsample"])
@pytest.mark.parametrize("workgroups", [1, 128])
def test_enlargement_before_a_pointwise_convolution(gpu, tmp_path, op, workgroups):
    rng = np.random.default_rng(2)
    constants = {
        "s": np.array([1, 1, 2, 3], np.float32),
        "w": rng.standard_normal((5, 20, 1, 1)).astype(np.float32),
    }
    inputs, more = (["x", "", "s"], {"coordinate_transformation_mode": "asymmetric", "nearest_mode": "floor"})
    if op == "Upsample":
        inputs, more = ["x", "s"], {}
    nodes = [
        helper.make_node(op, inputs, ["large"], mode="nearest", **more),
        helper.make_node("Conv", ["large", "w"], ["y"]),
    ]
    path = save(
        tmp_path / "m.onnx", nodes, {"x": [2, 20, 3, 5]}, "y", constants, opset=9 if op == "Upsample" else 13
    )
    check(gpu, path, {"x": rng.standard_normal((2, 20, 3, 5)).astype(np.float32)}, workgroups=workgroups)


def test_a_computed_bias_stays_outside(gpu, tmp_path):
    """Of a Conv behind a Pad, and of one before a BatchNormalization: both passes took the bias for a
    constant.
    """
    rng = np.random.default_rng(3)
    constants = {
        "p": np.array([0, 0, 1, 1, 0, 0, 1, 1]),
        "w": rng.standard_normal((5, 3, 3, 3)).astype(np.float32),
    }
    constants |= {
        name: rng.uniform(0.5, 1.5, 5).astype(np.float32) for name in ("scale", "shift", "mean", "variance")
    }
    nodes = [
        helper.make_node("Pad", ["x", "p"], ["padded"], mode="reflect"),
        helper.make_node("Conv", ["padded", "w", "b"], ["c"]),
        helper.make_node("BatchNormalization", ["c", "scale", "shift", "mean", "variance"], ["y"]),
    ]
    path = save(tmp_path / "m.onnx", nodes, {"x": [1, 3, 6, 6], "b": [5]}, "y", constants)
    feeds = {
        "x": rng.standard_normal((1, 3, 6, 6)).astype(np.float32),
        "b": rng.standard_normal(5).astype(np.float32),
    }
    check(gpu, path, feeds)


def test_indices_of_a_pool_whose_values_go_on(gpu, tmp_path):
    """The activation joins the pool, and the second output stays."""
    nodes = [
        helper.make_node("MaxPool", ["x"], ["v", "i"], kernel_shape=[2, 2]),
        helper.make_node("Relu", ["v"], ["y"]),
    ]
    path = save(tmp_path / "m.onnx", nodes, {"x": [1, 2, 4, 4]}, "y")
    model = onnx.load(path)
    model.graph.output.append(helper.make_tensor_value_info("i", onnx.TensorProto.INT64, None))
    onnx.save(model, path)
    check(gpu, path, {"x": np.random.default_rng(4).standard_normal((1, 2, 4, 4)).astype(np.float32)})


@pytest.mark.parametrize("op", ["AveragePool", "LpPool"])
@pytest.mark.parametrize("auto", ["SAME_UPPER", "SAME_LOWER"])
@pytest.mark.parametrize(("kernel", "stride"), [(1, 2), (1, 3), (2, 3), (1, 4), (2, 5)])
def test_automatic_padding_with_strides_beyond_the_window(gpu, tmp_path, op, auto, kernel, stride):
    """It is less than nothing: the first window begins inside the picture, as in onnxruntime."""
    for size in range(stride + 1, stride + 9):
        for spatial in (
            ((size, size + 1), (3, size, size + 1)) if op == "AveragePool" else ((size, size + 1),)
        ):
            count = len(spatial)
            feeds = {"x": _values((1, 3, *spatial))}
            given = {
                "kernel_shape": [1] * (count - 2) + [kernel] * 2,
                "strides": [1] * (count - 2) + [stride] * 2,
            }
            check_node(gpu, tmp_path, op, feeds, opset=19, tolerance=1e-6, auto_pad=auto, **given)


def test_automatic_padding_of_a_maximum_with_long_strides(gpu, tmp_path):
    """onnxruntime refuses MaxPool of pictures there; by hand, as its other pools."""
    x = np.arange(72, dtype=np.float32).reshape(1, 1, 6, 12)
    given = {"kernel_shape": [1, 1], "strides": [1, 4]}
    for auto, first in (("SAME_UPPER", 1), ("SAME_LOWER", 1)):
        made = [helper.make_node("MaxPool", ["x"], ["y"], auto_pad=auto, **given)]
        session = session_for(gpu, save(tmp_path / "m.onnx", made, {"x": x.shape}, "y"))
        found = session.run({"x": x})["y"]
        session.close()
        np.testing.assert_array_equal(found, x[..., first::4])


def test_a_maximum_with_nan_is_nan(gpu, tmp_path):
    """In the kernel for pictures and in the general one; minus infinity stays what it is."""
    x = np.array([[[[np.nan, 1, 2, 3], [4, 5, -np.inf, -np.inf], [6, 7, -np.inf, -np.inf]]]], np.float32)
    for dimensions in (2, 3):
        shape = [1, 1, *[1] * (dimensions - 2), 3, 4]
        kernel = [*[1] * (dimensions - 2), 2, 2]
        path = save(
            tmp_path / "m.onnx",
            [helper.make_node("MaxPool", ["x"], ["y"], kernel_shape=kernel)],
            {"x": shape},
            "y",
        )
        session = session_for(gpu, path)
        found = session.run({"x": x.reshape(shape)})["y"].reshape(2, 3)
        session.close()
        np.testing.assert_array_equal(found, np.array([[np.nan, 5, 3], [7, 7, -np.inf]], np.float32))


def test_constants_of_windows(gpu, tmp_path):
    """A grouped ConvTranspose of constants, which the reference does not compute, is computed with the
    network.
    """
    rng = np.random.default_rng(5)
    constants = {
        "c": rng.standard_normal((1, 6, 3, 4)).astype(np.float32),
        "w": rng.standard_normal((6, 2, 3, 1)).astype(np.float32),
    }
    nodes = [
        helper.make_node("ConvTranspose", ["c", "w"], ["v"], group=3),
        helper.make_node("Add", ["v", "x"], ["y"]),
    ]
    path = save(tmp_path / "m.onnx", nodes, {"x": [1, 6, 5, 4]}, "y", constants)
    check(gpu, path, {"x": rng.standard_normal((1, 6, 5, 4)).astype(np.float32)})


def test_same_padding_of_a_kernel_shorter_than_its_stride(gpu, tmp_path):
    """ConvTranspose then reaches less far than input * stride."""
    rng = np.random.default_rng(6)
    constants = {"w": rng.standard_normal((3, 8, 1, 4)).astype(np.float32)}
    nodes = [helper.make_node("ConvTranspose", ["x", "w"], ["y"], auto_pad="SAME_UPPER", strides=[3, 2])]
    path = save(tmp_path / "m.onnx", nodes, {"x": [1, 3, 5, 16]}, "y", constants)
    check(gpu, path, {"x": rng.standard_normal((1, 3, 5, 16)).astype(np.float32)})


@SEARCH
@given(
    size=st.integers(1, 7),
    kernel=st.integers(1, 6),
    stride=st.integers(1, 5),
    dilation=st.integers(1, 3),
    pads=st.tuples(st.integers(0, 5), st.integers(0, 5)),
    auto=st.sampled_from(["NOTSET", "NOTSET", "NOTSET", "VALID", "SAME_UPPER", "SAME_LOWER"]),
    ceil=st.sampled_from([1, 1, 1, 0]),
    dimensions=st.integers(1, 3),
    op=st.sampled_from(["MaxPool", "AveragePool", "LpPool"]),
    counts=st.booleans(),
)
def test_pools_take_every_window_that_onnx_has_a_formula_for(
    gpu, size, kernel, stride, dilation, pads, auto, ceil, dimensions, op, counts
):
    """Windows larger than the padded picture among them: with `ceil_mode` one that begins inside it is valid.
    What the engine refuses beyond that is refused as unsupported, so that another backend is asked.
    """
    dilation = 1 if auto.startswith("SAME") else dilation  # ONNX Runtime forgets them when it pads
    extent = dilation * (kernel - 1) + 1
    before, after = (min(pad, kernel - 1) for pad in pads) if auto == "NOTSET" else (0, 0)
    if auto.startswith("SAME"):
        assume((-(-size // stride) - 1) * stride + extent >= size)  # ONNX Runtime refuses to crop
    if not auto.startswith("SAME"):
        taps = np.arange(9)[:, None] * stride - before + np.arange(kernel) * dilation
        starts = np.arange(9) * stride < size + before
        assume(((taps >= 0) & (taps < size)).any(axis=1)[starts].all())  # nobody says what no element gives
    attributes = {
        "kernel_shape": [kernel] + [1] * (dimensions - 1),
        "strides": [stride] + [1] * (dimensions - 1),
    }
    attributes["dilations"] = [dilation] + [1] * (dimensions - 1)
    attributes["ceil_mode"] = ceil
    if auto == "NOTSET":
        flat = [0] * (dimensions - 1)
        attributes["pads"] = [before, *flat, after, *flat]
    else:
        attributes["auto_pad"] = auto
    if op == "AveragePool":
        attributes["count_include_pad"] = int(counts)
    room = size + before + after - extent
    feeds = {"x": _values((1, 3, size, *[2] * (dimensions - 1)))}
    with tempfile.TemporaryDirectory() as folder:
        if room < 0 and not auto.startswith("SAME") and (not ceil or -room >= stride):
            with pytest.raises(ModelUnsupportedError, match="larger than its padded input"):
                check_node(gpu, folder, op, feeds, opset=22, **attributes)
        else:
            check_node(gpu, folder, op, feeds, opset=22, tolerance=1e-6, **attributes)
