"""Run a network once on a built-in frame, in limited time, to learn about its outputs."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Final

import numpy as np

from desktop.base.resources import resource
from desktop.compute.nn.session import TensorInfo
from desktop.vision.models.model_file import ModelFile
from desktop.vision.models.preprocess import Preprocess
from desktop.vision.tasks.task import Trial

TRIAL_SECONDS: Final = 20.0
"""A network that takes longer for one frame is useless for video, and loading it must not seem to hang."""
_PICTURE: Final = ("assets", "sample", "boat.webp")

Outputs = Mapping[str, np.ndarray]


def run_trial(
    file: ModelFile,
    preprocess: Preprocess,
    references: Callable[[Path], Outputs],
    late: Callable[[], None],
    seconds: float | None = None,
) -> Trial | None:
    """Return a network's outputs for the frame; None if it takes too long. Raise LightloomError on failure.

    Args:
        references: runs a frame through it, here on a separate thread.
        late: called there when an overlong run ends; until then, nothing else may use the session.
        seconds: time limit; by default `TRIAL_SECONDS`.
    """
    outputs = _within(
        lambda: references(resource(*_PICTURE)), TRIAL_SECONDS if seconds is None else seconds, late
    )
    if outputs is None:
        return None
    infos = tuple(TensorInfo(name, array.shape, array.dtype.name) for name, array in outputs.items())
    facts = replace(file.facts, input_shape=preprocess.shape, outputs=infos)
    return Trial(outputs, facts, (preprocess.width, preprocess.height))


def _within(run: Callable[[], Outputs], seconds: float, late: Callable[[], None]) -> Outputs | None:
    found: list[Outputs | BaseException] = []
    lock, given_up = threading.Lock(), threading.Event()

    def work() -> None:
        try:
            result: Outputs | BaseException = run()
        except BaseException as error:
            result = error
        with lock:
            found.append(result)
        if given_up.is_set():
            late()

    thread = threading.Thread(target=work, name="trial run", daemon=True)
    thread.start()
    thread.join(seconds)
    with lock:
        if not found:
            given_up.set()
            return None
    if isinstance(found[0], BaseException):
        raise found[0]
    return found[0]
