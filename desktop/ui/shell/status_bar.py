"""Status bar: switches of the panels, current activity, rate, zoom and adapter."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from PySide6.QtCore import QTimer
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QLabel, QProgressBar, QStatusBar, QToolButton

from desktop.compute.gpu.device import AdapterInfo
from desktop.pipeline.snapshot import FrameSnapshot
from desktop.pipeline.statistics import PipelineStats
from desktop.ui.features.playback.playlist_player import PlaylistPlayer
from desktop.ui.features.recording.pictures import Pictures
from desktop.ui.kit.language import decimal, translated
from desktop.ui.kit.rates import DropRate
from desktop.ui.kit.widgets import ElidedLabel, IconButton, Themed, format_time
from desktop.ui.shell.driver_fault import fault_text
from desktop.ui.workspace.action import with_key
from desktop.ui.workspace.workspace import Workspace


class StatusBar(QStatusBar):
    """The line at the bottom."""

    def __init__(
        self, workspace: Workspace, themed: Themed, drops: DropRate, actions: Mapping[str, QAction]
    ) -> None:
        super().__init__()
        self._workspace, self._drops = workspace, drops
        self.setSizeGripEnabled(False)
        self._busy = QProgressBar()
        self._busy.setRange(0, 0)
        self._busy.setFixedWidth(80)
        self._busy.setTextVisible(False)
        self._busy.setAccessibleName(self.tr("Busy"))
        self._busy_text = QLabel()
        self._cancel = QToolButton()
        self._cancel.setText(self.tr("Cancel"))
        self._cancel.clicked.connect(workspace.playback.cancel)
        for icon, name in (("panel_left", "left_panels"), ("panel_right", "chain_panel")):
            action = actions[name]
            button = IconButton(themed, icon, with_key(action), checkable=True)
            action.toggled.connect(button.setChecked)
            button.clicked.connect(action.trigger)
            self.addWidget(button)
        for widget in (self._busy, self._busy_text, self._cancel):
            self.addWidget(widget)
            widget.hide()
        # Not `showMessage`, which would hide the other widgets at each key.
        self.said = ElidedLabel()
        self.addWidget(self.said, 1)
        self._silence = QTimer(self, singleShot=True)
        self._silence.timeout.connect(self.said.clear)
        self.place = QToolButton()
        self.place.setObjectName("flat")
        self.place.setAccessibleName(self.tr("The playlist"))
        self.place.hide()
        self.place.clicked.connect(actions["playlist"].trigger)
        self.place.setToolTip(with_key(actions["playlist"], self.tr("The playlist")))
        self._recording = QLabel()
        self._recording.setObjectName("recording")
        self.rate = QLabel()
        self.rate.setAccessibleName(self.tr("Frame rate"))
        self.zoom = QLabel()
        self.adapter = QToolButton()
        self.adapter.setObjectName("flat")
        self.adapter.clicked.connect(actions["adapter"].trigger)
        for widget in (self.place, self._recording, self.rate, self.zoom, self.adapter):
            self.addPermanentWidget(widget)

    def show_message(self, text: str, milliseconds: int) -> None:
        """Show a word for a moment."""
        self.said.setText(text)
        self._silence.start(milliseconds)

    def show_busy(self) -> None:
        """Show what is awaited."""
        opening = self._workspace.playback.is_opening
        network = self._workspace.engine.current.network_status
        loading = network.state == "loading"
        text = self.tr("Opening...") if opening else translated(network.text) if loading else ""
        self._busy.setVisible(opening or loading)
        self._busy_text.setVisible(opening or loading)
        self._busy_text.setText(Path(text).name if loading and not opening else text)
        self._cancel.setVisible(opening)

    def show_adapter(self, adapter: AdapterInfo) -> None:
        """Show the adapter and its problems."""
        self.adapter.setText(f"{adapter.title} · {adapter.backend}")
        self.adapter.setAccessibleName(self.tr("Graphics adapter: {0}").format(adapter))
        choose = self.tr("The graphics adapter in use; click to choose another")
        fault = fault_text(adapter)
        self.adapter.setToolTip(f"{fault}\n\n{choose}" if fault else choose)

    def show_zoom(self, zoom: float) -> None:
        """Show how large the frame is shown, 1 for its own size; nothing while there is no frame."""
        shown = self._workspace.playback.has_picture and bool(self._workspace.engine.current.picture_size[0])
        self.zoom.setText(f"{zoom * 100:.0f} %" if shown else "")

    def show_figures(self, snapshot: FrameSnapshot, zoom: float) -> None:
        """Show the figures; called several times a second."""
        self.show_busy()
        recording = self._workspace.get(Pictures).recording
        self._recording.setText(f"● {format_time(recording.seconds)}" if recording is not None else "")
        self.show_zoom(zoom)
        self._show_place()
        self._show_rate(snapshot.stats)

    def _show_place(self) -> None:
        place = self._workspace.get(PlaylistPlayer).place
        self.place.setVisible(place is not None)
        if place is not None:
            self.place.setText(self.tr("{0} of {1}").format(*place))
            self.place.setAccessibleName(self.tr("{0} of {1} in the playlist").format(*place))

    def _show_rate(self, stats: PipelineStats) -> None:
        source = self._workspace.playback.source
        # A still image has no meaningful rate.
        moving = source is not None and self._workspace.playback.has_picture and source.info.kind != "image"
        self.rate.setText(self.tr("{0} FPS").format(f"{stats.fps:.0f}") if moving else "")
        self.rate.setToolTip(
            self.tr("Frames per second. {0} of the last seconds' frames were dropped.").format(
                f"{decimal(self._drops.share * 100, 1)} %"
            )
        )
