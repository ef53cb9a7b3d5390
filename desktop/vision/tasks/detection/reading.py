"""Choose decoder and units of a detector: by the user's statement, the file, or a trial run on an image."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

import numpy as np

from desktop.base.errors import AmbiguousNetworkError, Choice, ModelUnsupportedError, UsageError
from desktop.base.wording import Text, sentence
from desktop.vision.models.facts import ModelFacts
from desktop.vision.models.findings import Evidence, Match
from desktop.vision.tasks.common.object_settings import family_sentence
from desktop.vision.tasks.common.units import check_units, units_of_graph
from desktop.vision.tasks.detection.candidates import Candidates, choose_candidates, decode_boxes, rows
from desktop.vision.tasks.detection.decoder import AnchorGroup, Decoder
from desktop.vision.tasks.detection.decoders import all_decoders, decoder_named, matching
from desktop.vision.tasks.task import Size, Trial, Tried, Values

Units = Literal["pixels", "shares"]
UNITS: Final[tuple[Units, ...]] = ("pixels", "shares")

# Of a trial: number of boxes to check, their least share of the best score, and how many must be plausible.
_LOOKED_AT: Final = 64
_OF_BEST: Final = 0.25
_MOSTLY: Final = 0.75
# Logarithms of sizes in cells, which are not pixels, are smaller.
_SMALLEST_SIDE: Final = 5.0
_LARGEST_SIDE: Final = 1.5
_HIGH: Final = 0.25
_ONE: Final = 0.999
_LARGEST_SCORE: Final = 1.01
_PIXELS_ASSUMED: Final = sentence(
    "Nothing tells whether the boxes are pixels or shares of the input; pixels are assumed."
)


@dataclass(frozen=True)
class OutputReading:
    """An interpretation of a network's outputs; `units` are those of `family.boxes`; `notes` the evidence."""

    family: Decoder
    units: Units
    notes: tuple[Text, ...]

    @property
    def decoder(self) -> Decoder:
        """The decoder for the network's numbers."""
        return self.family if self.units == "pixels" else of_shares(self.family)


def readings(name: str, facts: ModelFacts, said: Values) -> tuple[OutputReading, ...]:
    """Return a network's possible readings; `said` are the settings 'decoder' and 'units', '' if not stated.

    Raises ModelUnsupportedError if there are none, UsageError for an unknown stated value.
    """
    wanted, units = said["decoder"], said["units"]
    check_units(units, UNITS)
    if wanted:
        family = decoder_named(wanted)
        if family is None:
            raise _no_such(wanted)
        families = [(family, family_sentence(family.title, was_said=True))]
    else:
        families = [(family, _family_sentence(family, match)) for family, match in matching(facts)]
    if not families:
        raise _unknown(name, facts)
    return tuple(reading for family, note in families for reading in _in_units(family, note, facts, units))


def _in_units(family: Decoder, note: Text, facts: ModelFacts, said: str) -> Iterator[OutputReading]:
    if said:
        told = sentence("The boxes are read as {units}, as chosen.", units=_words(said))
        yield OutputReading(family, "shares" if said == "shares" else "pixels", (note, told))
        return
    if not family.may_be_shares:
        yield OutputReading(family, "pixels", (note,))
        return
    known = _units_of(family, facts)
    told = sentence("The graph shows that the boxes are {units}.", units=_words(known or "pixels"))
    if known is not None:
        yield OutputReading(family, known, (note, told))
        return
    for each in UNITS:
        yield OutputReading(family, each, (note,))


def _units_of(family: Decoder, facts: ModelFacts) -> Units | None:
    """Return the units of boxes that the arithmetic after the convolutions shows; None if it shows none."""
    try:
        box = family.groups(facts)[0].box.output
    except (LookupError, ValueError):  # a family that was said need not be the network's
        return None
    return units_of_graph(facts, box) or None


def assumed(name: str, found: Sequence[OutputReading]) -> OutputReading:
    """Return the reading to use, usually in pixels; raise AmbiguousNetworkError if of several families."""
    if choices(found):
        raise AmbiguousNetworkError(name, choices(found))
    first = found[0]
    if len(found) == 1:
        return first
    return replace(first, units="pixels", notes=(*first.notes, _PIXELS_ASSUMED))


