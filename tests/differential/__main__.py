"""The command: seeds in processes, a report, small versions of failing graphs."""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections import Counter
from dataclasses import asdict
from pathlib import Path

import desktop
from differential.runner import SECONDS, run


def main() -> int:
    """The command; its status is 1 where something was found."""
    parser = argparse.ArgumentParser(prog="differential", description=__doc__)
    parser.add_argument("--seeds", default="0:1000", help="first:stop")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--adapter", help="name of the wgpu adapter")
    parser.add_argument("--report", type=Path, help="a JSON file")
    parser.add_argument("--shrink", help="a folder for small versions of failing graphs")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="what one seed may take")
    given = parser.parse_args()
    first, _, stop = given.seeds.partition(":")
    seeds = range(int(first), int(stop or int(first) + 1))
    started = time.monotonic()
    print(f"the engine of {Path(desktop.__file__).parent}", flush=True)
    findings = run(
        seeds,
        given.processes,
        adapter=given.adapter,
        shrink_to=given.shrink,
        seconds=given.seconds,
        say=lambda text: print(text, flush=True),
    )
    kinds = Counter(f.kind for f in findings)
    took = round(time.monotonic() - started, 1)
    summary = {"seeds": given.seeds, "count": len(seeds), "seconds": took, "kinds": dict(kinds)}
    print(json.dumps(summary))
    if given.report:
        text = json.dumps({**summary, "findings": [asdict(f) for f in findings]}, indent=1)
        given.report.write_text(text, encoding="utf-8")
    return int(any(kind != "sided" for kind in kinds))


if __name__ == "__main__":
    sys.exit(main())
