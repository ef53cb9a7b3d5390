"""One of several names."""

from __future__ import annotations

import struct
from typing import Any, Final

from desktop.base.wording import Text, sentence
from desktop.pipeline.filters.param import Param


class ChoiceParam(Param):
    """One of `choices`: `i32`, its index."""

    type = "choice"
    editor = "choice"
    wgsl = "i32"
    alignment = 4

    @property
    def expects(self) -> Text:
        return sentence("one of {choices}", choices=", ".join(self.choices))

    def convert(self, value: Any) -> str:
        if isinstance(value, str) and value in self.choices:
            return value
        # The index is taken as well: the command line and old presets may hold one.
        index = int(value)
        if isinstance(value, (bool, float)) or not 0 <= index < len(self.choices):
            raise ValueError
        return self.choices[index]

    def pack(self, value: str) -> bytes:
        return struct.pack("<i", self.choices.index(value))

    @property
    def fallback(self) -> str:
        return self.choices[0] if self.choices else ""

    @property
    def cases(self) -> tuple[str, ...]:
        return self.choices

    @property
    def ends(self) -> tuple[str, str]:
        return self.choices[0], self.choices[-1]

    def fault(self) -> Text | None:
        return super().fault() if self.choices else sentence("it is a choice, but 'choices' is missing")


TYPE: Final = ChoiceParam
