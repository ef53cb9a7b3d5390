"""The page of networks, beside the library's filters. Only this file is imported before the first picture."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from desktop.base.wording import sentence
from desktop.ui.action import Action
from desktop.ui.desk import Desk
from desktop.ui.panel import PanelContext, PanelSpec
from desktop.ui.setting import NETWORKS

if TYPE_CHECKING:
    from desktop.ui.panels.networks.models_panel import ModelsPanel


def _make(context: PanelContext) -> ModelsPanel:
    from desktop.ui.panels.networks.models_panel import ModelsPanel

    return ModelsPanel(
        context.controller,
        context.themed,
        context.actions["open_model"],
        context.actions["open_pipeline"],
        context.actions["network_settings"],
    )


def _ask_model(desk: Desk) -> None:
    from desktop.ui.panels.networks.models_panel import ModelsPanel

    desk.dock_area.panel("networks", ModelsPanel).ask_model()


def _ask_folder(desk: Desk) -> None:
    from desktop.ui.panels.networks.models_panel import ModelsPanel

    desk.dock_area.panel("networks", ModelsPanel).ask_folder()


PANEL: Final = PanelSpec(
    "networks",
    sentence("Networks"),
    place="left",
    order=2,
    beside="library",
    tab=sentence("Networks"),
    late=True,
    make=_make,
    actions=(
        Action(
            "networks",
            sentence("Net&works"),
            lambda w: w.dock_area.search("networks"),
            menu="filters",
            group="networks",
            keys=("Ctrl+Shift+M",),
        ),
        Action(
            "open_model",
            sentence("Open a &network..."),
            _ask_model,
            menu="filters",
            group="networks",
            keys=("Ctrl+M",),
        ),
        Action(
            "open_pipeline",
            sentence("Open a folder of Stable Di&ffusion..."),
            _ask_folder,
            menu="filters",
            group="networks",
        ),
        Action(
            "open_remote",
            sentence("Open a network on a ser&ver..."),
            lambda w: w.dialogs.ask_remote(),
            menu="filters",
            group="networks",
        ),
        Action(
            "network_settings",
            sentence("F&older, mirror, offline..."),
            lambda w: w.dialogs.show_preferences(NETWORKS),
            menu="filters",
            group="networks",
        ),
        Action(
            "remove_network",
            sentence("&Remove the network"),
            lambda w: w.controller.networks.choose(None),
            menu="filters",
            group="networks",
            enabled=lambda w: w.controller.edits.setup.network is not None,
        ),
    ),
)
