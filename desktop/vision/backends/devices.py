"""List the devices of all backends, for people and programs."""

from __future__ import annotations

import json
import subprocess
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from desktop.base.child import own_program, start_own
from desktop.base.errors import LightloomError
from desktop.base.wording import sentence
from desktop.vision.backends import backends
from desktop.vision.backends.backend import AvailableDevices, ComputeDevice

_SECONDS: Final = 120.0
_MOST_BYTES: Final = 1 << 20
_MOST: Final = 256


@dataclass(frozen=True)
class BackendDevices:
    """Name and displayed title of a backend, with the devices that it found."""

    backend: str
    title: str
    found: AvailableDevices


def list_devices() -> tuple[BackendDevices, ...]:
    """Query every backend. Imports their engines and loads the libraries of plug-ins, which takes seconds."""
    return tuple(BackendDevices(each.name, each.title, each.find_devices()) for each in backends())


def as_json(listed: tuple[BackendDevices, ...]) -> list[dict[str, Any]]:
    """Convert a list to JSON values."""
    return [
        {
            "backend": each.backend,
            "title": each.title,
            "devices": [asdict(device) for device in each.found.devices],
            "remarks": [str(note) for note in each.found.notes],
        }
        for each in listed
    ]


def list_devices_apart() -> tuple[BackendDevices, ...]:
    """Query backends in another process, to avoid importing PyTorch; raise LightloomError if it fails."""
    import tempfile

    with tempfile.TemporaryDirectory(prefix="lightloom-", ignore_cleanup_errors=True) as folder:
        path = Path(folder) / "devices.json"
        with path.open("wb") as output:
            process = start_own(["devices", "--networks", "--json"], Path(folder), output)
            try:
                process.wait(_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
            finally:
                assert process.stdin is not None
                process.stdin.close()
        with path.open("rb") as written:
            text = written.read(_MOST_BYTES)
    try:
        return tuple(_listed(entry) for entry in json.loads(text)[:_MOST])
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise LightloomError(
            sentence(
                "The devices for networks could not be listed; '{command} devices --networks' says why.",
                command=own_program()[-1],
            )
        ) from error


def _listed(entry: Any) -> BackendDevices:
    devices = tuple(ComputeDevice(**each) for each in entry["devices"][:_MOST])
    return BackendDevices(
        entry["backend"], entry["title"], AvailableDevices(devices, tuple(entry["remarks"][:_MOST]))
    )
