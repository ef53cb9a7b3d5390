"""Find the classes that a setup names and that its network does not have: nothing is ever counted for them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final, Literal

from desktop.base.nearest import nearest
from desktop.base.wording import Text, sentence
from desktop.pipeline.layers.texts import classes_of
from desktop.pipeline.setup.setup import Setup

_MOST: Final = 20
_MOST_NAMED: Final = 12
_LONGEST_NAME: Final = 80


Kind = Literal["zones", "events", "masks", "automations", "layers"]


@dataclass(frozen=True)
class UnknownClass:
    """A class that the network does not have.

    Attributes:
        kind, number: which list of the setup names it, and its entry there from 0; for a mask or an automation, that of
            its stage.
        owner: name of the zone or event, of the filter of the mask or automation, or the text of a layer.
        name: the class; `near` is the one that is probably meant, '' for none.
        known: the network's classes, at most twelve.
    """

    kind: Kind
    number: int
    owner: str
    name: str
    near: str
    known: tuple[str, ...]

    @property
    def text(self) -> Text:
        """The sentence about it."""
        if self.near:
            return sentence(
                "'{owner}' names the class '{name}', which the network does not have; did you mean '{near}'?",
                owner=self.owner[:_LONGEST_NAME],
                name=self.name[:_LONGEST_NAME],
                near=self.near,
            )
        return sentence(
            "'{owner}' names the class '{name}', which the network does not have; choose one such as {known}.",
            owner=self.owner[:_LONGEST_NAME],
            name=self.name[:_LONGEST_NAME],
            known=", ".join(self.known),
        )


def unknown_classes(setup: Setup, labels: Sequence[str]) -> tuple[UnknownClass, ...]:
    """Return the first classes of zones, events, masks, automations and texts that are none of a network's `labels`;
    none where these are not known, or a secondary network adds its own to them.
    """
    if not labels or (setup.network is not None and setup.network.second is not None):
        return ()
    return tuple(islice(_unknown(setup, labels), _MOST))


def _unknown(setup: Setup, labels: Sequence[str]) -> Iterator[UnknownClass]:
    exact = frozenset(labels)
    folded = {label.casefold() for label in labels}

    def entries(kind: Kind, number: int, owner: str, names: Iterable[str]) -> Iterator[UnknownClass]:
        for name in names:
            yield UnknownClass(kind, number, owner, name, nearest(name, labels), tuple(labels[:_MOST_NAMED]))

    for number, zone in enumerate(setup.scene.zones):
        yield from entries("zones", number, zone.name, (n for n in zone.classes if n not in exact))
    for number, event in enumerate(setup.scene.events):
        yield from entries("events", number, event.name, (n for n in event.classes if n not in exact))
    for number, stage in enumerate(setup.chain.stages):
        parts = stage.mask.parts if stage.mask is not None else ()
        for part in parts:
            text = str(part.values.get("classes", "")) if part.kind == "detections" else ""
            names = [name.strip() for name in text.split(",")]
            # Case is ignored here, as in automations and texts; zones and events are case-sensitive.
            yield from entries(
                "masks", number, stage.filter, (n for n in names if n and n.casefold() not in folded)
            )
        for automation in stage.automation.values() if stage.enabled else ():
            if automation.enabled and automation.source == "detections":
                values = automation.values
                names = list(values["classes"]) if values["measure"] != "event" else []
                yield from entries(
                    "automations", number, stage.filter, (n for n in names if n.casefold() not in folded)
                )
    for number, layer in enumerate(setup.layers.specs):
        if layer.enabled and layer.kind == "text":
            text = layer.values["value"]
            yield from entries(
                "layers", number, text, (n for n in classes_of(text) if n.casefold() not in folded)
            )
