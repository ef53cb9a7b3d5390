"""Memory is given back a moment after something large was let go of, and cycles are collected on the thread
that asks.
"""

from __future__ import annotations

import gc
import threading
import weakref

from waiting import until

from desktop.base.memory import DelayedMemoryTrim


class Held:
    """Object in a reference cycle; records the thread that destroys it, as Qt objects must be destroyed on
    their own thread.
    """

    def __init__(self):
        self.itself = self


def test_cycles_end_on_the_thread_that_polls_and_heaps_are_trimmed_on_another():
    ended_on, trimmed_on = [], []
    trim = DelayedMemoryTrim(trim=lambda: trimmed_on.append(threading.get_ident()))
    gc.disable()
    try:
        held = Held()
        weakref.finalize(held, lambda: ended_on.append(threading.get_ident()))
        del held
        trim.poll()
        assert not ended_on, "nothing was asked for"
        trim.request()
        trim.poll()
        assert not ended_on, "what was let go of may still be in use"

        def has_ended():
            trim.poll()
            return ended_on

        until(has_ended)
    finally:
        gc.enable()
    until(lambda: trimmed_on)
    assert ended_on == [threading.get_ident()] and trimmed_on[0] != threading.get_ident()


def test_many_requests_in_a_moment_are_one():
    collected = []
    trim = DelayedMemoryTrim(collect=lambda: collected.append(1), trim=lambda: None)
    for _ in range(5):
        trim.request()

    def is_collected():
        trim.poll()
        return collected

    until(is_collected)
    trim.poll()
    assert len(collected) == 1
