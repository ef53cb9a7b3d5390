"""The networks in use, and those that there are."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from desktop.base.errors import LightloomError
from desktop.base.wording import sentence
from desktop.ui.features.networks.dialogs import InputForms, choose_folder, choose_model, confirm_removal
from desktop.ui.features.networks.network_list import NetworkList
from desktop.ui.features.networks.networks import Networks
from desktop.ui.features.preferences.actions import show_preferences
from desktop.ui.forms.setting import NETWORKS
from desktop.ui.workspace.action import Action
from desktop.ui.workspace.feature import Feature
from desktop.ui.workspace.window_context import WindowContext
from desktop.ui.workspace.workspace import Part, Workspace


def _choose_model(context: WindowContext) -> None:
    choose_model(context.workspace, context.viewport.window())


def _choose_folder(context: WindowContext) -> None:
    choose_folder(context.workspace, context.viewport.window())


def _choose_remote(context: WindowContext) -> None:
    """Let the user enter the address of a network on a server."""
    from desktop.ui.features.networks.remote_dialog import RemoteDialog

    workspace = context.workspace
    RemoteDialog(workspace.jobs, workspace.get(Networks).use, context.viewport.window()).open()


_ACTIONS: Final = (
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
)


def _make(w: Workspace) -> Networks:
    made = Networks(w.engine, w.settings, w.jobs, w.messages, w.edits, w)
    w.refreshing.connect(made.poll)
    return made


def _make_list(w: Workspace) -> NetworkList:
    return NetworkList(w.settings, w.jobs, w.messages, w.edits, w.get(Networks), w)


def _ask_hosts(context: WindowContext, hosts: Sequence[str], then: Callable[[], None]) -> None:
    """Ask whether hosts may receive frames, then call `then`."""
    from desktop.ui.features.networks.remote_dialog import HostQuestion

    def fail(error: LightloomError) -> None:
        context.workspace.messages.post("error", str(error))

    HostQuestion(hosts, then, fail, context.viewport.window()).open()


def _connect(context: WindowContext) -> None:
    networks, forms = context.workspace.get(Networks), context.workspace.get(InputForms)
    forms.window = context.viewport.window()
    networks.input_requested.connect(forms.open)
    networks.input_unclear.connect(forms.show)
    networks.hosts_requested.connect(lambda hosts, then: _ask_hosts(context, hosts, then))
    listed = context.workspace.get(NetworkList)
    listed.removal_requested.connect(lambda key: confirm_removal(listed, key, context.viewport.window()))


FEATURE: Final = Feature(
    parts=(
        Part(Networks, _make),
        Part(NetworkList, _make_list),
        Part(InputForms, lambda w: InputForms(w, w)),
    ),
    actions=_ACTIONS,
    connect=_connect,
)
