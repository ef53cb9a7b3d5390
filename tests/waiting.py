"""Waiting for what threads, processes and windows do: for a condition, never for a time, and longer than any
machine needs.

Limits are there for what never comes. A test that holds only within seconds is a test of the machine: CI runs
on two cores that others use too.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

# Below the limit of a test (`timeout` in pyproject.toml), so that what did not come is named.
LIMIT_S = float(os.environ.get("LIGHTLOOM_WAIT_S", "120"))


def until(condition: Callable[[], T], why: object = "it did not come", *, each: float = 0.005) -> T:
    """Wait until a condition is so, and return its value.

    Args:
        condition: asked again and again; it may do what moves things on.
        why: what to say if it never is, or what returns that then.
        each: seconds between two looks.

    Raises:
        AssertionError: it was not within LIMIT_S.
    """
    end = time.monotonic() + LIMIT_S
    while not (found := condition()):
        if time.monotonic() > end:
            raise AssertionError(why() if callable(why) else why)
        time.sleep(each)
    return found
