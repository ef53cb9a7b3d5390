"""NVIDIA GPUs of this machine, as found without opening them: a process decides by them what it imports."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

_GPUS: Final = Path("/proc/driver/nvidia/gpus")
_MANIFESTS: Final = ("/etc/vulkan/icd.d", "/usr/local/share/vulkan/icd.d", "/usr/share/vulkan/icd.d")
_VARIABLES: Final = ("VK_DRIVER_FILES", "VK_ICD_FILENAMES")


def nvidia_models(gpus: Path = _GPUS) -> tuple[str, ...]:
    """Return the models that the Linux driver lists, such as 'NVIDIA H200'; none elsewhere.

    Their format: https://download.nvidia.com/XFree86/Linux-x86_64/580.95.05/README/procinterface.html
    """
    found = []
    try:
        for file in sorted(gpus.glob("*/information")):
            for line in file.read_text("utf-8", "replace").splitlines():
                key, _, value = line.partition(":")
                if key.strip() == "Model":
                    found.append(value.strip())
    except OSError:
        return ()
    return tuple(found)


def has_nvidia_vulkan() -> bool:
    """Return True if the Vulkan loader finds a manifest of NVIDIA's driver.

    By the loader's variables if they are set, else in the system's folders and the user's.
    https://github.com/KhronosGroup/Vulkan-Loader/blob/main/docs/LoaderDriverInterface.md
    """
    for variable in _VARIABLES:
        if files := os.environ.get(variable):
            return any("nvidia" in Path(file).name for file in files.split(os.pathsep))
    data = os.environ.get("XDG_DATA_HOME")
    own = Path(data) if data else Path.home() / ".local" / "share"
    folders = (*map(Path, _MANIFESTS), own / "vulkan" / "icd.d")
    return any("nvidia" in file.name for folder in folders for file in folder.glob("*.json"))
