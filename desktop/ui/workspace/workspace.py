"""The window's state without widgets: engine, playback, chain, and the features' parts."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Generic, Protocol, TypeVar, runtime_checkable

from PySide6.QtCore import QObject, Signal

from desktop.base.notices import forward_notices
from desktop.compute.gpu.device import AdapterInfo
from desktop.pipeline.engine import Engine
from desktop.pipeline.filters.library import FilterLibrary
from desktop.ui.forms.setting import AnySetting
from desktop.ui.forms.settings import Settings
from desktop.ui.kit.jobs import Jobs
from desktop.ui.kit.messages import Messages
from desktop.ui.kit.thread_signal import ThreadSignal
from desktop.ui.workspace.edits import Edits
from desktop.ui.workspace.outputs import Outputs
from desktop.ui.workspace.playback import Playback
from desktop.ui.workspace.sound import Sound

T = TypeVar("T")


class MissingPart(LookupError):
    """No feature provides a requested part, or it is requested while it is being made."""


@runtime_checkable
class Closable(Protocol):
    """A part that holds something to release."""

    def close(self) -> None:
        """Stop all work and release everything; called once, after the parts that use this one."""


@dataclass(frozen=True)
class Part(Generic[T]):
    """A part of the workspace: an object of class `kind` that exists once per window.

    `make` makes it; parts that this gets from the workspace are made first.
    """

    kind: type[T]
    make: Callable[[Workspace], T] = field(compare=False)


class Workspace(QObject):
    """Owns the engine, playback, chain, and one object of each part.

    `feature_settings` are in the file of `settings`; `edits` is the chain, its history and the clipboard.

    Signals:
        engine_rebuilt: the engine has a new device.
        progressed: a frame has come back from the GPU.
        refreshing: sent several times a second, before states and figures are shown.
    """

    engine_rebuilt = Signal()
    progressed = Signal()
    refreshing = Signal()

    def __init__(
        self,
        engine: Engine,
        settings: Settings,
        parts: Iterable[Part[Any]] = (),
        parent: QObject | None = None,
        *,
        feature_settings: Iterable[AnySetting] = (),
    ) -> None:
        """Begin; `parts` are made on first use."""
        super().__init__(parent)
        self.engine = engine
        self.settings = settings
        self.feature_settings = tuple(feature_settings)
        self.jobs = Jobs(self)
        self.messages = Messages(self)
        self.outputs = Outputs()
        self._notices = ExitStack()
        self._notices.enter_context(forward_notices(partial(self.messages.post, "warning")))
        self.sound = Sound(settings, self.messages, self)
        self.playback = Playback(self.jobs, self.sound, self)
        self.edits = Edits(engine, settings, self.messages, self.playback.woken.emit, self)
        self._parts = {part.kind: part for part in parts}
        self._made: dict[type, object] = {}
        self._added: dict[type, object] = {}
        self._making: list[type] = []
        engine.on_rebuild = lambda: self.engine_rebuilt.emit()
        self._progress = ThreadSignal(self._on_progress)
        engine.on_progress = self._progress.send
        engine.deinterlaces = settings.deinterlaces
        settings.follow(self._follow_deinterlacing, Settings.deinterlaces)
        self.playback.failed.connect(
            lambda text: self.messages.post("error", text, of_source=True, urgent=True)
        )
        self.playback.moved.connect(lambda *_: engine.current.skip_interval())
        self.playback.jumped.connect(lambda *_: engine.current.cut())

    # -- parts -----------------------------------------------------------------------------------------------

    def get(self, kind: type[T]) -> T:
        """Return the part of a class, made once. Raises MissingPart if none provides it, or in a cycle."""
        found = self._made.get(kind, self._added.get(kind))
        if found is None:
            found = self._make(kind)
        assert isinstance(found, kind)
        return found

    def _make(self, kind: type) -> object:
        name = kind.__name__
        part = self._parts.get(kind)
        if part is None:
            raise MissingPart(f"no feature provides the part {name}; add Part({name}, ...) to a FEATURE")
        if kind in self._making:
            way = " -> ".join(each.__name__ for each in (*self._making[self._making.index(kind) :], kind))
            raise MissingPart(f"the parts need each other: {way}")
        self._making.append(kind)
        try:
            # The parts that it requests have been made before it, and are closed after it.
            made = part.make(self)
        finally:
            self._making.pop()
        self._made[kind] = made
        return made

    def add(self, part: object) -> None:
        """Add an object of the window, available by its class; the workspace does not close it."""
        self._added[type(part)] = part

    def make_all(self) -> None:
        """Make all parts that have not been made yet."""
        for kind in self._parts:
            self.get(kind)

    # -- the engine ------------------------------------------------------------------------------------------

    @property
    def library(self) -> FilterLibrary:
        """The filter library."""
        return self.engine.library

    @property
    def adapter(self) -> AdapterInfo:
        """The adapter in use."""
        return self.engine.gpu.adapter

    def _on_progress(self) -> None:
        self.progressed.emit()

    def _follow_deinterlacing(self) -> None:
        self.engine.deinterlaces = self.settings.deinterlaces
        self.playback.woken.emit()

    def close(self) -> None:
        """Stop all work and release everything."""
        self._notices.close()
        self.engine.on_progress = None
        self.engine.on_rebuild = None
        for part in reversed(list(self._made.values())):
            if isinstance(part, Closable):
                part.close()
        self.playback.close()
        self.sound.close()
        self.jobs.close()
        self.engine.close()
        self.settings.sync()
