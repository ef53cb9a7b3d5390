"""Diffusion: how long parts take to load and a UNet's step takes, how many pictures a second are repainted,
and how right real weights are.

    python3 tasks.py bench diffusion                    pipelines of reduced width, the networks of the shared folder
    python3 tasks.py bench diffusion --full             SD 1.5 and BK-SDM-Tiny at full size with random weights in 16 bits

The folders are made by tests/diffusion_models.py, which needs torch, diffusers and transformers (the extra
`training`); without them that part is left out and said. --full exports up to 2 GB a shape into a temporary
folder. It needs no net: where a machine has none, diffusers is a wheel of 6 MB without compiled code, and
CLIP's vocabulary is not read. The time of all parts is that of the live stage, which loads text encoder,
encoder, UNet and decoder, the second time from the folder of prepared parts. Pictures are repainted in one
step by the shape that `--live` names, with an AutoencoderTiny (TAESD): the sample at 60 pictures a second,
through the engine, offscreen.

Times of one run compare with each other alone; each is the median of the rounds.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib.util
import os
import statistics
import sys
import tempfile
import threading
import time
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import desktop  # noqa: F401 - chooses what `import wgpu` gives

# isort: split

import wgpu

from desktop.bench.inference.own import on_device
from desktop.compute.gpu.device import Gpu
from desktop.compute.gpu.memory import free_memory_of
from desktop.compute.nn.compile.cache import SessionCache
from desktop.compute.nn.runtime.session import WgpuSession
from desktop.compute.nn.session import Precision
from desktop.media.sources.opening import open_source
from desktop.pipeline.chain.spec import chain_of
from desktop.pipeline.engine import Engine
from desktop.pipeline.filters.library import FilterLibrary
from desktop.pipeline.running.repaint.latent_network import load_latents
from desktop.pipeline.setup.setup import Setup
from desktop.vision.diffusion.denoiser import opened_denoiser
from desktop.vision.diffusion.part import Part, read_part
from desktop.vision.diffusion.running import Context
from desktop.vision.tasks.common.dense import DenseRequest

ROOT = Path(__file__).resolve().parent.parent


@dataclass(frozen=True)
class Run:
    """Conditions of a measurement: a side in latents, rounds, the folder of prepared parts."""

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


def unet_times(part: Part, width: int, run: Run) -> None:
    """Measure a UNet's step, without and with a negative prompt beside the prompt."""
    rng = np.random.default_rng(0)
    context = Context(gpu=run.gpu, backend="wgpu", cache=run.cache, precision=run.precision)
    for batch in (1, 2):
        shapes = (batch, 4, run.side, run.side), (batch, 77, width)
        sample, states = (rng.standard_normal(shape, np.float32) for shape in shapes)
        with opened_denoiser(part, context, *shapes) as denoiser:
            session = denoiser.session
            assert isinstance(session, WgpuSession)
            step = median_ms(partial(denoiser.predict, sample, 501, states), run.rounds)
            alone = statistics.median(each() for each in [on_device(run.gpu, session)] * run.rounds)
            print(
                f"  UNet, batch {batch}, {session.precision}: step {step:.2f} ms, of which on the device {alone:.2f} ms"
            )
        run.cache.wait()


def load_times(folder: Path, run: Run) -> None:
    """Load all parts as the live stage does, twice: the second time they are prepared."""
    side = run.side * 8
    took = []
    for _ in range(2):
        begin = time.perf_counter()
        network = load_latents(
            run.gpu,
            str(folder),
            (side, side),
            DenseRequest("repainted", side, guidance="none"),
            {"prompt": "a cat"},
        )
        took.append(time.perf_counter() - begin)
        network.close()
        for thread in threading.enumerate():  # what has been prepared is written beside
            if thread is not threading.current_thread() and not thread.daemon:
                thread.join()
    print(f"  all parts: load {took[0]:.2f} s, from the cache {took[1]:.2f} s")


