"""Access control of the server: the token, restrictions on web pages, and the certificate.

On loopback there is no token by default: every local program may use the server. Web pages may not: they are
recognized by their Origin, or by a Host name that their own DNS resolves to 127.0.0.1.
"""

from __future__ import annotations

import hmac
import ssl
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from desktop.base.errors import ServingError, UsageError
from desktop.base.files import read_regular, reason
from desktop.net.loopback import is_loopback, without_port

_LARGEST: Final = 1 << 16
_SHORTEST: Final = 16


@dataclass(frozen=True)
class Access:
    """Attributes: token: what a client must present, '' for none. local: only local host names."""

    token: str = field(default="", repr=False)
    local: bool = True

    def check(self, authorization: str) -> None:
        """Compare a client's `Authorization` with the token, in constant time. Raises ServingError."""
        scheme, _, given = authorization.partition(" ")
        right = hmac.compare_digest(given.strip().encode("utf-8", "replace"), self.token.encode())
        if self.token and not (right and scheme.lower() == "bearer"):
            raise ServingError("denied", "This server wants a token: Authorization: Bearer TOKEN.")

    def check_page(self, origin: str | None, host: str) -> None:
        """Raise ServingError for a request from a web page: with an origin, or a foreign host name."""
        if origin is not None:
            raise ServingError("forbidden", "Pages in browsers get no answer from this server.")
        if self.local and not self.token and not is_loopback(without_port(host)):
            raise ServingError("forbidden", "This server answers to the names of this machine alone.")


@dataclass(frozen=True)
class Certificate:
    """Attributes: chain, key: PEM, as bytes."""

    chain: bytes
    key: bytes = field(repr=False)
    context: ssl.SSLContext = field(repr=False, compare=False)


def read_token(path: Path) -> str:
    """Read a token, a file's first line. Raises UsageError, also below 16 characters or if not ASCII."""
    lines = _read(path, "token").splitlines()
    token = lines[0].strip() if lines else b""
    if len(token) < _SHORTEST or not all(32 < byte < 127 for byte in token):
        raise UsageError(
            f"The token in {path} is no line of at least {_SHORTEST} letters and digits; "
            "python -c 'import secrets; print(secrets.token_urlsafe(32))' makes one."
        )
    return token.decode("ascii")


def read_certificate(chain: Path, key: Path) -> Certificate:
    """Read a certificate and its key. Raises UsageError if one is unreadable or they do not match."""
    texts = _read(chain, "certificate"), _read(key, "key")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    try:
        # An explicit password, or OpenSSL would ask for one on the terminal.
        context.load_cert_chain(chain, key, password="")
    except (ssl.SSLError, OSError, ValueError) as error:
        raise UsageError(
            f"{chain} and {key} are not a certificate and its key, both as PEM and the key without a "
            f"password ({error})."
        ) from error
    return Certificate(*texts, context)


def _read(path: Path, what: str) -> bytes:
    try:
        return read_regular(path, _LARGEST)
    except (OSError, ValueError) as error:
        raise UsageError(f"The {what} {path} cannot be read: {reason(error)}.") from error
