"""Process metrics where prometheus-client has none (it reads /proc), under the library's names."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import psutil

from desktop.metrics.family import Family, Reader, Reading

MEMORY: Final = Family("process_resident_memory_bytes", "gauge", "Resident memory size in bytes.")
TIME: Final = Family(
    "process_cpu_seconds_total", "counter", "Total user and system CPU time spent in seconds."
)
START: Final = Family(
    "process_start_time_seconds", "gauge", "Start time of the process since unix epoch in seconds."
)


class ProcessReader(Reader):
    """Reads this process's metrics."""

    families = (MEMORY, TIME, START)

    def __init__(self) -> None:
        self._process = psutil.Process()

    def read(self) -> Iterator[Reading]:
        times = self._process.cpu_times()
        yield Reading(MEMORY, self._process.memory_info().rss)
        yield Reading(TIME, times.user + times.system)
        yield Reading(START, self._process.create_time())
