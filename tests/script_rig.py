"""Colored boxes that move through a video by a script, and a real network that finds them."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

WIDTH, HEIGHT, SIDE, FRAMES, RATE = 320, 192, 32, 120, 30
COLORS = {"red": (255, 0, 0), "green": (0, 255, 0), "blue": (0, 0, 255)}

# Where the middle of each one's lower edge is at a time in 0..1, in pixels. Red swings over the middle three
# times, blue goes through the room from above to below, green goes around the end of the door's line.
PATHS: dict[str, Callable[[float], tuple[float, float]]] = {
    "red": lambda t: (160 - 110 * math.cos(3 * math.pi * t), 70.0),
    "blue": lambda t: (270.0, 40 + 145 * t),
    "green": lambda t: (60 + 200 * t, 175.0),
}


def color_finder(path: Path) -> Path:
    """A detector [1, 3, boxes of 6]: the extents of all that is red, green and blue, as networks give them
    that suppress by themselves.
    """
    weights = {
        # Of each color the channel less the two others: 1 where it is pure.
        "mix": np.array([[1, -1, -1], [-1, 1, -1], [-1, -1, 1]], np.float32).reshape(3, 3, 1, 1),
        "half": np.array(0.5, np.float32),
        "x": np.arange(WIDTH, dtype=np.float32).reshape(1, 1, WIDTH),
        "y": np.arange(HEIGHT, dtype=np.float32).reshape(1, 1, HEIGHT),
        "far": np.array(1e4, np.float32),
        "one": np.array(1.0, np.float32),
        "near": np.array(-1.0, np.float32),
        "score": np.array(0.9, np.float32),
        "rows": np.array([1, 3, 1], np.int64),
        "classes": np.arange(3, dtype=np.float32).reshape(1, 3, 1),
    }
    node, nodes = helper.make_node, []
    nodes += [
        node("Conv", ["picture", "mix"], ["likeness"]),
        node("Greater", ["likeness", "half"], ["is"]),
        node("Cast", ["is"], ["mask"], to=TensorProto.FLOAT),
        node("ReduceMax", ["mask"], ["columns"], axes=[2], keepdims=0),
        node("ReduceMax", ["mask"], ["lines"], axes=[3], keepdims=0),
        node("ReduceMax", ["mask"], ["any"], axes=[2, 3], keepdims=0),
        node("Mul", ["any", "score"], ["scored"]),
        node("Reshape", ["scored", "rows"], ["scores"]),
    ]
    for axis, of in (("x", "columns"), ("y", "lines")):
        nodes += [
            node("Greater", [of, "half"], [f"on_{axis}"]),
            node("Where", [f"on_{axis}", axis, "far"], [f"low_{axis}"]),
            node("Where", [f"on_{axis}", axis, "near"], [f"high_{axis}"]),
            node("ReduceMin", [f"low_{axis}"], [f"first_{axis}"], axes=[2], keepdims=1),
            node("ReduceMax", [f"high_{axis}"], [f"last_{axis}"], axes=[2], keepdims=1),
            node("Add", [f"last_{axis}", "one"], [f"end_{axis}"]),
        ]
    columns = ["first_x", "first_y", "end_x", "end_y", "scores", "classes"]
    nodes.append(node("Concat", columns, ["boxes"], axis=2))
    graph = helper.make_graph(
        nodes,
        "colors",
        [helper.make_tensor_value_info("picture", TensorProto.FLOAT, [1, 3, HEIGHT, WIDTH])],
        [helper.make_tensor_value_info("boxes", TensorProto.FLOAT, [1, 3, 6])],
        [numpy_helper.from_array(value, name) for name, value in weights.items()],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
    helper.set_model_props(model, {"names": str(dict(enumerate(COLORS)))})
    onnx.checker.check_model(model)
    onnx.save(model, str(path))
    return path


def scripted_video(path: Path) -> Path:
    """The boxes on their ways; green is hidden for a second in the middle of its."""
    with av.open(str(path), "w") as container:
        stream = container.add_stream("libx264", rate=RATE, options={"crf": "12", "preset": "ultrafast"})
        stream.width, stream.height, stream.pix_fmt = WIDTH, HEIGHT, "yuv444p"
        stream.time_base = Fraction(1, RATE)
        for number in range(FRAMES):
            picture = np.full((HEIGHT, WIDTH, 3), 20, np.uint8)
            for color, way in PATHS.items():
                if color == "green" and 45 <= number < 60:
                    continue
                x, y = (round(v) for v in way(number / (FRAMES - 1)))
                picture[max(0, y - SIDE) : y, x - SIDE // 2 : x + SIDE // 2] = COLORS[color]
            frame = av.VideoFrame.from_ndarray(picture, format="rgb24")
            frame.pts = number
            container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
    return path


def scripted_crossings() -> tuple[int, int]:
    """Forward and backward crossings of the door that the script makes, by the sign of what lies beyond it."""
    forward = backward = 0
    for color, way in PATHS.items():
        places = [way(number / (FRAMES - 1)) for number in range(FRAMES)]
        if color == "green":
            assert all(y > 0.8 * HEIGHT for _, y in places)  # it passes below the line's end
            continue
        sides = [x < WIDTH / 2 for x, _ in places]
        forward += sum(b and not a for a, b in itertools.pairwise(sides))
        backward += sum(a and not b for a, b in itertools.pairwise(sides))
    return forward, backward
