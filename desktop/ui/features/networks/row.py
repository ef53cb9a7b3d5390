"""A network's row on the page of networks."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QKeyEvent,
    QMouseEvent,
)
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QProgressBar,
    QPushButton,
    QVBoxLayout,
)

from desktop.ui.features.networks.items import Item, task_title
from desktop.ui.forms.card import Card
from desktop.ui.kit.language import translated
from desktop.ui.kit.widgets import (
    IconButton,
    IconLabel,
    SideOrBelow,
    Themed,
    WrappedLabel,
)
from desktop.vision.models.library.access import DownloadProgress
from desktop.vision.models.library.store import format_size


class ModelRow(Card):
    """A network in the list. `asked` has a command ('use', 'download', ...), `stepped` moves the focus."""

    asked = Signal(str)
    stepped = Signal(int)

    def __init__(self, item: Item, themed: Themed) -> None:
        super().__init__()
        self.item = item
        self.running = False
        layout = QVBoxLayout(self)
        layout.setContentsMargins(7, 5, 4, 5)
        layout.setSpacing(2)
        head = QHBoxLayout()
        head.setSpacing(6)
        self._used = IconLabel(themed, "check", role="accent")
        self.title = WrappedLabel()
        self.title.setObjectName("cardTitle")
        self.use = QPushButton(self.tr("Use"))
        self.use.setObjectName("rowButton")
        self.use.clicked.connect(lambda: self.asked.emit("use"))
        # An icon while there is no file: it fits beside the title, where a text does not.
        self.fetch = IconButton(themed, "download", "")
        self.fetch.clicked.connect(lambda: self.asked.emit(self.main_action))
        self.pause = IconButton(themed, "pause", "")
        self.pause.clicked.connect(lambda: self.asked.emit("pause"))
        self.cancel = IconButton(themed, "close", "")
        self.cancel.clicked.connect(lambda: self.asked.emit("cancel" if self.running else "discard"))
        self.more = IconButton(themed, "more", "")
        self.more.clicked.connect(lambda: self.asked.emit("menu"))
        for widget in (self._used, self.title, self.fetch, self.pause, self.cancel, self.more):
            head.addWidget(widget)
        head.setStretch(1, 1)
        layout.addLayout(head)
        self.note = WrappedLabel()
        self.note.setObjectName("muted")
        layout.addWidget(SideOrBelow(self.note, self.use, align=Qt.AlignmentFlag.AlignRight))
        self.bar = QProgressBar()
        self.bar.setTextVisible(False)
        self.bar.setAccessibleName(self.tr("Share that has arrived"))
        self.bar.setRange(0, 1000)
        layout.addWidget(self.bar)
        self.error = QLabel()
        self.error.setObjectName("errorText")
        self.error.setWordWrap(True)
        self.error.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.error.hide()
        layout.addWidget(self.error)
        self._in_use = self._replaces = False
        self._progress: DownloadProgress | None = None
        self.update_item(item)

    @property
    def main_action(self) -> str:
        """The action of the button and Enter: 'use', 'download', or 'remove' for a missing file."""
        if self.item.state == "ready":
            return "use"
        return "download" if self.item.entry is not None else "remove"

    def update_item(self, item: Item) -> None:
        """Show another state of the same network."""
        self.item = item
        self._show()

    def set_in_use(self, on: bool) -> None:
        """Mark it as the one, or one of those, that run now."""
        if on != self._in_use:
            self._in_use = on
            self._show()

    def set_replaces(self, on: bool) -> None:
        """Show that using it replaces another network of the same task."""
        if on != self._replaces:
            self._replaces = on
            self._show()

    def set_running(self, running: bool, progress: DownloadProgress | None = None) -> None:
        """Show a download's progress, or none."""
        self.running, self._progress = running, progress
        if running:
            self.set_error("")
        self._show()

    def set_error(self, text: str) -> None:
        """Show why something did not work; '' for nothing."""
        self.error.setText(translated(text))
        self.error.setVisible(bool(text))
        self.mark("failed", bool(text))

    def _show(self) -> None:
        item = self.item
        self._used.setVisible(self._in_use)
        self.title.setText(item.title)
        self.title.setToolTip(item.help)
        self.setToolTip(item.help)
        partial_here = item.state == "partial" and not self.running
        action = self.main_action
        self.use.setVisible(action == "use")
        self.use.setText(self.tr("Replace") if self._replaces else self.tr("Use"))
        self.fetch.setVisible(action != "use" and not self.running)
        self.fetch.set_icon("download" if action == "download" else "trash")
        self.pause.setVisible(self.running)
        self.cancel.setVisible(self.running or partial_here)
        self.more.setVisible(not self.running and not partial_here)
        fetch = self.tr("Resume the download of {0}") if partial_here else self.tr("Download {0}")
        for button, words in (
            (
                self.use,
                self.tr("Replace the network in use by {0}") if self._replaces else self.tr("Use {0}"),
            ),
            (self.fetch, fetch if action == "download" else self.tr("Remove {0} from the list")),
            (self.pause, self.tr("Pause the download of {0}")),
            (self.cancel, self.tr("Cancel the download of {0} and delete what has arrived")),
            (self.more, self.tr("More about {0}")),
        ):
            button.setAccessibleName(words.format(item.title))
            button.setToolTip(words.format(item.title))
        self.note.setText(" · ".join(part for part in self._notes() if part))
        self.setAccessibleName(f"{item.title}, {self.note.plain}")
        self.bar.setVisible(self.running or partial_here)
        done = self._progress.done if self._progress is not None else item.done
        if item.entry is not None:
            self.bar.setValue(round(1000 * done / item.entry.size))

    def _notes(self) -> tuple[str, ...]:
        item, progress = self.item, self._progress
        if self.running and item.entry is not None:
            done = progress.done if progress is not None else item.done
            rate = self.tr("{0}/s").format(format_size(progress.rate)) if progress and progress.rate else ""
            of = self.tr("{0} of {1}").format(format_size(done), format_size(item.entry.size))
            return (of, rate)  # the share is what the bar shows
        if item.section == "recent":
            gone = item.state == "missing"
            return (self.tr("missing") if gone else "", str(Path(item.key).parent))
        state = {"partial": self.tr("interrupted"), "damaged": self.tr("damaged")}.get(item.state, "")
        return (state, task_title(item.task), item.note)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter uses or downloads, Delete removes, Escape pauses, Up and Down walk."""
        match event.key():
            case Qt.Key.Key_Return | Qt.Key.Key_Enter:
                self.asked.emit("pause" if self.running else self.main_action)
            case Qt.Key.Key_Delete | Qt.Key.Key_Backspace:
                self.asked.emit("cancel" if self.running else "remove")
            case Qt.Key.Key_Escape if self.running:
                self.asked.emit("pause")
            case Qt.Key.Key_Up:
                self.stepped.emit(-1)
            case Qt.Key.Key_Down:
                self.stepped.emit(1)
            case _:
                super().keyPressEvent(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Trigger the button's action."""
        if not self.running and event.button() == Qt.MouseButton.LeftButton:
            self.asked.emit(self.main_action)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """The right button and the menu key open the menu."""
        self.asked.emit("menu")
