"""Diffusion: how long parts take to load and a UNet's step takes, and how right real weights are.

    python3 tasks.py bench diffusion                    pipelines of reduced width, the networks of the shared folder
    python3 tasks.py bench diffusion --full             SD 1.5, BK-SDM-Tiny and SD-Turbo at full size with random weights, against torch

The folders are made by tests/diffusion_models.py, which needs torch, diffusers and transformers (the extra `training`); without them
that part is left out and said. --full exports up to 3.5 GB a shape into a temporary folder. It needs no net: where a machine has none,
diffusers is a wheel of 6 MB without compiled code, and CLIP's vocabulary is not read.

Times of one run compare with each other alone; each is the median of the rounds.
"""

from __future__ import annotations

import argparse
import importlib.util
import statistics
import sys
import tempfile
import time
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from desktop.compute.diffusion.denoiser import denoiser_shapes, opened_denoiser
from desktop.compute.diffusion.part import Part, read_part
from desktop.compute.diffusion.running import Context
from desktop.compute.gpu.device import Gpu
from desktop.compute.gpu.memory import free_memory_of
from desktop.compute.nn.compile.cache import SessionCache
from desktop.compute.nn.session import Precision

ROOT = Path(__file__).resolve().parent.parent


@dataclass(frozen=True)
class Run:
    """What is measured on: a side in latents, rounds, the folder of prepared parts."""

    gpu: Gpu
    side: int
    rounds: int
    cache: SessionCache
    precision: Precision


def median_ms(run: Any, rounds: int) -> float:
    """Median time of calls, after two that don't count."""
    times = []
    for _ in range(rounds + 2):
        begin = time.perf_counter()
        run()
        times.append(time.perf_counter() - begin)
    return 1e3 * statistics.median(times[2:])


def unet_times(name: str, part: Part, module: Any, width: int, run: Run) -> None:
    """Load a UNet twice, measure its step, and compare it with torch."""
    rng = np.random.default_rng(0)
    context = Context(gpu=run.gpu, backend="wgpu", cache=run.cache, precision=run.precision)
    for batch in (1, 2):
        sample_shape, states_shape = (batch, 4, run.side, run.side), (batch, 77, width)
        sample = rng.standard_normal(sample_shape, np.float32)
        states = rng.standard_normal(states_shape, np.float32)
        loads = []
        for _ in range(2):
            begin = time.perf_counter()
            with opened_denoiser(part, context, sample_shape, states_shape) as denoiser:
                loads.append(time.perf_counter() - begin)
                output = denoiser.predict(sample, 501, states)
                step = median_ms(partial(denoiser.predict, sample, 501, states), run.rounds)
                precision = denoiser.session.precision
            run.cache.wait()
        difference = compared(module, sample, states, output)
        print(
            f"{name:12} batch {batch} {precision}: load {loads[0]:.2f} s, from the cache {loads[1]:.2f} s, step {step:.2f} ms, {difference}"
        )


def compared(module: Any, sample: np.ndarray, states: np.ndarray, output: np.ndarray) -> str:
    """How far an output is from torch's in float32 on the CPU."""
    import torch

    with torch.no_grad():
        wanted = module(torch.from_numpy(sample), 501, torch.from_numpy(states)).sample.numpy()
    return f"{np.abs(output - wanted).max() / np.abs(wanted).max():.1e} of the largest value from torch"


def full_unet(name: str) -> tuple[Any, Any]:
    """A UNet at full size with random weights, and the shape that it is exported as."""
    import diffusion_models as models

    widths = (320, 640, 1280, 1280)
    shapes: dict[str, tuple[models.Shape, dict[str, Any]]] = {
        "sd15": (models.Shape(widths=widths, layers=2, heads=8, text_width=768), {}),
        "sd_turbo": (
            models.Shape(widths=widths, layers=2, heads=(5, 10, 20, 20), text_width=1024, linear=True),
            {},
        ),
        "bk_sdm_tiny": (models.Shape(widths=widths[:3], layers=1, heads=8, text_width=768, mid=False), {}),
    }
    shape, overrides = shapes[name]
    return models.unet_of(shape, **overrides), shape


