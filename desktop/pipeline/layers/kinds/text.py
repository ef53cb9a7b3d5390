"""A text: a title, a time code, a counter."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from desktop.base.errors import LightloomError, UsageError
from desktop.base.fields import Line, Number, Selection
from desktop.base.wording import Text, sentence
from desktop.media.frame import RGBA, ColorInfo, Frame, Plane
from desktop.pipeline.filters.params.color import ColorParam
from desktop.pipeline.layers.kind import LayerKind, LayerMoment, LayerState, LayerTools
from desktop.pipeline.layers.texts import PaintedText, check_text, expanded, needs_results

_SRGB: Final = ColorInfo("rgb", "full", "srgb", "bt709", chroma_centered=True)
_ANCHORS: Final = {"left": 0.0, "center": 0.5, "right": 1.0}
_LARGEST_PIXELS: Final = 512.0


class TextContent:
    """Painted text, painted again when it changes."""

    has_own_size = True
    state: LayerState = "running"

    def __init__(self, values: Mapping[str, Any], tools: LayerTools) -> None:
        """Paint nothing yet; raise UsageError where texts cannot be painted."""
        if tools.paint is None:
            raise UsageError(
                sentence("The Python library cannot draw text layers; remove it, or use `lightloom process`.")
            )
        self._values, self._paint = values, tools.paint
        self.anchor = _ANCHORS[values["align"]]
        self.needs_results = needs_results(values["value"])
        self.error: LightloomError | None = None
        self._painted: tuple[PaintedText, Frame] | None = None

    def _current(self, moment: LayerMoment) -> PaintedText:
        values = self._values
        return PaintedText(
            expanded(values["value"], moment.texts),
            min(_LARGEST_PIXELS, max(1.0, values["size"] * moment.size[1])),
            values["color"],
            values["background"],
            values["outline"],
            values["align"],
            max(1, round((values["wrap"] or 1.0) * moment.size[0])),
        )

    @property
    def damage(self) -> tuple[Text, ...]:
        """See `LayerContent`."""
        return ()

    def is_stale(self, moment: LayerMoment) -> bool:
        """See `LayerContent`."""
        return self._painted is None or self._painted[0] != self._current(moment)

    def frame(self, moment: LayerMoment) -> Frame | None:
        """See `LayerContent`."""
        wanted = self._current(moment)
        if self._painted is None or self._painted[0] != wanted:
            self._painted = (wanted, _frame_of(self._paint(wanted)))
        return self._painted[1]

    def close(self) -> None:
        """See `LayerContent`."""


def _frame_of(image: np.ndarray) -> Frame:
    height, width = image.shape[:2]
    return Frame((Plane(np.ascontiguousarray(image), width * 4, width, height),), RGBA, width, height, _SRGB)


KIND: Final = LayerKind(
    id="text",
    title=sentence("Text"),
    help=sentence("A text, with variables such as {{timecode}} and {{count}}."),
    order=30,
    fields=(
        Line(
            "value",
            "{timecode}",
            label=sentence("Text"),
            help=sentence(
                "In braces: time, timecode, frame, file, date, clock, fps, count, count:CLASS, class, score, zone:NAME. "
                "\\n begins a new line."
            ),
            required=True,
            verify=check_text,
        ),
        Number(
            "size",
            0.05,
            0.005,
            0.5,
            step=0.005,
            unit="%",
            scale=100.0,
            label=sentence("Size"),
            help=sentence("Height of a line, as a share of the image's height."),
        ),
        Number(
            "wrap",
            0.0,
            0.0,
            1.0,
            step=0.01,
            unit="%",
            scale=100.0,
            label=sentence("Line width"),
            help=sentence("Longer lines are broken, as a share of the image's width; 0 is all of it."),
        ),
        Selection(
            "align",
            "left",
            titles={
                "left": sentence("Left"),
                "center": sentence("Centered"),
                "right": sentence("Right"),
            },
            label=sentence("Alignment"),
            help=sentence("Also says which edge of the text the position is of."),
        ),
        ColorParam("color", (1.0, 1.0, 1.0, 1.0), label=sentence("Color"), help=sentence("Of the letters.")),
        ColorParam(
            "background",
            (0.0, 0.0, 0.0, 0.0),
            label=sentence("Background"),
            help=sentence("Behind the text; transparent by default."),
        ),
        Number(
            "outline",
            0.06,
            0.0,
            0.3,
            step=0.01,
            unit="%",
            scale=100.0,
            label=sentence("Outline"),
            help=sentence("Width of the black line around the letters, as a share of their size."),
        ),
    ),
    open=TextContent,
    name_of=lambda values: values["value"],
)
