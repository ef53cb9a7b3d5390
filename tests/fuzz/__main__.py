"""`python -m fuzz NAME... --seconds 600 --report FILE` with `tests` on the path: docs/fuzzing.md."""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from pathlib import Path

from fuzz import harness, runner


def main() -> int:
    """Fuzz the readers that were named; exit status 1 if something was found."""
    parser = argparse.ArgumentParser(prog="python -m fuzz", description="Fuzz readers of strangers' files.")
    parser.add_argument(
        "names",
        nargs="+",
        metavar="NAME",
        help=f"one of {', '.join(harness.names())}, or 'all', one after another",
    )
    parser.add_argument("--seconds", type=float, default=60.0, help="for each (default: 60)")
    parser.add_argument(
        "--runs", type=int, default=0, help="inputs for each, 0 for as many as there is time for"
    )
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument(
        "--engine",
        choices=("auto", "atheris", "plain"),
        default="auto",
        help="default: atheris where it is installed",
    )
    parser.add_argument("--folder", type=Path, help="for the inputs found (default: a temporary one)")
    parser.add_argument("--report", type=Path, help="JSON")
    options = parser.parse_args()
    chosen = harness.names() if "all" in options.names else options.names
    if unknown := set(chosen) - set(harness.names()):
        parser.error(f"there is no harness {', '.join(sorted(unknown))}")
    engine = runner.best_engine() if options.engine == "auto" else options.engine
    folder = options.folder or Path(tempfile.mkdtemp(prefix="fuzz-"))
    reports = []
    for name in chosen:
        report = runner.run(
            name,
            seconds=options.seconds,
            runs=options.runs,
            seed=options.seed,
            engine=engine,
            folder=folder / name,
        )
        reports.append(report.to_dict())
        figures = (
            f"{report.executions:8} executions in {report.seconds:6.1f} s, {len(report.findings)} findings"
        )
        print(f"{name:10} {report.engine:8} {figures} in {report.folder}")
        for found in report.findings:
            print(
                f"    at {found['execution']:7}: {found['kind']} ({found['bytes']} bytes, {found['input']})"
            )
        sys.stdout.flush()
    if options.report:
        options.report.write_text(json.dumps(reports, indent=1))
    return 1 if any(r["findings"] for r in reports) else 0


if __name__ == "__main__":
    sys.exit(main())
