"""`lightloom bench pipeline`."""

from __future__ import annotations

import argparse
import platform
from typing import Final

from desktop.base import console
from desktop.base.version import package_version
from desktop.base.wording import counted
from desktop.bench.pipeline import bench_pipeline
from desktop.cli import Command
from desktop.cli._engine import network_spec
from desktop.cli._options import add_adapter_option, add_network_options, seconds
from desktop.pipeline.running.opening import load_analysis


def _add_options(parser: argparse.ArgumentParser) -> None:
    add_adapter_option(parser)
    parser.add_argument("--input", default="sample:", help="clip to run (default: the sample, see --size)")
    parser.add_argument("--size", default="1920x1080", help="size of the sample (default: 1920x1080)")
    parser.add_argument(
        "--filter", metavar="NAME:key=value,...", action="append", help="default: blur, LUT, sharpen"
    )
    add_network_options(parser)
    parser.add_argument(
        "--seconds", type=seconds, default=5.0, help="seconds of the measurement (default: 5)"
    )
    parser.add_argument(
        "--one-by-one",
        action="store_true",
        help="take a frame when the one before is done, and measure until its result is in host memory",
    )
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")


def _run(options: argparse.Namespace) -> int:
    report = bench_pipeline(options, network_spec(options), load_analysis)
    if options.json:
        console.out_json(report)
        return 0
    console.out(f"Python {platform.python_version()}, wgpu {package_version('wgpu')}, {report['adapter']}")
    console.out(f"{counted(report['frames'], 'frame')} of {report['input']}: {report['fps']} FPS")
    console.out("latency ms  " + "  ".join(f"{k} {v}" for k, v in report["latency_ms"].items()))
    if "result_ms" in report:
        console.out("time to result ms  " + "  ".join(f"{k} {v}" for k, v in report["result_ms"].items()))
    for stage in report["stages"]:
        gpu = "-" if stage["gpu_ms"] is None else f"{stage['gpu_ms']:.3f}"
        console.out(f"  {stage['name']:24} GPU {gpu:>9} ms   CPU {stage['cpu_ms']:.3f} ms")
    console.out(f"waiting for the next frame: {report['wait_ms_per_frame']:.3f} ms a frame")
    console.out(
        f"upload {report['upload_bytes_per_frame']} bytes a frame, readback "
        f"{report['readback_bytes_per_frame']}"
    )
    return 0


COMMAND: Final = Command("Measure the pipeline from decoding to presenting.", _run, _add_options)
