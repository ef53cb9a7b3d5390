"""Write the person mask into assets/models.

    python -m training.mask.export out/training/mask.ckpt

The averaged weights in fp16, batch normalization folded, sigmoid at the end; the input is R'G'B' in -1..1,
height and width are free. Checked with onnxruntime against the PyTorch network before anything is replaced.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Final

import numpy as np
import onnxruntime
import torch
from onnx import numpy_helper

from desktop.base.errors import LightloomError
from training.classifier.model import InvertedResidual
from training.common.data import HELD, Pictures, read_pack
from training.common.onnx_write import GraphWriter
from training.mask.calibrate import TEACHER, averaged, bias_of
from training.mask.model import Fused, PersonMask, Rise, stretched

_LARGEST_MEAN_DIFFERENCE: Final = 0.01
"""Of a mask between fp16 by onnxruntime and fp32 by PyTorch, over a picture."""

DESCRIPTION: Final = """\
title = "Person mask"
task = "mask"
help = "Finds people, to blur, dim or replace what is behind them."
licence = "MIT"
card = "docs/model-cards/person_mask.md"

[preprocess]
colors = "RGB"
scale = "-1..1"
mean = [0.0, 0.0, 0.0]
std = [1.0, 1.0, 1.0]

[input]
name = "image"
multiple = 16
working = 256

[output]
name = "mask"
activation = "none"
"""


def residual(graph: GraphWriter, x: str, block: InvertedResidual, name: str) -> str:
    """Append an inverted residual."""
    y = graph.node("HardSwish", graph.convolution(x, block.widen, f"{name}.widen"))
    y = graph.node("HardSwish", graph.convolution(y, block.depthwise, f"{name}.depthwise"))
    y = graph.convolution(y, block.narrow, f"{name}.narrow")
    return graph.node("Add", x, y) if block.residual else y


def fused(graph: GraphWriter, x: str, layer: Fused, name: str) -> str:
    """Append a dense convolution and the 1x1 behind it."""
    y = graph.node("HardSwish", graph.convolution(x, layer.widen, f"{name}.widen"))
    return graph.convolution(y, layer.narrow, f"{name}.narrow")


def rise(graph: GraphWriter, x: str, skip: str, layer: Rise, name: str, double: str) -> str:
    """Append an enlargement; `double` is what `scales` returned."""
    y = graph.convolution(x, layer.reduce, f"{name}.reduce")
    y = graph.node("Resize", y, "", double, mode="linear", coordinate_transformation_mode="half_pixel")
    y = graph.node("Add", y, skip)
    y = graph.node("HardSwish", graph.convolution(y, layer.filter, f"{name}.filter"))
    return graph.node("HardSwish", graph.convolution(y, layer.mix, f"{name}.mix"))


def scales(graph: GraphWriter) -> str:
    """Add the constant that enlarges a map to twice its size; Resize takes its scales in float32 whatever the
    picture's type is.
    """
    graph.constants.append(numpy_helper.from_array(np.array([1, 1, 2, 2], np.float32), "double"))
    return "double"


def write(student: PersonMask, path: Path) -> None:
    """Write `student` as (1, 3, height, width) in -1..1 -> (1, 1, height, width) probabilities."""
    graph = GraphWriter("person_mask")
    half = graph.node("HardSwish", graph.convolution("image", student.stem[0], "stem"))
    quarter = graph.node("HardSwish", graph.convolution(half, student.second[0], "second"))
    eighth = quarter
    for number, block in enumerate(student.third):
        append = fused if isinstance(block, Fused) else residual
        eighth = append(graph, eighth, block, f"third{number}")
    x = eighth
    for number, block in enumerate(student.fourth):
        x = residual(graph, x, block, f"fourth{number}")
    double = scales(graph)
    for skip, layer, name in (
        (eighth, student.rise3, "rise3"),
        (quarter, student.rise2, "rise2"),
        (half, student.rise1, "rise1"),
    ):
        x = rise(graph, x, skip, layer, name, double)
    weight = graph.constant(student.last.weight, "last.weight")
    assert student.last.bias is not None
    bias = graph.constant(student.last.bias, "last.bias")
    x = graph.node("ConvTranspose", x, weight, bias, output="logits", kernel_shape=[2, 2], strides=[2, 2])
    graph.node("Sigmoid", x, output="mask")
    graph.write(path, [1, 3, "height", "width"], {"mask": [1, 1, "height", "width"]})


def mean_difference(student: PersonMask, path: Path, held: Pictures) -> float:
    """Return the largest mean difference of a mask between the file, by onnxruntime, and the student on
    held-back pictures.
    """
    session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    worst = 0.0
    for i in range(0, len(held), max(1, len(held) // 8)):
        x = stretched(held.stretched(torch.tensor([i]), 256), (144, 256))
        got = session.run(None, {"image": (2 * x - 1).numpy().astype(np.float16)})[0].astype(np.float32)
        with torch.no_grad():
            wanted = torch.sigmoid(student(x)).numpy()
        worst = max(worst, float(np.abs(got - wanted).mean()))
    return worst


def main(arguments: list[str] | None = None) -> int:
    """Write and check; exit status 0, or 1 with one sentence."""
    parser = argparse.ArgumentParser(
        prog="python -m training.mask.export", description=__doc__.splitlines()[0]
    )
    parser.add_argument("checkpoint", type=Path)
    parser.add_argument("--data", type=Path, default=Path("out/training/mask.npz"))
    parser.add_argument("--out", type=Path, default=Path("assets/models"))
    parser.add_argument("--teacher", type=Path, default=TEACHER)
    parser.add_argument("--people", type=Path, nargs="+", help="packs whose true masks to fit the bias to")
    parser.add_argument("--bias", type=float, help="to add to the logits, instead of fitting it")
    parser.add_argument(
        "--gain", type=float, default=1.0, help="to multiply the logits with then: above 1, edges are steeper"
    )
    parser.add_argument("--tiny", action="store_true", help="for a checkpoint of --tiny training")
    options = parser.parse_args(arguments)
    try:
        device, is_tiny = torch.device("cpu"), options.tiny
        held = read_pack(options.data, HELD, device, most=3 if is_tiny else None)
        student = averaged(options.checkpoint, is_tiny)
        bias = options.bias
        if bias is None:
            bias, _ = bias_of(student, options)
        assert student.last.bias is not None
        student.last.bias.data = options.gain * (student.last.bias.data + bias)
        student.last.weight.data *= options.gain
        new = options.out / "person_mask.onnx.new"
        write(student, new)
        difference = mean_difference(student, new, held)
        if not difference < _LARGEST_MEAN_DIFFERENCE:
            new.unlink()
            raise LightloomError(
                f"The exported network differs from the trained one by {difference:.3f} on average; nothing was replaced."
            )
    except LightloomError as error:
        print(f"training: {error}", file=sys.stderr)
        return 1
    path = new.replace(options.out / "person_mask.onnx")
    (options.out / "person_mask.toml").write_text(DESCRIPTION, encoding="utf-8")
    print(
        f"{path}: {path.stat().st_size / 1e6:.2f} MB, bias {bias:+.1f}, differs by {difference:.4f} on average at most"
    )
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
