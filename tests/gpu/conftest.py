"""Pipelines for tests of stages."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from desktop.compute.gpu.device import Gpu
from desktop.pipeline.filters.library import FilterLibrary
from desktop.pipeline.pipeline import Pipeline


@pytest.fixture(scope="module")
def library() -> FilterLibrary:
    """The filters in the box."""
    return FilterLibrary(None)


@pytest.fixture
def pipeline(gpu: Gpu, library: FilterLibrary) -> Iterator[Pipeline]:
    """One that waits for its networks, as batch work does: the first picture has their results."""
    made = Pipeline(gpu, library, wait=True)
    yield made
    made.close()


@pytest.fixture
def live(gpu: Gpu, library: FilterLibrary) -> Iterator[Pipeline]:
    """One that does not, as the window's."""
    made = Pipeline(gpu, library)
    yield made
    made.close()


@pytest.fixture
def unhurried(gpu: Gpu, library: FilterLibrary) -> Iterator[Pipeline]:
    """As `live`, but with the budget that a test sets, however far apart the frames are."""
    # A pipeline that plays measures the time between frames, and gives networks a share of it: on a slow machine all dispatches at once.
    made = Pipeline(gpu, library, adapts_budget=False)
    yield made
    made.close()


@pytest.fixture
def in_slices(unhurried: Pipeline) -> Pipeline:
    """`unhurried`, where a recorded network gets on by one dispatch a frame."""
    unhurried.network_budget_ms = 1e-6
    return unhurried
