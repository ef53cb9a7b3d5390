"""Filter a NumPy array on the GPU: python examples/filter_chain.py IMAGE OUT.npy

Filters have names and parameters (`lightloom filters` lists them); an array goes in, an array comes out.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import lightloom


def filtered(image: NDArray[np.uint8] | str | Path) -> NDArray[np.uint8]:
    """Return an image after the chain."""
    with lightloom.Chain([("gaussian_blur", {"radius": 2.0}), ("posterize", {"levels": 6})]) as chain:
        return chain(image)


def main(arguments: Sequence[str]) -> int:
    """Filter a file; return the exit status."""
    if len(arguments) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    try:
        np.save(arguments[1], filtered(arguments[0]))
    except lightloom.LightloomError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
