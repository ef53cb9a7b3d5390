"""Select the WebGPU implementation behind the name `wgpu`: wgpu-native, or Dawn with wgpu-py's API.

`desktop/__init__.py` does so before the first `import wgpu`, which fixes it for the process: by the
environment, or else Dawn on GPUs on which it was measured to be faster, and wgpu-native on all others.
"""

from __future__ import annotations

import functools
import importlib
import importlib.util
import os
import re
import sys
from dataclasses import dataclass
from typing import Final, Literal

from desktop.base.errors import GpuError, LightloomError, UsageError
from desktop.base.nvidia import has_nvidia_vulkan, nvidia_models
from desktop.base.wording import Text, sentence

VARIABLE: Final = "LIGHTLOOM_WEBGPU"
"""Environment variable that selects the implementation: 'wgpu' or 'dawn'."""

_DAWN: Final = "wgpudawn"
_FASTER_WITH_DAWN: Final = re.compile(r"NVIDIA (H100|H200)\b")
"""Models of GPUs on which Dawn was measured to be faster (docs/performance.md), as their drivers name them."""


@dataclass(frozen=True)
class WebGpu:
    """The selected implementation, 'wgpu' or 'dawn'.

    Attributes:
        problem: why it cannot be used, None if it can.
        chosen_for: the GPU for which it was chosen without being requested; None if it was requested or is
            the default.
    """

    name: Literal["wgpu", "dawn"]
    problem: LightloomError | None = None
    chosen_for: str | None = None

    @property
    def title(self) -> str:
        """The library's own name: 'wgpu-native' or 'Dawn'."""
        return "Dawn" if self.name == "dawn" else "wgpu-native"

    def check(self) -> None:
        """Raise UsageError for another value of the variable, GpuError if Dawn was requested but its package
        is missing or wgpu was imported first.
        """
        if self.problem is not None:
            raise self.problem


@functools.cache
def chosen() -> WebGpu:
    """Return this process's implementation, selected at the first call for later `import wgpu` statements."""
    wish = os.environ.get(VARIABLE, "").strip()
    if wish == "":
        return _fastest()
    if wish == "wgpu":
        return WebGpu("wgpu")
    if wish != "dawn":
        return WebGpu(
            "wgpu",
            UsageError(
                sentence("{variable} is '{value}': it takes wgpu or dawn.", variable=VARIABLE, value=wish)
            ),
        )
    return WebGpu("dawn", GpuError(problem) if (problem := _install()) else None)


def _fastest() -> WebGpu:
    """Return the implementation that was measured to be the faster one on this machine's GPU."""
    model = next((name for name in nvidia_models() if _FASTER_WITH_DAWN.match(name)), None)
    if model is None or not has_nvidia_vulkan() or importlib.util.find_spec(_DAWN) is None:
        return WebGpu("wgpu")
    problem = _install()
    return WebGpu("wgpu") if problem else WebGpu("dawn", chosen_for=model)


def _install() -> Text | None:
    """Replace wgpu by Dawn; return why that failed, None on success."""
    if importlib.util.find_spec(_DAWN) is None:
        from desktop.base.version import (
            extra_command,  # only for a message: this module is imported before anything else
        )

        return sentence(
            "{variable}=dawn asks for Dawn, whose package is not installed; install it ({command}), or "
            "unset {variable}.",
            variable=VARIABLE,
            command=extra_command("dawn"),
        )
    if "wgpu" in sys.modules and _DAWN not in sys.modules:
        return sentence(
            "Dawn is wished for ({variable}=dawn), and this process has imported wgpu before Lightloom; "
            "import "
            "desktop first.",
            variable=VARIABLE,
        )
    try:
        importlib.import_module(_DAWN).install_as_wgpu()
    except (ImportError, OSError, RuntimeError) as error:
        return sentence(
            "Dawn is wished for ({variable}=dawn) and cannot be loaded ({reason}); install wgpudawn again, "
            "or take "
            "the wish away.",
            variable=VARIABLE,
            reason=error,
        )
    return None
