"""Runs a harness in processes of its own and gathers what they find: crashes and hangs too, after which it
goes on with a new process.
"""

from __future__ import annotations

import importlib.util
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from fuzz import harness as harnesses
from fuzz.engine import HEAD, write_finding

_POLL_S = 0.1
_START_S = 120.0


@dataclass
class Report:
    """What a run did.

    Attributes:
        harness, engine, seed: what ran.
        executions: inputs that the reader got.
        seconds: from the first to the last.
        findings: kind, execution at which it came, name of the input's file, detail.
        folder: where the inputs are.
    """

    harness: str
    engine: str
    seed: int
    executions: int = 0
    seconds: float = 0.0
    findings: list[dict[str, Any]] = field(default_factory=list)
    folder: str = ""

    def to_dict(self) -> dict[str, Any]:
        """As JSON has it."""
        return asdict(self)


def best_engine() -> str:
    """'atheris' where it is installed, else 'plain'."""
    return "atheris" if importlib.util.find_spec("atheris") else "plain"


def run(
    name: str,
    *,
    seconds: float,
    runs: int = 0,
    seed: int = 0,
    engine: str = "plain",
    folder: Path | None = None,
) -> Report:
    """Fuzz one reader for some seconds, or for a number of inputs if that is reached first."""
    folder = (folder or Path(tempfile.mkdtemp(prefix=f"fuzz-{name}-"))).absolute()
    folder.mkdir(parents=True, exist_ok=True)
    report = Report(name, engine, seed, folder=str(folder))
    begun = time.time()
    limits = harnesses.load(name) if engine == "plain" else None
    hang_s = limits.seconds if limits else 30.0
    with (folder / "current").open("wb") as file:
        file.truncate(HEAD.size + (4 << 20))
    known: list[str] = []
    attempt = 0
    while time.time() < begun + seconds and not (runs and report.executions >= runs):
        job = {
            "harness": name,
            "folder": str(folder),
            "seed": seed + 1000 * attempt,
            "until": begun + seconds,
            "runs": runs,
            "engine": engine,
            "known": known,
            "count": report.executions,
        }
        ended = _one_process(folder, job, hang_s, begun + seconds)
        count, _, length, data = _current(folder)
        report.executions = count
        if ended:
            write_finding(
                folder,
                f"{ended} {attempt}",
                count,
                data[:length],
                "the process ended" if "signal" in ended else "",
            )
        attempt += 1
        known = [found["kind"] for found in _findings(folder)]
        if not ended and not runs and engine == "plain":
            break
        if attempt > 50 or (ended and count == job["count"]):  # it does not even start
            break
    report.seconds = time.time() - begun
    report.findings = _findings(folder)
    return report


def _findings(folder: Path) -> list[dict[str, Any]]:
    found = [json.loads(path.read_text()) for path in folder.glob("finding-*.json")]
    return sorted(found, key=lambda f: f["execution"])


def _current(folder: Path) -> tuple[int, float, int, bytes]:
    data = (folder / "current").read_bytes()
    count, begun, length = HEAD.unpack_from(data)
    return count, begun, length, data[HEAD.size :]


def _head(folder: Path) -> tuple[int, float, int]:
    with (folder / "current").open("rb") as file:
        return HEAD.unpack(file.read(HEAD.size))


def _one_process(folder: Path, job: dict[str, Any], hang_s: float, until: float) -> str:
    """Run a job to its end; return how it ended, '' for well."""
    path = folder / "job.json"
    path.write_text(json.dumps(job))
    with (folder / "current").open("r+b") as file:  # what a process that was killed left there
        file.write(HEAD.pack(job["count"], 0.0, 0))
    environment = {
        **os.environ,
        "MALLOC_ARENA_MAX": "2",
        "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
    }
    with (folder / "output.txt").open("ab") as output:
        process = subprocess.Popen(
            [sys.executable, "-m", "fuzz.engine", str(path)],
            stdout=output,
            stderr=output,
            env=environment,
            start_new_session=True,
        )
    begun = time.time()
    try:
        while process.poll() is None:
            time.sleep(_POLL_S)
            count, since, _ = _head(folder)
            now = time.time()
            if since and now - since > hang_s:
                return f"hang of more than {hang_s:.0f} s"
            if not since and count == job["count"] and now - begun > _START_S:
                return "no start"
            if not since and now > until + 30:
                return ""
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    if process.returncode < 0:
        return f"signal {signal.Signals(-process.returncode).name}"
    return "" if process.returncode == 0 else f"exit status {process.returncode}"
