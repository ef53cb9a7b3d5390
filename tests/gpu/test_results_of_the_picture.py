"""A result stands on the picture that it was computed from: not on one of another source, nor for good on a
later one.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
from test_pipeline import rgba_frame
from waiting import until

from desktop.compute.gpu.device import Gpu
from desktop.pipeline.engine import Engine
from desktop.pipeline.filters.library import FilterLibrary
from desktop.pipeline.running.network_spec import NetworkSpec
from desktop.pipeline.setup.setup import Setup
from desktop.vision.tasks.shapes import Label
from desktop.vision.tasks.task import Features, Result


@dataclass(frozen=True)
class Saw(Result):
    """What a network saw: the time of its picture, in words."""

    def json(self):
        return {"saw": float(self.note)}

    def lines(self):
        return (f"{float(self.note)}",)

    def shapes(self):
        return (Label(f"{float(self.note)}", 1.0),)


class Slow:
    """A network on a thread, as the pipeline sees one, which answers when the test lets it."""

    features = Features()
    networks = ()
    description = "slow"
    inference_ms = 1.0
    budget_ms = None

    def __init__(self):
        self.looking = None
        self.looked = []
        self.may_answer = False

    @property
    def pending(self):
        return self.looking is not None

    def encode(self, encoder, texture, pts, timer, *, is_new):
        if self.looking is None:
            self.looking = pts
            self.looked.append(float(pts))

    def poll(self):
        if not self.may_answer or self.looking is None:
            return None
        found, self.looking = self.looking, None
        self.may_answer = False
        return Saw(note=found)

    def adjust(self, spec):
        return False

    def close(self):
        pass


@pytest.fixture
def slow():
    return Slow()


@pytest.fixture
def engine(slow):
    made = Engine(Gpu.open, FilterLibrary(None), lambda gpu, spec: slow)
    made.current.set_setup(Setup(network=NetworkSpec("any.onnx")))
    show(made, 0.0)
    until(lambda: made.poll() or made.current.network_status.state == "running")
    yield made
    made.close()


def show(engine, pts):
    until(lambda: not engine.current.is_busy())
    assert engine.render(rgba_frame(np.full((8, 8, 4), 200, np.uint8), pts))


def go_on(engine):
    """What a viewport does: draw again while that gets on with something."""
    if not engine.current.is_busy() and engine.current.wants_frames:
        engine.render(None)
    return True


def answer(engine, slow):
    slow.may_answer = True
    until(lambda: go_on(engine) and not slow.may_answer)


def test_while_pictures_follow_each_other_the_newest_result_stands(engine, slow):
    show(engine, 1.0)
    until(lambda: go_on(engine) and slow.looking is not None)
    show(engine, 2.0)
    answer(engine, slow)
    show(engine, 3.0)
    assert engine.current.result is not None and engine.current.tracked_result.pts < 3.0


def test_a_picture_that_stays_is_looked_at_and_has_no_other_result(engine, slow):
    for pts in (1.0, 2.0, 3.0):
        show(engine, pts)
    answer(engine, slow)
    until(lambda: engine.current.result is None, "an older picture's result stays on the last one")
    assert engine.current.tracked_result is None and engine.current.snapshot().tracked_result is None
    until(lambda: go_on(engine) and slow.looking == 3.0, lambda: f"looked at {slow.looked}")
    answer(engine, slow)
    until(lambda: engine.current.result is not None)
    assert engine.current.tracked_result.pts == 3.0 and engine.current.snapshot().result.note == 3.0
    # That is all: nothing more to be had of this picture.
    until(lambda: go_on(engine) and not engine.current.wants_frames)
    assert slow.looked.count(3.0) == 1


def test_a_picture_of_which_the_network_says_nothing_is_asked_about_once(engine, slow):
    show(engine, 1.0)
    answer(engine, slow)
    slow.poll, slow.encode = lambda: None, lambda *args, is_new, **more: asked.append(is_new)
    asked = []
    show(engine, 2.0)
    until(lambda: go_on(engine) and False in asked)
    until(lambda: go_on(engine) and not engine.current.wants_frames)
    assert asked.count(False) == 1


@pytest.mark.parametrize("change", ["clear_source_state", "cut"])
def test_what_still_comes_of_another_source_is_not_shown(engine, slow, change):
    sighted = []
    engine.on_tracked_result.append(sighted.append)
    show(engine, 7.0)
    until(lambda: go_on(engine) and slow.looking is not None)
    getattr(engine.current, change)()
    assert engine.current.result is None and engine.current.tracked_result is None
    # The first picture of the new source has the very time of the old one's.
    show(engine, 7.0)
    answer(engine, slow)
    assert engine.current.result is None and engine.current.tracked_result is None and sighted == []
    until(lambda: go_on(engine) and slow.looking is not None)
    answer(engine, slow)
    assert engine.current.tracked_result.pts == 7.0 and len(sighted) == 1
