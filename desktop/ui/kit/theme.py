"""Two themes: colors by role, a Qt palette and a small style sheet made of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QFont, QGuiApplication, QPalette
from PySide6.QtWidgets import (
    QApplication,
    QLabel,
    QProxyStyle,
    QStyle,
    QStyleHintReturn,
    QStyleOption,
    QWidget,
)

from desktop.base.resources import resource

VIEWER: Final = (0.055, 0.058, 0.066)
"""Background around the video, R'G'B' in 0..1: dark in both themes, so that it does not dazzle."""


@dataclass(frozen=True)
class Theme:
    """Colors by purpose. Contrast (WCAG 2.1, 1.4.3 and 1.4.11): text 4.5:1 or more, `outline` 3:1."""

    name: str
    ground: str
    panel: str
    raised: str
    hover: str
    line: str
    outline: str
    text: str
    muted: str
    accent: str
    accent_text: str
    selected: str
    error: str
    error_ground: str
    warning: str


DARK = Theme(
    name="dark",
    ground="#141518",
    panel="#1b1d21",
    raised="#25282e",
    hover="#2f333b",
    line="#33373f",
    outline="#7d8690",
    text="#e7e9ec",
    muted="#9aa2ad",
    accent="#46b8a6",
    accent_text="#06211d",
    selected="#1b3d38",
    error="#ff8a80",
    error_ground="#3a1f20",
    warning="#e8b45a",
)
LIGHT = Theme(
    name="light",
    ground="#e9ebee",
    panel="#f6f7f8",
    raised="#ffffff",
    hover="#e4e8ec",
    line="#cdd2d9",
    outline="#6f7884",
    text="#1a1d21",
    muted="#59626e",
    accent="#0f766e",
    accent_text="#ffffff",
    selected="#cdebe6",
    error="#b3261e",
    error_ground="#fbe4e2",
    warning="#8a5a00",
)


def resolve(name: str) -> Theme:
    """Return a theme by name; 'system' follows the desktop's setting, dark if it has none."""
    if name == "light":
        return LIGHT
    if name == "dark":
        return DARK
    from PySide6.QtCore import Qt

    light = QGuiApplication.styleHints().colorScheme() == Qt.ColorScheme.Light
    return LIGHT if light else DARK


_SMALL: Final = 0.85
_LARGE: Final = 1.25


def large_font(font: QFont) -> QFont:
    """Return a font in the largest of the three sizes: small, that of the system, large."""
    large = QFont(font)
    large.setPointSizeF(QGuiApplication.font().pointSizeF() * _LARGE)
    return large


def _palette(theme: Theme) -> QPalette:
    palette = QPalette()
    role = QPalette.ColorRole
    colors = {
        role.Window: theme.panel,
        role.WindowText: theme.text,
        role.Base: theme.raised,
        role.AlternateBase: theme.panel,
        role.Text: theme.text,
        role.Button: theme.raised,
        role.ButtonText: theme.text,
        role.BrightText: theme.text,
        role.ToolTipBase: theme.raised,
        role.ToolTipText: theme.text,
        role.PlaceholderText: theme.muted,
        role.Highlight: theme.accent,
        role.HighlightedText: theme.accent_text,
        role.Link: theme.accent,
        role.Light: theme.hover,
        role.Midlight: theme.hover,
        role.Mid: theme.line,
        role.Dark: theme.line,
        role.Shadow: theme.ground,
    }
    for which, color in colors.items():
        palette.setColor(which, QColor(color))
    group = QPalette.ColorGroup.Disabled
    disabled = QColor(theme.muted)
    disabled.setAlphaF(0.55)
    for which in (role.WindowText, role.Text, role.ButtonText, role.HighlightedText):
        palette.setColor(group, which, disabled)
    return palette


class _PlainTexts(QProxyStyle):
    """Shows labels, tool tips and message boxes as plain text, since names in them are untrusted.

    Not a label class of our own: tool tips and message boxes would not use it.
    """

    def __init__(self) -> None:
        super().__init__("Fusion")

    def polish(self, thing: Any) -> Any:
        if isinstance(thing, QLabel) and thing.textFormat() == Qt.TextFormat.AutoText:
            thing.setTextFormat(Qt.TextFormat.PlainText)
        return super().polish(thing)


