"""Names of this machine alone. What listens there without a token answers to no other: a page in a browser may come by a name that its
own DNS points at 127.0.0.1 (DNS rebinding), and then says that name as Host.
"""

from __future__ import annotations

import ipaddress


def is_loopback(host: str) -> bool:
    """Whether a host, with brackets or without, is 'localhost' or an address that is never routed."""
    name = host.strip("[]")
    if name.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False


def without_port(host: str) -> str:
    """The host of a Host header."""
    return host.partition("]")[0] + "]" if host.startswith("[") else host.partition(":")[0]
