"""Small widgets that several parts of the window share."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from PySide6.QtCore import QCoreApplication, QEvent, QObject, QSize, Qt, Signal
from PySide6.QtGui import (
    QFontMetrics,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import (
    QBoxLayout,
    QDialog,
    QFormLayout,
    QFrame,
    QLabel,
    QLayout,
    QLineEdit,
    QScrollArea,
    QSizePolicy,
    QToolButton,
    QTreeWidget,
    QVBoxLayout,
    QWidget,
)

from desktop.compute.gpu.timing import Percentiles
from desktop.ui.kit import icons
from desktop.ui.kit.language import decimal
from desktop.ui.kit.theme import DARK, Theme

_BETWEEN: Final = 4
_SHORTEST: Final = 20
_TITLE_BAR: Final = 40
_UNBROKEN: Final = re.compile(r"[^\s\u2e80-\uffef]+")  # Chinese goes on below after any letter


class Themed:
    """Holds the theme for custom painting; shared by all parts of a window."""

    def __init__(self, theme: Theme = DARK) -> None:
        self.theme = theme
        self._followers: list[Callable[[], None]] = []

    def follow(self, update: Callable[[], None]) -> None:
        """Call `update` now, and whenever the theme has changed."""
        self._followers.append(update)
        update()

    def set(self, theme: Theme) -> None:
        """Change the theme."""
        self.theme = theme
        for update in list(self._followers):
            try:
                update()
            except RuntimeError:  # the widget was deleted
                self._followers.remove(update)


class IconButton(QToolButton):
    """A flat button with an icon, a tool tip and a name for screen readers."""

    def __init__(
        self,
        themed: Themed,
        name: str,
        label: str,
        *,
        checkable: bool = False,
        role: str = "text",
        parent: QWidget | None = None,
    ) -> None:
        """Make it; `role` is the theme's color of the icon."""
        super().__init__(parent)
        self._themed = themed
        self._name, self._role = name, role
        self.setCheckable(checkable)
        self.setIconSize(QSize(18, 18))
        self.setAutoRaise(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.set_label(label)
        themed.follow(self._dress)

    def set_label(self, label: str) -> None:
        """Change tool tip and name."""
        self.setToolTip(label)
        self.setAccessibleName(label)

    def set_icon(self, name: str) -> None:
        """Change the icon."""
        if name != self._name:
            self._name = name
            self._dress()

    def _dress(self) -> None:
        theme = self._themed.theme
        color = getattr(theme, self._role)
        checked = color if self._role != "text" else theme.accent
        self.setIcon(icons.icon(self._name, color, checked if self.isCheckable() else ""))


class IconLabel(QLabel):
    """An icon that is not a button."""

    def __init__(
        self, themed: Themed, name: str, *, size: int = 16, role: str = "muted", parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._themed, self._name, self._size, self._role = themed, name, size, role
        self.setFixedSize(size, size)
        themed.follow(self._dress)

    def set_icon(self, name: str, role: str = "muted") -> None:
        """Change the icon and the color's role."""
        if (name, role) != (self._name, self._role):
            self._name, self._role = name, role
            self._dress()

    def _dress(self) -> None:
        color = getattr(self._themed.theme, self._role)
        self.setPixmap(icons.pixmap(self._name, color, self._size, self.devicePixelRatioF()))


class ElidedLabel(QLabel):
    """A one-line label, elided if it does not fit; its tool tip has the full text."""

    clicked = Signal()
    double_clicked = Signal()

    def __init__(
        self,
        text: str = "",
        mode: Qt.TextElideMode = Qt.TextElideMode.ElideRight,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(text, parent)
        self._mode = mode
        self._tip = ""
        self._end = ""
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.setMinimumWidth(_SHORTEST)

    def set_tip(self, tip: str) -> None:
        """Set the tool tip for when nothing is cut off."""
        self._tip = tip
        self._update_tip()

    def setText(self, text: str) -> None:
        super().setText(text)
        self._update_tip()

    def set_elidable(self, is_elidable: bool) -> None:
        """Let it be narrower than the present text, or not."""
        self.ensurePolished()
        longest = self.fontMetrics().horizontalAdvance(self.text()) + 1
        kept = self.fontMetrics().horizontalAdvance(self._end)
        self.setMinimumWidth(_SHORTEST + kept if is_elidable else longest)

    def set_fixed_end(self, end: str) -> None:
        """Let the end of the text stay while the rest is elided; '' for none."""
        self._end = end
        self._update_tip()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._update_tip()

    @property
    def shown(self) -> str:
        """The text as it is shown, elided if it does not fit."""
        metrics, room = QFontMetrics(self.font()), self.contentsRect().width()
        if not self._end or metrics.horizontalAdvance(self.text()) <= room:
            return metrics.elidedText(self.text(), self._mode, room)
        begin = self.text().removesuffix(self._end)
        return metrics.elidedText(begin, self._mode, room - metrics.horizontalAdvance(self._end)) + self._end

    def _update_tip(self) -> None:
        self.setToolTip(self._tip if self.shown == self.text() else f"{self.text()}\n{self._tip}".strip())

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        role = self.foregroundRole()
        self.style().drawItemText(
            painter,
            self.contentsRect(),
            self.alignment(),
            self.palette(),
            self.isEnabled(),
            self.shown,
            role,
        )

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Emit the click."""
        self.clicked.emit()
        super().mouseReleaseEvent(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Emit the double click."""
        self.double_clicked.emit()


class WheelGuard(QObject):
    """Leaves the wheel to the scroll area: scrolling must not change values under the pointer."""

    def watch(self, widget: QWidget) -> None:
        """Guard a widget whose value the wheel changes when focused."""
        # Combo and spin boxes take the focus from the wheel before any event filter.
        widget.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QWheelEvent) and isinstance(watched, QWidget) and not watched.hasFocus():
            event.ignore()
            return True
        return False


class ChoiceTree(QTreeWidget):
    """A tree whose entries are chosen by a double click or Enter."""

    chosen = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.setHeaderHidden(True)
        self.setIndentation(12)
        self.setIconSize(QSize(14, 14))
        self.setUniformRowHeights(True)
        self.setExpandsOnDoubleClick(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.itemDoubleClicked.connect(lambda item, _: self.chosen.emit(item))
        # The style sheet's height of a row is known only then, and the first filling fixes the height.
        self.ensurePolished()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter chooses."""
        item = self.currentItem()
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and item is not None:
            self.chosen.emit(item)
            return
        super().keyPressEvent(event)


class SearchEdit(QLineEdit):
    """A search that Escape and a button empty."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        add_clear_button(self, QCoreApplication.translate("LibraryPanel", "Clear the search"))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Clear the field on Escape; if it is empty, leave the key to the window."""
        if event.key() == Qt.Key.Key_Escape and self.text():
            self.clear()
        else:
            super().keyPressEvent(event)


def add_clear_button(line: QLineEdit, name: str) -> None:
    """Give a line a button that empties it, with an accessible name: Qt gives it none."""
    line.setClearButtonEnabled(True)
    button = line.findChild(QToolButton)
    if button is not None:
        button.setAccessibleName(name)


def heading(text: str) -> QLabel:
    """Return a section's title."""
    label = QLabel(text)
    label.setObjectName("panelTitle")
    return label


def muted(text: str = "", *, wrap: bool = True) -> QLabel:
    """Return a label of lesser weight."""
    label = QLabel(text)
    label.setObjectName("muted")
    label.setWordWrap(wrap)
    return label


class WrappedLabel(QLabel):
    """A label that wraps, breaks words as long as a path, and is at least as wide as its longest word."""

    double_clicked = Signal()
    _LEAST = 0
    _LONGEST_WORD = 18

    def __init__(self, text: str = "") -> None:
        super().__init__()
        self._plain = ""
        self.setWordWrap(True)
        policy = QSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.setText(text)

    @property
    def plain(self) -> str:
        """The text as given, for accessible names."""
        return self._plain

    def setText(self, text: str) -> None:
        self._plain = text
        words = (_broken(word) if len(word) > self._LONGEST_WORD else word for word in text.split(" "))
        super().setText(" ".join(words))
        self._prevent_word_breaks()

    @property
    def width_of_a_line(self) -> int:
        """Return the width without a line break."""
        self.ensurePolished()
        return self.fontMetrics().horizontalAdvance(self._plain) + 1

    def _prevent_word_breaks(self) -> None:
        words = (word for word in _UNBROKEN.findall(self._plain) if len(word) <= self._LONGEST_WORD)
        longest = max(map(self.fontMetrics().horizontalAdvance, words), default=0)
        self.setMinimumWidth(max(self._LEAST, longest + 1))

    def event(self, event: QEvent) -> bool:
        """Measure the words again when the font has changed."""
        done = bool(super().event(event))
        if event.type() in (QEvent.Type.Polish, QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._prevent_word_breaks()
        return done

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Emit the double click."""
        self.double_clicked.emit()


class NoteLabel(WrappedLabel):
    """A sentence beside buttons, in a muted color."""

    _LEAST = 110

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("muted")


class SideOrBelow(QWidget):
    """A text with a widget beside it, or below it if the text would not fit on one line."""

    def __init__(
        self, text: WrappedLabel, second: QWidget, *, reserve: str = "", align: Qt.AlignmentFlag
    ) -> None:
        """Place `second` beside the text, or below it with `align`; `reserve` is its longest text."""
        super().__init__()
        self._text, self._second, self._reserve = text, second, reserve
        self._row = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(_BETWEEN)
        self._row.addWidget(text, 1)
        self._row.addWidget(second, 0, align | Qt.AlignmentFlag.AlignVCenter)

    @property
    def is_below(self) -> bool:
        """True if the widget is below the text."""
        return self._row.direction() == QBoxLayout.Direction.TopToBottom

    def _second_width(self) -> int:
        """Return the width that the widget takes beside the text."""
        if self._second.isHidden():
            return 0
        reserved = self._second.fontMetrics().horizontalAdvance(self._reserve)
        return max(self._second.sizeHint().width(), reserved) + _BETWEEN

    def _fits_in_line(self, width: int) -> bool:
        return self._text.width_of_a_line + self._second_width() <= width

    def minimumSizeHint(self) -> QSize:
        least = 0 if self._second.isHidden() else self._second.minimumSizeHint().width()
        width = max(self._text.minimumWidth(), least)
        return QSize(width, self._text.fontMetrics().height())

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        second = 0 if self._second.isHidden() else self._second.sizeHint().height()
        if self._fits_in_line(width):
            return max(self._text.heightForWidth(width - self._second_width()), second)
        return self._text.heightForWidth(width) + (second + self._row.spacing() if second else 0)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place()

    def event(self, event: QEvent) -> bool:
        """Lay out again when a text has changed."""
        if event.type() == QEvent.Type.LayoutRequest:
            self._place()
        return bool(super().event(event))

    def _place(self) -> None:
        beside = self._fits_in_line(self.width())
        wanted = QBoxLayout.Direction.LeftToRight if beside else QBoxLayout.Direction.TopToBottom
        if wanted != self._row.direction():
            self._row.setDirection(wanted)
            self._row.setSpacing(_BETWEEN if beside else 2)
            self.updateGeometry()


def _broken(word: str) -> str:
    # A space without a width between all letters: Qt breaks a line there, and nowhere else within a word.
    return "\u200b".join(word)


def with_equal_labels(*forms: QFormLayout) -> None:
    """Give the labels of stacked forms the same width, so that their fields align."""
    role = QFormLayout.ItemRole.LabelRole
    items = (form.itemAt(row, role) for form in forms for row in range(form.rowCount()))
    labels = [label for item in items if item is not None and (label := item.widget()) is not None]
    width = max(label.sizeHint().width() for label in labels)
    for label in labels:
        label.setMinimumWidth(width)


class _VerticalScroll(QScrollArea):
    """A vertical scroll area as wide as its content and scroll bar, which Qt's own would cut off."""

    def __init__(self, content: QWidget) -> None:
        super().__init__()
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setWidget(content)
        self._content = content
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)

    def minimumSizeHint(self) -> QSize:
        bar = self.verticalScrollBar().sizeHint().width()
        return super().minimumSizeHint().expandedTo(QSize(self._content.minimumSizeHint().width() + bar, 0))

    def event(self, event: QEvent) -> bool:
        """Follow the content's size."""
        if event.type() == QEvent.Type.LayoutRequest:
            self.updateGeometry()
        return super().event(event)


def scrolled(content: QWidget) -> QScrollArea:
    """Return a vertically scrolling area around a widget, as wide as that at least."""
    return _VerticalScroll(content)


def scroll_if_too_high(dialog: QDialog, content: QWidget) -> None:
    """Let a part of a dialog's column scroll if the dialog would be higher than the screen, such as a small one at a
    scale of 200 %: its buttons stay in view.
    """
    layout, hint = dialog.layout(), dialog.sizeHint()
    parent = dialog.parentWidget() or dialog
    room = parent.screen().availableGeometry().height() - _TITLE_BAR
    if not isinstance(layout, QVBoxLayout) or hint.height() <= room:
        return
    layout.insertWidget(layout.indexOf(content), scrolled(content), 3)
    # Reparenting moves the content's widgets to the end of the tab order, which is circular: only its start changes.
    first = content.nextInFocusChain()
    while first is not None and first is not content and not first.focusPolicy() & Qt.FocusPolicy.TabFocus:
        first = first.nextInFocusChain()
    if first is not None:
        first.setFocus()
    dialog.resize(max(hint.width(), dialog.sizeHint().width()), room)


def column(parent: QWidget, margin: int = 0, spacing: int = 6) -> QVBoxLayout:
    """Return a vertical layout for a widget."""
    layout = QVBoxLayout(parent)
    layout.setContentsMargins(margin, margin, margin, margin)
    layout.setSpacing(spacing)
    return layout


def format_time(seconds: float, *, millis: bool = False) -> str:
    """Return '1:02:03' or '2:03', with '.456' if `millis`."""
    total = max(0.0, seconds)
    whole = int(total)
    hours, minutes, rest = whole // 3600, whole // 60 % 60, whole % 60
    text = f"{hours}:{minutes:02d}:{rest:02d}" if hours else f"{minutes}:{rest:02d}"
    return f"{text}.{int((total - whole) * 1000):03d}" if millis else text


def format_bytes(count: float) -> str:
    """Return '512 B', '12 kB', '3.4 MB' or '1.2 GB'."""
    if count < 10_000:
        return f"{count:.0f} B"
    for limit, unit in ((1e6, "kB"), (1e9, "MB")):
        if count < limit:
            value = count / limit * 1e3
            return f"{decimal(value, 0 if unit == 'kB' or value >= 100 else 1)} {unit}"
    return f"{decimal(count / 1e9, 1)} GB"


def format_ms(ms: float, *, rough: bool = False) -> str:
    """Return '1.25 ms', without decimals from 100 on, or '~1 ms' for a time that is only roughly right."""
    return f"~{decimal(ms, 0)} ms" if rough else f"{decimal(ms, 2 if ms < 100 else 0)} ms"


def format_percentiles(p: Percentiles) -> str:
    """Return '8.1 / 9.0 / 12 ms' (p50, p95, p99)."""
    values = [v for v in (p.p50, p.p95, p.p99) if v is not None]
    return " / ".join(decimal(v, 1 if v < 100 else 0) for v in values) + " ms" if values else "–"


def rough_times() -> str:
    """Return why times of single passes are unreliable on a CPU adapter."""
    return QCoreApplication.translate(
        "times",
        "On a software adapter the times of single effects are unreliable: passes overlap there and share "
        "the processor's cores.",
    )


def tab_stops(root: QWidget) -> Iterator[QWidget]:
    """Yield the widgets reachable by Tab in layout order; Qt's own chain has the order of creation."""
    if not root.isVisible() or not root.isEnabled():
        return
    if root.focusPolicy() & Qt.FocusPolicy.TabFocus and root.focusProxy() is None:
        yield root
    layout = root.layout()
    placed = [] if layout is None else list(placed_widgets(layout))
    others = [child for child in root.children() if isinstance(child, QWidget) and child not in placed]
    for child in (*placed, *others):
        if not child.isWindow():
            yield from tab_stops(child)


def placed_widgets(layout: QLayout) -> Iterator[QWidget]:
    """Return the widgets of a layout and its nested layouts, in order, without stretches and spaces.

    Not by `itemAt`: PySide (6.11) may return its wrapper for an unrelated later object at the same address.
    """
    parent = layout.parentWidget()
    places: list[tuple[int, QWidget | QLayout]] = []
    for child in (*([] if parent is None else parent.children()), *layout.children()):
        if isinstance(child, QWidget | QLayout):
            places.append((layout.indexOf(child), child))
    for place, child in sorted(places, key=lambda found: found[0]):
        if place < 0:
            continue
        if isinstance(child, QLayout):
            yield from placed_widgets(child)
        else:
            yield child


def step_focus(stops: Sequence[QWidget], current: QWidget | None, forward: bool) -> bool:
    """Move the focus to the next or previous stop, cyclically; False if there is none."""
    if not stops:
        return False
    reason = Qt.FocusReason.TabFocusReason if forward else Qt.FocusReason.BacktabFocusReason
    step = 1 if forward else -1
    start = stops.index(current) + step if current in stops else 0 if forward else -1
    target = stops[start % len(stops)]
    target.setFocus(reason)
    parent = target.parentWidget()
    while parent is not None:
        if isinstance(parent, QScrollArea):
            parent.ensureWidgetVisible(target)
        parent = parent.parentWidget()
    return True
