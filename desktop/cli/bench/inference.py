"""`lightloom bench inference`."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from typing import Any, Final

from desktop.base import console
from desktop.base.significance import Difference
from desktop.bench.inference.candidate import OWN
from desktop.bench.inference.run import bench_inference
from desktop.cli import Command
from desktop.cli._difference import difference_text
from desktop.cli._options import add_adapter_option, seconds
from desktop.cli.model._shared import add_shape_and_json_options, given_shapes


def _add_options(parser: argparse.ArgumentParser) -> None:
    add_adapter_option(parser)
    parser.add_argument(
        "--models",
        metavar="M",
        nargs="*",
        default=[],
        help="ONNX files, names of bundled networks or of the benchmark's own (default: all of its own)",
    )
    parser.add_argument("--peers", default="none", help="all, none or names with commas (default: none)")
    parser.add_argument("--seconds", type=seconds, default=5.0, help="seconds for each network (default: 5)")
    add_shape_and_json_options(parser)


def _run(options: argparse.Namespace) -> int:
    options.shapes = given_shapes(options)
    report = bench_inference(options)
    if options.json:
        console.out_json(report)
    else:
        _print_rows(report)
    failed = _failed(report["rows"], options)
    if failed:
        console.fail(f"Not measured: {', '.join(failed)}; the report says why.")
    return 1 if failed else 0


def _failed(rows: Sequence[Mapping[str, Any]], options: argparse.Namespace) -> list[str]:
    """Return the names of networks that were not measured, and of those that a peer chosen by name could not run.

    With 'all' peers, one that is not installed or cannot run a network is not a failure.
    """
    are_named = options.peers != "all"
    return [
        row["network"] if row["engine"] == OWN else f"{row['network']} with {row['engine']}"
        for row in rows
        if row["failed"] and (row["engine"] == OWN or are_named)
    ]


def _print_rows(report: dict[str, Any]) -> None:
    console.out(report["adapter"])
    for row in report["rows"]:
        label = f"{row['network']:20} {row['engine']:20} {row['precision']:5} {row['mode']:18}"
        if row["failed"]:
            console.out(f"{label} {row['failed']}")
            continue
        loaded = "" if row["load_seconds"] is None else f"  loads in {row['load_seconds']:.2f} s"
        memory = "" if row["memory_bytes"] is None else f"  {row['memory_bytes'] / 2**20:.1f} MiB"
        differs = (
            "" if row["difference"] is None else f"  {difference_text(Difference.of(row['difference']))}"
        )
        console.out(
            f"{label} p50 {row['p50']:8.3f}  p95 {row['p95']:8.3f}  p99 {row['p99']:8.3f} ms{loaded}{memory}{differs}".rstrip()
        )


COMMAND: Final = Command("Measure the network engine beside others on the same networks.", _run, _add_options)
