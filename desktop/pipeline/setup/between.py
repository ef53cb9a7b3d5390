"""Frame interpolation as a table: `[interpolation]` of a preset, untrusted; invalid values are ignored.

[interpolation]
model = "rife.onnx"  # relative to the preset, or absolute
rate = "2x"          # 2x, 3x, 4x or screen; missing keys have their defaults
backend = "auto"
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from desktop.base.errors import UsageError
from desktop.base.wording import Text, sentence
from desktop.pipeline.running.interpolation.spec import InterpolationSpec, with_interpolation_value
from desktop.vision.backends import backend_choices


def interpolation_table(spec: InterpolationSpec, place: Callable[[str, str], str]) -> dict[str, Any]:
    """Return the table of a spec; `place` says how the preset names a file of a kind, or an address."""
    return {**vars(spec), "model": place(spec.model, "model")}


def take_interpolation(
    document: dict[str, Any],
    find: Callable[[str, str], str | None],
    warn: Callable[[Text], None],
) -> InterpolationSpec | None:
    """Remove and read the key `interpolation` of a preset; None without it or without its network.

    `find` returns the path of a named file, or None after a warning; `warn` is called for each ignored value.
    """
    if "interpolation" not in document:
        return None
    given = document.pop("interpolation")
    if not isinstance(given, dict) or not isinstance(given.get("model"), str):
        warn(sentence("'interpolation' has no model and was left out."))
        return None
    path = find(given.pop("model"), sentence("the network of the frame interpolation"))
    if path is None:
        return None
    spec = InterpolationSpec(path)
    for name, value in given.items():
        try:
            if name == "backend" and value not in backend_choices():
                raise UsageError(
                    sentence(
                        "There is no backend {value}; choose one of {choices}.",
                        value=repr(str(value)[:40]),
                        choices=", ".join(backend_choices()),
                    )
                )
            spec = with_interpolation_value(spec, name, value)
        except UsageError as error:
            warn(sentence("{error} The usual one is used.", error=error))
    return spec
