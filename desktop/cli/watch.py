"""`lightloom watch`: a service for several cameras and streams, without a window."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

from desktop.base import console
from desktop.base.errors import UsageError, not_written
from desktop.base.files import reason, replace_file
from desktop.base.resources import resource
from desktop.base.wording import counted
from desktop.cli import Command
from desktop.watch.config import Config, ConfigError, ReadConfig, read_config
from desktop.watch.secrets import Secrets

if TYPE_CHECKING:
    from desktop.watch.process import SourceStatus
    from desktop.watch.supervisor import Supervisor


def _add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "config", nargs="?", metavar="CONFIG", help="TOML file with the sources (docs/watch.md)"
    )
    parser.add_argument(
        "--check", action="store_true", help="check the file, print each fault with its line and key, and end"
    )
    parser.add_argument("--example", action="store_true", help="print a file to begin with, and end")
    parser.add_argument(
        "--report", metavar="R.json", help="write the state and the frame counts of each source at the end"
    )
    # For the processes that this command starts.
    parser.add_argument("--source-from-stdin", action="store_true", help=argparse.SUPPRESS)


def _run(options: argparse.Namespace) -> int:
    if options.source_from_stdin:
        from desktop.cli._watch_source import run_source

        return run_source(options)
    if options.example:
        for line in resource("assets", "watch", "example.toml").read_text("utf-8").splitlines():
            console.out(line)
        return 0
    if options.config is None:
        raise UsageError(
            "The name of the configuration is missing; 'lightloom watch --example' prints one to begin with."
        )
    path = Path(options.config)
    try:
        secrets = Secrets()
        config = _checked(path, secrets, is_thorough=options.check)
    except ConfigError as error:
        for sentence in error.sentences:
            console.err(secrets.hidden(sentence))
        console.fail(f"{path.name} has {counted(len(error.faults), 'fault')}; nothing was started.")
        return 1
    if options.check:
        console.out(f"{path.name} has no fault: {counted(len(config.sources), 'source')}.")
        return 0
    from desktop.watch.single import only_service

    with only_service(path, console.err):
        return _serve(path, config, secrets, options)


def _checked(path: Path, secrets: Secrets, *, is_thorough: bool = False) -> Config:
    """Read and check a configuration, see `check_sources`; raise ConfigError with all its faults."""
    from desktop.cli._watch_setup import check_sources

    read: ReadConfig = read_config(path)
    config = check_sources(read, secrets, is_thorough=is_thorough)
    for note in read.faults.notes:
        console.out(secrets.hidden(note.at(path.name)))
    if read.faults.found:
        raise ConfigError(read.faults.in_order(), path.name)
    return config


def _serve(path: Path, config: Config, secrets: Secrets, options: argparse.Namespace) -> int:
    from desktop.watch.announced_devices import AnnouncedDevices, devices_path
    from desktop.watch.health import FORWARDED
    from desktop.watch.notify import Notifier
    from desktop.watch.process import Launch
    from desktop.watch.supervisor import Supervisor

    # Not that of the file that a link leads to: `--check` looks there too, and a mounted configuration of a
    # container is a link to another folder after each change.
    folder = path.absolute().parent

    def launch(of: Config) -> Launch:
        return Launch(("watch", "--source-from-stdin"), folder, of.adapter)

    def report(source: str, text: str) -> None:
        # A library may print an address that it was given.
        text = secrets.hidden(text)
        console.err(f"{source}: {text}" if source else text)

    devices = AnnouncedDevices(devices_path(path), secrets, lambda text: report("", text))

    def announce(of: Config) -> None:
        devices.use([device for source in of.sources for device in source.devices])

    supervisor = Supervisor(config, launch, FORWARDED, report, Notifier(), on_config=announce)

    def stop() -> None:
        options.interrupt.acknowledge()
        supervisor.stop()

    options.interrupt.on_request.append(stop)
    options.interrupt.on_hangup = supervisor.request_reload
    if options.interrupt.is_requested:
        stop()
    with _metrics(config, supervisor):
        ended = supervisor.run(lambda: _checked(path, secrets))
    devices.close()
    for status in supervisor.totals:
        console.err(f"{status.name}: {_summary(status)}")
    if options.report is not None:
        _write_report(Path(options.report), supervisor.totals)
    undelivered = sum(status.counts.undelivered for status in supervisor.totals)
    if undelivered:
        console.fail(_undelivered_text(undelivered))
    return 0 if ended and not undelivered else 1


def _undelivered_text(count: int) -> str:
    if count == 1:
        return (
            "1 event was not delivered; the log lists it if its delivery was abandoned, but not if it was queued when "
            "a process was killed."
        )
    return (
        f"{count} events were not delivered; the log lists those whose delivery was abandoned, but not those that "
        "were queued when a process was killed."
    )


def _summary(status: SourceStatus) -> str:
    """Return the counts of a source as a line: received frames are recorded, dropped, unrecorded or lost."""
    counts = status.counts
    parts = [f"{counts.dropped} dropped"]
    if status.records:
        parts += [
            f"{counts.recorded} recorded",
            f"{counts.unrecorded} not recorded",
            f"{status.lost} lost in crashes",
        ]
        if counts.recovered:
            parts.append(f"and {counts.recovered} of an unfinished segment recovered")
    return f"{counted(counts.received, 'frame')} received: {', '.join(parts)}"


def _write_report(path: Path, statuses: Sequence[SourceStatus]) -> None:
    from desktop.watch.health import source_document

    document = json.dumps({"sources": [source_document(status) for status in statuses]}, indent=1)
    try:
        replace_file(path, [document.encode() + b"\n"])
    except (OSError, ValueError) as error:
        raise not_written(path, reason(error)) from error


@contextmanager
def _metrics(config: Config, supervisor: Supervisor) -> Iterator[None]:
    """Serve /metrics and /healthz inside the context, if the configuration names an address."""
    if config.metrics is None:
        yield
        return
    from desktop.metrics.exporter import Exporter
    from desktop.watch.health import WatchReader, health

    exporter = Exporter(
        config.metrics,
        [WatchReader(lambda: supervisor.processes)],
        health=lambda: health(supervisor.statuses, supervisor.silent_s),
    )
    exporter.start()
    console.err(f"metrics at http://{exporter.address}/metrics, state at http://{exporter.address}/healthz")
    try:
        yield
    finally:
        exporter.close()


COMMAND: Final = Command(
    "Watch several cameras and streams as a service: networks, zones, events, recordings, metrics.",
    _run,
    _add_options,
)
