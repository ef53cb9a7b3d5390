"""Known driver faults that the program can only report, each measured here or by a source (docs/facts.md)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from desktop.compute.gpu.device import AdapterInfo

Version = tuple[int, ...]


@dataclass(frozen=True)
class DriverFault:
    """A fault of one family of drivers.

    Attributes:
        adapter, driver: start of its adapters' names, and the driver's name before its version.
        mended: oldest tested version without the fault.
        loses_memory: the most memory that large compute shaders leak, in MB per second at 30 frames/s.
        loop_rounds: iterations after which any loop of a shader ends.
        install: how to install a version without the fault: (system, command).
    """

    adapter: str
    driver: str
    mended: Version
    loses_memory: int
    loop_rounds: int
    install: tuple[str, str]

    @property
    def mended_text(self) -> str:
        """Return the first version without the fault, as '25.0'."""
        return ".".join(map(str, self.mended))

    def is_in(self, info: AdapterInfo) -> bool:
        """Return True if an adapter's driver has this fault."""
        if not info.name.startswith(self.adapter):
            return False
        version = driver_version(info.driver, self.driver)
        return version is not None and version < self.mended


# Mesa 22.3.6 has both, 25.0.7 neither (none tried between): 200 `bilateral` at 640 x 360 leak 90 MB, 0.
_FAULTS: Final = (
    DriverFault(
        adapter="llvmpipe",
        driver="Mesa",
        mended=(25, 0),
        loses_memory=13,
        loop_rounds=65_535,
        install=("Debian 12", "apt install -t bookworm-backports mesa-vulkan-drivers"),
    ),
)


def driver_version(text: str, name: str) -> Version | None:
    """Return the version after a driver's name in a text like 'Mesa 22.3.6 (LLVM 15.0.6)', or None."""
    found = re.search(rf"\b{re.escape(name)} (\d+(?:\.\d+)*)", text)
    return tuple(int(part) for part in found[1].split(".")) if found else None


def known_fault(info: AdapterInfo) -> DriverFault | None:
    """Return the known fault of an adapter's driver, None if there is none."""
    return next((fault for fault in _FAULTS if fault.is_in(info)), None)
