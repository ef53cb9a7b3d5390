"""Layers as values: what is drawn over and under the main image, and where (docs/layers.md)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final, Literal, get_args

from desktop.base.errors import UsageError
from desktop.base.fields import Field, Flag, Number, Selection, with_value
from desktop.base.wording import sentence
from desktop.pipeline.chain.spec import ChainSpec
from desktop.pipeline.masks.blending import BLEND

Fit = Literal["contain", "cover", "stretch"]

FITS: Final[tuple[Fit, ...]] = get_args(Fit)
MOST_LAYERS: Final = 8


@dataclass(frozen=True)
class LayerPlace:
    """A rectangle of the image, in shares of its width and height from the upper left corner.

    Attributes:
        width, height: 0 is as the proportions ask for, of both: as large as it is (a text), or as fits in.
        fit: in a rectangle of other proportions, all of it is shown ('contain'), it is cut off ('cover'), or it
            is stretched.
    """

    x: float = 0.0
    y: float = 0.0
    width: float = 0.0
    height: float = 0.0
    fit: Fit = "contain"


@dataclass(frozen=True)
class LayerSpec:
    """A layer.

    Attributes:
        id: unique among the layers; it stays with the layer when it moves.
        kind: name of a file in layers/kinds.
        values: its checked values.
        opacity: share of it, 0 to 1.
        blend: a key of `BLEND_MODES`.
        below: it is under the main image, visible where that is transparent or does not reach.
        chain: filters that it alone goes through.
    """

    id: int
    kind: str
    values: Mapping[str, Any] = field(default_factory=dict)
    place: LayerPlace = field(default_factory=LayerPlace)
    opacity: float = 1.0
    blend: str = "normal"
    below: bool = False
    enabled: bool = True
    chain: ChainSpec = field(default_factory=ChainSpec)


@dataclass(frozen=True)
class Layers:
    """All layers, the lowest first, and the place of the main image. Immutable: methods return new ones."""

    specs: tuple[LayerSpec, ...] = ()
    main: LayerPlace = field(default_factory=LayerPlace)

    @property
    def in_use(self) -> tuple[LayerSpec, ...]:
        """The layers that are switched on."""
        return tuple(spec for spec in self.specs if spec.enabled)

    @property
    def moves_main(self) -> bool:
        """True if the main image does not fill the frame."""
        return self.main != LayerPlace()

    def find(self, layer_id: int) -> LayerSpec:
        """Return a layer; raise KeyError if there is none of that id."""
        for spec in self.specs:
            if spec.id == layer_id:
                return spec
        raise KeyError(layer_id)

    def added(self, spec: LayerSpec) -> Layers:
        """Put a layer on top, with an id of its own; raise UsageError if there are too many."""
        if len(self.specs) >= MOST_LAYERS:
            raise UsageError(sentence("There are at most {most} layers; remove one first.", most=MOST_LAYERS))
        number = max((each.id for each in self.specs), default=0) + 1
        return replace(self, specs=(*self.specs, replace(spec, id=number)))

    def removed(self, layer_id: int) -> Layers:
        """Take a layer out."""
        return replace(self, specs=tuple(spec for spec in self.specs if spec.id != layer_id))

    def moved(self, layer_id: int, to: int) -> Layers:
        """Put a layer at position `to`, 0 being the lowest."""
        rest = [spec for spec in self.specs if spec.id != layer_id]
        rest.insert(max(0, min(to, len(rest))), self.find(layer_id))
        return replace(self, specs=tuple(rest))

    def changed(self, layer_id: int, **values: Any) -> Layers:
        """Replace some attributes of a layer."""
        return replace(self, specs=tuple(replace(s, **values) if s.id == layer_id else s for s in self.specs))


def _share(name: str, low: float, high: float, label: str, text: str) -> Number:
    return Number(name, 0.0, low, high, step=0.005, unit="%", scale=100.0, label=label, help=text)


_PLACE: Final[tuple[Field, ...]] = (
    _share("x", -2.0, 2.0, sentence("Left"), sentence("Left edge, as a share of the image's width.")),
    _share("y", -2.0, 2.0, sentence("Top"), sentence("Upper edge, as a share of the image's height.")),
    _share(
        "width",
        0.0,
        4.0,
        sentence("Width"),
        sentence("As a share of the image's width; 0 keeps the proportions."),
    ),
    _share(
        "height",
        0.0,
        4.0,
        sentence("Height"),
        sentence("As a share of the image's height; 0 keeps the proportions."),
    ),
    Selection(
        "fit",
        LayerPlace.fit,
        titles={
            "contain": sentence("Show all of it"),
            "cover": sentence("Fill, and cut off"),
            "stretch": sentence("Stretch"),
        },
        label=sentence("Fit"),
        help=sentence("What is done where width and height have other proportions than the layer."),
    ),
)
PLACE_FIELDS: Final[Mapping[str, Field]] = {each.name: each for each in _PLACE}
"""The fields of a `LayerPlace`."""

_MIXED: Final[tuple[Field, ...]] = (
    Number(
        "opacity",
        LayerSpec.opacity,
        0.0,
        1.0,
        step=0.01,
        unit="%",
        scale=100.0,
        label=sentence("Opacity"),
        help=sentence("Share of the layer; the rest is what lies under it."),
    ),
    replace(BLEND, help=sentence("How the layer is combined with what lies under it.")),
    Flag(
        "below",
        LayerSpec.below,
        label=sentence("Under the main image"),
        help=sentence("It is visible where the main image is transparent, or does not reach."),
    ),
)
MIXED_FIELDS: Final[Mapping[str, Field]] = {each.name: each for each in _MIXED}
"""Opacity, blend mode and order of a layer."""


def with_place_value(place: LayerPlace, name: str, value: Any) -> LayerPlace:
    """Return a place with another value; raise UsageError if it is invalid."""
    return with_value(place, PLACE_FIELDS, name, value, of=sentence("a place"))


def with_mixed_value(spec: LayerSpec, name: str, value: Any) -> LayerSpec:
    """Return a layer with another opacity, blend mode or order; raise UsageError if it is invalid."""
    return with_value(spec, MIXED_FIELDS, name, value, of=sentence("a layer"))
