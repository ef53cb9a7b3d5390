"""Listening address of the metrics server: 'HOST:PORT', as users write it."""

from __future__ import annotations

from dataclasses import dataclass

from desktop.base.addresses import split_endpoint
from desktop.base.errors import UsageError
from desktop.base.wording import sentence


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
        try:
            return cls(*split_endpoint(text))
        except ValueError:
            raise UsageError(
                sentence(
                    "'{text}' is no address to serve metrics at; write a host and a port from 0 to 65535, "
                    "such as 127.0.0.1:9464.",
                    text=text[:80],
                )
            ) from None

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"
