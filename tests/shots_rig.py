"""Textured shots as frames and as videos: cuts, fades, flashes, pans and shakes whose times are known."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from pathlib import Path

import av
import cv2
import numpy as np

from desktop.media.frame import RGBA, ColorInfo, Frame, Plane

SIZE = (320, 180)


def texture(seed: int, size: tuple[int, int] = (640, 360)) -> np.ndarray:
    """Return a still with detail at several scales: uint8 [height, width, 3], another one for each seed."""
    rng = np.random.default_rng(seed)
    base = rng.uniform(50, 190, 3)
    image = np.zeros((size[1], size[0], 3), np.float32) + base
    for cells, strength in ((6, 60.0), (24, 40.0), (90, 25.0)):
        noise = rng.normal(0.0, strength, (cells * 9 // 16, cells, 3)).astype(np.float32)
        image += cv2.resize(noise, size, interpolation=cv2.INTER_CUBIC)
    return np.clip(image, 0, 255).astype(np.uint8)


def view(
    still: np.ndarray, x: float, y: float, angle: float = 0.0, size: tuple[int, int] = SIZE
) -> np.ndarray:
    """Return what a camera sees whose center is `x`, `y` pixels off the still's, turned by `angle` degrees."""
    height, width = still.shape[:2]
    turned = cv2.getRotationMatrix2D((0.0, 0.0), angle, 1.0)
    center = np.array((width / 2 + x, height / 2 + y)) - turned[:, :2] @ (np.array(size) / 2)
    matrix = np.hstack((turned[:, :2], center[:, None]))
    return cv2.warpAffine(still, matrix, size, flags=cv2.INTER_CUBIC | cv2.WARP_INVERSE_MAP)


def frame_of(pixels: np.ndarray, pts: float) -> Frame:
    """Return uint8 [height, width, 3] R'G'B' as a frame."""
    height, width = pixels.shape[:2]
    opaque = np.dstack((pixels, np.full((height, width), 255, np.uint8)))
    plane = Plane(opaque.tobytes(), width * 4, width, height)
    return Frame((plane,), RGBA, width, height, ColorInfo("rgb", "full"), pts=pts)


def write_video(path: Path, images: Iterable[np.ndarray], rate: int = 25) -> Path:
    """Write images, uint8 [height, width, 3] R'G'B', nearly without loss; return the path."""
    with av.open(str(path), "w") as output:
        stream = None
        for image in images:
            if stream is None:
                stream = output.add_stream("libx264", rate=Fraction(rate), options={"crf": "6"})
                stream.width, stream.height, stream.pix_fmt = image.shape[1], image.shape[0], "yuv420p"
            for packet in stream.encode(av.VideoFrame.from_ndarray(image, format="rgb24")):
                output.mux(packet)
        assert stream is not None
        for packet in stream.encode(None):
            output.mux(packet)
    return path
