"""Decoders of key points: files that define DECODER are discovered and matched with networks."""

from __future__ import annotations

from functools import cache

from desktop.base.discovery import modules_of
from desktop.base.plugins import provided
from desktop.vision.models.facts import ModelFacts
from desktop.vision.models.findings import Evidence
from desktop.vision.tasks.key_points.decoder import KeyPointDecoder


@cache
def all_decoders() -> tuple[KeyPointDecoder, ...]:
    """Return the decoders, those of plug-ins too, in the order of their `order`."""
    found: list[KeyPointDecoder] = [module.DECODER for module in modules_of(__name__)]
    found += [decoder for decoder in provided("decoders") if isinstance(decoder, KeyPointDecoder)]
    return tuple(sorted(found, key=lambda decoder: (decoder.order, decoder.id)))


def decoder_named(name: str) -> KeyPointDecoder | None:
    """Return a decoder by its id."""
    return next((decoder for decoder in all_decoders() if decoder.id == name), None)


def find_decoder(facts: ModelFacts) -> tuple[KeyPointDecoder, Evidence] | None:
    """Return the decoder with the strongest evidence, of equals that of least `order`, or None."""
    asked = [(decoder, decoder.recognize(facts)) for decoder in all_decoders()]
    found = [(decoder, evidence) for decoder, evidence in asked if evidence is not None]
    return min(found, key=lambda each: each[1].value, default=None)