def choices(found: Sequence[OutputReading]) -> tuple[Choice, ...]:
    """Return the families of several readings, if there is more than one."""
    families = {reading.family.id: reading.family.title for reading in found}
    if len(families) < 2:
        return ()
    return tuple(Choice("detection", name, title) for name, title in families.items())


# -- a trial run ---------------------------------------------------------------------------------------------


def tried(found: Sequence[OutputReading], trial: Trial) -> Tried:
    """Return a trial run's findings about the possible readings: family and units, as far as determined."""
    sensible = [reading for reading in found if _is_sensible(reading.decoder, trial)]
    sensible = _by_objectness(_by_range(sensible, trial), trial)
    families = {reading.family.id: reading.family for reading in sensible}
    units = {reading.units for reading in sensible}
    if len(families) != 1:
        return Tried()
    family, notes, values = sensible[0].family, sensible[0].notes, {"decoder": sensible[0].family.id}
    if len({reading.family.id for reading in found}) > 1:
        notes = (sentence("A trial run shows that its outputs are those of {title}.", title=family.title),)
    if len(units) == 1 and family.may_be_shares:
        values["units"] = sensible[0].units
        told = sentence("A trial run shows that the boxes are {units}.", units=_words(sensible[0].units))
        return Tried(values, (*notes, told))
    return Tried(values, (*notes, _PIXELS_ASSUMED) if family.may_be_shares else notes)


def _is_sensible(decoder: Decoder, trial: Trial) -> bool:
    """Return True if the boxes with the best scores are valid boxes within the input."""
    outputs, facts, size = trial.outputs, trial.facts, trial.size
    try:
        groups = decoder.groups(facts)
        shown = np.ones(max(group.numbers for group in groups), bool)
        found = choose_candidates(outputs, groups, decoder.powers, 1e-6, shown, _LOOKED_AT)
    except (LookupError, ValueError):
        return False
    if not len(found.scores) or not all(_are_scores(outputs, group) for group in groups):
        return False
    if not all(_are_numbers(outputs, group, found) for group in groups):
        return False
    boxes = decode_boxes(decoder, found, size)[found.scores >= _OF_BEST * found.scores[0]]
    with np.errstate(invalid="ignore"):
        sides = boxes[:, 2:] - boxes[:, :2]
        middles = (boxes[:, 2:] + boxes[:, :2]) / 2
        fits = (sides >= _SMALLEST_SIDE) & (sides <= _LARGEST_SIDE * np.array(size))
        fits &= (middles >= 0) & (middles <= size)
    return float(fits.all(axis=1).mean()) >= _MOSTLY


def _by_range(found: Sequence[OutputReading], trial: Trial) -> list[OutputReading]:
    """Return the readings in fractions whose box numbers are all in 0..1; without any, all readings."""
    shares = [each for each in found if each.units == "shares" and _lies_in_unit(each.family, trial)]
    return shares or list(found)


def _lies_in_unit(family: Decoder, trial: Trial) -> bool:
    group = family.groups(trial.facts)[0]
    values = rows(trial.outputs[group.box.output], group.box, 4, group.anchors)
    return bool(((values >= 0.0) & (values <= 1.0)).all())


def _are_scores(outputs: Mapping[str, np.ndarray], group: AnchorGroup) -> bool:
    """Return True if the presumed scores are at most 1; logits may be any number."""
    if group.activation != "none" or not group.anchors:
        return True
    count = 1 if group.class_number is not None else group.classes
    return bool(
        np.nan_to_num(rows(outputs[group.scores.output], group.scores, count, group.anchors), nan=0.0).max()
        <= _LARGEST_SCORE
    )


def _are_numbers(outputs: Mapping[str, np.ndarray], group: AnchorGroup, found: Candidates) -> bool:
    """Return True if the presumed class numbers of the candidates are whole; coordinates hardly are."""
    if group.class_number is None:
        return True
    numbers = rows(outputs[group.class_number.output], group.class_number, 1, group.anchors)[found.anchors]
    return bool((numbers == np.rint(numbers)).all())


