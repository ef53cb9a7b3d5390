"""The window in which images are labeled: makes its parts and connects them."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import (
    QApplication,
    QFileDialog,
    QInputDialog,
    QLabel,
    QMainWindow,
    QProgressBar,
    QSplitter,
    QToolButton,
    QWidget,
)

from desktop.base.wording import sentence
from desktop.media.sources._video_header import VIDEO_SUFFIXES
from desktop.plugins.labeling.data.pictures import LONGEST_S, SHORTEST_S, PictureSet, open_pictures
from desktop.plugins.labeling.data.project import Project
from desktop.plugins.labeling.window.actions import ACTIONS, MENUS, LabelingContext
from desktop.plugins.labeling.window.canvas import LabelCanvas
from desktop.plugins.labeling.window.dialogs import Files
from desktop.plugins.labeling.window.labeling import Labeling
from desktop.plugins.labeling.window.lists import PicturesList, Side
from desktop.plugins.labeling.window.proposals import Proposals
from desktop.ui.kit import icons
from desktop.ui.kit.language import translated
from desktop.ui.kit.messages import Notice
from desktop.ui.kit.notices import Floor, NoticeQueue
from desktop.ui.kit.theme import resolve
from desktop.ui.kit.widgets import ElidedLabel, Themed
from desktop.ui.workspace.help import show_help
from desktop.ui.workspace.keys_dialog import KeysDialog
from desktop.ui.workspace.menus import Menus
from desktop.ui.workspace.window_context import WindowContext
from desktop.ui.workspace.workspace import Workspace

_FIRST_SIZE: Final = (1320, 820)
_MINIMUM: Final = (720, 440)
_SHARE_OF_SCREEN: Final = 0.94


class LabelWindow(QMainWindow):
    """Window that labels images of a folder or video; while `is_closing`, it may wait for a network."""

    def __init__(self, pictures: PictureSet, project: Project, context: WindowContext) -> None:
        super().__init__(context.viewport.window())
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._workspace: Workspace = context.workspace
        self._down = self.is_closing = False
        self._waits_for_export = self._is_warned = False
        self.labeling = Labeling(pictures, project, self)
        self._themed = Themed(resolve(context.workspace.settings.theme))
        self.setWindowTitle(" — ".join((pictures.path.name, self.tr("Labels"), "Lightloom")))
        self.setWindowIcon(icons.app_icon())
        self.canvas = LabelCanvas(self.labeling)
        self.list = PicturesList(self.labeling)
        self.side = Side(self.labeling)
        self.notices = NoticeQueue(self._themed)
        self.proposals = Proposals(
            self.labeling,
            lambda: self._workspace.edits.setup.network,
            lambda: self._workspace.adapter.choice,
            self,
        )
        self.files = Files(self.labeling, context.workspace.settings, self)
        self._make_middle()
        self._make_status()
        label_desk = LabelingContext(
            *(self.labeling, self.canvas, self.side.classes, self.proposals, self.files),
            show_keys=self._show_keys,
            show_help=lambda: show_help(context.viewport.window()),
            close=self.close,
        )
        self.menus = Menus(self, label_desk, MENUS, ACTIONS)
        self.menus.make_bar()
        self._connect()
        self._size()
        self.labeling.begin()
        self.canvas.setFocus()

    # -- the parts -------------------------------------------------------------------------------------------

    def _make_middle(self) -> None:
        split = QSplitter()
        split.setChildrenCollapsible(False)
        floor = Floor(self.canvas, self.notices, native=False)
        for widget in (self.list, floor, self.side):
            split.addWidget(widget)
        split.setStretchFactor(1, 1)
        split.setSizes([210, 880, 230])
        self.setCentralWidget(split)

    def _make_status(self) -> None:
        status = self.statusBar()
        status.setSizeGripEnabled(False)
        self.count = QLabel()
        self.count.setAccessibleName(self.tr("Number of confirmed images"))
        self.bar = QProgressBar()
        self.bar.setTextVisible(False)
        self.bar.setFixedWidth(90)
        self.bar.setAccessibleName(self.tr("How far the network is"))
        self.busy = QLabel()
        self.cancel = QToolButton()
        self.cancel.setText(self.tr("Cancel"))
        self.cancel.clicked.connect(self.proposals.cancel)
        self.hint = ElidedLabel("")
        self.hint.setObjectName("muted")
        status.addWidget(self.count)
        for widget in (self.bar, self.busy, self.cancel):
            status.addWidget(widget)
        status.addWidget(self.hint, 1)

    def _connect(self) -> None:
        labeling = self.labeling
        labeling.told.connect(lambda level, text: self.notices.add(Notice(level, text)))
        self.files.on_written = self._close_after_export
        for signal in (labeling.changed, labeling.shown, self.proposals.changed):
            signal.connect(self._refresh)
        labeling.changed.connect(self._warn_again)
        # A click in a list leaves the keyboard to the image's shortcuts.
        for clicked in (
            self.list.view.clicked,
            self.side.classes.list.itemClicked,
            self.side.items.list.itemClicked,
        ):
            clicked.connect(lambda _: self.canvas.setFocus())
        # However the program ends, no thread is left.
        application = QApplication.instance()
        assert application is not None  # there is no window without one
        application.aboutToQuit.connect(self.shutdown)

    def _size(self) -> None:
        room = self.screen().availableGeometry()
        self.setMinimumSize(min(_MINIMUM[0], room.width()), min(_MINIMUM[1], room.height()))
        width, height = (round(side * _SHARE_OF_SCREEN) for side in (room.width(), room.height()))
        self.resize(min(_FIRST_SIZE[0], width), min(_FIRST_SIZE[1], height))

    # -- following the state ---------------------------------------------------------------------------------

    def _refresh(self) -> None:
        if self._down:
            return
        if self.is_closing and not self.proposals.is_running:
            QTimer.singleShot(0, self, self.close)
            return
        self.menus.sync()
        labeling = self.labeling
        total = len(labeling.pictures.names)
        self.count.setText(self.tr("{0} of %n images confirmed", "", total).format(labeling.confirmed))
        for widget in (self.bar, self.busy, self.cancel):
            widget.setVisible(self.proposals.is_running)
        self.bar.setRange(0, self.proposals.total if self.proposals.done else 0)
        self.bar.setValue(self.proposals.done)
        done, of = self.proposals.done, self.proposals.total
        self.busy.setText(self.tr("The network has seen {0} of {1}").format(done, of))
        self.hint.setText(self._hint())

    def _hint(self) -> str:
        labeling = self.labeling
        if labeling.drawing:
            return self.tr("Drag a box of the class {0}; Esc leaves it").format(labeling.class_now)
        if labeling.item is not None:
            return self.tr("Arrows move the box, with Ctrl they resize it; 1 to 9 change its class")
        if not labeling.picture.items:
            return self.tr("N draws a box, P has the network propose, Enter confirms")
        return self.tr("J selects a box, N draws one, Enter confirms the image")

    def _show_keys(self) -> None:
        also = self.tr(
            "On the image: wheel zooms, drag moves the image or a box, Shift and drag draws one. Arrows "
            "move the selected box by a pixel, with Shift by ten; with Ctrl they resize it. Esc selects "
            "none."
        )
        KeysDialog(self.menus.by_menu(), self, also).open()

    # -- ending ----------------------------------------------------------------------------------------------

    def closeEvent(self, event: QCloseEvent) -> None:
        """Stop; labels are saved already. The window hides until a running network has ended.

        It stays open once if an edit cannot be saved, again after further edits, and until a running export is done;
        closing it again discards the edits, or cancels the export.
        """
        if not (self._down or self.is_closing) and self._must_stay():
            event.ignore()
            return
        self.is_closing = True
        if self.proposals.is_running and not self._down:
            self.proposals.cancel()
            self.hide()
            event.ignore()
            return
        self.shutdown()
        event.accept()

    def _must_stay(self) -> bool:
        if not self.labeling.save() and not self._is_warned:
            self._is_warned = True
            text = self.tr("These changes are not saved. Close the window again to discard them.")
            self.notices.add(Notice("warning", text))
            return True
        if self.files.is_writing and not self._waits_for_export:
            self._waits_for_export = True
            text = self.tr(
                "The window closes when the labels are exported. Close it again to cancel the export."
            )
            self.notices.add(Notice("info", text))
            return True
        return False

    def _warn_again(self) -> None:
        self._is_warned = False

    def _close_after_export(self, is_clean: bool) -> None:
        if self.files.is_writing:
            return
        if self._waits_for_export and is_clean:
            self.close()
        self._waits_for_export = False

    def shutdown(self) -> None:
        """End all work of this window; twice is allowed."""
        if self._down:
            return
        self._down = True
        self.proposals.close()
        self.files.close()
        self.labeling.close()


# -- opening -------------------------------------------------------------------------------------------------


def choose_folder(context: WindowContext) -> None:
    """Let the user choose a folder of images, and open it."""
    window = context.viewport.window()
    settings = context.workspace.settings
    path = QFileDialog.getExistingDirectory(
        window, translated(sentence("Label the images of a folder")), settings.folder
    )
    if path:
        settings.folder = path
        open_labels(context, Path(path))


def choose_video(context: WindowContext) -> None:
    """Let the user choose a video and how far its frames are apart, and open it."""
    window = context.viewport.window()
    settings = context.workspace.settings
    patterns = " ".join(f"*{suffix}" for suffix in VIDEO_SUFFIXES)
    videos = translated(sentence("Videos"))
    path, _ = QFileDialog.getOpenFileName(
        window,
        translated(sentence("Label the frames of a video")),
        settings.folder,
        f"{videos} ({patterns})",
    )
    if not path:
        return
    settings.folder = str(Path(path).parent)
    every, is_given = QInputDialog.getDouble(
        window, translated(sentence("Label the frames of a video")), translated(sentence("Seconds from one frame to the next")),
        1.0, SHORTEST_S, LONGEST_S, 2,
    )  # fmt: skip
    if is_given:
        open_labels(context, Path(path), every)


def open_labels(context: WindowContext, path: Path, every: float = 1.0) -> None:
    """Open a labeling window on a folder of images or a video, on a thread, or raise the one open on it."""
    for there in context.viewport.window().findChildren(LabelWindow):
        if there.labeling.pictures.path == path and not there.is_closing:
            _to_front(there)
            return
    workspace = context.workspace

    def work() -> tuple[PictureSet, Project]:
        pictures = open_pictures(path, every)
        try:
            return pictures, Project(path)
        except BaseException:
            pictures.close()
            raise

    def opened(found: tuple[PictureSet, Project]) -> None:
        window = LabelWindow(*found, context)
        window.show()
        QTimer.singleShot(0, window, lambda: _to_front(window))

    workspace.messages.said.emit(translated(sentence("Opening {name}", name=path.name)))
    workspace.jobs.run(work, opened, lambda error: workspace.messages.post("error", str(error)))


def _to_front(window: QWidget) -> None:
    window.raise_()
    window.activateWindow()
