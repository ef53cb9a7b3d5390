"""Pipelines for tests of stages."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from desktop.compute.filters.library import FilterLibrary
from desktop.compute.gpu.device import Gpu
from desktop.compute.pipeline import Pipeline


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
