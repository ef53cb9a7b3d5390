"""Handle crashes and hangs: the dialog after a crash, a watchdog over the window's thread, and reports."""

from __future__ import annotations

import contextlib
import logging
import math
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from PySide6.QtCore import QCoreApplication, QEvent, QObject, Qt, QTimer
from PySide6.QtWidgets import QDialog, QFileDialog, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from desktop.base.errors import LightloomError
from desktop.pipeline.setup.preset import save_preset
from desktop.pipeline.setup.setup import without_actions
from desktop.ui.kit import icons
from desktop.ui.kit.jobs import Jobs
from desktop.ui.kit.language import translated
from desktop.ui.kit.widgets import muted
from desktop.ui.shell.session import Crash, WindowSession, stacks_of_threads
from desktop.ui.workspace.outputs import completed
from desktop.ui.workspace.workspace import Workspace

log = logging.getLogger(__name__)

HUNG_S: Final = 5.0
# Longer than a recording may take to finish its file.
_CLOSING_S: Final = 60.0
_BEAT_S: Final = 1.0
_SETTLED_MS: Final = 1000
_PATIENCE_S: Final = 30


def limit_closing(limit_s: float = _CLOSING_S) -> None:
    """End the process with status 1 if it still runs after `limit_s` seconds; log what each thread waits for.

    Covers what closes with the window and the threads that the interpreter joins at its end.
    """

    def end() -> None:
        time.sleep(limit_s)
        log.error(
            "closing has taken %.0f s and is ended; the threads wait here:\n%s", limit_s, stacks_of_threads()
        )
        logging.shutdown()
        os._exit(1)

    threading.Thread(target=end, name="limit of closing", daemon=True).start()


