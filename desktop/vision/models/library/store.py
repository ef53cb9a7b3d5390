"""The folder of downloaded networks: the state of the catalogue's files, downloads and removal."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from desktop.base.errors import LibraryError
from desktop.base.files import reason
from desktop.base.wording import sentence
from desktop.vision.models.library.access import Access, DownloadProgress
from desktop.vision.models.library.catalogue import Entry, read_catalogue
from desktop.vision.models.library.checksum import sha256_of
from desktop.vision.models.library.parts import load_partial
from desktop.vision.models.settings import labels_path, write_labels, write_settings
from desktop.vision.models.sidecar import sidecar_path

if TYPE_CHECKING:
    from desktop.vision.models.library.download import Download

State = Literal["missing", "partial", "ready", "damaged"]


@dataclass(frozen=True)
class Holding:
    """State of an entry's file: 'missing', 'partial', 'ready' or 'damaged' (wrong size); and its bytes."""

    state: State
    done: int = 0


class ModelStore:
    """The catalogue's networks in one folder, which is made when it is needed."""

    def __init__(self, folder: Path, catalogue: Mapping[str, Entry] | None = None) -> None:
        self.folder = folder
        self.catalogue = read_catalogue() if catalogue is None else catalogue

    def find(self, name: str) -> Entry:
        """Return an entry by its id; raise LibraryError if there is none."""
        if name not in self.catalogue:
            raise LibraryError(
                sentence(
                    "The catalogue has no network '{name}'; 'lightloom models list' shows what there is.",
                    name=name[:100],
                )
            )
        return self.catalogue[name]

    def path(self, entry: Entry) -> Path:
        """Return where an entry's file is, or would be."""
        return self.folder / entry.file_name

    def holding(self, entry: Entry) -> Holding:
        """Return the state of an entry's file, without comparing its checksum (`verify`)."""
        path = self.path(entry)
        try:
            size = path.stat().st_size if path.is_file() else -1
        except OSError:
            size = -1
        if size == entry.size:
            return Holding("ready", size)
        if size >= 0:
            return Holding("damaged", size)
        left = load_partial(self.folder / f"{entry.file_name}.part.json", entry.sha256, entry.size)
        return Holding("partial", left.done) if left is not None and left.done else Holding("missing")

    def download(
        self, entry: Entry, access: Access, on_progress: Callable[[DownloadProgress], None] = lambda _: None
    ) -> Download:
        """Return an entry's download, not yet begun; `finish` belongs after it."""
        # Imported here: http and ssl take 70 ms on a slow core, which the window's start does not wait for.
        from desktop.vision.models.library.download import Download

        return Download(entry, self.folder, access, on_progress)

    def finish(self, entry: Entry) -> Path:
        """Write a network's sidecar unless there is one; return its path; raise LibraryError if it fails."""
        path = self.path(entry)
        if entry.settings and not sidecar_path(path).exists():
            write_settings(path, {name: dict(table) for name, table in entry.settings.items()})
        if entry.labels and not labels_path(path).exists():
            write_labels(path, entry.labels)
        return path

    def verify(self, entry: Entry) -> None:
        """Verify an entry's checksum; raise LibraryError if the file is missing, unreadable or differs."""
        path = self.path(entry)
        try:
            found = sha256_of(path)
        except FileNotFoundError as error:
            raise LibraryError(
                sentence(
                    "{title} is not in {folder}; download it with 'lightloom models get {entry_id}'.",
                    title=entry.title,
                    folder=self.folder,
                    entry_id=entry.id,
                )
            ) from error
        except OSError as error:
            raise LibraryError(
                sentence(
                    "{path} cannot be read ({reason}); look after its permissions.",
                    path=path,
                    reason=reason(error),
                )
            ) from error
        if found != entry.sha256:
            raise LibraryError(
                sentence(
                    "{path} is not the file that the catalogue names (its checksum is another one); remove "
                    "it and "
                    "download it again.",
                    path=path,
                )
            )

    def discard(self, entry: Entry) -> None:
        """Delete the files of an interrupted download; raise LibraryError if one cannot be deleted."""
        part = self.folder / f"{entry.file_name}.part"
        self._delete(entry, part, part.with_name(f"{part.name}.json"))

    def remove(self, entry: Entry) -> None:
        """Delete an entry's file, partial download and sidecars; raise LibraryError if it fails."""
        self.discard(entry)
        path = self.path(entry)
        self._delete(entry, path, sidecar_path(path), labels_path(path))

    def _delete(self, entry: Entry, *files: Path) -> None:
        try:
            for file in files:
                file.unlink(missing_ok=True)
        except OSError as error:
            raise LibraryError(
                sentence(
                    "{title} cannot be removed from {folder} ({reason}); look after its permissions.",
                    title=entry.title,
                    folder=self.folder,
                    reason=reason(error),
                )
            ) from error


def format_size(count: float) -> str:
    """Return '2.7 KB', '14.0 MB': decimal units, as in file managers."""
    for unit in ("B", "KB", "MB"):
        if count < 1000:
            return f"{count:.0f} {unit}" if unit == "B" else f"{count:.1f} {unit}"
        count /= 1000
    return f"{count:.1f} GB"
