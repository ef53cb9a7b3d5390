"""Redaction of detected objects."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from desktop.base.wording import sentence
from desktop.pipeline.snapshot import FrameSnapshot
from desktop.ui.features.networks.networks import has_positions
from desktop.ui.workspace.action import Action
from desktop.ui.workspace.card import CardContext, CardSpec
from desktop.ui.workspace.feature import Feature
from desktop.ui.workspace.workspace import Workspace

if TYPE_CHECKING:
    from desktop.ui.features.anonymize.anonymize_card import AnonymizeCard
    from desktop.vision.tasks.task import Features


def _make(context: CardContext) -> AnonymizeCard:
    from desktop.ui.features.anonymize.anonymize_card import AnonymizeCard

    return AnonymizeCard(context.themed, context.guard)


def _has_places(workspace: Workspace, features: Features | None) -> bool:
    return workspace.edits.setup.network is not None and has_positions(features)


def _applies(workspace: Workspace, features: Features | None) -> bool:
    """Return whether something is redacted, or could be: without a network that is all of the frame."""
    return workspace.edits.setup.anonymize is not None or _has_places(workspace, features)


def _update(card: AnonymizeCard, workspace: Workspace, features: Features | None) -> None:
    known = features is not None and _has_places(workspace, features)
    card.use_labels(features.labels if features is not None and known else ())
    card.update_spec(workspace.edits.setup.anonymize)


def _show(card: AnonymizeCard, workspace: Workspace, now: FrameSnapshot) -> None:
    card.show_places(now.hidden if workspace.playback.has_picture else None)


CARD: Final = CardSpec(
    "anonymize",
    place="stages",
    make=_make,
    edit=lambda w: w.edits.set_anonymize,
    applies=_applies,
    update=_update,
    show=_show,
)


ACTIONS: Final = (
    Action(
        "anonymize",
        sentence("&Anonymize"),
        lambda w: w.workspace.edits.toggle_anonymize(),
        menu="filters",
        group="networks",
        order=3,
        checked=lambda w: w.workspace.edits.setup.anonymize is not None,
        enabled=lambda w: (
            w.workspace.edits.setup.network is not None or w.workspace.edits.setup.anonymize is not None
        ),
    ),
)


FEATURE: Final = Feature(cards=(CARD,), actions=ACTIONS)
