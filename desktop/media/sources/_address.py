"""Recognize stream addresses and hide their secrets, without importing FFmpeg."""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import urlsplit

_ADDRESS: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+://")


def is_address(text: str) -> bool:
    """True for 'scheme://...', whatever the scheme."""
    return _ADDRESS.match(text) is not None


def public_address(address: str) -> str:
    """Return an address without user, password, query and fragment, fit to be shown and logged."""
    parts = urlsplit(address)
    host = parts.hostname or ""
    if ":" in host:
        host = f"[{host}]"
    try:
        port = f":{parts.port}" if parts.port else ""
    except ValueError:
        port = ""
    return f"{parts.scheme}://{host}{port}{parts.path}"


def has_secrets(address: str) -> bool:
    """Whether an address contains secrets (user name, password, query), stored only with consent."""
    try:
        parts = urlsplit(address)
    except ValueError:
        return True
    return bool(parts.username or parts.password or parts.query)
