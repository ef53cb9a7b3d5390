"""Write the classifier into assets/models.

    python -m training.classifier.export out/training/classifier.ckpt

The averaged weights in fp16, batch normalization folded, the logits divided by the calibration's temperature
inside the last layer, softmax at the end; checked with onnxruntime against the PyTorch network before
anything is replaced.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Final

import numpy as np
import onnxruntime
import torch

from desktop.base.errors import LightloomError
from training.classifier.calibrate import averaged, fitted
from training.classifier.model import SIZE, Classifier
from training.common.data import HELD, Pictures, read_pack
from training.common.onnx_write import GraphWriter

_LARGEST_DIFFERENCE: Final = 0.02
"""Of a probability between fp16 by onnxruntime and fp32 by PyTorch; more means that half precision breaks the
network.
"""

DESCRIPTION: Final = """\
title = "Classifier"
task = "classification"
help = "Names what it sees: the 1,000 classes of ImageNet."
licence = "MIT"
card = "docs/model-cards/classifier.md"

[preprocess]
colors = "RGB"
scale = "-1..1"
mean = [0.0, 0.0, 0.0]
std = [1.0, 1.0, 1.0]
resize = "crop"
crop = 0.875
interpolation = "bilinear"

[input]
name = "image"

[output]
name = "probabilities"
"""


def write(student: Classifier, temperature: float, size: int, path: Path) -> None:
    """Write `student` as (1, 3, size, size) in -1..1 -> (1, 1000) probabilities."""
    graph = GraphWriter("classifier")
    x = graph.node("HardSwish", graph.convolution("image", student.stem[0], "stem"))
    x = graph.node("HardSwish", graph.convolution(x, student.second[0], "second"))
    x = graph.node("HardSwish", graph.convolution(x, student.fused[0], "fused"))
    x = graph.convolution(x, student.fused[2], "fused.narrow")
    for number, block in enumerate(student.blocks):
        name = f"block{number}"
        y = graph.node("HardSwish", graph.convolution(x, block.widen, f"{name}.widen"))
        y = graph.node("HardSwish", graph.convolution(y, block.depthwise, f"{name}.depthwise"))
        y = graph.convolution(y, block.narrow, f"{name}.narrow")
        x = graph.node("Add", x, y) if block.residual else y
    x = graph.node("HardSwish", graph.convolution(x, student.head[0], "head"))
    x = graph.node("Flatten", graph.node("GlobalAveragePool", x), axis=1)
    weight = graph.constant(student.classify.weight / temperature, "classify.weight")
    bias = graph.constant(student.classify.bias / temperature, "classify.bias")
    logits = graph.node("Gemm", x, weight, bias, transB=1, output="logits")
    graph.node("Softmax", logits, axis=-1, output="probabilities")
    graph.write(path, [1, 3, size, size], {"probabilities": [1, student.classify.out_features]})


def largest_difference(
    student: Classifier, temperature: float, path: Path, held: Pictures, size: int
) -> float:
    """Return the largest difference of a probability between the file, by onnxruntime, and the student on
    held-back pictures.
    """
    session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    worst = 0.0
    for i in range(min(16, len(held))):
        x = 2 * held.centers(torch.tensor([i]), size) - 1
        got = session.run(None, {"image": x.numpy().astype(np.float16)})[0].astype(np.float32)
        with torch.no_grad():
            wanted = (student(x) / temperature).softmax(1).numpy()
        worst = max(worst, float(np.abs(got - wanted).max()))
    return worst


def main(arguments: list[str] | None = None) -> int:
    """Calibrate, write, check; exit status 0, or 1 with one sentence."""
    parser = argparse.ArgumentParser(
        prog="python -m training.classifier.export", description=__doc__.splitlines()[0]
    )
    parser.add_argument("checkpoint", type=Path)
    parser.add_argument("--data", type=Path, default=Path("out/training/classifier.npz"))
    parser.add_argument("--out", type=Path, default=Path("assets/models"))
    parser.add_argument("--temperature", type=float, help="instead of fitting it")
    parser.add_argument("--tiny", action="store_true", help="for a checkpoint of --tiny training")
    options = parser.parse_args(arguments)
    size = 64 if options.tiny else SIZE
    try:
        held = read_pack(options.data, HELD, torch.device("cpu"), most=4 if options.tiny else None)
        student = averaged(options.checkpoint, torch.device("cpu"), options.tiny)
        temperature = options.temperature or fitted(student, held, size)
        new = options.out / "classifier.onnx.new"
        write(student, temperature, size, new)
        difference = largest_difference(student, temperature, new, held, size)
        if not difference < _LARGEST_DIFFERENCE:
            new.unlink()
            raise LightloomError(
                f"The exported network differs from the trained one by {difference:.3f} in a probability; nothing was replaced."
            )
    except LightloomError as error:
        print(f"training: {error}", file=sys.stderr)
        return 1
    path = new.replace(options.out / "classifier.onnx")
    (options.out / "classifier.toml").write_text(DESCRIPTION, encoding="utf-8")
    print(
        f"{path}: {path.stat().st_size / 1e6:.2f} MB, temperature {temperature:.3f}, differs by {difference:.4f} at most"
    )
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
