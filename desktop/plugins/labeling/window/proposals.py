"""Propose labels with a network, on a separate thread and device, so that editing never waits."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from desktop.base.errors import LightloomError, SourceError, StoppedError
from desktop.pipeline.running.network_spec import NetworkSpec
from desktop.plugins.labeling.data.labels import Picture
from desktop.plugins.labeling.data.pictures import PictureSet
from desktop.plugins.labeling.window.labeling import Labeling
from desktop.ui.kit.jobs import Jobs
from desktop.ui.kit.language import translated
from desktop.ui.workspace.waiting_engine import waiting_engine

if TYPE_CHECKING:
    from desktop.pipeline.engine import Engine


class Proposals(QObject):
    """Runs one network at a time over images; the engine is reused, so that the network is loaded once."""

    changed = Signal()
    _proposed = Signal(str, object, bool)

    def __init__(
        self,
        labeling: Labeling,
        network: Callable[[], NetworkSpec | None],
        adapter: Callable[[], str],
        parent: QObject,
    ) -> None:
        """Make it; `network` gives the one in use, `adapter` the name of the adapter to compute on."""
        super().__init__(parent)
        self._labeling, self._network, self._adapter = labeling, network, adapter
        # One thread: an engine is for the thread that made it.
        self._jobs = Jobs(self, threads=1)
        self._stopping = threading.Event()
        self._engine: Engine | None = None
        self._engine_adapter = ""
        self._is_running = False
        self._failed: list[str] = []
        self.done = self.total = 0
        self._proposed.connect(self._take)

    @property
    def is_running(self) -> bool:
        """True while a run is in progress."""
        return self._is_running

    def begin_here(self) -> None:
        """Propose for the image that is shown, in place of what is not confirmed in it."""
        self._begin((self._labeling.name,), replacing=True)

    def begin_all(self) -> None:
        """Propose labels for all untouched images, beginning with the one shown."""
        names = self._labeling.pictures.names
        order = (*names[self._labeling.place :], *names[: self._labeling.place])
        self._begin(tuple(name for name in order if not self._labeling.is_touched(name)), replacing=False)

    def _begin(self, names: Sequence[str], *, replacing: bool) -> None:
        spec = self._network()
        if self._is_running:
            return
        if spec is None:
            text = self.tr(
                "There is no network to propose labels; choose one in the main window, under Networks."
            )
            self._labeling.told.emit("error", text)
            return
        if not names:
            self._labeling.told.emit("info", self.tr("All images have labels already."))
            return
        self._is_running = True
        self._failed = []
        self.done, self.total = 0, len(names)
        self._stopping.clear()
        adapter = self._adapter()
        self._jobs.run(
            lambda: self._work(spec, adapter, names, replacing=replacing), self._on_done, self._on_failed
        )
        self.changed.emit()

    def cancel(self) -> None:
        """End it soon; what was proposed until then stays."""
        self._stopping.set()

    # -- on the thread ---------------------------------------------------------------------------------------

    def _work(self, spec: NetworkSpec, adapter: str, names: Sequence[str], *, replacing: bool) -> None:
        from desktop.plugins.labeling.data.proposing import propose

        if self._engine is None or self._engine_adapter != adapter:
            self._end_engine()
            self._engine, self._engine_adapter = waiting_engine(adapter), adapter
        try:
            propose(
                self._engine,
                spec,
                self._pictures,
                names,
                lambda name, found: self._emit_proposal(name, found, replacing),
            )
        except StoppedError:
            raise
        except LightloomError:
            # What has failed may have left something behind.
            self._end_engine()
            raise

    @property
    def _pictures(self) -> PictureSet:
        return self._labeling.pictures

    def _emit_proposal(self, name: str, found: Picture | SourceError, replacing: bool) -> None:
        if self._stopping.is_set():
            raise StoppedError("stopped")
        with contextlib.suppress(RuntimeError):  # the window is gone
            self._proposed.emit(name, found, replacing)

    def _end_engine(self) -> None:
        engine, self._engine = self._engine, None
        if engine is not None:
            engine.close()

    # -- on the window's thread ------------------------------------------------------------------------------

    def _take(self, name: str, found: Picture | SourceError, replacing: bool) -> None:
        self.done += 1
        if isinstance(found, SourceError):
            self._failed.append(translated(str(found)))
        elif not self._stopping.is_set():
            self._labeling.take_proposals({name: found}, replacing=replacing)
        self.changed.emit()

    def _on_done(self, _: None) -> None:
        self._end()
        if self._failed:
            count = self.tr("%n images were left out", "", len(self._failed))
            self._labeling.told.emit("warning", f"{count}: {self._failed[0]}")

    def _on_failed(self, error: LightloomError) -> None:
        self._end()
        if not isinstance(error, StoppedError) and not self._stopping.is_set():
            self._labeling.told.emit("error", translated(str(error)))

    def _end(self) -> None:
        self._is_running = False
        self.changed.emit()

    def close(self) -> None:
        """End it, and release the device."""
        self._stopping.set()
        engine = self._engine
        if engine is not None:
            engine.stop()
        self._jobs.close()
        self._end_engine()
