"""Writes tests/data/isf/reference.npz: what OpenGL draws with the files beside it.

    python tests/isf_reference.py

Needs `moderngl` and a driver of OpenGL; the tests need neither. Array NAME is [frame, height, width, 4], in
steps of 1/255, of the frames of `moving_frames`.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

import numpy as np

FOLDER: Final = Path(__file__).resolve().parent / "data" / "isf"
RATE: Final = 30.0
SIZE: Final = (96, 60)
FRAMES: Final = 3


def moving_frames() -> list[np.ndarray]:
    """Return float32 frames [height, width, 4] with gradients and soft edges, which move by two pixels each."""
    width, height = SIZE
    y, x = np.mgrid[0:height, 0 : width + 2 * FRAMES].astype(np.float32)
    channels = [x / (width + 2 * FRAMES), y / height, 0.5 + 0.5 * np.sin(x / 7 + y / 11), np.ones_like(x)]
    image = np.round(np.stack(channels, -1) * 255) / 255
    return [image[:, 2 * index : 2 * index + width] for index in range(FRAMES)]


def main() -> None:
    """Draw all files and store the results."""
    sys.path.insert(0, str(FOLDER.parents[2]))
    from isf_opengl import draw, open_context

    context = open_context()
    drawn = {
        path.stem: np.stack(draw(context, path, moving_frames(), RATE))
        for path in sorted(FOLDER.glob("*.fs"))
    }
    steps = {name: np.round(np.clip(frames, 0, 1) * 255).astype(np.uint8) for name, frames in drawn.items()}
    np.savez_compressed(FOLDER / "reference.npz", **steps)


if __name__ == "__main__":
    main()
