"""Devices in Home Assistant that a configuration no longer has: what was announced is kept in a file, and removed at
the reload or start at which it is missing.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from desktop.base.errors import LightloomError, UsageError
from desktop.base.fields import Value
from desktop.base.files import exists, read_regular, reason, replace_file
from desktop.outputs.events.action import Postponed, Refused
from desktop.outputs.events.home_assistant import ACTION, device_key, remove_device
from desktop.watch.secrets import PLACEHOLDER, Secrets
from desktop.watch.single import state_path

_MOST_BYTES: Final = 1 << 20
_MOST: Final = 1000
_WAITS_S: Final = (2.0, 5.0, 15.0)
"""Seconds between the attempts to reach a broker."""


@dataclass(frozen=True)
class AnnouncedDevice:
    """A device that a source announces: the source's name and its action's values, with `${NAME}` for passwords."""

    source: str
    values: Mapping[str, Value]


def devices_path(config: Path) -> Path:
    """Return the path of the file for a configuration."""
    return state_path(config, ".json")


class AnnouncedDevices:
    """Remembers the devices announced to Home Assistant, and removes those that no longer are.

    `use` is called on one thread and does not wait for a broker.
    """

    def __init__(
        self,
        path: Path,
        secrets: Secrets,
        report: Callable[[str], None],
        waits_s: Sequence[float] = _WAITS_S,
        answer_s: float = 5.0,
    ) -> None:
        """`path` has the devices of earlier runs; `report` gets a sentence for each removal, on any thread.
        `waits_s` are the times between attempts, `answer_s` is how long a broker may take to answer.
        """
        self._path, self._secrets, self._report = path, secrets, report
        self._waits, self._answer_s = tuple(waits_s), answer_s
        self._lock = threading.Lock()
        self._stopped = threading.Event()
        self._wanted: dict[tuple[str, ...], AnnouncedDevice] = {}
        self._gone: dict[tuple[str, ...], AnnouncedDevice] = {}
        # Devices whose removal waits for a password, which has been reported.
        self._waiting: set[tuple[str, ...]] = set()
        self._removing: dict[tuple[str, ...], threading.Thread] = {}
        # Announced again during their removal and since dropped again: their removal starts over.
        self._again: set[tuple[str, ...]] = set()
        self._threads: list[threading.Thread] = []
        # The file could not be read, and may have devices that are unknown here: it is not replaced.
        self._is_unread = False

    def use(self, devices: Sequence[AnnouncedDevice]) -> None:
        """Keep these devices, and start a thread to remove each other one that is in the file.

        Passwords are read from the environment and the key ring on the calling thread.
        """
        with self._lock:
            before, self._wanted = self._wanted, self._by_key(devices)
            # The keys of pending removals are computed again: a password in the key ring may have changed.
            # Those of before are in the file, unless it could not be written.
            found = self._by_key((*self._read(), *before.values(), *self._gone.values()))
            self._gone = {key: each for key, each in found.items() if key not in self._wanted}
            self._removing = {key: each for key, each in self._removing.items() if each.is_alive()}
            self._again |= before.keys()
            self._again &= self._gone.keys() & self._removing.keys()
            started = {key: self._thread(key) for key in self._gone.keys() - self._removing.keys()}
            self._removing |= started
            self._write()
        self._threads = [thread for thread in self._threads if thread.is_alive()]
        for thread in started.values():
            self._threads.append(thread)
            thread.start()

    def close(self) -> None:
        """Stop the removals; those that are not done are tried at the next start."""
        self._stopped.set()
        for thread in self._threads:
            thread.join(1.0)

    def _thread(self, key: tuple[str, ...]) -> threading.Thread:
        return threading.Thread(target=self._remove, args=(key,), name="device removal", daemon=True)

    def _remove(self, key: tuple[str, ...]) -> None:
        while True:
            is_removed, text = self._tried(key)
            with self._lock:
                if key in self._again and not self._stopped.is_set():
                    self._again.discard(key)
                    continue
                self._removing.pop(key, None)
                if key not in self._gone:
                    return
                if is_removed:
                    del self._gone[key]
                    self._write()
            if text:
                self._report(text)
            return

    def _goes_on(self, key: tuple[str, ...]) -> bool:
        """Return whether a removal is still wanted: False once the device is announced again, or after `close`."""
        with self._lock:
            return key in self._gone and key not in self._again and not self._stopped.is_set()

    def _tried(self, key: tuple[str, ...]) -> tuple[bool, str]:
        """Try to remove a device until its broker answers; return whether it is removed, and a sentence or ''."""
        for wait in (*self._waits, None):
            with self._lock:
                device = self._gone.get(key)
            if device is None or not self._goes_on(key):
                break
            try:
                values = self._filled(device)
            except UsageError as error:
                return False, self._waiting_text(key, error)
            self._waiting.discard(key)
            try:
                is_removed = remove_device(values, device.source, self._answer_s, lambda: self._goes_on(key))
            except Postponed as error:
                why = error.reason
            except Refused as error:
                why, wait = str(error).rstrip("."), None
            else:
                return is_removed, (
                    f"The device '{key[-1]}' was removed from Home Assistant: no event is published to it."
                    if is_removed
                    else ""
                )
            if wait is None:
                return False, (
                    f"The device '{key[-1]}' cannot be removed from Home Assistant: {why}; delete it there, or reload "
                    "later."
                )
            self._stopped.wait(wait)
        return False, ""

    def _waiting_text(self, key: tuple[str, ...], error: UsageError) -> str:
        """Return a sentence on what a removal waits for, '' the next time."""
        if key in self._waiting:
            return ""
        self._waiting.add(key)
        return (
            f"The device '{key[-1]}' stays in Home Assistant for now, because "
            f"{str(error).rstrip('.')}; the next reload or start removes it."
        )

    def _filled(self, device: AnnouncedDevice) -> dict[str, Value]:
        values: dict[str, Value] = self._secrets.filled(dict(device.values))
        return values

    def _by_key(self, devices: Sequence[AnnouncedDevice]) -> dict[tuple[str, ...], AnnouncedDevice]:
        found = {}
        for each in devices:
            # Nothing was announced to an invalid address.
            with suppress(Refused):
                found[self._key(each)] = each
        return found

    def _key(self, device: AnnouncedDevice) -> tuple[str, ...]:
        """Return the identity of a device, also without its password; raise Refused for an invalid address."""
        values = dict(device.values)
        for name, value in device.values.items():
            # A variable is often removed together with the event that used it; `${NAME}` then stays in the key.
            with suppress(UsageError):
                values[name] = self._secrets.filled(value, name)
        try:
            return device_key(values, device.source)
        except Refused:
            address = str(values["address"])
            if not PLACEHOLDER.search(address):
                raise
            return address, *device_key(values | {"address": "unknown"}, device.source)[1:]

    def _read(self) -> list[AnnouncedDevice]:
        """Return the devices in the file, as far as it can be read; what is lacking is reported."""
        self._is_unread = False
        try:
            data = read_regular(self._path, _MOST_BYTES)
        except (FileNotFoundError, NotADirectoryError):
            return []
        except (OSError, ValueError) as error:
            self._is_unread = True
            self._report(
                f"{self._path} cannot be read: {reason(error)}; devices removed from the configuration stay in "
                "Home Assistant until that is possible."
            )
            return []
        devices, is_damaged = _devices(data)
        if is_damaged:
            self._copy_damaged(data)
        return devices

    def _copy_damaged(self, data: bytes) -> None:
        """Copy the file, which is about to be replaced by one with its valid devices."""
        copy = self._path.with_name(f"{self._path.name}.damaged")
        try:
            # Not renamed, so that the valid devices are always in the file.
            replace_file(copy, [data])
        except OSError as error:
            self._is_unread = True
            self._report(
                f"{self._path} is damaged, and {copy.name} cannot be written: {reason(error)}; devices removed from "
                "the configuration may stay in Home Assistant: delete them there."
            )
            return
        self._report(
            f"{self._path} was damaged, and is kept as {copy.name}; devices removed from the configuration may stay "
            "in Home Assistant: delete them there."
        )

    def _write(self) -> None:
        if self._is_unread:
            return
        devices = [asdict(each) for each in (*self._wanted.values(), *self._gone.values())]
        if not devices and not exists(self._path):
            return
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            replace_file(self._path, [json.dumps(devices).encode()])
        except (OSError, ValueError) as error:
            self._report(
                f"{self._path} cannot be written: {reason(error)}; devices removed from the configuration stay in "
                "Home Assistant until that is possible."
            )


def _devices(data: bytes) -> tuple[list[AnnouncedDevice], bool]:
    """Return the valid devices of a file's content, and whether anything else is in it."""
    try:
        entries = json.loads(data)
    except (ValueError, RecursionError):
        return [], True
    if not isinstance(entries, list):
        return [], True
    devices = []
    for entry in entries[:_MOST]:
        with suppress(ValueError, TypeError, LookupError, AttributeError, LightloomError):
            devices.append(_device(entry))
    return devices, len(devices) < len(entries)


def _device(entry: Mapping[str, Any]) -> AnnouncedDevice:
    return AnnouncedDevice(str(entry["source"]), ACTION.checked(entry["values"]))
