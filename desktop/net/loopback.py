"""Names of this machine alone. What listens there without a token answers to no other: a page in a browser
may come by a name that its own DNS points at 127.0.0.1 (DNS rebinding), and then says that name as Host.
"""

from __future__ import annotations

import ipaddress
import re
from typing import Final


def is_loopback(host: str) -> bool:
    """Whether a host, with brackets or without, is 'localhost' or an address that is never routed."""
    name = host[1:-1] if host.startswith("[") and host.endswith("]") else host
    if name.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False


# RFC 9110, 7.2: a host, and a port behind a colon; an IPv6 address stands in brackets.
_HOST: Final = re.compile(r"(\[[0-9A-Fa-f:.]+\]|[^\[\]:/@\s]+)(?::[0-9]*)?")


def without_port(host: str) -> str:
    """Return the host of a Host header; '' for a header that is none, such as '[::1].example'."""
    found = _HOST.fullmatch(host)
    return found.group(1) if found else ""
