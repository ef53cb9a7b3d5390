"""Header of the window: source, current activity, figures and adapter, beside the menus."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from PySide6.QtCore import QTimer
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QHBoxLayout, QLabel, QMenu, QPushButton, QToolButton, QWidget

from desktop.compute.gpu.device import AdapterInfo
from desktop.media.sources.base import named
from desktop.pipeline.snapshot import FrameSnapshot
from desktop.pipeline.statistics import PipelineStats
from desktop.ui.features.playback.playlist_player import PlaylistPlayer
from desktop.ui.features.recording.pictures import Pictures
from desktop.ui.kit.chip import Chip
from desktop.ui.kit.information import STATISTICS_PAGE, Information
from desktop.ui.kit.language import decimal, translated
from desktop.ui.kit.motion import BusyBar, Motion
from desktop.ui.kit.rates import DropRate
from desktop.ui.kit.widgets import ElidedLabel, Themed, format_ms, format_time, rough_times
from desktop.ui.shell.driver_fault import fault_text
from desktop.ui.workspace.action import with_key
from desktop.ui.workspace.source_kinds import icon_of
from desktop.ui.workspace.workspace import Workspace

# Below the first width the chips of figures and adapter are short, below the second that of the source.
_NARROW: Final = 1180
_NARROWEST: Final = 900
_WHOLE_RATES: Final = 10.0
"""Frame rates below this have a decimal: a slow one is not none."""


class Header(QWidget):
    """The chips and labels behind the menus.

    Attributes:
        source: name and format of the open source; its menu opens another.
        rate: frame rate and latency; opens an explanation of the figures.
        adapter: the kind and name of the adapter, with known faults of its driver; opens the choice.
    """

    def __init__(
        self,
        workspace: Workspace,
        themed: Themed,
        drops: DropRate,
        actions: Mapping[str, QAction],
        sources: QMenu,
        show_panel: Callable[[str], None],
    ) -> None:
        """Make it; `sources` is the menu of the source chip, `show_panel` shows a panel by its id."""
        super().__init__()
        self._workspace, self._drops, self._show_panel = workspace, drops, show_panel
        self._width = _NARROW
        self._make_activity()
        self.place = QToolButton()
        self.place.setObjectName("flat")
        self.place.setAccessibleName(self.tr("The playlist"))
        self.place.clicked.connect(actions["playlist"].trigger)
        self.place.setToolTip(with_key(actions["playlist"], self.tr("The playlist")))
        self._recording = QLabel()
        self._recording.setObjectName("recording")
        self.source = Chip(themed, "folder", widest=320)
        self.source.setMenu(sources)
        self.rate = Chip(themed, "stats")
        self.rate.setAccessibleName(self.tr("Frame rate"))
        self.rate.hide()
        self.rate.clicked.connect(self._explain_figures)
        self.adapter = Chip(themed)
        self.adapter.clicked.connect(actions["adapter"].trigger)
        row = QHBoxLayout(self)
        row.setContentsMargins(6, 3, 8, 3)
        row.setSpacing(6)
        self._row = row
        row.addWidget(self.source)
        row.addStretch(1)
        for widget in (self.said, self._busy, self._busy_text, self._cancel, self._recording, self.place):
            row.addWidget(widget)
            widget.hide()
        row.addWidget(self.rate)
        row.addWidget(self.adapter)

    def _make_activity(self) -> None:
        self._busy = BusyBar(self._workspace.get(Motion))
        self._busy.setFixedWidth(60)
        self._busy.setAccessibleName(self.tr("Busy"))
        self._busy_text = QLabel()
        self._busy_text.setObjectName("muted")
        self._cancel = QToolButton()
        self._cancel.setText(self.tr("Cancel"))
        self._cancel.clicked.connect(self._workspace.playback.cancel)
        self.said = ElidedLabel()
        self.said.setObjectName("muted")
        self._silence = QTimer(self, singleShot=True)
        self._silence.timeout.connect(self._clear_message)

    def add_button(self, button: QPushButton) -> None:
        """Show a button at the right end."""
        self._row.addWidget(button)

    def fit(self, width: int) -> None:
        """Adapt to a window's width in logical pixels."""
        self._width = width
        self.source.limit(320 if width >= _NARROW else 180 if width >= _NARROWEST else 110)
        self.rate.limit(220 if width >= _NARROWEST else 96)
        self.adapter.limit(300 if width >= _NARROW else 180 if width >= _NARROWEST else 110)
        self.show_adapter(self._workspace.adapter)

    def show_message(self, text: str, milliseconds: int) -> None:
        """Show a message for a moment, unless the frame shows it already."""
        self.said.setText(text)
        self.said.setMinimumWidth(min(320, self.said.fontMetrics().horizontalAdvance(text) + 8))
        self.said.setVisible(not self._workspace.playback.has_picture)
        self._silence.start(milliseconds)

    def _clear_message(self) -> None:
        self.said.clear()
        self.said.hide()

    def show_source(self) -> None:
        """Show the open source."""
        info = self._workspace.playback.info
        if info is None:
            self.source.set_icon("folder")
            self.source.show_text(self.tr("Open a source"))
            self.source.setToolTip("")
            self.source.setAccessibleName(self.tr("Open a source"))
            return
        title = translated(named(info))
        parts = [f"{info.size[0]}×{info.size[1]}"] if info.size[0] else []
        parts += [self.tr("{0} FPS").format(f"{info.rate:.4g}")] if info.rate else []
        self.source.set_icon(icon_of(info.kind))
        self.source.show_text(title, " · ".join(parts))
        self.source.setToolTip("\n".join((title, *parts)))
        self.source.setAccessibleName(self.tr("Source: {0}").format(title))

    def show_busy(self) -> None:
        """Show what is awaited."""
        opening = self._workspace.playback.is_opening
        network = self._workspace.engine.current.network_status
        loading = network.state == "loading"
        text = self.tr("Opening...") if opening else translated(network.text) if loading else ""
        self._busy.setVisible(opening or loading)
        self._busy_text.setVisible((opening or loading) and self._width >= _NARROW)
        self._busy_text.setText(Path(text).name if loading and not opening else text)
        self._cancel.setVisible(opening)

    def show_adapter(self, adapter: AdapterInfo) -> None:
        """Show the adapter and its problems."""
        fault = fault_text(adapter)
        gpu = self.tr("GPU: {0}").format(adapter.title)
        self.adapter.show_text(self.tr("CPU") if adapter.is_software else gpu)
        self.adapter.set_icon("warning" if fault else "", "warning")
        self.adapter.setAccessibleName(self.tr("Graphics adapter: {0}").format(adapter))
        choose = self.tr("The graphics adapter in use; click to choose another")
        about = f"{adapter.title} · {adapter.backend}"
        self.adapter.setToolTip("\n\n".join(text for text in (about, fault, choose) if text))

    def show_figures(self, snapshot: FrameSnapshot) -> None:
        """Show the figures; called several times a second."""
        self.show_busy()
        recording = self._workspace.get(Pictures).recording
        self._recording.setVisible(recording is not None)
        self._recording.setText(f"● {format_time(recording.seconds)}" if recording is not None else "")
        self._show_place()
        self._show_rate(snapshot)

    def _show_place(self) -> None:
        place = self._workspace.get(PlaylistPlayer).place
        self.place.setVisible(place is not None)
        if place is not None:
            self.place.setText(self.tr("{0} of {1}").format(*place))
            self.place.setAccessibleName(self.tr("{0} of {1} in the playlist").format(*place))

    def _show_rate(self, snapshot: FrameSnapshot) -> None:
        source = self._workspace.playback.source
        # A still image has no meaningful rate.
        if source is None or source.info.kind == "image" or not self._workspace.playback.has_picture:
            self.rate.hide()
            return
        self.rate.show()
        stats = snapshot.stats
        if source.state == "paused":
            self.rate.show_text(self.tr("Paused"))
        else:
            fps = decimal(stats.fps, 0 if stats.fps >= _WHOLE_RATES else 1)
            self.rate.show_text(self.tr("{0} FPS").format(fps), self._latency(stats))
        self.rate.setToolTip(self.tr("Frame rate and latency; click for an explanation"))
        self.rate.setAccessibleName(f"{self.tr('Frame rate')}: {self.rate.text()}")

    def _explain_figures(self) -> None:
        """Open the pop-up that says what the figures are."""
        from desktop.ui.workspace.information_popup import InformationPopup

        stats = self._workspace.engine.current.snapshot().stats
        InformationPopup(
            Information(self.tr("Figures"), "", self._figures(stats), STATISTICS_PAGE),
            self.rate,
            ((self.tr("Statistics"), lambda: self._show_panel("stats")),),
        ).open_below()

    def _figures(self, stats: PipelineStats) -> tuple[tuple[str, str], ...]:
        dropped = self.tr(
            "New frames shown per second; {0} of the frames of the last seconds were dropped."
        ).format(f"{decimal(self._drops.share * 100, 1)} %")
        latency = self.tr(
            "From capture, or from when a file's frame is due, to the end of its last pass; the median of the "
            "last frames."
        )
        total = self.tr("All passes of one frame together, by {0}.").format(translated(stats.timing_source))
        rough = self._workspace.adapter.is_software
        gpu_ms = stats.gpu_ms if stats.gpu_ms is not None else stats.cpu_ms
        return (
            (f"{self.tr('Frame rate')}: {self.tr('{0} FPS').format(decimal(stats.fps, 1))}", dropped),
            (f"{self.tr('Latency')}: {self._latency(stats) or '–'}", latency),
            (
                f"{self.tr('GPU total')}: {format_ms(gpu_ms, rough=rough)}",
                f"{total} {rough_times()}" if rough else total,
            ),
        )

    def _latency(self, stats: PipelineStats) -> str:
        median = stats.latency_ms.p50
        if median is None:
            return ""
        return self.tr("{0} ms").format(decimal(median, 0 if self._workspace.adapter.is_software else 1))
