"""A video, or any other source: picture-in-picture, side by side, a background."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePath
from typing import Any, Final

from desktop.base.fields import Line, Number, Selection
from desktop.base.wording import sentence
from desktop.media.sources.base import Source
from desktop.media.sources.opening import open_source
from desktop.pipeline.layers.kind import LayerContent, LayerKind, LayerTools
from desktop.pipeline.layers.reading import NewestFrames, TimedFrames


def is_live(name: str) -> bool:
    """Return True for the name of a camera, a screen or an address, which is no file."""
    return "://" in name or name.partition(":")[0] in ("camera", "screen", "stream")


def is_file(name: str) -> bool:
    """Return True for the path of a file or folder."""
    return not is_live(name) and name.partition(":")[0] != "sample"


def _opened(values: Mapping[str, Any]) -> Source:
    return open_source(values["path"])


def _open(values: Mapping[str, Any], tools: LayerTools) -> LayerContent:
    if is_live(values["path"]):
        return NewestFrames(_opened(values), tools)
    return TimedFrames(lambda: _opened(values), tools, offset=values["offset"], at_end=values["at_end"])


KIND: Final = LayerKind(
    id="video",
    title=sentence("Video"),
    help=sentence("A video, a camera, an address or a folder of images."),
    order=10,
    fields=(
        Line(
            "path",
            "",
            label=sentence("Source"),
            help=sentence("A file or folder, 'sample:', 'camera:' and its name, or an address."),
            required=True,
        ),
        Number(
            "offset",
            0.0,
            -86400.0,
            86400.0,
            step=0.1,
            unit="s",
            has_slider=False,
            label=sentence("Offset"),
            help=sentence("Its time at the beginning of the main video; negative, it begins later."),
        ),
        Selection(
            "at_end",
            "hold",
            titles={
                "hold": sentence("Keep the last image"),
                "loop": sentence("Begin again"),
                "hide": sentence("Hide it"),
            },
            label=sentence("At its end"),
            help=sentence("What is done when the layer's video ends before the main one."),
        ),
    ),
    open=_open,
    name_of=lambda values: PurePath(values["path"]).name or values["path"],
    file="path",
)
