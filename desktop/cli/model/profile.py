"""`lightloom model profile`."""

from __future__ import annotations

import argparse
from typing import Final

import numpy as np

from desktop.base import console
from desktop.cli import Command
from desktop.cli.model._shared import (
    add_model_options,
    add_precision_option,
    add_shape_and_json_options,
    check_shapes,
    explain_missing_sizes,
    format_amount,
    format_bytes,
    given_shapes,
    model_path,
    opened_gpu,
    runs,
)
from desktop.compute.nn.lowering.tuning import load_tuning, tuning_folder
from desktop.compute.nn.measure.profile import Profile, profile_session
from desktop.compute.nn.runtime.session import WgpuSession
from desktop.vision.models.verification import random_input


def _add_options(parser: argparse.ArgumentParser) -> None:
    add_model_options(parser)
    add_precision_option(parser)
    add_shape_and_json_options(parser)
    parser.add_argument("--runs", metavar="N", type=runs, default=5, help="runs to take the median of")


def _run(options: argparse.Namespace) -> int:
    path = model_path(options)
    with opened_gpu(options, needed=True) as gpu, explain_missing_sizes(path):
        assert gpu is not None
        session = WgpuSession.load(
            gpu,
            path,
            precision=options.precision,
            input_shapes=given_shapes(options),
            tuning=load_tuning(tuning_folder(), gpu.adapter),
        )
        try:
            check_shapes(options, (info.name for info in session.inputs))
            generator = np.random.default_rng(0)
            session.run({info.name: random_input(info, generator) for info in session.inputs})
            profile = profile_session(session, options.runs)
        finally:
            session.close()
        if options.json:
            head = {"model": str(path), "device": str(gpu.adapter), "precision": session.precision}
            console.out_json({**head, **profile.to_dict()})
            return 0
        _print_profile(profile, f"{gpu.adapter}, {session.precision}")
    return 0


def _print_profile(profile: Profile, where: str) -> None:
    clock = profile.clock if profile.clock != "CPU" else "CPU (this adapter has no timestamps)"
    dispatches = sum(n.dispatches for n in profile.nodes)
    console.out(
        f"{where}: {profile.ms:.3f} ms in {dispatches} dispatches, timed by {clock}, median of "
        f"{profile.runs} runs"
    )
    console.out(
        f"{'ms':>9} {'share':>6} {'disp.':>5} {'bytes':>10} {'GB/s':>8} {'FLOP':>9} {'GFLOP/s':>9}  node "
        "(kernels)"
    )
    for n in profile.nodes:
        share = n.ms / profile.ms if profile.ms else 0.0
        tuned = f"; tuned: {n.tuned}" if n.tuned else ""
        console.out(
            f"{n.ms:9.4f} {share:6.1%} {n.dispatches:5} {format_bytes(n.bytes):>10} {n.byte_rate / 1e9:8.2f} "
            f"{format_amount(n.flops):>9} {n.flop_rate / 1e9:9.2f}  {n.node} ({', '.join(n.kernels)}{tuned})"
        )


COMMAND: Final = Command("Time each node of a network on the GPU.", _run, _add_options)
