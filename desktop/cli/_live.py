"""Live sources in commands: end conditions, and reports of disconnects and reconnects."""

from __future__ import annotations

import argparse
import threading
import time
from collections.abc import Callable, Generator, Iterable
from typing import Final

from desktop.base import console
from desktop.base.wording import counted
from desktop.media.frame import Frame
from desktop.media.sources.base import Source
from desktop.outputs.span import TimeLimit
from desktop.pipeline.engine import Engine
from desktop.pipeline.prefetch import prefetch

# Shorter than the time after which `Interrupt` ends the process.
_PATIENCE_S: Final = 0.7
_BROKEN: Final = ("reconnecting", "lost")


def add_end_options(parser: argparse.ArgumentParser) -> None:
    """Add --duration and --until-end."""
    parser.add_argument(
        "--duration",
        metavar="S",
        type=_seconds,
        default=0.0,
        help="stop after S seconds of each input; of a live source, S seconds by the clock (default: 0, no limit)",
    )
    parser.add_argument(
        "--until-end",
        action="store_true",
        help="stop when a live source ends or breaks off, instead of waiting for it to come back",
    )


def _seconds(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0.0 <= value <= 1e8:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number of seconds")
    return value


class Assumptions:
    """Reports what is assumed of a source, again when it changes."""

    def __init__(self) -> None:
        self._reported = ""

    def report(self, source: Source) -> None:
        """Print the assumption, unless that was done before."""
        found = source.info.assumption
        if found and found != self._reported:
            self._reported = found
            console.err(found)


class LiveWatch:
    """Reports when a live source disconnects and reconnects. `breaks` counts disconnects, `source` is the one that
    was followed last; both are thread-safe.
    """

    def __init__(self, report: Callable[[object], None] = console.fail) -> None:
        self.breaks = 0
        self.source: Source | None = None
        self._report = report
        self._broken_at: float | None = None
        self._has_reported_option = False

    def follow(self, source: Source, options: argparse.Namespace) -> None:
        """Watch a source that has not been started, and apply the options that end it."""
        live = source.capabilities.live
        if live is None:
            if options.until_end and not self._has_reported_option:
                self._has_reported_option = True
                console.err(f"--until-end has no effect on {source.info.title}, which is not a live source.")
            return
        self.source = source
        live.until_end = options.until_end
        self._broken_at = None
        assumptions = Assumptions()

        def watch() -> None:
            assumptions.report(source)
            # With --until-end a disconnect is the end, which is reported to the reader of the source.
            if not live.until_end:
                self._watch_state(source)

        source.on_change = watch

    def _watch_state(self, source: Source) -> None:
        """Called on the source's thread, on each change of its state."""
        if source.state in _BROKEN and self._broken_at is None:
            self.breaks += 1
            self._broken_at = time.monotonic()
            self._report(f"{source.error} It will be opened again as soon as that is possible.")
        elif source.state == "live" and self._broken_at is not None:
            away, self._broken_at = time.monotonic() - self._broken_at, None
            self._report(f"{source.info.title} is back after {away:.0f} s.")


def read_ahead(
    source: Source, frames: Iterable[Frame], options: argparse.Namespace, check: Callable[[], object]
) -> Generator[Frame]:
    """Yield frames read ahead by a thread until --duration or, if live, a signal; `check` may raise."""
    limit = TimeLimit(options.duration, is_live=source.info.live)

    def is_over() -> bool:
        if is_ended_by_user(source, options):
            options.interrupt.acknowledge()
            return True
        if source.info.live:
            check()
        return limit.is_over()

    return prefetch(limit.of(frames), is_over=is_over, patience=patience_with(source))


def stop_on_signal(source: Source, engine: Engine, options: argparse.Namespace) -> None:
    """Let a signal cancel the engine's waits; for a live source after a delay, for its last frames."""
    if not source.info.live:
        options.interrupt.on_request.append(engine.stop)
        return

    def stop_late() -> None:
        if not options.interrupt.is_acknowledged:
            engine.stop()

    def on_interrupt() -> None:
        timer = threading.Timer(_PATIENCE_S, stop_late)
        timer.daemon = True
        timer.start()

    options.interrupt.on_request.append(on_interrupt)


def patience_with(source: Source) -> float:
    """Return how many seconds to wait for the reading thread at the end: reading a live source may block."""
    return 0.5 if source.info.live else 5.0


def stop_reading(source: Source, frames: Generator[object]) -> None:
    """Stop both; a live source that is waiting for a connection is stopped first."""
    if source.info.live:
        source.close()
    frames.close()
    source.close()


def is_ended_by_user(source: Source, options: argparse.Namespace) -> bool:
    """Return True if a signal ended the run of an endless source, which counts as a normal end."""
    return source.info.live and options.interrupt.is_requested


def report_end(source: Source) -> None:
    """Report why a live source ended by itself, and how many frames arrived damaged or incomplete."""
    if source.info.live and (damaged := source.stats.damaged):
        console.fail(
            f"{counted(damaged, 'frame')} of {source.info.title} arrived broken and could not be decoded."
        )
    if interrupted := source.stats.drops.get("interrupted", 0):
        console.fail(
            f"{counted(interrupted, 'frame')} of {source.info.title} came before a key frame, or broke off with "
            "the connection."
        )
    live = source.capabilities.live
    if live is not None and live.end is not None and live.end.kind == "end" and live.end.error:
        console.err(live.end.error)
