"""The window shown if no graphics adapter can be opened: the reason, drivers to install, a retry."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Sequence
from typing import Final

from PySide6.QtCore import QCoreApplication, Qt, QTimer, Signal
from PySide6.QtGui import QFont, QGuiApplication, QKeyEvent
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from desktop.base.wording import sentence
from desktop.ui.kit import icons
from desktop.ui.kit.jobs import Jobs
from desktop.ui.kit.language import translated
from desktop.ui.kit.widgets import muted
from desktop.ui.shell.safety import own_program

_WIDTH: Final = 620
_TICK_MS: Final = 200
_NOTHING: Final = subprocess.DEVNULL
# A CPU driver is enough where the graphics card has none: system, command.
_INSTALLS: Final = (
    ("Debian, Ubuntu", "sudo apt install mesa-vulkan-drivers"),
    ("Fedora", "sudo dnf install mesa-vulkan-drivers"),
    ("Arch", "sudo pacman -S vulkan-swrast"),
    ("openSUSE", "sudo zypper install libvulkan_lvp"),
)
_ELSEWHERE: Final = {
    "win32": sentence(
        "Install the newest driver of the graphics card's maker (NVIDIA, AMD, Intel), and Windows' updates."
    ),
    "darwin": sentence("Lightloom needs Metal, which macOS 11 and later have; install macOS' updates."),
}


class NoAdapterWindow(QWidget):
    """Shown instead of the main window. A retry runs in a child process: WebGPU lists drivers once."""

    found = Signal()

    def __init__(
        self,
        why: str,
        diagnose: Callable[[], str],
        *,
        arguments: Sequence[str] = ("devices",),
        system: str = sys.platform,
    ) -> None:
        """Build it; `why` is the error from opening the adapter.

        `diagnose` returns the report of `lightloom doctor`, on a thread. The exit status of the program run
        with `arguments` reports whether there is an adapter.
        """
        super().__init__()
        self._diagnose, self._arguments = diagnose, list(arguments)
        self._jobs = Jobs(self)
        self._trial: subprocess.Popen[bytes] | None = None
        self.setWindowTitle("Lightloom")
        self.setWindowIcon(icons.app_icon())
        layout = QVBoxLayout(self)
        layout.setContentsMargins(28, 24, 28, 24)
        layout.setSpacing(12)
        self._add_head(layout, why)
        self._add_installs(layout, system)
        self.note = muted()
        self.note.setWordWrap(True)
        layout.addStretch(1)
        layout.addWidget(self.note)
        self._add_buttons(layout)
        self.setMinimumWidth(_WIDTH)
        self.again.setFocus()

    def _add_head(self, layout: QVBoxLayout, why: str) -> None:
        row = QHBoxLayout()
        row.setSpacing(14)
        mark = QLabel()
        mark.setPixmap(icons.pixmap("lightloom", "#000000", 48, self.devicePixelRatioF()))
        row.addWidget(mark)
        title = QLabel(self.tr("No graphics adapter can be used"))
        title.setObjectName("title")
        title.setWordWrap(True)
        row.addWidget(title, 1)
        layout.addLayout(row)
        self.why = QLabel(translated(why))
        self.why.setWordWrap(True)
        self.why.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        layout.addWidget(self.why)

    def _add_installs(self, layout: QVBoxLayout, system: str) -> None:
        elsewhere = _ELSEWHERE.get(system)
        self.installs = muted(
            translated(elsewhere)
            if elsewhere is not None
            else self.tr(
                "A graphics card needs its maker's Vulkan driver. Without a card, this package lets the "
                "CPU do its work:"
            )
        )
        self.installs.setWordWrap(True)
        layout.addWidget(self.installs)
        if elsewhere is not None:
            return
        grid = QGridLayout()
        grid.setHorizontalSpacing(16)
        grid.setColumnStretch(1, 1)
        for row, (name, command) in enumerate(_INSTALLS):
            words = QLabel(command)
            words.setFont(_fixed(words.font()))
            words.setAccessibleName(f"{name}: {command}")
            words.setTextInteractionFlags(
                Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
            )
            grid.addWidget(muted(name), row, 0)
            grid.addWidget(words, row, 1)
        layout.addLayout(grid)

    def _add_buttons(self, layout: QVBoxLayout) -> None:
        self.copy = QPushButton(self.tr("Copy diagnostics"))
        self.copy.clicked.connect(self._copy)
        self.quit = QPushButton(self.tr("Quit"))
        self.quit.clicked.connect(self.close)
        self.again = QPushButton(self.tr("Try again"))
        self.again.setObjectName("primary")
        self.again.setDefault(True)
        self.again.clicked.connect(self.try_again)
        row = QHBoxLayout()
        row.addWidget(self.copy)
        row.addStretch(1)
        row.addWidget(self.quit)
        row.addWidget(self.again)
        layout.addLayout(row)

    def try_again(self) -> None:
        """Check whether an adapter can be opened now."""
        self.again.setEnabled(False)
        self.note.setText(self.tr("Looking for an adapter..."))
        self._jobs.run(self._run_trial, self._tried, lambda error: self._tried(error))

    def _run_trial(self) -> int:
        self._trial = subprocess.Popen(
            own_program(self._arguments), stdin=_NOTHING, stdout=_NOTHING, stderr=_NOTHING
        )
        return self._trial.wait()

    def _tried(self, status: object) -> None:
        self._trial = None
        self.again.setEnabled(True)
        self.again.setFocus()
        if status == 0:
            self.note.setText(self.tr("Starting..."))
            self.found.emit()
        else:
            self.note.setText(self.tr("No graphics adapter can be opened yet."))

    def _copy(self) -> None:
        self.note.setText(self.tr("Looking at this machine..."))

        def done(text: str) -> None:
            QGuiApplication.clipboard().setText(text)
            self.note.setText(self.tr("The diagnostics are in the clipboard."))

        self._jobs.run(self._diagnose, done, lambda error: self.note.setText(translated(str(error))))

    def shutdown(self) -> None:
        """Stop background work."""
        trial, self._trial = self._trial, None
        if trial is not None:
            trial.kill()
        self._jobs.close()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """See QWidget; Enter presses the button that has the focus, or tries again."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.again.isEnabled():
            focus = self.focusWidget()
            (focus if isinstance(focus, QPushButton) else self.again).click()
        elif event.key() == Qt.Key.Key_Escape:
            self.close()
        else:
            super().keyPressEvent(event)


def _fixed(font: QFont) -> QFont:
    fixed = QFont(font)
    fixed.setFamilies(["monospace"])
    fixed.setStyleHint(QFont.StyleHint.Monospace)
    return fixed


def show_no_adapter(why: str, diagnose: Callable[[], str], restart: Callable[[], None]) -> None:
    """Show the window until it is closed; call `restart` when an adapter is available."""
    window = NoAdapterWindow(why, diagnose)

    def start() -> None:
        restart()
        window.close()

    window.found.connect(start)
    # Handlers of signals are Python's, which only runs when something of it is called.
    tick = QTimer(window)
    tick.timeout.connect(lambda: None)
    tick.start(_TICK_MS)
    window.show()
    window.activateWindow()
    app = QCoreApplication.instance()
    assert app is not None
    app.exec()
    window.shutdown()
