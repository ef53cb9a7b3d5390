"""Write the trained denoiser as a network of the app.

    python -m training.diffusion.export [--out out/training/diffusion]

Reads <runs>/denoiser.pt and writes denoiser.onnx (fp16 weights, opset 17, height and width free; inputs and
output as docs/live-diffusion.md says) and denoiser.toml (keys: docs/models.md, "Built-in networks"), after
comparing onnxruntime's picture with PyTorch's.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np
import onnxruntime as ort
import torch
from onnx import numpy_helper
from torch import Tensor, nn

from desktop.base.errors import ExportError, LightloomError
from training.common import checkpoint
from training.common.onnx_write import GraphWriter
from training.diffusion.model import MULTIPLE, Denoiser, Residual, noised, sketched

LARGEST: Final = 8_000_000
TOLERANCE: Final = 6 / 255
"""Of the range 0..1: fp16 at values of up to 5, as noise has, is right to 1/400."""
DESCRIPTION: Final = f"""\
title = "Denoiser"
task = "diffusion"
help = "Repaints the picture out of noise, guided by a coarse sketch of its colors."
licence = "MIT"
card = "docs/live-diffusion.md"

[preprocess]
colors = "RGB"
scale = "-1..1"
mean = [0.0, 0.0, 0.0]
std = [1.0, 1.0, 1.0]

[input]
name = "noised"
multiple = {MULTIPLE}
working = 384

