"""A card for each live output: on and off, its options, missing requirements, and its state."""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import Final

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QCheckBox, QFrame, QHBoxLayout, QLabel, QPushButton, QWidget

from desktop.outputs.live._user_package import Download
from desktop.outputs.live.feed import FeedFigures
from desktop.outputs.live.output import LiveOutput
from desktop.ui.features.outputs.live_outputs import LiveOutputs
from desktop.ui.forms.field_form import FieldForm
from desktop.ui.kit.language import decimal, translated
from desktop.ui.kit.widgets import IconButton, NoteLabel, Themed, WheelGuard, column, muted, scrolled
from desktop.ui.workspace.workspace import Workspace

# Narrower cards are stacked and folded but one: in two columns of 270, an address showed 14 letters.
_CARD_WIDTH: Final = 340
# A device may be plugged in, or a module loaded, while the panel is open.
_CHECK_EVERY_S: Final = 2.0


class OutputCard(QFrame):
    """One output; `error` is why it ended, `notes` how it differs from what is shown.

    `missing` is what must be done first, or what prevents it from running.
    """

    fold_requested = Signal()

    def __init__(self, live: LiveOutputs, output: LiveOutput, themed: Themed, guard: WheelGuard) -> None:
        super().__init__()
        self.setObjectName("card")
        self.output = output
        self._live = live
        self._checked_at = 0.0
        self._is_checking = False
        self._check_result: tuple[str, tuple[str, ...]] = ("", ())
        title = translated(output.title)
        self.setAccessibleName(title)
        layout = column(self, 10, 6)
        head = QHBoxLayout()
        self.switch = QCheckBox(title)
        self.switch.setObjectName("cardTitle")
        self.switch.setToolTip(self.tr("Switch this output on or off"))
        self.switch.clicked.connect(lambda: live.toggle(output.id))
        self.state = QLabel()
        self.state.setObjectName("muted")
        self.expander = IconButton(
            themed, "chevron_right", self.tr("Settings of the output: {0}").format(title)
        )
        self.expander.clicked.connect(self.fold_requested)
        self.expander.hide()
        head.addWidget(self.expander)
        head.addWidget(self.switch)
        head.addStretch(1)
        head.addWidget(self.state)
        layout.addLayout(head)
        self.figures = NoteLabel()
        self.error = _sentence_label("errorText")
        self.missing = _sentence_label("warningText")
        self.notes = muted()
        for label in (self.figures, self.error, self.missing, self.notes):
            layout.addWidget(label)
        self.install = QPushButton(self.tr("Install..."))
        self.install.setToolTip(self.tr("Download what this output needs, and ask before it is installed"))
        self.install.clicked.connect(self._download)
        self.install.hide()
        layout.addWidget(self.install)
        self.form = FieldForm(live.fields_of(output), themed, guard)
        self.form.edited.connect(lambda name, value: live.set_value(output, name, value))
        self.form.refused.connect(self._refuse)
        layout.addWidget(self.form)
        layout.addStretch(1)

    def fold(self, *, foldable: bool, folded: bool) -> None:
        """Hide the fields, or show them; `foldable`: with a button for it."""
        self.expander.setVisible(foldable)
        self.expander.set_icon("chevron_right" if folded else "chevron_down")
        self.form.setVisible(not (foldable and folded))

    def _download(self) -> None:
        self.install.setEnabled(False)
        self._live.download_package(self.output, self._show_licence)

    def _show_licence(self, download: Download | None) -> None:
        from desktop.ui.features.outputs.licence_dialog import LicenceDialog

        self.install.setEnabled(True)
        package = self.output.package
        if download is None or package is None:
            return
        dialog = LicenceDialog(
            package, download, lambda: self._live.install_package(self.output, download), self.window()
        )
        dialog.open()

    def _refuse(self, text: str) -> None:
        self.error.setText(translated(text))
        self.error.show()

    def refresh(self) -> None:
        """Show the current state, and query what is missing."""
        status = self._live.status_of(self.output.id)
        is_on = status.state in ("opening", "running")
        self.switch.setChecked(is_on)
        self.switch.setEnabled(is_on or self._live.has_picture)
        words = {
            "off": self.tr("Off"),
            "opening": self.tr("Opening..."),
            "running": self.tr("On"),
            "failed": self.tr("Failed"),
        }
        self.state.setText(words[status.state])
        if self.property("failed") != (status.state == "failed"):
            self.setProperty("failed", status.state == "failed")
            self.style().unpolish(self)
            self.style().polish(self)
        _show(self.error, translated(status.error))
        values = self._live.values_of(self.output)
        self.form.show_values(values)
        for field in self.output.fields:
            # They count from the next time that it is switched on.
            self.form.editors[field.name].setEnabled(not is_on)
        self.update_figures(soon=True)

    def update_figures(self, *, soon: bool = False) -> None:
        """Follow external changes; `soon`: check at once whether something is missing."""
        status = self._live.status_of(self.output.id)
        is_on = status.figures is not None
        self.switch.setEnabled(is_on or self._live.has_picture)
        _show(self.figures, self._figures_text(status.figures) if status.figures is not None else "")
        now = time.monotonic()
        is_time = not self._is_checking and now - self._checked_at >= _CHECK_EVERY_S
        if soon or (not is_on and is_time):
            self._checked_at, self._is_checking = now, True
            self._live.find_missing(self.output, self._on_checked)
        self._show_status()

    def _on_checked(self, found: tuple[str, tuple[str, ...]]) -> None:
        self._is_checking = False
        if found != self._check_result:
            self._check_result = found
            self._show_status()

    def _show_status(self) -> None:
        missing, notes = self._check_result
        status = self._live.status_of(self.output.id)
        if status.state == "off" and not self._live.has_picture and not missing:
            missing = self.tr("There is no image yet; open a source first.")
        trouble = status.figures.sink.note if status.figures is not None else ""
        _show(self.missing, translated(missing if status.state == "off" else trouble))
        package = self.output.package
        self.install.setVisible(
            package is not None
            and package.is_offered
            and status.state == "off"
            and bool(self._check_result[0])
        )
        # No forecast while it cannot start or has lost its server: the output reports what is missing.
        told = () if self.missing.text() else notes
        _show(self.notes, " ".join(translated(note) for note in told))

    def _figures_text(self, figures: FeedFigures) -> str:
        sink = figures.sink
        parts = [
            self.tr("%n images", "", sink.pictures),
            self.tr("{0} FPS").format(decimal(figures.rate, 1)),
        ]
        if sink.bits_per_second is not None:
            parts.append(self.tr("{0} Mbit/s").format(decimal(sink.bits_per_second / 1e6, 2)))
        if sink.latency_s is not None:
            parts.append(self.tr("{0} ms").format(decimal(sink.latency_s * 1000, 0)))
        if dropped := figures.dropped + sink.dropped:
            parts.append(self.tr("%n left out", "", dropped))
        return " · ".join(parts)


