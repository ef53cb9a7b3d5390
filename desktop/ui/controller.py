"""The window's logic without its widgets: owns the engine, the playback and the components that act on them."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from typing import Final

from PySide6.QtCore import QObject, Signal

from desktop.base.errors import LightloomError
from desktop.base.notices import told_by
from desktop.compute.gpu.device import AdapterInfo, Gpu, list_adapters
from desktop.pipeline.chain.runner import ChainSpec
from desktop.pipeline.engine import Engine
from desktop.pipeline.filters.library import FilterLibrary
from desktop.pipeline.picture.present import check_drawing
from desktop.pipeline.running.network_spec import NetworkSpec
from desktop.pipeline.setup.preset import Setup
from desktop.ui.by_adapter import first_look
from desktop.ui.camera_controls import CameraControls
from desktop.ui.chosen import Chosen
from desktop.ui.clicks import Clicks
from desktop.ui.decoding import Decoding
from desktop.ui.edits import Edits
from desktop.ui.exports import Exports
from desktop.ui.grid import Grid
from desktop.ui.interpolation import Interpolation
from desktop.ui.jobs import Jobs
from desktop.ui.live_outputs import LiveOutputs
from desktop.ui.messages import Failures, Messages
from desktop.ui.metrics import Metrics
from desktop.ui.networks import Networks
from desktop.ui.opening import Opening
from desktop.ui.own_shaders import OwnShaders
from desktop.ui.pictures import Pictures
from desktop.ui.playback import Playback
from desktop.ui.playlist_player import PlaylistPlayer
from desktop.ui.relay import Relay
from desktop.ui.results_export import ResultsExport
from desktop.ui.saved_overlay import SavedOverlay
from desktop.ui.settings import Settings
from desktop.ui.sound import Sound
from desktop.ui.subtitles import Subtitles
from desktop.ui.zones import Zones
from desktop.vision.models.builtin import builtin_models

_CLASSIFIER: Final = "classifier"


class Controller(QObject):
    """Owns the engine and the components of the window.

    Attributes:
        engine: renders what is shown.
        settings: the persistent settings.
        jobs: background work on threads.
        messages: notices to the user.
        sound: audio output.
        playback: the source that plays.
        camera_controls: controls of the camera that plays.
        decoding: the choice of video decoder.
        subtitles: subtitles of the source.
        playlist: sources that play next.
        edits: the chain, its history and the clipboard.
        networks: the network in use.
        interpolation: settings of frame interpolation during playback.
        shaders: the user's own shaders.
        opening: sources, drops and presets.
        pictures: snapshots and recordings.
        live: live outputs: a virtual camera, streams.
        zones: zones on the picture and the actions of their events.
        clicks: prompts for a segmentation network.
        export: export of the network's results over the open file.
        exports: video exports of the open file.
        chosen: the detections selected in the results table.
        grid: several sources at once; the components above act on the active tile.
        metrics: the Prometheus endpoint.

    Signals:
        engine_rebuilt: the engine has a new device.
        progressed: a frame has come back from the GPU.
    """

    engine_rebuilt = Signal()
    progressed = Signal()

    def __init__(self, engine: Engine, settings: Settings, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.engine = engine
        self.settings = settings
        self.jobs = Jobs(self)
        self.messages = Messages(self)
        self._notices = ExitStack()
        self._notices.enter_context(told_by(partial(self.messages.tell, "warning")))
        self.sound = Sound(settings, self.messages, self)
        self.playback = Playback(self.jobs, self.sound, self)
        self.camera_controls = CameraControls(self.playback, settings, self)
        self.decoding = Decoding(settings, self.messages, self.playback, self)
        self.subtitles = Subtitles(settings, self.messages, self.playback, self)
        self.playlist = PlaylistPlayer(self.jobs, self.messages, self.playback, settings, self)
        self.edits = Edits(engine, settings, self.messages, self.playback.woken.emit, self)
        self.networks = Networks(engine, settings, self.jobs, self.messages, self.edits, self)
        self.interpolation = Interpolation(engine, self.messages, self.playback, self.edits, self)
        self.shaders = OwnShaders(engine, self.messages, self.edits, self)
        self.opening = Opening(
            engine,
            settings,
            self.jobs,
            self.messages,
            self.playback,
            self.playlist,
            self.edits,
            self.networks,
            self.shaders,
            self,
        )
        self.opening.subtitles_found.connect(self.subtitles.add_file)
        overlay = SavedOverlay(engine, self.edits, settings, self.subtitles)
        self.pictures = Pictures(engine, self.jobs, self.messages, self.playback, overlay, settings, self)
        self.live = LiveOutputs(
            engine, settings, self.jobs, self.messages, self.playback, self.edits, overlay, self
        )
        self.zones = Zones(engine, self.messages, self.playback, self.edits, overlay, self)
        self.clicks = Clicks(engine, self.messages, self.playback, self)
        self.export = ResultsExport(
            engine, self.jobs, self.messages, self.playback, self.edits, self.decoding, self
        )
        self.exports = Exports(
            engine, self.jobs, self.messages, self.playback, self.edits, self.subtitles, self.decoding, self
        )
        self.chosen = Chosen(self)
        self.grid = Grid(
            engine,
            self.messages,
            self.playback,
            self.playlist,
            self.edits,
            self.opening,
            self.pictures,
            self.clicks,
            self,
        )
        self.grid.used.connect(self.zones.leave)
        self.grid.used.connect(lambda: self.chosen.choose(()))
        self.metrics = Metrics(
            engine,
            settings,
            self.jobs,
            self.messages,
            self.playback,
            self.grid,
            self.pictures,
            self.live,
            self.zones,
            self,
        )
        self._stage_failures = Failures(self.messages)
        engine.on_rebuild = self._on_rebuild
        self._progress = Relay(self._on_progress)
        engine.on_progress = self._progress.send
        engine.deinterlaces = settings.deinterlaces
        settings.follow(self._follow_deinterlacing, Settings.deinterlaces)
        settings.follow(self._follow_adapter, Settings.adapter)
        self.playback.failed.connect(lambda text: self.messages.tell("error", text, of_source=True))
        self.playback.moved.connect(lambda *_: engine.current.skip_interval())
        self.playback.jumped.connect(lambda *_: engine.current.cut())
        self.shaders.filters_changed.connect(self.playback.woken)

    @property
    def library(self) -> FilterLibrary:
        """The filter library."""
        return self.engine.library

    def _on_progress(self) -> None:
        self.progressed.emit()

    def _on_rebuild(self) -> None:
        self.clicks.forget()
        self.interpolation.renew()
        self.engine_rebuilt.emit()

    def begin(self) -> bool:
        """Open the sample through a filter, and with a network: the bundled classifier unless the user chose another one.

        The network is left out once the user has removed one there, the filter once the user has changed that chain.

        Returns:
            True with a filter.
        """
        setup = self.edits.setup
        if self.edits.history.undo_label or setup != Setup():
            return False
        if self.settings.names_things:
            name = self.settings.first_network or _CLASSIFIER
            builtin = builtin_models().get(name)
            setup = replace(setup, network=NetworkSpec(str(builtin.path) if builtin is not None else name))
        if self.settings.shows_look:
            setup = replace(setup, chain=self._first_chain())
        if setup != self.edits.setup:
            self.edits.begin_with(setup)
        return bool(setup.chain.stages)

    def _first_chain(self) -> ChainSpec:
        name, values = first_look(self.adapter)
        item = self.library.filters.get(name)
        return ChainSpec().added(name, item.check(values)) if item is not None else ChainSpec()

    def look_at_stages(self) -> None:
        """Report stages and a network that have failed since the last call."""
        self._stage_failures.update(
            {f"stage {s.id}": s.message for s in self.engine.current.snapshot().stages}
        )
        self.networks.look()
        self.interpolation.look()

    # -- the device --------------------------------------------------------------------------------------------------

    def use_adapter(self, info: AdapterInfo) -> None:
        """Switch to another adapter, which is opened on a thread."""
        self._open_adapter(info, keep=True)

    def _open_adapter(self, info: AdapterInfo, *, keep: bool) -> None:
        # The backend is part of an adapter's identity: the same GPU is listed once per backend.
        name = info.choice

        def opened(gpu: Gpu) -> None:
            ready = [gpu]
            try:
                self.engine.rebuild(
                    lambda: ready.pop() if ready else Gpu.open_or_another(name, check=check_drawing)
                )
            except LightloomError as error:
                self.messages.tell("error", str(error))
                return
            if keep:
                self.settings.adapter = name
            self.messages.said.emit(self.tr("Computing on {0}").format(info.name))

        self.jobs.run(
            lambda: Gpu.open(name, check=check_drawing),
            opened,
            lambda error: self.messages.tell("error", str(error)),
        )

    def _follow_adapter(self) -> None:
        """Switch to the adapter named in the settings, '' for the best, unless it is already in use."""
        wanted, used = self.settings.adapter, self.adapter

        def found(adapters: list[AdapterInfo]) -> None:
            named = next((info for info in adapters if wanted in (info.choice, "")), None)
            if named is None:
                self.messages.tell("error", self.tr("There is no graphics adapter {0} here.").format(wanted))
            elif named != used:
                self._open_adapter(named, keep=bool(wanted))

        if wanted != f"{used.name} {used.backend}":
            self.jobs.run(self.adapters, found, lambda error: self.messages.tell("error", str(error)))

    def _follow_deinterlacing(self) -> None:
        self.engine.deinterlaces = self.settings.deinterlaces
        self.playback.woken.emit()

    @property
    def adapter(self) -> AdapterInfo:
        """The adapter in use."""
        return self.engine.gpu.adapter

    def adapters(self) -> list[AdapterInfo]:
        """All adapters of the machine."""
        return list_adapters()

    def close(self) -> None:
        """Stop all work and release everything."""
        self._notices.close()
        self.engine.on_progress = None
        self.engine.on_rebuild = None
        self.metrics.close()
        self.pictures.close()
        self.live.close()
        self.zones.close()
        self.export.close()
        self.exports.close()
        self.grid.close()
        self.playlist.close()
        self.playback.close()
        self.sound.close()
        self.jobs.close()
        self.engine.close()
        self.settings.sync()
