"""Frame interpolation during playback: a network inserts as many frames as it can compute in time.

Inserted frames have the source's pixel format and enter the pipeline before the chain.
"""

from __future__ import annotations

import logging
import statistics
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final, Literal

import numpy as np

from desktop.base.errors import LightloomError
from desktop.base.wording import Text, sentence
from desktop.media.coded import colors_of, frame_of
from desktop.media.frame import Frame
from desktop.media.scene_cuts import is_cut
from desktop.media.sources.base import FrameInterpolation
from desktop.pipeline.running.interpolation.network import LONGEST_S, InterpolationNetwork, Size
from desktop.pipeline.running.interpolation.spec import InterpolationSpec

log = logging.getLogger(__name__)

State = Literal["waiting", "loading", "running", "slow", "failed"]
LoadNetwork = Callable[[InterpolationSpec, Size], InterpolationNetwork]

_MAX_TIMES: Final = 12
# So many pairs tell whether it is fast enough: the first ones may wait for caches and clocks.
_JUDGED_BY: Final = 3
# The share of an interval that may be spent: the device has a chain and the frame itself to compute as well.
_USABLE: Final = 0.85
# It is tried again after so long: something else may have kept the device busy.
_RETRY_S: Final = 30.0
_LOADED_S: Final = 30.0
# A live source's delay stays while what it should be is not further away from it than this share.
_STEADY: Final = 0.25


@dataclass(frozen=True)
class InterpolationStatus:
    """State of a live interpolation.

    Attributes:
        state: 'waiting' for two frames, 'loading', 'running', 'slow' (paused for a while) or 'failed'.
        text: description of the state for the user.
        cuts: scene cuts so far, across which nothing was inserted.
    """

    state: State = "waiting"
    text: str = ""
    made: int = 0
    cuts: int = 0


