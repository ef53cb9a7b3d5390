"""`--metrics`: serve metrics to Prometheus while a command runs."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager

from desktop.base import console
from desktop.base.errors import UsageError
from desktop.media.sources.base import Source
from desktop.metrics.address import Address
from desktop.metrics.engine_reader import EngineReader
from desktop.metrics.exporter import Exporter
from desktop.metrics.family import Reader
from desktop.metrics.queue_reader import QueueReader, QueueState
from desktop.pipeline.engine import Engine
from desktop.pipeline.source_pipeline import SourcePipeline


def add_metrics_option(parser: argparse.ArgumentParser) -> None:
    """Add --metrics."""
    parser.add_argument(
        "--metrics",
        metavar="HOST:PORT",
        type=_address,
        help="serve figures of the run for Prometheus at this address, such as 127.0.0.1:9464 (docs/metrics.md says what to install)",
    )


def _address(text: str) -> Address:
    try:
        return Address.of(text)
    except UsageError as error:
        raise argparse.ArgumentTypeError(str(error)) from error


@contextmanager
def metrics_served(
    options: argparse.Namespace,
    engine: Engine,
    queues: Callable[[], Iterable[QueueState]] = tuple,
    failed_sources: Callable[[], int] = lambda: 0,
    source: Callable[[], Source | None] = lambda: None,
) -> Iterator[None]:
    """Serve an engine's metrics inside the context if --metrics is given, and report the address. `source` returns
    the live source that is read.

    Raises MetricsError if it cannot be served.
    """

    def sources() -> Mapping[SourcePipeline, Source]:
        return {} if (live := source()) is None else {engine.current: live}

    readers = (EngineReader(engine, sources, failed_sources), QueueReader(queues))
    with readers_served(options, readers):
        yield


@contextmanager
def readers_served(options: argparse.Namespace, readers: Sequence[Reader]) -> Iterator[None]:
    """Serve what readers have inside the context if --metrics is given; raise MetricsError if it cannot be."""
    if options.metrics is None:
        yield
        return
    exporter = Exporter(options.metrics, readers)
    exporter.start()
    console.err(f"metrics at http://{exporter.address}/metrics")
    console.flush()
    try:
        yield
    finally:
        exporter.close()
