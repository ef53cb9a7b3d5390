"""Tracking of detected objects."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from desktop.base.wording import sentence
from desktop.pipeline.snapshot import FrameSnapshot
from desktop.ui.features.networks.networks import has_located_results
from desktop.ui.workspace.action import Action
from desktop.ui.workspace.card import CardContext, CardSpec
from desktop.ui.workspace.feature import Feature
from desktop.ui.workspace.workspace import Workspace

if TYPE_CHECKING:
    from desktop.ui.features.tracking.track_card import TrackCard
    from desktop.vision.tasks.task import Features


def _make(context: CardContext) -> TrackCard:
    from desktop.ui.features.tracking.track_card import TrackCard

    return TrackCard(context.themed, context.guard)


def _applies(workspace: Workspace, features: Features | None) -> bool:
    """Return whether objects can be tracked: the network detects some, or tracking is on."""
    setup = workspace.edits.setup
    return setup.network is not None and (setup.scene.track is not None or has_located_results(features))


def _show(card: TrackCard, workspace: Workspace, now: FrameSnapshot) -> None:
    tracked_result = now.tracked_result
    # Results do not outlive their source.
    if not workspace.playback.has_picture or tracked_result is None or not tracked_result.followed:
        card.show_number(None)
    else:
        card.show_number(sum(i is not None for i in tracked_result.identities))


CARD: Final = CardSpec(
    "tracking",
    place="network",
    make=_make,
    edit=lambda w: w.edits.set_track,
    applies=_applies,
    update=lambda card, w, _: card.update_spec(w.edits.setup.scene.track),
    show=_show,
)


ACTIONS: Final = (
    Action(
        "follow_things",
        sentence("&Track objects"),
        lambda w: w.workspace.edits.toggle_track(),
        menu="filters",
        group="networks",
        order=1,
        checked=lambda w: w.workspace.edits.setup.scene.track is not None,
        enabled=lambda w: w.workspace.edits.setup.network is not None,
    ),
)


FEATURE: Final = Feature(cards=(CARD,), actions=ACTIONS)
