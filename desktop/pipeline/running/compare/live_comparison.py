"""Comparison during playback, on a thread that rests for longer than it worked on an image."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final, Literal

from desktop.base.errors import LightloomError, StoppedError
from desktop.base.priority import yield_to_others
from desktop.base.wording import sentence
from desktop.compute.gpu.device import Gpu
from desktop.media.frame import Frame
from desktop.pipeline.running.compare.comparison import Compared, Comparison, ComparisonTotals, Way
from desktop.pipeline.running.network_spec import NetworkSpec

log = logging.getLogger(__name__)

# It works at most a fifth of the time, and at most twice a second: the image needs the GPU and the cores.
_REST: Final = 4.0
_LEAST_S: Final = 0.5
_POLL_S: Final = 0.1


@dataclass(frozen=True)
class ComparisonState:
    """State of a live comparison ('failed' is final); `names` of configurations are () until loaded."""

    state: Literal["loading", "running", "failed"] = "loading"
    text: str = ""
    names: tuple[str, ...] = ()
    newest: Compared | None = None
    totals: ComparisonTotals | None = None
    computes: bool = False


class LiveComparison:
    """Comparison that runs until it is stopped; its thread replaces `state`, which any thread may read."""

    def __init__(
        self, gpu: Gpu, spec: NetworkSpec, ways: tuple[Way, Way], newest: Callable[[], Frame | None]
    ) -> None:
        """Begin; `newest` gives the image of the moment, and is called from the thread."""
        self.state = ComparisonState()
        self.spec, self.ways = spec, ways
        self.gpu, self._newest = gpu, newest
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="comparison", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        yield_to_others()
        try:
            comparison = Comparison(self.gpu, self.spec, *self.ways)
            try:
                self.state = ComparisonState("running", names=comparison.descriptions)
                self._go_on(comparison)
            finally:
                comparison.close()
        except StoppedError:
            pass
        except LightloomError as error:
            self.state = ComparisonState("failed", str(error))
        except Exception as error:
            # A model is untrusted, and the device may be lost: any exception is reported.
            log.exception("comparing a network")
            reason = sentence("The comparison failed ({reason}); begin it again.", reason=str(error)[:200])
            self.state = ComparisonState("failed", reason)

    def _go_on(self, comparison: Comparison) -> None:
        before: Frame | None = None
        while not self._stop.is_set():
            frame = self._newest()
            if frame is None or frame is before:
                self._stop.wait(_POLL_S)
                continue
            begun = time.perf_counter()
            self.state = replace(self.state, computes=True)
            found = comparison.compare(frame, self._check)
            before = frame
            self.state = ComparisonState("running", "", comparison.descriptions, found, comparison.totals)
            self._stop.wait(max(_LEAST_S, _REST * (time.perf_counter() - begun)))

    def _check(self) -> None:
        if self._stop.is_set():
            raise StoppedError("")

    def stop(self, timeout: float = 0.0) -> bool:
        """Stop, then release both networks; return False if that takes longer than `timeout` seconds."""
        self._stop.set()
        self._thread.join(timeout)
        return not self._thread.is_alive()
