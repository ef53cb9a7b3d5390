"""Who may submit to a software adapter, and when."""

from __future__ import annotations

import threading

from waiting import until

from desktop.compute.gpu.turns import Turns


def test_an_adapter_without_turns_never_waits():
    turns, done = Turns(), []
    assert turns.is_free() and turns.begin_frame() and turns.begin_frame()
    turns.submit(lambda: done.append("at once"), lambda: done.append("in turn"))
    assert done == ["at once"]


def test_another_thread_waits_for_the_frame_and_then_for_the_gpu():
    done, turns = [], Turns(are_needed=True)
    ways = (lambda: done.append("at once"), lambda: done.append("in turn"))
    assert turns.begin_frame()
    other = threading.Thread(target=turns.submit, args=ways)
    other.start()
    other.join(0.1)
    assert other.is_alive() and done == []
    # A frame's own submissions do not wait for its turn.
    turns.submit(*ways)
    assert done == ["at once"]
    turns.end_frame()
    other.join()
    assert done == ["at once", "in turn"]
    assert turns.is_free()


def test_a_frame_is_skipped_while_another_thread_submits():
    computing, may_end = threading.Event(), threading.Event()

    def compute():
        computing.set()
        may_end.wait()

    turns = Turns(are_needed=True)
    assert turns.begin_frame()
    turns.end_frame()
    other = threading.Thread(target=turns.submit, args=(compute, compute))
    other.start()
    computing.wait()
    assert not turns.is_free() and not turns.begin_frame()
    may_end.set()
    other.join()
    assert turns.begin_frame()


def test_a_skipped_frame_goes_before_the_next_submission():
    order, computing, may_end = [], threading.Event(), threading.Event()

    turns = Turns(are_needed=True)
    assert turns.begin_frame()
    turns.end_frame()

    def compute():
        order.append("network")
        computing.set()
        may_end.wait()

    def network():
        for _ in range(2):
            turns.submit(compute, compute)

    other = threading.Thread(target=network)
    other.start()
    computing.wait()
    assert not turns.begin_frame()
    may_end.set()
    until(turns.begin_frame, lambda: f"no turn for the frame: {order}")
    order.append("frame")
    turns.end_frame()
    other.join()
    assert order == ["network", "frame", "network"]


def test_frames_share_a_turn_unless_another_thread_waits():
    turns = Turns(are_needed=True)
    assert turns.begin_frame() and turns.begin_frame()
    done = []
    ways = (lambda: done.append("at once"), lambda: done.append("in turn"))
    other = threading.Thread(target=turns.submit, args=ways)
    other.start()
    until(lambda: not turns.is_free(), "a thread that waits is passed over")
    assert not turns.begin_frame()
    turns.end_frame()
    other.join(0.1)
    assert done == []
    turns.end_frame()
    other.join()
    assert done == ["in turn"] and turns.begin_frame()


def test_other_work_of_the_renderer_shares_its_turn_with_no_frame():
    turns = Turns(are_needed=True)
    assert turns.begin_frame() and not turns.begin_alone()
    turns.end_frame()
    assert turns.begin_alone() and not turns.is_free() and not turns.begin_frame()
    turns.end_alone()
    # The frame that was skipped goes first.
    assert not turns.begin_alone() and turns.begin_frame()


def test_a_submission_that_fails_ends_its_turn():
    turns = Turns(are_needed=True)
    assert turns.begin_frame()
    turns.end_frame()
    failed = []

    def fail():
        try:
            turns.submit(lambda: None, lambda: 1 / 0)
        except ZeroDivisionError as error:
            failed.append(error)

    other = threading.Thread(target=fail)
    other.start()
    other.join()
    assert failed and turns.is_free()
