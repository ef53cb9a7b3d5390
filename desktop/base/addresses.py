"""Addresses of hosts: 'scheme://host:port/path' to connect to, and 'HOST:PORT' to listen at or send to."""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import SplitResult, urlsplit

LOOPBACK: Final = "127.0.0.1"
_ADDRESS: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+://")
# A host without @, and what follows it until an @: in a path, in a query without one, in a fragment without both.
_AT_BEHIND_HOST: Final = re.compile(r"://([^/?#@]*(?:/[^?#@]*|\?[^#@]*|#[^@]*))@")
_PORT: Final = re.compile(r":?([0-9]{1,5})")
_GREATEST_PORT: Final = 65535


def is_address(text: str) -> bool:
    """True for 'scheme://...', whatever the scheme."""
    return _ADDRESS.match(text) is not None


def split_address(text: str) -> SplitResult:
    """Split an address that a network can connect to; it may lack a host.

    Raises:
        ValueError: the host has a space, a character that cannot be shown or half a pair of brackets, or the port
            is no number from 1 to 65535.
    """
    # urlsplit leaves out line breaks and tabs, and `port` raises ValueError.
    parts = urlsplit(text)
    host = text.partition("://")[2] or text
    host = re.split(r"[/?#]", host, maxsplit=1)[0]
    if parts.port == 0 or not host.isprintable() or " " in host:
        raise ValueError(f"no host or port: {len(text)} characters")
    return parts


def split_endpoint(text: str) -> tuple[str, int]:
    """Return host and port of 'HOST:PORT' or of 'PORT' alone, which is this machine's; port 0 is allowed, and an
    IPv6 address stands in brackets.

    Raises:
        ValueError: the text is neither.
    """
    if found := _PORT.fullmatch(text):
        host, port = LOOPBACK, int(found[1])
    else:
        parts = urlsplit(f"//{text}")
        host, port = parts.hostname or "", -1 if parts.port is None else parts.port
        if not host or parts.netloc != text or "@" in text or not host.isprintable() or " " in host:
            raise ValueError(f"no host: {len(text)} characters")
    if not 0 <= port <= _GREATEST_PORT:
        raise ValueError(f"no port: {len(text)} characters")
    return host, port


def public_address(address: str) -> str:
    """Return an address without user, password, query and fragment, fit to be shown and logged.

    Where a sign in a password may have ended the host ('rtsp://user:12/34@host/'), what precedes the last @ is
    replaced by an ellipsis. Only the scheme remains of an address with half a pair of brackets.
    """
    scheme = address.partition("://")[0]
    if has_hidden_password(address):
        rest = re.split(r"[?#]", address.rpartition("@")[2], maxsplit=1)[0]
        return f"{scheme}://…@{rest}"
    try:
        parts = urlsplit(address)
        host = parts.hostname or ""
    except ValueError:
        return f"{scheme}://"
    if ":" in host:
        host = f"[{host}]"
    try:
        port = f":{parts.port}" if parts.port else ""
    except ValueError:
        port = ""
    return f"{parts.scheme}://{host}{port}{parts.path}"


def has_hidden_password(address: str) -> bool:
    """Return True if a password with one of the signs / ? # may have ended the host: an @ behind the host instead of
    in it, and a colon before that.
    """
    found = _AT_BEHIND_HOST.search(address)
    return found is not None and ":" in found[1].rpartition("]")[2]


def has_secrets(address: str) -> bool:
    """Whether an address contains secrets (user name, password, query), stored only with consent."""
    try:
        parts = urlsplit(address)
        return bool(parts.username or parts.password or parts.query) or has_hidden_password(address)
    except ValueError:
        return True
