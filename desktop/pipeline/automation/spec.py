"""Automation of a parameter as a value (docs/automation.md)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

MOST_AUTOMATIONS: Final = 64


@dataclass(frozen=True)
class Automation:
    """Settings by which a source changes a numeric parameter over time.

    Attributes:
        source: name of a file in automation/sources.
        values: its checked settings.
        low, high: values of the parameter where the source gives 0 and 1; `low` may be the greater one. Key
            frames have values of the parameter themselves.
        enabled: off keeps the settings; the parameter has its own value.
    """

    source: str
    values: Mapping[str, Any] = field(default_factory=dict)
    low: float = 0.0
    high: float = 1.0
    enabled: bool = True
