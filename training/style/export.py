"""Write trained styles as networks of the app.

    python -m training.style.export [--style ink] [--out assets/models]

Reads <runs>/<style>_ours.pt and writes style_<style>.onnx (fp16 weights, opset 17, height and width free) and
style_<style>.toml (keys: docs/models.md, "Built-in networks"), after comparing onnxruntime's picture with
PyTorch's.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import onnxruntime as ort
import torch
from onnx import numpy_helper
from torch import nn

from desktop.base.errors import ExportError, LightloomError
from training.common import checkpoint
from training.common.onnx_write import GraphWriter
from training.style.model import Layer, Residual, StyleNet, build
from training.style.paintings import STYLES

LARGEST = 1_500_000
TOLERANCE = 3 / 255
HIGHEST = 16_000.0  # of an inner value: a quarter of fp16's range, since pictures brighter or busier than the probe occur
WORKING = 512


def layer(graph: GraphWriter, part: Layer, x: str, name: str) -> str:
    """Convolution with a batch normalization folded in, or an instance normalization after it; ReLU."""
    instance = part.norm if isinstance(part.norm, nn.InstanceNorm2d) else None
    folded = nn.Sequential(part.conv, part.norm) if isinstance(part.norm, nn.BatchNorm2d) else part.conv
    x = graph.convolution(x, folded, name)
    if instance is not None:
        gain, bias = (
            graph.constant(instance.weight, f"{name}.gain"),
            graph.constant(instance.bias, f"{name}.shift"),
        )
        x = graph.node("InstanceNormalization", x, gain, bias)
    return graph.node("Relu", x) if part.relu else x


def residual(graph: GraphWriter, block: Residual, x: str, name: str) -> str:
    inner = layer(graph, block.first, x, f"{name}.first")
    return graph.node("Add", x, layer(graph, block.second, inner, f"{name}.second"))


def write(network: StyleNet, path: Path) -> None:
    """Write a network as "image", 1 x 3 x height x width fp16 RGB 0..1, to "styled" of the same shape."""
    graph = GraphWriter(path.stem)
    # Not by `constant`, which stores fp16: Resize takes float32 scales.
    graph.constants.append(numpy_helper.from_array(np.array([1, 1, 2, 2], np.float32), "twice"))

    def enlarged(x: str) -> str:
        how = {"mode": "nearest", "coordinate_transformation_mode": "asymmetric", "nearest_mode": "floor"}
        return graph.node("Resize", x, "", "twice", **how)

    half = layer(graph, network.down2, "image", "down2")
    quarter = residual(graph, network.before, layer(graph, network.down4, half, "down4"), "before")
    x = layer(graph, network.down8, quarter, "down8")
    for number, block in enumerate(network.trunk):
        assert isinstance(block, Residual)
        x = residual(graph, block, x, f"trunk{number}")
    x = graph.node("Add", layer(graph, network.up4, enlarged(x), "up4"), quarter)
    x = residual(graph, network.after, x, "after")
    x = layer(graph, network.up2, enlarged(x), "up2")
    x = graph.node("Sigmoid", layer(graph, network.out, x, "out"))
    # PyTorch's pixel_shuffle takes a block's place from the fast axis of the channels: CRD.
    graph.node("DepthToSpace", x, blocksize=2, mode="CRD", output="styled")
    shape: list[int | str] = [1, 3, "height", "width"]
    graph.write(path, shape, {"styled": shape})


def difference(network: StyleNet, path: Path, height: int = 72, width: int = 104) -> float:
    """Largest difference between onnxruntime's picture and PyTorch's float32 one, of smooth noise."""
    image = torch.rand(1, 3, height // 8, width // 8, generator=torch.Generator().manual_seed(0))
    image = nn.functional.interpolate(image, size=(height, width), mode="bilinear")
    session = ort.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    (found,) = session.run(["styled"], {"image": image.numpy().astype(np.float16)})
    with torch.no_grad():
        expected = network.eval()(image).numpy()
    return float(np.abs(np.asarray(found, np.float32) - expected).max())


def peak(network: StyleNet) -> float:
    """Largest magnitude of an inner value on white noise. onnxruntime's CPU kernels do not tell: they compute
    fp16 in float32.
    """
    values: list[float] = []
    hooks = [
        part.register_forward_hook(lambda *call: values.append(call[2].abs().max().item()))
        for part in network.modules()
        if isinstance(part, Layer | Residual | nn.Conv2d)
    ]
    with torch.no_grad():
        network.eval()(torch.rand(1, 3, 128, 128, generator=torch.Generator().manual_seed(0)))
    for hook in hooks:
        hook.remove()
    return max(values)


def description(style: str) -> str:
    """The .toml of a style."""
    return f"""\
title = "{STYLES[style].title}"
task = "image"
help = "{STYLES[style].help}"
licence = "MIT"
card = "docs/model-cards/style.md"

[preprocess]
colors = "RGB"
scale = "0..1"
mean = [0.0, 0.0, 0.0]
std = [1.0, 1.0, 1.0]

[input]
name = "image"
multiple = 8
working = {WORKING}

[output]
name = "styled"
scale = "0..1"
colors = "RGB"
"""


def load(path: Path) -> nn.Module:
    """The averaged network of a checkpoint, for inference on the CPU."""
    state = checkpoint.load(path, torch.device("cpu"))
    network = build(state["settings"]["network"], state["settings"]["norm"])
    network.load_state_dict(state["average"])
    return network.eval()


def export(style: str, runs: Path, out: Path) -> tuple[Path, float]:
    """Write one style; returns the file and its largest difference from PyTorch.

    Raises:
        ExportError: it is larger than 1.5 MB, fp16 changes the picture by more than 3/255, or its inner
            values come near the end of fp16's range; nothing is replaced.
        LightloomError: a weight does not fit into fp16.
    """
    network = load(runs / f"{style}_ours.pt")
    assert isinstance(network, StyleNet)
    path = out / f"style_{style}.onnx"
    new = path.with_suffix(".onnx.new")
    write(network, new)
    worst, size, highest = difference(network, new), new.stat().st_size, peak(network)
    if not worst <= TOLERANCE or size > LARGEST or not highest <= HIGHEST:
        new.unlink()
        raise ExportError(
            f"{path.name} has {size} bytes, differs from the trained network by {worst:.4f} and has inner values up to {highest:.0f}, "
            f"where {LARGEST}, {TOLERANCE:.4f} and {HIGHEST:.0f} are allowed; nothing was replaced, train it again."
        )
    new.replace(path)
    path.with_suffix(".toml").write_text(description(style), encoding="utf-8")
    return path, worst


def main(given: Sequence[str] | None = None) -> int:
    """Exit status 0, or 1 with one sentence."""
    assert __doc__
    parser = argparse.ArgumentParser(
        prog="python -m training.style.export", description=__doc__.splitlines()[0]
    )
    parser.add_argument("--style", choices=list(STYLES), help="by default all")
    parser.add_argument("--runs", type=Path, default=Path("out/training/style"))
    parser.add_argument("--out", type=Path, default=Path("assets/models"))
    options = parser.parse_args(given)
    try:
        for style in [options.style] if options.style else STYLES:
            path, worst = export(style, options.runs, options.out)
            print(f"{path}: {path.stat().st_size / 1e6:.2f} MB, at most {worst * 255:.2f}/255 from PyTorch")
    except LightloomError as error:
        print(f"training: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
