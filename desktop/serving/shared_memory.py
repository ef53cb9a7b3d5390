"""System shared memory: tensors of clients on this machine, outside of their requests (Linux).

https://github.com/triton-inference-server/server/blob/main/docs/protocol/extension_shared_memory.md

A region is read and written through its file, not mapped: a client that cuts it off would end the server with a
bus error. Only regions of the server's own user are taken. Clients have to show a token: on a loopback address
they may be other users, which could otherwise have the server read and write for them what is not theirs.
"""

from __future__ import annotations

import os
import re
import stat
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from desktop.base.errors import ServingError
from desktop.base.files import reason
from desktop.net.inference.wire import SharedPart
from desktop.serving.tensors import shown

REGION: Final = "shared_memory_region"
OFFSET: Final = "shared_memory_offset"
SIZE: Final = "shared_memory_byte_size"
FOLDER: Final = Path("/dev/shm")
_ELSEWHERE: Final = "Shared memory is for Linux; send the tensor in the request."
_KEY: Final = re.compile(r"/?[A-Za-z0-9_][A-Za-z0-9._-]{0,199}", re.ASCII)
_LONGEST_NAME: Final = 200
_MOST_REGIONS: Final = 256
_LARGEST: Final = 1 << 40


def is_supported() -> bool:
    """Return True on systems whose shared memory has files."""
    return sys.platform == "linux" and FOLDER.is_dir()


@dataclass(frozen=True)
class SharedRegion:
    """A registered region: its name, the system's key, and where it is in that, in bytes."""

    name: str
    key: str
    offset: int
    size: int
    handle: int

    def document(self) -> dict[str, str | int]:
        """Return the region as the protocol describes it."""
        return {"name": self.name, "key": self.key, "offset": self.offset, "byte_size": self.size}


class SharedRegions:
    """The regions that clients registered, until `close`. Thread-safe."""

    def __init__(self) -> None:
        self._regions: dict[str, SharedRegion] = {}
        self._lock = threading.Lock()

    def register(self, name: str, key: object, offset: object, size: object) -> None:
        """Register a region. Raises ServingError if it is invalid, too small, another user's, or known."""
        if not 0 < len(name) <= _LONGEST_NAME or not name.isprintable():
            raise _invalid(
                f"'{shown(name)}' cannot be the name of a region; give up to {_LONGEST_NAME} letters."
            )
        if not isinstance(key, str) or not _KEY.fullmatch(key):
            raise _invalid(f"'{shown(key)}' is no key of shared memory; give a name such as /frames.")
        start, length = _byte_count(offset, "offset", 0), _byte_count(size, "byte_size", 1)
        with self._lock:
            if name in self._regions:
                raise _invalid(f"There is a region '{shown(name)}' already; unregister it first.")
            if len(self._regions) >= _MOST_REGIONS:
                raise ServingError(
                    "full", f"{_MOST_REGIONS} regions are registered; unregister others first."
                )
            handle = _opened(key, start + length)
            self._regions[name] = SharedRegion(name, key, start, length, handle)

    def unregister(self, name: str = "") -> None:
        """Unregister a region, or all without a name; one that is unknown is none already."""
        with self._lock:
            for each in [each for each in self._regions if name in ("", each)]:
                os.close(self._regions.pop(each).handle)

    def status(self, name: str = "") -> list[SharedRegion]:
        """Return a region, or all without a name. Raises ServingError if it is unknown."""
        with self._lock:
            found = [each for each in self._regions.values() if name in ("", each.name)]
        if name and not found:
            raise _unknown(name)
        return found

    def read(self, part: SharedPart) -> memoryview:
        """Return a copy of a part. Raises ServingError if it is not within its region."""
        if sys.platform == "win32":
            raise _invalid(_ELSEWHERE)
        # Not a bytearray, which is filled with zeros while no other thread runs.
        view, done = np.empty(part.size, np.uint8).data, 0
        with self._placed(part) as (handle, at):
            while done < part.size:
                count = os.preadv(handle, [view[done:]], at + done)
                if not count:
                    raise _invalid(f"The region '{part.region}' was cut off; register it again.")
                done += count
        return view

    def write(self, part: SharedPart, data: bytes) -> None:
        """Write to the beginning of a part. Raises ServingError if it is too small, or not in its region."""
        if sys.platform == "win32":
            raise _invalid(_ELSEWHERE)
        if len(data) > part.size:
            raise _invalid(f"An output has {len(data)} bytes, and its place in '{part.region}' {part.size}.")
        view, done = memoryview(data), 0
        with self._placed(part) as (handle, at):
            if os.fstat(handle).st_size < at + len(data):
                raise _invalid(f"The region '{part.region}' was cut off; register it again.")
            while done < len(data):
                done += os.pwrite(handle, view[done:], at + done)

    @contextmanager
    def _placed(self, part: SharedPart) -> Iterator[tuple[int, int]]:
        """Yield the file of a part, which stays open if its region is unregistered meanwhile, and its offset.

        The lock is not held while a GiB is copied: the HTTP server's event loop takes it as well.
        """
        with self._lock:
            region = self._regions.get(part.region)
            if region is None:
                raise _unknown(part.region)
            if part.offset + part.size > region.size:
                raise _invalid(
                    f"{part.size} bytes from {part.offset} on are not within the {region.size} of the region "
                    f"'{part.region}'."
                )
            handle = os.dup(region.handle)
        try:
            yield handle, region.offset + part.offset
        finally:
            os.close(handle)

    def close(self) -> None:
        """Unregister all."""
        self.unregister()


def shared_part(parameters: Mapping[str, object]) -> SharedPart | None:
    """Return where a tensor is in shared memory, by its parameters; None if it is not. Raises ServingError."""
    region = parameters.get(REGION)
    if region is None:
        return None
    if not isinstance(region, str) or len(region) > _LONGEST_NAME:
        raise _invalid(f"The parameter '{REGION}' is no name of a region.")
    return SharedPart(
        region, _byte_count(parameters.get(OFFSET, 0), OFFSET, 0), _byte_count(parameters.get(SIZE), SIZE, 1)
    )


def _byte_count(value: object, name: str, least: int) -> int:
    if type(value) is not int or not least <= value <= _LARGEST:
        raise _invalid(f"'{name}' is {shown(value)}; give a whole number of bytes, from {least} on.")
    return value


def _opened(key: str, size: int) -> int:
    if sys.platform == "win32":
        raise _invalid(_ELSEWHERE)
    path = FOLDER / key.removeprefix("/")
    try:
        handle = os.open(path, os.O_RDWR | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as error:
        raise _invalid(
            f"The shared memory '{key}' cannot be opened: {reason(error)}; create it first."
        ) from None
    state = os.fstat(handle)
    is_own = stat.S_ISREG(state.st_mode) and state.st_uid == os.geteuid()
    if is_own and state.st_size >= size:
        return handle
    os.close(handle)
    if not is_own:
        raise ServingError(
            "forbidden", f"'{key}' is no shared memory of the server's own user; create it as that one."
        )
    raise _invalid(
        f"The shared memory '{key}' has {state.st_size} bytes, less than the {size} of the region."
    )


def _invalid(text: str) -> ServingError:
    return ServingError("invalid", text)


def _unknown(name: str) -> ServingError:
    return _invalid(f"There is no region '{shown(name)}'; register it first.")
