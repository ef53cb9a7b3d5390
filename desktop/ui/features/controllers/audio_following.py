"""Give each source pipeline the curves of its source's audio, and say where there are none."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QObject

from desktop.base.wording import sentence
from desktop.media.sources.base import Source, SourceCurves
from desktop.pipeline.engine import Engine
from desktop.pipeline.setup.automation import following_audio
from desktop.pipeline.source_pipeline import SourcePipeline
from desktop.ui.features.grid.grid import Grid
from desktop.ui.kit.messages import Messages
from desktop.ui.kit.thread_signal import ThreadSignal
from desktop.ui.workspace.edits import Edits
from desktop.ui.workspace.playback import Playback

_ABOUT = "automation/audio"


class AudioFollowing(QObject):
    """Connects sources and source pipelines; the curves are computed once an automation or effect needs them."""

    def __init__(
        self,
        engine: Engine,
        edits: Edits,
        messages: Messages,
        playback: Playback,
        grid: Grid,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._engine, self._messages, self._playback, self._grid = engine, messages, playback, grid
        self._arrived = ThreadSignal(self._on_curves)
        self._reported: Source | None = None
        for signal in (playback.changed, grid.changed, grid.used, edits.setup_changed):
            signal.connect(self._connect)

    def _pairs(self) -> Iterator[tuple[SourcePipeline, Source | None]]:
        tiles = tuple(self._grid.tiles)
        for tile in tiles:
            yield tile.source_pipeline, tile.playback.source
        if not tiles:
            yield self._engine.current, self._playback.source

    def _connect(self) -> None:
        for source_pipeline, source in self._pairs():
            curves = source.capabilities.curves if source is not None else None
            if source_pipeline.curves is not curves:
                source_pipeline.curves = curves
                if curves is not None:
                    curves.on_change = self._arrived.send
        self._report_lack()

    def _on_curves(self) -> None:
        self._report_lack()
        # A frame that stays is drawn again with them.
        self._playback.woken.emit()

    def _report_lack(self) -> None:
        """Say once for a source that an effect has nothing to follow."""
        source = self._playback.source
        name = following_audio(self._engine.current.setup, self._engine.library)
        why = self._lack(source) if name and source is not None else ""
        if not why:
            self._reported = None
            self._messages.settled.emit(_ABOUT)
        elif self._reported is not source:
            self._reported = source
            self._messages.post("warning", why, about=_ABOUT)

    def _lack(self, source: Source) -> str:
        curves: SourceCurves | None = source.capabilities.curves
        if curves is not None:
            return str(curves.failure) if curves.failure is not None else ""
        return sentence(
            "An effect follows the audio, which only a video file has; {title} is none.",
            title=source.info.title,
        )
