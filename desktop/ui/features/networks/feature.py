"""The networks in use, and the page of networks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

from desktop.base.errors import LightloomError
from desktop.base.wording import sentence
from desktop.ui.features.networks.networks import Networks
from desktop.ui.features.preferences.actions import show_preferences
from desktop.ui.forms.setting import NETWORKS
from desktop.ui.workspace.action import Action
from desktop.ui.workspace.feature import Feature
from desktop.ui.workspace.panel import PanelContext, PanelSpec
from desktop.ui.workspace.window_context import WindowContext
from desktop.ui.workspace.workspace import Part, Workspace

if TYPE_CHECKING:
    from desktop.ui.features.networks.models_panel import ModelsPanel


def _make_panel(context: PanelContext) -> ModelsPanel:
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
    """Let the user enter the address of a network on a server."""
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
    modules=("desktop.ui.features.networks.models_panel",),
    make=_make_panel,
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


def _make(w: Workspace) -> Networks:
    made = Networks(w.engine, w.settings, w.jobs, w.messages, w.edits, w)
    w.refreshing.connect(made.poll)
    return made


def _page(context: WindowContext) -> ModelsPanel:
    """Return the page of networks, which is made with the first use."""
    from desktop.ui.features.networks.models_panel import ModelsPanel

    return context.dock_area.panel(PANEL.id, ModelsPanel)


def _ask_hosts(context: WindowContext, hosts: Sequence[str], then: Callable[[], None]) -> None:
    """Ask whether hosts may receive frames, then call `then`."""
    from desktop.ui.features.networks.remote_dialog import HostQuestion

    def fail(error: LightloomError) -> None:
        context.workspace.messages.post("error", str(error))

    HostQuestion(hosts, then, fail, context.viewport.window()).open()


def _connect(context: WindowContext) -> None:
    networks = context.workspace.get(Networks)
    networks.input_requested.connect(lambda path: _page(context).show_input_form(path))
    networks.input_unclear.connect(lambda facts: _page(context).show_input(facts))
    networks.hosts_requested.connect(lambda hosts, then: _ask_hosts(context, hosts, then))


FEATURE: Final = Feature(parts=(Part(Networks, _make),), panels=(PANEL,), connect=_connect)
