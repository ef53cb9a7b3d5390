"""Interface of the kinds of layers: what they declare, and what a layer shows from frame to frame."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any, Literal, Protocol

from desktop.base.discovery import registered
from desktop.base.errors import LightloomError, UsageError
from desktop.base.fields import Field, checked
from desktop.base.wording import Text, sentence
from desktop.pipeline.layers.texts import TextMoment

if TYPE_CHECKING:
    from desktop.media.frame import Frame
    from desktop.pipeline.layers.texts import PaintText

LayerState = Literal["opening", "running", "ended", "failed"]


@dataclass(frozen=True)
class LayerMoment:
    """State of the main frame for which a layer is drawn.

    Attributes:
        pts: its presentation time, in seconds.
        size: (width, height) of the image that layers are drawn on, in pixels.
        texts: what a text can tell.
    """

    pts: float
    size: tuple[int, int]
    texts: TextMoment = field(default_factory=TextMoment)


@dataclass(frozen=True)
class LayerTools:
    """Tools that the contents of layers are made with.

    Attributes:
        wait: batch work: a frame waits for those of its layers.
        wake: called on another thread when a layer has something new; must only wake the rendering thread.
        paint: paints texts; None where there is nothing that can.
    """

    wait: bool = False
    wake: Callable[[], None] = lambda: None
    paint: PaintText | None = None


class LayerContent(Protocol):
    """Content of a layer: a video, an image or a text. For the rendering thread."""

    @property
    def state(self) -> LayerState:
        """Its state."""

    @property
    def error(self) -> LightloomError | None:
        """Reason of a failure; None without one."""

    @property
    def anchor(self) -> float:
        """Share of its own width that is left of its place, where the place has no width."""

    @property
    def has_own_size(self) -> bool:
        """True if a place without width and height shows its pixels as they are, and does not fit it in."""

    @property
    def needs_results(self) -> bool:
        """True if it tells what the analysis network finds."""

    @property
    def damage(self) -> tuple[Text, ...]:
        """Sentences on what of its source could not be read so far, see `left_out`."""

    def is_stale(self, moment: LayerMoment) -> bool:
        """Return True if `frame` would return another frame now."""

    def frame(self, moment: LayerMoment) -> Frame | None:
        """Return what is due, the same object while that is unchanged; None for nothing.

        Blocks in batch work only. Raise LightloomError there if it cannot be had.
        """

    def close(self) -> None:
        """End its thread, and release its source."""


@dataclass(frozen=True)
class LayerKind:
    """A kind of layer: one file in layers/kinds, which defines it as KIND.

    Attributes:
        id: name in files and on the command line, that of its file.
        open: (checked values, tools) -> its content; quick, reads nothing yet.
        name_of: checked values -> a short name for lists; '' for the kind's title.
        file: name of the field with the path of its file; '' for none.
    """

    id: str
    title: Text
    help: Text
    order: int
    fields: tuple[Field, ...]
    open: Callable[[Mapping[str, Any], LayerTools], LayerContent] = field(compare=False)
    name_of: Callable[[Mapping[str, Any]], str] = field(compare=False)
    file: str = ""

    def check(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """Return all values, checked; raise LightloomError for an unknown name or an invalid value."""
        return checked(self.fields, values, of=self.id)


@cache
def layer_kinds() -> Mapping[str, LayerKind]:
    """Return all kinds by name, in the order of lists."""
    found: tuple[LayerKind, ...] = tuple(registered("desktop.pipeline.layers.kinds", "KIND"))
    return {each.id: each for each in sorted(found, key=lambda each: each.order)}


def layer_kind(name: str) -> LayerKind:
    """Return a kind; raise UsageError if there is none of that name."""
    found = layer_kinds().get(name)
    if found is None:
        raise UsageError(
            sentence(
                "There is no kind of layer called '{name}'; there are: {names}.",
                name=name[:40],
                names=", ".join(layer_kinds()),
            )
        )
    return found
