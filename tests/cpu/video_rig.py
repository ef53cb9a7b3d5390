"""Small clips made with PyAV's own encoders, whose every frame can be told from the others by its gray."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import av
import numpy as np

BASE = Fraction(1, 600)


def gray_of(index: int) -> int:
    """Return the luma code of frame `index`: 32 values apart by 6."""
    return 22 + index % 32 * 6


def number_of(frame) -> int:
    """Return the number (modulo 32) of a frame of a clip made here, from the mean of its first plane."""
    plane = frame.planes[0]
    rows = np.frombuffer(memoryview(plane.data), np.uint8)[: plane.stride * plane.height].reshape(
        plane.height, plane.stride
    )
    width = plane.width * len(frame.format.planes[0].components) * frame.format.planes[0].bytes_per_component
    values = rows[:, :width]
    if frame.format.planes[0].bytes_per_component == 2:
        values = np.ascontiguousarray(values).view("<u2") / 2 ** (frame.format.bits - 8)
    if not frame.format.is_yuv and len(frame.format.planes[0].components) == 4:
        values = values.reshape(plane.height, plane.width, 4)[..., 1]
    return round((float(values.mean()) - 22) / 6)


def picture(index: int, width: int, height: int, pix_fmt: str):
    """Return an `av.VideoFrame` of one gray."""
    gray = av.VideoFrame(width, height, "gray" if pix_fmt.startswith(("rgb", "bgr", "gray")) else "yuv420p")
    for i, plane in enumerate(gray.planes):
        plane.update(bytes([gray_of(index) if i == 0 else 128]) * plane.buffer_size)
    return gray if gray.format.name == pix_fmt else gray.reformat(format=pix_fmt)


def write_clip(
    path: Path,
    *,
    codec: str = "libx264",
    pix_fmt: str = "yuv420p",
    size: tuple[int, int] = (32, 32),
    stamps: list[Fraction] | None = None,
    count: int = 20,
    rate: int = 25,
    options: dict[str, str] | None = None,
    setup=None,
    container_options: dict[str, str] | None = None,
    format_name: str | None = None,
    base: Fraction = BASE,
) -> list[float]:
    """Write a clip and return the presentation times, from 0.0 on, that a reader should find."""
    stamps = stamps or [Fraction(i, rate) for i in range(count)]
    with av.open(str(path), "w", format=format_name, options=container_options or {}) as container:
        stream = container.add_stream(codec, rate=rate, options=options or {})
        stream.width, stream.height, stream.pix_fmt = *size, pix_fmt
        stream.time_base = base
        stream.codec_context.time_base = base
        if setup is not None:
            setup(stream)
        for index, stamp in enumerate(stamps):
            frame = picture(index, *size, pix_fmt)
            frame.pts, frame.time_base = round(stamp / base), base
            container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
    return [float(stamp - stamps[0]) for stamp in stamps]


class Clock:
    """A clock that a test turns by hand."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now
