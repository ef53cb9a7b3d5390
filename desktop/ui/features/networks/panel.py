"""The page of networks, beside the library's filters. Only this file is imported before the first frame."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from desktop.base.wording import sentence
from desktop.ui.features.networks.networks import Networks
from desktop.ui.features.preferences.actions import show_preferences
from desktop.ui.forms.setting import NETWORKS
from desktop.ui.workspace.action import Action
from desktop.ui.workspace.panel import PanelContext, PanelSpec
from desktop.ui.workspace.window_context import WindowContext

if TYPE_CHECKING:
    from desktop.ui.features.networks.models_panel import ModelsPanel


def _make(context: PanelContext) -> ModelsPanel:
    from desktop.ui.features.networks.models_panel import ModelsPanel

    return ModelsPanel(
        context.workspace,
        context.themed,
        context.actions["open_model"],
        context.actions["open_pipeline"],
        context.actions["network_settings"],
    )


def _choose_model(context: WindowContext) -> None:
    from desktop.ui.features.networks.models_panel import ModelsPanel

    context.dock_area.panel("networks", ModelsPanel).choose_model()


def _choose_folder(context: WindowContext) -> None:
    from desktop.ui.features.networks.models_panel import ModelsPanel

    context.dock_area.panel("networks", ModelsPanel).choose_folder()


def _choose_remote(context: WindowContext) -> None:
    """Let the user name a network on a server."""
    from desktop.ui.features.networks.remote_dialog import RemoteDialog

    workspace = context.workspace
    RemoteDialog(workspace.jobs, workspace.get(Networks).use, context.viewport.window()).open()


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
            _choose_model,
            menu="filters",
            group="networks",
            keys=("Ctrl+M",),
        ),
        Action(
            "open_pipeline",
            sentence("Open a folder of Stable Di&ffusion..."),
            _choose_folder,
            menu="filters",
            group="networks",
        ),
        Action(
            "open_remote",
            sentence("Open a network on a ser&ver..."),
            _choose_remote,
            menu="filters",
            group="networks",
        ),
        Action(
            "network_settings",
            sentence("F&older, mirror, offline..."),
            lambda w: show_preferences(w, NETWORKS),
            menu="filters",
            group="networks",
        ),
        Action(
            "remove_network",
            sentence("&Remove the network"),
            lambda w: w.workspace.get(Networks).choose(None),
            menu="filters",
            group="networks",
            enabled=lambda w: w.workspace.edits.setup.network is not None,
        ),
    ),
)
