"""Run a divided network: one session for what is known at load time, one for what depends on values."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from desktop.base.errors import ModelError
from desktop.base.wording import sentence
from desktop.compute.nn.compile.dividing import Division
from desktop.compute.nn.session import Session, SessionCapabilities, TensorInfo
from desktop.vision.backends._feeds import check_feeds


class DividedSession:
    """Session of a divided network: runs the head, reads the cut back, runs the tail."""

    def __init__(self, head: Session, tail: Session, division: Division, path: Path) -> None:
        """Join two sessions, which `close` closes; runs them once on zeros, to learn the outputs' shapes."""
        self._head, self._tail, self._path = head, tail, path
        self._outputs_in_order = division.outputs
        self._division = division.text
        self._closed = False
        self.backend, self.precision = head.backend, head.precision
        taken = {info.name: info for info in (*tail.inputs, *head.inputs) if info.name in division.inputs}
        self.inputs = tuple(taken[name] for name in division.inputs if name in taken)
        self.outputs = self._measured_outputs()

    def _measured_outputs(self) -> tuple[TensorInfo, ...]:
        try:
            arrays = self.run({info.name: np.zeros(info.shape, np.dtype(info.dtype)) for info in self.inputs})
        except ModelError:  # a network that fails if it finds nothing; the declared shapes are used then
            given = {info.name: info for info in (*self._head.outputs, *self._tail.outputs)}
            return tuple(given[name] for name in self._outputs_in_order)
        return tuple(TensorInfo(name, a.shape, a.dtype.name) for name, a in arrays.items())

    @property
    def device(self) -> str:
        """The head's device, and the tail's."""
        return sentence("{head} and {tail}", head=self._head.device, tail=self._tail.device)

    @property
    def capabilities(self) -> SessionCapabilities:
        """The place at which the network is divided."""
        return SessionCapabilities(division=self._division)

    def run(self, feeds: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
        """See `Session`; raise ModelError for an invalid input or if a session fails."""
        if self._closed:
            raise ModelError(sentence("{name} is closed; load it again.", name=self._path.name))
        check_feeds(feeds, self.inputs, self._path.name)
        found = self._head.run({info.name: feeds[info.name] for info in self._head.inputs})
        known = feeds | found
        found |= self._tail.run({info.name: known[info.name] for info in self._tail.inputs})
        return {name: found[name] for name in self._outputs_in_order}

    def close(self) -> None:
        """Close both sessions."""
        self._closed = True
        self._head.close()
        self._tail.close()
