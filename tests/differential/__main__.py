"""The command: seeds in processes, a report, small versions of failing graphs."""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import onnxruntime

import desktop
from differential.case import Finding
from differential.oracle import RULES_FOR
from differential.runner import SECONDS, run


def _range(text: str) -> range:
    first, _, stop = text.replace("..", ":").partition(":")
    return range(int(first), int(stop or int(first) + 1))


def main() -> int:
    """The command; its status is 1 where something was found."""
    parser = argparse.ArgumentParser(prog="differential", description=__doc__)
    parser.add_argument(
        "--seeds", default="0:1000", help="first:stop (or first..stop) or a number; several with commas"
    )
    parser.add_argument("--processes", "--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--adapter", help="name of the wgpu adapter")
    parser.add_argument("--report", type=Path, help="a JSON file")
    parser.add_argument("--shrink", help="a folder for small versions of failing graphs")
    parser.add_argument("--minutes", type=float, help="after so many no seed is begun")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="what one seed may take")
    parser.add_argument(
        "--precision", choices=("fp32", "fp16"), default="fp32", help="what the engine keeps tensors in"
    )
    given = parser.parse_args()
    seeds = [seed for part in given.seeds.split(",") for seed in _range(part)]
    started = time.monotonic()
    version = onnxruntime.__version__
    print(f"the engine of {Path(desktop.__file__).parent}", flush=True)
    print(f"beside onnxruntime {version}; the rules are for {RULES_FOR}", flush=True)
    summary: dict = {}

    def report(findings: Sequence[Finding], done: int) -> None:
        """The findings so far, replaced as a whole, so that a run that is killed leaves what it found."""
        kinds = Counter(f.kind for f in findings)
        took = round(time.monotonic() - started, 1)
        summary.update(seeds=given.seeds, onnxruntime=version, count=done, seconds=took, kinds=dict(kinds))
        if given.report:
            text = json.dumps({**summary, "findings": [asdict(f) for f in findings]}, indent=1)
            beside = given.report.with_suffix(".part")
            beside.write_text(text, encoding="utf-8")
            beside.replace(given.report)

    run(
        seeds,
        given.processes,
        adapter=given.adapter,
        shrink_to=given.shrink,
        seconds=given.seconds,
        minutes=given.minutes,
        precision=given.precision,
        report=report,
        say=lambda text: print(text, flush=True),
    )
    print(json.dumps(summary))
    print(f"{summary['count']} seeds, {sum(summary['kinds'].values())} unexplained")
    return int(bool(summary["kinds"]))


if __name__ == "__main__":
    sys.exit(main())
