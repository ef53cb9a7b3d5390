"""Undo and redo, and the palette's search, without a window."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from desktop.pipeline.chain.spec import ChainSpec
from desktop.pipeline.setup.setup import Setup
from desktop.ui.features.statistics.panel import graph_top, nice_ceiling
from desktop.ui.kit.palette import score
from desktop.ui.kit.widgets import format_time
from desktop.ui.workspace.history import History


def setup(count: int) -> Setup:
    chain = ChainSpec()
    for _ in range(count):
        chain = chain.added("invert", {})
    return Setup(chain)


@given(st.lists(st.sampled_from(["push", "undo", "redo"]), max_size=60))
def test_history_is_two_stacks(moves):
    history, past, future, count = History(Setup()), [Setup()], [], 0
    for move in moves:
        if move == "push":
            count = (count + 1) % 30
            history.push(setup(count), f"edit {count}")
            past.append(setup(count))
            future.clear()
        elif move == "undo":
            assert history.undo() == (len(past) > 1)
            if len(past) > 1:
                future.append(past.pop())
        else:
            assert history.redo() == bool(future)
            if future:
                past.append(future.pop())
        assert history.setup == past[-1]
        assert bool(history.redo_label) == bool(future)


def test_edits_of_one_key_are_one_step_until_sealed():
    history = History(Setup())
    for count in (1, 2, 3):
        history.push(setup(count), "drag", "slider")
    history.seal()
    history.push(setup(4), "drag", "slider")
    assert history.undo() and history.setup == setup(3)
    assert history.undo() and history.setup == Setup()
    assert not history.undo()


def test_search_prefers_word_beginnings():
    titles = ["Copy the image", "Play or pause", "Add Pixelate", "Snapshot"]
    ranked = sorted((t for t in titles if score("pi", t) is not None), key=lambda t: score("pi", t))
    assert ranked[:2] in (["Add Pixelate", "Copy the image"], ["Copy the image", "Add Pixelate"])
    assert score("xyz", "Snapshot") is None and score("", "Snapshot") == 0


def test_figures():
    assert graph_top() == graph_top([], []) == 10
    # A first frame that took seconds is clipped as soon as others follow, and a real change is not.
    assert graph_top([4000.0] + [16.0] * 19) == 20
    assert graph_top([16.0] * 100, [60.0] * 100) == 100
    assert graph_top([16.0] * 50 + [300.0] * 50) == 500
    assert [nice_ceiling(v) for v in (0.05, 0.15, 3, 11, 51)] == [0.1, 0.2, 5, 20, 100]
    assert (format_time(63.5, millis=True), format_time(3723)) == ("1:03.500", "1:02:03")
