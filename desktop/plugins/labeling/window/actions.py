"""Actions and shortcuts of the labeling window, from which its menus and shortcut page are built."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Final

from desktop.base.wording import sentence
from desktop.plugins.labeling.window.canvas import LabelCanvas
from desktop.plugins.labeling.window.dialogs import Files
from desktop.plugins.labeling.window.labeling import Labeling
from desktop.plugins.labeling.window.lists import ClassesList
from desktop.plugins.labeling.window.proposals import Proposals
from desktop.ui.workspace.action import ActionOf, MenuOf


@dataclass(frozen=True)
class LabelingContext:
    """The labeling window as seen by its actions."""

    labeling: Labeling
    canvas: LabelCanvas
    classes: ClassesList
    proposals: Proposals
    files: Files
    show_keys: Callable[[], object]
    show_help: Callable[[], object]
    close: Callable[[], object]


Action = ActionOf[LabelingContext]
Menu = MenuOf[LabelingContext]

MENUS: Final = (
    Menu("file", sentence("&File"), order=0, groups=("network", "labels", "window")),
    Menu("edit", sentence("&Edit"), order=1, groups=("history", "box", "picture")),
    Menu("go", sentence("&Go"), order=2, groups=("picture", "box")),
    Menu("view", sentence("&View"), order=3),
    Menu("class", sentence("&Class"), order=4, groups=("choose", "box", "picture")),
    Menu("help", sentence("&Help"), order=5),
)

_network = partial(Action, menu="file", group="network", enabled=lambda d: not d.proposals.is_running)
_labels = partial(Action, menu="file", group="labels")
_history = partial(Action, menu="edit", group="history")
_box = partial(Action, menu="edit", group="box", enabled=lambda d: d.labeling.item is not None)
_picture = partial(Action, menu="edit", group="picture")
_go = partial(Action, menu="go", group="picture")
_view = partial(Action, menu="view")


def _class(number: int) -> Action:
    return Action(
        f"class_{number + 1}",
        sentence("Class {number} for the box", number=number + 1),
        lambda d: d.labeling.use_class_number(number),
        menu="class",
        group="box",
        keys=(str(number + 1),),
        enabled=lambda d: number < len(d.labeling.classes),
    )


def _word(number: int) -> Action:
    return Action(
        f"word_{number + 1}",
        sentence("Class {number} for the whole image", number=number + 1),
        lambda d: d.labeling.classify_by_number(number),
        menu="class",
        group="picture",
        keys=(f"Alt+{number + 1}",),
        enabled=lambda d: number < len(d.labeling.classes),
    )


ACTIONS: Final = (
    _network("propose", sentence("&Propose for this image"), lambda d: d.proposals.begin_here(), keys=("P",)),
    _network(
        "propose_all",
        sentence("Propose for &all without labels"),
        lambda d: d.proposals.begin_all(),
        keys=("Ctrl+P",),
    ),
    _labels("import_coco", sentence("Import &COCO..."), lambda d: d.files.choose_coco(), keys=("Ctrl+I",)),
    _labels(
        "import_yolo", sentence("Import &YOLO..."), lambda d: d.files.choose_yolo(), keys=("Ctrl+Shift+I",)
    ),
    _labels("export", sentence("&Export labels..."), lambda d: d.files.choose_export(), keys=("Ctrl+E",)),
    Action("close", sentence("C&lose"), lambda d: d.close(), menu="file", group="window", keys=("Ctrl+W",)),
    _history(
        "undo",
        sentence("&Undo"),
        lambda d: d.labeling.undo(),
        keys=("Ctrl+Z",),
        enabled=lambda d: bool(d.labeling.undo_title),
        detail=lambda d: d.labeling.undo_title,
    ),
    _history(
        "redo",
        sentence("&Redo"),
        lambda d: d.labeling.redo(),
        keys=("Ctrl+Shift+Z", "Ctrl+Y"),
        enabled=lambda d: bool(d.labeling.redo_title),
        detail=lambda d: d.labeling.redo_title,
    ),
    Action(
        "draw",
        sentence("&Draw a box"),
        lambda d: d.labeling.set_drawing(not d.labeling.drawing),
        menu="edit",
        group="box",
        keys=("N",),
        checked=lambda d: d.labeling.drawing,
    ),
    Action(
        "add_box",
        sentence("Box in the &middle"),
        lambda d: d.labeling.add_box(),
        menu="edit",
        group="box",
        keys=("B",),
    ),
    _box("confirm_box", sentence("&Confirm the box"), lambda d: d.labeling.confirm_item(), keys=("C",)),
    _box(
        "delete_box",
        sentence("De&lete the box"),
        lambda d: d.labeling.delete_item(),
        keys=("Del", "Backspace"),
    ),
    _picture(
        "confirm",
        sentence("Confirm the &image, go on"),
        lambda d: d.labeling.confirm_picture(),
        keys=("Return", "Enter"),
    ),
    _picture(
        "unconfirm",
        sentence("Confirm it &no more"),
        lambda d: d.labeling.unconfirm_picture(),
        keys=("Shift+Return",),
        enabled=lambda d: d.labeling.picture.confirmed,
    ),
    _go("next", sentence("&Next image"), lambda d: d.labeling.step(1), keys=("PgDown", "D")),
    _go("previous", sentence("&Previous image"), lambda d: d.labeling.step(-1), keys=("PgUp", "A")),
    _go(
        "next_unconfirmed",
        sentence("Next &unconfirmed image"),
        lambda d: d.labeling.next_unconfirmed(),
        keys=("U",),
    ),
    Action(
        "next_box", sentence("Next &box"), lambda d: d.labeling.choose(1), menu="go", group="box", keys=("J",)
    ),
    Action(
        "previous_box",
        sentence("Previous b&ox"),
        lambda d: d.labeling.choose(-1),
        menu="go",
        group="box",
        keys=("K",),
    ),
    _view("fit", sentence("&Fit"), lambda d: d.canvas.fit(), keys=("0",)),
    _view("one_to_one", sentence("&1:1"), lambda d: d.canvas.zoom_to(1.0), keys=("Ctrl+1",)),
    _view("zoom_in", sentence("Zoom &in"), lambda d: d.canvas.zoom_by(1), keys=("+", "=")),
    _view("zoom_out", sentence("Zoom &out"), lambda d: d.canvas.zoom_by(-1), keys=("-",)),
    Action(
        "choose_class",
        sentence("&Choose a class..."),
        lambda d: d.classes.pick_class(),
        menu="class",
        group="choose",
        keys=("R",),
    ),
    Action(
        "add_class",
        sentence("&Add a class..."),
        lambda d: d.classes.enter_class(),
        menu="class",
        group="choose",
        keys=("Ctrl+N",),
    ),
    *map(_class, range(9)),
    *map(_word, range(9)),
    Action("help", sentence("&Guide"), lambda d: d.show_help(), menu="help", keys=("F1",)),
    Action("keys", sentence("&Keyboard shortcuts"), lambda d: d.show_keys(), menu="help", keys=("?",)),
)
