"""The card of tracking."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from desktop.pipeline.snapshot import FrameSnapshot
from desktop.ui.features.networks.networks import finds_things
from desktop.ui.workspace.card import CardContext, CardSpec
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
    return setup.network is not None and (setup.scene.track is not None or finds_things(features))


def _show(card: TrackCard, workspace: Workspace, now: FrameSnapshot) -> None:
    sighting = now.sighting
    # Results do not outlive their source.
    if not workspace.playback.has_picture or sighting is None or not sighting.followed:
        card.show_number(None)
    else:
        card.show_number(sum(i is not None for i in sighting.identities))


CARD: Final = CardSpec(
    "tracking",
    place="network",
    make=_make,
    edit=lambda w: w.edits.set_track,
    applies=_applies,
    update=lambda card, w, _: card.update_spec(w.edits.setup.scene.track),
    show=_show,
)
