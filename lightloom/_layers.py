"""Layers of chains: videos and images over and under the result."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import KW_ONLY, dataclass, replace
from typing import Literal

from desktop.base.errors import UsageError
from desktop.pipeline.chain.spec import ChainSpec
from desktop.pipeline.filters.library import FilterLibrary
from desktop.pipeline.layers.kind import layer_kind
from desktop.pipeline.layers.spec import (
    MIXED_FIELDS,
    PLACE_FIELDS,
    LayerPlace,
    Layers,
    LayerSpec,
    with_mixed_value,
    with_place_value,
)
from lightloom._stages import AnyStage, with_stage


@dataclass(frozen=True)
class Layer:
    """Video or image over the result of a chain, or under it.

        Layer("logo.png", x=0.82, y=0.04, width=0.15)

    Attributes:
        path: of a video, an image or a folder of images; 'sample:' and addresses as for `open`.
        x, y: upper left corner in shares of the result's width and height.
        width, height: in the same shares; 0 keeps the proportions, both 0 is as large as fits in.
        fit: in a rectangle of other proportions: 'contain', 'cover' or 'stretch'.
        opacity: share of the layer, 0 to 1.
        blend: as of a `Stage`.
        below: under the result, visible where that is transparent.
        offset: its time at time 0 of the images, in seconds.
        at_end: of a video that is shorter: 'hold' its last image, 'loop' or 'hide' it.
        stages: filters of its own, as of a `Chain`.
    """

    path: str | os.PathLike[str]
    _: KW_ONLY
    x: float = 0.0
    y: float = 0.0
    width: float = 0.0
    height: float = 0.0
    fit: Literal["contain", "cover", "stretch"] = "contain"
    opacity: float = 1.0
    blend: str = "normal"
    below: bool = False
    offset: float = 0.0
    at_end: Literal["hold", "loop", "hide"] = "hold"
    stages: Iterable[AnyStage] = ()


def layers_of(given: Iterable[Layer], library: FilterLibrary) -> Layers:
    """Return layers as the program has them; raise UsageError or FilterError for an invalid value."""
    layers = Layers()
    for each in given:
        if not isinstance(each, Layer):
            raise UsageError(f"A layer is a lightloom.Layer, not {each!r:.80}.")
        values = {"path": os.fspath(each.path), "offset": float(each.offset), "at_end": each.at_end}
        place = LayerPlace()
        for name in PLACE_FIELDS:
            place = with_place_value(place, name, getattr(each, name))
        spec = LayerSpec(0, "video", layer_kind("video").check(values), place)
        for name in MIXED_FIELDS:
            spec = with_mixed_value(spec, name, getattr(each, name))
        chain = ChainSpec()
        for stage in each.stages:
            chain = with_stage(chain, stage, library)
        layers = layers.added(replace(spec, chain=chain))
    return layers
