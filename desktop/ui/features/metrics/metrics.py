"""Serve the window's metrics to Prometheus if the settings or the command line say so."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from desktop.media.sources.base import Source
from desktop.pipeline.engine import Engine
from desktop.pipeline.source_pipeline import SourcePipeline
from desktop.ui.features.grid.grid import Grid
from desktop.ui.features.outputs.live_outputs import LiveOutputs
from desktop.ui.features.recording.pictures import Pictures
from desktop.ui.features.zones.zones import Zones
from desktop.ui.forms.settings import Settings
from desktop.ui.kit.jobs import Jobs
from desktop.ui.kit.messages import Messages
from desktop.ui.workspace.playback import Playback

if TYPE_CHECKING:
    from desktop.metrics.exporter import Exporter
    from desktop.metrics.family import Reader
    from desktop.metrics.queue_reader import QueueState

log = logging.getLogger(__name__)

_ABOUT = "metrics"


class Metrics(QObject):
    """The metrics endpoint; nothing is counted or imported until it is enabled."""

    def __init__(
        self,
        engine: Engine,
        settings: Settings,
        jobs: Jobs,
        messages: Messages,
        playback: Playback,
        grid: Grid,
        pictures: Pictures,
        live: LiveOutputs,
        zones: Zones,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._engine, self._settings, self._jobs, self._messages = engine, settings, jobs, messages
        self._playback, self._grid, self._pictures = playback, grid, pictures
        self._live, self._zones = live, zones
        self._requested_address = ""
        self._readers: tuple[Reader, ...] = ()
        self._source_failures = 0
        # Changes run one after another on threads; each applies the newest address.
        self._changing = threading.Lock()
        self._exporter: Exporter | None = None
        self._served = ""
        playback.broke.connect(self._count_failure)
        settings.follow(lambda: self.serve(settings.metrics_address), Settings.metrics_address)

    def begin(self, address: str | None) -> None:
        """Serve at the address from the command line, or else at that of the settings."""
        self.serve(self._settings.metrics_address if address is None else address)

    def serve(self, address: str) -> None:
        """Serve at 'HOST:PORT' from now on, at '' nowhere; report a failure."""
        self._messages.settled.emit(_ABOUT)
        if not (address or self._requested_address):
            return
        self._requested_address = address
        if address and not self._readers:
            self._readers = self._make_readers()
        self._jobs.run(
            self._change,
            self._show_address,
            lambda error: self._messages.post("error", str(error), about=_ABOUT),
        )

    @property
    def address(self) -> str:
        """The address in use, '' for none."""
        exporter = self._exporter
        return "" if exporter is None else str(exporter.address)

    def _change(self) -> str:
        """Apply the newest address; on a thread."""
        from desktop.metrics.address import Address
        from desktop.metrics.exporter import Exporter

        with self._changing:
            wanted = self._requested_address
            if wanted == self._served:
                return ""
            if self._exporter is not None:
                self._exporter.close()
            self._exporter, self._served = None, ""
            if wanted:
                exporter = Exporter(Address.of(wanted), self._readers)
                exporter.start()
                self._exporter, self._served = exporter, wanted
            return self.address

    def _show_address(self, address: str) -> None:
        if address:
            self._messages.said.emit(self.tr("Metrics are at http://{0}/metrics").format(address))

    def _make_readers(self) -> tuple[Reader, ...]:
        from desktop.metrics.engine_reader import EngineReader
        from desktop.metrics.queue_reader import QueueReader

        engine = EngineReader(self._engine, self._sources, lambda: self._source_failures)
        return (engine, QueueReader(self._queues))

    def _count_failure(self) -> None:
        self._source_failures += 1

    # -- called on serving threads: shared values are replaced, never mutated --------------------------------

    def _sources(self) -> Mapping[SourcePipeline, Source]:
        tiles = tuple(self._grid.tiles)
        playing = [(tile.source_pipeline, tile.playback.source) for tile in tiles] or [
            (self._engine.current, self._playback.source)
        ]
        return {source_pipeline: source for source_pipeline, source in playing if source is not None}

    def _queues(self) -> Iterable[QueueState]:
        from desktop.metrics.queue_reader import QueueState

        recording, deliveries = self._pictures.recording, self._zones.deliveries
        if recording is not None:
            yield QueueState("recording", recording.waiting, recording.dropped)
        if deliveries is not None:
            yield QueueState("events", deliveries.waiting, deliveries.undelivered)
        for feed in self._live.on:
            figures = feed.figures()
            yield QueueState(feed.output.id, figures.waiting, figures.dropped)

    def close(self) -> None:
        """Stop serving."""
        self._requested_address = ""
        with self._changing:
            if self._exporter is not None:
                self._exporter.close()
                self._exporter, self._served = None, ""
