"""`lightloom doctor`."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from typing import Final

from desktop.base import console
from desktop.cli import Command
from desktop.cli._options import add_listing_options
from desktop.diagnostics import examine


def _run(options: argparse.Namespace) -> int:
    findings = examine(options.adapter)
    if options.json:
        console.out_json([asdict(f) for f in findings])
    else:
        for finding in findings:
            console.out(f"{finding.mark:<4}  {finding.what}: {finding.detail}")
    return 0 if all(f.ok for f in findings) else 1


COMMAND: Final = Command("Check what Lightloom needs on this machine.", _run, add_listing_options)
