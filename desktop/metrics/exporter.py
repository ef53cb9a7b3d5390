"""Serves what readers tell, for Prometheus, by its client library."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from desktop.base.errors import MetricsError
from desktop.base.version import extra_command
from desktop.base.wording import sentence
from desktop.metrics.address import Address
from desktop.metrics.family import Family, Reader, added
from desktop.pipeline.totals import BOUNDS, Histogram

if TYPE_CHECKING:
    from prometheus_client import CollectorRegistry
    from prometheus_client.core import Metric

    from desktop.metrics.server import Health, Patience


class Exporter:
    """Serves metrics from `start` until `close`; `address` has the actual port."""

    def __init__(
        self,
        address: Address,
        readers: Sequence[Reader],
        patience: Patience | None = None,
        health: Health | None = None,
    ) -> None:
        """Listen at an address, with time limits `patience` of a connection; `health` is for /healthz.

        Raises MetricsError if the package is missing or the address cannot be used.
        """
        registry_of, make_app = _library()
        from desktop.metrics.server import MetricsServer

        self._collector = _Collector(readers)
        self.registry = registry_of()
        self.registry.register(self._collector)
        # Not compressed: that takes longer than the way to a program on the same machine.
        app = make_app(self.registry, disable_compression=True)
        self._server = MetricsServer(address, app, patience, health)
        self.address = self._server.address

    def start(self) -> None:
        """Begin to answer, on a thread."""
        self._server.start()

    def close(self) -> None:
        """Stop serving; no reader is called after that."""
        self._server.close()
        self._collector.close()


def _library() -> tuple[Any, Any]:
    try:
        from prometheus_client import CollectorRegistry, make_wsgi_app
    except ImportError as error:
        raise MetricsError(
            sentence(
                "Metrics need the package prometheus-client, which is not installed: {command}.",
                command=extra_command("metrics"),
            )
        ) from error

    def registry() -> CollectorRegistry:
        made = CollectorRegistry()
        _add_process(made)
        return made

    return registry, make_wsgi_app


def _add_process(registry: CollectorRegistry) -> None:
    """Have the process's memory and time told; by the library where it can, which is on Linux."""
    from prometheus_client import ProcessCollector

    if sys.platform == "linux":
        ProcessCollector(registry=registry)
    else:
        from desktop.metrics.process_reader import ProcessReader

        registry.register(_Collector([ProcessReader()]))


class _Collector:
    """Brings readings into the library's form, when it asks."""

    def __init__(self, readers: Sequence[Reader]) -> None:
        self._readers: Sequence[Reader] = readers
        self._families = tuple(family for reader in readers for family in reader.families)
        names = [family.name for family in self._families]
        if len(set(names)) < len(names):
            raise ValueError(f"told twice: {sorted(name for name in names if names.count(name) > 1)}")
        # Readers are asked by one thread at a time, and not while they are being taken away.
        self._lock = threading.Lock()

    def describe(self) -> Iterable[Metric]:
        """Return the metrics without values: the library looks whether a name is there twice."""
        return [_metric(family, {}) for family in self._families]

    def collect(self) -> Iterator[Metric]:
        """Yield the metrics with the values of now."""
        with self._lock:
            rows = added(reading for reader in self._readers for reading in reader.read())
        for family in self._families:
            yield _metric(family, rows.get(family, {}))

    def close(self) -> None:
        """Stop calling readers."""
        with self._lock:
            self._readers = ()


def _metric(family: Family, rows: dict[tuple[str, ...], float | Histogram]) -> Metric:
    from prometheus_client.core import (
        CounterMetricFamily,
        GaugeMetricFamily,
        HistogramMetricFamily,
        UnknownMetricFamily,
    )

    if family.kind == "histogram":
        histogram = HistogramMetricFamily(family.name, family.help, labels=family.labels)
        for labels, value in rows.items():
            assert isinstance(value, Histogram)
            histogram.add_metric(labels, _buckets(value), sum_value=value.total)
        return histogram
    kinds = {"counter": CounterMetricFamily, "gauge": GaugeMetricFamily, "untyped": UnknownMetricFamily}
    metric = kinds[family.kind](family.name, family.help, labels=family.labels)
    for labels, value in rows.items():
        assert not isinstance(value, Histogram)
        metric.add_metric(labels, value)
    return metric


def _buckets(histogram: Histogram) -> list[tuple[str, float]]:
    # `list` takes all counts at one moment; their sum is the count, so that the two never differ.
    counts = accumulate(list(histogram.counts))
    return list(zip((*map(str, BOUNDS), "+Inf"), map(float, counts), strict=True))
