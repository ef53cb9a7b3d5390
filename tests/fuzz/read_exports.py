"""The list of exports, which somebody may have edited, and what an export's process tells, which ran what
strangers made.

Whatever is in them, the list opens, every entry can be shown, and no file but a growing one of the entry's
own target is ever deleted.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from random import Random
from typing import Any

from desktop.base.printable import printable
from desktop.outputs.encoding import Encoding
from desktop.outputs.export_queue import Export, ExportJob, ExportQueue
from desktop.outputs.export_runner import ExportRunner
from desktop.outputs.span import TimeSpan
from fuzz.harness import Finding, Harness
from fuzz.json_mutation import mutated_json
from fuzz.material import written

_TOLD = b'{"total"'


class _Process:
    """One that has ended as soon as it is asked."""

    stdin = None
    returncode = 0

    def poll(self) -> int:
        return 0


def _read(data: bytes, folder: Path) -> None:
    shutil.rmtree(folder / "exports", ignore_errors=True)
    home = folder / "exports" / "queue"
    home.mkdir(parents=True)
    precious = written(folder / "precious.mp4", b"x")
    if data.startswith(_TOLD):
        _tell(data, ExportQueue(folder / "exports"), folder)
    else:
        written(home / "queue.json", data)
        queue = ExportQueue(folder / "exports")
        for export in queue.exports:
            _show(export, queue)
        _each_once(queue)
        _run(queue, lambda: None)
        queue.close()
    if not precious.exists():
        raise Finding("a file of somebody else is gone")


def _tell(data: bytes, queue: ExportQueue, folder: Path) -> None:
    job = ExportJob("one", "a.mp4", folder / "b.mp4", Encoding(), TimeSpan(), False, "auto")
    queue.folder_of("one").mkdir()
    queue.add(job)
    _run(queue, lambda: written(queue.folder_of("one") / "progress.jsonl", data))
    queue.close()


def _run(queue: ExportQueue, tell: Any) -> None:
    runner = ExportRunner(queue, lambda arguments, folder, output: _Process())
    for export in queue.exports:
        queue.again(export.job.id)
    for export in queue.exports[:2]:
        runner.poll()
        tell()
        runner.cancel(export.job.id)
        for shown in queue.exports:
            _show(shown, queue)
        runner.poll()
    for shown in queue.exports:
        _show(shown, queue)


def _show(export: Export, queue: ExportQueue) -> None:
    if not 0.0 <= export.share <= 1.0 or printable(export.text) != export.text:
        raise Finding("an entry that cannot be shown")
    (export.seconds_left, export.bytes_in_all, export.job.command(queue.folder_of(export.job.id)))


def _each_once(queue: ExportQueue) -> None:
    names = [export.job.id for export in queue.exports]
    if len(set(names)) != len(names):
        raise Finding("two entries of one name")


def _seeds(folder: Path) -> list[bytes]:
    entry = {
        "id": "20260101-000000-1",
        "source": "a.mp4",
        "target": str(folder.parent / "work" / "b.mp4"),
        "encoding": Encoding(size=(64, 48), codec="h264", crf=20, fps=25).json(),
        "range": "1-2",
        "overlay": True,
        "adapter": "auto",
        "state": "failed",
        "text": "It failed.",
        "part": "",
    }
    part = {
        **entry,
        "id": "two",
        "part": "../precious.mp4",
        "state": "waiting",
        "text": {"text": "x", "values": {}},
    }
    told = [
        {"total": 5},
        {"done": 2, "total": 5},
        {"part": "precious.mp4"},
        {"made": "x"},
        {"error": "no", "stopped": True},
    ]
    return [
        json.dumps({"exports": [entry, part]}).encode(),
        b"".join(json.dumps(line).encode() + b"\n" for line in told),
        b"".join(json.dumps(line).encode() + b"\n" for line in (*told[:2], {"note": "x"}, {"written": "b.mp4"})),
    ]  # fmt: skip


def _mutate(data: bytes, random: Random) -> bytes | None:
    return mutated_json(data, random) if random.random() < 0.8 else None


HARNESS = Harness(_read, _seeds, (b"precious.mp4", b'"part": ', b"../precious.mp4"), _mutate, memory_mb=300)
