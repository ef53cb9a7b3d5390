"""Texts for known faults of the graphics driver in use."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from desktop.compute.gpu.device import AdapterInfo
from desktop.compute.gpu.driver_faults import known_fault


def fault_text(adapter: AdapterInfo) -> str:
    """Return a sentence about a known fault of an adapter's driver; '' for none."""
    fault = known_fault(adapter)
    if fault is None:
        return ""
    text = QCoreApplication.translate(
        "DriverFault",
        "{driver} loses memory with larger filters, up to {rate} MB a second, and ends loops in shaders "
        "after {rounds} rounds. "
        "Install {name} {version} or newer, which is faster too ({system}: {command}).",
    )
    system, command = fault.install
    return text.format(
        driver=adapter.driver,
        rate=fault.loses_memory,
        rounds=fault.loop_rounds,
        name=fault.driver,
        version=fault.mended_text,
        system=system,
        command=command,
    )
