"""The user's own shaders: those of the folder and those that were dropped, followed while they are edited."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, Signal

from desktop.pipeline.engine import Engine
from desktop.pipeline.filters.description import Filter
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
        self.forget(path.stem)
        if stamp is not None:
            self.followed[path] = stamp
        return item

    def forget(self, name: str) -> None:
        """Watch the files of a filter no more."""
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


def _stamp(path: Path) -> tuple[int, int] | None:
    try:
        stat = path.stat()
    except OSError:
        return None
    return stat.st_mtime_ns, stat.st_size