class LiveInterpolation(FrameInterpolation):
    """`FrameInterpolation` by a network, which a background thread loads for the size of the frames."""

    def __init__(
        self,
        spec: InterpolationSpec,
        load: LoadNetwork,
        *,
        screen_rate: Callable[[], float] = lambda: 60.0,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        """Begin without a network, which `load` loads for a size on a thread; `screen_rate` is in hertz."""
        self.spec = spec
        self._load, self._screen_rate, self._clock = load, screen_rate, clock
        # Held while the network computes.
        self._computing = threading.Lock()
        self._network: InterpolationNetwork | None = None
        self._size: Size | None = None
        self._loader: threading.Thread | None = None
        self._is_closed = False
        self._times: deque[float] = deque(maxlen=_MAX_TIMES)
        # Until when nothing is made between frames that leave less time than one took.
        self._rest_until = self._too_slow_s = 0.0
        self._last_colors: tuple[Frame, np.ndarray] | None = None
        self._delay = 0.0
        self._status = InterpolationStatus(text=sentence("waits for the next frame"))

    @property
    def status(self) -> InterpolationStatus:
        """Current state. Safe to read on any thread."""
        return self._status

    @property
    def notes(self) -> tuple[Text, ...]:
        """Assumptions made about the network, in sentences; empty until it is loaded."""
        network = self._network
        return network.notes if network is not None else ()

    @property
    def lead(self) -> float:
        return statistics.median(self._times) if self._times and self._network is not None else 0.0

    def delay(self, seconds: float) -> float:
        """See `FrameInterpolation`: the first frame that is made has its turn when all of them are there."""
        count = self._possible(seconds) if 0 < seconds <= LONGEST_S and self._network is not None else 0
        wanted = seconds * count / (count + 1) + self.lead * count * 1.25 if count else 0.0
        # One that follows every measurement would make the motion uneven.
        if not wanted or abs(wanted - self._delay) > _STEADY * self._delay:
            self._delay = wanted
        return self._delay

    def between(self, first: Frame, second: Frame, seconds: float) -> tuple[Frame, ...]:
        self._computing.acquire()
        try:
            if not self._is_closed and self._status.state != "failed":
                return self._between(first, second, seconds)
        except LightloomError as error:
            self._fail(str(error))
        except Exception as error:
            # A model file is untrusted: whatever it raises, playback continues.
            log.exception("computing in-between frames")
            self._fail(
                sentence(
                    "Frames can't be interpolated ({reason}); choose another network.", reason=repr(error)
                )
            )
        finally:
            self._let_go()
        return ()

    def _between(self, first: Frame, second: Frame, seconds: float) -> tuple[Frame, ...]:
        if not self._fit(first, second) or not 0 < seconds <= LONGEST_S:
            return ()
        network = self._network_for((first.width, first.height))
        count = self._possible(seconds) if network is not None else 0
        if network is None or not count:
            if not self.spec.between(seconds, self._screen_rate()):
                self._set_status("waiting", sentence("the source has as many frames as the screen shows"))
            return ()
        begun = self._clock()
        start, end = self._colors(first), self._colors(second)
        if is_cut(start.transpose(1, 2, 0), end.transpose(1, 2, 0)):
            self._status = replace(self._status, cuts=self._status.cuts + 1)
            return ()
        made = tuple(
            frame_of(_blended(network, start, end, n / (count + 1)), _timed(first, second, n, count, seconds))
            for n in range(1, count + 1)
        )
        self._took((self._clock() - begun) / count, count, seconds)
        return made

    def _fit(self, first: Frame, second: Frame) -> bool:
        """Return whether two frames have the same format, so that frames can be inserted between them."""
        if first.fields is not None or second.fields is not None:
            self._set_status("waiting", sentence("interlaced frames are shown as they are"))
            return False
        alike = ("width", "height", "format", "color", "rotation", "mirrored", "pixel_aspect")
        return all(getattr(first, name) == getattr(second, name) for name in alike)

    def _colors(self, frame: Frame) -> np.ndarray:
        """Return a frame's R'G'B', cached because each frame belongs to two pairs."""
        if self._last_colors is None or self._last_colors[0] is not frame:
            self._last_colors = (frame, colors_of(frame))
        return self._last_colors[1]

    # -- what is possible ------------------------------------------------------------------------------------

    def _possible(self, seconds: float) -> int:
        """Return how many frames can be inserted between two: at most those requested, 0 while paused."""
        wanted = self.spec.between(seconds, self._screen_rate())
        if self._clock() < self._rest_until and self._too_slow_s > _USABLE * seconds:
            return 0
        if len(self._times) < _JUDGED_BY:
            return wanted
        return min(wanted, int(_USABLE * seconds / max(self.lead, 1e-6)))

    def _took(self, each: float, count: int, seconds: float) -> None:
        """Record the time per frame and update the state."""
        self._times.append(each)
        made = self._status.made + count
        lead = self.lead
        if len(self._times) >= _JUDGED_BY and lead > _USABLE * seconds:
            self._rest_until, self._too_slow_s = self._clock() + _RETRY_S, lead
            self._times.clear()
            text = sentence(
                "too slow: {ms:.0f} ms a frame where {there:.0f} ms are there; the source's own frames are "
                "shown",
                ms=lead * 1000,
                there=seconds * 1000,
            )
            self._status = replace(self._status, state="slow", text=text, made=made)
            return
        self._status = replace(
            self._status, state="running", text=self._rates(count, seconds, lead), made=made
        )

    def _rates(self, count: int, seconds: float, lead: float) -> Text:
        values = {
            "before": f"{1 / seconds:.0f}",
            "after": f"{(count + 1) / seconds:.0f}",
            "ms": f"{lead * 1000:.0f}",
        }
        if self._delay:
            return sentence(
                "{before} → {after} fps, {ms} ms a frame, shown {later} ms later",
                **values,
                later=f"{self._delay * 1000:.0f}",
            )
        return sentence("{before} → {after} fps, {ms} ms a frame", **values)

    def _set_status(self, state: State, text: str) -> None:
        if (self._status.state, self._status.text) != (state, text):
            self._status = replace(self._status, state=state, text=text)

    def _fail(self, text: str) -> None:
        self._status = replace(self._status, state="failed", text=text)
        self._drop_network()

    # -- the network -----------------------------------------------------------------------------------------

    def _network_for(self, size: Size) -> InterpolationNetwork | None:
        """Return the network for a size; start loading it and return None if there is none yet."""
        if self._size != size:
            self._drop_network()
            self._size = size
            self._times.clear()
            self._set_status("loading", sentence("loading the network"))
            self._loader = threading.Thread(
                target=self._load_for, args=(size,), name="network of the frame interpolation", daemon=True
            )
            self._loader.start()
        return self._network

    def _load_for(self, size: Size) -> None:
        try:
            network = self._load(self.spec, size)
            # The first run compiles and allocates; do it before a frame waits.
            blank = np.zeros((3, size[1], size[0]), np.float32)
            network.colors_between(blank, blank, 0.5)
        except LightloomError as error:
            self._refused(size, str(error))
            return
        except Exception as error:
            log.exception("loading a network for frame interpolation")
            self._refused(
                size,
                sentence("The network cannot be loaded ({reason}); try another one.", reason=repr(error)),
            )
            return
        with self._computing:
            if self._is_closed or self._size != size:
                network.close()
                return
            self._network = network
            self._set_status("waiting", sentence("waits for the next frame"))

    def _refused(self, size: Size, text: str) -> None:
        with self._computing:
            if self._size == size:
                self._fail(text)

    def _drop_network(self) -> None:
        network, self._network = self._network, None
        self._last_colors = None
        if network is not None:
            network.close()

    def adjust(self, spec: InterpolationSpec) -> bool:
        """Apply settings with the same network and backend; return False if they name others."""
        if (spec.model, spec.backend) != (self.spec.model, self.spec.backend):
            return False
        self.spec, self._rest_until = spec, 0.0
        self._times.clear()
        return True

    def close(self, *, wait: bool = False) -> None:
        self._is_closed = True
        if wait and self._loader is not None:
            self._loader.join(_LOADED_S)
        # Who holds the lock looks for this before it lets go of it.
        if self._computing.acquire(blocking=wait):
            self._let_go()

    def _let_go(self) -> None:
        """Release the lock, and the network if this was closed meanwhile."""
        if self._is_closed:
            self._drop_network()
        self._computing.release()
        # Closed in the meantime: the network must be released here.
        if self._is_closed and self._network is not None and self._computing.acquire(blocking=False):
            self._let_go()


def _blended(network: InterpolationNetwork, first: np.ndarray, second: np.ndarray, at: float) -> np.ndarray:
    """Return R'G'B' between two frames by the network, with alpha interpolated linearly."""
    colors = network.colors_between(first[:3], second[:3], at)
    alpha = first[3:] * (1 - at) + second[3:] * at
    return np.concatenate((colors, alpha)) if len(alpha) else colors


def _timed(first: Frame, second: Frame, place: int, count: int, seconds: float) -> Frame:
    """Return the first frame with the time and duration of an inserted one: number `place` of `count`."""
    apart = second.pts - first.pts if second.pts > first.pts else seconds
    step = apart / (count + 1)
    warp = (
        first.warp
        if first.warp is None or second.warp is None
        else first.warp.toward(second.warp, place / (count + 1))
    )
    return replace(first, pts=first.pts + step * place, duration=step, warp=warp)
