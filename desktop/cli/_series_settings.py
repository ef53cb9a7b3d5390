"""Settings of numbered images, and how many of them are made, stored beside them, so that --resume mixes no two runs.

They stay when the input is done: more frames or other settings may come later, as with a folder that grows.
"""

from __future__ import annotations

import argparse
import contextlib
import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from desktop.base import console
from desktop.base.addresses import public_name
from desktop.base.errors import UsageError, not_written
from desktop.base.files import exists, read_regular, reason, replace_file, resolved
from desktop.cli._switching import Switch
from desktop.outputs.run_settings import differences, plain, setup_json
from desktop.pipeline.setup.setup import Setup

_MOST_BYTES: Final = 16 << 20
# The number has a fixed place and width, so that it is overwritten in place with each image: nothing is left half
# written, and a full disk takes it.
_HEAD: Final = b'{"images": '
_WIDTH: Final = 12
# Options that change images, beside those that are in the setup.
_OPTIONS: Final = (
    "overlay",
    "subtitles",
    "no_deinterlace",
    "fade",
    "range",
    "bits",
    "hdr",
    "dither",
    "stabilize",
    "stabilize_edges",
    "motion",
)


def series_settings(options: argparse.Namespace, setup: Setup, switches: Sequence[Switch]) -> dict[str, Any]:
    """Return the settings by which two runs make the same images, as JSON values."""
    path = Path(options.input)
    return {
        "input": str(resolved(path)) if exists(path) else public_name(options.input),
        "setup": setup_json(setup),
        "switches": [{"seconds": each.seconds, "setup": setup_json(each.setup)} for each in switches],
        **{name: plain(_value(getattr(options, name))) for name in _OPTIONS},
    }


def _value(value: Any) -> Any:
    return asdict(value) if hasattr(value, "__dataclass_fields__") else value


class SeriesSettings:
    """The settings of a series, in NAME.run beside it: `begin` before the first image, `note` after each."""

    def __init__(self, series: Path, settings: dict[str, Any]) -> None:
        """Write and read nothing yet; `series` is a name with a number pattern."""
        self.path = _path(series)
        self._settings: dict[str, Any] = json.loads(json.dumps(settings))

    def check(self) -> None:
        """Raise UsageError if the images that are there were made with other settings; report it if these are not
        known.
        """
        try:
            begun = json.loads(read_regular(self.path, _MOST_BYTES))
        except (OSError, ValueError, RecursionError):
            console.fail(
                "It is not known with which settings the images that are there were made; leave --resume out to "
                "make them anew."
            )
            return
        if isinstance(begun, dict):
            begun.pop("images", None)
        if other := differences(begun, self._settings):
            raise UsageError(
                f"The images that are there were made with other settings ({', '.join(other)}); give the same "
                "ones, or leave --resume out."
            )

    def begin(self, images: int) -> None:
        """Store the settings and how many images were made with them; raise ExportError if that fails."""
        settings = json.dumps(self._settings).encode().removeprefix(b"{")
        try:
            replace_file(self.path, [_HEAD, _number(images), b", ", settings, b"\n"])
        except (OSError, ValueError) as error:
            raise not_written(self.path, reason(error)) from error

    def note(self, images: int) -> None:
        """Store how many images are made; raise ExportError if that fails."""
        try:
            with self.path.open("r+b") as stream:
                stream.seek(len(_HEAD))
                stream.write(_number(images))
        except OSError as error:
            raise not_written(self.path, reason(error)) from error

    def delete(self) -> None:
        """Delete them: there is no image."""
        with contextlib.suppress(OSError):
            self.path.unlink(missing_ok=True)


def recorded_images(series: Path) -> int | None:
    """Return how many images of a series its last run made; None if that is not known."""
    try:
        begun = json.loads(read_regular(_path(series), _MOST_BYTES))
    except (OSError, ValueError, RecursionError):
        return None
    images = begun.get("images") if isinstance(begun, dict) else None
    return images if type(images) is int and images >= 0 else None


def _path(series: Path) -> Path:
    return series.with_name(f"{series.name}.run")


def _number(images: int) -> bytes:
    return b"%*d" % (_WIDTH, images)
