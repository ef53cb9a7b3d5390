"""Write the detector into assets/models.

    python -m training.detector.export out/training/detector.ckpt

The averaged weights in fp16, batch normalization folded, three outputs `grid_8`, `grid_16` and `grid_32`;
checked with onnxruntime against the PyTorch network before anything is replaced. A column between both scores
is never reached: with it, a person's box has the scores (person, nothing) and a face's (nothing, face), and
one rule reads both (desktop/vision/tasks/detection/grids.py).
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Final

import numpy as np
import onnxruntime
import torch
from torch import Tensor

from desktop.base.errors import LightloomError
from training.classifier.model import InvertedResidual
from training.common import checkpoint
from training.common.data import HELD, Pictures, read_pack
from training.common.onnx_write import GraphWriter, average_weights
from training.detector.model import HEIGHT, KINDS, STRIDES, WIDTH, Detector, Rise, tiny

NEVER: Final = -30.0
"""The logit of the column between the scores: a probability of 1e-13."""
_LARGEST_DIFFERENCE: Final = 0.02
"""Of a score between fp16 by onnxruntime and fp32 by PyTorch; more means that half precision breaks the
network.
"""

DESCRIPTION: Final = """\
title = "Detector"
task = "detection"
help = "Finds persons and faces, to box, follow and count them."
licence = "MIT"
card = "docs/model-cards/detector.md"

[preprocess]
colors = "RGB"
scale = "-1..1"
mean = [0.0, 0.0, 0.0]
std = [1.0, 1.0, 1.0]
resize = "letterbox"

[input]
name = "image"
turns = true
"""


def averaged(path: Path, is_tiny: bool) -> Detector:
    """Return a checkpoint's averaged student on the CPU, in eval mode."""
    student = tiny() if is_tiny else Detector()
    student.load_state_dict(checkpoint.load(path, torch.device("cpu"))["average"])
    return student.eval()


def _with_gap(value: Tensor, gap: float) -> Tensor:
    """Return the last convolution's weight or bias with the column that is never reached."""
    first = 4 * len(KINDS) + 1
    return torch.cat([value[:first], torch.full_like(value[:1], gap), value[first:]])


def residual(graph: GraphWriter, x: str, block: InvertedResidual, name: str) -> str:
    """Append an inverted residual."""
    y = graph.node("HardSwish", graph.convolution(x, block.widen, f"{name}.widen"))
    y = graph.node("HardSwish", graph.convolution(y, block.depthwise, f"{name}.depthwise"))
    y = graph.convolution(y, block.narrow, f"{name}.narrow")
    return graph.node("Add", x, y) if block.residual else y


def rise(graph: GraphWriter, x: str, skip: str, layer: Rise, name: str) -> str:
    """Append an enlargement."""
    y = graph.node("Add", graph.doubled(graph.convolution(x, layer.reduce, f"{name}.reduce")), skip)
    y = graph.node("HardSwish", graph.convolution(y, layer.filter, f"{name}.filter"))
    return graph.node("HardSwish", graph.convolution(y, layer.mix, f"{name}.mix"))


def write(student: Detector, path: Path, width: int = WIDTH, height: int = HEIGHT) -> None:
    """Write `student` as (1, 3, height, width) in -1..1 -> (1, 11, height / stride, width / stride) for each
    stride.
    """
    graph = GraphWriter("detector")
    trunk = student.trunk
    x = graph.node("HardSwish", graph.convolution("image", trunk.stem[0], "stem"))
    x = graph.node("HardSwish", graph.convolution(x, trunk.second[0], "second"))
    x = graph.node("HardSwish", graph.convolution(x, trunk.fused[0], "fused"))
    x = graph.convolution(x, trunk.fused[2], "fused.narrow")
    maps = []
    for number, (block, layer) in enumerate(zip(trunk.design.blocks, trunk.blocks, strict=True)):
        if block.stride == 2:
            maps.append(x)
        x = residual(graph, x, layer, f"block{number}")
    coarse = residual(graph, x, student.widest, "widest")
    middle = rise(graph, coarse, maps[1], student.rise2, "rise2")
    fine = rise(graph, middle, maps[0], student.rise1, "rise1")
    outputs: dict[str, list[int | str]] = {}
    for stride, head, x in zip(STRIDES, student.heads, (fine, middle, coarse), strict=True):
        name = f"head{stride}"
        y = graph.node("HardSwish", graph.convolution(x, head.filter, f"{name}.filter"))
        y = graph.node("HardSwish", graph.convolution(y, head.mix, f"{name}.mix"))
        weight = graph.constant(_with_gap(head.last.weight, 0.0), f"{name}.weight")
        bias = graph.constant(_with_gap(head.last.bias, NEVER), f"{name}.bias")
        graph.node("Conv", y, weight, bias, output=f"grid_{stride}", kernel_shape=[1, 1])
        columns = 4 * len(KINDS) + 2 * len(KINDS) - 1
        outputs[f"grid_{stride}"] = [1, columns, height // stride, width // stride]
    graph.write(path, [1, 3, height, width], outputs)


def largest_difference(student: Detector, path: Path, held: Pictures, width: int, height: int) -> float:
    """Return the largest difference of a score between the file, by onnxruntime, and the student on held-back
    pictures.
    """
    session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    worst, first = 0.0, 4 * len(KINDS)
    for i in range(min(8, len(held))):
        x = 2 * held.stretched(torch.tensor([i]), max(width, height))[:, :, :height, :width] - 1
        got = session.run(None, {"image": x.numpy().astype(np.float16)})
        with torch.no_grad():
            wanted = student(x)
        for a, b in zip(got, wanted, strict=True):
            mine = torch.from_numpy(a[:, [first, first + 2]]).float().sigmoid()
            worst = max(worst, float((mine - b[:, first:].sigmoid()).abs().max()))
    return worst


def main(arguments: list[str] | None = None) -> int:
    """Write and check; exit status 0, or 1 with one sentence."""
    parser = argparse.ArgumentParser(
        prog="python -m training.detector.export", description=__doc__.splitlines()[0]
    )
    parser.add_argument("checkpoint", type=Path)
    parser.add_argument("--data", type=Path, default=Path("out/training/detector.npz"))
    parser.add_argument("--out", type=Path, default=Path("assets/models"))
    parser.add_argument("--size", type=int, nargs=2, default=(WIDTH, HEIGHT), metavar=("WIDTH", "HEIGHT"))
    parser.add_argument(
        "--mean-with", type=Path, help="exported network that this one began with: write the mean of both"
    )
    parser.add_argument("--tiny", action="store_true", help="for a checkpoint of --tiny training")
    options = parser.parse_args(arguments)
    width, height = options.size
    try:
        held = read_pack(options.data, HELD, torch.device("cpu"), most=8)
        student = averaged(options.checkpoint, options.tiny)
        new = options.out / "detector.onnx.new"
        write(student, new, width, height)
        try:
            difference = largest_difference(student, new, held, width, height)
            if not difference < _LARGEST_DIFFERENCE:
                raise LightloomError(
                    f"The exported network differs from the trained one by {difference:.3f} in a score; nothing was replaced."
                )
            if options.mean_with:
                average_weights(new, options.mean_with)
        except LightloomError:
            new.unlink()
            raise
    except LightloomError as error:
        print(f"training: {error}", file=sys.stderr)
        return 1
    path = new.replace(options.out / "detector.onnx")
    (options.out / "detector.toml").write_text(DESCRIPTION, encoding="utf-8")
    print(f"{path}: {path.stat().st_size / 1e6:.2f} MB, a score differs by {difference:.4f} at most")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