def export_unet(name: str, folder: Path, *, full: bool) -> tuple[Part, Any, int]:
    """Export a UNet; return its part, its module and the width of its text."""
    import diffusion_models as models
    import torch

    torch.manual_seed(7)
    module, shape = full_unet(name) if full else (models.unet_of(models.SHAPES[name]), models.SHAPES[name])
    models.export_unet(folder / name, shape, module)
    part = read_part(folder / name, "unet")
    assert part is not None
    return part, module, shape.text_width


def pipelines(run: Run, names: list[str], *, full: bool) -> None:
    """Measure the UNets of pipelines, or say why not."""
    missing = [
        each for each in ("torch", "diffusers", "transformers") if importlib.util.find_spec(each) is None
    ]
    if missing:
        print(f"UNets are left out: {', '.join(missing)} is not installed")
        return
    for name in names:
        with tempfile.TemporaryDirectory() as folder:
            part, module, width = export_unet(name, Path(folder), full=full)
            shapes = denoiser_shapes(part, (2, 4, run.side, run.side), (2, 77, width))
            print(f"{name:12} {part.weights / 1e6:.0f} M weights, sample {shapes['sample']}")
            unet_times(name, part, module, width, run)


def real(run: Run, shared: Path, side: int, pictures: int) -> None:
    """Encode and decode photographs by taef2, and sample by the DDPM, on wgpu and on ONNX Runtime."""
    if not (shared / "manifest.json").exists():
        print("Networks of real weights are left out: no shared folder")
        return
    import diffusion_real as networks

    sessions = networks.sessions(run.gpu, shared, side)
    found: dict[str, list[float]] = {name: [] for name in sessions}
    for picture in networks.photographs(shared, pictures, side):
        for name, (encoder, decoder) in sessions.items():
            error = networks.autoencoded(encoder, decoder, picture).astype(float) - picture
            found[name].append(float(10 * np.log10(255**2 / np.mean(error**2))))
    ours, theirs = found["wgpu"], found["onnxruntime"]
    worst = max(abs(a - b) for a, b in zip(ours, theirs, strict=True))
    print(
        f"taef2 at {side}: {len(ours)} photographs, PSNR {np.mean(ours):.3f} dB, from onnxruntime's by at most {worst:.4f} dB"
    )
    decoder = sessions["wgpu"][1]
    latent = {info.name: np.zeros(info.shape, np.float32) for info in decoder.inputs}
    print(
        f"taef2 decoder at {side}, host to host: {median_ms(lambda: decoder.run(latent), run.rounds):.2f} ms"
    )
    sampled = networks.digits(run.gpu, shared / "models/diffusion/andrew_ddpm_unet.onnx", networks.TRAINED)
    scale = np.abs(sampled["onnxruntime"]).max()
    worst = np.abs(sampled["wgpu"] - sampled["onnxruntime"]).max() / scale
    print(f"DDPM of 28 x 28, {networks.TRAINED} steps: {worst:.1e} of the largest value from onnxruntime")


def main() -> None:
    """Measure."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--adapter")
    parser.add_argument("--full", action="store_true", help="full size; for a GPU")
    parser.add_argument("--shapes", default="sd15,bk_sdm_tiny,sd_turbo")
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--precision", choices=("auto", "fp32", "fp16"), default="auto")
    parser.add_argument("--side", type=int, help="of samples, in latents (default: 64 with --full, else 16)")
    parser.add_argument("--pictures", type=int, default=24)
    parser.add_argument("--shared", type=Path, default=ROOT.parent / "shared")
    options = parser.parse_args()
    gpu = Gpu.open(options.adapter)
    print(f"{gpu.adapter}, {(free_memory_of(gpu.adapter) or 0) / (1 << 30):.1f} GiB free")
    with tempfile.TemporaryDirectory() as kept:
        side = options.side or (64 if options.full else 16)
        run = Run(gpu, side, options.rounds, SessionCache(Path(kept), 64 << 30), options.precision)
        pipelines(run, [name for name in options.shapes.split(",") if name], full=options.full)
        real(run, options.shared, 512 if not gpu.adapter.is_software else 128, options.pictures)
    gpu.close()


if __name__ == "__main__":
    main()
