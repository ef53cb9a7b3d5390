"""Executors: each module here that defines EXECUTOR is found by its name, the first word of --on."""

from __future__ import annotations

import importlib
import re
from typing import TYPE_CHECKING

from desktop.base.discovery import module_names
from desktop.base.errors import UsageError
from desktop.base.wording import sentence

if TYPE_CHECKING:
    from desktop.spread.executor import ExecutorKind


def executor_names() -> tuple[str, ...]:
    """Return the names of all, without importing them."""
    return module_names(__name__)


def executor_kind(address: str) -> ExecutorKind:
    """Return the executor kind for an address. Raises UsageError if there is none."""
    found = re.match(r"[a-z]+", address)
    name = found[0] if found else ""
    if name not in executor_names():
        raise UsageError(
            sentence(
                "'{address}' is nowhere that Lightloom can run on; it begins with one of {names}.",
                address=address,
                names=", ".join(executor_names()),
            )
        )
    kind: ExecutorKind = importlib.import_module(f"{__name__}.{name}").EXECUTOR
    return kind
