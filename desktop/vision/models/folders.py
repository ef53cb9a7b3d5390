"""Refuse a folder given instead of a network's file."""

from __future__ import annotations

from pathlib import Path

from desktop.base.errors import LightloomError, ModelInvalidError
from desktop.base.wording import Text, sentence
from desktop.compute.nn.frontends.formats import NETWORKS, TORCH
from desktop.compute.nn.frontends.unsupported import named_format
from desktop.media.sources.file_kinds import is_pipeline


def refuse_folder(path: Path | str, error: type[LightloomError] = ModelInvalidError) -> None:
    """Raise `error` for a folder, with advice; do nothing otherwise."""
    if said := _describe_folder(Path(path)):
        raise error(said)


def _describe_folder(path: Path) -> Text | None:
    if is_pipeline(path):
        return sentence(
            "{path} is the folder of a pipeline, not one network: 'lightloom generate' makes images with "
            "it, and the filter Diffusion repaints with it (--filter diffusion:model={path}).",
            path=path,
        )
    try:
        if not path.is_dir():
            return None
        inside = sorted(each.name for each in path.iterdir())
    except (OSError, ValueError):  # no permission, too long for the system, or with a NUL
        return None
    names = [name for name in inside if Path(name).suffix.lower() in NETWORKS + TORCH]
    formats = (named_format(name) for name in (path.name, *(() if names else inside)))
    if found := next(filter(None, formats), None):
        return found.refusal(path.name)
    if not names:
        return sentence(
            "{path} is a folder without a network in it; give an .onnx or .tflite file.", path=path
        )
    return sentence(
        "{path} is a folder; give the file of a network in it, as {file}.", path=path, file=path / names[0]
    )
