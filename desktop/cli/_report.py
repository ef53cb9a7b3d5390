"""The report of `process`, and its progress line."""

from __future__ import annotations

import json
import time
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from desktop.base import console
from desktop.base.errors import ExportError
from desktop.base.files import reason, replace_file
from desktop.base.wording import counted
from desktop.media.sources.base import Source
from desktop.pipeline.batch import BatchResult
from desktop.pipeline.engine import Engine


@dataclass
class Report:
    """Content of `--report` and `--json`; times in milliseconds, sizes in bytes."""

    frames: int
    dropped: int
    fps: float
    seconds: float
    latency_ms: dict[str, float | None]
    stages: list[dict[str, Any]]
    adapter: str
    backend: str
    timing_source: str
    upload_bytes_per_frame: int
    readback_bytes_per_frame: int
    export_bytes_per_frame: int = 0
    network: str = ""
    stage_networks: list[dict[str, str]] = field(default_factory=list)
    mask_networks: list[dict[str, str]] = field(default_factory=list)
    predictions: list[dict[str, Any]] = field(default_factory=list)


def make_report(engine: Engine, source: Source, result: BatchResult) -> Report:
    """Make the report of a run."""
    stats = engine.pipeline.stats
    statuses = engine.pipeline.chain.statuses
    titles = {f"filter:{s.id}": s.name for s in statuses}
    titles |= {f"network:{s.id}": f"Network of {s.name}" for s in statuses}
    stages = [
        {
            "name": titles.get(s.name, s.name),
            "gpu_ms": None if s.gpu_ms is None else round(s.gpu_ms, 4),
            "cpu_ms": round(s.cpu_ms, 4),
        }
        for s in stats.stages
    ]
    return Report(
        frames=result.frames,
        dropped=source.stats.dropped + stats.skipped,
        fps=round(result.fps, 2),
        seconds=round(result.seconds, 3),
        latency_ms=engine.pipeline.statistics.latency.percentiles.to_dict(),
        stages=stages,
        adapter=str(engine.gpu.adapter),
        backend=engine.gpu.adapter.backend,
        timing_source=stats.timing_source,
        upload_bytes_per_frame=stats.upload_bytes,
        readback_bytes_per_frame=stats.readback_bytes,
        network=engine.current.network_status.text,
        stage_networks=[
            {"stage": s.name, "name": s.network.name, "text": s.network.text}
            for s in statuses
            if s.network is not None
        ],
        mask_networks=[{"name": n.name, "text": n.text} for n in engine.pipeline.chain.mask_networks],
    )


class NetworkNotes:
    """Reports on stderr the networks of a run and assumptions about them, each line once; all again after a failure."""

    def __init__(self) -> None:
        self._newest: dict[
            str, str
        ] = {}  # descriptions, by user of the network: the frames, a stage or a mask
        self._lines: dict[str, set[str]] = {}

    def report_statuses(self, engine: Engine) -> None:
        """Report what is new about the analysis network and those of stages and masks."""
        analysis = engine.current.network_status
        self._report("frames", "", analysis.text, is_running=analysis.state == "running")
        for stage in engine.pipeline.chain.statuses:
            if (network := stage.network) is not None:
                self._report(f"stage {stage.id}", f"{stage.name} with {network.name}: ", network.text)
        for network in engine.pipeline.chain.mask_networks:
            self._report(f"mask {network.name}", f"Mask with {network.name}: ", network.text)

    def _report(self, of: str, title: str, description: str, *, is_running: bool = True) -> None:
        if not description or self._newest.get(of) == description:
            return
        self._newest[of] = description
        # Of two networks for both orientations of frames, which alternate, most lines are the same.
        known = self._lines.setdefault(of, set())
        if not is_running:
            known.clear()
        for line in f"{title}{description}".splitlines():
            if line not in known:
                known.add(line)
                console.err(line)


class Progress:
    """A progress line on stderr, redrawn ten times a second; silent if stderr is not a terminal."""

    def __init__(self, total: int) -> None:
        self._total = total
        self._begun = self._drawn = time.perf_counter()
        self._shown = console.shows_progress()

    def update(self, done: int) -> None:
        """Show that `done` frames are finished."""
        now = time.perf_counter()
        if not self._shown or now - self._drawn < 0.1:
            return
        self._drawn = now
        rate = done / max(now - self._begun, 1e-6)
        text = f"{counted(done, 'frame')}, {rate:.1f} a second"
        if self._total:
            share = min(done / self._total, 1.0)
            bar = "#" * round(share * 30)
            text = f"[{bar:<30}] {share:4.0%}  {text}, {max(self._total - done, 0) / rate:.0f} s left"
        console.progress(text)

    def done(self) -> None:
        """End the line."""
        if self._shown:
            console.progress("")


class ProgressLine:
    """Like `Progress`, for several inputs of equal weight."""

    def __init__(self, inputs: int, before: int = 0) -> None:
        """Start the line. `before`: number of frames finished in an earlier run."""
        self._inputs, self._before = inputs, before
        self._begun = self._drawn = time.perf_counter()
        self._shown = console.shows_progress()

    def update(self, number: int, share: float, done: int) -> None:
        """Show the progress of input `number`, `share` from 0 to 1, and the total of finished frames."""
        now = time.perf_counter()
        if not self._shown or now - self._drawn < 0.1:
            return
        self._drawn = now
        whole = min((number + share) / self._inputs, 1.0)
        rate = (done - self._before) / max(now - self._begun, 1e-6)
        bar = "#" * round(whole * 30)
        text = f"[{bar:<30}] {whole:4.0%}  {counted(done, 'frame')}, {rate:.1f} a second"
        console.progress(f"{text}, input {number + 1} of {self._inputs}" if self._inputs > 1 else text)

    def done(self) -> None:
        """End the line."""
        if self._shown:
            console.progress("")


def write_report(report: Report, path: Path) -> Path:
    """Write a report as JSON and return its path; raise ExportError if that fails."""
    try:
        replace_file(path, [json.dumps(asdict(report), indent=1).encode()])
    except (OSError, ValueError) as error:
        raise ExportError(f"The report {path} cannot be written: {reason(error)}.") from error
    return path
