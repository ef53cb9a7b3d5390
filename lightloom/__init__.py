"""Lightloom: GPU filters and neural networks on images and video, on any vendor's GPU.

    import lightloom

    with lightloom.load("detector", score=0.4) as network:
        for detection in network("street.jpg"):
            print(detection.label, f"{detection.score:.2f}", detection.box)
    with lightloom.Chain([("gaussian_blur", {"radius": 4.0}), "vignette"]) as chain:
        for frame in lightloom.open("street.jpg"):
            print(frame.time, chain(frame.array).shape)

Everything public is a name of this package (`__all__`), of `lightloom.errors` or of `lightloom.plugins`. The
package `desktop` beside it is the program's implementation; it is private and changes without notice.

Conventions:

- An image is a uint8 NumPy array [height, width, 3 or 4]: R'G'B' as a display shows it (sRGB), with straight
  alpha as the fourth channel.
- A point is (x, y) in pixels, from the upper left corner of the image. A box is (left, top, right, bottom).
- A time is in seconds.
- Errors raise a `LightloomError`, whose text is one sentence: what happened, to what, what to do.
- Networks, chains, sources and GPUs are context managers. `close` releases them and may be called twice.
- One thread at a time may use a `Gpu` and what was made with it.

Names are imported when they are first used, so that `import lightloom` takes milliseconds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from lightloom import errors, plugins
    from lightloom._chain import Chain
    from lightloom._gpu import Gpu, Tensor
    from lightloom._layers import Layer
    from lightloom._network import BoundTexture, Network, load, models
    from lightloom._results import (
        Classification,
        Depth,
        Detection,
        Detections,
        Image,
        Input,
        Keypoints,
        Likeness,
        Mask,
        Prediction,
        Result,
        Segmentation,
    )
    from lightloom._sources import Frame, Source, open
    from lightloom._stages import MaskPart, Stage, filters, masks
    from lightloom._tracking import Line, LineCounts, Tracker, Zone, ZoneCounts, Zones, track
    from lightloom.errors import LightloomError

    __version__: str

_MODULES: Final = ("errors", "plugins")
_HOMES: Final = {
    "_chain": ("Chain",),
    "_gpu": ("Gpu", "Tensor"),
    "_network": ("BoundTexture", "Network", "load", "models"),
    "_results": (
        "Classification",
        "Depth",
        "Detection",
        "Detections",
        "Image",
        "Input",
        "Keypoints",
        "Likeness",
        "Mask",
        "Prediction",
        "Result",
        "Segmentation",
    ),
    "_layers": ("Layer",),
    "_sources": ("Frame", "Source", "open"),
    "_stages": ("MaskPart", "Stage", "filters", "masks"),
    "_tracking": ("Line", "LineCounts", "Tracker", "Zone", "ZoneCounts", "Zones", "track"),
    "errors": ("LightloomError",),
}
_HOME: Final = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "BoundTexture",
    "Chain",
    "Classification",
    "Depth",
    "Detection",
    "Detections",
    "Frame",
    "Gpu",
    "Image",
    "Input",
    "Keypoints",
    "Layer",
    "LightloomError",
    "Likeness",
    "Line",
    "LineCounts",
    "Mask",
    "MaskPart",
    "Network",
    "Prediction",
    "Result",
    "Segmentation",
    "Source",
    "Stage",
    "Tensor",
    "Tracker",
    "Zone",
    "ZoneCounts",
    "Zones",
    "__version__",
    "errors",
    "filters",
    "load",
    "masks",
    "models",
    "open",
    "plugins",
    "track",
]


def __getattr__(name: str) -> Any:
    """Import a public name at its first use."""
    if name == "__version__":
        from desktop.base.version import version

        found: Any = version()
    elif name in _MODULES:
        from importlib import import_module

        found = import_module(f"{__name__}.{name}")
    elif name in _HOME:
        from importlib import import_module

        found = getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
    else:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
