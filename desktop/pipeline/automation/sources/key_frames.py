"""Values at times of the file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from desktop.base.fields import Field
from desktop.base.wording import Text, sentence
from desktop.pipeline.automation.key_frames import (
    MOST_KEY_FRAMES,
    KeyFrame,
    key_frames_of,
    key_frames_text,
    value_at,
)
from desktop.pipeline.automation.source import AutomationSource, Moment

_parsed = lru_cache(maxsize=256)(key_frames_of)


@dataclass(frozen=True)
class KeyFrames(Field):
    """Key frames as text; see `key_frames_of`."""

    editor = "text"
    longest = MOST_KEY_FRAMES * 32

    @property
    def expects(self) -> Text:
        return sentence(
            "values at times in seconds such as 0=1 2.5=4:ease 3=0:hold, at most {most}", most=MOST_KEY_FRAMES
        )

    def convert(self, value: Any) -> str:
        if not isinstance(value, str) or len(value) > self.longest:
            raise ValueError
        return key_frames_text(key_frames_of(value))


def _at(values: Mapping[str, Any], moment: Moment) -> float | None:
    frames: tuple[KeyFrame, ...] = _parsed(values["frames"])
    return value_at(frames, moment.pts)


SOURCE: Final = AutomationSource(
    id="key_frames",
    title=sentence("Key frames"),
    help=sentence("Values at times of the file, with a straight way, a smooth way or none between them."),
    order=10,
    fields=(
        KeyFrames(
            "frames",
            "",
            label=sentence("Key frames"),
            help=sentence("Values at times in seconds; :ease goes slowly in and out, :hold jumps."),
        ),
    ),
    at=_at,
    is_absolute=True,
)