[output]
name = "picture"
"""


class _Writer(GraphWriter):
    """The layers of the denoiser."""

    def layer(self, x: str, conv: nn.Module, name: str, offset: str = "", relu: bool = True) -> str:
        assert isinstance(conv, nn.Conv2d)
        x = self.convolution(x, conv, name)
        x = self.node("Add", x, offset) if offset else x
        return self.node("Relu", x) if relu else x

    def residuals(self, x: str, blocks: nn.Module, name: str) -> str:
        found = [part for part in blocks.modules() if isinstance(part, Residual)]
        for number, block in enumerate(found):
            inner = self.layer(x, block.first, f"{name}.{number}.first")
            x = self.node("Add", x, self.layer(inner, block.second, f"{name}.{number}.second", relu=False))
        return x

    def enlarged(self, x: str) -> str:
        how = {"mode": "nearest", "coordinate_transformation_mode": "asymmetric", "nearest_mode": "floor"}
        return self.node("Resize", x, "", "twice", **how)

    def predicted(self, network: Denoiser) -> str:
        offsets = self.layer("level", network.level_in, "level_in")
        at4, at8, at16 = (
            self.layer(offsets, getattr(network, name), name, relu=False)
            for name in ("level4", "level8", "level16")
        )
        half = self.layer(self.node("Concat", "noised", "sketch", axis=1), network.down2, "down2")
        quarter = self.residuals(self.layer(half, network.down4, "down4", at4), network.before4, "before4")
        eighth = self.residuals(self.layer(quarter, network.down8, "down8", at8), network.before8, "before8")
        x = self.residuals(self.layer(eighth, network.down16, "down16", at16), network.trunk, "trunk")
        for part, skip in (("8", eighth), ("4", quarter)):
            x = self.layer(self.enlarged(x), getattr(network, f"up{part}"), f"up{part}", skip, relu=False)
            x = self.residuals(x, getattr(network, f"after{part}"), f"after{part}")
        x = self.layer(self.enlarged(x), network.up2, "up2", half)
        # PyTorch's pixel_shuffle takes a block's place from the fast axis of the channels: CRD.
        return self.node(
            "DepthToSpace", self.layer(x, network.out, "out", relu=False), blocksize=2, mode="CRD"
        )


def write(network: Denoiser, path: Path) -> None:
    """Write a network: "noised" and "sketch", 1 x 3 x height x width, and "level", 1 x 1 x 1 x 1, to
    "picture"; all fp16.
    """
    graph = _Writer(path.stem)
    # Not by `constant`, which stores fp16: Resize takes float32 scales.
    graph.constants.append(numpy_helper.from_array(np.array([1, 1, 2, 2], np.float32), "twice"))
    found = graph.predicted(network)
    one = graph.constant(np.ones(1, np.float32), "one")
    kept = graph.node("Sub", one, "level")
    for _ in range(3):  # the eighth power
        kept = graph.node("Mul", kept, kept)
    new = graph.node("Mul", found, graph.node("Sub", one, kept))
    graph.node("Add", graph.node("Mul", "noised", kept), new, output="picture")
    shape: list[int | str] = [1, 3, "height", "width"]
    graph.write(path, {"noised": shape, "sketch": shape, "level": [1, 1, 1, 1]}, {"picture": shape})


def difference(network: Denoiser, path: Path, height: int = 64, width: int = 96) -> float:
    """Largest difference, in 0..1, between onnxruntime's picture and PyTorch's float32 one, of a noised
    smooth picture.
    """
    generator = torch.Generator().manual_seed(0)
    small = torch.rand(1, 3, height // 8, width // 8, generator=generator) * 2 - 1
    picture = nn.functional.interpolate(small, size=(height, width), mode="bilinear")
    session = ort.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    worst = 0.0
    for share in (0.1, 0.6, 1.0):
        level = torch.full((1, 1, 1, 1), share)
        noise = torch.randn(picture.shape, generator=generator)
        given = {"noised": noised(picture, noise, level), "sketch": sketched(picture), "level": level}
        with torch.no_grad():
            expected = network(*given.values()).numpy()
        (found,) = session.run(["picture"], {name: _half(value) for name, value in given.items()})
        worst = max(worst, float(np.abs(np.asarray(found, np.float32) - expected).max()) / 2)
    return worst


def _half(value: Tensor) -> np.ndarray:
    return np.asarray(value.numpy(), np.float16)


def load(path: Path) -> Denoiser:
    """The averaged network of a checkpoint, for inference on the CPU."""
    state = checkpoint.load(path, torch.device("cpu"))
    network = Denoiser(tuple(state["settings"]["widths"]))
    network.load_state_dict(state["average"])
    return network.eval()


def export(runs: Path, out: Path) -> tuple[Path, float]:
    """Write the denoiser; returns the file and its largest difference from PyTorch.

    Raises:
        ExportError: it is larger than 8 MB or fp16 changes the picture by more than 6/255; nothing is
            replaced.
        LightloomError: a weight does not fit into fp16.
    """
    network = load(runs / "denoiser.pt")
    path = out / "denoiser.onnx"
    new = path.with_suffix(".onnx.new")
    write(network, new)
    worst, size = difference(network, new), new.stat().st_size
    if not worst <= TOLERANCE or size > LARGEST:
        new.unlink()
        raise ExportError(
            f"{path.name} has {size} bytes and differs from the trained network by {worst:.4f}, where {LARGEST} and {TOLERANCE:.4f} "
            "are allowed; nothing was replaced, train it again."
        )
    new.replace(path)
    path.with_suffix(".toml").write_text(DESCRIPTION, encoding="utf-8")
    return path, worst


def main(given: Sequence[str] | None = None) -> int:
    """Exit status 0, or 1 with one sentence."""
    assert __doc__
    parser = argparse.ArgumentParser(
        prog="python -m training.diffusion.export", description=__doc__.splitlines()[0]
    )
    parser.add_argument("--runs", type=Path, default=Path("out/training/diffusion"))
    parser.add_argument("--out", type=Path, default=Path("out/training/diffusion"))
    options = parser.parse_args(given)
    try:
        path, worst = export(options.runs, options.out)
        print(f"{path}: {path.stat().st_size / 1e6:.2f} MB, at most {worst * 255:.2f}/255 from PyTorch")
    except LightloomError as error:
        print(f"training: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
