"""Key frames: values of a parameter at times, with the way from each to the next."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal, get_args

Ease = Literal["linear", "ease", "hold"]
EASES: Final[tuple[Ease, ...]] = get_args(Ease)
MOST_KEY_FRAMES: Final = 4096


@dataclass(frozen=True)
class KeyFrame:
    """A value at a time in seconds. `ease` is the way to the next one: straight, slowly in and out, or none."""

    time: float
    value: float
    ease: Ease = "linear"


def value_at(frames: Sequence[KeyFrame], time: float) -> float | None:
    """Return the value at a time of key frames in the order of their times; None if there are none.

    Before the first and after the last it is theirs.
    """
    if not frames:
        return None
    index = bisect_right(frames, time, key=lambda frame: frame.time) - 1
    if index < 0:
        return frames[0].value
    here = frames[index]
    if index + 1 == len(frames) or here.ease == "hold":
        return here.value
    there = frames[index + 1]
    share = (time - here.time) / (there.time - here.time)
    if here.ease == "ease":
        share = share * share * (3 - 2 * share)
    return here.value + share * (there.value - here.value)


def key_frames_of(text: str) -> tuple[KeyFrame, ...]:
    """Return key frames of a text such as `0=1 2.5=4:ease 3=0:hold`, in the order of their times.

    Of two at one time the last one counts. Raise ValueError if the text is invalid.
    """
    words = text.split()
    if len(words) > MOST_KEY_FRAMES:
        raise ValueError
    frames = [_key_frame(word) for word in words]
    return tuple(sorted({frame.time: frame for frame in frames}.values(), key=lambda frame: frame.time))


def _key_frame(word: str) -> KeyFrame:
    time, equals, rest = word.partition("=")
    value, _, name = rest.partition(":")
    ease = next((each for each in EASES if each == (name or "linear")), None)
    if ease is None:
        raise ValueError
    frame = KeyFrame(float(time), float(value), ease)
    if not equals or not math.isfinite(frame.time) or not math.isfinite(frame.value):
        raise ValueError
    if not 0 <= frame.time <= 1e6 or abs(frame.value) > 1e9:
        raise ValueError
    return frame


def key_frames_text(frames: Sequence[KeyFrame]) -> str:
    """Return key frames as text; times to the millisecond, values to seven digits."""
    return " ".join(
        f"{round(frame.time, 3):.10g}={frame.value:.7g}{'' if frame.ease == 'linear' else ':' + frame.ease}"
        for frame in frames
    )
