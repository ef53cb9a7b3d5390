"""Networks small enough to know by heart, written by the tests that need them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper


def square_detector(path: Path, broken: int = 0, size: tuple[int, int] = (64, 64)) -> Path:
    """A detector in YOLOX's layout: 64 x 64 or `size`, cells of 8 x 8 as boxes, classes 'red' and 'blue'.

    A class's score is the cell's mean of its channel less that of green, as B'G'R' in 0..255; the grids of
    stride 16 and 32 find nothing.

    With `broken`, so many of its three grids, the coarsest first, are no numbers where a picture is dark, as
    after an overflow.
    """
    width, height = size
    nodes, weights, parts = [], [], []
    for stride in (8, 16, 32):
        weight, bias = np.zeros((7, 3, 1, 1), np.float32), np.zeros(7, np.float32)
        bias[:2] = 0.5  # the middle of the cell; the logarithm of the size is 0
        if stride == 8:
            bias[4] = 1.0
            weight[5, :, 0, 0] = np.array([0, -1, 1]) / 255
            weight[6, :, 0, 0] = np.array([1, -1, 0]) / 255
        count = (width // stride) * (height // stride)
        weights += [
            numpy_helper.from_array(weight, f"w{stride}"),
            numpy_helper.from_array(bias, f"b{stride}"),
            numpy_helper.from_array(np.array([1, 7, count], np.int64), f"s{stride}"),
        ]
        nodes += [
            helper.make_node(
                "AveragePool", ["x"], [f"p{stride}"], kernel_shape=[stride] * 2, strides=[stride] * 2
            ),
            helper.make_node("Conv", [f"p{stride}", f"w{stride}", f"b{stride}"], [f"c{stride}"]),
            helper.make_node("Relu", [f"c{stride}"], [f"l{stride}"]),
            helper.make_node("Reshape", [f"l{stride}", f"s{stride}"], [f"r{stride}"]),
        ]
        parts.append(f"r{stride}")
        if stride > (32 >> broken):
            # The root of less than nothing; of a picture that is bright enough, nothing is added.
            nodes += [
                helper.make_node("Sqrt", ["bright"], [f"root{stride}"]),
                helper.make_node("Mul", [f"root{stride}", "nothing"], [f"zero{stride}"]),
                helper.make_node("Add", [f"r{stride}", f"zero{stride}"], [f"n{stride}"]),
            ]
            parts[-1] = f"n{stride}"
    if broken:
        weights += [
            numpy_helper.from_array(np.full((1, 3, 1, 1), 1 / 3, np.float32), "gray"),
            numpy_helper.from_array(np.array([-60], np.float32), "dark"),
            numpy_helper.from_array(np.array([1, 1, 1], np.int64), "one"),
            numpy_helper.from_array(np.array([0], np.float32), "nothing"),
        ]
        nodes[:0] = [
            helper.make_node("GlobalAveragePool", ["x"], ["mean"]),
            helper.make_node("Conv", ["mean", "gray", "dark"], ["over"]),
            helper.make_node("Reshape", ["over", "one"], ["bright"]),
        ]
    nodes += [
        helper.make_node("Concat", parts, ["all"], axis=2),
        helper.make_node("Transpose", ["all"], ["y"], perm=[0, 2, 1]),
    ]
    graph = helper.make_graph(
        nodes,
        "squares",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 3, height, width])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, [1, width * height * 21 // 1024, 7])],
        weights,
    )
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8), str(path))
    path.with_suffix(".txt").write_text("red\nblue\n")
    return path


def squares(width: int = 128, height: int = 96) -> np.ndarray:
    """A dark picture, uint8 R'G'B', with a red square at (48, 32) to (64, 48) and a blue one at (96, 64) to
    (112, 80).

    At 128 x 96 they are two cells of `square_detector`, which sees the picture letterboxed at half its size.
    """
    picture = np.zeros((height, width, 3), np.uint8)
    picture[32:48, 48:64] = (255, 0, 0)
    picture[64:80, 96:112] = (0, 0, 230)
    return picture


def red_or_blue_model(path: Path) -> Path:
    """A classifier of three classes by the mean of red, green, blue: logits are 8 times the channel means of
    a 32 x 32 picture.
    """
    weight = numpy_helper.from_array((np.eye(3, dtype=np.float32) * 8).reshape(3, 3, 1, 1), "w")
    shape = numpy_helper.from_array(np.array([1, 3], np.int64), "s")
    nodes = [
        helper.make_node("Conv", ["x", "w"], ["c"]),
        helper.make_node("GlobalAveragePool", ["c"], ["g"]),
        helper.make_node("Reshape", ["g", "s"], ["r"]),
        helper.make_node("Softmax", ["r"], ["y"], axis=1),
    ]
    graph = helper.make_graph(
        nodes,
        "colour",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 3, 32, 32])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, [1, 3])],
        [weight, shape],
    )
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8), str(path))
    path.with_suffix(".txt").write_text("red\ngreen\nblue\n")
    return path


def fixed_network(
    path: Path,
    outputs: dict[str, np.ndarray],
    size: tuple[int, int],
    metadata: dict[str, str] | None = None,
    *,
    through: str = "",
    half: bool = False,
) -> Path:
    """A network that says the same of every picture of a size (width, height): arrays, to which nothing is
    added.

    The output `through`, of four dimensions, goes through a convolution that changes nothing, and so has the
    engine's layout of one. With `half` the outputs are float16.
    """
    nodes = [helper.make_node("ReduceMean", ["x"], ["mean"], keepdims=0)]
    nodes.append(helper.make_node("Mul", ["mean", "nothing"], ["zero"]))
    weights = [numpy_helper.from_array(np.float32(0), "nothing")]
    for name, array in outputs.items():
        weights.append(numpy_helper.from_array(array.astype(np.float32), f"{name} is"))
        result = f"{name} whole" if half else name
        inner = f"{name} before" if name == through else result
        nodes.append(helper.make_node("Add", [f"{name} is", "zero"], [inner]))
        if name == through:
            channels = array.shape[1]
            same = np.eye(channels, dtype=np.float32).reshape(channels, channels, 1, 1)
            weights.append(numpy_helper.from_array(same, "same"))
            nodes.append(helper.make_node("Conv", [inner, "same"], [result]))
        if half:
            nodes.append(helper.make_node("Cast", [result], [name], to=TensorProto.FLOAT16))
    element = TensorProto.FLOAT16 if half else TensorProto.FLOAT
    graph = helper.make_graph(
        nodes,
        "fixed",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 3, size[1], size[0]])],
        [helper.make_tensor_value_info(n, element, list(a.shape)) for n, a in outputs.items()],
        weights,
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
    helper.set_model_props(model, metadata or {})
    onnx.save(model, str(path))
    return path


def color_vector_model(
    path: Path, *, batch: int | str = 1, numbers: int = 20, output: str = "embedding"
) -> Path:
    """A vector of a 32 x 32 picture, 0..1: its mean color through a fixed random matrix of `numbers` rows."""
    weight = np.random.default_rng(5).standard_normal((numbers, 3, 1, 1)).astype(np.float32)
    nodes = [
        helper.make_node("GlobalAveragePool", ["x"], ["g"]),
        helper.make_node("Conv", ["g", "w"], ["c"]),
        helper.make_node("Flatten", ["c"], [output]),
    ]
    graph = helper.make_graph(
        nodes,
        "colors",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, [batch, 3, 32, 32])],
        [helper.make_tensor_value_info(output, TensorProto.FLOAT, [batch, numbers])],
        [numpy_helper.from_array(weight, "w")],
    )
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8), str(path))
    sidecar = '[preprocess]\ncolors = "RGB"\nscale = "0..1"\nmean = [0.0, 0.0, 0.0]\nstd = [1.0, 1.0, 1.0]\nresize = "stretch"\n'
    path.with_name(f"{path.name}.lightloom.toml").write_text(sidecar)
    return path
