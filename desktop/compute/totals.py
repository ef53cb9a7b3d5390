"""What was counted since somebody began to: numbers that only grow, for whoever asks from another thread.

`Statistics` is of the last frames, for eyes; a monitoring system wants totals, of which it takes differences itself. One thread writes, the
one that renders, without a lock; any other may read at any moment. That holds because each number is one object that is replaced, a list
never changes its length, and a dictionary that gets another key is a new one. Weighed: a lock a frame (about as quick, but a reader that
is put to sleep within it stops the picture), and the histograms of prometheus-client (a lock and two dictionaries an observation: 1.5 µs
against 0.3 µs; docs/facts.md).
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Final

from desktop.compute.tasks.shapes import Box, Label, Mask, Points, Polygon, Shape
from desktop.printable import printable

if TYPE_CHECKING:
    from desktop.compute.tracking.counts import Counts
    from desktop.compute.tracking.scene import Sighting

BOUNDS: Final = tuple(
    round(step * 10.0**power, 10) for power in range(-4, 1) for step in (1.0, 1.5, 2.0, 3.0, 5.0, 7.0)
)
"""Upper bounds of the buckets in seconds, 0.1 ms to 7 s: six to a power of ten: a percentile read from them is off by 67 % at most."""

MOST_NAMES: Final = 64
"""Names of one kind (classes, zones) that a lane tells apart; those that come later are one, `OTHERS`."""
OTHERS: Final = "(others)"
_LONGEST_NAME: Final = 64


class Histogram:
    """How many values fell between `BOUNDS`.

    Attributes:
        counts: one for each bound, values up to and with it and above the one before; the last for those above all.
        total: the sum of all values, in seconds.
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
    """Return a stranger's text as a name to be shown: one printable line of 64 letters at most."""
    name = printable(raw[:_LONGEST_NAME])
    return name if len(name) <= _LONGEST_NAME else name[: _LONGEST_NAME - 1] + "…"


class BoundedNames:
    """Keeps the names of strangers (classes of a network's file, zones of a preset) to a number: each is a time series for ever."""

    def __init__(self, most: int = MOST_NAMES) -> None:
        self._most = most
        self._names: dict[str, str] = {}

    def of(self, raw: str) -> str:
        """Return what a name is called: itself made clean, or `OTHERS` where there are too many already."""
        name = self._names.get(raw)
        if name is None:
            if len(self._names) >= self._most:
                return OTHERS
            name = self._names[raw] = clean_name(raw)
        return name


class Totals:
    """What one lane has done since somebody began to count.

    Attributes:
        frames: pictures finished.
        skipped: pictures not drawn because the GPU was busy.
        results: what the network said, so many times.
        latency: from the capture of each picture to the GPU having finished it.
        inference: whole inferences of the network that looks at the pictures, where something can tell.
        gpu, cpu: times of each span of the frames, by its name.
        things: how many things of each class the results had, added up.
        network_failures: how often a network could not be loaded, or was switched off because it failed.
        in_view: how many things of each class the newest result had; 0 for those of earlier ones, so that their series do not end.
        counts: what zones had counted by then. Both stay when the source or the device changes. Not the sighting itself: its masks hold
            textures.
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
        """A picture is finished, so long after its capture; None for one that was finished before."""
        self.frames += 1
        if latency_s is not None:
            self.latency.add(latency_s)

    def timed(self, span: str, gpu_ms: float | None, cpu_ms: float) -> None:
        """A span of a frame took so long."""
        if span not in self.cpu:
            self.cpu, self.gpu = {**self.cpu, span: Histogram()}, {**self.gpu, span: Histogram()}
        self.cpu[span].add(cpu_ms * 1e-3)
        if gpu_ms is not None:
            self.gpu[span].add(gpu_ms * 1e-3)

    def keep(self, is_kept: Callable[[str], bool]) -> None:
        """Forget the times of other spans: their stages left the chain."""
        self.cpu = {name: found for name, found in self.cpu.items() if is_kept(name)}
        self.gpu = {name: found for name, found in self.gpu.items() if is_kept(name)}

    def analyzed(self, inference_ms: float | None) -> None:
        """The network has said something."""
        self.results += 1
        if inference_ms is not None:
            self.inference.add(inference_ms * 1e-3)

    def saw(self, sighting: Sighting) -> None:
        """Count what a result shows."""
        found = dict.fromkeys(self.things, 0)
        for label in classes_of(sighting.shapes):
            name = self._classes.of(label)
            found[name] = found.get(name, 0) + 1
        self.things = {name: self.things.get(name, 0) + count for name, count in found.items()}
        self.in_view, self.counts = found, sighting.counts


def classes_of(shapes: Iterable[Shape]) -> Iterable[str]:
    """Yield the class of each thing that shapes show: of several shapes of one thing once, of a picture's classes the likeliest.

    A class whose pixels are marked is one too. Lines (motions, edges) are none.
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
