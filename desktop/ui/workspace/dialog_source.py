"""The source that a dialog is about, for dialogs that stay open while another one may be opened."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject

from desktop.ui.workspace.playback import Playback


class DialogSource(QObject):
    """The source that was open when a dialog began: a playlist may go on to another entry meanwhile.

    An export takes the source that is open when the dialog is accepted, which must be the one that the dialog names.
    """

    def __init__(self, playback: Playback, changed: Callable[[], None], parent: QObject) -> None:
        """Make it; `changed` is called on every change of the playback while another source is open."""
        super().__init__(parent)
        self._playback, self._opened, self._changed = playback, playback.name, changed
        playback.changed.connect(self._follow)

    @property
    def is_outdated(self) -> bool:
        """True if another source than the one that the dialog names is open."""
        return self._playback.name != self._opened

    def _follow(self) -> None:
        if self.is_outdated:
            self._changed()
