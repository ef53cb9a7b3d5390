"""A moving scene as an interlaced camera takes it."""

from __future__ import annotations

from fractions import Fraction

import av
import numpy as np


def scene(size, moment, shape):
    """What a camera sees at a moment: slopes, stripes and noise that stands still, and a bar and a disk that
    move. Float 0..1.
    """
    width, height = size
    y, x = np.mgrid[0 : shape[0], 0 : shape[1]].astype(np.float64)
    x, y = x * width / shape[1], y * height / shape[0]
    picture = 0.3 + 0.2 * np.sin(x / 5.0) * np.cos(y / 7.0) + 0.1 * np.random.default_rng(1).random(shape)
    picture[(x - 8.0 - 6.0 * moment) ** 2 + (y - height / 2) ** 2 < (height / 4) ** 2] = 0.9
    picture[np.abs(x - 10.0 - y * 0.5 - 9.0 * moment) < 2.5] = 0.1
    return picture


def woven_picture(name, size, index, top_first):
    """An interlaced picture of a moving scene, as PyAV's."""
    picture = av.VideoFrame(*size, name)
    for number, plane in enumerate(picture.planes):
        wide = plane.line_size // (2 if name.endswith("le") else 1)
        shape = (plane.height, plane.width * (2 if name == "nv12" and number else 1))
        fields = [scene(size, index + 0.5 * late + 0.3 * number, shape) for late in (0, 1)]
        rows = np.zeros((plane.height, wide))
        rows[0::2, : shape[1]] = fields[0 if top_first else 1][0::2]
        rows[1::2, : shape[1]] = fields[1 if top_first else 0][1::2]
        codes = (16 + rows * 219).round()
        kind = np.dtype("<u2") if name.endswith("le") else np.uint8
        plane.update((codes * (4 if kind != np.uint8 else 1)).astype(kind).tobytes())
    picture.pts, picture.time_base = index, Fraction(1, 25)
    return picture


def write_interlaced(path, *, top_first=True, frames=14):
    """A file of MPEG-2 that is marked as interlaced, of 96 x 64 pixels."""
    with av.open(str(path), "w") as container:
        stream = container.add_stream(
            "mpeg2video", 25, options={"flags": "+ildct+ilme", "qmin": "1", "qmax": "2"}
        )
        stream.width, stream.height, stream.pix_fmt = 96, 64, "yuv420p"
        for index in range(frames):
            container.mux(stream.encode(woven_picture("yuv420p", (96, 64), index, top_first)))
        container.mux(stream.encode())
