"""JSON objects of clients."""

from __future__ import annotations

import json
from typing import Any

from desktop.base.errors import ServingError


def _no_number(text: str) -> float:
    raise ValueError(text)


def parsed_object(text: bytes | bytearray | memoryview) -> dict[str, Any]:
    """Parse a JSON object. Raises ServingError if it is not one."""
    try:
        document = json.loads(str(text, "utf-8"), parse_constant=_no_number)
    except (ValueError, RecursionError):
        raise ServingError("invalid", "The request is not JSON.") from None
    if not isinstance(document, dict):
        raise ServingError("invalid", "The request is no JSON object.")
    return document
