"""Networks of real weights from the shared folder, on wgpu and on ONNX Runtime: for tests, and for
benchmarks/diffusion.py.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np

from desktop.compute.gpu.device import Gpu
from desktop.compute.nn.runtime.session import WgpuSession
from desktop.compute.nn.session import Precision, Session
from desktop.vision.backends.onnxruntime import OnnxRuntimeSession
from desktop.vision.diffusion.pictures import fitted, from_coder, to_coder
from desktop.vision.diffusion.schedule import ScheduleSettings
from desktop.vision.diffusion.schedulers import scheduler_named
from desktop.vision.diffusion.trajectory import advance

LATENT_CHANNELS, FACTOR = 32, 8
TRAINED = 100
"""Rows of its table of timesteps."""


def photographs(shared: Path, count: int, side: int) -> Iterator[np.ndarray]:
    """Photographs of the shared folder, uint8 [side, side, 3] R'G'B'."""
    found = sorted(
        path for path in (shared / "images").rglob("*") if path.suffix.lower() in (".jpg", ".jpeg")
    )
    given = 0
    for path in found:
        picture = cv2.imread(str(path))
        if picture is not None and min(picture.shape[:2]) >= 64 and given < count:
            given += 1
            yield fitted(np.ascontiguousarray(picture[..., ::-1]), side, side)


def sessions(gpu: Gpu, shared: Path, side: int) -> dict[str, tuple[Session, Session]]:
    """Encoder and decoder of taef2 on both backends, in float32."""
    encoder, decoder = (shared / f"models/diffusion/taef2_{name}.onnx" for name in ("encoder", "decoder"))
    shapes = {"image": (1, 3, side, side)}, {"latent": (1, LATENT_CHANNELS, side // FACTOR, side // FACTOR)}
    return {
        "wgpu": (
            WgpuSession.load(gpu, encoder, input_shapes=shapes[0]),
            decoder_of(gpu, shared, side, "auto"),
        ),
        "onnxruntime": (
            OnnxRuntimeSession.load(encoder, input_shapes=shapes[0]),
            OnnxRuntimeSession.load(decoder, input_shapes=shapes[1]),
        ),
    }


def decoder_of(gpu: Gpu, shared: Path, side: int, precision: Precision) -> WgpuSession:
    """taef2's decoder on wgpu."""
    path = shared / "models/diffusion/taef2_decoder.onnx"
    latent = (1, LATENT_CHANNELS, side // FACTOR, side // FACTOR)
    return WgpuSession.load(gpu, path, precision=precision, input_shapes={"latent": latent})


def autoencoded(encoder: Session, decoder: Session, pixels: np.ndarray) -> np.ndarray:
    """A picture to latents and back; TAESD's own modules take and give 0..1."""
    latents = encoder.run({"image": to_coder(pixels, signed=False)})["latent"]
    return from_coder(decoder.run({"latent": latents})["image"], signed=False)


def digits(gpu: Gpu, network: Path, steps: int) -> dict[str, np.ndarray]:
    """A sampling run of the DDPM of 28 x 28 pixels, from one noise, on both backends: float32 [8, 1, 28, 28].

    No digits come: the network gives -0.09 with a deviation of 0.004 for noise at every timestep, as one that
    was never trained.
    """
    scheduler = scheduler_named("ddim")
    assert scheduler is not None
    trajectory = scheduler.plan(ScheduleSettings(train_steps=TRAINED, beta_end=0.02), steps, 1.0)
    first = np.random.default_rng(0).standard_normal((8, 1, 28, 28), np.float32)
    found = {}
    running: dict[str, Session] = {
        "wgpu": WgpuSession.load(gpu, network),
        "onnxruntime": OnnxRuntimeSession.load(network),
    }
    for name, session in running.items():
        sample: np.ndarray = first
        past: tuple[np.ndarray, ...] = ()
        for step in trajectory.steps:
            timesteps = np.full((8, 1), int(step.timestep), np.int64)
            output = session.run({"input": sample, "input.1": timesteps})["output"]
            sample, past = advance(step, sample, output, past, lambda: first)
        found[name] = sample
        session.close()
    return found
