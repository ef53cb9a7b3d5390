"""The address that an action sends to, as sentences name it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from urllib.parse import SplitResult, urlsplit

from desktop.base.fields import Value


def host_of(values: Mapping[str, Value], split: Callable[[str], SplitResult] = urlsplit) -> str:
    """Return host and port of an action's address, '' for none, without the rest, which may hold a key.
    `split` raises ValueError for an invalid address.
    """
    try:
        parts = split(str(values["address"]))
        return (parts.hostname or "") + (f":{parts.port}" if parts.port is not None else "")
    except ValueError:
        return ""
