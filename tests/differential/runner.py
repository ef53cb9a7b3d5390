"""Runs seeds in processes of their own: one that dies or hangs is a finding, and the others go on."""

from __future__ import annotations

import multiprocessing
import multiprocessing.connection
import os
import time
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path

SECONDS = 120.0
"""Time limit of one seed."""
_BATCH = 100
"""Seeds between two reports."""


def _work(connection, adapter: str | None, shrink_to: str | None, precision: str) -> None:
    """A worker: answers each seed with a finding or None."""
    from desktop.compute.gpu.device import Gpu
    from differential.case import Finding, run_seed
    from differential.shrink import shrink, write

    gpu = Gpu.open(adapter)
    connection.send("ready")
    while (seed := connection.recv()) is not None:
        if os.environ.get("DIFFERENTIAL_DIE_AT") == str(seed):
            os.abort()  # for the test of the runner
        try:
            finding = run_seed(gpu, seed, precision=precision)
        except Exception:
            finding = Finding(seed, "generator", [], traceback.format_exc(limit=-4))
        connection.send(finding)
        if finding is not None and shrink_to and finding.kind != "generator":
            try:
                model, feeds, small = shrink(gpu, seed, finding.kind, precision=precision)
                connection.send(str(write(Path(shrink_to), small, model, feeds)))
            except Exception:
                connection.send(traceback.format_exc(limit=-3))
        else:
            connection.send("")
    gpu.close()


class _Worker:
    def __init__(self, context, *given) -> None:
        self.connection, theirs = context.Pipe()
        self.process = context.Process(target=_work, args=(theirs, *given), daemon=True)
        self.process.start()
        theirs.close()
        self.seed: int | None = None
        self.reported = False
        self.since = time.monotonic()

    def end(self) -> None:
        self.process.kill()
        self.process.join()
        self.connection.close()


def run(
    seeds: Sequence[int],
    processes: int,
    *,
    adapter: str | None = None,
    shrink_to: str | None = None,
    seconds: float = SECONDS,
    batch: int = _BATCH,
    minutes: float | None = None,
    report: Callable[[list, int], None] | None = None,
    precision: str = "fp32",
    say=print,
):
    """All findings of `seeds`, in their order.

    Args:
        minutes: after so many no seed is begun.
        report: called with the findings so far and how many seeds were run, after each 100 of them and at the
            end.
    """
    from differential.case import Finding

    context = multiprocessing.get_context("spawn")
    waiting = iter(seeds)
    deadline = None if minutes is None else time.monotonic() + minutes * 60
    findings: list[Finding] = []
    workers = [_Worker(context, adapter, shrink_to, precision) for _ in range(min(processes, len(seeds)))]
    done = 0

    def next_seed(worker: _Worker) -> None:
        late = deadline is not None and time.monotonic() > deadline
        worker.seed = None if late else next(waiting, None)
        worker.reported, worker.since = False, time.monotonic()
        worker.connection.send(worker.seed)
        if worker.seed is None:
            worker.process.join(10)
            worker.end()
            workers.remove(worker)

    def lost(worker: _Worker, kind: str, detail: str) -> None:
        nonlocal done
        if worker.seed is None and kind == "crash":
            raise SystemExit("a worker ended before its first seed; is there an adapter?")
        if not worker.reported:
            findings.append(Finding(worker.seed, kind, [], detail))
            say(f"seed {worker.seed}: {kind}: {detail}")
            done += 1
        worker.end()
        workers.remove(worker)
        workers.append(_Worker(context, adapter, shrink_to, precision))

    while workers:
        ready = multiprocessing.connection.wait([w.connection for w in workers], timeout=1.0)
        for worker in [w for w in workers if w.connection in ready]:
            try:
                message = worker.connection.recv()
            except (EOFError, OSError):
                worker.process.join(5)
                lost(worker, "crash", f"exit status {worker.process.exitcode}")
                continue
            if message == "ready":
                next_seed(worker)
            elif isinstance(message, str):
                if message:
                    say(f"  {message}")
                next_seed(worker)
            else:
                worker.reported, worker.since = True, time.monotonic()
                done += 1
                if message is not None:
                    findings.append(message)
                    last = " ".join(message.detail.splitlines()[-1:])[:300]
                    say(f"seed {message.seed}: {message.kind}: {last} [{', '.join(message.operators)}]")
                if report is not None and done % batch == 0:
                    report(sorted(findings, key=lambda f: f.seed), done)
                if done % 500 == 0:
                    say(f"{done} of {len(seeds)} seeds")
        for worker in list(workers):
            limit = seconds * (10 if worker.reported else 1)
            if worker.seed is not None and time.monotonic() - worker.since > limit:
                lost(worker, "hang", f"more than {limit:.0f} s")
    findings.sort(key=lambda f: f.seed)
    if report is not None:
        report(findings, done)
    return findings
