"""Families of detectors: files that define DECODER or DECODERS are discovered and matched with networks."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from types import ModuleType

from desktop.base.discovery import modules_of
from desktop.base.plugins import provided
from desktop.vision.models.facts import ModelFacts
from desktop.vision.models.findings import Match
from desktop.vision.tasks.detection.decoder import Decoder


@cache
def all_decoders() -> tuple[Decoder, ...]:
    """Return the decoders, those of plug-ins too, by id."""
    own = [decoder for module in modules_of(__name__) for decoder in _decoders_of(module)]
    added = [decoder for decoder in provided("decoders") if isinstance(decoder, Decoder)]
    return tuple(sorted((*own, *added), key=lambda decoder: decoder.id))


def _decoders_of(module: ModuleType) -> tuple[Decoder, ...]:
    return module.DECODERS if hasattr(module, "DECODERS") else (module.DECODER,)


def decoder_named(name: str) -> Decoder | None:
    """Return a decoder by its id."""
    return next((decoder for decoder in all_decoders() if decoder.id == name), None)


def matching(facts: ModelFacts) -> tuple[tuple[Decoder, Match], ...]:
    """Return the decoders with the strongest evidence in a network's file; several if it is ambiguous."""
    found = tuple(_matches(facts))
    best = min((match.evidence.value for _, match in found), default=0)
    return tuple((decoder, match) for decoder, match in found if match.evidence.value == best)


def _matches(facts: ModelFacts) -> Iterator[tuple[Decoder, Match]]:
    for decoder in all_decoders():
        match = decoder.matches(facts)
        if match is not None:
            yield decoder, match


def find_decoder(facts: ModelFacts) -> Decoder | None:
    """Return the decoder that matches a network best; None if none does, or several do equally."""
    found = matching(facts)
    return found[0][0] if len(found) == 1 else None