class _AsOneCard(QWidget):
    """Container of the cards, as narrow as the widest; cards that do not fit in a row are stacked."""

    def __init__(self, cards: Iterable[QWidget]) -> None:
        super().__init__()
        self._cards = tuple(cards)

    def minimumSizeHint(self) -> QSize:
        widest = max((card.minimumSizeHint().width() for card in self._cards), default=0)
        return QSize(widest, super().minimumSizeHint().height())


class OutputsPanel(QWidget):
    """The cards in a row if they fit, else stacked with one unfolded."""

    def __init__(self, workspace: Workspace, themed: Themed) -> None:
        super().__init__()
        self.setObjectName("panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._guard = WheelGuard(self)
        live = workspace.get(LiveOutputs)
        self.cards = {
            output.id: OutputCard(live, output, themed, self._guard) for output in live.outputs.values()
        }
        inside = _AsOneCard(self.cards.values())
        self._row = QBoxLayout(QBoxLayout.Direction.LeftToRight, inside)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(6)
        self._live, self._settings = live, workspace.settings
        self._unfolded: str | None = None
        self._is_narrow = False
        for name, card in self.cards.items():
            card.fold_requested.connect(lambda name=name: self._toggle_fold(name))
            self._row.addWidget(card, 1)
        layout = column(self, 6, 6)
        self._area = scrolled(inside)
        layout.addWidget(self._area, 1)
        self.setMinimumHeight(170)
        live.changed.connect(self.refresh)
        workspace.playback.changed.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Show all as they are now."""
        for card in self.cards.values():
            card.refresh()

    def update_figures(self) -> None:
        """See `ShowsFigures`."""
        for card in self.cards.values():
            card.update_figures()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Lay out the cards in a row or a stack."""
        super().resizeEvent(event)
        narrow = self.width() < _CARD_WIDTH * len(self.cards)
        if narrow != self._is_narrow:
            self._is_narrow = narrow
            way = QBoxLayout.Direction.TopToBottom if narrow else QBoxLayout.Direction.LeftToRight
            self._row.setDirection(way)
            if self._unfolded is None:
                self._unfolded = self._likely
            self._fold()

    @property
    def _likely(self) -> str:
        """The active output, else one that was set up before."""
        on = (name for name in self.cards if self._live.is_on(name))
        known = (name for name in self.cards if name in self._settings.live_outputs)
        return next(on, None) or next(known, "")

    def _toggle_fold(self, name: str) -> None:
        self._unfolded = "" if self._unfolded == name else name
        self._fold()
        # Behind the layout: what was unfolded begins where the panel does.
        QTimer.singleShot(0, self, lambda: self._area.verticalScrollBar().setValue(self.cards[name].y()))

    def _fold(self) -> None:
        for name, card in self.cards.items():
            card.fold(foldable=self._is_narrow, folded=name != self._unfolded)
            # Folded cards need no more than their lines.
            self._row.setStretchFactor(card, 0 if self._is_narrow and name != self._unfolded else 1)


def _sentence_label(name: str) -> QLabel:
    label = QLabel()
    label.setObjectName(name)
    label.setWordWrap(True)
    # Selectable, because terminal commands are to be copied.
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return label


def _show(label: QLabel, text: str) -> None:
    label.setText(text)
    label.setVisible(bool(text))
