"""Format the difference between the times of two runs."""

from __future__ import annotations

from desktop.base.significance import Difference


def difference_text(difference: Difference) -> str:
    """Return how much longer or shorter the second takes, '' if there are too few measurements."""
    if difference.verdict == "unknown":
        return ""
    low, high = (f"{each * 100:+.1f}" for each in difference.shares)
    interval = f"median {difference.share * 100:+.1f} %, 95 % interval {low} to {high} %"
    return f"{'no different' if difference.verdict == 'same' else difference.verdict} ({interval})"
