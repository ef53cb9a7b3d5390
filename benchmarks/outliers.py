"""The networks that waited longest beside a CUDA graph, dispatch by dispatch: what computes them, how far
from the GPU's limits.

    python benchmarks/outliers.py [NAME|MODEL.onnx...] [--precision fp16] [--small] [--runs 5] [--json]

Without arguments: a video classifier with 3-D convolutions (R3D of 18 layers), ConvNeXt-T, ViT-B/16 and one
level of Stable Diffusion's UNet, made here by their published shapes with random weights (needs torch);
`--small` shrinks them for a software adapter. For each kernel: time, dispatches, arithmetic and bytes, each
as a rate, by GPU timestamps where the adapter has them; then the nodes that take longest. `lightloom model
tune` tries the other kernels that are valid for each shape.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import numpy as np

from desktop.bench.inference.candidate import DEVICE
from desktop.bench.inference.own import own_candidates
from desktop.bench.inference.run import random_feeds
from desktop.compute.gpu.device import Gpu
from desktop.compute.nn.measure.profile import NodeProfile, Profile, profile_session
from desktop.compute.nn.runtime.session import WgpuSession

_LONGEST: Final = 8


# -- the networks --------------------------------------------------------------------------------------------


def _residual(body: Any, shortcut: Any, after: Any) -> Any:
    from torch import nn

    class Residual(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.body, self.shortcut, self.after = body, shortcut, after

        def forward(self, x: Any) -> Any:
            return self.after(self.body(x) + self.shortcut(x))

    return Residual()


def video(small: bool) -> tuple[Any, tuple[int, ...]]:
    """Tran et al., "A closer look at spatiotemporal convolutions for action recognition", CVPR 2018: R3D of
    18 layers.
    """
    from torch import nn

    def conv(inputs: int, outputs: int, stride: int = 1, kernel: int = 3) -> list[Any]:
        layer = nn.Conv3d(inputs, outputs, kernel, stride, kernel // 2, bias=False)
        return [layer, nn.BatchNorm3d(outputs)]

    def block(inputs: int, outputs: int, stride: int) -> Any:
        body = nn.Sequential(*conv(inputs, outputs, stride), nn.ReLU(), *conv(outputs, outputs))
        plain = inputs == outputs and stride == 1
        shortcut = nn.Identity() if plain else nn.Sequential(*conv(inputs, outputs, stride, 1))
        return _residual(body, shortcut, nn.ReLU())

    width, frames, size = (16, 4, 32) if small else (64, 8, 112)
    stem = nn.Conv3d(3, width, (3, 7, 7), (1, 2, 2), (1, 3, 3), bias=False)
    layers = [stem, nn.BatchNorm3d(width), nn.ReLU()]
    for stage in range(4):
        outputs = width << stage
        layers += [block(max(outputs // 2, width), outputs, 1 + (stage > 0)), block(outputs, outputs, 1)]
    layers += [nn.AdaptiveAvgPool3d(1), nn.Flatten(), nn.Linear(width * 8, 400)]
    return nn.Sequential(*layers), (1, 3, frames, size, size)


def convnext(small: bool) -> tuple[Any, tuple[int, ...]]:
    """Liu et al., "A ConvNet for the 2020s", CVPR 2022: the tiny one, channels last inside each block."""
    import torch
    from torch import nn

    class Last(nn.Module):
        """A module on channels-last tensors, and back."""

        def __init__(self, *inner: Any) -> None:
            super().__init__()
            self.inner = nn.Sequential(*inner)

        def forward(self, x: Any) -> Any:
            return self.inner(x.permute(0, 2, 3, 1)).permute(0, 3, 1, 2)

    class Block(nn.Module):
        def __init__(self, n: int) -> None:
            super().__init__()
            self.depthwise = nn.Conv2d(n, n, 7, padding=3, groups=n)
            self.mix = Last(nn.LayerNorm(n), nn.Linear(n, 4 * n), nn.GELU(), nn.Linear(4 * n, n))
            self.gamma = nn.Parameter(torch.full((n, 1, 1), 0.5))

        def forward(self, x: Any) -> Any:
            return x + self.gamma * self.mix(self.depthwise(x))

    width, depths, size = (8, (1, 1, 2, 1), 64) if small else (96, (3, 3, 9, 3), 224)
    layers: list[Any] = [nn.Conv2d(3, width, 4, 4), Last(nn.LayerNorm(width))]
    for stage, depth in enumerate(depths):
        n = width << stage
        if stage:
            layers += [Last(nn.LayerNorm(n // 2)), nn.Conv2d(n // 2, n, 2, 2)]
        layers += [Block(n) for _ in range(depth)]
    layers += [nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(width * 8, 1000)]
    return nn.Sequential(*layers), (1, 3, size, size)


def _attention(width: int, heads: int) -> Any:
    from torch import nn
    from torch.nn.functional import scaled_dot_product_attention

    class Attention(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.read = nn.ModuleList(nn.Linear(width, width) for _ in range(3))
            self.write = nn.Linear(width, width)

        def forward(self, x: Any) -> Any:
            batch, tokens, _ = x.shape
            shape = (batch, tokens, heads, width // heads)
            q, k, v = (read(x).reshape(shape).transpose(1, 2) for read in self.read)
            return self.write(scaled_dot_product_attention(q, k, v).transpose(1, 2).reshape(x.shape))

    return Attention()


def vit(small: bool) -> tuple[Any, tuple[int, ...]]:
    """Dosovitskiy et al., "An image is worth 16x16 words", ICLR 2021: the base one, its tokens averaged."""
    import torch
    from torch import nn

    width, depth, heads, size = (32, 2, 2, 64) if small else (768, 12, 12, 224)

    def part(*inner: Any) -> Any:
        return _residual(nn.Sequential(nn.LayerNorm(width), *inner), nn.Identity(), nn.Identity())

    class Vit(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.patches = nn.Conv2d(3, width, 16, 16)
            self.places = nn.Parameter(torch.randn(1, (size // 16) ** 2, width))
            wide = (nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width))
            layers = [(part(_attention(width, heads)), part(*wide)) for _ in range(depth)]
            self.layers = nn.Sequential(*(each for layer in layers for each in layer))

        def forward(self, x: Any) -> Any:
            return self.layers(self.patches(x).flatten(2).transpose(1, 2) + self.places).mean(1)

    return Vit(), (1, 3, size, size)


def unet_level(small: bool) -> tuple[Any, tuple[int, ...]]:
    """Rombach et al., "High-resolution image synthesis with latent diffusion models", CVPR 2022: two blocks
    of the outermost level.
    """
    from torch import nn
    from torch.nn.functional import gelu

    width, heads, size = (32, 2, 16) if small else (320, 8, 64)

    class Gated(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.read, self.write = nn.Linear(width, 8 * width), nn.Linear(4 * width, width)

        def forward(self, x: Any) -> Any:
            value, gate = self.read(x).chunk(2, -1)
            return self.write(value * gelu(gate))

    class Tokens(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            inner = (_attention(width, heads), _attention(width, heads), Gated())
            self.layers = nn.Sequential(
                *(
                    _residual(nn.Sequential(nn.LayerNorm(width), each), nn.Identity(), nn.Identity())
                    for each in inner
                )
            )

        def forward(self, x: Any) -> Any:
            return self.layers(x.flatten(2).transpose(1, 2)).transpose(1, 2).reshape(x.shape)

    def conv(kernel: int) -> Any:
        return nn.Conv2d(width, width, kernel, padding=kernel // 2)

    def block() -> list[Any]:
        halves = [[nn.GroupNorm(32 if width % 32 == 0 else 8, width), nn.SiLU(), conv(3)] for _ in range(2)]
        mixing = nn.Sequential(nn.GroupNorm(32, width, eps=1e-6), conv(1), Tokens(), conv(1))
        plain = nn.Identity
        body = nn.Sequential(*halves[0], *halves[1])
        return [_residual(body, plain(), plain()), _residual(mixing, plain(), plain())]

    return nn.Sequential(nn.Conv2d(4, width, 3, padding=1), *block(), *block()), (1, 4, size, size)


NETWORKS: Final[dict[str, Callable[[bool], tuple[Any, tuple[int, ...]]]]] = {
    each.__name__: each for each in (video, convnext, vit, unet_level)
}


def exported(name: str, folder: Path, small: bool) -> Path:
    """The network as ONNX (opset 17, float32) in `folder`."""
    import torch

    torch.manual_seed(0)
    network, shape = NETWORKS[name](small)
    path = folder / f"{name}.onnx"
    with warnings.catch_warnings(), torch.no_grad():
        warnings.simplefilter("ignore")
        torch.onnx.export(
            network.eval(),
            (torch.zeros(shape),),
            str(path),
            opset_version=17,
            input_names=["x"],
            dynamo=False,
        )
    return path


# -- what they wait for --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Kernel:
    """All dispatches of one kernel; times in ms."""

    name: str
    ms: float
    dispatches: int
    flops: int
    bytes: int


def kernels_of(profile: Profile) -> list[Kernel]:
    """By the kernels of a node, the longest first."""
    found: dict[str, list[NodeProfile]] = {}
    for node in profile.nodes:
        found.setdefault(" + ".join(node.kernels), []).append(node)
    rows = [
        Kernel(
            name,
            sum(n.ms for n in nodes),
            sum(n.dispatches for n in nodes),
            sum(n.flops for n in nodes),
            sum(n.bytes for n in nodes),
        )
        for name, nodes in found.items()
    ]
    return sorted(rows, key=lambda row: -row.ms)


def measure(gpu: Gpu, path: Path, precision: str, runs: int) -> tuple[float, Profile]:
    """Device time of an inference in ms, and its profile; random inputs."""
    feeds = random_feeds(path, None)
    session = WgpuSession.load(gpu, path, precision="fp16" if precision == "fp16" else "fp32")
    session.run(feeds)
    profile = profile_session(session, runs)
    session.close()
    ms = 0.0
    for candidate in own_candidates(gpu, path, feeds):
        if (candidate.precision, candidate.mode) == (precision, DEVICE):
            candidate.sample()
            ms = float(np.median([candidate.sample() for _ in range(runs)]))
        candidate.close()
    return ms, profile


def show(name: str, ms: float, profile: Profile) -> None:
    """Print both tables."""
    count = sum(node.dispatches for node in profile.nodes)
    print(
        f"\n{name}: {ms:.3f} ms on the device, {count} dispatches ({profile.ms:.3f} ms one by one, {profile.clock})"
    )
    print(f"{'ms':>10} {'dispatches':>10} {'GFLOP':>9} {'TFLOP/s':>8} {'MB':>9} {'GB/s':>8}  kernel")
    for row in kernels_of(profile):
        seconds = max(row.ms, 1e-9) / 1e3
        print(
            f"{row.ms:10.3f} {row.dispatches:10} {row.flops / 1e9:9.2f} {row.flops / seconds / 1e12:8.2f} "
            f"{row.bytes / 1e6:9.1f} {row.bytes / seconds / 1e9:8.1f}  {row.name}"
        )
    for node in sorted(profile.nodes, key=lambda node: -node.ms)[:_LONGEST]:
        print(
            f"{node.ms:10.3f} {node.flop_rate / 1e12:39.2f} TFLOP/s  {node.node[:60]} ({', '.join(node.kernels)})"
        )


def main() -> int:
    """Print the tables of each network."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("networks", nargs="*", metavar="NAME|MODEL.onnx")
    parser.add_argument("--precision", choices=("fp16", "fp32"))
    parser.add_argument(
        "--small", action="store_true", help="networks that a software adapter runs in seconds"
    )
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    gpu = Gpu.open()
    precision = options.precision or ("fp16" if gpu.has("shader-f16") else "fp32")
    found: dict[str, object] = {}
    with tempfile.TemporaryDirectory() as folder:
        for name in options.networks or NETWORKS:
            path = exported(name, Path(folder), options.small) if name in NETWORKS else Path(name)
            ms, profile = measure(gpu, path, precision, options.runs)
            found[name] = {"ms": ms, **profile.to_dict()}
            if not options.json:
                show(name, ms, profile)
    if options.json:
        print(json.dumps({"adapter": str(gpu.adapter), "precision": precision, "networks": found}, indent=1))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
