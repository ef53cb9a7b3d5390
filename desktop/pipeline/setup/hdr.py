"""Tell whether a setup leaves the values of HDR frames valid (docs/color.md)."""

from __future__ import annotations

from desktop.base.wording import Text, sentence
from desktop.pipeline.filters.library import FilterLibrary
from desktop.pipeline.setup.setup import Setup


def hdr_fault(setup: Setup, library: FilterLibrary) -> Text | None:
    """Return a sentence about the first part of a setup that assumes SDR; None if HDR can be kept."""
    for stage in setup.chain.stages:
        if not stage.enabled:
            continue
        if not library.get(stage.filter).hdr:
            return sentence(
                "The filter '{filter}' assumes SDR, so HDR cannot be kept with it; leave it out, or let "
                "HDR become SDR (--hdr tonemap).",
                filter=stage.filter,
            )
        if stage.blend != "normal":
            return sentence(
                "The blend mode '{blend}' of '{filter}' assumes SDR, so HDR cannot be kept with it; choose "
                "'normal', or let HDR become SDR (--hdr tonemap).",
                blend=stage.blend,
                filter=stage.filter,
            )
        for part in stage.mask.parts if stage.mask is not None else ():
            if not library.mask(part.kind).hdr:
                return sentence(
                    "The mask '{mask}' of '{filter}' assumes SDR, so HDR cannot be kept with it; choose a "
                    "shape, or let HDR become SDR (--hdr tonemap).",
                    mask=part.kind,
                    filter=stage.filter,
                )
    if setup.analysis is not None:
        return sentence(
            "Networks are trained on SDR, so HDR cannot be kept with one; switch it off, or let HDR "
            "become SDR (--hdr tonemap)."
        )
    if any(layer.enabled for layer in setup.layers.specs) or setup.layers.moves_main:
        return sentence(
            "Layers are SDR, so HDR cannot be kept with them or a moved main image; leave them out, or let HDR become SDR "
            "(--hdr tonemap)."
        )
    return None
