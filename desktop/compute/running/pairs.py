"""What both ways of running two networks have in common: rules, settings, words, what the second's points carry on."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from desktop.compute.running.closer import CloserLook, FoundThing, carried
from desktop.compute.running.crop_network import CropNetwork
from desktop.compute.running.network_spec import NetworkSpec
from desktop.compute.running.picture_network import PictureNetwork
from desktop.compute.tasks import the_task
from desktop.compute.tasks.task import Features, Head, RegionRule, Size
from desktop.wording import sentence

# While fewer things are carried on than are wanted, the first network looks for more each time so many results have come.
_LOOK_AGAIN: Final = 10


def region_rule(first: Head, second: Head, spec: NetworkSpec) -> RegionRule:
    """Return how the second's regions follow from what the first finds."""
    rule = first.region or RegionRule(scale=second.enlarge, square=False)
    wanted = spec.second.enlarge if spec.second is not None else 0.0
    return replace(rule, scale=wanted) if wanted else rule


def _must_look(looked_at: int, held: int, most: int, since: int) -> bool:
    """Tell whether the first network has to look again: something was lost, nothing is there, or there may be more.

    Args:
        looked_at: things that the second looked at.
        held: of them, those that are carried on.
        most: as many as are wanted.
        since: results since the first looked.
    """
    return held < max(looked_at, 1) or (held < most and since >= _LOOK_AGAIN)


def _keeps_running(before: NetworkSpec, after: NetworkSpec, first: Head, second: Head) -> bool:
    """Tell whether a pair can take over another specification without being loaded.

    Raises:
        UsageError: a value that its setting does not take.
    """
    if before.second is None or after.second is None:
        return False
    kept = {name: getattr(before, name) for name in ("every", "on_result", "settings", "second")}
    kept_second = {name: getattr(before.second, name) for name in ("every", "on_result", "settings")}
    if replace(after, **kept) != before or replace(after.second, **kept_second) != before.second:
        return False
    pairs = (
        (first, before.settings, after.settings),
        (second, before.second.settings, after.second.settings),
    )
    return not any(the_task(head.features.task).needs_loading(old, new) for head, old, new in pairs)


class Pair:
    """Two loaded networks, and what goes on from one picture to the next; how they run is the heirs'.

    Attributes:
        first: the network that finds things.
        second: the one that looks closer.
        budget_ms: GPU time that may be taken of one frame; None for batch work, where the first never rests.
    """

    def __init__(self, first: PictureNetwork, second: CropNetwork, spec: NetworkSpec) -> None:
        """Put two loaded networks together; they are closed with it."""
        self.first, self.second = first, second
        self.budget_ms: float | None = None
        self._spec = spec
        self._held: tuple[FoundThing, ...] = ()
        self._must_find, self._since, self._seen = True, 0, 0

    def adjust(self, spec: NetworkSpec) -> bool:
        """Take over what can be changed while the networks run; False where they have to be loaded anew.

        Raises:
            UsageError: a value that its field does not take.
        """
        if not _keeps_running(self._spec, spec, self.first.head, self.second.heads[0]):
            return False
        self.first.head.adjust(spec.settings)
        assert spec.second is not None
        self.second.adjust(spec.second.settings)
        self._spec = spec
        # What was carried was found under other settings.
        self._held, self._must_find = (), True
        return True

    @property
    def features(self) -> Features:
        """What there is to be set on both."""
        return replace(self.first.head.features, second=self.second.heads[0].features)

    @property
    def description(self) -> str:
        """What computes both and why, how pictures go into them, what was assumed."""
        first, second = self.first.description, self.second.description
        return sentence("{first}\nSecond look: {second}", first=first.text, second=second.text)

    @property
    def networks(self) -> tuple[PictureNetwork, CropNetwork]:
        """What looks at the pictures."""
        return (self.first, self.second)

    def _is_left_out(self, is_new: bool) -> bool:
        """Count a picture; whether it is one that is not looked at."""
        self._seen += is_new
        return is_new and (self._seen - 1) % max(1, self._spec.every) != 0

    def _carry_on(self, looks: tuple[CloserLook, ...], size: Size, *, rested: bool) -> tuple[CloserLook, ...]:
        """Keep what the points of the second are sure of for the next picture; return the looks that count. `rested`: the first did."""
        carry = self.second.carry
        if carry is None:
            return looks
        seen = tuple(look for look in looks if look.points)
        self._held = carried(seen, carry, size)
        self._since = self._since + 1 if rested else 0
        self._must_find = _must_look(len(looks), len(self._held), self.second.most, self._since)
        return seen
