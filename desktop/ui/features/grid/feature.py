"""Several sources at once; the other parts act on the active tile."""

from __future__ import annotations

from functools import partial
from typing import Final

from desktop.base.wording import sentence
from desktop.pipeline.picture.mosaic import MOST_TILES
from desktop.ui.features.clicks.clicks import Clicks
from desktop.ui.features.grid.grid import Grid
from desktop.ui.features.opening.opening import Opening
from desktop.ui.features.playback.playlist_player import PlaylistPlayer
from desktop.ui.features.recording.pictures import Pictures
from desktop.ui.workspace.action import Action, Menu
from desktop.ui.workspace.feature import Feature
from desktop.ui.workspace.window_context import WindowContext
from desktop.ui.workspace.workspace import Part, Workspace


def _tile(number: int) -> Action:
    return Action(
        f"tile_{number + 1}",
        sentence("Tile &{number}", number=number + 1),
        lambda w: w.workspace.get(Grid).use(number),
        menu="view/grid",
        group="tiles",
        order=number,
        keys=(f"Ctrl+{number + 1}",),
        checked=lambda w: w.workspace.get(Grid).is_on and w.workspace.get(Grid).number == number,
        enabled=lambda w: number < len(w.workspace.get(Grid).tiles),
    )


def _is_on(context: WindowContext) -> bool:
    return context.workspace.get(Grid).is_on


MENUS: Final = (Menu("view/grid", sentence("&Grid"), group="compare", groups=("grid", "tiles", "close")),)

_grid = partial(Action, menu="view/grid", group="grid")

ACTIONS: Final = (
    _grid(
        "grid",
        sentence("&Several sources in a grid"),
        lambda w: w.workspace.get(Grid).toggle(),
        keys=("G",),
        checked=_is_on,
    ),
    _grid(
        "whole_tile",
        sentence("The &whole view for the tile in use"),
        lambda w: w.workspace.get(Grid).toggle_maximized(),
        keys=("Shift+G",),
        checked=lambda w: w.workspace.get(Grid).whole,
        enabled=_is_on,
    ),
    _grid(
        "shared_chain",
        sentence("One &chain for all tiles"),
        lambda w: w.workspace.get(Grid).toggle_shared(),
        keys=("Ctrl+Shift+G",),
        checked=lambda w: w.workspace.get(Grid).shares,
        enabled=_is_on,
    ),
    *(_tile(number) for number in range(MOST_TILES)),
    Action(
        "close_tile",
        sentence("Close the &tile in use"),
        lambda w: w.workspace.get(Grid).close_tile(),
        menu="view/grid",
        group="close",
        keys=("Ctrl+Shift+W",),
        enabled=_is_on,
    ),
)


def _make(w: Workspace) -> Grid:
    return Grid(
        w.engine,
        w.messages,
        w.playback,
        w.get(PlaylistPlayer),
        w.edits,
        w.get(Opening),
        w.get(Pictures),
        w.get(Clicks),
        w,
    )


FEATURE: Final = Feature(parts=(Part(Grid, _make),), menus=MENUS, actions=ACTIONS)
