"""Notifications to systemd, by its protocol (sd_notify(3)): datagrams of lines `KEY=value` to $NOTIFY_SOCKET."""

from __future__ import annotations

import contextlib
import os
import socket
import sys
import time
from collections.abc import Mapping


class Notifier:
    """Sends the state of the service; without a socket it does nothing."""

    def __init__(self, environment: Mapping[str, str] | None = None) -> None:
        """`environment` is this process's by default."""
        given = os.environ if environment is None else environment
        address = given.get("NOTIFY_SOCKET", "")
        self._address = "\0" + address[1:] if address.startswith("@") else address
        self._watchdog_s = 0.0
        if given.get("WATCHDOG_PID", str(os.getpid())) == str(os.getpid()):
            with contextlib.suppress(ValueError):
                self._watchdog_s = int(given.get("WATCHDOG_USEC", "0")) / 1e6
        self._next_beat = 0.0

    def ready(self, status: str) -> None:
        """Report that the service runs, at the start and after a reload."""
        self._send(f"READY=1\nSTATUS={status}")

    def reloading(self) -> None:
        """Report that the configuration is read again; `ready` follows."""
        self._send(f"RELOADING=1\nMONOTONIC_USEC={time.monotonic_ns() // 1000}")

    def stopping(self) -> None:
        """Report that the service ends."""
        self._send("STOPPING=1")

    def status(self, text: str) -> None:
        """Report a line for `systemctl status`."""
        self._send(f"STATUS={text}")

    def beat(self) -> None:
        """Report that the main loop works, as often as the watchdog needs; call it several times a second."""
        now = time.monotonic()
        if self._watchdog_s and now >= self._next_beat:
            self._next_beat = now + self._watchdog_s / 3
            self._send("WATCHDOG=1")

    def _send(self, text: str) -> None:
        if sys.platform == "win32" or not self._address:
            return
        # A full or closed socket must not stop the service.
        with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sender:
            sender.setblocking(False)
            sender.sendto(text.encode(), self._address)
