"""Common part of both ways to run two networks: rules, settings, descriptions and tracked objects."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from desktop.base.wording import sentence
from desktop.pipeline.running.network_spec import NetworkSpec
from desktop.pipeline.running.one.crop_network import CropNetwork
from desktop.pipeline.running.one.picture_network import PictureNetwork
from desktop.pipeline.running.pairs.cascade import CascadeObject, ObjectRegion, carried
from desktop.vision.tasks import the_task
from desktop.vision.tasks.task import Features, Head, RegionRule, Size

# While fewer objects are carried than requested, the first network runs again after this many results.
_DETECT_EVERY: Final = 10


def region_rule(first: Head, second: Head, spec: NetworkSpec) -> RegionRule:
    """Return the rule by which the second's regions follow from the first's results."""
    rule = first.region or RegionRule(scale=second.enlarge, square=False)
    wanted = spec.second.enlarge if spec.second is not None else 0.0
    return replace(rule, scale=wanted) if wanted else rule


def _must_detect(looked_at: int, held: int, most: int, since: int) -> bool:
    """True if the primary network must run: an object was lost, none is there, or more may be.

    Of `looked_at` processed objects `held` are tracked; `since` counts results since it ran.
    """
    return held < max(looked_at, 1) or (held < most and since >= _DETECT_EVERY)


def _can_apply_without_loading(
    before: NetworkSpec, after: NetworkSpec, first: PictureNetwork, second: Head
) -> bool:
    """Return True if a specification needs no loading; raise UsageError if a value is invalid."""
    if before.second is None or after.second is None:
        return False
    names = ["every", "on_result", "settings", "second", *([] if first.turns else ["is_portrait"])]
    kept = {name: getattr(before, name) for name in names}
    kept_second = {name: getattr(before.second, name) for name in ("every", "on_result", "settings")}
    if replace(after, **kept) != before or replace(after.second, **kept_second) != before.second:
        return False
    pairs = (
        (first.head, before.settings, after.settings),
        (second, before.second.settings, after.second.settings),
    )
    return not any(the_task(head.features.task).needs_loading(old, new) for head, old, new in pairs)


class Pair:
    """Two loaded networks, and the objects tracked between frames; subclasses run them.

    `budget_ms` is GPU time per frame; None for batch work, where the primary never rests.
    """

    def __init__(self, first: PictureNetwork, second: CropNetwork, spec: NetworkSpec) -> None:
        """Combine two loaded networks; closing this closes them."""
        self.first, self.second = first, second
        self.budget_ms: float | None = None
        self._spec = spec
        self._held: tuple[ObjectRegion, ...] = ()
        self._must_find, self._since, self._pictures = True, 0, 0

    def adjust(self, spec: NetworkSpec) -> bool:
        """Apply changes possible while running, or return False; raise UsageError if a value is invalid."""
        if not _can_apply_without_loading(self._spec, spec, self.first, self.second.heads[0]):
            return False
        self.first.head.adjust(spec.settings)
        assert spec.second is not None
        self.second.adjust(spec.second.settings)
        self._spec = spec
        # Carried objects were found with other settings.
        self._held, self._must_find = (), True
        return True

    def restart(self) -> None:
        """See `Analysis`; between two inferences."""
        self._held, self._must_find, self._since, self._pictures = (), True, 0, 0

    @property
    def features(self) -> Features:
        """Settings of both."""
        return replace(self.first.head.features, second=self.second.heads[0].features)

    @property
    def description(self) -> str:
        """Backends of both and the reasons, preprocessing, assumptions."""
        first, second = self.first.description, self.second.description
        return sentence("{first}\nSecondary network: {second}", first=first.text, second=second.text)

    @property
    def networks(self) -> tuple[PictureNetwork, CropNetwork]:
        """The networks that read the frames."""
        return (self.first, self.second)

    def _is_left_out(self, is_new: bool) -> bool:
        """Count a frame; return True if it is skipped."""
        self._pictures += is_new
        return is_new and (self._pictures - 1) % max(1, self._spec.every) != 0

    def _carry_on(
        self, objects: tuple[CascadeObject, ...], size: Size, *, rested: bool
    ) -> tuple[CascadeObject, ...]:
        """Keep objects with certain points for the next frame; return the second network's valid results."""
        carry = self.second.carry
        if carry is None:
            return objects
        seen = tuple(item for item in objects if item.points)
        self._held = carried(seen, carry, size)
        self._since = self._since + 1 if rested else 0
        self._must_find = _must_detect(len(objects), len(self._held), self.second.most, self._since)
        return seen
