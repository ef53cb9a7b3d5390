"""SimCC (Li et al. 2022, arXiv:2107.03332), as in RTMPose: distributions over columns and rows by point.

`simcc_x` [1, points, 2 x width] and `simcc_y`: a point is at both maxima; the lesser is its confidence.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping
from typing import Final

import numpy as np

from desktop.compute.nn.session import Tensor, TensorInfo
from desktop.vision.models.facts import ModelFacts
from desktop.vision.models.findings import Evidence
from desktop.vision.tasks.common.maps import input_size
from desktop.vision.tasks.key_points.decoder import (
    KeyPointDecoder,
    KeyPointDetections,
    NetworkView,
    PointLimits,
    PointProgram,
    PointReader,
    first_of,
    single,
    strides,
    with_mean_scores,
)
from desktop.vision.tasks.key_points.decoders.heat_maps import IMAGENET
from desktop.vision.tasks.key_points.skeletons import Skeleton, usual_skeleton

# Bins a pixel that there are.
_SPLITS: Final = (2.0, 1.0, 3.0, 4.0)


def _outputs(facts: ModelFacts) -> tuple[TensorInfo, TensorInfo] | None:
    """The two outputs: of columns, of rows."""
    if len(facts.outputs) != 2:
        return None
    x, y = facts.outputs
    if x.name.lower().endswith("_y") and y.name.lower().endswith("_x"):
        x, y = y, x
    if len(x.shape) != 3 or len(y.shape) != 3 or x.shape[1] != y.shape[1]:
        return None
    return x, y


class SimCc(KeyPointDecoder):
    """See the module."""

    id = "simcc"
    title = "SimCC"
    order = 15
    preprocess = IMAGENET
    score = 0.2
    point = 0.3

    def recognize(self, facts: ModelFacts) -> Evidence | None:
        """See `KeyPointDecoder`: both lengths are one multiple of the input's sides, or by the names."""
        found = _outputs(facts)
        # 0 points are as many as the file leaves open.
        if found is None or found[0].shape[1] == 1 or found[0].shape[0] not in (0, 1):
            return None
        lengths = tuple(output.shape[2] for output in found)
        if all("simcc" in output.name.lower() for output in found):
            return Evidence.DECLARED
        size = input_size(facts)
        fits = all(size) and any(lengths == (size[0] * split, size[1] * split) for split in _SPLITS)
        return Evidence.DECLARED if fits else None

    def reader(self, network: NetworkView) -> PointReader:
        found = _outputs(network.facts)
        if found is None:
            raise ValueError("no distributions")
        x, y = found
        skeleton = network.skeleton or usual_skeleton(x.shape[1])
        if skeleton.count > x.shape[1]:
            raise ValueError("fewer distributions than points")
        return SimCcReader(x.name, y.name, skeleton)


DECODER: Final = SimCc()


class SimCcReader(PointReader):
    """Reads a pair of distributions a point."""

    is_single = True

    def __init__(self, columns: str, rows: str, skeleton: Skeleton) -> None:
        self.skeleton = skeleton
        self._columns, self._rows = columns, rows

    def outputs(self) -> tuple[str, ...]:
        return self._columns, self._rows

    def program(self, tensors: Mapping[str, Tensor]) -> PointProgram:
        x, y = (tensors[name] for name in self.outputs())
        _, x_point, x_step = strides(x)
        _, y_point, y_step = strides(y)
        plan = struct.pack(
            "<8If3I",
            *(first_of(x), x_point, 0, x_step, x.shape[2], y.shape[2], 0, 0, 0.0),
            *(first_of(y), y_point, y_step),
        )
        return PointProgram("key_points_maps.wgsl", (x, y), (("simcc", plan, self.skeleton.count),))

    def finished(self, found: KeyPointDetections) -> KeyPointDetections:
        """See `PointReader`: the score is the mean confidence."""
        return with_mean_scores(found)

    def read(self, outputs: Mapping[str, np.ndarray], limits: PointLimits) -> KeyPointDetections:
        shares, greatest = [], []
        for name in self.outputs():
            bins = outputs[name][0, : self.skeleton.count]
            bins = np.where(np.isnan(bins), -np.inf, bins)
            place = bins.argmax(axis=1)
            shares.append(place / bins.shape[1])
            greatest.append(np.take_along_axis(bins, place[:, None], 1)[:, 0])
        return single(np.stack(shares, axis=1), np.minimum(*greatest))