class Watchdog(QObject):
    """Logs the stacks of all threads, once per hang, if the window's thread blocks for `HUNG_S` seconds.

    Paused under modal dialogs, since a native one may block the thread. It restarts if its own thread was not
    scheduled (the machine slept, the process was stopped), and under a debugger.
    """

    def __init__(self, window: QWidget, session: WindowSession, *, hung_s: float = HUNG_S) -> None:
        super().__init__(window)
        self._session, self._hung_s = session, hung_s
        self._beat_s = min(_BEAT_S, hung_s / 5)
        # Inactive before the event loop runs: building the window may take long.
        self._beaten = math.inf
        self._blocked = False
        self._stopped = threading.Event()
        window.installEventFilter(self)
        self._timer = QTimer(self, interval=round(self._beat_s * 1000))
        self._timer.timeout.connect(self._beat)
        self._timer.start()
        self._thread = threading.Thread(target=self._watch, name="watchdog", daemon=True)
        self._thread.start()

    def _beat(self) -> None:
        self._beaten = time.monotonic()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Pause while a modal dialog is open."""
        if event.type() in (QEvent.Type.WindowBlocked, QEvent.Type.WindowUnblocked):
            self._beat()
            self._blocked = event.type() == QEvent.Type.WindowBlocked
        return False

    def stop(self) -> None:
        """Stop watching."""
        self._timer.stop()
        self._stopped.set()
        self._thread.join()

    def _watch(self) -> None:
        looked, hung = time.monotonic(), False
        while not self._stopped.wait(self._beat_s):
            now = time.monotonic()
            slept, looked = now - looked > 3 * self._beat_s + 1.0, now
            if slept and self._beaten < now:
                self._beat()
            silent = now - self._beaten
            if hung and silent < self._hung_s:
                hung = False
                self._session.mark_hung("")
                log.warning("the window answers again")
            elif not hung and silent >= self._hung_s and not self._blocked and sys.gettrace() is None:
                hung = True
                stacks = stacks_of_threads()
                self._session.mark_hung(stacks)
                log.error("the window has not answered for %.0f s\n%s", silent, stacks)


class SetupAutosave(QObject):
    """Saves the setup for a crash report, at once for a new filter or network, which may crash."""

    def __init__(self, workspace: Workspace, session: WindowSession) -> None:
        super().__init__(workspace)
        self._workspace, self._session = workspace, session
        self._saved_parts: object = None
        self._later = QTimer(self, singleShot=True, interval=_SETTLED_MS)
        self._later.timeout.connect(self._autosave)
        workspace.edits.setup_changed.connect(self._changed)

    def _changed(self) -> None:
        setup = self._workspace.edits.setup
        parts = ([s.filter for s in setup.chain.stages], setup.network and setup.network.model)
        if parts != self._saved_parts:
            self._saved_parts = parts
            self._autosave()
        else:
            self._later.start()

    def _autosave(self) -> None:
        path = self._session.setup_file
        if path is not None:
            with contextlib.suppress(LightloomError):
                save_preset(without_actions(self._workspace.edits.setup), self._workspace.library, path)


def offer_report(
    parent: QWidget,
    jobs: Jobs,
    told: Callable[[str, str], None],
    failed: Callable[[str], None],
    *,
    crash: Path | None = None,
    setup: Callable[[Path], None] | None = None,
) -> bool:
    """Ask where to save a report, and write it on a thread; return whether one is being written.

    `told` is called with a message and the path, `failed` with an error message. `setup` writes the current
    preset to a path; `crash` is the folder of a crash's files.
    """
    translate = QCoreApplication.translate
    name = f"Lightloom report {time.strftime('%Y-%m-%d %H.%M')}.zip"
    path, _ = QFileDialog.getSaveFileName(
        parent,
        translate("CrashDialog", "Save a report"),
        str(Path.home() / name),
        translate("CrashDialog", "Zip files (*.zip)"),
    )
    target = completed(path, (".zip",), parent)
    if target is None:
        return False

    def work() -> None:
        from desktop.ui.shell.report import diagnose_apart, write_report

        write_report(target, crash=crash, setup=_setup_text(setup), diagnosis=diagnose_apart())

    jobs.run(
        work,
        lambda _: told(translate("CrashDialog", "Report saved as {0}").format(target), str(target)),
        lambda error: failed(str(error)),
    )
    return True


def _setup_text(save: Callable[[Path], None] | None) -> str:
    if save is None:
        return ""
    import tempfile

    with tempfile.TemporaryDirectory() as folder, contextlib.suppress(LightloomError, OSError):
        path = Path(folder, "setup.toml")
        save(path)
        return path.read_text(encoding="utf-8")
    return ""


class CrashDialog(QDialog):
    """The dialog after a crash; it chooses "Start normally" after half a minute, for unattended computers."""

    def __init__(self, crash: Crash, *, patience_s: int = _PATIENCE_S) -> None:
        super().__init__()
        self.safe = False
        self._crash, self._left = crash, patience_s
        self._jobs = Jobs(self)
        self.setWindowTitle("Lightloom")
        self.setWindowIcon(icons.app_icon())
        layout = QVBoxLayout(self)
        layout.setSpacing(10)
        title = QLabel(self.tr("Lightloom closed unexpectedly last time."))
        title.setObjectName("cardTitle")
        title.setWordWrap(True)
        layout.addWidget(title)
        text = QLabel(
            self.tr(
                "If it happens again, safe mode helps to find out why: it leaves out your own shaders, "
                "starts without a network and "
                "computes without the graphics card."
            )
        )
        text.setWordWrap(True)
        layout.addWidget(text)
        self.note = muted(
            self.tr(
                "A report has the log, a description of this machine, and the current setup. It is saved "
                "where you choose, and never sent."
            )
        )
        layout.addWidget(self.note)
        self.countdown = muted()
        layout.addWidget(self.countdown)
        row = QHBoxLayout()
        self.report = QPushButton(self.tr("Save a report..."))
        self.report.clicked.connect(self._save)
        self.normal = QPushButton(self.tr("Start normally"))
        self.normal.clicked.connect(self.accept)
        self.safely = QPushButton(self.tr("Start in safe mode"))
        self.safely.clicked.connect(self._accept_safe)
        self.normal.setDefault(True)
        row.addWidget(self.report)
        row.addStretch(1)
        row.addWidget(self.normal)
        row.addWidget(self.safely)
        layout.addLayout(row)
        self.setMinimumWidth(520)
        self._timer = QTimer(self, interval=1000)
        self._timer.timeout.connect(self._count)
        self._timer.start()
        self._show_left()
        self.normal.setFocus()

    def _show_left(self) -> None:
        self.countdown.setText(self.tr("Starts normally in %n seconds.", "", self._left))

    def _count(self) -> None:
        self._left -= 1
        self._show_left()
        if self._left <= 0:
            self.accept()

    def event(self, event: QEvent) -> bool:
        """Stop the countdown on user input."""
        if event.type() in (QEvent.Type.KeyPress, QEvent.Type.MouseButtonPress, QEvent.Type.ShortcutOverride):
            self.wait()
        return bool(super().event(event))

    def wait(self) -> None:
        """Stop the countdown."""
        self._timer.stop()
        self.countdown.hide()

    def _accept_safe(self) -> None:
        self.safe = True
        self.accept()

    def _save(self) -> None:
        self.wait()

        def done(text: str) -> None:
            self.note.setText(translated(text))
            for button in (self.report, self.normal, self.safely):
                button.setEnabled(True)

        if offer_report(self, self._jobs, lambda text, _: done(text), done, crash=self._crash.folder):
            self.note.setText(self.tr("Looking at this machine..."))
            for button in (self.report, self.normal, self.safely):
                button.setEnabled(False)

    def reject(self) -> None:
        """Start normally on Escape, but not while a report is being written."""
        if self.report.isEnabled():
            super().reject()

    def done(self, result: int) -> None:
        self._timer.stop()
        self._jobs.close()
        super().done(result)


def offer_recovery(crash: Crash) -> bool:
    """Ask whether to start in safe mode."""
    dialog = CrashDialog(crash)
    dialog.setWindowFlag(Qt.WindowType.WindowContextHelpButtonHint, False)
    dialog.exec()
    return dialog.safe


def start_again(arguments: Sequence[str]) -> None:
    """Start another Lightloom with these arguments; the caller then closes this one."""
    subprocess.Popen(own_program(arguments), start_new_session=True)


def own_program(arguments: Sequence[str]) -> list[str]:
    """Return the command line that runs this Lightloom with these arguments."""
    program = [sys.executable] if getattr(sys, "frozen", False) else [sys.executable, "-P", "-m", "desktop"]
    return [*program, *arguments]
