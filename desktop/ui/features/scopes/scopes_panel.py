"""Panel of histogram, waveform, parade and vectorscope; they are computed only while it is visible."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QHideEvent, QShowEvent
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QToolButton, QWidget

from desktop.pipeline.scopes.values import ScopeKind, ScopeValues
from desktop.ui.features.scopes.color_readout import ColorReadout
from desktop.ui.features.scopes.magnifier_view import MagnifierView
from desktop.ui.features.scopes.scope_views import (
    LUMA,
    RGB,
    HistogramView,
    ScopeView,
    VectorscopeView,
    WaveformView,
)
from desktop.ui.features.scopes.scopes import KINDS, Scopes
from desktop.ui.features.scopes.wrapping import ViewGrid, WrappingRow
from desktop.ui.kit.language import decimal
from desktop.ui.kit.widgets import Themed, WrappedLabel, column, muted, scrolled
from desktop.ui.workspace.action import with_key
from desktop.ui.workspace.workspace import Workspace


class ScopesPanel(QWidget):
    """Content of the dock: choices above, scopes side by side, figures below."""

    def __init__(self, workspace: Workspace, themed: Themed, actions: Mapping[str, QAction]) -> None:
        super().__init__()
        self.setObjectName("panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._workspace, self._scopes = workspace, workspace.get(Scopes)
        titles: dict[ScopeKind, str] = {
            "histogram": self.tr("Histogram"),
            "waveform": self.tr("Waveform"),
            "parade": self.tr("RGB parade"),
            "vectorscope": self.tr("Vectorscope"),
        }
        self.buttons = {kind: self._make_button(kind, titles[kind]) for kind in KINDS}
        self.views: dict[ScopeKind, ScopeView] = {
            "histogram": HistogramView(themed, titles["histogram"]),
            "waveform": WaveformView(themed, titles["waveform"], (LUMA,)),
            "parade": WaveformView(themed, titles["parade"], RGB),
            "vectorscope": VectorscopeView(themed, titles["vectorscope"]),
        }
        self.grid = ViewGrid(tuple(self.views.values()))
        self.image = QComboBox()
        self.image.setAccessibleName(self.tr("Image that the scopes show"))
        self.image.setToolTip(self.tr("Image that the scopes show"))
        self.image.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.image.setMinimumContentsLength(12)
        self.image.activated.connect(lambda row: self._scopes.set_point(self.image.itemData(row)))
        self.picking = QToolButton()
        self.picking.setText(self.tr("Pick a color"))
        self.picking.setAccessibleName(self.picking.text())
        self.picking.setCheckable(True)
        self.picking.setToolTip(with_key(actions["pick_color"]))
        self.picking.clicked.connect(self._scopes.set_picking)
        self.color = ColorReadout(themed)
        self.magnifying = QToolButton()
        self.magnifying.setText(self.tr("Magnify pixels"))
        self.magnifying.setAccessibleName(self.magnifying.text())
        self.magnifying.setCheckable(True)
        self.magnifying.setToolTip(with_key(actions["magnify"]))
        self.magnifying.clicked.connect(self._scopes.set_magnifying)
        self.magnifier = MagnifierView(self._scopes, themed)
        self.summary = WrappedLabel()
        self.summary.setObjectName("muted")
        self.summary.setAccessibleName(self.tr("Summary of the scopes"))
        self.note = muted()
        self._lay_out()
        self._scopes.changed.connect(self._follow)
        self._scopes.arrived.connect(self._show_values)
        workspace.edits.setup_changed.connect(self._list_images)
        self._list_images()
        self._follow()

    def _make_button(self, kind: ScopeKind, title: str) -> QToolButton:
        button = QToolButton()
        button.setText(title)
        button.setCheckable(True)
        button.setAccessibleName(title)
        button.clicked.connect(lambda shown: self._scopes.set_shown(kind, shown))
        return button

    def _lay_out(self) -> None:
        inner = QWidget()
        layout = column(inner, 8, 6)
        layout.addWidget(WrappingRow((*self.buttons.values(), self.image, self.picking, self.magnifying)))
        row = QHBoxLayout()
        row.addWidget(self.grid, 1)
        row.addWidget(self.magnifier, 0, Qt.AlignmentFlag.AlignTop)
        layout.addLayout(row, 1)
        layout.addWidget(self.note)
        layout.addWidget(self.summary)
        layout.addWidget(self.color)
        column(self).addWidget(scrolled(inner))
        self.setMinimumHeight(204)

    # -- choices ---------------------------------------------------------------------------------------------

    def showEvent(self, event: QShowEvent) -> None:
        """Begin computing scopes."""
        super().showEvent(event)
        self._scopes.set_visible(True)

    def hideEvent(self, event: QHideEvent) -> None:
        """End computing scopes."""
        super().hideEvent(event)
        self._scopes.set_visible(False)

    def _list_images(self) -> None:
        edits = self._workspace.edits
        items: list[tuple[str, object]] = [(self.tr("Source"), "source"), (self.tr("Result"), "result")]
        items += [
            (self.tr("After {0}: {1}").format(number, edits.title_of(stage.filter)), stage.id)
            for number, stage in enumerate(edits.chain.stages, 1)
        ]
        before = [(self.image.itemText(row), self.image.itemData(row)) for row in range(self.image.count())]
        if items != before:
            self.image.clear()
            for text, point in items:
                self.image.addItem(text, point)
        self._follow()

    def _follow(self) -> None:
        """Show the choices."""
        scopes = self._scopes
        for kind, button in self.buttons.items():
            button.setChecked(kind in scopes.kinds)
            self.views[kind].setVisible(kind in scopes.kinds)
        self.grid.setVisible(bool(scopes.kinds))
        self.grid.place()
        self.image.setCurrentIndex(self.image.findData(scopes.point))
        self.image.setEnabled(bool(scopes.kinds) or scopes.is_magnifying)
        self.picking.setChecked(scopes.is_picking)
        self.color.setVisible(scopes.is_picking)
        self.magnifying.setChecked(scopes.is_magnifying)
        self.magnifier.setVisible(scopes.is_magnifying)
        self._show_values()

    # -- values ----------------------------------------------------------------------------------------------

    def _show_values(self) -> None:
        if not self.isVisible():
            return
        values = self._scopes.values
        for kind, view in self.views.items():
            if kind in self._scopes.kinds and view.values is not values:
                view.show_values(values)
        if self._scopes.is_picking:
            self.color.show_color(self._scopes.picked)
        if self._scopes.is_magnifying:
            self.magnifier.show_pixels(self._scopes.magnified)

    def update_figures(self) -> None:
        """Update the figures; called several times a second while visible."""
        values = self._scopes.values
        text = self._describe(values) if values is not None else ""
        if text != self.summary.plain:
            self.summary.setText(text)
            for view in self.views.values():
                view.setAccessibleDescription(text)
        self.note.setText(self._reason(values))
        self.note.setVisible(bool(self.note.text()))

    def _reason(self, values: ScopeValues | None) -> str:
        if not self._scopes.kinds and not self._scopes.is_magnifying:
            return self.tr("No scope is selected.")
        if values is None and not self._workspace.playback.has_picture:
            return self.tr("Open a video to see its levels and colors.")
        return ""

    def _describe(self, values: ScopeValues) -> str:
        red, green, blue, luma = (decimal(values.mean(channel), 1) for channel in (*RGB, LUMA))
        mean = self.tr("Mean: R {0}, G {1}, B {2}, luma {3}").format(red, green, blue, luma)
        lows, highs = zip(*(values.clipped(channel) for channel in RGB), strict=True)
        ends = (
            self.tr("At 0: R {0} %, G {1} %, B {2} %").format(*(decimal(100 * low, 1) for low in lows)),
            self.tr("At 255: R {0} %, G {1} %, B {2} %").format(*(decimal(100 * high, 1) for high in highs)),
        )
        if values.step > 1:
            mean += "   " + self.tr("One row in {0} is counted.").format(values.step)
        return "   ".join((mean, *ends))
