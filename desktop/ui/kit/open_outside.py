"""Open files, folders and pages with other programs."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QCoreApplication, QUrl
from PySide6.QtGui import QDesktopServices, QGuiApplication

from desktop.ui.kit.drops import local_path
from desktop.ui.kit.messages import Messages


def open_outside(target: Path | QUrl, messages: Messages) -> None:
    """Open a file, a folder or a page with the system's program for it; if there is none, copy its address to the
    clipboard and report that.
    """
    url = target if isinstance(target, QUrl) else QUrl.fromLocalFile(str(target))
    if QDesktopServices.openUrl(url):
        return
    address = local_path(url) or url.toString()
    QGuiApplication.clipboard().setText(address)
    text = QCoreApplication.translate(
        "OpenOutside", "No program can open {0}; its address was copied to the clipboard."
    )
    messages.post("warning", text.format(address))
