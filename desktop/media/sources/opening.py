"""The one place where a path, an address or a name becomes a `Source`."""

from __future__ import annotations

import re
from pathlib import Path

from desktop.base.addresses import is_address
from desktop.base.errors import SourceUnsupportedError
from desktop.base.files import home_expanded
from desktop.base.wording import sentence
from desktop.media.sources.base import Source
from desktop.media.sources.file_kinds import classify_drop, source_kinds


def open_source(spec: str | Path, *, image_seconds: float = 3.0) -> Source:
    """Return the source for a text or path. It is not started; only a file's first bytes are read.

    Args:
        spec: 'sample', 'sample:640x360@30', 'camera' (the first), 'camera:<id or part of the name>', an
            address, or the path of a video, an image or a folder of images. A `Path` is always a path.
        image_seconds: how long each image of a folder is shown.

    Raises:
        UsageError: the text is none of these.
        SourceNotFoundError: the file does not exist or may not be read.
        SourceUnsupportedError: the file is not an image or a video.
    """
    if isinstance(spec, str):
        # Not the name of a file, in which a password would be shown.
        spec = spec.strip() if is_address(spec.strip()) else spec
        for _, source in source_kinds(first=re.split(r"\W", spec, maxsplit=1)[0]):
            named = source.open_text(spec)
            if named is not None:
                return named
    return _open_path(home_expanded(spec), image_seconds)


def _open_path(path: Path, image_seconds: float) -> Source:
    kind = classify_drop(path)
    opens = next((source.open_file for name, source in source_kinds(first=kind) if name == kind), None)
    if opens is not None:
        return opens(path, image_seconds)
    if kind == "unknown":
        raise SourceUnsupportedError(
            sentence(
                "{name} is neither a video nor an image that Lightloom reads; convert it, or open another "
                "file.",
                name=path.name,
            )
        )
    raise SourceUnsupportedError(
        sentence(
            "{name} is a {kind}, not a video or an image: open a video or an image first, and use it on "
            "that.",
            name=path.name,
            kind=kind,
        )
    )
