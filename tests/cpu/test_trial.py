"""One run on a picture of the program's own: what it gives, what fails, and what takes too long."""

from __future__ import annotations

import threading

import numpy as np
import pytest
from detector_models import write_table
from waiting import until

from desktop.base.errors import ModelError
from desktop.pipeline.running.one import trial
from desktop.vision.models.model_file import ModelFile
from desktop.vision.models.preprocess import Preprocess


@pytest.fixture
def file(tmp_path):
    return ModelFile.open(write_table(tmp_path / "table.onnx", np.zeros((1, 84, 8)), (64, 64)))


def nothing_is_late():
    raise AssertionError("it was in time")


def test_a_trial_gives_outputs_and_whole_shapes(file):
    given = []

    def run(picture):
        given.append(picture)
        return {"output": np.ones((1, 84, 8), np.float32)}

    found = trial.run_trial(file, Preprocess(64, 64), run, nothing_is_late)
    assert found.size == (64, 64) and found.facts.outputs[0].shape == (1, 84, 8)
    assert found.outputs["output"].all() and given[0].is_file()


def test_what_fails_is_raised(file):
    def run(picture):
        raise ModelError("no")

    with pytest.raises(ModelError, match="no"):
        trial.run_trial(file, Preprocess(64, 64), run, nothing_is_late)


def test_what_takes_too_long_is_given_up_and_released_when_it_ends(file):
    goes_on, released = threading.Event(), threading.Event()

    def run(picture):
        goes_on.wait()
        return {}

    assert trial.run_trial(file, Preprocess(64, 64), run, released.set, seconds=0.05) is None
    assert not released.is_set()
    goes_on.set()
    until(released.is_set)
