"""The bundled presets and the user's own, with their chains."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from desktop.base.errors import LightloomError
from desktop.base.printable import printable
from desktop.pipeline.chain.spec import ChainSpec
from desktop.pipeline.filters.library import FilterLibrary
from desktop.pipeline.setup.known import bundled_presets, looks, own_presets, preset_title
from desktop.ui.features.library.items import ListedPreset
from desktop.ui.kit.jobs import Jobs
from desktop.ui.kit.language import translated

Stamp = tuple[int, int]


def _stamp(path: Path) -> Stamp | None:
    try:
        stat = path.stat()
    except OSError:
        return None
    return stat.st_mtime_ns, stat.st_size


def _named() -> list[ListedPreset]:
    """Return all presets by the names of their files, which are not read."""
    bundled = [ListedPreset(path.stem, translated(preset_title(path)), path) for path in bundled_presets()]
    return bundled + [
        ListedPreset(str(path), printable(name), path, is_own=True) for name, path in own_presets()
    ]


def _described() -> list[ListedPreset]:
    """Return all presets with their titles and purposes; only changed files are read."""
    return [
        ListedPreset(
            look.name if look.is_bundled else str(look.path),
            translated(look.title),
            look.path,
            translated(look.purpose),
            is_own=not look.is_bundled,
        )
        for look in looks()
    ]


def _read_chains(
    paths: tuple[Path, ...], library: FilterLibrary
) -> dict[Path, tuple[Stamp | None, ChainSpec | None]]:
    # With it comes what knows networks' files, which the first frame does without.
    from desktop.pipeline.setup.bundle import open_preset

    found: dict[Path, tuple[Stamp | None, ChainSpec | None]] = {}
    looks()  # reads titles and purposes here and not on the window's thread
    for path in paths:
        stamp = _stamp(path)
        try:
            found[path] = (stamp, open_preset(path, library).setup.chain)
        except LightloomError:
            found[path] = (stamp, None)  # loading it reports the reason
    return found


class Presets(QObject):
    """Lists presets at once; their chains are read on a thread when previews are to be made.

    Signals:
        changed: there are others, or chains were read.
    """

    changed = Signal()

    def __init__(self, jobs: Jobs, library: FilterLibrary, parent: QObject) -> None:
        super().__init__(parent)
        self._jobs, self._library = jobs, library
        self._chains: dict[Path, tuple[Stamp | None, ChainSpec | None]] = {}
        self._wants_chains = self._is_reading = self._was_read = self._is_listing = False
        self.listed: tuple[ListedPreset, ...] = ()

    def refresh(self) -> None:
        """List the presets again."""
        self._list(_described() if self._was_read else _named())

    def refresh_later(self) -> None:
        """List the presets again on a thread, unless that has begun."""
        if self._is_listing:
            return
        self._is_listing = True

        def take(listed: list[ListedPreset]) -> None:
            self._is_listing = False
            self._list(listed)

        self._jobs.run(_described if self._was_read else _named, take)

    def _list(self, listed: list[ListedPreset]) -> None:
        presets = tuple(replace(each, chain=self._chain_of(each.path)) for each in listed)
        if presets != self.listed:
            self.listed = presets
            self.changed.emit()
        if self._wants_chains:
            self._read()

    def _chain_of(self, path: Path) -> ChainSpec | None:
        return self._chains[path][1] if path in self._chains else None

    def read(self) -> None:
        """Read the chains, now and of all presets that are found later."""
        self._wants_chains = True
        self.refresh()

    def _read(self) -> None:
        missing = tuple(
            each.path
            for each in self.listed
            if each.path not in self._chains or self._chains[each.path][0] != _stamp(each.path)
        )
        if not missing or self._is_reading:
            return
        self._is_reading = True

        def take(found: dict[Path, tuple[Stamp | None, ChainSpec | None]]) -> None:
            self._is_reading, self._was_read = False, True
            self._chains |= found
            self.refresh()

        self._jobs.run(lambda: _read_chains(missing, self._library), take)
