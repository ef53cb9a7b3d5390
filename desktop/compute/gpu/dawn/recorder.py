"""Recorders of prepared dispatches for Dawn."""

from __future__ import annotations

from collections.abc import Sequence

from desktop.compute.gpu.dawn import version
from desktop.compute.gpu.dawn.library import library
from desktop.compute.gpu.native import recorder as native
from desktop.compute.gpu.recording import Command, Record, record_public


def record_native(commands: Sequence[Command]) -> Record:
    """Return `make_recorder`'s function, made of native functions: for the known version."""
    return native.record_native(library(), commands)


def make_recorder(commands: Sequence[Command]) -> Record:
    """Return a recorder (compute pass, start, stop) of slices of `commands` that keeps them alive."""
    return record_native(commands) if version.is_known() else record_public(commands)