def _by_objectness(found: Sequence[OutputReading], trial: Trial) -> list[OutputReading]:
    """Return the readings with or without objectness, as the numbers show; all if they show nothing."""
    groups = {reading.family.id: reading.family.groups(trial.facts)[0] for reading in found}
    kinds = {group.objectness is not None for group in groups.values()}
    group = next((each for each in groups.values() if each.objectness is not None), None)
    there = _shows_objectness(trial.outputs, group) if group is not None and len(kinds) == 2 else None
    if there is None:
        return list(found)
    return [each for each in found if (groups[each.family.id].objectness is not None) == there]


def _shows_objectness(outputs: Mapping[str, np.ndarray], group: AnchorGroup) -> bool | None:
    assert group.objectness is not None
    objectness, classes = (
        np.nan_to_num(rows(outputs[columns.output], columns, count, group.anchors), nan=0.0)
        for columns, count in ((group.objectness, 1), (group.scores, group.classes))
    )
    if (objectness >= _ONE).all():
        return True
    best = np.maximum(objectness[:, 0], classes.max(axis=1))
    high = best >= max(_HIGH, best.max() / 2)
    both = ((objectness[:, 0] >= _HIGH) & (classes.max(axis=1) >= _HIGH))[high]
    if not both.size or both.any() != both.all():
        return None
    return bool(both.all())


# -- shares --------------------------------------------------------------------------------------------------


def of_shares(family: Decoder) -> Decoder:
    """Return the decoder of a family for numbers in fractions of the input's sides."""

    def boxes(anchors: np.ndarray, values: np.ndarray, size: Size) -> np.ndarray:
        return family.boxes(anchors, values * np.array(size * 2, float), size)

    def points(anchors: np.ndarray, values: np.ndarray, size: Size) -> np.ndarray:
        assert family.points is not None
        return family.points(anchors, values * np.tile(np.array(size, float), values.shape[1] // 2), size)

    def shader(size: Size) -> str:
        assert family.shader is not None
        code = family.shader(size)
        for name, kind in (("box_of", "vec4f"), ("point_of", "vec2f")):
            scale = "vec4f(size, size)" if kind == "vec4f" else "size"
            head = f"fn {name}(anchor: u32, v: {kind}, size: vec2f) -> {kind}"
            code = code.replace(f"fn {name}(", f"fn {name}_pixels(")
            code += f"\n{head} {{ return {name}_pixels(anchor, v * {scale}, size); }}"
        return code

    return replace(
        family,
        boxes=boxes,
        points=None if family.points is None else points,
        shader=None if family.shader is None else shader,
    )


# -- sentences -----------------------------------------------------------------------------------------------


def _family_sentence(family: Decoder, match: Match) -> Text:
    if match.evidence is Evidence.ASSUMED:
        return sentence("It is taken for {title}: {reason}.", title=family.title, reason=match.reason)
    return sentence("Its outputs are those of {title}: {reason}.", title=family.title, reason=match.reason)


def _words(units: str) -> Text:
    return sentence("shares of the input") if units == "shares" else sentence("pixels")


def _no_such(wanted: str) -> UsageError:
    names = ", ".join(decoder.id for decoder in all_decoders())
    return UsageError(
        sentence("There is no decoder '{wanted}'; choose one of {names}.", wanted=wanted, names=names)
    )


def _unknown(name: str, facts: ModelFacts) -> ModelUnsupportedError:
    shapes = ", ".join(f"'{o.name}' {[d or 'any' for d in o.shape]}" for o in facts.outputs)
    encoded = next((o.name for o in facts.outputs if "box_encoding" in o.name.lower()), "")
    if encoded:  # as TensorFlow's Object Detection API calls them
        text = sentence(
            "{name} gives boxes relative to anchors ('{output}'), and the file does not hold the anchors; "
            "export it with its "
            "postprocessing, so that it gives detection_boxes, detection_classes and detection_scores.",
            name=name,
            output=encoded,
        )
        return ModelUnsupportedError(text, (f"outputs {shapes}",))
    return ModelUnsupportedError(
        sentence(
            "{name} is no detector of a family that Lightloom decodes: its outputs are {shapes}; choose "
            "another network, or one of the decoders {names} (--decoder NAME).",
            name=name,
            names=", ".join(decoder.id for decoder in all_decoders()),
            shapes=shapes,
        ),
        (f"outputs {shapes}",),
    )
