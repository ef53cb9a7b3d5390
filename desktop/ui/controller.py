"""What the window can do, without its widgets: owns the engine and what plays, and the parts that act on them."""

from __future__ import annotations

import contextlib
from dataclasses import replace
from typing import Final

from PySide6.QtCore import QObject, Signal

from desktop.compute.chain.runner import ChainSpec
from desktop.compute.engine import Engine
from desktop.compute.filters.library import FilterLibrary
from desktop.compute.gpu.device import AdapterInfo, Gpu, list_adapters
from desktop.compute.models.builtin import builtin_models
from desktop.compute.presets.preset import Setup
from desktop.compute.running.network_spec import NetworkSpec
from desktop.errors import LightloomError
from desktop.ui.by_adapter import first_look
from desktop.ui.chosen import Chosen
from desktop.ui.edits import Edits
from desktop.ui.jobs import Jobs
from desktop.ui.messages import Failures, Messages
from desktop.ui.networks import Networks
from desktop.ui.opening import Opening
from desktop.ui.own_shaders import OwnShaders
from desktop.ui.pictures import Pictures
from desktop.ui.playback import Playback
from desktop.ui.results_export import ResultsExport
from desktop.ui.saved_overlay import SavedOverlay
from desktop.ui.settings import Settings
from desktop.ui.zones import Zones

_CLASSIFIER: Final = "classifier"


class Controller(QObject):
    """Owns what a window works with.

    Attributes:
        engine: computes what is shown.
        settings: what is kept from one start to the next.
        jobs: work on threads.
        messages: what the user is told.
        playback: the source that plays.
        edits: the chain, its history and the clipboard.
        networks: which network is used.
        shaders: the user's own.
        opening: sources, drops and presets.
        pictures: snapshots and recordings.
        zones: zones on the picture, and what is done about their events.
        export: results of the open file.
        chosen: the things on the picture that are pointed at.

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
        self.playback = Playback(self.jobs, self)
        self.edits = Edits(engine, settings, self.messages, self.playback.woken.emit, self)
        self.networks = Networks(engine, settings, self.jobs, self.messages, self.edits, self)
        self.shaders = OwnShaders(engine, self.messages, self.edits, self)
        self.opening = Opening(
            engine,
            settings,
            self.jobs,
            self.messages,
            self.playback,
            self.edits,
            self.networks,
            self.shaders,
            self,
        )
        overlay = SavedOverlay(engine, self.edits, settings)
        self.pictures = Pictures(engine, self.jobs, self.messages, self.playback, overlay, self)
        self.zones = Zones(engine, self.messages, self.playback, self.edits, overlay, self)
        self.export = ResultsExport(engine, self.jobs, self.messages, self.playback, self.edits, self)
        self.chosen = Chosen(self)
        self._stage_failures = Failures(self.messages)
        engine.on_rebuild = self._on_rebuild
        engine.on_progress = self._on_progress
        self.playback.failed.connect(lambda text: self.messages.tell("error", text, of_source=True))
        self.playback.moved.connect(engine.skip_interval)
        self.playback.jumped.connect(engine.cut)
        self.shaders.filters_changed.connect(self.playback.woken)

    @property
    def library(self) -> FilterLibrary:
        """The filters."""
        return self.engine.library

    def _on_progress(self) -> None:
        # From another thread; the signal's queued delivery wakes the window.
        with contextlib.suppress(RuntimeError):  # the window is gone
            self.progressed.emit()

    def _on_rebuild(self) -> None:
        self.engine_rebuilt.emit()

    def begin(self) -> bool:
        """Begin with the sample seen through a filter, and named by the classifier in the box; return True with a filter.

        The classifier stays away once the user has removed a network there, the filter once that chain was changed.
        """
        setup = self.edits.setup
        if self.edits.history.undo_label or setup != Setup():
            return False
        classifier = builtin_models().get(_CLASSIFIER)
        if classifier is not None and self.settings.names_things:
            setup = replace(setup, network=NetworkSpec(str(classifier.path)))
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
        """Tell of stages and of a network that have failed since the last call."""
        self._stage_failures.update({f"stage {s.id}": s.message for s in self.engine.snapshot().stages})
        self.networks.look()

    # -- the device --------------------------------------------------------------------------------------------------

    def use_adapter(self, info: AdapterInfo) -> None:
        """Compute on another adapter from now on; opened on a thread."""
        # The backend is part of what names an adapter: the same GPU is listed once for each.
        name = f"{info.name} {info.backend}"

        def opened(gpu: Gpu) -> None:
            ready = [gpu]
            try:
                self.engine.rebuild(lambda: ready.pop() if ready else Gpu.open(name))
            except LightloomError as error:
                self.messages.tell("error", str(error))
                return
            self.settings.adapter = name
            self.messages.said.emit(self.tr("Computing on {0}").format(info.name))

        self.jobs.run(lambda: Gpu.open(name), opened, lambda error: self.messages.tell("error", str(error)))

    @property
    def adapter(self) -> AdapterInfo:
        """The adapter in use."""
        return self.engine.gpu.adapter

    def adapters(self) -> list[AdapterInfo]:
        """All adapters of the machine."""
        return list_adapters()

    def close(self) -> None:
        """Stop all work and release everything."""
        self.engine.on_progress = None
        self.engine.on_rebuild = None
        self.pictures.close()
        self.zones.close()
        self.export.close()
        self.playback.close()
        self.jobs.close()
        self.engine.close()
        self.settings.sync()
