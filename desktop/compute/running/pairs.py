"""What both ways of running two networks have in common: rules, settings, words."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from desktop.compute.running.description import Description
from desktop.compute.running.network_spec import NetworkSpec
from desktop.compute.tasks import the_task
from desktop.compute.tasks.task import Features, Head, RegionRule
from desktop.wording import Text, sentence

# While fewer things are carried on than are wanted, the first network looks for more each time so many results have come.
_LOOK_AGAIN: Final = 10


def region_rule(first: Head, second: Head, spec: NetworkSpec) -> RegionRule:
    """Return how the second's regions follow from what the first finds."""
    rule = first.region or RegionRule(scale=second.enlarge, square=False)
    wanted = spec.second.enlarge if spec.second is not None else 0.0
    return replace(rule, scale=wanted) if wanted else rule


def follow(looked_at: int, held: int, most: int, since: int) -> bool:
    """Tell whether the first network has to look again: something was lost, nothing is there, or there may be more.

    Args:
        looked_at: things that the second looked at.
        held: of them, those that are carried on.
        most: as many as are wanted.
        since: results since the first looked.
    """
    return held < max(looked_at, 1) or (held < most and since >= _LOOK_AGAIN)


def pair_features(first: Head, second: Head) -> Features:
    """Return what there is to be set on both."""
    return replace(first.features, second=second.features)


def describe_pair(first: Description, second: Description) -> Text:
    """Return what computes both networks, in lines."""
    return sentence("{first}\nSecond look: {second}", first=first.text, second=second.text)


def keeps_running(before: NetworkSpec, after: NetworkSpec, first: Head, second: Head) -> bool:
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
