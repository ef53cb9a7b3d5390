"""JSON objects of clients."""

from __future__ import annotations

import json
from typing import Any

from desktop.base.errors import ServingError


class _NoNumberError(Exception):
    """NaN or an infinity."""


def _no_number(text: str) -> float:
    raise _NoNumberError(text)


def parsed_object(text: bytes | bytearray | memoryview) -> dict[str, Any]:
    """Parse a JSON object. Raises ServingError if it is not one."""
    try:
        document = json.loads(str(text, "utf-8"), parse_constant=_no_number)
    except json.JSONDecodeError as error:
        raise ServingError(
            "invalid", f"The request is not JSON: line {error.lineno}, character {error.colno}; correct it."
        ) from None
    except UnicodeDecodeError:
        raise ServingError("invalid", "The request is not JSON: it is not UTF-8; encode it.") from None
    except _NoNumberError as error:
        raise ServingError(
            "invalid", f"The request is not JSON: {error} is no number there; replace it."
        ) from None
    except (ValueError, RecursionError):  # an integer of too many digits, lists in lists in lists
        raise ServingError("invalid", "The request is not JSON that a server takes; correct it.") from None
    if not isinstance(document, dict):
        raise ServingError("invalid", "The request is no JSON object.")
    return document
