"""What screen readers are told of widgets that are painted here, which Qt can only call "panel" or "border"."""

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
    """Let a widget's class say its role, in an attribute `accessible_role`; once a process."""
    QAccessible.installFactory(_describe)
