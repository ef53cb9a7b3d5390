"""Settings of redaction, as plain values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, Literal, get_args

from desktop.base.errors import UsageError
from desktop.base.wording import joined, sentence

HideKind = Literal["pixelate", "blur", "fill"]
Outline = Literal["fitting", "box"]

HIDE_KINDS: Final[tuple[HideKind, ...]] = get_args(HideKind)
OUTLINES: Final[tuple[Outline, ...]] = get_args(Outline)
_MOST_CLASSES: Final = 64
_LONGEST_CLASS: Final = 80


@dataclass(frozen=True)
class AnonymizeSpec:
    """Settings of redaction (docs/anonymize.md).

    Attributes:
        classes: names of the classes to hide, case ignored; empty for all that the network detects.
        kind: blocks of their mean color, the same smoothed, or one gray.
        blocks: along the longer side of a hidden area; fewer hide more. For 'pixelate' and 'blur'.
        margin: enlargement of an area on each side, in its width and height.
        outline: 'fitting' hides mask pixels if available, and ellipses around faces; 'box' boxes.
        hold: seconds for which the area of an undetected object stays hidden, following its motion.
        unseen: hide the whole frame without a result: none yet, or later than `hold`.
    """

    classes: tuple[str, ...] = ()
    kind: HideKind = "pixelate"
    blocks: int = 8
    margin: float = 0.15
    outline: Outline = "fitting"
    hold: float = 1.0
    unseen: bool = True

    def wants(self, label: str) -> bool:
        """Return True if a class is hidden; secondary labels follow the class ('dog: boxer')."""
        known = label.casefold()
        return not self.classes or any(
            known == name or known.startswith(f"{name}: ") for name in map(str.casefold, self.classes)
        )

    def missing(self, labels: tuple[str, ...]) -> tuple[str, ...]:
        """Return the classes missing in a network's names, which are never hidden; none without names."""
        known = {label.casefold() for label in labels}
        return tuple(name for name in self.classes if known and name.casefold() not in known)


def hides_others(before: AnonymizeSpec | None, spec: AnonymizeSpec | None) -> bool:
    """Return True if a spec hides objects that the one before did not: earlier frames may show them."""
    return spec is not None and (
        before is None or before.classes != spec.classes or (spec.unseen and not before.unseen)
    )


_OFTEN: Final = ("face", "person")


def usual_for(labels: tuple[str, ...]) -> AnonymizeSpec:
    """Return the default settings for a network with these classes: hide faces, else persons, else all."""
    known = {label.casefold(): label for label in labels}
    found = next((known[name] for name in _OFTEN if name in known), None)
    return AnonymizeSpec() if found is None else AnonymizeSpec((found,))


ANONYMIZE_LIMITS: Final[Mapping[str, tuple[float, float]]] = {
    "blocks": (2, 32),
    "margin": (0.0, 1.0),
    "hold": (0.0, 10.0),
}
"""Range of each number in an `AnonymizeSpec`."""

_CHOICES: Final[Mapping[str, tuple[str, ...]]] = {"kind": HIDE_KINDS, "outline": OUTLINES}


def with_anonymize_value(spec: AnonymizeSpec, name: str, value: Any) -> AnonymizeSpec:
    """Return a spec with another value, of a preset or the command line.

    Raises:
        UsageError: no setting of this name, or an invalid value.
    """
    if name in _CHOICES:
        if value not in _CHOICES[name]:
            raise _unfit(name, value, joined(", ", _CHOICES[name]))
        # A plain `str`, also for subclasses.
        return AnonymizeSpec(**{**vars(spec), name: str(value)})
    if name == "unseen":
        if not isinstance(value, bool):
            raise _unfit(name, value, sentence("true or false"))
        return replace(spec, unseen=value)
    if name == "classes":
        if not _are_names(value):
            raise _unfit(name, value, sentence("names of classes"))
        return replace(spec, classes=tuple(dict.fromkeys(value)))
    if name in ANONYMIZE_LIMITS:
        return AnonymizeSpec(**{**vars(spec), name: _number(name, value)})
    names = (*_CHOICES, *ANONYMIZE_LIMITS, "classes", "unseen")
    raise UsageError(
        sentence(
            "'{name}' is no setting of hiding; there are: {names}.",
            name=str(name)[:40],
            names=", ".join(names),
        )
    )


def _are_names(value: Any) -> bool:
    return (
        isinstance(value, list | tuple)
        and len(value) <= _MOST_CLASSES
        and all(isinstance(name, str) and 0 < len(name) <= _LONGEST_CLASS for name in value)
    )


def _number(name: str, value: Any) -> float:
    low, high = ANONYMIZE_LIMITS[name]
    is_whole = isinstance(low, int)
    fits = isinstance(value, int) if is_whole else isinstance(value, int | float)
    # A NaN is neither above nor below.
    if isinstance(value, bool) or not fits or not low <= value <= high:
        raise _unfit(name, value, sentence("{low} to {high}", low=f"{low:g}", high=f"{high:g}"))
    return int(value) if is_whole else float(value)


def _unfit(name: str, value: Any, allowed: str) -> UsageError:
    return UsageError(
        sentence(
            "'{name}' of hiding is {value}; give {allowed}.",
            name=name,
            value=str(value)[:40],
            allowed=allowed,
        )
    )
