"""Recorders of prepared dispatches for wgpu-native."""

from __future__ import annotations

from collections.abc import Sequence

from desktop.compute.gpu.native import recorder as native
from desktop.compute.gpu.recording import Command, Record, record_public
from desktop.compute.gpu.wgpu_native import version
from desktop.compute.gpu.wgpu_native.library import library


def record_native(commands: Sequence[Command]) -> Record:
    """Return `make_recorder`'s function, made of native functions: for the known versions."""
    return native.record_native(library(), commands)


def make_recorder(commands: Sequence[Command]) -> Record:
    """Return a recorder (compute pass, start, stop) of slices of `commands` that keeps them alive."""
    return record_native(commands) if version.is_known() else record_public(commands)
