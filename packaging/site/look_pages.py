"""The page of the bundled looks, each with its filters and with an image of the sample before and after it."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from typing import Final

import numpy as np
from filter_pages import LEAST_CHANGE, PictureError, jpeg

import lightloom
from desktop.pipeline.filters.library import FilterLibrary
from desktop.pipeline.setup.known import Look, looks

_SOURCE: Final = "sample:960x540@30"
_FRAMES: Final = 12
"""A look with a filter that keeps textures from frame to frame is shown after so many."""


def page(folder: Path) -> str:
    """Write an image for each bundled look into `folder`, and return the page.

    Raises:
        PictureError: the image after a look is the image before it.
        lightloom.LightloomError: a look cannot be applied.
    """
    folder.mkdir(parents=True)
    library = FilterLibrary()
    frames = list(islice(lightloom.open(_SOURCE), _FRAMES))
    (folder / "before.jpg").write_bytes(jpeg(frames[-1].array[..., :3]))
    lines = [
        "# Looks",
        "",
        "A look is a saved chain of filters. These come with the program: in the window *Effects > Looks*, on the command line "
        "`--look NAME`, in Python `lightloom.Chain.load(NAME)`. `lightloom looks` lists them with your own. The first image is the "
        f"built-in sample (`{_SOURCE}`) without a look.",
        "",
        "![before](looks/before.jpg){ width=49% }",
    ]
    with lightloom.Gpu() as gpu:
        for look in looks():
            if look.is_bundled:
                lines += _section(look, library, frames, folder, gpu)
    return "\n".join(lines) + "\n"


def _section(
    look: Look, library: FilterLibrary, frames: list[lightloom.Frame], folder: Path, gpu: lightloom.Gpu
) -> list[str]:
    with lightloom.Chain.load(look.path, gpu=gpu) as chain:
        names = [name for name, _ in chain.stages]
        has_state = any(texture.persistent for name in names for texture in library.get(name).textures)
        for frame in frames if has_state else frames[-1:]:
            after = chain(frame)
    before = frames[-1].array[..., :3]
    if after.shape == before.shape and np.abs(after.astype(float) - before).mean() < LEAST_CHANGE:
        raise PictureError(
            f"The look '{look.name}' changes nothing that could be seen; give its filters other values."
        )
    (folder / f"{look.name}.jpg").write_bytes(jpeg(after))
    linked = ", ".join(f"[{library.get(name).title}](filters.md#{name})" for name in names)
    return [
        "",
        f"## {look.title} {{ #{look.name} }}",
        "",
        f"`{look.name}`: {look.purpose} Filters: {linked}.",
        "",
        f"![{look.title}](looks/{look.name}.jpg){{ width=49% }}",
    ]
