"""Download settings and progress of the model library, without importing the HTTP client."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import quote

from desktop.base.errors import DownloadError
from desktop.base.wording import sentence
from desktop.vision.models.library.catalogue import Entry, is_address


@dataclass(frozen=True)
class Access:
    """Settings of the model library's downloads.

    Attributes:
        mirror: base address of the files, used instead of the catalogue's addresses; '' for those.
        connections: concurrent requests for a large file.
        stall_s: seconds without data after which a connection is given up.
        attempts, backoff_s: failures until an address is given up; wait after the first, then doubled.
    """

    offline: bool = False
    mirror: str = ""
    connections: int = 4
    stall_s: float = 30.0
    attempts: int = 5
    backoff_s: float = 0.5

    def addresses(self, entry: Entry) -> tuple[str, ...]:
        """Return the addresses of an entry's file; raise DownloadError if the mirror is invalid."""
        if not self.mirror:
            return entry.addresses
        if not is_address(self.mirror, ("http", "https")):
            raise DownloadError(
                sentence(
                    "The mirror '{mirror}' is not an http or https address; correct or clear it.",
                    mirror=self.mirror,
                )
            )
        return (f"{self.mirror.rstrip('/')}/{quote(entry.file_name)}",)

    @property
    def schemes(self) -> tuple[str, ...]:
        """Allowed schemes: https, and http if the user's mirror uses it."""
        return ("https", "http") if self.mirror.lower().startswith("http:") else ("https",)


@dataclass(frozen=True)
class DownloadProgress:
    """Progress of a download: bytes on disk, bytes in all, and bytes a second over the last five seconds."""

    done: int
    total: int
    rate: float = 0.0
