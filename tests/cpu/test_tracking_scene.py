"""What a scene makes of results: shapes with identities, cuts, and nothing at all where nothing is asked for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

from desktop.compute.tasks.shapes import Box, Label, Line, Mask, Points, Polygon, Shape, bounds
from desktop.compute.tasks.task import Result
from desktop.compute.tracking.scene import Scene

SIZE = (640, 480)


@dataclass(frozen=True)
class Shown(Result):
    """A result of given shapes."""

    given: tuple[Shape, ...] = ()

    def json(self) -> dict[str, Any]:
        return {}

    def lines(self) -> tuple[str, ...]:
        return ()

    def shapes(self) -> tuple[Shape, ...]:
        return self.given


def test_without_anything_to_follow_the_shapes_are_the_results():
    result = Shown((Box("cat", 1, 0.1, 0.2, 0.3, 0.4), Label("cat", 0.5)))
    sighting = Scene().see(result, 0.5, SIZE)
    assert sighting.result is result and sighting.shapes == result.shapes()
    assert (sighting.pts, sighting.size, sighting.trails, sighting.expected) == (0.5, SIZE, (), ())


@pytest.mark.parametrize(
    ("shape", "expected"),
    [
        (Box("a", 0, 0.1, 0.2, 0.3, 0.4), (0.1, 0.2, 0.3, 0.4)),
        (Mask("a", 0, None, 0.9, 0.2, 0.3, 0.4), (0.3, 0.2, 0.9, 0.4)),  # mirrored
        (Points("a", 0, ((0.5, 0.1), (0.2, 0.9), (0.3, 0.3))), (0.2, 0.1, 0.5, 0.9)),
        (Polygon("a", 0, ((0.5, 0.1), (0.2, 0.9), (0.3, 0.3))), (0.2, 0.1, 0.5, 0.9)),
        (Points("a", 0, ()), None),
        (Line("a", 0, ((0.0, 0.0), (1.0, 1.0))), None),
        (Label("a", 0.5), None),
    ],
)
def test_the_bounds_of_a_shape(shape: Shape, expected: tuple[float, ...] | None):
    assert bounds(shape) == expected