def live(folder: Path, run: Run, adapter: str | None, seconds: float) -> None:
    """Repaint the sample with one step, on a device of its own, and count results."""
    side = run.side * 8
    library = FilterLibrary(None)
    engine = Engine(lambda: Gpu.open(adapter), library, load_network=None)
    values = {
        "model": str(folder),
        "prompt": "a cat",
        "steps": 1,
        "size": side,
        "similarity": 0.0,
        "guidance": 1.0,
    }
    engine.current.set_setup(Setup(chain_of(library, [("diffusion", values)])))
    source = open_source(f"sample:{side}x{side}@60")
    usage = wgpu.TextureUsage.RENDER_ATTACHMENT
    target = engine.gpu.device.create_texture(size=(side, side, 1), format="bgra8unorm", usage=usage)
    try:
        source.start()
        found = []
        end = time.perf_counter() + 300
        while time.perf_counter() < end:
            frame = None if engine.current.is_busy() else source.take(time.perf_counter())
            if frame is None:
                time.sleep(0.0003)
                continue
            engine.render(frame, target)
            (status,) = engine.pipeline.chain.statuses
            if status.state == "failed":
                raise SystemExit(str(status.message))
            if status.network is not None and status.network.fps > 0:
                if not found:
                    engine.current.reset_stats()
                    begin, end = time.perf_counter(), time.perf_counter() + seconds
                found.append(status.network)
        shown = engine.current.snapshot().stats.frames / (time.perf_counter() - begin)
        last = found[-1]
        print(
            f"  one step on the sample at {side} x {side}: {last.fps:.1f} results a second, {shown:.1f} pictures a second, "
            f"network {last.inference_ms or 0:.1f} ms; {last.description.where}"
        )
    finally:
        source.close()
        target.destroy()
        engine.close()


def pipelines(run: Run, options: argparse.Namespace) -> None:
    """Measure pipelines of a name, or say why not."""
    missing = [
        each for each in ("torch", "diffusers", "transformers") if importlib.util.find_spec(each) is None
    ]
    if missing:
        print(f"Pipelines are left out: {', '.join(missing)} is not installed")
        return
    import diffusion_models as models

    for name in (name for name in options.shapes.split(",") if name):
        with contextlib.ExitStack() as stack:
            made = options.keep or Path(stack.enter_context(tempfile.TemporaryDirectory()))
            folder, is_live = made / name, name == options.live
            if not folder.exists():
                models.export(folder, name, tiny=is_live, full=options.full, half=options.full)
            part = read_part(folder, "unet")
            assert part is not None
            print(f"{name}: {part.weights / 1e6:.0f} M weights in the UNet, at {run.side * 8} pixels")
            load_times(folder, run)
            shapes = models.FULL if options.full else models.SHAPES
            unet_times(part, shapes[name].text_width, run)
            if is_live:
                live(folder, run, options.adapter, options.seconds)


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
    precisions: tuple[Precision, ...] = ("fp32", "fp16") if run.gpu.has("shader-f16") else ("fp32",)
    for precision in precisions:
        session = networks.decoder_of(run.gpu, shared, side, precision)
        latent = {info.name: np.zeros(info.shape, np.float32) for info in session.inputs}
        whole = median_ms(partial(session.run, latent), run.rounds)
        alone = statistics.median(each() for each in [on_device(run.gpu, session)] * run.rounds)
        print(
            f"taef2 decoder at {side}, {precision}: host to host {whole:.2f} ms, on the device {alone:.2f} ms"
        )
        session.close()
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
    parser.add_argument("--shapes", default="sd15,bk_sdm_tiny")
    parser.add_argument("--live", default="bk_sdm_tiny", help="shape that repaints the sample; '' for none")
    parser.add_argument("--seconds", type=float, default=10.0, help="of repainting")
    parser.add_argument(
        "--keep", type=Path, help="folder where exports stay, and are taken from if they are there"
    )
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--precision", choices=("auto", "fp32", "fp16"), default="auto")
    parser.add_argument("--side", type=int, help="of samples, in latents (default: 64 with --full, else 16)")
    parser.add_argument("--pictures", type=int, default=24)
    parser.add_argument("--shared", type=Path, default=ROOT.parent / "shared")
    options = parser.parse_args()
    gpu = Gpu.open(options.adapter)
    print(f"{gpu.adapter}, {(free_memory_of(gpu.adapter) or 0) / (1 << 30):.1f} GiB free")
    with tempfile.TemporaryDirectory() as kept:
        os.environ["LIGHTLOOM_CACHE"] = kept  # the live stage's
        side = options.side or (64 if options.full else 16)
        run = Run(gpu, side, options.rounds, SessionCache(Path(kept), 64 << 30), options.precision)
        pipelines(run, options)
        real(run, options.shared, 512 if not gpu.adapter.is_software else 128, options.pictures)
    gpu.close()


if __name__ == "__main__":
    main()
