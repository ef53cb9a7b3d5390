"""The service itself: a process for each source, a reload of the configuration, an orderly end."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from typing import Final

from desktop.metrics.family import Family
from desktop.watch.config import Config, ConfigError, SourceSpec
from desktop.watch.notify import Notifier
from desktop.watch.process import Launch, SourceProcess, SourceStatus

_STEP_S: Final = 0.2
_STATUS_S: Final = 5.0
STOP_S: Final = 30.0
"""Time in which a process completes its segment and delivers its events; then it is killed."""

GOOD: Final = ("live",)
Report = Callable[[str, str], None]


class Supervisor:
    """Runs the sources of a configuration until `stop`. `run` is for the main thread; `request_reload`, `stop`
    and `statuses` may be called in signal handlers and on any thread.
    """

    def __init__(
        self,
        config: Config,
        launch: Callable[[Config], Launch],
        families: Sequence[Family],
        report: Report,
        notifier: Notifier,
        stop_s: float = STOP_S,
        on_config: Callable[[Config], None] = lambda config: None,
    ) -> None:
        """Make it without processes.

        Args:
            report: called with a source's name ('' for the service) and a line.
            stop_s: seconds that processes have to end.
            on_config: called with each configuration that is used, when the sources that it lacks have ended.
        """
        self._config, self._launch = config, launch
        self._families, self._report, self._notifier = tuple(families), report, notifier
        self._stop_s, self._on_config = stop_s, on_config
        self._reload: Callable[[], Config] | None = None
        self._reload_requested = threading.Event()
        self._stopping = threading.Event()
        self._wake = threading.Event()
        self._processes: tuple[SourceProcess, ...] = ()
        self._removed: dict[str, SourceStatus] = {}
        self._failed = False
        self._next_status = 0.0
        self._stepped_at = time.monotonic()

    @property
    def processes(self) -> tuple[SourceProcess, ...]:
        """The sources' processes, in the order of the file."""
        return self._processes

    @property
    def statuses(self) -> tuple[SourceStatus, ...]:
        """The state of each source, in the order of the file."""
        return tuple(process.status for process in self._processes)

    @property
    def totals(self) -> tuple[SourceStatus, ...]:
        """The state of each source, also of those that a reload has removed, which are last."""
        return (*self.statuses, *self._removed.values())

    @property
    def silent_s(self) -> float:
        """Seconds since the main loop ran."""
        return time.monotonic() - self._stepped_at

    def request_reload(self) -> None:
        """Read the configuration again, soon."""
        self._reload_requested.set()
        self._wake.set()

    def stop(self) -> None:
        """End all sources, and `run`."""
        self._stopping.set()
        self._wake.set()

    def run(self, reload: Callable[[], Config]) -> bool:
        """Run until `stop`; return False if a process had to be killed then, or failed.

        `reload` reads the configuration again and raises ConfigError if it has faults.
        """
        self._processes = tuple(self._process(spec) for spec in self._config.sources)
        self._on_config(self._config)
        self._notifier.ready(self._summary())
        while not self._stopping.is_set():
            if self._reload_requested.is_set():
                self._reload_requested.clear()
                self._replace_config(reload)
            self._step()
            self._wake.wait(_STEP_S)
            self._wake.clear()
        self._notifier.stopping()
        self._end(self._processes)
        return not self._failed

    def _process(self, spec: SourceSpec) -> SourceProcess:
        earlier = self._removed.pop(spec.name, None)
        launch = self._launch(self._config)
        return SourceProcess(spec, launch, self._families, self._report, earlier=earlier)

    def _step(self) -> None:
        for process in self._processes:
            process.step()
        self._stepped_at = now = time.monotonic()
        self._notifier.beat()
        if now >= self._next_status:
            self._next_status = now + _STATUS_S
            self._notifier.status(self._summary())

    def _summary(self) -> str:
        live = sum(status.state in GOOD for status in self.statuses)
        return f"{live} of {len(self._processes)} sources live"

    def _replace_config(self, reload: Callable[[], Config]) -> None:
        """Take a new configuration: only sources whose tables differ are restarted."""
        self._notifier.reloading()
        try:
            config = reload()
        except ConfigError as error:
            for fault in error.sentences:
                self._report("", fault)
            self._report("", "The configuration was not changed; correct it and reload again.")
        except Exception as error:  # whatever it is, cameras that are watched are not to stop for it
            self._report("", f"The file could not be read: {type(error).__name__}: {error}.")
            self._report("", "The configuration was not changed; correct it and reload again.")
        else:
            self._apply(config)
        self._notifier.ready(self._summary())

    def _apply(self, config: Config) -> None:
        is_other_launch = self._launch(config) != self._launch(self._config)
        if config.metrics != self._config.metrics:
            self._report("", "The address of the metrics changes with the next start of the service only.")
        specs = {spec.name: spec for spec in config.sources}
        self._config = config
        stay = {
            process.spec.name: process
            for process in self._processes
            if not is_other_launch and specs.get(process.spec.name) == process.spec
        }
        gone = [process for process in self._processes if process.spec.name not in stay]
        # Before the new ones start: both would write to one index.
        self._end(gone)
        self._removed |= {process.spec.name: process.status for process in gone}
        self._on_config(config)
        self._processes = tuple(stay.get(spec.name) or self._process(spec) for spec in config.sources)
        started = [name for name in specs if name not in stay]
        ended = [process.spec.name for process in gone if process.spec.name not in specs]
        self._report(
            "",
            f"The configuration was read again: {_named('started', started)}, {_named('ended', ended)}, "
            f"{len(stay)} unchanged.",
        )

    def _end(self, processes: Sequence[SourceProcess]) -> None:
        """Stop processes and wait; the others go on."""
        for process in processes:
            process.stop()
        until = time.monotonic() + self._stop_s
        while not all(process.is_over for process in processes):
            if time.monotonic() > until:
                for process in processes:
                    process.kill()
            for process in (*processes, *self._processes):
                process.step()
            self._notifier.beat()
            self._stepped_at = time.monotonic()
            time.sleep(_STEP_S / 4)
        self._failed = self._failed or any(process.failed for process in processes)


def _named(what: str, names: Sequence[str]) -> str:
    return f"{what}: {', '.join(names) or 'none'}"
