"""Capabilities of sessions around another one: what they pass on of the inner session, add and leave out."""

from __future__ import annotations

import numpy as np
import pytest

from desktop.compute.nn.session import Calls, RunTimes, SessionCapabilities, TensorInfo
from desktop.pipeline.running.caller import Caller
from desktop.pipeline.running.dense.picture_pair import paired
from desktop.pipeline.running.one.crop_network import HostArrays
from desktop.pipeline.running.one.recurrent import recurrent
from desktop.pipeline.running.repaint.denoising_session import denoising
from desktop.vision.models.recurrence import StatePair

SHAPE = (1, 3, 4, 4)
FIRST, SECOND = TensorInfo("a", SHAPE, "float32"), TensorInfo("b", SHAPE, "float32")
LEVEL, RESULT = TensorInfo("level", (1,), "float32"), TensorInfo("y", SHAPE, "float32")
STATE = TensorInfo("state", SHAPE, "float32")


class Remote:
    """A session whose server is away, and which notes what it is asked to do."""

    backend, device, precision = "remote", "a server", "FP32 tensors"
    pause_s = 2.0
    calls = Calls(away="The server is away.")

    def __init__(self, *inputs: TensorInfo, outputs: tuple[TensorInfo, ...] = (RESULT,)) -> None:
        self.inputs, self.outputs = inputs, outputs
        self.patience_s = 0.0
        self.is_aborted = False
        self.fed: list[dict[str, np.ndarray]] = []

    @property
    def capabilities(self) -> SessionCapabilities:
        return SessionCapabilities(
            remote=self, run_times=lambda: RunTimes(1.0, 2.0, 3.0), division="Divided at 'x'."
        )

    def run(self, feeds: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
        self.fed.append(feeds)
        return {info.name: np.full(info.shape, len(self.fed), np.float32) for info in self.outputs}

    def abort(self) -> None:
        self.is_aborted = True

    def close(self) -> None:
        """Nothing to release."""


def wrapped(name: str):
    """Return a remote session and a session around it."""
    if name == "pair":
        inner = Remote(FIRST, SECOND)
        return inner, paired(None, inner, name)
    if name == "denoiser":
        inner = Remote(FIRST, SECOND, LEVEL)
        return inner, denoising(None, inner, name)
    inner = Remote(FIRST, STATE, outputs=(RESULT, SECOND))
    return inner, recurrent(None, inner, [StatePair(STATE, SECOND)])


@pytest.mark.parametrize("name", ("pair", "denoiser", "recurrent"))
def test_a_session_around_a_remote_one_is_remote(name):
    inner, session = wrapped(name)
    caller = Caller(session)
    assert caller.is_elsewhere and caller.is_paused and caller.away == "The server is away."
    caller.be_patient()
    assert inner.patience_s > 0
    caller.abort()
    assert inner.is_aborted
    assert session.capabilities.division == "Divided at 'x'."


@pytest.mark.parametrize("name", ("pair", "denoiser", "recurrent"))
def test_it_says_what_it_adds(name):
    _, session = wrapped(name)
    capabilities = session.capabilities
    assert capabilities.recorder is None and capabilities.reset_state is not None
    assert (capabilities.adjust is not None) == (name == "denoiser")
    # Several steps of a denoiser are several runs of the inner session: the times of one of them are not
    # those of its run.
    assert (capabilities.run_times is not None) == (name != "denoiser")


def test_forgetting_the_past_through_the_capabilities():
    inner, session = wrapped("recurrent")
    picture = np.zeros(SHAPE, np.float32)
    session.run({"a": picture})
    session.run({"a": picture})
    assert inner.fed[1]["state"].flat[0] == 1.0
    session.capabilities.reset_state()
    session.run({"a": picture})
    assert inner.fed[2]["state"].flat[0] == 0.0


def test_host_arrays_of_a_recorded_session_cannot_be_recorded():
    class Recorded(Remote):
        @property
        def capabilities(self) -> SessionCapabilities:
            return SessionCapabilities(recorder=self, reset_state=self.abort)

    recorded, host = Recorded(FIRST), Remote(FIRST)
    hidden = HostArrays.of(recorded).capabilities
    assert hidden.recorder is None and hidden.reset_state == recorded.abort
    assert HostArrays.of(host) is host


def test_a_session_for_host_arrays_supports_nothing_else_by_default():
    assert SessionCapabilities() == SessionCapabilities(
        recorder=None,
        remote=None,
        similarity=None,
        reset_state=None,
        adjust=None,
        follow=None,
        run_times=None,
    )
    assert Caller(HostArrays(None, (), (), "", "", "", SessionCapabilities())).calls is None
