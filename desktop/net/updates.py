"""Check for a newer version: fetch one small file and compare versions; nothing is installed.

The response is only a version number; the download location comes from this program, not from the server.
"""

from __future__ import annotations

import contextlib
import http.client
import json
import sys
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from packaging.version import InvalidVersion, Version

import desktop.base.version as build
from desktop.base.errors import UpdateError
from desktop.base.wording import sentence
from desktop.net.http_client import Failed, HttpClient, Interrupted, RangeGone

_LARGEST: Final = 64 << 10
_STALL_S: Final = 10.0
_DEADLINE_S: Final = 20.0

Channel = Literal["deb", "flatpak", "winget", "brew", "appimage", "other"]


@dataclass(frozen=True)
class UpdateCheck:
    """Result of an update check: the newest version published, and the running one."""

    newest: str
    own: str

    @property
    def is_newer(self) -> bool:
        """True if the published version is newer (PEP 440: 0.10 is newer than 0.9, 1.0 than 1.0rc1)."""
        return Version(self.newest) > Version(self.own)


def check_for_update(
    own: str,
    address: str = "",
    *,
    site: str = build.SITE,
    schemes: tuple[str, ...] = ("https",),
    deadline_s: float = _DEADLINE_S,
) -> UpdateCheck:
    """Fetch the newest version from `address` ('': the site's); raise UpdateError without one or a site.

    Args:
        site: publishes versions; '' for a build without one.
        schemes: allowed schemes, also for redirects.
        deadline_s: seconds after which the request is aborted, even while data arrives.
    """
    if not (address or site):
        raise UpdateError(
            sentence(
                "This build of Lightloom has no update site, so it cannot check for a newer version; look "
                "where you got it from."
            )
        )
    address = address or f"{site}/latest.json"
    client = HttpClient(_STALL_S, schemes)
    # A server that sends a byte now and then never times out.
    deadline = threading.Timer(deadline_s, client.abort)
    deadline.daemon = True
    deadline.start()
    try:
        with contextlib.closing(client.get(address, {"Accept": "application/json"})) as response:
            data = b""
            while len(data) <= _LARGEST and (part := response.read1(_LARGEST + 1 - len(data))):
                data += part
    except (Failed, Interrupted, RangeGone) as error:
        raise _failed(str(error) or "it has gone", site) from error
    except (OSError, http.client.HTTPException) as error:
        raise _failed(sentence("the connection broke off"), site) from error
    finally:
        deadline.cancel()
    return UpdateCheck(_version_in(data, site), own)


def _version_in(data: bytes, site: str) -> str:
    try:
        said = json.loads(data) if len(data) <= _LARGEST else {}
        return str(Version(said["version"]))
    except (ValueError, TypeError, KeyError, RecursionError, InvalidVersion):
        raise _failed(sentence("the answer is no version"), site) from None


def _failed(why: str, site: str) -> UpdateError:
    return UpdateError(
        sentence(
            "Checking for a newer Lightloom failed ({why}); see {site}.",
            why=why,
            site=site or sentence("where you got it from"),
        )
    )


def channel(executable: Path | None = None, root: Path = Path("/")) -> Channel:
    """Return the package manager that updates this copy: the name in `installed-by.txt` beside the program,
    or Homebrew, which may not change what is signed, by its folder.
    """
    if executable is None:
        if not getattr(sys, "frozen", False):
            return "other"
        executable = Path(sys.executable)
    try:
        named = (executable.parent / "installed-by.txt").read_text(encoding="ascii").strip()
    except (OSError, ValueError):
        named = ""
    known: tuple[Channel, ...] = ("deb", "flatpak", "winget", "appimage")
    for name in known:
        if name == named:
            return name
    rooms = (root / "opt/homebrew/Caskroom/lightloom", root / "usr/local/Caskroom/lightloom")
    return "brew" if ".app" in str(executable) and any(room.is_dir() for room in rooms) else "other"
