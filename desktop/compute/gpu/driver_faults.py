"""Known driver faults that the program can only report: the driver, the versions, the consequence, and what to install.

A fault is listed after it was measured, here or by somebody who is named; docs/facts.md has how. Sentences are made where they are shown.
"""

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
        adapter: start of the names of its adapters.
        driver: the name before the version in the driver's description.
        mended: the oldest version in which the fault was looked for and not found.
        loses_memory: memory of large compute shaders is never freed, up to so many MB a second at 30 frames a second.
        loop_rounds: a shader's loop ends after this many iterations, whatever its condition.
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


# Mesa 22.3.6 has both, 25.0.7 neither; the versions between were not tried. 200 images of `bilateral` at 640 x 360: 90 MB, and 0.
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
    """Return the version after a driver's name in its description ('Mesa 22.3.6 (LLVM 15.0.6)'), None if there is none."""
    found = re.search(rf"\b{re.escape(name)} (\d+(?:\.\d+)*)", text)
    return tuple(int(part) for part in found[1].split(".")) if found else None


def known_fault(info: AdapterInfo) -> DriverFault | None:
    """Return the known fault of an adapter's driver, None if there is none."""
    return next((fault for fault in _FAULTS if fault.is_in(info)), None)
