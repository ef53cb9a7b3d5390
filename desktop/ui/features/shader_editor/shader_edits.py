"""The shader that is being edited: its text, how far it is tried, and what is wrong with it. No widgets."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, Literal

from PySide6.QtCore import QObject, QTimer, Signal

from desktop.base.errors import FilterError, ShaderMessage, shader_messages
from desktop.base.files import reason, replace_file
from desktop.base.paths import user_filter_folder
from desktop.base.wording import sentence
from desktop.pipeline.chain.runner import StageStatus
from desktop.pipeline.chain.spec import ChainSpec
from desktop.pipeline.engine import Engine
from desktop.pipeline.filters.description import Filter
from desktop.pipeline.filters.header import MAX_FILE, read_text
from desktop.ui.features.opening.own_shaders import OwnShaders
from desktop.ui.features.shader_editor.drafts import Drafts, encoded
from desktop.ui.features.shader_editor.template import TEMPLATE, copied
from desktop.ui.kit.messages import Messages
from desktop.ui.workspace.edits import Edits
from desktop.ui.workspace.playback import Playback

State = Literal["", "compiling", "works", "problems", "unused", "no_picture"]
"""State of the newest text: '' without a document, 'unused' if no stage has the filter."""

_PAUSE_MS: Final = 400


@dataclass(frozen=True)
class Document:
    """A shader file that is being edited.

    Attributes:
        saved: the text in the file, with lines ending in a line feed.
        has_returns: the file's lines end in carriage return and line feed.
    """

    path: Path
    saved: str
    has_returns: bool = False

    @property
    def filter(self) -> str:
        """The id of its filter."""
        return self.path.stem


class ShaderEdits(QObject):
    """Applies a text after each pause in typing, and stores it when asked; unsaved texts are kept as drafts.

    Signals:
        opened: another document is edited, or its text was replaced.
        changed: the state, the problems or the file have changed.
        stage_opened: the shader of a stage is to be shown.
    """

    opened = Signal()
    stage_opened = Signal()
    changed = Signal()

    def __init__(
        self,
        engine: Engine,
        messages: Messages,
        playback: Playback,
        edits: Edits,
        shaders: OwnShaders,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._engine, self._messages, self._playback = engine, messages, playback
        self._edits, self._shaders = edits, shaders
        self._folder = engine.library.user_folder or user_filter_folder()
        self._drafts = Drafts(self._folder / "drafts")
        self.document: Document | None = None
        self.text = ""
        self.problems: tuple[ShaderMessage, ...] = ()
        self.state: State = ""
        self.is_restored = False
        """The text is one that was not saved when it was edited last."""
        self.outside: str | None = None
        """The file's text, if another program has changed it."""
        self._is_tried = True  # the library has the text, or refuses it
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(_PAUSE_MS)
        self._pause.timeout.connect(self.try_now)
        shaders.filters_changed.connect(self._follow_file)

    # -- documents -------------------------------------------------------------------------------------------

    @property
    def is_modified(self) -> bool:
        """True if the text is not that of the file."""
        return self.document is not None and self.text != self.document.saved

    def is_editing(self, name: str) -> bool:
        """Return whether a filter has an edited text that is not saved."""
        return self.is_modified and self.document is not None and self.document.filter == name

    def edits_in_place(self, item: Filter) -> bool:
        """Return whether a filter's own file is edited; of others, such as bundled or translated ones, a copy in
        WGSL.
        """
        path = Path(item.path)
        is_own = not item.builtin and path.suffix == ".wgsl"
        return is_own and (path.parent == self._folder or path in self._shaders.followed)

    def open_stage(self, stage_id: int) -> bool:
        """Edit the shader of a stage, or a copy that takes its place; return whether that was possible."""
        is_open = self._open_stage(stage_id)
        if is_open:
            self.stage_opened.emit()
        return is_open

    def _open_stage(self, stage_id: int) -> bool:
        stage = self._edits.chain.find(stage_id)
        item = self._edits.library.filters.get(stage.filter)
        if item is None:
            # Perhaps its file cannot be read, which the editor is for.
            broken = (
                Path(path) for path in self._edits.library.errors if Path(path).name == f"{stage.filter}.wgsl"
            )
            if (path := next(broken, None)) is not None:
                return self.open(path)
            self._messages.post("error", sentence("The effect is not there any more; add another one."))
            return False
        if self.edits_in_place(item):
            return self.open(Path(item.path))
        title = self._edits.title_of(stage.filter)
        path = self._new_path(f"my_{item.id}")
        named = self.tr("{0} (copy)").format(title).replace("\\", "").replace('"', "'")
        if not self._create(path, copied(item.text, named)):
            return False
        stages = tuple(
            replace(each, filter=path.stem) if each.id == stage_id else each
            for each in self._edits.chain.stages
        )
        self._edits.edit_chain(ChainSpec(stages), self.tr("Edit a copy of {0}").format(title))
        return self.open(path)

    def new(self) -> bool:
        """Edit a new effect, which is added to the chain; return whether that was possible."""
        path = self._new_path("my_effect")
        title = self.tr("My effect") + "".join(
            f" {n}" for n in path.stem.removeprefix("my_effect").split("_") if n
        )
        if not self._create(path, TEMPLATE.format(title=title)) or not self.open(path):
            return False
        self._edits.add_filter(path.stem)
        return True

    def _new_path(self, stem: str) -> Path:
        taken = self._edits.library.filters.keys()
        names = itertools.chain((stem,), (f"{stem}_{number}" for number in itertools.count(2)))
        paths = (self._folder / f"{name}.wgsl" for name in names if name not in taken)
        return next(path for path in paths if not path.exists())

    def _create(self, path: Path, text: str) -> bool:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            self._report_unsaved(path, error)
            return False
        if not self._write(path, text):
            return False
        self._engine.library.refresh()
        self._shaders.filters_changed.emit()
        return True

    def open(self, path: Path) -> bool:
        """Edit a shader file, with its unsaved text if there is one; return whether that was possible."""
        if self.document is not None and self.document.path == path:
            self.opened.emit()
            return True
        try:
            content = read_text(path)
        except FilterError as error:
            self._messages.post("error", str(error))
            return False
        self.leave()
        self.document = Document(path, _plain(content), "\r\n" in content)
        draft = self._read_draft(path)
        self.is_restored = draft is not None and draft != self.document.saved
        self.text = draft if draft is not None else self.document.saved
        self.outside, self.problems, self.state = None, (), "compiling"
        self._is_tried = False
        self.opened.emit()
        self.try_now()
        return True

    def _read_draft(self, path: Path) -> str | None:
        try:
            return self._drafts.get(path)
        except (OSError, ValueError) as error:
            text = sentence(
                "Unsaved changes of {name} cannot be read: {reason}; they are kept in {path}, and the saved text is shown.",
                name=path.name,
                reason=reason(error),
                path=str(self._drafts.put_aside(path)),
            )
            self._messages.post("warning", text, about="shader_editor/draft")
            return None

    def leave(self) -> None:
        """Keep an unsaved text, before another document is opened or the program ends."""
        if self._pause.isActive():
            self._pause.stop()
            self._store_draft()

    def close(self) -> None:
        """Keep an unsaved text."""
        self.leave()

    # -- the text --------------------------------------------------------------------------------------------

    def set_text(self, text: str) -> None:
        """Take a text that was typed; it is tried after a pause."""
        if self.document is None or text == self.text:
            return
        self.text = text
        self._is_tried = False
        self._pause.start()
        self.changed.emit()

    def try_now(self) -> None:
        """Use the text, if it can be read; the last good version runs until it is compiled."""
        self._pause.stop()
        if self.document is None or self._is_tried:
            return
        self._is_tried = True
        self._store_draft()
        library, name = self._edits.library, self.document.filter
        before = library.filters.get(name)
        try:
            item = library.use_text(self.document.path, self.text)
        except FilterError as error:
            self._show("problems", shader_messages(error))
            return
        self._edits.fit_values({name})
        self._engine.filters_changed()
        if before is None or replace(before, text="") != replace(item, text=""):
            self._shaders.filters_changed.emit()
        self._playback.woken.emit()
        self._show("compiling", ())

    def _show(self, state: State, problems: tuple[ShaderMessage, ...]) -> None:
        if (state, problems) != (self.state, self.problems):
            self.state, self.problems = state, problems
            self.changed.emit()

    def poll(self) -> None:
        """Follow what becomes of the text; called several times a second."""
        if self.document is None or not self._is_tried:
            return
        item = self._edits.library.filters.get(self.document.filter)
        if item is None or _plain(item.text) != self.text:
            return  # it cannot be read, and its problems are known
        status = self._status(item.id)
        if status is None:
            self._show("unused", ())
        elif status.is_making:
            self._show("compiling" if self._playback.has_picture else "no_picture", ())
        elif status.problems:
            self._show("problems", status.problems)
        elif status.state == "failed":
            self._show("problems", (ShaderMessage(0, 0, status.message),))
        else:
            self._show("works", ())

    def _status(self, name: str) -> StageStatus | None:
        of_filter = {stage.id for stage in self._edits.chain.stages if stage.filter == name}
        return next((s for s in self._engine.current.snapshot().stages if s.id in of_filter), None)

    def add_to_chain(self) -> None:
        """Add the effect to the chain, so that it is tried and shown."""
        if self.document is not None:
            self._edits.add_filter(self.document.filter)

    # -- the file --------------------------------------------------------------------------------------------

    def _store_draft(self) -> None:
        if self.document is None:
            return
        if not self.is_modified:
            self._drafts.remove(self.document.path)
            return
        try:
            self._drafts.put(self.document.path, self.text)
        except (OSError, ValueError) as error:
            text = sentence(
                "Unsaved changes of {name} cannot be kept: {reason}; save it, or free some space.",
                name=self.document.path.name,
                reason=reason(error),
            )
            self._messages.post("warning", text, about="shader_editor/draft")

    def save(self) -> bool:
        """Write the text into its file; return whether that was possible."""
        document = self.document
        if document is None:
            return False
        text = self.text.replace("\n", "\r\n") if document.has_returns else self.text
        if not self._write(document.path, text):
            return False
        self.document = replace(document, saved=self.text)
        self.outside, self.is_restored = None, False
        self._drafts.remove(document.path)
        self.try_now()
        self.changed.emit()
        return True

    def _write(self, path: Path, text: str) -> bool:
        data = encoded(text)
        if len(data) > MAX_FILE:
            text = sentence(
                "{name} is larger than 1 MiB, the most for a filter; make it shorter.", name=path.name
            )
            self._messages.post("error", text)
            return False
        try:
            replace_file(path, [data])
        except OSError as error:
            self._report_unsaved(path, error)
            return False
        return True

    def _report_unsaved(self, path: Path, error: OSError) -> None:
        text = sentence(
            "{path} cannot be written: {reason}; check the folder and its permissions.",
            path=str(path),
            reason=reason(error),
        )
        self._messages.post("error", text)

    def revert(self) -> None:
        """Go back to the text in the file."""
        if self.document is not None:
            self._replace_text(self.document.saved)

    def load_outside(self) -> None:
        """Take the file's text in the place of the edited one."""
        if self.document is not None and self.outside is not None:
            self.document = replace(self.document, saved=self.outside)
            self._replace_text(self.outside)

    def retain_own(self) -> None:
        """Keep the edited text; saving it replaces what another program has written."""
        if self.document is not None and self.outside is not None:
            self.document = replace(self.document, saved=self.outside)
            self.outside, self._is_tried = None, False
            self.try_now()
            self.changed.emit()

    def _replace_text(self, text: str) -> None:
        self.text, self.outside, self.is_restored = text, None, False
        self._is_tried = False
        self.opened.emit()
        self.try_now()

    def _follow_file(self) -> None:
        """Notice that another program has changed the file, which the library has read by now."""
        document = self.document
        item = self._edits.library.filters.get(document.filter) if document is not None else None
        if document is None or item is None or item.path != str(document.path):
            return
        try:
            content = _plain(read_text(document.path))
        except FilterError:
            return  # it is gone, and the editor has its text
        if content == document.saved:
            return
        if self.is_modified:
            self.outside = content
            self.changed.emit()
        else:
            self.document = replace(document, saved=content)
            self._replace_text(content)


def _plain(text: str) -> str:
    return text.replace("\r\n", "\n")
