"""Names of this machine. Servers without a token answer to no other Host: by DNS rebinding, a page in a
browser may use a name of its own.
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
