"""Comparison of a network on two backends or in two precisions, with the same input, array to array."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import Any, Final, cast

import numpy as np
import wgpu

from desktop.base.significance import Difference, difference_of
from desktop.compute.gpu.device import Gpu
from desktop.compute.gpu.timing import Percentiles
from desktop.compute.nn.session import Precision
from desktop.media.frame import Frame
from desktop.pipeline.picture.upload import uploaded
from desktop.pipeline.running.network_spec import NetworkSpec
from desktop.pipeline.running.one.loading import load_network
from desktop.pipeline.running.one.picture_network import PictureNetwork
from desktop.vision.models.verification import difference
from desktop.vision.tasks.shapes import Label, Shape, bounds
from desktop.vision.tasks.task import Result

_MAX_TIMES: Final = 300
_SAME_OBJECT: Final = 0.5


@dataclass(frozen=True)
class Way:
    """A backend, a precision and a device, each as a user chooses it."""

    backend: str = "auto"
    precision: str = "auto"
    device: str = "auto"

    @classmethod
    def parse(cls, text: str) -> Way:
        """Return what 'wgpu:fp16' or 'torch:auto:cuda:0' names; what is left out is 'auto'."""
        backend, _, rest = text.partition(":")
        precision, _, device = rest.partition(":")
        return cls(backend or "auto", precision or "auto", device or "auto")


@dataclass(frozen=True)
class Ran:
    """Result of one configuration on an image: where it actually ran, and `ms` from array to array."""

    where: str
    result: Result
    ms: float


@dataclass(frozen=True)
class Spread:
    """Difference between the outputs of two configurations, the worst over all outputs: `maximum` is absolute
    (infinite if only one is NaN), `relative` is by the first's norm, `cosine` is 1 where both are 0.
    """

    maximum: float = 0.0
    relative: float = 0.0
    cosine: float = 1.0

    def with_worse(self, other: Spread) -> Spread:
        """Return the worse of each figure."""
        return Spread(
            max(self.maximum, other.maximum),
            max(self.relative, other.relative),
            min(self.cosine, other.cosine),
        )


@dataclass(frozen=True)
class Agreement:
    """Agreement of two results: `same_first` for the best label (None if neither has one), and IoUs of boxes
    with the same label. `unmatched` counts objects of one result, or that overlap by less than half.
    """

    same_first: bool | None = None
    ious: tuple[float, ...] = ()
    unmatched: int = 0


@dataclass(frozen=True)
class Compared:
    """One image, two ways."""

    first: Ran
    second: Ran
    spread: Spread
    agreement: Agreement

    def json(self) -> dict[str, Any]:
        """Both results, and the differences."""
        return {
            "first": {"where": self.first.where, "ms": self.first.ms, **self.first.result.json()},
            "second": {"where": self.second.where, "ms": self.second.ms, **self.second.result.json()},
            **vars(self.spread),
            "same_first": self.agreement.same_first,
            "ious": list(self.agreement.ious),
            "unmatched": self.agreement.unmatched,
        }


@dataclass(frozen=True)
class ComparisonTotals:
    """Statistics over all images so far; `spread` has the worst value of each difference.

    Attributes:
        named, same_first: images with a label; those whose first label is the same.
        matched, iou: matched boxes, and their mean IoU (None without any).
        times: times of each configuration in milliseconds, for the last 300 images.
        difference: times of the second configuration minus those of the first.
    """

    pictures: int
    spread: Spread
    named: int
    same_first: int
    matched: int
    iou: float | None
    unmatched: int
    times: tuple[Percentiles, Percentiles]
    difference: Difference

    def json(self) -> dict[str, Any]:
        """The fields by their names."""
        times = {"times": [each.to_dict() for each in self.times], "difference": self.difference.json()}
        return {**vars(self), "spread": vars(self.spread), **times}


def spread_of(first: Mapping[str, np.ndarray], second: Mapping[str, np.ndarray]) -> Spread:
    """Return the difference of outputs from the first's."""
    found = Spread()
    for name, want in first.items():
        got = second.get(name)
        maximum, _, relative = difference([got], [want])
        found = found.with_worse(Spread(maximum, relative, _cosine(want, got)))
    return found


def _cosine(want: np.ndarray, got: np.ndarray | None) -> float:
    if got is None or got.size != want.size:
        return -1.0
    a, b = np.ravel(want).astype(np.float64), np.ravel(got).astype(np.float64)
    known = np.isfinite(a) & np.isfinite(b)
    a, b = a[known], b[known]
    norm = float(np.linalg.norm(a) * np.linalg.norm(b))
    if norm:
        return max(-1.0, min(1.0, float(a @ b) / norm))
    return 1.0 if not a.any() and not b.any() else 0.0


def agreement_of(first: Sequence[Shape], second: Sequence[Shape]) -> Agreement:
    """Return the agreement of two results; objects match by label and the largest overlap."""
    names = [next((s.index for s in shapes if isinstance(s, Label)), None) for shapes in (first, second)]
    same = None if names == [None, None] else names[0] == names[1]
    mine, others = _labeled_bounds(first), _labeled_bounds(second)
    pairs = sorted(
        (
            (_iou(a, b), i, j)
            for i, (label, a) in enumerate(mine)
            for j, (other, b) in enumerate(others)
            if label == other
        ),
        reverse=True,
    )
    left, right, ious = set(range(len(mine))), set(range(len(others))), []
    for iou, i, j in pairs:
        if iou >= _SAME_OBJECT and i in left and j in right:
            left.remove(i)
            right.remove(j)
            ious.append(iou)
    return Agreement(same, tuple(ious), len(left) + len(right))


