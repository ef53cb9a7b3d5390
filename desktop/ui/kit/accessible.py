"""Report accessible roles for custom-painted widgets, which Qt would announce only as "panel" or "border"."""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtGui import QAccessible, QAccessibleInterface
from PySide6.QtWidgets import QAccessibleWidget, QWidget


def _describe(key: str, subject: QObject) -> QAccessibleInterface | None:
    role = getattr(type(subject), "accessible_role", None)
    if role is None or not isinstance(subject, QWidget):
        return None  # Qt knows it
    return QAccessibleWidget(subject, role)


def install() -> None:
    """Install a factory that takes a widget's role from its `accessible_role`; once per process."""
    QAccessible.installFactory(_describe)
