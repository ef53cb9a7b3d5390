"""Addresses of networks: `grpc://host:8001/model`, `http://host:8000/v2/models/model`; grpcs, https for TLS.

No larger imports: presets and the window's start test many texts.
"""

from __future__ import annotations

import ipaddress
import re
from dataclasses import dataclass
from typing import Final

from desktop.base.addresses import has_hidden_password
from desktop.base.errors import UsageError
from desktop.base.wording import sentence
from desktop.net.loopback import is_loopback

# Default ports: those of Triton's documentation, and that of HTTPS.
_PORTS: Final = {"grpc": 8001, "grpcs": 443, "http": 8000, "https": 443}
# A path object made from an address has only one of the two slashes; it is accepted too.
_SCHEME: Final = re.compile(r"(grpcs?|https?):/{1,2}(?!/)", re.IGNORECASE)
_HOST: Final = r"(?P<host>\[[0-9A-Fa-f:.]{2,45}\]|[A-Za-z0-9](?:[A-Za-z0-9_.-]{0,251}[A-Za-z0-9])?)"
_NAME: Final = r"[A-Za-z0-9_@+-][A-Za-z0-9_.@+-]{0,127}"
_REST: Final = re.compile(
    rf"{_HOST}(?::(?P<port>[0-9]{{1,5}}))?(?P<prefix>/v2/models)?/(?P<model>{_NAME})(?:/versions/(?P<version>{_NAME}))?/?"
)
_V2: Final = "/v2/models/"
_LONGEST: Final = 600


@dataclass(frozen=True)
class RemoteAddress:
    """Address of a network on a server: 'grpc', 'grpcs', 'http' or 'https', a host in lower case (IPv6
    without brackets), port, name, and version ('' for the server's choice).
    """

    scheme: str
    host: str
    port: int
    model: str
    version: str = ""

    @property
    def server(self) -> str:
        """Host and port, the key of stored tokens."""
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"

    @property
    def uses_grpc(self) -> bool:
        """True for gRPC, False for HTTP."""
        return self.scheme.startswith("grpc")

    @property
    def is_secure(self) -> bool:
        """True over TLS."""
        return self.scheme.endswith("s")

    @property
    def is_loopback(self) -> bool:
        """True if requests do not leave this machine."""
        return is_loopback(self.host)

    @property
    def folder(self) -> str:
        """A folder name for data about this server's networks, valid on any system."""
        return f"{self.host.replace(':', '_')}_{self.port}"

    def __str__(self) -> str:
        """Return the canonical address."""
        version = f"/versions/{self.version}" if self.version else ""
        prefix = "/" if self.uses_grpc else _V2
        return f"{self.scheme}://{self.server}{prefix}{self.model}{version}"


def is_remote(text: str) -> bool:
    """True for a network's address: any gRPC address, and HTTP addresses with the protocol's path."""
    found = _SCHEME.match(text.replace("\\", "/"))
    return found is not None and (found[1].lower().startswith("grpc") or _V2 in text.replace("\\", "/"))


def refuse_address(text: str) -> None:
    """Raise UsageError for a network address where a file is required.

    The error omits the text, which may contain a password.
    """
    if "://" in text:
        raise UsageError(
            sentence(
                "A network's file is needed here, not the address of a network on a server; give its path."
            )
        )


def parse_address(text: str) -> RemoteAddress:
    """Parse an address; raise UsageError if invalid, without the text, which may contain a password."""
    plain = text.strip().replace("\\", "/")
    scheme = _SCHEME.match(plain) if len(plain) <= _LONGEST else None
    if scheme is not None and "@" in plain[scheme.end() :].partition("/")[0]:
        raise UsageError(
            sentence(
                "The address of a network holds a name or a password; leave them out, and keep the token "
                "in the system's key ring."
            )
        )
    rest = _REST.fullmatch(plain[scheme.end() :]) if scheme is not None else None
    # In 'grpc://anna:12/secret@host' the slash is a password's, and no host 'anna' is meant.
    if rest is not None and not rest["prefix"] and has_hidden_password(f"grpc://{rest[0]}"):
        raise UsageError(
            sentence(
                "The address of the network seems to have a user name and a password, since there is an @ behind the "
                "host; remove them, and store the token in the system's key ring. If the @ belongs to the network's "
                "name, write the host as an IP address or with its domain."
            )
        )
    fits = (
        scheme is not None and rest is not None and (rest["prefix"] or scheme[1].lower().startswith("grpc"))
    )
    if scheme is None or rest is None or not fits or not 0 < int(rest["port"] or 1) < 65536:
        raise UsageError(
            sentence(
                "This is no address of a network; write it as grpc://host:8001/model or "
                "http://host:8000/v2/models/model."
            )
        )
    name = scheme[1].lower()
    host = rest["host"].lower().strip("[]")
    if rest["host"].startswith("[") and not _is_ipv6(host):
        raise UsageError(sentence("The host in the address of the network is no IPv6 address; correct it."))
    port = int(rest["port"]) if rest["port"] else _PORTS[name]
    return RemoteAddress(name, host, port, rest["model"], rest["version"] or "")


def _is_ipv6(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).version == 6
    except ValueError:
        return False


def as_named(text: str) -> str:
    """Return an address in canonical form, any other text unchanged; raise UsageError if it is invalid."""
    return str(parse_address(text)) if is_remote(text) else text
