"""Prompts for a promptable segmentation network: points, a box, and the image that they apply to."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from desktop.base.errors import LightloomError
from desktop.media.frame import Frame
from desktop.overlay.prompts import DrawnPrompts
from desktop.pipeline.engine import Engine
from desktop.ui.kit.messages import Messages
from desktop.ui.workspace.edits import Edits
from desktop.ui.workspace.playback import Playback
from desktop.vision.tasks.common.prompts import MOST_POINTS, PromptPoint, Prompts
from desktop.vision.tasks.shapes import Extents, Position

_ABOUT = "clicks"


class Clicks(QObject):
    """Prompts for the network about the current frame; a video pauses, a live source freezes.

    Signals:
        changed: the prompts have changed or were cleared.
        held: the current frame must stay; a frame that was taken but not drawn is released.
    """

    changed = Signal()
    held = Signal()

    def __init__(
        self, engine: Engine, messages: Messages, playback: Playback, edits: Edits, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._edits = edits
        # Prompts before and after those in use, on the same image, for undo; and the setup they were made in.
        self._past: list[Prompts] = []
        self._future: list[Prompts] = []
        self._setup = edits.setup
        self._engine, self._messages, self._playback = engine, messages, playback
        self.prompts = Prompts()
        self.draft: Extents | None = None
        self._of: Frame | None = None
        self._was_active = False
        self._result: object = None

    @property
    def is_active(self) -> bool:
        """True while the network in use accepts prompts and there is an image."""
        return self._engine.current.takes_prompts and self._engine.current.picture_size != (0, 0)

    # -- prompts ---------------------------------------------------------------------------------------------

    def hold(self) -> None:
        """Hold the image shown, before the first prompt, which must apply to what the user saw."""
        self._playback.hold()
        self.held.emit()

    def add_point(self, at: Position, *, inside: bool = True) -> None:
        """Add a point inside the object, or outside it, in fractions of the image."""
        if len(self.prompts.points) >= MOST_POINTS:
            self._messages.said.emit(self.tr("%n points at most", "", MOST_POINTS))
            return
        points = (*self.prompts.points, PromptPoint(*at, inside=inside))
        self._set_prompts(Prompts(points, self.prompts.box))

    def aim(self, start: Position, end: Position) -> None:
        """Show a preview of the box that is being drawn."""
        self.draft = _between(start, end)
        self.changed.emit()

    def set_box(self, start: Position, end: Position) -> None:
        """Set the box around the object, replacing the previous one."""
        self.draft = None
        self._set_prompts(Prompts(self.prompts.points, _between(start, end)))

    def take_back(self) -> None:
        """Remove the last point, or the box if there are no points."""
        points, box = self.prompts.points, self.prompts.box
        self._set_prompts(Prompts(points[:-1], box if points else None))

    def clear(self) -> None:
        """Clear all prompts, cancel the inference for them, and resume a live source."""
        self.draft = None
        self._set_prompts(Prompts())
        self._playback.let_go()

    # -- undo ------------------------------------------------------------------------------------------------

    @property
    def undo_label(self) -> str:
        """Name of the last prompt, or '' if there is none or the setup was edited after it."""
        return self.tr("Prompt") if self._past and self._edits.setup is self._setup else ""

    @property
    def redo_label(self) -> str:
        """Name of the prompt that `redo` repeats, or ''."""
        return self.tr("Prompt") if self._future and self._edits.setup is self._setup else ""

    def undo(self) -> None:
        """Go back to the prompts before the last change."""
        self._step(self._past, self._future)

    def redo(self) -> None:
        """Repeat the change that was undone last."""
        self._step(self._future, self._past)

    def _step(self, source: list[Prompts], target: list[Prompts]) -> None:
        target.append(self.prompts)
        self._use(source.pop())
        if not self.prompts:
            self._playback.let_go()

    def _set_prompts(self, prompts: Prompts) -> None:
        before = self.prompts
        self._use(prompts)
        if self.prompts != before:
            self._past.append(before)
            self._future.clear()
            self._setup = self._edits.setup

    def _use(self, prompts: Prompts) -> None:
        if prompts and not self.is_active:
            return
        if prompts:
            self.hold()
        before = self.prompts
        self._of = self._engine.current.frame
        try:
            self._engine.current.prompt(prompts)
            self.prompts = prompts
            self._messages.settled.emit(_ABOUT)
        except LightloomError as error:
            self.prompts = before
            self._messages.post("error", str(error), about=_ABOUT)
        self.changed.emit()
        self._playback.woken.emit()

    # -- results ---------------------------------------------------------------------------------------------

    def poll(self) -> None:
        """Clear the prompts if the image or the network has changed."""
        if (self.prompts or self._past or self._future) and (
            self._engine.current.frame is not self._of or not self._engine.current.takes_prompts
        ):
            self.clear_prompts()
        if self.is_active != self._was_active:
            self._was_active = self.is_active
            if self._was_active:
                self._messages.said.emit(self.tr("Click on an object in the image, or drag a box around it"))
            self.changed.emit()
        if self._was_active and self._engine.current.result is not self._result:
            # Actions on masks are available now.
            self._result = self._engine.current.result
            self.changed.emit()

    def clear_prompts(self) -> None:
        """Clear the prompts: their image is gone."""
        self.prompts, self.draft, self._of = Prompts(), None, None
        self._past.clear()
        self._future.clear()
        self._playback.let_go()
        self.changed.emit()

    def waiting(self) -> str:
        """Return what is awaited, or ''."""
        done = self._engine.current.prompt_progress
        if done is None:
            return ""
        if done < 0:
            return self.tr("Encoding the image... Esc cancels")
        return self.tr("Encoding the image: {0} %. Esc cancels").format(round(done * 100))

    def drawn(self) -> DrawnPrompts:
        """Return the prompts to draw on the image, in fractions of it."""
        points = tuple(((p.x, p.y), p.inside) for p in self.prompts.points)
        return DrawnPrompts(points, self.draft or self.prompts.box)


def _between(start: Position, end: Position) -> Extents:
    return (min(start[0], end[0]), min(start[1], end[1]), max(start[0], end[0]), max(start[1], end[1]))