_Around = tuple[float, float, float, float]


def _labeled_bounds(shapes: Sequence[Shape]) -> list[tuple[str, _Around]]:
    """Return label and bounds of each object; only its first shape counts."""
    found: list[tuple[str, _Around]] = []
    seen: set[int] = set()
    for shape in shapes:
        around, thing = bounds(shape), getattr(shape, "thing", None)
        if around is None or thing in seen:
            continue
        if thing is not None:
            seen.add(thing)
        found.append((shape.label, around))
    return found


def _iou(a: _Around, b: _Around) -> float:
    width = min(a[2], b[2]) - max(a[0], b[0])
    height = min(a[3], b[3]) - max(a[1], b[1])
    shared = max(width, 0.0) * max(height, 0.0)
    whole = (a[2] - a[0]) * (a[3] - a[1]) + (b[2] - b[0]) * (b[3] - b[1]) - shared
    return shared / whole if whole > 0 else 0.0


class Comparison:
    """A network loaded in two configurations, for one thread; `descriptions` are lines for the user."""

    def __init__(self, gpu: Gpu, spec: NetworkSpec, first: Way, second: Way) -> None:
        """Load both; raise a `LightloomError` as `load_network` does."""
        self._gpu = gpu
        with ExitStack() as opened:
            self._first = self._load(spec, first)
            opened.callback(self._first.close)
            self._second = self._load(spec, second)
            opened.pop_all()
        self.descriptions = tuple(each.description.where for each in (self._first, self._second))
        self._count = self._named = self._same = self._unmatched = 0
        self._ious: tuple[int, float] = (0, 0.0)
        self._spread = Spread()
        self._times: tuple[deque[float], deque[float]] = (
            deque(maxlen=_MAX_TIMES),
            deque(maxlen=_MAX_TIMES),
        )

    def _load(self, spec: NetworkSpec, way: Way) -> PictureNetwork:
        task = "" if spec.task == "auto" else spec.task
        # One inference of a frame is compared, not the five of its tiles.
        settings = {name: value for name, value in spec.settings.items() if name != "tiles"}
        return load_network(
            self._gpu,
            spec.model,
            task,
            settings=settings,
            backend=way.backend,
            precision=cast(Precision, way.precision),
            device=way.device,
            preset=spec.preprocess,
            recorded=False,
        )

    def compare(self, frame: Frame, check: Callable[[], None] = lambda: None) -> Compared:
        """Run both on an image; `check` is called in between and may raise.

        The first image's times do not count. Raise ModelError, or SourceUnsupportedError if it is too large.
        """
        array, size = self._prepared(frame)
        ran, outputs = [], []
        for network, where in zip((self._first, self._second), self.descriptions, strict=True):
            check()
            begun = time.perf_counter()
            found = network.compute(array)
            ms = (time.perf_counter() - begun) * 1e3
            outputs.append(found)
            said = cast(Result, network.head.read(found, size))
            result = replace(said, note=frame.pts, inference_ms=ms)
            ran.append(Ran(where, result, ms))
        spread = spread_of(outputs[0], outputs[1])
        agreement = agreement_of(ran[0].result.shapes(), ran[1].result.shapes())
        self._add(ran, spread, agreement)
        return Compared(ran[0], ran[1], spread, agreement)

    def _prepared(self, frame: Frame) -> tuple[np.ndarray, tuple[int, int]]:
        """The input tensor, by the first way's preprocessing, and the image's size."""
        uploader = uploaded(self._gpu, frame)
        texture: wgpu.GPUTexture = uploader.texture
        try:
            picture = self._first.bind(texture)
            self._gpu.compute(picture.encode_input)
            return self._first.read_input(), picture.size
        finally:
            self._first.release_texture(texture)
            texture.destroy()
            uploader.close()

    def _add(self, ran: Sequence[Ran], spread: Spread, agreement: Agreement) -> None:
        if self._count:
            for times, each in zip(self._times, ran, strict=True):
                times.append(each.ms)
        self._count += 1
        self._spread = self._spread.with_worse(spread)
        self._named += agreement.same_first is not None
        self._same += agreement.same_first is True
        self._unmatched += agreement.unmatched
        count, total = self._ious
        self._ious = (count + len(agreement.ious), total + sum(agreement.ious))

    @property
    def totals(self) -> ComparisonTotals:
        """The figures of all images so far."""
        matched, total = self._ious
        first, second = self._times
        times = (Percentiles.of(first), Percentiles.of(second))
        return ComparisonTotals(
            *(self._count, self._spread, self._named, self._same, matched),
            *(total / matched if matched else None, self._unmatched, times, difference_of(first, second)),
        )

    def close(self) -> None:
        """Release both."""
        self._first.close()
        self._second.close()
