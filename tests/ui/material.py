"""Small files that the tests make for themselves."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import av
import cv2
import numpy as np
import onnx
from onnx import TensorProto, helper

SHADER = """/* lightloom
title = "Half red"
group = "Mine"
[[param]]
name = "amount"
min = 0
max = 1
default = 0.5
step = 0.01
*/
fn main(p: vec2i) -> vec4f {
  let c = textureLoad(input, p, 0);
  return vec4f(c.r * params.amount, c.gba);
}
"""


def video(path: Path, frames: int = 12) -> Path:
    """A gray ramp over time, 64x48, 12 FPS, MPEG-4."""
    with av.open(str(path), "w") as container:
        stream = container.add_stream("mpeg4", rate=12)
        stream.width, stream.height, stream.pix_fmt = 64, 48, "yuv420p"
        for index in range(frames):
            pixels = np.full((48, 64, 3), 20 * index, np.uint8)
            frame = av.VideoFrame.from_ndarray(pixels, format="rgb24")
            frame.pts, frame.time_base = index, Fraction(1, 12)
            for packet in stream.encode(frame):
                container.mux(packet)
        for packet in stream.encode(None):
            container.mux(packet)
    return path


def image(path: Path, color: tuple[int, int, int] = (200, 100, 50)) -> Path:
    """A picture of one color (R'G'B'), 40x30."""
    assert cv2.imwrite(str(path), np.full((30, 40, 3), color[::-1], np.uint8))
    return path


def cube(path: Path) -> Path:
    """A table that swaps nothing but inverts: 2 points a side."""
    rows = [f"{1 - r} {1 - g} {1 - b}" for b in (0, 1) for g in (0, 1) for r in (0, 1)]
    path.write_text("LUT_3D_SIZE 2\n" + "\n".join(rows) + "\n", encoding="utf-8")
    return path


def classifier(path: Path, *, stated: bool = True) -> Path:
    """Mean color, then softmax: three classes, the most intense of red, green and blue. `stated`: the file
    says its range, 0..1.
    """
    nodes = [
        helper.make_node("GlobalAveragePool", ["x"], ["mean"]),
        helper.make_node("Flatten", ["mean"], ["flat"]),
        helper.make_node("Gemm", ["flat", "w", "b"], ["logits"], transB=1),
        helper.make_node("Softmax", ["logits"], ["y"], axis=1),
    ]
    weights = [
        helper.make_tensor("w", TensorProto.FLOAT, (3, 3), (np.eye(3) * 8).ravel().tolist()),
        helper.make_tensor("b", TensorProto.FLOAT, (3,), [0.0, 0.0, 0.0]),
    ]
    graph = helper.make_graph(
        nodes,
        "mean color",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, (1, 3, 16, 16))],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, (1, 3))],
        weights,
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
    if stated:
        helper.set_model_props(model, {"Image.NominalPixelRange": "Normalized_0_1"})
    onnx.save(model, str(path))
    return path
