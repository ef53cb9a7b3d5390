"""Listening address of the metrics server: 'HOST:PORT', as users write it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from desktop.base.errors import UsageError
from desktop.base.wording import sentence

LOOPBACK: Final = "127.0.0.1"


@dataclass(frozen=True)
class Address:
    """A listening address. `port` 0 chooses a free one."""

    host: str
    port: int

    @classmethod
    def of(cls, text: str) -> Address:
        """Parse a host and port such as '127.0.0.1:9464' or '[::1]:9464', by default on loopback.

        Raises UsageError if it is invalid.
        """
        port = text.removeprefix(":")
        if port.isascii() and port.isdecimal() and len(port) <= 5 and int(port) < 65536:
            return cls(LOOPBACK, int(port))
        try:
            parts = urlsplit(f"//{text}")
            # `port` raises ValueError for an invalid port.
            host, number = parts.hostname, parts.port
        except ValueError:
            host = number = None
        if not host or number is None or parts.netloc != text or "@" in text or not host.isprintable():
            raise UsageError(
                sentence(
                    "'{text}' is no address to serve metrics at; write a host and a port from 0 to 65535, "
                    "such as 127.0.0.1:9464.",
                    text=text[:80],
                )
            )
        return cls(host, number)

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"
