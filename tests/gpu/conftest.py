"""Pipelines for tests of stages."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

import pytest

from desktop.compute.gpu.device import Gpu
from desktop.compute.gpu.versions import Versions
from desktop.compute.gpu.wgpu_native import version
from desktop.compute.nn.kernels import columns, shares, winograd
from desktop.compute.nn.kernels.shares import Shared
from desktop.pipeline.chain import network_feed
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
    # A pipeline that plays measures the time between frames, and gives networks a share of it: on a slow
    # machine all dispatches at once.
    made = Pipeline(gpu, library, adapts_budget=False)
    yield made
    made.close()


@pytest.fixture
def in_slices(unhurried: Pipeline) -> Pipeline:
    """`unhurried`, where a recorded network gets on by one dispatch a frame."""
    unhurried.network_budget_ms = 1e-6
    return unhurried


# -- kernels that are chosen for large products, for the small ones of tests ---------------------------------


@pytest.fixture
def winograd_anywhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """Winograd's convolution is taken wherever it can be."""
    monkeypatch.setattr(winograd, "_WORTH", 1e9)
    monkeypatch.setattr(winograd, "estimate_items", lambda *_: 0.0)


@pytest.fixture
def narrow_anywhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """Columns are computed for each convolution of one block of outputs."""
    monkeypatch.setattr(columns, "is_narrow", lambda convolution, _: convolution.result.blocks == 1)


Choice = Callable[[Any], Shared | None]


@pytest.fixture
def share_depth(monkeypatch: pytest.MonkeyPatch) -> Callable[[Choice], None]:
    """Let a function of a convolution choose how its depth is shared out."""

    def use(choose: Choice) -> None:
        monkeypatch.setattr(shares, "choose", lambda _, convolution: choose(convolution))

    return use


@pytest.fixture
def loops_for_matrices(monkeypatch: pytest.MonkeyPatch) -> Callable[[ModuleType, type], None]:
    """Let a module's kernels have loops in the place of the adapter's matrices."""

    def use(module: ModuleType, tile: type) -> None:
        monkeypatch.setattr(module, "DIRECTIVES", ("requires buffer_view;",))
        monkeypatch.setattr(tile, "numbers", functools.partialmethod(tile.numbers, loops=True))

    return use


# -- others of what tests have -------------------------------------------------------------------------------


@pytest.fixture
def another_wgpu(monkeypatch: pytest.MonkeyPatch) -> Versions:
    """A version of wgpu that nobody has looked into, in the place of the one in use."""
    other = version.Versions("0.99.0", "99.0.0.0")
    monkeypatch.setattr(version, "versions_in_use", lambda: other)
    monkeypatch.setattr(version, "binding_is_known", lambda: False)
    return other


@pytest.fixture
def loads(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, int]]:
    """The sizes for which stages have loaded networks."""
    sizes: list[tuple[int, int]] = []
    load = network_feed.load_dense

    def loaded(gpu: Gpu, model: str, size: tuple[int, int], *more: Any, **named: Any) -> Any:
        sizes.append(size)
        return load(gpu, model, size, *more, **named)

    monkeypatch.setattr(network_feed, "load_dense", loaded)
    return sizes
