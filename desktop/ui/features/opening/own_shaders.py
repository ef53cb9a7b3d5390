"""The user's own shaders: those of the folder and those that were dropped, followed while they are edited."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, Signal

from desktop.base.errors import FilterError
from desktop.pipeline.engine import Engine
from desktop.pipeline.filters.description import Filter
from desktop.pipeline.filters.header import filter_text
from desktop.ui.kit.messages import Failures, Messages
from desktop.ui.workspace.edits import Edits


class OwnShaders(QObject):
    """Adds the user's shaders to the library and applies changes in their files."""

    filters_changed = Signal()

    def __init__(self, engine: Engine, messages: Messages, edits: Edits, parent: QObject) -> None:
        super().__init__(parent)
        self._engine, self._edits = engine, edits
        self._failures = Failures(messages)
        self.followed: dict[Path, tuple[int, int]] = {}
        """Files outside of the folder, with the state by which changes are detected."""
        self.gone: dict[str, Path] = {}
        """Files, by names of filters, that are not there or are older than the copies in use."""

    def add(self, path: Path) -> None:
        """Import a user's shader from any folder and add it to the chain."""
        item = self.follow(path)
        if item is None:
            self._report_shader_errors()
            return
        self.filters_changed.emit()
        self._edits.add_filter(item.id)

    def follow(self, path: Path) -> Filter | None:
        """Import a shader into the library and watch its file; None if it cannot be used."""
        stamp = _stamp(path)
        item = self._engine.library.add(path)
        # Another file of that name is a copy, or is not used any more.
        self.unfollow(path.stem)
        if stamp is not None:
            self.followed[path] = stamp
        return item

    def follow_origin(self, copy: Path, origin: Path) -> None:
        """Import a copy of a shader; then follow the file that it was made of, if that is the same or newer."""
        name = copy.stem
        self.follow(copy)
        if origin.stem != name or origin == copy:
            return
        if _is_current(origin, copy):
            # Should it be invalid now, the copy stays in use until it is corrected.
            self.follow(origin)
        else:
            self.gone[name] = origin

    @property
    def origins(self) -> dict[str, str]:
        """Return the files of the user's own shaders by the names of their filters."""
        return {path.stem: str(path) for path in self.followed} | {
            name: str(path) for name, path in self.gone.items()
        }

    def unfollow(self, name: str) -> None:
        """Stop following the files of a filter."""
        self.gone.pop(name, None)
        self.followed = {path: stamp for path, stamp in self.followed.items() if path.stem != name}

    def poll(self) -> None:
        """Apply changes in the user's shader folder and in dropped files; called twice a second."""
        changed = list(self._engine.library.refresh())
        for path, stamp in list(self.followed.items()):
            now = _stamp(path)
            if now is not None and now != stamp:
                self.followed[path] = now
                self._engine.library.add(path)
                changed.append(path.stem)
        self._report_shader_errors()
        if changed:
            self._edits.fit_values(set(changed))
            self._engine.filters_changed()
            self.filters_changed.emit()

    def _report_shader_errors(self) -> None:
        failing = {name: str(error) for name, error in self._engine.library.errors.items()}
        self._failures.update({f"shader {name}": text for name, text in failing.items()})


def _is_current(origin: Path, copy: Path) -> bool:
    """Return whether a file has the content of its copy, or is newer."""
    try:
        if origin.stat().st_mtime_ns >= copy.stat().st_mtime_ns:
            return origin.is_file()
        return filter_text(origin) == filter_text(copy)
    except (OSError, FilterError):
        return False


def _stamp(path: Path) -> tuple[int, int] | None:
    try:
        stat = path.stat()
    except OSError:
        return None
    return stat.st_mtime_ns, stat.st_size
