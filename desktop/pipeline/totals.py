"""Cumulative counters of a source pipeline, readable from other threads (for monitoring systems).

Lock-free: each number is an object that is replaced, a list never changes its length, and a dictionary with
another key is a new one. With a lock, a suspended reader would stop the frame. prometheus-client's histograms
take 1.5 µs per observation instead of 0.3 µs (docs/facts.md).
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Final

from desktop.base.printable import printable
from desktop.vision.tasks.shapes import Box, Label, Mask, Points, Polygon, Shape

if TYPE_CHECKING:
    from desktop.vision.tracking.counts import Counts
    from desktop.vision.tracking.scene import TrackedResult

BOUNDS: Final = tuple(
    round(step * 10.0**power, 10) for power in range(-4, 1) for step in (1.0, 1.5, 2.0, 3.0, 5.0, 7.0)
)
"""Upper bounds of the buckets, 0.1 ms to 7 s, six per power of ten: percentiles are off by at most 67 %."""

MOST_NAMES: Final = 64
"""Maximum number of names of one kind (classes, zones) per source pipeline; later ones count as `OTHERS`."""
OTHERS: Final = "(others)"
_LONGEST_NAME: Final = 64


class Histogram:
    """Counts of values between `BOUNDS`: one per bound, for values above the previous one and up to it, and
    one for larger values. `total` is their sum in seconds.
    """

    __slots__ = ("counts", "total")

    def __init__(self) -> None:
        self.counts = [0] * (len(BOUNDS) + 1)
        self.total = 0.0

    def add(self, seconds: float) -> None:
        """Count a value."""
        self.counts[bisect_left(BOUNDS, seconds)] += 1
        self.total += seconds


def clean_name(raw: str) -> str:
    """Return untrusted text as a displayable name: one printable line of 64 characters at most."""
    name = printable(raw[:_LONGEST_NAME])
    return name if len(name) <= _LONGEST_NAME else name[: _LONGEST_NAME - 1] + "…"


class BoundedNames:
    """Limits untrusted names (classes of a network, zones of a preset): each is a permanent time series."""

    def __init__(self, most: int = MOST_NAMES) -> None:
        self._most = most
        self._names: dict[str, str] = {}

    def of(self, raw: str) -> str:
        """Return the name to use: the cleaned one, or `OTHERS` if the limit is reached."""
        name = self._names.get(raw)
        if name is None:
            if len(self._names) >= self._most:
                return OTHERS
            name = self._names[raw] = clean_name(raw)
        return name


class Totals:
    """Totals of a source pipeline since counting began.

    Attributes:
        latency: from the capture of each frame to the end of its GPU work.
        gpu, cpu: times of each span, by name.
        `things`: detections by class, summed over all results.
        network_failures: networks that could not be loaded, or were disabled by a failure.
        in_view: detections by class in the newest result; 0 for earlier classes, so that their series go on.
        counts: counts of the zones at that time; not the tracked result, whose masks hold textures.
    """

    def __init__(self) -> None:
        self.frames = self.skipped = self.results = self.network_failures = 0
        self.latency = Histogram()
        self.inference = Histogram()
        self.gpu: Mapping[str, Histogram] = {}
        self.cpu: Mapping[str, Histogram] = {}
        self.things: Mapping[str, int] = {}
        self.in_view: Mapping[str, int] = {}
        self.counts: tuple[Counts, ...] = ()
        self._classes = BoundedNames()

    def finished(self, latency_s: float | None) -> None:
        """Count a finished frame with its latency; None for one that was finished before."""
        self.frames += 1
        if latency_s is not None:
            self.latency.add(latency_s)

    def timed(self, span: str, gpu_ms: float | None, cpu_ms: float) -> None:
        """Record the duration of a span."""
        if span not in self.cpu:
            self.cpu, self.gpu = {**self.cpu, span: Histogram()}, {**self.gpu, span: Histogram()}
        self.cpu[span].add(cpu_ms * 1e-3)
        if gpu_ms is not None:
            self.gpu[span].add(gpu_ms * 1e-3)

    def retain(self, is_retained: Callable[[str], bool]) -> None:
        """Discard the times of other spans: their stages were removed from the chain."""
        self.cpu = {name: found for name, found in self.cpu.items() if is_retained(name)}
        self.gpu = {name: found for name, found in self.gpu.items() if is_retained(name)}

    def analyzed(self, inference_ms: float | None) -> None:
        """Count a result of the network."""
        self.results += 1
        if inference_ms is not None:
            self.inference.add(inference_ms * 1e-3)

    def saw(self, tracked_result: TrackedResult) -> None:
        """Count the detections of a result."""
        found = dict.fromkeys(self.things, 0)
        for label in classes_of(tracked_result.shapes):
            name = self._classes.of(label)
            found[name] = found.get(name, 0) + 1
        self.things = {name: self.things.get(name, 0) + count for name, count in found.items()}
        self.in_view, self.counts = found, tracked_result.counts


def classes_of(shapes: Iterable[Shape]) -> Iterable[str]:
    """Yield each detection's class, once for several shapes of an object, classes with marked pixels, and the
    likeliest class label; not lines (motion vectors, edges).
    """
    seen: set[int] = set()
    has_word = False
    for shape in shapes:
        if isinstance(shape, Box | Points | Polygon | Mask):
            if shape.thing is not None:
                if shape.thing in seen:
                    continue
                seen.add(shape.thing)
            if not (isinstance(shape, Mask) and shape.is_class):
                yield shape.label
        elif isinstance(shape, Label) and (shape.colored or not has_word):
            has_word = True
            yield shape.label
