"""Objects that a device shares: one for all simultaneous requests, released with its last user."""

from __future__ import annotations

import gc

from desktop.compute.gpu.sharing import Shared


class Made:
    """Anything that can be referred to weakly."""


def test_one_object_for_all_who_hold_it():
    shared = Shared(2)
    made = shared.put("a", Made())
    assert shared.get("a") is made
    assert shared.put("a", Made()) is made, "another thread was first"


def test_what_is_held_stays_and_of_the_others_the_last_ones():
    shared = Shared(2)
    held = shared.put("held", Made())
    for name in "abc":
        shared.put(name, Made())
    gc.collect()
    assert shared.get("held") is held
    # 'held' was asked for, so it and the newest other one are those used last.
    assert shared.get("a") is None and shared.get("b") is None and shared.get("c") is not None
    shared.clear()
    gc.collect()
    assert shared.get("c") is None
