"""Members of request bodies, as fields: what is checked is also what the OpenAPI document says."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from desktop.base.errors import LightloomError, ServingError
from desktop.base.fields import Field, Flag, Integer, Line, Number
from desktop.base.wording import Text, sentence

MOST_VALUES: Final = 64
"""Values in one request."""
LONGEST_TEXT: Final = 2000
_LONGEST_LIST: Final = 64


class ValueTable(Field):
    """Values of parameters by their names: numbers, truth values, texts and lists of numbers."""

    @property
    def expects(self) -> Text:
        return sentence("an object with at most {most} values by name", most=MOST_VALUES)

    def convert(self, value: Any) -> Mapping[str, Any]:
        if not isinstance(value, dict) or not 1 <= len(value) <= MOST_VALUES:
            raise ValueError
        return {name: _checked(each) for name, each in value.items()}


def _checked(value: Any) -> Any:
    if isinstance(value, bool):
        return value
    if isinstance(value, int | float):
        if not math.isfinite(value):
            raise ValueError
        return value
    if isinstance(value, str) and len(value) <= LONGEST_TEXT:
        return value
    if (
        isinstance(value, list)
        and len(value) <= _LONGEST_LIST
        and not any(isinstance(n, list) for n in value)
    ):
        numbers = [_checked(each) for each in value]
        if all(isinstance(each, int | float) for each in numbers):
            return tuple(map(float, numbers))
    raise ValueError


@dataclass(frozen=True)
class Member:
    """A member of a body."""

    field: Field
    is_required: bool = True


def is_needed(members: Sequence[Member]) -> bool:
    """Return whether a body must be sent."""
    return any(member.is_required for member in members)


def read_members(members: Sequence[Member], body: Mapping[str, Any]) -> dict[str, Any]:
    """Return the checked values of a body, without those that are left out.

    Raises ServingError for one that is missing, unknown or invalid.
    """
    fields = {member.field.name: member.field for member in members}
    for name in body:
        if name not in fields:
            known = ", ".join(fields) or "none"
            raise ServingError("invalid", f"The body has an unknown member; send {known}.")
    for member in members:
        if member.is_required and member.field.name not in body:
            raise ServingError("invalid", f"The body has no '{member.field.name}'; send it.")
    try:
        return {name: fields[name].check(value) for name, value in body.items()}
    except LightloomError as error:
        raise ServingError("invalid", str(error)) from error


def schema_of_members(members: Sequence[Member]) -> dict[str, Any]:
    """Return the JSON schema of a body."""
    return {
        "type": "object",
        "properties": {each.field.name: schema_of_field(each.field) for each in members},
        "required": [each.field.name for each in members if each.is_required],
        "additionalProperties": False,
    }


def schema_of_field(field: Field) -> dict[str, Any]:
    """Return the JSON schema of a field's values."""
    match field:
        case Flag():
            schema: dict[str, Any] = {"type": "boolean"}
        case Number():
            schema = {
                "type": "integer" if isinstance(field, Integer) else "number",
                "minimum": field.min,
                "maximum": field.max,
            }
        case Line():
            schema = {"type": "string", "maxLength": field.longest}
        case ValueTable():
            number = {"type": "number"}
            value = [number, {"type": "boolean"}, {"type": "string", "maxLength": LONGEST_TEXT}]
            value.append({"type": "array", "items": number, "maxItems": _LONGEST_LIST})
            schema = {
                "type": "object",
                "additionalProperties": {"anyOf": value},
                "minProperties": 1,
                "maxProperties": MOST_VALUES,
            }
        case _:
            raise TypeError(f"a body has no member of type {type(field).__name__}")
    return schema | ({"description": field.help} if field.help else {})
