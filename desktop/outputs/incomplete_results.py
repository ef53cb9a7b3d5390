"""Frames of a run whose results may lack objects: nothing in the files of most formats shows that."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop.base.wording import Text, sentence

if TYPE_CHECKING:
    from desktop.vision.tasks.task import Result


class IncompleteResults:
    """Counts frames whose results contain NaN or omit candidates."""

    def __init__(self) -> None:
        self._frames = self._with_nan = self._cut = self._most = 0
        self._hint = ""

    def add(self, result: Result) -> None:
        """Count the result of another frame."""
        self._frames += 1
        self._with_nan += result.has_nan
        left_out: int = getattr(result, "left_out", 0)
        self._cut += left_out > 0
        if left_out > self._most:
            self._most, self._hint = left_out, result.hint

    @property
    def notes(self) -> tuple[Text, ...]:
        """A sentence about each kind of which there are some."""
        found = []
        if self._with_nan:
            found.append(
                sentence(
                    "The network returned NaN in {count} of {frames} frames, so objects may be missing; use fp32 "
                    "(--precision fp32) or another network.",
                    count=self._with_nan,
                    frames=self._frames,
                )
            )
        if self._cut:
            found.append(
                sentence(
                    "The results of {count} of {frames} frames are incomplete; in the worst of them: {hint}",
                    count=self._cut,
                    frames=self._frames,
                    hint=self._hint,
                )
            )
        return tuple(found)
