"""Interface of automation sources: what they declare, and the state of a frame that they read."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any

from desktop.base.discovery import registered
from desktop.base.errors import UsageError
from desktop.base.fields import Field
from desktop.base.wording import Text, sentence

if TYPE_CHECKING:
    from desktop.media.audio.curves import AudioCurves
    from desktop.vision.tracking.scene import TrackedResult


@dataclass(frozen=True)
class Moment:
    """State that automation sources read when a frame is rendered.

    Attributes:
        pts: presentation time of the frame, in seconds.
        audio: curves of the source's audio; None while they are computed, or without audio.
        tracked: the newest result of the analysis network that applies; None without one.
        events: time of the last occurrence of each event by its name, in seconds.
        controls: values of controllers by address: 'midi/1/control/7' in 0..1, 'osc/fader' as received.
    """

    pts: float = 0.0
    audio: AudioCurves | None = None
    tracked: TrackedResult | None = None
    events: Mapping[str, float] = field(default_factory=dict)
    controls: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class AutomationSource:
    """A source of automation: one file in automation/sources, which defines it as SOURCE.

    Attributes:
        id: name in files and on the command line, that of its file.
        at: (checked values, moment) -> 0..1, or None if unknown: the parameter then has its own value.
        is_absolute: `at` returns values of the parameter, not shares between `low` and `high`.
        needs: 'audio', 'results' or 'controls', which are provided only if something needs them.
    """

    id: str
    title: Text
    help: Text
    order: int
    fields: tuple[Field, ...]
    at: Callable[[Mapping[str, Any], Moment], float | None] = field(compare=False)
    is_absolute: bool = False
    needs: frozenset[str] = frozenset()

    def check(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """Return all values, checked; raise UsageError for an unknown name or an invalid value."""
        named = {each.name: each for each in self.fields}
        for name in values:
            if name not in named:
                raise UsageError(
                    sentence(
                        "'{name}' is no setting of the automation '{source}'; there are: {names}.",
                        name=str(name)[:40],
                        source=self.id,
                        names=", ".join(named),
                    )
                )
        return {name: each.check(values.get(name, each.default)) for name, each in named.items()}

    def parse(self, texts: Mapping[str, str]) -> dict[str, Any]:
        """Return the values of texts of the command line; raise UsageError as `check` does."""
        named = {each.name: each for each in self.fields}
        return self.check({n: named[n].parse(t) if n in named else t for n, t in texts.items()})


@cache
def automation_sources() -> Mapping[str, AutomationSource]:
    """Return all sources by name, in the order of lists."""
    found: Sequence[AutomationSource] = tuple(registered("desktop.pipeline.automation.sources", "SOURCE"))
    return {each.id: each for each in sorted(found, key=lambda each: each.order)}


def automation_source(name: str) -> AutomationSource:
    """Return a source; raise UsageError if there is none of that name."""
    found = automation_sources().get(name)
    if found is None:
        raise UsageError(
            sentence(
                "There is no automation called '{name}'; there are: {names}.",
                name=name[:40],
                names=", ".join(automation_sources()),
            )
        )
    return found
