"""The page of the filters, from their headers, each with an image of the sample before and after it."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

import lightloom
from desktop.media.encoded_still import encoded_still
from desktop.pipeline.filters.description import Filter
from desktop.pipeline.filters.library import FilterLibrary
from desktop.pipeline.filters.param import Param

_SOURCE: Final = "sample:480x270@30"
_FRAMES: Final = 12
"""A filter that keeps textures from frame to frame is shown after so many."""

_SHOWN_WITH: Final[Mapping[str, Mapping[str, Any]]] = {
    "brightness_contrast": {"brightness": 0.1, "contrast": 1.5},
    "crop": {"left": 0.2, "right": 0.2},
    "exposure": {"stops": 1.0},
    "lut": {"table": "warm.cube"},
    "levels": {"in_black": 0.2, "in_white": 0.8},
    "saturation": {"saturation": 2.0},
    "tone_curve": {"shadows": 0.15, "lights": 0.85},
    "white_balance": {"temperature": 4000.0},
}
"""Values for filters whose defaults leave the picture as it is."""

_TRANSPARENT: Final = frozenset({"cut_out"})
"""Filters that change transparency alone, which a picture of the page has not."""

_CUBE: Final = "LUT_1D_SIZE 3\n0 0 0.1\n0.6 0.5 0.4\n1 0.95 0.8\n"
"""Text of warm.cube: red rises and blue falls in the middle tones."""

LEAST_CHANGE: Final = 0.3
"""The mean difference of values (of 255) from which a picture counts as changed; rounding alone gives 0.03.
"""


class PictureError(Exception):
    """A picture does not show the filter; the text says what to change."""


def page(folder: Path) -> str:
    """Write a picture for each filter into `folder`, and return the page.

    Raises:
        PictureError: the picture after a filter is the picture before it.
        lightloom.LightloomError: a filter cannot be applied.
    """
    folder.mkdir(parents=True)
    (folder / "warm.cube").write_text(_CUBE, encoding="ascii")
    frames = list(islice(lightloom.open(_SOURCE), _FRAMES))
    filters = sorted(FilterLibrary().filters.values(), key=lambda each: (each.group, each.title))
    lines = [
        "# Filters",
        "",
        "`--filter NAME:key=value,...` applies a filter on the command line, `lightloom.Chain` in Python. The images are the "
        f"built-in sample (`{_SOURCE}`) before and after the filter. [Write a filter](../filters.md) describes the format.",
    ]
    with lightloom.Gpu() as gpu:
        for group in dict.fromkeys(each.group for each in filters):
            lines += ["", f"## {group}"]
            for each in filters:
                if each.group == group:
                    lines += _section(each, frames, folder, gpu)
    return "\n".join(lines) + "\n"


def _section(each: Filter, frames: list[lightloom.Frame], folder: Path, gpu: lightloom.Gpu) -> list[str]:
    lines = ["", f"### {each.title} {{ #{each.id} }}", "", f"`{each.id}`: {each.help}", ""]
    missing = [param.name for param in each.params if param.type == "model" and not param.default]
    if missing:
        lines += ["No image: the filter needs a network of yours, which `model` names."]
    elif each.inputs:
        lines += [f"No image: the filter reads more than the image ({', '.join(each.inputs)})."]
    elif each.id in _TRANSPARENT:
        lines += ["No image: the filter changes transparency alone."]
    else:
        values = _SHOWN_WITH.get(each.id, {})
        seen = frames if any(texture.persistent for texture in each.textures) else frames[:1]
        before = _before(seen[-1], folder)
        after = _rendered(each, {name: _given(value, folder) for name, value in values.items()}, seen, gpu)
        picture = seen[-1].array[..., :3]
        if after.shape == picture.shape and np.abs(after.astype(float) - picture).mean() < LEAST_CHANGE:
            raise PictureError(
                f"The filter '{each.id}' changes nothing that could be seen; give it values in _SHOWN_WITH of {Path(__file__).name}."
            )
        (folder / f"{each.id}.jpg").write_bytes(jpeg(after))
        text = ", ".join(f"{name}={value}" for name, value in values.items())
        lines += [
            f"![before](filters/{before}){{ width=49% }} ![after: {each.title}](filters/{each.id}.jpg){{ width=49% }}",
            "",
        ]
        lines += [f"Shown with `{each.id}:{text.replace(', ', ',')}`.", ""] if values else []
    if each.params:
        lines += ["", "| parameter | type | default | values | meaning |", "| --- | --- | --- | --- | --- |"]
        lines += [_row(param) for param in each.params]
    return lines


def _given(value: Any, folder: Path) -> Any:
    return str(folder / value) if isinstance(value, str) and (folder / value).is_file() else value


def _before(frame: lightloom.Frame, folder: Path) -> str:
    name = f"before-{round(frame.time * 1000)}.jpg"
    if not (folder / name).exists():
        (folder / name).write_bytes(jpeg(frame.array[..., :3]))
    return name


def _rendered(
    each: Filter, values: Mapping[str, Any], frames: list[lightloom.Frame], gpu: lightloom.Gpu
) -> NDArray[np.uint8]:
    with lightloom.Chain([(each.id, values)], gpu=gpu) as chain:
        for frame in frames:
            picture = chain(frame)
    return picture


def jpeg(picture: NDArray[np.uint8]) -> bytes:
    """Encode an image, uint8 [height, width, 3] R'G'B', as JPEG."""
    return encoded_still(picture, "mjpeg", "yuvj420p", {"qmin": "3", "qmax": "3"}, given="rgb24")


def _row(param: Param) -> str:
    number = param.type in ("float", "int")
    default = (
        " / ".join(f"{v:g}" for v in param.default) if isinstance(param.default, tuple) else param.default
    )
    if isinstance(default, bool):
        default = str(default).lower()
    values = ", ".join(param.choices) or (
        f"{param.min:g} to {param.max:g} {param.unit}".rstrip() if number else ""
    )
    shown = f"`{default:g}`" if isinstance(default, float) else f"`{default}`" if default != "" else ""
    return f"| `{param.name}` | {param.type} | {shown} | {values} | {param.help} |"
