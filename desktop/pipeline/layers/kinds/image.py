"""An image: a logo, a background, a frame around the video."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePath
from typing import Any, Final

from desktop.base.fields import Line
from desktop.base.files import home_expanded
from desktop.base.wording import sentence
from desktop.media.sources.image import ImageSource
from desktop.pipeline.layers.kind import LayerContent, LayerKind, LayerTools
from desktop.pipeline.layers.reading import TimedFrames


def _open(values: Mapping[str, Any], tools: LayerTools) -> LayerContent:
    return TimedFrames(lambda: ImageSource(home_expanded(values["path"])), tools)


KIND: Final = LayerKind(
    id="image",
    title=sentence("Image"),
    help=sentence("An image, with its transparency."),
    order=20,
    fields=(
        Line(
            "path",
            "",
            label=sentence("File"),
            help=sentence("PNG, JPEG, WebP, AVIF, TIFF or BMP."),
            required=True,
        ),
    ),
    open=_open,
    name_of=lambda values: PurePath(values["path"]).name,
    file="path",
)
