"""Try an item of the gallery in the large view while the pointer rests on it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from PySide6.QtCore import QObject, QTimer, Signal

from desktop.pipeline.chain.spec import MAX_STAGES, ChainSpec
from desktop.pipeline.engine import Engine
from desktop.ui.features.library.items import GalleryItem
from desktop.ui.workspace.edits import Edits

_REST_MS: Final = 300


def tried_chain(chain: ChainSpec, item: GalleryItem) -> ChainSpec | None:
    """Return a chain with an effect at its end, or with a preset's stages in place of its own.

    Replaced stages are switched off and not removed: they go on at once when the trial ends. None if there is
    nothing to try.
    """
    if item.kind == "network" or item.chain is None or item.obstacle in ("network", "unknown", "file"):
        return None
    kept = chain.stages if item.kind == "effect" else tuple(replace(s, enabled=False) for s in chain.stages)
    first = max((stage.id for stage in kept), default=0) + 1
    stages = kept + item.chain.renumbered(first).stages
    return ChainSpec(stages) if len(stages) <= MAX_STAGES else None


class TriedItem(QObject):
    """Tells other parts of the window what is tried.

    `changed`: another item is tried, or none.
    """

    changed = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._title = ""

    @property
    def title(self) -> str:
        """The displayed title of the item that is tried; '' for none."""
        return self._title

    def set_title(self, title: str) -> None:
        """Set the title of the item that is tried, '' for none."""
        if title != self._title:
            self._title = title
            self.changed.emit()


class HoverTrial(QObject):
    """Shows an item's chain after the pointer has rested on it, until it leaves.

    Neither the setup nor its history changes, and what is saved has the setup's chain.
    """

    def __init__(
        self,
        engine: Engine,
        edits: Edits,
        wake: Callable[[], None],
        is_allowed: Callable[[], bool],
        tried: TriedItem,
        parent: QObject,
    ) -> None:
        """Start without a trial; there is none unless `is_allowed`, and `wake` requests a drawing.

        `tried` shows what is tried.
        """
        super().__init__(parent)
        self._engine, self._edits, self._wake, self._is_allowed = engine, edits, wake, is_allowed
        self._tried = tried
        self._item: GalleryItem | None = None
        self._is_on = False
        self._rest = QTimer(self, singleShot=True, interval=_REST_MS)
        self._rest.timeout.connect(self._begin)
        edits.setup_changed.connect(self.end)

    @property
    def is_on(self) -> bool:
        """True while an item is tried."""
        return self._is_on

    def point_at(self, item: GalleryItem | None) -> None:
        """Follow the pointer to an item, or away from all."""
        if item == self._item:
            return
        self._item = item
        if item is None:
            self.end()
        elif self._is_on:
            self._begin()  # from one to the next without the setup in between
        else:
            self._rest.start()

    def _begin(self) -> None:
        if self._item is None or not self._is_allowed():
            self.end()
            return
        chain = tried_chain(self._edits.chain, self._item)
        self._is_on = chain is not None
        self._engine.current.try_chain(chain)
        self._tried.set_title(self._item.title if chain is not None else "")
        self._wake()

    def end(self) -> None:
        """Show the setup's chain again."""
        self._rest.stop()
        self._item = None
        if self._is_on:
            self._is_on = False
            self._engine.current.try_chain(None)
            self._tried.set_title("")
            self._wake()
