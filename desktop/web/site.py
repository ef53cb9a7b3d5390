"""The output folder: its list has each file's hash; only listed files are replaced or deleted."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from desktop.base.errors import ExportError
from desktop.base.files import read_regular, reason, replace_file
from desktop.base.resources import resource
from desktop.base.wording import sentence
from desktop.web.contents import Contents, plan_of

LIST: Final = "lightloom-files.json"
PLAN: Final = "plan.json"
_MOST_LISTED: Final = 4 << 20
_LARGEST: Final = 64 << 20

Hashes = dict[str, set[str]]
"""Of files by their names in the folder: the contents that were ours."""


class Site:
    """A folder being written; its list of files is written first, so that an aborted run is recognized."""

    def __init__(self, folder: Path) -> None:
        """Inspect the folder. Raises ExportError if it is not one, or has files that no export wrote."""
        self._folder = folder
        self._known: Hashes = {}
        self._written: dict[str, str] = {}
        try:
            # A link to a folder is one, as a server's folder often is; a link to nothing is not made one.
            if (folder.exists() or folder.is_symlink()) and not folder.is_dir():
                raise ExportError(
                    sentence("{folder} is a file; give the name of a folder for the site.", folder=folder)
                )
            if folder.is_dir() and any(folder.iterdir()):
                self._known = self._read_list()
        except (OSError, ValueError) as error:
            raise self._failed(error) from error

    def _failed(self, error: OSError | ValueError) -> ExportError:
        return ExportError(
            sentence(
                "The site {folder} cannot be written: {reason}; check its name and permissions.",
                folder=self._folder,
                reason=reason(error),
            )
        )

    def _read_list(self) -> Hashes:
        path = self._folder / LIST
        if path.is_symlink() or not path.is_file():
            raise ExportError(
                sentence(
                    "{folder} has files in it that are not of an exported site; choose an empty folder or "
                    "a new one.",
                    folder=self._folder,
                )
            )
        try:
            listed = json.loads(read_regular(path, _MOST_LISTED))["files"]
            # Hashes only: '' stands for links and folders, which are never replaced.
            return {str(name): {str(each) for each in hashes if each} for name, hashes in listed.items()}
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
            raise ExportError(
                sentence(
                    "{path} does not list an exported site's files; choose an empty folder or a new one.",
                    path=path,
                )
            ) from error

    def write(self, name: str, data: bytes) -> None:
        """Write a file. Raises ExportError if one of that name is not from an export, OSError on failure."""
        digest = hashlib.sha256(data).hexdigest()
        path = self._folder / name
        if self._written.get(name) == digest:
            return
        there = self._digest(path)
        if there != digest:
            if there is not None and there not in self._known.get(name, ()):
                raise ExportError(
                    sentence(
                        "{path} was not written by an export, or was changed since; move it away, or "
                        "choose another folder.",
                        path=path,
                    )
                )
            self._known.setdefault(name, set()).add(digest)
            self._write_list(self._known)
            path.parent.mkdir(parents=True, exist_ok=True)
            replace_file(path, [data])
        self._known.setdefault(name, set()).add(digest)
        self._written[name] = digest

    def _digest(self, path: Path) -> str | None:
        """Return the hash of a file; None if missing, '' for what an export never makes (link, folder)."""
        inside = [each for each in path.parents if self._folder in each.parents]
        if path.is_symlink() or path.is_dir() or any(each.is_symlink() for each in inside):
            return ""
        if not path.exists():
            return None
        return (
            hashlib.sha256(read_regular(path, _LARGEST)).hexdigest()
            if path.stat().st_size <= _LARGEST
            else ""
        )

    def _write_list(self, files: Hashes) -> None:
        self._folder.mkdir(parents=True, exist_ok=True)
        table = {name: sorted(hashes) for name, hashes in sorted(files.items())}
        text = json.dumps(
            {"about": "Files of this folder that lightloom export-web wrote.", "files": table}, indent=1
        )
        replace_file(self._folder / LIST, [text.encode()])

    def finish(self) -> None:
        """Delete an older export's unchanged files, if not written again; list the rest. Raises OSError."""
        for name in self._known.keys() - self._written.keys():
            path = self._folder / name
            if (
                ".." not in Path(name).parts
                and not Path(name).is_absolute()
                and self._digest(path) in self._known[name]
            ):
                path.unlink()
        self._write_list({name: {digest} for name, digest in self._written.items()})

    def export(self, contents: Contents) -> dict[str, int]:
        """Write a site; return the bytes of each file by its name.

        Raises ExportError if the folder cannot be written, or has such a file from elsewhere, and as
        `plan_of`.
        """
        sizes: dict[str, int] = {}

        def write(name: str, data: bytes) -> None:
            self.write(name, data)
            sizes[name] = len(data)

        try:
            self._export(contents, write)
            self.finish()
        except (OSError, ValueError) as error:
            raise self._failed(error) from error
        return sizes

    @staticmethod
    def _export(contents: Contents, write: Callable[[str, bytes], None]) -> None:
        # The plan goes last of all: a page that is there and finds one finds its pieces too.
        plan: dict[str, Any] = plan_of(contents, write)
        for path in sorted(resource("assets", "web").iterdir()):
            write(path.name, path.read_bytes())
        write("icon.svg", resource("assets", "icons", "lightloom.svg").read_bytes())
        plan["build"] = hashlib.sha256(json.dumps(plan).encode()).hexdigest()[:16]
        write(PLAN, json.dumps(plan, separators=(",", ":")).encode())
