"""Keep people in color in a gray image: python examples/person_in_color.py IMAGE OUT.npy

The mask is found by the network that comes with Lightloom; the filter acts where the mask is not.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import lightloom


def person_in_color(
    image: NDArray[np.uint8] | str | Path, model: str | Path = "person_mask"
) -> NDArray[np.uint8]:
    """Return an image that is gray where no person is; `model` is a network that gives a mask."""
    person = lightloom.MaskPart("person", {"model": model})
    gray = lightloom.Stage("black_and_white", mask=person, inverted=True, feather=0.5)
    with lightloom.Chain([gray]) as chain:
        return chain(image)


def main(arguments: Sequence[str]) -> int:
    """Filter a file; return the exit status."""
    if len(arguments) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    try:
        np.save(arguments[1], person_in_color(arguments[0]))
    except lightloom.LightloomError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
