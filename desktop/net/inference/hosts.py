"""Hosts that images may be sent to: an untrusted preset may name a host, but only the user allows it."""

from __future__ import annotations

import itertools
import re
from pathlib import Path
from typing import Final

from desktop.base.errors import LibraryError
from desktop.base.files import read_regular, reason, replace_file
from desktop.base.paths import user_config_folder
from desktop.base.wording import sentence
from desktop.net.inference.address import RemoteAddress

_MOST_BYTES: Final = 1 << 16
_HOST: Final = re.compile(r"[a-z0-9:][a-z0-9_.:-]{0,253}")


class AllowedHosts:
    """The file `hosts.txt`, a host a line, read on every query: another process may have changed it."""

    def __init__(self, path: Path | None = None) -> None:
        self._path = path or user_config_folder() / "hosts.txt"

    def all(self) -> tuple[str, ...]:
        """Return the hosts, in their order; none where the file cannot be read."""
        try:
            return self._read()
        except (OSError, ValueError):
            return ()

    def unreadable(self) -> str:
        """Return what the user has to know of a list that is there and cannot be read; '' for any other."""
        try:
            self._read()
        except FileNotFoundError:
            return ""
        except (OSError, ValueError) as error:
            return sentence(
                "The list of allowed hosts {path} cannot be read ({reason}), so no host receives images; "
                "repair it, or allow a host, which begins a new list.",
                path=self._path,
                reason=_reason_of(error),
            )
        return ""

    def _read(self) -> tuple[str, ...]:
        text = read_regular(self._path, _MOST_BYTES).decode()
        lines = (line.strip().lower() for line in text.splitlines())
        return tuple(dict.fromkeys(line for line in lines if _HOST.fullmatch(line)))

    def allows(self, address: RemoteAddress) -> bool:
        """Tell whether images may be sent there: to this machine always."""
        return address.is_loopback or address.host in self.all()

    def allow(self, host: str) -> str:
        """Allow a host; return '', or a note if the previous list was unreadable and kept under another name.

        Raise LibraryError if the file cannot be written.
        """
        note = ""
        try:
            before = self._read()
        except FileNotFoundError:
            before = ()
        except (OSError, ValueError) as error:
            before, note = (), self._move_aside(error)
        self._write((*(h for h in before if h != host), host))
        return note

    def _move_aside(self, error: OSError | ValueError) -> str:
        names = (self._path.with_name(f"{self._path.name}.unreadable{n or ''}") for n in itertools.count())
        kept = next(path for path in names if not path.exists())
        try:
            self._path.rename(kept)
        except OSError as failed:
            raise self._unwritable(failed) from failed
        return sentence(
            "The list of allowed hosts {path} cannot be read ({reason}) and is kept as {name}; hosts that "
            "were in it are asked about anew.",
            path=self._path,
            reason=_reason_of(error),
            name=kept.name,
        )

    def remove(self, host: str) -> None:
        """Disallow a host; raise LibraryError if the file cannot be written, or read (then left as it is)."""
        if unreadable := self.unreadable():
            raise LibraryError(unreadable)
        self._write(tuple(h for h in self.all() if h != host))

    def _write(self, hosts: tuple[str, ...]) -> None:
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            replace_file(self._path, ["".join(f"{host}\n" for host in hosts).encode()])
        except OSError as error:
            raise self._unwritable(error) from error

    def _unwritable(self, error: OSError) -> LibraryError:
        return LibraryError(
            sentence(
                "The list of allowed hosts {path} cannot be written: {reason}; check that its folder can "
                "be written to.",
                path=self._path,
                reason=reason(error),
            )
        )


def _reason_of(error: OSError | ValueError) -> str:
    return sentence("it is not UTF-8 text") if isinstance(error, ValueError) else reason(error)
