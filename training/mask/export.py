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
import torch.nn.functional as F
from torch import nn

from desktop.base.errors import LightloomError
from training.common.data import HELD, Pictures, read_pack
from training.common.onnx_write import GraphWriter
from training.mask.calibrate import TEACHER, averaged, bias_of
from training.mask.model import LONGER, MULTIPLE, PersonMask, Residual, Same, stretched

_LARGEST_MEAN_DIFFERENCE: Final = 0.01
"""Of a mask between fp16 by onnxruntime and fp32 by PyTorch, over a picture."""

_DESCRIPTION: Final = """\
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
multiple = {multiple}
working = {working}

[output]
name = "mask"
activation = "none"
"""


def description() -> str:
    """Return the settings beside the file."""
    return _DESCRIPTION.format(multiple=MULTIPLE, working=LONGER)


def write(network: PersonMask, path: Path) -> None:
    """Write a network, without hints, as (1, 3, height, width) in -1..1, multiples of 32 -> (1, 1, height, width)
    probabilities.
    """
    graph = GraphWriter("person_mask")
    encoder = network.encoder
    capped = encoder.activation is F.relu6
    bounds = (
        [graph.constant(np.array(bound, np.float32), f"bound{bound:.0f}") for bound in (0.0, 6.0)]
        if capped
        else []
    )

    def same(x: str, layer: nn.Sequential, name: str) -> str:
        conv = layer[0]
        assert isinstance(conv, Same)
        # Sides are even, and the output's are half of them at stride 2: what `Same` pads is known.
        total = conv.kernel_size[0] - conv.stride[0]
        before = total // 2
        return graph.convolution(x, layer, name, (before, before, total - before, total - before))

    def relu(x: str) -> str:
        return graph.node("Clip", x, *bounds) if capped else graph.node("Relu", x)

    def dense(x: str, layer: nn.Sequential, name: str) -> str:
        return graph.node("Relu", graph.convolution(x, nn.Sequential(layer[0], layer[1]), name))

    x = relu(same("image", encoder.stem, "stem"))
    maps = []
    for number, block in enumerate(encoder.blocks):
        assert isinstance(block, Residual)
        if number in encoder.ends:
            maps.append(x)
        name = f"block{number}"
        y = relu(same(x, block.widen, f"{name}.widen")) if block.widen is not None else x
        if block.depthwise is not None:
            y = relu(same(y, block.depthwise, f"{name}.depthwise"))
        y = same(y, block.narrow, f"{name}.narrow")
        x = graph.node("Add", x, y) if block.residual else y
    whole = graph.convolution(graph.node("GlobalAveragePool", x), network.whole[0], "whole")
    y = graph.node("Add", dense(x, network.coarse, "coarse"), graph.node("Relu", whole))
    for number, (skip, reduce, mix) in enumerate(
        zip(network.skips, network.reduce, network.mix, strict=True)
    ):
        name = f"rise{number}"
        # The hint is 0 where nothing is known, so that its weights have no effect.
        seen = nn.Conv2d(skip.in_channels - 1, skip.out_channels, 1)
        seen.weight.data, seen.bias = skip.weight.data[:, :-1], skip.bias
        up = graph.doubled(graph.convolution(y, reduce, f"{name}.reduce"))
        y = graph.node(
            "Relu", graph.node("Add", up, graph.convolution(maps[-1 - number], seen, f"{name}.skip"))
        )
        for part, layer in enumerate(mix):
            y = dense(y, layer, f"{name}.mix{part}")
    last = graph.convolution(y, network.last, "last")
    logits = (
        graph.node("DepthToSpace", last, blocksize=2, mode="CRD") if network.shuffled else graph.doubled(last)
    )
    graph.node("Sigmoid", logits, output="mask")
    graph.write(path, [1, 3, "height", "width"], {"mask": [1, 1, "height", "width"]})


def mean_difference(student: PersonMask, path: Path, held: Pictures) -> float:
    """Return the largest mean difference of a mask between the file, by onnxruntime, and the student on
    held-back pictures.
    """
    session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    worst = 0.0
    for i in range(0, len(held), max(1, len(held) // 8)):
        x = stretched(held.stretched(torch.tensor([i]), 256), (160, 256))
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
    path.with_suffix(".toml").write_text(description(), encoding="utf-8")
    print(
        f"{path}: {path.stat().st_size / 1e6:.2f} MB, bias {bias:+.1f}, differs by {difference:.4f} on average at most"
    )
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
