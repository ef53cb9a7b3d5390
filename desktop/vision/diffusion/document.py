"""Untrusted JSON, read with bounds on its size and on every number that is taken from it."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from desktop.base.errors import ModelInvalidError
from desktop.base.files import read_regular, reason
from desktop.base.wording import sentence

_MOST_BYTES: Final = 1 << 20
_LONGEST: Final = 80


@dataclass(frozen=True)
class Document:
    """A JSON object; `name` is for messages: the names of the file and its folder."""

    name: str
    values: Mapping[str, Any]

    @classmethod
    def read(cls, path: Path) -> Document:
        """Read a file; raise ModelInvalidError if unreadable, over 1 MiB, or no JSON object."""
        name = f"{path.parent.name}/{path.name}"
        try:
            data = read_regular(path, _MOST_BYTES)
        except (OSError, ValueError) as error:
            raise ModelInvalidError(
                sentence(
                    "{name} cannot be read ({reason}); export it again.", name=name, reason=reason(error)
                )
            ) from error
        try:
            values = json.loads(data)
        except (ValueError, RecursionError) as error:
            raise ModelInvalidError(
                sentence("{name} is not valid JSON; download or export it again.", name=name)
            ) from error
        if not isinstance(values, dict):
            raise ModelInvalidError(
                sentence("{name} is not a JSON object; download or export it again.", name=name)
            )
        return cls(name, values)

    def number(self, key: str, default: float, low: float, high: float) -> float:
        """Return a finite number from `low` to `high`, or the default; raise ModelInvalidError for others."""
        value = self.values.get(key)
        if value is None:
            return default
        # Compared before the conversion: an integer of 400 digits is out of the range of floats.
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not low <= value <= high:
            raise self.wrong(key, sentence("a number from {low:g} to {high:g}", low=low, high=high))
        return float(value)

    def integer(self, key: str, default: int, low: int, high: int) -> int:
        """Return an integer from `low` to `high`, or the default; raise ModelInvalidError for others."""
        value = self.number(key, float(default), low, high)
        if value != int(value):
            raise self.wrong(key, sentence("a whole number"))
        return int(value)

    def flag(self, key: str, default: bool) -> bool:
        """Return true or false, or the default; raise ModelInvalidError for other values."""
        value = self.values.get(key)
        if value is None:
            return default
        if not isinstance(value, bool):
            raise self.wrong(key, sentence("true or false"))
        return value

    def word(self, key: str, default: str, choices: tuple[str, ...] = ()) -> str:
        """Return a text (of `choices`, if any), or the default; raise ModelInvalidError for other values."""
        value = self.values.get(key)
        if value is None:
            return default
        if not isinstance(value, str) or len(value) > 1000:
            raise self.wrong(key, sentence("a text"))
        if choices and value not in choices:
            raise self.wrong(key, " | ".join(choices))
        return value

    def wrong(self, key: str, wanted: str) -> ModelInvalidError:
        """Return the error for a value that is not `wanted`."""
        return ModelInvalidError(
            sentence(
                "{name} says {key} = {value}; what runs here is {wanted}.",
                name=self.name,
                key=key,
                value=shown(self.values.get(key)),
                wanted=wanted,
            )
        )


def shown(value: Any) -> str:
    """Return a JSON value for a message, shortened."""
    if isinstance(value, (dict, list)):
        return "{...}" if isinstance(value, dict) else "[...]"
    if isinstance(value, int) and not isinstance(value, bool) and not -(1 << 63) <= value < 1 << 63:
        return "a number of more than 64 bits"
    text = json.dumps(value) if not isinstance(value, float) or math.isfinite(value) else str(value)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."
