"""ISF files as filters: which are translated, what stops the others, and how far they are from OpenGL.

    python benchmarks/isf_table.py FOLDER [NAME...] [--json] [--size 160 90] [--frames 3]

Each file is translated, compiled and run on some frames with its inputs at their defaults. With `moderngl`
(not a dependency of Lightloom) OpenGL draws the same file; the table then has the greatest difference in
8-bit steps, and the share of pixels that differ by more than two.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

import desktop  # noqa: F401 - chooses what `import wgpu` gives

# isort: split

import wgpu
from isf_opengl import OpenGlError, draw, open_context

from desktop.base.errors import LightloomError
from desktop.compute.gpu.device import Gpu
from desktop.media.conversion import WORKING_FORMAT
from desktop.pipeline.filters.description import Filter
from desktop.pipeline.filters.frame_info import FrameInfo
from desktop.pipeline.filters.header import read_filter
from desktop.pipeline.filters.stage import FilterStage, StageIO, compile_filter

if TYPE_CHECKING:
    from moderngl import Context

_RATE = 30.0


@dataclass(frozen=True)
class Row:
    """Result for a file: a sentence if it is not translated, else the difference from OpenGL, if drawn."""

    name: str
    fault: str = ""
    steps: float | None = None
    share: float | None = None
    note: str = ""


def test_frames(size: tuple[int, int], count: int) -> list[np.ndarray]:
    """Return frames with gradients, edges and color, which move by three pixels each."""
    width, height = size
    y, x = np.mgrid[0:height, 0 : width + 3 * count].astype(np.float32)
    image = np.stack([x / width % 1, y / height, 0.5 + 0.5 * np.sin(x / 9 + y / 13), np.ones_like(x)], -1)
    image[height // 4 : height // 2, width // 5 : width // 2] = (0.9, 0.2, 0.1, 1.0)
    image[height // 2 : height * 4 // 5, width // 2 : width * 3 // 4] = (0.1, 0.6, 0.2, 1.0)
    image = np.round(image * 255) / 255
    return [image[:, 3 * index : 3 * index + width] for index in range(count)]


def run_filter(gpu: Gpu, spec: Filter, frames: Sequence[np.ndarray]) -> list[np.ndarray]:
    """Return a filter's results for consecutive frames, float [height, width, 4]."""
    height, width = frames[0].shape[:2]
    stage = FilterStage(compile_filter(gpu, spec, time.perf_counter), spec.defaults)
    usage = wgpu.TextureUsage.TEXTURE_BINDING | wgpu.TextureUsage.STORAGE_BINDING
    usage |= wgpu.TextureUsage.COPY_DST | wgpu.TextureUsage.COPY_SRC
    source, result = (
        gpu.device.create_texture(size=(width, height, 1), format=WORKING_FORMAT, usage=usage)
        for _ in range(2)
    )
    layout = {"bytes_per_row": width * 8, "rows_per_image": height}
    results = []
    for index, image in enumerate(frames):
        texels = image.astype(np.float16).tobytes()
        gpu.queue.write_texture({"texture": source}, texels, layout, (width, height, 1))
        stage.prepare(StageIO(source, source, result), (width, height), reset=index == 0)
        delta = 1 / _RATE if index else 0.0
        stage.update(FrameInfo((width, height), index / _RATE, delta, index, index == 0))
        encoder = gpu.device.create_command_encoder()
        stage.clear(encoder)
        compute_pass = encoder.begin_compute_pass()
        stage.encode(compute_pass)
        compute_pass.end()
        gpu.queue.submit([encoder.finish()])
        raw = gpu.queue.read_texture({"texture": result}, layout, (width, height, 1))
        results.append(np.frombuffer(raw, np.float16).reshape(height, width, 4).astype(np.float32))
    stage.close()
    source.destroy()
    result.destroy()
    return results


def try_file(gpu: Gpu, path: Path, frames: Sequence[np.ndarray], context: Context | None) -> Row:
    """Return the row of one file."""
    try:
        spec = read_filter(path)
        results = run_filter(gpu, spec, frames)
    except LightloomError as error:
        return Row(path.stem, str(error).replace(f"{path.parent}/", ""))
    if context is None:
        return Row(path.stem)
    try:
        reference = draw(context, path, frames, _RATE)
    except OpenGlError as error:
        return Row(path.stem, note=f"OpenGL: {error}")
    worst = 0.0
    apart = 0.0
    for ours, theirs in zip(results, reference, strict=True):
        if ours.shape != theirs.shape:
            return Row(path.stem, note=f"the last buffer has {theirs.shape[1]} x {theirs.shape[0]} pixels")
        apart_by = np.abs(np.clip(ours, 0, 1) - np.clip(np.nan_to_num(theirs), 0, 1)).max(-1) * 255
        worst = max(worst, float(np.nan_to_num(apart_by, nan=999).max()))
        apart = max(apart, float((apart_by > 2).mean()))
    return Row(path.stem, steps=worst, share=apart)


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("folder", type=Path)
    parser.add_argument("names", nargs="*", help="files without .fs; default: all")
    parser.add_argument("--size", type=int, nargs=2, default=(160, 90), metavar=("WIDTH", "HEIGHT"))
    parser.add_argument("--frames", type=int, default=3)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    paths = [options.folder / f"{name}.fs" for name in options.names] or sorted(options.folder.glob("*.fs"))
    try:
        context: Context | None = open_context()
    except ImportError:
        context = None
    frames = test_frames(options.size, options.frames)
    gpu = Gpu.open(os.environ.get("LIGHTLOOM_ADAPTER"))
    rows = []
    for path in paths:
        row = try_file(gpu, path, frames, context)
        rows.append(row)
        if not options.json:
            result = row.fault or row.note or "works"
            if row.steps is not None:
                result = f"works; {row.steps:.1f} steps, {row.share:.2%} of pixels apart"
            print(f"{row.name:32} {result}", flush=True)
    if options.json:
        print(json.dumps([asdict(row) for row in rows], indent=1))
    else:
        print(f"{sum(not row.fault for row in rows)} of {len(rows)} work")
    return 0


if __name__ == "__main__":
    sys.exit(main())
