"""Networks whose outputs cover the picture, small enough to compute by hand, written by the tests that need
them.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

SWAP = np.eye(3, dtype=np.float32)[::-1].reshape(3, 3, 1, 1)
"""Weights of a 1 x 1 convolution that swaps red and blue."""


def convolution(
    path: Path,
    weight: np.ndarray,
    bias: Sequence[float] | None = None,
    *,
    size: tuple[int, int] | None = None,
    after: Sequence[onnx.NodeProto] = (),
    constants: Sequence[onnx.TensorProto] = (),
    half: bool = False,
    channels_last: bool = False,
    output: str = "y",
    name: str = "x",
) -> Path:
    """Write a network of one convolution (zeros around the picture) and `after`, which reads 'c' and writes
    'y'.

    `size` is (width, height), free where it is None; `channels_last` takes and gives [1, H, W, C].
    """
    kind = TensorProto.FLOAT16 if half else TensorProto.FLOAT
    dtype = np.float16 if half else np.float32
    outputs, inputs = weight.shape[:2]
    pad = weight.shape[2] // 2
    tensors = [numpy_helper.from_array(weight.astype(dtype), "w")]
    if bias is not None:
        tensors.append(numpy_helper.from_array(np.asarray(bias, dtype), "b"))
    names = [tensor.name for tensor in tensors]
    inner = "c" if after or channels_last else output
    nodes = [helper.make_node("Conv", ["t" if channels_last else name, *names], [inner], pads=[pad] * 4)]
    if channels_last:
        nodes.insert(0, helper.make_node("Transpose", [name], ["t"], perm=[0, 3, 1, 2]))
        nodes.append(helper.make_node("Transpose", ["c"], [output], perm=[0, 2, 3, 1]))
    sides: list[object] = list(size[::-1]) if size else ["height", "width"]
    shape = [1, *sides, inputs] if channels_last else [1, inputs, *sides]
    result = [1, *sides, outputs] if channels_last else [1, outputs, *sides]
    graph = helper.make_graph(
        [*nodes, *after],
        "convolution",
        [helper.make_tensor_value_info(name, kind, shape)],
        [helper.make_tensor_value_info(output, kind, result)],
        [*tensors, *constants],
    )
    opset = [helper.make_opsetid("", 13)]
    onnx.save(helper.make_model(graph, opset_imports=opset, ir_version=8), str(path))
    return path


def swap_model(path: Path, **kwargs: object) -> Path:
    """Red and blue change places; any size."""
    return convolution(path, SWAP, **kwargs)  # type: ignore[arg-type]


def channel_model(path: Path, channel: int = 0, **kwargs: object) -> Path:
    """One channel of the picture, in 0..1: a mask that is known."""
    weight = np.zeros((1, 3, 1, 1), np.float32)
    weight[0, channel] = 1.0
    bounds = [numpy_helper.from_array(np.array(v, np.float32), n) for n, v in (("low", 0.0), ("high", 1.0))]
    clip = helper.make_node("Clip", ["c", "low", "high"], [str(kwargs.get("output", "y"))])
    return convolution(path, weight, after=[clip], constants=bounds, **kwargs)  # type: ignore[arg-type]


def depth_model(path: Path, **kwargs: object) -> Path:
    """A map of any range: 40 times green, less 7."""
    weight = np.zeros((1, 3, 1, 1), np.float32)
    weight[0, 1] = 40.0
    return convolution(path, weight, [-7.0], output="depth", **kwargs)  # type: ignore[arg-type]


def enlarging_model(
    path: Path, factor: int = 2, *, channels: int = 3, size: tuple[int, int] | None = None, seed: int = 0
) -> Path:
    """Two 3 x 3 convolutions with random weights around each pixel's own value, then depth to space, clipped
    to 0..1.

    It looks 2 pixels far. `size` is (width, height), free where it is None.
    """
    rng = np.random.default_rng(seed)
    inner, outer = 4 * channels, channels * factor * factor
    first = rng.normal(0, 0.08, (inner, channels, 3, 3)).astype(np.float32)
    second = rng.normal(0, 0.08, (outer, inner, 3, 3)).astype(np.float32)
    for c in range(channels):
        first[c, c, 1, 1] += 1.0
        second[c * factor**2 : (c + 1) * factor**2, c, 1, 1] += 1.0
    tensors = [numpy_helper.from_array(first, "w1"), numpy_helper.from_array(second, "w2")]
    tensors += [numpy_helper.from_array(np.array(v, np.float32), n) for n, v in (("low", 0.0), ("high", 1.0))]
    nodes = [
        helper.make_node("Conv", ["x", "w1"], ["a"], pads=[1] * 4),
        helper.make_node("Relu", ["a"], ["b"]),
        helper.make_node("Conv", ["b", "w2"], ["c"], pads=[1] * 4),
        helper.make_node("DepthToSpace", ["c"], ["d"], blocksize=factor, mode="CRD"),
        helper.make_node("Clip", ["d", "low", "high"], ["y"]),
    ]
    sides: list[object] = list(size[::-1]) if size else ["height", "width"]
    larger: list[object] = [factor * s for s in size[::-1]] if size else ["taller", "wider"]
    graph = helper.make_graph(
        nodes,
        "enlarging",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, channels, *sides])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, [1, channels, *larger])],
        tensors,
    )
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8), str(path))
    return path


def flow_model(path: Path, *, size: tuple[int, int] | None = None, gain: float = 12.0) -> Path:
    """A network of two pictures in 0..1 with a flow that is known: right by `gain` times the change of red,
    down by that of green.

    Before it an output that nobody wants: zeros. `size` is (width, height), free where it is None.
    """
    weight = np.zeros((2, 6, 1, 1), np.float32)
    for c in range(2):
        weight[c, c], weight[c, c + 3] = -gain, gain
    nodes = [
        helper.make_node("Concat", ["before", "present"], ["both"], axis=1),
        helper.make_node("Conv", ["both", "w"], ["fine"]),
        helper.make_node("Sub", ["fine", "fine"], ["coarse"]),
    ]
    sides: list[object] = list(size[::-1]) if size else ["height", "width"]
    graph = helper.make_graph(
        nodes,
        "flow",
        [
            helper.make_tensor_value_info(name, TensorProto.FLOAT, [1, 3, *sides])
            for name in ("before", "present")
        ],
        [
            helper.make_tensor_value_info(name, TensorProto.FLOAT, [1, 2, *sides])
            for name in ("coarse", "fine")
        ],
        [numpy_helper.from_array(weight, "w")],
    )
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8), str(path))
    return path


def denoiser_model(
    path: Path, *, size: tuple[int, int] | None = None, half: bool = False, seed: int = 5
) -> Path:
    """A denoiser: (1 - level) * noised + level * (a 3 x 3 convolution of both pictures + level / 4), with
    random weights.

    `size` is (width, height), free where it is None.
    """
    kind, dtype = (TensorProto.FLOAT16, np.float16) if half else (TensorProto.FLOAT, np.float32)
    weight = np.random.default_rng(seed).normal(0, 0.12, (3, 6, 3, 3))
    for c in range(3):
        weight[c, c + 3, 1, 1] += 0.8
    values = {"w": weight, "one": np.ones(1), "quarter": np.full(1, 0.25)}
    nodes = [
        helper.make_node("Concat", ["noised", "sketch"], ["both"], axis=1),
        helper.make_node("Conv", ["both", "w"], ["seen"], pads=[1] * 4),
        helper.make_node("Mul", ["level", "quarter"], ["shift"]),
        helper.make_node("Add", ["seen", "shift"], ["found"]),
        helper.make_node("Mul", ["found", "level"], ["new"]),
        helper.make_node("Sub", ["one", "level"], ["rest"]),
        helper.make_node("Mul", ["noised", "rest"], ["old"]),
        helper.make_node("Add", ["old", "new"], ["picture"]),
    ]
    sides: list[object] = list(size[::-1]) if size else ["height", "width"]
    pictures = [
        helper.make_tensor_value_info(n, kind, [1, 3, *sides]) for n in ("noised", "sketch", "picture")
    ]
    graph = helper.make_graph(
        nodes,
        "denoiser",
        [*pictures[:2], helper.make_tensor_value_info("level", kind, [1, 1, 1, 1])],
        pictures[2:],
        [numpy_helper.from_array(v.astype(dtype), n) for n, v in values.items()],
    )
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8), str(path))
    return path


def recurrent_matting(
    path: Path, *, size: tuple[int, int] | None = None, names: Sequence[str] = ("r1i", "r1o", "r2i", "r2o")
) -> Path:
    """A network in the form of Robust Video Matting: `src` and two states in, colors and matte `pha` and the
    next states out.

    The first state is half itself and half the picture's red, the second the same of a mean of 2 x 2 pixels
    of green; both are spread from zeros of size 1 as they begin. The matte is their mean, of the second's
    pixels enlarged, less what `downsample_ratio` is below 1.

    Args:
        path: where to write it.
        size: (width, height); None for free sizes, those of the states too.
        names: of the states, each before and after.
    """
    red, green = (np.eye(3, dtype=np.float32)[c].reshape(1, 3, 1, 1) for c in (0, 1))
    constants = {
        **{"red": red, "green": green, "half": np.float32(0.5), "one": np.float32(1), "none": np.float32(0)},
        "twice": np.float32([1, 1, 2, 2]),
    }
    first, first_next, second, second_next = names
    nodes = [
        helper.make_node("Conv", ["src", "red"], ["reds"]),
        helper.make_node("Conv", ["src", "green"], ["greens"]),
        helper.make_node("AveragePool", ["greens"], ["means"], kernel_shape=[2, 2], strides=[2, 2]),
        *_remembered("reds", first, first_next),
        *_remembered("means", second, second_next),
        helper.make_node("Resize", [second_next, "", "twice"], ["large"], mode="nearest"),
        helper.make_node("Add", [first_next, "large"], ["sum"]),
        helper.make_node("Mul", ["sum", "half"], ["mean"]),
        helper.make_node("Sub", ["one", "downsample_ratio"], ["missing"]),
        helper.make_node("Sub", ["mean", "missing"], ["less"]),
        helper.make_node("Clip", ["less", "none", "one"], ["pha"]),
        helper.make_node("Clip", ["src", "none", "one"], ["fgr"]),
    ]
    sides: list[object] = list(size[::-1]) if size else ["height", "width"]
    halves: list[object] = [side // 2 for side in size[::-1]] if size else ["height", "width"]
    state = [1, 1, *sides] if size else ["batch", "channels", *sides]
    smaller = [1, 1, *halves] if size else ["batch", "channels", *halves]
    shapes = {first: state, first_next: state, second: smaller, second_next: smaller}
    shapes |= {"src": [1, 3, *sides], "fgr": [1, 3, *sides], "pha": [1, 1, *sides], "downsample_ratio": [1]}

    def infos(*wanted: str) -> list[onnx.ValueInfoProto]:
        return [helper.make_tensor_value_info(name, TensorProto.FLOAT, shapes[name]) for name in wanted]

    graph = helper.make_graph(
        nodes,
        "recurrent",
        infos("src", first, second, "downsample_ratio"),
        infos("fgr", "pha", first_next, second_next),
        [numpy_helper.from_array(array, name) for name, array in constants.items()],
    )
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8), str(path))
    return path


def _remembered(picture: str, before: str, after: str) -> list[onnx.NodeProto]:
    return [
        helper.make_node("Shape", [picture], [f"shape_{picture}"]),
        helper.make_node("Expand", [before, f"shape_{picture}"], [f"spread_{picture}"]),
        helper.make_node("Add", [picture, f"spread_{picture}"], [f"both_{picture}"]),
        helper.make_node("Mul", [f"both_{picture}", "half"], [after]),
    ]