class _Still(_PlainTexts):
    """Without Qt's animations, of docks and tabs for example. A style of its own, since hints by Python are slow."""

    def styleHint(
        self,
        hint: QStyle.StyleHint,
        option: QStyleOption | None = None,
        widget: QWidget | None = None,
        returned: QStyleHintReturn | None = None,
    ) -> int:
        if hint in (QStyle.StyleHint.SH_Widget_Animate, QStyle.StyleHint.SH_Widget_Animation_Duration):
            return 0
        return super().styleHint(hint, option, widget, returned)


def apply(app: QApplication, theme: Theme, *, is_still: bool = False) -> None:
    """Dress the whole application; `is_still`: without animations."""
    app.setStyle(_Still() if is_still else _PlainTexts())
    app.setPalette(_palette(theme))
    app.setStyleSheet(_sheet(theme))


def _sheet(t: Theme) -> str:
    arrow = resource("assets", "icons", "combo_arrow.svg").as_posix()
    # Sort arrow, left of the titles: on the right it would cover the last letter of all but the first.
    arrow_up = resource("assets", "icons", "combo_arrow_up.svg").as_posix()
    base = QGuiApplication.font().pointSizeF()
    check = resource("assets", "icons", f"check_on_{t.name}.svg").as_posix()
    return f"""
QMainWindow, QDialog {{ background: {t.ground}; }}
QMainWindow::separator {{ background: {t.ground}; width: 4px; height: 4px; }}
QMainWindow::separator:hover {{ background: {t.accent}; }}
QDockWidget {{ color: {t.muted}; }}
#preview {{ background: {t.raised}; border: 1px solid {t.line}; }}
QToolTip {{ background: {t.raised}; color: {t.text}; border: 1px solid {t.line}; padding: 4px 6px; }}
QMenuBar {{ background: {t.ground}; color: {t.text}; padding: 2px 4px; }}
QMenuBar::item {{ padding: 4px 9px; border-radius: 4px; background: transparent; }}
QMenuBar::item:selected {{ background: {t.hover}; }}
QMenu {{ background: {t.raised}; color: {t.text}; border: 1px solid {t.line}; padding: 4px; }}
QMenu::item {{ padding: 5px 22px 5px 22px; border-radius: 4px; }}
QMenu::item:selected {{ background: {t.selected}; }}
QMenu::item:disabled {{ color: {t.muted}; }}
QMenu#recent {{ icon-size: 28px; }}
QMenu::separator {{ height: 1px; background: {t.line}; margin: 4px 6px; }}
#top {{ background: {t.ground}; }}
#separator {{ background: {t.line}; max-width: 1px; min-width: 1px; margin: 5px 5px; }}
#floating {{ background: {t.panel}; border: 1px solid {t.line}; border-radius: 8px; }}
#panel {{ background: {t.panel}; }}
QToolBar {{ background: {t.panel}; border: none; padding: 0; }}
#flat {{ color: {t.muted}; padding: 2px 8px; }}
#flat:hover {{ color: {t.text}; }}
#fold, #fold:hover, #fold:checked {{ background: transparent; border: 1px solid transparent; color: {t.muted}; padding: 2px 4px 2px 0; }}
#fold:hover {{ color: {t.text}; }}
#fold:focus {{ border-color: {t.accent}; }}
#section {{ color: {t.muted}; font-size: {base * _SMALL:.2f}pt; font-weight: 600; letter-spacing: 1px; }}
#dropArea {{ color: {t.muted}; border: 1px dashed {t.line}; border-radius: 6px; padding: 10px; }}
#title {{ font-size: {base * _LARGE:.2f}pt; font-weight: 600; }}
#panelTitle {{ color: {t.muted}; font-weight: 600; }}
#muted {{ color: {t.muted}; }}
#errorText {{ color: {t.error}; }}
#warningText {{ color: {t.warning}; }}
#recording {{ color: {t.error}; font-weight: 600; }}
#card {{ background: {t.raised}; border: 1px solid {t.line}; border-radius: 6px; }}
#card[selected="true"] {{ border-color: {t.accent}; }}
#card[bypassed="true"] {{ background: {t.panel}; }}
#card[bypassed="true"] QLabel {{ color: {t.muted}; }}
#card[bypassed="true"] QSlider::sub-page:horizontal {{ background: {t.outline}; }}
#card[failed="true"] {{ border-color: {t.error}; }}
#maskPart {{ border: none; border-top: 1px solid {t.line}; border-radius: 0; }}
#cardTitle {{ font-weight: 600; }}
#notices {{ background: transparent; border: none; }}
#notices[native="true"] {{ background: {QColor.fromRgbF(*VIEWER).name()}; }}
#notice {{ background: {t.raised}; border: 1px solid {t.line}; border-radius: 8px; }}
#notice[level="error"] {{ background: {t.error_ground}; border-color: {t.error}; }}
#notice QScrollArea, #notice QScrollArea > QWidget > QWidget {{ background: transparent; }}
QLineEdit, QAbstractSpinBox, QComboBox, QPlainTextEdit, QTextBrowser {{
  background: {t.raised}; color: {t.text}; border: 1px solid {t.line}; border-radius: 4px; padding: 3px 6px;
  selection-background-color: {t.accent}; selection-color: {t.accent_text}; }}
QAbstractSpinBox QLineEdit, #card QAbstractSpinBox QLineEdit {{ border: none; padding: 0; background: transparent; }}
#card QAbstractSpinBox, #card QComboBox {{ background: {t.panel}; }}
QLineEdit:focus, QAbstractSpinBox:focus, QComboBox:focus, QPlainTextEdit:focus {{ border-color: {t.accent}; }}
QAbstractSpinBox {{ padding: 2px 4px; }}
QAbstractSpinBox::up-button, QAbstractSpinBox::down-button {{ width: 0; height: 0; border: none; }}
QAbstractSpinBox::up-arrow, QAbstractSpinBox::down-arrow {{ width: 0; height: 0; }}
QComboBox::drop-down {{ border: none; width: 20px; }}
QComboBox::down-arrow {{ image: url("{arrow}"); width: 12px; height: 12px; }}
QComboBox QAbstractItemView {{ background: {t.raised}; color: {t.text}; border: 1px solid {t.line};
  selection-background-color: {t.selected}; selection-color: {t.text}; outline: none; }}
QPushButton {{ background: {t.raised}; color: {t.text}; border: 1px solid {t.line}; border-radius: 5px; padding: 5px 12px; }}
QPushButton#rowButton {{ padding: 2px 6px; }}
QPushButton#rowButton:checked {{ background: {t.selected}; border-color: {t.accent}; }}
QPushButton:hover {{ background: {t.hover}; }}
QPushButton:pressed {{ background: {t.selected}; }}
QPushButton:focus {{ border-color: {t.accent}; }}
QPushButton:default, QPushButton#primary {{ background: {t.accent}; color: {t.accent_text}; border-color: {t.accent}; }}
QPushButton:default:focus, QPushButton#primary:focus {{ border: 3px double {t.accent_text}; padding: 3px 10px; }}
QPushButton:disabled, QPushButton#primary:disabled {{ color: {t.muted}; background: {t.panel}; border-color: {t.line}; }}
QToolButton {{ background: transparent; color: {t.text}; border: 1px solid transparent; border-radius: 4px; padding: 3px; }}
QToolButton:hover {{ background: {t.hover}; }}
QToolButton:pressed, QToolButton:checked {{ background: {t.selected}; }}
QToolButton:focus {{ border-color: {t.accent}; }}
QToolButton::menu-indicator {{ image: none; }}
QTreeView, QListView, QListWidget, QTreeWidget {{ background: {t.panel}; color: {t.text}; border: 1px solid transparent; outline: none; }}
QTreeView:focus, QListView:focus {{ border-color: {t.accent}; }}
QTreeView::item, QListView::item {{ padding: 2px 4px; min-height: 20px; border: none; }}
QTreeView::item:hover, QListView::item:hover {{ background: {t.hover}; }}
QTreeView::item:selected, QListView::item:selected {{ background: {t.selected}; color: {t.text}; }}
QScrollArea {{ background: {t.panel}; border: none; }}
QHeaderView::up-arrow, QHeaderView::down-arrow {{ subcontrol-position: center left; width: 10px; height: 10px; }}
QHeaderView::up-arrow {{ image: url("{arrow_up}"); }}
QHeaderView::down-arrow {{ image: url("{arrow}"); }}
QHeaderView::up-arrow:first, QHeaderView::down-arrow:first {{ subcontrol-position: center right; }}
#figures QHeaderView::section {{ background: {t.panel}; color: {t.muted}; border: none;
  border-bottom: 1px solid {t.line}; padding: 2px 6px; }}
QScrollArea > QWidget > QWidget {{ background: {t.panel}; }}
QScrollBar:vertical {{ background: transparent; width: 10px; margin: 0; }}
QScrollBar:horizontal {{ background: transparent; height: 10px; margin: 0; }}
QScrollBar::handle {{ background: {t.line}; border-radius: 4px; min-height: 28px; min-width: 28px; margin: 1px; }}
QScrollBar::handle:hover {{ background: {t.muted}; }}
QScrollBar::add-line, QScrollBar::sub-line, QScrollBar::add-page, QScrollBar::sub-page {{ background: none; height: 0; width: 0; }}
QSlider::groove:horizontal {{ height: 4px; background: {t.line}; border-radius: 2px; }}
QSlider::sub-page:horizontal {{ background: {t.accent}; border-radius: 2px; }}
QSlider::handle:horizontal {{ background: {t.text}; width: 12px; height: 12px; margin: -4px 0; border-radius: 6px; }}
QSlider::handle:horizontal:hover {{ background: {t.accent}; }}
QSlider::handle:horizontal:focus {{ background: {t.accent}; border: 2px solid {t.text}; margin: -6px 0; border-radius: 8px; }}
QSlider::handle:horizontal:disabled {{ background: {t.muted}; }}
QCheckBox, QRadioButton {{ spacing: 6px; border: 1px solid transparent; border-radius: 3px; }}
QCheckBox:focus, QRadioButton:focus {{ border-color: {t.accent}; }}
QCheckBox::indicator {{ width: 13px; height: 13px; border: 1px solid {t.outline}; border-radius: 3px; background: {t.raised}; }}
QCheckBox::indicator:hover, QCheckBox::indicator:focus {{ border-color: {t.accent}; }}
QCheckBox::indicator:checked {{ background: {t.accent}; border-color: {t.accent}; image: url("{check}"); }}
QCheckBox::indicator:checked:focus {{ border-color: {t.text}; }}
QCheckBox::indicator:disabled {{ border-color: {t.line}; }}
QRadioButton::indicator {{ width: 13px; height: 13px; border: 1px solid {t.outline}; border-radius: 7px; background: {t.raised}; }}
QRadioButton::indicator:hover, QRadioButton::indicator:focus {{ border-color: {t.accent}; }}
QRadioButton::indicator:checked {{ background: qradialgradient(cx: 0.5, cy: 0.5, radius: 0.5, fx: 0.5, fy: 0.5,
    stop: 0.5 {t.accent}, stop: 0.6 {t.raised}); border-color: {t.accent}; }}
QRadioButton::indicator:checked:focus {{ border-color: {t.text}; }}
QRadioButton::indicator:disabled {{ border-color: {t.line}; }}
QTabBar::tab {{ background: transparent; color: {t.muted}; padding: 5px 11px; border: 1px solid transparent;
  border-bottom: 2px solid transparent; }}
QMainWindow > QTabBar::tab {{ padding: 5px 4px; }}
QTabBar::tab:selected {{ color: {t.text}; border-bottom-color: {t.accent}; }}
QTabBar::tab:hover {{ color: {t.text}; }}
QTabBar::tab:selected:focus {{ border-color: {t.accent}; border-radius: 4px; }}
#segments {{ background: {t.raised}; border-radius: 6px; }}
#segments QTabBar::tab {{ padding: 5px 8px; border: 1px solid transparent; border-radius: 5px; }}
#segments QTabBar::tab:selected {{ background: {t.hover}; color: {t.text}; }}
#segments QTabBar::tab:focus {{ border-color: {t.accent}; }}
QTabWidget::pane {{ border: none; }}
QDialogButtonBox {{ dialogbuttonbox-buttons-have-icons: 0; }}
QProgressBar {{ background: {t.line}; border: none; border-radius: 3px; max-height: 6px; }}
QProgressBar::chunk {{ background: {t.accent}; border-radius: 3px; }}
"""
