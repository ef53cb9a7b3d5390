"""Run a shader of your own on an array: python examples/custom_shader.py IMAGE OUT.npy [LEVEL]

The shader is the file threshold.wgsl beside this one: a comment of TOML declares its parameters, and `main`
returns a pixel. The same file works in the window, in presets and on the command line (docs/filters.md). Your
own file needs no trial, so it is trusted here.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import lightloom

SHADER = Path(__file__).with_name("threshold.wgsl")


def threshold(image: NDArray[np.uint8] | str | Path, level: float) -> NDArray[np.uint8]:
    """Return an image that is white where the given one is brighter than a level in 0..1, else black."""
    with lightloom.Chain([(SHADER, {"level": level})], trust_shaders=True) as chain:
        return chain(image)


def main(arguments: Sequence[str]) -> int:
    """Filter a file; return the exit status."""
    if len(arguments) not in (2, 3):
        print(__doc__, file=sys.stderr)
        return 2
    try:
        np.save(arguments[1], threshold(arguments[0], float(arguments[2]) if len(arguments) > 2 else 0.5))
    except lightloom.LightloomError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
