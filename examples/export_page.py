"""Export a chain of filters as a web page: python examples/export_page.py FOLDER [PRESET]

The page runs the same shaders in a browser, on WebGPU, on a camera, a video or an image; nothing is sent
anywhere. To look at it: python3 -m http.server --bind 127.0.0.1 --directory FOLDER
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import lightloom


def export(folder: Path, preset: str = "") -> dict[str, int]:
    """Write the page; return the bytes of each of its files."""
    made = lightloom.Chain.load(preset) if preset else lightloom.Chain([("duotone", {}), "vignette"])
    with made as chain:
        return chain.export_page(folder, title=preset or "Duotone")


def main(arguments: Sequence[str]) -> int:
    """Write the page and list its files; return the exit status."""
    if len(arguments) not in (1, 2):
        print(__doc__, file=sys.stderr)
        return 2
    try:
        sizes = export(Path(arguments[0]), *arguments[1:])
    except lightloom.LightloomError as error:
        print(error, file=sys.stderr)
        return 1
    for name, size in sizes.items():
        print(f"{size:9,}  {name}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
