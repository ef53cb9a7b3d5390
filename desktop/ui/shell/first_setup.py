"""The setup of a new user: the sample through a filter, and with a network."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from desktop.pipeline.chain.spec import ChainSpec
from desktop.pipeline.running.network_spec import NetworkSpec
from desktop.pipeline.setup.setup import Setup
from desktop.ui.workspace.by_adapter import first_filter
from desktop.ui.workspace.workspace import Workspace
from desktop.vision.models.builtin import builtin_models

_CLASSIFIER: Final = "classifier"


def begin_with_sample(workspace: Workspace) -> bool:
    """Open the sample with a filter (return True) and a network, unless the user has changed these before."""
    edits, settings = workspace.edits, workspace.settings
    setup = edits.setup
    if edits.history.undo_label or setup != Setup():
        return False
    if settings.names_things:
        name = settings.first_network or _CLASSIFIER
        builtin = builtin_models().get(name)
        setup = replace(setup, network=NetworkSpec(str(builtin.path) if builtin is not None else name))
    if settings.shows_look:
        setup = replace(setup, chain=_first_chain(workspace))
    if setup != edits.setup:
        edits.begin_with(setup)
    return bool(setup.chain.stages)


def _first_chain(workspace: Workspace) -> ChainSpec:
    name, values = first_filter(workspace.adapter)
    item = workspace.library.filters.get(name)
    return ChainSpec().added(name, item.check(values)) if item is not None else ChainSpec()
